package batch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// set changes a setting.
func (o *office) set(name, value string) error {
	return o.Services.Maintenance.ChangeSettings(o.T.Context(), servicestest.Staff(), nil,
		config.Change{Name: name, Value: &value})
}

// unanswered confirms an offer for each application, to be answered within 14 days. The letter of 104 does not say
// until when, 105 may answer later too, 106 has answered, and 107 was closed since.
func (o *office) unanswered() {
	o.T.Helper()
	kind := o.Number("SELECT min(id) FROM offer_type WHERE confirm AND decide")
	o.Write(fmt.Sprintf("UPDATE offer_type SET subject = 'Our offer', comments = 'Answer by %%offer-DecisionDeadline%%.' WHERE id = %d", kind))
	for _, id := range o.all() {
		text, policy := "", "Required"
		switch id {
		case 104:
			text = "Answer soon."
		case 105:
			policy = "Advisory"
		}
		o.Write(fmt.Sprintf(`INSERT INTO offer (id, application_id, applicant_id, academic_term_id, course_id, institution_id, intake_id,
			priority, type_id, inserted, saved, decision, decision_policy, comments)
			VALUES (%d, %d, %d, 13, 55, 1, 8, 1, %d, 1, 1, 'None', '%s', '%s')`, 1000+id, id, id, kind, policy, text))
		o.Must(o.Services.Admissions.ConfirmOffer(o.T.Context(), servicestest.Staff(), id, 1000+id, false))
	}
	o.Write("UPDATE offer SET decision = 'Final' WHERE id = 1106",
		"UPDATE application SET status = 'Closed' WHERE id = 107")
}

// decisions are those on the offers, with what set them.
func (o *office) decisions() string {
	return o.Desk.Lines("SELECT id || ' ' || decision || ' ' || decision_origin FROM offer WHERE id < 1104 ORDER BY id")
}

// Offers that nobody has answered by the deadline that their letter says are declined when the rule is on and somebody
// has released the list; the others are left out with the reason. The rule acts once, and is undone.
func TestAutomaticDecline(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 7)
		o.is(2, 1)
		o.unanswered()
		d.Mails()
		job := func() {
			t.Helper()
			d.Must(d.Services.Automation.CountUnanswered(t.Context(), admitto.SystemCaller()))
			d.Must(o.PrepareUnanswered(t.Context(), admitto.SystemCaller()))
		}
		found := func() (ids []int64) {
			t.Helper()
			list, err := d.Services.Automation.Preview(t.Context(), admitto.SystemCaller(), admitto.AutoDecline,
				d.Services.Core.Settings(), d.Clock.Now(), 0)
			d.Must(err)
			for _, c := range list.List {
				ids = append(ids, c.Application)
			}
			return ids
		}
		const untouched = "1101 None  1102 None  1103 None "
		d.Clock.Add(15 * admitto.Day) // the deadline and its day of grace are over after 16
		if job(); found() != nil || d.Count("batch") != 0 {
			t.Error("too early")
		}
		d.Clock.Add(admitto.Day)
		if job(); d.Count("batch") != 0 { // off
			t.Error("the rule is off")
		}
		if got := found(); !slices.Equal(got, []int64{101, 102, 103}) {
			t.Errorf("concerned: %d", got)
		}
		if err := o.set("rules.auto_decline", "automatic"); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Errorf("it is automatic: %v", err)
		}
		d.Must(o.set("rules.auto_decline", config.RulePreview))
		records := len(d.Journal())
		for range 2 { // what is in a list that waits is not listed again
			job()
		}
		if d.Count("batch") != 1 || o.decisions() != untouched || found() != nil {
			t.Errorf("%d batches, %s", d.Count("batch"), o.decisions())
		}
		id := d.Number("SELECT id FROM batch")
		o.want(id, admitto.BatchWaiting, "3 1 0 0 0")
		if why := o.why(id, admitto.RecordExcluded); !slices.Equal(why,
			[]string{"1104: The letter did not say the deadline that counts now."}) {
			t.Errorf("excluded: %q", why)
		}
		line, err := o.Line(t.Context(), staff(1), id, 1)
		if d.Must(err); line.Recipient != "p101@example.org" || !strings.Contains(line.Body, "No101") {
			t.Errorf("%+v", line)
		}
		if got := d.Since(records); len(got) != 1 || !strings.Contains(got[0], "Batch was prepared") {
			t.Errorf("%q", got)
		}
		if mails := d.Mails(); len(mails) != 2 || !strings.Contains(mails[0].Text,
			"not answered in time") { // to both who may release
			t.Errorf("%d mails: %+v", len(mails), mails)
		}
		if _, err := o.Release(t.Context(), admitto.AdministratorCaller(3, admitto.Permissions(0).With(admitto.OffersEdit),
			""),
			id, 0); admitto.KindOf(err) != admitto.NotPermitted {
			t.Errorf("released without the permission: %v", err)
		}
		d.Must(d.Services.Admissions.SetDecision(t.Context(), servicestest.Staff(), 103, 1103,
			admissions.DecisionChange{Decision: admitto.DecisionFinal}))
		records = len(d.Journal())
		if _, err := o.Release(t.Context(), staff(2), id, 0); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		o.want(id, admitto.BatchFinished, "3 1 2 1 0")
		if got := o.decisions(); got != "1101 Declined deadline 1102 Declined deadline 1103 Final " {
			t.Error(got)
		}
		for _, r := range d.Journal()[records:] {
			if r.Pattern == admitto.OfferDecisionSet && (r.Actor.Kind != admitto.BySystem || r.Actor.Batch != id) {
				t.Errorf("%+v", r)
			}
		}
		if mails := d.Mails(); len(mails) != 2 || mails[0].To.Email != "p101@example.org" ||
			strings.TrimSpace(mails[0].Text) != strings.TrimSpace(line.Body) ||
			!strings.Contains(line.Body, "declined, because no answer came by its deadline") {
			t.Errorf("%d mails: %+v", len(mails), mails)
		}
		if got := d.Lines("SELECT record || ' ' || occurrence || ' ' || version FROM rule_action WHERE rule = 'auto-decline' ORDER BY record"); got !=
			"1101 2026-03-23 2 1102 2026-03-23 2" {
			t.Error(got)
		}
		o.undone(id)
		if got := o.decisions(); got != "1101 None  1102 None  1103 Final " {
			t.Errorf("undone: %s", got)
		}
		if job(); found() != nil || d.Count("batch") != 1 {
			t.Error("somebody has undone it, and it comes again")
		}
		// Switched off before it is released, nothing is declined.
		d.Write("DELETE FROM rule_action WHERE rule = 'auto-decline'")
		job()
		id = d.Number("SELECT max(id) FROM batch")
		d.Must(o.set("rules.auto_decline", config.RuleOff))
		if _, err := o.Release(t.Context(), staff(2), id, 0); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		o.want(id, admitto.BatchFinished, "2 1 0 2 0")
		// Nobody prepares it by hand.
		o.refusedPlans(batch.Plan{Action: admitto.AutoDecline, Selection: admitto.BatchSelection{IDs: []int64{1101}}})
	})
}
