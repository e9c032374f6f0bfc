package mail

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// ZonedTime is a time as a value of a marker: written with its day in the language of the mail, and in the zone.
type ZonedTime struct {
	At    admitto.Time
	Zone  *time.Location
	Exact bool // to the second
}

// Country is a country (ISO 3166-1 alpha-2) as a value of a marker: its name in the language of the mail.
type Country string

// Words are what staff wrote as a value of a marker: in the language of the mail, where there is a version in it.
type Words struct {
	Group    string // of words that come with the service, which are there in every language; "" for others
	First    string
	Name     string // among the versions
	Versions admitto.Versions
}

// Lines are values of one marker that stand below each other; those that are empty are left out.
type Lines []any

// months are the names of the months in the languages that mails are shipped in, January first; English ones are those
// of package time.
func months(language string) []string {
	if language == "ar" {
		return []string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر",
			"ديسمبر"}
	}
	return nil
}

// WriteDay writes a day in a language (BCP 47, empty is en), such as 15 May 2027. Without the names of its months it is
// 2027-05-15.
func WriteDay(language string, day admitto.Date) string {
	if language == "" || language == "en" {
		return day.Long()
	}
	if names := months(language); names != nil {
		at := day.In(time.UTC)
		return fmt.Sprintf("%d %s %d", at.Day(), names[at.Month()-1], at.Year())
	}
	return day.String()
}

// WriteMonth is a month in a language as WriteDay has it, such as May 2027.
func WriteMonth(language string, year int, month time.Month) string {
	name := month.String()
	if language != "" && language != "en" {
		names := months(language)
		if names == nil {
			return fmt.Sprintf("%04d-%02d", year, month)
		}
		name = names[month-1]
	}
	return fmt.Sprintf("%s %d", name, year)
}

// NamesDay reports whether a text has the day in it, in any way that a mail may have written it.
func NamesDay(text string, day admitto.Date) bool {
	return slices.ContainsFunc([]string{WriteDay("en", day), WriteDay("ar", day), day.String()},
		func(written string) bool { return hasNumber(text, written) })
}

// hasNumber reports whether a text has another one in it that begins and ends with a number, and no more digits around:
// 5 May is not in 15 May.
func hasNumber(text, number string) bool {
	for {
		before, after, found := strings.Cut(text, number)
		if !found {
			return false
		}
		if !endsInDigit(before) && !beginsWithDigit(after) {
			return true
		}
		text = after
	}
}

func endsInDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

func beginsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// write is a value of a marker in the language of the template.
func (t Template) write(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case admitto.Date:
		if v.IsZero() {
			return message.Of("mail-no-deadline").In(t.Sentences)
		}
		return WriteDay(t.Language, v)
	case ZonedTime:
		return WriteTime(t.Language, v)
	case message.Text:
		return v.In(t.Sentences)
	case Country:
		return text.CountryNameIn(string(v), t.Language)
	case Words:
		words, fallback := v.Versions.In(t.Language, v.Name, v.First)
		if fallback && v.Group != "" {
			return t.word(message.Word{Group: v.Group, Text: words})
		}
		return words
	case message.Worded:
		return t.word(v.Word())
	case Lines:
		lines := make([]string, len(v))
		for i := range v {
			lines[i] = t.write(v[i])
		}
		return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
	}
	return fmt.Sprint(value)
}

// word is a word that comes with the service in the language of the template.
func (t Template) word(w message.Word) string {
	if t.Words == nil {
		return w.Text
	}
	return t.Words(w.Group, w.Text)
}

// WriteTime is a time in a language.
func WriteTime(language string, z ZonedTime) string {
	at, comma, clock := z.At.Std().In(z.Zone), ", ", "15:04 MST"
	if text.IsRightToLeft(language) {
		comma = "، "
	}
	if z.Exact {
		clock = "15:04:05 MST"
	}
	return WriteDay(language, admitto.DateOf(at)) + comma + at.Format(clock)
}

// rightToLeft reports whether the language is written from right to left.
func (t Template) rightToLeft() bool {
	return slices.Contains([]string{"ar", "fa", "he", "ur"}, cmp.Or(t.Language, "en"))
}

// Value is the value of a marker as the template writes it; "" without one.
func (t Template) Value(values Values, m Marker) string {
	value, ok := values[m]
	if !ok {
		return ""
	}
	return t.write(value)
}
