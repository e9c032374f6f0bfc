package api

import (
	"reflect"
	"strconv"
)

// span is the range of versions that have a row, and how it stands there.
type span struct {
	first, last  version
	isDeprecated bool   // answered with a Deprecation link
	isOpen       bool   // needs no key
	successor    string // what replaces it after the last version
}

// alwaysSpan is every version.
var alwaysSpan = span{first: oldest, last: latest}

// sinceChange is the versions from a change of the history on.
func sinceChange(c *change) span { return span{first: c.from, last: latest} }

// beforeChange is the versions before a change of the history.
func beforeChange(c *change) span { return span{first: oldest, last: c.from - 1} }

// deprecated returns the span as one that is deprecated.
func (s span) deprecated() span { s.isDeprecated = true; return s }

// open returns the span as one that needs no key.
func (s span) open() span { s.isOpen = true; return s }

// replacedBy returns the span with what replaces it.
func (s span) replacedBy(what string) span { s.successor = what; return s }

// has reports whether the version is in the span.
func (s span) has(v version) bool { return s.first <= v && v <= s.last }

// ends reports whether the row is deprecated or gone in the newest version.
func (s span) ends() bool { return s.isDeprecated || !s.has(latest) }

// tagged reports whether the tags since and until include the version.
func tagged(tag reflect.StructTag, v version) bool {
	bound := func(name string, otherwise version) version {
		if n, err := strconv.Atoi(tag.Get(name)); err == nil {
			return version(n)
		}
		return otherwise
	}
	return span{first: bound("since", oldest), last: bound("until", latest)}.has(v)
}
