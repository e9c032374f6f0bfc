package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
)

// What will end is counted by key and operation, without a statement in the request, and saved by the job.
func TestLens(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putContract(s)
		other, secret := s.newKey(apikey.NewKey{Label: "other", Scope: admitto.ScopeReadOnly})
		for _, path := range []string{
			"/api/v10/applicants/4711", // nothing of these will end
			"/api/v4/applicants/4711",
			"/api/v10/applications?byAcademicYears=2026",
			"/api/v3/version",
			"/api/v3/nonsense",
			"/api/v11/applicants/4711",
		} {
			s.get(path)
		}
		s.get(defaultPath("/applicants/4711")).want(t, 200)
		s.do("HEAD", defaultPath("/applicants/4711"), "").want(t, 200)
		s.get(defaultPath("/applicants/999")).want(t, 404)
		s.get("/api/applicants/4711", key(secret)).want(t, 200)
		s.get(oldestPath("/ping"), key(secret)).want(t, 200)
		s.get("/api/v7/applicants/4711/studyplans").want(t, 200)
		s.do("PATCH", "/api/v10/applicants/4711/notes", "").want(t, 400)
		s.do("PATCH", "/api/v10/applicants/4711/notes", "", key(secret)).want(t, 403)
		s.get("/api/v10/applications?byCommenceYear=2026").want(t, 200)
		s.get("/api/v10/applications?byCommenceYear=x").want(t, 400)

		read := func(id int64) (lines []string) {
			list, err := s.services.Keys.KeyUsage(t.Context(), admitto.SystemCaller(), id,
				admitto.Date{Year: 1, Month: 1, Day: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, use := range list {
				lines = append(lines, fmt.Sprintf("%s v%d %s %s..%s: %d", use.Operation, use.Version, use.What, use.First, use.Last,
					use.Count))
			}
			return lines
		}
		if got := read(s.keyID); got != nil {
			t.Errorf("counted before it was saved: %q", got)
		}
		if err := s.services.Keys.SaveKeyUse(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		s.clock.Add(2 * admitto.Day)
		s.get(defaultPath("/applicants/4711")).want(t, 200)
		statements := s.store.Statements()
		s.get("/api/v9/ping").want(t, 200)
		s.get(defaultPath("/ping")).want(t, 200)
		if n := s.store.Statements() - statements; n != 0 {
			t.Errorf("a counted request takes %d statements", n)
		}
		if err := s.services.Keys.SaveKeyUse(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		for id, want := range map[int64][]string{
			s.keyID: {
				"GET /applicants/{id} v3 version 2026-03-09..2026-03-11: 4",
				"GET /ping v3 version 2026-03-11..2026-03-11: 1",
				"GET /applicants/{id}/studyplans v7 path 2026-03-09..2026-03-09: 1",
				"GET /applications v10 parameter byCommenceYear 2026-03-09..2026-03-09: 2",
				"PATCH /applicants/{id}/notes v10 path 2026-03-09..2026-03-09: 1",
			},
			other: {
				"GET /ping " + oldestVersion + " version 2026-03-09..2026-03-09: 1",
				"GET /applicants/{id} v3 version, by default 2026-03-09..2026-03-09: 1",
			},
		} {
			want = ending(want)
			if got := read(id); !slices.Equal(got, want) {
				t.Errorf("key %d:\n got %q\nwant %q", id, got, want)
			}
		}
		if _, err := s.services.Keys.KeyUsage(t.Context(), admitto.SystemCaller(), 999,
			admitto.Date{Year: 1, Month: 1, Day: 1}); admitto.KindOf(err) != admitto.NotFound {
			t.Errorf("the lens of no key: %v", err)
		}
		// Counts are kept for 400 days.
		s.clock.Add(399 * admitto.Day)
		if err := s.services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		want := ending([]string{"GET /applicants/{id} v3 version 2026-03-11..2026-03-11: 1",
			"GET /ping v3 version 2026-03-11..2026-03-11: 1"})
		if got := read(s.keyID); !slices.Equal(got, want) {
			t.Errorf("after 400 days %q", got)
		}
	})
}

// ending leaves out the lines of whole versions once all that will end were dropped.
func ending(lines []string) []string {
	return slices.DeleteFunc(lines, func(line string) bool {
		return strings.Contains(line, " version") &&
			dropped("/api/v3")
	})
}

// For everything that ends the counts of use knows what to use instead, where the contract names it.
func TestInstead(t *testing.T) {
	for _, c := range []struct {
		operation string
		version   int
		what      string
		want      string
	}{
		{"GET /applicants", 3, "version", "version 10"},
		{"GET /applicants", 3, "version, by default", "version 10"},
		{"GET /applicants/{id}/documents", 4, "path", "/applications/{id}/documents"},
		{"PUT /applicants/{id}/notes", 5, "path", "POST on the same path"},
		{"PATCH /applicants/{id}/notes", 10, "path", "POST on the same path"},
		{"GET /applicants/{id}/studyplans", 7, "path", ""},
		{"GET /applications", 10, "parameter byCommenceYear", "byAcademicYears"},
		{"GET /nothing", 3, "path", ""},
		{"GET /applications", 3, "parameter limit", ""},
	} {
		if got := api.Instead(c.operation, c.version, c.what); got != c.want {
			t.Errorf("%s of %s in version %d: %q, want %q", c.what, c.operation, c.version, got, c.want)
		}
	}
}
