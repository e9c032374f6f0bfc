// Package uitest looks at pages in a real browser. A page is registered by one line of a test and is looked at in every
// way of screens.md 1.3: with and without scripts, in light and dark, 1280 and 320 px wide, in every language, by
// keyboard only, by the accessibility checker; without errors on the console, violations of the policy, requests to
// other hosts, horizontal overflow, too much weight, and words that are missing. Only tests import it. Of ours it
// imports ui, for the keys of the messages, apptest and wait.
//
// The browser is Debian's Chromium, of chromium-headless-shell or of chromium. Without it tests skip, and fail when
// ADMITTO_TEST_NOSKIP is 1. In short no test opens it: each asks Wanted first. With go test -artifacts pictures of all
// pages and an index.html are kept; the variable ADMITTO_TEST_SCREENSHOTS names another folder.
package uitest

import (
	"context"
	_ "embed"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/admitto/admitto/internal/apptest"
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
	colours map[int64]bool // fingerprints of what was judged
}

// Open opens a browser for a site; it ends with the test. Without Chromium it skips the test.
func Open(t *testing.T, site http.Handler) *Browser {
	t.Helper()
	program, err := find()
	if err != nil {
		if os.Getenv("ADMITTO_TEST_NOSKIP") == "1" {
			t.Fatal("no browser to test with: ", err)
		}
		t.Skip("Chromium is missing: install it (apt-get install chromium-headless-shell)")
	}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	ctx, err := shared.enter(program)
	t.Cleanup(shared.leave)
	if err != nil {
		t.Fatal("the browser does not start: ", err)
	}
	return &Browser{t: t, ctx: ctx, address: server.URL, shots: newAlbum(t), colours: map[int64]bool{}}
}

// shared is the process of Chromium for the tests that run at the same time: a start takes as much of the processor as
// some pages. They see nothing of each other, as each tab has cookies of its own.
var shared chromium

// chromium is a process that runs as long as somebody is in it.
type chromium struct {
	mu     sync.Mutex
	inside int
	ctx    context.Context // of the process; nil while there is none
	end    func()
}

// enter starts the process where it does not run, and returns its context. Each call is followed by one of leave.
func (c *chromium) enter(program string) (context.Context, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inside++
	if c.ctx != nil && c.ctx.Err() == nil { // it ends with a process that crashes
		return c.ctx, nil
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1280, 900),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("lang", "en"), chromedp.WSURLReadTimeout(most))
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(allocated)
	if err := chromedp.Do(ctx); err != nil {
		leave()
		end()
		return nil, err
	}
	c.ctx, c.end = ctx, func() {
		leave()
		end()
	}
	return ctx, nil
}

// leave ends the process with the last one in it.
func (c *chromium) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inside--; c.inside == 0 && c.ctx != nil {
		c.end()
		c.ctx, c.end = nil, nil
	}
}

// find returns the path of Chromium: of what shows pages without a window if it is there, which takes two thirds of the
// processor's time.
func find() (program string, err error) {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser"} {
		if program, err = exec.LookPath(name); err == nil {
			break
		}
	}
	return program, err
}

// Wanted reports whether tests in a browser run: in the long size, and for somebody who keeps the pictures.
func Wanted() bool {
	return apptest.Long() || os.Getenv(folderVariable) != "" || os.Getenv(screensVariable) != "" || artifacts()
}

// Check looks at the pages of a site in every way, each in a test of its own. The variable for screens asks for the
// pictures of docs/screenshots and nothing else. One tab shows them all.
func Check(t *testing.T, site http.Handler, pages ...Page) {
	t.Helper()
	look := (*visit).inEveryWay
	if os.Getenv(screensVariable) != "" {
		look = (*visit).portrait
		pages = slices.DeleteFunc(pages, func(p Page) bool { return screens()[p.Name] == "" })
	}
	if len(pages) == 0 {
		return
	}
	b := Open(t, site)
	v := b.open(t)
	for _, page := range pages {
		t.Run(page.Name, func(t *testing.T) {
			v.turn(t, page)
			look(v)
			for _, fault := range v.found {
				t.Error(fault)
			}
		})
	}
	b.shots.index(t)
}

// inEveryWay looks at the page in every way, and takes a picture of each. It is loaded from the start for each of what
// makes a difference to its markup; colours and the width change while it is open.
func (v *visit) inEveryWay() {
	v.t.Helper()
	v.load(look{name: "light-1280", width: 1280, lang: "en"})
	v.outline()
	v.words()
	v.checker()
	v.fits()
	v.keyboard(math.MaxInt)
	v.colours()
	v.weighs()
	text := v.text()
	v.picture()
	v.show(look{name: "dark-1280", width: 1280, lang: "en", dark: true})
	v.colours()
	v.picture()
	v.show(look{name: "light-320", width: 320, lang: "en"})
	v.fits()
	v.keyboard(40) // the rest comes in the order of the wide page
	v.picture()
	v.quiet()

	v.load(look{name: "ar-dark-320", width: 320, lang: "ar", dark: true})
	v.outline()
	v.words()
	v.named()
	v.fits()
	v.picture()
	v.show(look{name: "ar-light-1280", width: 1280, lang: "ar"})
	v.named()
	v.fits()
	v.picture()
	v.quiet()
	v.withoutScripts(text)
}

// withoutScripts wants the page to say the same words without scripts.
func (v *visit) withoutScripts(text string) {
	v.t.Helper()
	v.load(look{name: "without scripts", width: 1280, lang: "en", plain: true})
	if got := v.text(); got != text {
		at := 0
		for at < min(len(got), len(text)) && got[at] == text[at] {
			at++
		}
		from := max(at-40, 0)
		v.find("the page says\n%.160s\nand with scripts\n%.160s", got[from:], text[from:])
	}
	v.fits()
	v.quiet()
}

// isOurs reports whether a request goes to the site, or to nobody.
func (b *Browser) isOurs(address string) bool {
	return strings.HasPrefix(address, b.address+"/") || strings.HasPrefix(address, "data:") ||
		strings.HasPrefix(address, "about:") || strings.HasPrefix(address, pdfViewer)
}

// pdfViewer is where the browser has its own viewer of PDF.
const pdfViewer = "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/"
