package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestConfirmIdentity asks for the password before a sensitive page; what was typed survives that, and a foreign next
// leads nowhere.
func TestConfirmIdentity(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		ada := i.Superuser("Ada Boss")
		canSignIn(i, ada)
		v := i.Staff(ada)
		page := wants(t, v.Open("/admin/administrators/invite"), "Invite an administrator")
		d.Clock.Add(11 * admitto.Minute)
		page = wants(t, page.Submit("Invite", "name", "Kim Doe", "email", "kim@example.edu", "roles", "8"),
			"Confirm that it is you", "What you typed is kept")
		page = wants(t, page.Submit("Go on"), "Confirm that it is you", "Enter your password")
		page = wants(t, page.Submit("Go on", "password", "wrong"), "Confirm that it is you", "not right")
		page = wants(t, page.Submit("Go on", "password", password), "Invite an administrator", "Not saved yet")
		if page.Find("#f-name").AttrOr("value", "") != "Kim Doe" ||
			page.Find("[name=roles][value='8'][checked]").Length() != 1 {
			t.Error(page.Text("main"))
		}
		wants(t, page.Submit("Invite"), "Kim Doe", "An invitation is on its way")
		for _, foreign := range []string{"https%3A%2F%2Fevil.example%2F", "%2F%2Fevil.example", "%2F%5Cevil.example"} {
			page = v.Open("/admin/confirm-identity?next="+foreign).Submit("Go on", "password", password)
			if page.Path != "/admin/" {
				t.Errorf("%s leads to %s", foreign, page.Path)
			}
		}
		secret := withFactor(t, d, ada)
		d.Clock.Add(11 * admitto.Minute)
		page = wants(t, v.Open("/admin/roles"), "Confirm that it is you", "Or the code")
		wants(t, page.Submit("Go on", "code", codeNow(t, d, secret)), "Roles and permissions")
	})
}

// TestAdministrators changes an administrator: the last Superuser stays one, and who is disabled is out at the next
// click.
func TestAdministrators(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		ada, kim := i.Superuser("Ada Boss"), i.WithRole("Kim Doe", 8)
		canSignIn(i, ada)
		staff := i.Administrator("Ines Roles", admitto.AdministratorsEdit)
		boss, worker, helper := i.Staff(ada), i.Staff(kim), i.Staff(staff)
		of := func(id int64, rest string) string { return fmt.Sprintf("/admin/administrators/%d%s", id, rest) }

		wants(t, boss.Open("/admin/administrators"), "Administrators", "Ada Boss", "Kim Doe", "Accountant", "3 accounts")
		page := wants(t, boss.Open(of(ada, "/roles")), "Choose roles").Submit("Save", "roles", "2")
		if len(page.Errors()) != 1 || !strings.Contains(page.Errors()[0], "last active Superuser") ||
			page.Find("[name=roles][value='2'][checked]").Length() != 1 {
			t.Errorf("%v", page.Errors())
		}
		if page = boss.Open(of(ada, "")); strings.Contains(page.Text("main"), "Disable") {
			t.Error("somebody may disable themselves")
		}
		page = boss.Open(of(ada, "/disable")).Submit("Disable")
		if len(page.Errors()) != 1 || !strings.Contains(page.Errors()[0], "last active Superuser") {
			t.Errorf("%d %v", page.Status, page.Errors())
		}

		// What one may not do oneself, one does not give, and one does not change who may.
		wants(t, helper.Open(of(ada, "")), "Ada Boss", "You can look")
		page = helper.Open(of(kim, "/end-sessions")).Submit("End all sessions")
		if page.Status != 409 || !strings.Contains(page.Text("main"), "may do what you may not do") {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
		page = helper.Open("/admin/administrators/invite")
		if page.Find("[name=roles][value='1'][disabled]").Length() != 1 {
			t.Error(page.Text("form"))
		}
		page = page.Submit("Invite", "name", "Eve", "email", "eve@example.edu", "roles", "1")
		if len(page.Errors()) != 1 || !strings.Contains(page.Errors()[0], "permits what you may not do") {
			t.Errorf("%v", page.Errors())
		}

		// Two who edit at the same time.
		page = boss.Open(of(kim, "/edit"))
		wants(t, boss.Open(of(kim, "/edit")).Submit("Save", "name", "Kim Smith", "phone", "+351 1"), "Kim Smith", "Saved.")
		page = page.Submit("Save", "name", "Kim Jones", "function", "Accounts")
		if page.Status != 422 || !strings.Contains(page.Text("form"), "Saved meanwhile: Kim Smith") {
			t.Errorf("%d %s", page.Status, page.Text("form"))
		}
		wants(t, page.Submit("Save", "keep.name", "theirs"), "Kim Smith", "Accounts")

		wants(t, worker.Open("/admin/account"), "My account")
		wants(t, boss.Open(of(kim, "/disable")), "Disable this account?", "Kim Smith", "Nothing has to be taken over").
			Submit("Disable")
		wants(t, worker.Open("/admin/account"), "Sign in")
		wants(t, boss.Open(of(kim, "")), "Kim Smith", "Hand over")
		wants(t, boss.Open(of(kim, "/disable")), "What Kim Smith has left", "Nothing has to be taken over").
			Submit("Hand over")
		wants(t, boss.Open(of(kim, "/enable")).Submit("Enable"), "Kim Smith", "The account is enabled.")
		if page = worker.Open(of(kim, "")); page.Path == of(kim, "") {
			t.Error(page.Path)
		}
		page = i.Staff(kim).Open(of(kim, ""))
		if page.Status != 403 || !strings.Contains(page.Text("main"), "(administrator)") {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
	})
}

// TestRoles makes, changes and deletes a role, and warns of what is of little use.
func TestRoles(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		boss := i.Staff(i.Superuser("Ada Boss"))
		page := wants(t, boss.Open("/admin/roles"), "Roles and permissions", "Superuser", "Accountant", "See applicants")
		if rows := page.Find("table.matrix tbody tr").Length(); rows != len(admitto.AllPermissions().List()) {
			t.Errorf("%d permissions in the matrix", rows)
		}
		page = wants(t, boss.Open("/admin/roles/8"), "Accountant", "Built-in roles stay as they are")
		page = wants(t, boss.Open(page.Find("main .acts a").AttrOr("href", "")), "New role")
		if page.Find("[value='accounting-edit'][checked]").Length() != 1 {
			t.Error(page.Text("form"))
		}
		if page = page.Submit("New role", "name", ""); len(page.Errors()) != 1 ||
			page.Find("[value='accounting-edit'][checked]").Length() != 1 {
			t.Errorf("%v", page.Errors())
		}
		page = wants(t, page.Submit("New role", "name", "Cashier"), "Roles and permissions", "The role Cashier is saved")
		path := page.Find(`a:contains("Cashier")`).AttrOr("href", "")
		wants(t, boss.Open(path).Submit("Save", "may-finance", "accounting-edit"), "Cashier",
			"“Keep invoices and payments” is of little use without “See invoices and payments”.")
		wants(t, boss.Open("/admin/roles"), "Roles and permissions", "One permission of Cashier is of little use alone.")
		page = boss.Open(path).Submit("Save", "name", "Superuser")
		if len(page.Errors()) != 1 || !strings.Contains(page.Errors()[0], "Another role has this name") {
			t.Errorf("%v", page.Errors())
		}
		late := boss.Open(path)
		boss.Open(path).Submit("Save", "may-finance", "accounting-view")
		told := late.Submit("Save", "name", "Till")
		if text := told.Text("main"); !strings.Contains(text, "Ada Boss saved this meanwhile") ||
			!strings.Contains(text, "See invoices and payments") {
			t.Error(text)
		}
		told.Submit("Save", "keep.name", "mine", "keep.may-finance", "theirs")
		if page = wants(t, boss.Open(path), "Till"); page.Find("[value='accounting-view'][checked]").Length() != 1 {
			t.Error("the second one took back what the first has saved")
		}
		boss.Open(path).Submit("Save", "name", "Cashier")
		kim := i.WithRole("Kim Doe", 8)
		var id int64
		if _, err := fmt.Sscanf(path, "/admin/roles/%d", &id); err != nil {
			t.Fatal(path)
		}
		worker := i.Staff(kim)
		page = boss.Open(fmt.Sprintf("/admin/administrators/%d/roles", kim)).Submit("Save", "roles", fmt.Sprint(id))
		wants(t, page, "Kim Doe", "Cashier")
		wants(t, worker.Open("/admin/account"), "My account", "Cashier")
		if page = boss.Open(path + "/delete").Submit("Delete role"); page.Status != 409 {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
		worker.Open("/admin/account")
		before := worker.Copied()
		boss.Open(fmt.Sprintf("/admin/administrators/%d/roles", kim)).Submit("Save", "roles", "8")
		wants(t, worker.Open("/admin/account"), "My account", "Accountant")
		wants(t, before.Open("/admin/account"), "Sign in") // the session has another token since
		wants(t, worker.Open("/admin/account"), "My account", "Accountant")
		wants(t, boss.Open("/admin/roles/new").Submit("New role", "name", "Nothing"), "Roles and permissions",
			"The role Nothing has no permission.")
		wants(t, boss.Open(path+"/delete").Submit("Delete role"), "Roles and permissions", "The role is deleted")
		if page = boss.Open(path); page.Status != 404 {
			t.Error(page.Status)
		}
	})
}

// TestOwnAccount changes everything of the own account; a session that is ended is out at its next click.
func TestOwnAccount(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		ada := i.Superuser("Ada Boss")
		canSignIn(i, ada)
		one, two, three := signedIn(i, "ada.boss@example.edu"), i.Staff(ada), i.Staff(ada)
		page := wants(t, one.Open("/admin/account"), "My account", "This device", "See applicants", "Superuser")
		if page.Find("#sessions tbody tr").Length() != 3 || page.Find("#sessions tbody form").Length() != 2 {
			t.Fatal(page.Text("#sessions"))
		}
		wants(t, page.Submit("End Unknown device"), "My account", "The session is ended.")
		out := 0
		for _, v := range []*sitetest.Visitor{two, three} {
			if v.Open("/admin/account").Text("h1") == "Sign in" {
				out++
			}
		}
		if out != 1 {
			t.Errorf("%d sessions ended", out)
		}
		page = wants(t, one.Open("/admin/account").Submit("End all other sessions"), "My account", "All other sessions")
		if page.Find("#sessions tbody tr").Length() != 1 {
			t.Error(page.Text("#sessions"))
		}
		if page = one.Open("/admin/account/name").Submit("Save", "name", " "); len(page.Errors()) != 1 {
			t.Errorf("%v", page.Errors())
		}
		wants(t, page.Submit("Save", "name", `Ada "><script>alert(1)</script>`), "My account", "Saved.", "<script>")
		sitetest.Harmless(t, one.Open("/admin/account"))

		page = one.Open("/admin/account/preferences").Submit("Save", "language", "ar", "scheme", "dark", "density",
			"comfortable", "shortcuts", "-")
		if page.Find("html").AttrOr("dir", "") != "rtl" || page.Find("html").AttrOr("data-scheme", "") != "dark" {
			t.Error(page.Body[:300])
		}
		i.Put("UPDATE administrator SET language = ''")
		if page = one.Open("/admin/account/preferences"); page.Find("[name=shortcuts][checked]").Length() != 0 ||
			page.Find("[name=density][value=comfortable][checked]").Length() != 1 {
			t.Error(page.Text("form"))
		}

		page = one.Open("/admin/account/password").Submit("Save", "password", "1234567890", "password_again", "1234567890")
		if len(page.Errors()) != 1 || strings.Contains(page.Body, `value="1234567890"`) {
			t.Errorf("%v", page.Errors())
		}
		other := i.Staff(ada)
		wants(t, page.Submit("Save", "password", "another good one", "password_again", "another good one"), "My account",
			"Your password is saved")
		wants(t, other.Open("/admin/account"), "Sign in")

		page = one.Open("/admin/account/email").Submit("Send the link", "email", "ada@")
		if len(page.Errors()) != 1 {
			t.Errorf("%v", page.Errors())
		}
		wants(t, page.Submit("Send the link", "email", "ada@example.org"), "My account", "We sent a link to ada@example.org")
		wants(t, one.Open(lastLink(t, d)).Submit("Confirm this address"), "My account", "is ada@example.org now")

		secret := withFactor(t, d, ada)
		page = wants(t, one.Open("/admin/account/recovery-codes").Submit("New recovery codes"), "Your recovery codes")
		if len(strings.Fields(page.Find("#codes").Text())) != 10 || secret == "" {
			t.Error(page.Text("main"))
		}
		wants(t, one.Open("/admin/account/second-factor/remove").Submit("Remove second factor"), "My account", "is removed")
	})
}
