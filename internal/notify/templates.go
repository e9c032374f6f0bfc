package notify

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
)

// WelcomeLanguage is the only language there are texts in so far.
const WelcomeLanguage = "en"

// SealedMail is the purpose under which waiting mails are sealed.
const SealedMail = "outbox"

// leaseSlack is how much longer than the sync timeout a creation holds its lease (lifecycle.md 8.2, W2).
const leaseSlack = 10 * admitto.Second

func hostOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// Template returns the active text of the template of a kind of mail.
func (s *Service) Template(tx *store.Tx, kind mail.Kind) (mail.Template, error) {
	subject, body, found, err := tx.EmailTemplate(kind.Code(), WelcomeLanguage)
	if err != nil || found {
		return mail.Template{Kind: kind, Subject: subject, Body: body}, err
	}
	return mail.Default(kind)
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
		mail.DateToday:       now.Std().In(s.core.Settings().Instance.Timezone).Format(admitto.LongDay),
	}
}
