package api

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
)

// applicationExpansions are the words of expand on applications (resources.md 5.3). offer is another spelling
// of offers, references has no effect.
var applicationExpansions = []string{"applicant", "flags", "courses", "offers", "offer", "documents", "tasks", "scores",
	"references"}

// applicationsInput is the query of GET /applications (resources.md 5.3).
type applicationsInput struct {
	Since              params.Boundary  `name:"bySince"`
	Until              params.Boundary  `name:"byUntil" bound:"upper"`
	Terms              params.IDList    `name:"byAcademicTermID"`
	Year               params.YearList  `name:"byAcademicYear"`
	Years              params.YearList  `name:"byAcademicYears"`
	CommenceYear       params.YearList  `name:"byCommenceYear"`
	Applicants         params.IDList    `name:"byApplicantIDs"`
	Statuses           statusList       `name:"byStatuses"`
	CreatedSince       instantSince     `name:"byCreatedSince"`
	RevisedSince       instantSince     `name:"byRevisedSince"`
	SubmittedSince     instantSince     `name:"bySubmittedSince"`
	Courses            params.IDList    `name:"byCourseIDs"`
	CourseIntakes      params.IDList    `name:"byCourseIntakeIDs"`
	CourseInstitutions params.IDList    `name:"byCourseInstitutionIDs"`
	CourseTypes        params.CodeList  `name:"byCourseTypes"`
	OfferTypeTitles    params.TitleList `name:"byOfferTypes" until:"3"`
	OfferTypes         params.IDList    `name:"byOfferTypes" since:"4"`
	OfferDecisions     params.WordList  `name:"byOfferDecisions" words:"None,Final,Declined"`
	OfferInstitutions  params.IDList    `name:"byOfferInstitutionIDs"`
	OfferConfirmed     yesOrNo          `name:"byOfferConfirmed"`
	Flags              params.IDList    `name:"byFlagIDs"`
	Limit              params.Limit     `name:"limit"`
	Expand             params.Expansion `name:"expand"`
	After              afterID          `name:"after"`
}

// query returns the conditions.
func (in *applicationsInput) query() admitto.ApplicationQuery {
	q := admitto.ApplicationQuery{FromTime: in.Since.At, ToTime: in.Until.At, FromID: in.Since.ID, ToID: in.Until.ID,
		TermIDs: in.Terms, Applicants: in.Applicants, Statuses: in.Statuses,
		CreatedSince: in.CreatedSince.at, RevisedSince: in.RevisedSince.at, SubmittedSince: in.SubmittedSince.at,
		Courses: in.Courses, CourseIntakes: in.CourseIntakes, CourseInstitutions: in.CourseInstitutions,
		CourseTypes: in.CourseTypes,
		OfferTypes:  in.OfferTypes, OfferInstitutions: in.OfferInstitutions, OfferDecisions: in.OfferDecisions,
		OfferConfirmed: in.OfferConfirmed.value, Flags: in.Flags, After: int64(in.After)}
	if in.Until.IsID && in.Until.ID == 0 {
		q.ToID = -1 // up to ID 0: none
	}
	// The three names have one meaning each, so they are three filters that must all be met.
	for _, years := range []params.YearList{in.Year, in.Years, in.CommenceYear} {
		switch {
		case years == nil:
		case q.Years == nil:
			q.Years = years
		default:
			q.Years = slices.DeleteFunc(slices.Clone(q.Years), func(y int64) bool { return !slices.Contains(years, y) })
		}
	}
	return q
}

// listApplications answers GET /applications.
func (a *API) listApplications(c *call) error {
	var in applicationsInput
	list, err := c.queryArgs()
	if err != nil {
		return err
	}
	faults := c.decode(list, &in)
	limit, err := c.applicationLimit(in.Limit, &in.Expand)
	if err := faultsOf(faults, err); err != nil {
		return err
	}
	q := in.query()
	var titles []string // of offer types, in versions that name them so
	if !c.version.Has(version.OfferTypesByID) {
		titles = in.OfferTypeTitles
	}
	q.Limit = limit
	with := c.applicationParts(&in.Expand)
	found, err := a.services.Query.Applications(c.ctx, c.by(), q, titles, with)
	return sendList(c, found, err, func(l *bigList) func(*admitto.Application) error { return c.eachApplication(l, with) })
}

// listApplicantApplications answers GET /applicants/{id}/applications (resources.md 3.5).
func (a *API) listApplicantApplications(c *call) error {
	var in struct {
		Limit  params.Limit     `name:"limit"`
		Expand params.Expansion `name:"expand"`
		After  afterID          `name:"after"`
	}
	list, err := c.queryArgs()
	q := admitto.ApplicationQuery{}
	if err == nil {
		err = c.decode(list, &in)
		var wrong error
		q.Limit, wrong = c.applicationLimit(in.Limit, &in.Expand)
		err = faultsOf(err, wrong)
	}
	if err != nil {
		if _, missing := a.services.Query.Applicant(c.ctx, c.by(), c.ids[0], nil); missing != nil {
			return missing // whether it exists comes before the parameters
		}
		return err
	}
	q.After = int64(in.After)
	with := c.applicationParts(&in.Expand)
	found, err := a.services.Query.ApplicationsOf(c.ctx, c.by(), c.ids[0], q, with)
	return sendList(c, found, err, func(l *bigList) func(*admitto.Application) error { return c.eachApplication(l, with) })
}

// applicationLimit checks limit and expand, which belong together.
func (c *call) applicationLimit(given params.Limit, expand *params.Expansion) (int, error) {
	wrong := c.checkExpand(expand, applicationExpansions)
	bounds := limits{max: c.api.settings().API.MaxLimit, otherwise: c.api.settings().API.MaxLimit}
	if len(expand.Words) > 0 {
		bounds = limits{max: c.api.settings().API.MaxLimitExpand, otherwise: c.api.settings().API.MaxLimitExpand}
	}
	n, err := bounds.take(c, given)
	return n, faultsOf(wrong, err)
}

// applicationParts says what else must be read for the representation of applications.
func (c *call) applicationParts(expand *params.Expansion) *query.ApplicationParts {
	has := expand.Has
	return &query.ApplicationParts{
		WantApplicant: has("applicant"), ApplicantPart: *c.applicantParts(&params.Expansion{}),
		WantFlags: has("flags"), WantCourses: has("courses"),
		WantOffers: has("offers") || has("offer"), OfferPart: c.offerParts(),
		WantDocuments: has("documents"), WantTasks: has("tasks"), WantScores: has("scores"),
		ByOutcome: c.version.Has(version.OfferOutcomes) && !c.version.Has(version.OwnStatuses),
	}
}

// eachApplication adds applications to a list, as eachApplicant does.
func (c *call) eachApplication(l *bigList, with *query.ApplicationParts) func(*admitto.Application) error {
	encode := c.applicationEncoder(with)
	if !with.Any() {
		return encodedMeanwhile(l, func(app *admitto.Application) int64 { return app.ID }, encode)
	}
	return func(app *admitto.Application) error {
		return l.add(app.ID, func(dst []byte) []byte { return encode(dst, app) })
	}
}

// applicationEncoder returns the function that appends the header of an application, with what was read next to it.
func (c *call) applicationEncoder(with *query.ApplicationParts) func([]byte, *admitto.Application) []byte {
	var w applicationWire
	var applicant, parts []byte // what is expanded, for one application after the other
	encode := wire.PlanFor[applicationWire](c.encoder())
	encodeApplicant := c.applicantEncoder(&with.ApplicantPart)
	offer := func(o *admitto.Offer) any { return offerRecord(c, o, with.OfferPart) }
	return func(dst []byte, app *admitto.Application) []byte {
		w.set(app)
		id := app.ID
		parts = parts[:0]
		if p := with.Applicants[app.Applicant]; p != nil {
			applicant = encodeApplicant(applicant[:0], p)
			w.Applicant.JSON = applicant
		}
		if with.WantFlags {
			w.Flags.JSON, parts = appendPart(c, parts, with.Flags[id], flagOf, flagAssociation)
		}
		if with.WantCourses {
			w.Courses.JSON, parts = appendPart(c, parts, with.Courses[id], courseOf, courseAssociation)
		}
		if with.WantOffers {
			w.Offers.JSON, parts = appendPart(c, parts, with.Offers[id], func(o *admitto.Offer) int64 { return o.ID }, offer)
		}
		if with.WantDocuments {
			w.Documents.JSON, parts = appendPart(c, parts, with.Documents[id], fileID, documentRecord)
		}
		if with.WantTasks {
			w.Tasks.JSON, parts = appendPart(c, parts, with.Tasks[id], taskID, taskRecord)
		}
		if with.WantScores {
			w.Scores.JSON, parts = appendPart(c, parts, with.Scores[id], func(s *admitto.Score) int64 { return s.ID },
				scoreRecord)
		}
		return encode(dst, &w)
	}
}

// getApplication answers GET /applications/{id}.
func (a *API) getApplication(c *call) error {
	return c.application(func(with *query.ApplicationParts) (admitto.Application, form.Content, error) {
		return a.services.Query.Application(c.ctx, c.by(), c.ids[0], with)
	})
}

// getApplicantApplication answers GET /applicants/{id}/applications/{id}.
func (a *API) getApplicantApplication(c *call) error {
	return c.application(func(with *query.ApplicationParts) (admitto.Application, form.Content, error) {
		return a.services.Query.ApplicationOf(c.ctx, c.by(), c.ids[0], c.ids[1], with)
	})
}

// application answers the full record of one application: header and content.
func (c *call) application(read func(*query.ApplicationParts) (admitto.Application, form.Content, error)) error {
	var in struct {
		Expand params.Expansion `name:"expand"`
	}
	list, err := c.queryArgs()
	if err == nil {
		err = faultsOf(c.decode(list, &in), c.checkExpand(&in.Expand, applicationExpansions))
	}
	with := c.applicationParts(&in.Expand)
	app, content, missing := read(with)
	if missing != nil {
		return missing // whether it exists comes before the parameters
	}
	if err != nil {
		return err
	}
	return c.json(c.applicationRecord(with, &app, &content))
}

// listApplicationCourses answers GET /applications/{id}/courses (resources.md 5.4).
func (a *API) listApplicationCourses(c *call) error {
	list, err := a.services.Query.CoursesOf(c.ctx, c.by(), c.ids[0])
	return listOf(c, list, err, courseOf, courseAssociation)
}

// getApplicationCourse answers GET /applications/{id}/courses/{id}.
func (a *API) getApplicationCourse(c *call) error {
	one, err := a.services.Query.CourseOf(c.ctx, c.by(), c.ids[0], c.ids[1])
	return oneOf(c, &one, err, courseAssociation)
}

// listApplicationFlags answers GET /applications/{id}/flags (resources.md 5.4).
func (a *API) listApplicationFlags(c *call) error {
	list, err := a.services.Query.FlagsOf(c.ctx, c.by(), c.ids[0])
	return listOf(c, list, err, flagOf, flagAssociation)
}

// getApplicationFlag answers GET /applications/{id}/flags/{id}.
func (a *API) getApplicationFlag(c *call) error {
	one, err := a.services.Query.FlagOf(c.ctx, c.by(), c.ids[0], c.ids[1])
	return oneOf(c, &one, err, flagAssociation)
}

// listOf answers a complete list that takes no parameters, which matter only when there is one.
func listOf[T any](c *call, list []T, err error, id func(*T) int64, record func(*T) any) error {
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return smallList(c, list, id, record)
}

// oneOf answers one record that takes no parameters.
func oneOf[T any](c *call, item *T, err error, record func(*T) any) error {
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(record(item))
}
