package batch

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Message is what staff write to one person, as a batch of messages has it: markers stand for what is theirs.
type Message struct {
	Source        admitto.BatchSource // what the ID is of
	ID            int64
	Subject, Text string
}

// permitted refuses callers who may not see whom they write to.
func (m *Message) permitted(by admitto.Caller) error { return by.Needs(viewOf(m.Source)) }

// work is what renders the message.
func (m *Message) work(ctx context.Context, s *Service, tx *store.Tx, by admitto.Caller) *work {
	return s.work(ctx, tx, by, &admitto.Batch{Source: m.Source,
		Params:   admitto.BatchParams{Subject: m.Subject, Text: m.Text},
		Prepared: tx.Now()})
}

// MessagePreview is what a person would read. Faults are what stands against sending it.
type MessagePreview struct {
	Person  admitto.Applicant
	Subject []mail.Piece
	Letter  []mail.Passage
	Faults  []admitto.Fault
}

// PreviewMessage fills the markers of a message; nothing is stored or sent. Errors: not-found without the person.
func (s *Service) PreviewMessage(ctx context.Context, by admitto.Caller, m Message) (v MessagePreview, err error) {
	if err := by.Needs(admitto.MessagesSend); err != nil {
		return v, err
	}
	if err := m.permitted(by); err != nil {
		return v, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		w := m.work(ctx, s, tx, by)
		_, a, values, err := messageValues(w, m.ID)
		if err != nil {
			return err
		}
		v = MessagePreview{Person: a}
		v.Subject, v.Letter = messageTemplate(w).Pieces(values)
		if err = messageWritten(w); err == nil {
			_, err = renderedMessage(w, m.ID)
		}
		refused, ok := err.(*admitto.Error)
		if ok && refused.Kind == admitto.InvalidParameter {
			v.Faults, err = refused.Faults, nil
		}
		return err
	})
	return v, err
}

// renderedMessage is changeMessage; what the person has no value for is a fault of the text.
func renderedMessage(w *work, id int64) (admitto.BatchRecord, error) {
	c, err := changeMessage(w, id)
	if refused, ok := err.(*admitto.Error); ok && refused.Kind == admitto.InvalidParameter {
		for i := range refused.Faults {
			refused.Faults[i].Path = w.gapAt(id)
		}
	}
	return c, err
}

// gapAt is the field with a marker that the person has no value for: the subject when the text has none.
func (w *work) gapAt(id int64) admitto.Path {
	text := messageTemplate(w)
	text.Subject = ""
	_, _, values, err := messageValues(w, id)
	if err == nil {
		_, err = text.Render(values)
	}
	if err == nil {
		return "batch.subject"
	}
	return "batch.text"
}

// SendMessage queues a message to one person and returns the ID of the mail. Errors: not-found without the person,
// invalid-parameter for a text that is missing, and for markers that are unknown or have no value.
func (s *Service) SendMessage(ctx context.Context, by usecase.Caller, m Message) (email int64, err error) {
	if err := by.Needs(admitto.MessagesSend); err != nil {
		return 0, err
	}
	if err := m.permitted(by.Caller); err != nil {
		return 0, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		w := m.work(ctx, s, tx, by.Caller)
		if err := messageWritten(w); err != nil {
			return err
		}
		c, err := renderedMessage(w, m.ID)
		if err != nil {
			return err
		}
		if _, err := tx.LockApplicant(c.Applicant); err != nil {
			return err
		}
		if email, err = s.notify.Queue(tx, queuedMessage(w)); err != nil {
			return err
		}
		return by.Made(tx, email)
	})
	return email, err
}

// MessageTexts returns subject and body of the template of messages, from which one can start.
func (s *Service) MessageTexts(ctx context.Context, by admitto.Caller) (t mail.Template, err error) {
	if err := by.Needs(admitto.MessagesSend); err != nil {
		return t, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		t, err = s.notify.Template(tx, mail.KindApplicantMessage, s.notify.Language())
		return err
	})
	return t, err
}
