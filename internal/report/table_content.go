package report

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/usecase"
)

// The columns of what the applicant filled in, and the forms of cells.

// instant is a datetime in the form asked for; unset is empty.
func (t *Table) instant(at admitto.Time) string {
	switch {
	case at == 0:
		return ""
	case t.form.Time != nil:
		return t.form.Time(at)
	}
	return at.String()
}

// country is a country in the form asked for.
func (t *Table) country(code string) string {
	if t.form.Country != nil {
		return t.form.Country(code)
	}
	return code
}

// language is a language in the form asked for.
func (t *Table) language(code string) string {
	if t.form.Language != nil {
		return t.form.Language(code)
	}
	return code
}

// title is the title of a code of a classificator; a code that is gone stands for itself.
func (t *Table) title(class, code string) string {
	return cmp.Or(t.catalogue.classes[class][code], code)
}

func contains(list []int64, id int64) bool { return slices.Contains(list, id) }

// formColumns are those of the fields of the form that have a column, by their titles.
var formColumns = sync.OnceValue(func() map[string]tableColumn {
	columns := map[string]tableColumn{}
	for _, s := range form.Sections() {
		for _, f := range s.Leaves() {
			switch {
			case f.Column == "":
			case s.Columns == form.PickLatest:
				columns[f.Column] = rowColumn(s.Key, f, latest)
			case s.Columns == form.PickFirst:
				for n := range form.PickedRows {
					columns[strings.Replace(f.Column, " n", " "+strconv.Itoa(n+1), 1)] = rowColumn(s.Key, f, nth(n))
				}
			case f.Kind == form.Person:
				columns[f.Column+": Given name(s)"] = tableColumn{text: f.Path, form: givenName}
				columns[f.Column+": Family name(s)"] = tableColumn{text: f.Path, form: familyName}
			default:
				columns[f.Column] = tableColumn{needs: needsOf(f), text: f.Path, form: cellOf(f)}
			}
		}
	}
	return columns
})

// needsOf says what must be read for the cells of a field.
func needsOf(f *form.Field) need {
	if f.Kind == form.Code && !f.AsCode {
		return needClasses
	}
	return 0
}

// cellOf is how the value of a field is written into a cell.
func cellOf(f *form.Field) func(*Table, string) string {
	switch {
	case f.Kind == form.Country:
		return (*Table).country
	case f.Kind == form.Language:
		return (*Table).language
	case f.Kind == form.Code && !f.AsCode:
		return func(t *Table, code string) string { return t.title(f.Class, code) }
	case f.Kind == form.Month:
		return func(_ *Table, date string) string { return date[:min(len(date), len("2006-01"))] } // without the day
	case f.Kind == form.Schemes:
		return nationalCodes
	}
	return func(_ *Table, text string) string { return text }
}

// rowColumn holds a field of one row of a section; pick finds it, nil for none.
func rowColumn(section string, f *form.Field, pick func([]form.Object) form.Object) tableColumn {
	write := cellOf(f)
	return tableColumn{needs: needsOf(f), list: section, cell: func(t *Table, r *tableRow) string {
		return write(t, form.TextAt(pick(r.content.Rows(section)), f.Below()))
	}}
}

// nth picks the row at an index.
func nth(n int) func([]form.Object) form.Object {
	return func(rows []form.Object) form.Object {
		if n < len(rows) {
			return rows[n]
		}
		return nil
	}
}

// nationalCodes are the national identity codes of a person, which are stored as a map from scheme to code, in the
// order of the schemes.
func nationalCodes(_ *Table, stored string) string {
	var codes map[string]string
	if json.Unmarshal([]byte(stored), &codes) != nil {
		return "" // none
	}
	schemes := slices.Sorted(maps.Keys(codes))
	return usecase.Joined(schemes, func(scheme *string) string { return codes[*scheme] })
}

// Relatives are stored by their whole name (resources.md 5.1). The family name is what a comma follows, and without a
// comma the last word; a single word is a given name.

func givenName(_ *Table, whole string) string {
	given, _ := divided(whole)
	return given
}

func familyName(_ *Table, whole string) string {
	_, family := divided(whole)
	return family
}

func divided(whole string) (given, family string) {
	if family, given, ok := strings.Cut(whole, ","); ok {
		return strings.TrimSpace(given), strings.TrimSpace(family)
	}
	words := strings.Fields(whole)
	last := max(len(words)-1, min(len(words), 1))
	return strings.Join(words[:last], " "), strings.Join(words[last:], " ")
}

// latest is the row of education that ended last. One that began and has no end goes on; of equal ones the later in the
// list counts.
func latest(rows []form.Object) (found form.Object) {
	end := func(row form.Object) string {
		graduation := form.TextAt(row, "graduation")
		if graduation == "" && form.TextAt(row, "enrolment") != "" {
			return "9999"
		}
		return graduation
	}
	for _, row := range rows {
		if end(row) >= end(found) {
			found = row
		}
	}
	return found
}

// questionColumn holds the answer to the question with the text.
func questionColumn(name string) tableColumn {
	return tableColumn{needs: needQuestions, list: "extras", cell: func(t *Table, r *tableRow) string {
		ids := t.catalogue.questions[name]
		return usecase.Joined(r.content.Extras, func(e *admitto.Extra) string {
			if !contains(ids, e.ID) {
				return ""
			}
			return t.answer(r.app.ID, e)
		})
	}}
}

// answer is the value of an extra. Countries are codes in every form.
func (t *Table) answer(application int64, e *admitto.Extra) string {
	switch e.Type {
	case admitto.ExtraNumber:
		return e.Number
	case admitto.ExtraLanguage:
		return t.language(e.Text)
	case admitto.ExtraChoices:
		return usecase.Joined(e.Choices, func(s *string) string { return *s })
	case admitto.ExtraYesNo:
		if e.YesNo == nil {
			return ""
		}
		return map[bool]string{true: "Yes", false: "No"}[*e.YesNo]
	case admitto.ExtraMoney:
		if e.Money == nil {
			return ""
		}
		return e.Money.Currency + " " + e.Money.Amount.String()
	case admitto.ExtraFile:
		if e.Document == 0 || t.form.Document == nil {
			return ""
		}
		return t.form.Document(application, e.Document)
	case admitto.ExtraSection:
		return usecase.Joined(e.Entries, func(entry *admitto.Extra) string {
			if value := t.answer(application, entry); value != "" {
				return entry.Name + ": " + value
			}
			return ""
		})
	}
	return e.Text
}
