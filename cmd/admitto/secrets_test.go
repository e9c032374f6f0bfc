package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// askingServer is a mail server that wants a password before it takes mail.
type askingServer struct {
	*mailer
	password string
	signedIn atomic.Int64
}

func startAskingServer(t *testing.T, password string) *askingServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u := &askingServer{mailer: &mailer{reached: make(chan struct{}, 1)}, password: password}
	u.url = "smtp://office:" + url.QueryEscape(password) + "@" + l.Addr().String() + "?tls=none"
	server := smtp.NewServer(u)
	server.Domain, server.ErrorLog, server.AllowInsecureAuth = "upstream.test", silence{}, true
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return u
}

func (u *askingServer) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &askingSession{smtpSession{u: u.mailer}, u}, nil
}

type askingSession struct {
	smtpSession
	asking *askingServer
}

func (s *askingSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *askingSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, _, password string) error {
		if password != s.asking.password {
			return errors.New("wrong password " + password)
		}
		s.asking.signedIn.Add(1)
		return nil
	}), nil
}

// scenario is all that was written to logs, and all that must not be in there.
type scenario struct {
	log     bytes.Buffer
	secrets map[string]string // what it is → the secret
}

// command runs a command and keeps what it says.
func (w *scenario) command(p *place, args ...string) (code int, stdout string) {
	code, stdout, stderr := p.command(args...)
	w.log.WriteString(stderr)
	return code, stdout
}

// search fails the test for every secret that is in a text, in any case and in the codings of URLs, mails and JSON.
func (w *scenario) search(t *testing.T, where string, text []byte) {
	t.Helper()
	text = bytes.ToLower(text)
	for what, secret := range w.secrets {
		if len(secret) < 6 {
			t.Fatalf("%s is too short to be searched for: %q", what, secret)
		}
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret),
			base64.StdEncoding.EncodeToString([]byte(secret)), hex.EncodeToString([]byte(secret))} {
			if at := bytes.Index(text, bytes.ToLower([]byte(form))); at >= 0 {
				t.Errorf("%s is in %s: %q", what, where, text[max(0, at-100):min(len(text), at+len(form)+100)])
			}
		}
	}
}

// Nothing that is secret or personal is in what the programs log at their most talkative: a scenario with every kind
// of secret, in which much goes wrong, and then a search for all of them. In the long size only.
func TestSecretsAreNotLogged(t *testing.T) {
	t.Parallel()
	if !apptest.Long() {
		return // it makes 60 people and everything that can go wrong with their data
	}
	onBothEngines(t, func(t *testing.T, p *place) {
		w := &scenario{secrets: map[string]string{"the password of the mail server": "Gehe1m/smtp+" + rand.Text(),
			"the password of the database": "Gehe1mDb" + rand.Text()}}
		w.secretSettings(p)
		p.must("demo", "--applicants=60", "--seed=7")
		mails := startAskingServer(t, w.secrets["the password of the mail server"])
		for what, args := range map[string][]string{"a key for everything": {"--name=CRM"},
			"a key that reads": {"--name=Reader", "--read-only"}, "a key for one operation": {"--name=Web",
				"--allow=GET /ping"}} {
			w.secrets[what] = p.must(append([]string{"keys", "create"}, args...)...)
		}
		s := p.serve("--mail.smtp=" + mails.url)
		s.key = w.secrets["a key for everything"]
		w.people(s, mails)
		w.writes(s)
		w.strangers(s)
		p.look(func(tx *store.Tx) error { // the one who was invented
			rows := sqltest.In(tx).Query("SELECT email FROM applicant WHERE visible ORDER BY id LIMIT 100")
			for rows.Next() {
				w.secrets["the address "+rows.Text(0)] = rows.Text(0)
			}
			return rows.Close()
		})
		if mails.signedIn.Load() == 0 {
			t.Error("nobody signed in to the mail server")
		}
		s.terminate()
		w.log.WriteString(s.stderr.String() + s.stdout.String())
		w.refusedStarts(p)
		if _, shown := w.command(p, "config"); !strings.Contains(shown, "mail.smtp") {
			t.Errorf("config shows %s", shown)
		} else {
			w.log.WriteString(shown)
		}
		if n := strings.Count(w.log.String(), `"msg":"request"`); n < 30 {
			t.Errorf("%d requests are in the log:\n%s", n, w.log.String())
		}
		w.search(t, "the log", w.log.Bytes())
		w.atRest(t, p)
	})
}

// secretSettings sets an instance key and, on PostgreSQL, a password of the database for every command.
func (w *scenario) secretSettings(p *place) {
	var key [32]byte
	rand.Read(key[:])
	w.secrets["the instance key"] = base64.StdEncoding.EncodeToString(key[:])
	for i, flag := range p.flags {
		text, is := strings.CutPrefix(flag, "--database.url=")
		if u, err := url.Parse(text); is && err == nil {
			if given, has := u.User.Password(); has {
				w.secrets["the password of the database"] = given
			}
			u.User = url.UserPassword(u.User.Username(), w.secrets["the password of the database"])
			p.flags[i] = "--database.url=" + u.String()
		}
	}
	p.flags = append(p.flags, "--log.level=debug", "--instance.key="+w.secrets["the instance key"])
}

// people makes applicants, whose mails are taken, refused and wrongly addressed.
func (w *scenario) people(s *service, mails *askingServer) {
	t := s.t
	s.want(201, "POST", "/api/v10/applicants", ilse())
	got := mails.to("ilse.varga@example.org")
	if len(got) != 1 {
		t.Fatalf("%d mails", len(got))
	}
	link := regexp.MustCompile(`/sign-in/link/([A-Za-z0-9_-]{40,})`).FindStringSubmatch(readable(got[0]))
	if link == nil {
		t.Fatalf("no link in %s", got[0])
	}
	w.secrets["the token to sign in"], w.secrets["an address"], w.secrets["a name"] = link[1], "ilse.varga@example.org",
		"Ilse Varga"
	w.secrets["a note"] = "Called twice"
	for _, line := range strings.Split(readable(got[0]), "\n") { // the words of the mail
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "Dear ") {
			w.secrets["a line of the mail"] = line
		}
	}
	_, _ = s.do("GET", link[0], nil) // who follows the link leaves its path
	mails.refuseAll(&smtp.SMTPError{Code: 550, Message: "no such user nobody.here@example.net"})
	w.secrets["a refused address"] = "nobody.here@example.net"
	s.want(502, "POST", "/api/v10/applicants", url.Values{"email": {"nobody.here@example.net"},
		"name": {"Norbert Niemand"}})
	w.secrets["a refused name"] = "Niemand"
	mails.refuseAll(&smtp.SMTPError{Code: 451, Message: "greylisted slow.person@example.net"})
	w.secrets["a delayed address"] = "slow.person@example.net"
	_, _ = s.do("POST", "/api/v10/applicants", url.Values{"email": {"slow.person@example.net"}, "name": {"Slow Person"}})
	mails.refuseAll(nil)
}

// writes puts words into everything that takes any.
func (w *scenario) writes(s *service) {
	w.secrets["words"] = "Vertraulich" + rand.Text()
	words := w.secrets["words"]
	var applicant, application, offer string
	s.place.look(func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query(`SELECT o.applicant_id, o.application_id, o.id FROM offer o JOIN application a ON a.id = o.application_id
			WHERE a.status = 'Submitted' AND a.frozen IS NULL ORDER BY o.id LIMIT 1`)
		for rows.Next() {
			applicant, application = "/api/v10/applicants/"+rows.Text(0), "/api/v10/applications/"+rows.Text(1)
			offer = application + "/offers/" + rows.Text(2)
		}
		return rows.Close()
	})
	for _, c := range []struct{ method, path, kind, body string }{
		{"POST", applicant + "/notes", "application/json", `{"notes":"` + words + `"}`},
		{"PUT", applicant + "/matriculation", "application/json", `"` + words[:30] + `"`},
		{"POST", applicant + "/emails", "application/json", `{"subject":"` + words + `","message":"` + words + `"}`},
		{"PUT", offer + "/comments", "application/json", `"` + words + `"`},
		{"POST", application + "/invoices", "application/json", `{"items":[{"item":"` + words +
			`","price":"12.50"}],"send":true}`},
		{"POST", application + "/documents", "multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + words + ".txt\"\r\n\r\n" + words +
				"\r\n--b--\r\n"},
		{"PATCH", application, "application/merge-patch+json", `{"motivation":{"general":"` + words + `"}}`},
		{"POST", "/api/v10/applicants/trackers", "application/json", `{"notes":"` + words + `"}`},
		{"POST", "/api/v10/applicants", "application/json", `{"email":"` + words + `"`},
		{"PUT", offer + "/subject", "text/plain", words},
		{"GET", "/api/v10/applicants?byEmails=" + words + "@example.org&" + words + "=1&limit=" + words, "", ""},
		{"GET", "/api/v10/" + words, "", ""},
		{"POST", "/api/v10/applicants/" + words + "/notes", "application/json", `{}`},
	} {
		r, err := http.NewRequest(c.method, s.url+c.path, strings.NewReader(c.body))
		if err != nil {
			s.t.Fatal(err)
		}
		r.Header.Set("Authorization", `SERVICE apikey="`+s.key+`"`)
		r.Header.Set("Content-Type", c.kind)
		r.Header.Set("Idempotency-Key", words+rand.Text())
		r.Header.Set("If-None-Match", `"`+words+`"`)
		if a, err := ask(s.client, r); err != nil || a.status >= 500 {
			s.t.Errorf("%s %s: %v %+v", c.method, c.path, err, a)
		}
	}
}

// strangers try keys that are none, in all the places where people put them.
func (w *scenario) strangers(s *service) {
	w.secrets["a guessed key"] = "admitto_guess" + rand.Text()
	guess := w.secrets["a guessed key"]
	for _, path := range []string{"/api/v10/ping", "/api/v10/ping?apikey=" + guess, "/api/v10/" + guess, "/" + guess,
		"/" + s.key, "/api/v10/ping?apikey=" + s.key} {
		for _, authorization := range []string{"", `SERVICE apikey="` + guess + `"`, "Bearer " + guess,
			"Basic " + base64.StdEncoding.EncodeToString([]byte("x:"+guess)), guess} {
			for _, base := range []string{s.url, strings.Replace(s.url, "https:", "http:", 1)} {
				r, err := http.NewRequest("GET", base+path, http.NoBody)
				if err != nil {
					s.t.Fatal(err)
				}
				r.Header.Set("Authorization", authorization)
				r.Header.Set("Cookie", "session="+guess)
				r.Header.Set("X-Forwarded-For", guess)
				if a, err := ask(s.client, r); err != nil || a.status < 400 {
					s.t.Errorf("%s %s: %v %+v", base, path, err, a)
				}
			}
		}
	}
	for _, what := range []string{"a key that reads", "a key for one operation"} {
		r, err := http.NewRequest("DELETE", s.url+"/api/v10/applicants/trackers/1", http.NoBody)
		if err != nil {
			s.t.Fatal(err)
		}
		r.Header.Set("Authorization", `SERVICE apikey="`+w.secrets[what]+`"`)
		if a, err := ask(s.client, r); err != nil || a.status != 403 {
			s.t.Errorf("%s: %v %+v", what, err, a)
		}
	}
}

// refusedStarts starts the service with settings that are wrong.
func (w *scenario) refusedStarts(p *place) {
	password := url.QueryEscape(w.secrets["the password of the database"])
	for _, args := range [][]string{
		{"--database.url=postgres://admitto:" + password + "@127.0.0.1:1/x"},
		{"--database.url=postgres://admitto:" + password + "@[::1/x"},
		{"--database.url=mysql://admitto:" + password + "@127.0.0.1/x"},
		{"--mail.smtp=smtp://office:" + url.QueryEscape(w.secrets["the password of the mail server"]) +
			"@mail.example.org?tls=none"},
		{"--instance.key=" + w.secrets["the instance key"][:30]},
		{"--instance.key=" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))},
	} {
		other := *p
		other.flags = nil
		name, _, _ := strings.Cut(args[0], "=")
		for _, flag := range p.flags {
			if !strings.HasPrefix(flag, name+"=") {
				other.flags = append(other.flags, flag)
			}
		}
		if code, _ := w.command(&other, append([]string{"serve", "--listen=127.0.0.1:0"}, args...)...); code == 0 {
			p.t.Errorf("it started with %v", args)
		}
	}
}

// atRest searches the data folder: who has the disk has no key and no password. Personal data is there, of course.
func (w *scenario) atRest(t *testing.T, p *place) {
	only := &scenario{secrets: map[string]string{}}
	for what, secret := range w.secrets {
		if strings.Contains(what, "key") || strings.Contains(what, "password") || strings.Contains(what, "token") {
			only.secrets[what] = secret
		}
	}
	err := filepath.WalkDir(p.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		only.search(t, path, content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
