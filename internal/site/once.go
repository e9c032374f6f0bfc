package site

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/ui"
)

// once lets a form count once: pressed twice, or sent again after Back, it leads where it led the first time, and does
// nothing. What was typed is part of what makes a form the same: who goes back and changes it sends another form. A
// form that was refused may be sent again. Between what a page does and the note that it is done the process may die:
// then nothing is done a second time either, and the one who sent the form is told that nobody knows.
func (s *Site) once(r *Request, handle func(*Request) error) error {
	if r.stamp.mark == "" || r.stamp.account == 0 || r.stamp.account != r.Person.Account {
		return handle(r)
	}
	form := r.sentForm()
	state, answer, err := s.begin(r, form)
	switch {
	case err != nil:
		return err
	case state == accounts.FormInProgress:
		return errInProgress
	case state == accounts.FormUncertain:
		return r.keepUncertain()
	case state == accounts.FormSaved:
		return s.repeat(r, answer)
	}
	err = handle(r)
	if err == nil && r.failed {
		err = r.keepFiles()
	}
	outcome := r.outcome(err)
	r.ended = func() error { return s.Accounts.EndForm(r.Context(), form, outcome) }
	return err
}

// endForm notes how the form of a request ended. It comes after the session is stored: who waits for that form reads
// the session next, and would otherwise miss what the page put there.
func (s *Site) endForm(r *Request) {
	if r.ended == nil {
		return
	}
	ended := r.ended
	r.ended = nil
	if err := ended(); err != nil {
		s.Log.Warn("the answer of a form was not kept", "request", r.RequestID(), "cause", err)
	}
}

// outcome is what is kept of a form after its page has answered; nil for one that was not saved.
func (r *Request) outcome(err error) *accounts.FormAnswer {
	var refused *admitto.Error
	switch {
	case err == nil && r.failed && r.taken == nil:
		return nil
	case err == nil:
		return r.taken
	case errors.As(err, &refused) && refused.Kind != admitto.Internal:
		return nil
	}
	return &accounts.FormAnswer{Uncertain: true}
}

// sentForm names the form by its mark and all that was sent with it.
func (r *Request) sentForm() accounts.SentForm {
	sum := sha256.New()
	write := func(parts ...string) {
		for _, part := range parts {
			n := sha256.Sum256([]byte(part))
			sum.Write(n[:])
		}
	}
	typed := r.typed.Get(fieldStamp)
	r.typed.Del(fieldStamp)
	write(r.stamp.mark, r.URL.RequestURI(), r.typed.Encode())
	r.typed.Set(fieldStamp, typed)
	for _, f := range r.files {
		write(f.Field, f.Name, f.Type, string(f.sum[:]))
	}
	return accounts.SentForm{Area: string(r.site.Area), Account: r.stamp.account, Mark: [32]byte(sum.Sum(nil))}
}

// begin claims a form. While somebody else saves the same one, it waits for how that ends.
func (s *Site) begin(r *Request, form accounts.SentForm) (accounts.FormState, accounts.FormAnswer, error) {
	state, answer, err := s.Accounts.BeginForm(r.Context(), form)
	for n := 0; err == nil && state == accounts.FormInProgress; n++ {
		more := false
		if more, err = s.Rest(r.Context(), n); err != nil || !more {
			break
		}
		if state, answer, err = s.Accounts.SentFormState(r.Context(), form); err == nil && state == accounts.FormUnsent {
			state, answer, err = s.Accounts.BeginForm(r.Context(), form) // it was refused: this one says why
		}
	}
	return state, answer, err
}

// rest is the pause before look n: they go on for ten seconds.
func rest(ctx context.Context, n int) (more bool, err error) {
	if n == 100 {
		return false, nil
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(100 * time.Millisecond):
		return true, nil
	}
}

// repeat answers a form that was saved before. The session is read again: what the first answer put there must not get
// lost. Who is not signed in any more, because the first answer changed the token of the session, is only led on.
func (s *Site) repeat(r *Request, answer accounts.FormAnswer) error {
	r.Request, r.Person = r.WithContext(r.arrived), Person{}
	if err := s.identify(r); err != nil {
		return err
	}
	if r.Person.Account != 0 {
		key := "form.saved_already"
		if answer.Once {
			key = "form.shown_already"
		}
		r.Notify(ui.Info, r.T(key))
	}
	return r.Redirect(answer.Place)
}

// ShownOnce says that the form was saved and that its answer shows what nobody can see again, such as a code. Who sends
// the form again comes to the address, and sees no code.
func (r *Request) ShownOnce(address string) {
	r.taken = &accounts.FormAnswer{Place: address, Once: true}
}

// DoneInPart says that some of what was sent was saved although the form comes back. Who sends the same again comes to
// the address, and nothing is saved twice.
func (r *Request) DoneInPart(address string) { r.taken = &accounts.FormAnswer{Place: address} }

// keepUncertain keeps what was typed into a form that may have been saved.
func (r *Request) keepUncertain() error {
	r.typed.Set(fieldUncertain, "yes")
	return r.keepFor(errUncertain)
}
