package version

import (
	"reflect"
	"strconv"
)

// Span is the range of versions that have a row, and how it stands there.
type Span struct {
	First, Last  Number
	IsDeprecated bool   // answered with a Deprecation link
	IsOpen       bool   // needs no key
	Successor    string // what replaces it after the last version
}

// Always is every version.
var Always = Span{First: Oldest, Last: Latest}

// Since is the versions from a change of the history on.
func Since(c *Change) Span { return Span{First: c.From, Last: Latest} }

// Before is the versions before a change of the history.
func Before(c *Change) Span { return Span{First: Oldest, Last: c.From - 1} }

// Deprecated returns the span as one that is deprecated.
func (s Span) Deprecated() Span { s.IsDeprecated = true; return s }

// Open returns the span as one that needs no key.
func (s Span) Open() Span { s.IsOpen = true; return s }

// ReplacedBy returns the span with what replaces it.
func (s Span) ReplacedBy(what string) Span { s.Successor = what; return s }

// Has reports whether the version is in the span.
func (s Span) Has(v Number) bool { return s.First <= v && v <= s.Last }

// Ends reports whether the row is deprecated or gone in the newest version.
func (s Span) Ends() bool { return s.IsDeprecated || !s.Has(Latest) }

// Tagged reports whether the tags since and until include the version.
func Tagged(tag reflect.StructTag, v Number) bool {
	bound := func(name string, otherwise Number) Number {
		if n, err := strconv.Atoi(tag.Get(name)); err == nil {
			return Number(n)
		}
		return otherwise
	}
	return Span{First: bound("since", Oldest), Last: bound("until", Latest)}.Has(v)
}
