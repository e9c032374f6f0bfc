package web

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A certificate whose time is over, or has not come, is said at the start, every day and when it is loaded, and metrics
// tell it.
func TestTimesOfCertificate(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		late time.Duration // after the certificate was made
		says string        // "" while it is valid
	}{
		"valid":            {late: day},
		"expired":          {late: 398 * day, says: "the certificate has expired"},
		"not valid yet":    {late: -day, says: "the certificate is not valid yet"},
		"on the last day":  {late: 396 * day},
		"an hour too late": {late: 397 * day, says: "the certificate has expired"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			writePair(t, folder)
			made := time.Now()
			days, up := make(chan time.Time), make(chan string, 1)
			s := start(t, Config{TLS: TLS{Mode: Files, CertFile: filepath.Join(folder, "tls-cert.pem"),
				KeyFile: filepath.Join(folder, "tls-key.pem"), Folder: folder},
				MetricsListen: "127.0.0.1:0", limits: limits{
					now: func() time.Time { return made.Add(c.late) }, recheck: time.Nanosecond,
					days: func() (<-chan time.Time, func()) { return days, func() {} }, metricsUp: func(a string) { up <- a }}})
			said := func(when string, times int) {
				t.Helper()
				text := s.log.String()
				if c.says == "" {
					if strings.Contains(text, "clients refuse it") {
						t.Errorf("%s: %s", when, text)
					}
				} else if strings.Count(text, c.says) != times || strings.Count(text, "setting=tls.cert") != times {
					t.Errorf("%s: said %d times, want %d\n%s", when, strings.Count(text, c.says), times, text)
				}
			}
			said("at the start", 1)
			metrics := "http://" + <-up + "/metrics"
			valid := 1
			if c.says != "" {
				valid = 0
			}
			_, text := get(t, http.DefaultClient, metrics)
			if !strings.Contains(text, fmt.Sprintf("\nadmitto_certificate_valid %d\n", valid)) ||
				!strings.Contains(text, "\nadmitto_certificate_not_before_seconds ") ||
				!strings.Contains(text, "\nadmitto_certificate_not_after_seconds ") {
				t.Error(text)
			}
			days <- time.Time{}
			days <- time.Time{} // taken when the look before is over
			writePair(t, folder)
			shown(t, s.host) // loads it; its times are nearly the same
			s.stop()
			if err := s.end(); err != nil {
				t.Error(err)
			}
			said("at the start, on two days and when another was loaded", 4)
		})
	}
}

// The metrics tell of a certificate that was replaced before anybody has connected.
func TestMetricsFollowCertificate(t *testing.T) {
	folder, up := t.TempDir(), make(chan string, 1)
	writePair(t, folder)
	certFile, keyFile := filepath.Join(folder, "tls-cert.pem"), filepath.Join(folder, "tls-key.pem")
	now := time.Now()
	start(t, Config{TLS: TLS{Mode: Files, CertFile: certFile, KeyFile: keyFile, Folder: folder},
		MetricsListen: "127.0.0.1:0",
		limits: limits{now: func() time.Time { return now }, recheck: time.Nanosecond,
			metricsUp: func(a string) { up <- a }}})
	metrics := "http://" + <-up + "/metrics"
	valid := func(want int) {
		t.Helper()
		if _, text := get(t, http.DefaultClient, metrics); !strings.Contains(text,
			fmt.Sprintf("\nadmitto_certificate_valid %d\n", want)) {
			t.Errorf("want that the certificate is told as %d\n%s", want, text)
		}
	}
	valid(1)
	for want, at := range []time.Time{now.Add(-2 * selfSignedFor), now} {
		cert, key, err := makeSelfSigned([]string{"localhost"}, at)
		if err != nil {
			t.Fatal(err)
		}
		for file, content := range map[string][]byte{certFile: cert, keyFile: key} {
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		valid(want)
	}
}

// An operator who has to put a fault of TLS right is told which setting it is about.
func TestFaultsOfTLSNameTheSetting(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	writePair(t, folder)
	writePair(t, other)
	cert, key := filepath.Join(folder, "tls-cert.pem"), filepath.Join(folder, "tls-key.pem")
	nonsense := filepath.Join(folder, "nonsense")
	if err := os.WriteFile(nonsense, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := func(cert, key string) TLS { return TLS{Mode: Files, CertFile: cert, KeyFile: key} }
	for name, c := range map[string]struct {
		tls  TLS
		says []string
	}{
		"no certificate":        {files(filepath.Join(folder, "gone"), key), []string{"tls.cert", "gone"}},
		"no key":                {files(cert, filepath.Join(folder, "gone")), []string{"tls.key", "gone"}},
		"nonsense in its place": {files(nonsense, key), []string{"tls.cert", "no certificate in PEM"}},
		"a key in its place":    {files(key, key), []string{"tls.cert", "no certificate in PEM"}},
		"nonsense for a key":    {files(cert, nonsense), []string{"tls.key", "nonsense"}},
		"the key of another":    {files(cert, filepath.Join(other, "tls-key.pem")), []string{"tls.key", "tls.cert"}},
		"no folder":             {TLS{Mode: SelfSigned, Folder: filepath.Join(nonsense, "x")}, []string{"tls.mode", "data"}},
		"an unknown mode":       {TLS{Mode: "none"}, []string{"tls.mode"}},
		"no names":              {TLS{Mode: ACME, Folder: folder}, []string{"tls.domains"}},
		"roots that are missing": {TLS{Mode: ACME, Folder: folder, Domains: []string{"a.example"},
			RootsFile: filepath.Join(folder, "gone")}, []string{"tls.acme_roots"}},
		"roots that are none": {TLS{Mode: ACME, Folder: folder, Domains: []string{"a.example"}, RootsFile: nonsense},
			[]string{"tls.acme_roots"}},
		"no folder for acme": {TLS{Mode: ACME, Folder: nonsense, Domains: []string{"a.example"}},
			[]string{"tls.mode", "data"}},
	} {
		err := Serve(t.Context(), Config{Listen: "127.0.0.1:0", TLS: c.tls, Sites: only(http.NotFoundHandler())})
		if err == nil {
			t.Errorf("%s: the service ran", name)
			continue
		}
		for _, says := range c.says {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %q in it", name, err, says)
			}
		}
	}
}
