package admin

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/site"
)

// columnWords name a column of a tableview in the language of the reader. Its source, which is English and by which the
// API knows it, stands for one that has no name there.
func columnWords(r *site.Request, source string) string {
	if r.Lang == "en" {
		return source
	}
	if c, ok := report.FormColumnOf(source); ok {
		words := r.Label(c.Section)
		if c.Row > 0 {
			words += " " + strconv.Itoa(c.Row)
		}
		words += ": " + r.Label(c.Field)
		if c.Part != "" {
			words += ": " + columnWords(r, c.Part)
		}
		return words
	}
	for prefix, key := range map[string]string{admitto.ScoreColumn: "score", admitto.TaskColumn: "task",
		admitto.QuestionColumn: "question"} {
		if name, is := strings.CutPrefix(source, prefix); is {
			return r.T("tableview_column."+key, "Name", name)
		}
	}
	if rest, is := strings.CutPrefix(source, "Course"); is {
		place, part, _ := strings.Cut(rest, ": ")
		words := r.T("tableview_column.course")
		if place = strings.TrimSpace(place); place != "" {
			words += " " + place
		}
		if key := columnKey(part); part != "" && r.Has(key) {
			words += ": " + r.T(key)
		}
		return words
	}
	if key := columnKey(source); r.Has(key) {
		return r.T(key)
	}
	return source
}

// columnKey is the message that names a column.
func columnKey(source string) string {
	words := strings.FieldsFunc(strings.ToLower(source), func(c rune) bool { return !unicode.IsLetter(c) })
	return "tableview_column." + strings.Join(words, "_")
}
