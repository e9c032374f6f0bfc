package admintest

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// paperPages are the pages about documents and tasks.
func paperPages(i *sitetest.Instance, staff *http.Cookie) (pages []uitest.Page) {
	of := func(kind string) (application, document int64) {
		document = i.Number("SELECT max(id) FROM document WHERE trashed IS NULL AND task_id IS NOT NULL AND mime = '" + kind + "'")
		return i.Number(fmt.Sprintf("SELECT application_id FROM document WHERE id = %d", document)), document
	}
	add := func(name, path string, args ...any) {
		pages = append(pages, uitest.Page{Name: "card-" + name, Path: "/admin/applications/" + fmt.Sprintf(path, args...),
			Cookie: staff})
	}
	application, document := of("application/pdf")
	add("pdf", "%d/documents?document=%d", application, document)
	add("remove", "%d/documents/%d/remove", application, document)
	task := i.Number(fmt.Sprintf("SELECT task_id FROM document WHERE id = %d", document))
	i.Put("UPDATE task_template SET active = TRUE, instructions = 'Send both sides, in colour.', staff_instructions = 'Compare with the form.'",
		fmt.Sprintf("UPDATE task SET trashed = 1 WHERE id = (SELECT max(id) FROM task WHERE application_id = %d AND id <> %d)", application, task))
	add("task-list", "%d/tasks", application)
	add("task", "%d/tasks/%d", application, task)
	add("task-new", "%d/tasks/new", application)
	add("task-delete", "%d/tasks/%d/delete", application, task)
	add("upload", "%d/documents/upload", application)
	application, document = of("image/jpeg")
	add("picture", "%d/documents?document=%d", application, document)
	add("turned", "%d/documents?document=%d&turn=90&zoom=150", application, document)
	noted := i.Number("SELECT max(a.id) FROM application a JOIN offer o ON o.application_id = a.id JOIN note n ON n.applicant_id = a.applicant_id WHERE a.visible")
	offer := i.Number(fmt.Sprintf("SELECT max(id) FROM offer WHERE application_id = %d", noted))
	i.Put(fmt.Sprintf("INSERT INTO note (id, created, colour, pinned, collapsed, text, offer_id) VALUES (9001, 1, 'Salmon', TRUE, FALSE, 'Ask the faculty first.', %d), "+
		"(9002, 1, 'Green', FALSE, TRUE, 'The second letter came later, after the first was sent back because the seal was missing.', %d)", offer, offer))
	add("notes", "%d/notes", noted)
	add("note-edit", "%d/notes/%d/9001", noted, offer)
	add("history-group", "%d/history?group=Tasks", application)
	add("no-documents", "%d/documents", i.Number("SELECT max(id) FROM application a WHERE visible AND NOT EXISTS "+
		"(SELECT 1 FROM document d WHERE d.application_id = a.id)"))
	return pages
}

// TestBlockingTaskInBrowser gives an application a task that stops the submission, by keyboard only: the applicant is
// refused with the name of the task, until staff put it into the trash.
func TestBlockingTaskInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		d.Write("UPDATE task_template SET active = TRUE WHERE class = 'checklist-identity'")
		const tasks = "/admin/applications/11/tasks"
		tab := uitest.Open(t, i).Tab(t, at(i, tasks), true)
		tab.Reach(`main a[href$="/tasks/new"]`)
		tab.Enter()
		tab.Find("#f-template")
		send(tab)
		tab.At(tasks)
		tab.Find("tbody .tag.warn")
		if text := tab.Text("tbody"); !strings.Contains(text, "Stops the submission") {
			t.Error(text)
		}
		_, err := d.Services.Admissions.Submit(t.Context(), servicestest.Ann(), 11, admissions.Submission{})
		faults := servicestest.WantKind(t, err, admitto.NotAllowedNow).Faults
		if len(faults) != 1 || faults[0].Code != admitto.CodeTaskBlocks ||
			!strings.Contains(faults[0].Text.String(), "Copy of passport") {
			t.Errorf("the applicant is refused with %+v", faults)
		}
		tab.Reach(`tbody a[href*="/tasks/"]`)
		tab.Enter()
		tab.Find("main button[name=to]")
		tab.Reach("main button[name=to]")
		tab.Enter()
		tab.At(tasks)
		tab.Find("details.fold tbody")
		if _, err = d.Services.Admissions.Submit(t.Context(), servicestest.Ann(), 11, admissions.Submission{}); err != nil ||
			d.Status(11) != string(admitto.Submitted) {
			t.Errorf("%s: %v", d.Status(11), err)
		}
	})
}

// TestViewerByKeyboard goes from document to document in the viewer, enlarges and turns a picture, and says what it is
// of a file that cannot be shown, by keyboard only.
func TestViewerByKeyboard(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Keep()
		d.AtWork()
		var picture bytes.Buffer
		d.Must(png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 20))))
		rich := []byte("{\\rtf1 Dear Sir}")
		for _, file := range []admissions.Upload{{Name: "letter.txt", Content: strings.NewReader("Dear Sir"), Size: 8},
			{Name: "scan.png", Content: bytes.NewReader(picture.Bytes()), Size: int64(picture.Len())},
			{Name: "letter.rtf", Content: bytes.NewReader(rich), Size: int64(len(rich))}} {
			file.Application = 11
			_, err := d.Services.Admissions.UploadDocument(t.Context(), servicestest.Ann(), file)
			d.Must(err)
		}
		tab := uitest.Open(t, i).Tab(t, at(i, "/admin/applications/11/documents"), true)
		shown := func(name, what string) {
			t.Helper()
			tab.Wait(".viewer [aria-current] span", name)
			tab.Find(what)
		}
		shown("letter.txt", ".viewer iframe[sandbox]")
		tab.Press("j")
		shown("scan.png", ".viewer .shown")
		tab.Reach(`.viewer a[href*="zoom=150"]`)
		tab.Enter()
		tab.Find(`.viewer svg[width="150%"]`)
		tab.Reach(`.viewer a[href*="turn=90"]`)
		tab.Enter()
		tab.Find(`.viewer image[transform^="rotate(90 "]`)
		tab.Press("j")
		shown("letter.rtf", ".viewer .empty")
		tab.Press("k")
		shown("scan.png", ".viewer .shown")
	})
}
