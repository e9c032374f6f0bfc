package api

import "github.com/admitto/admitto/internal/api/params"

// newEmailInput is what POST /applicants/{id}/emails takes (resources.md 24.9).
type newEmailInput struct {
	Subject params.Line  `name:"subject" len:"2-128" required:"true"`
	Message params.Lines `name:"message" len:"4-4096" required:"true"`
}

// createApplicantEmail answers POST /applicants/{id}/emails.
func (a *API) createApplicantEmail(c *call) error {
	if _, err := a.services.Query.Applicant(c.ctx, c.by(), c.ids[0], nil); err != nil {
		return err
	}
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newEmailInput
	if err := c.decode(list, &in); err != nil {
		return err
	}
	e, err := a.services.Notify.SendMessage(c.ctx, c.caller(), c.ids[0], string(in.Subject), string(in.Message))
	if err != nil {
		return err
	}
	return c.created(e.ID, emailRecord(&e))
}
