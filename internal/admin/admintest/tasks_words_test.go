package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestStatusWords has the statuses of tasks in the language of the reader and by their titles, wherever staff read or
// choose them.
func TestStatusWords(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	reader := i.Superuser("Ada Boss")
	i.Put(fmt.Sprintf("UPDATE administrator SET language = 'ar' WHERE id = %d", reader))
	v := i.Staff(reader)
	const of = ` FROM task k JOIN application a ON a.id = k.application_id WHERE a.visible AND k.trashed IS NULL
		AND k.resolved IS NULL AND k.status = 'Submitted'`
	task := i.Number("SELECT min(k.id)" + of)
	card := fmt.Sprintf("/admin/applications/%d",
		i.Number(fmt.Sprintf("SELECT application_id FROM task WHERE id = %d", task)))
	in := func(p *sitetest.Page, at, want string) {
		t.Helper()
		if text := p.Find(at).Text(); !strings.Contains(text, want) || strings.Contains(text, "Submitted") ||
			strings.Contains(text, "Accepted") {
			t.Errorf("%s %s: %q lacks %q, or says it in English", p.Path, at, text, want)
		}
	}
	overview := v.Open(card)
	in(overview, fmt.Sprintf("main a[href='%s/tasks/%d']", card, task), "مُقدَّم")
	in(v.Open(fmt.Sprintf("%s/tasks/%d", card, task)), "#f-status option[value=Accepted]", "مقبول")
	in(v.Open(fmt.Sprintf("/admin/batches/new?action=task-status&source=tasks&id=%d", task)),
		"#f-status option[value=Accepted]", "مقبول")
	i.Put(fmt.Sprintf("UPDATE administrator SET language = 'en' WHERE id = %d", reader))
	v.Open("/admin/tasks?term=all&status=Submitted").Submit("Set status", "all", "1", "status", "Accepted").
		Submit("Show what would change")
	i.Put(fmt.Sprintf("UPDATE administrator SET language = 'ar' WHERE id = %d", reader))
	batch := v.Open(fmt.Sprintf("/admin/batches/%d", i.Number("SELECT max(id) FROM batch")))
	in(batch, "h1", "مقبول")
	in(batch, "#state", "مقبول")
	in(batch, ".tablewrap tbody", "مُقدَّم")
}
