package filekind

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/admitto/admitto/internal/message"
)

// Whole refuses a document whose end is missing, as after a download or a copy that broke off: nobody who opens it
// later could read it to its end, and who sent it may not have it any more by then. What does not look like a file of
// its kind from the start is left to those who show it. Office files have their directory at the end, so that nothing
// says of a part of one what it is.
func Whole(kind string, content io.ReaderAt, size int64) error {
	if isCutOff(kind, content, size) {
		return refused(message.Of("file-cut-off"))
	}
	return nil
}

func isCutOff(kind string, content io.ReaderAt, size int64) bool {
	switch kind {
	case PDFType:
		return pdfCutOff(content, size)
	case "image/jpeg":
		return jpegCutOff(content, size)
	case "image/png":
		return pngCutOff(content, size)
	case "image/webp":
		head := window(content, size, 0, 8)
		return len(head) == 8 && int64(binary.LittleEndian.Uint32(head[4:])) > size-8
	}
	return false
}

// pdfTail is how far before the end of the file that of a PDF may be: some programs write more behind it.
const pdfTail = 16 << 10

// pdfCutOff misses what stands at the end of a file that has objects.
func pdfCutOff(content io.ReaderAt, size int64) bool {
	end := window(content, size, max(size-pdfTail, 0), pdfTail)
	return find(content, min(size, pdfDict), 0, " obj") >= 0 && !bytes.Contains(end, []byte("startxref")) &&
		!bytes.Contains(end, []byte("%%EOF"))
}

// jpegCutOff misses the last marker behind the first one that the picture follows; smaller ones may lie before that.
func jpegCutOff(content io.ReaderAt, size int64) bool {
	for at := int64(2); ; {
		head := window(content, size, at, 4)
		if len(head) < 4 {
			return at > 2
		}
		if head[0] != 0xff {
			return false
		}
		if head[1] == 0xff { // filling
			at++
			continue
		}
		length := int64(binary.BigEndian.Uint16(head[2:]))
		if length < 2 {
			return false
		}
		if at += 2 + length; at > size {
			return true
		}
		if head[1] == 0xda {
			return find(content, size, at, "\xff\xd9") < 0
		}
	}
}

// pngCutOff misses the last part.
func pngCutOff(content io.ReaderAt, size int64) bool {
	for at, first := int64(8), true; ; first = false {
		head := window(content, size, at, 8)
		if first && string(head[min(4, len(head)):]) != "IHDR" {
			return false
		}
		if len(head) < 8 {
			return true
		}
		if at += 12 + int64(binary.BigEndian.Uint32(head)); at > size {
			return true
		}
		if string(head[4:]) == "IEND" {
			return false
		}
	}
}
