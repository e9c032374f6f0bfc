package admitto_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// Every event by every actor in every status: what follows, or the code of the refusal. A row names the statuses
// (their first letters: B D I R S W C, - for no application) in which the actors (P A K S) may, and what follows
// ("=": the same status, "<": the one that is remembered).
func TestApplicationSteps(t *testing.T) {
	letters := map[string]admitto.ApplicationStatus{"-": "", "B": admitto.Blank, "D": admitto.Draft, "I": admitto.Inactive,
		"R": admitto.Reopened, "S": admitto.Submitted, "W": admitto.Withdrawn, "C": admitto.Closed}
	actors := map[string]admitto.ActorKind{"P": admitto.ByApplicant, "A": admitto.ByAdministrator, "K": admitto.ByKey,
		"S": admitto.BySystem}
	type rule struct{ from, actors, to string }
	table := map[admitto.ApplicationEvent][]rule{
		admitto.Apply:            {{"-", "PAK", "B"}},
		admitto.AddCourse:        {{"BDIR", "PAK", "="}, {"S", "A", "="}},
		admitto.RemoveCourse:     {{"BDIR", "PAK", "="}},
		admitto.ReorderCourses:   {{"BDIR", "PAK", "="}},
		admitto.ContentSaved:     {{"BI", "PAK", "D"}, {"DR", "PAK", "="}, {"S", "AK", "="}},
		admitto.OpenContentSaved: {{"S", "P", "="}},
		admitto.BecomeInactive:   {{"D", "S", "I"}},
		admitto.Submit:           {{"BDIR", "PA", "S"}},
		admitto.Reopen:           {{"S", "PA", "R"}},
		admitto.Withdraw:         {{"BDIRS", "A", "W"}, {"RS", "P", "W"}},
		admitto.UndoWithdrawal:   {{"W", "PA", "<"}},
		admitto.Close:            {{"BDIRSW", "AK", "C"}, {"BDI", "P", "C"}},
		admitto.UndoClosing:      {{"C", "PA", "<"}},
		admitto.Expire:           {{"BDIRSW", "S", "="}},
		admitto.LiftExpiry:       {{"BDIRSWC", "A", "="}},
		admitto.ChangeFreeze:     {{"BDIRSWC", "AKS", "="}},
		admitto.ChangeSilence:    {{"BDIRSWC", "A", "="}},
		admitto.ExtendDeadline:   {{"BDIRS", "A", "="}},
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
		"T2":  {g("G1", "G2", "G3", "G9", "G12", "G14"), g("G10"), g("G3")},
		"T20": {g("G1", "G2", "G3", "G9", "G12", "G14"), nil, g("G3")},
		"T3":  {nil, g("G9", "G13"), nil},
		"T5":  {g("G9"), nil, nil},
		"T6":  {nil, g("G9", "G13"), nil},
		"T7":  {g("G1", "G2", "G4", "G5", "G6", "G7", "G8", "G9"), g("G10"), g("G4", "G6", "G7", "G8")},
		"T9":  {g("G1", "G2", "G4", "G5", "G6", "G7", "G8", "G9"), g("G10"), g("G4", "G6", "G7", "G8")},
		"T10": {g("G9"), nil, nil},
		"T12": {nil, nil, nil},
		"T13": {g("G11"), {admitto.UndoTime}, nil},
		"T21": {nil, g("G9"), nil},
		"T22": {{admitto.NotExpired}, nil, nil},
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
		admitto.StrictCourse: "no yes no yes no", admitto.StrictSubmit: "no no no yes no",
		admitto.StrictSubmitHard: "no no no no no",
		admitto.Flexible:         "yes yes yes yes yes", admitto.Rolling: "yes yes yes yes no", "": "no no no no no",
	} {
		var got []string
		for _, is := range []bool{policy.AllowsAdding(), policy.AllowsSubmitting(true, false),
			policy.AllowsSubmitting(false, false),
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

// Every event from every decision by every actor: allowed, or refused with its code (lifecycle.md 4.4).
func TestDecisionSteps(t *testing.T) {
	allowed := map[admitto.DecisionEvent]map[admitto.ActorKind]string{
		admitto.SetDecision:  {admitto.ByKey: "None Final Declined", admitto.ByAdministrator: "None Final Declined"},
		admitto.AcceptOffer:  {admitto.ByApplicant: "None Declined"},
		admitto.DeclineOffer: {admitto.ByApplicant: "None Final"},
		admitto.MissDeadline: {admitto.BySystem: "None"},
	}
	steps := map[string]int{}
	for event, actors := range allowed {
		for _, by := range []admitto.ActorKind{admitto.ByKey, admitto.ByAdministrator, admitto.ByApplicant,
			admitto.BySystem} {
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
				case want != "" && (!errors.As(err, &refusal) || refusal.Kind != admitto.NotAllowedNow ||
					refusal.Faults[0].Code != want):
					t.Errorf("%s from %s by %s: %v, want %s", event, from, by, err, want)
				}
				steps[step.No]++
			}
		}
	}
	if len(admitto.DecisionTransitions()) != 4 || steps["D1"] != 6 || steps["D2"] != 2 || steps["D3"] != 2 ||
		steps["D4"] != 1 {
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
	byDefault := admitto.DeadlineRule{Days: 14}
	onDay, fewest := admitto.DeadlineRule{OfIntake: true, OnDay: true}, admitto.DeadlineRule{Days: 3, Fewest: true}
	for _, c := range []struct {
		intake             *admitto.Intake
		confirmed, want    string
		rule               admitto.DeadlineRule
		proposal, deadline string
	}{
		{nil, "2026-03-09", "2026-03-23", byDefault, "None", ""},
		{&admitto.Intake{}, "2026-03-09", "2026-03-23", byDefault, "None", ""},
		{&admitto.Intake{DecisionPolicy: "None", DecisionDate: day("2026-05-01")}, "2026-03-09", "2026-05-01", onDay, "None",
			""},
		{&admitto.Intake{DecisionPolicy: "Required"}, "2026-03-09", "2026-03-23", byDefault, "Required", ""},
		{&admitto.Intake{DecisionPolicy: "Required", DecisionDate: day("2026-05-01"), DecisionDays: days(5)}, "2026-03-09",
			"2026-05-01", onDay, "Required", "2026-05-01"},
		{&admitto.Intake{DecisionPolicy: "Advisory", DecisionDate: day("2026-05-01")}, "2026-04-30", "2026-05-03", fewest,
			"Advisory", "2026-05-01"},
		{&admitto.Intake{DecisionPolicy: "Advisory", DecisionDate: day("2026-05-01")}, "2026-06-01", "2026-06-04", fewest,
			"Advisory", "2026-05-01"},
		{&admitto.Intake{DecisionPolicy: "Required", DecisionDays: days(30)}, "2026-12-15", "2027-01-14",
			admitto.DeadlineRule{OfIntake: true, Days: 30}, "Required", "2027-01-14"},
		{&admitto.Intake{DecisionPolicy: "Required", DecisionDays: days(0)}, "2026-03-09", "2026-03-12", fewest, "Required",
			"2026-03-09"},
	} {
		got, rule := admitto.DecisionDeadline(c.intake, day(c.confirmed), admitto.DecisionDays{Default: 14, Min: 3})
		if got.String() != c.want || rule != c.rule {
			t.Errorf("%+v on %s: %s by %+v, want %s by %+v", c.intake, c.confirmed, got, rule, c.want, c.rule)
		}
		if policy, until := admitto.ProposedDeadline(c.intake, day(c.confirmed)); policy != c.proposal ||
			until.String() != c.deadline {
			t.Errorf("%+v on %s: proposal %s %s", c.intake, c.confirmed, policy, until)
		}
	}
	tallinn := time.FixedZone("EET", 2*3600)
	o := admitto.Offer{DecisionDeadline: day("2026-04-01")}
	for _, c := range []struct {
		now   string
		hours int
		over  bool
	}{{"2026-04-01T21:59:59Z", 0, false}, {"2026-04-01T22:00:00Z", 0, true}, {"2026-04-02T21:59:59Z", 24,
		false}, {"2026-04-02T22:00:00Z", 24, true}} {
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
	former := &admitto.OfferType{ID: 7, Subject: "s7", Comments: "c7", Versions: admitto.Versions{"ar": {"subject": "س7"}}}
	next := &admitto.OfferType{ID: 8, Subject: "s8", Comments: "c8", Reasons: []admitto.OfferReason{{ID: 3,
		Reason: "Late"}}, Versions: admitto.Versions{"ar": {"subject": "س8", "comments": "ج8"}}}
	for _, c := range []struct{ subject, comments, subjectThen, commentsThen string }{
		{"", "", "s8", "c8"}, {"s7", "c7", "s8", "c8"}, {"s7", "mine", "s7", "mine"}, {"mine", "c7", "mine", "c7"}, {"", "c7",
			"", "c7"}, {"mine", "", "mine", ""}, {"س7", "c7", "s8", "c8"}, {"س7", "mine", "س7", "mine"},
	} {
		o := admitto.Offer{Type: 7, Subject: c.subject, Comments: c.comments}
		if o.TakeType(former, next, "en"); o.Type != 8 || o.Subject != c.subjectThen || o.Comments != c.commentsThen {
			t.Errorf("%+v: %+v", c, o)
		}
	}
	o := admitto.Offer{Type: 7, Subject: "s7", Comments: "c7"}
	if o.TakeType(former, next, "ar"); o.Subject != "س8" || o.Comments != "ج8" {
		t.Error("the letter for who reads Arabic is", o.Subject, o.Comments)
	}
	o = admitto.Offer{Comments: "mine"}
	if s, c := o.LetterTexts(next); s != "s8" || c != "mine" {
		t.Error(s, c)
	}
	if next.Reason("Late").ID != 3 || next.Reason("late").ID != 0 || next.Reason("").ID != 0 {
		t.Error("reasons")
	}
}

// Every event in every state by every actor: "+" is allowed, "!" is not for this actor, "404" is not seen and
// "closed" is refused for the state (lifecycle.md 5.2).
func TestTaskStep(t *testing.T) {
	actors := []admitto.ActorKind{admitto.ByApplicant, admitto.ByAdministrator, admitto.ByKey, admitto.BySystem}
	states := []admitto.TaskState{admitto.TaskIsOpen, admitto.TaskIsClosed, admitto.TaskInTrash}
	for event, want := range map[admitto.TaskEvent][3][4]string{
		//             open: P A K S           closed                  in the trash
		admitto.TaskCreate:    {{"!", "+", "!", "+"}, {"!", "+", "!", "+"}, {"!", "404", "!", "404"}},
		admitto.TaskSave:      {{"+", "!", "!", "!"}, {"closed", "!", "!", "!"}, {"404", "!", "!", "!"}},
		admitto.TaskSetStatus: {{"!", "+", "+", "!"}, {"!", "+", "+", "!"}, {"!", "404", "404", "!"}},
		admitto.TaskTrash:     {{"!", "+", "!", "!"}, {"!", "+", "!", "!"}, {"!", "+", "!", "!"}},
		admitto.TaskRestore:   {{"!", "+", "!", "!"}, {"!", "+", "!", "!"}, {"!", "+", "!", "!"}},
		admitto.TaskDelete:    {{"!", "+", "+", "!"}, {"!", "+", "+", "!"}, {"!", "+", "+", "!"}},
		admitto.TaskRemind:    {{"!", "!", "!", "+"}, {"!", "!", "!", "+"}, {"!", "!", "!", "404"}},
		"paint":               {{"!", "!", "!", "!"}, {"!", "!", "!", "!"}, {"!", "!", "!", "!"}},
	} {
		for i, state := range states {
			for k, by := range actors {
				got := "+"
				err := admitto.TaskStep(event, state, by)
				var e *admitto.Error
				switch {
				case errors.As(err, &e) && e.Kind == admitto.NotPermitted:
					got = "!"
				case errors.As(err, &e) && e.Kind == admitto.NotFound:
					got = "404"
				case errors.As(err, &e) && e.Kind == admitto.NotAllowedNow && e.Faults[0].Code == "task-closed":
					got = "closed"
				}
				if got != want[i][k] {
					t.Errorf("%s, %s, by %s: %s, want %s", event, state, by, got, want[i][k])
				}
			}
		}
	}
}

func TestTaskState(t *testing.T) {
	for _, c := range []struct {
		task admitto.TaskCase
		want admitto.TaskState
	}{{admitto.TaskCase{}, admitto.TaskIsOpen}, {admitto.TaskCase{Closed: true},
		admitto.TaskIsClosed}, {admitto.TaskCase{Trashed: 1}, admitto.TaskInTrash}, {admitto.TaskCase{Closed: true,
		Trashed: 1}, admitto.TaskInTrash}} {
		if got := c.task.State(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.task, got, c.want)
		}
	}
	template := admitto.TaskTemplate{Statuses: []admitto.TaskStatus{{Name: "a"}, {Name: "b", Default: true}}}
	if s, ok := template.DefaultStatus(); !ok || s.Name != "b" {
		t.Error(s, ok)
	}
	if _, ok := template.Status("c"); ok {
		t.Error("found c")
	}
	if _, ok := (&admitto.TaskTemplate{}).DefaultStatus(); ok {
		t.Error("found a default")
	}
}
