package portal

import (
	"fmt"
	"net/http"
	"strings"

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

// brand answers what is below brandPrefix.
func brand(w http.ResponseWriter, r *http.Request) {
	colour, found := strings.CutPrefix(r.URL.Path, accentStart)
	colour, ends := strings.CutSuffix(colour, accentEnd)
	accent, err := config.ParseAccent("#" + colour)
	if !found || !ends || err != nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Cache-Control", "no-store")
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	web.Send(w, r, http.StatusOK, "text/css; charset=utf-8", []byte(accentRules(accent)))
}

// accentRules put the accent in the place of that of the styles, in both schemes.
func accentRules(a config.Accent) string {
	dark := fmt.Sprintf("--accent:%s;--accent-2:%s;--on-accent:#0A1A2A", a.Dark, a.DarkOver)
	return fmt.Sprintf("@layer tokens{:root{--accent:%s;--accent-2:%s;--on-accent:#FFFFFF}"+
		`@media(prefers-color-scheme:dark){:root:not([data-scheme="light"]){%s}}:root[data-scheme="dark"]{%s}}`,
		a.Light, a.LightOver, dark, dark)
}
