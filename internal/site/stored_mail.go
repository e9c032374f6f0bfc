package site

import (
	"html"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/ui"
)

// StoredMail is a mail as pages show it: in the place of each secret stand words in its language, as far as that is
// known. lang is that language where it is not the one of the page.
func (r *Request) StoredMail(stored *admitto.Email) (shown admitto.Email, lang string) {
	shown, lang = *stored, r.Foreign(ui.MailLang(stored.HTML))
	removed := r.T("stored_mail.secret")
	if lang != "" {
		removed = r.site.Catalogue.Locale(lang).Text("stored_mail.secret")
	}
	in := func(removed string) *strings.Replacer { // the address of a link stands in brackets of its own
		return strings.NewReplacer("("+admitto.SecretRemoved+")", removed, admitto.SecretRemoved, removed)
	}
	shown.Subject, shown.Message = in(removed).Replace(stored.Subject), in(removed).Replace(stored.Message)
	shown.HTML = in(html.EscapeString(removed)).Replace(stored.HTML)
	return shown, lang
}

// Foreign is a language, or "" where it is that of the page.
func (r *Request) Foreign(lang string) string {
	if lang == r.Lang {
		return ""
	}
	return lang
}
