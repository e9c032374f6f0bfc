package ui

import (
	"bytes"
	"embed"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/admitto/admitto/internal/web"
)

//go:embed samples/*.html samples/ar.toml
var sampleFiles embed.FS

// StyleguidePath is where the administration has the styleguide.
const StyleguidePath = "/admin/styleguide"

// Headers are sent with every page (screens.md U3).
func Headers() map[string]string {
	return map[string]string{
		"Content-Security-Policy": Policy,
		"Referrer-Policy":         "same-origin",
		"X-Content-Type-Options":  "nosniff",
		"Cache-Control":           "no-store",
	}
}

// guide is the styleguide: every component in every state, and sample pages made of them. The address says the
// language (?lang=ar) and the scheme (?scheme=dark).
type guide struct {
	pages  *Pages
	budget *web.Budget
	words  map[string]map[string]string // language, English
	photo  []byte
}

// Styleguide returns a handler of StyleguidePath and what is below. Its answers take from the budget.
func Styleguide(catalogue *Catalogue, assets *Assets, budget *web.Budget) (http.Handler, error) {
	site, err := fs.Sub(sampleFiles, "samples")
	if err != nil {
		return nil, err
	}
	g := &guide{budget: budget, words: map[string]map[string]string{}}
	if g.pages, err = NewPages(catalogue, assets, site); err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(site, "ar.toml")
	if err != nil {
		return nil, err
	}
	var arabic map[string]string
	if err := toml.Unmarshal(text, &arabic); err != nil {
		return nil, err
	}
	g.words["ar"] = arabic
	g.photo, err = samplePhoto()
	return g, err
}

// samplePhoto is a picture for the document viewer: two colours, so that one sees where it ends.
func samplePhoto() ([]byte, error) {
	picture := image.NewPaletted(image.Rect(0, 0, 240, 160), color.Palette{color.RGBA{0x0B, 0x5F, 0xA5, 0xFF},
		color.RGBA{0xF2, 0xB7, 0x65, 0xFF}})
	for y := range 160 {
		for x := range 240 {
			if (x/40+y/40)%2 == 0 {
				picture.SetColorIndex(x, y, 1)
			}
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, picture)
	return out.Bytes(), err
}

// ServeHTTP answers the styleguide and the sample pages.
func (g *guide) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range Headers() {
		w.Header().Set(name, value)
	}
	name := strings.Trim(strings.TrimPrefix(r.URL.Path, StyleguidePath), "/")
	switch name {
	case "photo.png":
		web.Send(w, r, http.StatusOK, "image/png", g.photo)
		return
	case "letter.txt":
		web.Send(w, r, http.StatusOK, "text/plain; charset=utf-8",
			[]byte("Dear Sofia,\n\nwe are pleased to offer you a place.\n"))
		return
	case "":
		name = "styleguide"
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "samples are only read", http.StatusMethodNotAllowed)
		return
	}
	sample := samples()[name]
	if sample == nil {
		http.NotFound(w, r)
		return
	}
	query := r.URL.Query()
	lang := g.pages.Catalogue.Match(r.Header.Get("Accept-Language"), query.Get("lang"))
	s := &sampleText{Locale: g.pages.Catalogue.Locale(lang), words: g.words[lang], query: query, path: r.URL.Path}
	page := sample(s)
	page.Instance, page.Scheme, page.Density = s.tr("University of Porto Alto"), oneOf(query.Get("scheme"), "light",
		"dark"), oneOf(query.Get("density"), "comfortable")
	var out bytes.Buffer
	err := g.pages.Render(&out, lang, name, page)
	if err == nil {
		err = g.budget.Document(w, r, "text/html; charset=utf-8", out.Bytes())
	}
	if err != nil {
		http.Error(w, "the sample cannot be shown now", http.StatusInternalServerError)
	}
}

func oneOf(value string, allowed ...string) string {
	for _, a := range allowed {
		if value == a {
			return a
		}
	}
	return ""
}

// samples are the pages of the styleguide by name.
func samples() map[string]func(*sampleText) *Page {
	return map[string]func(*sampleText) *Page{
		"styleguide":   sampleGuide,
		"applications": sampleApplications,
		"offer":        sampleOffer,
		"dashboard":    sampleDashboard,
		"form":         sampleForm,
		"confirm":      sampleConfirm,
	}
}

// sampleText has the words of invented content in the language of a sample.
type sampleText struct {
	*Locale
	words map[string]string
	query url.Values
	path  string
	said  func(english string) // for the test of the translations
}

// tr returns invented content, which is written in English, in the language of the sample.
func (s *sampleText) tr(english string) string {
	if s.said != nil {
		s.said(english)
	}
	if text, ok := s.words[english]; ok {
		return text
	}
	return english
}

// with returns the address of the sample with another value of a parameter.
func (s *sampleText) with(name, value string) string {
	query := url.Values{}
	for key, values := range s.query {
		query[key] = values
	}
	query.Set(name, value)
	return s.path + "?" + query.Encode()
}

// at returns the address of another sample in the same language and scheme.
func (s *sampleText) at(name string) string {
	address := StyleguidePath
	if name != "" {
		address += "/" + name
	}
	if len(s.query) > 0 {
		address += "?" + s.query.Encode()
	}
	return address
}

// foot has what every frame has at its end: languages and schemes.
func (s *sampleText) foot() []Link {
	return []Link{
		{Text: "English", Href: s.with("lang", "en")},
		{Text: "العربية", Href: s.with("lang", "ar")},
		{Text: s.tr("Light"), Href: s.with("scheme", "light")},
		{Text: s.tr("Dark"), Href: s.with("scheme", "dark")},
		{Text: s.tr("Help"), Href: s.at("")},
	}
}

// admin returns the frame of the administration; current is the key of an entry of the navigation.
func (s *sampleText) admin(current string) *Admin {
	link := func(text, icon, href string) Link {
		return Link{Text: s.tr(text), Icon: icon, Href: s.at(href), Current: text == current}
	}
	tasks := link("Tasks", "list-checks", "")
	tasks.Count = "37"
	return &Admin{
		Home: s.at("dashboard"), Search: StyleguidePath,
		Nav: []NavGroup{
			{s.tr("Overview"), []Link{link("Dashboard", "layout-dashboard", "dashboard"), link("Applicants", "users", "")}},
			{s.tr("Applications"), []Link{link("Browse", "files", "applications"), tasks, link("Rankings", "trophy", ""),
				link("Flags", "flag", "")}},
			{s.tr("Scoring"), []Link{link("Scoresheets", "clipboard-list", ""), link("Criteria", "scale", "")}},
			{s.tr("Catalogue"), []Link{link("Courses", "graduation-cap", ""), link("Intakes", "calendar-clock", ""),
				link("Fees", "receipt", "")}},
			{s.tr("Finance"), []Link{link("Invoices", "file-text", ""), link("Transactions", "arrow-left-right", "")}},
			{s.tr("Insight"), []Link{link("Tableviews", "table", ""), link("Reports", "chart-column", ""),
				link("Journal", "history", "")}},
			{s.tr("Settings"), []Link{link("General", "settings", ""), link("Styleguide", "eye", "")}},
		},
		Term: &Menu{Text: s.tr("Term: Autumn 2027"), Icon: "calendar", Links: []Link{
			{Text: s.tr("Autumn 2027"), Href: s.with("term", "3"), Current: true},
			{Text: s.tr("Spring 2028"), Href: s.with("term", "4")},
			{Text: s.tr("All terms"), Href: s.with("term", "all")},
		}},
		User: Menu{Text: s.tr("Marta Reis"), Icon: "user", Links: []Link{
			{Text: s.tr("My account"), Icon: "settings", Href: s.at("")},
			{Text: s.tr("Sign out"), Icon: "log-out", Href: s.at("")},
		}},
		Foot: s.foot(),
	}
}

// portal returns the frame of the portal.
func (s *sampleText) portal() *Portal {
	return &Portal{
		Home: s.at("form"),
		Nav: []Link{
			{Text: s.tr("Courses"), Href: s.at("form")},
			{Text: s.tr("My applications"), Href: s.at("form"), Current: true},
			{Text: s.tr("Messages"), Href: s.at("form"), Count: strconv.Itoa(2)},
		},
		User: &Menu{Text: s.tr("Sofia Almeida"), Icon: "user", Links: []Link{
			{Text: s.tr("Account"), Href: s.at("form")}, {Text: s.tr("Invoices"), Href: s.at("form")}, {Text: s.tr("Sign out"),
				Href: s.at("form")},
		}},
		Foot: s.foot(),
	}
}
