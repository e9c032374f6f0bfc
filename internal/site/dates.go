package site

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// dateParts are what the names of the fields of a date end with; other values have one field, with nothing after its
// name.
var dateParts = []string{"", "-day", "-month", "-year"}

// isoDate is a day, or a month, as programs write it.
var isoDate = regexp.MustCompile(`^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$`)

// spreadDates puts a date that was typed or pasted in the ISO form into the first of its fields, such as 2027-05-15,
// into all of them (screens.md U13). Digits of Arabic and Persian are those that they stand for.
func spreadDates(values url.Values) {
	for name, list := range values {
		if slices.ContainsFunc(dateParts[1:], func(part string) bool { return strings.HasSuffix(name, part) }) {
			for i := range list {
				list[i] = strings.Map(plainDigit, list[i])
			}
		}
	}
	for name := range values {
		field, first := strings.CutSuffix(name, "-day")
		if !first {
			if field, first = strings.CutSuffix(name, "-month"); !first || values.Has(field+"-day") {
				continue
			}
		}
		found := isoDate.FindStringSubmatch(strings.TrimSpace(values.Get(name)))
		whole := values.Has(field + "-day") // else a month
		if found == nil || whole != (found[3] != "") || values.Get(field+"-year") != "" ||
			whole && values.Get(field+"-month") != "" {
			continue
		}
		values.Set(field+"-year", found[1])
		values.Set(field+"-month", found[2])
		if whole {
			values.Set(field+"-day", found[3])
		}
	}
}

// plainDigit is the digit that one of the Arabic-Indic digits stands for; any other rune stays.
func plainDigit(c rune) rune {
	for _, zero := range []rune{'\u0660', '\u06f0'} {
		if c >= zero && c <= zero+9 {
			return '0' + c - zero
		}
	}
	return c
}

// dayOf is the day that three fields say. Its year has four digits: with fewer nobody can tell whether 27 was meant as
// 2027, and an empty field would be the year 0.
func dayOf(day, month, year string) (admitto.Date, bool) {
	date, err := admitto.ParseDate(year + "-" + padded(month, 2) + "-" + padded(day, 2))
	return date, err == nil && date.Year >= 1000
}
