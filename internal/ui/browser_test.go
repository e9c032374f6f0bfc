package ui_test

import (
	"testing"

	"github.com/admitto/admitto/internal/uitest"
)

// TestPagesInABrowser looks at the styleguide and at the sample pages in every way of screens.md 1.3.
func TestPagesInABrowser(t *testing.T) {
	uitest.Check(t, newSite(t),
		uitest.Page{Name: "applications", Path: "/admin/styleguide/applications"},
		uitest.Page{Name: "offer", Path: "/admin/styleguide/offer"},
		uitest.Page{Name: "dashboard", Path: "/admin/styleguide/dashboard"},
		uitest.Page{Name: "form", Path: "/admin/styleguide/form"},
		uitest.Page{Name: "confirm", Path: "/admin/styleguide/confirm"},
		uitest.Page{Name: "styleguide", Path: "/admin/styleguide"},
	)
}
