package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// putScores makes scoresheets and scores next to what putOffers makes; score 934 belongs to the invisible
// application.
func putScores(s *service) {
	s.put(
		`INSERT INTO scoresheet_group (id, name) VALUES (1, 'Languages')`,
		`INSERT INTO scoresheet (id, created, scored, name, type, date, reference, depth, range_min, range_max, scale, group_id) VALUES
			(6, 1773046800000000, 1773046810000000, 'English', 'IELTS', 'Optional', 'Required', 'Application', 0, 90000, 1, 1)`,
		`INSERT INTO scoresheet (id, created, confirmed, name, type, maps, depth, range_min, range_max, scale, instructions) VALUES
			(7, 1773046800000000, 1773046820000000, 'Interview', 'Mapped', '[{"label":"good","value":25000},{"label":"bad","value":-10500},{"label":"fair","value":0}]',
			'Offer', -10500, 25000, 2, 'Ask "why"'), (8, 1773046800000000, NULL, 'Test', 'Number', '', 'Application', -1000000, 1000000, 4, '')`,
		`INSERT INTO score (id, scoresheet_id, application_id, offer_id, scored, points, comments, date, reference, subject, language) VALUES
			(930, 6, 9001, NULL, 1773046810000000, 75000, '', '2025-10-11', 'TRF-00017', '', ''),
			(931, 7, 9001, 7001, 1773046811999999, 0, 'Well spoken', NULL, '', 'Physics', 'en'),
			(932, 7, 9001, 7002, NULL, NULL, '', NULL, '', '', ''),
			(933, 6, 9002, NULL, NULL, NULL, 'Later', NULL, '', '', ''),
			(934, 6, 9003, NULL, 1773046812000000, 10000, '', NULL, '', '', ''),
			(935, 8, 9002, NULL, 1773046812000000, 12345, '', NULL, '', '', '')`,
	)
}

func TestScoreFilters(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putOffers(s)
		putScores(s)
		s.put(`INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (5000, 'live', FALSE, 1, 'd@example.org', 'd@example.org')`,
			`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (9100, 5000, 2, 'Draft', 1, 1)`,
			`INSERT INTO score (id, scoresheet_id, application_id, scored, points) VALUES (940, 6, 9100, 1773046815500000, 10000)`)
		for _, row := range []struct {
			query string
			ids   []int64
			count int // 0: as many as ids
		}{
			{"", []int64{930, 933, 940}, 0},
			{"byAcademicTermID=13", []int64{930, 933}, 0},
			{"byAcademicTermID=2", []int64{940}, 0},
			{"byAcademicTermID=2,13", []int64{930, 933, 940}, 0},
			{"byAcademicTermID=99", []int64{}, 0},
			{"byApplicationIDs=9002+9100", []int64{933, 940}, 0},
			{"byApplicationIDs=9003", []int64{}, 0},
			{"byScored=true", []int64{930, 940}, 0},
			{"byScored=0", []int64{933}, 0},
			{"bySince=931", []int64{933, 940}, 0},
			{"byUntil=933", []int64{930, 933}, 0},
			{"byUntil=0", []int64{}, 0},
			{"bySince=931&byUntil=939", []int64{933}, 0},
			{"bySince=2026-03-09T09:00:10Z", []int64{930, 940}, 0},
			{"bySince=2026-03-09T09:00:15Z", []int64{940}, 0},
			{"byUntil=2026-03-09T09:00:15Z", []int64{930, 940}, 0},
			{"byUntil=2026-03-09T09:00:10Z", []int64{930}, 0},
			{"byUntil=2026-03-08", []int64{}, 0},
			{"byUntil=2026-03-09&bySince=2026-03-09", []int64{930, 940}, 0},
			{"bySince=2026-03-09T09:00:10Z&byUntil=939&byScored=1&byApplicationIDs=9001&byAcademicTermID=13", []int64{930}, 0},
			{"byScored=false&byAcademicTermID=2", []int64{}, 0},
			{"limit=1", []int64{930}, 3},
			{"limit=1&after=930", []int64{933}, 3},
			{"after=933", []int64{940}, 3},
			{"after=940", []int64{}, 3},
			{"after=930&byScored=true", []int64{940}, 2},
			{"after=930&bySince=2026-03-09T09:00:10Z&limit=1", []int64{940}, 2},
			{"limit=2&byApplicationIDs=9001,9002,9100", []int64{930, 933}, 3},
		} {
			path := v10("/scoresheets/6/scores?") + row.query
			a := s.get(path).want(t, 200)
			count := max(row.count, len(row.ids))
			if got := a.ids(t); !slices.Equal(got, row.ids) || a.header.Get("X-Count") != fmt.Sprint(count) {
				t.Errorf("%s: %v, X-Count %s, want %v, %d", row.query, got, a.header.Get("X-Count"), row.ids, count)
			}
			head := s.do("HEAD", path, "").want(t, 200)
			if head.header.Get("X-Count") != fmt.Sprint(count) || head.header.Get("Content-Length") != "" ||
				head.header.Get("Link") != a.header.Get("Link") {
				t.Errorf("HEAD %s: %v", row.query, head.header)
			}
			if more := strings.Contains(row.query, "limit=") && len(row.ids) > 0 &&
				row.ids[len(row.ids)-1] != 940; more != (a.header.Get("Link") != "") {
				t.Errorf("%s: Link %q", row.query, a.header.Get("Link"))
			}
		}
		if a := s.get(v10("/scoresheets/6/scores?limit=1")); a.header.Get("Link") != `</api/v10/scoresheets/6/scores?after=930&limit=1>; rel="next"` {
			t.Errorf("%v", a.header)
		}
		for _, row := range []struct{ query, parameters string }{
			{"byAcademicTermID=x", "byAcademicTermID"}, {"byApplicationIDs=", "byApplicationIDs"}, {"byScored=maybe",
				"byScored"},
			{"byScored=1&byScored=0", "byScored"}, {"bySince=soon", "bySince"}, {"byUntil=2026-13-01", "byUntil"}, {"limit=0",
				"limit"},
			{"limit=16385", "limit"}, {"limit=x", "limit"}, {"after=x", "after"}, {"byScored=2&limit=0", "byScored limit"},
		} {
			for _, method := range []string{"GET", "HEAD"} {
				a := s.do(method, v10("/scoresheets/6/scores?")+row.query, "").want(t, 400)
				if method == "HEAD" {
					continue
				}
				var names []string
				for _, fault := range a.problem(t, "invalid-parameter")["errors"].([]any) {
					names = append(names, fault.(map[string]any)["parameter"].(string))
				}
				if strings.Join(names, " ") != row.parameters {
					t.Errorf("%s: %v", row.query, names)
				}
			}
			s.get(v10("/scoresheets/99/scores?")+row.query).want(t, 404).problem(t, "not-found")
		}
	})
}

func TestScores(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putOffers(s)
		putScores(s)
		for path, want := range map[string]string{
			"/scoresheets/6/scores/930/points":   `"7.5"`,
			"/scoresheets/6/scores/933/points":   `null`,
			"/scoresheets/6/scores/933/comments": `"Later"`,
			"/scoresheets/6/scores/930/comments": `null`,
			"/scoresheets/7/scores/931/points":   `"0.00"`,
			"/scoresheets/8/scores/935/points":   `"1.2345"`,
		} {
			for _, prefix := range eachPrefix() {
				if a := s.get(prefix+path).want(t, 200); a.body != want || a.header.Get("ETag") == "" {
					t.Errorf("%s%s: %s %v", prefix, path, a.body, a.header)
				}
			}
		}
		for _, path := range []string{"/scoresheets/9", "/scoresheets/9/scores", "/scoresheets/7/scores/930",
			"/scoresheets/9/scores/930",
			"/scoresheets/6/scores/934", "/scoresheets/6/scores/934/points", "/scoresheets/6/scores/931/comments"} {
			s.get(v10(path)).want(t, 404).problem(t, "not-found")
			s.get(v10(path)+"?x=1", header("Prefer", "handling=strict")).want(t, 404).problem(t, "not-found")
		}
	})
}

// Each filter of the scores of a sheet is answered by an index.
func TestScorePlans(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putOffers(s)
		putScores(s)
		for i := range 40 {
			s.put(fmt.Sprintf(`INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (%d, 'live', FALSE, 1, 'x%d', 'x%d')`, 6000+i, i, i),
				fmt.Sprintf(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (%d, %d, 2, 'Draft', 1, 1)`, 9500+i, 6000+i))
		}
		s.planTest(t, scoreQueries())
	})
}

// planTest fails when a statement walks a whole table of applications, offers or scores.
func (s *service) planTest(t *testing.T, queries []func(*store.Tx) error) {
	t.Helper()
	err := s.store.Read(t.Context(), func(tx *store.Tx) error {
		if s.store.Shared() {
			// A planner that knows the tables to be tiny would scan them all.
			if err := sqltest.In(tx).Query("SELECT set_config('enable_seqscan', 'off', true)").Close(); err != nil {
				return err
			}
		}
		for i, query := range queries {
			plans, err := tx.Plans(func() error { return query(tx) })
			if err != nil {
				return err
			}
			for _, p := range plans {
				for step := range strings.Lines(p.Steps) {
					big := strings.Contains(step, " s ") || strings.Contains(step, " a ") || strings.Contains(step, " o ") ||
						strings.HasSuffix(step, " s\n") || strings.HasSuffix(step, " a\n") || strings.HasSuffix(step, " o\n")
					if (strings.HasPrefix(step, "SCAN") || strings.Contains(step, "Seq Scan")) && big &&
						!strings.Contains(step, "INDEX") {
						t.Errorf("query %d: %s\n%s", i, p.SQL, p.Steps)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// scoreQueries are the lists and counts of each filter.
func scoreQueries() (list []func(*store.Tx) error) {
	yes, no := true, false
	for _, q := range []admitto.ScoreQuery{{}, {FromID: 900}, {ToID: 900}, {After: 930}, {FromTime: 1}, {ToTime: 1},
		{Terms: []int64{2}},
		{Applications: []int64{9001}}, {Scored: &yes}, {Scored: &no}} {
		q.Scoresheet, q.Limit = 6, 10
		list = append(list, func(tx *store.Tx) error {
			_, err := tx.EachScore(&admitto.Scoresheet{ID: 6}, q, func(*admitto.Score) error { return nil })
			return err
		}, func(tx *store.Tx) error {
			_, err := tx.CountScores(q)
			return err
		})
	}
	return list
}
