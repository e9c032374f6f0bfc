package portal

import (
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// countries are the options of a country, by their names, after one for none.
func countries(r *site.Request) []ui.Option {
	return append([]ui.Option{{Text: r.T("country.none")}}, r.Countries()...)
}
