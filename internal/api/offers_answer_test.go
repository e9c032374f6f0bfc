package api_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/usecase"
)

// putBindingOffers stores application 9100 of an applicant in term 13 with n offers of a binding type, with IDs from
// 8001 on; application 9001, which stands in the way, is closed.
func putBindingOffers(s *service, n int) {
	s.t.Helper()
	s.putAt("UPDATE application SET status = 'Closed' WHERE id = 9001",
		`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted) VALUES
			(9100, 4711, 13, 'Submitted', @2026-01-12T09:00:00, @2026-01-12T09:00:00, @2026-01-12T09:00:00)`)
	for i := range n {
		s.putAt(fmt.Sprintf(`INSERT INTO course (id, status, updated, institution_id, awards, name) VALUES (%d, 'Online', @2025-11-04T08:00:00, 1, '[]', 'Course')`, 2000+i),
			fmt.Sprintf(`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, confirmed, type_id, type_confirmed_id)
				VALUES (%d, 9100, 4711, %d, 1, %d, @2026-02-01T16:20:11, @2026-02-02T16:20:11, 17, 17)`, 8001+i, 2000+i, i+1))
	}
}

func applicant(id int64) usecase.Caller {
	return usecase.Caller{Caller: admitto.ApplicantCaller(id, "")}
}

// refusedWith fails unless the error is not-allowed-now with these codes.
func refusedWith(t testing.TB, err error, want ...string) {
	t.Helper()
	var e *admitto.Error
	if !errors.As(err, &e) || e.Kind != admitto.NotAllowedNow {
		t.Fatalf("%v, want a refusal with %v", err, want)
	}
	var got []string
	for _, f := range e.Faults {
		got = append(got, f.Code)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("codes %v, want %v", got, want)
	}
}

// What applicants may answer, and what follows (lifecycle.md 4.4, D2 to D4).
func TestAnswerOffer(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		ctx := t.Context()
		answer := func(by usecase.Caller, offer int64, d admitto.Decision) error {
			application := map[int64]int64{7001: 9001, 7002: 9003}[offer]
			return s.services.Admissions.AnswerOffer(ctx, by, application, offer, d, admitto.Declining{})
		}
		final, declined := admitto.DecisionFinal, admitto.DecisionDeclined
		ilse := applicant(4711)
		refuse := func(set string, d admitto.Decision, want ...string) {
			t.Helper()
			s.put("UPDATE offer SET decision = 'None', decided = NULL, type_confirmed_id = 17, confirmed = 1, decision_policy = 'Required', decision_deadline = '2026-04-01' WHERE id = 7001",
				"UPDATE application SET status = 'Submitted' WHERE id = 9001",
				"UPDATE academic_term SET grace = '2026-10-31' WHERE id = 13",
				"UPDATE offer_type SET strict_declined = FALSE WHERE id = 17")
			for sql := range strings.SplitSeq(set, ";") {
				if sql != "" {
					s.put(sql)
				}
			}
			s.leavesNoTrace(t, func() { refusedWith(t, answer(ilse, 7001, d), want...) })
		}
		const mine = " WHERE id = 7001"
		for _, d := range []admitto.Decision{final, declined} {
			refuse("UPDATE offer SET confirmed = NULL, type_confirmed_id = NULL"+mine, d, "offer-unconfirmed")
			refuse("UPDATE offer SET type_confirmed_id = 7"+mine, d, "type-without-decision")
			refuse("UPDATE application SET status = 'Closed' WHERE id = 9001", d, "application-closed")
			refuse("UPDATE application SET status = 'Withdrawn' WHERE id = 9001;UPDATE offer SET type_confirmed_id = 7"+mine, d,
				"type-without-decision", "application-withdrawn")
			refuse("UPDATE academic_term SET grace = '2026-03-08' WHERE id = 13;UPDATE offer SET decision_deadline = '2026-03-07'"+mine, d, "application-expired", "decision-deadline-passed")
			refuse("UPDATE offer SET decision_deadline = '2026-03-07'"+mine, d, "decision-deadline-passed")
		}
		refuse("UPDATE offer SET decision = 'Declined'"+mine+";UPDATE offer_type SET strict_declined = TRUE WHERE id = 17",
			final, "decision-final")
		// Nobody but the applicant answers, and nobody else learns of the offer.
		if err := answer(applicant(4713), 7001, final); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		refusedWith(t, answer(usecase.Caller{Caller: admitto.KeyCaller(1, admitto.AllPermissions(), "")}, 7001, final),
			"decision-not-yours")
	}, inContract)
}

// staff is an administrator who asks.
func staff() usecase.Caller {
	return usecase.Caller{Caller: admitto.AdministratorCaller(3, admitto.AllPermissions(), "")}
}

// An accepted binding offer declines the others; declining it lets another one be accepted (lifecycle.md 4.4).
func TestBindingAcceptance(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		ctx := t.Context()
		s.put("DELETE FROM offer WHERE id = 7001")
		putBindingOffers(s, 3)
		s.put("UPDATE offer SET type_confirmed_id = 14, decision = 'Final' WHERE id = 8003",
			"UPDATE offer SET decision_policy = 'Advisory', decision_deadline = '2026-03-08' WHERE id = 8001")
		ilse, key := applicant(4711), usecase.Caller{Caller: admitto.KeyCaller(s.keyID, admitto.AllPermissions(), "")}
		answer := func(offer int64, d admitto.Decision) error {
			return s.services.Admissions.AnswerOffer(ctx, ilse, 9100, offer, d, admitto.Declining{})
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		event := func(pattern string, offer int64, by string) string {
			return fmt.Sprintf("%s applicant=4711 application=9100 course=%d institution=1 offer=%d by %s", pattern, offer-6001,
				offer, by)
		}
		state := func(want string) {
			t.Helper()
			got := s.cell(t, "SELECT (SELECT decision FROM offer WHERE id = 8001) || ' ' || (SELECT decision FROM offer WHERE id = 8002) || ' ' || (SELECT decision FROM offer WHERE id = 8003) || ' ' || coalesce((SELECT CAST(offer_id AS text) FROM binding_acceptance), 'free')")
			if got != want {
				t.Fatalf("%s, want %s", got, want)
			}
		}
		last := s.lastEvent(t)
		do(answer(8001, admitto.DecisionFinal))
		s.wantOfferEvents(t, last, event("Applicant decision: Final", 8001, "applicant"),
			event("Offer decision was set: Declined", 8002, "applicant"),
			event("Offer decision was set: Declined", 8003, "applicant"))
		state("Final Declined Declined 8001")
		if mails := s.deliver(t); len(mails) != 1 || mails[0].To.Email != "ilse.varga@example.org" {
			t.Error(mails)
		}
		if late := s.cell(t, "SELECT CAST(count(*) AS text) FROM offer WHERE decision_late"); late != "1" {
			t.Error(late, "late")
		}
		s.leavesNoTrace(t, func() { do(answer(8001, admitto.DecisionFinal)) })
		for _, other := range []int64{8002, 8003} { // whether the other one is binding itself or not
			s.leavesNoTrace(t, func() {
				err := answer(other, admitto.DecisionFinal)
				refusedWith(t, err, "binding-accepted")
				if !strings.Contains(err.Error(), "The offer for Course was accepted on 9 March 2026, 09:00 UTC") {
					t.Error(err)
				}
			})
		}
		last = s.lastEvent(t)
		do(answer(8001, admitto.DecisionDeclined))
		s.wantOfferEvents(t, last, event("Applicant decision: Declined", 8001, "applicant"))
		state("Declined Declined Declined free")
		do(answer(8002, admitto.DecisionFinal))
		state("Declined Final Declined 8002")
		// Through the API nothing is looked at: two are Final, and both stand in the way of a third.
		do(s.services.Admissions.SetDecision(ctx, key, 9100, 8001,
			admissions.DecisionChange{Decision: admitto.DecisionFinal}))
		state("Final Final Declined 8002")
		refusedWith(t, answer(8003, admitto.DecisionFinal), "binding-accepted")
		do(s.services.Admissions.SetDecision(ctx, key, 9100, 8002, admissions.DecisionChange{Decision: admitto.DecisionNone}))
		state("Final None Declined free")
		refusedWith(t, answer(8003, admitto.DecisionFinal), "binding-accepted")
		// The key of the table is the last resort: it lets go of what is no binding acceptance any more.
		s.put("UPDATE offer SET decision = 'Declined' WHERE id <> 8002",
			"INSERT INTO binding_acceptance (applicant_id, academic_term_id, offer_id, accepted) VALUES (4711, 13, 8001, 1)")
		do(answer(8002, admitto.DecisionFinal))
		state("Declined Final Declined 8002")
		s.deliver(t)
		do(s.services.Admissions.SetDecision(ctx, staff(), 9100, 8002,
			admissions.DecisionChange{Decision: admitto.DecisionNone, Tell: true}))
		do(s.services.Admissions.SetDecision(ctx, key, 9100, 8003, admissions.DecisionChange{Decision: admitto.DecisionNone}))
		if mails := s.deliver(t); len(mails) != 1 {
			t.Error(mails)
		}
		// A screen built from an older row is refused.
		stale := staff()
		stale.Version = 1
		if err := s.services.Admissions.SetDecision(ctx, stale, 9100, 8002,
			admissions.DecisionChange{Decision: admitto.DecisionFinal}); admitto.KindOf(err) != admitto.ChangedMeanwhile {
			t.Error(err)
		}
		// Applicants answer offers, they do not set decisions.
		if err := s.services.Admissions.SetDecision(ctx, ilse, 9100, 8002,
			admissions.DecisionChange{Decision: admitto.DecisionFinal}); admitto.KindOf(err) != admitto.NotPermitted {
			t.Error(err)
		}
		// D4, by the system, once the buffer behind a Required deadline is over; an answer within the buffer counts.
		system := usecase.Caller{Caller: admitto.SystemCaller()}
		s.put("UPDATE offer SET decision = 'None', decision_policy = 'Required', decision_deadline = '2026-03-09' WHERE id IN (8002, 8003)")
		s.clock.Add(38 * admitto.Hour)
		refusedWith(t, s.services.Admissions.DeclineUnanswered(ctx, system, 9100, 8003), "decision-deadline-open")
		do(answer(8003, admitto.DecisionFinal))
		s.clock.Add(admitto.Hour)
		refusedWith(t, answer(8002, admitto.DecisionDeclined), "decision-deadline-passed")
		refusedWith(t, s.services.Admissions.DeclineUnanswered(ctx, key, 9100, 8002), "decision-not-yours")
		refusedWith(t, s.services.Admissions.DeclineUnanswered(ctx, system, 9100, 8003), "decision-final")
		refusedWith(t, s.services.Admissions.DeclineUnanswered(ctx, system, 9100, 8002), "decision-deadline-open")
		s.put(`INSERT INTO offer_confirmation (offer_id, confirmed, type_id, subject, body, html, policy, deadline, source)
			SELECT id, 2, type_id, 'Your place', 'Answer by 9 March 2026.', '', 'Required', '2026-03-09', '' FROM offer WHERE id = 8002`)
		last = s.lastEvent(t)
		do(s.services.Admissions.DeclineUnanswered(ctx, system, 9100, 8002))
		s.wantOfferEvents(t, last, event("Offer decision was set: Declined", 8002, "system"))
		if origin := s.cell(t, "SELECT decision_origin FROM offer WHERE id = 8002"); origin != "deadline" {
			t.Error(origin)
		}
		// The day in the letter counts, and not the one that staff have saved since (O3).
		s.put("UPDATE offer SET decision = 'None', decision_deadline = '2026-03-09' WHERE id = 8003",
			"DELETE FROM binding_acceptance", `INSERT INTO offer_confirmation (offer_id, confirmed, type_id, subject, body, html, policy, deadline, source)
			SELECT id, 2, type_id, 'Your place', 'Answer by 20 March 2026.', '', 'Required', '2026-03-20', '' FROM offer WHERE id = 8003`)
		do(answer(8003, admitto.DecisionDeclined))
		s.put("UPDATE offer SET decision = 'None', decision_deadline = '2026-03-20' WHERE id = 8003",
			"UPDATE offer_confirmation SET deadline = '2026-03-09'")
		refusedWith(t, answer(8003, admitto.DecisionDeclined), "decision-deadline-passed")
	}, inContract)
}

// Matriculation numbers are typed, or counted without gaps (lifecycle.md 4.4).
func TestMatriculate(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		ctx := t.Context()
		refusedWith(t, func() error {
			_, err := s.services.Admissions.Matriculate(ctx, staff(), 9003, 7002,
				admissions.Matriculation{})
			return err
		}(), "offer-not-accepted")
		if _, err := s.services.Admissions.Matriculate(ctx, staff(), 9001, 7001,
			admissions.Matriculation{Number: "two words"}); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Error(err)
		}
		last := s.lastEvent(t)
		for range 2 { // pressed twice
			if n, err := s.services.Admissions.Matriculate(ctx, staff(), 9001, 7001,
				admissions.Matriculation{}); n != "2026/0001" || err != nil {
				t.Fatal(n, err)
			}
		}
		s.wantOfferEvents(t, last,
			"Applicant matriculation was set applicant=4711 offer=7001 administrator=3 by administrator")
		if n := s.get(v10("/applicants/4711/matriculation")).body; n != `"2026/0001"` {
			t.Error(n)
		}
		// Refused in the last time: the number is not lost.
		s.put("UPDATE offer SET decision = 'Final' WHERE id = 7002",
			"UPDATE applicant SET matriculation = '' WHERE id = 4711")
		failing := staff()
		failing.Version = 99
		if _, err := s.services.Admissions.Matriculate(ctx, failing, 9003, 7002,
			admissions.Matriculation{}); admitto.KindOf(err) != admitto.ChangedMeanwhile {
			t.Error(err)
		}
		var all sync.WaitGroup
		got := make([]string, 2)
		for i, offer := range []int64{7001, 7002} {
			all.Go(func() {
				got[i], _ = s.services.Admissions.Matriculate(ctx, staff(), map[int64]int64{7001: 9001, 7002: 9003}[offer], offer,
					admissions.Matriculation{})
			})
		}
		all.Wait()
		if slices.Sort(got); !slices.Equal(got, []string{"2026/0002", "2026/0003"}) {
			t.Error(got)
		}
		if _, err := s.services.Admissions.Matriculate(ctx, staff(), 9001, 7001,
			admissions.Matriculation{Number: "M.17"}); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Error("replaced without a reason: ", err)
		}
		if n, err := s.services.Admissions.Matriculate(ctx, staff(), 9001, 7001,
			admissions.Matriculation{Number: "M.17", Reason: "that of before"}); n != "M.17" || err != nil {
			t.Error(n, err)
		}
		s.set(func(c *config.Settings) { c.Matriculation.Format = "" })
		s.put("UPDATE applicant SET matriculation = '' WHERE id = 4711")
		_, err := s.services.Admissions.Matriculate(ctx, staff(), 9001, 7001, admissions.Matriculation{})
		refusedWith(t, err, "matriculation-format-missing")
	}, inContract, func(o *options) { o.settings.Matriculation.Format = "%yearLong%/%incYearly:4%" })
}

// A transaction that was in the way of others runs again: it compares what the caller has seen once more.
func TestMatriculateRunsAgain(t *testing.T) {
	changes := []func(*options){inContract, func(o *options) { o.settings.Matriculation.Format = "%inc:4%" }}
	templateOf(changes).Each(t, func(t *testing.T, url string, o db.Options) {
		var between func()
		o.Again = func() {
			if change := between; change != nil {
				between = nil
				change()
			}
		}
		s := newService(t, url, o, changes...)
		by := staff()
		by.Version, _ = strconv.ParseInt(s.cell(t, "SELECT CAST(row_version AS text) FROM offer WHERE id = 7001"), 10, 64)
		between = func() { s.put("UPDATE offer SET row_version = row_version + 1 WHERE id = 7001") }
		if _, err := s.services.Admissions.Matriculate(t.Context(), by, 9001, 7001,
			admissions.Matriculation{Type: 17}); admitto.KindOf(err) != admitto.ChangedMeanwhile || between != nil {
			t.Error(err)
		}
	})
}

// 60 binding offers are accepted at once, several times over: exactly one is Final each time (lifecycle.md 4.4, B1).
func TestOneBindingAcceptance(t *testing.T) {
	const offers, rounds = 60, 5
	onEach(t, func(t *testing.T, s *service) {
		s.put("DELETE FROM offer WHERE id = 7001")
		putBindingOffers(s, offers)
		for round := range rounds {
			var all sync.WaitGroup
			var mu sync.Mutex
			accepted := 0
			for i := range int64(offers) {
				all.Go(func() {
					err := s.services.Admissions.AnswerOffer(t.Context(), applicant(4711), 9100, 8001+i, admitto.DecisionFinal,
						admitto.Declining{})
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						accepted++
					} else if admitto.KindOf(err) != admitto.NotAllowedNow {
						t.Error(err)
					}
				})
			}
			all.Wait()
			finals := s.cell(t, "SELECT CAST(count(*) AS text) FROM offer WHERE decision = 'Final' AND applicant_id = 4711")
			declined := s.cell(t, "SELECT CAST(count(*) AS text) FROM offer WHERE decision_origin = 'other_accepted' AND applicant_id = 4711")
			if accepted != 1 || finals != "1" || declined != fmt.Sprint(offers-1) {
				t.Fatalf("round %d: %d accepted, %s Final, %s declined", round, accepted, finals, declined)
			}
			s.put("DELETE FROM binding_acceptance",
				"UPDATE offer SET decision = 'None', decision_origin = '' WHERE applicant_id = 4711")
		}
	}, inContract)
}
