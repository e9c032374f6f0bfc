package api

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/openapi"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
)

// byState is for writes that the state of an object may forbid.
func byState() []admitto.Kind { return []admitto.Kind{admitto.NotAllowedNow} }

// writes are the shapes of what changes something.
func writes() map[string]openapi.Shape {
	all := applicantWrites()
	for _, part := range []map[string]openapi.Shape{noteWrites(), offerWrites(), applicationWrites(), scoreWrites(),
		financeWrites()} {
		maps.Copy(all, part)
	}
	return all
}

// applicantWrites are those below /applicants, and of trackers and flags.
func applicantWrites() map[string]openapi.Shape {
	existing := []admitto.Kind{admitto.AlreadyExists}
	return map[string]openapi.Shape{
		"createApplicant": {Body: openapi.Parameters[newApplicantInput](), Answer: createdApplicant,
			Refuses: []admitto.Kind{admitto.AlreadyExists, admitto.MailRefused}},
		"setApplicantReference":     {Body: openapi.Values(codeBody("reference")), Answer: openapi.Nothing()},
		"setApplicantMatriculation": {Body: openapi.Values(codeBody("matriculation")), Answer: openapi.Nothing()},
		"setApplicantTracker":       {Answer: openapi.Nothing()},
		"deleteApplicantTracker":    {Answer: openapi.Nothing()},
		"createApplicantEmail": {Body: openapi.Parameters[newEmailInput](), Answer: openapi.Created[emailWire](),
			Refuses: byState()},
		"createApplicantsTracker": {Body: openapi.Parameters[newTrackerInput](), Answer: openapi.Created[trackerWire](),
			Refuses: existing},
		"deleteApplicantsTracker": {Answer: openapi.Nothing()},
		"createApplicationsFlag": {Body: openapi.Parameters[newFlagInput](), Answer: openapi.Created[flagWire](),
			Refuses: existing},
		"deleteApplicationsFlag": {Answer: openapi.Nothing()},
	}
}

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

// noteWrites are those of notes on applicants and on offers, which share one contract (resources.md 0.6).
func noteWrites() map[string]openapi.Shape {
	text := openapi.Plain(schema.Schema{Type: "string", MinLength: new(1), MaxLength: new(maxNote),
		Description: "The text; it may have several lines."})
	colour := openapi.Query[colourInput]()
	all := map[string]openapi.Shape{}
	for _, on := range []string{"Applicant", "ApplicationOffer"} {
		all["create"+on+"Note"] = openapi.Shape{Query: colour, Body: openapi.Parameters[newNoteInput]().Or(text),
			Answer: openapi.Created[noteWire]()}
		all["add"+on+"Note"] = openapi.Shape{Query: colour, Body: openapi.Parameters[newNoteInput]().Or(text),
			Answer: openapi.Nothing("Location")}
		all["add"+on+"NoteText"] = openapi.Shape{Query: colour, Body: openapi.Values(text), Answer: openapi.Nothing()}
		all["replace"+on+"Notes"] = openapi.Shape{Query: colour, Body: openapi.Values(openapi.TextOrNothing(0, maxNotes)),
			Answer: openapi.Nothing()}
		all["set"+on+"Note"] = openapi.Shape{Query: colour, Body: openapi.Values(text), Answer: openapi.Nothing()}
		all["delete"+on+"Notes"] = openapi.Shape{Answer: openapi.Nothing()}
	}
	return all
}

// offerWrites are those of offers.
func offerWrites() map[string]openapi.Shape {
	decision := openapi.Plain(schema.Schema{Type: "string", Enum: []any{admitto.DecisionNone, admitto.DecisionFinal,
		admitto.DecisionDeclined}})
	extra := openapi.Plain(schema.Schema{Type: []string{"string", "number", "null"}, Pattern: `^-?[0-9]{1,9}(\.[0-9]+)?$`,
		Description: fmt.Sprintf("A decimal from -%s to %s with at most two decimals; null clears the score.", maxExtraScore,
			maxExtraScore)})
	return map[string]openapi.Shape{
		"setApplicationOfferType": {Body: openapi.Values(offerTypeBody), Answer: openapi.Nothing(),
			Refuses: byState()},
		"setApplicationOfferSubject": {Body: openapi.Values(openapi.TextOrNothing(0, maxOfferSubject)),
			Answer: openapi.Nothing(), Refuses: byState()},
		"setApplicationOfferComments": {Body: openapi.Values(openapi.TextOrNothing(0, maxOfferComments)),
			Answer: openapi.Nothing(), Refuses: byState()},
		"setApplicationOfferReason": {Body: openapi.Values(openapi.TextOrNothing(1, maxOfferReason)),
			Answer: openapi.Nothing(), Refuses: byState()},
		"setApplicationOfferDecision":      {Body: openapi.Values(decision), Answer: openapi.Nothing(), Refuses: byState()},
		"setApplicationOfferScoreExtra":    {Body: openapi.Values(extra), Answer: openapi.Nothing(), Refuses: byState()},
		"deleteApplicationOfferScoreExtra": {Answer: openapi.Nothing(), Refuses: byState()},
		"confirmOffer":                     {Answer: openapi.Nothing(), Refuses: byState()},
		"createApplicationOfferLetter": {Body: openapi.Parameters[newLetterInput](),
			Answer: openapi.Created[letterWire](), Refuses: byState()},
	}
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

// applicationWrites are those of applications next to their offers.
func applicationWrites() map[string]openapi.Shape {
	priority := openapi.Plain(schema.Schema{Type: []string{"integer", "string"}, Minimum: new(int64(1)),
		Pattern: "^[0-9]+$"})
	status := openapi.Plain(schema.Schema{Type: "string", MinLength: new(1), MaxLength: new(maxTaskStatus),
		Description: "The name of a status."})
	return map[string]openapi.Shape{
		"createApplication": {Body: openapi.Parameters[newApplicationInput](), Answer: createdApplication,
			Refuses: byState()},
		"createApplicantApplication": {Body: openapi.Parameters[newApplicationOfInput](), Answer: createdApplication,
			Refuses: byState()},
		"freezeApplication":   {Answer: openapi.Nothing(), Refuses: byState()},
		"unfreezeApplication": {Answer: openapi.Nothing(), Refuses: byState()},
		"closeApplication":    {Answer: openapi.Nothing(), Refuses: byState()},
		"createApplicationCourse": {Body: openapi.Parameters[newApplicationCourseInput](),
			Answer: openapi.Created[courseAssociationWire](), Refuses: append(byState(), admitto.AlreadyExists)},
		"deleteApplicationCourse":      {Answer: openapi.Nothing(), Refuses: byState()},
		"setApplicationCoursePriority": {Body: openapi.Values(priority), Answer: openapi.Nothing(), Refuses: byState()},
		"patchApplication": {Body: openapi.Patches[wire.Content](), Answer: openapi.Nothing(),
			Refuses: byState()},
		"setApplicationFlag":       {Answer: openapi.Nothing()},
		"deleteApplicationFlag":    {Answer: openapi.Nothing()},
		"setApplicationTaskStatus": {Body: openapi.Values(status), Answer: openapi.Nothing(), Refuses: byState()},
		"deleteApplicationTask":    {Answer: openapi.Nothing(), Refuses: byState()},
		"createApplicationDocument": {Body: openapi.Uploads[uploadInput](), Answer: openapi.Created[fileWire](),
			Refuses: byState()},
		"createApplicationTaskDocument": {Body: openapi.Uploads[uploadInput](), Answer: openapi.Created[fileWire](),
			Refuses: byState()},
	}
}

// createdApplication is the whole application, made or found.
func createdApplication(d *openapi.Document) openapi.Answers {
	return openapi.Answers{Status: http.StatusCreated, Other: http.StatusOK,
		Content: schema.Members{{Name: jsonType, Value: wholeApplication(d)}}, Headers: []string{"Location"},
		Meaning: "201: created. 200: the applicant has an application of the term, to which the course was added. Location is its path."}
}

// scoreWrites are those of scores.
func scoreWrites() map[string]openapi.Shape {
	all := map[string]openapi.Shape{
		"createScoresheetScore": {Body: openapi.Parameters[newScoreInput](), Answer: openapi.Created[scoreWire](),
			Refuses: byState()},
		"setScoresheetScore":    {Body: openapi.Fields[scoreInput](), Answer: openapi.Nothing(), Refuses: byState()},
		"updateScoresheetScore": {Body: openapi.Fields[scoreInput](), Answer: openapi.Nothing(), Refuses: byState()},
	}
	for field, name := range map[string]string{"points": "Points", "comments": "Comments", "date": "Date",
		"reference": "Reference",
		"subject":   "Subject", "language": "Language"} {
		all["setScoresheetScore"+name] = openapi.Shape{Body: openapi.Values(openapi.FieldOf[scoreInput](field)),
			Answer: openapi.Nothing(), Refuses: byState()}
		all["deleteScoresheetScore"+name] = openapi.Shape{Answer: openapi.Nothing(), Refuses: byState()}
	}
	return all
}

// financeWrites are those of invoices, payments and courses.
func financeWrites() map[string]openapi.Shape {
	items := openapi.Entries{Name: itemsParameter, Members: reflect.TypeFor[newItemInput](), Most: maxInvoiceItems}
	return map[string]openapi.Shape{
		"createCourse": {Body: openapi.Parameters[newCourseInput](), Answer: openapi.Created[courseWire]()},
		"createApplicationInvoice": {Body: openapi.Parameters[newInvoiceInput]().With(items),
			Answer: openapi.Created[invoiceWire](), Refuses: byState()},
		"createApplicantInvoice": {Body: openapi.Parameters[newApplicantInvoiceInput]().With(items),
			Answer: openapi.Created[invoiceWire](), Refuses: byState()},
		"deleteInvoice": {Answer: openapi.Nothing(), Refuses: byState()},
		"createInvoiceTransaction": {Body: openapi.Parameters[newTransactionInput](),
			Answer: openapi.Created[transactionWire](), Refuses: byState()},
	}
}
