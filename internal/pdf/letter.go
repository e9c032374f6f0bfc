package pdf

import (
	"bytes"
	"image"
	_ "image/jpeg" // of logos
	_ "image/png"  // of logos
	"io"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// Letter is a letter on letterhead (resources.md 24.10). Its texts may hold anything; line breaks are kept.
type Letter struct {
	Head        string // what stands at the top, in lines
	Foot        string // what stands at the foot of every page, in lines; "": the institution
	Logo        []byte // a PNG or a JPEG that stands at the top, or nothing
	Institution string // whose letter it is
	Language    string // of the text, by BCP 47; empty: en
	Words       Words
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
	d := newDocument(p, l.Language)
	d.describe(&Printout{Title: l.Subject, Language: l.Language, Institution: l.Institution, Generated: l.Written})
	foot := d.foot(l)
	d.end -= float64(len(foot)-1) * footStyle().line
	d.newPage()
	d.letter(l)
	d.letterFooters(foot, l.Words)
	return d.pdf.Output(w)
}

// letter writes the head of a letter, and its text below.
func (d *document) letter(l *Letter) {
	width := d.logo(l.Logo)
	head, whose := strings.TrimSpace(l.Head), strings.Join(strings.Fields(l.Institution), " ")
	first, rest, _ := strings.Cut(head, "\n")
	if head == "" {
		first, whose = whose, ""
	}
	if first != "" {
		d.paragraph(first, left, width, letterheadStyle())
	}
	if rest != "" {
		d.paragraph(rest, left, width, institutionStyle())
	}
	if whose != "" && !strings.Contains(strings.Join(strings.Fields(head), " "), whose) {
		d.paragraph(whose, left, width, institutionStyle())
	}
	if len(l.Logo) > 0 && d.pdf.PageCount() == 1 {
		d.y = max(d.y, top+logoHeight)
	}
	width = right - left
	d.y += 1.4
	d.pdf.SetDrawColor(176, 190, 210)
	d.pdf.SetLineWidth(0.3)
	d.line(left, right, d.y)
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

// The room for the picture of a letterhead, and how many lines its foot has at most.
const (
	logoWidth, logoHeight = 60.0, 22.0
	mostFoot              = 6
)

// logo draws a picture at the end of the first lines, and returns how wide what stands before it may be.
func (d *document) logo(picture []byte) (width float64) {
	width = right - left
	if len(picture) == 0 {
		return width
	}
	config, kind, err := image.DecodeConfig(bytes.NewReader(picture))
	if err != nil || config.Width == 0 || config.Height == 0 {
		return width // what is stored can be read
	}
	scale := min(logoWidth/float64(config.Width), logoHeight/float64(config.Height))
	w, h := float64(config.Width)*scale, float64(config.Height)*scale
	options := fpdf.ImageOptions{ImageType: kind}
	d.pdf.RegisterImageOptionsReader("logo", options, bytes.NewReader(picture))
	d.pdf.ImageOptions("logo", d.place(right-w, w), top, w, h, false, options, 0, "")
	return width - w - columnGap
}

// foot are the lines at the foot of every page.
func (d *document) foot(l *Letter) []string {
	text := strings.TrimSpace(l.Foot)
	if text == "" {
		text = strings.Join(strings.Fields(l.Institution), " ")
	}
	const numberWidth = 30 // of the page
	lines := d.lines(text, right-left-numberWidth, footStyle())
	most := mostFoot
	if l.Foot == "" {
		most = 1
	}
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] += " …"
	}
	return lines
}

// letterFooters writes the foot of every page, now that their number is known.
func (d *document) letterFooters(foot []string, words Words) {
	s := footStyle()
	for page := range d.pdf.PageCount() {
		d.pdf.SetPage(page + 1)
		for i, line := range foot {
			d.draw(left, footer-3-float64(len(foot)-1-i)*s.line, line, s)
		}
		number := d.pageNumber(page, s, words)
		d.draw(right-d.width(number, s), footer-3, number, s)
	}
}
