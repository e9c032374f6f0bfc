// Package sitetest is what tests of pages share: an instance with invented data, the pages on it, and visitors who open
// pages and send their forms as a browser without scripts does.
package sitetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/demo"
	"github.com/admitto/admitto/internal/portal"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

// Instance is an instance with its pages.
type Instance struct {
	*servicestest.Desk
	Admin, Portal *site.Site // nil where a test has sites of its own
	sites         []web.Site
}

// shelf has the files of all instances of the process with invented data, in memory.
var shelf = blob.InMemory()

// words and assets are those of all instances of the process.
var (
	words  = sync.OnceValues(func() (*ui.Catalogue, error) { return ui.NewCatalogue(admin.English()) })
	assets = sync.OnceValues(ui.NewAssets)
)

// filled is an instance with 60 invented applicants and everything around them.
var filled = storetest.Filled(func() admitto.Time { return admitto.TimeOf(servicestest.Began()) },
	func(ctx context.Context, s *store.Store) error {
		if err := s.Seed(ctx, "Northfield University", 2025); err != nil {
			return err
		}
		return demo.Fill(ctx, s, demo.Options{Applicants: 60, Seed: 1, Files: shelf})
	})

// Of is an instance with the sites given.
func Of(d *servicestest.Desk, sites ...web.Site) *Instance { return &Instance{Desk: d, sites: sites} }

// Filled is an instance with 60 invented applicants, on SQLite.
func Filled(t *testing.T) *Instance {
	t.Helper()
	d := servicestest.OnFile(t, filled)
	d.Shelf.Backend = shelf
	return On(d)
}

// On puts pages on an instance.
func On(d *servicestest.Desk) *Instance {
	d.T.Helper()
	catalogue, err := words()
	must(d.T, err)
	assets, err := assets()
	must(d.T, err)
	budget := web.NewBudget(64<<20, 2, 0)
	log := slog.New(slog.NewTextHandler(d.Log, nil))
	staff, err := admin.New(admin.Needs{Services: d.Services, Catalogue: catalogue, Assets: assets, Budget: budget,
		Key: servicestest.Key(), Clock: d.Clock.Now, Log: log,
		Operations: []string{"GET /applicants", "GET /applicants/{id}", "GET /ping", "POST /applicants"}})
	must(d.T, err)
	applicants, err := portal.New(portal.Needs{Services: d.Services, Catalogue: catalogue, Assets: assets, Budget: budget,
		Key: servicestest.Key(), Clock: d.Clock.Now, Log: log})
	must(d.T, err)
	return &Instance{Desk: d, Admin: staff, Portal: applicants, sites: append(staff.Sites(), applicants.Sites()...)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ServeHTTP answers as the server does, with the site of the longest prefix.
func (i *Instance) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var found web.Site
	for _, s := range i.sites {
		below := r.URL.Path == s.Prefix || strings.HasPrefix(r.URL.Path, s.Prefix+"/")
		if below && (found.Handler == nil || len(s.Prefix) > len(found.Prefix)) {
			found = s
		}
	}
	for name, value := range found.Headers {
		w.Header().Set(name, value)
	}
	found.Handler.ServeHTTP(w, r)
}

// Administrator makes a member of staff with a role for the permissions, and returns the ID.
func (i *Instance) Administrator(name string, permissions ...admitto.Permission) (id int64) {
	i.T.Helper()
	id = i.Number("SELECT COALESCE(max(id), 0) + 1 FROM administrator")
	role := i.Number("SELECT COALESCE(max(id), 0) + 1 FROM role WHERE id > 100") + 100
	email := strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@example.edu"
	i.Put(fmt.Sprintf("INSERT INTO administrator (id, name, email) VALUES (%d, '%s', '%s')", id, name, email),
		fmt.Sprintf("INSERT INTO role (id, name) VALUES (%d, 'Role of %s')", role, name),
		fmt.Sprintf("INSERT INTO administrator_role (administrator_id, role_id) VALUES (%d, %d)", id, role))
	for _, p := range permissions {
		i.Put(fmt.Sprintf("INSERT INTO role_permission (role_id, permission) VALUES (%d, '%s')", role, p))
	}
	return id
}

// Superuser makes a member of staff with the built-in role, and returns the ID.
func (i *Instance) Superuser(name string) int64 { return i.WithRole(name, 1) }

// WithRole makes a member of staff with a built-in role, and returns the ID.
func (i *Instance) WithRole(name string, role int64) (id int64) {
	i.T.Helper()
	id = i.Number("SELECT COALESCE(max(id), 0) + 1 FROM administrator")
	email := strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@example.edu"
	i.Put(fmt.Sprintf("INSERT INTO administrator (id, name, email) VALUES (%d, '%s', '%s')", id, name, email),
		fmt.Sprintf("INSERT INTO administrator_role (administrator_id, role_id) VALUES (%d, %d)", id, role))
	return id
}

// Cookie is the cookie of a new session of an account.
func (i *Instance) Cookie(area accounts.Area, account int64) *http.Cookie {
	i.T.Helper()
	token, now := rand.Text(), i.Clock.Now().Std()
	deadline := time.Now().Add(24 * time.Hour) // of the cookie: browsers have their own clock
	data, err := accounts.SessionCodec{}.Encode(deadline, map[string]any{
		accounts.SessionAccount: account, accounts.SessionBegun: now.UnixMilli(), accounts.SessionProved: now.UnixMilli()})
	must(i.T, err)
	must(i.T, i.Services.Accounts.SessionStore(area).CommitCtx(i.T.Context(), token, data, deadline))
	name := "__Host-admitto-staff"
	if area == accounts.Portal {
		name = "__Host-admitto-applicant"
	}
	return &http.Cookie{Name: name, Value: token}
}

// Visitor opens pages, and keeps cookies.
type Visitor struct {
	i       *Instance
	cookies map[string]string
	Lang    string // Accept-Language
}

// Visitor is somebody who has not signed in.
func (i *Instance) Visitor() *Visitor {
	return &Visitor{i: i, cookies: map[string]string{}, Lang: "en"}
}

// As is somebody who is signed in.
func (i *Instance) As(area accounts.Area, account int64) *Visitor {
	v, c := i.Visitor(), i.Cookie(area, account)
	v.cookies[c.Name] = c.Value
	return v
}

// Staff is a signed-in member of staff.
func (i *Instance) Staff(account int64) *Visitor { return i.As(accounts.Administration, account) }

// Applicant is a signed-in applicant.
func (i *Instance) Applicant(account int64) *Visitor { return i.As(accounts.Portal, account) }

// Cookie is one of the visitor's cookies.
func (v *Visitor) Cookie(name string) *http.Cookie {
	return &http.Cookie{Name: name, Value: v.cookies[name]}
}

// Page is an answer.
type Page struct {
	v      *Visitor
	parsed *goquery.Document // nil until something is looked for
	Status int
	Path   string // where it was found, after redirects
	Header http.Header
	Body   string
}

// Open opens a page, and follows where it leads.
func (v *Visitor) Open(path string) *Page { return v.Follow(v.Do(http.MethodGet, path, nil)) }

// Post sends a form to an address, and follows where it leads.
func (v *Visitor) Post(path string, form url.Values) *Page {
	return v.Follow(v.Do(http.MethodPost, path, form))
}

// Follow goes where an answer leads.
func (v *Visitor) Follow(p *Page) *Page {
	for n := 0; p.Status == http.StatusSeeOther; n++ {
		if n > 10 {
			v.i.T.Fatal("redirects go round: ", p.Path)
		}
		p = v.Do(http.MethodGet, p.Header.Get("Location"), nil)
	}
	return p
}

// Do sends one request, and follows nothing.
func (v *Visitor) Do(method, path string, form url.Values) *Page {
	v.i.T.Helper()
	path, _, _ = strings.Cut(path, "#") // which a browser keeps for itself
	r := httptest.NewRequestWithContext(v.i.T.Context(), method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Accept-Language", v.Lang)
	if method != http.MethodGet && method != http.MethodHead {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	return v.Send(r)
}

// foreign sends an empty form as the page of another site does.
func (v *Visitor) foreign(method, path string) *Page {
	v.i.T.Helper()
	r := httptest.NewRequestWithContext(v.i.T.Context(), method, path, strings.NewReader("a=b"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	return v.Send(r)
}

// Send sends a request with the visitor's cookies, and follows nothing.
func (v *Visitor) Send(r *http.Request) *Page {
	v.i.T.Helper()
	for name, value := range v.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	v.i.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if v.cookies[c.Name] = c.Value; c.MaxAge < 0 || c.Value == "" {
			delete(v.cookies, c.Name)
		}
	}
	p := &Page{v: v, Status: w.Code, Path: r.URL.RequestURI(), Header: w.Header(), Body: w.Body.String()}
	if strings.Contains(p.Body, "&lt;no value&gt;") {
		v.i.T.Errorf("%s: a message lacks a value", p.Path)
	}
	return p
}

// Find returns the elements that a CSS selector selects.
func (p *Page) Find(selector string) *goquery.Selection {
	p.v.i.T.Helper()
	if p.parsed == nil {
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(p.Body))
		must(p.v.i.T, err)
		p.parsed = doc
	}
	return p.parsed.Find(selector)
}

// Text is the text of what the selector finds, with single spaces.
func (p *Page) Text(selector string) string {
	return strings.Join(strings.Fields(p.Find(selector).Text()), " ")
}

// Errors are the lines of the error summary, without the labels of the fields. Each must lead to one.
func (p *Page) Errors() (lines []string) {
	p.v.i.T.Helper()
	p.Find(".errors li").Clone().Each(func(_ int, s *goquery.Selection) {
		field := s.Find("a").AttrOr("href", "")
		label, hasFields := strings.TrimSuffix(s.Find("b").Text(), ":"), p.Find("main form .field").Length() > 0
		if field == "#main" && hasFields || p.Find(field).Length() != 1 ||
			!strings.Contains(p.Find("main form").Text(), label) {
			p.v.i.T.Errorf("%s: the error summary says %q of %q at %q, which is no field", p.Path, s.Text(), label, field)
		}
		s.Find("b").Remove()
		lines = append(lines, strings.TrimSpace(s.Text()))
	})
	return lines
}

// Submit fills in the form that has the button with the words, presses it, and follows where that leads. fields are
// names and values in turns; a name may come twice for several values, and the value "-" takes a field out.
func (p *Page) Submit(button string, fields ...string) *Page {
	p.v.i.T.Helper()
	var pressed *goquery.Selection
	p.Find("form button").Each(func(_ int, s *goquery.Selection) {
		if strings.Join(strings.Fields(s.Text()), " ") == button {
			pressed = s
		}
	})
	if pressed == nil {
		p.v.i.T.Fatalf("%s has no button %q in a form: %.1500s", p.Path, button, p.Text("main"))
	}
	form := pressed.Closest("form")
	values := with(Typed(form), fields)
	if name := pressed.AttrOr("name", ""); name != "" {
		values.Set(name, pressed.AttrOr("value", ""))
	}
	action := pressed.AttrOr("formaction", form.AttrOr("action", p.Path))
	if form.AttrOr("method", "get") == "get" {
		return p.v.Open(strings.Split(action, "?")[0] + "?" + values.Encode())
	}
	return p.v.Post(action, values)
}

// with is the values with others that are typed, as in Submit.
func with(values url.Values, fields []string) url.Values {
	seen := map[string]bool{}
	for n := 0; n+1 < len(fields); n += 2 {
		name, value := fields[n], fields[n+1]
		if !seen[name] {
			values.Del(name)
		}
		if seen[name] = true; value != "-" {
			values.Add(name, value)
		}
	}
	return values
}

// TypedWith are the values that the first form of a page would send with others typed into it, as in Submit.
func TypedWith(p *Page, fields ...string) url.Values {
	return with(Typed(p.Find("form").First()), fields)
}

// Typed are the values that a form would send as it is.
func Typed(form *goquery.Selection) url.Values {
	values := url.Values{}
	form.Find("input, textarea, select").Each(func(_ int, s *goquery.Selection) {
		name := s.AttrOr("name", "")
		if _, off := s.Attr("disabled"); name == "" || off {
			return
		}
		switch kind := s.AttrOr("type", ""); {
		case goquery.NodeName(s) == "select":
			chosen := s.Find("option[selected]")
			if chosen.Length() == 0 {
				chosen = s.Find("option").First()
			}
			chosen.Each(func(_ int, o *goquery.Selection) { values.Add(name, o.AttrOr("value", o.Text())) })
		case goquery.NodeName(s) == "textarea":
			values.Add(name, s.Text())
		case kind == "checkbox" || kind == "radio":
			if _, on := s.Attr("checked"); on {
				values.Add(name, s.AttrOr("value", "on"))
			}
		case kind != "file":
			values.Add(name, s.AttrOr("value", ""))
		}
	})
	return values
}
