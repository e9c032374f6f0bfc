package batch_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// writing is a plan to write to the applicants of the applications.
func writing(ids ...int64) batch.Plan {
	return batch.Plan{Action: "message", Params: admitto.BatchParams{Subject: "For %applicant-FamilyName%",
		Text: "Dear %applicant-GivenName%,\n\nabout %application-ID% %applicant-Nonsense%"},
		Selection: admitto.BatchSelection{IDs: ids}}
}

// Messages: one for each person, as it was sealed, in waves, by a second person.
func TestMessages(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 60)
		d.Write("UPDATE application SET status = 'Closed', applicant_id = 101 WHERE id = 102")
		plan := writing(o.all()...)
		if _, err := o.Prepare(t.Context(), staff(1), plan); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Fatalf("an unknown marker: %v", err)
		}
		mistyped := plan
		mistyped.Params.Text = "Dear %name%, %applicant_Name% and %applicant-Name"
		var refused *admitto.Error
		if _, err := o.Prepare(t.Context(), staff(1), mistyped); !errors.As(err, &refused) || len(refused.Faults) != 3 ||
			refused.Faults[0].Path != "batch.text" {
			t.Errorf("mistyped markers would go out: %v", err)
		}
		plan.Params.Text = strings.TrimSuffix(plan.Params.Text, " %applicant-Nonsense%")
		id := o.prepare(plan)
		o.want(id, admitto.BatchPrepared, "59 1 0 0 0")
		line, err := o.Line(t.Context(), staff(1), id, 1)
		if err != nil || line.Subject != "For No101" || !strings.Contains(line.Body, "Dear Eva") ||
			line.Recipient != "p101@example.org" {
			t.Errorf("%+v, %v", line, err)
		}
		// The only one who may release waits ten minutes after typing the count.
		for _, typed := range []int64{59, 59} {
			_, _ = o.Release(t.Context(), staff(1), id, typed)
		}
		o.want(id, admitto.BatchWaiting, "59 1 0 0 0")
		// Once there is another, that one is needed.
		o.is(2, 1)
		d.Clock.Add(11 * admitto.Minute)
		if _, err := o.Release(t.Context(), staff(1), id, 59); admitto.KindOf(err) != admitto.NotAllowedNow {
			t.Errorf("released alone: %v", err)
		}
		if b, err := o.Release(t.Context(), staff(2), id, 59); err != nil || b.ReleasedBy != 2 || b.Alone {
			t.Fatalf("%+v, %v", b, err)
		}
		other := d.Another(d.Store, d.Post, func(s *config.Settings) { s.Batch.WaveSize, s.Batch.WavePauseSeconds = 25, 60 })
		d.Write("UPDATE applicant SET email = 'new@example.org', email_key = 'new@example.org' WHERE id = 103")
		for wave, want := range []string{"24 1 0", "49 1 0", "58 1 0"} {
			if o.run(other); o.counts(id) != want {
				t.Errorf("wave %d: %s, want %s", wave, o.counts(id), want)
			}
			d.Clock.Add(61 * admitto.Second)
		}
		o.want(id, admitto.BatchFinished, "59 1 58 1 0")
		if n := d.Count("email"); n != 58 {
			t.Errorf("%d mails", n)
		}
		if _, err := o.Undo(t.Context(), staff(1), id); admitto.KindOf(err) != admitto.NotAllowedNow {
			t.Errorf("mails were unsent: %v", err)
		}
		correction := plan
		correction.Selection = admitto.BatchSelection{DoneIn: id}
		o.want(o.prepare(correction), admitto.BatchPrepared, "58 0 0 0 0")
	})
}

// A message goes to those only whom its markers have a value for.
func TestMessagesWithoutValue(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 4)
		d.Write("UPDATE applicant SET matriculation = '2027-' || id WHERE id IN (101, 103)")
		plan := writing(o.all()...)
		plan.Params.Text = "Dear %applicant-Name%, your number is %applicant-Matriculation%."
		id := o.prepare(plan)
		o.want(id, admitto.BatchPrepared, "2 2 0 0 0")
		left, err := o.Line(t.Context(), staff(1), id, 2)
		if err != nil || len(left.Reasons) != 1 || !strings.Contains(left.Reasons[0].String(), "%applicant-Matriculation%") {
			t.Errorf("%+v, %v", left, err)
		}
	})
}

// counts are those of done, skipped and failed records.
func (o *office) counts(id int64) string {
	b := o.show(id)
	return fmt.Sprint(b.Done, b.Skipped, b.Failed)
}

// wantPreview compares what undoing would do (records looked at, put back and left, people told), and which records it
// would leave, and that looking at it changed nothing.
func (o *office) wantPreview(id int64, counts string, left ...int64) {
	o.T.Helper()
	records := o.Count("journal")
	p, err := o.PreviewUndo(o.T.Context(), staff(1), id)
	if err != nil {
		o.T.Fatal(err)
	}
	var stay []int64
	for _, c := range p.Lines {
		if stay = append(stay, c.Record); len(c.Reasons) == 0 {
			o.T.Errorf("%d stays without a reason", c.Record)
		}
	}
	if got := fmt.Sprint(p.Looked, p.Back, p.Left, p.Told); got != counts || !slices.Equal(stay, left) ||
		int64(len(p.Sent)) != p.Told {
		o.T.Errorf("undoing %d: %s, %d would stay and %d were told, want %s and %d", id, got, stay, len(p.Sent), counts, left)
	}
	if n := o.Count("journal"); n != records {
		o.T.Errorf("%d events by a preview", n-records)
	}
}

// The only administrator with release waits, and releases alone.
func TestReleaseAlone(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 51)
		plan := batch.Plan{Action: "freeze", Selection: admitto.BatchSelection{IDs: o.all()}}
		id := o.prepare(plan)
		if b, err := o.Release(t.Context(), staff(1), id, 51); err != nil || b.State != admitto.BatchWaiting {
			t.Fatalf("%+v, %v", b, err)
		}
		if _, err := o.Release(t.Context(), staff(1), id, 51); admitto.KindOf(err) != admitto.NotAllowedNow {
			t.Errorf("%v", err)
		}
		d.Clock.Add(10 * admitto.Minute)
		if b, err := o.Release(t.Context(), staff(1), id, 51); err != nil || !b.Alone {
			t.Fatalf("%+v, %v", b, err)
		}
		o.run(d.Services)
		frozen := func() int64 { return d.Number("SELECT count(*) FROM application WHERE frozen IS NOT NULL") }
		if frozen() != 51 {
			t.Errorf("%d frozen", frozen())
		}
		d.Must(d.Services.Admissions.Unfreeze(t.Context(), servicestest.Staff(), 110))
		o.wantPreview(id, "51 50 1 0", 110)
		if _, err := o.Undo(t.Context(), staff(1), id); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		if b := o.show(id); b.PutBack != 50 || b.LeftAsIs != 1 || frozen() != 0 {
			t.Errorf("%+v, %d frozen", b.Batch, frozen())
		}
	})
}

// Closing tells the applicants when it should, and is undone.
func TestCloseMany(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 3)
		id := o.prepare(batch.Plan{Action: "close", Params: admitto.BatchParams{Tell: true},
			Selection: admitto.BatchSelection{IDs: o.all()}})
		if _, err := o.Release(t.Context(), staff(1), id, 0); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		o.want(id, admitto.BatchFinished, "3 0 3 0 0")
		if d.Status(101) != "Closed" || d.Count("email") != 3 {
			t.Errorf("%s, %d mails", d.Status(101), d.Count("email"))
		}
		o.wantPreview(id, "3 3 0 3")
		if d.Status(101) != "Closed" {
			t.Error("a preview has opened an application again")
		}
		if b, err := o.Undo(t.Context(), staff(1), id); err != nil || d.Status(101) != "Submitted" {
			t.Errorf("%+v, %v", b, err)
		}
		correction := writing()
		correction.Params.Text, correction.Selection = "Sorry", admitto.BatchSelection{DoneIn: id}
		o.want(o.prepare(correction), admitto.BatchPrepared, "3 0 0 0 0")
	})
}

// Offers: types are set and put back; letters go to whom the list says, or the batch stops.
func TestOffers(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 4)
		kind := d.Number("SELECT min(id) FROM offer_type WHERE confirm")
		d.Write(fmt.Sprintf("UPDATE offer_type SET subject = 'About %%course-FullName%%', comments = 'Dear %%applicant-Name%%' WHERE id = %d", kind))
		for i := int64(101); i <= 103; i++ {
			d.Write(fmt.Sprintf(`INSERT INTO offer (id, application_id, applicant_id, academic_term_id, course_id, institution_id, intake_id, priority, type_id, inserted, saved, decision, decision_policy)
				VALUES (%[1]d, %[1]d, %[1]d, 13, 55, 1, 8, 1, 1, 1, 1, 'None', 'None')`, i))
		}
		params := admitto.BatchParams{Course: 55, Type: kind}
		id := o.prepare(batch.Plan{Action: "offer-type", Params: params, Selection: admitto.BatchSelection{IDs: o.all()}})
		o.want(id, admitto.BatchPrepared, "3 1 0 0 0")
		if _, err := o.Release(t.Context(), staff(1), id, 0); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		types := func() int64 {
			return d.Number(fmt.Sprintf("SELECT count(*) FROM offer WHERE type_id = %d AND id > 100", kind))
		}
		if types() != 3 {
			t.Fatalf("%d offers, %q", types(), o.why(id, admitto.RecordFailed))
		}
		plan := batch.Plan{Action: "confirm", Params: admitto.BatchParams{Course: 55},
			Selection: admitto.BatchSelection{IDs: o.all()}}
		d.Write(fmt.Sprintf("INSERT INTO offer_reason (id, offer_type_id, reason) VALUES (901, %d, 'Marks')", kind),
			"UPDATE offer SET reason_id = 901, reason = 'Marks' WHERE id = 103")
		without := o.prepare(plan)
		o.want(without, admitto.BatchPrepared, "1 3 0 0 0")
		if why := o.why(without, admitto.RecordExcluded); !strings.Contains(strings.Join(why, " "),
			"101: Choose a reason of this type") {
			t.Errorf("%q", why)
		}
		d.Write("UPDATE offer SET reason_id = NULL, reason = '' WHERE id = 103", "DELETE FROM offer_reason WHERE id = 901")
		letters := o.prepare(plan)
		o.want(letters, admitto.BatchPrepared, "3 1 0 0 0")
		d.Write("UPDATE applicant SET email = 'new@example.org', email_key = 'new@example.org' WHERE id = 102")
		if _, err := o.Release(t.Context(), staff(1), letters, 0); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		o.want(letters, admitto.BatchStopped, "3 1 1 1 0")
		if _, err := o.Service.Resume(t.Context(), staff(1), letters); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		o.want(letters, admitto.BatchFinished, "3 1 2 1 0")
		if d.Count("offer_confirmation") != 2 {
			t.Errorf("%d letters", d.Count("offer_confirmation"))
		}
		o.wantPreview(id, "3 1 2 0", 101, 103)
		if _, err := o.PreviewUndo(t.Context(), staff(1), letters); admitto.KindOf(err) != admitto.NotAllowedNow {
			t.Errorf("letters would be unsent: %v", err)
		}
		if _, err := o.Undo(t.Context(), staff(1), id); err != nil {
			t.Fatal(err)
		}
		if b := o.show(id); b.PutBack != 1 || b.LeftAsIs != 2 || types() != 2 {
			t.Errorf("%+v", b.Batch)
		}
	})
}
