package filekind

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/admitto/admitto/internal/message"
	"github.com/gabriel-vasile/mimetype"
)

// pdfTail is how much may stand behind the end of a PDF: some programs fill up the last block, or append a page.
const pdfTail = 64 << 10

// Whole refuses a document whose end is missing, as a line that broke or a full disk leaves it. It looks for the end
// that the format says, and decodes nothing; what has no such end passes.
func Whole(content io.ReaderAt, size int64) error {
	found, err := mimetype.DetectReader(io.NewSectionReader(content, 0, size))
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(io.NewSectionReader(content, 0, size), 64<<10)
	ends := true
	switch {
	case isOneOf(found, PDFType):
		tail := window(content, size, max(size-pdfTail, 0), pdfTail)
		ends = bytes.Contains(tail, []byte("%%EOF")) || bytes.Contains(tail, []byte("startxref"))
	case isOneOf(found, "image/jpeg"):
		ends, err = endsJPEG(r)
	case isOneOf(found, "image/png"):
		ends, err = endsPNG(r)
	case isOneOf(found, "image/webp"):
		head := window(content, size, 0, 8)
		ends = int64(binary.LittleEndian.Uint32(head[4:])) <= size-8
	case isOneOf(found, WordXML, SheetXML, SlidesXML, TextODF, SheetODF, SlidesODF):
		_, broken := openZip(content, size) // its directory is at the end
		ends = broken == nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		ends, err = false, nil
	}
	if err == nil && !ends {
		err = refused(message.Of("file-cut"))
	}
	return err
}

// Markers of a JPEG that are needed to find its end.
const (
	jpegEnd          = 0xd9
	jpegFirstRestart = 0xd0
	jpegStart        = 0xd8 // follows the last restart
)

// endsJPEG goes from marker to marker until that of the end: a small picture inside one has an end of its own.
func endsJPEG(r *bufio.Reader) (bool, error) {
	for {
		switch _, err := r.ReadSlice(0xff); {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return false, err
		}
		marker, err := r.ReadByte()
		switch {
		case err != nil:
			return false, err
		case marker == 0xff: // fills up; the next one counts
			if err := r.UnreadByte(); err != nil {
				return false, err
			}
			continue
		case marker == jpegEnd:
			return true, nil
		case marker <= 1, marker >= jpegFirstRestart && marker <= jpegStart: // nothing belongs to these
			continue
		}
		if err := skip(r, 2, func(b []byte) int64 { return int64(binary.BigEndian.Uint16(b)) - 2 }); err != nil {
			return false, err
		}
	}
}

// endsPNG goes from chunk to chunk until the last one, with its sum.
func endsPNG(r *bufio.Reader) (ends bool, err error) {
	if _, err := r.Discard(8); err != nil {
		return false, err
	}
	for !ends {
		if err := skip(r, 8, func(b []byte) int64 {
			ends = string(b[4:]) == "IEND"
			return int64(binary.BigEndian.Uint32(b)) + 4
		}); err != nil {
			return false, err
		}
	}
	return true, nil
}

// skip reads a head, and skips as many bytes as it says.
func skip(r *bufio.Reader, head int, length func([]byte) int64) error {
	b := make([]byte, head)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	_, err := io.CopyN(io.Discard, r, max(length(b), 0))
	return err
}
