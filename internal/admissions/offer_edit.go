package admissions

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// OfferEdit is what a request changes of the working copy of an offer; nil is left as it is. Texts that are "" are
// cleared. They are in their normal form and within their lengths.
type OfferEdit struct {
	Type                      *int64
	Subject, Comments, Reason *string
	DecisionPolicy            *string
	DecisionDeadline          *admitto.Date // the zero Date lets confirming compute it
}

// EditOffer changes the working copy of an offer (lifecycle.md O3, O4, O11; resources.md 7.3), in any status of the
// application; the applicant sees nothing of it. What is as it was is no change: then nothing is stored or recorded.
//
// Errors: not-found; invalid-parameter for an unknown or archived type (type-archived) and an unknown policy.
func (s *Service) EditOffer(ctx context.Context, by usecase.Caller, application, id int64, edit OfferEdit) error {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return err
	}
	var former, next admitto.OfferType
	check := func(tx *store.Tx, _ *usecase.LockedApplication, offer *admitto.OfferCase) (err error) {
		if former, err = tx.OfferType(offer.Type); err != nil {
			return err
		}
		next, err = takenType(tx, former, edit.Type)
		if err == nil && edit.DecisionPolicy != nil && !isPolicy(*edit.DecisionPolicy) {
			err = admitto.Refuse(admitto.InvalidParameter, "offer.decision-policy", "", message.Of("no-decision-policy"))
		}
		return err
	}
	return s.changeOffer(ctx, by, application, id, check, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		old := *offer
		language, err := s.core.LanguageOf(tx, d.Applicant.ID)
		if err != nil {
			return err
		}
		edit.apply(offer, &former, &next, language)
		details := offerDetails(&old, offer)
		if details == nil {
			return nil
		}
		if err := tx.SaveOffer(offer); err != nil {
			return err
		}
		recordOffer(tx, by.Actor, admitto.OfferEdited, &offer.Offer, offer.Type, details...)
		return dropLetters(tx, by.Actor, offer)
	})
}

// dropLetters takes the PDFs that were made of the letter off a working copy that staff have changed since: they say
// what the letter said before. Programs know what they attach.
func dropLetters(tx *store.Tx, actor admitto.Actor, o *admitto.OfferCase) error {
	if actor.Kind != admitto.ByAdministrator {
		return nil
	}
	made, err := tx.OfferLetters(o.ID)
	if err != nil {
		return err
	}
	for i := range made {
		if made[i].Attachment == 0 {
			continue
		}
		f, err := tx.OfferAttachment(o.ID, made[i].Attachment)
		if admitto.KindOf(err) == admitto.NotFound { // taken off already
			continue
		}
		if err == nil {
			err = takeOff(tx, actor, o, &f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func isPolicy(s string) bool {
	return s == admitto.PolicyNone || s == admitto.PolicyAdvisory || s == admitto.PolicyRequired
}

// takenType reads the type that an offer is given; a type that it has already may be archived.
func takenType(tx *store.Tx, former admitto.OfferType, id *int64) (admitto.OfferType, error) {
	if id == nil || *id == former.ID {
		return former, nil
	}
	next, err := tx.OfferType(*id)
	switch {
	case admitto.KindOf(err) == admitto.NotFound:
		return next, admitto.Refuse(admitto.InvalidParameter, "offer.type", "", message.Of("no-such-offer-type", *id))
	case err == nil && next.Archived:
		return next, admitto.Refuse(admitto.InvalidParameter, "offer.type", "type-archived",
			message.Of("offer-type-archived", next.Title))
	}
	return next, err
}

// apply puts the edit into an offer, whose applicant reads a language.
func (e *OfferEdit) apply(offer *admitto.OfferCase, former, next *admitto.OfferType, language string) {
	if next.ID != former.ID {
		offer.TakeType(former, next, language)
	}
	for _, text := range []struct{ given, into *string }{{e.Subject, &offer.Subject}, {e.Comments, &offer.Comments},
		{e.DecisionPolicy, &offer.DecisionPolicy}} {
		if text.given != nil {
			*text.into = *text.given
		}
	}
	if e.Reason != nil {
		offer.Reason = next.Reason(*e.Reason)
	}
	if e.DecisionDeadline != nil {
		offer.DecisionDeadline, offer.DeadlineTyped = *e.DecisionDeadline, !e.DecisionDeadline.IsZero()
	}
}

// offerDetails lists what differs between two working copies; nil for nothing.
func offerDetails(old, now *admitto.OfferCase) (details []admitto.Detail) {
	for _, d := range []admitto.Detail{
		{Path: "type", Old: fmt.Sprint(old.Type), New: fmt.Sprint(now.Type)},
		{Path: "subject", Old: old.Subject, New: now.Subject},
		{Path: "comments", Old: old.Comments, New: now.Comments},
		{Path: "reason", Old: old.Reason.Reason, New: now.Reason.Reason},
		{Path: "decision-policy", Old: old.DecisionPolicy, New: now.DecisionPolicy},
		{Path: "decision-deadline", Old: old.DecisionDeadline.String(), New: now.DecisionDeadline.String()},
	} {
		if d.Old != d.New {
			details = append(details, d)
		}
	}
	if details == nil && (old.Reason.ID != now.Reason.ID || old.DeadlineTyped != now.DeadlineTyped) {
		details = []admitto.Detail{}
	}
	return details
}

// recordOffer records an event about an offer that names an offer type.
func recordOffer(tx *store.Tx, actor admitto.Actor, pattern admitto.Pattern, offer *admitto.Offer, offerType int64,
	details ...admitto.Detail) {
	tx.Record(actor, admitto.Event{Pattern: pattern, Bind: []string{fmt.Sprint(offerType)}, Links: offer.Links(),
		Details: details})
}

// MayAttach refuses what AttachToOffer would refuse, and adds nothing. Errors: those of AttachToOffer.
func (s *Service) MayAttach(ctx context.Context, by usecase.Caller, offer int64, up Upload) error {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return err
	}
	if _, err := describeUpload(&up, s.core.Settings().Documents.MaxBytes); err != nil {
		return err
	}
	return s.core.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.OfferAttachments(offer)
		if err != nil {
			return err
		}
		return roomForFile(list)
	})
}

// roomForFile refuses a file more than an offer may have.
func roomForFile(list []admitto.File) error {
	if len(list) < admitto.MaxOfferAttachments {
		return nil
	}
	return notNow([]admitto.Fault{guardFault("too-many-documents", message.Of("offer-attachments-full", len(list)))})
}

// AttachToOffer adds a file to the working copy of an offer, which the letter takes along (screens.md A15). Its kind is
// found by its content. Errors: not-found; invalid-parameter for an empty file; too-large; unsupported-media-type;
// not-allowed-now (too-many-documents).
func (s *Service) AttachToOffer(ctx context.Context, by usecase.Caller, offer int64, up Upload) (f admitto.File,
	err error) {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return f, err
	}
	if f, err = describeUpload(&up, s.core.Settings().Documents.MaxBytes); err != nil {
		return f, err
	}
	if err := s.files.KeepBytes(ctx, &f, io.NewSectionReader(up.Content, 0, up.Size)); err != nil {
		return f, err
	}
	err = s.changeOffer(ctx, by, up.Application, offer, nil, func(tx *store.Tx, _ *usecase.LockedApplication,
		o *admitto.OfferCase) error {
		list, err := tx.OfferAttachments(o.ID)
		if err != nil {
			return err
		}
		if err := roomForFile(list); err != nil {
			return err
		}
		f.Owner, f.Uploaded = o.ID, tx.Now()
		if f.ID, err = tx.InsertOfferAttachment(&f); err != nil {
			return err
		}
		if err := s.files.FileKept(tx, f.Hash); err != nil {
			return err
		}
		return attachmentsChanged(tx, by.Actor, o, admitto.OfferAttachmentAdded, &admitto.Detail{New: f.Name})
	})
	if err != nil {
		s.files.DropFile(ctx, f.Hash)
	}
	return f, err
}

// DetachFromOffer takes a file off the working copy of an offer; letters that were sent keep it. Errors: not-found,
// also for a file of another offer.
func (s *Service) DetachFromOffer(ctx context.Context, by usecase.Caller, application, offer, attachment int64) error {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return err
	}
	return s.changeOffer(ctx, by, application, offer, nil, func(tx *store.Tx, _ *usecase.LockedApplication,
		o *admitto.OfferCase) error {
		f, err := tx.OfferAttachment(o.ID, attachment)
		if err != nil {
			return err
		}
		return takeOff(tx, by.Actor, o, &f)
	})
}

func takeOff(tx *store.Tx, actor admitto.Actor, o *admitto.OfferCase, f *admitto.File) error {
	if err := tx.DeleteOfferAttachment(f); err != nil {
		return err
	}
	return attachmentsChanged(tx, actor, o, admitto.OfferAttachmentRemoved, &admitto.Detail{Old: f.Name})
}

// attachmentsChanged notes that the working copy has other files.
func attachmentsChanged(tx *store.Tx, actor admitto.Actor, o *admitto.OfferCase, pattern admitto.Pattern,
	d *admitto.Detail) error {
	d.Path = "attachments"
	tx.Record(actor, admitto.Event{Pattern: pattern, Links: o.Links(), Details: []admitto.Detail{*d}})
	return tx.TouchOffer(o.ID)
}

// MoveOfferAttachment moves a file of the working copy of an offer before the one that it comes after, or behind the
// next one: the letter takes the files along in this order. At the end of the list nothing happens. Errors: not-found.
func (s *Service) MoveOfferAttachment(ctx context.Context, by usecase.Caller, application, offer, attachment int64,
	down bool) error {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return err
	}
	return s.changeOffer(ctx, by, application, offer, nil, func(tx *store.Tx, _ *usecase.LockedApplication,
		o *admitto.OfferCase) error {
		files, err := tx.OfferAttachments(o.ID)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(files, func(f admitto.File) bool { return f.ID == attachment })
		if at < 0 {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		to := at - 1
		if down {
			to = at + 1
		}
		if to < 0 || to == len(files) {
			return nil
		}
		old := namesOf(files)
		files[at], files[to] = files[to], files[at]
		if err := tx.OrderOfferAttachments(files); err != nil {
			return err
		}
		recordOffer(tx, by.Actor, admitto.OfferEdited, &o.Offer, o.Type,
			admitto.Detail{Path: "attachments", Old: old, New: namesOf(files)})
		return tx.TouchOffer(o.ID)
	})
}

// namesOf are the names of files in their order.
func namesOf(files []admitto.File) string {
	names := make([]string, len(files))
	for i := range files {
		names[i] = files[i].Name
	}
	return strings.Join(names, ", ")
}
