package pdf

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/pdf/pdftest"
)

func TestInvoice(t *testing.T) {
	printer, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	write := func(i Invoice) []byte {
		t.Helper()
		var b bytes.Buffer
		if err := printer.WriteInvoice(&b, &i); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	i := Invoice{Title: "Invoice 2026-17", Institution: "Northfield University",
		Issuer: []string{"1 College Road\nNorthfield", "VAT number NF-17"},
		Payer:  []string{"Ilse Várga 你", "ilse@example.org"},
		Facts:  []Field{{"Pay by", "23 March 2026"}},
		Lines:  []InvoiceLine{{strings.Repeat("Application fee of some length ", 9), "0.33 h", "9.99 EUR", "3.30 EUR"}},
		Total:  "3.29 EUR", Rounding: "-0.01 EUR", Instructions: "Use the number.\nThank you.",
		Smallprint: "No refund (ever).",
		Issued:     time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)}
	document := write(i)
	text := pdftest.Text(t, document)
	at := 0
	for _, part := range []string{"Northfield University", "1 College Road", "VAT number NF-17", "Ilse Várga [U+4F60]",
		"ilse@example.org", "Invoice 2026-17", "Pay by 23 March 2026", "Item Quantity Price Amount",
		"Application fee of some length", "0.33 h 9.99 EUR 3.30 EUR", "Rounding -0.01 EUR", "Total 3.29 EUR",
		"How to pay", "Use the number.",
		"Thank you.", "No refund (ever).", "Page 1 of 1"} {
		n := strings.Index(text[at:], part)
		if n < 0 {
			t.Fatalf("no %q behind %q in %q", part, text[:at], text)
		}
		at += n
	}
	if !bytes.Equal(document, write(i)) {
		t.Error("the same invoice gives other bytes")
	}
	for n := range 100 {
		i.Lines = append(i.Lines, InvoiceLine{fmt.Sprintf("Item %d", n), "1.00", "1.00 EUR", "1.00 EUR"})
	}
	if long := pdftest.Text(t, write(i)); !strings.Contains(long, "Item 99 1.00") ||
		!strings.Contains(long, "Page 3 of 3") {
		t.Error(long)
	}
	if pdftest.Text(t, write(Invoice{})) == "" {
		t.Error("nothing written")
	}
}
