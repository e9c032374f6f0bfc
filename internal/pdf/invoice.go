package pdf

import (
	"io"
	"strings"
	"time"
)

// Invoice is an invoice as its payer gets it (lifecycle.md 6.1). Its texts may hold anything; line breaks are kept.
type Invoice struct {
	Title        string // Invoice 2026-17
	Institution  string // that issues it
	Issuer       []string
	Payer        []string
	Facts        []Field
	Lines        []InvoiceLine
	Rounding     string // by how much the total differs from the sum of the amounts, "" for nothing
	Total        string
	Instructions string
	Smallprint   string
	Issued       time.Time // in the zone it is shown in
	Language     string    // that the labels are written in, by BCP 47; empty: en
	Words        Words
}

// InvoiceLine is one item.
type InvoiceLine struct{ Item, Quantity, Price, Amount string }

// The right edges of the columns with numbers.
const (
	quantityEdge = 122.0
	priceEdge    = 157.0
	amountEdge   = right
	numberWidth  = 26.0
	itemWidth    = quantityEdge - left - numberWidth - 2
)

func totalStyle() style      { return style{true, 10.5, 6, 24, 34, 52} }
func smallprintStyle() style { return style{false, 8, 4.2, 98, 106, 118} }

// WriteInvoice writes the invoice as one PDF document. It may wait until others are made.
func (p *Printer) WriteInvoice(w io.Writer, i *Invoice) error {
	p.turns <- struct{}{}
	defer func() { <-p.turns }()
	d := newDocument(p, i.Language)
	d.describe(&Printout{Title: i.Title, Institution: i.Institution, Generated: i.Issued, Language: i.Language})
	d.newPage()
	d.invoiceHead(i)
	d.invoiceLines(i)
	width := right - left
	if i.Instructions != "" {
		d.y += 8
		d.paragraph(i.Words.Of("How to pay"), left, width, labelStyle())
		d.paragraph(i.Instructions, left, width, textStyle())
	}
	if i.Smallprint != "" {
		d.y += 6
		d.paragraph(i.Smallprint, left, width, smallprintStyle())
	}
	d.letterFooters(d.foot(&Letter{Institution: strings.Join([]string{i.Title, i.Institution}, " – ")}), i.Words)
	return d.pdf.Output(w)
}

// invoiceHead writes who issues the invoice to whom.
func (d *document) invoiceHead(i *Invoice) {
	width := right - left
	d.paragraph(i.Institution, left, width, letterheadStyle())
	for _, line := range i.Issuer {
		d.paragraph(line, left, width, institutionStyle())
	}
	d.y += 1.4
	d.rule()
	d.y += 10
	for _, line := range i.Payer {
		d.paragraph(line, left, width, textStyle())
	}
	d.y += 8
	d.paragraph(i.Title, left, width, nameStyle())
	d.y += 3
	for n := range i.Facts {
		d.field(&i.Facts[n], left, right)
	}
}

// rule draws a line over the width of the page.
func (d *document) rule() {
	d.pdf.SetDrawColor(176, 190, 210)
	d.pdf.SetLineWidth(0.3)
	d.line(left, right, d.y)
}

// invoiceLines writes the table of the items, and the total below it.
func (d *document) invoiceLines(i *Invoice) {
	d.need(24)
	d.y += 8
	head := func(english string) string { return d.oneLine(i.Words.Of(english), labelStyle()) }
	d.columns([]string{head("Item")}, i.Words.Of("Quantity"), head("Price"), head("Amount"), labelStyle())
	d.y += 0.8
	d.rule()
	d.y += 1.6
	for n := range i.Lines {
		l := &i.Lines[n]
		d.columns(d.lines(l.Item, itemWidth, valueStyle()), l.Quantity, l.Price, l.Amount, valueStyle())
	}
	if i.Rounding != "" {
		d.columns([]string{d.oneLine(i.Words.Of("Rounding"), valueStyle())}, "", "", i.Rounding, valueStyle())
	}
	d.need(totalStyle().line + 3)
	d.y += 0.8
	d.rule()
	d.y += 1.6
	d.columns([]string{d.oneLine(i.Words.Of("Total"), totalStyle())}, "", "", i.Total, totalStyle())
}

// columns writes one row of the table: item and quantity over several lines, and the money next to the first.
func (d *document) columns(item []string, quantity, price, amount string, s style) {
	quantities := d.lines(quantity, numberWidth, s)
	for n := range max(len(item), len(quantities)) {
		d.need(s.line)
		if n < len(item) {
			d.draw(left, d.y, item[n], s)
		}
		if n < len(quantities) {
			d.drawTo(quantityEdge, quantities[n], s)
		}
		if n == 0 {
			d.drawTo(priceEdge, price, s)
			d.drawTo(amountEdge, amount, s)
		}
		d.y += s.line
	}
}

// drawTo writes a line of a column with numbers, whose right edge on paper is that of the column.
func (d *document) drawTo(edge float64, line string, s style) {
	line = clean(line, d.fonts(s))
	width := d.width(line, s)
	if d.turned && width < numberWidth {
		width = numberWidth // the edge is where the column begins
	}
	d.draw(edge-width, d.y, line, s)
}
