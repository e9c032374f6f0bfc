// Package pdf makes the printout of an application. The fonts it carries cover Latin, Greek, Cyrillic and more;
// what they do not cover is drawn in further fonts, and what those do not cover either is shown by its code,
// [U+4F60], so that nothing is dropped. There is no clock in it: the same printout returns the same bytes.
//
// It is a leaf: it may import packages admitto, form and text, codeberg.org/go-pdf/fpdf and github.com/go-fonts/dejavu.
package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"os"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-fonts/dejavu/dejavusanscondensed"
	"github.com/go-fonts/dejavu/dejavusanscondensedbold"
)

// Printout is what is printed (resources.md 11). Its texts may hold anything.
type Printout struct {
	Title       string    // of the document: Application 9001
	Language    string    // that the labels are written in, by BCP 47; empty: en
	Words       Words     // that the printer writes
	Institution string    // whose document it is
	Name        string    // of the applicant
	Generated   time.Time // the time whose data it shows, in the zone it is shown in
	Photo       []byte    // a JPEG, or nothing
	Header      []Field   // about applicant and application, next to the photo
	Sections    []Section
}

// Words are those of a language for English ones; nil is English.
type Words func(english string) string

// Of are the words for English ones.
func (w Words) Of(english string) string {
	if w == nil {
		return english
	}
	return w(english)
}

// Section is a part with a heading: fields, then entries that each have fields of their own.
type Section struct {
	Title   string
	Fields  []Field
	Entries []Entry
}

// Entry is one of several things of a kind in a section.
type Entry struct {
	Title  string
	Fields []Field
}

// Field is a labelled text; line breaks in it are kept. One without text is an empty line to write on.
type Field struct{ Label, Text string }

// Printer makes printouts. It is safe for concurrent use.
type Printer struct {
	regular, bold []*face // in the order in which they are asked for a character
	turns         chan struct{}
}

// atOnce bounds how many printouts are made at a time: each takes some 20 MB while it is made.
const atOnce = 4

// New makes a printer that takes characters outside of the fonts in this package from those TrueType files, the
// first that has them (setting pdf.fonts). A file that is no such font, or that may not be embedded, is refused.
func New(fonts []string) (*Printer, error) {
	regular, err := newFace("text", dejavusanscondensed.TTF)
	if err != nil {
		return nil, err
	}
	bold, err := newFace("bold", dejavusanscondensedbold.TTF)
	if err != nil {
		return nil, err
	}
	p := &Printer{regular: []*face{regular}, turns: make(chan struct{}, atOnce)}
	for i, path := range fonts {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("a font for printouts: %w", err)
		}
		f, err := newFace(fmt.Sprintf("further%d", i+1), data)
		if err == nil {
			err = f.try()
		}
		if err != nil {
			return nil, fmt.Errorf("a font for printouts: %s: %w", path, err)
		}
		p.regular = append(p.regular, f)
	}
	p.bold = append([]*face{bold}, p.regular...)
	return p, nil
}

// Write writes the printout as one PDF document. It may wait until others are made.
func (p *Printer) Write(w io.Writer, out *Printout) error {
	p.turns <- struct{}{}
	defer func() { <-p.turns }()
	d := newDocument(p, out.Language)
	d.describe(out)
	d.newPage()
	d.opening(out)
	for i := range out.Sections {
		d.section(&out.Sections[i])
	}
	d.footers(out)
	return d.pdf.Output(w)
}

// photoSize returns width and height of a JPEG in pixels.
func photoSize(data []byte) (width, height float64, err error) {
	config, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err == nil && (config.Width == 0 || config.Height == 0) {
		err = errors.New("it is empty")
	}
	return float64(config.Width), float64(config.Height), err
}

// newFile begins a document of A4 pages, measured in millimetres, whose bytes depend on nothing but its content.
func newFile() *fpdf.Fpdf {
	f := fpdf.New("P", "mm", "A4", "")
	f.SetCatalogSort(true)
	f.SetAutoPageBreak(false, 0)
	return f
}
