package portal_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
	"github.com/admitto/admitto/internal/wait"
)

// TestMyPagesInBrowser looks at the pages on which applicants fill in, submit and follow their applications.
func TestMyPagesInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE consent SET active = FALSE")
	one := func(sql string) int64 {
		t.Helper()
		id := i.Number(sql)
		if id == 0 {
			t.Fatal("there is none: ", sql)
		}
		return id
	}
	draft := one("SELECT max(a.id) FROM application a JOIN academic_term t ON t.id = a.academic_term_id WHERE a.visible AND a.status = 'Draft' AND t.grace > '2026-03-09' AND EXISTS (SELECT 1 FROM task k WHERE k.application_id = a.id AND k.trashed IS NULL)")
	offer := one("SELECT max(o.id) FROM offer o JOIN application a ON a.id = o.application_id JOIN academic_term t ON t.id = a.academic_term_id JOIN offer_type y ON y.id = o.type_confirmed_id WHERE o.confirmed IS NOT NULL AND a.status = 'Submitted' AND y.decide AND o.decision = 'None' AND t.grace > '2026-03-09'")
	i.Put(fmt.Sprintf("UPDATE offer SET decision_deadline = '2026-05-01' WHERE id = %d", offer),
		fmt.Sprintf("UPDATE offer_confirmation SET deadline = '2026-05-01', policy = 'Required' WHERE offer_id = %d", offer))
	sent := one(fmt.Sprintf("SELECT application_id FROM offer WHERE id = %d", offer))
	of := func(application int64) int64 {
		return one(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", application))
	}
	for _, id := range []int64{of(draft), of(sent)} {
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", id))
	}
	filling, waiting := i.Cookie(accounts.Portal, of(draft)), i.Cookie(accounts.Portal, of(sent))
	task := one(fmt.Sprintf("SELECT min(id) FROM task WHERE application_id = %d AND trashed IS NULL", draft))
	i.Put(fmt.Sprintf("UPDATE task SET notes_administrator = 'The picture is too dark to read.\n\nScan it again, or take it by daylight.', notes_shared = TRUE WHERE id = %d", task))
	paying := one("SELECT max(id) FROM invoice WHERE applicant_id IS NOT NULL AND collected IS NULL AND lapsed IS NULL AND instructions <> ''")
	payer := one(fmt.Sprintf("SELECT applicant_id FROM invoice WHERE id = %d", paying))
	i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", payer))
	message := one(fmt.Sprintf("SELECT max(id) FROM email WHERE applicant_id = %d", of(sent)))
	i.Put("DELETE FROM data_request",
		fmt.Sprintf("INSERT INTO data_request (id, applicant_id, kind, reason, received, recorded) "+
			"VALUES (901, %d, 'erase', 'I study somewhere else.', '2026-03-02', 1772000000000000)", of(draft)))
	address := fmt.Sprintf("/my/applications/%d", draft)
	i.Put(fmt.Sprintf("INSERT INTO receipt (id, application_id, made, accepted, text, signature) VALUES (900001, %d, 1767600000000000, TRUE, 'Receipt 900001\nApplication 9\n', 'bm8gc2lnbmF0dXJl')", sent))
	i.Put(fmt.Sprintf("INSERT INTO document (id, application_id, name, mime, size, hash, uploaded) VALUES (9901, %d, 'Passport.pdf', 'application/pdf', 400000, 'x', 1772000000000000)", draft))
	uploads := address + "/documents"
	for name, arrived := range map[string]int64{"transcript-of-records-with-a-very-long-name-2019-2023-signed.pdf": 3 << 20,
		"diploma.pdf": 10 << 19} {
		f, err := i.Services.Accounts.BeginFile(t.Context(), accounts.Portal, of(draft), uploads,
			accounts.KeptFile{Field: "file", Name: name, Size: 10 << 19}, false)
		i.Must(err)
		_, err = i.Services.Accounts.AddToFile(t.Context(), accounts.Portal, of(draft), f,
			strings.NewReader(strings.Repeat("x", int(arrived))))
		i.Must(err)
	}
	letter, err := mail.Template{Kind: mail.KindApplicantMessage, Body: "h2. Your interview\n\n" +
		"Please be there *at nine*, with:\n\n* your _passport_\n* \"the map\":https://example.org/map\n\n" +
		"https://example.org/" + strings.Repeat("a-long-way/", 9) + "\n\nAsk admissions@example.org."}.Render(nil)
	i.Must(err)
	i.Put(fmt.Sprintf("UPDATE email SET html = '%s' WHERE id = %d", letter.Formatted(), message))
	uitest.Check(t, i,
		uitest.Page{Name: "my-board", Path: "/my", Cookie: filling},
		uitest.Page{Name: "my-application", Path: address, Cookie: filling},
		uitest.Page{Name: "my-profile", Path: address + "/form/profile", Cookie: filling},
		uitest.Page{Name: "my-education", Path: address + "/form/education", Cookie: filling},
		uitest.Page{Name: "my-entry", Path: address + "/form/education/rows/new", Cookie: filling},
		uitest.Page{Name: "my-documents", Path: uploads, Heavy: true, Cookie: filling},
		uitest.Page{Name: "my-document-replace", Path: uploads + "/9901/replace", Heavy: true,
			Cookie: filling},
		uitest.Page{Name: "my-courses", Path: address + "/courses", Cookie: filling},
		uitest.Page{Name: "my-check", Path: address + "/check", Cookie: filling},
		uitest.Page{Name: "my-discard", Path: address + "/withdraw", Cookie: filling},
		uitest.Page{Name: "my-tasks", Path: "/my/tasks", Cookie: filling},
		uitest.Page{Name: "my-task", Path: fmt.Sprintf("/my/tasks/%d", task), Cookie: filling},
		uitest.Page{Name: "my-submitted", Path: fmt.Sprintf("/my/applications/%d", sent), Cookie: waiting},
		uitest.Page{Name: "my-offer", Path: fmt.Sprintf("/my/offers/%d", offer), Cookie: waiting},
		uitest.Page{Name: "my-answer", Path: fmt.Sprintf("/my/offers/%d/answer/decline", offer), Cookie: waiting},
		uitest.Page{Name: "my-withdraw", Path: fmt.Sprintf("/my/applications/%d/withdraw", sent), Cookie: waiting},
		uitest.Page{Name: "my-messages", Path: "/my/messages", Cookie: waiting},
		uitest.Page{Name: "my-message", Path: fmt.Sprintf("/my/messages/%d", message), Cookie: waiting},
		uitest.Page{Name: "my-invoices", Path: "/my/invoices", Cookie: i.Cookie(accounts.Portal, payer)},
		uitest.Page{Name: "my-invoice", Path: fmt.Sprintf("/my/invoices/%d", paying),
			Cookie: i.Cookie(accounts.Portal, payer)},
		uitest.Page{Name: "my-photo", Path: "/my/photo", Cookie: waiting},
		uitest.Page{Name: "my-data", Path: "/my/privacy", Cookie: waiting},
		uitest.Page{Name: "my-receipt", Path: fmt.Sprintf("/my/applications/%d/receipts/900001", sent), Cookie: waiting},
		uitest.Page{Name: "my-erasure", Path: "/my/privacy/erasure", Cookie: waiting},
		uitest.Page{Name: "my-data-asked", Path: "/my/privacy", Cookie: filling},
		uitest.Page{Name: "my-erasure-withdraw", Path: "/my/privacy/erasure/withdraw", Cookie: filling},
		uitest.Page{Name: "receipts", Path: "/receipts"},
	)
}

// line is the way to a site, which breaks in the middle of a part of a file when it is told to.
type line struct {
	http.Handler
	breaks atomic.Int64 // how many parts of files break, below 0 for all
	begun  atomic.Int64 // uploads
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && r.URL.Path == "/my/uploads" {
		l.begun.Add(1)
	}
	if r.Method != http.MethodPatch || r.Header.Get("Upload-Offset") == "0" || l.breaks.Load() == 0 {
		l.Handler.ServeHTTP(w, r)
		return
	}
	l.breaks.Add(-1)
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(io.LimitReader(r.Body, 1<<20+5), iotest.ErrReader(io.ErrUnexpectedEOF)), r.Body}
	l.Handler.ServeHTTP(httptest.NewRecorder(), r)
	panic(http.ErrAbortHandler)
}

// TestUploadsInBrowser sends files of every kind from a browser: one whose line breaks in the middle, and again after
// the page was left; ten at once, the bad ones among them; a photograph that lies; one that is taken back (screens.md
// P11).
func TestUploadsInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	id, _ := atWork(t, i, "sends@example.org")
	i.Put("UPDATE consent SET active = FALSE")
	account := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id))
	address := fmt.Sprintf("/my/applications/%d/documents", id)
	folder := t.TempDir()
	file := func(name, content string) string {
		t.Helper()
		i.Must(os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
		return filepath.Join(folder, name)
	}
	count := func() int64 {
		return i.Number(fmt.Sprintf("SELECT count(*) FROM document WHERE application_id = %d", id))
	}
	const field, said, press = "input[type=file]", "[data-ahead] [role=status]", "form[enctype] .btn.primary"
	way := &line{Handler: i}
	page := uitest.Page{Name: "uploads", Path: address, Cookie: i.Cookie(accounts.Portal, account)}
	p := uitest.Open(t, way).Tab(t, page, true)

	// Broken twice, it goes on by itself.
	whole := long(10 << 20)
	way.breaks.Store(2)
	p.Attach(field, file("record.pdf", whole))
	p.Wait(said, "record.pdf has arrived. It is not saved yet: press the button below.")
	p.Click(press)
	p.Wait(".notice", "record.pdf was added.")
	if count() != 1 || way.breaks.Load() != 0 || way.begun.Load() != 1 {
		t.Errorf("%d documents, %d uploads, %d times to break", count(), way.begun.Load(), way.breaks.Load())
	}
	if n := i.Number(fmt.Sprintf("SELECT size FROM document WHERE application_id = %d", id)); n != int64(len(whole)) {
		t.Errorf("%d bytes of %d", n, len(whole))
	}

	// Left in the middle, it goes on when the same file is chosen again.
	way.breaks.Store(-1)
	p.Attach(field, file("diploma.pdf", whole))
	wait.Until(t, "a part is here", func() bool { return i.Number("SELECT count(*) FROM stash_part") > 2 })
	p.Open(address)
	p.Find("li[data-go-on][data-name='diploma.pdf']")
	way.breaks.Store(0)
	p.Attach(field, filepath.Join(folder, "diploma.pdf"))
	p.Wait(said, "diploma.pdf has arrived. It is not saved yet: press the button below.")
	p.Click(press)
	p.Wait(".notice", "diploma.pdf was added.")
	if count() != 2 || way.begun.Load() != 2 {
		t.Errorf("%d documents, %d uploads", count(), way.begun.Load())
	}

	// Ten at once, and the button pressed before they are there.
	ten := []string{file("photo.jpg", lying(t)), file("IMG_7.heic", heic), file("empty.pdf", ""),
		file("bank.pdf", locked(t)), file("huge.pdf", small+strings.Repeat("x", 10<<20))}
	for n := range 5 {
		ten = append(ten, file(fmt.Sprintf("page %d.pdf", n), fmt.Sprintf("%s%%%d", small, n)))
	}
	p.Attach(field, ten...)
	if n := p.Count(".files .error"); n != 2 {
		t.Errorf("%d files are refused at once", n)
	}
	p.Click(press)
	p.Find(".errors")
	p.Wait(".notice", "6 documents were added.")
	if count() != 8 {
		t.Errorf("%d documents", count())
	}

	// Staff see upright what a phone stored lying: its lines are columns.
	photo := i.Number(fmt.Sprintf("SELECT id FROM document WHERE application_id = %d AND name = 'photo.jpg'", id))
	office := uitest.Open(t, i).Desk(t, uitest.Page{Name: "viewer",
		Path:   fmt.Sprintf("/admin/applications/%d/documents?document=%d", id, photo),
		Cookie: i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))})
	if shape := office.Shape(".viewer .shown img"); shape != "300x400" {
		t.Error("the photograph is shown ", shape)
	}

	// Taken back, it is gone.
	p.Open(address)
	p.Attach(field, ten[0])
	p.Find(".files [data-cancel]")
	p.Wait(said, "photo.jpg has arrived. It is not saved yet: press the button below.")
	p.Click(".files [data-cancel]")
	p.Wait(said, "photo.jpg was taken off.")
	wait.Until(t, "nothing waits", func() bool { return i.Count("stash_file") == 0 })
}

// TestMoveByKeyboard moves a course down twice and up again, with and without scripts: the focus goes with it, so that
// the next press moves it on (screens.md P13). Courses and entries are dragged, too.
func TestMoveByKeyboard(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "moves@example.org")
	i.Put(fmt.Sprintf("INSERT INTO application_course (application_id, course_id, intake_id, institution_id, priority, added) VALUES (%[1]d, 72, 71, 71, 2, 1), (%[1]d, 73, 71, 71, 3, 1)", id))
	cookie := i.Cookie(accounts.Portal, i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id)))
	browser, address := uitest.Open(t, i), fmt.Sprintf("/my/applications/%d/courses", id)
	for name, scripts := range map[string]bool{"keys-move": true, "keys-move-plain": false} {
		tab := browser.Tab(t, uitest.Page{Name: name, Path: address, Cookie: cookie}, scripts)
		tab.Reach("form[action$='/71/down'] button")
		for n, next := range []string{"down", "up", "up", "down"} {
			tab.Enter()
			tab.Wait("form[action$='/71/"+next+"'] button:focus .sr",
				fmt.Sprintf("Online Économie. Now number %d of 3.", []int{2, 3, 2, 1}[n]))
		}
		if place := i.Number(fmt.Sprintf("SELECT priority FROM application_course WHERE application_id = %d AND course_id = 71", id)); place != 1 {
			t.Errorf("%s: the course is number %d", name, place)
		}
	}
	tab := browser.Desk(t, uitest.Page{Name: "drag", Path: address, Cookie: cookie})
	tab.Drag("[data-order] > :first-child [data-grip]", "[data-order] > :nth-child(2) header",
		"[data-order] > .sortable-ghost:nth-child(2)")
	tab.Wait("form[action$='/71/down'] button:focus .sr", "Online Économie. Now number 2 of 3.")
	address = fmt.Sprintf("/my/applications/%d/form/education", id)
	for _, name := range []string{"First", "Second", "Third"} {
		own.Open(address+"/rows/new").Submit("Save this entry", "content.institution", name)
	}
	tab = browser.Desk(t, uitest.Page{Name: "drag-entry", Path: address, Cookie: cookie})
	tab.Drag("[data-order] > :first-child [data-grip]", "[data-order] > :nth-child(2) header",
		"[data-order] > .sortable-ghost:nth-child(2)")
	tab.Wait("form[action$='/2/down'] button:focus .sr", "First. Now number 2 of 3.")
}

// TestNarrow shows language and account in one line on a small phone, and breaks no word of the name of a course for
// the button next to it.
func TestNarrow(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "narrow@example.org")
	own.Open("/my/apply/72/71").Submit("Add to my application")
	i.Put("UPDATE course SET name = 'Business Administration' WHERE id = 72")
	cookie := i.Cookie(accounts.Portal, i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id)))
	tab := uitest.Open(t, i).Phone(t, uitest.Page{Name: "narrow", Path: fmt.Sprintf("/my/applications/%d/courses", id),
		Cookie: cookie})
	if got := tab.Shape(".bar .end"); !strings.HasSuffix(got, "x44") {
		t.Error("the language and the account stand in ", got)
	}
	var wide, high int
	shape := tab.Shape(".card:last-child > header h2")
	if _, err := fmt.Sscanf(shape, "%dx%d", &wide, &high); err != nil || wide < 150 || high > 65 {
		t.Errorf("the name of a course stands in %s: %v", shape, err)
	}
}
