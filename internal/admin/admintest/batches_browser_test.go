package admintest

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestBatchesInBrowser looks at the pages of batches: lists, a preview, a message, one that is done, and forms.
func TestBatchesInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	o := &office{i}
	ada := i.Superuser("Ada Boss")
	staff := i.Cookie(accounts.Administration, ada)
	empty := uitest.Page{Name: "batches-none", Path: "/admin/batches?state=discarded", Cookie: staff}
	v := i.Staff(ada)
	ids := applications(i, 40)
	flag := fmt.Sprint(i.Number("SELECT min(id) FROM flag"))
	o.send(v, url.Values{"action": {"flag"}, "source": {"applications"}, "flag": {flag}, "id": ids[:9]})
	o.send(v, url.Values{"action": {"message"}, "source": {"applications"},
		"id": ids[:30]}).Submit("Show what would change",
		"subject", "Your interview in "+"Northfield", "text", "Dear %applicant-GivenName%,\n\nplease come on Friday.")
	frozen := o.send(v, url.Values{"action": {"freeze"}, "source": {"applications"}, "id": ids, "prepare": {"1"}}).Path
	v.Open(frozen + "/release").Submit("Release")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	last := i.Number("SELECT max(id) FROM batch")
	closed := o.send(v, url.Values{"action": {"close"}, "source": {"applications"},
		"id": ids[30:36]}).Submit("Show what would change",
		"tell", "1").Path
	v.Open(closed + "/release").Submit("Release")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	i.Write("UPDATE application SET status = 'Withdrawn' WHERE id = " + ids[31])
	of := func(name, path string) uitest.Page {
		return uitest.Page{Name: "batch-" + name, Path: path, Cookie: staff}
	}
	uitest.Check(t, i, empty, of("list", "/admin/batches"), of("done", frozen),
		of("preview", fmt.Sprintf("/admin/batches/%d", last-1)), of("mail", fmt.Sprintf("/admin/batches/%d/lines/1", last-1)),
		of("release", fmt.Sprintf("/admin/batches/%d/release", last-1)), of("undo", frozen+"/undo"),
		of("undo-told", closed+"/undo"),
		of("new", "/admin/batches/new?action=message&source=applications&id=1"), of("nothing", "/admin/batches/new"),
		of("extend", "/admin/batches/new?action=extend&source=applications&id=1"),
		of("task", "/admin/batches/new?action=task&source=applications&id=1"))
}

// TestReleaseInBrowser freezes all applications of a list by keyboard: nothing changes before a second person has
// released it, stopping leaves exactly those that were done, resuming does the others, and undoing puts back what
// nobody has changed since and lists the rest (screens.md A11).
func TestReleaseInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	i.Put("UPDATE application SET frozen = NULL")
	i.Staff(i.Superuser("Cyd Boss")).Open("/admin/settings/applications").Submit("Save", "batch.wave_size", "20")
	run := func() { i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller())) }
	frozen := func() int64 { return i.Number("SELECT count(*) FROM application WHERE frozen IS NOT NULL") }
	b := uitest.Open(t, i)
	at := func(name, path string) *uitest.Tab {
		return b.Tab(t, uitest.Page{Name: "release", Path: path,
			Cookie: i.Cookie(accounts.Administration, i.Superuser(name))}, true)
	}
	press := func(tab *uitest.Tab, selector string) {
		tab.Find(selector)
		tab.Reach(selector)
		tab.Enter()
	}
	const typed = "main form button:not([type])"

	ada := at("Ada Boss", "/admin/applications?term=all&size=25")
	ada.Reach("input[name=all]")
	ada.Space()
	press(ada, ".bulk .menu > summary")
	press(ada, ".bulk .menu button[value=freeze]")
	press(ada, "button[name=prepare]")
	ada.Find(".cardhead a[href$='/release']")
	batch := ada.Address()
	size := i.Number("SELECT size FROM batch ORDER BY id DESC LIMIT 1")
	if size <= 50 || frozen() != 0 {
		t.Fatalf("%d records, %d are frozen before the release", size, frozen())
	}
	ask := func(tab *uitest.Tab) {
		press(tab, ".cardhead a[href$='/release']")
		tab.Find("#f-count")
		tab.Reach("#f-count")
		tab.Write(fmt.Sprint(size))
		press(tab, typed)
	}
	ask(ada)
	ada.Find(".notice.warn")
	ada.At(batch)
	ada.Find(".notice.warn") // who prepared it is not offered to release it
	if n := ada.Count(".cardhead a[href$='/release']"); n != 0 {
		t.Error("who prepared it is offered to release it")
	}
	run()
	if n := frozen(); n != 0 {
		t.Fatalf("%d are frozen before a second person has released it", n)
	}
	bea := at("Bea Boss", batch)
	ask(bea)
	bea.Find("#batch-stop")
	bea.Reach("#batch-stop")
	run()
	// It is read again by itself, and the button has the focus yet.
	bea.Wait("#state [role=status]", fmt.Sprintf("20 of %d records", size))
	bea.Enter()
	bea.Find("#batch-resume")
	i.Clock.Add(admitto.Hour)
	run()
	if n := frozen(); n != 20 || i.Number("SELECT count(*) FROM batch_record WHERE state = 'done'") != n {
		t.Errorf("%d are frozen when it is stopped", n)
	}
	press(bea, "#batch-resume")
	press(bea, "form.confirm button")
	bea.Find("#batch-stop")
	for range size/20 + 1 {
		i.Clock.Add(2 * admitto.Minute)
		run()
	}
	if n := frozen(); n != size {
		t.Errorf("%d of %d are frozen", n, size)
	}
	other := i.Number("SELECT min(id) FROM application WHERE frozen IS NOT NULL")
	i.Put(fmt.Sprintf("UPDATE application SET frozen = NULL WHERE id = %d", other))
	press(bea, ".cardhead a[href$='/undo']")
	bea.Find(fmt.Sprintf(`form.confirm a[href="/admin/applications/%d"]`, other))
	bea.Find("form.confirm button")
	press(bea, "form.confirm button")
	bea.At(batch)
	run()
	if n := frozen(); n != 0 || i.Number("SELECT left_as_is FROM batch ORDER BY id DESC LIMIT 1") != 1 {
		t.Errorf("%d stay frozen: %s", n, bea.Text("main"))
	}
}
