package batches_test

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
