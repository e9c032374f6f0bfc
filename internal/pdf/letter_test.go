package pdf

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/pdf/pdftest"
)

func TestLetter(t *testing.T) {
	printer, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	write := func(l Letter) []byte {
		t.Helper()
		var b bytes.Buffer
		if err := printer.WriteLetter(&b, &l); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	l := Letter{Head: "Office of Admissions", Institution: "Northfield University", To: "Ilse Varga",
		Subject: "Your admission",
		Text: "Dear Ilse,\n\nwelcome to Πάτρα — (all) of you 你.\n" +
			strings.Repeat("\n\nA paragraph of some length that goes on to the next page. ", 80),
		Day: "9 March 2026", Written: time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)}
	document := write(l)
	text := pdftest.Text(t, document)
	at := 0
	for _, part := range []string{"Office of Admissions", "Northfield University", "Ilse Varga", "9 March 2026",
		"Your admission", "Dear Ilse,",
		"welcome to Πάτρα — (all) of you [U+4F60].", "Page 1 of ", "Page 2 of "} {
		i := strings.Index(text[at:], part)
		if i < 0 {
			t.Fatalf("no %q behind %q", part, text[:at])
		}
		at += i
	}
	if !bytes.Equal(document, write(l)) {
		t.Error("the same letter gives other bytes")
	}
	if pdftest.Text(t, write(Letter{Subject: "Only"})) == "" {
		t.Error("nothing written")
	}
}

// The foot of a letterhead stands on every page, below all of the text, and its picture on the first.
func TestLetterOnPaper(t *testing.T) {
	printer, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var logo, b bytes.Buffer
	if err := png.Encode(&logo, image.NewNRGBA(image.Rect(0, 0, 300, 100))); err != nil {
		t.Fatal(err)
	}
	l := Letter{Head: "Office of Admissions of Northfield\nUniversity\n1 North Road", Institution: "Northfield University",
		Foot: "One\nTwo\nThree\nFour\nFive\nSix\nSeven", Logo: logo.Bytes(), Subject: "Hello",
		Text: strings.Repeat("A line.\n", 120)}
	if err := printer.WriteLetter(&b, &l); err != nil {
		t.Fatal(err)
	}
	text := pdftest.Text(t, b.Bytes())
	if n := strings.Count(text, "Six …"); n != 4 || strings.Contains(text, "Seven") {
		t.Errorf("the foot stands on %d pages: %s", n, text)
	}
	if strings.Contains(text, "Northfield University\n") {
		t.Errorf("the institution stands twice: %s", text)
	}
	if images := pdftest.Tool(t, "pdfimages", b.Bytes(), "-list", "FILE"); !strings.Contains(images, "   1     0 image") ||
		strings.Contains(images, "   2 ") {
		t.Error(images)
	}
}
