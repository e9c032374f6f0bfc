package form

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// oneRow stands for at least one row of a section among what is missing.
const oneRow = "*"

// Missing lists what the courses require and the content does not have, as section and field: profile/birth/date,
// education/0/level, education/* for no row at all, extras/17 for an answer; and what needs attention where they ask
// for something (guard G6). It is sorted.
func (c *Content) Missing(a *Asked) []string {
	missing := map[string]bool{}
	a.missing(c, func(path string) { missing[path] = true })
	return slices.Sorted(maps.Keys(missing))
}

// QuestionOf is the question that a path is about, extras/17, and below it that of a custom section, extras/17/3; 0 for
// none.
func QuestionOf(path string) (question, inner int64) {
	below, ok := strings.CutPrefix(path, Questions+"/")
	if !ok {
		return 0, 0
	}
	outer, within, _ := strings.Cut(below, "/")
	question, _ = strconv.ParseInt(outer, 10, 64)
	inner, _ = strconv.ParseInt(within, 10, 64)
	return question, inner
}

// isFilled reports whether the path below an object leads to something.
func isFilled(o Object, path string) bool {
	value := At(o, path)
	if text, ok := value.(string); ok {
		return strings.TrimSpace(text) != ""
	}
	return !isUnset(value)
}
