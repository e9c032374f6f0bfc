package pdf

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"codeberg.org/go-pdf/fpdf"
	"github.com/admitto/admitto/internal/text"
)

// The page, in millimetres. It is laid out from left to right: a document in a language that is written from right to
// left is the mirror image, of places, not of letters and pictures.
const (
	paper       = 210.0
	left, right = 18.0, 192.0 // edges of the text
	top, bottom = 18.0, 274.0
	footer      = 284.0 // baseline of the line at the foot
	valueColumn = 68.0  // where the texts of fields begin
	entryIndent = 4.0
	columnGap   = 4.0
	point       = 25.4 / 72
)

// style is how a text is written.
type style struct {
	bold    bool
	size    float64 // in points
	line    float64 // from one baseline to the next, in millimetres
	r, g, b int
}

// The styles in use.
func institutionStyle() style { return style{false, 9, 5, 90, 98, 110} }
func nameStyle() style        { return style{true, 18, 8.2, 24, 34, 52} }
func titleStyle() style       { return style{false, 11, 5.6, 60, 70, 86} }
func headingStyle() style     { return style{true, 11.5, 5.6, 31, 66, 120} }
func entryStyle() style       { return style{true, 9.5, 5, 24, 34, 52} }
func labelStyle() style       { return style{false, 8.5, 4.7, 98, 106, 118} }
func valueStyle() style       { return style{false, 9.5, 4.7, 20, 24, 32} }
func footStyle() style        { return style{false, 7.5, 4, 98, 106, 118} }

// document is a printout in the making.
type document struct {
	pdf     *fpdf.Fpdf
	printer *Printer
	known   map[*face]bool // fonts that the document has
	y       float64        // where the next line begins
	end     float64        // where the lines of a page end
	turned  bool           // it is written from right to left
}

func newDocument(p *Printer, language string) *document {
	return &document{pdf: newFile(), printer: p, known: map[*face]bool{}, end: bottom,
		turned: text.IsRightToLeft(language)}
}

// place is where on paper something begins that is so wide and begins at x of the layout.
func (d *document) place(x, width float64) float64 {
	if d.turned {
		return paper - x - width
	}
	return x
}

// line draws a line from x to the other place of the layout.
func (d *document) line(x, to, y float64) {
	at := d.place(x, to-x)
	d.pdf.Line(at, y, at+to-x, y)
}

// describe says what the document is, for programs that read it aloud or keep it.
func (d *document) describe(out *Printout) {
	title := out.Title
	if out.Name != "" {
		title += " – " + out.Name
	}
	language := out.Language
	if language == "" || strings.Trim(language, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		language = "en"
	}
	instant := out.Generated.UTC()
	if instant.IsZero() {
		instant = time.Unix(0, 0).UTC() // fpdf would ask the clock
	}
	d.pdf.SetTitle(infoText(title), false)
	d.pdf.SetAuthor(infoText(out.Institution), false)
	d.pdf.SetCreator("Admitto", false)
	d.pdf.SetLang(language)
	d.pdf.SetCreationDate(instant)
	d.pdf.SetModificationDate(instant)
	d.pdf.SetXmpMetadata(xmp(title, out.Institution, language, instant))
}

// infoText is the form of texts in the dictionary of a document: UTF-16 with a mark in front.
func infoText(s string) string {
	text := []byte{0xFE, 0xFF}
	for _, unit := range utf16.Encode([]rune(s)) {
		text = append(text, byte(unit>>8), byte(unit))
	}
	return string(text)
}

// xmp returns the same description in the form of newer readers.
func xmp(title, author, language string, instant time.Time) []byte {
	escape := func(s string) string {
		var b bytes.Buffer
		_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
		return b.String()
	}
	return fmt.Appendf(nil, `<?xpacket begin="`+"\uFEFF"+`" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">%s</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>%s</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>%s</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>%s</xmp:CreateDate>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`, escape(title), escape(author), language, instant.Format(time.RFC3339))
}

func (d *document) newPage() {
	d.pdf.AddPage()
	d.y = top
}

// need begins a new page when less than the height is left on this one.
func (d *document) need(height float64) {
	if d.y+height > d.end {
		d.newPage()
	}
}

func (d *document) fonts(s style) []*face {
	if s.bold {
		return d.printer.bold
	}
	return d.printer.regular
}

// lines breaks a text into lines of the width.
func (d *document) lines(text string, width float64, s style) []string {
	fonts := d.fonts(s)
	return wrap(clean(text, fonts), width/(s.size*point), fonts, d.turned)
}

// draw writes one line, whose top is at y.
func (d *document) draw(x, y float64, line string, s style) {
	fonts := d.fonts(s)
	if d.turned {
		x = d.place(x, d.width(line, s))
	}
	d.pdf.SetTextColor(s.r, s.g, s.b)
	baseline := y + s.line*0.72
	var run []rune
	var used *face
	flush := func() {
		if len(run) == 0 {
			return
		}
		if !d.known[used] {
			used.add(d.pdf)
			d.known[used] = true
		}
		d.pdf.SetFont(used.family, "", s.size)
		d.pdf.Text(x, baseline, string(run))
		for _, r := range run {
			x += used.width(r) * s.size * point
		}
		run = run[:0]
	}
	for _, r := range line {
		if f := faceOf(r, fonts); f != used {
			flush()
			used = f
		}
		run = append(run, r)
	}
	flush()
}

// paragraph writes a text below what there is.
func (d *document) paragraph(text string, x, width float64, s style) {
	for _, line := range d.lines(text, width, s) {
		d.need(s.line)
		d.draw(x, d.y, line, s)
		d.y += s.line
	}
}

// opening writes who applies: names and header at the left, the photo at the right.
func (d *document) opening(out *Printout) {
	const maxWidth, maxHeight = 32.0, 42.0
	width, photoEnd := right-left, top
	header := out.Header
	if len(out.Photo) > 0 {
		w, h, err := photoSize(out.Photo)
		if err != nil {
			header = append(header[:len(header):len(header)], Field{out.Words.Of("Photo"),
				out.Words.Of("It cannot be read, so it is not shown.")})
		} else {
			scale := min(maxWidth/w, maxHeight/h)
			options := fpdf.ImageOptions{ImageType: "jpg"}
			d.pdf.RegisterImageOptionsReader("photo", options, bytes.NewReader(out.Photo))
			d.pdf.ImageOptions("photo", d.place(right-w*scale, w*scale), top, w*scale, h*scale, false, options, 0, "")
			width, photoEnd = width-maxWidth-columnGap, top+h*scale+3
		}
	}
	if out.Institution != "" {
		d.paragraph(out.Institution, left, width, institutionStyle())
		d.y++
	}
	if out.Name != "" {
		d.paragraph(out.Name, left, width, nameStyle())
	}
	d.paragraph(out.Title, left, width, titleStyle())
	d.y += 3
	pages := d.pdf.PageCount()
	for i := range header {
		d.field(&header[i], left, left+width)
	}
	if d.pdf.PageCount() == pages {
		d.y = max(d.y, photoEnd)
	}
}

// section writes a heading with a rule, and what is below it.
func (d *document) section(s *Section) {
	d.need(24) // never a heading alone at the end of a page
	d.y += 5
	d.paragraph(s.Title, left, right-left, headingStyle())
	d.y += 0.8
	d.pdf.SetDrawColor(176, 190, 210)
	d.pdf.SetLineWidth(0.3)
	d.line(left, right, d.y)
	d.y += 1.8
	for i := range s.Fields {
		d.field(&s.Fields[i], left, right)
	}
	for i := range s.Entries {
		entry := &s.Entries[i]
		if i > 0 || len(s.Fields) > 0 {
			d.y += 1.6
		}
		d.need(14)
		if entry.Title != "" {
			d.paragraph(entry.Title, left, right-left, entryStyle())
		}
		for j := range entry.Fields {
			d.field(&entry.Fields[j], left+entryIndent, right)
		}
	}
}

// field writes label and text next to each other, or a line to write on.
func (d *document) field(f *Field, x, edge float64) {
	labels := d.lines(f.Label, valueColumn-x-columnGap, labelStyle())
	texts := d.lines(f.Text, edge-valueColumn, valueStyle())
	height := valueStyle().line
	if f.Text == "" {
		height += 1.6
	}
	for i := range max(len(labels), len(texts)) {
		d.need(height)
		if i < len(labels) {
			d.draw(x, d.y, labels[i], labelStyle())
		}
		if i < len(texts) {
			d.draw(valueColumn, d.y, texts[i], valueStyle())
		}
		if i == 0 && f.Text == "" {
			d.pdf.SetDrawColor(200, 205, 212)
			d.pdf.SetLineWidth(0.2)
			d.line(valueColumn, edge, d.y+height-1.2)
		}
		d.y += height
	}
}

// footers writes the foot of every page, now that their number is known.
func (d *document) footers(out *Printout) {
	s := footStyle()
	generated := d.oneLine(out.Words.Of("Generated from the data of")+" "+
		out.Generated.Format("2006-01-02 15:04:05 MST"), s)
	who := out.Title
	if out.Name != "" {
		who += " – " + out.Name
	}
	who = strings.Join(strings.Fields(who), " ")
	for page := range d.pdf.PageCount() {
		d.pdf.SetPage(page + 1)
		d.pdf.SetDrawColor(210, 215, 222)
		d.pdf.SetLineWidth(0.2)
		d.line(left, right, footer-4.4)
		number := d.pageNumber(page, s, out.Words)
		x := right - d.width(number, s)
		d.draw(x, footer-3, number, s)
		x -= d.width(generated, s) + 6
		d.draw(x, footer-3, generated, s)
		lines := d.lines(who, x-left-6, s)
		if len(lines) > 1 {
			lines[0] += " …"
		}
		d.draw(left, footer-3, lines[0], s)
	}
}

// pageNumber is the number of a page, from 0, among all.
func (d *document) pageNumber(page int, s style, words Words) string {
	return d.oneLine(fmt.Sprintf(words.Of("Page %d of %d"), page+1, d.pdf.PageCount()), s)
}

// oneLine is a short text of which the fonts have every character, in the order in which they stand on paper.
func (d *document) oneLine(text string, s style) string {
	return d.lines(text, right-left, s)[0]
}

// width of a line of characters that the fonts have, in millimetres.
func (d *document) width(line string, s style) (w float64) {
	for _, r := range line {
		w += faceOf(r, d.fonts(s)).width(r) * s.size * point
	}
	return w
}
