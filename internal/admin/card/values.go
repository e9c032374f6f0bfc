package card

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
)

// joined are the texts that are not empty.
func joined(between string, list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), between)
}

// label is what a field of the form is called.
func label(r *site.Request, f *form.Field) string { return r.Label(f.Label) }
