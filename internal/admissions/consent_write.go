package admissions

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// DecideConsent stores the decision of an applicant on an active consent, with the version of its text, and adds it to
// the history (lifecycle.md 2.4). Deciding the same about the same text again changes nothing. Errors: not-found for
// the applicant or the consent; not-permitted for the API and for somebody else's consents.
func (s *Service) DecideConsent(ctx context.Context, by usecase.Caller, applicant, consent int64, accept bool) error {
	if err := by.NeedsOrOwns(admitto.ApplicantsEdit, applicant); err != nil {
		return err
	}
	if by.Actor.Kind != admitto.ByAdministrator && (by.Actor.Kind != admitto.ByApplicant || by.Actor.ID != applicant) {
		return admitto.Refused(admitto.NotPermitted, message.Of("consents-by-applicant"))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.LockApplicant(applicant); err != nil {
			return err
		}
		version, err := tx.LockConsent(consent)
		if err != nil {
			return err
		}
		if err := by.Sees(version); err != nil {
			return err
		}
		event, decision := admitto.ConsentAccepted, "Accept"
		if !accept {
			event, decision = admitto.ConsentRejected, "Reject"
		}
		before, about, err := tx.ConsentDecided(applicant, consent)
		if err != nil || before == decision && about == version {
			return err
		}
		if err := tx.DecideConsent(applicant, consent, decision, version); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: event, Bind: []string{strconv.FormatInt(consent, 10)},
			Links: admitto.Links{Applicant: applicant}})
		return nil
	})
}

// maxWishNotes bounds the notes of a wish, in characters.
const maxWishNotes = 500

// AddWish puts a course, with one of its intakes or without (0), on the wishlist of the applicant who asks, and returns
// the wish (lifecycle.md 2.4). What is on it already stays, with the notes given now; nothing new changes nothing.
// Errors: not-permitted for anybody else; invalid-parameter for an unknown course or intake, or for the notes.
func (s *Service) AddWish(ctx context.Context, by usecase.Caller, course, intake int64, notes string) (w admitto.Wish,
	err error) {
	if err := by.ApplicantOnly(); err != nil {
		return w, err
	}
	w, _, err = s.putWish(ctx, by, course, intake, notes, func(_, now string) string { return now })
	return w, err
}

// AddWishNote is AddWish for who may not know that the wish is there: its notes stay, and those given now stand below
// them. there is whether it was there.
func (s *Service) AddWishNote(ctx context.Context, by usecase.Caller, course, intake int64,
	more string) (w admitto.Wish, there bool, err error) {
	if err := by.ApplicantOnly(); err != nil {
		return w, false, err
	}
	return s.putWish(ctx, by, course, intake, more, func(was, now string) string {
		switch {
		case was == "":
			return now
		case now == "" || now == was || strings.HasSuffix(was, "\n"+now):
			return was
		}
		return was + "\n" + now
	})
}

// putWish adds a wish or sets the notes of the one that is there, to what join makes of those of before and of now.
func (s *Service) putWish(ctx context.Context, by usecase.Caller, course, intake int64, notes string,
	join func(was, now string) string) (w admitto.Wish, there bool, err error) {
	if by.Actor.Kind != admitto.ByApplicant {
		return w, false, admitto.Refused(admitto.NotPermitted, message.Of("wishes-by-applicant"))
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.LockApplicant(by.Actor.ID); err != nil {
			return err
		}
		w = admitto.Wish{Applicant: by.Actor.ID, Course: course, Intake: intake, Wished: tx.Now()}
		if err := checkWish(tx, &w, notes); err != nil {
			return err
		}
		all, err := tx.WishesOf([]int64{w.Applicant})
		if err != nil {
			return err
		}
		same := slices.IndexFunc(all[w.Applicant], func(x admitto.Wish) bool {
			return x.Course == course && x.Intake == intake
		})
		var was string
		if there = same >= 0; !there {
			if w.ID, err = tx.InsertWish(&w); err != nil {
				return err
			}
		} else {
			now := w.Notes
			w = all[w.Applicant][same]
			was = w.Notes
			if w.Notes = join(was, now); w.Notes == was {
				return nil
			}
			if utf8.RuneCountInString(w.Notes) > maxWishNotes {
				return admitto.Refuse(admitto.InvalidParameter, "wish.notes", "", message.Of("wish-notes-full",
					utf8.RuneCountInString(was), maxWishNotes))
			}
			if err := tx.SetWishNotes(w.ID, w.Notes); err != nil {
				return err
			}
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.WishAdded, Links: admitto.Links{Applicant: w.Applicant,
			Course: course},
			Details: []admitto.Detail{{Path: "wishes/" + strconv.FormatInt(w.ID, 10) + "/notes", Old: was, New: w.Notes}}})
		return nil
	})
	return w, there, err
}

// checkWish refuses a course that is not shown, an intake it has not, and notes that are too long; all together.
func checkWish(tx *store.Tx, w *admitto.Wish, notes string) error {
	var faults []admitto.Fault
	course, err := tx.Course(w.Course)
	switch {
	case admitto.KindOf(err) == admitto.NotFound, err == nil && course.Status != "Online" && course.Status != "Private":
		faults = append(faults, admitto.Fault{Path: "wish.course", Text: message.Of("no-such-course")})
	case err != nil:
		return err
	case w.Intake != 0 && !slices.Contains(course.Intakes, w.Intake):
		faults = append(faults, admitto.Fault{Path: "wish.intake", Text: message.Of("no-such-intake")})
	}
	if w.Notes, err = text.Multiline(notes, 0, maxWishNotes); err != nil {
		faults = append(faults, admitto.Fault{Path: "wish.notes", Text: message.From(err)})
	}
	if len(faults) > 0 {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return nil
}

// RemoveWish takes a wish off the wishlist of the applicant who asks. Errors: not-found; not-permitted for anybody
// else.
func (s *Service) RemoveWish(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.ApplicantOnly(); err != nil {
		return err
	}
	if by.Actor.Kind != admitto.ByApplicant {
		return admitto.Refused(admitto.NotPermitted, message.Of("wish-removal-by-applicant"))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.LockApplicant(by.Actor.ID); err != nil {
			return err
		}
		all, err := tx.WishesOf([]int64{by.Actor.ID})
		w, err := usecase.Found(all[by.Actor.ID], err, func(w *admitto.Wish) bool { return w.ID == id })
		if err != nil {
			return err
		}
		if err := tx.DeleteWish(id); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.WishRemoved, Links: admitto.Links{Applicant: w.Applicant,
			Course: w.Course}})
		return nil
	})
}
