package api_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/demo"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/usecase"
)

// On whatever day the invented data are made, an institution is at work in them: there are offers that can be
// confirmed, courses that can be applied for, by citizens of the European Union and by others, and exports with all
// their files.
func TestDemoIsUnderWay(t *testing.T) {
	days := []string{"2026-01-01", "2026-08-30", "2028-02-29"}
	for _, day := range apptest.Size(days[2:], days) {
		t.Run(day, func(t *testing.T) {
			at, err := time.Parse(time.DateOnly, day)
			if err != nil {
				t.Fatal(err)
			}
			now := admitto.TimeOf(at) + 9*admitto.Hour
			storetest.Migrated.BySize(t, func(t *testing.T, url string, o db.Options) {
				s := newService(t, url, o, func(o *options) {
					o.clock = &clock{now: now}
					o.fill = func(s *service) {
						if err := demo.Fill(t.Context(), s.store, demo.Options{Applicants: 500, Seed: 1, Files: s.files}); err != nil {
							t.Fatal(err)
						}
					}
				})
				if n := s.count("SELECT count(*) FROM journal WHERE logged >= $1 AND pattern NOT LIKE 'API key%'",
					admitto.TimeOf(at)); n > 0 {
					t.Errorf("%d records are of the day itself or later", n)
				}
				recently := now - 170*admitto.Day
				if n := s.count(`SELECT count(*) FROM export e WHERE exported > $1
					AND (processed IS NULL OR NOT EXISTS (SELECT 1 FROM export_blob b WHERE b.export_id = e.id))`, recently); n > 0 {
					t.Errorf("%d recent exports are without files", n)
				}
				for what, n := range map[string]int64{
					"recent exports":     s.count("SELECT count(*) FROM export WHERE exported > $1", recently),
					"detached invoices":  s.count("SELECT count(*) FROM invoice WHERE applicant_id IS NULL AND payer_name <> ''"),
					"invoices in HUF":    s.count("SELECT count(*) FROM invoice WHERE currency = 'HUF'"),
					"municipalities":     s.count(`SELECT count(*) FROM application_content WHERE content LIKE '%"municipality":"_%'`),
					"post offices":       s.count(`SELECT count(*) FROM application_content WHERE content LIKE '%"postoffice":"_%'`),
					"evening telephones": s.count(`SELECT count(*) FROM application_content WHERE content LIKE '%"evening":"_%'`),
				} {
					if n == 0 {
						t.Errorf("there are no %s", what)
					}
				}
				s.confirmsSome()
				for _, among := range []string{"IN ('AT', 'DE', 'PL', 'RO', 'SK')",
					"NOT IN ('HU', 'VN', 'AT', 'DE', 'PL', 'RO', 'SK', 'IT', 'FR', 'ES', '')"} {
					s.appliesTo(among)
				}
				access, err := s.services.Accounts.OpenDemo(t.Context(), usecase.Caller{Caller: admitto.SystemCaller()})
				if err != nil {
					t.Fatal(err)
				}
				if n := s.count(`SELECT count(*) FROM offer o JOIN offer_type t ON t.id = o.type_confirmed_id
					JOIN application p ON p.id = o.application_id JOIN academic_term m ON m.id = p.academic_term_id
					WHERE o.applicant_id = $1 AND o.decision = 'None' AND t.decide AND p.status = 'Submitted' AND m.grace >= $2
					AND o.decision_deadline >= $2`, access.Applicant.ID, admitto.DateOf(at)); n == 0 {
					t.Errorf("applicant %d, whom serve --demo names, has no offer to accept", access.Applicant.ID)
				}
			})
		})
	}
}

// However few the applicants are, and whatever the seed and the day, there is an offer that can be confirmed and an
// invoice in a second currency.
func TestDemoOfFewIsUnderWay(t *testing.T) {
	cases := []struct {
		day        string
		applicants int
		seed       uint64
	}{
		{"2026-01-10", 20, 1}, {"2026-02-28", 20, 2}, {"2026-04-30", 21, 3}, {"2026-07-01", 20, 4}, {"2026-09-15", 25, 5},
		{"2026-11-05", 20, 6}, {"2026-11-22", 60, 1}, {"2026-11-22", 500, 1}, {"2028-02-29", 20, 7}, {"2030-06-10", 40,
			18446744073709551615},
	}
	for _, c := range apptest.Size(cases[8:], cases) {
		t.Run(fmt.Sprint(c.day, c.applicants, c.seed), func(t *testing.T) {
			at, err := time.Parse(time.DateOnly, c.day)
			if err != nil {
				t.Fatal(err)
			}
			storetest.Migrated.BySize(t, func(t *testing.T, url string, o db.Options) {
				s := newService(t, url, o, func(o *options) {
					o.clock = &clock{now: admitto.TimeOf(at) + 9*admitto.Hour}
					o.fill = func(s *service) {
						if err := demo.Fill(t.Context(), s.store, demo.Options{Applicants: c.applicants, Seed: c.seed,
							Files: s.files}); err != nil {
							t.Fatal(err)
						}
					}
				})
				for _, currency := range []string{"EUR", "HUF"} {
					if s.count("SELECT count(*) FROM invoice WHERE currency = $1", currency) == 0 {
						t.Errorf("there are no invoices in %s", currency)
					}
				}
				if s.count("SELECT count(*) FROM invoice WHERE currency = 'HUF' AND applicant_id IS NOT NULL AND collected IS NOT NULL") == 0 {
					t.Error("no applicant has paid an invoice in HUF")
				}
				s.confirmsSome()
			})
		})
	}
}

func (s *service) count(sql string, args ...any) (n int64) {
	s.t.Helper()
	s.look(sql, func(r *db.Rows) { n = r.Int64(0) }, args...)
	return n
}

func (s *service) look(sql string, row func(*db.Rows), args ...any) {
	s.t.Helper()
	err := s.store.Read(s.t.Context(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query(sql, args...)
		for rows.Next() {
			row(rows)
		}
		return rows.Close()
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// confirmsSome confirms an offer whose type no letter has told yet.
func (s *service) confirmsSome() {
	s.t.Helper()
	var paths []string
	s.look(`SELECT o.application_id, o.id FROM offer o JOIN application a ON a.id = o.application_id
		WHERE a.status = 'Submitted' AND o.type_id > 1 AND coalesce(o.type_confirmed_id, 0) <> o.type_id ORDER BY o.id DESC`, func(r *db.Rows) {
		paths = append(paths, fmt.Sprintf("/applications/%d/offers/%d/confirm", r.Int64(0), r.Int64(1)))
	})
	said := map[string]int{}
	for _, path := range paths {
		a := s.do("POST", v10(path), "")
		if a.status == 204 {
			return
		}
		said[a.body]++
	}
	s.t.Errorf("none of %d offers can be confirmed: %v", len(paths), said)
}

// appliesTo lets somebody with a citizenship of those apply for a course.
func (s *service) appliesTo(citizenships string) {
	s.t.Helper()
	var people []string
	s.look("SELECT id FROM applicant WHERE state = 'live' AND NOT lead AND type = 'Natural' AND citizenship "+citizenships+" ORDER BY id DESC LIMIT 3", func(r *db.Rows) {
		people = append(people, fmt.Sprintf("/applicants/%d/applications", r.Int64(0)))
	})
	var choices []string
	s.look(`SELECT max(c.id), i.id FROM course c JOIN course_intake x ON x.course_id = c.id JOIN intake i ON i.id = x.intake_id
		WHERE c.status = 'Online' AND i.name LIKE '%bachelor' OR i.name LIKE '%doctoral' GROUP BY i.id ORDER BY i.id DESC`, func(r *db.Rows) {
		choices = append(choices, fmt.Sprintf("course=%d&intake=%d", r.Int64(0), r.Int64(1)))
	})
	said := map[string]int{}
	for _, person := range people {
		for _, choice := range choices {
			a := s.postForm(v10(person), choice)
			if a.status < 300 {
				return
			}
			said[a.body]++
		}
	}
	s.t.Errorf("%d people with a citizenship %s can apply for none of %d courses: %v", len(people), citizenships,
		len(choices), said)
}
