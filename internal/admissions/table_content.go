package admissions

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/text"
)

// The columns of what the applicant filled in, and the forms of cells.

// moment is a datetime in the form asked for; unset is empty.
func (t *Table) moment(at admitto.Time) string {
	switch {
	case at == 0:
		return ""
	case t.form.Legacy:
		return at.Std().Format("2006-01-02 15:04:05")
	}
	return at.String()
}

// country is a country by code or by name.
func (t *Table) country(code string) string {
	if t.form.Legacy {
		return cmp.Or(text.CountryName(code), code)
	}
	return code
}

// language is a language by code or by name.
func (t *Table) language(code string) string {
	if t.form.Legacy {
		return cmp.Or(text.LanguageName(code), code)
	}
	return code
}

// title is the title of a code of a classificator; a code that is gone stands for itself.
func (t *Table) title(class string, code admitto.Optional) string {
	return cmp.Or(t.catalogue.classes[class][string(code)], string(code))
}

// month is a date of unknown precision without its day.
func month(d admitto.PartialDate) string {
	return string(d[:min(len(d), len("2006-01"))])
}

func contains(list []int64, id int64) bool { return slices.Contains(list, id) }

// textColumn holds the text at a path of the content.
func textColumn(path string) tableColumn {
	return tableColumn{text: path, form: func(_ *Table, text string) string { return text }}
}

// countryColumn holds the country at a path of the content.
func countryColumn(path string) tableColumn { return tableColumn{text: path, form: (*Table).country} }

// titleColumn holds the title of the code of a classificator at a path of the content.
func titleColumn(path, class string) tableColumn {
	return tableColumn{needs: needClasses, text: path, form: func(t *Table, code string) string {
		return t.title(class, admitto.Optional(code))
	}}
}

func profileColumns() map[string]tableColumn {
	return map[string]tableColumn{
		"Salutation":        titleColumn("profile.salutation", "Salutation"),
		"Gender":            textColumn("profile.gender"),
		"Date of birth":     textColumn("profile.birth.date"),
		"Place of birth":    textColumn("profile.birth.place"),
		"Country of birth":  countryColumn("profile.birth.country"),
		"Nationality":       countryColumn("profile.nationality"),
		"Marital status":    titleColumn("profile.marital", "Marital status"),
		"Passport: Number":  textColumn("profile.passport.number"),
		"Passport: Expiry":  textColumn("profile.passport.expiry"),
		"Passport: Country": countryColumn("profile.passport.country"),
		"ID code":           textColumn("profile.idcode"),

		"Social security number": {text: "profile.nationalidcode", form: nationalCodes},
		"Mother: Given name(s)":  {text: "profile.family.mother", form: givenName},
		"Mother: Family name(s)": {text: "profile.family.mother", form: familyName},
		"Father: Given name(s)":  {text: "profile.family.father", form: givenName},
		"Father: Family name(s)": {text: "profile.family.father", form: familyName},
	}
}

// nationalCodes are the national identity codes of a person, which are stored as a map from scheme to code, in the order of
// the schemes.
func nationalCodes(_ *Table, stored string) string {
	var codes map[string]string
	if json.Unmarshal([]byte(stored), &codes) != nil {
		return "" // none
	}
	schemes := slices.Sorted(maps.Keys(codes))
	return joined(schemes, func(scheme *string) string { return codes[*scheme] })
}

// Relatives are stored by their whole name (resources.md 5.1). The family name is what a comma follows, and without a comma
// the last word; a single word is a given name.

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

func contactColumns() map[string]tableColumn {
	return map[string]tableColumn{
		"Address: Street":       textColumn("contact.address.street"),
		"Address: House number": textColumn("contact.address.house"),
		"Address: Apartment":    textColumn("contact.address.apartment"),
		"Address: Municipality": textColumn("contact.address.municipality"),
		"Address: City":         textColumn("contact.address.city"),
		"Address: Region":       textColumn("contact.address.region"),
		"Address: Postal code":  textColumn("contact.address.postalcode"),
		"Address: Country":      countryColumn("contact.address.country"),
		"Telephone: Mobile":     textColumn("contact.telephone.mobile"),
	}
}

func educationColumns() map[string]tableColumn {
	education := func(value func(*Table, *admitto.Education) string) tableColumn {
		return tableColumn{needs: needClasses, list: "education", cell: func(t *Table, r *tableRow) string {
			return value(t, latest(r.content.Education))
		}}
	}
	return map[string]tableColumn{
		"Education: Level":       education(func(t *Table, e *admitto.Education) string { return t.title("Education level", e.Level) }),
		"Education: Institution": education(func(_ *Table, e *admitto.Education) string { return string(e.Institution) }),
		"Education: Country":     education(func(t *Table, e *admitto.Education) string { return t.country(string(e.Country)) }),
		"Education: Enrolment":   education(func(_ *Table, e *admitto.Education) string { return month(e.Enrolment) }),
		"Education: Graduation":  education(func(_ *Table, e *admitto.Education) string { return month(e.Graduation) }),
	}
}

// latest is the entry that ended last. One that began and has no end goes on; of equal ones the later in the
// list counts.
func latest(list []admitto.Education) *admitto.Education {
	end := func(e *admitto.Education) admitto.PartialDate {
		if e.Graduation == "" && e.Enrolment != "" {
			return "9999"
		}
		return e.Graduation
	}
	found := &admitto.Education{}
	for i := range list {
		if end(&list[i]) >= end(found) {
			found = &list[i]
		}
	}
	return found
}

// languageColumn reads "n" and "n: Proficiency" behind Language.
func languageColumn(rest string) tableColumn {
	place, part, _ := strings.Cut(rest, ": ")
	n, err := strconv.Atoi(place)
	if err != nil || n < 1 || n > 3 || place != strconv.Itoa(n) || part != "" && part != "Proficiency" {
		return tableColumn{}
	}
	return tableColumn{needs: needClasses, list: "languages", cell: func(t *Table, r *tableRow) string {
		if len(r.content.Languages) < n {
			return ""
		}
		l := &r.content.Languages[n-1]
		if part != "" {
			return t.title("Language proficiency", l.Proficiency)
		}
		return t.language(string(l.Name))
	}}
}

// questionColumn holds the answer to the question with the text.
func questionColumn(name string) tableColumn {
	return tableColumn{needs: needQuestions, list: "extras", cell: func(t *Table, r *tableRow) string {
		ids := t.catalogue.questions[name]
		return joined(r.content.Extras, func(e *admitto.Extra) string {
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
		return joined(e.Choices, func(s *string) string { return *s })
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
		if e.Document == 0 {
			return ""
		}
		return t.form.Prefix + "/applications/" + number(application) + "/documents/" + number(e.Document)
	case admitto.ExtraSection:
		return joined(e.Entries, func(entry *admitto.Extra) string {
			if value := t.answer(application, entry); value != "" {
				return entry.Name + ": " + value
			}
			return ""
		})
	}
	return e.Text
}
