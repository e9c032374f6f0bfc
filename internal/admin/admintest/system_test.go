package admintest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/uitest"
)

// words are the cells of a row, with a bar between two.
func words(row *goquery.Selection) string {
	var cells []string
	for _, cell := range row.Find("td").EachIter() {
		cells = append(cells, strings.Join(strings.Fields(cell.Text()), " "))
	}
	return strings.Join(cells, " | ")
}

// rows are those of the first table below a place.
func rows(page *sitetest.Page, place string) (list []string) {
	for _, row := range page.Find(place + " table").First().Find("tbody tr").EachIter() {
		list = append(list, words(row))
	}
	return list
}

// line is the row of a part.
func line(t *testing.T, page *sitetest.Page, part string) string {
	t.Helper()
	for _, row := range rows(page, "main") {
		if strings.HasPrefix(row, part+" | ") {
			return row
		}
	}
	t.Fatalf("there is no line %q: %q", part, rows(page, "main"))
	return ""
}

// TestMailServerStops: a stopped mail server turns its line bad within a minute, above all others, and good again after
// it came back; nobody sends anything meanwhile.
func TestMailServerStops(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Services.Maintenance.Watch(&maintenance.Process{Version: "v9.1.0"})
		i := sitetest.On(d)
		v := i.Staff(i.Administrator("Mara Lind", admitto.InstanceAdmin))
		report := func() {
			t.Helper()
			d.Must(d.Services.Maintenance.Report(t.Context(), admitto.SystemCaller()))
		}
		report()
		if text := line(t, v.Open("/admin/system"), "Mail server"); !strings.Contains(text, "Works") {
			t.Error(text)
		}
		d.Post.Stop(&mail.Refusal{Temporary: true, Step: "connect"})
		for range 2 { // the job comes twice within the minute
			d.Clock.Add(30 * admitto.Second)
			report()
		}
		page := v.Open("/admin/system")
		text := line(t, page, "Mail server")
		first := rows(page, "main")[0]
		if !strings.Contains(text, "Wrong") || !strings.Contains(text, "connect") || !strings.Contains(text,
			"nothing is lost") ||
			!strings.Contains(first, "Mail server") || !strings.Contains(page.Text(".notice"), "1 part is wrong") {
			t.Error(text, page.Text(".notice"))
		}
		d.Post.Stop(nil)
		d.Clock.Add(30 * admitto.Second)
		report()
		if text := line(t, v.Open("/admin/system"), "Mail server"); !strings.Contains(text, "Works") {
			t.Error(text)
		}
		// An instance that says nothing more is gone, and taken off the list later.
		d.Clock.Add(3 * admitto.Minute)
		if text := line(t, v.Open("/admin/system"), "Instances"); !strings.Contains(text, "Wrong") ||
			!strings.Contains(text, "0 instances alive") {
			t.Error(text)
		}
		d.Clock.Add(2 * admitto.Hour)
		d.Must(d.Services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()))
		if n := d.Count("instance_report"); n != 0 {
			t.Error(n, "instances are listed")
		}
		report()
		d.Must(d.Services.Maintenance.Leave(t.Context(), admitto.SystemCaller()))
		if n := d.Count("instance_report"); n != 0 {
			t.Error(n, "instances are listed after the last has stopped")
		}
	})
}

// away is a store of files that cannot be used.
type away struct {
	servicestest.Shelf
	why error
}

func (a *away) Check(context.Context) error { return a.why }

// TestFilesCannotBeKept: a store of files that cannot be used turns its line bad, with the reason alone, until it can.
func TestFilesCannotBeKept(t *testing.T) {
	i := sitetest.Filled(t)
	shelf := &away{Shelf: i.Shelf}
	i.Shelf.Backend = shelf
	i.Services.Maintenance.Watch(&maintenance.Process{})
	v := i.Staff(i.Superuser("Mara Lind"))
	look := func() string {
		i.Clock.Add(admitto.Minute)
		i.Must(i.Services.Maintenance.Report(t.Context(), admitto.SystemCaller()))
		return line(t, v.Open("/admin/system"), "Files and space")
	}
	shelf.why = (&admitto.Error{Kind: admitto.Unavailable}).Because(errors.New("open files: read-only"))
	if got := look(); !strings.Contains(got, "| Wrong | ") ||
		!strings.Contains(got, "does not work: \u2068open files: read-only") ||
		!strings.Contains(got, "may Admitto write to it?") {
		t.Error(got)
	}
	shelf.why = nil
	if got := look(); !strings.Contains(got, "| Works | ") {
		t.Error(got)
	}
}

// TestFailedMailsByReason: what failed is shown by reason without addresses, and goes out again, but for secrets.
func TestFailedMailsByReason(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Services.Maintenance.Watch(&maintenance.Process{})
		ids := d.People(3)
		d.Mails()
		d.Post.Will(func(_ context.Context, m *mail.Message) error {
			return &mail.Refusal{Step: "RCPT", Code: 550, Said: "no mailbox " + m.To.Email + " here"}
		})
		for _, id := range ids[:2] {
			d.Message(id)
		}
		d.Must(d.Services.Accounts.SendSignInLink(t.Context(), servicestest.Staff(), ids[2]))
		d.Deliver()
		d.Post.Will(nil)
		i := sitetest.On(d)
		v := i.Staff(i.Administrator("Mara Lind", admitto.InstanceAdmin))
		page := v.Open("/admin/system")
		if text := page.Text("#failed"); strings.Contains(text, "example.org") ||
			!strings.Contains(text, "550 no mailbox (address) here") {
			t.Error(text)
		}
		if text := line(t, page, "Failed e-mails"); !strings.Contains(text, "3 within 7 days") {
			t.Error(text)
		}
		page = v.Open("/admin/system/mails").Submit("Send again")
		if text := page.Text("main"); !strings.Contains(text, "2 e-mails leave again") ||
			!strings.Contains(text, "1 e-mail stays as it is") {
			t.Error(text)
		}
		if n := d.Deliver(); n != 2 {
			t.Error(n, "mails left")
		}
		// What is older is not sent again.
		d.Clock.Add(8 * admitto.Day)
		v = i.Staff(i.Administrator("Mara Lind again", admitto.InstanceAdmin))
		if page := v.Open("/admin/system/mails"); !strings.Contains(page.Text("main"), "No e-mails have failed") {
			t.Error(page.Text("main"))
		}
	})
}

// TestJobs: a job that fails is named with its reason, and one that is asked for runs at once and once.
func TestJobs(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Services.Maintenance.Watch(&maintenance.Process{Jobs: func() []admitto.JobOutcome {
			return []admitto.JobOutcome{{Job: "deliver", Failures: 2, Cause: "no luck", LastFinished: d.Clock.Now()}}
		}})
		i := sitetest.On(d)
		v := i.Staff(i.Administrator("Mara Lind", admitto.InstanceAdmin))
		runs := 0
		var fails error
		run := func() {
			_, err := d.Services.Automation.RunJob(t.Context(), admitto.SystemCaller(), "erase", jobs.Hourly(),
				func(context.Context, admitto.Time) error { runs++; return fails })
			if !errors.Is(err, fails) {
				t.Error(err)
			}
		}
		run()
		d.Must(d.Services.Maintenance.Report(t.Context(), admitto.SystemCaller()))
		page := v.Open("/admin/system")
		if text := page.Text("#jobs"); !strings.Contains(text, "Sending e-mails") || !strings.Contains(text,
			"Failed 2 times") {
			t.Error(text)
		}
		for range 2 { // the second changes nothing
			v.Open("/admin/system/jobs/erase").Submit("Run")
		}
		if page := v.Open("/admin/system"); !strings.Contains(page.Text("#jobs"), "Was asked for") {
			t.Error(page.Text("#jobs"))
		}
		run()
		run()
		if runs != 1 {
			t.Errorf("it ran %d times", runs)
		}
		fails = errors.New("the disk\nis full")
		d.Clock.Add(admitto.Hour)
		run()
		page = v.Open("/admin/system")
		if text := page.Text("#jobs"); !strings.Contains(text, "the disk is full") {
			t.Error(text)
		}
		if text := line(t, page, "Jobs"); !strings.Contains(text, "Wrong") {
			t.Error(text)
		}
		fails = nil
		d.Clock.Add(2 * admitto.Minute)
		run()
		if text := v.Open("/admin/system").Text("#jobs"); strings.Contains(text, "is full") {
			t.Error(text)
		}
		if page := v.Open("/admin/system/jobs/nothing"); page.Status != 404 {
			t.Error(page.Status)
		}
		// Where no instance does them any more, they are late.
		d.Clock.Add(2 * admitto.Day)
		v = i.Staff(i.Administrator("Mara Lind again", admitto.InstanceAdmin))
		if text := v.Open("/admin/system").Text("#jobs"); !strings.Contains(text, "Late") {
			t.Error(text)
		}
	})
}

// TestNightlyCheck: a time that was passed over is no run, and what the nightly check finds stands in its line and on
// the page that verifies.
func TestNightlyCheck(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Services.Maintenance.Watch(&maintenance.Process{})
		d.Create(servicestest.Ilse())
		i := sitetest.On(d)
		look := func(name, said, job, check string) {
			t.Helper()
			v := i.Staff(i.Administrator(name, admitto.InstanceAdmin, admitto.JournalView))
			page := v.Open("/admin/system")
			if text := line(t, page, "Journal"); !strings.Contains(text, said) {
				t.Error(text)
			}
			if list := rows(page, "#jobs"); !slices.ContainsFunc(list, func(row string) bool {
				return strings.HasPrefix(row, "Nightly check of the journal | "+job)
			}) {
				t.Error(list)
			}
			if text := v.Open("/admin/journal/verify").Text("main"); !strings.Contains(text, check) {
				t.Error(text)
			}
		}
		night := func() {
			t.Helper()
			d.Clock.Add(admitto.Day)
			_, err := d.Services.Automation.RunJob(t.Context(), admitto.SystemCaller(), "verify", jobs.Daily(180, time.UTC),
				func(ctx context.Context, _ admitto.Time) error {
					return d.Services.Maintenance.CheckJournal(ctx, admitto.SystemCaller())
				})
			d.Must(err)
		}
		night()
		look("Ann", "not verified yet", "Not yet |  | Never", "Nothing was verified yet")
		night()
		look("Ben", "verified up to", "Went well", "Verified until ID")
		if d.Store.Shared() {
			d.Write("ALTER TABLE journal DISABLE TRIGGER ALL")
		} else {
			d.Write("DROP TRIGGER journal_no_update")
		}
		d.People(1) // what is older than a day was checked the night before
		last := len(d.Journal())
		d.Write(fmt.Sprintf("UPDATE journal SET logged = logged + 1 WHERE id = %d", last))
		night()
		look("Cem", fmt.Sprintf("record %d does not fit", last), "Went well", fmt.Sprintf("broken at ID %d", last))
		d.Write(fmt.Sprintf("UPDATE journal SET logged = logged - 1 WHERE id = %d", last))
		night()
		look("Dag", "Works", "Went well", "Verified until ID")
	})
}

// TestDiagnostics has nothing of a person in it, and what the page says.
func TestDiagnostics(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Services.Maintenance.Watch(&maintenance.Process{Version: "v9.1.0",
			Free:        func() (int64, bool) { return 100 << 20, true },
			Certificate: func() admitto.Certificate { return admitto.Certificate{Ends: d.Clock.Now() + admitto.Day} },
			SlowestPages: func() []admitto.PageTime {
				return []admitto.PageTime{{Route: "/admin/applicants", Requests: 40, Most: 2 * admitto.Second,
					Slowest: 3 * admitto.Second}}
			}})
		d.Create(servicestest.Ilse())
		d.Post.Will(func(_ context.Context, m *mail.Message) error {
			return &mail.Refusal{Step: "RCPT", Code: 550, Said: m.To.Email}
		})
		d.Message(1)
		d.Deliver()
		d.Must(d.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.NoteBackup(1<<20, 1) }))
		d.Must(d.Services.Maintenance.Report(t.Context(), admitto.SystemCaller()))
		i := sitetest.On(d)
		v := i.Staff(i.Administrator("Mara Lind", admitto.InstanceAdmin))
		file := v.Open("/admin/system/diagnostics")
		for _, personal := range []string{"Ilse", "Varga", "example.org/", "varga@", "Mara", "R-1", "smtp://"} {
			if strings.Contains(strings.ToLower(file.Body), strings.ToLower(personal)) {
				t.Errorf("the diagnostics hold %q: %s", personal, file.Body)
			}
		}
		var read struct {
			Parts  []struct{ Part, State string }
			Health maintenance.Health
		}
		if err := json.Unmarshal([]byte(file.Body), &read); err != nil {
			t.Fatal(err, file.Body)
		}
		states := map[string]string{}
		for _, p := range read.Parts {
			states[p.Part] = p.State
		}
		for part, want := range map[string]string{"certificate": "bad", "storage": "bad", "pages": "warn",
			"failed": "warn",
			"backup": "ok", "mail": "ok", "database": "ok"} {
			if states[part] != want {
				t.Errorf("%s is %q, want %q", part, states[part], want)
			}
		}
		if len(read.Health.Instances) != 1 || read.Health.Instances[0].Version != "v9.1.0" {
			t.Error(read.Health.Instances)
		}
	})
}

// TestSystemInBrowser looks at the page, with everything wrong and with nothing.
func TestSystemInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	i.Services.Maintenance.Watch(&maintenance.Process{Version: "v1.4.0 (8c1d02aa31fe)",
		Free: func() (int64, bool) { return 100 << 20, true },
		Certificate: func() admitto.Certificate {
			return admitto.Certificate{Ends: i.Clock.Now() + 90*admitto.Day,
				Names: []string{"apply.example.edu"}}
		},
		Jobs: func() []admitto.JobOutcome {
			return []admitto.JobOutcome{{Job: "deliver", Begun: i.Clock.Now(), Failures: 3,
				Cause: "the mail server takes no mails: connect: connection refused"}}
		},
		SlowestPages: func() []admitto.PageTime {
			return []admitto.PageTime{{Route: "/admin/applications", Requests: 412, Most: 200 * admitto.Second / 1000,
				Slowest: 640 * admitto.Second / 1000},
				{Route: "GET /applications", Requests: 9120, Most: 100 * admitto.Second / 1000,
					Slowest: 410 * admitto.Second / 1000}}
		}})
	i.Must(i.Services.Maintenance.Report(t.Context(), admitto.SystemCaller()))
	i.Put("INSERT INTO job_run (job, due, lease, lease_until, finished) SELECT 'tidy', seen - 1000000, 1, 0, seen FROM instance_report",
		"INSERT INTO job_outcome (job, begun, took) SELECT 'tidy', seen, 340000 FROM instance_report")
	uitest.Check(t, i, uitest.Page{Name: "system", Path: "/admin/system", Cookie: staff},
		uitest.Page{Name: "system-run", Path: "/admin/system/jobs/erase", Cookie: staff})
}
