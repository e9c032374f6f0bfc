package wire

import (
	"net/http"
	"reflect"
	"strings"
	"unsafe"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
)

// RightTag is the tag of a field that holds what has a path of its own.
//
// A record may hold what has a path of its own: because it was asked to expand the link, or in every answer. The wire
// field names that path in the tag right. To a key that may not read there, the field is the link, and null where the
// version has none: what every version holds as a whole is no link to the clients of the older ones (conventions.md 2).
// The encoder sees to it, so no record can be answered around it.
const RightTag = "right"

// Embedded is something that a record holds as a whole in every version, with the link to it.
type Embedded[T any] struct {
	Link  Link
	Value T
}

func (Embedded[T]) embeds() {}

// embedding is what every Embedded has.
type embedding interface{ embeds() }

// limitsOf returns what the plans of a key depend on: "" for a key that may read everything.
func limitsOf(key *admitto.Key) string {
	if key == nil || key.Scope != admitto.ScopeOperations {
		return ""
	}
	return strings.Join(key.Operations, "\n")
}

// mayRead reports whether the key may read at a path of the route table. Where none is asked for, anybody may.
func (e Encoder) mayRead(path string) bool {
	return e.Key == nil || e.Key.Allows(http.MethodGet, path)
}

// withhold lets a field of the type be its link, which lies first in memory where there is one, or null.
func (k compiler) withhold(f *wireField, t reflect.Type) {
	f.omit = false
	if t == ExpandableType || t.Implements(EmbeddingType) && k.version.Has(version.WithheldLinks) {
		f.kind = linkField
		return
	}
	f.kind, f.plan = otherField, func(dst []byte, _ unsafe.Pointer) []byte { return append(dst, "null"...) }
}
