package admitto_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// Every event from every decision by every actor: allowed, or refused with its code (lifecycle.md 4.4).
func TestDecisionSteps(t *testing.T) {
	allowed := map[admitto.DecisionEvent]map[admitto.ActorKind]string{
		admitto.SetDecision: {admitto.ByKey: "None Final Declined", admitto.ByAdministrator: "None Final Declined"},
		admitto.AcceptOffer: {admitto.ByApplicant: "None Declined"}, admitto.DeclineOffer: {admitto.ByApplicant: "None Final"},
		admitto.MissDeadline: {admitto.BySystem: "None"},
	}
	steps := map[string]int{}
	for event, actors := range allowed {
		for _, by := range []admitto.ActorKind{admitto.ByKey, admitto.ByAdministrator, admitto.ByApplicant, admitto.BySystem} {
			for _, from := range []admitto.Decision{admitto.DecisionNone, admitto.DecisionFinal, admitto.DecisionDeclined} {
				step, err := admitto.DecisionStep(event, from, by)
				want := ""
				switch {
				case actors[by] == "":
					want = "decision-not-yours"
				case !slices.Contains(strings.Fields(actors[by]), string(from)):
					want = map[admitto.Decision]string{admitto.DecisionNone: "decision-none", admitto.DecisionFinal: "decision-final",
						admitto.DecisionDeclined: "decision-declined"}[from]
				}
				var refusal *admitto.Error
				switch {
				case want == "" && (err != nil || step.Event != event):
					t.Errorf("%s from %s by %s: %v", event, from, by, err)
				case want != "" && (!errors.As(err, &refusal) || refusal.Kind != admitto.NotAllowedNow || refusal.Faults[0].Code != want):
					t.Errorf("%s from %s by %s: %v, want %s", event, from, by, err, want)
				}
				steps[step.No]++
			}
		}
	}
	if len(admitto.DecisionTransitions()) != 4 || steps["D1"] != 6 || steps["D2"] != 2 || steps["D3"] != 2 || steps["D4"] != 1 {
		t.Error(steps)
	}
	if _, ok := admitto.ParseDecision("Final"); !ok {
		t.Error("Final")
	}
	for _, s := range []string{"", "final", "Accepted"} {
		if _, ok := admitto.ParseDecision(s); ok {
			t.Error(s)
		}
	}
}

// The deadline of an answer (lifecycle.md O8): what the intake says, but never sooner than the least number of days.
func TestDecisionDeadline(t *testing.T) {
	day := func(s string) admitto.Date {
		if s == "" {
			return admitto.Date{}
		}
		d, err := admitto.ParseDate(s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	days := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		intake             *admitto.Intake
		confirmed, want    string
		proposal, deadline string
	}{
		{nil, "2026-03-09", "2026-03-23", "None", ""},
		{&admitto.Intake{}, "2026-03-09", "2026-03-23", "None", ""},
		{&admitto.Intake{DecisionPolicy: "None", DecisionDate: day("2026-05-01")}, "2026-03-09", "2026-05-01", "None", ""},
		{&admitto.Intake{DecisionPolicy: "Required"}, "2026-03-09", "2026-03-23", "Required", ""},
		{&admitto.Intake{DecisionPolicy: "Required", DecisionDate: day("2026-05-01"), DecisionDays: days(5)}, "2026-03-09", "2026-05-01", "Required", "2026-05-01"},
		{&admitto.Intake{DecisionPolicy: "Advisory", DecisionDate: day("2026-05-01")}, "2026-04-30", "2026-05-03", "Advisory", "2026-05-01"},
		{&admitto.Intake{DecisionPolicy: "Advisory", DecisionDate: day("2026-05-01")}, "2026-06-01", "2026-06-04", "Advisory", "2026-05-01"},
		{&admitto.Intake{DecisionPolicy: "Required", DecisionDays: days(30)}, "2026-12-15", "2027-01-14", "Required", "2027-01-14"},
		{&admitto.Intake{DecisionPolicy: "Required", DecisionDays: days(0)}, "2026-03-09", "2026-03-12", "Required", "2026-03-09"},
	} {
		if got := admitto.DecisionDeadline(c.intake, day(c.confirmed), admitto.DecisionDays{Default: 14, Min: 3}); got.String() != c.want {
			t.Errorf("%+v on %s: %s, want %s", c.intake, c.confirmed, got, c.want)
		}
		if policy, until := admitto.ProposedDeadline(c.intake, day(c.confirmed)); policy != c.proposal || until.String() != c.deadline {
			t.Errorf("%+v on %s: proposal %s %s", c.intake, c.confirmed, policy, until)
		}
	}
	tallinn := time.FixedZone("EET", 2*3600)
	o := admitto.Offer{DecisionDeadline: day("2026-04-01")}
	for _, c := range []struct {
		now   string
		hours int
		over  bool
	}{{"2026-04-01T21:59:59Z", 0, false}, {"2026-04-01T22:00:00Z", 0, true}, {"2026-04-02T21:59:59Z", 24, false}, {"2026-04-02T22:00:00Z", 24, true}} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil || o.DeadlineOver(admitto.TimeOf(now), tallinn, c.hours) != c.over {
			t.Error(c, err)
		}
	}
	if (&admitto.Offer{}).DeadlineOver(1<<60, tallinn, 0) {
		t.Error("no deadline, and over")
	}
}

// Texts of the former type go, texts that somebody typed stay (lifecycle.md O4).
func TestTakeType(t *testing.T) {
	former := &admitto.OfferType{ID: 7, Subject: "s7", Comments: "c7"}
	next := &admitto.OfferType{ID: 8, Subject: "s8", Comments: "c8", Reasons: []admitto.OfferReason{{ID: 3, Reason: "Late"}}}
	for _, c := range []struct{ subject, comments, subjectThen, commentsThen string }{
		{"", "", "s8", "c8"}, {"s7", "c7", "s8", "c8"}, {"s7", "mine", "s7", "mine"}, {"mine", "c7", "mine", "c7"}, {"", "c7", "", "c7"}, {"mine", "", "mine", ""},
	} {
		o := admitto.Offer{Type: 7, Subject: c.subject, Comments: c.comments}
		if o.TakeType(former, next); o.Type != 8 || o.Subject != c.subjectThen || o.Comments != c.commentsThen {
			t.Errorf("%+v: %+v", c, o)
		}
	}
	o := admitto.Offer{Comments: "mine"}
	if s, c := o.LetterTexts(next); s != "s8" || c != "mine" {
		t.Error(s, c)
	}
	if next.Reason("Late").ID != 3 || next.Reason("late").ID != 0 || next.Reason("").ID != 0 {
		t.Error("reasons")
	}
}
