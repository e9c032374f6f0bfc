package batch

import (
	"maps"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/usecase"
)

// mailActions write to applicants.
func mailActions() []action {
	return []action{{name: "message", title: message.Of("batch-message"), sources: []admitto.BatchSource{admitto.OfApplications,
		admitto.OfApplicants}, needs: []admitto.Permission{admitto.MessagesSend}, fields: []string{"subject"},
		reaches: true, mails: true, check: messageWritten, change: changeMessage, apply: sendMessage}}
}

// messageWritten wants a subject and a text, with markers only that every recipient has.
func messageWritten(w *work) error {
	refusal := &admitto.Error{Kind: admitto.InvalidParameter}
	for _, field := range []struct {
		path admitto.Path
		text string
	}{{"batch.subject", w.params.Subject}, {"batch.text", w.params.Text}} {
		if strings.TrimSpace(field.text) == "" {
			refusal.Faults = append(refusal.Faults, admitto.Fault{Path: field.path, Text: message.Of("batch-text-missing")})
		}
	}
	template := messageTemplate(w)
	allowed := map[string]bool{}
	for _, m := range template.Kind.Markers() {
		allowed[m.String()] = true
	}
	var unknown []string
	for _, m := range template.Markers() {
		if !allowed[m] {
			unknown = append(unknown, m)
		}
	}
	if len(unknown) > 0 {
		refusal.Faults = append(refusal.Faults, admitto.Fault{Path: "batch.text",
			Text: message.Of("markers-unknown", strings.Join(unknown, ", "))})
	}
	if len(refusal.Faults) > 0 {
		return refusal
	}
	return nil
}

// messageTemplate is the message as it was written.
func messageTemplate(w *work) mail.Template {
	return mail.Template{Kind: mail.KindApplicantMessage, Subject: w.params.Subject, Body: w.params.Text,
		Language: notify.WelcomeLanguage}
}

// changeMessage renders the message for one person.
func changeMessage(w *work, id int64) (c admitto.BatchRecord, err error) {
	var a admitto.Applicant
	values := mail.Values{}
	if w.source == admitto.OfApplicants {
		if c, a, err = person(w, id); err != nil {
			return c, err
		}
	} else {
		d := &usecase.LockedApplication{Actor: w.by.Actor}
		if d.ApplicationCase, d.Applicant, err = w.tx.ApplicationCase(id); err != nil {
			return c, err
		}
		if values, err = w.admissions.ApplicationMarkers(w.tx, d); err != nil {
			return c, err
		}
		a = d.Applicant
		c = admitto.BatchRecord{Record: id, Applicant: a.ID, Version: d.RowVersion}
	}
	all := w.s.notify.ApplicantMarkers(&a, w.prepared)
	maps.Copy(all, values)
	rendered, err := messageTemplate(w).Render(all)
	c.Recipient, c.Subject, c.Body = a.Email, rendered.Subject, rendered.Text
	w.letter, w.to = &rendered, &a
	return c, err
}

// sendMessage queues what changeMessage rendered, once for each person of the batch.
func sendMessage(w *work, c *admitto.BatchRecord) error {
	application := int64(0)
	if w.source == admitto.OfApplications {
		application = c.Record
	}
	_, err := w.s.notify.Queue(w.tx, notify.OutgoingMail{Template: mail.KindApplicantMessage, Applicant: w.to,
		Application: application, Rendered: w.letter, Record: w.batch, Occurrence: strconv.FormatInt(c.Applicant, 10)})
	return err
}
