package apikey

import (
	"context"
	"maps"
	"strconv"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// KeyCacheTime is how long a key that was looked up is believed. Revocation takes effect everywhere after
// it (conventions.md 2: within one second).
const KeyCacheTime = 500 * 1000 * admitto.Microsecond

// maxCachedKeys bounds the memory that guesses of keys can take.
const maxCachedKeys = 10_000

// keyring remembers keys for a short time, so that a request costs no query, and collects when keys were used,
// so that it costs no write.
type keyring struct {
	mu    sync.Mutex
	known map[[32]byte]cachedKey
	used  map[int64]admitto.KeyCall
	over  map[admitto.KeyHour]int64 // calls that a quota refused

	returned map[int64]bool // keys that are used after they have rested for long
}

type cachedKey struct {
	key   *admitto.Key // nil: there is none that can be used
	asked admitto.Time
}

func newKeyring() *keyring {
	return &keyring{known: map[[32]byte]cachedKey{}, used: map[int64]admitto.KeyCall{},
		over: map[admitto.KeyHour]int64{}, returned: map[int64]bool{}}
}

func (r *keyring) remember(hash [32]byte, k cachedKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxCachedKeys {
		clear(r.known)
	}
	r.known[hash] = k
}

// Authenticate finds the usable key with this text, or answers nil. It does the same work for a text that is
// no key, is unknown, expired or revoked, so that the time it takes tells nothing.
func (s *Service) Authenticate(ctx context.Context, secret string) (*admitto.Key, error) {
	hash, now := admitto.KeyHash(secret), s.core.Now()
	s.keyring.mu.Lock()
	cached, ok := s.keyring.known[hash]
	s.keyring.mu.Unlock()
	if !ok || now-cached.asked >= KeyCacheTime || now < cached.asked {
		cached = cachedKey{asked: now}
		err := s.core.Read(ctx, func(tx *store.Tx) error {
			instant := tx.Now() // whether a key has expired is told by the database's clock
			k, err := tx.KeyByHash(hash)
			if err == nil && k.Usable(instant) {
				cached.key = &k
			}
			if admitto.KindOf(err) == admitto.NotFound {
				return nil
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		s.keyring.remember(hash, cached)
	}
	if cached.key == nil {
		return nil, nil
	}
	s.keyring.mu.Lock()
	if k := cached.key; k.LastUsed != 0 && now-k.LastUsed > silentKey {
		s.keyring.returned[k.ID] = true
	}
	last := s.keyring.used[cached.key.ID]
	last.At = now
	s.keyring.used[cached.key.ID] = last
	s.keyring.mu.Unlock()
	return cached.key, nil
}

// Called notes which operation a key called, in which version.
func (s *Service) Called(key int64, operation string, version int) {
	s.keyring.mu.Lock()
	defer s.keyring.mu.Unlock()
	last := s.keyring.used[key]
	last.At, last.Operation, last.Version = max(last.At, s.core.Now()), operation, version
	s.keyring.used[key] = last
}

// refused counts a call that the quota of the key refused.
func (s *Service) refused(key int64) {
	now := s.core.Now()
	s.keyring.mu.Lock()
	defer s.keyring.mu.Unlock()
	s.keyring.over[admitto.KeyHour{Key: key, Hour: now - now%admitto.Hour}]++
}

// SaveKeyUse writes down when keys were last used, and what they used that will end; a job calls it every few seconds.
func (s *Service) SaveKeyUse(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	s.keyring.mu.Lock()
	used, over, returned := s.keyring.used, s.keyring.over, s.keyring.returned
	s.keyring.used, s.keyring.over = map[int64]admitto.KeyCall{}, map[admitto.KeyHour]int64{}
	s.keyring.returned = map[int64]bool{}
	s.keyring.mu.Unlock()
	counts := s.usage.take()
	if len(used) == 0 && len(counts) == 0 && len(over) == 0 {
		return nil
	}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		if err := noteReturns(tx, returned); err != nil {
			return err
		}
		if err := tx.TouchKeys(used); err != nil {
			return err
		}
		if len(over) > 0 {
			if err := tx.AddRefused(over); err != nil {
				return err
			}
		}
		if len(counts) == 0 {
			return nil
		}
		return tx.AddKeyUses(counts)
	})
	if err != nil {
		for use, n := range counts {
			s.usage.add(use, n)
		}
		s.keyring.mu.Lock()
		defer s.keyring.mu.Unlock()
		for id, at := range used {
			if s.keyring.used[id].At <= at.At {
				s.keyring.used[id] = at
			}
		}
		maps.Copy(s.keyring.returned, returned)
		for hour, n := range over {
			s.keyring.over[hour] += n
		}
	}
	return err
}

// NewKey says what a new API key may do.
type NewKey struct {
	Label, Owner string
	Scope        admitto.Scope
	Operations   []string
	Expires      admitto.Time // 0: never
	PerMinute    *int
	PerHour      *int
}

// CreateKey makes an API key and returns its text, which is not stored and cannot be shown again.
func (s *Service) CreateKey(ctx context.Context, by usecase.Caller, in NewKey) (id int64, secret string, err error) {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return id, secret, err
	}
	secret = admitto.NewKeySecret()
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		k := admitto.Key{Label: in.Label, Owner: in.Owner, Scope: in.Scope, Operations: in.Operations,
			Created: tx.Now(), Expires: in.Expires, PerMinute: in.PerMinute, PerHour: in.PerHour}
		if err := by.Checked(); err != nil {
			return err
		}
		if by.Actor.Kind == admitto.ByAdministrator {
			k.Issuer = by.Actor.ID
		}
		id, err = tx.InsertKey(&k, admitto.KeyHash(secret))
		if err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.KeyCreated, Bind: []string{strconv.FormatInt(id, 10)}})
		return nil
	})
	return id, secret, err
}

// Keys lists all API keys, ended ones too, by ascending ID.
func (s *Service) Keys(ctx context.Context, by admitto.Caller) (list []admitto.Key, err error) {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Keys)
}

// RevokeKey ends a key; NotFound when there is none with the ID. Ending an ended key changes nothing. Every
// instance follows after KeyCacheTime.
func (s *Service) RevokeKey(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return err
	}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		was, err := tx.RevokeKey(id)
		if was {
			tx.Record(by.Actor, admitto.Event{Pattern: admitto.KeyRevoked, Bind: []string{strconv.FormatInt(id, 10)}})
		}
		return err
	})
	s.forgetKeys()
	return err
}
