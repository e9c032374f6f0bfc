package ranks

import (
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
)

// Bounds of the labels of a sheet.
const (
	mostLabel    = 100 // characters
	mostBadLines = 10  // are named
)

// mapLines are labels with their values as they are typed: "B2 = 4".
func mapLines(t *sheet) (lines []string) {
	for _, m := range t.Maps {
		lines = append(lines, m.Label+" = "+points(m.Value, t.Scale))
	}
	return lines
}

// parsePoints reads points with a point or a comma before their decimals.
func parsePoints(text string, scale int) (admitto.Points, error) {
	return admitto.ParsePoints(strings.Replace(text, ",", ".", 1), scale)
}

// readMaps reads labels with their values, one in a line; empty lines do not matter. faults say for each line that is
// wrong its number, counted from 1 as in the field, and what would be right.
func readMaps(r *site.Request, typed string, scale int) (maps []admitto.ScoreMap, faults []string) {
	first := map[string]int{} // line of a label
	n, more := 0, 0
	fail := func(text string) {
		if len(faults) == mostBadLines {
			more++
			return
		}
		faults = append(faults, r.T("sheet.line", "Line", n, "Text", text))
	}
	for line := range strings.Lines(typed) {
		n++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		label, text, _ := strings.Cut(line, "=")
		label, text = strings.TrimSpace(label), strings.TrimSpace(text)
		value, err := parsePoints(text, scale)
		switch {
		case label == "" || text == "":
			fail(r.T("sheet.no_map"))
		case utf8.RuneCountInString(label) > mostLabel:
			fail(r.T("sheet.long_label", "Most", mostLabel))
		case err != nil && scale == 0:
			fail(r.T("sheet.no_whole", "Label", label))
		case err != nil:
			fail(r.Plural("sheet.no_value", scale, "Label", label))
		case first[label] != 0:
			fail(r.T("sheet.label_twice", "Label", label, "First", first[label]))
		default:
			first[label] = n
			maps = append(maps, admitto.ScoreMap{Label: label, Value: value})
		}
	}
	if more > 0 {
		faults = append(faults, r.Plural("sheet.more_lines", more))
	}
	return maps, faults
}
