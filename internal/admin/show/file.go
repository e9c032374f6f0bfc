package show

import (
	"strings"

	"github.com/admitto/admitto/internal/site"
)

// FileKind says a media type in words.
func FileKind(r *site.Request, mime string) string {
	kind := "unknown"
	for _, k := range [][2]string{{site.PDF, "pdf"}, {"image/", "picture"}, {"text/", "text"}, {"spreadsheet", "sheet"},
		{"excel", "sheet"},
		{"presentation", "slides"}, {"powerpoint", "slides"}, {"word", "letter"}, {"opendocument.text", "letter"},
		{"rtf",
			"letter"}} {
		if strings.Contains(mime, k[0]) {
			kind = k[1]
			break
		}
	}
	return r.T("file_kind." + kind)
}
