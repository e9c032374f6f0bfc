package batch_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// sentAs fails unless each line of a batch has the text of the mail that the batch sends, before it is released.
func (o *office) sentAs(plan batch.Plan, shown string) {
	o.T.Helper()
	id := o.prepare(plan)
	lines, _, err := o.Service.Lines(o.T.Context(), staff(1), id, 0, admitto.RecordSealed, 10)
	if err != nil || len(lines) == 0 || !o.show(id).Mails {
		o.T.Fatalf("%s: %d lines, %v", plan.Action, len(lines), err)
	}
	o.Write("DELETE FROM email")
	if _, err := o.Release(o.T.Context(), staff(1), id, 0); err != nil {
		o.T.Fatal(err)
	}
	o.run(o.Services)
	text := func(body string) string { // a task has no address before it is made
		before, _, _ := strings.Cut(body, "Open the task")
		return strings.TrimSpace(before)
	}
	for i := range lines {
		c := &lines[i]
		if c.Subject == "" || !strings.Contains(c.Body, shown) {
			o.T.Errorf("%s does not show its mail: %q, %q", plan.Action, c.Subject, c.Body)
		}
		sent := o.Desk.Lines(fmt.Sprintf("SELECT recipient || '|' || subject || '|' || message FROM email WHERE applicant_id = %d",
			c.Applicant))
		if want := c.Recipient + "|" + c.Subject + "|" + c.Body; c.Recipient == "" || text(sent) != text(want) {
			o.T.Errorf("%s sent %q, and showed %q", plan.Action, sent, want)
		}
	}
}

// Whatever mails shows before its release what it mails: closing, extensions, tasks and their statuses.
func TestMailsAreShown(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 3)
		template := d.Template("document-check")
		d.Write("UPDATE task_template SET active = TRUE, mails = TRUE",
			"INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-04-01', '', FALSE)")
		o.sentAs(of("extend", admitto.BatchParams{Intake: 8, Until: admitto.Date{Year: 2026, Month: 6, Day: 30},
			Reason: "The portal was down", Tell: true, Text: "Sorry for the *power cut*, %applicant-GivenName%"}, o.all()...),
			"Sorry for the *power cut*, %applicant-GivenName%")
		o.sentAs(of("task", admitto.BatchParams{Task: template}, o.all()...), "has a new task")
		tasks := batch.Plan{Action: "task-status", Source: admitto.OfTasks, Params: admitto.BatchParams{Status: "Rejected"}}
		for id := range strings.FieldsSeq(d.Lines("SELECT id FROM task WHERE application_id > 100")) {
			n, _ := strconv.ParseInt(id, 10, 64)
			tasks.Selection.IDs = append(tasks.Selection.IDs, n)
		}
		o.sentAs(tasks, "Rejected")
		d.Write("UPDATE application SET silenced = TRUE WHERE id = 103") // who is told nothing of a closing
		o.sentAs(of("close", admitto.BatchParams{Tell: true}, 101, 102), "closed")
		id := o.prepare(of("close", admitto.BatchParams{Tell: true}, 103))
		if v := o.show(id); v.Mails || v.Size != 1 {
			t.Errorf("a mail is announced that is not sent: %+v", v)
		}
	})
}

// A batch that a second person released goes on by such a one, and the page knows who stopped it; who alone may release
// waits.
func TestResumeNeedsSecond(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 51)
		o.is(2, 1)
		id := o.prepare(of("freeze", admitto.BatchParams{}, o.all()...))
		if _, err := o.Release(t.Context(), staff(1), id, 51); err != nil {
			t.Fatal(err)
		}
		if v := o.show(id); !v.WaitsForOther(1) || fmt.Sprint(v.Releasers) != "[Bea Officer]" {
			t.Errorf("%+v", v)
		}
		if _, err := o.Release(t.Context(), staff(2), id, 51); err != nil {
			t.Fatal(err)
		}
		d.Write("UPDATE batch_record SET state = 'done' WHERE place <= 5", "UPDATE batch SET done = 5")
		stop := func() {
			t.Helper()
			if _, err := o.Stop(t.Context(), staff(2), id); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		if v := o.show(id); v.StoppedBy != 2 || !v.WaitsForOther(1) || v.WaitsForOther(2) {
			t.Errorf("%+v", v)
		}
		resume := func(by int64) admitto.Kind {
			_, err := o.Service.Resume(t.Context(), staff(by), id)
			return admitto.KindOf(err)
		}
		if kind := resume(1); kind != admitto.NotAllowedNow {
			t.Errorf("who prepared it goes on alone: %v", kind)
		}
		if _, err := o.Service.Resume(t.Context(), staff(2), id); err != nil {
			t.Fatal(err)
		}
		stop()
		d.Write("DELETE FROM administrator_role WHERE administrator_id = 2")
		if kind := resume(1); kind != admitto.NotAllowedNow || !o.show(id).NobodyElse {
			t.Errorf("nobody waits: %v", kind)
		}
		d.Clock.Add(10 * admitto.Minute)
		if b, err := o.Service.Resume(t.Context(), staff(1), id); err != nil || !b.Alone {
			t.Errorf("%+v, %v", b, err)
		}
	})
}
