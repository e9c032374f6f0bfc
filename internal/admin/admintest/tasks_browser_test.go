package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestTasksInBrowser looks at the tasks overview: full, filtered, without matches, and as those see it who may do
// little.
func TestTasksInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE task SET deadline = '2020-05-09' WHERE id % 4 = 0",
		"UPDATE applicant SET given = 'Maria Guadalupe Esperanza', family = 'Fernández-Villaverde y Ruiz de Alarcón' WHERE id % 5 = 0")
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	few := i.Cookie(accounts.Administration, i.Administrator("Kofi Haugen", admitto.ApplicationsView))
	uitest.Check(t, i, uitest.Page{Name: "tasks-list", Path: "/admin/tasks?term=all&size=25", Cookie: staff},
		uitest.Page{Name: "tasks-filtered", Path: "/admin/tasks?term=all&handed_in=yes&resolved=no&task=2&task=3",
			Cookie: staff},
		uitest.Page{Name: "tasks-no-match", Path: "/admin/tasks?term=all&overdue=yes&status=Accepted&due_from=soon",
			Cookie: staff},
		uitest.Page{Name: "tasks-few", Path: "/admin/tasks?term=all&size=25", Cookie: few})
}

// TestByKeyboard goes from a number of the matrix to its list, selects rows, and writes to their applicants, by
// keyboard only, with scripts and without.
func TestByKeyboard(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	hana := i.Superuser("Hana Yildiz")
	browser := uitest.Open(t, i)
	for _, scripts := range []bool{true, false} {
		name := fmt.Sprint("keys-tasks-", scripts)
		tab := browser.Tab(t, uitest.Page{Name: name, Path: "/admin/tasks?term=all",
			Cookie: i.Cookie(accounts.Administration, hana)}, scripts)
		if tab.Count("details.fold[open] .matrix") != 1 {
			t.Errorf("%s: the matrix is folded", name)
		}
		link := ".matrix tbody td a[href*=Pending]"
		tab.Reach(link)
		tab.Enter()
		tab.Find(".chips a")
		tab.Reach(".bulk button[value=message]")
		tab.Enter()
		tab.Wait(".notice", "Select at least one row.")
		for range 2 {
			tab.Reach(".picks input[name=id]:not(:checked)")
			tab.Space()
		}
		tab.Reach(".bulk button[value=message]")
		tab.Enter()
		tab.Find("main [name=subject]")
		tab.Reach("main [name=subject]")
		tab.Write("Your documents")
		tab.Reach("main [name=text]")
		tab.Write("Please send them.")
		tab.Reach("main .btn.primary")
		tab.Enter()
		tab.Find(`main a[href$="/release"]`)
	}
	if n := i.Number("SELECT count(*) FROM batch WHERE source = 'tasks' AND action = 'message'"); n != 2 {
		t.Errorf("%d messages were prepared", n)
	}
}

// TestTasksOneByOne opens a task from the list and goes on from task to task, and sets the status of many, with two
// keys a task and none of the mouse.
func TestTasksOneByOne(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	const list = "/admin/tasks?resolved=no&size=25&status=Submitted&term=all"
	tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "keys-through-tasks", Path: list,
		Cookie: i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))}, true)
	ids := strings.Fields(i.Lines(`SELECT k.id FROM task k JOIN application a ON a.id = k.application_id WHERE a.visible AND
		k.trashed IS NULL AND k.resolved IS NULL AND k.status = 'Submitted' ORDER BY coalesce(k.deadline, '9999-12-31'), k.id LIMIT 6`))
	tab.Press("j")
	tab.Enter()
	tab.Wait(".tabs [aria-current=page]", "Overview")
	opened := tab.Keys()
	at := func(n int) {
		t.Helper()
		tab.Find(fmt.Sprintf(`main form[action*="/tasks/%s"]`, ids[n]))
	}
	tab.Press("n")
	at(1)
	tab.Press("p")
	at(0)
	for n := range 3 {
		tab.Press("n")
		at(n + 1)
	}
	if keys := tab.Keys() - opened; keys != 5 {
		t.Errorf("%d keys for 5 steps", keys)
	}
	tab.Reach(".crumbs a")
	tab.Enter()
	tab.At(list)
	for range 3 { // the first is the task that one comes back from
		tab.Reach(".picks input[name=id]:not(:checked)")
		tab.Space()
	}
	tab.ReachBack(".bulk select[name=status]")
	tab.Press("a")
	tab.Press("c")
	tab.Reach(".bulk button[value=task-status]")
	tab.Enter()
	tab.Find("#f-status")
	tab.Reach("main .btn.primary")
	tab.Enter()
	tab.Find(`main a[href$="/release"]`)
	tab.Reach(`main a[href$="/release"]`)
	tab.Enter()
	tab.At("/admin/batches/1/release")
	tab.Reach("main .btn.primary")
	tab.Enter()
	tab.At("/admin/batches/1")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if got := i.Number("SELECT count(*) FROM task WHERE status = 'Accepted' AND id IN (" + strings.Join(ids[3:], ",") +
		")"); got != 3 {
		t.Errorf("%d of 3 tasks were accepted: %s", got, tab.Text("main"))
	}
}
