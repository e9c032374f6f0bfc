package accounts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ApplicantSession is a session of an applicant as lists show it.
type ApplicantSession struct {
	ID          string // SessionID of its values
	Begun, Seen admitto.Time
	Agent       string // the browser in few words
}

// ApplicantSessions returns the sessions of the applicant who asks that still count, the last used first (screens.md
// P24).
func (s *Service) ApplicantSessions(ctx context.Context, by admitto.Caller) (list []ApplicantSession, err error) {
	if err := by.ApplicantOnly(); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		kept, err := tx.SessionsOf(string(Portal), by.Applicant)
		for i := range kept {
			if k := &kept[i]; within(s.core, Portal, k, tx.Now()) {
				list = append(list, ApplicantSession{ID: sessionID(k.Hash), Begun: k.Begun, Seen: k.Seen, Agent: k.Agent})
			}
		}
		return err
	})
	return list, err
}

// EndApplicantSession ends a session of the applicant who asks. One that is not there any more is no error.
func (s *Service) EndApplicantSession(ctx context.Context, by usecase.Caller, session string) error {
	if err := by.ApplicantOnly(); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		kept, err := tx.SessionsOf(string(Portal), by.Applicant)
		if err != nil {
			return err
		}
		for i := range kept {
			if sessionID(kept[i].Hash) == session {
				return tx.DeleteSession(string(Portal), kept[i].Hash)
			}
		}
		return nil
	})
}

// EndOtherApplicantSessions ends all sessions of the applicant who asks but the one with the hash.
func (s *Service) EndOtherApplicantSessions(ctx context.Context, by usecase.Caller, keep [32]byte) error {
	if err := by.ApplicantOnly(); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error { return endSessions(tx, by.Applicant, keep) })
}

// The values of a session of the portal in which staff look at it as an applicant (screens.md A08). It is a session of
// no account, so that no list of the applicant has it.
const (
	SessionLookAs    = "look-as"    // int64: the applicant
	SessionLookBy    = "look-by"    // int64: the administrator
	SessionLookBegun = "look-begun" // int64, milliseconds: the sign-in of the administrator
	SessionLookBack  = "look-back"  // string: where the administrator came from
)

// Look says who looks at the portal as which applicant, and with which session of their own.
type Look struct {
	Applicant, Administrator int64
	Begun                    int64 // the sign-in of the administrator, in milliseconds
	Back                     string
}

// lookNeeds are the permissions of those who look at the portal as an applicant.
var lookNeeds = []admitto.Permission{admitto.ApplicantsView, admitto.ApplicantsEdit}

// BeginLook begins a session of the portal in which the administrator who asks sees it as an applicant, and returns its
// token. It ends with their own session, and nothing can be changed in it. It is a read, which the journal does not
// learn of (lifecycle.md 10.2); the log does. Errors: not-found for an applicant who may not sign in.
func (s *Service) BeginLook(ctx context.Context, by admitto.Caller, look Look) (token string, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return "", err
	}
	for _, p := range lookNeeds {
		if err := by.Needs(p); err != nil {
			return "", err
		}
	}
	look.Administrator = by.Actor.ID
	token = rand.Text()
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.ApplicantAccount(look.Applicant)
		if err != nil {
			return err
		}
		if a.State != admitto.ApplicantLive {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		idle, _ := sessionLimits(s.core, Portal)
		data, err := SessionCodec{}.Encode((tx.Now() + idle).Std().UTC(), map[string]any{SessionLookAs: look.Applicant,
			SessionLookBy: look.Administrator, SessionLookBegun: look.Begun, SessionLookBack: look.Back})
		if err != nil {
			return err
		}
		return tx.InsertSession(&store.Session{Hash: sha256.Sum256([]byte(token)), Area: string(Portal), Begun: tx.Now(),
			Seen: tx.Now(), Data: data})
	})
	if err != nil {
		return "", err
	}
	s.log.InfoContext(ctx, "an administrator looks at the portal as an applicant", "administrator", look.Administrator,
		"applicant", look.Applicant, "request", by.Actor.RequestID)
	return token, nil
}

// Looks reads who looks at the portal as an applicant. Not-found when they may not (any more): their session has ended,
// or a permission is gone.
func (s *Service) Looks(ctx context.Context, look Look) (m StaffMember, err error) {
	missing := &admitto.Error{Kind: admitto.NotFound}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, err := tx.StaffAccount(look.Administrator)
		if err != nil {
			return err
		}
		if s.barred(tx, &a) != "" {
			return missing
		}
		if m, err = s.member(tx, &a); err != nil {
			return err
		}
		for _, p := range lookNeeds {
			if !m.Permissions.Has(p) {
				return missing
			}
		}
		open, err := tx.SessionsOf(string(Administration), look.Administrator)
		if err != nil {
			return err
		}
		for i := range open {
			same := open[i].Begun.Std().UnixMilli() == look.Begun
			if same && within(s.core, Administration, &open[i], tx.Now()) {
				return nil
			}
		}
		return missing
	})
	return m, err
}

// LookOf reads a Look from the values of a session; ok is false for sessions of any other kind.
func LookOf(number func(name string) int64, text func(name string) string) (look Look, ok bool) {
	look = Look{Applicant: number(SessionLookAs), Administrator: number(SessionLookBy), Begun: number(SessionLookBegun),
		Back: text(SessionLookBack)}
	return look, look.Applicant != 0 && look.Administrator != 0
}

// LookLasts is how long the cookie of such a session lasts at most.
const LookLasts = time.Duration(adminTotal) * time.Microsecond
