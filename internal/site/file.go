package site

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/web"
)

// Policies of files that people sent and pages show: such a file can load, run and send nothing. The viewers of
// browsers refuse the sandbox for PDF (screens.md U3).
const (
	filePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
	pdfPolicy  = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
)

// The kinds of files that are shown in pages. All others are downloaded.
const (
	PDF       = "application/pdf"
	PlainText = "text/plain"
)

// IsPicture reports whether a kind of file is a picture that browsers show.
func IsPicture(kind string) bool {
	return slices.Contains([]string{"image/jpeg", "image/png", "image/webp"}, kind)
}

// File answers with the bytes of a file that somebody sent, in whole or in ranges, and closes them. It is shown when it
// is inline and of a kind that can be; otherwise it is downloaded.
func (r *Request) File(f *admitto.File, inline bool, content io.ReadSeekCloser) error {
	out := web.File{Name: f.Name, Type: f.MIME, Disposition: web.Attachment,
		Tag:      `"` + f.Hash[:min(32, len(f.Hash))] + `"`,
		Modified: f.Uploaded.Floor().Std(), Label: fmt.Sprintf("file %d", f.ID)}
	policy := filePolicy
	if inline && (f.MIME == PDF || f.MIME == PlainText || IsPicture(f.MIME)) {
		out.Disposition = web.Inline
	}
	switch f.MIME {
	case PDF:
		policy = pdfPolicy
	case PlainText:
		charset, err := charsetOf(content)
		if err != nil {
			return errors.Join(err, content.Close())
		}
		out.Type += charset
	}
	r.answer = func(w http.ResponseWriter) error {
		w.Header().Set("Content-Security-Policy", policy)
		err := web.ServeFile(w, r.Request, out, content)
		switch {
		case errors.Is(err, web.ErrRange):
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return nil
		case errors.Is(err, web.ErrPrecondition):
			w.WriteHeader(http.StatusPreconditionFailed)
			return nil
		}
		return err
	}
	return nil
}

// charsetOf finds by its beginning how text is written, as the parameter of its media type: "" where the text says so
// itself.
func charsetOf(content io.ReadSeeker) (string, error) {
	begin := make([]byte, 64<<10)
	n, err := io.ReadFull(content, begin)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	text := begin[:n]
	if bytes.HasPrefix(text, []byte{0xfe, 0xff}) || bytes.HasPrefix(text, []byte{0xff, 0xfe}) {
		return "", nil
	}
	for range utf8.UTFMax { // the last character may be cut
		if utf8.Valid(text) {
			return "; charset=utf-8", nil
		}
		if n < len(begin) || len(text) == 0 {
			break
		}
		text = text[:len(text)-1]
	}
	return "; charset=windows-1252", nil
}

// FileName is a name of a file as it stands in a header: what is no plain letter, digit or sign becomes _.
func FileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return '_'
		}
		return c
	}, name)
}
