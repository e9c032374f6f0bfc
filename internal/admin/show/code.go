package show

import (
	"regexp"
	"strings"

	"github.com/admitto/admitto/internal/site"
)

// plainCode is the form of reference codes and matriculation numbers unless another one is set.
const plainCode = `[A-Za-z0-9./_-]{1,64}`

// CodeForm says which form a code has by the pattern of its setting, which holds for the whole of it: in words where
// nobody has set another one.
func CodeForm(r *site.Request, pattern *regexp.Regexp) string {
	form := strings.TrimSuffix(strings.TrimPrefix(pattern.String(), `\A(?:`), `)\z`)
	if form == plainCode {
		return r.T("code.plain_form")
	}
	return r.T("code.form", "Pattern", form)
}
