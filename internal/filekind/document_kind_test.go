package filekind_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
)

// TestPasswordOfPDF refuses what opens with a password alone. The files were made with qpdf: every way of the format to
// seal one, with a password to open it ("closed") and with one to print it ("open").
func TestPasswordOfPDF(t *testing.T) {
	files, err := filepath.Glob("testdata/pdf/*.pdf")
	if err != nil || len(files) != 12 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for shift, before := range []string{"", "junk before it\n"} {
			all := append([]byte(before), content...)
			kind, err := filekind.Of(bytes.NewReader(all), int64(len(all)))
			if shift > 0 && kind == "" && codeOf(err) == "file-kind-not-taken" {
				continue // it is not even known as a PDF
			}
			if strings.HasPrefix(filepath.Base(name), "open") {
				if err != nil || kind != filekind.PDFType {
					t.Errorf("%s: %q, %v", name, kind, err)
				}
			} else if codeOf(err) != "file-password" {
				t.Errorf("%s: %q, %v", name, kind, err)
			}
		}
		// Cut off anywhere it is known for that, but where the cut is before the first object or behind the last one.
		first, last := bytes.Index(content, []byte(" obj"))+4, bytes.LastIndex(content, []byte("startxref"))
		for n := 8; n < len(content); n += 7 {
			kind, err := filekind.Of(bytes.NewReader(content[:n]), int64(n))
			if err != nil && codeOf(err) != "file-password" {
				t.Fatalf("%s, %d bytes of %d: %v", name, n, len(content), err)
			}
			if err == nil && n >= first && n < last {
				if err := filekind.Whole(kind, bytes.NewReader(content[:n]), int64(n)); codeOf(err) != "file-cut-off" {
					t.Fatalf("%s, %d bytes of %d: %v", name, n, len(content), err)
				}
			}
		}
	}
}

// TestPhotographOfPhone refuses the format of some phones with a sentence of its own.
func TestPhotographOfPhone(t *testing.T) {
	for brand, want := range map[string]string{"heic": "file-heic", "heix": "file-heic", "mif1": "file-heic",
		"msf1": "file-heic", "hevc": "file-heic", "mp42": "file-kind-not-taken", "avif": "file-kind-not-taken"} {
		content := "\x00\x00\x00\x18ftyp" + brand + "\x00\x00\x00\x00mif1heic" + strings.Repeat("\x00", 64)
		_, err := filekind.Of(strings.NewReader(content), int64(len(content)))
		if codeOf(err) != want {
			t.Errorf("%s: %v", brand, err)
		}
	}
}

func codeOf(err error) string {
	refusal, _ := err.(*admitto.Error) //nolint:errorlint // it comes as it is
	if refusal == nil {
		return ""
	}
	return refusal.Text.Code
}
