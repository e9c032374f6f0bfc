package batch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// putting is a plan to put applications on a sheet.
func putting(sheet int64, ids ...int64) batch.Plan {
	return batch.Plan{Action: "sheet", Params: admitto.BatchParams{Sheet: sheet},
		Selection: admitto.BatchSelection{IDs: ids}}
}

// TestSheets puts applications on a sheet, and their offers on one for offers; what is on it already is left out, a
// confirmed sheet takes nothing, and undoing takes off what nobody has scored since.
func TestSheets(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		o := newOffice(d, 60)
		d.Write(`INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale, date) VALUES
			(7, 1, 'Motivation', 'Number', 'Application', 0, 100000, 0, 'Required'), (8, 1, 'Interview', 'Number',
				'Offer', 0, 100000, 0, 'None')`,
			`INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale, confirmed) VALUES
			(9, 1, 'Done', 'Number', 'Application', 0, 100000, 0, 2)`,
			`INSERT INTO score (scoresheet_id, application_id) VALUES (7, 102)`,
			`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, type_id)
			VALUES (901, 101, 101, 55, 1, 8, 1, 1, 1), (902, 103, 103, 55, 1, 8, 1, 1, 1)`)
		on := func(sheet int64) string {
			return strings.Join(strings.Fields(d.Lines(fmt.Sprintf(`SELECT application_id || '/' || coalesce(offer_id, 0) FROM score
				WHERE scoresheet_id = %d ORDER BY application_id`, sheet))), " ")
		}
		from := len(d.Journal())
		b, err := o.DoAtOnce(t.Context(), staff(1), putting(7, 101, 102, 103))
		if err != nil || b.Done != 2 || b.Excluded != 1 || on(7) != "101/0 102/0 103/0" {
			t.Fatalf("%+v, %v, %s", b, err, on(7))
		}
		if got := d.Since(from); len(got) < 2 || !slices.Contains(got, "Score was added") {
			t.Errorf("events %q", got)
		}
		d.Write("UPDATE score SET points = 70000, scored = 5 WHERE application_id = 103")
		from = len(d.Journal())
		if _, err := o.Undo(t.Context(), staff(1), b.ID); err != nil || on(7) != "102/0 103/0" {
			t.Errorf("%v, left %s", err, on(7))
		}
		if got := d.Since(from); !slices.Contains(got, "Score was removed") {
			t.Errorf("events %q", got)
		}
		if n := d.Number("SELECT count(*) FROM score"); n != 2 {
			t.Errorf("%d scores", n)
		}
		id := o.prepare(putting(8, o.all()...))
		o.run(d.Services)
		if v := o.show(id); v.Size != 2 || v.Excluded != 58 || on(8) != "" {
			t.Errorf("%+v, %s", v.Batch, on(8))
		}
		if why := o.why(id, admitto.RecordExcluded); !slices.Contains(why,
			"102: It has no offers yet, and this scoresheet is for offers.") {
			t.Errorf("left out: %q", why[:1])
		}
		if _, err := o.Release(t.Context(), staff(1), id, 0); err != nil {
			t.Fatal(err)
		}
		o.run(d.Services)
		if on(8) != "101/901 103/902" {
			t.Errorf("on the sheet for offers: %s", on(8))
		}
		if _, err := o.Undo(t.Context(), staff(1), id); err != nil || on(8) != "" {
			o.run(d.Services)
			if on(8) != "" {
				t.Errorf("%v, left %s", err, on(8))
			}
		}
		scorer := staff(2)
		scorer.Permissions = admitto.PermissionsOf(admitto.ApplicationsView, admitto.ApplicationsScore)
		for sheet, want := range map[int64]string{9: "confirmed", 99: "Choose a scoresheet"} {
			if _, err := o.DoAtOnce(t.Context(), scorer, putting(sheet, 101)); err == nil ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("sheet %d: %v", sheet, err)
			}
		}
	})
}
