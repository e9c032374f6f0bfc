package portal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestTaskOfSubmission has staff make a template whose tasks the submission triggers: it makes one task, and a
// re-submission no second one. Applicants read it in their language and hand in what it asks for (screens.md A44).
func TestTaskOfSubmission(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		i.Keep()
		id, own := atWork(t, i, "task@example.org")
		fill(t, own, id)
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		page := staff.Open("/admin/task-templates/new").Submit("Add task template", "title", "Photograph", "class",
			"photo",
			"cause", "submitted", "scope", "listed", "courses", "71", "document_kinds", "pdf", "in-ar", "صورة شخصية",
			"switches-1", "public", "switches-1", "requires_document")
		if text := page.Text(".notice"); !strings.Contains(text, "was saved") {
			t.Fatal(page.Errors())
		}
		template := i.Number("SELECT id FROM task_template WHERE class = 'photo'")
		count := func() int64 {
			return i.Number(fmt.Sprintf("SELECT count(*) FROM task WHERE application_id = %d AND template_id = %d", id,
				template))
		}
		address := fmt.Sprintf("/my/applications/%d", id)
		submit := func(receipt int) {
			t.Helper()
			page := own.Open(address+"/check").Submit("Submit application", "declared-0", "yes")
			want(t, page, fmt.Sprintf("%s/receipts/%d", address, receipt), "submitted")
			if n := count(); n != 1 {
				t.Errorf("%d tasks after submission %d", n, receipt)
			}
		}
		if n := count(); n != 0 {
			t.Errorf("%d tasks before the submission", n)
		}
		submit(1)
		page = staff.Open(fmt.Sprintf("/admin/applications/%d/reopen", id)).Submit("Reopen", "text", "Please check.")
		if i.Status(id) != "Reopened" {
			t.Fatal(page.Path, page.Errors(), page.Text("main"))
		}
		submit(2)
		task := fmt.Sprintf("/my/tasks/%d", i.Number("SELECT max(id) FROM task"))
		own.Open("/choose/language/ar?next=%2Fmy")
		if title := own.Open(task).Text("h1"); title != "صورة شخصية" {
			t.Error(title)
		}
		own.Open("/choose/language/en?next=%2Fmy")
		page = own.Open(task)
		want(t, page, task, "PDF. At most")
		page = page.SubmitFile("file", "me.txt", "a plain text")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors,
			"Choose a file of one of these kinds: .pdf") {
			t.Error(errors, page.Text("main"))
		}
		page = own.Open(task).SubmitFile("file", "me.pdf",
			"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
		want(t, page, task, "Saved at")
	})
}
