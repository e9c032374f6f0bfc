package mail

import "strings"

// FillBody puts the values of markers into the body and leaves its markup and what it has no value for as they are. The
// result is for people to read: values in it are not told apart from markup, so it must never be rendered again.
func (t Template) FillBody(values Values) string {
	known := t.named(values)
	var b strings.Builder
	for s := t.Body; s != ""; {
		n := max(markerAt(s), 1)
		if value, ok := known[bare(s[:n])]; ok && n > 1 {
			b.WriteString(value)
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
