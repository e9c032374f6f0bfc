package accounts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/alexedwards/scs/v2"
)

// Area is one of the two areas of pages, which have accounts and sessions of their own.
type Area string

// The areas.
const (
	Administration Area = "administration" // of administrators
	Portal         Area = "portal"         // of applicants
)

// adminTotal is how long a session of an administrator lasts, however much it is used (lifecycle.md 11.1), and touch
// how exactly it is known when a session was last used.
const (
	adminTotal = 24 * admitto.Hour
	touch      = admitto.Minute
)

// sessionLimits are how long a session of an area lasts without use, and in all; 0 is no limit.
func sessionLimits(core *usecase.Core, area Area) (idle, total admitto.Time) {
	hours := core.Settings().Session
	if area == Administration {
		return admitto.Time(hours.AdminHours) * admitto.Hour, adminTotal
	}
	return admitto.Time(hours.ApplicantHours) * admitto.Hour, 0
}

// SessionStore keeps the sessions of an area in the database, so that they count on all instances and end on all at
// once. It asks the clock of the database and heeds no expiry that it is given. Tokens are stored hashed.
type SessionStore struct {
	core *usecase.Core
	log  *slog.Logger
	area Area
}

var _ scs.CtxStore = (*SessionStore)(nil)

// SessionStore returns the store of an area.
func (s *Service) SessionStore(area Area) *SessionStore {
	return &SessionStore{core: s.core, log: s.log, area: area}
}

// sessionID is what lists name a session by. It does not let anybody in.
func sessionID(hash [32]byte) string { return hex.EncodeToString(hash[:8]) }

// Limits are how long a session lasts without use, and in all; 0 is no limit.
func (s *SessionStore) Limits() (idle, total time.Duration) {
	most, all := sessionLimits(s.core, s.area)
	return time.Duration(most) * time.Microsecond, time.Duration(all) * time.Microsecond
}

// FindCtx returns what is kept of a session that still counts: within its limits, and of an account that may sign in.
func (s *SessionStore) FindCtx(ctx context.Context, token string) (b []byte, found bool, err error) {
	hash := sha256.Sum256([]byte(token))
	var stale bool
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		find := tx.StaffSession
		if s.area == Portal {
			find = tx.ApplicantSession
		}
		kept, owner, there, err := find(string(s.area), hash)
		if err != nil || !there {
			return err
		}
		if found = within(s.core, s.area, &kept, tx.Now()) && s.mayBe(&owner, tx); found {
			b, stale = kept.Data, kept.Seen < tx.Now()-touch
		}
		return nil
	})
	if err != nil || !found {
		return nil, false, err
	}
	if stale {
		err := s.core.Write(ctx, func(tx *store.Tx) error { return tx.TouchSession(hash, tx.Now()-touch) })
		if err != nil && ctx.Err() == nil {
			s.log.Warn("the use of a session was not noted", "cause", err)
		}
	}
	h, rest, err := readHead(b)
	if err != nil {
		return nil, false, nil //nolint:nilerr // of a release that kept it otherwise: the person signs in again
	}
	h.id = sessionID(hash)
	return append(h.append([]byte{sessionFormat}), rest...), true, nil
}

// within reports whether a session is within its limits.
func within(core *usecase.Core, area Area, kept *store.Session, now admitto.Time) bool {
	idle, total := sessionLimits(core, area)
	return now < kept.Seen+idle && (total == 0 || now < kept.Begun+total)
}

// mayBe reports whether the account of a session may be signed in.
func (s *SessionStore) mayBe(o *store.SessionOwner, tx *store.Tx) bool {
	switch {
	case o.Account == 0:
		return true
	case !o.Known:
		return false
	case s.area == Portal:
		return o.State == string(admitto.ApplicantLive)
	}
	return !o.Suspended && (o.ValidUntil.IsZero() || !o.ValidUntil.Before(s.core.Today(tx)))
}

// CommitCtx keeps a session. One that was found and ended since stays ended.
func (s *SessionStore) CommitCtx(ctx context.Context, token string, b []byte, _ time.Time) error {
	h, _, err := readHead(b)
	if err != nil {
		return err
	}
	hash := sha256.Sum256([]byte(token))
	return s.core.Write(ctx, func(tx *store.Tx) error {
		kept := &store.Session{Hash: hash, Area: string(s.area), Account: h.account, Begun: admitto.Time(h.begun) * milli,
			Seen: tx.Now(), Proved: admitto.Time(h.proved) * milli, Agent: shortened(h.agent), Data: b}
		if kept.Begun == 0 {
			kept.Begun = tx.Now()
		}
		if h.id == sessionID(hash) {
			return tx.UpdateSession(kept)
		}
		return tx.InsertSession(kept)
	})
}

const milli = admitto.Second / 1000

// maxAgent is how many bytes are kept of what a browser says it is.
const maxAgent = 200

func shortened(agent string) string {
	if len(agent) <= maxAgent {
		return agent
	}
	end := maxAgent
	for !utf8.RuneStart(agent[end]) {
		end--
	}
	return agent[:end]
}

// DeleteCtx ends a session.
func (s *SessionStore) DeleteCtx(ctx context.Context, token string) error {
	hash := sha256.Sum256([]byte(token))
	return s.core.Write(ctx, func(tx *store.Tx) error { return tx.DeleteSession(string(s.area), hash) })
}

// Find is FindCtx for callers without a context.
func (s *SessionStore) Find(token string) (b []byte, found bool, err error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx for callers without a context.
func (s *SessionStore) Commit(token string, b []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, b, expiry)
}

// Delete is DeleteCtx for callers without a context.
func (s *SessionStore) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }
