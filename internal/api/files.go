package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/web"
)

// answerFile answers the bytes of a file that was looked up, or the error of looking.
func (c *call) answerFile(f admitto.File, err error, disposition string) error {
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.file(&f, disposition)
}

// getApplicantPhoto answers GET /applicants/{id}/photo (resources.md 3.5).
func (a *API) getApplicantPhoto(c *call) error {
	f, err := a.services.Query.Photo(c.ctx, c.by(), c.ids[0])
	return c.answerFile(f, err, web.Inline)
}

// listApplicantDocuments answers GET /applicants/{id}/documents (resources.md 10).
func (a *API) listApplicantDocuments(c *call) error {
	list, err := a.services.Query.DocumentsOfApplicant(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, fileID, applicantDocumentRecord)
}

// getApplicantDocument answers GET /applicants/{id}/documents/{id}.
func (a *API) getApplicantDocument(c *call) error {
	f, err := a.services.Query.DocumentOfApplicant(c.ctx, c.by(), c.ids[0], c.ids[1])
	return c.answerFile(f, err, web.Attachment)
}

// listApplicationDocuments answers GET /applications/{id}/documents (resources.md 10).
func (a *API) listApplicationDocuments(c *call) error {
	list, err := a.services.Query.Documents(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, fileID, documentRecord)
}

// getApplicationDocument answers GET /applications/{id}/documents/{id}.
func (a *API) getApplicationDocument(c *call) error {
	f, err := a.services.Query.Document(c.ctx, c.by(), c.ids[0], c.ids[1])
	return c.answerFile(f, err, web.Attachment)
}

// getApplicationOfferAttachmentDownload answers GET /applications/{id}/offers/{id}/attachments/{id}/download
// (resources.md 7.5).
func (a *API) getApplicationOfferAttachmentDownload(c *call) error {
	f, err := a.services.Query.OfferAttachment(c.ctx, c.by(), c.ids[0], c.ids[1], c.ids[2])
	return c.answerFile(f, err, web.Attachment)
}
