package admin_test

import (
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestTwoTabs has two people in two tabs of one browser of a test, one with a form and one with a cookie: both stay
// signed in.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	mara := i.Superuser("Mara Lind")
	canSignIn(i, mara)
	b := uitest.Open(t, i)
	first := b.Tab(t, uitest.Page{Name: "tab-form", Path: "/admin/sign-in?next=%2Fadmin%2Faccount"}, true)
	first.Type("[name=email]", "mara.lind@example.edu")
	first.Type("[name=password]", password)
	first.Click("main .btn.primary")
	first.At("/admin/account")
	second := b.Tab(t, uitest.Page{Name: "tab-cookie", Path: "/admin/account",
		Cookie: i.Cookie(accounts.Administration, i.Superuser("Ada Boss"))}, true)
	for n, tab := range []*uitest.Tab{second, first} {
		if tab.Address() != "/admin/account" {
			t.Errorf("%d: %s", n, tab.Address())
		}
		tab.Click(`a[href="/admin/applicants"]`)
		tab.Find("main h1")
		if tab.Text("main h1") == "Sign in" {
			t.Errorf("%d: signed out", n)
		}
	}
}
