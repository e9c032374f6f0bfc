package notify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
)

// Mails are in the language of the applicant's account where the instance has it: in the text of staff, else in the
// shipped one; what staff wrote in the first language goes before a shipped text in another (lifecycle.md R11).
func TestMailLanguage(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		id := d.Create(servicestest.Ilse())
		office := func(languages ...string) func(language string) mail.Message {
			post := &servicestest.Post{}
			s := d.Another(d.Store, post, func(set *config.Settings) { set.Instance.Languages = languages })
			return func(language string) mail.Message {
				t.Helper()
				d.Put(fmt.Sprintf("UPDATE applicant SET language = '%s' WHERE id = %d", language, id))
				d.Must(s.Core.Write(t.Context(), func(tx *store.Tx) error {
					a, err := tx.Applicant(id)
					if err != nil {
						return err
					}
					_, err = s.Notify.Queue(tx, notify.OutgoingMail{Template: mail.KindApplicantPasswordChanged, Applicant: &a})
					return err
				}))
				if _, err := s.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil {
					t.Fatal(err)
				}
				all := post.Taken()
				return all[len(all)-1]
			}
		}
		want := func(m mail.Message, lang string, words ...string) {
			t.Helper()
			for _, word := range words {
				if !strings.Contains(m.Text, word) {
					t.Errorf("no %q in %s", word, m.Text)
				}
			}
			if !strings.Contains(m.HTML, `<html lang="`+lang+`"`) {
				t.Errorf("not in %s: %s", lang, m.HTML)
			}
		}
		day := func(lang string) string { return mail.WriteDay(lang, admitto.DateOf(d.Clock.Now().Std())) }
		both, arabic, portuguese := office("en", "ar"), office("ar", "en"), office("pt", "en")
		want(both(""), "en", "was changed", day("en"))
		want(both("ar"), "ar", "تغيّرت", day("ar"))
		want(both("pt"), "en", "was changed") // the instance does not have it
		want(arabic(""), "ar", "تغيّرت")
		want(arabic("en"), "en", "was changed")
		want(portuguese(""), "en", "was changed", day("en")) // nothing is shipped in it
		d.Put(`INSERT INTO email_template (code, language, subject, body) VALUES
			('applicant-password-changed', 'en', 'Changed', 'Our own words, %date-Today%'),
			('applicant-password-changed', 'pt', 'Mudada', 'A senha mudou, %date-Today%')`)
		want(both("ar"), "en", "Our own words", day("en"))
		want(portuguese(""), "pt", "A senha mudou", day("pt"))
		want(portuguese("en"), "en", "Our own words")
		d.Put(`INSERT INTO email_template (code, language, subject, body) VALUES
			('applicant-password-changed', 'ar', 'x', 'كلماتنا، %date-Today%')`)
		want(both("ar"), "ar", "كلماتنا", day("ar"))
		want(arabic("en"), "en", "Our own words")
	})
}
