package api

import (
	"strconv"

	"github.com/admitto/admitto/internal/config"
)

// version is a major version of the API.
type version int

// latest is the newest version, and the only one handlers know (conventions.md 8).
const latest = version(config.NewestVersion)

// oldest is the first version that the code knows. What is served is told by api.oldest_version, which is not below it.
const oldest = version(config.OldestVersion)

// change is one named difference between versions: behaviour that is so from a version on. Handlers ask
// v.has(notesCollection), never for a number.
type change struct {
	from    version
	summary string // for the changelog
}

// The history, in order. Everything else that differs between versions stands in the rows of routes.go or in
// the since and until tags of the wire structs.
var (
	offerTypesByID   = &change{4, "Offer types are referenced by numeric ID, not by title: collection key, type, type-confirmed, the type path, byOfferTypes and journal events."}
	offerOutcomes    = &change{4, "Applications read Accepted when they are Submitted and an offer was decided Final, and Rejected when they are Submitted or Closed and every offer was confirmed with a type that eliminates; byStatuses and the list of statuses agree."}
	noApplicantFiles = &change{5, "The applicant documents list and paths are discontinued, replaced by the application documents paths."}
	notesCollection  = &change{6, "Notes: GET gives a collection, POST creates a note, PUT is discontinued, PATCH is deprecated."}
	ownStatuses      = &change{6, "Applications read the status that they have: Accepted and Rejected are gone, from byStatuses and the list of statuses too."}
	emptyOmitted     = &change{8, "Empty repeating sections are omitted from application data; study plans are discontinued."}
	extensionsAdded  = &change{8, "Documents of tasks can be read below the task."}
	loginAddresses   = &change{8, "Sign-ins of administrators: the field ipv4 is named ip."}
	singleDates      = &change{9, "Dates are single strings; tableviews use alpha-2 codes; each extra field is an object with an ID."}
	rankingsAdded    = &change{10, "Rankings are added; offers gain applicant and application."}
	withheldLinks    = &change{10, "To a limited key that may not read them at their own path, the collections of an invoice, the academic term of an intake and the amounts of a fee are the link to it; before: null."}
)

// history lists the changes by version, for the changelog.
func history() []*change {
	return []*change{offerTypesByID, offerOutcomes, noApplicantFiles, notesCollection, ownStatuses, emptyOmitted, extensionsAdded, loginAddresses, singleDates, rankingsAdded, withheldLinks}
}

// has reports whether the version behaves as the change says.
func (v version) has(c *change) bool { return v >= c.from }

// release is what is promised about a version. Dates are months; deprecated says that it is marked so
// whatever the dates.
type release struct {
	number            version
	deprecated        bool
	deprecation, ends string // YYYY-MM, "" without date
}

// releases is the specification's table of supported versions.
func releases() []release {
	return []release{
		{number: 1, deprecated: true}, {number: 2, deprecated: true},
		{number: 3, deprecation: "2026-01", ends: "2026-08"},
		{number: 4}, {number: 5}, {number: 6}, {number: 7}, {number: 8}, {number: 9}, {number: 10},
	}
}

func (v version) String() string { return strconv.Itoa(int(v)) }

// release returns what is promised about the version.
func (v version) release() release {
	for _, rel := range releases() {
		if rel.number == v {
			return rel
		}
	}
	return release{number: v}
}

// isDeprecated reports whether the version is marked as deprecated.
func (r release) isDeprecated() bool { return r.deprecated || r.deprecation != "" }

// status is how a version stands; below the oldest served one it is discontinued.
func (r release) status(oldest int) string {
	switch {
	case int(r.number) < oldest:
		return "discontinued"
	case r.deprecated:
		return "deprecated"
	}
	return "supported"
}

// served reports whether requests may ask for the version.
func served(settings *config.Settings, v version) bool {
	return span{first: version(settings.API.OldestVersion), last: latest}.has(v)
}
