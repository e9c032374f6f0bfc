package filekind

import (
	"slices"
	"strings"
)

// The groups of kinds of documents, as staff choose what a task asks for.
const (
	PDF     = "pdf"
	Picture = "picture"
	Words   = "text"
	Office  = "office"
)

// Groups are all of them.
func Groups() []string { return []string{PDF, Picture, Office, Words} }

// GroupOf is the group of a media type that Of has found.
func GroupOf(kind string) string {
	switch {
	case kind == "application/pdf":
		return PDF
	case strings.HasPrefix(kind, "image/"):
		return Picture
	case kind == PlainText:
		return Words
	}
	return Office
}

// suffixes are those of each group.
var suffixes = map[string]string{PDF: ".pdf", Picture: ".jpg,.jpeg,.png,.webp", Words: ".txt",
	Office: ".rtf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.odp"}

// SuffixesOf are the suffixes that a browser offers for some groups; none stand for all.
func SuffixesOf(groups []string) string {
	if len(groups) == 0 {
		return Suffixes
	}
	var list []string
	for _, g := range Groups() {
		if slices.Contains(groups, g) {
			list = append(list, suffixes[g])
		}
	}
	return strings.Join(list, ",")
}
