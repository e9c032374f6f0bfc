// Package uitest looks at pages in a real browser. A page is registered by one line of a test and is looked at in every
// way of screens.md 1.3: with and without scripts, in light and dark, 1280 and 320 px wide, in every language, by
// keyboard only, by the accessibility checker; without errors on the console, violations of the policy, requests to
// other hosts, horizontal overflow, too much weight, and words that are missing. Only tests import it. Of ours it
// imports ui, for the keys of the messages, and wait.
//
// The browser is Debian's Chromium. Without it tests skip, and fail when ADMITTO_TEST_NOSKIP is 1. Pictures of every
// page and an index.html are written to the folder ADMITTO_TEST_SCREENSHOTS, else to where go test -artifacts keeps
// them.
package uitest

import (
	"context"
	_ "embed"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

//go:embed testdata/axe.min.js
var axe string

//go:embed probe.js
var probe string

// most is how long one look at a page may take.
const most = 2 * time.Minute

// Page is one page that is looked at.
type Page struct {
	Name  string // of its pictures; letters, digits and hyphens
	Path  string // with the query
	Fails bool   // it is answered with a status of 400 or more, which a browser says on its console
	Heavy bool   // upload, ordering or type-ahead: 90 KB instead of 60 KB
	// Cookie is sent with every request: the session of the person who looks.
	Cookie *http.Cookie
}

// Browser is a running Chromium and the site that it looks at.
type Browser struct {
	t       testing.TB
	ctx     context.Context
	address string
	shots   *album
}

// Open starts a browser for a site; it ends with the test. Without Chromium it skips the test.
func Open(t *testing.T, site http.Handler) *Browser {
	t.Helper()
	program, err := find()
	if err != nil {
		if os.Getenv("ADMITTO_TEST_NOSKIP") == "1" {
			t.Fatal("no browser to test with: ", err)
		}
		t.Skip("Chromium is missing: install it (apt-get install chromium)")
	}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1280, 900),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("lang", "en"), chromedp.WSURLReadTimeout(most))
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, leave := chromedp.NewContext(allocated)
	t.Cleanup(leave)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal("the browser does not start: ", err)
	}
	return &Browser{t: t, ctx: ctx, address: server.URL, shots: newAlbum(t)}
}

// find returns the path of Chromium.
func find() (string, error) {
	program, err := exec.LookPath("chromium")
	if err != nil {
		return exec.LookPath("chromium-browser")
	}
	return program, nil
}

// Check looks at the pages of a site in every way, each in a test of its own.
func Check(t *testing.T, site http.Handler, pages ...Page) {
	t.Helper()
	b := Open(t, site)
	for _, page := range pages {
		t.Run(page.Name, func(t *testing.T) {
			for _, fault := range b.check(t, page) {
				t.Error(fault)
			}
		})
	}
	b.shots.index(t)
}

// looks are the ways in which a page is looked at. Pictures are taken in each.
func looks() []look {
	return []look{
		{name: "light-1280", width: 1280, lang: "en"},
		{name: "dark-1280", width: 1280, lang: "en", dark: true},
		{name: "light-320", width: 320, lang: "en"},
		{name: "ar-light-1280", width: 1280, lang: "ar"},
		{name: "ar-dark-320", width: 320, lang: "ar", dark: true},
	}
}

// check looks at one page in every way, and returns what is wrong with it.
func (b *Browser) check(t *testing.T, page Page) (found []string) {
	t.Helper()
	var text string
	for _, l := range looks() {
		v := b.visit(t, page, l)
		v.outline()
		v.words()
		if l.lang == "en" || l.dark { // the other has neither other colours nor other markup
			v.checker()
		}
		v.fits()
		if l.lang == "en" && !l.dark {
			v.keyboard()
		}
		if l.name == "light-1280" {
			v.weighs()
			text = v.text()
		}
		v.picture()
		v.quiet()
		found = append(found, v.found...)
	}
	plain := b.visit(t, page, look{name: "without scripts", width: 1280, lang: "en", plain: true})
	if got := plain.text(); got != text {
		at := 0
		for at < min(len(got), len(text)) && got[at] == text[at] {
			at++
		}
		from := max(at-40, 0)
		plain.find("the page says\n%.160s\nand with scripts\n%.160s", got[from:], text[from:])
	}
	plain.fits()
	plain.quiet()
	return append(found, plain.found...)
}

// isOurs reports whether a request goes to the site, or to nobody.
func (b *Browser) isOurs(address string) bool {
	return strings.HasPrefix(address, b.address+"/") || strings.HasPrefix(address, "data:") ||
		strings.HasPrefix(address, "about:")
}
