package api_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
)

// Two writers who have seen the same, and whose If-Match was compared before either wrote: one of them is refused.
// There is a pair for each kind of what If-Match can name. What a deletion leaves is not found by the other.
func TestTwoWriters(t *testing.T) {
	hold := &api.Hold{Arrived: make(chan struct{}), Release: make(chan struct{})}
	kinds, missing := api.Conditionals()
	if missing != nil {
		t.Errorf("If-Match names nothing of %v", missing)
	}
	inTurn(t, func(t *testing.T, s *service) {
		putContract(s)
		freeSequences(s)
		made := func(path, body string) string {
			t.Helper()
			place := s.postForm(v10(path), body).want(t, 201).header.Get("Location")
			return strings.TrimPrefix(place, "/api/v10")
		}
		id := func(place string) string { return place[strings.LastIndexByte(place, '/'):] }
		flag, tracker := made("/applications/flags", "name=two writers"), made("/applicants/trackers", "code=two-writers")
		set, assigned := "/applications/9001/flags"+id(flag), "/applicants/4711/trackers"+id(tracker)
		for _, path := range []string{set, assigned} {
			s.do("PUT", v10(path), "").want(t, 204)
		}
		made("/applicants/4714/notes", "notes=a")
		made("/applications/9003/offers/7002/notes", "notes=a")
		invoice := strings.TrimPrefix(made("/applications/9001/invoices", "items[0][item]=Fee&items[0][price]=5.00"),
			"/applications/9001")
		type change struct{ method, body string }
		puts := []change{{"PUT", `"A"`}, {"PUT", `"B"`}}
		deletes := []change{{"DELETE", ""}, {"DELETE", ""}}
		seen := map[string]bool{}
		for _, c := range []struct {
			kind, path string
			changes    []change
			refused    int
		}{
			{"/applicants/{id}", "/applicants/4711/reference", puts, 412},
			{"/applicants/{id}/notes", "/applicants/4714/notes", []change{{"PATCH", "b"}, {"DELETE", ""}}, 412},
			{"/applicants/{id}/notes/{id}", made("/applicants/4713/notes", "notes=a"), puts, 412},
			{"/applications/{id}/offers/{id}/notes", "/applications/9003/offers/7002/notes",
				[]change{{"PATCH", "b"}, {"PATCH", "c"}}, 412},
			{"/applications/{id}/offers/{id}/notes/{id}", made("/applications/9003/offers/7002/notes", "notes=a"), puts, 412},
			{"/applications/{id}/offers/{id}", "/applications/9001/offers/7001/subject", puts, 412},
			{"/applications/{id}/tasks/{id}", "/applications/9001/tasks/410/status",
				[]change{{"PUT", `"Accepted"`}, {"PUT", `"Returned"`}}, 412},
			{"/applications/{id}", "/applications/9001", []change{{"PATCH", `{"profile":{"idcode":"1"}}`},
				{"PATCH", `{"profile":{"idcode":"2"}}`}}, 412},
			{"/applications/{id}", "/applications/9002/courses/55", deletes, 404},
			{"/scoresheets/{id}/scores/{id}", "/scoresheets/6/scores/930/comments", puts, 412},
			{"/applications/{id}/flags/{id}", set, deletes, 412},
			{"/applicants/{id}/trackers/{id}", assigned, deletes, 412},
			{"/applications/flags/{id}", flag, deletes, 404},
			{"/applicants/trackers/{id}", tracker, deletes, 404},
			{"/invoices/{id}", invoice, deletes, 404},
		} {
			if of := api.ConditionalOf(template(c.path)); of != c.kind {
				t.Fatalf("%s is of %s", c.path, of)
			}
			seen[c.kind] = true
			tag := s.get(v10(c.path)).want(t, 200).header.Get("ETag")
			answers := make(chan answer, 2)
			for _, change := range c.changes {
				go func() {
					kind := contentType("application/json")
					if change.method == "PATCH" && !strings.HasPrefix(change.body, "{") {
						kind, change.body = contentType(formType), "notes="+change.body
					} else if change.method == "PATCH" {
						kind = contentType("application/merge-patch+json")
					}
					answers <- s.do(change.method, v10(c.path), change.body, header("If-Match", tag), kind)
				}()
			}
			for range 2 {
				<-hold.Arrived
			}
			for range 2 {
				hold.Release <- struct{}{}
			}
			first, second := <-answers, <-answers
			statuses := []int{first.status, second.status}
			slices.Sort(statuses)
			if !slices.Equal(statuses, []int{204, c.refused}) {
				t.Errorf("%s: %v: %s %s", c.path, statuses, first.body, second.body)
			}
		}
		for _, kind := range kinds {
			if !seen[kind] {
				t.Errorf("two writers of %s were not seen", kind)
			}
		}
	}, func(o *options) { o.rest = hold.Install })
}

// template is the path of a route that a path without names is of.
func template(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if segment != "" && segment[0] >= '0' && segment[0] <= '9' {
			segments[i] = "{id}"
		}
	}
	return strings.Join(segments, "/")
}
