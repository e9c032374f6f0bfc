package admintest

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// pathOf is an address without its query.
func pathOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

// idOf is the last part of the path of an address.
func idOf(address string) string {
	path := pathOf(address)
	return path[strings.LastIndex(path, "/")+1:]
}

// TestWayThroughTasks leads from task to task over the pages of the list, from the page of a task and from the tabs of
// its card, and back to the page of the list that the task stands on, also when what was done took it out of the list.
func TestWayThroughTasks(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	const list = "/admin/tasks?order=down&resolved=no&size=25&term=all"
	var all []string
	for _, page := range []string{"", "&page=2"} {
		for _, a := range v.Open(list + page).Find("tbody td a[href*='/tasks/']").EachIter() {
			all = append(all, a.AttrOr("href", ""))
		}
	}
	if len(all) < 40 {
		t.Fatalf("there are %d tasks", len(all))
	}
	step := func(p *sitetest.Page, key string) string { return p.Find("a[data-key="+key+"]").AttrOr("href", "") }
	leads := func(name string, p *sitetest.Page, n int) {
		t.Helper()
		for key, to := range map[string]int{"p": n - 1, "n": n + 1} {
			want := ""
			if to >= 0 {
				want = pathOf(all[to])
			}
			if got := step(p, key); got == "" && want != "" || got != "" && pathOf(v.Open(got).Path) != want {
				t.Errorf("%s leads to %s by %s, not to %s", name, got, key, want)
			}
		}
		back := p.Find(".crumbs a").First()
		_, row, _ := strings.Cut(back.AttrOr("href", ""), "#")
		if got := v.Open(back.AttrOr("href", "")); back.Text() != "Tasks" ||
			got.Find("tr#"+row+" a[href='"+all[n]+"']").Length() != 1 {
			t.Errorf("%s leads back to %s, %s, row %q", name, back.Text(), got.Path, row)
		}
	}
	for _, n := range []int{0, 7, 24, 25, 30} {
		task := v.Open(all[n])
		leads("the page of task "+all[n], task, n)
		tab := v.Open(task.Find(".crumbs a").Last().AttrOr("href", ""))
		leads("the tab of task "+all[n], tab, n)
		if pathOf(tab.Path) == pathOf(task.Path) {
			t.Errorf("%s is no tab", tab.Path)
		}
	}
	task := v.Open(all[7])
	options := task.Find("[name=status] option")
	var accepted string
	for _, o := range options.EachIter() {
		if o.Text() == "Accepted" {
			accepted = o.AttrOr("value", "")
		}
	}
	done := task.Submit("Save", "status", accepted)
	if n := i.Number("SELECT count(*) FROM task WHERE status = 'Accepted' AND resolved IS NOT NULL AND id = $1",
		idOf(all[7])); n != 1 {
		t.Errorf("the task was not accepted: %s", done.Text("main"))
	}
	if done.Status != 200 || pathOf(v.Open(step(done, "n")).Path) != pathOf(all[8]) ||
		pathOf(v.Open(step(done, "p")).Path) != pathOf(all[6]) {
		t.Errorf("%s leads to %s and %s", done.Path, step(done, "p"), step(done, "n"))
	}
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.AccountingView))
	if p := few.Open(step(task, "n")); p.Status != 403 {
		t.Errorf("who may not see applications gets %d", p.Status)
	}
	for _, bad := range []string{"from=tasks%26of=0", "from=tasks%26of=99999", "from=nowhere",
		"from=tasks%26of=x%26near=1.2", "from=tasks"} {
		if p := v.Open(pathOf(all[0]) + "?list=row%3D1%26" + bad); p.Status != 200 {
			t.Errorf("%s is answered with %d", bad, p.Status)
		}
	}
}
