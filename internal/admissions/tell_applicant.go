package admissions

import (
	"fmt"

	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
)

// tellApplicant queues a mail about what has happened to the application just now, with the markers of the
// application and more.
func (o *Office) tellApplicant(tx *store.Tx, d *dossier, template string, more map[string]string, attached []mail.Attachment) error {
	if template == "application-closed" { // the only one of them that silencing stops (lifecycle.md 8.3)
		silenced, err := tx.Silenced(d.ID)
		if err != nil || silenced {
			return err
		}
	}
	values, err := o.applicationMarkers(tx, d)
	if err != nil {
		return err
	}
	for name, value := range more {
		values[name] = value
	}
	// The row version is the occurrence: every change of the status has its own.
	_, err = o.post(tx, posting{template: template, applicant: &d.Applicant, application: d.ID, values: values, texts: attached,
		key: fmt.Sprintf("%s:%d:%d", template, d.ID, d.RowVersion)})
	return err
}
