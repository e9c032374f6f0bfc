package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/version"
)

// What of a request will end, as the version usage counts it for each key and operation. A deprecated version is told
// apart by how it came to be chosen, since the client that names none is helped by a setting, too.
const (
	usedVersion     = "version"
	usedUnversioned = "version, by default"
	usedPath        = "path"
	usedParameter   = "parameter " // and its name
)

// countEnding counts what of the request will end: its version, or the row that answers it. Whether it succeeds does
// not matter; the client has it in its program.
func (c *call) countEnding() {
	if c.version.Release().IsDeprecated() {
		if c.prefix == "/api" {
			c.countUse(usedUnversioned)
		} else {
			c.countUse(usedVersion)
		}
	}
	if c.row.in.Ends() {
		c.countUse(usedPath)
	}
}

// noteCall notes what the key called last.
func (c *call) noteCall() {
	if c.key != nil && c.key.ID != 0 {
		c.api.services.Keys.Called(c.key.ID, c.row.method+" "+c.row.path, int(c.version))
	}
}

// countUse counts one use of what will end. Nothing is counted where no key asks.
func (c *call) countUse(what string) {
	if c.key == nil || c.key.ID == 0 {
		return
	}
	c.api.services.Keys.Count(admitto.KeyUse{Key: c.key.ID, Operation: c.row.method + " " + c.row.path,
		Version: int(c.version), What: what})
}

// Instead says what a client should use in place of what the version lens counted for an operation, "GET
// /applicants/{id}/documents", in a version; "" when nothing replaces it.
func Instead(operation string, in int, what string) string {
	switch what {
	case usedVersion, usedUnversioned:
		return "version " + version.Latest.String()
	case usedPath:
		for _, r := range routes {
			if r.method+" "+r.path == operation && r.in.Has(version.Number(in)) {
				return r.in.Successor
			}
		}
		return ""
	}
	for _, d := range deprecatedParameters() {
		if d.operation == operation && usedParameter+d.name == what {
			return d.instead
		}
	}
	return ""
}

// Ends is the month (YYYY-MM) in which what the version lens counted for an operation ends; "" while it has no date.
func Ends(operation string, in int, what string) string {
	if what == usedPath {
		for _, r := range routes {
			if r.method+" "+r.path == operation && r.in.Has(version.Number(in)) && !r.in.Has(version.Latest) {
				return r.in.Last.Release().Ends
			}
		}
	}
	if what == usedVersion || what == usedUnversioned {
		return version.Number(in).Release().Ends
	}
	return ""
}

// deprecatedParameter is a parameter that is read but should not be sent any more.
type deprecatedParameter struct{ operation, name, instead string }

// deprecatedParameters is the table of them (resources.md).
func deprecatedParameters() []deprecatedParameter {
	return []deprecatedParameter{
		{"GET /applications", "byCommenceYear", "byAcademicYears"},
	}
}

// countParameters counts the deprecated parameters among those that were given.
func (c *call) countParameters(list params.Args) {
	if c.row == nil {
		return
	}
	for _, d := range deprecatedParameters() {
		if list[d.name] != nil && c.row.method+" "+c.row.path == d.operation {
			c.countUse(usedParameter + d.name)
		}
	}
}
