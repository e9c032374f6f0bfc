package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/google/go-cmp/cmp"
)

// putRankings makes rankings and members of every kind.
func putRankings(s *service) {
	putCatalogue(s)
	s.put("INSERT INTO flag (id, created, name, name_key) VALUES (5, 1, 'Interview', 'interview'), (6, 1, 'Other', 'other')")
	for _, a := range []struct {
		id, term             int
		status, country      string
		visible, flag, offer string
	}{
		{101, 13, "Submitted", "EE", "TRUE", "6",
			"(501, 55, NULL, 1, 11, 'None', 8000, NULL), (502, 7, NULL, 2, 13, 'None', 8000, 500)"},
		{102, 13, "Reopened", "HU", "TRUE", "", "(503, 55, 8, 1, 17, 'Final', NULL, 250)"},
		{103, 13, "Withdrawn", "EE", "TRUE", "", "(504, 55, 8, 1, 11, 'Declined', 9900, NULL)"},
		{104, 13, "Closed", "EE", "TRUE", "", "(505, 55, 8, 1, 17, 'None', 7000, NULL)"},
		{105, 13, "Submitted", "HU", "TRUE", "5", "(506, 55, 8, 2, 1, 'None', 8000, 0)"},
		{106, 13, "Submitted", "EE", "TRUE", "", "(507, 55, 8, 1, 19, 'None', NULL, NULL)"},
		{107, 13, "Draft", "EE", "TRUE", "", "(508, 55, 8, 1, 1, 'None', 9000, NULL)"},
		{108, 13, "Submitted", "EE", "FALSE", "", "(509, 55, 8, 1, 1, 'None', 9000, NULL)"},
		{109, 2, "Submitted", "", "TRUE", "", "(510, 55, 9, 1, 1, 'None', -100, 50)"},
	} {
		s.put(fmt.Sprintf(`INSERT INTO applicant (id, state, lead, registered, email, email_key, citizenship)
				VALUES (%d, 'live', FALSE, 1, '%d@example.org', '%d@example.org', '%s')`, a.id+1000, a.id, a.id, a.country),
			fmt.Sprintf(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted, visible)
				VALUES (%d, %d, %d, '%s', 1, 1, 1, %s)`, a.id, a.id+1000, a.term, a.status, a.visible))
		for offer := range strings.SplitSeq(a.offer, "), ") {
			offer = strings.Trim(offer, "()")
			id, rest, _ := strings.Cut(offer, ",")
			s.put(fmt.Sprintf(`INSERT INTO offer (id, application_id, applicant_id, institution_id, inserted, course_id, intake_id, priority, type_id,
				decision, score_auto, score_extra) VALUES (%s, %d, %d, 1, 1, %s)`, id, a.id, a.id+1000, rest))
		}
		if a.flag != "" {
			s.put(fmt.Sprintf("INSERT INTO application_flag (flag_id, application_id, assigned) VALUES (%s, %d, 1)", a.flag,
				a.id))
		}
	}
	s.put(`INSERT INTO ranking (id, name, created, modified, academic_term_id, filters, quota) VALUES
			(2, 'Energy Systems', 1773046800000000, 1773046801000000, NULL, '{}', 2),
			(3, 'All', 1773046800000000, 1773046800000000, NULL, '{"intakes":null,"citizenships":null,"flags":null,"statuses":null}', NULL),
			(4, 'Old term', 1773046800000000, 1773046800000000, 2, '{}', 0),
			(5, 'Filtered', 1773046800000000, 1773046800000000, 13,
				'{"intakes":[9,8],"citizenships":["HU","LV"],"flags":[5],"statuses":["Submitted","Withdrawn","Draft"]}', 1),
			(6, 'Nobody', 1773046800000000, 1773046800000000, NULL, '{}', 5)`,
		"INSERT INTO ranking_course (ranking_id, course_id) VALUES (2, 55), (4, 55), (4, 7), (6, 100)")
}

const (
	ranking2 = `{"id":2,"name":"Energy Systems","created":"2026-03-09T09:00:00+00:00","modified":"2026-03-09T09:00:01+00:00",` +
		`"academic_term":null,"courses":{"55":"/api/v10/courses/55"},"filters":{"intakes":{},"citizenships":[],"flags":{},"statuses":[]},` +
		`"quota":2,"entries":"/api/v10/rankings/2/entries"}`
	ranking3 = `{"id":3,"name":"All","created":"2026-03-09T09:00:00+00:00","modified":"2026-03-09T09:00:00+00:00",` +
		`"academic_term":null,"courses":{},"filters":{"intakes":{},"citizenships":[],"flags":{},"statuses":[]},` +
		`"quota":null,"entries":"/api/v10/rankings/3/entries"}`
	ranking5 = `{"id":5,"name":"Filtered","created":"2026-03-09T09:00:00+00:00","modified":"2026-03-09T09:00:00+00:00",` +
		`"academic_term":"/api/v10/academic-terms/13","courses":{},"filters":{"intakes":{"8":"/api/v10/intakes/8","9":"/api/v10/intakes/9"},` +
		`"citizenships":["HU","LV"],"flags":{"5":"/api/v10/applications/flags/5"},"statuses":["Submitted","Withdrawn","Draft"]},` +
		`"quota":1,"entries":"/api/v10/rankings/5/entries"}`
	entry503 = `{"id":503,"position":5,"rank":3,"offer":"/api/v10/applications/102/offers/503","application":"/api/v10/applications/102",` +
		`"applicant":"/api/v10/applicants/1102","course":"/api/v10/courses/55","score":{"auto":null,"extra":"2.50","total":"2.50"},` +
		`"priority":1,"type":"/api/v10/applications/offers/types/17","decision":"Final","in_quota":true}`
	entry507 = `{"id":507,"position":7,"rank":null,"offer":"/api/v10/applications/106/offers/507","application":"/api/v10/applications/106",` +
		`"applicant":"/api/v10/applicants/1106","course":"/api/v10/courses/55","score":{"auto":null,"extra":null,"total":null},` +
		`"priority":1,"type":"/api/v10/applications/offers/types/19","decision":"None","in_quota":false}`
	entry510 = `{"id":510,"position":6,"rank":4,"offer":"/api/v10/applications/109/offers/510","application":"/api/v10/applications/109",` +
		`"applicant":"/api/v10/applicants/1109","course":"/api/v10/courses/55","score":{"auto":"-1.00","extra":"0.50","total":"-0.50"},` +
		`"priority":1,"type":"/api/v10/applications/offers/types/1","decision":"None","in_quota":false}`
)

func TestRankings(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		if a := s.get(v10("/rankings")).want(t, 200); a.body != "{}" || a.header.Get("X-Count") != "0" {
			t.Fatalf("%s %v", a.body, a.header)
		}
		putRankings(s)
		for path, want := range map[string]string{
			"/rankings/2":                                 ranking2,
			"/rankings/3":                                 ranking3,
			"/rankings/5":                                 ranking5,
			"/rankings?byCourseIDs=55":                    "2 3 4 5",
			"/rankings?byCourseIDs=7":                     "3 4 5",
			"/rankings?byCourseIDs=7,100":                 "3 4 5 6",
			"/rankings?byCourseIDs=999":                   "3 5",
			"/rankings?byAcademicTermID=2":                "2 3 4 6",
			"/rankings?byAcademicTermID=13,2":             "2 3 4 5 6",
			"/rankings?byAcademicTermID=9":                "2 3 6",
			"/rankings?byCourseIDs=7&byAcademicTermID=13": "3 5",
			"/rankings":                                   "2 3 4 5 6",
			"/rankings/2/entries?byTypes=17,19":           "",
		} {
			a := s.get(v10(path)).want(t, 200)
			switch {
			case strings.HasPrefix(want, "{"):
				if a.body != want {
					t.Errorf("%s:\n got %s\nwant %s", path, a.body, want)
				}
			case want != "":
				if got := strings.Trim(fmt.Sprint(a.ids(t)), "[]"); got != want ||
					a.header.Get("X-Count") != fmt.Sprint(len(strings.Fields(want))) {
					t.Errorf("%s: %s, X-Count %s, want %s", path, got, a.header.Get("X-Count"), want)
				}
			}
			head := s.do("HEAD", v10(path), "").want(t, 200)
			if head.header.Get("X-Count") != a.header.Get("X-Count") ||
				head.header.Get("Content-Length") != fmt.Sprint(len(a.body)) {
				t.Errorf("HEAD %s: %v", path, head.header)
			}
		}
		for path, status := range map[string]int{"/rankings/1": 404, "/rankings/1/entries": 404,
			"/rankings/1/entries?byTypes=x": 404, "/rankings/x": 400,
			"/rankings?byCourseIDs=": 400, "/rankings?byAcademicTermID=x": 400, "/rankings/2/entries?byTypes=Accepted": 400,
			"/rankings/2/entries?byDecisions=Maybe": 400, "/rankings/2/entries?byInQuota=2": 400} {
			s.get(v10(path)).want(t, status)
		}
		for _, prefix := range []string{"/api/v9", oldestPath(""), "/api"} {
			for _, path := range []string{"/rankings", "/rankings/2", "/rankings/2/entries"} {
				s.get(prefix+path).want(t, 404).problem(t, "not-in-version")
			}
		}
	})
}

func TestRankingEntries(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putRankings(s)
		for path, want := range map[string]string{ // id:position/rank, + for a place
			"/rankings/2/entries":                             "501:2/1+ 503:5/3+ 504:1/0 505:4/0 506:3/2 507:7/0 510:6/4",
			"/rankings/2/entries?byInQuota=true":              "501:2/1+ 503:5/3+",
			"/rankings/2/entries?byInQuota=false&byTypes=1":   "506:3/2 510:6/4",
			"/rankings/2/entries?byDecisions=final,declined":  "503:5/3+ 504:1/0",
			"/rankings/2/entries?byDecisions=None&byTypes=11": "501:2/1+",
			"/rankings/2/entries?byTypes=999":                 "",
			"/rankings/3/entries":                             "501:3/2+ 502:2/1+ 503:6/4+ 504:1/0 505:5/0 506:4/3+ 507:8/0 510:7/5+",
			"/rankings/4/entries":                             "510:1/1",
			"/rankings/5/entries":                             "506:1/1+",
			"/rankings/6/entries":                             "",
		} {
			a := s.get(v10(path)).want(t, 200)
			ids := a.ids(t)
			var entries map[string]struct {
				Position, Rank int
				InQuota        bool `json:"in_quota"`
			}
			if err := json.Unmarshal([]byte(a.body), &entries); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, id := range ids {
				e := entries[fmt.Sprint(id)]
				got = append(got, fmt.Sprintf("%d:%d/%d", id, e.Position, e.Rank)+map[bool]string{true: "+"}[e.InQuota])
			}
			if strings.Join(got, " ") != want || !slices.IsSorted(ids) || a.header.Get("X-Count") != fmt.Sprint(len(ids)) {
				t.Errorf("%s: %v, want %s, X-Count %s", path, got, want, a.header.Get("X-Count"))
			}
		}
		if a := s.get(v10("/rankings/2/entries?byTypes=17,19")).want(t, 200); !strings.HasPrefix(a.body,
			`{"503":`+entry503+`,"505":`) ||
			!strings.HasSuffix(a.body, `,"507":`+entry507+`}`) {
			t.Errorf("%s", a.body)
		}
		if a := s.get(v10("/rankings/2/entries?byTypes=1")).want(t, 200); !strings.HasSuffix(a.body, `"510":`+entry510+`}`) {
			t.Errorf("%s", a.body)
		}
	})
}

// However many members and rankings there are, the statements are the same, and each is answered by an index.
func TestRankingStatements(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putRankings(s)
		count := func() (list []int64) {
			for _, path := range []string{"/rankings", "/rankings/2", "/rankings/2/entries", "/rankings/5/entries"} {
				before := s.store.Statements()
				s.get(v10(path)).want(t, 200)
				list = append(list, s.store.Statements()-before)
			}
			return list
		}
		count() // what is remembered about the key
		few := count()
		for i := range 30 {
			s.put(fmt.Sprintf("INSERT INTO course (id, status, updated, institution_id, name) VALUES (%d, 'Online', 1, 1, 'C')",
				2000+i),
				fmt.Sprintf(`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id)
					VALUES (%d, 101, 1101, %d, 1, 3, 1, 2)`, 8000+i, 2000+i),
				fmt.Sprintf("INSERT INTO ranking (id, name, created, modified) VALUES (%d, 'R', 1, 1)", 100+i),
				fmt.Sprintf("INSERT INTO ranking_course (ranking_id, course_id) VALUES (2, %d), (%d, 55)", 2000+i, 100+i))
		}
		if diff := cmp.Diff(few, count()); diff != "" {
			t.Fatalf("statements (-few +many): %s", diff)
		}
		var queries []func(*store.Tx) error
		for _, k := range []admitto.Ranking{{}, {Courses: []int64{55}}, {Term: 13}, {Term: 13, Courses: []int64{55}},
			{Courses: []int64{55}, Filters: admitto.RankingFilters{Intakes: []int64{8}, Citizenships: []string{"HU"},
				Flags: []int64{5}, Statuses: []string{"Submitted"}}}} {
			queries = append(queries, func(tx *store.Tx) error {
				_, err := tx.RankingMembers(&k)
				return err
			})
		}
		s.planTest(t, queries)
	})
}
