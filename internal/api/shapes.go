package api

import (
	"fmt"
	"net/http"
	"reflect"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/openapi"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
)

// The parameters of handlers that name theirs in place. A test compares them with what the handlers know.
type (
	expandInput struct {
		Expand params.Expansion `name:"expand"`
	}
	applicantApplicationsInput struct {
		Limit  params.Limit     `name:"limit"`
		Expand params.Expansion `name:"expand"`
		After  afterID          `name:"after"`
	}
	rankingsInput struct {
		Courses params.IDList `name:"byCourseIDs"`
		Terms   params.IDList `name:"byAcademicTermID"`
	}
)

// notesAnswer is a collection, before it one text (resources.md 0.6).
func notesAnswer() func(*openapi.Document) openapi.Answers {
	return openapi.Changed(version.NotesCollection, openapi.Object(openapi.Plain(schema.Schema{Type: "string"}), "ETag"),
		openapi.Many[noteWire]())
}

// wholeApplication is the record of one application: header and content.
func wholeApplication(d *openapi.Document) *schema.Schema {
	return d.Joined("WholeApplication", reflect.TypeFor[applicationWire](), reflect.TypeFor[wire.Content]())
}

// byState is for writes that the state of an object may forbid.
func byState() []admitto.Kind { return []admitto.Kind{admitto.NotAllowedNow} }

// alreadyThere is for creations of what there may be already.
func alreadyThere() []admitto.Kind { return []admitto.Kind{admitto.AlreadyExists} }

// codeBody is a code of an applicant by its setting, or what clears it.
func codeBody(name string) func(*openapi.Document) *schema.Schema {
	return func(d *openapi.Document) *schema.Schema {
		return &schema.Schema{Description: "The code, as text or as whole number; null and the empty text clear it.",
			AnyOf: []*schema.Schema{openapi.FieldOf[newApplicantInput](name)(d), {Type: "string", MaxLength: new(0)}}}
	}
}

// createdApplicant is the one creation whose body is empty unless the client asks for it.
func createdApplicant(d *openapi.Document) openapi.Answers {
	return openapi.Answers{Status: http.StatusCreated, Content: schema.Members{{Name: jsonType,
		Value: d.Component(reflect.TypeFor[applicantWire]())}},
		Headers: []string{"Location", "Preference-Applied"},
		Meaning: "Created; Location is its path. The body is empty unless the request says Prefer: return=representation."}
}

// noteShape is a change of notes on applicants or on offers, which share one contract (resources.md 0.6).
func noteShape(body openapi.Body, answer func(*openapi.Document) openapi.Answers) shape {
	return shape{Query: openapi.Query[colourInput](), Body: body, Answer: answer}
}

// noteBody is the text of a note.
func noteBody(*openapi.Document) *schema.Schema {
	return &schema.Schema{Type: "string", MinLength: new(1), MaxLength: new(maxNote),
		Description: "The text; it may have several lines."}
}

// newNoteBody is a note by its parameters, or its text.
func newNoteBody() openapi.Body { return openapi.Parameters[newNoteInput]().Or(noteBody) }

// decisionBody is a decision on an offer.
func decisionBody(*openapi.Document) *schema.Schema {
	return &schema.Schema{Type: "string", Enum: []any{admitto.DecisionNone, admitto.DecisionFinal,
		admitto.DecisionDeclined}}
}

// extraScoreBody is the extra score of an offer, or what clears it.
func extraScoreBody(*openapi.Document) *schema.Schema {
	return &schema.Schema{Type: []string{"string", "number", "null"}, Pattern: `^-?[0-9]{1,9}(\.[0-9]+)?$`,
		Description: fmt.Sprintf("A decimal from -%s to %s with at most two decimals; null clears the score.", maxExtraScore,
			maxExtraScore)}
}

// offerTypeBody names an offer type: by its title before the change; by its ID, its path or the answer to GET from it
// on.
func offerTypeBody(d *openapi.Document) *schema.Schema {
	if !d.Version.Has(version.OfferTypesByID) {
		return offerTypeTitleBody()
	}
	id := &schema.Schema{Type: []string{"integer", "string"}, Minimum: new(int64(1)), Maximum: new(int64(schema.MaxID))}
	return &schema.Schema{AnyOf: []*schema.Schema{id, d.Component(reflect.TypeFor[offerTypeOfOffer]())},
		Description: "The ID of an offer type, as a number or a text, its path, or the object that GET answers, of which the ID counts."}
}

// priorityAnswer is the priority of a course, priorityBody what sets it.
func priorityAnswer(*openapi.Document) *schema.Schema {
	return &schema.Schema{Type: "integer", Minimum: new(int64(1))}
}

func priorityBody(*openapi.Document) *schema.Schema {
	return &schema.Schema{Type: []string{"integer", "string"}, Minimum: new(int64(1)), Pattern: "^[0-9]+$"}
}

// taskStatusBody is the status of a task.
func taskStatusBody(*openapi.Document) *schema.Schema {
	return &schema.Schema{Type: "string", MinLength: new(1), MaxLength: new(maxTaskStatus),
		Description: "The name of a status."}
}

// createdApplication is the whole application, made or found.
func createdApplication(d *openapi.Document) openapi.Answers {
	return openapi.Answers{Status: http.StatusCreated, Other: http.StatusOK,
		Content: schema.Members{{Name: jsonType, Value: wholeApplication(d)}}, Headers: []string{"Location"},
		Meaning: "201: created. 200: the applicant has an application of the term, to which the course was added. Location is its path."}
}

// itemEntries are the items of a new invoice.
func itemEntries() openapi.Entries {
	return openapi.Entries{Name: itemsParameter, Members: reflect.TypeFor[newItemInput](), Most: admitto.MaxInvoiceItems}
}

// paged answers one page of a collection, which tells of the pages under a further key.
func paged[T any]() func(*openapi.Document) openapi.Answers {
	return func(d *openapi.Document) openapi.Answers {
		s := schema.KeyedByID(d.Component(reflect.TypeFor[T]()))
		s.Properties = schema.Members{{Name: "pages", Value: d.Component(reflect.TypeFor[pagesWire]())}}
		s.Required = []string{"pages"}
		return openapi.JSON(s, "ETag", "X-Count")
	}
}

// versionsSchema is the answer of /version.
func versionsSchema(d *openapi.Document) *schema.Schema {
	return d.Named("Versions", &schema.Schema{Type: "object", Required: []string{"version", "default", "versions"},
		Properties: schema.Members{{Name: "version", Value: &schema.Schema{Type: "integer",
			Description: "The newest version."}},
			{Name: "default", Value: &schema.Schema{Type: "integer", Description: "The version of requests without one."}},
			{Name: "versions", Value: schema.KeyedByName(d.Component(reflect.TypeFor[versionWire]()))}}})
}

// classificatorsSchema is every class with its codes and their titles.
func classificatorsSchema(*openapi.Document) *schema.Schema {
	return schema.KeyedByName(schema.KeyedByName(schema.Text()))
}

// reportAnswer is CSV, or JSON where Accept prefers it.
func reportAnswer(d *openapi.Document) openapi.Answers {
	report := d.Named("ReportData", &schema.Schema{Type: "object",
		Required: []string{"name", "title", "generated", "parameters", "columns", "rows"}, Properties: schema.Members{
			{Name: "name", Value: schema.Text()}, {Name: "title", Value: schema.Text()}, {Name: "generated",
				Value: d.SchemaOf(wire.TimeType)},
			{Name: "parameters", Value: d.Component(reflect.TypeFor[givenParameters]())}, {Name: "columns",
				Value: schema.ListOf(schema.Text())},
			{Name: "rows", Value: schema.ListOf(schema.KeyedByName(&schema.Schema{Type: []string{"string", "integer",
				"null"}}))}}})
	return openapi.Answers{Status: http.StatusOK, Content: schema.Members{{Name: "text/csv", Value: schema.Text()},
		{Name: jsonType, Value: report}},
		Headers: []string{"Content-Disposition", "Last-Modified", "Expires"},
		Meaning: "The table; JSON where Accept prefers it. Each report takes some of the parameters; GET /reports says which."}
}
