package api_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
)

// A mail server that refuses leaves nothing behind, and the same call may be sent again.
func TestCreateApplicantMailRefused(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.postForm(v10("/applicants/trackers"), "code=FAIR").want(t, 201)
		const form = "email=one%40example.org&name=One&notes=Secret+note&reference=R1&tracker_ID=1&citizenship=EE"
		refused := func(code int, step string, temporary bool) func(context.Context, *mail.Message) error {
			return func(context.Context, *mail.Message) error {
				return &mail.Refusal{Code: code, Step: step, Temporary: temporary}
			}
		}
		const address, deferred, message, server = "address-refused", "address-deferred", "message-refused",
			"mail-server-unavailable"
		waits := map[string]string{deferred: "300", server: "30"}
		sentences := map[string]string{address: "Check the address",
			deferred: "does not take mail to this address at this time",
			message:  "refused the welcome mail itself", server: "could not be reached"}
		for _, c := range []struct {
			mailer func(context.Context, *mail.Message) error
			code   string
		}{
			{refused(550, "RCPT", false), address},
			{refused(552, "DATA", false), message},
			{refused(554, "end of DATA", false), message},
			{refused(0, "message", false), message},
			{refused(450, "RCPT", true), deferred},
			{refused(421, "RCPT", true), server},
			{refused(0, "RCPT", true), server}, // the connection is gone
			{refused(451, "MAIL", true), server},
			{refused(451, "DATA", true), server},
			{refused(421, "end of DATA", true), server},
			{refused(550, "MAIL", false), server}, // the sender of the service
			{refused(0, "connect", true), server},
			{refused(535, "AUTH", false), server},
			{refused(0, "TLS", true), server},
		} {
			s.mail.Answer = c.mailer
			for _, more := range []with{header("Accept", "*/*"), header("Idempotency-Key", "once")} {
				a := s.refusedMail(t, func() answer { return s.postForm(v10("/applicants"), form, more) })
				problem := a.object(t)
				detail := problem["detail"].(string)
				if problem["code"] != c.code || a.header.Get("Retry-After") != waits[c.code] ||
					(c.code == message) == strings.Contains(detail, "again") {
					t.Errorf("%v %s", a.header, a.body)
				}
				for code, sentence := range sentences {
					if strings.Contains(detail, sentence) != (code == c.code) {
						t.Errorf("%s says %q", c.code, detail)
					}
				}
			}
		}
		s.mail.Answer = nil
		s.postForm(v10("/applicants"), form, header("Idempotency-Key", "once")).want(t, 201)
		if len(s.mail.Taken()) != 1 {
			t.Errorf("%d mails", len(s.mail.Taken()))
		}
	})
}

// So does one that is silent.
func TestCreateApplicantMailSilent(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.mail.Answer = func(ctx context.Context, _ *mail.Message) error { <-ctx.Done(); return ctx.Err() }
		for _, more := range []with{header("Accept", "*/*"), header("Idempotency-Key", "once")} {
			a := s.refusedMail(t, func() answer {
				return s.postForm(v10("/applicants"), "email=one%40example.org&name=One", more)
			})
			if code := a.object(t)["code"]; code != "mail-server-unavailable" || a.header.Get("Retry-After") != "30" {
				t.Errorf("%v %s", a.header, a.body)
			}
		}
	}, func(o *options) { o.settings.Mail.SyncTimeout = 50 * time.Millisecond })
}

func (s *service) refusedMail(t testing.TB, send func() answer) answer {
	t.Helper()
	refused := s.refused(t, "mail-refused", send).want(t, 502)
	said := strings.ReplaceAll(refused.body, refused.header.Get("X-Request-Id"), "") // in which any digits may be
	if refused.header.Get("Location") != "" || strings.Contains(said, "550") {
		t.Errorf("%v %s", refused.header, refused.body)
	}
	if s.get(v10("/applicants")).body != "{}" {
		t.Error("somebody is listed")
	}
	return refused
}

func TestWelcomeMail(t *testing.T) {
	link := regexp.MustCompile(`https://admissions\.example\.edu/sign-in/link/[A-Za-z0-9_-]{40,}`)
	onBoth(t, func(t *testing.T, s *service) {
		s.create(t, "email=Ilse%40B%C3%BCcher.example&name=Ilse+Varga")
		m := s.mail.Taken()[0]
		token := link.FindString(m.Text)
		for _, part := range []string{"Hello Ilse Varga,", "Ilse@Bücher.example", "23 March 2026, 09:00 UTC",
			"Northfield University"} {
			if !strings.Contains(m.Text, part) || !strings.Contains(m.HTML, part) {
				t.Errorf("the mail lacks %q: %s", part, m.Text)
			}
		}
		if token == "" || !strings.Contains(m.HTML, token) ||
			m.To != (mail.Address{Name: "Ilse Varga", Email: "Ilse@xn--bcher-kva.example"}) ||
			m.From != (mail.Address{Name: "Admissions Office", Email: "admissions@example.edu"}) ||
			m.Subject != "Welcome to Northfield University" {
			t.Errorf("%+v", m)
		}
		subject, text := s.storedMail(t, 1)
		if subject != m.Subject || text != strings.ReplaceAll(m.Text, token, "(secret removed)") {
			t.Errorf("stored %q of %q", text, m.Text)
		}

		// A template of the staff may carry a password, which is nowhere to be read afterwards.
		err := s.store.Write(context.Background(), func(tx *store.Tx) error {
			return tx.SetEmailTemplate("applicant-welcome-api", "en", "For %applicant-GivenName%", "ID %applicant-ID%, password %applicant-Password%, %applicant-SigninLink%")
		})
		if err != nil {
			t.Fatal(err)
		}
		s.create(t, "email=two%40example.org&name=Two+%25applicant-ID%25&name_middle=x")
		m = s.mail.Taken()[1]
		match := regexp.MustCompile(`^ID 2, password (\S{14}), (\S+)\n$`).FindStringSubmatch(m.Text)
		if match == nil || m.Subject != "For Two" {
			t.Fatalf("%q %q", m.Subject, m.Text)
		}
		if _, text = s.storedMail(t, 2); text != "ID 2, password (secret removed), (secret removed)\n" {
			t.Errorf("stored %q", text)
		}
		secret := match[2][strings.LastIndexByte(match[2], '/')+1:]
		for _, hidden := range []string{match[1], secret} {
			if strings.Contains(s.dump(), hidden) || strings.Contains(s.log.String(), hidden) {
				t.Errorf("%q can be read in the database or the log", hidden)
			}
		}
		if strings.Contains(s.log.String(), "example.org") {
			t.Error("an address is in the log")
		}
	})
}
