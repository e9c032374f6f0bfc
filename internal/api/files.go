package api

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
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

// file answers the bytes of a stored file, in full or in ranges, with validators; they are never compressed.
// The file was found below its parents; not-found all the same when its bytes are missing, which is logged.
func (c *call) file(f *admitto.File, disposition string) error {
	bytes, err := c.api.services.Files.OpenFile(c.ctx, c.by(), f)
	if admitto.KindOf(err) == admitto.NotFound {
		c.api.log.Error("the bytes of a file are missing", "request_id", c.info.RequestID, "route", c.info.Route,
			"file", f.ID, "hash", f.Hash, "cause", errors.Unwrap(err))
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return err
	}
	return c.fileBytes(f, bytes, disposition)
}

// fileBytes answers and closes the bytes of a file that is known, stored or not.
func (c *call) fileBytes(f *admitto.File, bytes io.ReadSeekCloser, disposition string) error {
	err := web.ServeFile(c.w, c.r, web.File{Name: f.Name, Type: f.MIME, Disposition: disposition, Tag: fileTag(f),
		Modified: f.Uploaded.Floor().Std(), Label: fmt.Sprintf("file %d", f.ID)}, bytes)
	switch {
	case errors.Is(err, web.ErrRange):
		return admitto.Refused(problem.RangeUnsatisfied, message.Of("range-unsatisfied"))
	case errors.Is(err, web.ErrPrecondition):
		return admitto.Refused(admitto.ChangedMeanwhile, message.Of("other-file"))
	}
	return err
}

// fileTag is the ETag of a file: the first half of its hash.
func fileTag(f *admitto.File) string { return `"` + f.Hash[:min(32, len(f.Hash))] + `"` }

// fileWire is what is known of a stored file (resources.md 0.7).
type fileWire struct {
	ID       int64        `wire:"id"`
	Uploaded admitto.Time `wire:"uploaded"`
	Name     string       `wire:"name"`
	MIME     string       `wire:"mime"`
	Size     string       `wire:"size"`
	Expires  admitto.Time `wire:"expires"`
}

// fileRecord is a file in the lists of attachments.
func fileRecord(f *admitto.File) any {
	return &fileWire{f.ID, f.Uploaded, f.Name, f.MIME, strconv.FormatInt(f.Size, 10), f.Expires}
}

// documentRecord is a document in the list of its application (resources.md 10).
func documentRecord(f *admitto.File) any { return fileRecord(f) }

func fileID(f *admitto.File) int64 { return f.ID }

// applicantDocumentWire is a document in the list of its applicant (resources.md 10).
type applicantDocumentWire struct {
	ID          int64        `wire:"id"`
	Uploaded    admitto.Time `wire:"uploaded"`
	Name        string       `wire:"name"`
	MIME        string       `wire:"mime"`
	Size        string       `wire:"size"`
	Expires     admitto.Time `wire:"expires"`
	Application wire.Link    `wire:"application"`
}

func applicantDocumentRecord(f *admitto.File) any {
	return &applicantDocumentWire{f.ID, f.Uploaded, f.Name, f.MIME, strconv.FormatInt(f.Size, 10), f.Expires,
		wire.LinkTo("/applications/{}", f.Owner)}
}
