package formpage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
)

// Value says the value of a field of the form as people read it: "" when it is unset.
func Value(r *site.Request, f *form.Field, value any, words []admitto.Classificator) string {
	switch v := value.(type) {
	case string:
		return said(r, f, v, words)
	case bool:
		if v {
			return r.T("formpage.yes")
		}
		return r.T("formpage.no")
	case []string:
		var list []string
		for _, code := range v {
			list = append(list, said(r, f, code, words))
		}
		return r.Listed(list...)
	case map[string]string:
		var list []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			list = append(list, name+": "+v[name])
		}
		return r.Listed(list...)
	case nil:
		return ""
	}
	return fmt.Sprint(value)
}

// said is a text by the kind of its field: codes by what they stand for.
func said(r *site.Request, f *form.Field, value string, words []admitto.Classificator) string {
	switch f.Kind {
	case form.Country:
		return cmp.Or(r.Country(value), value)
	case form.Language:
		return cmp.Or(r.Language(value), value)
	case form.Day:
		if d, err := admitto.ParseDate(value); err == nil {
			return r.Date(d.In(time.UTC))
		}
	case form.Month:
		if month, err := time.Parse("2006-01", value); err == nil {
			return r.Month(month)
		}
	case form.Code, form.Codes:
		for i := range words {
			if words[i].Class != f.Class {
				continue
			}
			for _, c := range words[i].Codes {
				if c.Code == value {
					return c.Title
				}
			}
		}
	case form.Word:
		for _, w := range f.Words {
			if w.Word == value {
				return r.Label(w.Label)
			}
		}
	}
	return value
}

// Answer says the answer to a question, whatever its type.
func Answer(r *site.Request, e *admitto.Extra) string {
	switch {
	case e.YesNo != nil && *e.YesNo:
		return r.T("formpage.yes")
	case e.YesNo != nil:
		return r.T("formpage.no")
	case len(e.Choices) > 0:
		return r.Listed(e.Choices...)
	case e.Money != nil:
		return r.Money(int64(e.Money.Amount), e.Money.Currency)
	case e.Document != 0:
		return r.T("formpage.document", "ID", strconv.FormatInt(e.Document, 10))
	}
	if len(e.Entries) > 0 {
		var list []string
		for i := range e.Entries {
			list = append(list, strings.Trim(e.Entries[i].Name+": "+Answer(r, &e.Entries[i]), ": "))
		}
		return strings.Join(list, "; ")
	}
	switch e.Type {
	case admitto.ExtraCountry:
		return cmp.Or(r.Country(e.Text), e.Text)
	case admitto.ExtraLanguage:
		return cmp.Or(r.Language(e.Text), e.Text)
	case admitto.ExtraDate:
		if d, err := admitto.ParseDate(e.Text); err == nil {
			return r.Date(d.In(time.UTC))
		}
	}
	return e.Text + e.Number
}

// SectionName is what a section of the form is called.
func SectionName(r *site.Request, s *form.Section) string { return r.Label(s.Title) }

// RowName is what a row is called: by its heading, or else by its number from 0.
func RowName(r *site.Request, s *form.Section, row form.Object, n int, words []admitto.Classificator) string {
	if heading := form.FieldAt(s.Key + "/" + s.Heading); heading != nil {
		if title := Value(r, heading, row[s.Heading], words); title != "" {
			return title
		}
	}
	return r.T("formpage.entry", "Row", r.Number(n+1))
}

// MissingField is the section and, below it, the field that a refusal says is not filled in; nil for other refusals.
func MissingField(f *admitto.Fault) (s *form.Section, below string) {
	if f.Code != admitto.CodeSectionIncomplete || len(f.Text.Args) == 0 {
		return nil, ""
	}
	path, _ := f.Text.Args[len(f.Text.Args)-1].(string) // before it stands the text of a question
	section, below, _ := strings.Cut(path, "/")
	return form.SectionOf(section), below
}

// FaultText says what is missing: fields by their names, everything else as the use case says it.
func FaultText(r *site.Request, f *admitto.Fault) string {
	s, path := MissingField(f)
	if s == nil {
		return r.Say(f.Text)
	}
	if question, ok := f.Text.Args[0].(string); ok && len(f.Text.Args) > 1 {
		return question
	}
	return PathName(r, s, path)
}

// PathName names a field below a section as form.Content.Missing does: birth/date, 0/level, * for no row at all, and
// the ID of a question.
func PathName(r *site.Request, s *form.Section, below string) string {
	if below == "*" {
		return r.T("formpage.no_row")
	}
	row, rest, found := strings.Cut(below, "/")
	if n, err := strconv.Atoi(row); err == nil && s.Rows && found {
		if f := form.FieldAt(s.Key + "/" + rest); f != nil {
			return r.T("formpage.of_row", "Row", r.Number(n+1), "Field", r.Label(f.Label))
		}
	}
	if f := form.FieldAt(s.Key + "/" + below); f != nil {
		return r.Label(f.Label)
	}
	return r.T("formpage.question", "ID", below)
}
