package uitest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/admitto/admitto/internal/wait"
)

// Tab is a page that a test uses as a person does. Clicking and typing wait for their element, Wait for what comes of
// them.
type Tab struct {
	v    *visit
	keys int
}

// Tab opens a page, 1280 px wide and in English, with or without scripts.
func (b *Browser) Tab(t *testing.T, page Page, scripts bool) *Tab {
	t.Helper()
	return b.tab(t, page, look{name: page.Name, width: 1280, lang: "en", plain: !scripts})
}

// Desk opens a page as somebody at a desk sees it: wide, in light, with scripts.
func (b *Browser) Desk(t *testing.T, page Page) *Tab {
	t.Helper()
	return b.Tab(t, page, true)
}

// Phone opens a page 320 px wide, in the dark, without scripts.
func (b *Browser) Phone(t *testing.T, page Page) *Tab {
	t.Helper()
	return b.tab(t, page, look{name: page.Name, width: 320, lang: "en", dark: true, plain: true})
}

func (b *Browser) tab(t *testing.T, page Page, l look) *Tab {
	t.Helper()
	v := b.visit(t, page, l)
	v.ctx = v.tabContext // a person may take all the time of the test
	return &Tab{v: v}
}

// Click clicks on what a CSS selector selects first.
func (p *Tab) Click(selector string) {
	p.v.t.Helper()
	p.do("click on "+selector, chromedp.Click(chromedp.CSS(selector)))
}

// Drag takes the middle of what a selector selects first to the middle of what another one does, with a mouse, and lets
// go when there is what a third one selects. Both are within the window.
func (p *Tab) Drag(selector, to, when string) {
	p.v.t.Helper()
	type point struct{ X, Y float64 }
	middle := func(of string) point {
		at, err := chromedp.Run(p.v.ctx, chromedp.Evaluate[point](fmt.Sprintf(`(() => {
			const box = document.querySelector(%q).getBoundingClientRect();
			return { X: box.left + box.width / 2, Y: box.top + box.height / 2 };
		})()`, of)))
		if err != nil {
			p.v.t.Fatalf("%s: %v", of, err)
		}
		return at
	}
	a, b := middle(selector), middle(to)
	mouse := func(kind input.DispatchMouseEventType, at point, held int64) {
		p.do("drag "+selector, send(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y,
			Button: input.MouseButtonLeft, Buttons: held, ClickCount: 1}))
	}
	mouse(input.DispatchMouseEventTypeMousePressed, a, 1)
	const steps = 10
	for n := 1.0; n <= steps; n++ {
		mouse(input.DispatchMouseEventTypeMouseMoved, point{a.X + (b.X-a.X)*n/steps, a.Y + (b.Y-a.Y)*n/steps}, 1)
	}
	p.Find(when)
	mouse(input.DispatchMouseEventTypeMouseReleased, b, 0)
}

// Type types a text into a field.
func (p *Tab) Type(selector, text string) {
	p.v.t.Helper()
	p.do("type into "+selector, chromedp.SendKeys(chromedp.CSS(selector), text))
}

// Press presses the key of an ASCII letter or sign, wherever the focus is.
func (p *Tab) Press(character string) {
	p.v.t.Helper()
	p.keys++
	p.v.press(character, "", int64(strings.ToUpper(character)[0]), 1)
}

// Enter presses that key.
func (p *Tab) Enter() {
	p.v.t.Helper()
	p.keys++
	p.v.enter()
}

// Send presses Ctrl and Enter at once.
func (p *Tab) Send() {
	p.v.t.Helper()
	p.keys++
	key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "Enter", Code: "Enter",
		WindowsVirtualKeyCode: 13, Modifiers: 2}
	p.do("press Ctrl and Enter", send(input.DispatchKeyEvent, key))
	key.Type = input.DispatchKeyEventTypeKeyUp
	p.do("let Ctrl and Enter go", send(input.DispatchKeyEvent, key))
}

// Reach presses the tabulator until what a selector selects has the focus.
func (p *Tab) Reach(selector string) {
	p.v.t.Helper()
	p.reach(selector, func() { p.v.tab(1) })
}

// reach presses a key until what a selector selects has the focus. While one page follows another it presses none.
func (p *Tab) reach(selector string, press func()) {
	p.v.t.Helper()
	at := fmt.Sprintf(`document.readyState === "complete" ? String(document.activeElement?.matches(%q)) : ""`, selector)
	for range 300 {
		reached := ""
		p.until("the page is there", func() bool {
			got, err := chromedp.Run(p.v.ctx, chromedp.Evaluate[string](at))
			reached = got
			return err == nil && got != ""
		})
		if reached == "true" {
			return
		}
		p.keys++
		press()
	}
	p.v.t.Fatalf("no press of the tabulator leads to %s", selector)
}

// Keys returns how many keys were pressed.
func (p *Tab) Keys() int { return p.keys }

// Text waits until what a selector selects first says something, since a script may be putting it there, and returns
// it.
func (p *Tab) Text(selector string) (text string) {
	p.v.t.Helper()
	said := fmt.Sprintf("document.querySelector(%q)?.innerText.trim() || \"\"", selector)
	p.until(selector+" says something", func() (found bool) {
		got, err := chromedp.Run(p.v.ctx, chromedp.Evaluate[string](said)) // fails while one page follows another
		text = got
		return err == nil && got != ""
	})
	return text
}

// Wait waits until what a selector selects first says a text, on this page or on the next, and the scripts of the page
// have run: a key pressed earlier would be lost.
func (p *Tab) Wait(selector, text string) {
	p.v.t.Helper()
	said := fmt.Sprintf("document.readyState === \"complete\" && document.querySelector(%q)?.innerText.trim() || \"\"",
		selector)
	p.until(selector+" says "+text, func() bool {
		got, err := chromedp.Run(p.v.ctx, chromedp.Evaluate[string](said)) // fails while one page follows another
		return err == nil && got == text
	})
}

// Find waits until there is what a selector selects, on this page or on the next, and the scripts of the page have run.
func (p *Tab) Find(selector string) {
	p.v.t.Helper()
	there := fmt.Sprintf("document.readyState === \"complete\" && document.querySelector(%q) !== null", selector)
	p.until("there is "+selector, func() bool {
		found, err := chromedp.Run(p.v.ctx, chromedp.Evaluate[bool](there)) // fails while one page follows another
		return err == nil && found
	})
}

// until waits for a condition, and says what the page shows when it never holds.
func (p *Tab) until(what string, holds func() bool) {
	p.v.t.Helper()
	if !wait.Ever(holds, nil) {
		p.v.t.Fatalf("waited in vain: %s; the page is\n%.2000s", what,
			p.string("location.href + \"\\n\" + document.activeElement.outerHTML.slice(0, 200) + \"\\n\" + document.querySelector(%q).innerText", "main"))
	}
}

// Prints fails unless what is done prints the page. Nothing comes out of a printer.
func (p *Tab) Prints(by func()) {
	p.v.t.Helper()
	p.string("String(window.print = () => { document.body.dataset.printed = %q })", "yes")
	by()
	p.Find("body[data-printed]")
}

// Path returns the path that a link leads to.
func (p *Tab) Path(selector string) string {
	p.v.t.Helper()
	return p.string("document.querySelector(%q).pathname", selector)
}

// Value returns what is in a field.
func (p *Tab) Value(selector string) string {
	p.v.t.Helper()
	return p.string("document.querySelector(%q).value", selector)
}

// Count returns how many elements a selector selects.
func (p *Tab) Count(selector string) int {
	p.v.t.Helper()
	n, err := chromedp.Run(p.v.ctx, chromedp.Evaluate[int](fmt.Sprintf("document.querySelectorAll(%q).length", selector)))
	if err != nil {
		p.v.t.Fatal(err)
	}
	return n
}

// Shape is how wide and how high what a selector selects first is shown, such as 300x400.
func (p *Tab) Shape(selector string) string {
	p.v.t.Helper()
	p.Find(selector)
	return p.string(`(box => Math.round(box.width) + "x" + Math.round(box.height))(
		document.querySelector(%q).getBoundingClientRect())`, selector)
}

func (p *Tab) string(format, selector string) string {
	p.v.t.Helper()
	text, err := chromedp.Run(p.v.ctx, chromedp.Evaluate[string](fmt.Sprintf(format, selector)))
	if err != nil {
		p.v.t.Fatalf("%s: %v", selector, err)
	}
	return text
}

func (p *Tab) do(what string, step chromedp.Action[chromedp.Void]) {
	p.v.t.Helper()
	if err := chromedp.Do(p.v.ctx, step); err != nil {
		p.v.t.Fatalf("%s: %v", what, err)
	}
}
