package batch_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// of is a plan for applications.
func of(action string, params admitto.BatchParams, ids ...int64) batch.Plan {
	return batch.Plan{Action: action, Params: params, Selection: admitto.BatchSelection{IDs: ids}}
}

// refusedPlans fails for plans that can be prepared though something in them is missing.
func (o *office) refusedPlans(plans ...batch.Plan) {
	o.T.Helper()
	for _, p := range plans {
		if _, err := o.Prepare(o.T.Context(), staff(1), p); admitto.KindOf(err) != admitto.InvalidParameter {
			o.T.Errorf("%+v: %v", p, err)
		}
	}
}

// released prepares and releases a batch, and does it.
func (o *office) released(p batch.Plan) (id int64) {
	o.T.Helper()
	id = o.prepare(p)
	if _, err := o.Release(o.T.Context(), staff(1), id, o.show(id).Size); err != nil {
		o.T.Fatal(err)
	}
	o.run(o.Services)
	return id
}

// undone undoes a batch as its preview says.
func (o *office) undone(id int64) {
	o.T.Helper()
	p, err := o.PreviewUndo(o.T.Context(), staff(1), id)
	if err != nil {
		o.T.Fatal(err)
	}
	defer func() {
		o.T.Helper()
		if b := o.show(id); b.PutBack != p.Back || b.LeftAsIs != p.Left || p.Back == 0 {
			o.T.Errorf("the preview says %+v, and undoing did %+v", p, b.Batch)
		}
	}()
	if _, err := o.Undo(o.T.Context(), staff(1), id); err != nil {
		o.T.Fatal(err)
	}
	o.run(o.Services)
}

// Extensions: for those who have a course of the intake, with a mail, and back to what was.
func TestExtensions(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 5)
		d.Write("INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-04-01', '', FALSE)",
			"UPDATE application SET status = 'Closed' WHERE id = 101",
			"UPDATE application_course SET intake_id = NULL WHERE application_id = 102",
			"INSERT INTO deadline_extension (application_id, intake_id, until, reason) VALUES (103, 8, 1772000000000000, 'ill')")
		day := admitto.Date{Year: 2026, Month: 6, Day: 30}
		params := admitto.BatchParams{Intake: 8, Until: day, Reason: "The portal was down", Tell: true,
			Text: "Sorry for that."}
		bad := []admitto.BatchParams{params, params, params, params}
		bad[0].Intake, bad[1].Until, bad[2].Until, bad[3].Reason = 999, admitto.Date{},
			admitto.Date{Year: 2026, Month: 3, Day: 8}, " "
		for i := range bad {
			o.refusedPlans(of("extend", bad[i], 104))
		}
		shorter := params
		shorter.Until = admitto.Date{Year: 2026, Month: 3, Day: 20}
		if id, err := o.Prepare(t.Context(), staff(1), of("extend", shorter, 104)); err != nil || o.show(id).Excluded != 1 {
			t.Errorf("the deadline is made shorter: %v", err)
		}
		mails := d.Count("outbox")
		id := o.released(of("extend", params, o.all()...))
		o.want(id, admitto.BatchFinished, "3 2 3 0 0")
		const extensions = "SELECT application_id || ':' || until FROM deadline_extension ORDER BY application_id"
		end := fmt.Sprint(int64(day.End(o.Services.Core.Settings().Instance.Timezone)))
		if got := d.Lines(extensions); got != "103:"+end+" 104:"+end+" 105:"+end || d.Count("outbox") != mails+3 {
			t.Errorf("%s, %d mails", got, d.Count("outbox")-mails)
		}
		d.Write("UPDATE deadline_extension SET until = until + 1 WHERE application_id = 105")
		o.undone(id)
		if got := d.Lines(extensions); got != "103:1772000000000000 105:"+
			fmt.Sprint(int64(day.End(o.Services.Core.Settings().Instance.Timezone))+1) {
			t.Error(got)
		}
		o.want(id, admitto.BatchUndone, "3 2 3 0 0")
	})
}

// Tasks of a template: one for each application that has none open, and gone again unless somebody worked on it.
func TestTasksOfTemplate(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 4)
		template := d.Template("document-check")
		d.Write("UPDATE task_template SET active = TRUE, mails = TRUE")
		o.refusedPlans(of("task", admitto.BatchParams{Task: 999}, 101), of("task", admitto.BatchParams{}, 101))
		d.Write("UPDATE application SET status = 'Withdrawn' WHERE id = 101")
		if _, err := d.Services.Admissions.CreateTask(t.Context(), servicestest.Staff(), 102, template, 0); err != nil {
			t.Fatal(err)
		}
		id := o.released(of("task", admitto.BatchParams{Task: template}, o.all()...))
		o.want(id, admitto.BatchFinished, "2 2 2 0 0")
		const tasks = "SELECT application_id FROM task WHERE application_id > 100 ORDER BY application_id"
		if got := d.Lines(tasks); got != "102 103 104" {
			t.Error(got)
		}
		d.Write("UPDATE task SET committed = 1 WHERE application_id = 104")
		o.undone(id)
		if got := d.Lines(tasks); got != "102 104" || o.show(id).LeftAsIs != 1 {
			t.Errorf("%s, %+v", got, o.show(id))
		}
	})
}

// A task that no mail tells of, and letters to people who have several, do not reach more people than they reach.
func TestWhoIsReached(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 51)
		tasks := of("task", admitto.BatchParams{Task: d.Template("document-check")}, o.all()...)
		want := func(plan batch.Plan, reached int64, second bool) {
			t.Helper()
			if v := o.show(o.prepare(plan)); v.Reached != reached || v.NeedsSecond != second || v.Size == 0 {
				t.Errorf("%s: %d reached, a second person is needed: %t, %+v", plan.Action, v.Reached, v.NeedsSecond, v.Batch)
			}
		}
		d.Write("UPDATE task_template SET active = TRUE, mails = FALSE")
		want(tasks, 0, false)
		d.Write("UPDATE task_template SET mails = TRUE")
		want(tasks, 51, true)
		d.Write(`INSERT INTO offer (id, application_id, applicant_id, academic_term_id, course_id, institution_id, intake_id, priority, type_id, inserted, saved)
			SELECT id, id, applicant_id, 13, 55, 1, 8, 1, (SELECT min(id) FROM offer_type WHERE confirm), 1, 1 FROM application WHERE id BETWEEN 101 AND 111`)
		letters := of("confirm", admitto.BatchParams{Course: 55}, o.all()...)
		want(letters, 11, true)
		id := o.prepare(letters)
		d.Write("UPDATE batch_record SET applicant_id = 110 WHERE record = 111")
		if v := o.show(id); v.Reached != 10 || v.NeedsSecond {
			t.Errorf("%d people have %d letters: %t", v.Reached, v.Size, v.NeedsSecond)
		}
	})
}

// Numbers: the next ones for whom the course has accepted, without a gap, and away again.
func TestNumbers(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 6)
		d.Write(`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id, decision)
			SELECT a.id, a.id, a.applicant_id, 55, 1, 1, 1, 1, 'Final' FROM application a WHERE a.id > 101`,
			"UPDATE offer SET decision = 'None' WHERE id = 102", "UPDATE applicant SET matriculation = 'M-1' WHERE id = 103")
		plan := of("matriculate", admitto.BatchParams{Course: 55}, o.all()...)
		o.refusedPlans(plan, of("matriculate", admitto.BatchParams{Course: 999}, 104)) // no format, no course
		d.Services = d.Another(d.Store, d.Post, func(s *config.Settings) { s.Matriculation.Format = "%inc:3%" })
		o = &office{d, d.Services.Batches, 6}
		if v := o.show(o.prepare(plan)); v.Reached != 0 || v.Mails {
			t.Errorf("it is said to reach people: %+v", v)
		}
		id := o.released(plan)
		o.want(id, admitto.BatchFinished, "3 3 3 0 0")
		if got := d.Lines("SELECT becomes FROM batch_record WHERE state = 'done' ORDER BY place"); got != "001 002 003" {
			t.Errorf("the list says %q was given", got)
		}
		const numbers = "SELECT id || ':' || matriculation FROM applicant WHERE matriculation <> '' AND id > 100 ORDER BY id"
		if got := d.Lines(numbers); got != "103:M-1 104:001 105:002 106:003" {
			t.Error(got)
		}
		if err := d.Services.Admissions.SetMatriculation(t.Context(), servicestest.Staff(), 105, "X"); err != nil {
			t.Fatal(err)
		}
		o.undone(id)
		if got := d.Lines(numbers); got != "103:M-1 105:X" || o.show(id).LeftAsIs != 1 {
			t.Errorf("%s, %+v", got, o.show(id))
		}
	})
}
