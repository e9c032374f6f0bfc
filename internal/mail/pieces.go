package mail

import "strings"

// Passage is a paragraph, a heading or a list of a letter, as pages show it.
type Passage struct {
	Heading         bool
	Bullets, Number bool // the lines are the items of a list
	Lines           [][]Piece
}

// Piece is a run of text within a line. Line breaks in it are those of a value that was put in.
type Piece struct {
	Text         string
	Href         string // where it leads; "" for text
	Bold, Italic bool
	Missing      bool // a marker that is unknown or has no value here
}

// Pieces returns subject and body of a template for a page, so that it shows what Render makes of them. Markers without
// a value stand in it as they are, and are marked.
func (t Template) Pieces(values Values) (subject []Piece, body []Passage) {
	w := pieceWriter{values: t.named(values)}
	for s := t.Subject; s != ""; {
		n := markerAt(s)
		switch {
		case n > 0:
			subject = w.marker(subject, bare(s[:n]), Piece{})
		default:
			n = 1
			for n < len(s) && markerAt(s[n:]) == 0 {
				n++
			}
			subject = append(subject, Piece{Text: s[:n]})
		}
		s = s[n:]
	}
	for i := range subject {
		subject[i].Text = strings.ReplaceAll(subject[i].Text, "\n", " ")
	}
	for _, b := range parseMarkup(t.Body) {
		p := Passage{Heading: b.kind == heading, Bullets: b.kind == bulletList, Number: b.kind == numberList}
		for _, line := range b.lines {
			p.Lines = append(p.Lines, w.inlines(nil, line, Piece{}))
		}
		body = append(body, p)
	}
	return subject, body
}

// pieceWriter makes pieces; it follows htmlWriter.
type pieceWriter struct{ values map[string]string }

// marker adds the value of a marker, in the style given.
func (w pieceWriter) marker(list []Piece, name string, style Piece) []Piece {
	value, known := w.values[name]
	if !known {
		style.Text, style.Missing = "%"+name+"%", true
		return append(list, style)
	}
	if style.Text = value; style.Href == "" && strings.HasSuffix(name, "Link") && isWebAddress(value) {
		style.Href = value
	}
	return append(list, style)
}

func (w pieceWriter) inlines(list []Piece, pieces []inline, style Piece) []Piece {
	for _, piece := range pieces {
		switch piece.kind {
		case plain:
			style.Text = piece.text
			list = append(list, style)
		case marker:
			list = w.marker(list, piece.text, style)
		case bold, italic:
			inner := style
			inner.Bold, inner.Italic = style.Bold || piece.kind == bold, style.Italic || piece.kind == italic
			list = w.inlines(list, piece.inner, inner)
		case link:
			list = w.link(list, piece, style)
		}
	}
	return list
}

// link adds a link; an address that may not be followed is text, and a marker that is missing in it stands out.
func (w pieceWriter) link(list []Piece, piece inline, style Piece) []Piece {
	address, ok := resolve(piece.target, w.values)
	if ok {
		style.Href = address
	}
	if isBare(piece) {
		style.Text = address
		list = append(list, style)
	} else {
		list = w.inlines(list, piece.inner, style)
		if !ok {
			style.Text = " (" + address + ")"
			list = append(list, style)
		}
	}
	for _, t := range piece.target {
		if _, known := w.values[t.text]; t.kind == marker && !known {
			list = w.marker(list, t.text, Piece{})
		}
	}
	return list
}
