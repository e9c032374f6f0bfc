package accounts

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// What is kept of forms that were sent, so that each counts once: for how long, of how many of an account, and after
// what time one that has no answer is no longer in progress: its process has died.
const (
	sentKept  = 24 * admitto.Hour
	sentCount = 100
	sentLease = 2 * admitto.Minute
)

// SentForm names a form that somebody has sent: Mark is a hash of the random mark of the page and of what was typed.
type SentForm = store.SentForm

// FormState says what is known of a form that was sent.
type FormState int

// The states of forms.
const (
	FormUnsent     FormState = iota // nothing is known: it is the caller's to save it, and to end it with EndForm
	FormInProgress                  // it is being saved
	FormSaved                       // it was saved; the answer is kept
	FormUncertain                   // whether it was saved is not known: its process has died, or an error ended it
)

// FormAnswer is how a form was answered. What is shown once is no part of it.
type FormAnswer struct {
	Place     string `json:"place,omitempty"` // where it led
	Once      bool   `json:"once,omitempty"`  // the answer showed what nobody can see again
	Uncertain bool   `json:"uncertain,omitempty"`
}

// BeginForm claims a form that was sent: FormUnsent for the first who does, on whichever instance. Nobody else may save
// it until EndForm has forgotten it, and after a crash nobody at all.
func (s *Service) BeginForm(ctx context.Context, form SentForm) (state FormState, answer FormAnswer, err error) {
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		state, answer, err = s.sentForm(tx, form)
		if err != nil || state != FormUnsent {
			return err
		}
		claimed, err := tx.ClaimSentForm(form)
		if err != nil {
			return err
		}
		if !claimed {
			state = FormInProgress // since a blink
		}
		return tx.TrimSentForms(form.Area, form.Account, sentCount)
	})
	return state, answer, err
}

// SentFormState looks at a form that was sent, and claims nothing.
func (s *Service) SentFormState(ctx context.Context, form SentForm) (state FormState, answer FormAnswer, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		state, answer, err = s.sentForm(tx, form)
		return err
	})
	return state, answer, err
}

func (s *Service) sentForm(tx *store.Tx, form SentForm) (state FormState, answer FormAnswer, err error) {
	begun, sealed, found, err := tx.SentForm(form)
	switch {
	case err != nil || !found:
		return FormUnsent, answer, err
	case sealed == nil && tx.Now() < begun+sentLease:
		return FormInProgress, answer, nil
	case sealed == nil:
		return FormUncertain, answer, nil
	}
	plain, err := s.key.Open(sentPurpose(form), sealed)
	if err == nil {
		err = json.Unmarshal(plain, &answer)
	}
	if err != nil || answer.Uncertain {
		return FormUncertain, FormAnswer{}, nil //nolint:nilerr // sealed with another key: nothing can be said
	}
	return FormSaved, answer, nil
}

// EndForm keeps the answer of a form that BeginForm claimed, or forgets the form when answer is nil: it was not saved,
// and may be sent again. The one who sent it may have gone meanwhile.
func (s *Service) EndForm(ctx context.Context, form SentForm, answer *FormAnswer) error {
	var sealed []byte
	if answer != nil {
		plain, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		sealed = s.key.Seal(sentPurpose(form), plain)
	}
	return s.core.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		if sealed == nil {
			return tx.DropSentForm(form)
		}
		return tx.AnswerSentForm(form, sealed)
	})
}

// sentPurpose seals an answer for one account alone.
func sentPurpose(form SentForm) string {
	return fmt.Sprintf("sent form %s %d", form.Area, form.Account)
}
