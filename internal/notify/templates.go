package notify

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// SealedMail is the purpose under which waiting mails are sealed.
const SealedMail = "outbox"

// leaseSlack is how much longer than the sync timeout a creation holds its lease (lifecycle.md 8.2, W2).
const leaseSlack = 10 * admitto.Second

func hostOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// Language is the first language of the instance, in which texts are whose language nobody has said (lifecycle.md R11).
func (s *Service) Language() string { return s.core.Language() }

// LanguageOf is the language of mails to an applicant: the one of the account, if the instance has it, else the first.
func (s *Service) LanguageOf(tx *store.Tx, applicant int64) (string, error) {
	return s.core.LanguageOf(tx, applicant)
}

// InLanguage is a text in a language, with the sentences that its values are written in.
func (s *Service) InLanguage(t mail.Template, language string) mail.Template {
	t.Language, t.Sentences = language, s.Sentences(language)
	if s.words != nil {
		t.Words = s.words(language)
	}
	return t
}

// Sentences are those of use cases in a language.
func (s *Service) Sentences(language string) (c message.Catalogue) {
	if s.sentences != nil {
		c = s.sentences(language)
	}
	return c
}

// Template returns the active text of the template of a kind of mail in a language of the instance. Where staff have
// none in it, the shipped one is taken; but what they wrote in the first language goes before what is shipped in
// another, since it may say what that does not.
func (s *Service) Template(tx *store.Tx, kind mail.Kind, language string) (mail.Template, error) {
	t, _, err := s.template(tx, kind, language)
	return t, err
}

// template is Template, and whether staff have silenced the mails of the kind.
func (s *Service) template(tx *store.Tx, kind mail.Kind, language string) (t mail.Template, silenced bool, err error) {
	texts, silenced, err := tx.EmailTexts(kind.Code())
	if err != nil {
		return t, false, err
	}
	return s.Active(kind, language, texts), silenced && kind.MayBeSilenced(), nil
}

// Active is the text of a kind of mail that goes to who reads a language, of those that staff keep.
func (s *Service) Active(kind mail.Kind, language string, texts map[string]admitto.MailText) mail.Template {
	first := s.Language()
	for _, of := range []string{language, first} {
		if t, kept := texts[of]; kept {
			return s.InLanguage(mail.Template{Kind: kind, Subject: t.Subject, Body: t.Body}, of)
		}
	}
	return s.Shipped(kind, language)
}

// Shipped is the text of a kind of mail in a language that comes with the service: where there is none, the one in the
// first language of the instance, or the English one.
func (s *Service) Shipped(kind mail.Kind, language string) mail.Template {
	for _, of := range []string{language, s.Language(), "en"} {
		if t, found := mail.DefaultIn(kind, of); found {
			return s.InLanguage(t, of)
		}
	}
	return mail.Template{Kind: kind} // not reached: every kind has an English text
}

// Silenced reports whether staff have switched the mails of a kind off.
func (s *Service) Silenced(tx *store.Tx, kind mail.Kind) (bool, error) {
	if !kind.MayBeSilenced() {
		return false, nil
	}
	_, silenced, err := tx.EmailTexts(kind.Code())
	return silenced, err
}

// Notice is a notice in the language of an applicant, filled in.
func (s *Service) Notice(tx *store.Tx, n mail.Notice, a *admitto.Applicant) (kind mail.Kind, r mail.Rendered,
	err error) {
	language, err := s.LanguageOf(tx, a.ID)
	if err != nil {
		return kind, r, err
	}
	t, err := n.In(language)
	if err != nil {
		return kind, r, err
	}
	r, err = s.InLanguage(t, t.Language).Render(s.ApplicantMarkers(a, tx.Now()))
	return t.Kind, r, err
}

// ApplicantMarkers returns the values that every mail to an applicant may use (lifecycle.md 8.3, a and z).
func (s *Service) ApplicantMarkers(a *admitto.Applicant, now admitto.Time) mail.Values {
	values := s.instanceMarkers(now)
	values[mail.ApplicantID] = strconv.FormatInt(a.ID, 10)
	values[mail.ApplicantName] = cmp.Or(a.Name.Full(), a.Name.Legal) // legal persons have no other
	values[mail.ApplicantGivenName] = a.Name.Given
	values[mail.ApplicantFamilyName] = a.Name.Family
	values[mail.ApplicantEmail] = a.Email
	values[mail.ApplicantLogin] = a.Email
	values[mail.ApplicantReference] = a.Reference
	return values
}

// instanceMarkers returns the values that every mail may use (lifecycle.md 8.3, z).
func (s *Service) instanceMarkers(now admitto.Time) mail.Values {
	return mail.Values{
		mail.InstanceName:    s.core.Settings().Instance.Name,
		mail.InstanceLink:    s.core.Links().Home(),
		mail.InstitutionName: s.core.Settings().Instance.Name,
		mail.InstitutionWWW:  s.core.Links().Home(),
		mail.DateToday:       admitto.DateOf(now.Std().In(s.core.Settings().Instance.Timezone)),
	}
}
