// Package filekind finds what kind of file an upload is, by its bytes. It may import admitto and message only.
package filekind

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/gabriel-vasile/mimetype"
)

// Suffixes are the kinds of documents that a browser offers (lifecycle.md 5.3); the service looks at the content.
const Suffixes = ".pdf,.jpg,.jpeg,.png,.webp,.txt,.rtf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.odp"

// The kinds of documents (lifecycle.md 5.3). They are found by the content, whatever the name says.
const (
	PDFType    = "application/pdf"
	PlainText  = "text/plain"
	WordXML    = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	SheetXML   = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	SlidesXML  = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	WordOLE    = "application/msword"
	SheetOLE   = "application/vnd.ms-excel"
	SlidesOLE  = "application/vnd.ms-powerpoint"
	TextODF    = "application/vnd.oasis.opendocument.text"
	SheetODF   = "application/vnd.oasis.opendocument.spreadsheet"
	SlidesODF  = "application/vnd.oasis.opendocument.presentation"
	oleStorage = "application/x-ole-storage"
)

// Of returns the media type of a document, or answers unsupported-media-type for what is none of the kinds.
func Of(content io.ReaderAt, size int64) (string, error) {
	found, err := mimetype.DetectReader(io.NewSectionReader(content, 0, size))
	if err != nil {
		return "", err
	}
	kind := ""
	switch {
	case isOneOf(found, heic...):
		return "", refused(message.Of("file-heic"))
	case isOneOf(found, PDFType) && hasPassword(content, size):
		return "", refused(message.Of("file-password"))
	case isOneOf(found, PDFType, "image/jpeg", "image/png", "image/webp", "text/rtf"):
		kind, _, _ = strings.Cut(found.String(), ";")
	case descends(found, "application/zip"):
		kind = zipKind(content, size)
	case descends(found, oleStorage):
		kind, err = oleKind(content, size)
	case descends(found, PlainText):
		kind, err = textKind(content, size)
	}
	if err == nil && kind == "" {
		err = refused(message.Of("file-kind-not-taken"))
	}
	if kind == "text/rtf" {
		kind = "application/rtf"
	}
	return kind, err
}

// heic are the kinds of photographs of some phones, which not every browser shows.
var heic = []string{"image/heic", "image/heic-sequence", "image/heif", "image/heif-sequence"}

// refused says why a file is not taken.
func refused(why message.Text) error { return admitto.Refused(admitto.UnsupportedFormat, why) }

func isOneOf(found *mimetype.MIME, kinds ...string) bool {
	for _, kind := range kinds {
		if found.Is(kind) {
			return true
		}
	}
	return false
}

// descends reports whether what was found is of the kind, or a special case of it.
func descends(found *mimetype.MIME, kind string) bool {
	for ; found != nil; found = found.Parent() {
		if found.Is(kind) {
			return true
		}
	}
	return false
}

// zipKind looks into the directory of an archive, which is at its end. What holds programs (macros) is none of the
// kinds.
func zipKind(content io.ReaderAt, size int64) (kind string) {
	archive, err := openZip(content, size)
	if err != nil {
		return ""
	}
	hasPrograms := false
	var odf *zipEntry
	err = archive.each(func(e *zipEntry) {
		switch name := e.name; {
		case bytes.EqualFold(name[bytes.LastIndexByte(name, '/')+1:], []byte("vbaProject.bin")), bytes.HasPrefix(name,
			[]byte("Basic/")):
			hasPrograms = true
		case string(name) == "word/document.xml":
			kind = WordXML
		case string(name) == "xl/workbook.xml":
			kind = SheetXML
		case string(name) == "ppt/presentation.xml":
			kind = SlidesXML
		case string(name) == "mimetype" && odf == nil:
			first := *e
			odf = &first
		}
	})
	switch {
	case err != nil || hasPrograms:
		return ""
	case kind == "" && odf != nil:
		return odfKind(archive.short(odf, 128))
	}
	return kind
}

// odfKind reads the file mimetype of an OpenDocument archive.
func odfKind(text string) string {
	switch kind := strings.TrimSpace(text); kind {
	case TextODF, SheetODF, SlidesODF:
		return kind
	}
	return ""
}

// oleKind looks for the stream that makes a compound file of the old office formats what it is.
func oleKind(content io.ReaderAt, size int64) (string, error) {
	streams := []struct{ name, kind string }{{"WordDocument", WordOLE}, {"Workbook", SheetOLE}, {"Book", SheetOLE},
		{"PowerPoint Document", SlidesOLE}, {"EncryptedPackage", ""}}
	const entry = 128 // bytes of an entry of the directory; all are at multiples of it
	r := io.NewSectionReader(content, 0, size)
	for block := make([]byte, 64<<10); ; {
		n, err := io.ReadFull(r, block)
		for at := 0; at+entry <= n; at += entry {
			for _, stream := range streams {
				if !isEntry(block[at:at+entry], stream.name) {
					continue
				}
				if stream.kind == "" {
					return "", refused(message.Of("file-password"))
				}
				return stream.kind, nil
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
	}
}

// isEntry reports whether an entry of the directory of a compound file is the stream with the name, which stands in
// UTF-16 at its beginning, its length in bytes with the final zero at 64, and the type of the object at 66.
func isEntry(entry []byte, name string) bool {
	var wide []byte
	for _, b := range []byte(name) {
		wide = append(wide, b, 0)
	}
	wide = append(wide, 0, 0)
	return bytes.HasPrefix(entry, wide) && int(entry[64])|int(entry[65])<<8 == len(wide) && entry[66] == 2
}

// textKind refuses markup, which a browser might run, and text that is followed by something else.
func textKind(content io.ReaderAt, size int64) (string, error) {
	r := io.NewSectionReader(content, 0, size)
	isWide, isFirst := false, true // UTF-16 has zeros
	for block := make([]byte, 64<<10); ; {
		n, err := r.Read(block)
		if isFirst && n > 0 {
			isWide = bytes.HasPrefix(block, []byte{0xfe, 0xff}) || bytes.HasPrefix(block, []byte{0xff, 0xfe})
			if start := bytes.TrimLeft(block[:n], "\x00\t\n\f\r \ufeff\xfe\xff"); len(start) > 0 && start[0] == '<' {
				return "", nil
			}
			isFirst = false
		}
		if !isWide && bytes.IndexByte(block[:n], 0) >= 0 {
			return "", nil
		}
		if err == io.EOF {
			return PlainText, nil
		}
		if err != nil {
			return "", err
		}
	}
}
