package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
)

// Courses of an application are added, removed and put in another order (resources.md 24.4).
func TestApplicationCourseWrites(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		on, at := v10("/applications/9002/courses"),
			func(course int) string { return fmt.Sprintf("/api/v10/applications/9002/courses/%d", course) }
		added := func(course, institution int) string {
			return fmt.Sprintf("Course was added to application applicant=4713 application=9002 course=%d institution=%d by api_key", course, institution)
		}
		removed := func(course, institution int) string {
			return strings.Replace(added(course, institution), "added to", "removed from", 1)
		}
		const moved = "Course priorities were changed applicant=4713 application=9002 by api_key"
		for i, c := range []struct {
			method, path, body string
			status             int
			courses            string
			event              string
		}{
			{"POST", on, `{"course":58}`, 201, "56 55 58", added(58, 1)}, // the intake is the only one of the term
			{"POST", on, "course=60&intake=9&modifier=Y2&priority=1", 201, "60 56 55 58", added(60, 2)},
			{"POST", "/api/v8/applications/9002/courses?course=59", "", 201, "60 56 55 58 59", added(59, 1)},
			{"PUT", at(59) + "/priority", `2`, 204, "60 59 56 55 58", moved},
			{"PUT", at(59) + "/priority", `"2"`, 204, "60 59 56 55 58", ""},
			{"PUT", at(60) + "/priority", `" 5 "`, 204, "59 56 55 58 60", moved},
			{"PUT", at(58) + "/priority", `1`, 204, "58 59 56 55 60", moved},
			{"DELETE", at(59), "", 204, "58 56 55 60", removed(59, 1)},
			{"DELETE", at(60), "", 204, "58 56 55", removed(60, 2)},
			{"POST", on, `{"course":66,"priority":"3"}`, 201, "58 56 66 55", added(66, 1)},
		} {
			s.clock.Add(admitto.Second)
			last, before := s.lastEvent(t), s.get(v10("/applications/9002")).object(t)
			kind := ""
			if strings.HasPrefix(c.body, "course") {
				kind = formType
			}
			a := s.do(c.method, c.path, c.body, contentType(kind)).want(t, c.status)
			if got := strings.Trim(fmt.Sprint(byPriority(t, s.get(on))), "[]"); got != c.courses {
				t.Errorf("%d: %s, want %s", i, got, c.courses)
			}
			var events []string
			if c.event != "" {
				events = append(events, c.event)
			}
			s.wantHanging(t, last, events...)
			if c.status == 201 {
				if there := s.get(a.header.Get("Location")); there.body != a.body {
					t.Errorf("%d: %s\n%s", i, a.body, there.body)
				}
			}
			if after := s.get(v10("/applications/9002")).object(t); after["revised"] != before["revised"] ||
				after["status"] != before["status"] {
				t.Errorf("%d: %v", i, after)
			}
		}
		if got := s.get(at(66)+"/priority").want(t, 200); got.body != "3" || got.header.Get("ETag") == "" {
			t.Error(got.body, got.header)
		}
		if got := s.get(at(58)).body; got != `{"id":58,"priority":1,"submitted":null,"modifier":null,"course":"/api/v10/courses/58","intake":"/api/v10/intakes/8"}` {
			t.Error(got)
		}
		known := s.refused(t, "already-exists", func() answer { return s.postForm(on, "course=58") }).want(t, 409)
		if known.header.Get("Location") != at(58) {
			t.Error(known.header.Get("Location"))
		}
		refuseCourses(t, s, on, at)
		conditionalCourses(t, s, on, at)
	}, func(o *options) { o.fill = putPlaces })
}

func refuseCourses(t *testing.T, s *service, on string, at func(int) string) {
	priority := at(58) + "/priority"
	s.refuses(t, []written{
		{"POST", on, "", "", 400, "invalid-parameter course", nil},
		{"POST", on, `{"course":null}`, "", 400, "invalid-parameter course", nil},
		{"POST", on, `{"course":99,"intake":98,"modifier":"Y9","priority":0}`, "", 400,
			"invalid-parameter @/course @/intake @/modifier @/priority", nil},
		{"POST", on, `{"course":60}`, "", 400, "invalid-parameter intake", nil}, // two intakes
		{"POST", on, `{"course":64}`, "", 400, "invalid-parameter intake", nil}, // none of the term
		{"POST", on, "course=64&intake=22", formType, 400, "invalid-parameter intake", nil},
		{"POST", on, "course=59&intake=8", formType, 400, "invalid-parameter course#course-not-open", nil},
		{"POST", on, "course=59&priority=6", formType, 400, "invalid-parameter priority", nil},
		{"POST", on, "course=59&priority=1.5", formType, 400, "invalid-parameter priority", nil},
		{"POST", on, `{"course":59,"priority":true,"modifier":5}`, "", 400, "invalid-parameter @/modifier @/priority", nil},
		{"POST", on, "course=59&modifier=" + strings.Repeat("x", 65), formType, 400, "invalid-parameter modifier", nil},
		{"POST", on, "course=59", "text/plain", 415, "unsupported-media-type", nil},
		{"POST", on, strings.Repeat("x", 1<<20+1), "", 413, "too-large", nil},
		{"POST", v10("/applications/99/courses"), "course=59", "text/plain", 404, "not-found", nil},
		{"POST", "/api/v7/applications/9002/courses", "course=59", formType, 405, "method-not-allowed", nil},
		{"DELETE", "/api/v7/applications/9002/courses/58", "", "", 405, "method-not-allowed", nil},
		{"PUT", "/api/v7/applications/9002/courses/58/priority", "1", "", 404, "not-in-version", nil},
		{"GET", "/api/v7/applications/9002/courses/58/priority", "", "", 404, "not-in-version", nil},
		{"DELETE", at(59), "", "", 404, "not-found", nil},
		{"DELETE", v10("/applications/99/courses/58"), "", "", 404, "not-found", nil},
		{"DELETE", v10("/applications/9001/courses/58"), "", "", 404, "not-found", nil},
		{"PUT", at(59) + "/priority", "x", "", 404, "not-found", nil},
		{"PUT", v10("/applications/9001/courses/58/priority"), "1", "", 404, "not-found", nil},
		{"GET", v10("/applications/9001/courses/58/priority"), "", "", 404, "not-found", nil},
		{"PUT", priority, "", "", 400, "invalid-body @", nil},
		{"PUT", priority, "null", "", 400, "invalid-body @", nil},
		{"PUT", priority, "first", "", 400, "invalid-body @", nil},
		{"PUT", priority, `"first"`, "", 400, "invalid-body @", nil},
		{"PUT", priority, "0", "", 400, "invalid-body @", nil},
		{"PUT", priority, "5", "", 400, "invalid-body @", nil},
		{"PUT", priority, "-1", "", 400, "invalid-body @", nil},
		{"PUT", priority, "1.0", "", 400, "invalid-body @", nil},
		{"PUT", priority, "true", "", 400, "invalid-body @", nil},
		{"PUT", priority, "[1]", "", 400, "invalid-body @", nil},
		{"PUT", priority, "99999999999999999999", "", 400, "invalid-body @", nil},
		{"PUT", priority, strings.Repeat("9", 1<<20), "", 400, "invalid-body @", nil},
		{"PUT", priority, strings.Repeat("9", 1<<20+1), "", 413, "too-large", nil},
	})
	s.notNow(t, []written{
		{"POST", v10("/applications/9001/courses"), `{"course":58}`, "", 400, "application-submitted", nil},
		{"POST", v10("/applications/9003/courses"), `{"course":58}`, "", 400, "citizenship-missing", nil},
		{"POST", on, `{"course":62}`, "", 400, "deadline-passed", nil},
		{"POST", on, `{"course":61}`, "", 400, "course-not-open", nil},
		{"POST", on, `{"course":63}`, "", 400, "course-not-open", nil},
		{"DELETE", v10("/applications/9001/courses/55"), "", "", 400, "application-submitted", nil},
		{"PUT", v10("/applications/9001/courses/55/priority"), "1", "", 400, "application-submitted", nil},
		{"DELETE", v10("/applications/9003/courses/56"), "", "", 400, "last-course", nil},
	})
	s.put("UPDATE offer SET confirmed = 1, type_confirmed_id = 4 WHERE id = 7002")
	s.notNow(t, []written{{"DELETE", v10("/applications/9003/courses/56"), "", "", 400, "last-course offer-confirmed",
		nil}})
	s.set(func(c *config.Settings) { c.Applications.MaxCourses = 4 })
	s.notNow(t, []written{{"POST", on, `{"course":59}`, "", 400, "too-many-courses", nil}})
	s.set(func(c *config.Settings) { c.Applications.MaxCourses = 10 })
	for _, status := range []string{"Submitted", "Withdrawn", "Closed"} {
		s.put("UPDATE application SET status = '" + status + "' WHERE id = 9002")
		code := "application-" + strings.ToLower(status)
		s.notNow(t, []written{{"POST", on, `{"course":59}`, "", 400, code, nil}, {"DELETE", at(58), "", "", 400, code, nil},
			{"PUT", priority, "1", "", 400, code, nil}})
	}
	s.put("UPDATE application SET status = 'Inactive' WHERE id = 9002")
	s.clock.Add(300 * admitto.Day) // the term is over
	s.notNow(t, []written{{"POST", on, `{"course":59}`, "", 400, "application-expired course-not-open", nil}})
	s.clock.Add(-300 * admitto.Day)
}

func conditionalCourses(t *testing.T, s *service, on string, at func(int) string) {
	first, again := s.postForm(on, "course=59", once("x")).want(t, 201), s.postForm(on, "course=59", once("x"))
	sameAnswer(t, first, again)
	tag := s.get(at(59) + "/priority").header.Get("ETag")
	s.leavesNoTrace(t, func() {
		s.do("PUT", at(59)+"/priority", "1", header("If-Match", `"old"`)).want(t, 412)
		s.do("DELETE", at(59), "", header("If-Match", `"old"`)).want(t, 412)
		s.do("PUT", at(59)+"/priority", "77", header("If-Match", `"old"`)).want(t, 400)
	})
	s.do("PUT", at(59)+"/priority", "1", header("If-Match", tag)).want(t, 204)
	s.leavesNoTrace(t, func() { s.do("PUT", at(59)+"/priority", "2", header("If-Match", tag)).want(t, 412) })
	s.do("DELETE", at(59), "", header("If-Match", s.get(at(59)).header.Get("ETag"))).want(t, 204)
	_, reading := s.newKey(apikey.NewKey{Label: "reading", Scope: admitto.ScopeReadOnly})
	s.get(at(58)+"/priority", key(reading)).want(t, 200)
	s.leavesNoTrace(t, func() {
		s.do("PUT", at(58)+"/priority", "1", key(reading)).want(t, 403)
		s.do("DELETE", at(58), "", key(reading)).want(t, 403)
		s.postForm(on, "course=59", key(reading)).want(t, 403)
	})
}
