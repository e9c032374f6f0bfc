package api

import (
	"reflect"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/api/openapi"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
)

// MissingShapes lists the operations whose rows do not say what they answer.
func MissingShapes() (names []string) {
	for _, r := range routes {
		if r.shape.Answer == nil {
			names = append(names, r.name)
		}
	}
	return names
}

// OperationOf returns the name of the operation that a path without prefix and query goes to in a version, "" for none.
func OperationOf(method, path string, v int) string {
	node, _ := newTree(routes).find(strings.Split(strings.Trim(path, "/"), "/"))
	if node == nil {
		return ""
	}
	row := node.row(method, version.Number(v))
	if row == nil {
		return ""
	}
	return row.name
}

// KnownParameters returns the names of all parameters that the interface has decoded since it was made.
func KnownParameters(a *API) (names []string) {
	return a.inputs.Known()
}

// UndocumentedJSON lists the fields of wire structs that hold complete JSON of which no table says what it is.
func UndocumentedJSON() (fields []string) {
	table := containedJSON()
	for _, t := range wireTypes {
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("wire"), ",")
			if isReady(f.Type) && !slices.ContainsFunc(table, func(c openapi.Contained) bool {
				return c.In == t &&
					c.Field == name
			}) {
				fields = append(fields, t.Name()+"."+f.Name)
			}
		}
	}
	return fields
}

// isReady reports whether a field of the type holds complete JSON.
func isReady(t reflect.Type) bool {
	return t == wire.ExpandableType || t == wire.RawType || t.Implements(wire.EmbeddingType) &&
		t.Field(1).Type == wire.RawType
}

// ContainedFields tells for each line of the table of complete JSON whether there is such a field.
func ContainedFields() map[string]bool {
	found := map[string]bool{}
	for _, c := range containedJSON() {
		key := c.In.Name() + " " + c.Field
		found[key] = slices.ContainsFunc(reflect.VisibleFields(c.In), func(f reflect.StructField) bool {
			name, _, _ := strings.Cut(f.Tag.Get("wire"), ",")
			return name == c.Field && isReady(f.Type)
		})
	}
	return found
}
