package admin_test

import (
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestSignedOut leads those who are not signed in to where one signs in, and back.
func TestSignedOut(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	page := i.Visitor().Open("/admin/")
	if page.Status != 200 || page.Path != "/admin/sign-in?next=%2Fadmin%2F" || page.Text("h1") != "Sign in" {
		t.Fatalf("%d %s %s", page.Status, page.Path, page.Text("h1"))
	}
	if page = page.Submit("Sign in", "email", "nobody@example.org", "password", "wrong"); page.Status != 422 ||
		len(page.Errors()) != 1 || page.Find("[name=email]").AttrOr("value", "") != "nobody@example.org" {
		t.Errorf("%d %v", page.Status, page.Errors())
	}
	staff := i.Staff(i.Administrator("Mara Lind", admitto.ReportsView))
	if page = staff.Open("/admin/"); page.Status != 200 || page.Text("h1") != "Dashboard" {
		t.Errorf("%d %s", page.Status, page.Text("main"))
	}
	if page = staff.Open("/admin/none"); page.Status != 404 || page.Text("h1") != "There is no such page" {
		t.Errorf("%d %s", page.Status, page.Text("main"))
	}
	if page = staff.Open("/admin/").Submit("Sign out"); page.Path != "/admin/sign-in" {
		t.Error(page.Path)
	}
	if page = staff.Open("/admin/"); page.Text("h1") != "Sign in" {
		t.Error(page.Path)
	}
}
