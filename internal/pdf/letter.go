package pdf

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Letter is a letter on letterhead (resources.md 24.10). Its texts may hold anything; line breaks are kept.
type Letter struct {
	Letterhead  string // what stands at the top
	Institution string // whose letter it is
	Language    string // of the text, by BCP 47; empty: en
	To          string // to whom
	Subject     string
	Text        string
	Day         string    // on which it was written, in that language
	Written     time.Time // that day, in the zone it is shown in
}

func letterheadStyle() style { return style{true, 13, 6.4, 31, 66, 120} }
func subjectStyle() style    { return style{true, 11.5, 5.8, 24, 34, 52} }
func textStyle() style       { return style{false, 10.5, 5.4, 20, 24, 32} }

// WriteLetter writes the letter as one PDF document. It may wait until others are made.
func (p *Printer) WriteLetter(w io.Writer, l *Letter) error {
	p.turns <- struct{}{}
	defer func() { <-p.turns }()
	d := newDocument(p)
	d.describe(&Printout{Title: l.Subject, Language: l.Language, Institution: l.Institution, Generated: l.Written})
	d.newPage()
	d.letter(l)
	d.letterFooters(l)
	return d.pdf.Output(w)
}

// letter writes the head of a letter, and its text below.
func (d *document) letter(l *Letter) {
	width := right - left
	if l.Letterhead != "" {
		d.paragraph(l.Letterhead, left, width, letterheadStyle())
	}
	if l.Institution != "" && l.Institution != l.Letterhead {
		d.paragraph(l.Institution, left, width, institutionStyle())
	}
	d.y += 1.4
	d.pdf.SetDrawColor(176, 190, 210)
	d.pdf.SetLineWidth(0.3)
	d.pdf.Line(left, d.y, right, d.y)
	d.y += 12
	if l.To != "" {
		d.paragraph(l.To, left, width, textStyle())
		d.y += 4
	}
	d.paragraph(l.Day, left, width, labelStyle())
	d.y += 8
	d.paragraph(l.Subject, left, width, subjectStyle())
	d.y += 4
	d.paragraph(strings.TrimSpace(l.Text), left, width, textStyle())
}

// letterFooters writes the foot of every page, now that their number is known.
func (d *document) letterFooters(l *Letter) {
	s := footStyle()
	who := strings.Join(strings.Fields(l.Institution), " ")
	for page := range d.pdf.PageCount() {
		d.pdf.SetPage(page + 1)
		number := fmt.Sprintf("Page %d of %d", page+1, d.pdf.PageCount())
		x := right - d.width(number, s)
		d.draw(x, footer-3, number, s)
		lines := d.lines(who, x-left-6, s)
		if len(lines) > 1 {
			lines[0] += " …"
		}
		d.draw(left, footer-3, lines[0], s)
	}
}
