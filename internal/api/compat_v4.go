package api

import "github.com/admitto/admitto/internal/web"

// What only versions 1 to 4 have, before the change noApplicantFiles: the documents of an applicant over all
// applications. The rows are those before(version.NoApplicantFiles) of routes.go.

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
