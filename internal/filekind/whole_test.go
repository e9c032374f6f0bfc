package filekind_test

import (
	"archive/zip"
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
)

// wholeFiles are documents with their end, of each kind that has one.
func wholeFiles(t testing.TB) map[string][]byte {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, 90, 70))
	for i := range picture.Pix {
		picture.SetGray(i%90, i/90, color.Gray{Y: byte(i * i % 251)})
	}
	var photo, drawing, document bytes.Buffer
	pack := zip.NewWriter(&document)
	for _, name := range []string{"[Content_Types].xml", "_rels/.rels", "word/document.xml"} {
		if w, err := pack.Create(name); err != nil {
			t.Fatal(err)
		} else if _, err := w.Write(bytes.Repeat([]byte("<w:p/>"), 200)); err != nil {
			t.Fatal(err)
		}
	}
	must := func(errs ...error) {
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	paper, err := os.ReadFile("testdata/pdf/open-r4.pdf")
	must(err, pack.Close(), jpeg.Encode(&photo, picture, nil), png.Encode(&drawing, picture))
	// A photograph of a phone has a small one in its head, with an end of its own.
	small := "Exif\x00\x00" + strings.Repeat("\x00", 40) + "\xff\xd8\xff\xdb\x00\x02\xff\xd9"
	phone := "\xff\xd8\xff\xe1\x00" + string(rune(len(small)+2)) + small + photo.String()[2:]
	web := "RIFF\x44\x00\x00\x00WEBPVP8 \x38\x00\x00\x00" + strings.Repeat("\x9d\x01\x2a\x00", 14)
	return map[string][]byte{"photo.jpg": photo.Bytes(), "phone.jpg": []byte(phone), "drawing.png": drawing.Bytes(),
		"web.webp": []byte(web), "paper.pdf": paper, "document.docx": document.Bytes()}
}

// TestWhole takes documents with their end, also with something behind it, and refuses them with the end cut off.
func TestWhole(t *testing.T) {
	whole := func(content []byte) string {
		err := filekind.Whole(bytes.NewReader(content), int64(len(content)))
		if err != nil && codeOf(err) == "" {
			t.Fatal(err)
		}
		return codeOf(err)
	}
	for name, content := range wholeFiles(t) {
		if _, err := filekind.Of(bytes.NewReader(content), int64(len(content))); err != nil {
			t.Errorf("%s is not taken at all: %v", name, err)
		}
		if got := whole(content); got != "" {
			t.Errorf("%s: %s", name, got)
		}
		if got := whole(append(bytes.Clone(content), strings.Repeat("\x00", 4000)...)); got != "" {
			t.Errorf("%s with zeros behind it: %s", name, got)
		}
		for _, part := range []int{4, 2} {
			if got := whole(content[:len(content)-len(content)/part]); got != "file-cut" {
				t.Errorf("%s without a part of %d: %q", name, part, got)
			}
		}
		if got := whole(content[:len(content)-1]); got != "file-cut" && name != "paper.pdf" {
			t.Errorf("%s without its last byte: %q", name, got)
		}
	}
	for _, text := range []string{"", "Only words.", "{\\rtf1 words", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"} {
		if got := whole([]byte(text)); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// FuzzWhole: a file is whole or refused for its end, and a picture that is whole stays so whatever follows.
func FuzzWhole(f *testing.F) {
	for _, content := range wholeFiles(f) {
		f.Add(content)
		f.Add(content[:len(content)/2])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		err := filekind.Whole(bytes.NewReader(content), int64(len(content)))
		if err != nil && (admitto.KindOf(err) != admitto.UnsupportedFormat || codeOf(err) != "file-cut") {
			t.Fatal(err)
		}
		isPicture := bytes.HasPrefix(content, []byte("\xff\xd8\xff")) || bytes.HasPrefix(content, []byte("\x89PNG\r\n\x1a\n"))
		if err == nil && isPicture {
			more := append(bytes.Clone(content), "more"...)
			if err := filekind.Whole(bytes.NewReader(more), int64(len(more))); err != nil {
				t.Fatal(err)
			}
		}
	})
}
