package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestSetStatus sets the status of all tasks of a filtered list by a batch, leaves out those that cannot have it, and
// takes it back with the times that the tasks had.
func TestSetStatus(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	const of = " FROM task k JOIN application a ON a.id = k.application_id WHERE a.visible AND k.trashed IS NULL AND k.status = 'Submitted'"
	before := i.Lines("SELECT k.id || ' ' || k.status || ' ' || coalesce(k.committed, 0) || ' ' || coalesce(k.resolved, 0)" + of + " ORDER BY k.id")
	n := i.Number("SELECT count(*)" + of)
	if n < 3 {
		t.Fatalf("only %d tasks are submitted", n)
	}
	v := i.Staff(i.Superuser("Ada Boss"))
	page := v.Open("/admin/tasks?term=all&status=Submitted").Submit("Set status", "all", "1", "status", "Accepted")
	if text := page.Text("main"); !strings.Contains(text, "Accepted") {
		t.Fatalf("%s: %.900s", page.Path, text)
	}
	if strings.Contains(page.Path, "/new") {
		page = page.Submit("Show what would change")
	}
	preview := page.Path
	if text := page.Text("main"); !strings.Contains(text, "Submitted → Accepted") && !strings.Contains(text, "Accepted") {
		t.Errorf("the preview: %.900s", text)
	}
	if got := i.Number("SELECT count(*)" + of); got != n {
		t.Errorf("before the release %d tasks of %d are submitted", got, n)
	}
	line := page.Find(`.tablewrap a[href^="/admin/tasks/"]`).First().AttrOr("href", "")
	if card := v.Open(line); card.Status != 200 || !strings.Contains(card.Path, "/admin/applications/") {
		t.Errorf("a line leads to %q, %s", line, card.Path)
	}
	v.Open(preview + "/release").Submit("Release")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if got := i.Number("SELECT count(*)" + of); got != 0 {
		t.Errorf("%d tasks are still submitted: %.900s", got, v.Open(preview).Text("main"))
	}
	if got := i.Number("SELECT count(*) FROM journal WHERE pattern = 'Task status was set: ?' AND batch_id IS NOT NULL"); got != n {
		t.Errorf("%d events of the batch, want %d", got, n)
	}
	v.Open(preview + "/undo").Submit("Undo")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if got := i.Lines("SELECT k.id || ' ' || k.status || ' ' || coalesce(k.committed, 0) || ' ' || coalesce(k.resolved, 0)" + of + " ORDER BY k.id"); got != before {
		t.Errorf("put back as\n%s, want\n%s", got, before)
	}
}

// TestTaskMessage writes once to each applicant of the selected tasks.
func TestTaskMessage(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Ada Boss"))
	const of = " FROM task k JOIN application a ON a.id = k.application_id WHERE a.visible AND k.trashed IS NULL AND k.status = 'Pending'"
	page := v.Open("/admin/tasks?term=all&status=Pending").Submit("Write a message", "all", "1").
		Submit("Show what would change", "subject", "Your documents", "text", "Dear %applicant-GivenName%, please send them.")
	people := i.Number("SELECT count(DISTINCT a.applicant_id)" + of)
	if got := i.Number("SELECT count(*) FROM batch_record WHERE state = 'sealed'"); got != people || people < 3 {
		t.Errorf("%d messages to %d people: %.900s", got, people, page.Text("main"))
	}
	if got := i.Number("SELECT count(*) FROM batch_record c JOIN task k ON k.id = c.record WHERE k.status <> 'Pending'"); got != 0 {
		t.Errorf("%d lines are of other tasks", got)
	}
}

// TestBulkRefuses what does not fit: a status that no class has, no selection, an address that cannot be read.
func TestBulkRefuses(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Ada Boss"))
	list := "/admin/tasks?term=all&status=Submitted"
	if page := v.Open(list).Submit("Set status", "status", "Accepted"); !strings.Contains(page.Text("body"), "Select") &&
		page.Path != list {
		t.Errorf("without a selection: %s", page.Path)
	}
	id := i.Number("SELECT min(id) FROM task WHERE trashed IS NULL")
	page := v.Open(list).Submit("Set status", "status", "Lost", "id", fmt.Sprint(id))
	if strings.Contains(page.Path, "/new") {
		page = page.Submit("Show what would change", "status", "Lost")
	}
	if got := i.Number("SELECT count(*) FROM batch_record WHERE state = 'sealed'"); got != 0 {
		t.Errorf("%d tasks would get a status that they cannot have: %s", got, page.Path)
	}
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView, admitto.TasksEdit)).Open(list)
	if text := few.Text(".bulk"); !strings.Contains(text, "Set status") || strings.Contains(text, "message") {
		t.Errorf("with tasks-edit only: %s", text)
	}
}
