package portal

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"

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
const cookie = "__Host-admitto-applicant"

// Needs are what the portal works with.
type Needs struct {
	Services  *services.Services
	Catalogue *ui.Catalogue
	Assets    *ui.Assets
	Budget    *web.Budget
	Key       seal.Key
	Clock     admitto.Clock // nil outside of tests
	// Other answers programs that look for what there is not.
	Other func(w http.ResponseWriter, r *http.Request, err error)
	Log   *slog.Logger
}

// pages has the functions of all pages.
type pages struct{ *services.Services }

// New makes the portal. It has every path that no other site has.
func New(n Needs) (*site.Site, error) {
	own, err := fs.Sub(pageFiles, "pages")
	if err != nil {
		return nil, err
	}
	p := &pages{n.Services}
	return site.New(site.Config{
		Area: accounts.Portal, Prefixes: []string{""}, Home: "/", Cookie: cookie, SignIn: "sign-in", Stay: "stay",
		Routes: p.routes(), Files: own, Extra: map[string]site.Extra{ui.AssetPrefix: {Access: site.Everyone(),
			Handler: n.Assets}},
		Accounts: n.Services.Accounts, Catalogue: n.Catalogue, Assets: n.Assets, Key: n.Key,
		Settings: n.Services.Core.Settings,
		Budget:   n.Budget, Clock: n.Clock, Log: n.Log, Other: n.Other,
		Person: p.person, Frame: p.frame,
	})
}

// person reads who an account is.
func (p *pages) person(ctx context.Context, account int64, requestID string) (site.Person, error) {
	by := admitto.ApplicantCaller(account, requestID)
	a, err := p.Query.Applicant(ctx, by, account, nil)
	if err != nil {
		return site.Person{}, err
	}
	return site.Person{Account: account, Caller: by, Name: a.Name.Full(), Email: a.Email}, nil
}

// frame is what surrounds every page of the portal.
func (p *pages) frame(r *site.Request) ui.Frame {
	f := &ui.Portal{Home: r.At("front"), Steps: r.Steps(), Foot: r.Foot("choose"), Ends: r.Ends()}
	add := func(list *[]ui.Link, name string) {
		if link, ok := r.Link(name); ok {
			link.Current = r.Current(name)
			*list = append(*list, link)
		}
	}
	add(&f.Nav, "courses")
	if r.Person.Account == 0 {
		add(&f.SignIn, "sign-in")
		add(&f.SignIn, "register")
		return f
	}
	add(&f.Nav, "applications")
	add(&f.Nav, "tasks")
	add(&f.Nav, "messages")
	f.User = &ui.Menu{Text: r.Person.Name, Icon: "user"}
	for _, name := range []string{"account", "invoices", "wishes", "consents", "privacy-mine"} {
		add(&f.User.Links, name)
	}
	f.User.Links = append(f.User.Links, ui.Link{Text: r.T("action.sign-out"), Icon: "log-out", Href: r.At("sign-out"),
		Posts: true})
	return f
}
