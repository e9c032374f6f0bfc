package pdf

import (
	"bytes"
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
	l := Letter{Letterhead: "Office of Admissions", Institution: "Northfield University", To: "Ilse Varga",
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
