package pdf

import (
	"bytes"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/admitto/admitto/internal/pdf/pdftest"
)

// boxes are the places of the words of a document on its page, from the left edge, in millimetres.
func boxes(t *testing.T, document []byte) map[string][2]float64 {
	t.Helper()
	at := map[string][2]float64{}
	for _, m := range regexp.MustCompile(`xMin="([0-9.]+)" .*xMax="([0-9.]+)".*>(.*)</word>`).FindAllStringSubmatch(
		pdftest.Tool(t, "pdftotext", document, "-bbox", "FILE", "-"), -1) {
		from, _ := strconv.ParseFloat(m[1], 64)
		to, _ := strconv.ParseFloat(m[2], 64)
		at[m[3]] = [2]float64{from * point, to * point}
	}
	return at
}

// TestTurned lays papers in Arabic out as the mirror image of those in English: what stands at the left edge of these
// stands at the right edge of those, and numbers have their ends below each other.
func TestTurned(t *testing.T) {
	printer, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, paperOf := range []struct {
		write func(w io.Writer, language string) error
		words []string
	}{
		{func(w io.Writer, language string) error {
			return printer.WriteLetter(w, &Letter{Language: language, Head: "Office", To: "Ilse", Subject: "Offer",
				Text: "Welcome\nHello", Day: "Monday"})
		}, []string{"Office", "Ilse", "Offer", "Welcome", "Hello", "Monday"}},
		{func(w io.Writer, language string) error {
			return printer.Write(w, &Printout{Language: language, Title: "Application", Header: []Field{{"Mail", "Box"}},
				Sections: []Section{{Title: "Profile", Entries: []Entry{{"First", []Field{{"Label", "Value"}}}}}}})
		}, []string{"Mail", "Box", "Profile", "First", "Label", "Value"}},
		{func(w io.Writer, language string) error {
			return printer.WriteInvoice(w, &Invoice{Language: language, Title: "Invoice", Facts: []Field{{"Pay", "Soon"}},
				Lines: []InvoiceLine{{"Fee", "1.00", "80.00", "1,080.00"}}, Total: "99.00"})
		}, []string{"Pay", "Soon", "Item", "Fee", "Total"}},
	} {
		var english, arabic bytes.Buffer
		if err := paperOf.write(&english, "en"); err != nil {
			t.Fatal(err)
		}
		if err := paperOf.write(&arabic, "ar"); err != nil {
			t.Fatal(err)
		}
		was, now := boxes(t, english.Bytes()), boxes(t, arabic.Bytes())
		for _, word := range paperOf.words {
			if now[word][0] == 0 || math.Abs(now[word][1]-(paper-was[word][0])) > 0.2 {
				t.Errorf("%s stands at %.1f, and at %.1f in Arabic", word, was[word], now[word])
			}
		}
		if slices.Contains(paperOf.words, "Total") && (now["1,080.00"][0] > 40 || now["80.00"][0] > now["Fee"][0] ||
			math.Abs(now["1,080.00"][1]-now["99.00"][1]) > 0.2) {
			t.Errorf("the numbers stand at %v", now)
		}
	}
}

// TestTurnedLines lets all lines of a paragraph run as it does.
func TestTurnedLines(t *testing.T) {
	printer, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	const text = "\u0627 abc \u0627 abc, \u0627"
	for turned, want := range map[bool]string{false: "abc, \u0627", true: "\u0627 ,abc"} {
		if got := wrap(text, 2.9, printer.regular, turned); len(got) != 2 || got[1] != want {
			t.Errorf("%v: %+q, want %+q", turned, got, want)
		}
	}
}
