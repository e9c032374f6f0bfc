package batches_test

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
		batch, record := d.Number("SELECT max(id) FROM batch"), d.Number("SELECT max(id) FROM journal WHERE batch_id IS NOT NULL AND application_id IS NOT NULL")
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
		for _, path := range []string{"/admin/journal.csv?from=1", fmt.Sprintf("/admin/applications/%d/history.csv", application)} {
			csv := ada.Open(path).Body
			if !strings.Contains(csv, fmt.Sprintf(",%d\r\n", batch)) {
				t.Errorf("%s has no batch: %s", path, csv)
			}
		}
	})
}
