package notify

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"maps"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// OutgoingMail is a mail that a use case wants sent. It is rendered and queued in the transaction of its cause
// (lifecycle.md 8.1) and leaves soon after.
type OutgoingMail struct {
	Template    mail.Kind
	Applicant   *admitto.Applicant // whom it concerns; nil for mails about the service itself
	To          *mail.Address      // nil: the applicant. Mails to others are not among the applicant's e-mails
	Application int64              // for the journal; 0: none
	// the ID of what it is about: with the same template and occurrence a second mail is not queued; 0: no such check
	Record     int64
	Occurrence string            // "": there is one mail of the template about the record
	Values     mail.Values       // next to those of the applicant and of the instance
	Rendered   *mail.Rendered    // instead of the template's text, for letters and messages that staff wrote
	Copies     []string          // blind copies
	Files      []admitto.File    // attachments
	Texts      []mail.Attachment // attachments that are made for this mail and go along in it; small
	Invoice    int64             // that it brings: goes along as a PDF, and learns that it was delivered; 0: none
}

// queuedMail is the sealed content of a row of ordinary mail.
type queuedMail struct {
	Message mail.Message // without the attachments that are files: their bytes are fetched when it leaves
	Files   []admitto.File
	Links   admitto.Links
	Invoice int64
	// Repeatable says that there is no secret in it, so that it is kept when it is given up. One that a release before has
	// queued does not say so.
	Repeatable bool
}

// Queue queues a mail and returns the ID of the copy among the applicant's e-mails, 0 when there is none: the mail
// goes to somebody else, one with the same key was queued before, or staff have silenced its kind.
func (s *Service) Queue(tx *store.Tx, p OutgoingMail) (email int64, err error) {
	if p.Record != 0 {
		if first, err := tx.ClaimMailKey(p.Template.Key(p.Record, p.Occurrence)); err != nil || !first {
			return 0, err
		}
	}
	template, silenced, err := s.templateOf(tx, &p)
	if err != nil {
		return 0, err
	}
	if silenced {
		leftOut(tx, p)
		return 0, nil
	}
	message, copied, err := s.Compose(tx, template, p)
	if err != nil {
		return 0, err
	}
	row := store.OutboxRow{Kind: store.OrdinaryMail, Template: p.Template.Code(), Created: tx.Now()}
	queued := queuedMail{Message: message, Files: p.Files, Invoice: p.Invoice,
		Links: admitto.Links{Application: p.Application}}
	if p.Applicant != nil {
		row.Applicant, queued.Links.Applicant = p.Applicant.ID, p.Applicant.ID
	}
	if p.To == nil {
		if email, err = tx.InsertEmail(&copied); err != nil {
			return 0, err
		}
		for i := range p.Files {
			if err := tx.AttachToEmail(email, &p.Files[i]); err != nil {
				return 0, err
			}
		}
		row.Email = email
		queued.Repeatable = copied.Subject == message.Subject && copied.Message == message.Text
	}
	row.Recipient = recipientKey(message.To.Email)
	plain, err := json.Marshal(queued)
	if err != nil {
		return 0, err
	}
	row.Sealed = s.key.Seal(SealedMail, plain)
	_, err = tx.QueueMail(&row)
	return email, err
}

// Queued returns the mails to an applicant that a transaction has queued so far.
func (s *Service) Queued(tx *store.Tx, applicant int64) (list []mail.Message, err error) {
	for _, row := range tx.QueuedMails() {
		if row.Applicant != applicant || row.Email == 0 {
			continue
		}
		var queued queuedMail
		plain, err := s.key.Open(SealedMail, row.Sealed)
		if err == nil {
			err = json.Unmarshal(plain, &queued)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, queued.Message)
	}
	return list, nil
}

// templateOf is the text that a mail is made of, in the language of who reads it, and whether staff have silenced it.
func (s *Service) templateOf(tx *store.Tx, p *OutgoingMail) (t mail.Template, silenced bool, err error) {
	if p.Rendered != nil {
		return t, false, nil
	}
	language := s.Language()
	if p.Applicant != nil {
		if language, err = s.LanguageOf(tx, p.Applicant.ID); err != nil {
			return t, false, err
		}
	}
	return s.template(tx, p.Template, language)
}

// Written is a mail to an applicant as it would be read. To is "" where none goes.
type Written struct {
	To string
	mail.Rendered
}

// Write returns what Queue would send, dated then; nothing is stored.
func (s *Service) Write(tx *store.Tx, p OutgoingMail, then admitto.Time) (w Written, err error) {
	template, silenced, err := s.templateOf(tx, &p)
	if err != nil || silenced {
		return w, err
	}
	w.To = p.Applicant.Email
	w.Rendered, _, err = s.render(then, template, p)
	return w, err
}

// leftOut keeps in the journal that a mail was not sent, because staff have silenced its kind (lifecycle.md 8.3). It is
// not made up for when they lift that.
func leftOut(tx *store.Tx, p OutgoingMail) {
	links := admitto.Links{Application: p.Application}
	if p.Applicant != nil {
		links.Applicant = p.Applicant.ID
	}
	tx.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailLeftOut, Bind: []string{p.Template.Code()},
		Links: links})
}

// recipientKey is the same for all mails to an address, without naming it. Two addresses that have one key by chance
// wait for each other, and no more.
func recipientKey(email string) int64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(text.EmailKey(email))) // never fails
	return int64(hash.Sum64())
}

// Compose makes a mail of its template, without the attachments that are files, and the copy that the applicant's
// e-mails have of it, without secrets; a mail to somebody else has none. It is the one place where mails are made.
func (s *Service) Compose(tx *store.Tx, template mail.Template, p OutgoingMail) (sent mail.Message,
	stored admitto.Email, err error) {
	rendered, shown, err := s.render(tx.Now(), template, p)
	if err != nil {
		return sent, stored, err
	}
	from := s.Sender()
	sent = mail.Message{ID: mail.NewID(hostOf(from.Email)), Date: tx.Now().Std(), From: from, ReplyTo: s.answersTo(),
		Bcc:     p.Copies,
		Subject: rendered.Subject, Text: rendered.Text, HTML: rendered.HTML, Attachments: p.Texts}
	if p.To != nil {
		sent.To = *p.To
		return sent, stored, nil
	}
	recipient, err := text.EmailASCII(p.Applicant.Email)
	if err != nil {
		return sent, stored, err
	}
	sent.To = mail.Address{Name: p.Applicant.Name.Full(), Email: recipient}
	return sent, admitto.Email{Applicant: p.Applicant.ID, Application: p.Application, Inserted: tx.Now(),
		FromName:  from.Name,
		FromEmail: from.Email, Recipient: p.Applicant.Email, Template: cmp.Or(template.Kind.Code(), p.Template.Code()),
		Subject: shown.Subject,
		Message: shown.Text, HTML: shown.Formatted()}, nil
}

// render fills in the template twice: for the mail, and for the stored copy without secrets.
func (s *Service) render(now admitto.Time, template mail.Template, p OutgoingMail) (sent, stored mail.Rendered,
	err error) {
	if p.Rendered != nil {
		return *p.Rendered, *p.Rendered, nil
	}
	values := s.instanceMarkers(now)
	if p.Applicant != nil {
		values = s.ApplicantMarkers(p.Applicant, now)
	}
	maps.Copy(values, p.Values)
	if sent, err = template.Render(values); err != nil {
		return sent, sent, err
	}
	shown, differ := values.WithoutSecrets()
	if !differ {
		return sent, sent, nil
	}
	stored, err = template.Render(shown)
	return sent, stored, err
}
