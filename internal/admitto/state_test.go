package admitto_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

// Every event by every actor in every status: what follows, or the code of the refusal. A row names the statuses
// (their first letters: B D I R S W C, - for no application) in which the actors (P A K S) may, and what follows
// ("=": the same status, "<": the one that is remembered).
func TestApplicationSteps(t *testing.T) {
	letters := map[string]admitto.ApplicationStatus{"-": "", "B": admitto.Blank, "D": admitto.Draft, "I": admitto.Inactive,
		"R": admitto.Reopened, "S": admitto.Submitted, "W": admitto.Withdrawn, "C": admitto.Closed}
	actors := map[string]admitto.ActorKind{"P": admitto.ByApplicant, "A": admitto.ByAdministrator, "K": admitto.ByKey, "S": admitto.BySystem}
	type rule struct{ from, actors, to string }
	table := map[admitto.ApplicationEvent][]rule{
		admitto.Apply:          {{"-", "PAK", "B"}},
		admitto.AddCourse:      {{"BDIR", "PAK", "="}},
		admitto.RemoveCourse:   {{"BDIR", "PAK", "="}},
		admitto.ReorderCourses: {{"BDIR", "PAK", "="}},
		admitto.ContentSaved:   {{"BI", "PAK", "D"}, {"DR", "PAK", "="}, {"S", "AK", "="}},
		admitto.BecomeInactive: {{"D", "S", "I"}},
		admitto.Submit:         {{"BDIR", "PA", "S"}},
		admitto.Reopen:         {{"S", "PA", "R"}},
		admitto.Withdraw:       {{"BDIRS", "PA", "W"}},
		admitto.UndoWithdrawal: {{"W", "PA", "<"}},
		admitto.Close:          {{"BDIRSW", "AK", "C"}},
		admitto.UndoClosing:    {{"C", "A", "<"}},
		admitto.Expire:         {{"BDIRSW", "S", "="}},
		admitto.LiftExpiry:     {{"BDIRSWC", "A", "="}},
		admitto.ChangeFreeze:   {{"BDIRSWC", "AKS", "="}},
		admitto.ExtendDeadline: {{"BDIRS", "A", "="}},
	}
	for _, row := range admitto.ApplicationTransitions() {
		if table[row.Event] == nil {
			t.Errorf("the test does not know the event %q", row.Event)
		}
	}
	for event, rules := range table {
		for letter, from := range letters {
			for by, actor := range actors {
				want := ""
				for _, r := range rules {
					if strings.Contains(r.from, letter) && strings.Contains(r.actors, by) {
						want = r.to
					}
				}
				step, err := admitto.ApplicationStep(event, from, actor)
				if want == "" {
					var refused *admitto.Error
					if !errors.As(err, &refused) || refused.Kind != admitto.NotAllowedNow || len(refused.Faults) != 1 ||
						refused.Faults[0].Code != "application-"+strings.ToLower(string(from)) {
						t.Errorf("%s in %q by %s: %+v, %v", event, from, actor, step, err)
					}
					continue
				}
				to := letters[want]
				if want == "=" {
					to = from
				}
				if err != nil || step.To != to || step.Event != event {
					t.Errorf("%s in %q by %s: to %q, want %q, %v", event, from, actor, step.To, to, err)
				}
			}
		}
	}
}

// The guards of the transitions, as lifecycle.md 3.4 lists them.
func TestTransitionGuards(t *testing.T) {
	g := func(names ...string) (list []admitto.Guard) {
		for _, n := range names {
			list = append(list, admitto.Guard(n))
		}
		return list
	}
	want := map[string][3][]admitto.Guard{ // for all, for the applicant, to be overridden
		"T1":  {g("G1", "G2", "G3", "G11", "G12"), g("G10"), g("G3")},
		"T2":  {g("G1", "G2", "G3", "G9", "G12", "G14"), g("G10"), nil},
		"T3":  {nil, g("G9", "G13"), nil},
		"T5":  {g("G9"), nil, nil},
		"T6":  {nil, g("G9", "G13"), nil},
		"T7":  {g("G1", "G2", "G4", "G5", "G6", "G7", "G8", "G9"), g("G10"), g("G4", "G6", "G7", "G8")},
		"T9":  {g("G1", "G2", "G4", "G5", "G6", "G7", "G8", "G9"), g("G10"), g("G4", "G6", "G7", "G8")},
		"T10": {g("G9"), nil, nil},
		"T12": {nil, nil, nil},
		"T13": {g("G11"), nil, nil},
		"T16": {nil, nil, nil},
	}
	for _, row := range admitto.ApplicationTransitions() {
		w, known := want[row.No]
		if !known {
			continue
		}
		if !slices.Equal(row.Guards, w[0]) || !slices.Equal(row.ApplicantGuards, w[1]) || !slices.Equal(row.Override, w[2]) {
			t.Errorf("%s: %v, %v, %v", row.No, row.Guards, row.ApplicantGuards, row.Override)
		}
		if all := row.AllGuards(admitto.ByApplicant); len(all) != len(w[0])+len(w[1]) {
			t.Errorf("%s for the applicant: %v", row.No, all)
		}
		if all := row.AllGuards(admitto.ByKey); len(all) != len(w[0]) {
			t.Errorf("%s for a key: %v", row.No, all)
		}
	}
}

// What the policies allow after the deadline (lifecycle.md 3.3).
func TestDeadlinePolicies(t *testing.T) {
	for policy, want := range map[admitto.DeadlinePolicy]string{ // add; first, added in time, added late; again; marks
		admitto.StrictCourse: "no yes no yes no", admitto.StrictSubmit: "no no no yes no", admitto.StrictSubmitHard: "no no no no no",
		admitto.Flexible: "yes yes yes yes yes", admitto.Rolling: "yes yes yes yes no", "": "no no no no no",
	} {
		var got []string
		for _, is := range []bool{policy.AllowsAdding(), policy.AllowsSubmitting(true, false), policy.AllowsSubmitting(false, false),
			policy.AllowsSubmitting(true, true), policy.MarksLate()} {
			got = append(got, map[bool]string{true: "yes", false: "no"}[is])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", policy, got, want)
		}
	}
	if len(admitto.DeadlinePolicies()) != 5 {
		t.Error(admitto.DeadlinePolicies())
	}
}
