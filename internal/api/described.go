package api

import (
	"reflect"

	"github.com/admitto/admitto/internal/api/openapi"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/config"
)

// OpenAPI returns the OpenAPI 3.1 document of a version as one line of JSON, the newest for 0. It fails for a version
// that the settings do not serve.
func OpenAPI(settings *config.Settings, number int) ([]byte, error) {
	return described().JSON(settings, number)
}

// OpenAPIUnversioned returns the OpenAPI 3.1 document of the paths without a version, as one line of JSON.
func OpenAPIUnversioned(settings *config.Settings) []byte { return described().Unversioned(settings) }

// ReferenceOf returns the reference of a version, nil for one that the settings do not serve.
func ReferenceOf(settings *config.Settings, number int) *openapi.Reference {
	return described().Reference(settings, number)
}

// Serves reports whether requests may ask for the version.
func Serves(settings *config.Settings, number int) bool {
	return version.Served(settings, version.Number(number))
}

// described is what the documents are made from.
func described() *openapi.Tables {
	t := &openapi.Tables{Contained: containedJSON()}
	for _, r := range routes {
		row := openapi.Row{Method: r.method, Path: r.path, Name: r.name, Summary: r.summary, In: r.in, Shape: r.shape}
		for _, other := range aliasesOf(r.method, r.path) {
			row.Aliases = append(row.Aliases, other.path)
		}
		for _, p := range deprecatedParameters() {
			if p.operation == r.method+" "+r.path {
				row.Deprecated = append(row.Deprecated, p.name)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// containedJSON is the table of all fields that the encoder is given as complete JSON: links that may be expanded, and
// raw JSON. A test wants every field of these types to have a line.
func containedJSON() []openapi.Contained {
	link := func(d *openapi.Document) *schema.Schema { return d.SchemaOf(wire.LinkType) }
	or := func(in, of reflect.Type, field string, all ...func(*openapi.Document) *schema.Schema) openapi.Contained {
		return openapi.Contained{In: in, Field: field, Schema: func(d *openapi.Document) *schema.Schema {
			s := &schema.Schema{}
			for _, one := range all {
				s.AnyOf = append(s.AnyOf, one(d))
			}
			if of != nil {
				s.AnyOf = append(s.AnyOf, schema.KeyedByID(d.Component(of)))
			}
			return s
		}}
	}
	applicant, application := reflect.TypeFor[applicantWire](), reflect.TypeFor[applicationWire]()
	return []openapi.Contained{
		or(applicant, reflect.TypeFor[trackerAssociationWire](), "trackers", link),
		or(applicant, reflect.TypeFor[applicantDocumentWire](), "documents", link),
		or(applicant, reflect.TypeFor[consentAssociationWire](), "consents", link),
		or(applicant, reflect.TypeFor[invoiceWire](), "invoices", link),
		or(applicant, reflect.TypeFor[wishWire](), "wishes", link),
		or(application, nil, "applicant", link, func(d *openapi.Document) *schema.Schema { return d.Component(applicant) }),
		or(application, reflect.TypeFor[flagAssociationWire](), "flags", link),
		or(application, reflect.TypeFor[courseAssociationWire](), "courses", link),
		or(application, reflect.TypeFor[offerWire](), "offers", link),
		or(application, reflect.TypeFor[fileWire](), "documents", link),
		or(application, reflect.TypeFor[scoreWire](), "scores", link),
		or(application, reflect.TypeFor[taskWire](), "tasks", link),
		{In: reflect.TypeFor[wire.Extra](), Field: "value", Schema: extraValueSchema},
		{In: reflect.TypeFor[intakeWire](), Field: "deadlines", Schema: func(d *openapi.Document) *schema.Schema {
			return schema.KeyedByName(d.Component(reflect.TypeFor[deadlineWire]()))
		}},
		{In: reflect.TypeFor[feeWire](), Field: "amounts", Schema: func(d *openapi.Document) *schema.Schema {
			return d.EmbeddedSchema(schema.KeyedByName(d.Component(reflect.TypeFor[feeAmountWire]())))
		}},
		{In: reflect.TypeFor[exportAdapter](), Field: "fields",
			Schema: func(*openapi.Document) *schema.Schema { return schema.KeyedByName(schema.Text()) }},
	}
}

// extraValueSchema is the value of an answer, whose JSON follows from the type of the question.
func extraValueSchema(d *openapi.Document) *schema.Schema {
	return &schema.Schema{Description: "By type: a number for number, a boolean for yesno, a list of texts for choices, an object for money, " +
		"a list of such records for section, a text for all others (a link for file); null when unset.",
		AnyOf: []*schema.Schema{{Type: []string{"string", "number", "boolean", "null"}}, schema.ListOf(schema.Text()),
			d.Component(reflect.TypeFor[moneyWire]()), schema.ListOf(d.Component(reflect.TypeFor[wire.Extra]()))}}
}
