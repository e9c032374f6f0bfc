package site

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/ui"
)

// Route is one page, or one action: the one place that says who may open it. Links and buttons to it are made from the
// same row, so a page never offers what its reader may not do.
type Route struct {
	Name    string // "applicant-block"; the messages title.<Name> and action.<Name> name the page and the button
	Path    string // pattern: "/admin/applicants/{id}/block"
	Access  Access
	Form    bool     // it is also posted to
	Only    bool     // it is only posted to
	Bare    bool     // it takes posts without the mark that every form of a signed-in reader carries
	Again   bool     // sending the same form again does what it says again: its mark is not remembered
	Files   bool     // its form has files
	Several bool     // each of the fields of its files takes several
	Methods []string // it is no page: it is asked in these ways only, and what is sent is no form
	Early   bool     // it is open before the page that Person.First names
	Calm    bool     // where nobody can be recognised, for the database does not answer, it is shown as to a stranger
	InList  bool     // its address says where in a list the record stands, and so do those of other pages of the record
	Part    bool     // it is about a part of such a record, whose ID is in its path: it says by PartOf of which one
	Parent  string
	On      func(*config.Settings) bool // nil: always; otherwise the page is there with these settings only
	Handle  func(*Request) error
}

// Access says who may open a page.
type Access struct {
	everyone bool
	any      []admitto.Permission // one of them is enough; none: everybody who is signed in
	also     []admitto.Permission // all of them are needed besides
	proved   bool
}

// Everyone opens a page to those who are not signed in, too.
func Everyone() Access { return Access{everyone: true} }

// SignedIn opens a page to everybody who is signed in.
func SignedIn() Access { return Access{} }

// Needs opens a page to those who have one of the permissions.
func Needs(first admitto.Permission, others ...admitto.Permission) Access {
	return Access{any: append([]admitto.Permission{first}, others...)}
}

// And wants another permission besides: that of the page that this one belongs to.
func (a Access) And(p admitto.Permission) Access {
	a.also = append(slices.Clone(a.also), p)
	return a
}

// Proved asks for the password or the second factor first, where that was last done more than ten minutes ago
// (lifecycle.md 12.1, screens.md A04).
func (a Access) Proved() Access {
	a.proved = true
	return a
}

// IsOpen reports whether the page is open to those who are not signed in.
func (a Access) IsOpen() bool { return a.everyone }

// Permissions are those of which one is enough.
func (a Access) Permissions() []admitto.Permission { return slices.Clone(a.any) }

// Permit reports whether somebody who is signed in may open the page with these permissions.
func (a Access) Permit(may admitto.Permissions) bool {
	_, lacking := a.lacks(may)
	return !lacking
}

// lacks finds the first permission that is missing.
func (a Access) lacks(may admitto.Permissions) (missing admitto.Permission, lacking bool) {
	if len(a.any) > 0 && !slices.ContainsFunc(a.any, may.Has) {
		return a.any[0], true
	}
	for _, p := range a.also {
		if !may.Has(p) {
			return p, true
		}
	}
	return 0, false
}

// permits reports whether a person may open the page.
func (a Access) permits(p *Person) bool {
	if a.everyone {
		return true
	}
	if p.Account == 0 {
		return false
	}
	return a.Permit(p.Caller.Permissions)
}

// routes are the routes of a site by name.
type routes map[string]*Route

func routesOf(list []Route) (routes, error) {
	all := routes{}
	for i := range list {
		route := &list[i]
		if route.Name == "" || route.Handle == nil || !strings.HasPrefix(route.Path, "/") || all[route.Name] != nil {
			return nil, fmt.Errorf("site: route %q has no name, path or function, or its name is taken", route.Name)
		}
		all[route.Name] = route
	}
	for _, route := range list {
		if route.Parent != "" && all[route.Parent] == nil {
			return nil, fmt.Errorf("site: route %q is below %q, which there is not", route.Name, route.Parent)
		}
	}
	return all, nil
}

// address fills the places of a path, in order.
func (r *Route) address(values ...any) string {
	var out strings.Builder
	rest := r.Path
	for _, v := range values {
		before, after, found := strings.Cut(rest, "{")
		if !found || strings.HasPrefix(after, "$}") {
			break
		}
		_, behind, _ := strings.Cut(after, "}")
		out.WriteString(before)
		out.WriteString(url.PathEscape(fmt.Sprint(v)))
		rest = behind
	}
	return out.String() + strings.TrimSuffix(rest, "{$}")
}

// At returns the address of a page, with the values of the places in its path. A name that there is not is a fault of
// ours: it panics, and a test opens every page.
func (r *Request) At(name string, values ...any) string { return r.route(name).address(values...) }

func (r *Request) route(name string) *Route {
	route := r.site.routes[name]
	if route == nil {
		panic("site: there is no route " + name)
	}
	return route
}

// May reports whether the reader may open the page. A page that is not built is open to nobody.
func (r *Request) May(name string) bool {
	route := r.site.routes[name]
	return route != nil && route.isOn(r) && route.Access.permits(&r.Person)
}

// isOn reports whether the page is there with the current settings.
func (r *Route) isOn(req *Request) bool { return r.On == nil || r.On(req.Settings()) }

// Known reports whether there is a page of that name.
func (r *Request) Known(name string) bool { return r.site.routes[name] != nil }

// Link returns the link to a page in the words of its title; ok is false for those who may not open it.
func (r *Request) Link(name string, values ...any) (link ui.Link, ok bool) {
	if !r.May(name) {
		return ui.Link{}, false
	}
	return ui.Link{Text: r.T("title." + name), Href: r.At(name, values...)}, true
}

// Buttons returns the buttons of the actions that the reader may do, each by name with the values of its path.
func (r *Request) Buttons(actions ...Action) (buttons []ui.Button) {
	for _, a := range actions {
		if !r.May(a.Name) {
			continue
		}
		b := a.Button
		b.Text, b.Href = r.T("action."+a.Name), r.Within(a.Name, a.Values...)
		buttons = append(buttons, b)
	}
	return buttons
}

// Action is an action that a page offers, with how its button looks.
type Action struct {
	Name   string
	Values []any
	Button ui.Button
}

// Do is a plain action.
func Do(name string, values ...any) Action { return Action{Name: name, Values: values} }

// Primary is the one primary action of a page.
func Primary(name string, values ...any) Action {
	return Action{Name: name, Values: values, Button: ui.Button{Primary: true}}
}

// Danger is an action that leads to a confirmation page (screens.md U6).
func Danger(name string, values ...any) Action {
	return Action{Name: name, Values: values, Button: ui.Button{Danger: true}}
}

// placesOf are the names of the places in a path.
func placesOf(path string) (names []string) {
	for {
		_, after, found := strings.Cut(path, "{")
		name, behind, closed := strings.Cut(after, "}")
		if !found || !closed {
			return names
		}
		if name != "$" {
			names = append(names, name)
		}
		path = behind
	}
}
