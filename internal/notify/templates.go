package notify

import (
	"cmp"
	"fmt"
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

func HostOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// Template returns the active text of a template.
func (s *Service) Template(tx *store.Tx, name string) (mail.Template, error) {
	subject, body, found, err := tx.EmailTemplate(name, WelcomeLanguage)
	if err != nil || found {
		return mail.Template{Code: name, Subject: subject, Body: body}, err
	}
	t, ok := mail.Default(name)
	if !ok {
		return t, fmt.Errorf("no template %s", name)
	}
	return t, nil
}

// ApplicantMarkers returns the values that every mail to an applicant may use (lifecycle.md 8.3, a and z).
func (s *Service) ApplicantMarkers(a *admitto.Applicant, now admitto.Time) map[string]string {
	values := s.instanceMarkers(now)
	values["applicant-ID"] = strconv.FormatInt(a.ID, 10)
	values["applicant-Name"] = cmp.Or(a.Name.Full(), a.Name.Legal) // legal persons have no other
	values["applicant-GivenName"] = a.Name.Given
	values["applicant-FamilyName"] = a.Name.Family
	values["applicant-Email"] = a.Email
	values["applicant-Login"] = a.Email
	values["applicant-Reference"] = a.Reference
	return values
}

// instanceMarkers returns the values that every mail may use (lifecycle.md 8.3, z).
func (s *Service) instanceMarkers(now admitto.Time) map[string]string {
	return map[string]string{
		"instance-Name":    s.core.Settings().Instance.Name,
		"instance-Link":    s.core.Links().Home(),
		"institution-Name": s.core.Settings().Instance.Name,
		"institution-WWW":  s.core.Links().Home(),
		"date-Today":       now.Std().In(s.core.Settings().Instance.Timezone).Format("2 January 2006"),
	}
}
