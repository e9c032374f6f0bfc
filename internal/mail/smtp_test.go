package mail

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/wait"
)

func open(t testing.TB, s Settings) Mailer {
	t.Helper()
	u, err := Open(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.Close() })
	return u
}

func refusal(t testing.TB, err error) *Refusal {
	t.Helper()
	var r *Refusal
	if !errors.As(err, &r) {
		t.Fatalf("not a refusal: %v", err)
	}
	if strings.Contains(err.Error(), "example.org") || strings.Contains(err.Error(), "geheim") {
		t.Fatalf("personal data in %q", err)
	}
	return r
}

func TestDelivery(t *testing.T) {
	const user = "user%40example.org:ge%2Fheim%23@"
	for _, row := range []struct {
		name, before, after string
		implicit, withTLS   bool
		password            string
		encrypted           bool
	}{
		{"STARTTLS with password", "smtp://" + user, "", false, true, "ge/heim#", true},
		{"STARTTLS", "smtp://", "", false, true, "", true},
		{"implicit TLS", "smtps://" + user, "/", true, true, "ge/heim#", true},
		{"no TLS on loopback", "smtp://" + user, "?tls=none", false, false, "ge/heim#", false},
		{"no TLS although offered", "smtp://", "?tls=none", false, true, "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := startServer(t, row.implicit, row.withTLS)
			u := open(t, Settings{SMTP: row.before + s.address + row.after, RootCAs: s.roots})
			if shown := u.String(); strings.Contains(shown, "heim") || !strings.Contains(shown, s.address) {
				t.Errorf("shown as %q", shown)
			}
			m := sample()
			m.Bcc = append(m.Bcc, m.Bcc[0], m.To.Email)
			for range 2 {
				if err := u.Send(t.Context(), m); err != nil {
					t.Fatalf("%v: %v", err, errors.Unwrap(err))
				}
			}
			got := s.deliveries()
			if len(got) != 2 {
				t.Fatalf("%d deliveries", len(got))
			}
			for _, d := range got {
				if diff := cmp.Diff([]string{"admissions@example.org", "g.li@example.org", "archive@example.org"},
					append([]string{d.from}, d.to...)); diff != "" {
					t.Error(diff)
				}
				if d.tls != row.encrypted || d.password != row.password {
					t.Errorf("encrypted %v, password %q", d.tls, d.password)
				}
				if diff := cmp.Diff(expected(m), read(t, d.data)); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, step := range []string{"EHLO", "AUTH", "MAIL", "RCPT", "end of DATA"} {
		for _, code := range []int{421, 451, 535, 550} {
			t.Run(fmt.Sprint(step, code), func(t *testing.T) {
				s := startServer(t, false, true)
				s.refuse = func(at string) error {
					if at != step {
						return nil
					}
					return &smtp.SMTPError{Code: code, Message: "no <g.li@example.org>"}
				}
				u := open(t, Settings{SMTP: "smtp://user%40example.org:geheim@" + s.address, RootCAs: s.roots})
				r := refusal(t, u.Send(t.Context(), sample()))
				if r.Code != code || r.Step != step || r.Temporary != (code < 500) {
					t.Errorf("%+v: %v", r, r.cause)
				}
				if words := r.Words(); !strings.HasPrefix(words, fmt.Sprint(code, " ")) ||
					!strings.HasSuffix(words, "no <g.li@example.org>") {
					t.Errorf("the words are %q", words)
				}
				if len(s.deliveries()) != 0 {
					t.Error("delivered all the same")
				}
			})
		}
	}
}

// What a mail server says is one line of bounded length; where it says nothing, the failure is named.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		cause error
		want  string
	}{
		{&textproto.Error{Code: 550, Msg: "No\nsuch\x07 user"}, "550 No such user"},
		{&textproto.Error{Code: 421}, "421"},
		{&textproto.Error{Code: 554, Msg: strings.Repeat("é", 600)}, "554 " + strings.Repeat("é", 500) + "…"},
		{context.DeadlineExceeded, "no answer in time"},
		{nil, "unknown"},
	} {
		if got := refuse("RCPT", c.cause).Words(); strings.Join(strings.Fields(got), " ") != c.want {
			t.Errorf("%v: %q, want %q", c.cause, got, c.want)
		}
	}
}

func TestRefusalsOfAScript(t *testing.T) {
	for _, row := range []struct {
		name      string
		changes   map[string]string
		step      string
		code      int
		temporary bool
	}{
		{"greeting 4xx", map[string]string{"": "421 busy"}, "greeting", 421, true},
		{"greeting 5xx", map[string]string{"": "554 no"}, "greeting", 554, false},
		{"not SMTP", map[string]string{"": "HTTP/1.1 400 Bad Request"}, "greeting", 0, true},
		{"closed at once", map[string]string{"": "drop"}, "greeting", 0, true},
		{"DATA 4xx", map[string]string{"DATA": "451 later g.li@example.org"}, "DATA", 451, true},
		{"DATA 5xx", map[string]string{"DATA": "554 no g.li@example.org"}, "DATA", 554, false},
		{"dropped at MAIL", map[string]string{"MAIL": "drop"}, "MAIL", 0, true},
		{"dropped after DATA", map[string]string{".": "drop"}, "end of DATA", 0, true},
		{"strange answer after DATA", map[string]string{".": "354 more"}, "end of DATA", 354, true},
		{"no way to log in", map[string]string{"EHLO": "250-x\r\n250 AUTH GSSAPI"}, "AUTH", 0, true},
		{"no AUTH", map[string]string{"EHLO": "250 x"}, "AUTH", 0, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := startScript(t, polite(row.changes))
			u := open(t, Settings{SMTP: "smtp://user%40example.org:geheim@" + s.address + "?tls=none"})
			r := refusal(t, u.Send(t.Context(), sample()))
			if r.Code != row.code || r.Step != row.step || r.Temporary != row.temporary {
				t.Errorf("%+v: %v", r, r.cause)
			}
			if n := s.count(); n != 1 {
				t.Errorf("%d connections", n)
			}
		})
	}
}

// A mail server that says nothing (any more) does not hold anybody.
func TestSilence(t *testing.T) {
	steps := map[string]string{"": "greeting", "EHLO": "EHLO", "AUTH": "AUTH", "MAIL": "MAIL", "RCPT": "RCPT",
		"DATA": "DATA", ".": "end of DATA"}
	for verb, step := range steps {
		for _, way := range []string{"deadline", "cancel", "timeout"} {
			t.Run(step+" "+way, func(t *testing.T) {
				t.Parallel()
				s := startScript(t, polite(map[string]string{verb: ""}))
				settings := Settings{SMTP: "smtp://user%40example.org:geheim@" + s.address + "?tls=none"}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				switch way {
				case "deadline":
					ctx, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
					defer cancel()
				case "cancel":
					var canceled sync.WaitGroup
					defer canceled.Wait()
					canceled.Go(func() {
						if wait.Ever(func() bool { return s.met(verb) }, nil) {
							cancel()
						}
					})
				case "timeout":
					settings.Timeout = 200 * time.Millisecond
				}
				begin := time.Now()
				r := refusal(t, open(t, settings).Send(ctx, sample()))
				// The server may see a connection, and cancel, before the client sees that it has one.
				early := way == "cancel" && verb == "" && r.Step == "connect"
				if !r.Temporary || r.Code != 0 || (r.Step != step && !early && time.Since(begin) < time.Second) {
					t.Errorf("%+v: %v", r, r.cause)
				}
				if way == "cancel" && !errors.Is(r, context.Canceled) || way != "cancel" &&
					!errors.Is(r, context.DeadlineExceeded) {
					t.Errorf("cause %v", r.cause)
				}
				if took := time.Since(begin); took > 10*time.Second {
					t.Errorf("took %v", took)
				}
			})
		}
	}
}

// Answers that never end, in one line or in many, end when they are longer than any need to be.
func TestEndlessAnswers(t *testing.T) {
	many, long := strings.Repeat("250-more\r\n", 2<<20/10), strings.Repeat("x", 2<<20)
	for verb, step := range map[string]string{"": "greeting", "EHLO": "EHLO", "AUTH": "AUTH", "MAIL": "MAIL",
		"DATA": "DATA", ".": "end of DATA"} {
		code := "250"
		if other, is := map[string]string{"": "220", "AUTH": "235", "DATA": "354"}[verb]; is {
			code = other
		}
		for name, answer := range map[string]string{"many lines": strings.ReplaceAll(many, "250", code), "one line": long} {
			s := startScript(t, polite(map[string]string{verb: answer}))
			r := refusal(t, open(t, Settings{SMTP: "smtp://user%40example.org:geheim@" + s.address +
				"?tls=none"}).Send(t.Context(), sample()))
			if !r.Temporary || r.Code != 0 || !strings.Contains(r.Error(), "have no end") &&
				!strings.Contains(r.Error(), "not the SMTP protocol") {
				t.Errorf("%s at %s: %v: %.200v", name, step, r, r.cause)
			}
		}
	}
}

func TestSilenceInTLS(t *testing.T) {
	for _, scheme := range []string{"smtps", "smtp"} {
		s := startScript(t, map[string]string{"": map[string]string{"smtps": "", "smtp": "220 x"}[scheme],
			"EHLO": "250-x\r\n250 STARTTLS", "STARTTLS": "220 go"})
		// On a busy machine a step before the one that is meant may take the time.
		for timeout := 200 * time.Millisecond; ; timeout *= 4 {
			u := open(t, Settings{SMTP: scheme + "://" + s.address, Timeout: timeout})
			r := refusal(t, u.Send(t.Context(), sample()))
			if !r.Temporary || !strings.Contains(r.Error(), "no answer in time") {
				t.Errorf("%s: %v: %v", scheme, r, r.cause)
			}
			if strings.Contains(r.Step, "TLS") {
				break
			}
			if timeout > 10*time.Second {
				t.Fatalf("%s: %v: %v", scheme, r, r.cause)
			}
		}
	}
}

func TestNoPasswordWithoutTLS(t *testing.T) {
	s := startScript(t, polite(nil)) // offers AUTH but not STARTTLS
	u := open(t, Settings{SMTP: "smtp://user%40example.org:geheim@" + s.address})
	r := refusal(t, u.Send(t.Context(), sample()))
	if !r.Temporary || r.Step != "STARTTLS" {
		t.Errorf("%+v", r)
	}
	if sent := s.transcript(); strings.Contains(sent, "AUTH") || strings.Contains(sent,
		base64.StdEncoding.EncodeToString([]byte("geheim"))) || strings.Contains(sent, "MAIL") {
		t.Errorf("sent:\n%s", sent)
	}
	// Should Open ever let it through: the connection is asked again.
	hidden := &sender{target: target{host: "203.0.113.1", user: "u", password: "geheim", security: noTLS},
		timeout: time.Second}
	c := dial(t, s.address)
	if r := hidden.greet(c); r == nil || r.Step != "AUTH" || !strings.Contains(r.Error(), "not encrypted") {
		t.Errorf("%v", r)
	}
	if sent := s.transcript(); strings.Contains(sent, "AUTH") {
		t.Errorf("sent:\n%s", sent)
	}
}

func TestCertificates(t *testing.T) {
	for _, implicit := range []bool{false, true} {
		s := startServer(t, implicit, true)
		scheme := map[bool]string{false: "smtp://", true: "smtps://"}[implicit]
		_, otherRoots := certificate(t)
		u := open(t, Settings{SMTP: scheme + s.address, RootCAs: otherRoots})
		r := refusal(t, u.Send(t.Context(), sample()))
		if !r.Temporary || !strings.Contains(r.Step, "TLS") || !strings.Contains(r.Error(), "certificate") {
			t.Errorf("unknown authority: %v", r)
		}
		u = open(t, Settings{SMTP: scheme + strings.Replace(s.address, "127.0.0.1", "localhost", 1), RootCAs: s.roots})
		r = refusal(t, u.Send(t.Context(), sample()))
		if !r.Temporary || !strings.Contains(r.Error(), "another host") {
			t.Errorf("wrong host: %v", r)
		}
	}
}

func TestConnectFailures(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := refusal(t, open(t, Settings{SMTP: "smtp://127.0.0.1:1"}).Send(ctx, sample()))
	if !r.Temporary || !errors.Is(r, context.Canceled) {
		t.Errorf("%v", r)
	}
	r = refusal(t, open(t, Settings{SMTP: "smtp://127.0.0.1:1"}).Send(t.Context(), sample()))
	if !r.Temporary || r.Step != "connect" || !strings.Contains(r.Error(), "refused") {
		t.Errorf("%v", r)
	}
	m := sample()
	m.To.Email = "no address"
	r = refusal(t, open(t, Settings{SMTP: "smtp://127.0.0.1:1"}).Send(t.Context(), m))
	if r.Temporary || r.Step != "message" || !strings.Contains(r.Error(), "To is not") {
		t.Errorf("%v", r)
	}
}

func TestOneConnectionForManyMessages(t *testing.T) {
	s := startScript(t, polite(nil))
	u := open(t, Settings{SMTP: "smtp://" + s.address + "?tls=none"})
	u.(*sender).fresh = 0 // as after a longer rest
	for range 3 {
		if err := u.Send(t.Context(), sample()); err != nil {
			t.Fatal(err)
		}
	}
	if s.count() != 1 || strings.Count(s.transcript(), "RSET") != 2 {
		t.Errorf("%d connections:\n%s", s.count(), s.transcript())
	}
	if err := u.Close(); err != nil {
		t.Error(err)
	}
	if err := u.Send(t.Context(), sample()); err != nil { // works, but keeps nothing open
		t.Error(err)
	}
	if len(u.(*sender).idle) != 0 {
		t.Error("a connection is kept after Close")
	}
}

// A connection that died while it waited is replaced, and nothing is sent twice.
func TestStaleConnection(t *testing.T) {
	for name, change := range map[string]map[string]string{
		"dropped": {"RSET": "drop"}, "refused": {"RSET": "421 bye"}, "silent": {"RSET": ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startScript(t, polite(change))
			u := open(t, Settings{SMTP: "smtp://" + s.address + "?tls=none", Timeout: 4 * time.Second})
			u.(*sender).fresh = 0 // as after a longer rest
			for range 2 {
				if err := u.Send(t.Context(), sample()); err != nil {
					t.Fatalf("%v: %v", err, errors.Unwrap(err))
				}
			}
			if n := strings.Count(s.transcript(), "Subject:"); n != 2 || s.count() != 2 {
				t.Errorf("%d messages, %d connections", n, s.count())
			}
		})
	}
}

// A connection that was used just now is not asked first whether it lives; should it have died since, the message
// goes over a fresh one, and once only.
func TestFreshConnection(t *testing.T) {
	for name, change := range map[string]map[string]string{"alive": nil, "dropped": {"MAIL": "drop"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startScript(t, polite(nil))
			u := open(t, Settings{SMTP: "smtp://" + s.address + "?tls=none"})
			u.(*sender).fresh = time.Hour
			if err := u.Send(t.Context(), sample()); err != nil {
				t.Fatal(err)
			}
			s.change(change)
			if err := u.Send(t.Context(), sample()); err != nil {
				t.Fatal(err)
			}
			connections := 1
			if change != nil {
				connections = 2
			}
			said := s.transcript()
			if strings.Count(said, "Subject:") != 2 || strings.Contains(said, "RSET") || s.count() != connections {
				t.Errorf("%d connections:\n%s", s.count(), said)
			}
		})
	}
}

// A mail server that takes one message a connection says so at the second MAIL.
func TestOneMessageAConnection(t *testing.T) {
	s := startServer(t, false, true)
	count := 0
	s.refuse = func(step string) error {
		if step == "MAIL" {
			if count++; count == 2 {
				return &smtp.SMTPError{Code: 421, Message: "enough"}
			}
		}
		return nil
	}
	u := open(t, Settings{SMTP: "smtp://" + s.address, RootCAs: s.roots})
	for range 2 {
		if err := u.Send(t.Context(), sample()); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.deliveries()); n != 2 {
		t.Errorf("%d messages", n)
	}
}

func TestIdleConnectionEnds(t *testing.T) {
	s := startScript(t, polite(nil))
	u := open(t, Settings{SMTP: "smtp://" + s.address + "?tls=none"}).(*sender)
	u.idleFor = time.Millisecond
	if err := u.Send(t.Context(), sample()); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the connection ends", func() bool { return strings.Contains(s.transcript(), "QUIT") })
	if err := u.Send(t.Context(), sample()); err != nil {
		t.Fatal(err)
	}
}

func TestManyAtOnce(t *testing.T) {
	s := startServer(t, false, true)
	u := open(t, Settings{SMTP: "smtp://user%40example.org:geheim@" + s.address, RootCAs: s.roots})
	results := make(chan error)
	for i := range 20 {
		go func() {
			m := sample()
			m.ID = fmt.Sprintf("%d@example.org", i)
			results <- u.Send(t.Context(), m)
		}()
	}
	for range 20 {
		if err := <-results; err != nil {
			t.Errorf("%v: %v", err, errors.Unwrap(err))
		}
	}
	ids := map[string]bool{}
	for _, d := range s.deliveries() {
		ids[read(t, d.data).ID] = true
	}
	if len(ids) != 20 || len(s.deliveries()) != 20 {
		t.Errorf("%d messages of %d", len(s.deliveries()), len(ids))
	}
}
