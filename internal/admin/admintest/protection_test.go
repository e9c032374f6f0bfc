package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// person makes an applicant with a letter of everything, whose traces are looked for afterwards, and returns the ID.
func person(d *servicestest.Desk) int64 {
	d.AtWork()
	id := d.Number("SELECT applicant_id FROM application WHERE id = 11")
	d.Write(fmt.Sprintf("UPDATE applicant SET given = 'Zerafina', family = 'Quorzal', email = 'zerafina@quorzal.example', "+
		"email_key = 'zerafina@quorzal.example' WHERE id = %d", id),
		fmt.Sprintf("INSERT INTO note (id, applicant_id, text, colour, created) VALUES (9001, %d, 'Quorzal rang', 'Yellow', 1)", id))
	middle := "Ida"
	d.Must(d.Services.Accounts.EditApplicant(d.T.Context(), servicestest.Staff(), id,
		accounts.ApplicantEdit{Middle: &middle}))
	d.Message(id)
	return id
}

// TestRecordedRequests records requests that came otherwise, refuses what is wrong, and answers them in the order in
// which the answers are due.
func TestRecordedRequests(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		id := person(d)
		i := sitetest.On(d)
		v := i.Staff(i.Administrator("Mara Lind", admitto.DataProtection, admitto.ApplicantsView))
		const form = "/admin/data-protection/requests/new"
		for _, bad := range [][]string{{"applicant", ""}, {"applicant", "x"}, {"applicant", "99999"}, {"kind", ""},
			{"kind", "nothing"}, {"received-year", "2027"}, {"received-day", "31", "received-month", "2"},
			{"reason", strings.Repeat("Q", 2001)}} {
			typed := map[string]string{"applicant": fmt.Sprint(id), "kind": "access"}
			for n := 0; n < len(bad); n += 2 {
				typed[bad[n]] = bad[n+1]
			}
			var values []string
			for name, value := range typed {
				values = append(values, name, value)
			}
			page := v.Open(form).Submit("Record", values...)
			if len(page.Errors()) == 0 || d.Count("data_request") != 0 {
				t.Errorf("%q was taken: %d %q %.300s", bad, d.Count("data_request"), page.Errors(), page.Text("main"))
			}
			if said := strings.Join(page.Errors(), " "); bad[1] == "99999" && !strings.Contains(said,
				"There is no applicant 99999.") {
				t.Error(said)
			}
		}
		before := len(d.Journal())
		v.Open(form).Submit("Record", "applicant", fmt.Sprint(id), "kind", "correct", "reason", "A wrong birthday")
		v.Open(form).Submit("Record", "applicant", fmt.Sprint(id), "kind", "access", "received-day", "31",
			"received-month", "1", "received-year", "2026")
		if page := v.Open(form).Submit("Record", "applicant", fmt.Sprint(id), "kind",
			"access"); len(page.Errors()) != 1 {
			t.Error("the same request is open twice")
		}
		page := v.Open("/admin/data-protection/requests")
		first, second := page.Find("main table").First().Find("tbody tr").First().Text(), page.Text("main table")
		if !strings.Contains(first, "To get the data") || !strings.Contains(first, "Late: 28 February 2026") ||
			!strings.Contains(second, "A wrong birthday") {
			t.Error(first, second)
		}
		request := d.Number("SELECT id FROM data_request WHERE kind = 'access'")
		late := v.Open(fmt.Sprintf("/admin/data-protection/requests/%d/refuse", request))
		v.Open(fmt.Sprintf("/admin/data-protection/requests/%d/grant", request)).Submit("Grant")
		late = late.Submit("Refuse", "answer", "Not now.")
		if text := late.Text("main"); len(late.Errors()) != 1 || !strings.Contains(text, "Granted by Mara Lind on ") ||
			late.Text("textarea") != "Not now." {
			t.Error(late.Status, text)
		}
		if text := v.Open("/admin/data-protection/requests").Text("#answered"); !strings.Contains(text, "Granted") {
			t.Error(text)
		}
		d.WantSince(before, "Request about personal data was recorded: correct",
			"Request about personal data was recorded: access", "Request about personal data was granted: access")
		// Who may not delete grants no erasure.
		v.Open(form).Submit("Record", "applicant", fmt.Sprint(id), "kind", "erase")
		request = d.Number("SELECT id FROM data_request WHERE kind = 'erase'")
		grant := fmt.Sprintf("/admin/data-protection/requests/%d/grant", request)
		if page := v.Open("/admin/data-protection/requests"); page.Find("main a[href='"+grant+"']").Length() != 0 {
			t.Error("the grant is offered")
		}
		if page := v.Open(grant).Submit("Grant"); page.Status != 403 ||
			d.Number("SELECT count(*) FROM applicant WHERE state = 'recovery'") != 0 {
			t.Error(page.Status)
		}
		// One person, as a file.
		if page := v.Open("/admin/data-protection/exports").Submit("Make the file", "applicant",
			"77777"); len(page.Errors()) != 1 {
			t.Error(page.Errors())
		}
		if page := v.Open("/admin/data-protection/exports").Submit("Make the file", "applicant",
			fmt.Sprint(id)); !strings.Contains(
			page.Text("main table"), "Being made") {
			t.Error(page.Text("main"))
		}
	})
}

// TestForgotten grants a request, restores the person with a new address, deletes and erases them: nothing is found of
// them afterwards, the chain of the journal verifies, and permanent invoices stay without them (screens.md A56, J8).
func TestForgotten(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		id := person(d)
		i := sitetest.On(d)
		d.Put("INSERT INTO invoice_series (id, name, format, permanent) VALUES (99, 'Kept', 'K%inc%', TRUE)",
			fmt.Sprintf(`INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, payer_name,
				payer_email) VALUES (9001, 'Invoice', 'K1', 99, %d, 1, 2, 'EUR', 5000, 'Kept Payer',
					'zerafina@quorzal.example')`, id))
		kept := d.Number("SELECT count(*) FROM invoice WHERE applicant_id = $1", id)
		applicant := i.Applicant(id)
		applicant.Open("/my/privacy/erasure").Submit("Ask for erasure", "reason", "Quorzal says goodbye.")
		d.Deliver()
		v := i.Staff(i.Superuser("Mara Lind"))
		request := d.Number("SELECT max(id) FROM data_request")
		grant := fmt.Sprintf("/admin/data-protection/requests/%d/grant", request)
		seen := len(d.Post.Taken())
		page := v.Open(grant).Submit("Grant")
		if text := page.Text("main"); !strings.Contains(text, "until the nightly run") {
			t.Fatal(text, page.Errors())
		}
		d.Deliver()
		if sent := d.Post.Taken()[seen:]; len(sent) != 1 || sent[0].To.Email != "zerafina@quorzal.example" ||
			!strings.Contains(sent[0].Text, "your account is closed") {
			t.Errorf("%+v", sent)
		}
		if page := applicant.Open("/my/privacy"); !strings.HasPrefix(page.Path, "/sign-in") {
			t.Error(page.Path, page.Status)
		}
		// The list, and the way back.
		if text := v.Open("/admin/data-protection/recovery").Text("main table"); !strings.Contains(text, "Zerafina") ||
			!strings.Contains(text, "hours") || !strings.Contains(text, "Mara Lind") {
			t.Error(text)
		}
		other := d.Number("SELECT max(id) FROM applicant WHERE state = 'live'")
		d.Write(fmt.Sprintf("UPDATE applicant SET email_key = 'zerafina@quorzal.example' WHERE id = %d", other))
		restore := fmt.Sprintf("/admin/data-protection/recovery/%d/restore", id)
		if page := v.Open(restore).Submit("Restore"); len(page.Errors()) != 1 || page.Text(".field.bad .error") == "" {
			t.Error("the address of somebody else was taken, or it is not said at the field", page.Errors())
		}
		if page := v.Open("/admin/data-protection/requests/new").Submit("Record", "applicant", fmt.Sprint(id), "kind",
			"access"); len(page.Errors()) != 1 || !strings.Contains(page.Errors()[0], "recovery list") {
			t.Error(page.Errors())
		}
		if page := v.Open(restore).Submit("Restore", "email", "no address"); len(page.Errors()) != 1 {
			t.Error(page.Errors())
		}
		v.Open(restore).Submit("Restore", "email", "ida@quorzal.example")
		d.Write(fmt.Sprintf("UPDATE applicant SET email_key = 'other@example.net' WHERE id = %d", other))
		if n := d.Number("SELECT count(*) FROM applicant WHERE id = $1 AND state = 'live' AND email = 'ida@quorzal.example'", id); n != 1 {
			t.Fatal("not restored")
		}
		v.Open(fmt.Sprintf("/admin/applicants/%d/delete", id)).Submit("Delete")
		erase := fmt.Sprintf("/admin/data-protection/recovery/%d/erase", id)
		if page := v.Open(erase).Submit("Erase now", "id", "1"+fmt.Sprint(id)); len(page.Errors()) != 1 ||
			d.Number("SELECT count(*) FROM applicant WHERE id = $1", id) != 1 {
			t.Error(page.Errors())
		}
		page = v.Open(erase).Submit("Erase now", "id", fmt.Sprint(id))
		if text := page.Text("main"); !strings.Contains(text, "was erased") {
			t.Error(text)
		}
		nothingOf(t, d, "quorzal", "zerafina")
		for _, path := range []string{"/admin/search?q=quorzal", "/admin/search?q=zerafina",
			"/admin/data-protection/requests",
			"/admin/data-protection/recovery", "/admin/journal?applicant=" + fmt.Sprint(id),
			"/admin/data-protection/purge"} {
			page := v.Open(path)
			if text := strings.ToLower(page.Text("main table")); page.Status != 200 || strings.Contains(text,
				"quorzal") {
				t.Errorf("%s: %d %s", path, page.Status, text)
			}
		}
		if text := v.Open("/admin/data-protection/purge").Text("main"); !strings.Contains(text,
			fmt.Sprintf("Applicant %d", id)) {
			t.Error(text)
		}
		if page := v.Open(fmt.Sprintf("/admin/applicants/%d", id)); !strings.Contains(page.Text("main"), "erased") {
			t.Error(page.Status, page.Text("main"))
		}
		if n := d.Number("SELECT count(*) FROM invoice WHERE applicant_id IS NULL AND payer_name <> ''"); n != kept ||
			kept == 0 {
			t.Errorf("%d of %d invoices stay", n, kept)
		}
		if n := d.Number("SELECT count(*) FROM journal WHERE pattern = 'Applicant was erased' AND actor = 'administrator'"); n != 1 {
			t.Error("the journal does not say who erased")
		}
		d.Chained()
		d.Sound()
	})
}

// nothingOf looks through the text of every table for words of a person.
func nothingOf(t *testing.T, d *servicestest.Desk, words ...string) {
	t.Helper()
	tables := "SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'"
	if d.Store.Shared() {
		tables = "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema() AND data_type IN ('text', 'bytea')"
	}
	columns := strings.Fields(d.Lines(tables))
	if len(columns) < 100 {
		t.Fatal(columns)
	}
	for _, of := range columns {
		table, column, _ := strings.Cut(of, ".")
		for _, word := range words {
			if n := d.Number(fmt.Sprintf("SELECT count(*) FROM %s WHERE lower(CAST(%s AS text)) LIKE '%%%s%%'", table,
				column, word)); n != 0 {
				t.Errorf("%d rows of %s hold %q", n, of, word)
			}
		}
	}
}

// TestProtectionInBrowser looks at the pages.
func TestProtectionInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	i.Put("INSERT INTO data_request (id, applicant_id, kind, reason, received, recorded) SELECT 901, a.id, 'erase', 'I have begun my studies somewhere else, and would like all documents to be removed.', '2026-02-07', 1770000000000000 FROM application x JOIN applicant a ON a.id = x.applicant_id WHERE x.status = 'Submitted' ORDER BY x.id LIMIT 1",
		"INSERT INTO data_request (id, applicant_id, kind, received, recorded, administrator_id) SELECT 902, max(id) - 3, 'access', '2026-02-14', 1771000000000000, 1 FROM applicant",
		"INSERT INTO data_request (id, applicant_id, kind, reason, received, recorded) SELECT 903, max(id) - 5, 'correct', 'The name of my mother is wrong.', '2026-03-02', 1772000000000000 FROM applicant",
		"INSERT INTO data_request (id, applicant_id, kind, received, recorded, answered, answered_by, outcome, answer) SELECT 904, max(id) - 6, 'erase', '2026-02-02', 1770000000000000, 1772900000000000, 1, 'refused', 'You study with us, and the law makes us keep these records.' FROM applicant")
	for _, id := range strings.Fields(i.Lines("SELECT id FROM applicant WHERE visible ORDER BY id LIMIT 2")) {
		var n int64
		_, err := fmt.Sscan(id, &n)
		i.Must(err)
		i.Must(i.Services.Privacy.DeleteApplicant(t.Context(), servicestest.Staff(), n))
	}
	gone := i.Number("SELECT min(id) FROM applicant WHERE state = 'recovery'")
	uitest.Check(t, i, uitest.Page{Name: "protection-requests", Path: "/admin/data-protection/requests", Cookie: staff},
		uitest.Page{Name: "protection-new", Path: "/admin/data-protection/requests/new", Cookie: staff},
		uitest.Page{Name: "protection-grant", Path: "/admin/data-protection/requests/901/grant", Cookie: staff},
		uitest.Page{Name: "protection-refuse", Path: "/admin/data-protection/requests/901/refuse", Cookie: staff},
		uitest.Page{Name: "protection-recovery", Path: "/admin/data-protection/recovery", Cookie: staff},
		uitest.Page{Name: "protection-restore", Path: fmt.Sprintf("/admin/data-protection/recovery/%d/restore", gone),
			Cookie: staff},
		uitest.Page{Name: "protection-erase", Path: fmt.Sprintf("/admin/data-protection/recovery/%d/erase", gone),
			Cookie: staff},
		uitest.Page{Name: "protection-exports", Path: "/admin/data-protection/exports", Cookie: staff},
		uitest.Page{Name: "protection-purge", Path: "/admin/data-protection/purge", Cookie: staff})
}
