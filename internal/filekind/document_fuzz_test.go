package filekind

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

// FuzzDocumentKind: whatever is uploaded is one of the kinds that are taken, or refused as none; nothing that a browser
// runs is among them.
func FuzzDocumentKind(f *testing.F) {
	for _, seed := range []string{"", "text", "%PDF-1.7\n", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0", "PK\x03\x04",
		"PK\x05\x06" + strings.Repeat("\x00", 18), "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"{\\rtf1", "<html><script>", " \n<svg xmlns='http://www.w3.org/2000/svg'>", "\xfe\xff\x00<\x00s",
		"RIFF\x24\x00\x00\x00WEBPVP8 ", "#!/bin/sh\n", "MZ\x00",
		"\xff\xd8\xff\xff\xff", "\xff\xd8\xff\xe0\x00\x02\xff\xda\x00\x02", "\x89PNG\r\n\x1a\n\x00\x00\x00\x00IHDR",
		"RIFF\xff\xff\xff\xffWEBPVP8 ", "%PDF-1.7\n1 0 obj"} {
		f.Add([]byte(seed))
	}
	for _, name := range []string{"closed-r2", "open-r4", "closed-r6", "open-stream"} {
		content, err := os.ReadFile("testdata/pdf/" + name + ".pdf")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	taken := []string{"application/pdf", "image/jpeg", "image/png", "image/webp", "application/rtf", PlainText, WordXML,
		SheetXML, SlidesXML, WordOLE, SheetOLE, SlidesOLE, TextODF, SheetODF, SlidesODF}
	f.Fuzz(func(t *testing.T, content []byte) {
		kind, err := Of(bytes.NewReader(content), int64(len(content)))
		if cut := Whole(kind, bytes.NewReader(content), int64(len(content))); cut != nil && kind == PlainText {
			t.Fatal("a text has no end to miss")
		}
		switch {
		case err != nil && admitto.KindOf(err) != admitto.UnsupportedFormat:
			t.Fatal(err)
		case err == nil && !slices.Contains(taken, kind):
			t.Fatalf("%q is taken", kind)
		case err == nil && kind == PlainText && bytes.HasPrefix(bytes.TrimLeft(content, "\t\n\f\r "), []byte("<")):
			t.Fatal("markup is taken for text")
		}
	})
}
