package api_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/usecase"
)

// What submissions and withdrawals do to offers (lifecycle.md O1, O2, T10, T11).
func TestOffersOfApplication(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		ctx := t.Context()
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		submit := func() {
			t.Helper()
			_, err := s.services.Admissions.Submit(ctx, staff(), 9002, admissions.Submission{Reason: "on paper"})
			do(err)
		}
		last := s.lastEvent(t)
		events := func(want ...string) {
			t.Helper()
			got := slices.DeleteFunc(s.offerEvents(t, last), func(e string) bool { return !strings.HasPrefix(e, "Offer ") })
			if last = s.lastEvent(t); !slices.Equal(got, want) {
				t.Fatalf("events %q, want %q", got, want)
			}
		}
		course := func(id string) string {
			return s.cell(t, "SELECT CAST(id AS text) FROM offer WHERE application_id = 9002 AND course_id = "+id)
		}
		of := func(id, institution string) string {
			return " applicant=4713 application=9002 course=" + id + " institution=" + institution + " offer=" + course(id)
		}
		state := func(want string) {
			t.Helper()
			const one = "SELECT decision || '/' || decision_origin || '/' || CAST(priority AS text) || '/' || decision_policy || '/' || coalesce(decision_deadline, '-') || '/' || coalesce(CAST(decided AS text), '-') FROM offer WHERE application_id = 9002 AND course_id = "
			if got := s.cell(t, one+"56") + " " + s.cell(t, one+"55"); got != want {
				t.Fatalf("%s, want %s", got, want)
			}
		}
		submit()
		events("Offer was created"+of("56", "2")+" by system", "Offer was created"+of("55", "1")+" by system")
		state("None//1/Advisory/2026-05-01/- None//2/None/-/-")

		do(s.services.Admissions.ReopenApplication(ctx, staff(), 9002, admissions.Reopening{}))
		do(s.services.Admissions.SetCoursePriority(ctx, staff(), 9002, 55, 1))
		submit()
		events()
		state("None//2/Advisory/2026-05-01/- None//1/None/-/-")

		do(s.services.Admissions.ReopenApplication(ctx, staff(), 9002, admissions.Reopening{}))
		do(s.services.Admissions.RemoveCourse(ctx, staff(), 9002, 56))
		submit()
		events("Offer decision was set: Declined" + of("56", "2") + " administrator=3 by administrator")
		do(s.services.Admissions.ReopenApplication(ctx, staff(), 9002, admissions.Reopening{}))
		submit()
		events()
		do(s.services.Admissions.ReopenApplication(ctx, staff(), 9002, admissions.Reopening{}))
		s.putAt("INSERT INTO application_course (application_id, course_id, intake_id, institution_id, course_type, priority, added, modifier) VALUES (9002, 56, 8, 2, '', 2, @2026-03-09T09:00:00, '')")
		submit()
		events("Offer decision was set: None" + of("56", "2") + " administrator=3 by administrator")
		state("None//2/Advisory/2026-05-01/- None//1/None/-/-")
		if intake := s.cell(t, "SELECT CAST(intake_id AS text) FROM offer WHERE application_id = 9002 AND course_id = 56"); intake != "8" {
			t.Error(intake)
		}

		// A withdrawal, and everything back, with the times of the decisions.
		s.put("UPDATE offer SET decision = 'Final', decided = 77, confirmed = 7, type_confirmed_id = 17 WHERE application_id = 9002 AND course_id = 56",
			"INSERT INTO binding_acceptance (applicant_id, academic_term_id, offer_id, accepted) VALUES (4713, 13, "+
				course("56")+", 77)")
		binding := func(want string) {
			t.Helper()
			if got := s.cell(t, "SELECT coalesce((SELECT CAST(offer_id AS text) FROM binding_acceptance), 'free')"); got != want {
				t.Fatalf("%s, want %s", got, want)
			}
		}
		do(s.services.Admissions.Withdraw(ctx, staff(), 9002, admitto.Declining{Words: "asked to"}))
		events("Offer decision was set: Declined"+of("56", "2")+" administrator=3 by administrator",
			"Offer decision was set: Declined"+of("55", "1")+" administrator=3 by administrator")
		binding("free")
		undo := func(want ...int64) {
			t.Helper()
			kept, err := s.services.Admissions.UndoWithdrawal(ctx, staff(), 9002)
			if do(err); !slices.Equal(kept, want) {
				t.Fatalf("kept %v, want %v", kept, want)
			}
			events()
		}
		undo()
		state("Final//2/Advisory/2026-05-01/77 None//1/None/-/-")
		binding(course("56"))
		// What staff decide meanwhile stays.
		do(s.services.Admissions.Withdraw(ctx, staff(), 9002, admitto.Declining{Words: "asked to"}))
		events("Offer decision was set: Declined"+of("56", "2")+" administrator=3 by administrator",
			"Offer decision was set: Declined"+of("55", "1")+" administrator=3 by administrator")
		key := usecase.Caller{Caller: admitto.KeyCaller(s.keyID, admitto.AllPermissions(), "")}
		var first int64
		for o := range s.get(v10("/applications/9002/offers")).object(t) {
			if s.get(v10("/applications/9002/offers/" + o)).object(t)["course"] == v10("/courses/55") {
				for _, digit := range o {
					first = first*10 + int64(digit-'0')
				}
			}
		}
		do(s.services.Admissions.SetDecision(ctx, key, 9002, first,
			admissions.DecisionChange{Decision: admitto.DecisionFinal}))
		last = s.lastEvent(t)
		undo()
		state("Final//2/Advisory/2026-05-01/77 Final//1/None/-/1773046800000000")
		// A Final stays declined when something else of the term was accepted for good.
		do(s.services.Admissions.SetDecision(ctx, key, 9002, first,
			admissions.DecisionChange{Decision: admitto.DecisionNone}))
		do(s.services.Admissions.Withdraw(ctx, staff(), 9002, admitto.Declining{Words: "asked to"}))
		last = s.lastEvent(t)
		s.putAt(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (9200, 4713, 13, 'Closed', @2026-01-12T09:00:00, @2026-01-12T09:00:00)`,
			`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, confirmed, type_id, type_confirmed_id, decision)
				VALUES (8001, 9200, 4713, 57, 1, 1, @2026-02-01T16:20:11, @2026-02-02T16:20:11, 17, 17, 'Final')`)
		kept, err := s.services.Admissions.UndoWithdrawal(ctx, staff(), 9002)
		if do(err); len(kept) != 1 || kept[0] == first {
			t.Fatal(kept, first)
		}
		events()
		if d := s.cell(t, "SELECT decision FROM offer WHERE application_id = 9002 AND course_id = 56"); d != "Declined" {
			t.Error(d)
		}
	}, inContract)
}
