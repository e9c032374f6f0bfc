package api

import (
	"github.com/admitto/admitto/internal/admitto"
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
