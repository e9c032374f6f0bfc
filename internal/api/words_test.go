package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/config"
)

// putWords makes consents, flags and administrators, and changes words of the seed.
func putWords(s *service) {
	s.put(
		`UPDATE consent SET text = 'Line 1
Line "2"', link = 'https://www.example.edu/privacy', active = FALSE WHERE id = 1`,
		`INSERT INTO flag (id, created, name, name_key) VALUES (5, 1763640000000000, 'Interview', 'interview'), (12, 1763640000000000, 'Ürgent', 'ürgent')`,
		`UPDATE offer_type SET position = 100 - id`, // the API has them by ID
		`UPDATE application_status SET title = 'Sent in', colour = '#00FF00' WHERE name = 'Submitted'`,
		`UPDATE offer_type SET status = 'Archived', title = 'Not yet', title_key = 'not yet', bcc = '["a@example.edu","b@example.edu"]',
			subject = '', comments = '' WHERE id = 2`,
		`INSERT INTO offer_reason (id, offer_type_id, reason) VALUES (4, 4, 'Grades'), (3, 4, 'Late')`,
		`INSERT INTO administrator (id, name, email, function) VALUES (3, 'Peeter Kask', 'peeter.kask@example.edu', 'Admissions officer')`,
		`INSERT INTO administrator (id, name, email, outgoing_name, outgoing_email, phone, suspended) VALUES
			(20, 'Suspended', 's@example.edu', 'Office', 'office@example.edu', '+372 5', TRUE)`,
		`INSERT INTO administrator (id, name, email, removed) VALUES (4, 'Removed', 'r@example.edu', TRUE)`,
		`INSERT INTO role (id, name) VALUES (101, 'Own role')`,
		`INSERT INTO administrator_role (administrator_id, role_id) VALUES (3, 101), (3, 2), (4, 1)`,
	)
}

const (
	consent1 = `{"id":1,"type":"Mandatory","text":"Line 1\nLine \"2\"","link":"https://www.example.edu/privacy"}`
	consent2 = `{"id":2,"type":"Voluntary","text":"I would like to receive the newsletter.","link":null}`
	flag5    = `{"id":5,"created":"2025-11-20T12:00:00+00:00","name":"Interview"}`
	flag12   = `{"id":12,"created":"2025-11-20T12:00:00+00:00","name":"Ürgent"}`
	admin3   = `{"id":3,"name":"Peeter Kask","email":"peeter.kask@example.edu","outgoing_name":null,"outgoing_email":null,"phone":null,` +
		`"function":"Admissions officer","roles":[{"id":2,"name":"Admissions administrator"},{"id":101,"name":"Own role"}]}`
	admin20 = `{"id":20,"name":"Suspended","email":"s@example.edu","outgoing_name":"Office","outgoing_email":"office@example.edu",` +
		`"phone":"+372 5","function":null,"roles":[]}`
	statuses = `{"Blank":{"title":"Blank","colour":"#B7E356","verbose":"Started, nothing filled in yet"},` +
		`"Draft":{"title":"Draft","colour":"#B7E356","verbose":"Being filled in by the applicant"},` +
		`"Inactive":{"title":"Inactive","colour":"#B7E356","verbose":"Draft without changes for 15 days"},` +
		`"Reopened":{"title":"Reopened","colour":"#B7E356","verbose":"Given back to the applicant for changes"},` +
		`"Submitted":{"title":"Sent in","colour":"#00FF00","verbose":"Handed in, waiting for decisions"},` +
		`"Withdrawn":{"title":"Withdrawn","colour":"#AFAFAF","verbose":"Withdrawn by the applicant"},` +
		`"Closed":{"title":"Closed","colour":"#AFAFAF","verbose":"Finished, no more changes"}}`
)

func TestWordRecords(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for _, path := range []string{"/applications/flags", "/administrators"} {
			if got := s.get("/api/v10"+path).want(t, 200); got.body != "{}" || got.header.Get("X-Count") != "0" {
				t.Errorf("%s: %s %v", path, got.body, got.header)
			}
		}
		putWords(s)
		checkReads(t, s, map[string]string{
			"/applicants/consents":   `{"1":` + consent1 + `,"2":` + consent2 + `}`,
			"/applicants/consents/1": consent1,
			"/applicants/consents/2": consent2,
			"/applications/flags":    `{"5":` + flag5 + `,"12":` + flag12 + `}`,
			"/applications/flags/5":  flag5,
			"/administrators":        `{"3":` + admin3 + `,"20":` + admin20 + `}`,
			"/administrators/3":      admin3,
			"/administrators/20":     admin20,
		}, map[string]int{"/applicants/consents": 2, "/applications/flags": 2, "/administrators": 2})
		for _, prefix := range []string{"/api/v10", "/api/v6"} { // versions 4 and 5 have two more
			got, head := s.get(prefix+"/applications/statuses").want(t, 200), s.do("HEAD", prefix+"/applications/statuses",
				"").want(t, 200)
			if got.body != statuses || got.header.Get("X-Count") != "7" || head.header.Get("X-Count") != "7" {
				t.Errorf("%s: %s %v %v", prefix, got.body, got.header, head.header)
			}
		}
		for _, path := range []string{"/applicants/consents/9", "/applications/flags/9", "/administrators/4",
			"/administrators/99",
			"/applications/offers/types/99"} {
			s.get("/api/v10"+path+"?x=1", header("Prefer", "handling=strict")).want(t, 404).problem(t, "not-found")
		}
		for _, path := range []string{"/applicants/consents/x", "/applications/flags/0", "/administrators/me",
			"/applications/offers/types/Accepted"} {
			s.get("/api/v10"+path).want(t, 400).problem(t, "invalid-id")
		}
		for _, path := range []string{"/applicants/consents", "/applicants/consents/1", "/applications/flags",
			"/applications/flags/5",
			"/applications/statuses", "/administrators", "/administrators/3", "/applications/offers/types",
			"/applications/offers/types/1",
			"/classificators"} {
			if got := s.get("/api/v10"+path+"?byName=x").want(t, 200); got.header.Get("Ignored-Parameters") != "byName" {
				t.Errorf("%s: %v", path, got.header)
			}
			s.get("/api/v10"+path+"?byName=x", header("Prefer", "handling=strict")).want(t, 400).problem(t, "invalid-parameter")
		}
	})
}

func TestOfferTypes(t *testing.T) {
	const (
		type1 = `{"id":1,"status":"Online","title":"Unreplied","colour":"#9E9E9E","ranking":"Pending","bcc":[],"confirm":false,"freeze":false,` +
			`"decide":false,"decline":false,"reopen":false,"silence":false,"subject":null,"comments":null,"reasons":null}`
		type2 = `{"id":2,"status":"Archived","title":"Not yet","colour":"#5C9DED","ranking":"Pending","bcc":["a@example.edu","b@example.edu"],` +
			`"confirm":true,"freeze":false,"decide":false,"decline":false,"reopen":true,"silence":false,"subject":null,"comments":null,"reasons":null}`
		type4 = `{"id":4,"status":"Online","title":"Rejected by sending","colour":"#D9534F","ranking":"Eliminated","bcc":[],"confirm":true,` +
			`"freeze":true,"decide":false,"decline":false,"reopen":false,"silence":true,"subject":"Your application: Rejected by sending",` +
			`"comments":"Dear %applicant-Name%,\n\nyour application to %course-FullName% at %institution-Name% now has the status \"Rejected by sending\".",` +
			`"reasons":[{"id":3,"reason":"Late"},{"id":4,"reason":"Grades"}]}`
		type17 = `{"id":17,"status":"Online","title":"Accepted","colour":"#43A047","ranking":"In quota","bcc":[],"confirm":true,"freeze":true,` +
			`"decide":true,"decline":true,"reopen":false,"silence":false,"subject":"Your application: Accepted",` +
			`"comments":"Dear %applicant-Name%,\n\nyour application to %course-FullName% at %institution-Name% now has the status \"Accepted\".","reasons":null}`
	)
	onEach(t, func(t *testing.T, s *service) {
		putWords(s)
		for version := config.OldestVersion; version <= 10; version++ {
			path := fmt.Sprintf("/api/v%d/applications/offers/types", version)
			got := s.get(path).want(t, 200)
			start, middle := `{"1":`+type1+`,"2":`+type2+`,"3":{"id":3,`, `,"17":`+type17+`,"18":{`
			if version < 4 {
				start, middle = `{"Unreplied":`+type1+`,"Not yet":`+type2+`,"Sent to committee by sending":{"id":3,`,
					`,"Accepted":`+type17+`,"Scholarship":{`
			}
			if !strings.HasPrefix(got.body, start) || !strings.Contains(got.body, middle) || got.header.Get("X-Count") != "30" ||
				got.header.Get("ETag") == "" {
				t.Errorf("version %d: %v %s", version, got.header, got.body)
			}
			if head := s.do("HEAD", path, "").want(t, 200); head.header.Get("X-Count") != "30" {
				t.Errorf("HEAD in version %d: %v", version, head.header)
			}
			if version < 4 {
				s.get(path+"/17").want(t, 404).problem(t, "not-in-version")
				continue
			}
			for id, want := range map[string]string{"/1": type1, "/2": type2, "/4": type4, "/17": type17} {
				if got := s.get(path+id).want(t, 200); got.body != want {
					t.Errorf("version %d:\n got %s\nwant %s", version, got.body, want)
				}
			}
		}
	})
}

func TestClassificators(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putCatalogue(s)
		s.put(`UPDATE classificator SET title = 'Prepayment "bill"', active = FALSE WHERE class = 'Invoice type' AND code = 'Prepayment'`)
		got := s.get("/api/v10/classificators", header("Accept-Encoding", "identity")).want(t, 200)
		if got.header.Get("X-Count") != "32" || got.header.Get("ETag") == "" {
			t.Errorf("%v", got.header)
		}
		for _, part := range []string{
			`{"Advisor group":{"AGENCY":"Recruitment agency","SCHOOL":"School counsellor",`,
			`},"Education level":{"PE":"Primary (EQF 1)",`,
			`,"Invoice type":{"Invoice":"Invoice","Prepayment":"Prepayment \"bill\"","Deposit":"Deposit invoice","Credit":"Credit note"},"Institution type":{`,
			`},"Salutation":{"MR":"Mr","MS":"Ms","MRS":"Mrs","MX":"Mx","DR":"Dr","PROF":"Prof"},` +
				`"Home institution":{"CH ZURICH07":"Zürich / \"Süd\"","10":"Without Code","OTHER":"Other"},` +
				`"Host institution":{"EE TARTU99":"Northfield University"},"Visa type":{"NONE":"No visa needed",`,
		} {
			if !strings.Contains(got.body, part) {
				t.Errorf("%s is missing in %s", part, got.body)
			}
		}
		if !strings.HasSuffix(got.body, `"OTH":"Other"}}`) || strings.Contains(got.body, "Draft College") ||
			len(classesOf(t, got.body)) != 32 {
			t.Error(got.body)
		}
		s.put(`UPDATE institution SET status = 'Draft'`)
		got = s.get(oldestPath("/classificators")).want(t, 200)
		if !strings.Contains(got.body, `"Home institution":{"OTHER":"Other"},"Host institution":{},"Visa type"`) ||
			got.header.Get("X-Count") != "32" {
			t.Error(got.body)
		}
	})
}

// classesOf returns the keys of an object in their order, each once.
func classesOf(t *testing.T, body string) (keys []string) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(body))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key.(string))
		var value map[string]string
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return keys
}
