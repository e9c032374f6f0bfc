package api_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// dean is an administrator who uses a screen.
func dean() usecase.Caller {
	return usecase.Caller{Caller: admitto.AdministratorCaller(3, admitto.AllPermissions(), "r1")}
}

// putSecondOffer stores an offer of application 9002 for course 55, so that its ranking has two entries.
func putSecondOffer(s *service) {
	s.putAt(`UPDATE application SET status = 'Submitted', submitted = @2026-02-02T10:00:00 WHERE id = 9002`,
		`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id) VALUES
			(7003, 9002, 4713, 55, 1, 2, @2026-02-02T10:00:00, 1)`)
}

// explained returns the stored explanation of the automatic score of an offer.
func (s *service) explained(t testing.TB, offer int64) (text string) {
	t.Helper()
	err := s.store.Read(context.Background(), func(tx *store.Tx) (err error) {
		text, err = tx.ScoreExplained(offer)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A change of points is seen in the ranking by the one who reads it next.
func TestPointsReorderRanking(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putSecondOffer(s)
		order := func() string {
			var list []string
			for id, entry := range s.get(v10("/rankings/2/entries")).want(t, 200).object(t) {
				e := entry.(map[string]any)
				list = append(list, fmt.Sprintf("%v:%s", e["position"], id))
			}
			if len(list) == 2 && list[0] > list[1] {
				list[0], list[1] = list[1], list[0]
			}
			return strings.Join(list, " ")
		}
		if got := order(); got != "1:7001 2:7003" {
			t.Fatal(got)
		}
		for _, row := range []struct{ call, path, body, want string }{
			{"POST", "/scoresheets/6/scores", `{"application":9002,"points":9}`, "1:7003 2:7001"},
			{"PUT", "/scoresheets/6/scores/933/points", "5", "1:7001 2:7003"},
			{"PUT", "/scoresheets/6/scores/930", `{"points":4}`, "1:7003 2:7001"},
			{"PATCH", "/scoresheets/6/scores/930", `{"points":6}`, "1:7001 2:7003"},
			{"DELETE", "/scoresheets/6/scores/930/points", "", "1:7003 2:7001"}, // 55.00 before 2.00 of the extra score
		} {
			if a := s.do(row.call, v10(row.path), row.body, contentType(jsonType)); a.status > 204 {
				t.Fatal(a.body)
			}
			if got := order(); got != row.want {
				t.Errorf("%s %s: %s, want %s", row.call, row.body, got, row.want)
			}
		}
	}, withSheets)
}

// Many clients score the same application at once, for the first time: one score, the last value, and events that lead
// from one value to the next. Others score other applications on the same sheet meanwhile.
func TestScoringAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putSecondOffer(s)
		last := s.lastEvent(t)
		var all sync.WaitGroup
		paths := make([]string, 30)
		for i := range paths {
			all.Go(func() {
				application := []int{9002, 9002, 9001}[i%3]
				a := s.postJSON(v10("/scoresheets/6/scores"), fmt.Sprintf(`{"application":%d,"points":"%d.%d"}`, application, i%9,
					i%2*5))
				if a.status != 201 {
					t.Errorf("%d %s", a.status, a.body)
				}
				paths[i] = a.header.Get("Location")
			})
		}
		all.Wait()
		for i, path := range paths {
			if path != paths[i%3] || paths[0] != paths[1] {
				t.Errorf("%d: %s", i, path)
			}
		}
		for application, offer := range map[int64]int64{9001: 7001, 9002: 7003} {
			added := 0
			err := s.store.Read(t.Context(), func(tx *store.Tx) error {
				_, err := tx.EachRecord(admitto.JournalQuery{After: last, Limit: 1000, ApplicationIDs: []int64{application}},
					func(r *admitto.Record) error {
						if r.Pattern == admitto.ScoreAdded {
							added++
						}
						return nil
					})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if want := map[int64]int{9001: 0, 9002: 1}[application]; added != want {
				t.Errorf("application %d was added %d times", application, added)
			}
			var shown []string
			for _, score := range s.get(v10(fmt.Sprintf("/applications/%d/scores", application))).object(t) {
				if r := score.(map[string]any); r["scoresheet"] == v10("/scoresheets/6") {
					shown = append(shown, r["points"].(string))
				}
			}
			if len(shown) != 1 {
				t.Fatalf("application %d: %v", application, shown)
			}
			p, _ := admitto.ParsePoints(shown[0], 1)
			want := admitto.Hundredths(p * 11 / 100).String()
			a := s.get(v10(fmt.Sprintf("/applications/%d/offers/%d", application, offer))).object(t)
			if got := a["score"].(map[string]any)["auto"]; got != want {
				t.Errorf("application %d: %s points, auto %v, want %s", application, shown[0], got, want)
			}
		}
	}, withSheets)
}

// Staff change the criteria: every offer of the course is calculated again, and what has another value is told.
func TestChangeCriteria(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putSecondOffer(s)
		s.put(`INSERT INTO score (id, scoresheet_id, application_id, scored, points) VALUES (960, 6, 9002, 1, 60000), (961, 10, 9001, 1, 850000)`)
		line := func(sheet int64, weight admitto.Weight, percent, required bool) scoring.NewCriterion {
			return scoring.NewCriterion{Scoresheet: sheet, Weight: weight, Percent: percent, Required: required}
		}
		set := func(by usecase.Caller, course int64, lines ...scoring.NewCriterion) (int, error) {
			s.clock.Add(admitto.Second)
			if err := s.services.Scoring.ChangeCriteria(t.Context(), by, course, lines); err != nil {
				return 0, err
			}
			return s.services.Scoring.RecalculateCourse(t.Context(), by.Caller, course)
		}
		const second = "Offer automatic score was calculated 4713/9002/7003/55/1 by system"
		autos := func() (list []any) {
			for _, path := range []string{"/applications/9001/offers/7001", "/applications/9002/offers/7003"} {
				list = append(list, s.get(v10(path)).object(t)["score"].(map[string]any)["auto"])
			}
			return list
		}
		for _, row := range []struct {
			lines         []scoring.NewCriterion
			events, autos string
			done          int
		}{
			{[]scoring.NewCriterion{line(6, 11_0000, false, true)}, second, "[82.50 66.00]",
				1}, // unchanged, but 7003 was never calculated
			{[]scoring.NewCriterion{line(6, 10_0000, false, true)},
				"Scoring criteria were changed 0/0/0/55/0 by administrator; auto; " + second, "[75.00 60.00]", 2},
			{[]scoring.NewCriterion{line(6, 5000, true, true), line(10, 5000, true, false)},
				"Scoring criteria were changed 0/0/0/55/0 by administrator; auto; " + second, "[66.67 33.33]", 2},
			{[]scoring.NewCriterion{line(6, 5000, true, true), line(10, 5000, true, true)},
				"Scoring criteria were changed 0/0/0/55/0 by administrator; " + second, "[66.67 <nil>]", 2},
			{nil, "Scoring criteria were changed 0/0/0/55/0 by administrator; auto", "[<nil> <nil>]", 2},
			{nil, "", "[<nil> <nil>]", 0},
		} {
			last := s.lastEvent(t)
			done, err := set(dean(), 55, row.lines...)
			if got := s.scoreEvents(t, last); err != nil || done != row.done || row.autos != fmt.Sprint(autos()) ||
				got != row.events {
				t.Errorf("%+v: %d %v, events %q, autos %v", row.lines, done, err, got, autos())
			}
		}
		if got := s.explained(t, 7001); got != "" {
			t.Errorf("%s", got)
		}
		s.leavesNoTrace(t, func() {
			_, err := set(dean(), 99, line(6, 1, false, false))
			if admitto.KindOf(err) != admitto.NotFound {
				t.Error(err)
			}
			_, err = set(dean(), 55, line(6, 1, false, false), line(99, 1, true, false), line(6, 0, false, false))
			var e *admitto.Error
			if !errors.As(err, &e) || e.Kind != admitto.InvalidParameter || len(e.Faults) != 2 ||
				e.Faults[0].Path != "criteria/1" || e.Faults[1].Path != "criteria/2" {
				t.Error(err)
			}
			stale := dean()
			stale.Version = 1
			if _, err = set(stale, 55, line(6, 1, false, false)); admitto.KindOf(err) != admitto.ChangedMeanwhile {
				t.Error(err)
			}
		})
		// A crash between the criteria and the calculation is made up for.
		s.put(`INSERT INTO criterion (course_id, scoresheet_id, position, weight) VALUES (55, 6, 1, 20000)`,
			`UPDATE course SET criteria_version = criteria_version + 1 WHERE id = 55`)
		if done, err := s.services.Scoring.RecalculateStale(t.Context(), admitto.SystemCaller()); err != nil || done != 2 ||
			fmt.Sprint(autos()) != "[15.00 12.00]" {
			t.Errorf("%d %v %v", done, err, autos())
		}
		if done, err := s.services.Scoring.RecalculateStale(t.Context(), admitto.SystemCaller()); err != nil || done != 0 {
			t.Errorf("%d %v", done, err)
		}
		list, version, err := s.services.Query.Criteria(t.Context(), admitto.SystemCaller(), 55)
		if err != nil || len(list) != 1 || list[0].Sheet.ID != 6 || list[0].Weight != 20000 || version != 6 {
			t.Errorf("%+v %d %v", list, version, err)
		}
		if got := s.explained(t, 7001); !strings.Contains(got, `"criteria":6`) || !strings.Contains(got, `"part":"15.0000"`) {
			t.Errorf("%s", got)
		}
	}, withSheets)
}

// After a sheet was confirmed only those with the permission scorers change its scores.
func TestConfirmedSheet(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		good := admitto.Points(25_000)
		change := scoring.ScoreChange{Fields: admitto.ScorePoints | admitto.ScoreSubject | admitto.ScoreLanguage,
			Values: admitto.Score{Points: &good, Subject: "Physics", Language: "en"}}
		in := scoring.NewScore{Application: 9001, Offer: 7001, ScoreChange: change}
		key := usecase.Caller{Caller: admitto.KeyCaller(s.keyID, admitto.AllPermissions(), "")}
		s.leavesNoTrace(t, func() {
			for _, row := range []struct {
				by      usecase.Caller
				scorers bool
			}{{key, false}, {key, true}, {dean(), false}} {
				in.Scorers = row.scorers
				_, err := s.services.Scoring.AddScore(t.Context(), row.by, 7, in)
				var e *admitto.Error
				if !errors.As(err, &e) || e.Kind != admitto.NotAllowedNow || e.Faults[0].Code != "sheet-confirmed" {
					t.Error(err)
				}
				change.Scorers = row.scorers
				if err := s.services.Scoring.ChangeScore(t.Context(), row.by, 7, 931,
					change); admitto.KindOf(err) != admitto.NotAllowedNow {
					t.Error(err)
				}
				if err := s.services.Scoring.ClearScore(t.Context(), row.by, 7, 931, admitto.ScoreComments,
					row.scorers); admitto.KindOf(err) != admitto.NotAllowedNow {
					t.Error(err)
				}
			}
		})
		in.Scorers = true
		last := s.lastEvent(t)
		score, err := s.services.Scoring.AddScore(t.Context(), dean(), 7, in)
		if err != nil || score.ID == 0 {
			t.Fatal(err)
		}
		if err := s.services.Scoring.ClearScore(t.Context(), dean(), 7, score.ID, admitto.ScorePoints, true); err != nil {
			t.Fatal(err)
		}
		by := "4711/9001/7001/0/0 by administrator"
		if got, want := s.scoreEvents(t, last), "added "+by+"; points set "+by+"; details set "+by+"; points cleared "+
			by; got != want {
			t.Errorf("%s", got)
		}
		// An unknown application or offer is a fault of the value for staff, too.
		in.Application = 99
		if _, err := s.services.Scoring.AddScore(t.Context(), dean(), 7,
			in); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Error(err)
		}
	}, withSheets)
}
