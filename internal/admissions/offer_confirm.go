package admissions

import (
	"context"
	"encoding/json"
	"errors"
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

// ConfirmOffer sends the letter of an offer as its working copy says (lifecycle.md O5 to O9; resources.md 7.4): it
// keeps what the applicant sees, queues the letter with its attachments, fixes policy and deadline of the answer,
// freezes the application when the type says so, and makes the tasks that the confirmation causes; the decision stays,
// unless askAgain sets it to None. Nothing changed since the last confirmation: nothing happens.
//
// Errors: not-found; not-allowed-now with all guards that fail (application-withdrawn, application-closed,
// application-expired, offer-unreplied, type-without-letter, letter-empty, marker-unresolved).
func (s *Service) ConfirmOffer(ctx context.Context, by usecase.Caller, application, id int64, askAgain bool) error {
	if err := by.Needs(admitto.OffersConfirm); err != nil {
		return err
	}
	return s.changeOffer(ctx, by, application, id, nil, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		c := confirming{service: s, d: d, offer: offer, again: askAgain}
		if err := c.prepare(tx); err != nil {
			return err
		}
		same, err := c.unchanged(tx)
		if err != nil {
			return err
		}
		if !same {
			if err := c.save(tx); err != nil {
				return err
			}
		}
		if askAgain && offer.Decision != admitto.DecisionNone {
			if err := s.decide(tx, by.Actor, offer, admitto.DecisionNone, admitto.ByHand); err != nil {
				return err
			}
		}
		return by.Done(tx)
	})
}

// confirming is a letter in the making.
type confirming struct {
	service *Service
	d       *usecase.LockedApplication
	offer   *admitto.OfferCase
	kind    admitto.OfferType
	files   []admitto.File
	letter  mail.Template
	values  mail.Values
	filled  mail.Rendered // the letter with its values; empty while a marker lacks one
	policy  string        // of the answer, and its deadline, once confirmed
	until   admitto.Date
	rule    admitto.DeadlineRule // that until comes from
	again   bool                 // the applicant decides again
}

// prepare reads everything and refuses when a guard does.
func (c *confirming) prepare(tx *store.Tx) error {
	faults, err := c.ask(tx)
	if err != nil {
		return err
	}
	return notNow(faults)
}

// ask reads everything and asks all guards.
func (c *confirming) ask(tx *store.Tx) (faults []admitto.Fault, err error) {
	o, offer := c.service, c.offer
	if c.kind, err = tx.OfferType(offer.Type); err != nil {
		return nil, err
	}
	if c.files, err = tx.OfferAttachments(offer.ID); err != nil {
		return nil, err
	}
	if err := c.fixDeadline(tx); err != nil {
		return nil, err
	}
	asked := offer.Offer
	asked.DecisionPolicy, asked.DecisionDeadline = c.policy, c.until
	if c.letter, c.values, err = o.letterOf(tx, c.d, &asked, &c.kind); err != nil {
		return nil, err
	}
	if faults, err = o.ClosedFaults(tx, c.d); err != nil {
		return nil, err
	}
	faults = append(faults, offer.ConfirmFaults(&c.kind)...)
	filled, unresolved, err := fillLetter(c.letter, c.values)
	c.filled = filled
	if faults = append(faults, unresolved...); err != nil {
		return nil, err
	}
	faults = append(faults, c.overlooked()...)
	over, err := c.answerOver(tx)
	return append(faults, over...), err
}

// overlooked refuses a letter of staff that has something like a marker in it which is none, and one without a reason
// where its type has some; programs know what they send.
func (c *confirming) overlooked() (faults []admitto.Fault) {
	if c.d.Actor.Kind != admitto.ByAdministrator {
		return nil
	}
	if meant := c.letter.Mistyped(); len(meant) > 0 {
		faults = append(faults, admitto.Fault{Code: "marker-unresolved",
			Text: message.Of("markers-mistyped", strings.Join(meant, ", "))})
	}
	if len(c.kind.Reasons) > 0 && c.offer.Reason.Reason == "" {
		faults = append(faults, admitto.Fault{Path: "application.reason", Text: message.Of("offer-reason-missing")})
	}
	return faults
}

// answerOver refuses a letter of staff that asks for an answer by a day that is over; programs know what they send.
func (c *confirming) answerOver(tx *store.Tx) ([]admitto.Fault, error) {
	answered := c.offer.Decision != admitto.DecisionNone && !c.again
	if answered || c.d.Actor.Kind != admitto.ByAdministrator || !c.kind.Decide || c.policy == admitto.PolicyNone ||
		c.until.IsZero() || !c.until.Before(c.service.core.Today(tx)) {
		return nil, nil
	}
	same, err := c.unchanged(tx) // then nothing is sent
	if err != nil || same {
		return nil, err
	}
	return []admitto.Fault{{Path: "page.answer-day", Text: message.Of("answer-day-over", c.until)}}, nil
}

// fixDeadline says what the deadline of the answer becomes, and by which rule (lifecycle.md O8).
func (c *confirming) fixDeadline(tx *store.Tx) error {
	offer := c.offer
	c.policy, c.until = offer.DecisionPolicy, offer.DecisionDeadline
	c.rule = admitto.DeadlineRule{Typed: offer.DeadlineTyped}
	switch {
	case !c.kind.Decide || offer.DeadlineTyped:
		return nil
	case c.policy == admitto.PolicyNone:
		c.until = admitto.Date{}
		return nil
	}
	intake, err := intakeOf(tx, offer.Intake)
	if err != nil {
		return err
	}
	set := c.service.core.Settings().Offers
	c.until, c.rule = admitto.DecisionDeadline(intake, c.service.core.Today(tx), admitto.DecisionDays{
		Default: set.DecisionDaysDefault, Min: set.DecisionDaysMin})
	return nil
}

// letterOf returns the letter of an offer, and the values of its markers but those that the offer has none for. The
// type gets its texts in the language of the applicant.
func (s *Service) letterOf(tx *store.Tx, d *usecase.LockedApplication, offer *admitto.Offer,
	kind *admitto.OfferType) (mail.Template, mail.Values, error) {
	values := s.notify.ApplicantMarkers(&d.Applicant, tx.Now())
	own, err := s.OfferMarkers(tx, d, offer)
	maps.Copy(values, own)
	values.DropEmpty(mail.ApplicantReference) // not everybody has one, and programs do not ask before they send
	if err != nil {
		return mail.Template{}, nil, err
	}
	reads, err := s.core.LanguageOf(tx, d.Applicant.ID)
	said := kind.In(reads)
	letter := mail.Template{Kind: mail.KindOfferLetter}
	letter.Subject, letter.Body = offer.LetterTexts(&said)
	language := kind.LetterLanguage(letter.Body, reads, s.core.Language())
	*kind = said
	return s.notify.InLanguage(letter, language), values, err
}

// fillLetter fills in a letter, or names its markers that are unknown or have no value here (lifecycle.md O5).
func fillLetter(letter mail.Template, values mail.Values) (filled mail.Rendered, faults []admitto.Fault, err error) {
	filled, err = letter.Render(values)
	var refusal *admitto.Error
	if errors.As(err, &refusal) {
		return filled, refusal.Faults, nil
	}
	return filled, nil, err
}

// workingCopy is what a confirmation was made from; two that are equal make the same letter.
type workingCopy struct {
	Type     int64   `json:"type"`
	Subject  string  `json:"subject"`
	Comments string  `json:"comments"`
	Files    []int64 `json:"attachments"`
	Policy   string  `json:"policy"`
	Deadline string  `json:"deadline"`
	Reason   string  `json:"reason"`
}

func (c *confirming) source(policy string, until admitto.Date) (string, error) {
	w := workingCopy{Type: c.offer.Type, Subject: c.letter.Subject, Comments: c.letter.Body, Files: []int64{},
		Policy:   policy,
		Deadline: until.String(), Reason: c.reason()}
	for _, f := range c.files {
		w.Files = append(w.Files, f.ID)
	}
	text, err := json.Marshal(&w)
	return string(text), err
}

// reason is what the letter says of it, which is nothing unless it has the marker.
func (c *confirming) reason() string {
	if c.letter.Uses(mail.OfferReason) {
		return c.offer.Reason.Reason
	}
	return ""
}

// unchanged reports whether the working copy is that of the last confirmation (lifecycle.md O7).
func (c *confirming) unchanged(tx *store.Tx) (bool, error) {
	if c.offer.Confirmed == 0 {
		return false, nil
	}
	last, err := tx.LastConfirmation(c.offer.ID)
	if admitto.KindOf(err) == admitto.NotFound {
		// Its letter was sent before this instance kept them: the times tell.
		return c.offer.Type == c.offer.TypeConfirmed && c.offer.Saved <= c.offer.Confirmed &&
			!slices.ContainsFunc(c.files, func(f admitto.File) bool { return f.Uploaded > c.offer.Confirmed }), nil
	}
	if err != nil {
		return false, err
	}
	now, err := c.source(c.offer.DecisionPolicy, c.offer.DecisionDeadline)
	return now == last.Source, err
}

// save does everything that a confirmation does (lifecycle.md O6).
func (c *confirming) save(tx *store.Tx) error {
	o, d, offer := c.service, c.d, c.offer
	source, err := c.source(c.policy, c.until)
	if err != nil {
		return err
	}
	before := offer.DecisionDeadline
	offer.Confirmed, offer.TypeConfirmed, offer.DecisionPolicy, offer.DecisionDeadline =
		tx.Now(), offer.Type, c.policy, c.until
	offer.CommentsConfirmed = strings.TrimSpace(c.letter.FillBody(c.values))
	id, err := tx.ConfirmOffer(offer, &admitto.Confirmation{Type: c.kind.ID, Subject: c.filled.Subject,
		Body: c.filled.Text, HTML: c.filled.HTML, Attachments: c.files, Policy: c.policy, Deadline: c.until,
		Reason: c.reason(), Source: source})
	if err != nil {
		return err
	}
	email, err := o.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindOfferLetter, Applicant: &d.Applicant,
		Application: d.ID, Rendered: &c.filled,
		Record: offer.ID, Occurrence: strconv.FormatInt(id, 10), Copies: c.kind.BCC, Files: c.files})
	if err != nil {
		return err
	}
	if err := tx.SetConfirmationEmail(id, email); err != nil {
		return err
	}
	var details []admitto.Detail
	if before != c.until {
		details = []admitto.Detail{{Path: "decision-deadline", Old: before.String(), New: c.until.String()}}
	}
	recordOffer(tx, d.Actor, admitto.OfferConfirmed, &offer.Offer, offer.Type, details...)
	if c.kind.Freeze {
		if err := o.freeze(tx, d, d.System()); err != nil {
			return err
		}
	}
	return o.causeTasks(tx, d, "confirmed", offer.Course, offer.Type)
}

// SendLetterAgain sends the letter of the last confirmation once more, as it was (lifecycle.md O7). Errors: not-found;
// not-allowed-now with the codes of G9 (nothing is sent any more, T14), and offer-unconfirmed when there is none.
func (s *Service) SendLetterAgain(ctx context.Context, by usecase.Caller, application, id int64) error {
	if err := by.Needs(admitto.OffersConfirm); err != nil {
		return err
	}
	return s.changeOffer(ctx, by, application, id, nil, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		faults, err := s.ClosedFaults(tx, d)
		if err != nil {
			return err
		}
		last, err := tx.LastConfirmation(offer.ID)
		if admitto.KindOf(err) == admitto.NotFound {
			faults = append(faults, admitto.Fault{Code: "offer-unconfirmed", Text: message.Of("no-letter-to-send")})
			err = nil
		}
		if err == nil {
			err = notNow(faults)
		}
		if err != nil {
			return err
		}
		kind, err := tx.OfferType(last.Type)
		if err != nil {
			return err
		}
		email, err := s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindOfferLetter, Applicant: &d.Applicant,
			Application: d.ID, Copies: kind.BCC, Files: last.Attachments,
			Rendered: &mail.Rendered{Subject: last.Subject, Text: last.Body, HTML: last.HTML}})
		if err != nil {
			return err
		}
		if err := tx.SetConfirmationEmail(last.ID, email); err != nil {
			return err
		}
		recordOffer(tx, by.Actor, admitto.OfferLetterSentAgain, &offer.Offer, last.Type)
		return nil
	})
}

// LetterToConfirm returns the letter that confirming an offer would send now, and to which address; same says that it
// was sent already. It changes nothing. Errors are those of ConfirmOffer.
func (s *Service) LetterToConfirm(tx *store.Tx, by usecase.Caller, application, id int64) (letter mail.Rendered,
	to string, same bool, err error) {
	d := &usecase.LockedApplication{Actor: by.Actor}
	if d.ApplicationCase, d.Applicant, err = tx.ApplicationCase(application); err != nil {
		return letter, "", false, err
	}
	offer, err := tx.OfferCase(application, id)
	if err != nil {
		return letter, "", false, err
	}
	c := confirming{service: s, d: d, offer: &offer}
	if err := c.prepare(tx); err != nil {
		return letter, "", false, err
	}
	same, err = c.unchanged(tx)
	return c.filled, d.Applicant.Email, same, err
}
