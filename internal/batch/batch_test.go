package batch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// office is an instance with applications 101 to 100+n of as many applicants, the flags 1 and 2, and the administrators
// 1 to 3 with all permissions, of whom only 1 has a role.
type office struct {
	*servicestest.Desk
	*batch.Service
	n int64
}

func newOffice(d *servicestest.Desk, n int64) *office {
	d.T.Helper()
	d.AtWork()
	d.Write(`INSERT INTO administrator_role (administrator_id, role_id) VALUES (1, 1)`,
		`INSERT INTO administrator (id, name, email) VALUES (2, 'Bea Officer', 'bea@example.edu'), (3, 'Cyd Officer', 'cyd@example.edu')`,
		`INSERT INTO flag (id, created, name, name_key) VALUES (1, 1, 'Interview', 'interview'), (2, 1, 'Missing', 'missing')`)
	var people, applications, courses []string
	for i := int64(101); i <= 100+n; i++ {
		people = append(people, fmt.Sprintf(`(%d, 'live', FALSE, 1, 'Eva', 'No%d', 'p%d@example.org', 'p%d@example.org', 'HU')`, i, i, i, i))
		applications = append(applications, fmt.Sprintf("(%d, %d, 13, 'Submitted', 1, 1)", i, i))
		courses = append(courses, fmt.Sprintf("(%d, 55, 8, 1, 1, 1)", i))
	}
	d.Write(`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key, citizenship) VALUES `+
		strings.Join(people, ", "), `INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES `+
		strings.Join(applications, ", "), `INSERT INTO application_course (application_id, course_id, intake_id, institution_id, priority, added) VALUES `+
		strings.Join(courses, ", "))
	return &office{d, d.Services.Batches, n}
}

// is gives an administrator a role.
func (o *office) is(administrator, role int64) {
	o.T.Helper()
	o.Write(fmt.Sprintf("INSERT INTO administrator_role (administrator_id, role_id) VALUES (%d, %d)", administrator, role))
}

func staff(id int64) admitto.Caller {
	return servicestest.As(admitto.ByAdministrator, id).Caller
}

// all are the applications of the office.
func (o *office) all() (ids []int64) {
	for i := int64(101); i <= 100+o.n; i++ {
		ids = append(ids, i)
	}
	return ids
}

// flagging is a plan to set flag 1 on the applications.
func flagging(ids ...int64) batch.Plan {
	return batch.Plan{Action: "flag", Params: admitto.BatchParams{Flag: 1}, Selection: admitto.BatchSelection{IDs: ids}}
}

func (o *office) prepare(p batch.Plan) int64 {
	o.T.Helper()
	id, err := o.Prepare(o.T.Context(), staff(1), p)
	if err != nil {
		o.T.Fatal(err)
	}
	return id
}

// run is what the job does.
func (o *office) run(s *services.Services) {
	o.T.Helper()
	if err := s.Batches.Run(o.T.Context(), admitto.SystemCaller()); err != nil {
		o.T.Fatal(err)
	}
}

func (o *office) show(id int64) batch.View {
	o.T.Helper()
	v, err := o.Show(o.T.Context(), staff(1), id)
	if err != nil {
		o.T.Fatal(err)
	}
	return v
}

// want compares state and counts of a batch: size, excluded, done, skipped, failed.
func (o *office) want(id int64, state admitto.BatchState, counts string) {
	o.T.Helper()
	b := o.show(id)
	if got := fmt.Sprint(b.Size, b.Excluded, b.Done, b.Skipped, b.Failed); b.State != state || got != counts {
		o.T.Errorf("batch %d is %s with %s, want %s with %s", id, b.State, got, state, counts)
	}
}

// why are the reasons of the lines in a state.
func (o *office) why(id int64, state admitto.BatchRecordState) (list []string) {
	o.T.Helper()
	lines, _, err := o.Service.Lines(o.T.Context(), staff(1), id, 0, state, 1000)
	if err != nil {
		o.T.Fatal(err)
	}
	for _, c := range lines {
		said := []string{fmt.Sprint(c.Record)}
		for _, r := range c.Reasons {
			said = append(said, r.String())
		}
		list = append(list, strings.Join(said, ": "))
	}
	return list
}

// flagged are the applications with flag 1.
func (o *office) flagged() int64 {
	return o.Number("SELECT count(*) FROM application_flag WHERE flag_id = 1")
}

// A sealed list changes nothing. Released, each record is changed once, what was changed meanwhile is skipped, and all
// records of the journal name the batch; undone, what nobody changed since is as before.
func TestBatch(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 8)
		d.Must(d.Services.Admissions.SetFlag(t.Context(), servicestest.Staff(), 108, 1))
		from := len(d.Journal())
		id := o.prepare(flagging(append(o.all(), 101, 999)...))
		o.want(id, admitto.BatchPrepared, "7 2 0 0 0")
		if why := o.why(id, admitto.RecordExcluded); !slices.Equal(why, []string{"108: It is so already.",
			"999: It is not there any more."}) {
			t.Errorf("excluded: %q", why)
		}
		if o.run(d.Services); o.flagged() != 1 {
			t.Fatal("preparing has changed something")
		}
		// One gets the flag by hand, one is edited, one is gone.
		d.Must(d.Services.Admissions.SetFlag(t.Context(), servicestest.Staff(), 101, 1))
		d.Write("UPDATE application SET row_version = row_version + 1 WHERE id = 102", "DELETE FROM applicant WHERE id = 107")
		if _, err := o.Release(t.Context(), staff(1), id, 0); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		o.want(id, admitto.BatchFinished, "7 2 4 2 0")
		if why := o.why(id, admitto.RecordSkipped); !slices.Equal(why, []string{"101: It is so already.",
			"102: It was changed after the list was sealed."}) {
			t.Errorf("skipped: %q", why)
		}
		flagged := 0
		for _, r := range d.Journal()[from:] {
			switch r.Pattern {
			case admitto.ApplicationFlagged:
				if r.Links.Application != 101 {
					flagged++
				}
				if (r.Actor.Batch == id) != (r.Links.Application != 101) || r.Actor.ID != 1 {
					t.Errorf("record %d of %+v", r.ID, r.Actor)
				}
			case admitto.BatchPreparedEvent, admitto.BatchReleasedEvent, admitto.BatchFinishedEvent:
				if r.Actor.Batch != id || r.Bind[0] != fmt.Sprint(id) {
					t.Errorf("record %d of %+v", r.ID, r.Actor)
				}
			}
		}
		if flagged != 4 || o.flagged() != 6 {
			t.Errorf("%d records, %d flags", flagged, o.flagged())
		}

		// Undo: one was taken off by hand meanwhile, and is left.
		d.Must(d.Services.Admissions.RemoveFlag(t.Context(), servicestest.Staff(), 104, 1))
		if _, err := o.Undo(t.Context(), staff(1), id); err != nil {
			t.Fatal(err)
		}
		b := o.show(id)
		if b.State != admitto.BatchUndone || b.PutBack != 3 || b.LeftAsIs != 1 || o.flagged() != 2 {
			t.Errorf("%+v, %d flags", b.Batch, o.flagged())
		}
		if why := o.why(id, admitto.RecordLeft); !slices.Equal(why, []string{"104: It was changed after the batch."}) {
			t.Errorf("left: %q", why)
		}
		d.Chained()
		if b.MayUndo {
			t.Error("it may be undone again")
		}
	})
}

// Up to 50 records are changed at once; without a change there is no batch and no record.
func TestDoAtOnce(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 60)
		b, err := o.DoAtOnce(t.Context(), staff(1), flagging(101, 102))
		if err != nil || b.State != admitto.BatchFinished || b.Done != 2 || o.flagged() != 2 {
			t.Fatalf("%+v, %v", b, err)
		}
		from := len(d.Journal())
		if b, err := o.DoAtOnce(t.Context(), staff(1), flagging(102, 101)); err != nil || b.ID != 0 || d.Count("batch") != 1 {
			t.Errorf("%+v, %v", b, err)
		}
		d.WantSince(from)
		if _, err := o.DoAtOnce(t.Context(), staff(1),
			flagging(o.all()...)); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Errorf("60 at once: %v", err)
		}
		if b, err := o.Undo(t.Context(), staff(1), b.ID); err != nil || o.flagged() != 0 {
			t.Errorf("%+v, %v", b, err)
		}
	})
}

// Officers: who may not edit takes what nobody has and gives back their own; others are left out.
func TestOfficers(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 4)
		o.is(2, 4) // Academic consultant: may view
		d.Write("UPDATE application SET officer_id = 3 WHERE id = 102")
		consultant := admitto.AdministratorCaller(2, admitto.PermissionsOf(admitto.ApplicationsView), "r1")
		plan := batch.Plan{Action: "officer", Params: admitto.BatchParams{Officer: 2},
			Selection: admitto.BatchSelection{IDs: o.all()}}
		b, err := o.DoAtOnce(t.Context(), consultant, plan)
		if err != nil || b.Done != 3 || b.Excluded != 1 {
			t.Fatalf("%+v, %v", b, err)
		}
		d.Write("UPDATE application SET officer_id = 1 WHERE id = 103")
		if _, err := o.Undo(t.Context(), consultant, b.ID); err != nil {
			t.Fatal(err)
		}
		if n := d.Number("SELECT count(*) FROM application WHERE officer_id IS NULL AND id > 100"); n != 2 {
			t.Errorf("%d have nobody", n)
		}
		plan.Params.Officer = 77
		if _, err := o.Prepare(t.Context(), staff(1), plan); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Errorf("an officer whom there is not: %v", err)
		}
	})
}

// Stop works between two records, and Resume does the rest; a lease that was left behind is taken over.
func TestStopAndTakeOver(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 60)
		id := o.prepare(flagging(o.all()...))
		for _, typed := range []int64{0, 59, 61, -1} {
			if _, err := o.Release(t.Context(), staff(1), id, typed); admitto.KindOf(err) != admitto.InvalidParameter {
				t.Fatalf("released with %d typed: %v", typed, err)
			}
		}
		if _, err := o.Release(t.Context(), staff(1), id, 60); err != nil {
			t.Fatal(err)
		}
		// An instance died after the tenth record.
		d.Write("UPDATE batch SET lease = 1, lease_until = " + fmt.Sprint(int64(d.Clock.Now()+20*admitto.Second)))
		if o.run(d.Services); o.flagged() != 0 {
			t.Error("two work on one batch")
		}
		d.Clock.Add(21 * admitto.Second)
		if _, err := o.Stop(t.Context(), staff(1), id); err != nil {
			t.Fatal(err)
		}
		if o.run(d.Services); o.flagged() != 0 {
			t.Error("it runs although it was stopped")
		}
		o.want(id, admitto.BatchStopped, "60 0 0 0 0")
		if _, err := o.Service.Resume(t.Context(), staff(1), id); err != nil {
			t.Fatal(err)
		}
		other := d.Another(d.Store, d.Post, func(s *config.Settings) { s.Batch.WaveSize = 7 })
		o.run(other)
		o.want(id, admitto.BatchFinished, "60 0 60 0 0")
		for _, refused := range []func() error{
			func() error { _, err := o.Release(t.Context(), staff(1), id, 60); return err },
			func() error { _, err := o.Stop(t.Context(), staff(1), id); return err },
			func() error { _, err := o.Service.Resume(t.Context(), staff(1), id); return err },
			func() error { _, err := o.Discard(t.Context(), staff(1), id); return err },
		} {
			if err := refused(); admitto.KindOf(err) != admitto.NotAllowedNow {
				t.Errorf("%v", err)
			}
		}
		d.Clock.Add(31 * admitto.Day)
		if _, err := o.Undo(t.Context(), staff(1), id); admitto.KindOf(err) != admitto.NotAllowedNow || o.show(id).MayUndo {
			t.Errorf("undone after 31 days: %v", err)
		}
	})
}

// A list is sealed in pages, from a query as well; who loses the permission meanwhile does not change anything.
func TestLargeList(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 1300)
		plan := flagging()
		plan.Selection = admitto.BatchSelection{Applications: &admitto.ApplicationQuery{Statuses: []string{"Submitted"}}}
		id := o.prepare(plan)
		if b := o.show(id); b.State != admitto.BatchPreparing || b.Size != 1000 {
			t.Fatalf("%+v", b.Batch)
		}
		if _, err := o.Release(t.Context(), staff(1), id, 1000); admitto.KindOf(err) != admitto.NotAllowedNow {
			t.Errorf("released while it is being sealed: %v", err)
		}
		o.run(d.Services)
		o.want(id, admitto.BatchPrepared, "1301 0 0 0 0") // with application 12
		if d.Number("SELECT count(*) FROM batch WHERE selection <> ''") != 0 {
			t.Error("what was selected is still kept")
		}
		if _, err := o.Release(t.Context(), staff(1), id, 1301); err != nil {
			t.Fatal(err)
		}
		d.Write("UPDATE administrator_role SET role_id = 8 WHERE administrator_id = 1")
		o.run(d.Services)
		o.want(id, admitto.BatchStopped, "1301 0 0 0 0")
		if why := o.show(id).Why; len(why) != 1 || why[0].Code != "batch-not-permitted" {
			t.Errorf("%v", why)
		}
		again := o.prepare(plan)
		if _, err := o.Discard(t.Context(), staff(1), again); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		o.want(again, admitto.BatchDiscarded, "1000 0 0 0 0")
	})
}

// Batches of others are seen and stopped with release only.
func TestBatchesOfOthers(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 3)
		id := o.prepare(flagging(o.all()...))
		other := admitto.AdministratorCaller(2, admitto.PermissionsOf(admitto.FlagsEdit), "r1")
		_, show := o.Show(t.Context(), other, id)
		_, _, lines := o.Service.Lines(t.Context(), other, id, 0, "", 10)
		_, released := o.Release(t.Context(), other, id, 0)
		_, discarded := o.Discard(t.Context(), other, id)
		for _, err := range []error{show, lines, released, discarded} {
			if admitto.KindOf(err) != admitto.NotPermitted {
				t.Errorf("%v", err)
			}
		}
		list, count, _, err := o.List(t.Context(), other, admitto.BatchQuery{Rows: 10})
		if err != nil || len(list) != 0 || count != 0 {
			t.Errorf("%v of %d, %v", list, count, err)
		}
		list, count, more, err := o.List(t.Context(), staff(2), admitto.BatchQuery{Rows: 10,
			States: []admitto.BatchState{admitto.BatchPrepared}})
		if err != nil || len(list) != 1 || count != 1 || more {
			t.Errorf("%v of %d, %v", list, count, err)
		}
		list, count, _, err = o.List(t.Context(), staff(2), admitto.BatchQuery{Rows: 10, Before: 1})
		if err != nil || len(list) != 0 || count != 1 {
			t.Errorf("behind the last page: %v of %d, %v", list, count, err)
		}
		unknown := flagging(101)
		unknown.Action = "explode"
		if _, err := o.Prepare(t.Context(), staff(1), unknown); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Errorf("%v", err)
		}
		unknown = flagging(101)
		unknown.Params.Flag = 9
		if _, err := o.Prepare(t.Context(), staff(1), unknown); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Errorf("%v", err)
		}
		if _, err := o.Prepare(t.Context(), admitto.AdministratorCaller(2, admitto.PermissionsOf(), "r1"),
			flagging(101)); admitto.KindOf(err) != admitto.NotPermitted {
			t.Errorf("%v", err)
		}
	})
}

// Markers fill what is in an application into a message, and its line shows it: who may not see applications makes no
// batch of them, whatever they are permitted to do, and reads none of others.
func TestBatchesOfWhatIsNotSeen(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 3)
		blind := admitto.AdministratorCaller(2, admitto.PermissionsOf(admitto.ApplicantsView, admitto.MessagesSend,
			admitto.FlagsEdit, admitto.BatchesRelease), "r1")
		writing := batch.Plan{Action: "message", Params: admitto.BatchParams{Subject: "Hello", Text: "%applicant-Passport%"},
			Selection: admitto.BatchSelection{IDs: []int64{101}}}
		for _, source := range []admitto.BatchSource{"", admitto.OfApplications, admitto.OfTasks, admitto.OfOffers} {
			writing.Source = source
			if _, err := o.Prepare(t.Context(), blind, writing); admitto.KindOf(err) != admitto.NotPermitted {
				t.Errorf("messages to %q: %v", source, err)
			}
		}
		if _, err := o.DoAtOnce(t.Context(), blind, flagging(101)); admitto.KindOf(err) != admitto.NotPermitted {
			t.Errorf("flags: %v", err)
		}
		id := o.prepare(flagging(o.all()...))
		if _, err := o.Line(t.Context(), blind, id, 1); admitto.KindOf(err) != admitto.NotPermitted {
			t.Errorf("a line: %v", err)
		}
		if _, err := o.Line(t.Context(), staff(2), id, 1); err != nil {
			t.Error(err)
		}
	})
}
