package api

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
)

// byState is for writes that the state of an object may forbid.
func byState() []admitto.Kind { return []admitto.Kind{admitto.NotAllowedNow} }

// writes are the shapes of what changes something.
func writes() map[string]shape {
	all := applicantWrites()
	for _, part := range []map[string]shape{noteWrites(), offerWrites(), applicationWrites(), scoreWrites(), financeWrites()} {
		maps.Copy(all, part)
	}
	return all
}

// applicantWrites are those below /applicants, and of trackers and flags.
func applicantWrites() map[string]shape {
	existing := []admitto.Kind{admitto.AlreadyExists}
	return map[string]shape{
		"createApplicant": {body: parameters[newApplicantInput](), answer: createdApplicant,
			refuses: []admitto.Kind{admitto.AlreadyExists, admitto.MailRefused}},
		"setApplicantReference":     {body: values(codeBody("reference")), answer: nothing()},
		"setApplicantMatriculation": {body: values(codeBody("matriculation")), answer: nothing()},
		"setApplicantTracker":       {answer: nothing()},
		"deleteApplicantTracker":    {answer: nothing()},
		"createApplicantEmail":      {body: parameters[newEmailInput](), answer: created[emailWire](), refuses: byState()},
		"createApplicantsTracker":   {body: parameters[newTrackerInput](), answer: created[trackerWire](), refuses: existing},
		"deleteApplicantsTracker":   {answer: nothing()},
		"createApplicationsFlag":    {body: parameters[newFlagInput](), answer: created[flagWire](), refuses: existing},
		"deleteApplicationsFlag":    {answer: nothing()},
	}
}

// codeBody is a code of an applicant by its setting, or what clears it.
func codeBody(name string) func(*apiDocument) *schema.Schema {
	return func(d *apiDocument) *schema.Schema {
		return &schema.Schema{Description: "The code, as text or as whole number; null and the empty text clear it.",
			AnyOf: []*schema.Schema{fieldOf[newApplicantInput](name)(d), {Type: "string", MaxLength: new(0)}}}
	}
}

// createdApplicant is the one creation whose body is empty unless the client asks for it.
func createdApplicant(d *apiDocument) answers {
	return answers{status: http.StatusCreated, content: schema.Members{{Name: jsonType, Value: d.component(reflect.TypeFor[applicantWire]())}},
		headers: []string{"Location", "Preference-Applied"},
		meaning: "Created; Location is its path. The body is empty unless the request says Prefer: return=representation."}
}

// noteWrites are those of notes on applicants and on offers, which share one contract (resources.md 0.6).
func noteWrites() map[string]shape {
	text := plain(schema.Schema{Type: "string", MinLength: new(1), MaxLength: new(maxNote), Description: "The text; it may have several lines."})
	colour := readsQuery[colourInput]()
	all := map[string]shape{}
	for _, on := range []string{"Applicant", "ApplicationOffer"} {
		all["create"+on+"Note"] = shape{query: colour, body: parameters[newNoteInput]().or(text), answer: created[noteWire]()}
		all["add"+on+"Note"] = shape{query: colour, body: parameters[newNoteInput]().or(text), answer: nothing("Location")}
		all["add"+on+"NoteText"] = shape{query: colour, body: values(text), answer: nothing()}
		all["replace"+on+"Notes"] = shape{query: colour, body: values(textOrNothing(0, maxNotes)), answer: nothing()}
		all["set"+on+"Note"] = shape{query: colour, body: values(text), answer: nothing()}
		all["delete"+on+"Notes"] = shape{answer: nothing()}
	}
	return all
}

// offerWrites are those of offers.
func offerWrites() map[string]shape {
	decision := plain(schema.Schema{Type: "string", Enum: []any{admitto.DecisionNone, admitto.DecisionFinal, admitto.DecisionDeclined}})
	extra := plain(schema.Schema{Type: []string{"string", "number", "null"}, Pattern: `^-?[0-9]{1,9}(\.[0-9]+)?$`,
		Description: fmt.Sprintf("A decimal from -%s to %s with at most two decimals; null clears the score.", maxExtraScore, maxExtraScore)})
	return map[string]shape{
		"setApplicationOfferType":          {body: values(offerTypeBody), answer: nothing(), refuses: byState()},
		"setApplicationOfferSubject":       {body: values(textOrNothing(0, maxOfferSubject)), answer: nothing(), refuses: byState()},
		"setApplicationOfferComments":      {body: values(textOrNothing(0, maxOfferComments)), answer: nothing(), refuses: byState()},
		"setApplicationOfferReason":        {body: values(textOrNothing(1, maxOfferReason)), answer: nothing(), refuses: byState()},
		"setApplicationOfferDecision":      {body: values(decision), answer: nothing(), refuses: byState()},
		"setApplicationOfferScoreExtra":    {body: values(extra), answer: nothing(), refuses: byState()},
		"deleteApplicationOfferScoreExtra": {answer: nothing(), refuses: byState()},
		"confirmOffer":                     {answer: nothing(), refuses: byState()},
		"createApplicationOfferLetter":     {body: parameters[newLetterInput](), answer: created[letterWire](), refuses: byState()},
	}
}

// offerTypeBody names an offer type: by its title before the change; by its ID, its path or the answer to GET from it on.
func offerTypeBody(d *apiDocument) *schema.Schema {
	if !d.version.Has(version.OfferTypesByID) {
		return offerTypeTitleBody()
	}
	id := &schema.Schema{Type: []string{"integer", "string"}, Minimum: new(int64(1)), Maximum: new(int64(schema.MaxID))}
	return &schema.Schema{AnyOf: []*schema.Schema{id, d.component(reflect.TypeFor[offerTypeOfOffer]())},
		Description: "The ID of an offer type, as a number or a text, its path, or the object that GET answers, of which the ID counts."}
}

// applicationWrites are those of applications next to their offers.
func applicationWrites() map[string]shape {
	priority := plain(schema.Schema{Type: []string{"integer", "string"}, Minimum: new(int64(1)), Pattern: "^[0-9]+$"})
	status := plain(schema.Schema{Type: "string", MinLength: new(1), MaxLength: new(maxTaskStatus), Description: "The name of a status."})
	return map[string]shape{
		"createApplication":             {body: parameters[newApplicationInput](), answer: createdApplication, refuses: byState()},
		"createApplicantApplication":    {body: parameters[newApplicationOfInput](), answer: createdApplication, refuses: byState()},
		"freezeApplication":             {answer: nothing(), refuses: byState()},
		"unfreezeApplication":           {answer: nothing(), refuses: byState()},
		"closeApplication":              {answer: nothing(), refuses: byState()},
		"createApplicationCourse":       {body: parameters[newApplicationCourseInput](), answer: created[courseAssociationWire](), refuses: append(byState(), admitto.AlreadyExists)},
		"deleteApplicationCourse":       {answer: nothing(), refuses: byState()},
		"setApplicationCoursePriority":  {body: values(priority), answer: nothing(), refuses: byState()},
		"patchApplication":              {body: patches[wire.Content](), answer: nothing(), refuses: byState()},
		"setApplicationFlag":            {answer: nothing()},
		"deleteApplicationFlag":         {answer: nothing()},
		"setApplicationTaskStatus":      {body: values(status), answer: nothing(), refuses: byState()},
		"deleteApplicationTask":         {answer: nothing(), refuses: byState()},
		"createApplicationDocument":     {body: uploads[uploadInput](), answer: created[fileWire](), refuses: byState()},
		"createApplicationTaskDocument": {body: uploads[uploadInput](), answer: created[fileWire](), refuses: byState()},
	}
}

// createdApplication is the whole application, made or found.
func createdApplication(d *apiDocument) answers {
	return answers{status: http.StatusCreated, other: http.StatusOK, content: schema.Members{{Name: jsonType, Value: wholeApplication(d)}}, headers: []string{"Location"},
		meaning: "201: created. 200: the applicant has an application of the term, to which the course was added. Location is its path."}
}

// scoreWrites are those of scores.
func scoreWrites() map[string]shape {
	all := map[string]shape{
		"createScoresheetScore": {body: parameters[newScoreInput](), answer: created[scoreWire](), refuses: byState()},
		"setScoresheetScore":    {body: fields[scoreInput](), answer: nothing(), refuses: byState()},
		"updateScoresheetScore": {body: fields[scoreInput](), answer: nothing(), refuses: byState()},
	}
	for field, name := range map[string]string{"points": "Points", "comments": "Comments", "date": "Date", "reference": "Reference",
		"subject": "Subject", "language": "Language"} {
		all["setScoresheetScore"+name] = shape{body: values(fieldOf[scoreInput](field)), answer: nothing(), refuses: byState()}
		all["deleteScoresheetScore"+name] = shape{answer: nothing(), refuses: byState()}
	}
	return all
}

// financeWrites are those of invoices, payments and courses.
func financeWrites() map[string]shape {
	items := entries{itemsParameter, reflect.TypeFor[newItemInput](), maxInvoiceItems}
	return map[string]shape{
		"createCourse":             {body: parameters[newCourseInput](), answer: created[courseWire]()},
		"createApplicationInvoice": {body: parameters[newInvoiceInput]().with(items), answer: created[invoiceWire](), refuses: byState()},
		"createApplicantInvoice":   {body: parameters[newApplicantInvoiceInput]().with(items), answer: created[invoiceWire](), refuses: byState()},
		"deleteInvoice":            {answer: nothing(), refuses: byState()},
		"createInvoiceTransaction": {body: parameters[newTransactionInput](), answer: created[transactionWire](), refuses: byState()},
	}
}
