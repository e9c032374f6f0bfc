package api

import (
	"context"
	"net/http"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/usecase"
)

// newApplicationInput is what POST /applications takes (resources.md 24.1).
type newApplicationInput struct {
	Applicant params.ObjectID `name:"applicant" required:"true"`
	Intake    params.ObjectID `name:"intake" required:"true"`
	Course    params.ObjectID `name:"course" required:"true"`
}

// newApplicationOfInput is what POST /applicants/{id}/applications takes; the applicant is the one of the path.
type newApplicationOfInput struct {
	Applicant params.Ignored  `name:"applicant"`
	Intake    params.ObjectID `name:"intake" required:"true"`
	Course    params.ObjectID `name:"course" required:"true"`
}

// createApplication answers POST /applications (resources.md 24.1).
func (a *API) createApplication(c *call) error {
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newApplicationInput
	wrong := c.decode(list, &in)
	return a.apply(c, list, wrong, false,
		admissions.NewApplication{Applicant: int64(in.Applicant), Intake: int64(in.Intake), Course: int64(in.Course)})
}

// createApplicantApplication answers POST /applicants/{id}/applications.
func (a *API) createApplicantApplication(c *call) error {
	if _, err := a.services.Query.Applicant(c.ctx, c.by(), c.ids[0], nil); err != nil {
		return err
	}
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newApplicationOfInput
	wrong := c.decode(list, &in)
	return a.apply(c, list, wrong, true, admissions.NewApplication{Applicant: c.ids[0], Intake: int64(in.Intake),
		Course: int64(in.Course)})
}

// apply makes the application, or adds the course to the one there is, and answers it: 201 or 200.
func (a *API) apply(c *call, list params.Args, wrong error, inPath bool, in admissions.NewApplication) error {
	// What is wrong with the IDs is known only to the database; the client is to hear of all faults at once.
	faults, err := a.services.Admissions.CheckApplication(c.ctx, c.by(), in, inPath)
	if err == nil {
		err = faultsOf(wrong, c.located(list, faults))
	}
	if err != nil {
		return err
	}
	id, created, err := a.services.Admissions.Apply(c.ctx, c.caller(), in)
	if err != nil {
		return c.locate(list, err)
	}
	with := c.applicationParts(&params.Expansion{})
	app, content, err := a.services.Query.Application(c.ctx, c.by(), id, with)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return c.answeredAs(status, id, c.applicationRecord(with, &app, &content))
}

// applicationRecord encodes the full record of an application: header and content.
func (c *call) applicationRecord(with *query.ApplicationParts, app *admitto.Application, content *form.Content) []byte {
	header := c.applicationEncoder(with)(nil, app)
	// The content follows in the same object.
	whole := append(header[:len(header)-1], ',')
	return append(whole, c.encode(nil, contentRecord(c, app.ID, content))[1:]...)
}

// freezeApplication answers POST /applications/{id}/freeze (resources.md 24.3).
func (a *API) freezeApplication(c *call) error { return c.act(a.services.Admissions.Freeze) }

// unfreezeApplication answers POST /applications/{id}/unfreeze.
func (a *API) unfreezeApplication(c *call) error { return c.act(a.services.Admissions.Unfreeze) }

// closeApplication answers POST /applications/{id}/close. Nobody is told by mail.
func (a *API) closeApplication(c *call) error {
	return c.act(func(ctx context.Context, by usecase.Caller, id int64) error {
		return a.services.Admissions.CloseApplication(ctx, by, id, false)
	})
}

// act runs an action on the application of the path that takes no parameters.
func (c *call) act(do func(ctx context.Context, by usecase.Caller, application int64) error) error {
	err := c.noParametersOf(func() error {
		_, err := c.api.services.Query.CoursesOf(c.ctx, c.by(), c.ids[0])
		return err
	})
	if err == nil {
		err = do(c.ctx, c.caller(), c.ids[0])
	}
	return c.done(err)
}

// patchApplication answers PATCH /applications/{id} (resources.md 24.2): a merge patch of the content part, in the
// form that the version of the request gives it.
func (a *API) patchApplication(c *call) error {
	if _, err := a.services.Query.Documents(c.ctx, c.by(), c.ids[0]); err != nil { // that it exists comes before the body
		return err
	}
	members, faults, err := c.mergePatch(contentPath)
	if err := faultsOf(c.noParameters(), err); err != nil {
		return err
	}
	patch := admissions.ContentPatch{Members: members, Faults: faults, Document: params.ReadDocumentLink}
	if !c.version.Has(version.SingleDates) {
		takeNamedParts(&patch)
	}
	return c.done(a.services.Admissions.PatchContent(c.ctx, c.caller(), c.ids[0], patch))
}
