package mail

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func dial(t testing.TB, address string) *session {
	t.Helper()
	conn, err := net.DialTimeout("tcp", address, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	return &session{conn: &bounded{Conn: conn}}
}

func TestSMTPSetting(t *testing.T) {
	for value, want := range map[string]target{
		"smtp://mail.example.org":               {host: "mail.example.org", port: "587"},
		"smtps://mail.example.org/":             {host: "mail.example.org", port: "465", security: implicitTLS},
		"smtp://u:p@mail.example.org:25":        {host: "mail.example.org", port: "25", user: "u", password: "p"},
		"smtp://u%40x:p%2F%23%3F%25@h:2525":     {host: "h", port: "2525", user: "u@x", password: "p/#?%"},
		"smtp://u:p@localhost:25?tls=none":      {host: "localhost", port: "25", user: "u", password: "p", security: noTLS},
		"smtp://u:p@[::1]?tls=none":             {host: "::1", port: "587", user: "u", password: "p", security: noTLS},
		"smtp://u:p@127.1.2.3:25?tls=none":      {host: "127.1.2.3", port: "25", user: "u", password: "p", security: noTLS},
		"smtp://relay.example.org:25/?tls=none": {host: "relay.example.org", port: "25", security: noTLS},
		"SMTP://h":                              {host: "h", port: "587"},
	} {
		got, err := parseTarget(value)
		if err != nil {
			t.Errorf("%q: %v", value, err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(target{})); diff != "" {
			t.Errorf("%q: %s", value, diff)
		}
		if again, err := parseTarget(got.String()); err != nil && got.user == "" || err == nil && again.host != got.host {
			t.Errorf("%q is shown as %q: %v", value, got, err)
		}
	}
	for value, right := range map[string]string{
		"http://u:geheim@h":                           "smtp://",
		"mail.example.org:587":                        "smtp://",
		"geheim":                                      "smtp://",
		"smtp:u:geheim@h":                             "host",
		"smtp://":                                     "host",
		"smtp://u:geheim@":                            "host",
		"smtp://u:geheim@:25":                         "host",
		"smtp://u:geheim@h:0":                         "1 to 65535",
		"smtp://u:geheim@h:65536":                     "1 to 65535",
		"smtp://u:geheim@h:":                          "1 to 65535",
		"smtp://u:geheim@h:smtp":                      "%XX",
		"smtp://u:ge/heim@h":                          "%XX",
		"smtp://u:1/geheim@h":                         "%2F",
		"smtp://u:1#geheim@h":                         "%23",
		"smtp://u:1?geheim@h":                         "%3F",
		"smtp://u:ge%heim@h":                          "%XX",
		"smtp://u:geheim@h?tls=off":                   "none",
		"smtp://u:geheim@h?tls=none&tls=none":         "tls=none",
		"smtp://u:geheim@h?tls=none&verify=geheim":    "tls=none",
		"smtp://u:geheim@h?ssl=1":                     "tls=none",
		"smtps://u:geheim@h?tls=none":                 "smtp://",
		"smtp://u:geheim@h/path":                      "port",
		"smtp://geheim@h":                             "user and password",
		"smtp://:geheim@h":                            "user and password",
		"smtp://@h":                                   "user and password",
		"smtp://u:ge%0Aheim@h":                        "control",
		"smtp://u:geheim@mail.example.org?tls=none":   "this machine",
		"smtp://u:geheim@localhost.evil.org?tls=none": "this machine",
		"smtp://u:geheim@müll.example":                "xn--",
		"smtp://u:geheim@a..b":                        "ASCII",
	} {
		u, err := Open(Settings{SMTP: value})
		if err == nil {
			t.Errorf("%q was taken as %v", value, u)
			continue
		}
		if text := err.Error(); !strings.HasPrefix(text, "mail.smtp: ") || !strings.Contains(text, right) ||
			strings.Contains(text, "heim") {
			t.Errorf("%q: %v", value, err)
		}
	}
	if _, err := Open(Settings{}); err == nil || !strings.Contains(err.Error(), "mail.smtp") {
		t.Errorf("nowhere to send: %v", err)
	}
}

func FuzzSMTPURL(f *testing.F) {
	for _, seed := range []string{"smtp://u:p@h:25?tls=none", "smtps://h", "smtp://[::1]:1", "smtp://u:p/q@h", "x"} {
		f.Add(seed, "geheim")
	}
	f.Fuzz(func(t *testing.T, value, password string) {
		for _, v := range []string{value, "smtp://user:" + password + "@host:25"} {
			got, err := parseTarget(v)
			if err != nil {
				if len(password) > 12 && strings.Contains(err.Error(), password) {
					t.Fatalf("%q: %v", v, err)
				}
				continue
			}
			if got.host == "" || got.port == "" || (got.user == "") != (got.password == "") ||
				strings.ContainsAny(got.String(), "\r\n\x00") {
				t.Fatalf("%q: %+v", v, got)
			}
			if got.password != "" && got.security == noTLS && !got.loopback() {
				t.Fatalf("%q sends its password in the open", v)
			}
		}
	})
}

func TestOutboxFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data", "outbox")
	u := open(t, Settings{Outbox: folder})
	m := sample()
	for range 2 {
		if err := u.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	late := sample() // the same message, dated again by a process that started again
	late.Date = late.Date.Add(time.Hour)
	if err := open(t, Settings{Outbox: folder}).Send(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	other := sample()
	other.ID = NewID("example.org")
	if err := u.Send(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v", entries, err)
	}
	found := false
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.Mode() != 0o600 || !strings.HasPrefix(e.Name(), "20260304T050607Z-") ||
			!strings.HasSuffix(e.Name(), ".eml") {
			t.Errorf("%v, %v", info, err)
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found = found || cmp.Diff(expected(m), read(t, data)) == ""
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 || !found {
		t.Errorf("%v, %v, found %v", info, err, found)
	}
	if shown := u.String(); !strings.Contains(shown, folder) {
		t.Errorf("shown as %q", shown)
	}
}

func TestOutboxFailures(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "outbox")
	u := open(t, Settings{Outbox: folder})
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if r := refusal(t, u.Send(t.Context(), sample())); !r.Temporary || r.Step != "outbox" ||
		!strings.Contains(r.Error(), "no such file") {
		t.Errorf("%v", r)
	}
	m := sample()
	m.ID = ""
	if r := refusal(t, u.Send(t.Context(), m)); r.Temporary || r.Step != "message" {
		t.Errorf("%v", r)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Settings{Outbox: filepath.Join(file, "outbox")}); err == nil {
		t.Error("a folder inside a file was taken")
	}
}
