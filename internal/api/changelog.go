package api

import (
	"slices"

	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/config"
)

// What the documentation says about the versions, as plain data: package devdocs shows it.

// VersionChanges is what a version brought and how it stands.
type VersionChanges struct {
	Number       int
	Status       string
	Since, Ends  string // months
	IsServed     bool
	Changes      []string
	Appear, Gone []OperationName
	Marked       []OperationName // deprecated from this version on, and accepted still
}

// OperationName is an operation with the version whose reference describes it, 0 for none that is served.
type OperationName struct {
	Method, Path, Name string
	At                 int
}

// Changelog lists what every version brought, the newest first, from the history and the route table.
func Changelog(settings *config.Settings) (list []VersionChanges) {
	for _, rel := range slices.Backward(version.Releases()) {
		v := VersionChanges{Number: int(rel.Number), Status: rel.Status(settings.API.OldestVersion), Since: rel.Deprecation,
			Ends: rel.Ends, IsServed: version.Served(settings, rel.Number)}
		for _, c := range version.History() {
			if c.From == rel.Number {
				v.Changes = append(v.Changes, c.Summary)
			}
		}
		for i := range routes {
			r := &routes[i]
			before := rowIn(r, rel.Number-1)
			switch {
			case r.in.First == rel.Number && r.in.First != always.First && before == nil:
				v.Appear = append(v.Appear, operationIn(settings, r, rel.Number))
			case r.in.First == rel.Number && before != nil && r.in.IsDeprecated && !before.in.IsDeprecated:
				v.Marked = append(v.Marked, operationIn(settings, r, rel.Number))
			}
			if r.in.Last == rel.Number-1 && rowIn(r, rel.Number) == nil {
				v.Gone = append(v.Gone, operationIn(settings, r, rel.Number-1))
			}
		}
		list = append(list, v)
	}
	return list
}

// rowIn finds the row of the same method and path in another version, nil for none.
func rowIn(r *route, v version.Number) *route {
	i := slices.IndexFunc(routes, func(other route) bool {
		return other.method == r.method && other.path == r.path &&
			other.in.Has(v)
	})
	if i < 0 {
		return nil
	}
	return &routes[i]
}

// operationIn names an operation with a reference, if that version is served and the operation is built.
func operationIn(settings *config.Settings, r *route, v version.Number) OperationName {
	name := OperationName{r.method, r.path, r.name, 0}
	if version.Served(settings, v) {
		name.At = int(v)
	}
	return name
}

// OfferTypeNames says how the journal names types of offers in the versions that are served.
type OfferTypeNames struct {
	oldest version.Number
	ByID   int // the version from which on they are named by ID, and
	Titled int // the last version that names them by title; both 0 where none is served that does
}

// NamesOfOfferTypes returns how the journal names types of offers.
func NamesOfOfferTypes(settings *config.Settings) OfferTypeNames {
	n := OfferTypeNames{oldest: version.Number(settings.API.OldestVersion)}
	if !n.oldest.Has(version.OfferTypesByID) {
		n.nameByTitle()
	}
	return n
}
