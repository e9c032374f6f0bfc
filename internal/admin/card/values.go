package card

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
)

// valueText says the value of a field of the form as people read it: "" when it is unset.
func valueText(r *site.Request, f *form.Field, value any, words []admitto.Classificator) string {
	switch v := value.(type) {
	case string:
		return said(r, f, v, words)
	case bool:
		if v {
			return r.T("card.yes")
		}
		return r.T("card.no")
	case []string:
		var list []string
		for _, code := range v {
			list = append(list, said(r, f, code, words))
		}
		return strings.Join(list, ", ")
	case map[string]string:
		var list []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			list = append(list, name+": "+v[name])
		}
		return strings.Join(list, ", ")
	case nil:
		return ""
	}
	return fmt.Sprint(value)
}

// said is a text by the kind of its field: codes by what they stand for.
func said(r *site.Request, f *form.Field, value string, words []admitto.Classificator) string {
	switch f.Kind {
	case form.Country:
		return show.Country(r, value)
	case form.Language:
		if name := text.LanguageName(value); name != "" {
			return name
		}
	case form.Day:
		if d, err := admitto.ParseDate(value); err == nil {
			return r.Date(d.In(time.UTC))
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

// joined are the texts that are not empty.
func joined(between string, list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), between)
}

// label is what a field of the form is called.
func label(r *site.Request, f *form.Field) string { return r.Label(f.Label) }

// sectionName is what a section of the form is called.
func sectionName(r *site.Request, s *form.Section) string { return r.Label(s.Title) }
