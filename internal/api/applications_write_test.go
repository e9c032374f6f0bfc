package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/store"
)

// putPlaces adds to the contract's objects what can be applied to: courses 58 (intake 8), 59 (intake 9), 60 (both), 61
// (Closed), 62 (deadline over), 63 (opens later), 64 (another term), 65 (a term that is over), 66 (Flexible, deadline
// over); and the applicants 4720 to 4724 of Finland, North Korea and, the last two, of no country.
func putPlaces(s *service) {
	putContract(s)
	if err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
		return tx.SkipIDs("application",
			9004)
	}); err != nil {
		s.t.Fatal(err)
	}
	s.putAt(
		`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (11, 2025, 'Autumn semester 2025/26', 2, '2025-08-31', '2025-10-31', '2026-01-31')`,
		`INSERT INTO intake (id, name, start, policy, academic_term_id) VALUES (20, 'Past', NULL, 'Strict (course)', 13), (21, 'Future', '2026-03-10', 'Rolling', 13),
			(22, 'Spring', NULL, 'Rolling', 12), (23, 'Over', NULL, 'Rolling', 11), (24, 'Late', NULL, 'Flexible', 13)`,
		`INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (20, '001', '2026-03-08', '', FALSE), (24, '001', '2026-03-08', '', FALSE)`,
		`INSERT INTO course (id, status, updated, institution_id, type, name) VALUES (58, 'Online', @2025-11-03T08:00:00, 1, 'UG', 'C58'),
			(59, 'Private', @2025-11-03T08:00:00, 1, 'UG', 'C59'), (60, 'Online', @2025-11-03T08:00:00, 2, 'MA', 'C60'), (61, 'Closed', @2025-11-03T08:00:00, 1, 'UG', 'C61'),
			(62, 'Online', @2025-11-03T08:00:00, 1, 'UG', 'C62'), (63, 'Online', @2025-11-03T08:00:00, 1, 'UG', 'C63'), (64, 'Online', @2025-11-03T08:00:00, 1, 'UG', 'C64'),
			(65, 'Online', @2025-11-03T08:00:00, 1, 'UG', 'C65'), (66, 'Online', @2025-11-03T08:00:00, 1, 'UG', 'C66')`,
		`INSERT INTO course_intake (course_id, intake_id) VALUES (58, 8), (59, 9), (60, 8), (60, 9), (61, 8), (62, 20), (63, 21), (64, 22), (65, 23), (66, 24)`,
	)
	for id, country := range map[int64]string{4720: "FI", 4721: "FI", 4722: "KP", 4723: "", 4724: ""} {
		s.putAt(fmt.Sprintf(`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key, citizenship)
			VALUES (%d, 'live', FALSE, @2026-01-12T08:00:00, 'A', 'B', 'p%d@example.org', 'p%d@example.org', '%s')`, id, id, id, country))
	}
}

// codes returns the error codes of a refusal, each as often as it is there.
func (a answer) codes(t testing.TB) string {
	t.Helper()
	var list []string
	entries, _ := a.object(t)["errors"].([]any)
	for _, e := range entries {
		code, _ := e.(map[string]any)["code"].(string)
		list = append(list, code)
	}
	return strings.Join(list, " ")
}

// notNow sends requests that a state forbids, with the codes of all guards that fail; they leave no trace.
func (s *service) notNow(t *testing.T, list []written) {
	t.Helper()
	s.leavesNoTrace(t, func() {
		for _, c := range list {
			a := s.do(c.method, c.path, c.body, contentType(c.contentType))
			if a.status != 400 {
				t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, a.status, a.body)
				continue
			}
			a.problem(t, "not-allowed-now")
			if got := a.codes(t); got != c.want {
				t.Errorf("%s %s %s: codes %q, want %q", c.method, c.path, c.body, got, c.want)
			}
		}
	})
}

// Applications are made, and courses added to the one of the term (resources.md 24.1).
func TestApply(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		posted, of := v10("/applications"), v10("/applicants/4720/applications")
		s.put("DELETE FROM applicant WHERE id = 4724")
		for i, c := range []struct {
			path, body, contentType string
			status                  int
			id, applicant           int64
			courses                 string
			event                   string
		}{
			{posted, `{"applicant":4720,"intake":8,"course":58}`, "", 201, 9005, 4720, "58", "course=58 institution=1"},
			{posted, "applicant=4720&intake=9&course=59", formType, 200, 9005, 4720, "58 59", "course=59 institution=1"},
			{posted, "applicant=4720&intake=8&course=58", formType, 200, 9005, 4720, "58 59", ""},
			{of, `{"applicant":"x","intake":"9","course":"60"}`, "application/json", 200, 9005, 4720, "58 59 60",
				"course=60 institution=2"},
			{of + "?intake=22&course=64", "", "", 201, 9006, 4720, "64", "course=64 institution=1"},
			{"/api/v8/applications", `{"applicant":4721,"intake":24,"course":66}`, "", 201, 9007, 4721, "66",
				"course=66 institution=1"},
		} {
			s.clock.Add(admitto.Second)
			last := s.lastEvent(t)
			a := s.do("POST", c.path, c.body, contentType(c.contentType)).want(t, c.status)
			at, _, _ := strings.Cut(c.path, "?")
			at += fmt.Sprint("/", c.id)
			if got := s.get(at).body; got != a.body || a.header.Get("Location") != at {
				t.Errorf("%d: Location %q, want %q\n%s\n%s", i, a.header.Get("Location"), at, a.body, got)
			}
			if got := a.object(t); got["status"] != "Blank" || got["submitted"] != nil {
				t.Errorf("%d: %s", i, a.body)
			}
			var courses []string
			for _, c := range byPriority(t, s.get(fmt.Sprintf("/api/v10/applications/%d/courses", c.id))) {
				courses = append(courses, fmt.Sprint(c))
			}
			if strings.Join(courses, " ") != c.courses {
				t.Errorf("%d: courses %v", i, courses)
			}
			var events []string
			of := fmt.Sprintf(" applicant=%d application=%d", c.applicant, c.id)
			if c.status == 201 {
				events = append(events, "Application was created"+of+" by api_key")
			}
			if c.event != "" {
				events = append(events, "Course was added to application"+of+" "+c.event+" by api_key")
			}
			s.wantHanging(t, last, events...)
		}
		if got := s.cell(t, "SELECT CASE WHEN late THEN 'yes' ELSE 'no' END FROM application_course WHERE course_id = 66"); got != "yes" {
			t.Errorf("late: %s", got)
		}
		s.refuses(t, []written{
			{"POST", posted, "", "", 400, "invalid-parameter applicant intake course", nil},
			{"POST", posted, `{"applicant":99,"intake":98,"course":97}`, "", 400,
				"invalid-parameter @/applicant @/course @/intake", nil},
			{"POST", posted, `{"applicant":99,"intake":"x","course":97}`, "", 400,
				"invalid-parameter @/intake @/applicant @/course", nil},
			{"POST", posted, `{"applicant":true,"intake":[8],"course":{}}`, "", 400,
				"invalid-parameter @/applicant @/intake course", nil},
			{"POST", posted, "applicant=4720&intake=8&course=59", formType, 400, "invalid-parameter course#course-not-open",
				nil},
			{"POST", posted, "applicant=4720&intake=8&course=-1", formType, 400, "invalid-parameter course", nil},
			{"POST", posted, "rubbish", "text/plain", 415, "unsupported-media-type", nil},
			{"POST", posted, strings.Repeat("{", 1<<20), "application/json", 400, "invalid-body", nil},
			{"POST", posted, strings.Repeat("x", 1<<20+1), "", 413, "too-large", nil},
			{"POST", v10("/applicants/99/applications"), "rubbish", "text/plain", 404, "not-found", nil},
			{"POST", of, "", "", 400, "invalid-parameter intake course", nil},
			{"POST", "/api/v7/applications", "applicant=4720&intake=8&course=58", formType, 405, "method-not-allowed", nil},
			{"POST", "/api/v7/applicants/4720/applications", "intake=8&course=58", formType, 405, "method-not-allowed", nil},
		})
		apply := func(applicant, intake, course int) string {
			return fmt.Sprintf(`{"applicant":%d,"intake":%d,"course":%d}`, applicant, intake, course)
		}
		s.notNow(t, []written{
			{"POST", posted, apply(4723, 8, 58), "", 400, "citizenship-missing", nil},
			{"POST", posted, apply(4722, 9, 59), "", 400, "territory-barred", nil},
			{"POST", posted, apply(4721, 20, 62), "", 400, "deadline-passed", nil},
			{"POST", posted, apply(4711, 8, 58), "", 400, "application-exists", nil},
			{"POST", posted, apply(4721, 8, 61), "", 400, "course-not-open", nil},
			{"POST", posted, apply(4721, 21, 63), "", 400, "course-not-open", nil},
			{"POST", posted, apply(4721, 23, 65), "", 400, "course-not-open", nil},
			{"POST", posted, apply(4723, 20, 62), "", 400, "citizenship-missing deadline-passed", nil},
		})
		// The same call twice makes one application; once closed, another one may follow.
		s.do("POST", v10("/applications/9007/close"), "").want(t, 204)
		first, again := s.postJSON(posted, apply(4721, 8, 58), once("a")), s.postJSON(posted, apply(4721, 8, 58), once("a"))
		sameAnswer(t, first.want(t, 201), again)
		appended := s.postJSON(posted, apply(4721, 9, 59), once("b")).want(t, 200)
		sameAnswer(t, appended, s.postJSON(posted, apply(4721, 9, 59), once("b")))
		if got := appended.header.Get("Location"); got != v10("/applications/9008") {
			t.Error(got)
		}
		_, reading := s.newKey(apikey.NewKey{Label: "reading", Scope: admitto.ScopeReadOnly})
		s.leavesNoTrace(t, func() {
			s.postJSON(posted, apply(4721, 22, 64), key(reading)).want(t, 403)
			s.postJSON(of, apply(4721, 22, 64), key(reading)).want(t, 403)
		})
		raceToApply(t, s)
	}, func(o *options) { o.fill = putPlaces })
}

// raceToApply sends many applications of one person in one term at once: one is made, the rest find it.
func raceToApply(t *testing.T, s *service) {
	answers := make(chan int, 16)
	s.put("UPDATE academic_term SET grace = '2026-12-31' WHERE id = 11")
	counts := map[int]int{}
	for range cap(answers) {
		go func() {
			answers <- s.postJSON(v10("/applications"), `{"applicant":4720,"intake":23,"course":65}`).status
		}()
	}
	for range cap(answers) {
		counts[<-answers]++
	}
	if counts[201] != 1 || counts[200] != cap(answers)-1 {
		t.Error(counts)
	}
}

// byPriority returns the IDs of courses in the order of their priorities, which must have no holes.
func byPriority(t testing.TB, a answer) []int {
	t.Helper()
	all := a.want(t, 200).object(t)
	list := make([]int, len(all))
	for _, c := range all {
		at := int(c.(map[string]any)["priority"].(float64))
		if at < 1 || at > len(list) || list[at-1] != 0 {
			t.Fatalf("priorities have holes: %s", a.body)
		}
		list[at-1] = int(c.(map[string]any)["id"].(float64))
	}
	return list
}

// Freezing, unfreezing and closing (resources.md 24.3).
func TestApplicationActions(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for _, c := range []struct {
			path   string
			field  string
			event  string
			status string
		}{
			{oldestPath("/applications/9001/freeze"), "NOW", "Application was frozen", "Submitted"},
			{"/api/v10/applications/9001/freeze", "NOW", "Application was frozen", "Submitted"},
			{"/api/applications/9001/unfreeze", "", "Application was defrosted", "Submitted"},
			{"/api/v10/applications/9001/unfreeze", "", "", "Submitted"},
			{"/api/v7/applications/9001/close", "", "Application was closed", "Closed"},
			{"/api/v10/applications/9001/freeze", "NOW", "Application was frozen", "Closed"},
		} {
			s.clock.Add(admitto.Second)
			last, before := s.lastEvent(t), s.get(v10("/applications/9001")).object(t)
			a := s.do("POST", c.path, "{rubbish", contentType("text/plain")).want(t, 204)
			if a.body != "" {
				t.Error(a.body)
			}
			var events []string
			if c.event != "" {
				events = append(events, c.event+" applicant=4711 application=9001 by api_key")
			}
			s.wantHanging(t, last, events...)
			var frozen any
			if c.field == "NOW" {
				frozen = s.clock.Now().String()
			}
			if got := s.get(v10("/applications/9001")).object(t); got["frozen"] != frozen || got["status"] != c.status ||
				got["revised"] != before["revised"] {
				t.Errorf("%s: %v", c.path, got)
			}
		}
		if got := s.cell(t, "SELECT entries FROM application_frozen WHERE application_id = 9001"); !strings.Contains(got,
			`"/profile/name/given"`) ||
			!strings.Contains(got, `"/courses/55"`) || !strings.Contains(got, `"/documents/222"`) ||
			!strings.Contains(got, `"/scores/930"`) ||
			strings.Contains(got, "/-") {
			t.Error(got)
		}
		if n := len(s.mail.Taken()); n != 0 {
			t.Errorf("%d mails", n)
		}
		s.notNow(t, []written{{"POST", v10("/applications/9001/close"), "", "", 400, "application-closed", nil}})
		s.refuses(t, []written{
			{"POST", v10("/applications/99/close"), "", "", 404, "not-found", nil},
			{"POST", v10("/applications/99/freeze"), "", "", 404, "not-found", nil},
			{"POST", v10("/applications/99/unfreeze?x=1"), "", "", 404, "not-found", nil},
			{"POST", v10("/applications/x/close"), "", "", 400, "invalid-id", nil},
			{"PUT", v10("/applications/9002/close"), "", "", 405, "method-not-allowed", nil},
		})
		once1, once2 := s.do("POST", v10("/applications/9002/close"), "", once("c")), s.do("POST",
			v10("/applications/9002/close"), "", once("c"))
		if once1.status != 204 || once2.status != 204 {
			t.Error(once1.status, once2.status)
		}
		_, reading := s.newKey(apikey.NewKey{Label: "reading", Scope: admitto.ScopeReadOnly})
		s.leavesNoTrace(t, func() {
			for _, action := range []string{"freeze", "unfreeze", "close"} {
				s.do("POST", v10("/applications/9003/"+action), "", key(reading)).want(t, 403)
			}
		})
	}, func(o *options) { o.fill = putPlaces })
}
