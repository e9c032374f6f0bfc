package main

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/emersion/go-smtp"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/wait"
)

func ilse() url.Values {
	return url.Values{"email": {"Ilse.Varga@example.org"}, "name": {"Ilse Varga"}, "citizenship": {"HU"},
		"notes": {"Called twice"}, "reference": {"R-1"}}
}

// The main job with the real binary: a person is created over HTTPS, is told by a real mail server, and comes
// back through every filter; nothing of them is in the log.
func TestServeMainJob(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		mails := startMailServer(t)
		key := p.firstKey("--name=CRM")
		s := p.serve("--mail.smtp=" + mails.url)
		s.key = key
		tracker := s.want(201, "POST", "/api/v10/applicants/trackers", url.Values{"code": {"FAIR"}}).header.Get("Location")
		form := ilse()
		form.Set("tracker_ID", filepath.Base(tracker))
		made := s.want(201, "POST", "/api/v10/applicants", form)
		location := made.header.Get("Location")
		if !strings.HasPrefix(location, "/api/v10/applicants/") || made.body != "" {
			t.Fatalf("%v %q", made.header, made.body)
		}
		got := mails.to("Ilse.Varga@example.org")
		if len(got) != 1 {
			t.Fatalf("%d mails", len(got))
		}
		link := regexp.MustCompile(regexp.QuoteMeta(s.url) +
			`/sign-in/link/([A-Za-z0-9_-]{40,})`).FindStringSubmatch(readable(got[0]))
		if link == nil {
			t.Fatalf("no link to %s in %s", s.url, got[0])
		}
		one := s.want(200, "GET", location, nil).body
		id := filepath.Base(location)
		for _, filter := range []string{"", "?byEmails=ilse.VARGA@example.org", "?byCitizenships=hu", "?byTrackerCodes=fair",
			"?byTrackerIDs=" + filepath.Base(tracker),
			"?bySince=" + id, "?byUntil=" + id, "?bySince=2020-01-01"} {
			list := s.want(200, "GET", "/api/v10/applicants"+filter, nil)
			if list.body != `{"`+id+`":`+one+`}` || list.header.Get("X-Count") != "1" {
				t.Errorf("%s: %v %s, want %s", filter, list.header, list.body, one)
			}
		}
		if list := s.want(200, "GET", "/api/v10/applicants?byEmails=nobody@example.org", nil); list.body != "{}" {
			t.Errorf("%s", list.body)
		}
		if again := s.want(409, "POST", "/api/v10/applicants", ilse()); again.header.Get("Location") != location {
			t.Errorf("%v", again.header)
		}
		mails.refuseAll(&smtp.SMTPError{Code: 550, Message: "no such user Other@example.org"})
		other := url.Values{"email": {"Other@example.org"}, "name": {"Other Person"}}
		if refused := s.want(502, "POST", "/api/v10/applicants", other); !strings.Contains(refused.body,
			"/problems/mail-refused") {
			t.Errorf("%s", refused.body)
		}
		if journal := s.want(200, "GET", "/api/v10/journal", nil); !strings.Contains(journal.body,
			"Applicant was collected") {
			t.Errorf("%s", journal.body)
		}
		s.terminate()
		logged := strings.ToLower(s.stderr.String())
		for _, private := range []string{"varga", "example.org", link[1], key, "other person", "called twice"} {
			if strings.Contains(logged, strings.ToLower(private)) {
				t.Errorf("%q is in the log:\n%s", private, logged)
			}
		}
		if !strings.Contains(logged, "refused for good at rcpt with code 550") {
			t.Errorf("the log does not tell of the refused mail:\n%s", logged)
		}
		p.must("journal", "verify")
	})
}

// Plain HTTP is refused on the TLS port, and the key in it is not looked at.
func TestServePlainHTTP(t *testing.T) {
	t.Parallel()
	p := emptyPlace(t)
	s := p.serve()
	r, err := http.NewRequest("GET", strings.Replace(s.url, "https:", "http:", 1)+"/api/v10/ping", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", `SERVICE apikey="x"`)
	a, err := ask(http.DefaultClient, r)
	if err != nil || a.status != 403 || !strings.Contains(a.body, "/problems/https-required") {
		t.Errorf("%v %+v", err, a)
	}
}

// With one connection open there is no second one, by either setting.
func TestServeBoundsConnections(t *testing.T) {
	t.Parallel()
	for _, bound := range []string{"--connections.total=1", "--connections.per-address=1"} {
		p := newPlace(t)
		s := p.serve(bound)
		get := func(client *http.Client) error {
			r, err := http.NewRequest("GET", s.url+"/healthz", http.NoBody)
			if err == nil {
				_, err = ask(client, r)
			}
			return err
		}
		wait.Until(t, "the connection is the only one", func() bool { return get(s.client) == nil })
		if err := get(p.trusting()); err == nil {
			t.Errorf("%s: there is a second connection", bound)
		}
		if err := get(s.client); err != nil {
			t.Errorf("%s: the first connection does not go on: %v", bound, err)
		}
	}
}

// Without mail.smtp mails lie in the outbox folder.
func TestServeOutboxFolder(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	key := p.firstKey("--name=CRM")
	s := p.serve("--base-url=https://apply.example.edu")
	s.key = key
	s.want(201, "POST", "/api/v10/applicants", ilse())
	files, err := filepath.Glob(filepath.Join(p.folder, "outbox", "*.eml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	mail, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(readable(string(mail)), "https://apply.example.edu/sign-in/link/") {
		t.Errorf("%v\n%s", err, mail)
	}
	if !strings.Contains(s.stderr.String(), "mail.smtp") {
		t.Error("it is not said where mails go")
	}
}

// SIGTERM while a creation waits for the mail server: the client gets its answer, and the process ends well.
func TestServeDrains(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		mails := startMailServer(t)
		key := p.firstKey("--name=CRM")
		s := p.serve("--mail.smtp=" + mails.url)
		s.key = key
		mails.stop("DATA")
		type result struct {
			answer
			err error
		}
		done := make(chan result)
		go func() {
			a, err := s.do("POST", "/api/v10/applicants", ilse())
			done <- result{a, err}
		}()
		<-mails.reached
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		wait.Until(t, "no new connections", func() bool {
			fresh := p.trusting()
			r, err := fresh.Get(s.url + "/healthz")
			if err == nil {
				r.Body.Close()
			}
			return err != nil
		})
		mails.stop("")
		if r := <-done; r.err != nil || r.status != 201 {
			t.Errorf("%+v", r)
		}
		if code := s.end(); code != 0 {
			t.Errorf("status %d", code)
		}
		if n := p.number("SELECT count(*) FROM applicant WHERE visible"); n != 1 {
			t.Errorf("%d applicants", n)
		}
	})
}

// A start says when others may read along on the way to PostgreSQL on another host.
func TestServeWarnsOfPlainPostgres(t *testing.T) {
	t.Parallel()
	const warning = "the connection to PostgreSQL on another host may go without TLS"
	onEach(t, func(t *testing.T, p *place) {
		s := p.serve()
		if strings.Contains(s.stderr.String(), warning) {
			t.Errorf("this machine: %s", s.stderr)
		}
		s.terminate()
		if !p.shared {
			return
		}
		// The first host answers, so the second is never asked.
		p.flags = append(p.flags[:len(p.flags)-1:len(p.flags)-1], strings.Replace(p.flags[len(p.flags)-1], "/postgres?",
			",192.0.2.7:5432/postgres?", 1))
		s = p.serve()
		if text := s.stderr.String(); strings.Count(text, warning) != 1 ||
			!strings.Contains(text, `"setting":"database.url","hosts":["192.0.2.7"]`) {
			t.Error(text)
		}
		s.terminate()
	})
}

// On SQLite one service runs on a data folder; on PostgreSQL two do, and see the same.
func TestSecondServe(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		key := p.firstKey("--name=CRM")
		s := p.serve()
		s.key = key
		if !p.shared {
			code, _, stderr := p.command("serve", "--listen=127.0.0.1:0")
			if code != 1 || !strings.Contains(stderr, "another admitto serve runs on this data folder") {
				t.Errorf("status %d: %s", code, stderr)
			}
			s.want(200, "GET", "/api/v10/ping", nil)
			return
		}
		second := p.serve()
		second.key = key
		location := s.want(201, "POST", "/api/v10/applicants", ilse()).header.Get("Location")
		second.want(200, "GET", location, nil)
		second.terminate()
		s.want(200, "GET", location, nil)
	})
}

// The database remembers which instance key it belongs to.
// In the long size only.
func TestInstanceKeyOfDatabase(t *testing.T) {
	if !apptest.Long() {
		return
	}
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		p.serve().terminate()
		file := filepath.Join(p.folder, keyFile)
		right, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		other := "--instance.key=" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
		code, _, stderr := p.command("serve", "--listen=127.0.0.1:0", other)
		if code != 1 || !strings.Contains(stderr, "another instance key") {
			t.Errorf("another key: status %d: %s", code, stderr)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{{"serve", "--listen=127.0.0.1:0"}, {"keys", "list"}} {
			if code, _, stderr = p.command(command...); code != 1 || !strings.Contains(stderr, "is missing") {
				t.Errorf("%v without the key: status %d: %s", command, code, stderr)
			}
			if _, err := os.Stat(file); err == nil {
				t.Fatal("another key was made")
			}
		}
		p.serve("--instance.key=" + strings.TrimSpace(string(right))).terminate()
	})
}

// Keys are made and revoked next to a running service; when the command has returned the key is dead.
// In the long size only.
func TestKeysNextToServe(t *testing.T) {
	if !apptest.Long() {
		return
	}
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		s, rounds := p.serve(), apptest.Size(1, 3)
		for range rounds {
			s.key = p.must("keys", "create", "--name=CRM", "--allow=GET /ping")
			for range 20 {
				s.want(200, "GET", "/api/v10/ping", nil) // the service remembers the key now
			}
			s.want(403, "GET", "/api/v10/applicants", nil)
			lines := strings.Split(p.must("keys", "list"), "\n")
			id := strings.Fields(lines[len(lines)-1])[0]
			stop, stopped := make(chan struct{}), make(chan struct{})
			go func() { // requests go on all the time
				defer close(stopped)
				for {
					select {
					case <-stop:
						return
					default:
						_, _ = s.do("GET", "/api/v10/ping", nil)
					}
				}
			}()
			p.must("keys", "revoke", id)
			s.want(401, "GET", "/api/v10/ping", nil)
			close(stop)
			<-stopped
		}
		if table := p.must("keys", "list"); strings.Count(table, "GET /ping") != rounds {
			t.Errorf("%s", table)
		}
	})
}

// When keys were last used is there at the latest when the service has ended.
func TestLastUsedIsSaved(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	key := p.firstKey("--name=CRM")
	s := p.serve()
	s.key = key
	s.want(200, "GET", "/api/v10/ping", nil)
	s.terminate()
	if n := p.number("SELECT count(*) FROM api_key WHERE last_used IS NOT NULL"); n != 1 {
		t.Errorf("%d keys were used", n)
	}
}

// A link that a command prints leads to the service that runs on the data folder, whatever its port.
func TestLinksLeadToTheService(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.serve()
	if link := p.must("setup-link"); !strings.HasPrefix(link, s.url+"/setup/") {
		t.Errorf("%s does not lead to %s", link, s.url)
	}
	const public = "https://admissions.example.edu"
	if link := p.must("setup-link", "--base-url="+public); !strings.HasPrefix(link, public+"/setup/") {
		t.Error(link)
	}
	if code, _, stderr := p.command("health"); code != 0 {
		t.Errorf("health: status %d, %s", code, stderr)
	}
	_ = s.cmd.Process.Kill() // it leaves a note of its address
	s.end()
	if link := p.must("setup-link"); strings.HasPrefix(link, s.url) {
		t.Errorf("%s leads to a service that was killed", link)
	}
	if code, _, stderr := p.command("health"); code != 1 || !strings.Contains(stderr, "no service answers") {
		t.Errorf("health: status %d, %s", code, stderr)
	}
	s = p.serve()
	s.terminate()
	if link := p.must("setup-link"); strings.HasPrefix(link, s.url) {
		t.Errorf("%s leads to a service that has ended", link)
	}
}

var printedRequest = regexp.MustCompile(`curl -k -H '([A-Za-z]+): ([^']+)' '([^']+)'`)

var staffAddress = regexp.MustCompile(`[a-z.-]+@example\.edu`)

// The demo tells a newcomer all they need; started again it keeps the data and ends the former key.
func TestServeDemo(t *testing.T) {
	t.Parallel()
	p := emptyPlace(t)
	var former, count, password string
	for round := range apptest.Size(1, 2) {
		s := p.serve("--demo", "--demo-accounts")
		wait.Until(t, "the welcome", func() bool { return strings.Contains(s.stdout.String(), "Ctrl-C") })
		request := printedRequest.FindStringSubmatch(s.stdout.String())
		if request == nil || !strings.HasPrefix(request[3], s.url+"/") || !strings.Contains(s.stdout.String(), s.url) {
			t.Fatalf("it prints %s", s.stdout)
		}
		call := func(authorization string) answer {
			r, err := http.NewRequest("GET", request[3], nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set(request[1], authorization)
			a, err := ask(s.client, r)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		a := call(request[2])
		if a.status != 200 || a.header.Get("X-Count") == "0" || !strings.Contains(a.body, "@") {
			t.Fatalf("%+v", a)
		}
		if round == 1 {
			if a.header.Get("X-Count") != count {
				t.Errorf("%s applicants, before %s", a.header.Get("X-Count"), count)
			}
			if b := call(former); b.status != 401 {
				t.Errorf("the former key works: %d", b.status)
			}
			if own := strings.TrimSpace(p.must("keys", "list")); strings.Contains(own, request[2]) {
				t.Error("the key is in the list")
			}
		}
		said := labelled(s.stdout.String())
		for _, label := range []string{"Address", "API key", "Staff address", "Staff e-mail", "Staff password",
			"Applicant address", "Applicant e-mail", "Applicant password"} {
			if said[label] == "" {
				t.Errorf("it does not say %s: %s", label, s.stdout)
			}
		}
		if said["Staff password"] == password {
			t.Error("the password of the former start is the same")
		}
		for _, role := range admitto.BuiltInRoles() {
			if !strings.Contains(s.stdout.String(), role.Name) {
				t.Errorf("no account of %s: %s", role.Name, s.stdout)
			}
		}
		people := map[string]bool{}
		for _, address := range staffAddress.FindAllString(s.stdout.String()[strings.Index(s.stdout.String(),
			"Further staff"):], -1) {
			if people[address] {
				t.Errorf("%s stands for two roles", address)
			}
			people[address] = true
		}
		if len(people) != len(admitto.BuiltInRoles()) {
			t.Errorf("%d people for the roles: %s", len(people), s.stdout)
		}
		page, err := s.client.Get(said["Address"] + "/help")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(page.Body)
		page.Body.Close()
		if err != nil || !strings.Contains(string(body), "Example University") {
			t.Errorf("%v: the pages do not have the name of the university: %.600s", err, body)
		}
		for _, area := range []string{"Staff", "Applicant"} {
			signIn(t, s.client, said[area+" address"], said[area+" e-mail"], said[area+" password"], true)
			if password != "" {
				signIn(t, s.client, said[area+" address"], said[area+" e-mail"], password, false)
			}
		}
		password = said["Staff password"]
		former, count = request[2], a.header.Get("X-Count")
		if strings.Contains(s.stderr.String(), "apikey") {
			t.Error("the key is in the log")
		}
		s.terminate()
	}
	p.must("journal", "verify")
}

// labelled are the lines "label: value".
func labelled(text string) map[string]string {
	said := map[string]string{}
	for line := range strings.Lines(text) {
		if label, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			said[label] = value
		}
	}
	return said
}

// signIn signs in as the page of an address wants it, with nothing but what was printed, and fails unless that works as
// wanted.
func signIn(t *testing.T, client *http.Client, address, email, password string, works bool) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Transport: client.Transport, Jar: jar}
	page, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	page.Body.Close()
	form := url.Values{"email": {email}, "password": {password}, "do": {"password"}}
	r, err := http.NewRequest("POST", page.Request.URL.String(), strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if _, err := browser.Do(r); err != nil {
		t.Fatal(err)
	}
	again, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	again.Body.Close()
	if in := !strings.Contains(again.Request.URL.Path, "sign-in"); in != works || again.StatusCode != 200 {
		t.Errorf("%s with %s: %s %d", address, email, again.Request.URL, again.StatusCode)
	}
}

// The demo leaves alone what it did not make, and its key is no other's.
func TestServeDemoRefuses(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.firstKey("--name=Demo")
	before := entries(t, p.folder)
	code, _, stderr := p.command("serve", "--demo", "--listen=127.0.0.1:0")
	if code != 1 || !strings.Contains(stderr, "was not made by serve --demo") {
		t.Errorf("status %d: %s", code, stderr)
	}
	if after := entries(t, p.folder); !slices.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	if code, _, stderr = p.command("serve", "--demo", "--database.url=postgres://nobody@127.0.0.1:1/x"); code != 1 ||
		!strings.Contains(stderr, "SQLite") {
		t.Errorf("status %d: %s", code, stderr)
	}
}

func entries(t *testing.T, folder string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if name := e.Name(); name != lockFile && !strings.HasPrefix(name, "admitto.db-") {
			names = append(names, name)
		}
	}
	return names
}

// A key that somebody calls Demo in a demo folder lives on. In the long size only.
func TestServeDemoKeepsOtherKeys(t *testing.T) {
	if !apptest.Long() {
		return // it makes all the data of the demo for one key
	}
	p := emptyPlace(t)
	p.serve("--demo").terminate()
	key := p.must("keys", "create", "--name=Demo")
	s := p.serve("--demo")
	s.key = key
	s.want(200, "GET", "/api/v10/ping", nil)
}

// The mail server is tried at the start: one that cannot be reached is warned of, before anybody needs it; one that
// takes mails is not.
func TestServeTriesMailServer(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		const warning = "the mail server takes no mails"
		s := p.serve("--mail.smtp=smtp://127.0.0.1:1")
		wait.Until(t, "the warning", func() bool { return strings.Contains(s.stderr.String(), warning) })
		if logged := s.stderr.String(); !strings.Contains(logged, "connection refused") ||
			!strings.Contains(logged, "mail.smtp") {
			t.Errorf("%s", logged)
		}
		s.terminate()
		mails := startMailServer(t)
		s = p.serve("--mail.smtp=" + mails.url)
		wait.Until(t, "the trial", func() bool { return mails.tried() > 0 })
		s.terminate()
		if logged := s.stderr.String(); strings.Contains(logged, warning) {
			t.Errorf("%s", logged)
		}
	})
}
