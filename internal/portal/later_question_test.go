package portal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestAskedAfterSubmission asks a question after an application was submitted: its pages do not call the answer missing
// while nothing but contact data can be changed, and do once it is open again (screens.md P08, lifecycle.md T21).
func TestAskedAfterSubmission(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "later@example.org")
		fill(t, own, id)
		address := fmt.Sprintf("/my/applications/%d", id)
		want(t, own.Open(address+"/check").Submit("Submit application", "declared-0", "yes"), address+"/receipts/1", "")
		const settings = "/admin/courses/71/form"
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		want(t, staff.Open(settings+"/questions/new").Submit("Add question", "name", "Where will you live?", "type", "text",
			"required", "yes"), settings, "Where will you live?")
		// Something is also missing of what was filled in, such as after a course asks for one field more.
		i.Put(fmt.Sprintf(`UPDATE application_content SET content = replace(content, '"Ilse"', '""') WHERE application_id = %d`,
			id))
		for _, status := range []string{"Submitted", "Withdrawn", "Closed"} {
			i.Put(fmt.Sprintf("UPDATE application SET status = '%s' WHERE id = %d", status, id))
			want(t, own.Open(address), address, "Personal dataFilled in")
			want(t, own.Open(address), address, "Further questionsNot filled in")
			for _, path := range []string{"", "/check", "/form/extras", "/form/profile"} {
				if text := strings.ToLower(own.Open(address + path).Text("body")); strings.Contains(text, "missing") ||
					strings.Contains(text, "not started") || strings.Contains(text, "not ready") {
					t.Errorf("%s%s: %s", status, path, text)
				}
			}
		}
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Reopened' WHERE id = %d", id))
		if text := own.Open(address).Text("body"); !strings.Contains(text, "Not started") {
			t.Error(text)
		}
		want(t, own.Open(address+"/check"), address+"/check", "Still missing")
	})
}
