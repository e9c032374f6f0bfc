// Package schema is what the OpenAPI documents use of JSON Schema (2020-12). Parameters describe themselves with it.
package schema

import (
	"regexp"
	"slices"

	"github.com/admitto/admitto/internal/api/wire"
)

// Schema is one schema. Texts with a closed form say it as pattern, since format is only a remark in JSON Schema.
type Schema struct {
	Ref               string             `json:"$ref,omitempty"`
	Description       string             `json:"description,omitempty"`
	Type              any                `json:"type,omitempty"` // a name, or a list of names
	Format            string             `json:"format,omitempty"`
	Pattern           string             `json:"pattern,omitempty"`
	Enum              []any              `json:"enum,omitempty"`
	Minimum           *int64             `json:"minimum,omitempty"`
	Maximum           *int64             `json:"maximum,omitempty"`
	MinLength         *int               `json:"minLength,omitempty"`
	MaxLength         *int               `json:"maxLength,omitempty"`
	MinItems          *int               `json:"minItems,omitempty"`
	MaxItems          *int               `json:"maxItems,omitempty"`
	Default           any                `json:"default,omitempty"`
	Items             *Schema            `json:"items,omitempty"`
	Properties        Members            `json:"properties,omitempty"`
	Required          []string           `json:"required,omitempty"`
	PatternProperties map[string]*Schema `json:"patternProperties,omitempty"`
	// nil: anything, since fields may be added
	AdditionalProperties *Schema   `json:"additionalProperties,omitempty"`
	AnyOf                []*Schema `json:"anyOf,omitempty"`
	AllOf                []*Schema `json:"allOf,omitempty"`
}

// Member is a named part of an object of a document; members keep their order.
type Member struct {
	Name  string
	Value any
}

// Members are those of one object.
type Members []Member

// MarshalJSON writes the members in their order.
func (m Members) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for i, one := range m {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendJSON(append(wire.AppendString(dst, one.Name), ':'), one.Value)
	}
	return append(dst, '}'), nil
}

// The patterns of what has one form everywhere (resources.md 0.1 and 0.3).
const (
	IDPattern      = `^[1-9][0-9]{0,17}$`
	InstantPattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\+00:00$`
	BlobPattern    = `^[1-9][0-9]{0,8}-[0-9a-f]{16}$`
	DatePattern    = `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`
	PartialPattern = `^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$`
	DecimalPattern = `^-?[0-9]+\.[0-9]{2}$`
	MaxID          = 999_999_999_999_999_999
)

// Text is a text of any length.
func Text() *Schema { return &Schema{Type: "string"} }

// ID is an ID as a number.
func ID() *Schema {
	return &Schema{Type: "integer", Minimum: new(int64(1)), Maximum: new(int64(MaxID))}
}

// OrNull lets a schema of one plain type be null too.
func OrNull(s *Schema) *Schema {
	if name, plain := s.Type.(string); plain && s.Enum == nil {
		changed := *s
		changed.Type = []string{name, "null"}
		return &changed
	}
	return &Schema{AnyOf: []*Schema{s, {Type: "null"}}}
}

// KeyedByID is a collection: an object keyed by ID.
func KeyedByID(element *Schema) *Schema {
	return &Schema{Type: "object", PatternProperties: map[string]*Schema{IDPattern: element}}
}

// KeyedByName is an object keyed by names.
func KeyedByName(element *Schema) *Schema {
	return &Schema{Type: "object", AdditionalProperties: element}
}

// ListOf is a list of elements.
func ListOf(element *Schema) *Schema { return &Schema{Type: "array", Items: element} }

// Words is a word of a closed set, in any letter case.
func Words(words []string) *Schema {
	s := &Schema{Type: "string"}
	for _, word := range words {
		s.Enum = append(s.Enum, word)
	}
	return s
}

// Nested returns the object that is a member of an object, and makes it first.
func (s *Schema) Nested(name string) *Schema {
	for _, m := range s.Properties {
		if m.Name == name {
			return m.Value.(*Schema)
		}
	}
	inner := &Schema{Type: []string{"object", "null"}}
	s.Properties = append(s.Properties, Member{name, inner})
	return inner
}

// InputOrNull lets an input be null, which is the same as nothing.
func InputOrNull(s *Schema) *Schema {
	if names, several := s.Type.([]string); several {
		s.Type = append(slices.Clone(names), "null")
		return s
	}
	switch {
	case s.AnyOf != nil:
		s.AnyOf = append(slices.Clone(s.AnyOf), &Schema{Type: "null"})
		return s
	case s.Type == nil:
		return s
	}
	return OrNull(s)
}

// MemberNamed returns the schema of a member of an object, nil when it is not named.
func (s *Schema) MemberNamed(name string) *Schema {
	if i := slices.IndexFunc(s.Properties, func(m Member) bool { return m.Name == name }); i >= 0 {
		return s.Properties[i].Value.(*Schema)
	}
	for pattern, of := range s.PatternProperties {
		if matches, err := regexp.MatchString(pattern, name); err == nil && matches {
			return of
		}
	}
	return nil
}
