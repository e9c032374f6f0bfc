package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/web"
)

// listApplicantEmails answers GET /applicants/{id}/emails (resources.md 3.7).
func (a *API) listApplicantEmails(c *call) error {
	list, err := a.services.Query.Emails(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, func(e *admitto.Email) int64 { return e.ID }, emailRecord)
}

// getApplicantEmail answers GET /applicants/{id}/emails/{id}.
func (a *API) getApplicantEmail(c *call) error {
	e, err := a.services.Query.Email(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeRecord(c, e, err, emailRecord)
}

// listApplicantEmailAttachments answers GET /applicants/{id}/emails/{id}/attachments.
func (a *API) listApplicantEmailAttachments(c *call) error {
	list, err := a.services.Query.EmailAttachments(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeList(c, list, err, fileID, fileRecord)
}

// getApplicantEmailAttachment answers GET /applicants/{id}/emails/{id}/attachments/{id}.
func (a *API) getApplicantEmailAttachment(c *call) error {
	f, err := a.services.Query.EmailAttachment(c.ctx, c.by(), c.ids[0], c.ids[1], c.ids[2])
	return c.answerFile(f, err, web.Attachment)
}

// emailWire is a mail to an applicant (resources.md 3.7).
type emailWire struct {
	ID          int64        `wire:"id"`
	Inserted    admitto.Time `wire:"inserted"`
	Delivered   admitto.Time `wire:"delivered"`
	Failed      admitto.Time `wire:"failed"`
	Opened      admitto.Time `wire:"opened"`
	From        emailSender  `wire:"from"`
	Subject     string       `wire:"subject"`
	Message     string       `wire:"message"`
	Attachments wire.Link    `wire:"attachments"`
}

type emailSender struct {
	Email string `wire:"email"`
	Name  string `wire:"name"`
}

func emailRecord(e *admitto.Email) any {
	w := &emailWire{ID: e.ID, Inserted: e.Inserted, Delivered: e.Delivered, Failed: e.Failed, Opened: e.Opened,
		From: emailSender{e.FromEmail, e.FromName}, Subject: e.Subject, Message: e.Message}
	if e.HasAttachments {
		w.Attachments = wire.LinkTo("/applicants/{}/emails/{}/attachments", e.Applicant, e.ID)
	}
	return w
}

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
