package uitest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/admitto/admitto/internal/ui"
)

// Weights of a first visit (screens.md U16), in bytes as they are sent.
const (
	lightest = 60 << 10
	heaviest = 90 << 10
)

// look is one way to look at a page.
type look struct {
	name  string // of the picture
	width int64
	lang  string
	dark  bool
	plain bool // without scripts
}

// visit is a tab with a page, which loads it once for each look.
type visit struct {
	t          *testing.T
	b          *Browser
	page       Page
	look       look
	tabContext context.Context
	ctx        context.Context // as long as one page may take

	found []string // what is wrong with the page

	mu     sync.Mutex
	bytes  map[network.RequestID]float64
	kinds  map[network.RequestID]network.ResourceType
	faults []string
}

// visit opens a page; the tab is closed at the end of the test.
func (b *Browser) visit(t *testing.T, p Page, l look) *visit {
	t.Helper()
	v := b.open(t)
	v.turn(t, p)
	v.load(l)
	return v
}

// open opens a tab with cookies of its own, so that what one person does signs nobody else out; it is closed at the end
// of the test. It has the focus from the start, as the tab of a person has: a browser that is busy says so later, and
// until then shows no element as focused.
func (b *Browser) open(t *testing.T) *visit {
	t.Helper()
	v := &visit{t: t, b: b}
	tab, shut := chromedp.NewContext(b.ctx, chromedp.WithListener(v.hear), chromedp.WithNewBrowserContext())
	t.Cleanup(shut)
	if err := chromedp.Do(tab); err != nil {
		t.Fatal(err)
	}
	v.tabContext, v.ctx = tab, tab
	v.do(send(network.Enable, network.EnableParams{}), send(log.Enable, cdp.Empty{}), send(runtime.Enable, cdp.Empty{}),
		send(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
		send(network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}),
		send(emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Europe/Lisbon"}))
	return v
}

// turn turns to another page, for a test of its own, as somebody who was on none before.
func (v *visit) turn(t *testing.T, p Page) {
	t.Helper()
	v.mu.Lock()
	v.t, v.page, v.found = t, p, nil
	v.mu.Unlock()
	ctx, end := context.WithTimeout(v.tabContext, most)
	t.Cleanup(end)
	v.ctx = ctx
	v.do(send(network.ClearBrowserCookies, cdp.Empty{}))
}

// load loads the page as somebody sees it for the first time.
func (v *visit) load(l look) {
	v.t.Helper()
	v.mu.Lock()
	v.bytes, v.kinds, v.faults = map[network.RequestID]float64{}, map[network.RequestID]network.ResourceType{}, nil
	v.mu.Unlock()
	// kept by the browser: one that is a header of requests is not sent to where they redirect
	if c := v.page.Cookie; c != nil {
		v.do(send(network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: v.b.address, Path: "/",
			Secure: new(true), HTTPOnly: new(true), SameSite: network.CookieSameSiteLax}))
	}
	v.show(l)
	v.do(send(network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{
		Headers: network.Headers{"Accept-Language": l.lang}}),
		send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: l.plain}),
		chromedp.Navigate(v.b.address+v.page.Path),
		chromedp.Evaluate[chromedp.Void](probe))
}

// show changes the colours and the width of the window.
func (v *visit) show(l look) {
	v.t.Helper()
	v.look = l
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	height := int64(900)
	if l.width < 500 {
		height = 640
	}
	v.do(send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}), chromedp.EmulateViewport(l.width, height))
}

func (v *visit) do(steps ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, steps...); err != nil {
		v.t.Fatalf("%s: %v", v.look.name, err)
	}
}

// send makes a step of a command of the browser.
func send[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// hear takes down what the browser says while a page is open.
func (v *visit) hear(event any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		v.kinds[e.RequestID] = e.Type
		if !v.b.isOurs(e.Request.URL) {
			v.faults = append(v.faults, "a request to another host: "+e.Request.URL)
		}
	case *network.EventLoadingFinished:
		v.bytes[e.RequestID] = e.EncodedDataLength
	case *network.EventLoadingFailed:
		if e.BlockedReason != "" {
			v.faults = append(v.faults, "a request was blocked: "+string(e.BlockedReason))
		}
	case *log.EventEntryAdded: // violations of the policy are among them
		own := v.page.Fails && e.Entry.Source == log.EntrySourceNetwork && e.Entry.URL == v.b.address+v.page.Path
		if own {
			return
		}
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			v.faults = append(v.faults, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			v.faults = append(v.faults, fmt.Sprintf("console: %v", e.Args))
		}
	case *runtime.EventExceptionThrown:
		v.faults = append(v.faults, "exception: "+e.ExceptionDetails.Text)
	}
}

// ask evaluates an expression of the probe.
func ask[T any](v *visit, expression string) T {
	v.t.Helper()
	value, err := chromedp.Run(v.ctx, chromedp.Evaluate[T]("probe."+expression, chromedp.EvalAwaitPromise))
	if err != nil {
		v.t.Fatalf("%s: %s: %v", v.look.name, expression, err)
	}
	return value
}

// find takes down something that is wrong with the page.
func (v *visit) find(format string, args ...any) {
	v.found = append(v.found, v.look.name+": "+fmt.Sprintf(format, args...))
}

// findAll takes down a list, which may be empty, and not more than twelve of it.
func (v *visit) findAll(list []string) {
	for i, fault := range list {
		if i == 12 {
			v.find("and %d more", len(list)-i)
			return
		}
		v.find("%s", fault)
	}
}

// outline wants a title, one h1, one main, and the language.
func (v *visit) outline() {
	v.t.Helper()
	o := ask[struct {
		Title, Lang, Dir string
		Headings, Main   int
	}](v, "outline()")
	dir := "ltr"
	if v.look.lang == "ar" {
		dir = "rtl"
	}
	if strings.TrimSpace(o.Title) == "" || o.Headings != 1 || o.Main != 1 || o.Lang != v.look.lang || o.Dir != dir {
		v.find("title %q, %d h1, %d main, language %q from %q", o.Title, o.Headings, o.Main, o.Lang, o.Dir)
	}
}

// words wants no key of a message where its text should be.
func (v *visit) words() {
	v.t.Helper()
	said := ask[string](v, "said()")
	for _, key := range unwanted() {
		if strings.Contains(said, key) {
			v.find("the page says %s", key)
		}
	}
}

// unwanted are the keys of the messages, and what templates and formats leave where a value is missing.
var unwanted = sync.OnceValue(func() []string {
	keys, err := ui.Keys("en")
	if err != nil {
		panic(err) // the files are compiled in, and a test of ui reads them
	}
	return append(keys, "<no value>", "{{", "%!")
})

// Rules of the accessibility checker. fits asks for the sizes of targets, and is stricter.
const (
	allButColours = `{rules: {"target-size": {enabled: false}, "color-contrast": {enabled: false}}}`
	coloursOnly   = `{runOnly: {type: "rule", values: ["color-contrast"]}}`
)

// checker runs the accessibility checker, without what it says of colours. What it finds depends on the markup, which
// is the same in each language; named asks for names in each.
func (v *visit) checker() {
	v.t.Helper()
	v.axe(allButColours)
}

// colours has the accessibility checker judge contrasts, which take it as long as all the rest: those of colours, sizes
// and grounds that no page before had.
func (v *visit) colours() {
	v.t.Helper()
	there := ask[[]int64](v, "colours()")
	fresh := slices.DeleteFunc(there, func(number int64) bool { return v.b.colours[number] })
	for _, number := range fresh {
		v.b.colours[number] = true
	}
	if list, _ := json.Marshal(fresh); len(fresh) > 0 { // numbers can always be written
		v.axe(coloursOnly + ", " + string(list))
	}
}

func (v *visit) axe(arguments string) {
	v.t.Helper()
	if !ask[bool](v, "hasAxe()") {
		v.do(chromedp.Evaluate[chromedp.Void](axe))
	}
	v.findAll(ask[[]string](v, "axe("+arguments+")"))
}

// named wants words for every action: of its own, of its labels, or of what its attributes say.
func (v *visit) named() {
	v.t.Helper()
	v.findAll(ask[[]string](v, "nameless()"))
}

// fits wants no horizontal overflow, and targets that are large enough: 24 px, and 44 px in the portal.
func (v *visit) fits() {
	v.t.Helper()
	v.findAll(ask[[]string](v, "wide()"))
	v.findAll(ask[[]string](v, `small(document.body.matches(".portal") ? 44 : 24)`))
}

// weighs adds up what a first visit sends, without the documents that a page shows in frames.
func (v *visit) weighs() {
	v.t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	total, limit := 0.0, float64(lightest)
	if v.page.Heavy {
		limit = heaviest
	}
	documents := 0
	for id, bytes := range v.bytes {
		kind := v.kinds[id]
		if kind == network.ResourceTypeDocument {
			documents++
		}
		total += bytes
	}
	if total > limit {
		v.find("a first visit weighs %.0f bytes in %d documents and %d requests, more than %.0f", total, documents,
			len(v.bytes), limit)
	}
	v.t.Logf("a first visit weighs %.1f KB", total/1024)
}

func (v *visit) text() string { return ask[string](v, "text()") }

// press presses and releases a key.
func (v *visit) press(key, code string, number int64, times int) {
	v.t.Helper()
	var steps []chromedp.Action[chromedp.Void]
	for range times {
		text := ""
		switch {
		case key == "Enter":
			text = "\r"
		case len(key) == 1:
			text = key
		}
		steps = append(steps,
			send(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key,
				Code: code, Text: text, WindowsVirtualKeyCode: number}),
			send(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key,
				Code: code, WindowsVirtualKeyCode: number}))
	}
	if err := chromedp.Do(v.ctx, steps...); err != nil {
		v.t.Fatal(err)
	}
}

// tab presses the tabulator and keeps it down: the browser moves the focus when a key goes down, and again while it is
// held.
func (v *visit) tab(times int) {
	v.t.Helper()
	down := send(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Tab",
		Code: "Tab", WindowsVirtualKeyCode: 9})
	v.do(slices.Repeat([]chromedp.Action[chromedp.Void]{down}, times)...)
}

func (v *visit) enter()  { v.t.Helper(); v.press("Enter", "Enter", 13, 1) }
func (v *visit) escape() { v.t.Helper(); v.press("Escape", "Escape", 27, 1) }

// keyboard goes through the page with the tabulator: every action is reached, the focus is seen everywhere, and nothing
// keeps it. Of a page with more than the most actions it goes through the first ones. Then it opens each drawer and
// dialog, goes in, and leaves by Escape.
func (v *visit) keyboard(most int) {
	v.t.Helper()
	n := ask[int](v, "open()")
	ask[*int](v, "start()")
	v.tab(min(n, most) + 2)
	if n <= most && len(ask[[]string](v, "missed()")) > 0 {
		v.tab(n) // frames take more than one
		v.findAll(ask[[]string](v, "missed()"))
	}
	v.findAll(ask[[]string](v, "faults()"))
	for _, id := range ask[[]string](v, "drawers()") {
		fault := v.drawer(id)
		// The browser's own viewer in a frame passes the focus on late, and then takes it away from what was opened.
		for again := 0; fault != "" && again < 3 && ask[bool](v, "hasFrames()"); again++ {
			fault = v.drawer(id)
		}
		if fault != "" {
			v.find("%s", fault)
		}
	}
}

// drawer opens a drawer or dialog, goes in, and leaves by Escape. It returns what does not work, "" for nothing.
func (v *visit) drawer(id string) string {
	v.t.Helper()
	quoted := fmt.Sprintf("%q", id)
	ask[*int](v, "focusOpener("+quoted+")")
	v.enter()
	if !ask[bool](v, "isOpen("+quoted+")") {
		return "Enter does not open " + id
	}
	v.tab(1)
	inside := ask[bool](v, "isInside("+quoted+")")
	v.escape()
	switch {
	case ask[bool](v, "isOpen("+quoted+")"):
		return "Escape does not close " + id
	case !inside:
		return "the focus does not go into " + id
	}
	return ""
}

// quiet reports what the browser has complained about.
func (v *visit) quiet() {
	v.t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.findAll(v.faults)
}

// picture keeps a picture of the whole page, where pictures are kept.
func (v *visit) picture() {
	v.t.Helper()
	if v.b.shots.folder == "" {
		return
	}
	ask[*int](v, "shut()")
	// Chromium moves a page that is written from right to left sideways when it captures beyond a window that has all of
	// it.
	beyond := ask[bool](v, "higher()")
	picture, err := chromedp.Run(v.ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		result, err := cdp.Call(ctx, t, page.CaptureScreenshot,
			page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng, CaptureBeyondViewport: &beyond})
		return result.Data, err
	})
	if err != nil {
		v.t.Fatal(err)
	}
	v.b.shots.add(v.t, v.page.Name, v.look.name, picture)
}
