package formpage

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// Bounds of the texts of the form (resources.md 5.2).
const (
	mostLine   = 255
	mostAnswer = 4096
)

// attend says in the form what is stored outside of the rules.
func (s *Section) attend(r *site.Request, f *site.Form) {
	if r.Posted() {
		return
	}
	if s.Key == form.Questions {
		for _, a := range s.answers() {
			if _, wrong := s.Content.Attention[form.Questions+"/"+a.path]; wrong {
				f.Attend(nameOf(a.path), r.T(wrongAnswer(a.Type)))
			}
		}
		return
	}
	for _, field := range s.fields() {
		if raw, wrong := s.Content.Attention[s.at()+"/"+field.Below()]; wrong {
			f.Attend(nameOf(field.Below()), wrongText(r, field, raw))
		}
	}
}

// dayInNumbers is a day as textsIn writes it, whether there is one or not.
var dayInNumbers = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// aMonth is a month of a year, or one of unknown precision.
var aMonth = regexp.MustCompile(`^\d{4}(-(0[1-9]|1[0-2])(-\d{2})?)?$`)

// wrongText says what a field takes, or what is wrong with what was typed.
func wrongText(r *site.Request, f *form.Field, raw string) string {
	switch f.Kind {
	case form.Day:
		if _, err := admitto.ParseDate(raw); err == nil && f.Past {
			return r.T("formpage.still_to_come")
		}
		if dayInNumbers.MatchString(raw) {
			return r.T("form.no_day")
		}
		return r.T("formpage.wrong_date")
	case form.Month:
		if f.After != "" && aMonth.MatchString(raw) {
			before := form.FieldAt(strings.TrimSuffix(f.Path, f.Name) + f.After)
			return r.T("formpage.too_early", "Field", r.Label(before.Label))
		}
		return r.T("formpage.wrong_month")
	case form.Number:
		return r.T("formpage.wrong_number", "Least", strconv.Itoa(f.Min), "Most", strconv.Itoa(f.Max))
	case form.Country, form.Language, form.Code, form.Codes, form.Word, form.YesNo:
		return r.T("formpage.wrong_choice")
	case form.Schemes:
		return r.T("formpage.wrong_schemes")
	case form.Text, form.Person, form.Lines, form.Group:
		if f.Phone && len([]rune(raw)) <= mostLine {
			return r.Say(message.Of("no-phone"))
		}
	}
	return r.T("formpage.wrong_text", "Most", r.Number(cmp.Or(f.Max, mostLine)))
}

// parts are the fields: those that the form shows, then folded those that it does not, and those that few may see.
func (s *Section) parts(r *site.Request, f *site.Form) (shown []ui.Component) {
	if s.Key == form.Questions {
		return s.questionParts(r, f)
	}
	var hidden, sensitive []ui.Component
	for _, field := range s.fields() {
		below := field.Below()
		_, wrong := s.Content.Attention[s.at()+"/"+below]
		part := s.field(r, f, field)
		switch {
		case field.Needs != 0 && !s.Own:
			sensitive = append(sensitive, part)
		case !s.Asked.Shows(field.Path) && !wrong && form.At(s.object(), below) == nil && !s.isTypedAgain(f, field):
			hidden = append(hidden, part)
		default:
			shown = append(shown, part)
		}
	}
	if len(hidden) > 0 && !s.Own {
		shown = append(shown, ui.Fold{Title: r.T("formpage.hidden"), Parts: hidden})
	}
	if len(sensitive) > 0 {
		shown = append(shown, ui.Fold{Title: r.T("formpage.sensitive"), Open: s.hasWrong(), Parts: sensitive})
	}
	return shown
}

// HasSensitive reports whether the form has fields that need a permission of their own, which its reader has.
func (s *Section) HasSensitive() bool {
	return slices.ContainsFunc(s.fields(), func(f *form.Field) bool { return f.Needs != 0 && !s.Own })
}

// Shows reports whether the form has the field with a name, or a part of it, for those who fill in their own form.
func (s *Section) Shows(name string) bool {
	return s.Key == form.Questions || slices.ContainsFunc(s.fields(), func(f *form.Field) bool {
		field := nameOf(f.Below())
		return (name == field || strings.HasPrefix(name, field+"-")) && (s.Asked.Shows(f.Path) ||
			form.At(s.object(), f.Below()) != nil)
	})
}

// Has reports whether the values of a form say something in the field of a path below the section, or in a part of it.
func (s *Section) Has(v site.Values, below string) bool {
	field := nameOf(below)
	for name, values := range v {
		if (name == field || strings.HasPrefix(name, field+"-")) && strings.Join(values, "") != "" {
			return true
		}
	}
	return false
}

// isTypedAgain reports whether a field of a row that is gone says something.
func (s *Section) isTypedAgain(f *site.Form, field *form.Field) bool {
	date := field.Kind == form.Day || field.Kind == form.Month
	return s.Gone && strings.Join(textsIn(f, nameOf(field.Below()), date), "") != ""
}

// hasWrong reports whether something that is folded needs attention.
func (s *Section) hasWrong() bool {
	return slices.ContainsFunc(s.fields(), func(f *form.Field) bool {
		_, wrong := s.Content.Attention[s.at()+"/"+f.Below()]
		return wrong && f.Needs != 0
	})
}

// autocomplete are the tokens of HTML for what people write about themselves.
var autocomplete = map[string]string{"profile/name/given": "given-name", "profile/name/middle": "additional-name",
	"profile/name/family": "family-name", "profile/birth/date": "bday", "contact/telephone/mobile": "tel",
	"contact/email": "email", "contact/address/street": "street-address", "contact/address/city": "address-level2",
	"contact/address/region": "address-level1", "contact/address/postalcode": "postal-code",
	"contact/address/country": "country"}

// field is the field of the form for a row of the table.
func (s *Section) field(r *site.Request, f *site.Form, field *form.Field) ui.Component {
	below := field.Below()
	name := nameOf(below)
	f.SetLabel(name, r.Label(field.Label))
	settle := func(c *ui.Field) {
		c.Optional = !s.Asked.Requires(field.Path)
		c.ReadOnly = s.isLocked(below)
		c.Autocomplete = "off"
		if s.Own {
			c.Autocomplete = autocomplete[field.Path]
			if key := "form_help." + strings.ReplaceAll(field.Path, "/", "_"); r.Has(key) {
				c.Hint = r.T(key)
			}
		}
	}
	switch field.Kind {
	case form.Lines:
		long := f.Long(name, "", min(max(field.Max/300, 3), 12), field.Max)
		settle(&long.Field)
		return long
	case form.Day:
		day := s.asTyped(r, f.Date(name, ""), s.at()+"/"+below)
		settle(&day.Field)
		day.Autocomplete = ""
		if s.Own {
			day.Autocomplete = autocomplete[field.Path]
		}
		return day
	case form.Month:
		month := f.Month(name, "")
		if f.Get(name+"-day") != "" { // a day that somebody knows stays
			month = f.Date(name, "")
		}
		month = s.asTyped(r, month, s.at()+"/"+below)
		settle(&month.Field)
		month.Autocomplete = ""
		return month
	case form.Country:
		country := f.Country(name, "", s.options(r, f, name, r.Countries())...)
		settle(&country.Field)
		country.Disabled, country.ReadOnly = country.ReadOnly, false
		return country
	case form.Language, form.Word, form.YesNo, form.Code:
		list, off := s.choices(r, field)
		if list == nil {
			break // of a class without codes of its own
		}
		choice := f.Select(name, "", s.options(r, f, name, list, off...)...)
		settle(&choice.Field)
		choice.Disabled, choice.ReadOnly = choice.ReadOnly, false
		return choice
	case form.Codes:
		list, off := s.choices(r, field)
		several := f.Choices(name, "", true, withTyped(f, name, list, off...)...)
		settle(&several.Field)
		several.Disabled, several.ReadOnly = several.ReadOnly, false
		return several
	case form.Schemes:
		long := f.Long(name, "", 3, 0)
		settle(&long.Field)
		long.Hint = r.T("formpage.schemes_hint")
		return long
	case form.Number:
		number := f.Text(name, "")
		settle(&number.Field)
		number.InputMode, number.Width = "numeric", "w4"
		return number
	case form.Text, form.Person, form.Group:
	}
	line := f.Text(name, "")
	settle(&line.Field)
	return line
}

// asTyped says below a date what was typed, where that is more than its fields show.
func (s *Section) asTyped(r *site.Request, d ui.DateField, path string) ui.DateField {
	if raw, wrong := s.Content.Attention[path]; wrong && len(d.Year) > 4 {
		d.Hint = r.T("formpage.as_typed", "Value", raw)
	}
	return d
}

// choices are the values that a field takes, nil for a class whose codes are made elsewhere, and those that it took
// once.
func (s *Section) choices(r *site.Request, f *form.Field) (list, off []ui.Option) {
	switch f.Kind {
	case form.Language:
		for _, code := range text.Languages() {
			list = append(list, ui.Option{Value: code, Text: r.Language(code)})
		}
		return r.ByText(list), nil
	case form.YesNo:
		return []ui.Option{{Value: "yes", Text: r.T("formpage.yes")}, {Value: "no", Text: r.T("formpage.no")}}, nil
	case form.Word:
		for _, w := range f.Words {
			list = append(list, ui.Option{Value: w.Word, Text: r.Label(w.Label)})
		}
		return list, nil
	}
	for i := range s.Words {
		if s.Words[i].Class == f.Class {
			for _, c := range s.Words[i].Codes {
				option := ui.Option{Value: c.Code, Text: c.Title}
				if c.Off {
					off = append(off, option)
				} else {
					list = append(list, option)
				}
			}
		}
	}
	return list, off
}

// options are the values of a list with none at first, and with what stands there already.
func (s *Section) options(r *site.Request, f *site.Form, name string, list []ui.Option, off ...ui.Option) []ui.Option {
	return append([]ui.Option{{Text: r.T("value.none")}}, withTyped(f, name, list, off...)...)
}

// withTyped are options with the values of the form that are none of them: a code that is no longer in use, in its
// words, or what was typed by somebody else.
func withTyped(f *site.Form, name string, list []ui.Option, off ...ui.Option) []ui.Option {
	is := func(v string) func(o ui.Option) bool { return func(o ui.Option) bool { return o.Value == v } }
	for _, v := range f.All(name) {
		if v == "" || slices.ContainsFunc(list, is(v)) {
			continue
		}
		option := ui.Option{Value: v, Text: v}
		if at := slices.IndexFunc(off, is(v)); at >= 0 {
			option = off[at]
		}
		list = append(slices.Clip(list), option)
	}
	return list
}
