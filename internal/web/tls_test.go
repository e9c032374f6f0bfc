package web

import (
	"bytes"
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/disk"
)

// writePair puts a new self-signed pair into the folder and returns its leaf.
func writePair(t *testing.T, folder string) []byte {
	t.Helper()
	cert, key, err := makeSelfSigned([]string{"localhost", "127.0.0.1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"tls-cert.pem": cert, "tls-key.pem": key} {
		if err := disk.WriteFile(filepath.Join(folder, name), data); err != nil {
			t.Fatal(err)
		}
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	return pair.Certificate[0]
}

// shown returns the certificate that the server shows now.
func shown(t *testing.T, host string) []byte {
	t.Helper()
	c, err := tls.Dial("tcp", host, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0].Raw
}

func TestFilesAreReloaded(t *testing.T) {
	folder := t.TempDir()
	first := writePair(t, folder)
	certFile, keyFile := filepath.Join(folder, "tls-cert.pem"), filepath.Join(folder, "tls-key.pem")
	s := start(t, Config{TLS: TLS{Mode: Files, CertFile: certFile, KeyFile: keyFile, Folder: folder},
		limits: limits{recheck: time.Nanosecond}})
	if !bytes.Equal(shown(t, s.host), first) {
		t.Error("not the certificate of the files")
	}
	second := writePair(t, folder)
	if !bytes.Equal(shown(t, s.host), second) {
		t.Error("the new certificate is not used")
	}

	key, err := os.ReadFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	const complaint = "the new certificate cannot be used"
	complaints := 0
	for name, breakIt := range map[string]func() error{
		"broken key": func() error { return os.WriteFile(keyFile, []byte("nonsense"), 0o600) },
		"no key":     func() error { return os.Remove(keyFile) },
	} {
		if err := breakIt(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if !bytes.Equal(shown(t, s.host), second) {
				t.Errorf("%s: the old certificate was given up", name)
			}
		}
		complaints++
		if got := strings.Count(s.log.String(), complaint); got != complaints {
			t.Errorf("%s: complained %d times, want %d", name, got, complaints)
		}
		if err := disk.WriteFile(keyFile, key); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(shown(t, s.host), second) {
			t.Errorf("%s: not well again", name)
		}
	}
	third := writePair(t, folder)
	if !bytes.Equal(shown(t, s.host), third) {
		t.Error("after a failure nothing is reloaded any more")
	}
}

// An answer that is on its way when the certificate changes goes on to its end.
func TestReloadWhileAnswering(t *testing.T) {
	folder := t.TempDir()
	writePair(t, folder)
	certFile, keyFile := filepath.Join(folder, "tls-cert.pem"), filepath.Join(folder, "tls-key.pem")
	goOn := make(chan struct{})
	long := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "begun, ")
		http.NewResponseController(w).Flush()
		<-goOn
		io.WriteString(w, "ended")
	})
	s := start(t, Config{TLS: TLS{Mode: Files, CertFile: certFile, KeyFile: keyFile, Folder: folder}, Sites: only(long),
		limits: limits{recheck: time.Nanosecond}})
	resp, err := s.client(t).Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	fresh := writePair(t, folder)
	if !bytes.Equal(shown(t, s.host), fresh) {
		t.Error("the new certificate is not used")
	}
	close(goOn)
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "begun, ended" {
		t.Errorf("%q, %v", body, err)
	}
}

func TestFilesAreNotLookedAtAllTheTime(t *testing.T) {
	folder := t.TempDir()
	first := writePair(t, folder)
	p := &pair{certFile: filepath.Join(folder, "tls-cert.pem"), keyFile: filepath.Join(folder, "tls-key.pem"),
		every: time.Hour, log: new(logs).logger()}
	if err := p.load(); err != nil {
		t.Fatal(err)
	}
	p.get()
	writePair(t, folder)
	if got := p.get().Certificate[0]; !bytes.Equal(got, first) {
		t.Error("looked again within the hour")
	}
}

func TestSelfSignedPairIsKeptWhileItFits(t *testing.T) {
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		later time.Duration
		hosts []string
		harm  func(folder string) error
		kept  bool
	}{
		"the next day":         {later: day, kept: true},
		"a month before":       {later: 366 * day, kept: true},
		"less than a month":    {later: 368 * day},
		"expired":              {later: 500 * day},
		"clock was wrong":      {later: -day},
		"known host":           {hosts: []string{"admitto.example", "192.0.2.7"}, kept: true},
		"another host":         {hosts: []string{"other.example"}},
		"another address":      {hosts: []string{"192.0.2.8"}},
		"no key":               {harm: func(f string) error { return os.Remove(filepath.Join(f, "tls-key.pem")) }},
		"half the certificate": {harm: func(f string) error { return os.Truncate(filepath.Join(f, "tls-cert.pem"), 200) }},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "new")
			certFile, keyFile := filepath.Join(folder, "tls-cert.pem"), filepath.Join(folder, "tls-key.pem")
			now := time.Now()
			conf := Config{TLS: TLS{Hosts: []string{"admitto.example", "192.0.2.7", "2001:db8::1"}}}
			conf.limits.now = func() time.Time { return now }
			conf = conf.withDefaults()
			if err := ensureSelfSigned(certFile, keyFile, conf); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(certFile)
			if err != nil {
				t.Fatal(err)
			}
			if c.harm != nil {
				if err := c.harm(folder); err != nil {
					t.Fatal(err)
				}
			}
			now = now.Add(c.later)
			if c.hosts != nil {
				conf.TLS.Hosts = c.hosts
			}
			if err := ensureSelfSigned(certFile, keyFile, conf); err != nil {
				t.Fatal(err)
			}
			after, err := os.ReadFile(certFile)
			if err != nil {
				t.Fatal(err)
			}
			if kept := bytes.Equal(before, after); kept != c.kept {
				t.Errorf("kept %v, want %v", kept, c.kept)
			}
			pair, err := tls.LoadX509KeyPair(certFile, keyFile)
			if err != nil {
				t.Fatal(err)
			}
			for _, host := range []string{"localhost", "127.0.0.1", "::1"} {
				if err := pair.Leaf.VerifyHostname(host); err != nil {
					t.Error(err)
				}
			}
			files, _ := os.ReadDir(folder)
			if len(files) != 2 {
				t.Errorf("files: %v", files)
			}
			for _, f := range files {
				if info, _ := f.Info(); info.Mode() != 0o600 {
					t.Errorf("%s: %v", f.Name(), info.Mode())
				}
			}
		})
	}
}
