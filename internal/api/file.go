package api

import (
	"errors"
	"fmt"
	"io"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/web"
)

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
		return problemf(problem.RangeUnsatisfied, "The file does not have the bytes of the header Range.")
	case errors.Is(err, web.ErrPrecondition):
		return admitto.Refused(admitto.ChangedMeanwhile, message.Of("other-file"))
	}
	return err
}

// fileTag is the ETag of a file: the first half of its hash.
func fileTag(f *admitto.File) string { return `"` + f.Hash[:min(32, len(f.Hash))] + `"` }
