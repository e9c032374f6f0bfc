package portal_test

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/ui"
)

// TestMyData downloads what is kept about one: every section, document and letter of the portal is in it, and nothing
// that staff keep for themselves. Nobody else gets the file, and it goes after its days (screens.md P23).
func TestMyData(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.AtWork()
		i.Keep()
		id := i.Number("SELECT applicant_id FROM application WHERE id = 11")
		entered := func() *sitetest.Visitor { return i.Applicant(id) }
		i.Put(fmt.Sprintf("INSERT INTO note (id, applicant_id, created, colour, pinned, collapsed, text) VALUES "+
			"(9001, %d, 1772000000000000, 'Violet', FALSE, FALSE, 'Calls again on Monday.')", id),
			"UPDATE offer SET comments = 'A draft of staff', reason = 'Best of all' WHERE application_id = 11",
			fmt.Sprintf("UPDATE applicant SET reference = 'STAFF-1', citizenship = 'PT' WHERE id = %d", id),
			`UPDATE consent SET text = 'We keep your data.', versions = '{"fr":{"text":"Nous gardons"},"ar":{"text":"Nahfaz"}}'`,
			fmt.Sprintf("INSERT INTO consent_history (applicant_id, consent_id, decided, decision, version) SELECT %d, id, "+
				"1772000000000000, 'Reject', version FROM consent", id))
		own := entered()
		page := own.Open("/my/privacy").Submit("Make my file")
		if page.Path != "/my/privacy" || page.Find("#file progress").Length() != 1 ||
			page.Find("#file form").Length() != 0 {
			t.Fatal(page.Path, page.Text("main"))
		}
		i.Must(i.Services.Privacy.MakeDataExports(t.Context(), admitto.SystemCaller()))
		if n := i.Number(fmt.Sprintf("SELECT count(*) FROM email WHERE applicant_id = %d AND message LIKE '%%/my/privacy%%'", id)); n != 1 {
			t.Errorf("%d mails say that the file is there", n)
		}
		to, _ := own.Open("/my/privacy").Find("#file a.primary").Attr("href")
		files := unzipped(t, own.Open(to))
		var data struct {
			Applicant    struct{ ID int64 }
			Applications []struct{ ID int64 }
			Consents     []struct {
				Text     string
				Accepted *bool
				Versions admitto.Versions
			}
		}
		if index := files["index.html"]; !strings.Contains(index, "We keep your data.") ||
			strings.Contains(index, "Nahfaz") || !strings.Contains(index, `<html lang="en">`) ||
			!strings.Contains(index, "<h2>what happened</h2>") {
			t.Errorf("%.2000s", index)
		}
		if err := json.Unmarshal([]byte(files["data.json"]), &data); err != nil || data.Applicant.ID != id ||
			len(data.Applications) == 0 || len(data.Consents) == 0 || data.Consents[0].Text != "We keep your data." ||
			data.Consents[0].Versions["ar"]["text"] != "Nahfaz" ||
			data.Consents[0].Accepted == nil || *data.Consents[0].Accepted { // a refusal is an answer
			t.Errorf("%v %.2000s", err, files["data.json"])
		}
		for name, content := range files {
			for _, secret := range []string{"Calls again on Monday.", "A draft of staff", "Best of all", "STAFF-1",
				"trackers",
				"score_auto", "flags"} {
				if strings.Contains(content, secret) {
					t.Errorf("%s has %q", name, secret)
				}
			}
		}
		other := i.Applicant(i.Number("SELECT max(id) FROM applicant WHERE id <> $1", id))
		i.Put("UPDATE applicant SET citizenship = 'PT'")
		for visitor, status := range map[*sitetest.Visitor]int{own: 200, other: 404} {
			if got := visitor.Open(to); got.Status != status {
				t.Errorf("%d instead of %d", got.Status, status)
			}
		}
		if got := i.Visitor().Open(to); !strings.HasPrefix(got.Path, "/sign-in") {
			t.Errorf("%d at %s for nobody", got.Status, got.Path)
		}
		for _, path := range []string{"/my/privacy/files/77", "/my/privacy/files/x"} {
			if got := own.Open(path); got.Status != 404 {
				t.Errorf("%s: %d", path, got.Status)
			}
		}
		// Staff who ask for theirs at the same time get all, and not the file of the applicant.
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AllPermissions().List()...))
		staff.Open(fmt.Sprintf("/admin/applicants/%d/data", id)).Submit("Make the file")
		if page := own.Open("/my/privacy").Submit("Make a new file"); !strings.Contains(strings.Join(page.Errors(),
			" "),
			"within the last hour") {
			t.Error(page.Text("main"))
		}
		i.Clock.Add(admitto.Hour)
		own.Open("/my/privacy").Submit("Make a new file")
		i.Must(i.Services.Privacy.MakeDataExports(t.Context(), admitto.SystemCaller()))
		whole, _ := staff.Open(fmt.Sprintf("/admin/applicants/%d/data", id)).Find("#file a.primary").Attr("href")
		if files := unzipped(t, staff.Open(whole)); !strings.Contains(files["data.json"], "Calls again on Monday.") {
			t.Error("the file for staff has no notes")
		}
		if n := i.Count("own_data_export"); n != 1 {
			t.Errorf("%d files are kept", n)
		}
		to, _ = own.Open("/my/privacy").Find("#file a[href^='/my/privacy/files/']").Attr("href")
		i.Clock.Add(7 * admitto.Day)
		if got := entered().Open(to); got.Status != 404 {
			t.Error(got.Status, "after its days")
		}
		i.Must(i.Services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()))
		if n := i.Count("own_data_export"); n != 0 {
			t.Errorf("%d files are kept after their days", n)
		}
	})
}

// TestAskToBeForgotten asks for the erasure, which staff see at once, takes it back, and reads why it was refused
// (screens.md P23).
func TestAskToBeForgotten(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.AtWork()
		id := i.Number("SELECT applicant_id FROM application WHERE id = 11")
		i.Put("UPDATE applicant SET citizenship = 'PT'")
		v, before := i.Applicant(id), len(i.Journal())
		page, late := v.Open("/my/privacy/erasure"), v.Open("/my/privacy/erasure")
		if text := page.Text("main"); !strings.Contains(text, "It ends your application 11") ||
			!strings.Contains(text, "within a month") {
			t.Error(text)
		}
		long := strings.Repeat("Q", 2001)
		if page := page.Submit("Ask for erasure", "reason", long); len(page.Errors()) != 1 ||
			!strings.Contains(page.Body, long) || i.Count("data_request") != 0 {
			t.Error(page.Errors())
		}
		if page := page.Submit("Ask for erasure", "reason",
			"I study elsewhere."); !strings.Contains(page.Text("#request"),
			"We answer by 9 April 2026") || !strings.Contains(page.Text("#request"), "Take the request back") {
			t.Error(page.Text("main"))
		}
		want(t, v.Open("/my/privacy/erasure"), "/my/privacy", "Take the request back")
		late.Submit("Ask for erasure") // a second one changes nothing
		staff := i.Staff(i.Administrator("Mara Lind", admitto.DataProtection))
		if text := staff.Open("/admin/data-protection/requests").Text("main table"); !strings.Contains(text,
			"I study elsewhere.") || !strings.Contains(text, "1 open application") {
			t.Error(text)
		}
		if n := i.Number("SELECT count(*) FROM applicant WHERE forget_requested IS NOT NULL"); n != 1 {
			t.Error(n)
		}
		if page := v.Open("/my/privacy/erasure/withdraw").Submit("Take the request back"); !strings.Contains(
			page.Text("main"), "Nothing is erased") {
			t.Error(page.Text("main"))
		}
		if text := staff.Open("/admin/data-protection/requests").Text("main"); !strings.Contains(text,
			"No open requests") ||
			!strings.Contains(text, "Taken back") {
			t.Error(text)
		}
		if n := i.Number("SELECT count(*) FROM applicant WHERE forget_requested IS NOT NULL"); n != 0 {
			t.Error(n)
		}
		v.Open("/my/privacy/erasure").Submit("Ask for erasure")
		refuse := fmt.Sprintf("/admin/data-protection/requests/%d/refuse", i.Number("SELECT max(id) FROM data_request"))
		if page := staff.Open(refuse).Submit("Refuse", "answer", "  "); len(page.Errors()) != 1 {
			t.Error(page.Errors())
		}
		staff.Open(refuse).Submit("Refuse", "answer", "Your studies have begun.")
		if text := v.Open("/my/privacy").Text("#request"); !strings.Contains(text, "Your studies have begun.") {
			t.Error(text)
		}
		if page := staff.Open(refuse).Submit("Refuse", "answer", "Once more."); len(page.Errors()) != 1 {
			t.Error("it was refused twice")
		}
		i.WantSince(before, "Applicant asked to be forgotten", "Request to be forgotten was withdrawn",
			"Applicant asked to be forgotten", "Request to be forgotten was refused")
		var subjects []string
		for _, m := range i.Mails() {
			subjects = append(subjects, m.Subject)
		}
		if said := strings.Join(subjects, "\n"); strings.Count(said, "We have received your request") != 2 ||
			!strings.Contains(said, "We cannot do what you asked for") {
			t.Error(said)
		}
		other := i.Applicant(i.Number("SELECT max(id) FROM applicant WHERE id <> $1", id))
		if text := other.Open("/my/privacy").Text("main"); strings.Contains(text, "have begun") {
			t.Error(text)
		}
	})
}

// unzipped are the files of an archive by name.
func unzipped(t *testing.T, p *sitetest.Page) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(strings.NewReader(p.Body), int64(len(p.Body)))
	if err != nil || p.Status != 200 {
		t.Fatalf("%v: %d %.300s", err, p.Status, p.Body)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(content)
	}
	return files
}

// TestPapersInLanguages makes the papers of an applicant whose account has a language: printout and invoice name
// courses, intakes, questions and what was chosen as the applicant reads them; staff get the printout in the first
// language, and the invoice is the same for them. Receipts and the own data name the course so, too, and the page of
// the own data is in that language as a whole (lifecycle.md R11).
func TestPapersInLanguages(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "papers@example.org")
	applicant := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id))
	const course, said = "Online Économie", "Iqtisad" // in letters that stand as they are written
	staff := i.Staff(i.Superuser("Hana Yildiz"))
	const questions = "/admin/courses/71/form/questions/"
	staff.Open(questions+"new").Submit("Add question", "name", "Which way?", "type", "choice",
		"options", "By train\nBy bus",
		"in-ar", "Kayfa?")
	way := i.Number("SELECT max(id) FROM question")
	staff.Open(questions+fmt.Sprint(way)).Submit("Save", "in-ar-2", "Qitar")
	mine := fmt.Sprintf("/my/applications/%d", id)
	own.Open(mine+"/form/extras").Submit("Save", fmt.Sprintf("content.%d", way), "By train")
	i.Put(`UPDATE course SET names = '{"ar":{"name":"Iqtisad"}}' WHERE id = 71`,
		`UPDATE intake SET versions = '{"ar":{"name":"Kharif"}}' WHERE id = 71`,
		fmt.Sprintf("INSERT INTO receipt (id, application_id, made, accepted, text, signature) "+
			"VALUES (901, %d, 1, FALSE, 'Receipt 901\nCourses 1. course 71, 2. course 99\nContent SHA-256 ab12\n', 'x')", id),
		"INSERT INTO invoice_series (id, name, format) VALUES (901, 'Fees', '{n}')",
		fmt.Sprintf("INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, course_id, issued, deadline, "+
			"currency, total, payer_name, instructions, versions) VALUES (901, 'Invoice', 'F-901', 901, %d, %d, 71, 1, "+
			`'2031-06-01', 'EUR', 1500, 'Ilse Varga', 'Pay soon', '{"ar":{"instructions":"Idfa"}}')`, applicant, id),
		"INSERT INTO invoice_item (invoice_id, n, item, price, qty) "+
			"VALUES (901, 1, 'Application fee, Online Économie', 1500, 100)")
	own.Open("/choose/language/ar?next=%2Fmy")
	read := func(v *sitetest.Visitor, path string) string {
		t.Helper()
		page := v.Open(path)
		if page.Status != 200 {
			t.Fatal(path, page.Status, page.Text("main"))
		}
		if strings.Contains(page.Header.Get("Content-Type"), "pdf") {
			return pdftest.Text(t, []byte(page.Body))
		}
		return page.Text("main")
	}
	for _, c := range []struct {
		by         *sitetest.Visitor
		path       string
		has, lacks []string
	}{
		{own, mine + "/printout", []string{said, "Kharif", "Kayfa?", "Qitar"}, []string{course, "Which way?"}},
		{staff, fmt.Sprintf("/admin/applications/%d/printout", id), []string{course, "autumn 2031", "Which way?", "By train"},
			[]string{said}},
		{own, mine + "/receipts/901", []string{said, "99", "ab12"}, []string{course}},
		{own, "/my/invoices/901", []string{"Application fee, " + said}, []string{course}},
		{own, "/my/invoices", []string{"Application fee, " + said}, []string{course}},
		{own, "/my/invoices/901/pdf", []string{"Application fee, " + said}, []string{course}},
		{staff, "/admin/invoices/901/pdf", []string{"Application fee, " + said}, []string{course}},
		{staff, "/admin/invoices/901", []string{"Application fee, " + course}, []string{said}},
	} {
		text := read(c.by, c.path)
		for _, word := range c.has {
			if !strings.Contains(text, word) {
				t.Errorf("%s lacks %q: %s", c.path, word, text)
			}
		}
		for _, word := range c.lacks {
			if strings.Contains(text, word) {
				t.Errorf("%s has %q: %s", c.path, word, text)
			}
		}
	}
	own.Open("/choose/language/en?next=%2Fmy")
	own.Open("/my/privacy").Submit("Make my file")
	own.Open("/choose/language/ar?next=%2Fmy")
	catalogue, err := ui.NewCatalogue()
	i.Must(err)
	i.Papers = func(language string) func(group, english string) string { return catalogue.Locale(language).Word }
	i.Must(i.Services.Privacy.MakeDataExports(t.Context(), admitto.SystemCaller()))
	to, _ := own.Open("/my/privacy").Find("#file a.primary").Attr("href")
	files := unzipped(t, own.Open(to))
	data, index := files["data.json"], files["index.html"]
	if !strings.Contains(data, said) || !strings.Contains(data, "Pay soon") || !strings.Contains(data, "Idfa") ||
		strings.Contains(data, `"name": "`+course) ||
		!strings.Contains(data, `"what_happened"`) { // names for programs are the same in every language
		t.Errorf("%.3000s", data)
	}
	names := regexp.MustCompile("<(?:dt|h1|h2|title)>([^<]*)<").FindAllStringSubmatch(index, -1)
	for _, found := range names {
		if regexp.MustCompile("[A-Za-z]").MatchString(found[1]) {
			t.Errorf("the file with the own data says %q", found[1])
		}
	}
	for _, word := range []string{"Draft", "HU", "PT", "true"} { // a status, countries and a bool
		if strings.Contains(index, "<bdi>"+word+"</bdi>") {
			t.Errorf("a raw word: %s", word)
		}
	}
	if found := regexp.MustCompile(`\d{4}-\d{2}(-\d{2}(T[^<]*)?)?`).FindString(index); found != "" {
		t.Errorf("a raw day or time: %s", found)
	}
	for _, words := range []string{`<html lang="ar" dir="rtl">`, "البيانات الشخصية", "Kayfa?", "Qitar", "Idfa",
		"1 مايو 2031",
		"papers@example.org", "عُدّل الطلب", "تغيّرت حالة الطلب إلى «", "<bdi>المتقدم</bdi>"} {
		if !strings.Contains(index, words) || len(names) < 30 {
			t.Errorf("%q is not in %.3000s", words, index)
		}
	}
	if strings.Contains(index, "Which way?") {
		t.Errorf("a question in the first language: %.3000s", index)
	}
	// Statuses and decisions have the words of the pages in every language.
	i.Put("INSERT INTO offer_type (id, status, title, title_key, public_title, colour, ranking) VALUES (901, 'Online', 'Place', 'place-901', 'Place', '#B7E356', 'In quota')",
		fmt.Sprintf("INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, confirmed, type_id, type_confirmed_id, decision, decided) "+
			"VALUES (901, %d, %d, 71, 71, 71, 1, 1, 1, 901, 901, 'Final', 1)", id, applicant))
	i.Must(i.Services.Admissions.SetDecision(t.Context(), servicestest.As(admitto.ByAdministrator, 1), id, 901,
		admissions.DecisionChange{Decision: admitto.DecisionDeclined}))
	i.Clock.Add(admitto.Hour)
	own = i.Applicant(applicant)
	own.Open("/choose/language/en?next=%2Fmy")
	own.Open("/my/privacy").Submit("Make a new file")
	i.Must(i.Services.Privacy.MakeDataExports(t.Context(), admitto.SystemCaller()))
	to, _ = own.Open("/my/privacy").Find("#file a[href^='/my/privacy/files/']").Attr("href")
	index = unzipped(t, own.Open(to))["index.html"]
	for _, word := range []string{"Declined</bdi>", "In progress</bdi>", "In progress"} {
		if !strings.Contains(index, word) {
			t.Errorf("%q is not in %.6000s", word, index)
		}
	}
	if raw := regexp.MustCompile(`<bdi>[^<]*(Draft|Final|None)[^<]*</bdi>`).FindString(index); raw != "" {
		t.Error("a raw word: ", raw)
	}
}
