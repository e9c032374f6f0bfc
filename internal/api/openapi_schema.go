package api

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
)

// What the OpenAPI documents use of JSON Schema (2020-12), and how the wire structs become schemas. The types and
// the versions are those of the encoder (package wire): a test validates every golden answer, and
// every wire struct encoded, against what is made here.

// schemaOf makes the schema of a wire type in the version of the document; an unknown type is a mistake of ours
// and panics, as in compile.
func (d *apiDocument) schemaOf(t reflect.Type) *schema {
	switch t {
	case wire.NullableType:
		return orNull(textSchema())
	case wire.FullNameType:
		return textSchema()
	case wire.LinkType:
		return d.named("Link", &schema{Type: []string{"string", "null"}, Format: "uri-reference", Pattern: "^" + d.prefix + "/",
			Description: "Path of a resource, root-relative, with the prefix of the request."})
	case wire.TimeType:
		return d.named("Moment", &schema{Type: []string{"string", "null"}, Format: "date-time", Pattern: momentPattern,
			Description: "A moment in UTC, in whole seconds; null when unset."})
	case wire.DateType:
		return d.named("Day", &schema{Type: []string{"string", "null"}, Format: "date", Pattern: datePattern,
			Description: "A calendar day; null when unset."})
	case wire.HundredthsType:
		return d.named("Decimal", &schema{Type: "string", Pattern: decimalPattern, Description: "A decimal with exactly two decimals."})
	case wire.LinkMapType:
		return d.named("Links", keyedByID(d.schemaOf(wire.LinkType)))
	}
	if t.Implements(wire.EmbeddingType) {
		return d.embeddedSchema(d.schemaOf(t.Field(1).Type))
	}
	if t.Implements(wire.ByIDType) {
		return keyedByID(d.schemaOf(t.Elem()))
	}
	switch t.Kind() {
	case reflect.String:
		return textSchema()
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Pointer:
		return orNull(d.schemaOf(t.Elem()))
	case reflect.Slice:
		return listOfSchema(d.schemaOf(t.Elem()))
	case reflect.Map:
		return orNull(keyedByName(textSchema()))
	case reflect.Struct:
		return d.component(t)
	}
	panic(fmt.Sprintf("api: no schema for %s", t))
}

// embeddedSchema is a value, or what a key reads that may not read it at its own path (conventions.md 2).
func (d *apiDocument) embeddedSchema(value *schema) *schema {
	if !d.version.Has(version.WithheldLinks) {
		return orNull(value)
	}
	return &schema{AnyOf: []*schema{d.schemaOf(wire.LinkType), value}}
}

// partialDate is a date of unknown precision.
func (d *apiDocument) partialDate() *schema {
	const meaning = "A date of unknown precision; null when unset."
	if !d.version.Has(version.SingleDates) {
		return d.named("PartialDate", yearMonthSchema(meaning))
	}
	return d.named("PartialDate", &schema{Type: []string{"string", "null"}, Pattern: partialPattern, Description: meaning})
}

// named returns the reference to a schema that has its place among the components.
func (d *apiDocument) named(name string, s *schema) *schema {
	d.schemas[name] = s
	return &schema{Ref: "#/components/schemas/" + name}
}

// component returns the reference to the schema of a wire struct.
func (d *apiDocument) component(t reflect.Type) *schema {
	name := componentName(t)
	if known := d.types[name]; known == nil {
		d.types[name] = t
		d.schemas[name] = nil // a struct may hold itself
		d.schemas[name] = d.structSchema(t)
	} else if known != t {
		panic(fmt.Sprintf("api: %s and %s would both be %s in the OpenAPI documents", known, t, name))
	}
	return &schema{Ref: "#/components/schemas/" + name}
}

// joined returns the reference to the schema of an object that several wire structs make together.
func (d *apiDocument) joined(name string, parts ...reflect.Type) *schema {
	whole := &schema{Type: "object"}
	for _, t := range parts {
		part := d.structSchema(t)
		whole.Properties = append(whole.Properties, part.Properties...)
		whole.Required = append(whole.Required, part.Required...)
	}
	return d.named(name, whole)
}

// structSchema is an object with the fields that the version has, in their order. A field that may be left out
// is not required.
func (d *apiDocument) structSchema(t reflect.Type) *schema {
	if t == wire.ContentType {
		return d.contentSchema()
	}
	s := &schema{Type: "object"}
	wire.FieldsOf(t, d.version, func(f reflect.StructField, name string, omit bool) {
		value := d.inside(t, name)
		switch {
		case value != nil:
		case omit && f.Type.Kind() == reflect.Pointer:
			value = d.schemaOf(f.Type.Elem()) // what is nil is left out
		default:
			value = d.schemaOf(f.Type)
		}
		s.Properties = append(s.Properties, member{name, value})
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
	schema func(*apiDocument) *schema
}

// containedJSON is the table of all such fields: links that may be expanded, and raw JSON. A test wants every field
// of these types to have a line.
func containedJSON() []contained {
	link := func(d *apiDocument) *schema { return d.schemaOf(wire.LinkType) }
	or := func(in, of reflect.Type, field string, all ...func(*apiDocument) *schema) contained {
		return contained{in, field, func(d *apiDocument) *schema {
			s := &schema{}
			for _, one := range all {
				s.AnyOf = append(s.AnyOf, one(d))
			}
			if of != nil {
				s.AnyOf = append(s.AnyOf, keyedByID(d.component(of)))
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
		or(application, nil, "applicant", link, func(d *apiDocument) *schema { return d.component(applicant) }),
		or(application, reflect.TypeFor[flagAssociationWire](), "flags", link),
		or(application, reflect.TypeFor[courseAssociationWire](), "courses", link),
		or(application, reflect.TypeFor[offerWire](), "offers", link),
		or(application, reflect.TypeFor[fileWire](), "documents", link),
		or(application, reflect.TypeFor[scoreWire](), "scores", link),
		or(application, reflect.TypeFor[taskWire](), "tasks", link),
		{reflect.TypeFor[wire.Extra](), "value", extraValueSchema},
		{reflect.TypeFor[intakeWire](), "deadlines", func(d *apiDocument) *schema {
			return keyedByName(d.component(reflect.TypeFor[deadlineWire]()))
		}},
		{reflect.TypeFor[feeWire](), "amounts", func(d *apiDocument) *schema {
			return d.embeddedSchema(keyedByName(d.component(reflect.TypeFor[feeAmountWire]())))
		}},
		{reflect.TypeFor[exportAdapter](), "fields", func(*apiDocument) *schema { return keyedByName(textSchema()) }},
	}
}

// extraValueSchema is the value of an answer, whose JSON follows from the type of the question.
func extraValueSchema(d *apiDocument) *schema {
	return &schema{Description: "By type: a number for number, a boolean for yesno, a list of texts for choices, an object for money, " +
		"a list of such records for section, a text for all others (a link for file); null when unset.",
		AnyOf: []*schema{{Type: []string{"string", "number", "boolean", "null"}}, listOfSchema(textSchema()),
			d.component(reflect.TypeFor[moneyWire]()), listOfSchema(d.component(reflect.TypeFor[wire.Extra]()))}}
}

// inside returns the schema of a field that the table has, nil for any other.
func (d *apiDocument) inside(t reflect.Type, field string) *schema {
	table := containedJSON()
	at := slices.IndexFunc(table, func(c contained) bool { return c.in == t && c.field == field })
	if at < 0 {
		return nil
	}
	return table[at].schema(d)
}

// problemSchema is the problem document of conventions.md 6.
func (d *apiDocument) problemSchema() *schema {
	one := &schema{Type: "object", Required: []string{"detail"}, Properties: members{
		{"parameter", &schema{Type: "string", Description: "Name of a query or form parameter, or of a header."}},
		{"pointer", &schema{Type: "string", Format: "json-pointer", Description: "Place in a JSON body; empty for the body itself."}},
		{"detail", textSchema()}, {"code", textSchema()}}}
	return d.named("Problem", &schema{Type: "object", Description: "A problem document (RFC 9457).",
		Required: []string{"type", "title", "status", "detail", "instance", "request_id"}, Properties: members{
			{"type", &schema{Type: "string", Format: "uri-reference", Pattern: "^/problems/", Description: "A page that says what it means and what to do."}},
			{"title", textSchema()}, {"status", &schema{Type: "integer", Minimum: new(int64(400)), Maximum: new(int64(599))}},
			{"detail", textSchema()}, {"instance", &schema{Type: "string", Description: "The path of the request."}},
			{"request_id", textSchema()},
			{"code", &schema{Type: "string", Description: "The machine word of the first fault that has one."}},
			{"errors", &schema{Type: "array", Items: one, Description: "Every fault of the request."}}}})
}

// typeIs is the schema of a problem that is of one of these kinds.
func (d *apiDocument) typeIs(kinds []admitto.Kind) *schema {
	var types []any
	for _, k := range kinds {
		types = append(types, "/problems/"+string(k))
	}
	return &schema{AllOf: []*schema{d.problemSchema(), {Properties: members{{"type", &schema{Enum: types}}}}}}
}
