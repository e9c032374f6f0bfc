package pdf

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-fonts/dejavu/dejavuserif"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/pdf/pdftest"
)

// print makes the bytes of a printout.
func print(t testing.TB, p *Printout, fonts ...string) []byte {
	t.Helper()
	printer, err := New(fonts)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := printer.Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func names() Names {
	return Names{
		Title: func(class, code string) string {
			if code == "" || code == "UNKNOWN" {
				return ""
			}
			return class + "=" + code
		},
		Country:  func(code string) string { return map[string]string{"HU": "Hungary", "GR": "Greece"}[code] },
		Language: func(code string) string { return map[string]string{"en": "English"}[code] },
		Document: func(id int64) string { return map[int64]string{222: "Passport.pdf"}[id] },
	}
}

func photo(t testing.TB) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 90, 120))
	for i := range 90 * 120 {
		picture.Set(i%90, i/90, color.RGBA{uint8(i % 90 * 2), uint8(i / 90 * 2), 140, 255})
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sample(t testing.TB) *Printout {
	return &Printout{Title: "Application 9001", Institution: "Northfield University", Name: "Ilse Čapková Οδυσσέας Жанна",
		Photo:     photo(t),
		Generated: time.Date(2026, 2, 1, 17, 20, 11, 0, time.FixedZone("CET", 3600)),
		Header:    []Field{{"Status", "Submitted"}, {"E-mail", "ilse@example.org"}},
		Sections: append([]Section{{Title: "Courses", Entries: []Entry{{"1. Energy Systems",
			[]Field{{"Intake", "Autumn 2026"}}}}}},
			Content(full(t), names())...)}
}

// full returns a content in which every field says its own path; codes and the like have a value that fits.
func full(t testing.TB) *form.Content {
	t.Helper()
	c := &form.Content{}
	for _, section := range form.Sections() {
		values := form.Object{}
		for _, f := range section.Leaves() {
			values[f.Below()] = sampleValue(f)
		}
		switch {
		case section.Key == form.Questions:
		case section.Rows:
			c.AddRow(section.Key, values)
		default:
			c.Put(section.Key, values)
		}
	}
	c.Put("visa", form.Object{"country": "GR"})
	c.Rows("languages")[0]["name"] = "en"
	yes := true
	c.Extras = []admitto.Extra{
		{Name: "Question text", Type: admitto.ExtraText, Text: "Answer text"},
		{Name: "Question number", Type: admitto.ExtraNumber, Number: "12.5"},
		{Name: "Question yesno", Type: admitto.ExtraYesNo, YesNo: &yes},
		{Name: "Question country", Type: admitto.ExtraCountry, Text: "HU"},
		{Name: "Question language", Type: admitto.ExtraLanguage, Text: "en"},
		{Name: "Question choices", Type: admitto.ExtraChoices, Choices: []string{"First choice", "Second choice"}},
		{Name: "Question money", Type: admitto.ExtraMoney, Money: &admitto.Money{Amount: 123450, Currency: "EUR"}},
		{Name: "Question file", Type: admitto.ExtraFile, Document: 222},
		{Name: "Custom section", Type: admitto.ExtraSection, Entries: []admitto.Extra{{Name: "Inner question",
			Type: admitto.ExtraText, Text: "Inner answer"}}},
	}
	return c
}

// sampleValue is a value that says the path of its field, where that is possible.
func sampleValue(f *form.Field) any {
	switch f.Kind {
	case form.Word:
		return "R"
	case form.Number:
		return 2019
	case form.YesNo:
		return true
	case form.Codes:
		return []string{f.Path}
	case form.Schemes:
		return map[string]string{"polish": f.Path}
	}
	return f.Path
}

func TestEverythingIsPrinted(t *testing.T) {
	sections := Content(full(t), names())
	got := fmt.Sprint(sections)
	for _, f := range form.Fields() {
		isShown := strings.Contains(got, f.Path) || f.Kind == form.Word || f.Kind == form.Number || f.Kind == form.YesNo
		if f.Path != "visa/country" && f.Path != "languages/name" && !isShown {
			t.Errorf("%s is not printed", f.Path)
		}
	}
	text := pdftest.Text(t, print(t, sample(t)))
	for _, want := range []string{"Personal data", "Legal person", "Contact", "Home institution", "Host institution",
		"Education", "Grades",
		"Languages", "Career", "Activities", "Stays abroad", "Motivation", "Visa", "Further information", "Further questions",
		"Courses",
		"1. Energy Systems", "Autumn 2026", "Gender=profile/gender", "Marital status=profile/marital",
		"National code (polish) profile/nationalidcode",
		"Rural", "Greece", "English", "2019", "Answer text", "12.5", "Question yesno Yes", "Hungary", "First choice",
		"Second choice",
		"1234.50 EUR", "Passport.pdf", "Custom section", "Inner answer", "Submitted", "2026-02-01 17:20:11 CET", "Page 1 of ",
		"Northfield University", "Home institution=home/institution/name-dropdown"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the printout", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestWhatIsEmptyIsLeftOut(t *testing.T) {
	got := Content(&form.Content{Sections: map[string]any{"visa": form.Object{"type": "UNKNOWN"}, "misc": form.Object{}}},
		names())
	want := []Section{{Title: "Visa", Fields: []Field{{"Type of visa", "UNKNOWN"}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestBlankApplicationIsAnEmptyForm(t *testing.T) {
	p := sample(t)
	p.Sections = Content(&form.Content{}, names())
	text := pdftest.Text(t, print(t, p))
	for _, want := range []string{"Family name", "Postal code", "Motivation", "1. Entry", "Diploma number"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the empty form", want)
		}
	}
}

func TestScripts(t *testing.T) {
	fallback := filepath.Join(t.TempDir(), "fallback.ttf")
	if err := os.WriteFile(fallback, withHan(t, dejavuserif.TTF), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, text, want string
		fonts            []string
	}{
		{"Latin", "Łukasz Đặng Þór Čapková", "Łukasz Đặng Þór Čapková", nil},
		{"Greek", "Οδυσσέας Ἀθηνᾶ", "Οδυσσέας Ἀθηνᾶ", nil},
		{"Cyrillic", "Жанна Їжакевич", "Жанна Їжакевич", nil},
		{"outside of all fonts", "Li 你好", "Li [U+4F60][U+597D]", nil},
		{"in a further font", "Li 你好", "Li 你[U+597D]", []string{fallback}},
		{"beyond the basic plane", "a😀b", "a[U+1F600]b", nil},
		{"control characters", "a\x00b\x1bc", "a[U+0000]b[U+001B]c", nil},
		{"no UTF-8", "a\xffb", "a\uFFFDb", nil},
		{"invisible", "a\u202eb\u00adc\ufeff", "abc", nil},
		{"spaces", "a\u2003b\u3000c\td", "a b c d", nil},
		{"line breaks", "a\r\nb\rc\u2028d", "a b c d", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &Printout{Title: "Application 1", Sections: []Section{{Title: "S",
				Fields: []Field{{"Label", "<" + tt.text + ">"}}}}}
			p.Name = "Name: " + strings.Join(strings.Fields(tt.text), " ")
			text := pdftest.Text(t, print(t, p, tt.fonts...))
			if !strings.Contains(text, "<"+tt.want+">") {
				t.Errorf("the field shows %q, want %q", text, tt.want)
			}
			if !strings.Contains(text, "Name: "+tt.want) {
				t.Errorf("the name shows %q, want %q", text, tt.want)
			}
		})
	}
}

// withHan returns a font in which the glyph of U+4EE0 and up is there for 你: a segment of its map is bent.
func withHan(t *testing.T, font []byte) []byte {
	t.Helper()
	font = bytes.Clone(font)
	s := sfnt(font)
	for i := range s.u16(4) {
		record := 12 + 16*i
		if string(font[record:record+4]) != "cmap" {
			continue
		}
		cmap := s.u32(record + 8)
		for j := range s.u16(cmap + 2) {
			table := cmap + s.u32(cmap+8+8*j)
			if s.u16(table) != 4 {
				continue
			}
			// The last segment before U+FFFF becomes 你 alone, with the glyph of Q.
			n := s.u16(table+6) / 2
			at := n - 2
			put := func(position, value int) { font[position], font[position+1] = byte(value>>8), byte(value) }
			put(table+14+2*at, 0x4F60)
			put(table+16+2*n+2*at, 0x4F60)
			put(table+16+4*n+2*at, (0x34-0x4F60)&0xFFFF)
			put(table+16+6*n+2*at, 0)
		}
		return font
	}
	t.Fatal("the font has no cmap")
	return nil
}

func TestSameBytes(t *testing.T) {
	first := print(t, sample(t))
	time.Local = time.FixedZone("elsewhere", 7200)
	defer func() { time.Local = time.UTC }()
	for range 5 {
		if !bytes.Equal(print(t, sample(t)), first) {
			t.Fatal("the same printout has other bytes")
		}
	}
	if again := print(t, &Printout{}); !bytes.Equal(again, print(t, &Printout{})) {
		t.Error("an empty printout has a clock in it")
	}
}

func TestCatalog(t *testing.T) {
	document := print(t, sample(t))
	info := pdftest.Tool(t, "pdfinfo", document, "FILE")
	for _, want := range []string{"Application 9001 – Ilse Čapková Οδυσσέας Жанна", "Northfield University",
		"Page size:       595.28 x 841.89 pts (A4)"} {
		if !strings.Contains(info, want) {
			t.Errorf("%q is not in %s", want, info)
		}
	}
	if !bytes.Contains(document, []byte("/Lang (en)")) {
		t.Error("the catalog has no language")
	}
	meta := pdftest.Tool(t, "pdfinfo", document, "-meta", "FILE")
	for _, want := range []string{"<rdf:li>en</rdf:li>", "Жанна",
		"<xmp:CreateDate>2026-02-01T16:20:11Z</xmp:CreateDate>"} {
		if !strings.Contains(meta, want) {
			t.Errorf("%q is not in %s", want, meta)
		}
	}
	if images := pdftest.Tool(t, "pdfimages", document, "-list", "FILE"); !strings.Contains(images, "jpeg") {
		t.Errorf("the photo is not in the document: %s", images)
	}
	if fonts := pdftest.Tool(t, "pdffonts", document, "FILE"); strings.Contains(fonts, " no ") &&
		!strings.Contains(fonts, "yes") {
		t.Errorf("fonts are not embedded: %s", fonts)
	}
}

func TestPhotoThatCannotBeRead(t *testing.T) {
	p := sample(t)
	p.Photo = []byte("not a picture")
	if text := pdftest.Text(t, print(t, p)); !strings.Contains(text, "Photo It cannot be read") {
		t.Error(text)
	}
}

func TestLongTextsTakePages(t *testing.T) {
	var words []string
	for i := range 4000 {
		words = append(words, fmt.Sprintf("word%d", i))
	}
	p := sample(t)
	p.Sections = []Section{{Title: "Motivation", Fields: []Field{{"Motivation", strings.Join(words, " ")}}}}
	document := print(t, p)
	text := pdftest.Text(t, document)
	pages := strings.Count(string(document), "/Type /Page\n")
	for _, w := range []string{"word0 ", "word1999 ", "word3999", "Page 1 of ",
		fmt.Sprintf("Page %d of %[1]d", max(pages, 5))} {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not in the printout", w)
		}
	}
	p.Sections[0].Fields[0].Text = strings.Repeat("W", 4000)
	got := strings.Count(pdftest.Tool(t, "pdftotext", print(t, p), "FILE", "-"), "W")
	if got != 4000 {
		t.Errorf("%d letters of a long word are printed, want 4000", got)
	}
}

func TestFontsThatCannotBeUsed(t *testing.T) {
	folder := t.TempDir()
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("not a font"), "cut off": dejavuserif.TTF[:300],
		"collection": []byte("ttcf\x00\x01\x00\x00")} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := New([]string{path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New([]string{filepath.Join(folder, "missing")}); err == nil {
		t.Error("a missing font is taken")
	}
}

func FuzzWrite(f *testing.F) {
	printer, err := New(nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"", "Ilse", "שלום (abc) 12", "abc אבג 12.5 (דה)", "مرحبا بالعالم", "\x00\x7f\u0085",
		strings.Repeat("W", 4000),
		strings.Repeat("a ", 2000), strings.Repeat("\u0301",
			500), "\U0010FFFF\uFFFF\uFFFE", "你好", "لا لآ \u200cپچ", "{nb} \\ ( ) \r"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		p := &Printout{Title: a, Language: b, Institution: b, Name: a, Photo: []byte(b), Header: []Field{{a, b}},
			Sections: []Section{{a, []Field{{b, a}}, []Entry{{b, []Field{{a, b}}}}}}}
		var out bytes.Buffer
		if err := printer.Write(&out, p); err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(out.Bytes(), []byte("%PDF-")) {
			t.Error("no PDF")
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	printer, err := New(nil)
	if err != nil {
		b.Fatal(err)
	}
	p := sample(b)
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		if err := printer.Write(&out, p); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len()), "bytes")
	}
}
