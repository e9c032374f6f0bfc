package portal

import (
	"embed"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

//go:embed pages/*.html
var pageFiles embed.FS

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
type pages struct {
	*services.Services
	key seal.Key // seals what sessions keep about people
}

// New makes the portal. It has every path that no other site has.
func New(n Needs) (*site.Site, error) {
	own, err := fs.Sub(pageFiles, "pages")
	if err != nil {
		return nil, err
	}
	p := &pages{n.Services, n.Key}
	return site.New(site.Config{
		Area: accounts.Portal, Prefixes: []string{""}, Home: "/", Ways: []string{"courses", "applications"},
		Cookie: site.PortalCookie, SignIn: "sign-in", Stay: "stay",
		Routes: p.routes(), Files: own, Extra: map[string]site.Extra{ui.AssetPrefix: {Access: site.Everyone(),
			Handler: n.Assets}, brandPrefix: {Access: site.Everyone(), Handler: http.HandlerFunc(p.brand)}}, Style: accentStyle,
		Accounts: n.Services.Accounts, Catalogue: n.Catalogue, Assets: n.Assets, Key: n.Key,
		Settings: n.Services.Core.Settings, Languages: func(s *config.Settings) []string { return s.Instance.Languages },
		Budget: n.Budget, Clock: n.Clock, Log: n.Log, Other: n.Other,
		Person: p.person, Frame: p.frame, Look: p.look, Leave: leave,
	})
}
