package openapi

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
)

// How the wire structs become schemas. The types and
// the versions are those of the encoder (package wire): a test validates every golden answer, and
// every wire struct encoded, against what is made here.

// SchemaOf makes the schema of a wire type in the version of the document; an unknown type is a mistake of ours
// and panics, as in compile.
func (d *Document) SchemaOf(t reflect.Type) *schema.Schema {
	switch t {
	case wire.NullableType:
		return schema.OrNull(schema.Text())
	case wire.FullNameType:
		return schema.Text()
	case wire.LinkType:
		return d.Named("Link", &schema.Schema{Type: []string{"string", "null"}, Format: "uri-reference",
			Pattern:     "^" + d.prefix + "/",
			Description: "Path of a resource, root-relative, with the prefix of the request."})
	case wire.TimeType:
		return d.Named("Moment", &schema.Schema{Type: []string{"string", "null"}, Format: "date-time",
			Pattern:     schema.InstantPattern,
			Description: "A moment in UTC, in whole seconds; null when unset."})
	case wire.DateType:
		return d.Named("Day", &schema.Schema{Type: []string{"string", "null"}, Format: "date", Pattern: schema.DatePattern,
			Description: "A calendar day; null when unset."})
	case wire.HundredthsType:
		return d.Named("Decimal", &schema.Schema{Type: "string", Pattern: schema.DecimalPattern,
			Description: "A decimal with exactly two decimals."})
	case wire.LinkMapType:
		return d.Named("Links", schema.KeyedByID(d.SchemaOf(wire.LinkType)))
	}
	if t.Implements(wire.EmbeddingType) {
		return d.EmbeddedSchema(d.SchemaOf(t.Field(1).Type))
	}
	if t.Implements(wire.ByIDType) {
		return schema.KeyedByID(d.SchemaOf(t.Elem()))
	}
	switch t.Kind() {
	case reflect.String:
		return schema.Text()
	case reflect.Int, reflect.Int64:
		return &schema.Schema{Type: "integer"}
	case reflect.Bool:
		return &schema.Schema{Type: "boolean"}
	case reflect.Pointer:
		return schema.OrNull(d.SchemaOf(t.Elem()))
	case reflect.Slice:
		return schema.ListOf(d.SchemaOf(t.Elem()))
	case reflect.Map:
		return schema.OrNull(schema.KeyedByName(schema.Text()))
	case reflect.Struct:
		return d.Component(t)
	}
	panic(fmt.Sprintf("openapi: no schema for %s", t))
}

// EmbeddedSchema is a value, or what a key reads that may not read it at its own path (conventions.md 2).
func (d *Document) EmbeddedSchema(value *schema.Schema) *schema.Schema {
	if !d.Version.Has(version.WithheldLinks) {
		return schema.OrNull(value)
	}
	return &schema.Schema{AnyOf: []*schema.Schema{d.SchemaOf(wire.LinkType), value}}
}

// partialDate is a date of unknown precision.
func (d *Document) partialDate() *schema.Schema {
	const meaning = "A date of unknown precision; null when unset."
	if !d.Version.Has(version.SingleDates) {
		return d.Named("PartialDate", yearMonthSchema(meaning))
	}
	return d.Named("PartialDate", &schema.Schema{Type: []string{"string", "null"}, Pattern: schema.PartialPattern,
		Description: meaning})
}

// Named returns the reference to a schema that has its place among the components.
func (d *Document) Named(name string, s *schema.Schema) *schema.Schema {
	d.Schemas[name] = s
	return &schema.Schema{Ref: "#/components/schemas/" + name}
}

// Component returns the reference to the schema of a wire struct.
func (d *Document) Component(t reflect.Type) *schema.Schema {
	name := ComponentName(t)
	if known := d.types[name]; known == nil {
		d.types[name] = t
		d.Schemas[name] = nil // a struct may hold itself
		d.Schemas[name] = d.structSchema(t)
	} else if known != t {
		panic(fmt.Sprintf("openapi: %s and %s would both be %s in the OpenAPI documents", known, t, name))
	}
	return &schema.Schema{Ref: "#/components/schemas/" + name}
}

// Joined returns the reference to the schema of an object that several wire structs make together.
func (d *Document) Joined(name string, parts ...reflect.Type) *schema.Schema {
	whole := &schema.Schema{Type: "object"}
	for _, t := range parts {
		part := d.structSchema(t)
		whole.Properties = append(whole.Properties, part.Properties...)
		whole.Required = append(whole.Required, part.Required...)
	}
	return d.Named(name, whole)
}

// structSchema is an object with the fields that the version has, in their order. A field that may be left out
// is not required.
func (d *Document) structSchema(t reflect.Type) *schema.Schema {
	if t == wire.ContentType {
		return d.contentSchema()
	}
	s := &schema.Schema{Type: "object"}
	wire.FieldsOf(t, d.Version, func(f reflect.StructField, name string, omit bool) {
		value := d.inside(t, name)
		switch {
		case value != nil:
		case omit && f.Type.Kind() == reflect.Pointer:
			value = d.SchemaOf(f.Type.Elem()) // what is nil is left out
		default:
			value = d.SchemaOf(f.Type)
		}
		s.Properties = append(s.Properties, schema.Member{Name: name, Value: value})
		if !omit {
			s.Required = append(s.Required, name)
		}
	})
	return s
}

// ComponentName is the name of a wire struct among the components: applicantWire is Applicant.
func ComponentName(t reflect.Type) string {
	name := []rune(strings.TrimSuffix(t.Name(), "Wire"))
	name[0] = unicode.ToUpper(name[0])
	return string(name)
}

// Contained is what the encoder is given as complete JSON, so that the type of the field does not say it: links that
// may be expanded, and raw JSON. The encoder knows it by the table of package api.
type Contained struct {
	In     reflect.Type
	Field  string
	Schema func(*Document) *schema.Schema
}

// inside returns the schema of a field that the table has, nil for any other.
func (d *Document) inside(t reflect.Type, field string) *schema.Schema {
	table := d.tables.Contained
	at := slices.IndexFunc(table, func(c Contained) bool { return c.In == t && c.Field == field })
	if at < 0 {
		return nil
	}
	return table[at].Schema(d)
}

// problemSchema is the problem document of conventions.md 6.
func (d *Document) problemSchema() *schema.Schema {
	one := &schema.Schema{Type: "object", Required: []string{"detail"}, Properties: schema.Members{
		{Name: "parameter", Value: &schema.Schema{Type: "string",
			Description: "Name of a query or form parameter, or of a header."}},
		{Name: "pointer", Value: &schema.Schema{Type: "string", Format: "json-pointer",
			Description: "Place in a JSON body; empty for the body itself."}},
		{Name: "detail", Value: schema.Text()}, {Name: "code", Value: schema.Text()}}}
	return d.Named("Problem", &schema.Schema{Type: "object", Description: "A problem document (RFC 9457).",
		Required: []string{"type", "title", "status", "detail", "instance", "request_id"}, Properties: schema.Members{
			{Name: "type", Value: &schema.Schema{Type: "string", Format: "uri-reference", Pattern: "^/problems/",
				Description: "A page that says what it means and what to do."}},
			{Name: "title", Value: schema.Text()}, {Name: "status", Value: &schema.Schema{Type: "integer",
				Minimum: new(int64(400)), Maximum: new(int64(599))}},
			{Name: "detail", Value: schema.Text()}, {Name: "instance", Value: &schema.Schema{Type: "string",
				Description: "The path of the request."}},
			{Name: "request_id", Value: schema.Text()},
			{Name: "code", Value: &schema.Schema{Type: "string",
				Description: "The machine word of the first fault that has one."}},
			{Name: "errors", Value: &schema.Schema{Type: "array", Items: one, Description: "Every fault of the request."}}}})
}

// typeIs is the schema of a problem that is of one of these kinds.
func (d *Document) typeIs(kinds []admitto.Kind) *schema.Schema {
	var types []any
	for _, k := range kinds {
		types = append(types, "/problems/"+string(k))
	}
	return &schema.Schema{AllOf: []*schema.Schema{d.problemSchema(), {Properties: schema.Members{{Name: "type",
		Value: &schema.Schema{Enum: types}}}}}}
}
