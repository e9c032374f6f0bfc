package batch

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// mailActions write to applicants.
func mailActions() []action {
	return []action{{name: "message", title: message.Of("batch-message"),
		sources: []admitto.BatchSource{admitto.OfApplications,
			admitto.OfApplicants, admitto.OfTasks, admitto.OfOffers}, needs: []admitto.Permission{admitto.MessagesSend},
		fields:  []string{"subject", "consent"},
		reaches: true, once: true, check: messageWritten, change: changeMessage, apply: sendMessage}}
}

// messageWritten wants a subject and a text, with markers only that there are: the rule of templates.
func messageWritten(w *work) error {
	refusal := &admitto.Error{Kind: admitto.InvalidParameter}
	paths := map[admitto.Path]admitto.Path{"template.subject": "batch.subject", "template.body": "batch.text"}
	for _, field := range []struct {
		path admitto.Path
		text string
	}{{"batch.subject", w.params.Subject}, {"batch.text", w.params.Text}} {
		if strings.TrimSpace(field.text) == "" {
			refusal.Faults = append(refusal.Faults, admitto.Fault{Path: field.path, Text: message.Of("batch-text-missing")})
		}
	}
	written := mail.Template{Kind: mail.KindApplicantMessage, Subject: w.params.Subject, Body: w.params.Text}
	if markers, ok := written.Check().(*admitto.Error); ok {
		for _, fault := range markers.Faults {
			refusal.Faults = append(refusal.Faults, admitto.Fault{Path: paths[fault.Path], Text: fault.Text})
		}
	}
	if w.params.Consent != 0 {
		asked, err := voluntary(w.tx)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(asked, func(c admitto.Consent) bool { return c.ID == w.params.Consent }) {
			refusal.Faults = append(refusal.Faults, admitto.Fault{Path: "batch.consent", Text: message.Of("choose-one")})
		}
	}
	if len(refusal.Faults) > 0 {
		return refusal
	}
	return nil
}

// voluntary are the voluntary consents that applicants are asked for.
func voluntary(tx *store.Tx) (list []admitto.Consent, err error) {
	all, err := tx.AskedConsents(0)
	for i := range all {
		if !all[i].IsMandatory() {
			list = append(list, all[i].Consent)
		}
	}
	return list, err
}

// NewsConsents lists the consents that a message may need as news: it goes only to those who accepted the current text
// of the one that is chosen (lifecycle.md 2.4).
func (s *Service) NewsConsents(ctx context.Context, by admitto.Caller) ([]admitto.Consent, error) {
	if err := by.Needs(admitto.MessagesSend); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, voluntary)
}

// wantsNews leaves out an applicant who has not accepted to get news.
func wantsNews(w *work, applicant int64) error {
	if w.params.Consent == 0 {
		return nil
	}
	asked, err := w.tx.AskedConsents(applicant)
	if err != nil {
		return err
	}
	for i := range asked {
		if asked[i].ID == w.params.Consent && asked[i].Decision == "Accept" {
			return nil
		}
	}
	return left(message.Of("batch-no-news"))
}

// SubjectOf is the subject of what a batch sends, with an ellipsis for each marker.
func SubjectOf(b *admitto.Batch) string { return mail.Outline(b.Params.Subject) }

// messageTemplate is the message as it was written.
func messageTemplate(w *work) mail.Template {
	return w.s.notify.InLanguage(mail.Template{Kind: mail.KindApplicantMessage, Subject: w.params.Subject,
		Body: w.params.Text}, w.s.notify.Language())
}

// messageValues are what the markers of a message to one person stand for.
func messageValues(w *work, id int64) (c admitto.BatchRecord, a admitto.Applicant, all mail.Values, err error) {
	values := mail.Values{}
	if w.source == admitto.OfApplicants {
		if c, a, err = person(w, id); err != nil {
			return c, a, nil, err
		}
	} else {
		if w.about, err = applicationOf(w, id); err != nil {
			return c, a, nil, err
		}
		d := &usecase.LockedApplication{Actor: w.by.Actor}
		if d.ApplicationCase, d.Applicant, err = w.tx.ApplicationCase(w.about); err != nil {
			return c, a, nil, err
		}
		if values, err = w.admissions.ApplicationMarkers(w.tx, d); err != nil {
			return c, a, nil, err
		}
		a = d.Applicant
		c = admitto.BatchRecord{Record: id, Applicant: a.ID, Version: d.RowVersion}
	}
	all = w.s.notify.ApplicantMarkers(&a, w.prepared)
	maps.Copy(all, values)
	all.DropEmpty()
	return c, a, all, nil
}

// applicationOf is the application that a record of a batch belongs to.
func applicationOf(w *work, id int64) (int64, error) {
	switch w.source {
	case admitto.OfTasks:
		t, err := w.tx.ListedTask(id)
		return t.Application, err
	case admitto.OfOffers:
		o, err := w.tx.OfferCaseByID(id)
		return o.Application, err
	case admitto.OfApplications, admitto.OfApplicants:
	}
	return id, nil
}

// changeMessage renders the message for one person.
func changeMessage(w *work, id int64) (admitto.BatchRecord, error) {
	c, a, values, err := messageValues(w, id)
	if err == nil {
		err = wantsNews(w, a.ID)
	}
	if err != nil {
		return c, err
	}
	rendered, err := messageTemplate(w).Render(values)
	c.Recipient, c.Subject, c.Body = a.Email, rendered.Subject, rendered.Text
	w.letter, w.to = &rendered, &a
	return c, err
}

// sendMessage queues what changeMessage rendered, once for each person of the batch.
func sendMessage(w *work, c *admitto.BatchRecord) error {
	m := queuedMessage(w)
	m.Record, m.Occurrence = w.batch, strconv.FormatInt(c.Applicant, 10)
	_, err := w.s.notify.Queue(w.tx, m)
	return err
}

// queuedMessage is the mail with what changeMessage rendered.
func queuedMessage(w *work) notify.OutgoingMail {
	return notify.OutgoingMail{Template: mail.KindApplicantMessage, Applicant: w.to, Application: w.about,
		Rendered: w.letter}
}
