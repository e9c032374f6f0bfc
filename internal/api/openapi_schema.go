package api

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

// schemaOf makes the schema of a wire type in the version of the document; an unknown type is a mistake of ours
// and panics, as in compile.
func (d *apiDocument) schemaOf(t reflect.Type) *schema.Schema {
	switch t {
	case wire.NullableType:
		return schema.OrNull(schema.Text())
	case wire.FullNameType:
		return schema.Text()
	case wire.LinkType:
		return d.named("Link", &schema.Schema{Type: []string{"string", "null"}, Format: "uri-reference", Pattern: "^" + d.prefix + "/",
			Description: "Path of a resource, root-relative, with the prefix of the request."})
	case wire.TimeType:
		return d.named("Moment", &schema.Schema{Type: []string{"string", "null"}, Format: "date-time", Pattern: schema.MomentPattern,
			Description: "A moment in UTC, in whole seconds; null when unset."})
	case wire.DateType:
		return d.named("Day", &schema.Schema{Type: []string{"string", "null"}, Format: "date", Pattern: schema.DatePattern,
			Description: "A calendar day; null when unset."})
	case wire.HundredthsType:
		return d.named("Decimal", &schema.Schema{Type: "string", Pattern: schema.DecimalPattern, Description: "A decimal with exactly two decimals."})
	case wire.LinkMapType:
		return d.named("Links", schema.KeyedByID(d.schemaOf(wire.LinkType)))
	}
	if t.Implements(wire.EmbeddingType) {
		return d.embeddedSchema(d.schemaOf(t.Field(1).Type))
	}
	if t.Implements(wire.ByIDType) {
		return schema.KeyedByID(d.schemaOf(t.Elem()))
	}
	switch t.Kind() {
	case reflect.String:
		return schema.Text()
	case reflect.Int, reflect.Int64:
		return &schema.Schema{Type: "integer"}
	case reflect.Bool:
		return &schema.Schema{Type: "boolean"}
	case reflect.Pointer:
		return schema.OrNull(d.schemaOf(t.Elem()))
	case reflect.Slice:
		return schema.ListOf(d.schemaOf(t.Elem()))
	case reflect.Map:
		return schema.OrNull(schema.KeyedByName(schema.Text()))
	case reflect.Struct:
		return d.component(t)
	}
	panic(fmt.Sprintf("api: no schema for %s", t))
}

// embeddedSchema is a value, or what a key reads that may not read it at its own path (conventions.md 2).
func (d *apiDocument) embeddedSchema(value *schema.Schema) *schema.Schema {
	if !d.version.Has(version.WithheldLinks) {
		return schema.OrNull(value)
	}
	return &schema.Schema{AnyOf: []*schema.Schema{d.schemaOf(wire.LinkType), value}}
}

// partialDate is a date of unknown precision.
func (d *apiDocument) partialDate() *schema.Schema {
	const meaning = "A date of unknown precision; null when unset."
	if !d.version.Has(version.SingleDates) {
		return d.named("PartialDate", yearMonthSchema(meaning))
	}
	return d.named("PartialDate", &schema.Schema{Type: []string{"string", "null"}, Pattern: schema.PartialPattern, Description: meaning})
}

// named returns the reference to a schema that has its place among the components.
func (d *apiDocument) named(name string, s *schema.Schema) *schema.Schema {
	d.schemas[name] = s
	return &schema.Schema{Ref: "#/components/schemas/" + name}
}

// component returns the reference to the schema of a wire struct.
func (d *apiDocument) component(t reflect.Type) *schema.Schema {
	name := componentName(t)
	if known := d.types[name]; known == nil {
		d.types[name] = t
		d.schemas[name] = nil // a struct may hold itself
		d.schemas[name] = d.structSchema(t)
	} else if known != t {
		panic(fmt.Sprintf("api: %s and %s would both be %s in the OpenAPI documents", known, t, name))
	}
	return &schema.Schema{Ref: "#/components/schemas/" + name}
}

// joined returns the reference to the schema of an object that several wire structs make together.
func (d *apiDocument) joined(name string, parts ...reflect.Type) *schema.Schema {
	whole := &schema.Schema{Type: "object"}
	for _, t := range parts {
		part := d.structSchema(t)
		whole.Properties = append(whole.Properties, part.Properties...)
		whole.Required = append(whole.Required, part.Required...)
	}
	return d.named(name, whole)
}

// structSchema is an object with the fields that the version has, in their order. A field that may be left out
// is not required.
func (d *apiDocument) structSchema(t reflect.Type) *schema.Schema {
	if t == wire.ContentType {
		return d.contentSchema()
	}
	s := &schema.Schema{Type: "object"}
	wire.FieldsOf(t, d.version, func(f reflect.StructField, name string, omit bool) {
		value := d.inside(t, name)
		switch {
		case value != nil:
		case omit && f.Type.Kind() == reflect.Pointer:
			value = d.schemaOf(f.Type.Elem()) // what is nil is left out
		default:
			value = d.schemaOf(f.Type)
		}
		s.Properties = append(s.Properties, schema.Member{Name: name, Value: value})
		if !omit {
			s.Required = append(s.Required, name)
		}
	})
	return s
}

// componentName is the name of a wire struct among the components: applicantWire is Applicant.
func componentName(t reflect.Type) string {
	name := []rune(strings.TrimSuffix(t.Name(), "Wire"))
	name[0] = unicode.ToUpper(name[0])
	return string(name)
}

// contained is what the encoder is given as complete JSON, so that the type of the field does not say it.
type contained struct {
	in     reflect.Type
	field  string
	schema func(*apiDocument) *schema.Schema
}

// containedJSON is the table of all such fields: links that may be expanded, and raw JSON. A test wants every field
// of these types to have a line.
func containedJSON() []contained {
	link := func(d *apiDocument) *schema.Schema { return d.schemaOf(wire.LinkType) }
	or := func(in, of reflect.Type, field string, all ...func(*apiDocument) *schema.Schema) contained {
		return contained{in, field, func(d *apiDocument) *schema.Schema {
			s := &schema.Schema{}
			for _, one := range all {
				s.AnyOf = append(s.AnyOf, one(d))
			}
			if of != nil {
				s.AnyOf = append(s.AnyOf, schema.KeyedByID(d.component(of)))
			}
			return s
		}}
	}
	applicant, application := reflect.TypeFor[applicantWire](), reflect.TypeFor[applicationWire]()
	return []contained{
		or(applicant, reflect.TypeFor[trackerAssociationWire](), "trackers", link),
		or(applicant, reflect.TypeFor[applicantDocumentWire](), "documents", link),
		or(applicant, reflect.TypeFor[consentAssociationWire](), "consents", link),
		or(applicant, reflect.TypeFor[invoiceWire](), "invoices", link),
		or(applicant, reflect.TypeFor[wishWire](), "wishes", link),
		or(application, nil, "applicant", link, func(d *apiDocument) *schema.Schema { return d.component(applicant) }),
		or(application, reflect.TypeFor[flagAssociationWire](), "flags", link),
		or(application, reflect.TypeFor[courseAssociationWire](), "courses", link),
		or(application, reflect.TypeFor[offerWire](), "offers", link),
		or(application, reflect.TypeFor[fileWire](), "documents", link),
		or(application, reflect.TypeFor[scoreWire](), "scores", link),
		or(application, reflect.TypeFor[taskWire](), "tasks", link),
		{reflect.TypeFor[wire.Extra](), "value", extraValueSchema},
		{reflect.TypeFor[intakeWire](), "deadlines", func(d *apiDocument) *schema.Schema {
			return schema.KeyedByName(d.component(reflect.TypeFor[deadlineWire]()))
		}},
		{reflect.TypeFor[feeWire](), "amounts", func(d *apiDocument) *schema.Schema {
			return d.embeddedSchema(schema.KeyedByName(d.component(reflect.TypeFor[feeAmountWire]())))
		}},
		{reflect.TypeFor[exportAdapter](), "fields", func(*apiDocument) *schema.Schema { return schema.KeyedByName(schema.Text()) }},
	}
}

// extraValueSchema is the value of an answer, whose JSON follows from the type of the question.
func extraValueSchema(d *apiDocument) *schema.Schema {
	return &schema.Schema{Description: "By type: a number for number, a boolean for yesno, a list of texts for choices, an object for money, " +
		"a list of such records for section, a text for all others (a link for file); null when unset.",
		AnyOf: []*schema.Schema{{Type: []string{"string", "number", "boolean", "null"}}, schema.ListOf(schema.Text()),
			d.component(reflect.TypeFor[moneyWire]()), schema.ListOf(d.component(reflect.TypeFor[wire.Extra]()))}}
}

// inside returns the schema of a field that the table has, nil for any other.
func (d *apiDocument) inside(t reflect.Type, field string) *schema.Schema {
	table := containedJSON()
	at := slices.IndexFunc(table, func(c contained) bool { return c.in == t && c.field == field })
	if at < 0 {
		return nil
	}
	return table[at].schema(d)
}

// problemSchema is the problem document of conventions.md 6.
func (d *apiDocument) problemSchema() *schema.Schema {
	one := &schema.Schema{Type: "object", Required: []string{"detail"}, Properties: schema.Members{
		{Name: "parameter", Value: &schema.Schema{Type: "string", Description: "Name of a query or form parameter, or of a header."}},
		{Name: "pointer", Value: &schema.Schema{Type: "string", Format: "json-pointer", Description: "Place in a JSON body; empty for the body itself."}},
		{Name: "detail", Value: schema.Text()}, {Name: "code", Value: schema.Text()}}}
	return d.named("Problem", &schema.Schema{Type: "object", Description: "A problem document (RFC 9457).",
		Required: []string{"type", "title", "status", "detail", "instance", "request_id"}, Properties: schema.Members{
			{Name: "type", Value: &schema.Schema{Type: "string", Format: "uri-reference", Pattern: "^/problems/", Description: "A page that says what it means and what to do."}},
			{Name: "title", Value: schema.Text()}, {Name: "status", Value: &schema.Schema{Type: "integer", Minimum: new(int64(400)), Maximum: new(int64(599))}},
			{Name: "detail", Value: schema.Text()}, {Name: "instance", Value: &schema.Schema{Type: "string", Description: "The path of the request."}},
			{Name: "request_id", Value: schema.Text()},
			{Name: "code", Value: &schema.Schema{Type: "string", Description: "The machine word of the first fault that has one."}},
			{Name: "errors", Value: &schema.Schema{Type: "array", Items: one, Description: "Every fault of the request."}}}})
}

// typeIs is the schema of a problem that is of one of these kinds.
func (d *apiDocument) typeIs(kinds []admitto.Kind) *schema.Schema {
	var types []any
	for _, k := range kinds {
		types = append(types, "/problems/"+string(k))
	}
	return &schema.Schema{AllOf: []*schema.Schema{d.problemSchema(), {Properties: schema.Members{{Name: "type", Value: &schema.Schema{Enum: types}}}}}}
}
