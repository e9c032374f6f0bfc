package portal

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/web"
)

// brandPrefix is the path below which is what the institution gave the portal of its own. Each address holds what it
// answers, so every instance has it as soon as a page names it, and it may be kept for ever.
const brandPrefix = "/brand"

const (
	accentStart = brandPrefix + "/accent-"
	accentEnd   = ".css"
)

// accentStyle is the address of the styles with the institution's accent; "" for those of the product.
func accentStyle(s *config.Settings) string {
	colour, found := strings.CutPrefix(s.Portal.Accent.Light, "#")
	if !found {
		return ""
	}
	return accentStart + colour + accentEnd
}

const logoStart = brandPrefix + "/logo-"

// logoAddress is the address of the institution's picture; "" for none.
func logoAddress(s *config.Settings) string {
	if s.Portal.Logo == (config.Logo{}) {
		return ""
	}
	return logoStart + s.Portal.Logo.String()
}

// brand answers what is below brandPrefix.
func (p *pages) brand(w http.ResponseWriter, r *http.Request) {
	reading := r.Method == http.MethodGet || r.Method == http.MethodHead
	if name, found := strings.CutPrefix(r.URL.Path, logoStart); found && reading {
		content, mime, err := p.Maintenance.Logo(r.Context(), name)
		switch {
		case err == nil:
			sendForEver(w, r, mime, content)
			return
		case admitto.KindOf(err) != admitto.NotFound:
			slog.WarnContext(r.Context(), "the logo cannot be read", "error", err)
		}
	}
	colour, found := strings.CutPrefix(r.URL.Path, accentStart)
	colour, ends := strings.CutSuffix(colour, accentEnd)
	accent, err := config.ParseAccent("#" + colour)
	if !found || !ends || err != nil || !reading {
		w.Header().Set("Cache-Control", "no-store")
		http.NotFound(w, r)
		return
	}
	sendForEver(w, r, "text/css; charset=utf-8", []byte(accentRules(accent)))
}

// sendForEver answers what its address will always answer.
func sendForEver(w http.ResponseWriter, r *http.Request, mime string, content []byte) {
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	web.Send(w, r, http.StatusOK, mime, content)
}

// accentRules put the accent in the place of that of the styles, in both schemes.
func accentRules(a config.Accent) string {
	dark := fmt.Sprintf("--accent:%s;--accent-2:%s;--on-accent:#0A1A2A", a.Dark, a.DarkOver)
	return fmt.Sprintf("@layer tokens{:root{--accent:%s;--accent-2:%s;--on-accent:#FFFFFF}"+
		`@media(prefers-color-scheme:dark){:root:not([data-scheme="light"]){%s}}:root[data-scheme="dark"]{%s}}`,
		a.Light, a.LightOver, dark, dark)
}
