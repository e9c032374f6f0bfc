package portal

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// countries are the options of a country, by their names, after one for none.
func countries(r *site.Request) []ui.Option {
	codes := text.Countries()
	options := make([]ui.Option, 0, len(codes)+1)
	for _, code := range codes {
		options = append(options, ui.Option{Value: code, Text: text.CountryName(code)})
	}
	slices.SortFunc(options, func(a, b ui.Option) int { return cmp.Compare(text.Fold(a.Text), text.Fold(b.Text)) })
	return slices.Insert(options, 0, ui.Option{Text: r.T("country.none")})
}
