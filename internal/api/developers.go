package api

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// DeveloperPages answers everything below /developers: the list of what there is, a reference page for every version
// that is served, the guides, the catalogues of events and codes, the changelog that deprecated answers link to, and the OpenAPI
// documents /developers/openapi-v{n}.json. All are made from the tables that the interface itself works by. They need no key.
func (a *API) DeveloperPages() http.Handler {
	return a.withDocuments(a.pages(a.developerPage))
}

var referencePath = regexp.MustCompile(`^/developers/v([1-9][0-9]{0,3})$`)

// developerPage finds the page of a path without a slash at the end.
func (a *API) developerPage(path string, about *samples) (page, bool) {
	switch path {
	case "/developers":
		return page{"index.html", "Admitto API", path, a.developerIndex()}, true
	case "/developers/changelog":
		return page{"changelog.html", "Changelog of the API", path, a.changelog()}, true
	case "/developers/events":
		return page{"events.html", "Events of the journal", path, a.eventCatalogue()}, true
	case "/developers/codes":
		return page{"codes.html", "Codes of refusals", path, admitto.RefusalCodes()}, true
	}
	if match := referencePath.FindStringSubmatch(path); match != nil {
		n, err := strconv.Atoi(match[1])
		if err != nil || !served(a.settings, version(n)) {
			return page{}, false
		}
		return page{"reference.html", fmt.Sprintf("Reference of version %d", n), (*page)(nil).Reference(), a.reference(version(n))}, true
	}
	for i, g := range guides() {
		if path == "/developers/guides/"+g.Slug {
			return page{g.Slug + ".html", g.Title, "/developers/guides/first-call", a.guide(i, about)}, true
		}
	}
	return page{}, false
}

// guide is a page for people that explains one matter; its text is in guides/{Slug}.html.
type guide struct {
	Slug, Title, Summary string
}

// guides are in the order in which one reads them.
func guides() []guide {
	return []guide{
		{"first-call", "First call", "A key, an address, and the first answers."},
		{"keys", "Keys and permissions", "What a key may do, how it is sent, and what is refused."},
		{"reading", "Filters and incremental reading", "Lists, pages, and how to fetch only what is new."},
		{"errors", "Errors", "Problem documents, and what to do with which status."},
		{"quotas", "Quotas", "How many requests a key may send, and how to stay within."},
		{"idempotency", "Idempotency and conditional requests", "Sending a call again without doing something twice."},
		{"versions", "Versions and migration", "What a version promises, and how to move to a newer one."},
		{"files", "Files", "Documents, letters, tables: reading and uploading."},
		{"journal", "Journal", "Following everything that happens."},
	}
}

// guidePage is what the template of a guide may show.
type guidePage struct {
	Settings       Settings
	Latest, Oldest int
	Scheme         string // word before apikey=
	Address        string // of this instance
	HasOwnIDs      bool   // the calls have IDs of this instance
	Before, After  *guide // neighbours, nil at the ends
	examples       map[string]shownExample
}

func (a *API) guide(i int, about *samples) *guidePage {
	all := guides()
	g := &guidePage{Settings: a.settings, Latest: int(latest), Oldest: a.settings.OldestVersion, Scheme: a.scheme(), Address: about.address, HasOwnIDs: about.ids != admitto.SampleIDs{}, examples: a.shownExamples(about)}
	if i > 0 {
		g.Before = &all[i-1]
	}
	if i+1 < len(all) {
		g.After = &all[i+1]
	}
	return g
}

// Example gives an example of guides/examples.txt to a template; there must be one of the name.
func (g *guidePage) Example(name string) (shownExample, error) {
	e, known := g.examples[name]
	if !known {
		return e, fmt.Errorf("there is no example %q", name)
	}
	return e, nil
}

// scheme is the word that clients write before the key.
func (a *API) scheme() string {
	return append(slices.Clone(a.settings.AuthSchemes), "SERVICE")[0]
}

// developerIndex is what /developers shows.
type developerIndex struct {
	Guides          []guide
	Versions        []versionState // the newest first
	Latest, Default int
}

// versionState is a version that is served.
type versionState struct {
	Number              version
	Status, Since, Ends string
	IsDefault           bool
}

func (a *API) developerIndex() *developerIndex {
	index := &developerIndex{Guides: guides(), Latest: int(latest), Default: a.settings.DefaultVersion}
	for _, rel := range slices.Backward(releases()) {
		if served(a.settings, rel.number) {
			index.Versions = append(index.Versions, versionState{rel.number, rel.status(a.settings.OldestVersion), rel.deprecation, rel.ends, int(rel.number) == a.settings.DefaultVersion})
		}
	}
	return index
}

// eventGroup are the events about one matter.
type eventGroup struct {
	Name   string
	Events []admitto.EventKind
}

// eventPage is what /developers/events shows.
type eventPage struct {
	Groups []eventGroup
	Oldest version // that is served
	ByID   int     // the version from which on offer types are named by ID, and
	Titled int     // the last version that names them by title; both 0 where none is served that does
}

// HasTitle reports whether a version that names offer types by title has the title in place of the value.
func (*eventPage) HasTitle(k admitto.EventKind) bool { return admitto.BindsOfferType(k.Pattern) }

// eventCatalogue lists every event there can be, from the catalogue that the journal itself works by.
func (a *API) eventCatalogue() *eventPage {
	p := &eventPage{Oldest: version(a.settings.OldestVersion)}
	if !p.Oldest.has(offerTypesByID) {
		p.nameByTitle()
	}
	for _, k := range admitto.EventKinds() {
		if n := len(p.Groups); n == 0 || p.Groups[n-1].Name != k.Group {
			p.Groups = append(p.Groups, eventGroup{Name: k.Group})
		}
		last := &p.Groups[len(p.Groups)-1]
		last.Events = append(last.Events, k)
	}
	return p
}

// versionChanges is what a version brought and how it stands.
type versionChanges struct {
	Number       version
	Status       string
	Since, Ends  string // months
	IsServed     bool
	Changes      []string
	Appear, Gone []operationName
	Marked       []operationName // deprecated from this version on, and accepted still
}

// operationName is an operation with the version whose reference describes it, 0 for none that is served.
type operationName struct {
	Method, Path, Name string
	At                 version
}

// changelog lists what every version brought, the newest first, from the history and THE table.
func (a *API) changelog() (list []versionChanges) {
	for _, rel := range slices.Backward(releases()) {
		v := versionChanges{Number: rel.number, Status: rel.status(a.settings.OldestVersion), Since: rel.deprecation, Ends: rel.ends, IsServed: served(a.settings, rel.number)}
		for _, c := range history() {
			if c.from == rel.number {
				v.Changes = append(v.Changes, c.summary)
			}
		}
		for i := range routes {
			r := &routes[i]
			before := rowIn(r, rel.number-1)
			switch {
			case r.in.first == rel.number && r.in.first != always.first && before == nil:
				v.Appear = append(v.Appear, a.operationIn(r, rel.number))
			case r.in.first == rel.number && before != nil && r.in.isDeprecated && !before.in.isDeprecated:
				v.Marked = append(v.Marked, a.operationIn(r, rel.number))
			}
			if r.in.last == rel.number-1 && rowIn(r, rel.number) == nil {
				v.Gone = append(v.Gone, a.operationIn(r, rel.number-1))
			}
		}
		list = append(list, v)
	}
	return list
}

// rowIn finds the row of the same method and path in another version, nil for none.
func rowIn(r *route, v version) *route {
	i := slices.IndexFunc(routes, func(other route) bool { return other.method == r.method && other.path == r.path && other.in.has(v) })
	if i < 0 {
		return nil
	}
	return &routes[i]
}

// operationIn names an operation with a reference, if that version is served and the operation is built.
func (a *API) operationIn(r *route, v version) operationName {
	name := operationName{r.method, r.path, r.name, 0}
	if _, known := shapes()[r.name]; known && served(a.settings, v) && r.serve != nil {
		name.At = v
	}
	return name
}

// statusText is the usual word for a status, "" for one that has none.
func statusText(status string) string {
	n, _ := strconv.Atoi(strings.TrimSpace(status))
	return http.StatusText(n)
}
