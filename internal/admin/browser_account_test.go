package admin_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/uitest"
)

// withSetUp is an instance whose pages below /setup are those of another one, which nobody has set up yet.
type withSetUp struct{ whole, fresh http.Handler }

func (h withSetUp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/setup/") {
		h.fresh.ServeHTTP(w, r)
		return
	}
	h.whole.ServeHTTP(w, r)
}

// freshOffice is an instance that nobody has set up, with the path of the link that does it.
func freshOffice(t *testing.T) (i *sitetest.Instance, path string) {
	t.Helper()
	d := servicestest.OnFile(t, storetest.Migrated)
	d.Must(d.Store.Seed(t.Context(), "Northfield University", 2026))
	address, err := d.Services.Maintenance.NewSetupLink(t.Context(), admitto.SystemCaller())
	d.Must(err)
	return sitetest.On(d), link.FindStringSubmatch(address)[1]
}

// accountPages are the pages by which staff get in, and those about accounts and roles.
func accountPages(t *testing.T, i *sitetest.Instance) (http.Handler, []uitest.Page) {
	t.Helper()
	fresh, setUp := freshOffice(t)
	boss := i.Superuser("Ada Boss")
	staff := i.Cookie(accounts.Administration, boss)
	v := i.Staff(boss)
	const long = "Wolfeschlegelsteinhausenbergerdorff-Montgomery"
	v.Open("/admin/administrators/invite").Submit("Invite", "name", "Maria da Conceição "+long, "email",
		"maria.da.conceicao.wolfeschlegelsteinhausen@faculty-of-engineering.example.edu", "roles", "3", "roles", "4", "roles", "7")
	invitation := lastLink(t, i.Desk)
	card := fmt.Sprintf("/admin/administrators/%d", i.Number("SELECT max(id) FROM administrator"))
	page := v.Open("/admin/roles/new?from=8").Submit("New role", "name", "Cashier of "+long, "may-finance",
		"accounting-edit")
	custom := page.Find(`a:contains("Cashier")`).AttrOr("href", "")
	guarded := i.Superuser("Guarded Person")
	withFactor(t, i.Desk, guarded)
	factor := i.Cookie(accounts.Administration, guarded)
	leaving := card[strings.LastIndex(card, "/")+1:]
	i.Put("UPDATE application SET officer_id = "+leaving+" WHERE id < 5",
		"INSERT INTO batch (id, action, source, state, params, selection, prepared, prepared_by) "+
			"VALUES (901, 'freeze', 'applications', 'prepared', '{}', '{}', 1773000000000000, "+leaving+")",
		"UPDATE tableview SET owner_id = "+leaving+", private = TRUE WHERE id = (SELECT min(id) FROM tableview)",
		"UPDATE api_key SET administrator_id = "+leaving)
	typed := v.Open("/admin/account/name?again=1")
	v.Post("/admin/draft", sitetest.Typed(typed.Find("main form")))
	of := func(name, path string) uitest.Page { return uitest.Page{Name: name, Path: path, Cookie: staff} }
	return withSetUp{i, fresh}, []uitest.Page{
		{Name: "set-up", Path: setUp}, {Name: "set-up-dead", Path: "/setup/dead", Fails: true},
		{Name: "reset", Path: "/admin/reset"}, {Name: "reset-sent", Path: "/admin/reset/sent"},
		{Name: "invitation", Path: invitation}, {Name: "link-none", Path: "/admin/invite/none", Fails: true},
		of("confirm-identity", "/admin/confirm-identity?next=%2Fadmin%2Froles"),
		of("staff-account", "/admin/account"), of("account-name", "/admin/account/name"),
		of("account-name-restored", "/admin/account/name?again=1"),
		of("account-email", "/admin/account/email"), of("account-password", "/admin/account/password"),
		of("account-preferences", "/admin/account/preferences"), of("second-factor", "/admin/account/second-factor"),
		{Name: "second-factor-on", Path: "/admin/account/second-factor", Cookie: factor},
		{Name: "second-factor-remove", Path: "/admin/account/second-factor/remove", Cookie: factor},
		{Name: "administrators", Path: "/admin/administrators", Cookie: staff}, of("administrator", card),
		of("administrator-edit", card+"/edit"), of("administrator-roles", card+"/roles"),
		of("administrator-invite", "/admin/administrators/invite"), of("administrator-disable", card+"/disable"),
		of("administrator-end-sessions", card+"/end-sessions"),
		of("roles", "/admin/roles"), of("role", "/admin/roles/2"), of("role-custom", custom),
		of("role-new", "/admin/roles/new"),
	}
}
