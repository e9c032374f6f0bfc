package card_test

import (
	"fmt"
	"net/http"

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
