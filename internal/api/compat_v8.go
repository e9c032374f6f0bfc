package api

import (
	"cmp"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/text"
)

// What only versions 1 to 8 have, before the change singleDates: dates of unknown precision as objects of year and
// month. Each caller has one guard, "if !c.version.Has(version.SingleDates)"; the encoder has its part in
// wire/compat_v8.go.

// nameInTable lets a tableview name countries and languages in words, and write datetimes with a space and without
// offset.
func nameInTable(form *report.TableForm) {
	form.Time = func(at admitto.Time) string { return at.Std().Format("2006-01-02 15:04:05") }
	form.Country = func(code string) string { return cmp.Or(text.CountryName(code), code) }
	form.Language = func(code string) string { return cmp.Or(text.LanguageName(code), code) }
}

// takeNamedParts lets content name the year and the month of a date apart, and questions by their texts.
func takeNamedParts(patch *admissions.ContentPatch) {
	patch.DatesInParts, patch.QuestionsByText = true, true
}
