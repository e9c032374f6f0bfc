package accounts

import (
	"cmp"
	"context"
	"net/netip"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// ApplicantSignIn is what an applicant gives who wants to be let in by a password.
type ApplicantSignIn struct {
	Email, Password string
	Network         netip.Addr // where it comes from
	RequestID       string
}

// SignInApplicant lets an applicant in by a password (lifecycle.md 12.1). Whatever is wrong with address and password,
// answer and time are the same. The codes of its refusals: sign-in-wrong; sign-in-throttled, with RetryAfter;
// account-blocked, when all is right but staff stopped the account.
func (s *Service) SignInApplicant(ctx context.Context, in ApplicantSignIn) (who SignedInApplicant, err error) {
	key := text.EmailKey(in.Email)
	var seen store.ApplicantAccount
	err = s.proven(ctx, key, in.Network, in.Password, func(tx *store.Tx) (string, error) {
		id, _, err := tx.ApplicantByEmail(key)
		if err == nil && id != 0 {
			seen, err = tx.ApplicantAccount(id)
			if admitto.KindOf(err) == admitto.NotFound { // it is being created
				err = nil
			}
		}
		return seen.Password, err
	}, func(tx *store.Tx) (refused, err error) {
		a, err := tx.LockApplicantAccount(seen.ID)
		if admitto.KindOf(err) == admitto.NotFound || err == nil && a.Password != seen.Password {
			return wrongSignIn(), nil
		} else if err != nil {
			return nil, err
		}
		if a.State == admitto.ApplicantBlocked {
			return admitto.Refuse(admitto.NotPermitted, "", "account-blocked", message.Of("account-blocked")), nil
		}
		who, err = signedIn(tx, &a, in.RequestID)
		return nil, err
	})
	if err != nil {
		return SignedInApplicant{}, err
	}
	return who, nil
}

// proven asks for a password, and goes on when it is right. hashOf reads the hash of the account, "" without one; then
// decides with the account locked, and may refuse: that counts as a failure, too. Attempts are throttled by the normal
// form of the address.
func (s *Service) proven(ctx context.Context, key string, network netip.Addr, password string,
	hashOf func(*store.Tx) (string, error), then func(*store.Tx) (refused, err error)) error {
	return s.withSlot(ctx, func() error {
		var hash string
		var try attempt
		var now admitto.Time
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			now = tx.Now()
			if hash, err = hashOf(tx); err == nil {
				try, err = beginAttempt(tx, Portal, key, network)
			}
			return err
		})
		if err != nil {
			return err
		}
		if try.until != 0 {
			return try.refused(now)
		}
		if !samePassword(hash, password) {
			return wrongSignIn()
		}
		var refused error
		// What was decided is kept whatever becomes of the request.
		err = s.core.Write(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
			if refused, err = then(tx); err != nil || refused != nil {
				return err
			}
			return tx.DeleteSignInFailure(try.failure)
		})
		return cmp.Or(err, refused)
	})
}

// PasswordChange is what an applicant gives who chooses a password.
type PasswordChange struct {
	New     string
	Old     string     // needed when there is one, unless Fresh
	Fresh   bool       // the session has begun by a link, or the old password was asked for just now
	Keep    [32]byte   // the hash of the session that stays; zero for none
	Network netip.Addr // where it comes from
}

// SetApplicantPassword stores the password that the applicant who asks has chosen (lifecycle.md 2.3). All other
// sessions end, and the applicant is told by mail. Errors: invalid-parameter for a password that is too short or
// common; sign-in-wrong for another old one, sign-in-throttled as with SignInApplicant; changed-meanwhile when the
// password was changed in the same time.
func (s *Service) SetApplicantPassword(ctx context.Context, by usecase.Caller, change PasswordChange) error {
	if err := by.ApplicantOnly(); err != nil {
		return err
	}
	var seen store.ApplicantAccount
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		seen, err = tx.ApplicantAccount(by.Applicant)
		return err
	})
	if err != nil {
		return err
	}
	err = choosePassword("applicant.password", change.New, seen.Email, seen.Name.Full(), seen.Name.Family,
		s.core.Settings().Instance.Name)
	if err != nil {
		return err
	}
	if seen.Password != "" && !change.Fresh {
		err := s.proven(ctx, text.EmailKey(seen.Email), change.Network, change.Old,
			func(*store.Tx) (string, error) { return seen.Password, nil },
			func(*store.Tx) (refused, err error) { return nil, nil })
		if err != nil {
			return err
		}
	}
	var hash string
	err = s.withSlot(ctx, func() error {
		hash = s.hash(text.Password(change.New))
		return nil
	})
	if err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error { return s.keepPassword(tx, by, &seen, hash, change.Keep) })
}

// keepPassword stores the hash of a password in the place of the one that was seen.
func (s *Service) keepPassword(tx *store.Tx, by usecase.Caller, seen *store.ApplicantAccount, hash string,
	keep [32]byte) error {
	a, err := tx.LockApplicantAccount(seen.ID)
	if err != nil {
		return err
	}
	if a.Password != seen.Password || a.State != admitto.ApplicantLive {
		return admitto.Refused(admitto.ChangedMeanwhile, message.Of("changed-since-shown"))
	}
	if err := tx.SetPassword(a.ID, hash, false); err != nil {
		return err
	}
	if err := endSessions(tx, a.ID, keep); err != nil {
		return err
	}
	tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantPasswordChanged, Links: admitto.Links{Applicant: a.ID}})
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindApplicantPasswordChanged, Applicant: &a.Applicant})
	if err != nil {
		return err
	}
	return by.Done(tx)
}

// endSessions ends all sessions of an applicant but one.
func endSessions(tx *store.Tx, applicant int64, but [32]byte) error {
	return tx.DeleteSessions(string(Portal), applicant, but)
}
