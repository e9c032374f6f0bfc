package accounts

import (
	"context"

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
