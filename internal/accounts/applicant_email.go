package accounts

import (
	"context"
	"encoding/hex"
	"errors"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

const (
	emailChangeTime     = 3 * admitto.Day
	emailChangesPerHour = 5
)

// ChangeEmail asks for another address of an applicant (lifecycle.md 2.3). A link goes to the new address and works
// for three days, and the old address is told; nothing changes before the link is used. For who never signed in, a
// change by staff acts at once, and the welcome mail is sent again: acted is true then. An applicant does not learn
// that somebody else has the address: its owner is told in the place of the link. Errors: not-found;
// invalid-parameter; already-exists for staff, with the ID of who has the address; unavailable after too many changes
// within an hour.
func (s *Service) ChangeEmail(ctx context.Context, by usecase.Caller, applicant int64, email string) (acted bool,
	err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsEdit, applicant); err != nil {
		return false, err
	}
	if email, err = text.Email(email); err != nil {
		return false, admitto.Refuse(admitto.InvalidParameter, "applicant.email", "", message.From(err))
	}
	own := by.Owns(applicant) == nil
	var card WelcomeCard
	if !own {
		if card, err = s.importCard(ctx); err != nil {
			return false, err
		}
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		acted = false
		a, err := tx.LockApplicantAccount(applicant)
		if err != nil {
			return err
		}
		if err := by.Sees(a.RowVersion); err != nil {
			return err
		}
		if a.Email == email {
			return tx.DropEmailChange(applicant)
		}
		holder, _, err := tx.ApplicantByEmail(text.EmailKey(email))
		if err != nil {
			return err
		}
		if holder == applicant {
			holder = 0 // the same address in other letters
		}
		if holder != 0 && !own {
			return addressInUse(holder)
		}
		if !own && a.SignedIn == 0 && (a.Lead || a.Unconfirmed) {
			acted = true
			return s.changeUnusedEmail(tx, by, &a, email, &card)
		}
		until, err := tx.TakeHourly("address "+strconv.FormatInt(applicant, 10), emailChangesPerHour)
		if err != nil {
			return err
		}
		if until != 0 {
			return admitto.Refused(admitto.Unavailable, message.Of("email-changes-too-many"))
		}
		return s.askForEmail(tx, &a.Applicant, email, holder)
	})
	if errors.Is(err, db.ErrUnique) {
		return false, addressInUse(0)
	}
	return acted, err
}

// askForEmail sends a link to the new address, or to the one who has it that it is taken, and tells the old one.
func (s *Service) askForEmail(tx *store.Tx, a *admitto.Applicant, email string, holder int64) error {
	token, hash := seal.NewToken()
	err := tx.KeepEmailChange(&store.EmailChange{Applicant: a.ID, Email: email, Key: text.EmailKey(email),
		Asked: tx.Now(), Expires: tx.Now() + emailChangeTime}, hash)
	if err != nil {
		return err
	}
	if holder != 0 {
		if err := s.tellHolder(tx, holder); err != nil {
			return err
		}
	} else {
		to, err := text.EmailASCII(email)
		if err != nil {
			return err
		}
		_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindApplicantEmailChange, Applicant: a,
			To:     &mail.Address{Name: a.Name.Full(), Email: to},
			Values: mail.Values{mail.ApplicantEmailLink: s.core.Links().EmailChange(token)}})
		if err != nil {
			return err
		}
	}
	return s.tellOldEmail(tx, a, email)
}

// tellHolder tells the one who has an address that it has an account, and how to sign in.
func (s *Service) tellHolder(tx *store.Tx, holder int64) error {
	a, err := tx.LockApplicantAccount(holder)
	switch {
	case admitto.KindOf(err) == admitto.NotFound:
		return nil // nobody knows of this account yet
	case err != nil:
		return err
	case a.State == admitto.ApplicantBlocked:
		return s.mailBlocked(tx, &a.Applicant)
	}
	kind, rendered, err := s.notify.Notice(tx, mail.NoticeAddressTaken, &a.Applicant)
	if err != nil {
		return err
	}
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: kind, Applicant: &a.Applicant, Rendered: &rendered})
	return err
}

// tellOldEmail tells the address that an applicant has of the one that they are to have.
func (s *Service) tellOldEmail(tx *store.Tx, a *admitto.Applicant, _ string) error {
	kind, rendered, err := s.notify.Notice(tx, mail.NoticeOldAddress, a)
	if err != nil {
		return err
	}
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: kind, Applicant: a, Rendered: &rendered})
	return err
}

// changeUnusedEmail changes the address of an applicant who never signed in, and sends the welcome mail there.
func (s *Service) changeUnusedEmail(tx *store.Tx, by usecase.Caller, a *store.ApplicantAccount, email string,
	card *WelcomeCard) error {
	if err := s.setEmail(tx, by.Actor, &a.Applicant, email); err != nil {
		return err
	}
	if a.Unconfirmed {
		return s.mailLink(tx, &a.Applicant, mail.KindApplicantWelcomeRegister, "")
	}
	return s.mailImported(tx, &a.Applicant, card)
}

// setEmail stores the address of a locked applicant; every link that was sent before ends.
func (s *Service) setEmail(tx *store.Tx, actor admitto.Actor, a *admitto.Applicant, email string) error {
	if err := tx.SetApplicantEmail(a.ID, email, text.EmailKey(email)); err != nil {
		return err
	}
	if err := tx.DropEmailChange(a.ID); err != nil {
		return err
	}
	tx.Record(actor, admitto.Event{Pattern: admitto.ApplicantEmailChanged, Links: admitto.Links{Applicant: a.ID},
		Details: []admitto.Detail{{Path: "email", Old: a.Email, New: email}}})
	a.Email = email
	return tx.EndSignInLinks(a.ID)
}

// DropEmailChange takes back that an applicant is to have another address.
func (s *Service) DropEmailChange(ctx context.Context, by usecase.Caller, applicant int64) error {
	if err := by.NeedsOrOwns(admitto.ApplicantsEdit, applicant); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.LockApplicant(applicant); err != nil {
			return err
		}
		return tx.DropEmailChange(applicant)
	})
}

// EmailLink looks at a link that confirms an address, without using it. Email is the new address; a link that was used
// or replaced is unknown.
func (s *Service) EmailLink(ctx context.Context, token string) (l Link, err error) {
	l.State = LinkUnknown
	hash := seal.TokenHash(token)
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		change, err := tx.EmailChangeByLink(hash)
		if err != nil || change.Applicant == 0 {
			return err
		}
		a, err := tx.Applicant(change.Applicant)
		if admitto.KindOf(err) == admitto.NotFound {
			return nil
		} else if err != nil {
			return err
		}
		l = Link{State: LinkWorks, Email: change.Email, Masked: MaskEmail(change.Email), Owner: change.Applicant}
		switch {
		case a.State == admitto.ApplicantBlocked:
			l.State = LinkBlocked
		case change.Expires <= tx.Now():
			l.State = LinkExpired
		}
		return nil
	})
	return l, err
}

// ConfirmEmail makes the address theirs that a link was sent to, and returns whose it is (lifecycle.md 2.3). Sessions
// and links of the applicant end; keep is the session that stays, the zero hash for none. press is a cookie of the
// browser, "" for none: who presses again within a minute is told nothing else, and 0 for whose it is. Errors:
// not-found for a link that does not work; already-exists when somebody else has the address by now.
func (s *Service) ConfirmEmail(ctx context.Context, token, press string, keep [32]byte,
	requestID string) (applicant int64, err error) {
	hash, pressed := seal.TokenHash(token), seal.TokenHash(token+" "+press)
	once := func(tx *store.Tx) (again bool, err error) {
		if press == "" {
			return false, nil
		}
		until, err := tx.TakeWithin("e-mail "+hex.EncodeToString(pressed[:]), 1, admitto.Minute)
		return until != 0, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		change, err := tx.EmailChangeByLink(hash)
		if err != nil {
			return err
		}
		again, err := once(tx)
		if err != nil || again {
			return err
		}
		if change.Applicant == 0 {
			return deadLink()
		}
		a, err := tx.LockApplicant(change.Applicant)
		if admitto.KindOf(err) == admitto.NotFound || err == nil && a.State != admitto.ApplicantLive {
			return deadLink()
		} else if err != nil {
			return err
		}
		// Another link, or another address, may have come while this one waited for the applicant.
		if change, err = tx.EmailChangeByLink(hash); err != nil {
			return err
		}
		if change.Applicant != a.ID || change.Expires <= tx.Now() {
			return deadLink()
		}
		holder, _, err := tx.ApplicantByEmail(change.Key)
		if err != nil {
			return err
		}
		if holder != 0 && holder != a.ID {
			return addressInUse(0)
		}
		applicant = a.ID
		actor := admitto.Actor{Kind: admitto.ByApplicant, ID: a.ID, RequestID: requestID}
		if err := s.setEmail(tx, actor, &a, change.Email); err != nil {
			return err
		}
		return endSessions(tx, a.ID, keep)
	})
	if errors.Is(err, db.ErrUnique) {
		return 0, addressInUse(0)
	}
	if err != nil {
		return 0, err
	}
	return applicant, nil
}
