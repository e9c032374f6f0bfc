package sitetest

import (
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/site"
)

// Crawl opens every page that can be reached from one by links, most of each kind, for lists link to thousands of the
// same, and hands each to look. The short size opens at most a dozen kinds that differ in their parameters alone, as
// filters of a list link to one another. A link that leads nowhere, or to what the reader may not open, fails the test.
func (v *Visitor) Crawl(start string, most int, look func(p *Page)) (opened []string) {
	v.i.T.Helper()
	type step struct{ from, to string }
	waiting, seen := []step{{"", start}}, map[string]bool{start: true}
	kinds, paths, ofPath := map[string]int{}, map[string]int{}, apptest.Size(12, math.MaxInt)
	for len(waiting) > 0 {
		next := waiting[0]
		waiting = waiting[1:]
		kind := kindOf(next.to)
		path, _, _ := strings.Cut(kind, "?")
		if kinds[kind] == most || kinds[kind] == 0 && paths[path] == ofPath {
			continue
		} else if kinds[kind] == 0 {
			paths[path]++
		}
		kinds[kind]++
		p := v.Open(next.to)
		if p.Status >= 400 {
			v.i.T.Errorf("%s links to %s, which answers %d: %.300s", next.from, next.to, p.Status, p.Text("main"))
			continue
		}
		opened = append(opened, next.to)
		look(p)
		p.Find("a[href]").Each(func(_ int, s *goquery.Selection) {
			base, err := url.Parse(p.Path)
			if err != nil {
				return
			}
			to, err := base.Parse(s.AttrOr("href", ""))
			if err != nil || to.Host != "" || to.Scheme != "" || to.Path == "" {
				return
			}
			to.Fragment = ""
			if address := to.String(); !seen[address] && !strings.HasPrefix(to.Path, "/admin/styleguide") &&
				!strings.Contains(to.Path, "/choose/") && !strings.HasPrefix(to.Path, "/developers") {
				seen[address] = true
				waiting = append(waiting, step{p.Path, address})
			}
		})
	}
	return opened
}

// kindOf is the address without numbers and values: pages of one kind.
func kindOf(address string) string {
	path, query, _ := strings.Cut(address, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if part != "" && part[0] >= '0' && part[0] <= '9' {
			parts[i] = "N"
		}
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return path
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(parts, "/") + "?" + strings.Join(names, "&")
}

// Hostile is a text that must never become markup.
const Hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>\u202E'--`

// Harmless fails for a page in which a hostile text became markup. Files that are no pages have none.
func Harmless(t testing.TB, p *Page) {
	t.Helper()
	if !strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") {
		return // a file, which no browser shows as a page
	}
	for _, bad := range []string{"<script>alert", "<img src=x", " onerror=alert(1)>\""} {
		if at := strings.Index(p.Body, bad); at >= 0 {
			t.Errorf("%s: %s came through: %.200s", p.Path, bad, p.Body[max(0, at-100):])
		}
	}
}

// Cell is what one request for a route must be answered with: 200 stands for everything but a refusal.
func Cell(r *site.Route, may admitto.Permissions) (permitted bool) {
	return r.Access.IsOpen() || r.Access.Permit(may)
}

// Matrix requests every route of a site: by somebody who is not signed in, and by each of the visitors, who have the
// permissions given. Forms are sent from another origin, too. It fails for every cell that is answered otherwise than
// the table says. In short every route is requested by every third of the visitors, each time by other ones.
func (i *Instance) Matrix(s *site.Site, visitors map[string]*Visitor, may map[string]admitto.Permissions) {
	t := i.T
	t.Helper()
	names := slices.Sorted(maps.Keys(visitors))
	every := min(len(names), apptest.Size(3, 1))
	for k, route := range s.Routes() {
		path := addressOf(route.Path)
		methods := []string{http.MethodGet}
		if route.Only {
			methods = nil
		}
		if route.Only || route.Form {
			methods = append(methods, http.MethodPost)
		}
		if route.Methods != nil {
			methods = route.Methods
		}
		for _, method := range methods {
			p := i.Visitor().Do(method, path, url.Values{})
			toSignIn := p.Status == http.StatusSeeOther && strings.Contains(p.Header.Get("Location"), "sign-in")
			toScript := p.Status == http.StatusUnauthorized && route.Methods != nil
			if !toSignIn && !toScript && !route.Access.IsOpen() {
				t.Errorf("%s %s by nobody: %d to %s", method, path, p.Status, p.Header.Get("Location"))
			}
			if route.Name == "sign-out" { // it would end the sessions of the visitors
				continue
			}
			for at := k % every; at < len(names); at += every {
				name := names[at]
				v := visitors[name]
				p := v.Copied().Do(method, path, url.Values{})
				if refused := p.Status == http.StatusForbidden; refused == Cell(&route, may[name]) {
					t.Errorf("%s %s by %s: %d %s %.200s", method, path, name, p.Status, p.Header.Get("Location"), p.Text("main"))
				}
				if p.Status >= 500 {
					t.Errorf("%s %s by %s: %d", method, path, name, p.Status)
				}
				if strings.Contains(p.Body, "title."+route.Name) || strings.Contains(p.Body, "action."+route.Name) {
					t.Errorf("%s %s by %s shows the key of a message that is missing", method, path, name)
				}
				if method != http.MethodGet && method != http.MethodHead && method != http.MethodOptions {
					if p := v.Copied().foreign(method, path); p.Status != http.StatusForbidden {
						t.Errorf("%s from another origin is answered with %d", path, p.Status)
					}
				}
			}
		}
	}
}

// Copied has the same cookies; what it does to them stays with it.
func (v *Visitor) Copied() *Visitor {
	c := v.i.Visitor()
	for name, value := range v.cookies {
		c.cookies[name] = value
	}
	return c
}

// addressOf fills the places of a path: IDs are 1.
func addressOf(pattern string) string {
	var out strings.Builder
	rest := strings.TrimSuffix(pattern, "{$}")
	for {
		before, after, found := strings.Cut(rest, "{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		_, rest, _ = strings.Cut(after, "}")
		out.WriteString("1")
	}
}
