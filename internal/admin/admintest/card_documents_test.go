package admintest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/usecase"
)

// disguised is a page that says it is a PDF, as far as its beginning goes.
const disguised = "%PDF-1.7\n<html><script>alert(document.cookie)</script></html>\n"

// TestDocuments uploads documents for the applicant, goes through them with the task next to the viewer, and removes
// one.
func TestDocuments(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Keep()
		d.AtWork()
		d.Write("UPDATE task_template SET active = TRUE")
		task, err := d.Services.Admissions.CreateTask(t.Context(), servicestest.Staff(), 11, d.Template("checklist-diploma"),
			0)
		d.Must(err)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		const tab = "/admin/applications/11/documents"
		if page := staff.Open(tab); page.Status != 200 || !strings.Contains(page.Text("main"), "Diploma or certificate") {
			t.Fatal(page.Status, page.Text("main"))
		}
		form := staff.Open(tab + "/upload")
		for content, want := range map[string]string{"<html><script>alert(1)</script></html>": "None of the kinds",
			"": "empty", strings.Repeat("x", 10<<20+1): ""} {
			if page := form.SubmitFile("file", "page.pdf", content); page.Status < 400 || d.Count("document") != 0 {
				t.Errorf("%.10q was taken: %d %s, want %s", content, page.Status, page.Text("main"), want)
			}
		}
		taskID := fmt.Sprint(task.ID)
		for name, content := range map[string]string{`C:\mine\first "<b>.pdf`: disguised,
			"large.txt": strings.Repeat("line\n", 2<<20)} {
			page := staff.Open(tab+"/upload").SubmitFile("file", name, content, "task", taskID)
			if page.Status != 200 || !strings.HasPrefix(page.Path, tab+"?document=") {
				t.Fatal(page.Status, page.Errors(), page.Text("main"))
			}
		}
		page := staff.Open(tab)
		if got := page.Text(".viewer > ul"); strings.Count(got, "Mara Lind") != 2 ||
			strings.Count(got, "Diploma or certificate") != 2 ||
			!strings.Contains(got, "10.0 MB") || !strings.Contains(got, "PDF, 1 KB") {
			t.Error(got)
		}
		if link := page.Find(".viewer aside a").First(); link.Text() != "Diploma or certificate" ||
			link.AttrOr("href", "") != fmt.Sprintf("/admin/applications/11/tasks/%d", task.ID) {
			t.Errorf("the task next to the document leads to %q", link.AttrOr("href", ""))
		}
		for _, a := range page.Find(".viewer > ul a").EachIter() {
			isShown(t, staff, staff.Open(a.AttrOr("href", "")))
		}
		steps := func(p *sitetest.Page) string { return p.Text(".viewer header a[href*='document=']:not([href*=zoom])") }
		second := staff.Open(page.Find(".viewer header a[href*='document=']").First().AttrOr("href", ""))
		if got := steps(page) + "|" + steps(second); !strings.HasPrefix(got, "Next") || !strings.Contains(got, "|Previous") ||
			strings.Count(got, "Next") != 1 || second.Find(".viewer > ul a[aria-current]").Length() != 1 {
			t.Errorf("from document to document lead %q", got)
		}
		archived(t, staff, tab, 2)

		// Status and comment, and on to the next one; a status that tells sends one mail, with what is for the applicant.
		stale := staff.Open(tab)
		page = staff.Open(tab).Submit("Save and next document", "status", "Returned", "comment", "Page 2 is missing",
			"shared", "yes").Submit("Save the task and send")
		if at := page.Find(".viewer > ul a[aria-current]"); page.Status != 200 || at.Length() != 1 ||
			at.AttrOr("href", "") != page.Find(".viewer > ul a").Eq(1).AttrOr("href", "") ||
			!strings.Contains(page.Text("main"), "Saved.") {
			t.Error(page.Status, page.Path, page.Errors())
		}
		if page = page.Submit("Save and next document"); !strings.Contains(page.Text("main"), "This is the last document") {
			t.Error(page.Text("main"))
		}
		if n := d.Deliver(); n != 1 {
			t.Errorf("%d mails", n)
		} else if m := d.Post.Taken()[0]; !strings.Contains(m.Text, "Page 2 is missing") ||
			!strings.Contains(m.Text, "Returned") {
			t.Errorf("%+v", m)
		}
		page = stale.Submit("Save", "status", "Accepted", "comment", "Mine")
		if page.Status != 422 || !strings.Contains(page.Text("form"), "Page 2 is missing") ||
			!strings.Contains(page.Text("form"), "Mine") {
			t.Error(page.Status, page.Text("main"))
		}
		page = page.Submit("Save", "keep.comment", "theirs", "keep.status", "mine", "keep.shared", "mine")
		if got := d.Number("SELECT count(*) FROM task WHERE status = 'Accepted' AND notes_administrator = 'Page 2 is missing' AND NOT notes_shared AND resolved IS NOT NULL"); got != 1 {
			t.Error(page.Status, page.Errors(), page.Text("form"))
		}
		d.Must(d.Services.Admissions.TrashTask(t.Context(), servicestest.Staff(), 11, task.ID))
		if page = staff.Open(tab); page.Find(".viewer aside form").Length() != 0 ||
			!strings.Contains(page.Text(".viewer aside"), "In the trash") {
			t.Errorf("a form for what is in the trash: %s", page.Text(".viewer aside"))
		}
		d.Must(d.Services.Admissions.RestoreTask(t.Context(), servicestest.Staff(), 11, task.ID))
		journal := d.Journal()
		for _, want := range []admitto.Pattern{admitto.DocumentUploadedToTask, admitto.TaskStatusSet, admitto.TaskCommented,
			admitto.TaskResolved} {
			if !slices.ContainsFunc(journal, func(r admitto.Record) bool { return r.Pattern == want }) {
				t.Errorf("%s is not in the journal", want)
			}
		}

		remove := staff.Open(tab).Find(`.viewer a[href$="/remove"]`).AttrOr("href", "")
		late := staff.Open(remove)
		if page = staff.Open(remove).Submit("Remove", "reason", " "); page.Status != 422 {
			t.Errorf("removed without a reason: %d", page.Status)
		}
		if page = page.Submit("Remove", "reason", "Not readable"); page.Status != 200 ||
			page.Find(".viewer > ul a").Length() != 1 {
			t.Error(page.Status, page.Text("main"))
		}
		if page = late.Submit("Remove", "reason", "Twice"); page.Path != tab ||
			!strings.Contains(page.Text("main"), "Mara Lind changed this meanwhile") {
			t.Errorf("removed by two: %d %s", page.Status, page.Text("main"))
		}
		page = staff.Open("/admin/applications/11/history")
		if text := page.Text("main"); !strings.Contains(text, "Not readable") || !strings.Contains(text, "large.txt") ||
			page.Find(`.timeline a[href*="/documents?document="]`).Length() != 1 {
			t.Errorf("which documents came and went is not said: %s", text)
		}
		mail := page.Find(`.timeline a[href^="/admin/applications/11/emails/"]`).First()
		letter := staff.Open(mail.AttrOr("href", ""))
		if letter.Status != 200 || !strings.Contains(letter.Text("main"), "Page 2 is missing") {
			t.Errorf("%q leads to %d %s", mail.Text(), letter.Status, letter.Text("main"))
		}
		if page = staff.Open(remove); page.Status != 404 {
			t.Error(page.Status)
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView))
		page = few.Open(tab)
		if page.Status != 200 || page.Find(".viewer form").Length() != 0 ||
			page.Find(`a[href$="/remove"], a[href$="/upload"]`).Length() != 0 {
			t.Error(page.Text("main"))
		}
		if page = few.Open(tab + "/upload"); page.Status != 403 {
			t.Error(page.Status)
		}
	})
}

// TestTaskOfRemovedDocument saves the task next to a document that somebody removes meanwhile: what was typed is kept,
// says who was quicker, and reaches the task of no other document.
func TestTaskOfRemovedDocument(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Keep()
		d.AtWork()
		d.Write("UPDATE task_template SET active = TRUE")
		desk := d.Services.Admissions
		var documents []int64
		for _, class := range []string{"checklist-diploma", "checklist-transcript", "checklist-language"} {
			task, err := desk.CreateTask(t.Context(), servicestest.Staff(), 11, d.Template(class), 0)
			d.Must(err)
			file, err := desk.UploadDocument(t.Context(), servicestest.Staff(), admissions.Upload{Application: 11,
				Task: task.ID, Name: class + ".txt", Content: strings.NewReader(class), Size: int64(len(class))})
			d.Must(err)
			documents = append(documents, file.ID)
			d.Clock.Add(admitto.Minute)
		}
		mara, ida := i.Staff(i.Administrator("Mara Lind", everything...)), i.Staff(i.Administrator("Ida Late", everything...))
		const tab = "/admin/applications/11/documents"
		for _, c := range []struct {
			address string
			removed int64
		}{{fmt.Sprintf("%s?document=%d", tab, documents[2]), documents[2]}, {tab, documents[0]}} {
			page := mara.Open(c.address)
			ida.Open(fmt.Sprintf("%s/%d/remove", tab, c.removed)).Submit("Remove", "reason", "Of somebody else")
			page = page.Submit("Save and next document", "status", "Accepted", "comment", "All is well")
			if text := page.Text("main"); page.Status != 422 || !strings.Contains(text, "Ida Late changed this meanwhile") ||
				!strings.Contains(text, "All is well") {
				t.Errorf("%s: %d %s", c.address, page.Status, text)
			}
			if n := d.Number("SELECT count(*) FROM task WHERE status = 'Accepted' OR notes_administrator <> ''"); n != 0 {
				t.Fatalf("%s: another task was saved", c.address)
			}
			if c.address == tab {
				continue
			}
			if page = mara.Open(c.address); page.Path != tab || !strings.Contains(page.Text("main"), "Ida Late changed this") {
				t.Errorf("a removed document leads to %s: %s", page.Path, page.Text("main"))
			}
		}
		if page := mara.Open(tab + "?document=999999"); page.Status != 404 {
			t.Errorf("no document is shown as one: %d", page.Status)
		}
	})
}

// isShown opens a document as the viewer does, and sees that it can do nothing.
func isShown(t *testing.T, staff *sitetest.Visitor, page *sitetest.Page) {
	t.Helper()
	frame := page.Find(".viewer iframe")
	file := staff.Open(frame.AttrOr("src", ""))
	policy := file.Header.Get("Content-Security-Policy")
	if file.Status != 200 || file.Header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(policy, "default-src 'none'") {
		t.Error(file.Status, file.Header)
	}
	_, sandboxed := frame.Attr("sandbox")
	switch kind := file.Header.Get("Content-Type"); {
	case kind == "application/pdf" && !sandboxed && !strings.Contains(policy, "script-src"):
	case kind == "text/plain; charset=utf-8" && sandboxed && strings.Contains(policy, "sandbox"):
	default:
		t.Error(kind, policy, sandboxed)
	}
	saved := staff.Open(page.Find(".viewer a[download]").AttrOr("href", ""))
	if !strings.HasPrefix(saved.Header.Get("Content-Disposition"), "attachment;") || saved.Body != file.Body {
		t.Error(saved.Header)
	}
	part := httptest.NewRequest("GET", frame.AttrOr("src", ""), nil)
	part.Header.Set("Range", "bytes=0-3")
	if p := staff.Send(part); p.Status != 206 || len(p.Body) != 4 {
		t.Error(p.Status, len(p.Body))
	}
}

// archived downloads all documents.
func archived(t *testing.T, staff *sitetest.Visitor, tab string, want int) {
	t.Helper()
	page := staff.Open(tab + "/zip")
	archive, err := zip.NewReader(bytes.NewReader([]byte(page.Body)), int64(len(page.Body)))
	if err != nil || len(archive.File) != want {
		t.Fatal(err, page.Status)
	}
	for _, f := range archive.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, content); err != nil || n == 0 || strings.ContainsAny(f.Name, `/\"`) {
			t.Errorf("%q: %d %v", f.Name, n, err)
		}
	}
}

// TestUnreadDocuments counts on the overview what the applicant sent and no staff have opened, on both engines.
func TestUnreadDocuments(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Keep()
		d.AtWork()
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		for n, by := range []usecase.Caller{servicestest.Ann(), servicestest.Staff()} {
			text := fmt.Sprintf("Letter %d", n)
			_, err := d.Services.Admissions.UploadDocument(t.Context(), by, admissions.Upload{Application: 11, Name: "a.txt",
				Content: strings.NewReader(text), Size: int64(len(text))})
			d.Must(err)
		}
		unread := func() int64 { return d.Number("SELECT count(*) FROM document WHERE unread") }
		if text := staff.Open("/admin/applications/11").Text("main"); !strings.Contains(text, "1 not opened yet") ||
			unread() != 1 {
			t.Errorf("%d unread: %s", unread(), text)
		}
		page := staff.Open("/admin/applications/11/documents")
		if !strings.Contains(page.Text(".docs"), "not opened yet") && !strings.Contains(page.Text("main"), "not opened yet") {
			t.Error(page.Text("main"))
		}
		last := len(d.Journal())
		staff.Open(page.Find("iframe").AttrOr("src", ""))
		if text := staff.Open("/admin/applications/11").Text("main"); strings.Contains(text, "not opened yet") ||
			unread() != 0 || len(d.Journal()) != last {
			t.Errorf("%d unread: %s", unread(), text)
		}
	})
}

// nowhere takes an answer and keeps nothing of it but its length, and how much memory was in use at most meanwhile.
type nowhere struct {
	header http.Header
	status int
	length int64
	most   int64
}

func (n *nowhere) Header() http.Header { return n.header }
func (n *nowhere) WriteHeader(s int)   { n.status = s }
func (n *nowhere) Write(b []byte) (int, error) {
	const often = 1 << 20
	if before := n.length; before/often != (before+int64(len(b)))/often {
		n.most = max(n.most, memoryInUse())
	}
	n.length += int64(len(b))
	return len(b), nil
}

// memoryInUse is how many bytes somebody still needs.
func memoryInUse() int64 {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return int64(now.HeapAlloc)
}

// TestLargeDocumentStreams opens a document of 10 MiB in the viewer and downloads it: the service never has more than
// pieces of it in memory.
func TestLargeDocumentStreams(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Keep()
		d.AtWork()
		const size = 10 << 20
		text := strings.Repeat("A line of a long letter.\n", size/25+1)[:size]
		file, err := d.Services.Admissions.UploadDocument(t.Context(), servicestest.Staff(),
			admissions.Upload{Application: 11, Name: "a.txt",
				Content: strings.NewReader(text), Size: size})
		d.Must(err)
		cookie := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
		for _, end := range []string{"", "/download"} {
			fetch := func() *nowhere {
				r := httptest.NewRequest("GET", fmt.Sprintf("/admin/applications/11/documents/%d%s", file.ID, end), nil)
				r.AddCookie(cookie)
				w := &nowhere{header: http.Header{}}
				i.ServeHTTP(w, r)
				return w
			}
			fetch()
			before := memoryInUse()
			w := fetch()
			// pieces in pools are less, the whole is more
			if grown := w.most - before; w.length != size || w.most == 0 || grown > size*3/4 {
				t.Errorf("%s: %d bytes with status %d, for which %d bytes of memory were needed", end, w.length, w.status, grown)
			}
		}
	})
}

// TestNoFileChosen says that no file was chosen, on the page of documents and in the editor of offers.
func TestNoFileChosen(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, offer, _ := withOffer(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		for _, p := range []*sitetest.Page{
			staff.Open("/admin/applications/11/documents/upload").SubmitFile("file", "", ""),
			staff.Open("/admin/applications/11/documents/upload").SubmitFiles("file", nil),
			staff.Open(offer).SubmitFile("file", "", "", "attach", "yes", "subject", "With rules")} {
			if text := strings.Join(p.Errors(), "; "); p.Status != 422 || !strings.Contains(text, "Choose a file") {
				t.Errorf("%s: %d %q", p.Path, p.Status, text)
			}
		}
	})
}
