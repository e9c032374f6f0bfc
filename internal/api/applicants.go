package api

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/text"
)

// applicantExpansions are the words of expand on applicants (resources.md 3.2).
var applicantExpansions = []string{"trackers", "documents", "consents", "invoices", "wishes"}

// applicantsInput is the query of GET /applicants (resources.md 3.3).
type applicantsInput struct {
	Since        params.Boundary    `name:"bySince"`
	Until        params.Boundary    `name:"byUntil" bound:"upper"`
	Citizenships params.CountryList `name:"byCitizenships"`
	Emails       params.EmailList   `name:"byEmails"`
	TrackerIDs   params.IDList      `name:"byTrackerIDs"`
	TrackerCodes params.CodeList    `name:"byTrackerCodes"`
	Limit        params.Limit       `name:"limit"`
	Expand       params.Expansion   `name:"expand"`
	After        afterID            `name:"after"`
}

// listApplicants answers GET /applicants.
func (a *API) listApplicants(c *call) error {
	var in applicantsInput
	list, err := c.queryArgs()
	if err != nil {
		return err
	}
	faults := []error{c.decode(list, &in), c.checkExpand(&in.Expand, applicantExpansions)}
	bounds := limits{max: a.settings().API.MaxLimit, otherwise: a.settings().API.MaxLimit}
	if len(in.Expand.Words) > 0 {
		bounds = limits{max: a.settings().API.MaxLimitExpand, otherwise: a.settings().API.MaxLimitExpand}
	}
	limit, err := bounds.take(c, in.Limit)
	if err := faultsOf(append(faults, err)...); err != nil {
		return err
	}
	q := admitto.ApplicantQuery{FromTime: in.Since.At, ToTime: in.Until.At, FromID: in.Since.ID, ToID: in.Until.ID,
		Citizenships: in.Citizenships, EmailKeys: in.Emails, TrackerIDs: in.TrackerIDs, After: int64(in.After), Limit: limit}
	if in.Until.IsID && in.Until.ID == 0 {
		q.ToID = -1 // up to ID 0: nobody
	}
	with := c.applicantParts(&in.Expand)
	found, err := a.services.Query.Applicants(c.ctx, c.by(), q, in.TrackerCodes, with)
	return sendList(c, found, err, func(l *bigList) func(*admitto.Applicant) error { return c.eachApplicant(l, with) })
}

// eachApplicant adds applicants to a list. What was read next to them is that of the current page, so
// then they are encoded before the next page is read.
func (c *call) eachApplicant(l *bigList, with *query.ApplicantParts) func(*admitto.Applicant) error {
	encode := c.applicantEncoder(with)
	if !with.Any() {
		return encodedMeanwhile(l, func(p *admitto.Applicant) int64 { return p.ID }, encode)
	}
	return func(p *admitto.Applicant) error {
		return l.add(p.ID, func(dst []byte) []byte { return encode(dst, p) })
	}
}

// checkExpand checks the words of expand.
func (c *call) checkExpand(e *params.Expansion, allowed []string) error {
	if err := e.Check(allowed...); err != nil {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{params.FaultAt("expand", nil, err)}}
	}
	return nil
}

// applicantParts says what else must be read for the representation of applicants.
func (c *call) applicantParts(expand *params.Expansion) *query.ApplicantParts {
	return &query.ApplicantParts{WantNotes: !c.version.Has(version.NotesCollection), WantTrackers: expand.Has("trackers"),
		WantDocuments: expand.Has("documents"), WantConsents: expand.Has("consents"), WantInvoices: expand.Has("invoices"),
		WantWishes: expand.Has("wishes")}
}

// applicantEncoder returns the function that appends the record of an applicant, with what was read next to it.
func (c *call) applicantEncoder(with *query.ApplicantParts) func([]byte, *admitto.Applicant) []byte {
	var w applicantWire
	var parts []byte // what is expanded, for one applicant after the other
	encode := wire.PlanFor[applicantWire](c.encoder())
	return func(dst []byte, a *admitto.Applicant) []byte {
		w.set(a)
		parts = parts[:0]
		if !c.version.Has(version.NotesCollection) {
			w.setJoinedNotes(a, with)
		}
		if with.WantTrackers {
			w.Trackers.JSON, parts = appendPart(c, parts, with.Trackers[a.ID],
				func(t *admitto.TrackerAssociation) int64 { return t.Tracker }, trackerAssociation)
		}
		if with.WantDocuments {
			w.Documents.JSON, parts = appendPart(c, parts, with.Documents[a.ID], fileID, applicantDocumentRecord)
		}
		if with.WantConsents {
			w.Consents.JSON, parts = appendPart(c, parts, with.Consents[a.ID], consentOf, consentAssociation)
		}
		if with.WantInvoices {
			w.Invoices.JSON, parts = appendPart(c, parts, with.Invoices[a.ID], invoiceID, invoiceRecord)
		}
		if with.WantWishes {
			w.Wishes.JSON, parts = appendPart(c, parts, with.Wishes[a.ID], wishID, wishRecord)
		}
		return encode(dst, &w)
	}
}

// getApplicant answers GET /applicants/{id}.
func (a *API) getApplicant(c *call) error {
	var in struct {
		Expand params.Expansion `name:"expand"`
	}
	list, err := c.queryArgs()
	if err == nil {
		err = faultsOf(c.decode(list, &in), c.checkExpand(&in.Expand, applicantExpansions))
	}
	with := c.applicantParts(&in.Expand)
	p, found := a.services.Query.Applicant(c.ctx, c.by(), c.ids[0], with)
	if found != nil {
		return found // whether it exists comes before the parameters
	}
	if err != nil {
		return err
	}
	return c.json(c.applicantEncoder(with)(make([]byte, 0, usualObject), &p))
}

// newApplicantInput is what POST /applicants takes (resources.md 3.4).
type newApplicantInput struct {
	Email         params.EmailAddress `name:"email" required:"true"`
	Name          params.Line         `name:"name" len:"1-50"`
	Given         params.Line         `name:"name_given" len:"1-50"`
	Family        params.Line         `name:"name_family" len:"1-50"`
	Middle        params.Line         `name:"name_middle" len:"1-50"`
	Citizenship   params.CountryCode  `name:"citizenship"`
	Phone         params.Line         `name:"phone" len:"1-30"`
	Skype         params.Line         `name:"skype" len:"1-64"`
	Notes         params.Lines        `name:"notes" len:"1-2048"`
	Reference     reference           `name:"reference"`
	Matriculation number              `name:"matriculation"`
	Tracker       params.ObjectID     `name:"tracker_ID"`
	Region        params.Ignored      `name:"region"`
}

// createApplicant answers POST /applicants.
func (a *API) createApplicant(c *call) error {
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newApplicantInput
	faults := []error{c.decode(list, &in), c.checkNames(list)}
	applicant := accounts.NewApplicant{Name: admitto.SplitName(string(in.Name)), Email: string(in.Email),
		Citizenship: string(in.Citizenship),
		Phone:       string(in.Phone), Skype: string(in.Skype), Notes: string(in.Notes), Reference: string(in.Reference),
		Matriculation: string(in.Matriculation), Tracker: int64(in.Tracker)}
	if in.Given != "" && in.Family != "" {
		applicant.Name = admitto.Name{Given: string(in.Given), Family: string(in.Family)}
	}
	applicant.Name.Middle = string(in.Middle)
	if err := faultsOf(faults...); err != nil {
		// The others are known only to the database; the client is to hear of all at once.
		more, checkErr := a.services.Accounts.CheckApplicant(c.ctx, c.by(), applicant)
		if checkErr != nil {
			return checkErr
		}
		return faultsOf(err, c.located(list, more))
	}
	id, err := a.services.Accounts.CreateApplicant(c.ctx, c.caller(), applicant)
	if err != nil {
		return c.locate(list, err)
	}
	if !c.prefers("return=representation") {
		return c.created(id, nil)
	}
	c.w.Header().Set("Preference-Applied", "return=representation")
	with := c.applicantParts(&params.Expansion{}) // links, as GET without expand
	p, err := a.services.Query.Applicant(c.ctx, c.by(), id, with)
	if err != nil {
		return err
	}
	return c.createdAs(id, c.applicantEncoder(with)(nil, &p))
}

// checkNames demands a full name, or given and family name.
func (c *call) checkNames(list params.Args) error {
	if list["name"] != nil || list["name_given"] != nil && list["name_family"] != nil {
		return nil
	}
	detail := message.Of("name-required")
	missing := []string{"name"}
	if list["name_given"] != nil || list["name_family"] != nil {
		missing = nil
		for _, name := range []string{"name_given", "name_family"} {
			if list[name] == nil {
				missing = append(missing, name)
			}
		}
	}
	return &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{params.FaultAt(missing[0], nil, detail)}}
}

// reference and number are the codes on an applicant, in the form of their settings.
type (
	reference string
	number    string
)

func (r *reference) Read(d *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := readCode(a, d.Settings.Applicants.ReferencePattern)
	*r = reference(s)
	return err
}

func (reference) Describe(in *params.Place, _ *params.Field) *schema.Schema {
	return codeSchema(in, in.Settings.Applicants.ReferencePattern)
}

func (n *number) Read(d *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := readCode(a, d.Settings.Applicants.MatriculationPattern)
	*n = number(s)
	return err
}

func (number) Describe(in *params.Place, _ *params.Field) *schema.Schema {
	return codeSchema(in, in.Settings.Applicants.MatriculationPattern)
}

// maxCode bounds codes whatever the pattern of the setting says.
const maxCode = 255

// readCode returns the one value of a parameter that is a code: a text or, in JSON, a whole number.
func readCode(a *params.Arg, pattern *regexp.Regexp) (string, error) {
	s, err := a.Single()
	if err == nil && a.Kind != params.IsText && (a.Kind != params.IsNumber || !digits.MatchString(s)) {
		err = message.Of("no-string-or-number")
	}
	if err != nil {
		return "", err
	}
	return codeOf(pattern)(s)
}

// codeOf checks a code against the pattern of a setting. A refusal says the form as the OpenAPI documents do; the
// length is told only where the form leaves it to us.
func codeOf(pattern *regexp.Regexp) func(string) (string, error) {
	return func(s string) (string, error) {
		s, err := text.Line(s, 0, math.MaxInt)
		if n := utf8.RuneCountInString(s); err != nil || 1 <= n && n <= maxCode && pattern.MatchString(s) {
			return s, err
		}
		form := schema.FormOf(pattern, maxCode)
		if !pattern.MatchString(s) {
			return "", message.Of("form-differs", text.Quote(s), form.Pattern)
		}
		return text.Line(s, *form.MinLength, *form.MaxLength)
	}
}

// codeSchema is a code of the settings' form, which a JSON object may hold as a whole number, too.
func codeSchema(in *params.Place, form *regexp.Regexp) *schema.Schema {
	s := schema.FormOf(form, maxCode)
	if in.IsJSON {
		s.Type, s.Minimum, s.Description = []string{"string",
			"integer"}, new(int64(0)), "A text, or a whole number, which counts by its digits."
	}
	return s
}

// afterID is the last ID of the page before.
type afterID int64

func (v *afterID) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := a.Single()
	if err != nil {
		return err
	}
	id, err := text.ID(strings.TrimSpace(s))
	*v = afterID(id)
	return err
}

func (afterID) Describe(*params.Place, *params.Field) *schema.Schema {
	s := schema.ID()
	s.Description = "Everything up to this ID, in the order asked for, is left out; X-Count stays."
	return s
}

// getApplicantReference answers GET /applicants/{id}/reference.
func (a *API) getApplicantReference(c *call) error {
	p, err := a.services.Query.Applicant(c.ctx, c.by(), c.ids[0], nil)
	if err != nil {
		return err
	}
	return c.scalar(p.Reference)
}

// setApplicantReference answers PUT /applicants/{id}/reference (resources.md 3.6).
func (a *API) setApplicantReference(c *call) error {
	value, err := c.applicantCode(a.settings().Applicants.ReferencePattern)
	if err == nil {
		err = inBareBody(a.services.Admissions.SetReference(c.ctx, c.caller(), c.ids[0], value))
	}
	return c.done(err)
}

// getApplicantMatriculation answers GET /applicants/{id}/matriculation.
func (a *API) getApplicantMatriculation(c *call) error {
	p, err := a.services.Query.Applicant(c.ctx, c.by(), c.ids[0], nil)
	if err != nil {
		return err
	}
	return c.scalar(p.Matriculation)
}

// setApplicantMatriculation answers PUT /applicants/{id}/matriculation (resources.md 3.6).
func (a *API) setApplicantMatriculation(c *call) error {
	value, err := c.applicantCode(a.settings().Applicants.MatriculationPattern)
	if err == nil {
		err = a.services.Admissions.SetMatriculation(c.ctx, c.caller(), c.ids[0], value)
	}
	return c.done(err)
}

// applicantCode reads the new value of a code; whether the applicant exists comes first.
func (c *call) applicantCode(pattern *regexp.Regexp) (string, error) {
	if _, err := c.api.services.Query.Applicant(c.ctx, c.by(), c.ids[0], nil); err != nil {
		return "", err
	}
	value, err := c.codeValue(pattern)
	if err == nil {
		err = c.noParameters()
	}
	return value, err
}

// digits is a number that is written as codes are.
var digits = regexp.MustCompile(`^[0-9]+$`)

// codeValue reads a body that is a code, as text or as whole number; null and the empty text clear it, since clients
// write back what they have read.
func (c *call) codeValue(pattern *regexp.Regexp) (string, error) {
	v, err := c.value()
	if err != nil || v == nil || v == "" {
		return "", err
	}
	s, isText := v.(string)
	if number, ok := v.(json.Number); ok {
		s, isText = number.String(), digits.MatchString(number.String())
	}
	if !isText {
		return "", params.InvalidBody("", message.Of("body-no-code"))
	}
	if s, err = codeOf(pattern)(s); err != nil {
		return "", params.InvalidBody("", message.From(err))
	}
	return s, nil
}
