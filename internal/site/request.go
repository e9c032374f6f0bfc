package site

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/admitto/admitto/internal/web"
)

// Request is a request for a page, and what answers it. It belongs to the goroutine of the request.
type Request struct {
	*http.Request
	Person Person
	*ui.Locale

	site      *Site
	current   *Route
	info      *web.Info
	scheme    string
	typed     url.Values // of the form that was posted
	stamp     stamp      // of that form
	failed    bool       // the form is refused
	checks    bool       // use cases that it calls only check
	overtaken bool       // somebody else has saved since it was shown
	faulty    bool       // the page says that there is a problem
	title     string     // instead of the message of the route
	keptAt    string     // as KeepAt says
	titleLang string     // where it is not that of the page
	crumbs    map[string]string
	hidden    map[string]bool   // pages that are not on the way
	noWay     bool              // there are no crumbs
	places    map[string]string // of crumbs, instead of the addresses of their routes
	near      Neighbours
	whole     string    // the ID that PartOf was told
	carry     string    // of addresses of other pages of the same record
	steps     *ui.Steps // of the portal's frame
	search    ui.Search
	answer    func(http.ResponseWriter) error
	status    int // of the page; 0 is that all is well
	cookies   []*http.Cookie
	over      bool // what scripts read the page again and again for

	arrived context.Context     // before the session was read
	files   []*File             // of the form that was posted
	done    []*File             // of those, what needs no keeping
	tooMany []accounts.KeptFile // files after the most that a form may have
	taken   *accounts.FormAnswer
	ended   func() error // notes how the form that was sent has ended
}

// Names of cookies that last: they say nothing about the person.
const (
	langCookie   = "admitto_lang"
	schemeCookie = "admitto_scheme"
)

// Remembered is what a cookie of that name says, "" for nothing.
func (r *Request) Remembered(name string) string {
	if c, err := r.Cookie(name); err == nil {
		return c.Value
	}
	return ""
}

// Remember keeps a value for a year in a cookie that says nothing about the person.
func (r *Request) Remember(name, value string) { r.cookies = append(r.cookies, lasting(name, value)) }

// Recognise gives the browser a random cookie of that name until it is closed, unless it has one: Remembered reads it
// on the requests that follow, and no other browser sends the same.
func (r *Request) Recognise(name string) {
	if r.Remembered(name) != "" {
		return
	}
	r.cookies = append(r.cookies, &http.Cookie{Name: name, Value: rand.Text(), Path: "/", Secure: true, HttpOnly: true,
		SameSite: http.SameSiteLaxMode})
}

// lasting is a cookie that stays for a year.
func lasting(name, value string) *http.Cookie {
	return &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: 365 * 24 * 3600, Secure: true, HttpOnly: true,
		SameSite: http.SameSiteLaxMode}
}

// Speak goes on in a language that the reader has chosen for the account; "" is that of the browser.
func (r *Request) Speak(lang string) {
	r.Person.Lang = lang
	r.choose()
}

// choose picks language and scheme: those of the account, then of the cookie, then of the browser (screens.md U12).
func (r *Request) choose() {
	accept, wishes := r.Header.Get("Accept-Language"), []string{r.Person.Lang, r.Remembered(langCookie)}
	lang := r.site.Catalogue.Match(accept, wishes...)
	if r.site.Languages != nil {
		lang = r.site.Catalogue.MatchOf(r.Languages(), accept, wishes...)
	}
	if r.Locale == nil || r.Locale.Lang != lang {
		r.Locale = r.site.Catalogue.Locale(lang)
	}
	r.scheme = r.Person.Scheme
	if kept := r.Remembered(schemeCookie); r.scheme == "" && (kept == "light" || kept == "dark") {
		r.scheme = kept
	}
}

// T is a message in the language of the reader.
func (r *Request) T(key string, args ...any) string { return r.Text(key, args...) }

// Say is a sentence of a use case in the language of the reader.
func (r *Request) Say(t message.Text) string { return r.Locale.Say(t) }

// FirstLanguage is that of the instance, for a text that has no version in that of the reader; else "" (lifecycle.md
// R11).
func (r *Request) FirstLanguage(fallback bool) string {
	if languages := r.Settings().Instance.Languages; fallback && len(languages) > 0 && languages[0] != r.Lang {
		return languages[0]
	}
	return ""
}

// Version is a text that has versions in other languages, in that of the reader. Where there is none it is the first
// one, and lang says which language that is; else it is "". One that comes with the service is there in every language.
func (r *Request) Version(v admitto.Versions, name, first string) (text, lang string) {
	text, fallback := v.In(r.Lang, name, first)
	if said := r.Seeded(text); said != text {
		return said, ""
	}
	return r.Said(text, fallback)
}

// Seeded is a text that an instance begins with in the language of the reader, and every other one as it is.
func (r *Request) Seeded(text string) string { return r.Word(admitto.SeededTexts, text) }

// Said is a text of versions with its language, "" for that of the page.
func (r *Request) Said(text string, fallback bool) (said, lang string) {
	return text, r.FirstLanguage(fallback)
}

// Caller is who calls a use case on behalf of the reader, who has seen the row version of the form (0: none).
// Staff who look at the site as somebody else are nobody to the use cases that change something.
func (r *Request) Caller() usecase.Caller {
	if r.Person.LookedAtBy != "" {
		return usecase.Caller{}
	}
	return usecase.Caller{Caller: r.Person.Caller, Version: r.version(), Checks: r.checks, Whole: true}
}

// Reader is who reads.
func (r *Request) Reader() admitto.Caller { return r.Person.Caller }

// Client is the network address of the client, for throttling.
func (r *Request) Client() netip.Addr { return r.info.Client }

// RequestID is what the log and the journal name the request by.
func (r *Request) RequestID() string { return r.info.RequestID }

// Posted reports whether a form was sent.
func (r *Request) Posted() bool { return r.Method == http.MethodPost }

// Now is the current time.
func (r *Request) Now() admitto.Time { return r.site.now() }

// Zone is the zone of the institution.
func (r *Request) Zone() *time.Location { return r.site.Settings().Instance.Timezone }

// Clock writes a time in the zone of the institution (screens.md U13).
func (r *Request) Clock(t admitto.Time) string { return r.Time(t.Std().In(r.Zone())) }

// ExactClock is Clock to the second, where a deadline may depend on it.
func (r *Request) ExactClock(t admitto.Time) string { return r.ExactTime(t.Std().In(r.Zone())) }

// TimeOfDay is a time of today, to the second, where the institution is.
func (r *Request) TimeOfDay(t admitto.Time) string { return t.Std().In(r.Zone()).Format(time.TimeOnly) }

// Day writes a day.
func (r *Request) Day(t admitto.Time) string {
	return r.Date(t.Std().In(r.Zone()))
}

// Size says how large a file is.
func (r *Request) Size(bytes int64) string {
	const kilo = 1 << 10
	if bytes < 1000*kilo {
		return r.T("unit.kilobytes", "Size", r.Number(int((bytes+kilo-1)/kilo)))
	}
	unit, key := int64(kilo*kilo), "unit.megabytes"
	if bytes >= 1000*unit {
		unit, key = unit*kilo, "unit.gigabytes"
	}
	tenths := int((bytes*10 + unit/2) / unit)
	return r.T(key, "Size", r.Number(tenths/10)+r.T("number.decimal")+strconv.Itoa(tenths%10))
}

// Part is the text at a place of the path.
func (r *Request) Part(name string) string { return r.PathValue(name) }

// ID is the ID at the place {id} of the path; NotFound for what is no ID.
func (r *Request) ID() (int64, error) { return r.IDAt("id") }

// IDAt is the ID at a place of the path.
func (r *Request) IDAt(name string) (int64, error) {
	text := r.PathValue(name)
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != text {
		return 0, &admitto.Error{Kind: admitto.NotFound}
	}
	return id, nil
}

// SetGone says with the page that what the address was for is over: a link that was used, or whose time has passed.
func (r *Request) SetGone() { r.status = http.StatusGone }

// SetConflict has the page answer with status 409: something else stands in the way of what its form asks for.
func (r *Request) SetConflict() { r.status = http.StatusConflict }

// SetMissing says with the page that there is nothing at the address.
func (r *Request) SetMissing() { r.status = http.StatusNotFound }

// SetTitle names the page, for those whose title is not a message alone.
func (r *Request) SetTitle(title string) { r.title = title }

// SetTitleIn is SetTitle with the language of the title, "" for that of the page.
func (r *Request) SetTitleIn(title, lang string) { r.title, r.titleLang = title, lang }

// Title is the title of the page.
func (r *Request) Title() string {
	if r.title != "" || r.current == nil {
		return r.title
	}
	return r.T("title." + r.current.Name)
}

// SetSearch says what search engines are told about the page. They never list what somebody signed in sees.
func (r *Request) SetSearch(s ui.Search) { r.search = s }

// SetSteps puts steps next to the page of a portal.
func (r *Request) SetSteps(steps *ui.Steps) { r.steps = steps }

// Steps are those that SetSteps put there.
func (r *Request) Steps() *ui.Steps { return r.steps }

// Current reports whether the page, or one below it, is the named one.
func (r *Request) Current(name string) bool {
	for route := r.current; route != nil; route = r.site.routes[route.Parent] {
		if route.Name == name {
			return true
		}
	}
	return false
}

// Name is what the route of the page is called; "" where there is none.
func (r *Request) Name() string {
	if r.current == nil {
		return ""
	}
	return r.current.Name
}

// Settings are the current settings.
func (r *Request) Settings() *config.Settings { return r.site.Settings() }

// Languages are those that the site is offered in.
func (r *Request) Languages() []string {
	if r.site.Languages == nil {
		return r.site.Catalogue.Languages()
	}
	return r.site.Catalogue.Offered(r.site.Languages(r.site.Settings()))
}

// Instance is the name of the institution.
func (r *Request) Instance() string { return r.site.Settings().Instance.Name }

// Content is what the template of a page gets: what stands above it, and its own.
type Content struct {
	Top  ui.PageTop
	Page any
}

// Show answers with a page: main is what its template gets as .Page. A form that was refused answers with status 422.
func (r *Request) Show(name string, main any) error { return r.show(http.StatusOK, name, main) }

// Over says that what a part of the page was read again and again for is over: scripts that do load the whole page,
// since more of it has changed.
func (r *Request) Over() { r.over = r.Header.Get("HX-Request") == "true" }

func (r *Request) show(status int, name string, main any) error {
	if r.status != 0 && status == http.StatusOK {
		status = r.status
	}
	if r.failed && status == http.StatusOK {
		status = http.StatusUnprocessableEntity
	}
	page := &ui.Page{Title: r.Title(), Instance: r.Instance(), Failed: r.failed || r.faulty, Scheme: r.scheme,
		Frame: r.site.Frame(r), Search: r.search, Main: Content{r.top(), main}}
	page.Search.Hidden = page.Search.Hidden || r.Person.Account != 0
	if r.Person.Comfortable {
		page.Density = "comfortable"
	}
	if r.site.Style != nil {
		page.Style = r.site.Style(r.Settings())
	}
	var out bytes.Buffer
	if err := r.site.pages.Render(&out, r.Lang, name, page); err != nil {
		return err
	}
	body := r.stamped(out.Bytes())
	r.answer = func(w http.ResponseWriter) error {
		const html = "text/html; charset=utf-8"
		w.Header().Set("Vary", "Cookie, Accept-Language, Accept-Encoding")
		w.Header().Set("Content-Language", r.Lang)
		if r.over {
			w.Header().Set("HX-Refresh", "true")
		}
		if status == http.StatusOK {
			return r.site.Budget.Document(w, r.Request, html, body)
		}
		web.Send(w, r.Request, status, html, body)
		return nil
	}
	return nil
}

// Fragment answers with a part of a page that scripts put in the place of the one that is shown.
func (r *Request) Fragment(part ui.Component) error {
	var out bytes.Buffer
	if err := r.site.pages.RenderComponent(&out, r.Lang, part); err != nil {
		return err
	}
	body := out.Bytes()
	r.answer = func(w http.ResponseWriter) error {
		web.Send(w, r.Request, http.StatusOK, "text/html; charset=utf-8", body)
		return nil
	}
	return nil
}

// top is the way to the page, for those that are below another, and the notices that wait.
func (r *Request) top() ui.PageTop {
	top := ui.PageTop{Notices: r.notices()}
	if r.current == nil || r.current.Parent == "" || r.noWay || r.Person.Held {
		return top
	}
	links := []ui.Link{{Text: r.Title(), Lang: r.titleLang, Current: true}}
	for route := r.site.routes[r.current.Parent]; route != nil; route = r.site.routes[route.Parent] {
		var values []any
		for _, name := range placesOf(route.Path) {
			values = append(values, r.PathValue(name))
		}
		// The record that a part belongs to may never have been found, and its page then has no address.
		if elsewhere := r.current.Part && !route.Part; r.places[route.Name] == "" && len(values) > 0 &&
			(elsewhere && r.whole == "" || slices.Contains(values, any(""))) || r.hidden[route.Name] {
			continue
		}
		text := r.crumbs[route.Name]
		if text == "" {
			text = r.T("title." + route.Name)
		}
		href := r.places[route.Name]
		if href == "" {
			href = route.address(values...) + r.carried(route, values)
		}
		if !r.May(route.Name) {
			href = ""
		}
		links = append([]ui.Link{{Text: text, Href: href}}, links...)
	}
	top.Crumbs.Links = links
	return top
}

// NameCrumb is the text of a page on the way to this one, for those whose title is not a message alone.
func (r *Request) NameCrumb(route, text string) {
	if r.crumbs == nil {
		r.crumbs = map[string]string{}
	}
	r.crumbs[route] = text
}

// HideCrumbs shows no way to the page: what it is about belongs to nothing that can be opened.
func (r *Request) HideCrumbs() { r.noWay = true }

// HideCrumb takes a page out of the way to this one, for a record that was not found through it.
func (r *Request) HideCrumb(route string) {
	if r.hidden == nil {
		r.hidden = map[string]bool{}
	}
	r.hidden[route] = true
}

// LeadCrumb is where a page on the way to this one is found, for lists with their filters.
func (r *Request) LeadCrumb(route, address string) {
	if r.places == nil {
		r.places = map[string]string{}
	}
	r.places[route] = address
}

// Neighbours are the addresses of the records before and after this one in the list that one came from, "" for none.
type Neighbours struct{ Previous, Next string }

// Neighbours are those that LeadThrough found.
func (r *Request) Neighbours() Neighbours { return r.near }

// Redirect leads to another page of ours after a form was taken.
func (r *Request) Redirect(address string) error {
	if r.taken == nil {
		r.taken = &accounts.FormAnswer{Place: address}
	}
	r.answer = func(w http.ResponseWriter) error {
		w.Header().Set("Location", address)
		w.WriteHeader(http.StatusSeeOther)
		return nil
	}
	return nil
}

// To is Redirect to a page by name.
func (r *Request) To(name string, values ...any) error { return r.Redirect(r.Within(name, values...)) }

// Download answers with a file that write makes while it is sent.
func (r *Request) Download(name, contentType string, write func(io.Writer) error) error {
	r.answer = func(w http.ResponseWriter) error {
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s"`, name))
		return write(w)
	}
	return nil
}

// Inline answers with a file that pages show, such as a photo; it is closed.
func (r *Request) Inline(contentType string, content io.ReadCloser) error {
	r.answer = func(w http.ResponseWriter) error {
		defer content.Close() //nolint:errcheck // it was only read
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Disposition", "inline")
		_, err := io.Copy(w, content)
		return err
	}
	return nil
}

// Local reports whether an address leads to a page of this service, and nowhere else.
func Local(address string) bool {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || len(address) > 4000 {
		return false
	}
	for _, c := range []byte(address) {
		if c < ' ' || c == 0x7f || c == '\\' {
			return false
		}
	}
	u, err := url.Parse(address)
	return err == nil && u.Host == "" && u.Scheme == "" && u.User == nil
}

// Next is where the reader wanted to go, and otherwise the address given.
func (r *Request) Next(otherwise string) string {
	next := r.URL.Query().Get("next")
	if r.typed.Get("next") != "" {
		next = r.typed.Get("next")
	}
	if Local(next) {
		return next
	}
	return otherwise
}
