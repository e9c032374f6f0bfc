package pdf

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
)

// Names has the names that people read for the codes of the content; what is "" there is shown as the code.
type Names struct {
	Title             func(class, code string) string // of a classificator, by the name of its class
	Country, Language func(code string) string
	Document          func(id int64) string // the file name
	Words             Words                 // of labels
}

// Content makes the sections of what the applicant filled in, with the fields that have something in them. Of an empty
// content it makes the whole form, every field empty.
func Content(c *form.Content, names Names) []Section {
	b := &builder{names: names, blank: c.IsBlank()}
	for _, s := range form.Sections() {
		b.begin(b.names.Words.Of(s.Title))
		switch {
		case s.Key == form.Questions:
			b.extras(c.Extras)
		case s.Rows:
			b.rows(s, c.Rows(s.Key))
		default:
			b.fields(s, c.Section(s.Key))
		}
	}
	return slices.DeleteFunc(b.sections, func(s Section) bool { return len(s.Fields)+len(s.Entries) == 0 })
}

// builder collects sections. What is empty is left out, except in the form of an application that is blank.
type builder struct {
	names    Names
	blank    bool
	sections []Section
}

// begin starts a section.
func (b *builder) begin(title string) { b.sections = append(b.sections, Section{Title: title}) }

// entry starts an entry of the current section.
func (b *builder) entry(title string) {
	s := &b.sections[len(b.sections)-1]
	s.Entries = append(s.Entries, Entry{Title: title})
}

// add puts a field into the current entry, or into the section as long as that has none.
func (b *builder) add(label, text string) {
	if text == "" && !b.blank {
		return
	}
	s := &b.sections[len(b.sections)-1]
	fields := &s.Fields
	if len(s.Entries) > 0 {
		fields = &s.Entries[len(s.Entries)-1].Fields
	}
	*fields = append(*fields, Field{label, text})
}

// rows adds an entry for every row, an empty one in the form of a blank application.
func (b *builder) rows(s *form.Section, rows []form.Object) {
	if b.blank {
		rows = make([]form.Object, 1)
	}
	heading := s.Field(s.Heading)
	for i, row := range rows {
		title := b.text(heading, row[heading.Name])
		if title == "" {
			title = b.names.Words.Of("Entry")
		}
		b.entry(fmt.Sprintf("%d. %s", i+1, title))
		b.fields(s, row)
	}
}

// fields adds the fields of a section or of a row.
func (b *builder) fields(s *form.Section, o form.Object) {
	for _, f := range printed(s) {
		value := form.At(o, f.Below())
		if f.Kind != form.Schemes {
			b.add(b.names.Words.Of(f.Label), b.text(f, value))
			continue
		}
		codes, _ := value.(map[string]string)
		for _, scheme := range slices.Sorted(maps.Keys(codes)) {
			b.add(b.names.Words.Of(f.Label)+" ("+scheme+")", codes[scheme])
		}
	}
}

// printed lists the fields of a section in the order of printouts.
func printed(s *form.Section) (list []*form.Field) {
	for _, name := range s.First {
		list = append(list, s.Field(name))
	}
	for _, f := range s.Leaves() {
		if !slices.Contains(s.First, f.Below()) {
			list = append(list, f)
		}
	}
	return list
}

// text is what people read for a value of the content.
func (b *builder) text(f *form.Field, value any) string {
	switch v := value.(type) {
	case string:
		return b.textOf(f, v)
	case int:
		return strconv.Itoa(v)
	case bool:
		return b.yesNo(&v)
	case []string:
		titles := make([]string, len(v))
		for i, code := range v {
			titles[i] = b.textOf(f, code)
		}
		return strings.Join(titles, "\n")
	}
	return ""
}

// textOf is what people read for a text or a code.
func (b *builder) textOf(f *form.Field, v string) string {
	switch f.Kind {
	case form.Code, form.Codes:
		return named(b.names.Title(f.Class, v), v)
	case form.Country:
		return b.countryName(v)
	case form.Language:
		return b.languageName(v)
	case form.Word:
		for _, choice := range f.Words {
			if choice.Word == v {
				return b.names.Words.Of(choice.Label)
			}
		}
		return ""
	}
	return v
}

// named is the name of a code where it has one.
func named(name, code string) string {
	if name == "" {
		return code
	}
	return name
}

func (b *builder) countryName(code string) string { return named(b.names.Country(code), code) }

func (b *builder) languageName(code string) string { return named(b.names.Language(code), code) }

func (b *builder) yesNo(v *bool) string {
	switch {
	case v == nil:
		return ""
	case *v:
		return b.names.Words.Of("Yes")
	}
	return b.names.Words.Of("No")
}

// extras adds the answers to questions; a custom section becomes an entry.
func (b *builder) extras(list []admitto.Extra) {
	s := len(b.sections) - 1
	var groups []*admitto.Extra
	for i := range list {
		if list[i].Type == admitto.ExtraSection {
			groups = append(groups, &list[i])
			continue
		}
		b.add(list[i].Name, b.answer(&list[i]))
	}
	for _, group := range groups {
		b.entry(group.Name)
		for i := range group.Entries {
			b.add(group.Entries[i].Name, b.answer(&group.Entries[i]))
		}
		if entries := b.sections[s].Entries; len(entries[len(entries)-1].Fields) == 0 {
			b.sections[s].Entries = entries[:len(entries)-1]
		}
	}
}

// answer returns the text of an answer by the type of its question.
func (b *builder) answer(e *admitto.Extra) string {
	switch e.Type {
	case admitto.ExtraNumber:
		return e.Number
	case admitto.ExtraYesNo:
		return b.yesNo(e.YesNo)
	case admitto.ExtraCountry:
		return b.countryName(e.Text)
	case admitto.ExtraLanguage:
		return b.languageName(e.Text)
	case admitto.ExtraChoices:
		return strings.Join(e.Choices, "\n")
	case admitto.ExtraMoney:
		if e.Money == nil {
			return ""
		}
		return e.Money.Amount.String() + " " + e.Money.Currency
	case admitto.ExtraFile:
		if e.Document == 0 {
			return ""
		}
		return named(b.names.Document(e.Document), b.names.Words.Of("document")+" "+strconv.FormatInt(e.Document, 10))
	}
	return e.Text
}
