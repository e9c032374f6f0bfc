package acme

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/letsencrypt/challtestsrv"
	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"

	"github.com/admitto/admitto/internal/wait"
	"github.com/admitto/admitto/test/internal/program"
)

const (
	domain = "apply.example.org"
	email  = "registrar@example.org"
)

// authority is a running Pebble.
type authority struct {
	directory string
	trust     string         // file with the certificate of the directory
	issued    *x509.CertPool // what its certificates are checked with
	stop      func()
}

// newAuthority runs a Pebble that finds every name on the port of this machine. Its certificates are good for so many
// seconds.
func newAuthority(t *testing.T, port int, seconds uint64) *authority {
	t.Helper()
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	dns := freePort(t)
	names, err := challtestsrv.New(challtestsrv.Config{DNSAddrs: []string{fmt.Sprintf("127.0.0.1:%d", dns)},
		Log: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	names.SetDefaultDNSIPv4("127.0.0.1")
	names.SetDefaultDNSIPv6("")
	go names.Run()
	t.Cleanup(names.Shutdown)

	quiet := log.New(io.Discard, "", 0)
	memory := db.NewMemoryStore()
	issuer := ca.New(quiet, memory, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {ValidityPeriod: seconds}})
	checker := va.New(quiet, 0, port, false, fmt.Sprintf("127.0.0.1:%d", dns), memory)
	front := wfe.New(quiet, memory, checker, issuer, []string{"pebble.example.org"}, false, false, 1, 1)
	server := httptest.NewTLSServer(front.Handler())
	stop := sync.OnceFunc(server.Close)
	t.Cleanup(stop)

	a := &authority{directory: server.URL + wfe.DirectoryPath, trust: filepath.Join(t.TempDir(), "directory.pem"),
		issued: x509.NewCertPool(), stop: stop}
	own := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(a.trust, own, 0o600); err != nil {
		t.Fatal(err)
	}
	a.issued.AppendCertsFromPEM(issuer.GetRootCert(0).PEM())
	return a
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func TestMain(m *testing.M) { program.Main(m) }

// service is a running `admitto serve` with automatic certificates.
type service struct {
	*program.Service
	t       *testing.T
	address string
}

func serve(t *testing.T, a *authority, data string, port int) *service {
	t.Helper()
	s := &service{t: t, address: fmt.Sprintf("127.0.0.1:%d", port)}
	s.Service = program.Serve(t, program.Path(t), "--data="+data, "--listen="+s.address, "--tls.mode=acme",
		"--tls.domains="+domain, "--tls.email="+email, "--tls.acme-directory="+a.directory, "--tls.acme-roots="+a.trust)
	return s
}

// shown is the certificate that a client with this configuration gets; nil when the handshake fails.
func (s *service) shown(c *tls.Config) *x509.Certificate {
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Second)
	defer cancel()
	conn, err := (&tls.Dialer{Config: c}).DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil
	}
	defer conn.Close()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0]
}

// obtained waits until clients that trust the authority get a certificate that is another than the one before.
func (s *service) obtained(a *authority, before *x509.Certificate) (now *x509.Certificate) {
	s.t.Helper()
	wait.Until(s.t, "a certificate", func() bool {
		now = s.shown(&tls.Config{RootCAs: a.issued, ServerName: domain})
		return now != nil && (before == nil || !now.Equal(before))
	})
	return now
}

// A certificate is obtained through the public port, serves clients with and without a name, and survives a restart
// while the authority is away.
func TestObtain(t *testing.T) {
	port := freePort(t)
	a := newAuthority(t, port, 0)
	data := filepath.Join(t.TempDir(), "data")
	s := serve(t, a, data, port)
	first := s.obtained(a, nil)
	if err := first.VerifyHostname(domain); err != nil {
		t.Error(err)
	}
	if c := s.shown(&tls.Config{InsecureSkipVerify: true}); c == nil || !c.Equal(first) {
		t.Error("a client that gives no name gets no certificate")
	}
	if c := s.shown(&tls.Config{InsecureSkipVerify: true, ServerName: "other.example.org"}); c != nil && !c.Equal(first) {
		t.Error("another name has a certificate of its own")
	}
	client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{RootCAs: a.issued},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, s.address)
		}}}
	r, err := client.Get("https://" + domain + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	client.CloseIdleConnections()
	if r.StatusCode != 200 || r.ProtoMajor != 2 || r.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%s %s %v", r.Proto, r.Status, r.Header)
	}
	s.Terminate()
	if !strings.Contains(s.Log(), "certificate obtained") || strings.Contains(s.Log(), email) {
		t.Errorf("it logs %s", s.Log())
	}
	err = filepath.WalkDir(filepath.Join(data, "acme"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}

	a.stop()
	again := serve(t, a, data, port)
	if now := again.obtained(a, nil); !now.Equal(first) {
		t.Error("a start without the authority has another certificate")
	}
	again.Terminate()
}

// A certificate that is near its end is renewed.
func TestRenew(t *testing.T) {
	port := freePort(t)
	a := newAuthority(t, port, 9)
	data := filepath.Join(t.TempDir(), "data")
	s := serve(t, a, data, port)
	first := s.obtained(a, nil)
	s.Terminate()
	life := first.NotAfter.Sub(first.NotBefore)
	wait.Until(t, "its last third begins", func() bool { return time.Until(first.NotAfter) < life/3 })
	again := serve(t, a, data, port)
	again.obtained(a, first)
	again.Terminate()
}

// An authority that is away keeps nothing from starting and ending, and is told of.
func TestAuthorityAway(t *testing.T) {
	port := freePort(t)
	a := newAuthority(t, port, 0)
	a.stop()
	s := serve(t, a, filepath.Join(t.TempDir(), "data"), port)
	if c := s.shown(&tls.Config{InsecureSkipVerify: true, ServerName: domain}); c != nil {
		t.Error("a certificate from nowhere")
	}
	wait.Until(t, "the log tells of it", func() bool { return strings.Contains(s.Log(), `"level":"ERROR"`) })
	s.Terminate()
}
