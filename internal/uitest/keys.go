package uitest

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Space presses the space bar.
func (p *Tab) Space() {
	p.v.t.Helper()
	p.keys++
	p.v.press(" ", "Space", 32, 1)
}

// Write writes a text where the focus is.
func (p *Tab) Write(text string) {
	p.v.t.Helper()
	p.keys += len(text)
	p.do("write "+text, send(input.InsertText, input.InsertTextParams{Text: text}))
}

// ReachBack is Reach against the order of the page.
func (p *Tab) ReachBack(selector string) {
	p.v.t.Helper()
	key := input.DispatchKeyEventParams{Key: "Tab", Code: "Tab", WindowsVirtualKeyCode: 9, Modifiers: 8}
	p.reach(selector, func() {
		key.Type = input.DispatchKeyEventTypeRawKeyDown
		p.do("press Shift and Tab", send(input.DispatchKeyEvent, key))
		key.Type = input.DispatchKeyEventTypeKeyUp
		p.do("let Shift and Tab go", send(input.DispatchKeyEvent, key))
	})
}

// address is the path of a page with the query; the empty text while its scripts have not run yet.
const address = `document.readyState === "complete" ? location.pathname + location.search : %q`

// Address returns the path of the page, with the query.
func (p *Tab) Address() string {
	p.v.t.Helper()
	return p.string(address, "")
}

// At waits until the page has an address, and its scripts have run.
func (p *Tab) At(path string) {
	p.v.t.Helper()
	at := fmt.Sprintf(address, "")
	p.until("the page is "+path, func() bool {
		got, err := chromedp.Run(p.v.ctx, chromedp.Evaluate[string](at)) // fails while one page follows another
		return err == nil && got == path
	})
}

// Open opens another page of the site, as a person who types its address.
func (p *Tab) Open(path string) {
	p.v.t.Helper()
	p.do("open "+path, chromedp.Navigate(p.v.b.address+path))
	p.Find("main")
}

// Twice presses the button of a mouse twice, as people do who know it from files.
func (p *Tab) Twice(selector string) {
	p.v.t.Helper()
	p.do("click twice on "+selector, chromedp.DoubleClick(chromedp.CSS(selector)))
}

// Lost waits until the browser says itself that nothing answers.
func (p *Tab) Lost() {
	p.v.t.Helper()
	p.until("nothing answers", func() bool {
		at, err := chromedp.Run(p.v.ctx, chromedp.Evaluate[string]("location.protocol"))
		return err == nil && at == "chrome-error:" // it fails while one page follows another
	})
}

// Again asks for the page once more, with what was sent for it.
func (p *Tab) Again() {
	p.v.t.Helper()
	p.do("ask again", chromedp.Reload())
}

// Choose goes to a list of options and types the word that the one with a value begins with, as far as it takes. Where
// the browser was too slow to take the keys for one word, it goes there by the arrow.
func (p *Tab) Choose(selector, value string) {
	p.v.t.Helper()
	p.Reach(selector)
	chosen := func() bool { return p.Value(selector) == value }
	if chosen() {
		return
	}
	option := p.string("document.querySelector(%q).text", fmt.Sprintf("%s option[value=%q]", selector, value))
	for _, c := range strings.SplitN(option, " ", 2)[0] {
		if p.Press(string(c)); chosen() {
			return
		}
	}
	p.v.press("Home", "Home", 36, 1)
	for range 300 {
		if chosen() {
			return
		}
		p.keys++
		p.v.press("ArrowDown", "ArrowDown", 40, 1)
	}
	p.v.t.Fatalf("the arrow does not lead to %s of %s", value, selector)
}

// Pick goes to a group of choices of which one is possible, and presses the arrow down until the one that a selector
// selects is picked.
func (p *Tab) Pick(group, selector string) {
	p.v.t.Helper()
	p.Reach(group)
	for range 300 {
		if p.Count(selector+":checked") == 1 {
			return
		}
		p.keys++
		p.v.press("ArrowDown", "ArrowDown", 40, 1)
	}
	p.v.t.Fatalf("the arrow does not lead to %s", selector)
}

// Attach chooses files in a field, as the window of the system does that the field opens.
func (p *Tab) Attach(selector string, files ...string) {
	p.v.t.Helper()
	p.do("choose "+files[0], chromedp.SetUploadFiles(chromedp.CSS(selector), files))
}
