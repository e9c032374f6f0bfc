package portal_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admitto"
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
