package api_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/store"
)

// written is one request of a table, what it answers, and what is recorded.
type written struct {
	method, path, body, contentType string
	status                          int
	want                            string   // what the path then shows, or the problem and its faults
	events                          []string // with the links
}

// inNumberedContract fills in the contract, and lets what is created get IDs above those of its examples.
func inNumberedContract(o *options) {
	o.fill = func(s *service) {
		putContract(s)
		err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
			return errors.Join(tx.SkipIDs("note", 36), tx.SkipIDs("flag", 6), tx.SkipIDs("email", 881))
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// hangingEvents returns the filled names of the journal after the record, with what they link to.
func (s *service) hangingEvents(t testing.TB, after int64) (list []string) {
	t.Helper()
	err := s.store.Read(t.Context(), func(tx *store.Tx) error {
		_, err := tx.EachRecord(admitto.JournalQuery{After: after, Limit: 100_000}, func(r *admitto.Record) error {
			l, line := r.Links, r.Filled()
			for _, link := range []struct {
				name string
				id   int64
			}{{"applicant", l.Applicant}, {"application", l.Application}, {"course", l.Course}, {"institution",
				l.Institution}, {"offer", l.Offer},
				{"document", l.Document}, {"flag", l.Flag}, {"tracker", l.Tracker}, {"invoice", l.Invoice}, {"administrator",
					l.Administrator}} {
				if link.id != 0 {
					line += fmt.Sprintf(" %s=%d", link.name, link.id)
				}
			}
			list = append(list, line+" by "+string(r.Actor.Kind))
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (s *service) wantHanging(t testing.TB, after int64, want ...string) {
	t.Helper()
	if got := s.hangingEvents(t, after); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("events:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// refuses sends requests that must all be refused, and together leave no trace.
func (s *service) refuses(t *testing.T, list []written) {
	t.Helper()
	s.leavesNoTrace(t, func() {
		for _, c := range list {
			name := c.method + " " + c.path + " " + c.body[:min(len(c.body), 60)]
			a := s.do(c.method, c.path, c.body, contentType(c.contentType))
			slug, faults, has := strings.Cut(c.want, " ")
			if a.status != c.status {
				t.Errorf("%s: status %d, want %d: %s", name, a.status, c.status, a.body)
				continue
			}
			a.problem(t, slug)
			if got := strings.Join(a.faults(t), " "); has && got != faults {
				t.Errorf("%s: faults %q, want %q: %s", name, got, faults, a.body)
			}
		}
	})
}

// Everything that may be done to notes, on an applicant and on an offer (resources.md 0.6).
func TestNoteWrites(t *testing.T) {
	for _, on := range []struct{ path, links, what, wrongParent string }{
		{"/applicants/4714/notes", " applicant=4714 by api_key", "applicant", "/applicants/4713/notes"},
		{"/applications/9003/offers/7002/notes", " applicant=4714 application=9003 course=56 offer=7002 by api_key", "offer",
			"/applications/9001/offers/7001/notes"},
	} {
		t.Run(on.what, func(t *testing.T) {
			onEach(t, func(t *testing.T, s *service) { writeNotes(t, s, on.path, on.links, on.what, on.wrongParent) },
				inNumberedContract)
		})
	}
}

func writeNotes(t *testing.T, s *service, path, links, what, wrongParent string) {
	v5, v6, v10 := "/api/v5"+path, "/api/v6"+path, "/api/v10"+path
	added, edited, removed := "Note was added to "+what+links, "Note on "+what+" was edited"+links,
		"Note on "+what+" was removed"+links
	next := int64(36) // notes of the fixture
	created := func() string { return s.clock.Now().String() }
	one := func(id int64, colour, text string) string {
		return fmt.Sprintf(`{"id":%d,"created":"%s","removed":null,"colour":"%s","pinned":false,"collapsed":false,"notes":%s}`, id, created(), colour, text)
	}
	joined := func(want string) {
		t.Helper()
		if got := s.get(v5).body; got != want {
			t.Errorf("joined: %s, want %s", got, want)
		}
	}
	last := s.lastEvent(t)
	// An empty card, whatever the fixture put on it.
	s.do("PUT", v5, "null").want(t, 204)
	had := len(s.hangingEvents(t, last))
	if joined(`""`); (what == "offer") != (had == 2) {
		t.Errorf("%d removed", had)
	}
	s.refuses(t, []written{{"DELETE", v10, "", "", 404, "not-found", nil}, {"DELETE", v5, "", "", 404, "not-found", nil}})
	if s.do("PUT", v5, `""`).want(t, 204); len(s.hangingEvents(t, last)) != had {
		t.Error("an empty card was emptied again")
	}

	long, multi := strings.Repeat("é", 2048), "a\\r\\nb\\tc"
	form, formBody := multipartForm("notes", "by form", "colour", "Blue")
	for _, c := range []struct{ method, path, body, contentType, colour, text string }{
		{"POST", v10, `"Called, will send transcript"`, "application/json", "Yellow", `"Called, will send transcript"`},
		{"POST", v6 + "?colour=Orange", ` "` + multi + `" `, "text/plain", "Orange", `"` + multi + `"`},
		{"POST", v6 + "?color=Salmon", `"x"`, "", "Salmon", `"x"`},
		{"POST", v6 + "?color=nonsense&colour=Green", `"` + long + `"`, formType, "Green", `"` + long + `"`},
		{"POST", v10, `{"notes":" trimmed ","colour":"Violet"}`, "", "Violet", `"trimmed"`},
		{"POST", v10 + "?colour=Orange", `{"notes":"n","color":"nonsense"}`, "application/json", "Orange", `"n"`},
		{"POST", v10, "notes=%s+1&colour=", formType, "Yellow", `"%s 1"`},
		{"POST", v10 + "?notes=query&colour=Blue", "", "", "Blue", `"query"`},
		{"POST", v10, formBody, form, "Blue", `"by form"`},
		{"PATCH", v6, `"patched"`, "application/json", "Yellow", `"patched"`},
		{"PATCH", v10 + "?colour=Violet", `{"notes":"patched"}`, "application/json", "Violet", `"patched"`},
		{"PATCH", v5 + "?colour=Blue", `"old patch"`, "text/plain", "Blue", `"old patch"`},
	} {
		c.body = strings.Replace(c.body, "%s", "%25s", 1)
		last := s.lastEvent(t)
		a := s.do(c.method, c.path, c.body, contentType(c.contentType))
		next++
		at := fmt.Sprintf("%s/%d", strings.SplitN(c.path, "?", 2)[0], next)
		want := one(next, c.colour, c.text)
		switch {
		case c.method == "POST" && (a.status != 201 || a.body != want || a.header.Get("Location") != at),
			c.method == "PATCH" && c.path != v5+"?colour=Blue" && (a.status != 204 || a.header.Get("Location") != at ||
				a.header.Get("Link") != `</developers/changelog>; rel="deprecation"`),
			strings.HasPrefix(c.path, v5) && (a.status != 204 || a.header.Get("Location") != ""):
			t.Errorf("%s %s: %d %v %s\nwant %s %s", c.method, c.path, a.status, a.header, a.body, at, want)
		}
		if got := s.get(fmt.Sprintf("%s/%d", v10, next)).want(t, 200); got.body != want || got.header.Get("ETag") == "" {
			t.Errorf("GET: %s, want %s", got.body, want)
		}
		s.wantHanging(t, last, added)
	}
	joined(fmt.Sprintf(`"Called, will send transcript -- %s -- x -- %s -- trimmed -- n -- %%s 1 -- query -- by form -- patched -- patched -- old patch"`, multi, long))

	// The same call again, by its Idempotency-Key.
	last = s.lastEvent(t)
	first := s.do("POST", v10, `"once"`, once("n1")).want(t, 201)
	again := s.do("POST", v10, `"once"`, once("n1")).want(t, 201)
	if next++; first.body != again.body || first.header.Get("Location") != again.header.Get("Location") {
		t.Errorf("%s %s", first.body, again.body)
	}
	s.do("POST", v10, `"twice"`, once("n1")).want(t, 409).problem(t, "idempotency-conflict")
	s.wantHanging(t, last, added)

	// One note: text, colour, neither.
	note := fmt.Sprintf("%s/%d", v10, next)
	etag := s.get(note).header.Get("ETag")
	for _, c := range []struct {
		query, body, colour, text string
		changes                   bool
	}{{"", `"new"`, "Yellow", `"new"`, true}, {"", `"new"`, "Yellow", `"new"`, false}, {"?colour=Yellow", `" new "`,
		"Yellow", `"new"`, false},
		{"?color=Blue", `"new"`, "Blue", `"new"`, true}, {"", `"newer"`, "Blue", `"newer"`, true}} {
		last := s.lastEvent(t)
		s.do("PUT", note+c.query, c.body).want(t, 204)
		if got := s.get(note).body; got != one(next, c.colour, c.text) {
			t.Errorf("PUT %s %s: %s", c.query, c.body, got)
		}
		if c.changes {
			s.wantHanging(t, last, edited)
		} else {
			s.wantHanging(t, last)
		}
	}
	s.leavesNoTrace(t, func() {
		s.do("PUT", note, `"late"`, header("If-Match", etag)).want(t, 412).problem(t, "changed-meanwhile")
		s.do("PATCH", v10, `"late"`, header("If-Match", etag)).want(t, 412)
		s.do("DELETE", v10, "", header("If-Match", etag)).want(t, 412)
	})
	s.do("PUT", note, `"fresh"`, header("If-Match", s.get(note).header.Get("ETag"))).want(t, 204)

	refuseNotes(t, s, path, wrongParent, next)
	replaceNotes(t, s, path, next, added, removed)
}

// refuseNotes sends what must be refused.
func refuseNotes(t *testing.T, s *service, path, wrongParent string, note int64) {
	v5, v6, v10, long := "/api/v5"+path, "/api/v6"+path, "/api/v10"+path, `"`+strings.Repeat("x", 2049)+`"`
	one := func(path string) string { return fmt.Sprintf("%s/%d", path, note) }
	none := strings.NewReplacer("4714", "99", "7002", "99").Replace(path)
	big := strings.Repeat("x", 1<<20)
	list := []written{
		{"PUT", v6, `"x"`, "", 405, "method-not-allowed", nil},
		{"PUT", v10, `"x"`, "", 405, "method-not-allowed", nil},
		{"POST", v5, `"x"`, "", 405, "method-not-allowed", nil},
		{"GET", one(v5), "", "", 404, "not-in-version", nil},
		{"PUT", one(v5), `"x"`, "", 404, "not-in-version", nil},
		{"DELETE", one(v10), "", "", 405, "method-not-allowed", nil},
		{"GET", v10 + "/999", "", "", 404, "not-found", nil},
		{"GET", v10 + "/x", "", "", 400, "invalid-id", nil},
		{"PUT", v10 + "/0", `"x"`, "", 400, "invalid-id", nil},
		{"PUT", v10 + "/999", "{", "", 404, "not-found", nil},
		{"PUT", one("/api/v10" + wrongParent), `"x"`, "", 404, "not-found", nil},
		{"GET", one("/api/v10" + wrongParent), "", "", 404, "not-found", nil},
		{"POST", "/api/v10" + none, "{", "application/json", 404, "not-found", nil},
		{"PATCH", "/api/v10" + none, "{", "application/json", 404, "not-found", nil},
		{"PATCH", "/api/v5" + none, "{", "application/json", 404, "not-found", nil},
		{"PUT", "/api/v5" + none, "{", "application/json", 404, "not-found", nil},
		{"DELETE", "/api/v10" + none, "", "", 404, "not-found", nil},
		{"GET", "/api/v10" + none, "", "", 404, "not-found", nil},
		{"POST", v10, "", "", 400, "invalid-parameter notes", nil},
		{"POST", v10, "", "application/json", 400, "invalid-parameter notes", nil},
		{"POST", v10, `""`, "", 400, "invalid-body @", nil},
		{"POST", v10, `"  "`, "", 400, "invalid-body @", nil},
		{"POST", v10, "null", "application/json", 400, "invalid-body @", nil},
		{"POST", v10, "5", "application/json", 400, "invalid-body @", nil},
		{"POST", v10, "unquoted", "application/json", 400, "invalid-body @", nil},
		{"POST", v10, "unquoted", "text/plain", 415, "unsupported-media-type", nil},
		{"POST", v10, `"open`, "", 400, "invalid-body @", nil},
		{"POST", v10, `"a" "b"`, "", 400, "invalid-body @", nil},
		{"POST", v10, `"a\u0000b"`, "", 400, "invalid-body @", nil},
		{"POST", v10, "\"\xff\"", "", 400, "invalid-body @", nil},
		{"POST", v10, long, "", 400, "invalid-body @", nil},
		{"POST", v10 + "?colour=Red", long, "", 400, "invalid-parameter @ colour", nil},
		{"POST", v10 + "?colour=yellow", `"x"`, "", 400, "invalid-parameter colour", nil},
		{"POST", v10 + "?colour=Blue&colour=Blue", `"x"`, "", 400, "invalid-parameter colour", nil},
		{"POST", v10, `{"notes":5,"colour":1}`, "", 400, "invalid-parameter @/notes @/colour", nil},
		{"POST", v10, `{"notes":` + long + `}`, "", 400, "invalid-parameter @/notes", nil},
		{"POST", v10, `["x"]`, "application/json", 400, "invalid-body @", nil},
		{"POST", v10, "notes=a&notes=b", formType, 400, "invalid-parameter notes", nil},
		{"POST", v10, big, "application/json", 400, "invalid-body @", nil},
		{"POST", v10, big + "x", "application/json", 413, "too-large", nil},
		{"PATCH", v10, "unquoted", "text/plain", 415, "unsupported-media-type", nil},
		{"PATCH", v10, "", "", 400, "invalid-parameter notes", nil},
	}
	for _, c := range []struct{ method, path string }{{"PATCH", v5}, {"PUT", one(v10)}} {
		for _, body := range []string{"", "null", `""`, "5", "true", "{}", `["x"]`, "unquoted", `"a" 5`, long, big} {
			list = append(list, written{c.method, c.path, body, "application/json", 400, "invalid-body @", nil})
		}
		list = append(list, written{c.method, c.path + "?colour=Red", "5", "", 400, "invalid-parameter @ colour", nil},
			written{c.method, c.path, big + "x", "", 413, "too-large", nil})
	}
	for _, body := range []string{"", "5", "{}", "unquoted", `"` + strings.Repeat("x", 16385) + `"`} {
		list = append(list, written{"PUT", v5, body, "", 400, "invalid-body @", nil})
	}
	s.refuses(t, append(list, written{"PUT", v5 + "?colour=", `"x`, "", 400, "invalid-body @", nil}))
	_, reading := s.newKey(apikey.NewKey{Label: "reading", Scope: admitto.ScopeReadOnly})
	for _, c := range [][2]string{{"POST", v10}, {"PATCH", v10}, {"PATCH", v5}, {"PUT", v5}, {"DELETE", v10},
		{"PUT", one(v10)}} {
		s.leavesNoTrace(t, func() { s.do(c[0], c[1], `"x"`, key(reading)).want(t, 403).problem(t, "not-permitted") })
	}
	s.get(one(v10), key(reading)).want(t, http.StatusOK)
}

// replaceNotes writes all notes as one text, as the versions before the collection do, and removes them.
func replaceNotes(t *testing.T, s *service, path string, next int64, added, removed string) {
	v5, v10 := "/api/v5"+path, "/api/v10"+path
	visible := 13
	whole := s.get(v5).body
	last := s.lastEvent(t)
	s.do("PUT", v5, whole).want(t, 204) // what is there already
	s.wantHanging(t, last)
	etag := s.get(v5).header.Get("ETag")
	for _, c := range []struct {
		query, body, shown string
		removes            int
		adds               bool
	}{
		{"", `"one"`, `"one"`, visible, true},
		{"", `" one "`, `"one"`, 0, false},
		{"?colour=Yellow", `"one"`, `"one"`, 0, false},
		{"?colour=Green", `"one"`, `"one"`, 1, true},
		{"", `"one -- two"`, `"one -- two"`, 1, true},
		{"", `"` + strings.Repeat("y", 16384) + `"`, `"` + strings.Repeat("y", 16384) + `"`, 1, true},
		{"", "null", `""`, 1, false},
		{"", `""`, `""`, 0, false},
		{"?color=Blue", `"back"`, `"back"`, 0, true},
	} {
		last := s.lastEvent(t)
		s.do("PUT", v5+c.query, c.body, contentType("text/plain")).want(t, 204)
		if got := s.get(v5).body; got != c.shown {
			t.Errorf("PUT %s: %s", c.body, got)
		}
		var events []string
		for range c.removes {
			events = append(events, removed)
		}
		if c.adds {
			next++
			events = append(events, added)
		}
		s.wantHanging(t, last, events...)
	}
	s.leavesNoTrace(t, func() { s.do("PUT", v5, `"late"`, header("If-Match", etag)).want(t, 412) })
	s.do("PUT", v5, `"fresh"`, header("If-Match", s.get(v5).header.Get("ETag"))).want(t, 204)
	next++
	last = s.lastEvent(t)
	s.do("DELETE", v10, "rubbish").want(t, 204)
	s.wantHanging(t, last, removed)
	// What was taken off the card stays in the collection, and cannot be edited.
	gone := fmt.Sprintf("%s/%d", v10, next)
	if a := s.get(gone).want(t, 200); a.object(t)["removed"] == nil {
		t.Error(a.body)
	}
	s.refuses(t, []written{{"PUT", gone, `"x"`, "", 404, "not-found", nil},
		{"DELETE", v10, "", "", 404, "not-found", nil}})
}
