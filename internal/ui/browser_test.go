package ui_test

import (
	"testing"

	"github.com/admitto/admitto/internal/uitest"
)

// TestPagesInABrowser looks at the styleguide and at the sample pages in every way of screens.md 1.3.
func TestPagesInABrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	uitest.Check(t, newSite(t),
		uitest.Page{Name: "applications", Path: "/admin/styleguide/applications"},
		uitest.Page{Name: "offer", Path: "/admin/styleguide/offer"},
		uitest.Page{Name: "dashboard", Path: "/admin/styleguide/dashboard"},
		uitest.Page{Name: "form", Path: "/admin/styleguide/form"},
		uitest.Page{Name: "confirm", Path: "/admin/styleguide/confirm"},
		uitest.Page{Name: "styleguide", Path: "/admin/styleguide", Heavy: true},
	)
}

// TestScripts uses what app.js adds to pages.
func TestScripts(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	b := uitest.Open(t, newSite(t))
	t.Run("selection", func(t *testing.T) {
		tab := b.Tab(t, uitest.Page{Name: "applications", Path: "/admin/styleguide/applications"}, true)
		tab.Click(`input[name=id][value="48213"]`)
		if got := tab.Text("[data-selected]"); got != "3 selected" {
			t.Error(got)
		}
		tab.Click("[data-all]")
		if got, rows := tab.Text("[data-selected]"), tab.Count("tbody input:checked"); got != "14 selected" || rows != 14 {
			t.Error(got, rows)
		}
		tab.Click("[data-all]")
		if got := tab.Text("[data-selected]"); got != "0 selected" {
			t.Error(got)
		}
	})
	t.Run("letter", func(t *testing.T) {
		tab := b.Tab(t, uitest.Page{Name: "offer", Path: "/admin/styleguide/offer"}, true)
		before := tab.Value("#letter")
		tab.Type("#letter", " End ") // the cursor of a field that nobody was in is at its beginning
		tab.Click(`[data-insert="%offer-Reason%"]`)
		if got := tab.Value("#letter"); got != " End %offer-Reason%"+before {
			t.Error(got)
		}
	})
	t.Run("keys", func(t *testing.T) {
		tab := b.Tab(t, uitest.Page{Name: "applications", Path: "/admin/styleguide/applications"}, true)
		tab.Press("j")
		tab.Press("j")
		if got := tab.Text(".name:focus"); got != "Olena Lindqvist" {
			t.Error(got)
		}
		tab.Press("/")
		tab.Press("j") // while typing it is a letter
		if got := tab.Value("[data-search]:focus"); got != "j" {
			t.Error(got)
		}
	})
	t.Run("bars", func(t *testing.T) {
		tab := b.Tab(t, uitest.Page{Name: "dashboard", Path: "/admin/styleguide/dashboard"}, true)
		tab.Click(".bars tr:has(th a) .bar")
		tab.Wait("h1", "Applications")
	})
	t.Run("notice", func(t *testing.T) {
		tab := b.Tab(t, uitest.Page{Name: "styleguide", Path: "/admin/styleguide"}, true)
		before := tab.Count(".notice")
		tab.Click("[data-close]")
		if after := tab.Count(".notice"); after != before-1 {
			t.Error(before, after)
		}
		tab.Type("#f-motivation", "12345")
		if got := tab.Text(`[data-left="f-motivation"]`); got != "Up to 4,000 characters" {
			t.Error(got)
		}
	})
	t.Run("without scripts", func(t *testing.T) {
		tab := b.Tab(t, uitest.Page{Name: "applications", Path: "/admin/styleguide/applications"}, false)
		tab.Click("tbody .name")
		tab.Wait("h1", "Sofia Almeida 48213")
	})
}
