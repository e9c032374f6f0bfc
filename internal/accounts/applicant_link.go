package accounts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
)

// LinkState is what became of a one-time link that was sent to an applicant.
type LinkState string

// The states of links. A link that a newer one replaced has expired; an unknown one was never made, was made for an
// account that is gone, or is forgotten by now.
const (
	LinkWorks   LinkState = "works"
	LinkUsed    LinkState = "used"
	LinkExpired LinkState = "expired"
	LinkBlocked LinkState = "blocked" // staff stopped the account
	LinkUnknown LinkState = "unknown"
)

// Link is what a page shows about a one-time link before it is used.
type Link struct {
	State  LinkState
	Email  string // where a new link goes; "" for an unknown one
	Masked string // the same address as it may be shown
	Owner  int64  // the applicant; 0 for an unknown one
}

// SignInLink looks at a link to sign in without using it up (screens.md P05).
func (s *Service) SignInLink(ctx context.Context, token string) (l Link, err error) {
	l.State = LinkUnknown
	hash := seal.TokenHash(token)
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		found, err := tx.SignInLink(hash)
		if err != nil || found.Applicant == 0 {
			return err
		}
		a, err := tx.Applicant(found.Applicant)
		if admitto.KindOf(err) == admitto.NotFound {
			return nil
		} else if err != nil {
			return err
		}
		l = Link{State: LinkWorks, Email: a.Email, Masked: MaskEmail(a.Email), Owner: a.ID}
		switch {
		case a.State == admitto.ApplicantBlocked:
			l.State = LinkBlocked
		case found.Used != 0:
			l.State = LinkUsed
		case found.Expires <= tx.Now():
			l.State = LinkExpired
		}
		return nil
	})
	return l, err
}

// MaskEmail shows of an address what its owner recognises it by: the first and the last character before the @, and
// the host.
func MaskEmail(email string) string {
	local, host, found := strings.Cut(email, "@")
	if !found || local == "" {
		return "..."
	}
	first, _ := utf8.DecodeRuneInString(local)
	last, _ := utf8.DecodeLastRuneInString(local)
	if utf8.RuneCountInString(local) < 3 {
		return string(first) + "...@" + host
	}
	return string(first) + "..." + string(last) + "@" + host
}

// SignedInApplicant is an applicant who has just signed in.
type SignedInApplicant struct {
	admitto.Applicant
	HasPassword    bool
	ChangePassword bool // before anything else: it was made for them
	First          bool // they never signed in before
	Language       string
	Scheme         string
}

// UseSignInLink uses a one-time sign-in link up and returns whose it was (lifecycle.md 2.3). The first sign-in makes an
// applicant of a lead. requestID goes into the journal. Errors: not-found, with the same words whatever is wrong with
// the link: unknown, used, expired, or of an account that may not sign in.
func (s *Service) UseSignInLink(ctx context.Context, token, requestID string) (in SignedInApplicant,
	err error) {
	hash := seal.TokenHash(token)
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		in, err = useLink(tx, hash, requestID)
		return err
	})
	if err != nil {
		return SignedInApplicant{}, err
	}
	return in, nil
}

// useLink uses a link up and signs in.
func useLink(tx *store.Tx, hash [32]byte, requestID string) (in SignedInApplicant, err error) {
	id, err := tx.SignInToken(hash)
	if err != nil {
		return in, err
	}
	if id == 0 {
		return in, deadLink()
	}
	a, err := tx.LockApplicantAccount(id)
	if admitto.KindOf(err) == admitto.NotFound {
		return in, deadLink()
	} else if err != nil {
		return in, err
	}
	if a.State != admitto.ApplicantLive {
		return in, deadLink()
	}
	// Somebody else may have pressed the button while this one waited for the applicant.
	if works, err := tx.UseSignInToken(hash); err != nil || !works {
		if err == nil {
			err = deadLink()
		}
		return in, err
	}
	return signedIn(tx, &a, requestID)
}

// signedIn keeps that a locked applicant has signed in; the first time makes an applicant of a lead.
func signedIn(tx *store.Tx, a *store.ApplicantAccount, requestID string) (SignedInApplicant, error) {
	in := SignedInApplicant{HasPassword: a.Password != "", ChangePassword: a.Temporary, First: a.SignedIn == 0,
		Language: a.Language, Scheme: a.Scheme}
	if a.Lead {
		a.Lead = false
		if err := tx.ActivateLead(a.ID); err != nil {
			return in, err
		}
		tx.Record(admitto.Actor{Kind: admitto.ByApplicant, ID: a.ID, RequestID: requestID},
			admitto.Event{Pattern: admitto.LeadActivated, Links: admitto.Links{Applicant: a.ID}})
	}
	in.Applicant = a.Applicant
	return in, tx.NoteSignIn(a.ID)
}

func deadLink() error {
	return admitto.Refused(admitto.NotFound, message.Of("link-dead"))
}

// linkAgain is how long a button that has used a link up signs in once more, when it is pressed again.
const linkAgain = admitto.Minute

// PressSignInLink is UseSignInLink for a page whose button may be pressed twice: mark is random and of this browser
// alone, "" for none, and for a minute the browser that has used the link up signs in once more (lifecycle.md R9). Any
// other browser finds it dead, whatever it sends.
func (s *Service) PressSignInLink(ctx context.Context, token, mark,
	requestID string) (in SignedInApplicant, err error) {
	if mark == "" {
		return s.UseSignInLink(ctx, token, requestID)
	}
	hash := seal.TokenHash(token)
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if in, err = useLink(tx, hash, requestID); admitto.KindOf(err) == admitto.NotFound {
			again, failed := s.pressedAgain(tx, hash, mark, requestID)
			if failed != nil || again.ID == 0 {
				in = SignedInApplicant{}
				return cmp.Or(failed, err)
			}
			in = again
			return nil
		}
		if err != nil {
			return err
		}
		press := pressOf(in.ID, hash, mark)
		if _, err := tx.ClaimSentForm(press); err != nil {
			return err
		}
		if !in.First {
			return nil
		}
		return tx.AnswerSentForm(press, []byte{1})
	})
	if err != nil {
		return SignedInApplicant{}, err
	}
	return in, nil
}

// pressOf names the press of the button of a link in one browser.
func pressOf(applicant int64, hash [32]byte, mark string) SentForm {
	return SentForm{Area: string(Portal), Account: applicant, Mark: sha256.Sum256(append(hash[:], mark...))}
}

// pressedAgain signs in by a link that the same browser has used up a short time ago; nobody by any other.
func (s *Service) pressedAgain(tx *store.Tx, hash [32]byte, mark, requestID string) (in SignedInApplicant, err error) {
	found, err := tx.SignInLink(hash)
	if err != nil || found.Applicant == 0 || found.Used == 0 || tx.Now() >= found.Used+linkAgain {
		return in, err
	}
	_, first, pressed, err := tx.SentForm(pressOf(found.Applicant, hash, mark))
	if err != nil || !pressed {
		return in, err
	}
	a, err := tx.LockApplicantAccount(found.Applicant)
	if admitto.KindOf(err) == admitto.NotFound || err == nil && a.State != admitto.ApplicantLive {
		return in, nil
	}
	if err != nil {
		return in, err
	}
	if in, err = signedIn(tx, &a, requestID); err != nil {
		return SignedInApplicant{}, err
	}
	in.First = first != nil
	return in, nil
}
