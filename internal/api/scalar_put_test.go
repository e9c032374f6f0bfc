package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
)

// scalarPut is a path whose PUT takes one JSON value: what it takes, and an object of the contract's world.
type scalarPut struct {
	pattern, path string
	version       int
	text          string // a valid JSON string
	number        string // a valid JSON number; "": numbers are refused
	clears        bool   // null is taken
}

// scalarPuts has a line for every scalar row of THE table.
var scalarPuts = []scalarPut{
	{"/applicants/{id}/reference", "/applicants/4711/reference", 10, `"NEW/1"`, "12345", true},
	{"/applicants/{id}/matriculation", "/applicants/4711/matriculation", 10, `"M-1"`, "12345", true},
	{"/applicants/{id}/notes", "/applicants/4711/notes", 5, `"A\nnote"`, "", true},
	{"/applicants/{id}/notes/{id}", "/applicants/4713/notes/34", 10, `"Another"`, "", false},
	{"/applications/{id}/offers/{id}/type", "/applications/9001/offers/7001/type", 10, `"7"`, "8", false},
	{"/applications/{id}/offers/{id}/type", "/applications/9001/offers/7001/type", 3, `"Nominated"`, "", false},
	{"/applications/{id}/offers/{id}/subject", "/applications/9001/offers/7001/subject", 10, `"ё"`, "", true},
	{"/applications/{id}/offers/{id}/comments", "/applications/9001/offers/7001/comments", 10, `"Dear\nall"`, "", true},
	{"/applications/{id}/offers/{id}/decision", "/applications/9001/offers/7001/decision", 10, `"Final"`, "", false},
	{"/applications/{id}/offers/{id}/notes", "/applications/9003/offers/7002/notes", 5, `"A note"`, "", true},
	{"/applications/{id}/offers/{id}/notes/{id}", "/applications/9001/offers/7001/notes/37", 10, `"Another"`, "", false},
	{"/applications/{id}/offers/{id}/score/extra", "/applications/9001/offers/7001/score/extra", 10, `"-3.50"`, "4.5",
		true},
	{"/applications/{id}/offers/{id}/reason/reason", "/applications/9001/offers/7001/reason/reason", 10, `"Because"`, "",
		true},
	{"/applications/{id}/tasks/{id}/status", "/applications/9001/tasks/410/status", 10, `"Accepted"`, "", false},
	{"/applications/{id}/courses/{id}/priority", "/applications/9002/courses/55/priority", 10, `"1"`, "2", false},
	{"/scoresheets/{id}/scores/{id}/points", "/scoresheets/6/scores/930/points", 10, `"8"`, "8.5", true},
	{"/scoresheets/{id}/scores/{id}/comments", "/scoresheets/6/scores/930/comments", 10, `"Good\nwork"`, "", true},
	{"/scoresheets/{id}/scores/{id}/date", "/scoresheets/6/scores/930/date", 10, `"2026-01-02"`, "", true},
	{"/scoresheets/{id}/scores/{id}/reference", "/scoresheets/6/scores/930/reference", 10, `"R-1"`, "", true},
	{"/scoresheets/{id}/scores/{id}/subject", "/scoresheets/9/scores/950/subject", 10, `"Music"`, "", false},
	{"/scoresheets/{id}/scores/{id}/language", "/scoresheets/9/scores/950/language", 10, `"en"`, "", true},
}

// notScalar are the PUTs whose body is ignored, or an object.
var notScalar = []string{"/applicants/{id}/trackers/{id}", "/applications/{id}/flags/{id}",
	"/scoresheets/{id}/scores/{id}"}

// Every PUT of a single value takes and refuses the same kinds of bodies, whatever the content type says. A refusal
// names the body and leaves no trace.
func TestScalarPuts(t *testing.T) {
	for _, row := range api.Rows() {
		known := slices.ContainsFunc(scalarPuts, func(p scalarPut) bool { return p.pattern == row.Path }) ||
			slices.Contains(notScalar, row.Path)
		if row.Method == "PUT" && !known {
			t.Errorf("PUT %s: there is no line in the table for it", row.Path)
		}
	}
	puts := slices.DeleteFunc(slices.Clone(scalarPuts), func(p scalarPut) bool { return p.version < config.OldestVersion })
	onEach(t, func(t *testing.T, s *service) {
		s.put(`INSERT INTO score (id, scoresheet_id, application_id, offer_id, subject) VALUES (950, 9, 9001, 7001, 'Art')`,
			`INSERT INTO note (id, offer_id, created, colour, text) VALUES (37, 7001, 1, 'Blue', 'First')`)
		put := func(p *scalarPut, body, media string) answer {
			return s.do("PUT", fmt.Sprintf("/api/v%d%s", p.version, p.path), body, contentType(media))
		}
		s.leavesNoTrace(t, func() {
			for i := range puts {
				p := &puts[i]
				for _, body := range p.refused() {
					a, what := put(p, body, "text/plain"), fmt.Sprintf("PUT %s %.20q", p.path, body)
					if a.status != 400 {
						t.Errorf("%s: %d %s", what, a.status, a.body)
						continue
					}
					a.problem(t, "invalid-body")
					for _, fault := range a.faults(t) {
						if name, _, _ := strings.Cut(fault, "#"); name != "@" {
							t.Errorf("%s: %s", what, a.body)
						}
					}
				}
				put(p, strings.Repeat("x", 1<<20+1), "text/plain").want(t, 413).problem(t, "too-large")
			}
		})
		for i := range puts {
			p := &puts[i]
			for _, body := range p.taken() {
				for _, media := range []string{formType, jsonType, ""} {
					if a := put(p, body, media); a.status != 204 || a.body != "" {
						t.Errorf("PUT %s %s as %q: %d %s", p.path, body, media, a.status, a.body)
					}
				}
			}
		}
	}, withSheets)
}

// refused are the bodies that the path must not take.
func (p *scalarPut) refused() []string {
	list := []string{"", " \n", "seven words", `"unfinished`, "true", "false", `{"a":1}`, "[1]", `["a"]`, `"a" "b"`,
		"\"\xff\"", `"\ud800"`,
		strings.Repeat("x", 1<<20), `"` + strings.Repeat("x", 1<<20-2) + `"`}
	if p.number == "" {
		list = append(list, "7", "-1.5")
	}
	if !p.clears {
		list = append(list, "null")
	}
	return list
}

// taken are the bodies that it must take.
func (p *scalarPut) taken() []string {
	list := []string{p.text}
	if p.number != "" {
		list = append(list, p.number)
	}
	if p.clears {
		list = append(list, "null")
	}
	return list
}
