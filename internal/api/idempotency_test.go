package api_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
)

// once is the header Idempotency-Key.
func once(token string) with { return header("Idempotency-Key", token) }

// An erased applicant is in no kept answer: the path of every call that a key keeps the answer of, or that of what it
// made, has a record that belongs to one applicant, or it is about nobody.
func TestRecordsOfPaths(t *testing.T) {
	nobody := []string{"/courses/1/", "/applicants/trackers/1/", "/applications/flags/1/"}
	kinds := []admitto.RowKind{admitto.ApplicantRow, admitto.ApplicationRow, admitto.InvoiceRow, admitto.ScoreRow}
	for _, operation := range api.Operations() {
		path, posts := strings.CutPrefix(operation, "POST ")
		if !posts {
			continue
		}
		made := strings.ReplaceAll(path+"/{id}/", "{id}", "1")
		about := slices.ContainsFunc(kinds, func(kind admitto.RowKind) bool {
			return strings.Contains(made, api.Paths{}.Part(admitto.Row{Kind: kind, ID: 1}))
		})
		if about == slices.Contains(nobody, made) {
			t.Errorf("%s: about an applicant: %v", operation, about)
		}
	}
}

// sameAnswer fails unless both answers have one status, Location and body.
func sameAnswer(t *testing.T, first, again answer) {
	t.Helper()
	if first.status != again.status || first.body != again.body ||
		first.header.Get("Location") != again.header.Get("Location") ||
		first.header.Get("Content-Type") != again.header.Get("Content-Type") ||
		first.header.Get("Content-Length") != again.header.Get("Content-Length") {
		t.Errorf("first %d %v %s\nagain %d %v %s", first.status, first.header, first.body, again.status, again.header,
			again.body)
	}
}

// The same call again returns the same answer, and one effect (conventions.md 3).
func TestRepeatedCalls(t *testing.T) {
	cases := []struct {
		name, path, body string
		with             []with
		status, mails    int
	}{
		{"an applicant", "/api/v10/applicants", `{"email":"a@example.org","name":"A B"}`, nil, 201, 1},
		{"an applicant with its record", "/api/applicants", `{"email":"b@example.org","name":"A B"}`,
			[]with{header("Prefer", "return=representation")}, 201, 1},
		{"a tracker", defaultPath("/applicants/trackers"),
			`{"code":"fair26","reduction":{"reduction":"Percent","percent":"10"}}`, nil, 201, 0},
		{"a tracker in the query", "/api/applicants/trackers?code=query", "", nil, 201, 0},
		{"an address in use", "/api/applicants", `{"email":"A@example.org","name":"A B"}`, nil, 409, 0},
		{"a code in use", "/api/applicants/trackers", `{"code":"FAIR26"}`, nil, 409, 0},
		{"a code in use, as text", "/api/applicants/trackers", `{"code":"Fair26"}`, []with{header("Accept", "text/plain")},
			409, 0},
	}
	onEach(t, func(t *testing.T, s *service) {
		for i, c := range cases {
			changes := append([]with{once(fmt.Sprint("token ", i))}, c.with...)
			mails := len(s.mail.Taken())
			first := s.postJSON(c.path, c.body, changes...).want(t, c.status)
			journal := s.do("HEAD", "/api/journal", "").header.Get("X-Count")
			for range 3 {
				s.clock.Add(admitto.Hour)
				sameAnswer(t, first, s.postJSON(c.path, c.body, changes...))
			}
			path, query, _ := strings.Cut(c.path, "?")
			sameAnswer(t, first, s.postJSON(path+"/?"+query, c.body, changes...))
			if got := len(s.mail.Taken()) - mails; got != c.mails || s.do("HEAD", "/api/journal",
				"").header.Get("X-Count") != journal {
				t.Errorf("%s: %d mails, want %d", c.name, got, c.mails)
			}
			other := s.postJSON(c.path, `{"email":"other@example.org","name":"A B","code":"other"}`,
				once(fmt.Sprint("token ", i))).want(t, 409)
			other.problem(t, "idempotency-conflict")
			if other.header.Get("Location") != "" {
				t.Errorf("%s: a conflict has a Location", c.name)
			}
			s.postJSON(path+"?code=elsewhere", c.body, once(fmt.Sprint("token ", i))).want(t, 409).problem(t,
				"idempotency-conflict")
		}
	})
}

// Tokens are counted by API key, method and path; GET and PUT know none.
func TestRepeatScope(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		_, second := s.newKey(apikey.NewKey{Label: "second", Scope: admitto.ScopeAll})
		first := s.postForm("/api/applicants/trackers", "code=one", once("x")).want(t, 201)
		s.postForm("/api/applicants/trackers", "code=two", once("x"), key(second)).want(t, 201)
		s.postForm("/api/v9/applicants/trackers", "code=three", once("x")).want(t, 201)
		s.postForm("/api/applicants/trackers", "code=four", once("X")).want(t, 201)
		s.postForm("/api/applicants", "email=a@example.org&name=A+B", once("x")).want(t, 201)
		sameAnswer(t, first, s.postForm("/api/applicants/trackers", "code=one", once("x")))
		s.get("/api/ping", once("é")).want(t, 200)
		s.do("PUT", first.header.Get("Location"), "", once("x")).want(t, 405)
		s.do("DELETE", first.header.Get("Location"), "", once("x")).want(t, 204)
		s.do("DELETE", first.header.Get("Location"), "", once("x")).want(t, 404)
	})
}

// What the header may hold.
func TestRepeatTokens(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for i, c := range []struct {
			tokens []string
			ok     bool
		}{
			{[]string{"a"}, true}, {[]string{strings.Repeat("x", 255)}, true}, {[]string{`!"#$%&'()*+,-./ :;<=>?@[\]^_{|}~`},
				true},
			{[]string{""}, false}, {[]string{strings.Repeat("x", 256)}, false}, {[]string{"é"}, false}, {[]string{"a\tb"},
				false},
			{[]string{"\xff"}, false}, {[]string{"a", "b"}, false}, {[]string{"a", "a"}, false}, {[]string{"", "a"}, false},
		} {
			a := s.postForm("/api/applicants/trackers", fmt.Sprint("code=code", i), s.headers("Idempotency-Key", c.tokens...))
			if c.ok {
				a.want(t, 201)
				continue
			}
			p := a.want(t, 400).problem(t, "invalid-parameter")
			if p["errors"].([]any)[0].(map[string]any)["parameter"] != "Idempotency-Key" {
				t.Errorf("%q: %s", c.tokens, a.body)
			}
		}
	})
}

// What is kept, and for how long.
func TestRepeatKeeps(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		// A 400 keeps nothing, not even its body.
		s.postForm("/api/applicants", "email=x&name=A+B", once("bad")).want(t, 400)
		s.postForm("/api/applicants", "email=bad@example.org&name=A+B", once("bad")).want(t, 201)
		s.do("POST", "/api/applicants", "x", once("415"), header("Content-Type", "text/xml")).want(t, 415)
		s.postForm("/api/applicants/trackers", "code=c415", once("415")).want(t, 201)

		// A 502 neither.
		s.mail.Answer = func(context.Context, *mail.Message) error { return &mail.Refusal{Code: 550, Step: "RCPT"} }
		s.postForm("/api/applicants", "email=later@example.org&name=A+B", once("mail")).want(t, 502).problem(t,
			"mail-refused")
		s.mail.Answer = nil
		s.postForm("/api/applicants", "email=later@example.org&name=A+B", once("mail")).want(t, 201)
		if n := len(s.mail.Taken()); n != 2 {
			t.Errorf("%d mails", n)
		}

		// A 409 stays, also when the code has another holder by then.
		held := s.postForm("/api/applicants/trackers", "code=held").want(t, 201).header.Get("Location")
		refusal := s.postForm("/api/applicants/trackers", "code=HELD", once("held")).want(t, 409)
		refusal.problem(t, "already-exists")
		s.do("DELETE", held, "").want(t, 204)
		next := s.postForm("/api/applicants/trackers", "code=held").want(t, 201).header.Get("Location")
		sameAnswer(t, refusal, s.postForm("/api/applicants/trackers", "code=HELD", once("held")))
		if refusal.header.Get("Location") != held || next == held {
			t.Errorf("Location %q, holders %q and %q", refusal.header.Get("Location"), held, next)
		}

		// A 201 stays when what was made is gone, until 24 hours are over.
		made := s.postForm("/api/applicants/trackers", "code=gone", once("gone")).want(t, 201)
		s.do("DELETE", made.header.Get("Location"), "").want(t, 204)
		s.clock.Add(admitto.Day - admitto.Microsecond)
		sameAnswer(t, made, s.postForm("/api/applicants/trackers", "code=gone", once("gone")))
		s.postForm("/api/applicants/trackers", "code=other", once("gone")).want(t, 409).problem(t, "idempotency-conflict")
		s.clock.Add(admitto.Microsecond)
		again := s.postForm("/api/applicants/trackers", "code=other", once("gone")).want(t, 201)
		sameAnswer(t, again, s.postForm("/api/applicants/trackers", "code=other", once("gone")))
	})
}

// Two calls at the same time: one effect, the other is told to wait.
func TestRepeatInProgress(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		sending, release := make(chan struct{}), make(chan struct{})
		s.mail.Answer = func(context.Context, *mail.Message) error {
			close(sending)
			<-release
			return nil
		}
		const form = "email=a@example.org&name=A+B"
		result := make(chan answer, 1)
		go func() { result <- s.postForm("/api/applicants", form, once("x")) }()
		<-sending
		busy := s.postForm("/api/applicants", form, once("x")).want(t, 409)
		busy.problem(t, "idempotency-in-progress")
		if busy.header.Get("Retry-After") == "" || busy.header.Get("Location") != "" {
			t.Errorf("%v", busy.header)
		}
		s.postForm("/api/applicants", form+"&phone=1", once("x")).want(t, 409).problem(t, "idempotency-conflict")
		close(release)
		first := (<-result).want(t, 201)
		sameAnswer(t, first, s.postForm("/api/applicants", form, once("x")))
		s.mail.Answer = nil

		var wg sync.WaitGroup
		answers := make([]answer, 8)
		for i := range answers {
			wg.Add(1)
			go func() {
				defer wg.Done()
				answers[i] = s.postForm("/api/applicants/trackers", "code=race", once("race"))
			}()
		}
		wg.Wait()
		made := s.postForm("/api/applicants/trackers", "code=race", once("race")).want(t, 201)
		for _, a := range answers {
			if a.status == 409 {
				a.problem(t, "idempotency-in-progress")
				continue
			}
			sameAnswer(t, made, a)
		}
		if got := s.get("/api/applicants/trackers").header.Get("X-Count"); got != "1" || len(s.mail.Taken()) != 1 {
			t.Errorf("%s trackers, %d mails", got, len(s.mail.Taken()))
		}
	})
}

// The words of an answer that a crash took are made again from what there is.
func TestRepeatAfterCrash(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		cases := []struct {
			path, form string
			with       []with
		}{
			{"/api/v9/applicants/trackers", "code=fair26&notes=Hello", nil},
			{"/api/applicants", "email=a@example.org&name=A+B", nil},
			{"/api/applicants", "email=b@example.org&name=A+B", []with{header("Prefer", "return=representation")}},
		}
		for i, c := range cases {
			token := fmt.Sprint(i)
			changes := append([]with{once(token)}, c.with...)
			first := s.postForm(c.path, c.form, changes...).want(t, 201)
			location := first.header.Get("Location")
			lose := func() {
				t.Helper()
				if err := s.store.Write(t.Context(), func(tx *store.Tx) error {
					call := apikey.IdempotentCall(s.keyID, "POST", c.path, token)
					kept, found, err := tx.IdempotencyRecord(call)
					if err != nil || !found || !kept.HasBody {
						t.Fatalf("kept: %+v %v %v", kept, found, err)
					}
					_, err = tx.FinishIdempotencyRecord(call, kept.Lease, 201, location, nil)
					return err
				}); err != nil {
					t.Fatal(err)
				}
			}
			lose()
			sameAnswer(t, first, s.postForm(c.path, c.form, changes...))
			if i == 0 { // gone by now: there is nothing to tell
				s.do("DELETE", location, "").want(t, 204)
				if a := s.postForm(c.path, c.form, changes...).want(t, 201); a.body != "" || a.header.Get("Location") != location {
					t.Errorf("%v %s", a.header, a.body)
				}
			}
		}
		if n := len(s.mail.Taken()); n != 2 {
			t.Errorf("%d mails", n)
		}
	})
}

// Actions without a body are kept as well; what breaks is not.
func TestRepeatedActions(t *testing.T) {
	for _, c := range []struct {
		name, path string
		probes     *api.Probes
		statuses   []int
		acted      int64
	}{
		{"it acts once", "/api/probe/action", &api.Probes{}, []int{204, 204, 204}, 1},
		{"it fails twice", "/api/probe/action", &api.Probes{}, []int{500, 500, 204, 204}, 3},
		{"it panics", "/api/probe/panic", &api.Probes{Panic: errors.New("broken")}, []int{500, 500}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachInTurn(t, func(t *testing.T, s *service) {
				c.probes.Acted.Store(0)
				c.probes.Fails.Store(0)
				for _, status := range c.statuses {
					if status == 500 {
						c.probes.Fails.Add(1)
					}
				}
				for i, status := range c.statuses {
					a := s.do("POST", c.path, "", once("x"))
					if a.status != status || status == 204 && (a.body != "" || a.header.Get("Content-Type") != "" ||
						a.header.Get("Location") != "") {
						t.Errorf("call %d: %d %v %s", i+1, a.status, a.header, a.body)
					}
				}
				if got := c.probes.Acted.Load(); got != c.acted {
					t.Errorf("acted %d times, want %d", got, c.acted)
				}
			}, probing(c.probes))
		})
	}
}
