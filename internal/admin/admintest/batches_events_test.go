package admintest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestBatchOfEvents follows events to the batch that made them: who prepared it and who may release those of others by
// a link, others read its number.
func TestBatchOfEvents(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		d.Write("INSERT INTO flag (id, created, name, name_key) VALUES (1, 1, 'Interview', 'interview')")
		o := &office{i}
		some := []admitto.Permission{admitto.ApplicationsView, admitto.ApplicantsView, admitto.FlagsEdit, admitto.JournalView}
		ada := i.Staff(i.Administrator("Ada Boss", some...))
		const application = 101
		d.Write(`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key)
			VALUES (101, 'live', FALSE, 1, 'Eva', 'Novák', 'eva@example.org', 'eva@example.org')`,
			`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (101, 101, 13, 'Draft', 1, 1)`)
		o.send(ada, url.Values{"action": {"flag"}, "source": {"applications"}, "flag": {"1"}, "id": {"101"}})
		batch, record := d.Number("SELECT max(id) FROM batch"),
			d.Number("SELECT max(id) FROM journal WHERE batch_id IS NOT NULL AND application_id IS NOT NULL")
		address, words := fmt.Sprintf("/admin/batches/%d", batch), fmt.Sprintf("batch %d", batch)
		for name, c := range map[string]struct {
			v     *sitetest.Visitor
			leads bool
		}{
			"who prepared it":  {ada, true},
			"another":          {i.Staff(i.Administrator("Bea Reader", some...)), false},
			"who may release":  {i.Staff(i.Administrator("Cyd Release", append(some, admitto.BatchesRelease)...)), true},
			"who has no batch": {i.Staff(i.Administrator("Dan Reader", admitto.ApplicationsView, admitto.JournalView)), false},
		} {
			for _, path := range []string{"/admin/journal", fmt.Sprintf("/admin/journal/%d", record),
				fmt.Sprintf("/admin/applications/%d/history", application)} {
				p := c.v.Open(path)
				links := p.Find(`main a[href="` + address + `"]`).Length()
				if p.Status != 200 || (links > 0) != c.leads || !strings.Contains(p.Text("main"), words) {
					t.Errorf("%s: %s: %d, %d links, %s", name, path, p.Status, links, p.Text("main"))
				}
			}
		}
		for _, path := range []string{"/admin/journal.csv?from=1",
			fmt.Sprintf("/admin/applications/%d/history.csv", application)} {
			csv := ada.Open(path).Body
			if !strings.Contains(csv, fmt.Sprintf(",%d,", batch)) {
				t.Errorf("%s has no batch: %s", path, csv)
			}
		}
	})
}

// TestUndoPage lists what undoing cannot take back before it is done: what somebody has changed since, and mails.
func TestUndoPage(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		for id := 101; id <= 103; id++ {
			d.Write(fmt.Sprintf(`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key)
				VALUES (%[1]d, 'live', FALSE, 1, 'Eva', 'Novák', 'p%[1]d@example.org', 'p%[1]d@example.org')`, id),
				fmt.Sprintf(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised)
				VALUES (%[1]d, %[1]d, 13, 'Draft', 1, 1)`, id))
		}
		o := &office{i}
		ada := i.Staff(i.Superuser("Ada Boss"))
		p := o.send(ada, url.Values{"action": {"close"}, "source": {"applications"}, "id": {"101", "102", "103"}})
		p = p.Submit("Show what would change", "tell", "1")
		batch := p.Path
		if text := p.Text("#state"); !strings.Contains(text, "Applicants whom it reaches") {
			t.Errorf("%s: %s", p.Path, text)
		}
		if p = ada.Open(batch + "/undo"); p.Path != batch || !strings.Contains(p.Text("body"), "in another state by now") {
			t.Errorf("not released, and may be undone: %s %s", p.Path, p.Text("body"))
		}
		ada.Open(batch + "/release").Submit("Release")
		i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
		d.Write("UPDATE application SET status = 'Withdrawn' WHERE id = 102")
		p = ada.Open(batch + "/undo")
		text := p.Text("main")
		for _, want := range []string{"Put back: 2 records", "listed below: 1 record", "3 applicants were told by mail",
			"p101@example.org",
			"Write a correction"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not on the page: %s", want, text)
			}
		}
		if p.Find(`a[href="/admin/applications/102"]`).Length() == 0 {
			t.Error("nothing leads to the exceptions")
		}
		p.Submit("Undo")
		if got := d.Lines("SELECT status FROM application WHERE id BETWEEN 101 AND 103 ORDER BY id"); got != "Draft Withdrawn Draft" {
			t.Error(got)
		}
	})
}

// TestSheetPage puts selected applications on a sheet from the browser: few at once with an undoing in the notice, and
// says of the batch what was put where.
func TestSheetPage(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Write(`INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale) VALUES
		(970, 1, 'Essay', 'Number', 'Application', 0, 100000, 0)`)
	v := i.Staff(i.Superuser("Ada Boss"))
	scores := func() int64 { return i.Number("SELECT count(*) FROM score WHERE scoresheet_id = 970") }
	list := v.Open("/admin/applications?term=all&size=25")
	var ids []string
	for _, box := range list.Find(".picks input[name=id]").EachIter() {
		if ids = append(ids, "id", box.AttrOr("value", "")); len(ids) == 6 {
			break
		}
	}
	form := list.Submit("Add to a scoresheet", ids...)
	if again := form.Submit("Do it now"); scores() != 0 ||
		!strings.Contains(again.Text("main"), "Choose a scoresheet.") {
		t.Errorf("without a sheet: %s", again.Text("main"))
	}
	done := form.Submit("Do it now", "sheet", "970")
	if scores() != 3 || !strings.HasPrefix(done.Path, "/admin/applications?") {
		t.Fatalf("%d scores, %s: %s", scores(), done.Path, done.Text(".notice"))
	}
	batch := v.Open(fmt.Sprintf("/admin/batches/%d", i.Number("SELECT max(id) FROM batch")))
	if text := batch.Text("main"); !strings.Contains(text, "Add to a scoresheet: Essay") ||
		!strings.Contains(text, "not on the sheet → on the sheet") {
		t.Errorf("the batch says %s", text)
	}
	v.Open(done.Find(`.notice a, .notice form`).First().AttrOr("action",
		done.Find(".notice a").AttrOr("href", ""))).Submit("Undo")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if scores() != 0 {
		t.Errorf("%d scores are left", scores())
	}
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView))
	if few.Open("/admin/applications?term=all").Find(".bulk button[value=sheet]").Length() != 0 {
		t.Error("who may not score is offered scoresheets")
	}
}
