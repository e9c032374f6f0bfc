package devdocs

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
)

var referencePath = regexp.MustCompile(`^/developers/v([1-9][0-9]{0,3})$`)

// developerPage finds the page of a path without a slash at the end.
func (d *Docs) developerPage(path string, about *samples) (page, bool) {
	switch path {
	case "/developers":
		return page{"index.html", "Admitto API", path, d.developerIndex()}, true
	case "/developers/changelog":
		return page{"changelog.html", "Changelog of the API", path, api.Changelog(d.settings())}, true
	case "/developers/events":
		return page{"events.html", "Events of the journal", path, d.eventCatalogue()}, true
	case "/developers/codes":
		return page{"codes.html", "Codes of refusals", path, admitto.RefusalCodes()}, true
	}
	if match := referencePath.FindStringSubmatch(path); match != nil {
		n, err := strconv.Atoi(match[1])
		if err != nil {
			return page{}, false
		}
		reference := api.ReferenceOf(d.settings(), n)
		if reference == nil {
			return page{}, false
		}
		return page{"reference.html", fmt.Sprintf("Reference of version %d", n), (*page)(nil).Reference(), reference}, true
	}
	for i, g := range Guides() {
		if path == "/developers/guides/"+g.Slug {
			return page{g.Slug + ".html", g.Title, "/developers/guides/first-call", d.guide(i, about)}, true
		}
	}
	return page{}, false
}

// Guide is a page for people that explains one matter; its text is in guides/{Slug}.html.
type Guide struct {
	Slug, Title, Summary string
}

// Guides are in the order in which one reads them.
func Guides() []Guide {
	return []Guide{
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
	Latest, Oldest, Default  int      // versions
	AuthSchemes              []string // words that are taken before apikey=
	Scheme                   string   // the one that examples have
	MaxLimit, MaxLimitExpand int
	Address                  string // of this instance
	HasOwnIDs                bool   // the calls have IDs of this instance
	Before, After            *Guide // neighbours, nil at the ends
	examples                 map[string]shownExample
}

func (d *Docs) guide(i int, about *samples) *guidePage {
	all := Guides()
	set := d.settings().API
	g := &guidePage{Latest: config.NewestVersion, Oldest: set.OldestVersion, Default: set.DefaultVersion,
		AuthSchemes: set.AuthSchemes,
		Scheme:      d.scheme(), MaxLimit: set.MaxLimit, MaxLimitExpand: set.MaxLimitExpand, Address: about.address,
		HasOwnIDs: about.ids != admitto.SampleIDs{}, examples: d.shownExamples(about)}
	if i > 0 {
		g.Before = &all[i-1]
	}
	if i+1 < len(all) {
		g.After = &all[i+1]
	}
	return g
}

// Example returns an example of guides/examples.txt to a template; there must be one of the name.
func (g *guidePage) Example(name string) (shownExample, error) {
	e, known := g.examples[name]
	if !known {
		return e, fmt.Errorf("there is no example %q", name)
	}
	return e, nil
}

// scheme is the word that clients write before the key.
func (d *Docs) scheme() string {
	return append(slices.Clone(d.settings().API.AuthSchemes), "SERVICE")[0]
}

// developerIndex is what /developers shows.
type developerIndex struct {
	Guides          []Guide
	Versions        []versionState // the newest first
	Latest, Default int
}

// versionState is a version that is served.
type versionState struct {
	api.VersionChanges
	IsDefault bool
}

func (d *Docs) developerIndex() *developerIndex {
	index := &developerIndex{Guides: Guides(), Latest: config.NewestVersion, Default: d.settings().API.DefaultVersion}
	for _, v := range api.Changelog(d.settings()) {
		if v.IsServed {
			index.Versions = append(index.Versions, versionState{v, v.Number == d.settings().API.DefaultVersion})
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
	api.OfferTypeNames
}

// HasTitle reports whether a version that names offer types by title has the title in place of the value.
func (*eventPage) HasTitle(k admitto.EventKind) bool { return admitto.BindsOfferType(k.Pattern) }

// eventCatalogue lists every event there can be, from the catalogue that the journal itself works by.
func (d *Docs) eventCatalogue() *eventPage {
	p := &eventPage{OfferTypeNames: api.NamesOfOfferTypes(d.settings())}
	for _, k := range admitto.EventKinds() {
		if n := len(p.Groups); n == 0 || p.Groups[n-1].Name != k.Group {
			p.Groups = append(p.Groups, eventGroup{Name: k.Group})
		}
		last := &p.Groups[len(p.Groups)-1]
		last.Events = append(last.Events, k)
	}
	return p
}
