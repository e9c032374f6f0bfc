package report

import (
	"strconv"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/form"
)

// FormColumn is what a column of the application form holds, in the English words of the form.
type FormColumn struct {
	Section, Field string
	Row            int    // of a section with several, from 1; 0: no certain one
	Part           string // of the name of a person
}

// formColumnNames are the columns of the form by their sources.
var formColumnNames = sync.OnceValue(func() map[string]FormColumn {
	names := map[string]FormColumn{}
	for _, s := range form.Sections() {
		for _, f := range s.Leaves() {
			c := FormColumn{Section: s.Title, Field: f.Label}
			switch {
			case f.Column == "":
			case s.Columns == form.PickFirst:
				for n := range form.PickedRows {
					c.Row = n + 1
					names[strings.Replace(f.Column, " n", " "+strconv.Itoa(c.Row), 1)] = c
				}
			case f.Kind == form.Person:
				for _, part := range []string{"Given name(s)", "Family name(s)"} {
					c.Part = part
					names[f.Column+": "+part] = c
				}
			default:
				names[f.Column] = c
			}
		}
	}
	return names
})

// FormColumnOf says what a column of the application form holds; ok is false for another column.
func FormColumnOf(source string) (c FormColumn, ok bool) {
	c, ok = formColumnNames()[source]
	return c, ok
}
