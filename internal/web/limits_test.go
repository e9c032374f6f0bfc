package web

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A connection between two requests is kept for a while only, with HTTP/1.1 and HTTP/2 alike.
func TestIdleConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	s := start(t, Config{limits: limits{idle: 100 * time.Millisecond}})
	for _, protocol := range []string{"http/1.1", "h2"} {
		conf := s.tlsConfig(t)
		conf.NextProtos = []string{protocol}
		c, err := tls.Dial("tcp", s.host, conf)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if c.ConnectionState().NegotiatedProtocol != protocol {
			t.Fatalf("%s was not agreed on", protocol)
		}
		if protocol == "h2" { // the preface and empty settings: a connection that is open and asks for nothing
			io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
		} else {
			exchange(t, c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		}
		c.SetDeadline(time.Now().Add(20 * time.Second))
		if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: still open", protocol)
		}
	}
}

// The bound on headers holds in HTTP/2, however they are divided.
func TestHeaderLimitInHTTP2(t *testing.T) {
	s := start(t, Config{})
	client := s.client(t)
	for name, c := range map[string]struct {
		set  func(http.Header)
		fine bool
	}{
		"few":     {func(h http.Header) { h.Set("X-Big", strings.Repeat("x", 30<<10)) }, true},
		"one big": {func(h http.Header) { h.Set("X-Big", strings.Repeat("x", 90<<10)) }, false},
		"many small": {func(h http.Header) {
			for i := range 3000 {
				h.Set(fmt.Sprintf("X-%d", i), "1")
			}
		}, false},
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		c.set(r.Header)
		status := 0 // the client may read the bound in the settings and not even send the request
		if resp, err := client.Do(r); err == nil {
			resp.Body.Close()
			status = resp.StatusCode
		}
		if (status == http.StatusOK) != c.fine || !c.fine && status != 0 && status != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%s: status %d", name, status)
		}
	}
}

// Only suites with forward secrecy and authenticated encryption are spoken, whatever the client would take.
func TestWeakSuitesAreRefused(t *testing.T) {
	s := start(t, Config{})
	conf := s.tlsConfig(t)
	conf.MinVersion, conf.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	strong := 0
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		if suite.SupportedVersions[0] == tls.VersionTLS13 {
			continue // not for choice
		}
		conf.CipherSuites = []uint16{suite.ID}
		c, err := tls.Dial("tcp", s.host, conf)
		if err == nil {
			c.Close()
			strong++
			if !strings.Contains(suite.Name, "ECDHE") || !strings.Contains(suite.Name, "GCM") &&
				!strings.Contains(suite.Name, "CHACHA20") {
				t.Errorf("%s is spoken", suite.Name)
			}
		}
	}
	if strong < 3 { // those of an ECDSA certificate
		t.Errorf("only %d suites of TLS 1.2 are spoken", strong)
	}
}

// A new certificate costs nobody a connection: those that are open go on, and requests that come all the while succeed.
func TestNewCertificateDropsNoConnection(t *testing.T) {
	folder := t.TempDir()
	writePair(t, folder)
	certFile, keyFile := filepath.Join(folder, "tls-cert.pem"), filepath.Join(folder, "tls-key.pem")
	s := start(t, Config{TLS: TLS{Mode: Files, CertFile: certFile, KeyFile: keyFile, Folder: folder},
		limits: limits{recheck: time.Nanosecond}})
	open := dialTLS(t, s)
	reader := bufio.NewReader(open)
	askOpen := func() {
		open.SetDeadline(time.Now().Add(20 * time.Second))
		io.WriteString(open, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		resp, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatalf("the open connection was dropped: %v", err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	askOpen()
	stop, asked := make(chan struct{}), make(chan struct{}, 1)
	var others sync.WaitGroup
	for range 3 {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				// Who trusts the certificate is of no interest here, but that each handshake and request succeeds.
				transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}
				resp, err := (&http.Client{Transport: transport, Timeout: 20 * time.Second}).Get(s.url)
				if err != nil {
					t.Errorf("while the certificate changed: %v", err)
					return
				}
				resp.Body.Close()
				select {
				case asked <- struct{}{}:
				default:
				}
			}
		})
	}
	var last []byte
	for range 10 {
		last = writePair(t, folder)
		<-asked
		askOpen()
	}
	close(stop)
	others.Wait()
	if !bytes.Equal(shown(t, s.host), last) {
		t.Error("the last certificate is not used")
	}
	askOpen()
}

// The proxies of deploy/ pass the longest query that the service takes, and its answer, whose Link repeats the query.
func TestProxiesPassTheLongestQuery(t *testing.T) {
	t.Parallel()
	s := start(t, Config{Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</api/v10/applicants?after=999999999999999999&"+r.URL.RawQuery+`>; rel="next"`)
	}))})
	const longest = maxHeaderBytes + 4<<10 // of the request line with all headers
	var header int                         // of the answer
	for size, want := range map[int]int{longest: http.StatusOK, longest + 1<<10: http.StatusRequestHeaderFieldsTooLarge} {
		c := dialTLS(t, s)
		c.SetDeadline(time.Now().Add(20 * time.Second))
		const before, after = "GET /?byIDs=", " HTTP/1.1\r\nHost: a\r\n\r\n"
		go io.WriteString(c, before+strings.Repeat("1", size-len(before)-len(after))+after)
		var answer bytes.Buffer
		resp, err := http.ReadResponse(bufio.NewReader(io.TeeReader(c, &answer)), nil)
		if err != nil || resp.StatusCode != want {
			t.Fatalf("a request of %d bytes: %v, %v", size, err, resp)
		}
		header = max(header, answer.Len())
	}
	for _, c := range []struct {
		file, setting string
		least         int
	}{
		{"nginx.conf", `large_client_header_buffers \d+ (\d+)k;`, longest},
		{"nginx.conf", `proxy_buffer_size (\d+)k;`, header},
		// HAProxy keeps 1,024 bytes of a buffer for what it adds (tune.maxrewrite).
		{"haproxy.cfg", `tune\.bufsize (\d+)\n`, max(longest, header) + 1024},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", "deploy", c.file))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`(?m)^\s*` + c.setting).FindSubmatch(text)
		if found == nil {
			t.Errorf("%s does not set %s", c.file, c.setting)
			continue
		}
		size, err := strconv.Atoi(string(found[1]))
		if strings.Contains(c.setting, "k;") {
			size <<= 10
		}
		if err != nil || size < c.least {
			t.Errorf("%s: %s passes %d bytes of %d", c.file, found[0], size, c.least)
		}
	}
}
