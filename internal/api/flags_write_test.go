package api_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
)

// Everything that may be done to flags and to their associations (resources.md 5.4, 6.1).
func TestFlagWrites(t *testing.T) {
	multi, multiBody := multipartForm("name", "Multi")
	long := strings.Repeat("é", 32)
	onEach(t, func(t *testing.T, s *service) {
		next := 6
		for _, c := range []struct{ path, body, contentType, name string }{
			{"/api/v10/applications/flags", `{"name":" Needs a look "}`, "application/json", "Needs a look"},
			{oldestPath("/applications/flags"), "name=" + long, formType, long},
			{"/api/applications/flags?name=query", "", "", "query"},
			{"/api/v9/applications/flags", multiBody, multi, "Multi"},
			{"/api/v9/applications/flags", `{"name":"5"}`, "", "5"},
		} {
			next++
			last := s.lastEvent(t)
			made := s.do("POST", c.path, c.body, contentType(c.contentType)).want(t, 201)
			at := fmt.Sprintf("%s/%d", strings.TrimSuffix(c.path, "?name=query"), next)
			want := fmt.Sprintf(`{"id":%d,"created":"%s","name":"%s"}`, next, s.clock.Now(), c.name)
			if got := s.get(at).body; made.body != want || got != want || made.header.Get("Location") != at {
				t.Errorf("%s %s, GET %s, want %s", made.header.Get("Location"), made.body, got, want)
			}
			s.wantHanging(t, last, fmt.Sprintf("Flag was created flag=%d by api_key", next))
		}
		last := s.lastEvent(t)
		first, again := s.postForm(v10("/applications/flags"), "name=once", once("f")), s.postForm(v10("/applications/flags"),
			"name=once", once("f"))
		if next++; first.status != 201 || again.status != 201 || first.body != again.body {
			t.Errorf("%s %s", first.body, again.body)
		}
		s.wantHanging(t, last, fmt.Sprintf("Flag was created flag=%d by api_key", next))
		used := s.refused(t, "already-exists", func() answer {
			return s.postForm("/api/v9/applications/flags",
				"name=+INTERVIEW")
		}).want(t, 409)
		if got := used.header.Get("Location"); got != "/api/v9/applications/flags/5" {
			t.Errorf("Location %q", got)
		}
		flags, on := v10("/applications/flags"), v10("/applications/9001/flags")
		s.refuses(t, []written{
			{"POST", flags, "", "", 400, "invalid-parameter name", nil},
			{"POST", flags, "name=", formType, 400, "invalid-parameter name", nil},
			{"POST", flags, `{"name":null}`, "", 400, "invalid-parameter name", nil},
			{"POST", flags, `{"name":5}`, "", 400, "invalid-parameter @/name", nil},
			{"POST", flags, `{"name":["a"]}`, "", 400, "invalid-parameter @/name", nil},
			{"POST", flags, "name=" + long + "x", formType, 400, "invalid-parameter name", nil},
			{"POST", flags, "name=a%0Ab", formType, 400, "invalid-parameter name", nil},
			{"POST", flags, "name=a&name=b", formType, 400, "invalid-parameter name", nil},
			{"POST", flags, "name=a", "text/plain", 415, "unsupported-media-type", nil},
			{"POST", flags, strings.Repeat("{", 1<<20), "application/json", 400, "invalid-body", nil},
			{"POST", flags, strings.Repeat("x", 1<<20+1), "", 413, "too-large", nil},
			{"PUT", flags + "/5", "", "", 405, "method-not-allowed", nil},
			{"DELETE", flags + "/99", "", "", 404, "not-found", nil},
			{"DELETE", flags + "/x", "", "", 400, "invalid-id", nil},
			{"PUT", on + "/99", "", "", 404, "not-found", nil},
			{"PUT", v10("/applications/99/flags/5"), "", "", 404, "not-found", nil},
			{"PUT", on + "/0", "", "", 400, "invalid-id", nil},
			{"DELETE", on + "/6", "", "", 404, "not-found", nil}, // not set
			{"DELETE", on + "/99", "", "", 404, "not-found", nil},
			{"DELETE", v10("/applications/99/flags/5"), "", "", 404, "not-found", nil},
		})

		of9001 := " applicant=4711 application=9001 flag=%d by api_key"
		revised := s.get(v10("/applications/9001")).object(t)["revised"]
		for i, c := range []struct {
			method string
			flag   int
			event  string
		}{{"PUT", 6, "Application was flagged"}, {"PUT", 6, ""}, {"PUT", 5, ""}, {"DELETE", 6,
			"Application was un-flagged"}, {"PUT", 6, "Application was flagged"}} {
			s.clock.Add(admitto.Second)
			last, want := s.lastEvent(t), []string{}
			if c.event != "" {
				want = append(want, fmt.Sprintf(c.event+of9001, c.flag))
			}
			s.do(c.method, fmt.Sprintf("%s/%d", on, c.flag), "{rubbish").want(t, 204)
			s.wantHanging(t, last, want...)
			if a := s.get(on + "/6"); (a.status == 200) != (c.method == "PUT") || i == 1 &&
				!strings.Contains(a.body, (s.clock.Now()-admitto.Second).String()) {
				t.Errorf("step %d: %s", i, a.body)
			}
		}
		if got := s.get(v10("/applications/9001")).object(t)["revised"]; got != revised {
			t.Errorf("revised %v, was %v", got, revised)
		}
		// In every status.
		for _, status := range []string{"Blank", "Draft", "Inactive", "Reopened", "Submitted", "Withdrawn", "Closed"} {
			s.put("UPDATE application SET status = '" + status + "' WHERE id = 9002")
			s.do("PUT", v10("/applications/9002/flags/5"), "").want(t, 204)
			s.do("DELETE", v10("/applications/9002/flags/5"), "").want(t, 204)
		}
		// If-Match: an association that is not there matches nothing.
		etag := s.get(on + "/6").header.Get("ETag")
		s.leavesNoTrace(t, func() {
			s.do("DELETE", on+"/6", "", header("If-Match", `"old"`)).want(t, 412)
			s.do("PUT", v10("/applications/9002/flags/6"), "", header("If-Match", "*")).want(t, 412)
			s.do("DELETE", flags+"/6", "", header("If-Match", etag)).want(t, 412)
		})
		s.do("PUT", on+"/6", "", header("If-Match", etag)).want(t, 204)
		s.do("DELETE", on+"/6", "", header("If-Match", etag)).want(t, 204)
		// A deleted flag is on nothing any more.
		last = s.lastEvent(t)
		s.do("DELETE", flags+"/5", "", header("If-Match", s.get(flags+"/5").header.Get("ETag"))).want(t, 204)
		s.wantHanging(t, last, "Flag was deleted flag=5 by api_key")
		if got := s.get(v10("/applications/9003/flags")).body; strings.Contains(got, `"5"`) || !strings.Contains(got, `"6"`) {
			t.Error(got)
		}
		s.refuses(t, []written{{"DELETE", flags + "/5", "", "", 404, "not-found", nil},
			{"PUT", on + "/5", "", "", 404, "not-found", nil}})
		_, reading := s.newKey(apikey.NewKey{Label: "reading", Scope: admitto.ScopeReadOnly})
		s.leavesNoTrace(t, func() {
			for _, c := range [][2]string{{"POST", flags}, {"DELETE", flags + "/6"}, {"PUT", on + "/6"}, {"DELETE", on + "/6"}} {
				s.do(c[0], c[1], "name=x", key(reading)).want(t, 403).problem(t, "not-permitted")
			}
		})
		raceForFlag(t, s)
	}, inNumberedContract)
}

// raceForFlag creates the same flag many times at once: one call makes it, the others learn where it is.
func raceForFlag(t *testing.T, s *service) {
	const calls = 16
	answers := make([]answer, calls)
	var all sync.WaitGroup
	for i := range calls {
		name := "Rush"
		if i%2 == 1 {
			name = "rUSH"
		}
		all.Go(func() { answers[i] = s.postForm(v10("/applications/flags"), "name="+name) })
	}
	all.Wait()
	made, places := 0, map[string]bool{}
	for _, a := range answers {
		places[a.header.Get("Location")] = true
		if a.status == 201 {
			made++
		} else if a.status != 409 {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	if made != 1 || len(places) != 1 {
		t.Errorf("%d made, at %v", made, places)
	}
}
