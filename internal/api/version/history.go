// Package version is the history of the API: its versions, the changes between them, and spans of versions, which rows
// of the route table, wire structs and request structs have. It imports admitto and config at most.
package version

import (
	"strconv"

	"github.com/admitto/admitto/internal/config"
)

// Number is a major version of the API.
type Number int

// Latest is the newest version, and the only one handlers know (conventions.md 8).
const Latest = Number(config.NewestVersion)

// Oldest is the first version that the code knows. What is served is told by api.oldest_version, which is not below it.
const Oldest = Number(config.OldestVersion)

// Change is one named difference between versions: behaviour that is so from a version on. Handlers ask
// v.Has(NotesCollection), never for a number.
type Change struct {
	From    Number
	Summary string // for the changelog
	// Touches names what it changes in documents that were published, as they call it ("get /applicants",
	// "components/schemas/Invoice"). TestOpenAPICommitted accepts no other difference from them. What is added needs no
	// name, and what has been committed does not need it any more.
	Touches []string
}

// The history, in order. Everything else that differs between versions stands in the rows of the route table or in
// the since and until tags of the wire structs.
var (
	OfferTypesByID   = &Change{From: 4, Summary: "Offer types are referenced by numeric ID, not by title: collection key, type, type-confirmed, the type path, byOfferTypes and journal events."}
	OfferOutcomes    = &Change{From: 4, Summary: "Applications read Accepted when they are Submitted and an offer was decided Final, and Rejected when they are Submitted or Closed and every offer was confirmed with a type that eliminates; byStatuses and the list of statuses agree."}
	NoApplicantFiles = &Change{From: 5, Summary: "The applicant documents list and paths are discontinued, replaced by the application documents paths."}
	NotesCollection  = &Change{From: 6, Summary: "Notes: GET gives a collection, POST creates a note, PUT is discontinued, PATCH is deprecated."}
	OwnStatuses      = &Change{From: 6, Summary: "Applications read the status that they have: Accepted and Rejected are gone, from byStatuses and the list of statuses too."}
	EmptyOmitted     = &Change{From: 8, Summary: "Empty repeating sections are omitted from application data; study plans are discontinued."}
	ExtensionsAdded  = &Change{From: 8, Summary: "Documents of tasks can be read below the task."}
	LoginAddresses   = &Change{From: 8, Summary: "Sign-ins of administrators: the field ipv4 is named ip."}
	SingleDates      = &Change{From: 9, Summary: "Dates are single strings; tableviews use alpha-2 codes; each extra field is an object with an ID."}
	RankingsAdded    = &Change{From: 10, Summary: "Rankings are added; offers gain applicant and application."}
	WithheldLinks    = &Change{From: 10, Summary: "To a limited key that may not read them at their own path, the collections of an invoice, the academic term of an intake and the amounts of a fee are the link to it; before: null."}
)

// History lists the changes by version, for the changelog.
func History() []*Change {
	return []*Change{OfferTypesByID, OfferOutcomes, NoApplicantFiles, NotesCollection, OwnStatuses, EmptyOmitted,
		ExtensionsAdded, LoginAddresses, SingleDates, RankingsAdded, WithheldLinks}
}

// Has reports whether the version behaves as the change says.
func (v Number) Has(c *Change) bool { return v >= c.From }

// Release is what is promised about a version. Dates are months; deprecated says that it is marked so
// whatever the dates.
type Release struct {
	Number            Number
	deprecated        bool
	Deprecation, Ends string // YYYY-MM, "" without date
}

// Releases is the specification's table of supported versions.
func Releases() []Release {
	return []Release{
		{Number: 1, deprecated: true}, {Number: 2, deprecated: true},
		{Number: 3, Deprecation: "2026-01", Ends: "2026-08"},
		{Number: 4}, {Number: 5}, {Number: 6}, {Number: 7}, {Number: 8}, {Number: 9}, {Number: 10},
	}
}

func (v Number) String() string { return strconv.Itoa(int(v)) }

// Release returns what is promised about the version.
func (v Number) Release() Release {
	for _, rel := range Releases() {
		if rel.Number == v {
			return rel
		}
	}
	return Release{Number: v}
}

// IsDeprecated reports whether the version is marked as deprecated.
func (r Release) IsDeprecated() bool { return r.deprecated || r.Deprecation != "" }

// Status is how a version stands; below the oldest served one it is discontinued.
func (r Release) Status(oldest int) string {
	switch {
	case int(r.Number) < oldest:
		return "discontinued"
	case r.deprecated:
		return "deprecated"
	}
	return "supported"
}

// Served reports whether requests may ask for the version.
func Served(settings *config.Settings, v Number) bool {
	return Span{First: Number(settings.API.OldestVersion), Last: Latest}.Has(v)
}
