package pdf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"codeberg.org/go-pdf/fpdf"
)

// face is a TrueType font, with what must be known of it to choose between fonts and to break lines. Of the
// characters beyond U+FFFE, which fpdf cannot draw, it has none.
type face struct {
	family string // its name in documents
	data   []byte
	widths []uint16 // by character: 0 without a glyph, else 1 + the width in thousandths of the font size
}

// newFace reads a font. The tables are read leniently: what lies outside of the file is 0.
func newFace(family string, data []byte) (*face, error) {
	font := sfnt(data)
	if outlines := font.u32(0); outlines != 0x00010000 && outlines != 0x74727565 { // "true"
		return nil, errors.New("it is not a TrueType font (collections and fonts with PostScript outlines are not read)")
	}
	tables := map[string]int{}
	for i := range font.u16(4) {
		record := 12 + 16*i
		if record+16 > len(data) {
			break
		}
		tables[string(data[record:record+4])] = font.u32(record + 8)
	}
	for _, name := range []string{"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"} {
		if tables[name] == 0 {
			return nil, fmt.Errorf("it has no table %q", name)
		}
	}
	// Bits 1 to 3 of fsType: 2 forbids embedding, 0x300 subsets of it or its outlines.
	if os2 := tables["OS/2"]; os2 != 0 && (font.u16(os2+8)&0xF == 2 || font.u16(os2+8)&0x300 != 0) {
		return nil, errors.New("its license forbids to embed it")
	}
	glyphs, err := font.glyphs(tables["cmap"])
	if err != nil {
		return nil, err
	}
	f := &face{family: family, data: data, widths: make([]uint16, 1<<16)}
	scale := 1000 / float64(max(font.u16(tables["head"]+18), 1))
	metrics := max(font.u16(tables["hhea"]+34), 1)
	for char, glyph := range glyphs {
		advance := font.u16(tables["hmtx"] + 4*min(int(glyph), metrics-1))
		if glyph != 0 {
			f.widths[char] = 1 + uint16(min(math.Round(scale*float64(advance)), 65000))
		}
	}
	return f, nil
}

// has reports whether the font has a glyph for the character.
func (f *face) has(r rune) bool { return r >= 0 && int(r) < len(f.widths) && f.widths[r] != 0 }

// width of a character that the font has, for a font size of 1.
func (f *face) width(r rune) float64 { return float64(f.widths[r]-1) / 1000 }

// try draws something, because a font that fpdf cannot read shows only then, and often as a panic.
func (f *face) try() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it cannot be used: %v", r)
		}
	}()
	pdf := newFile()
	pdf.AddPage()
	f.add(pdf)
	pdf.SetFont(f.family, "", 10)
	for r := range rune(len(f.widths)) {
		if f.has(r) {
			pdf.Text(10, 10, string(r))
			break
		}
	}
	return pdf.Output(io.Discard)
}

// add makes the font known to a document. It gets its own bytes since fpdf writes into them.
func (f *face) add(pdf *fpdf.Fpdf) {
	pdf.AddUTF8FontFromBytes(f.family, "", bytes.Clone(f.data))
}

// sfnt reads the big-endian numbers of a font file; outside of it all are 0.
type sfnt []byte

func (s sfnt) u16(at int) int {
	if at < 0 || at+2 > len(s) {
		return 0
	}
	return int(binary.BigEndian.Uint16(s[at:]))
}

func (s sfnt) u32(at int) int { return s.u16(at)<<16 | s.u16(at+2) }

// glyphs reads the subtable of the character map that fpdf reads: the first for Unicode in format 4. The result
// goes by character, 0 is none.
func (s sfnt) glyphs(cmap int) ([]uint16, error) {
	table := 0
	for i := range s.u16(cmap + 2) {
		record := cmap + 4 + 8*i
		platform, encoding, at := s.u16(record), s.u16(record+2), cmap+s.u32(record+4)
		if (platform == 0 || platform == 3 && encoding == 1) && s.u16(at) == 4 {
			table = at
			break
		}
	}
	if table == 0 {
		return nil, errors.New("it has no character map for Unicode (cmap of format 4)")
	}
	glyphs := make([]uint16, 1<<16)
	end, n := table+s.u16(table+2), s.u16(table+6)/2
	for i := range n {
		last, first := s.u16(table+14+2*i), s.u16(table+16+2*n+2*i)
		delta, at := s.u16(table+16+4*n+2*i), table+16+6*n+2*i
		offset := s.u16(at)
		for char := max(first, 1); char <= min(last, 0xFFFE); char++ {
			switch position := at + offset + 2*(char-first); {
			case offset == 0:
				glyphs[char] = uint16(char + delta)
			case position < end && s.u16(position) != 0:
				glyphs[char] = uint16(s.u16(position) + delta)
			}
		}
	}
	return glyphs, nil
}
