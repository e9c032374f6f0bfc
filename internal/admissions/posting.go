package admissions

import (
	"encoding/json"
	"hash/fnv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// posting is a mail that a use case wants sent. It is rendered and queued in the transaction of its cause
// (lifecycle.md 8.1) and leaves soon after.
type posting struct {
	template    string
	applicant   *admitto.Applicant // whom it concerns; nil for mails about the service itself
	to          *mail.Address      // nil: the applicant. Mails to others are not among the applicant's e-mails
	application int64              // for the journal; 0: none
	key         string             // template, subject and occurrence; a second mail with it is not queued; "": no such check
	values      map[string]string  // markers next to those of the applicant and of the instance
	secrets     []string           // markers whose values the stored copy must not show
	rendered    *mail.Rendered     // instead of the template's text, for letters and messages that staff wrote
	copies      []string           // blind copies
	files       []admitto.File     // attachments
	texts       []mail.Attachment  // attachments that are made for this mail and go along in it; small
	invoice     int64              // learns that it was delivered; 0: none
}

// queuedMail is the sealed content of a row of ordinary mail.
type queuedMail struct {
	Message mail.Message // without the attachments that are files: their bytes are fetched when it leaves
	Files   []admitto.File
	Links   admitto.Links
	Invoice int64
}

// secretRemoved stands in stored copies in the place of a secret.
const secretRemoved = "(secret removed)"

// post queues a mail and returns the ID of the copy among the applicant's e-mails, 0 when there is none: the mail
// goes to somebody else, or one with the same key was queued before.
func (o *Office) post(tx *store.Tx, p posting) (email int64, err error) {
	if p.key != "" {
		if first, err := tx.ClaimMailKey(p.key); err != nil || !first {
			return 0, err
		}
	}
	rendered, stored, err := o.render(tx, p)
	if err != nil {
		return 0, err
	}
	row := store.OutboxRow{Kind: store.OrdinaryMail, Template: p.template, Created: tx.Now()}
	queued := queuedMail{Files: p.files, Invoice: p.invoice, Links: admitto.Links{Application: p.application}}
	from := o.sender()
	message := mail.Message{ID: mail.NewID(hostOf(from.Email)), Date: tx.Now().Std(), From: from, Bcc: p.copies,
		Subject: rendered.Subject, Text: rendered.Text, HTML: rendered.HTML, Attachments: p.texts}
	if p.applicant != nil {
		row.Applicant, queued.Links.Applicant = p.applicant.ID, p.applicant.ID
	}
	if p.to != nil {
		message.To = *p.to
	} else {
		recipient, err := text.EmailASCII(p.applicant.Email)
		if err != nil {
			return 0, err
		}
		message.To = mail.Address{Name: p.applicant.Name.Full(), Email: recipient}
		copied := admitto.Email{Applicant: p.applicant.ID, Inserted: tx.Now(), FromName: from.Name, FromEmail: from.Email,
			Subject: stored.Subject, Message: stored.Text}
		if email, err = tx.InsertEmail(&copied); err != nil {
			return 0, err
		}
		for i := range p.files {
			if err := tx.AttachToEmail(email, &p.files[i]); err != nil {
				return 0, err
			}
		}
		row.Email = email
	}
	row.Recipient = recipientKey(message.To.Email)
	queued.Message = message
	plain, err := json.Marshal(queued)
	if err != nil {
		return 0, err
	}
	row.Sealed = o.key.Seal(sealedMail, plain)
	_, err = tx.QueueMail(&row)
	return email, err
}

// recipientKey is the same for all mails to an address, without naming it. Two addresses that have one key by chance wait for
// each other, and no more.
func recipientKey(email string) int64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(text.EmailKey(email))) // never fails
	return int64(hash.Sum64())
}

// render fills in the template twice: for the mail, and for the stored copy without secrets.
func (o *Office) render(tx *store.Tx, p posting) (sent, stored mail.Rendered, err error) {
	if p.rendered != nil {
		return *p.rendered, *p.rendered, nil
	}
	template, err := o.template(tx, p.template)
	if err != nil {
		return sent, stored, err
	}
	values := o.instanceMarkers(tx.Now())
	if p.applicant != nil {
		values = o.applicantMarkers(p.applicant, tx.Now())
	}
	for name, value := range p.values {
		values[name] = value
	}
	if sent, err = template.Render(values); err != nil || len(p.secrets) == 0 {
		return sent, sent, err
	}
	for _, name := range p.secrets {
		values[name] = secretRemoved
	}
	stored, err = template.Render(values)
	return sent, stored, err
}
