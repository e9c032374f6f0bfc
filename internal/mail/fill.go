package mail

import "strings"

// Fill puts the values of markers into a text and leaves its markup and what
// it has no value for as they are. The result is for people to read: values in it are not told apart from markup, so
// it must never be rendered again.
func Fill(text string, values Values) string {
	known := values.named()
	var b strings.Builder
	for s := text; s != ""; {
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
