package api

import (
	"regexp"
	"slices"

	"github.com/admitto/admitto/internal/api/wire"
)

// schema is one schema. Texts with a closed form say it as pattern, since format is only a remark in JSON Schema.
type schema struct {
	Ref                  string             `json:"$ref,omitempty"`
	Description          string             `json:"description,omitempty"`
	Type                 any                `json:"type,omitempty"` // a name, or a list of names
	Format               string             `json:"format,omitempty"`
	Pattern              string             `json:"pattern,omitempty"`
	Enum                 []any              `json:"enum,omitempty"`
	Minimum              *int64             `json:"minimum,omitempty"`
	Maximum              *int64             `json:"maximum,omitempty"`
	MinLength            *int               `json:"minLength,omitempty"`
	MaxLength            *int               `json:"maxLength,omitempty"`
	MinItems             *int               `json:"minItems,omitempty"`
	MaxItems             *int               `json:"maxItems,omitempty"`
	Default              any                `json:"default,omitempty"`
	Items                *schema            `json:"items,omitempty"`
	Properties           members            `json:"properties,omitempty"`
	Required             []string           `json:"required,omitempty"`
	PatternProperties    map[string]*schema `json:"patternProperties,omitempty"`
	AdditionalProperties *schema            `json:"additionalProperties,omitempty"` // nil: anything, since fields may be added
	AnyOf                []*schema          `json:"anyOf,omitempty"`
	AllOf                []*schema          `json:"allOf,omitempty"`
}

// member is a named part of an object of a document; members keep their order.
type member struct {
	name  string
	value any
}

type members []member

// MarshalJSON writes the members in their order.
func (m members) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for i, one := range m {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendJSON(append(wire.AppendString(dst, one.name), ':'), one.value)
	}
	return append(dst, '}'), nil
}

// The patterns of what has one form everywhere (resources.md 0.1 and 0.3).
const (
	idPattern      = `^[1-9][0-9]{0,17}$`
	momentPattern  = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\+00:00$`
	datePattern    = `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`
	partialPattern = `^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$`
	decimalPattern = `^-?[0-9]+\.[0-9]{2}$`
	maxID          = 999_999_999_999_999_999
)

func textSchema() *schema { return &schema{Type: "string"} }

// idSchema is an ID as a number.
func idSchema() *schema {
	return &schema{Type: "integer", Minimum: new(int64(1)), Maximum: new(int64(maxID))}
}

// orNull lets a schema of one plain type be null too.
func orNull(s *schema) *schema {
	if name, plain := s.Type.(string); plain && s.Enum == nil {
		changed := *s
		changed.Type = []string{name, "null"}
		return &changed
	}
	return &schema{AnyOf: []*schema{s, {Type: "null"}}}
}

// keyedByID is a collection: an object keyed by ID.
func keyedByID(element *schema) *schema {
	return &schema{Type: "object", PatternProperties: map[string]*schema{idPattern: element}}
}

// keyedByName is an object keyed by names.
func keyedByName(element *schema) *schema {
	return &schema{Type: "object", AdditionalProperties: element}
}

func listOfSchema(element *schema) *schema { return &schema{Type: "array", Items: element} }

// wordsSchema is a word of a closed set, in any letter case.
func wordsSchema(words []string) *schema {
	s := &schema{Type: "string"}
	for _, word := range words {
		s.Enum = append(s.Enum, word)
	}
	return s
}

// nested returns the object that is a member of an object, and makes it first.
func (s *schema) nested(name string) *schema {
	for _, m := range s.Properties {
		if m.name == name {
			return m.value.(*schema)
		}
	}
	inner := &schema{Type: []string{"object", "null"}}
	s.Properties = append(s.Properties, member{name, inner})
	return inner
}

// orNullInput lets an input be null, which is the same as nothing.
func orNullInput(s *schema) *schema {
	if names, several := s.Type.([]string); several {
		s.Type = append(slices.Clone(names), "null")
		return s
	}
	switch {
	case s.AnyOf != nil:
		s.AnyOf = append(slices.Clone(s.AnyOf), &schema{Type: "null"})
		return s
	case s.Type == nil:
		return s
	}
	return orNull(s)
}

// memberNamed returns the schema of a member of an object, nil when it is not named.
func (s *schema) memberNamed(name string) *schema {
	if i := slices.IndexFunc(s.Properties, func(m member) bool { return m.name == name }); i >= 0 {
		return s.Properties[i].value.(*schema)
	}
	for pattern, of := range s.PatternProperties {
		if matches, err := regexp.MatchString(pattern, name); err == nil && matches {
			return of
		}
	}
	return nil
}
