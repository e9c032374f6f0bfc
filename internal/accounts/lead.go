package accounts

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
)

// SignInByToken uses a one-time sign-in link up and tells whose it was (lifecycle.md 2.3). The first sign-in makes an
// applicant of a lead. requestID goes into the journal. Errors: not-found, with the same words whatever is wrong with
// the link: unknown, used, expired, or of an account that may not sign in.
func (s *Service) SignInByToken(ctx context.Context, token, requestID string) (a admitto.Applicant, err error) {
	hash := seal.TokenHash(token)
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		id, err := tx.SignInToken(hash)
		if err != nil {
			return err
		}
		if id == 0 {
			return deadLink()
		}
		if a, err = tx.LockApplicant(id); admitto.KindOf(err) == admitto.NotFound {
			return deadLink()
		} else if err != nil {
			return err
		}
		if a.State != admitto.ApplicantLive {
			return deadLink()
		}
		// Somebody else may have pressed the button while this one waited for the applicant.
		if works, err := tx.UseSignInToken(hash); err != nil || !works {
			if err == nil {
				err = deadLink()
			}
			return err
		}
		if !a.Lead {
			return nil
		}
		a.Lead = false
		if err := tx.ActivateLead(id); err != nil {
			return err
		}
		tx.Record(admitto.Actor{Kind: admitto.ByApplicant, ID: id, RequestID: requestID},
			admitto.Event{Pattern: admitto.LeadActivated, Links: admitto.Links{Applicant: id}})
		return nil
	})
	if err != nil {
		return admitto.Applicant{}, err
	}
	return a, nil
}

func deadLink() error {
	return admitto.Refused(admitto.NotFound, message.Of("link-dead"))
}
