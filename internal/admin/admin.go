package admin

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

//go:embed pages/*.html
var pageFiles embed.FS

// cookie is the name of the cookie of sessions; browsers take it over HTTPS from this host alone.
const cookie = "__Host-admitto-staff"

// Needs are what the administration works with.
type Needs struct {
	Services  *services.Services
	Catalogue *ui.Catalogue
	Assets    *ui.Assets
	Budget    *web.Budget
	Key       seal.Key
	// Operations are those that an API key can be limited to, as method and path.
	Operations []string
	// Ends is the month (YYYY-MM) in which an operation, or a part of it, ends in a version; "" without a date.
	Ends  func(operation string, version int, what string) string
	Clock admitto.Clock // nil outside of tests
	Log   *slog.Logger
}

// pages has the functions of all pages.
type pages struct {
	*services.Services
	operations []string
	ends       func(operation string, version int, what string) string
	catalogue  *ui.Catalogue
	key        seal.Key // seals what forms carry
}

// New makes the administration.
func New(n Needs) (*site.Site, error) {
	own, err := fs.Sub(pageFiles, "pages")
	if err != nil {
		return nil, err
	}
	guide, err := ui.Styleguide(n.Catalogue, n.Assets, n.Budget)
	if err != nil {
		return nil, err
	}
	p := &pages{Services: n.Services, operations: n.Operations, ends: n.Ends, catalogue: n.Catalogue, key: n.Key}
	return site.New(site.Config{
		Area: accounts.Administration, Prefixes: []string{"/admin", "/setup"}, Home: "/admin/", Cookie: cookie,
		SignIn: "sign-in", Confirm: "confirm-identity", Stay: "stay", Routes: p.routes(), Files: own,
		Extra:    map[string]site.Extra{ui.StyleguidePath: {Access: site.SignedIn(), Handler: guide}},
		Accounts: n.Services.Accounts, Catalogue: n.Catalogue, Assets: n.Assets, Key: n.Key,
		Settings: n.Services.Core.Settings,
		Budget:   n.Budget, Clock: n.Clock, Log: n.Log,
		Person: p.person, Frame: p.frame, Grantors: p.Accounts.Grantors,
	})
}

// person reads who an account is.
func (p *pages) person(ctx context.Context, account int64, requestID string) (site.Person, error) {
	m, err := p.Accounts.StaffMember(ctx, account)
	if err != nil {
		return site.Person{}, err
	}
	first := ""
	if m.NeedsSecondFactor {
		first = "second-factor"
	}
	return site.Person{Account: account, First: first, Held: first != "",
		Caller: admitto.AdministratorCaller(account, m.Permissions, requestID),
		Name:   m.Name, Email: m.Email, Lang: m.Preferences.Language, Scheme: m.Preferences.Scheme,
		Comfortable: m.Preferences.Density == "comfortable", NoShortcuts: !m.Preferences.Shortcuts,
		Term: m.Preferences.Term}, nil
}
