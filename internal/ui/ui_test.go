package ui_test

import (
	"net/http"
	"testing"

	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

// newSite returns the styleguide with its assets.
func newSite(t testing.TB) http.Handler {
	t.Helper()
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	assets, err := ui.NewAssets()
	if err != nil {
		t.Fatal(err)
	}
	guide, err := ui.Styleguide(catalogue, assets, web.NewBudget(16<<20, 2, 0))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(ui.AssetPrefix+"/", assets)
	mux.Handle(ui.StyleguidePath, guide)
	mux.Handle(ui.StyleguidePath+"/", guide)
	return mux
}
