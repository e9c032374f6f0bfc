package portal_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestAccent shows pages in the colour of the institution, and answers styles for no other text.
func TestAccent(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Visitor()
	if found := v.Open("/help").Find(`link[href^="/brand/"]`).Length(); found != 0 {
		t.Error("there are styles without an accent")
	}
	accent, err := config.ParseAccent("#7A1FA2")
	if err != nil {
		t.Fatal(err)
	}
	i.Services.Core.Settings().Portal.Accent = accent
	address := v.Open("/help").Find(`link[href^="/brand/"]`).AttrOr("href", "")
	if address != "/brand/accent-7A1FA2.css" {
		t.Fatal(address)
	}
	page := v.Open(address)
	if page.Status != 200 || !strings.Contains(page.Body, "--accent:#7A1FA2") ||
		!strings.Contains(page.Body, "--accent:"+accent.Dark) {
		t.Errorf("%d %s", page.Status, page.Body)
	}
	for _, bad := range []string{"/brand", "/brand/", "/brand/accent-.css", "/brand/accent-FFFFFF.css",
		"/brand/accent-7A1FA2",
		"/brand/accent-7A1FA2}x.css", "/brand/logo.png"} {
		if page := v.Open(bad); page.Status != 404 {
			t.Errorf("%s: %d", bad, page.Status)
		}
	}
}

// TestHelpWithoutDatabase shows the pages for everybody while the database does not answer.
func TestHelpWithoutDatabase(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT min(applicant_id) FROM application WHERE status = 'Submitted'")
	v := i.Applicant(id)
	if page := v.Open("/help"); !strings.Contains(page.Body, "application%20") {
		t.Error(page.Text("main"))
	}
	i.Put("ALTER TABLE session RENAME TO gone")
	for _, address := range []string{"/help?about=status", "/privacy", "/accessibility", "/status"} {
		if page := v.Open(address); page.Status != 200 || page.Find("a[href=\"/sign-in\"]").Length() == 0 {
			t.Errorf("%s: %d", address, page.Status)
		}
	}
}

// badFiles is a store of files that does not answer.
type badFiles struct{ files.Backend }

func (badFiles) Check(context.Context) error { return errors.New("away") }

// TestStatus says of data, mail and uploads whether they work, to everybody, and asks none of them again and again.
func TestStatus(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		v := i.Visitor()
		said := func(want string) {
			t.Helper()
			if text := strings.Join(v.Open("/status").Find(".kv dd").Map(func(_ int, s *goquery.Selection) string {
				return s.Text()
			}), ", "); text != want {
				t.Errorf("%q, want %q", text, want)
			}
		}
		said("Works, Works, Works, Works")
		id := d.Create(servicestest.Ilse())
		d.Post.Will(func(context.Context, *mail.Message) error { return &mail.Refusal{Temporary: true, Step: "connect"} })
		d.Message(id)
		d.Deliver()
		d.Shelf.Backend = badFiles{d.Shelf.Backend}
		d.Clock.Add(admitto.Minute)
		said("Works, Works, Cannot be reached, Cannot be reached")
		d.Post.Will(nil)
		d.Clock.Add(admitto.Hour)
		d.Deliver()
		said("Works, Works, Works, Cannot be reached")
	})
}

// TestContactUs follows every "contact us" of pages to the help, which says what it is about and names the application
// in the mail that its link begins (screens.md P26, 4.1).
func TestContactUs(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT min(applicant_id) FROM application WHERE status = 'Submitted'")
	own := i.Applicant(id)
	subject := func(address string) string {
		return own.Open(address).Find("a[href^='mailto:']").AttrOr("href", "")
	}
	// The foot of a page leads there with what the page is about; of several applications none is guessed.
	foot := func(v *sitetest.Visitor, path string) (about, mail string) {
		page := v.Open(v.Open(path).Find("footer a[href^='/help']").AttrOr("href", ""))
		mail, err := url.PathUnescape(page.Find("a[href^='mailto:']").AttrOr("href", ""))
		i.Must(err)
		return page.Text("main"), mail
	}
	two := i.Number("SELECT min(applicant_id) FROM (SELECT applicant_id FROM application WHERE visible GROUP BY applicant_id HAVING count(*) > 1) t")
	its := i.Number("SELECT min(id) FROM application WHERE applicant_id = $1 AND visible", two)
	if about, mail := foot(i.Applicant(two), fmt.Sprintf("/my/applications/%d/documents", its)); !strings.Contains(about,
		"About: Documents.") || !strings.HasSuffix(mail, fmt.Sprintf("(Applicant %d, application %d)", two, its)) {
		t.Error(about, mail)
	}
	if about, mail := foot(i.Applicant(two), "/my/messages"); !strings.Contains(about, "About: Messages.") ||
		!strings.HasSuffix(mail, fmt.Sprintf("(Applicant %d)", two)) {
		t.Error(about, mail)
	}
	course := i.Number("SELECT min(id) FROM course WHERE status = 'Online'")
	i.Put(fmt.Sprintf("UPDATE course SET status = 'Closed' WHERE id = %d", course))
	gone := i.Visitor().Open(fmt.Sprintf("/courses/%d", course))
	if help := gone.Find("main a[href^='/help']").AttrOr("href", ""); gone.Status != 410 ||
		!strings.Contains(i.Visitor().Open(help).Text("main"), fmt.Sprintf("About: Course %d (", course)) {
		t.Error(gone.Status, help)
	}
	if lost := i.Visitor().Open("/nowhere"); lost.Status != 404 || lost.Find("main a[href='/courses']").Length() != 1 {
		t.Error(lost.Status, lost.Text("main"))
	}
	links := regexp.MustCompile(`about=([a-z-]+)"|\.help\(r, "([a-z]+)"\)`)
	known := map[string]bool{}
	i.Must(filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range links.FindAllStringSubmatch(string(text), -1) {
			known[found[1]+found[2]] = true
		}
		return err
	}))
	for about := range known {
		if subject("/help?about="+about) == subject("/help") {
			t.Errorf("the help does not know what %q is", about)
		}
	}
	if len(known) < 8 {
		t.Error(known)
	}
	said := map[string]bool{}
	look := func(p *sitetest.Page) {
		p.Find("main .prose").Remove()
		text := strings.ToLower(p.Text("main"))
		for _, words := range []string{"contact us", "write to us"} {
			if strings.Contains(text, words) && !strings.HasPrefix(p.Path, "/help") {
				said[p.Path] = true
				if p.Find("main a[href^='/help?about=']").Length() == 0 {
					t.Errorf("%s does not lead to the help: %s", p.Path, p.Text("main"))
				}
			}
		}
	}
	i.Visitor().Crawl("/courses", 3, look)
	i.Put("UPDATE application SET status = 'Withdrawn', withdrawn = 1 " +
		"WHERE id = (SELECT max(id) FROM application WHERE status = 'Submitted' AND visible)")
	of := func(status string) (application int64, v *sitetest.Visitor) {
		application = i.Number("SELECT min(id) FROM application WHERE status = $1 AND visible", status)
		who := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", application))
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", who),
			fmt.Sprintf("UPDATE application SET frozen = 1 WHERE id = %d", application))
		return application, i.Applicant(who)
	}
	for _, status := range []string{"Submitted", "Withdrawn", "Closed", "Draft"} {
		application, v := of(status)
		v.Crawl("/my", apptest.Size(1, 3), look)
		page := v.Open(fmt.Sprintf("/my/applications/%d", application))
		way := fmt.Sprintf("main a[href='/help?about=application&application=%d']", application)
		if over := status == "Withdrawn" || status == "Closed"; page.Find(way).Length() > 0 != over {
			t.Errorf("%s: %s", status, page.Text("main"))
		}
		others := status == "Closed" || status == "Submitted" // whose term is over
		if page.Find("main a[href='/courses']").Length() > 0 != others {
			t.Errorf("%s: %s", status, page.Text("main"))
		}
	}
	application, v := of("Draft")
	i.Put(fmt.Sprintf("UPDATE academic_term SET grace = '2001-01-01', finish = '2001-01-02' "+
		"WHERE id = (SELECT academic_term_id FROM application WHERE id = %d)", application))
	page := v.Open(fmt.Sprintf("/my/applications/%d", application))
	if page.Find("main a[href='/courses']").Length() == 0 {
		t.Error(page.Text("main"))
	}
	if len(said) < 4 {
		t.Error(said)
	}
}
