package apikey

import (
	"context"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of what people type about a key.
const (
	mostLabel     = 100 // characters
	mostRollHours = 24 * 30
)

// checked refuses what a key cannot be: a label that is no line of 1 to 100 characters, a scope of no operations, an
// end in the past.
func (in *NewKey) checked(now admitto.Time) error {
	in.Label, in.Owner = strings.TrimSpace(in.Label), strings.TrimSpace(in.Owner)
	var faults []admitto.Fault
	for _, line := range []struct {
		path  admitto.Path
		text  string
		least int
	}{{"key.label", in.Label, 1}, {"key.owner", in.Owner, 0}} {
		if n := len([]rune(line.text)); n < line.least || n > mostLabel || strings.ContainsAny(line.text, "\r\n\t") {
			faults = append(faults, admitto.Fault{Path: line.path, Text: message.Of("key-line", line.least, mostLabel)})
		}
	}
	switch in.Scope {
	case admitto.ScopeAll, admitto.ScopeReadOnly:
		in.Operations = nil
	case admitto.ScopeOperations:
		if len(in.Operations) == 0 {
			faults = append(faults, admitto.Fault{Path: "key.operations", Text: message.Of("key-operations")})
		}
	default:
		faults = append(faults, admitto.Fault{Path: "key.scope", Text: message.Of("key-scope")})
	}
	if in.Expires != 0 && in.Expires <= now {
		faults = append(faults, admitto.Fault{Path: "key.expires", Text: message.Of("key-expires")})
	}
	for _, n := range []struct {
		path  admitto.Path
		quota *int
	}{{"key.per_minute", in.PerMinute}, {"key.per_hour", in.PerHour}} {
		if n.quota != nil && (*n.quota < 0 || *n.quota > 1_000_000) {
			faults = append(faults, admitto.Fault{Path: n.path, Text: message.Of("key-quota")})
		}
	}
	if len(faults) > 0 {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return nil
}

// IssueKey is CreateKey for what people type: what a key cannot be is refused, all faults at once.
func (s *Service) IssueKey(ctx context.Context, by usecase.Caller, in NewKey) (id int64, secret string, err error) {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return 0, "", err
	}
	if err := in.checked(s.core.Now()); err != nil {
		return 0, "", err
	}
	return s.CreateKey(ctx, by, in)
}

// Key reads a key; NotFound without one.
func (s *Service) Key(ctx context.Context, by admitto.Caller, id int64) (k admitto.Key, err error) {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return k, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		k, err = tx.Key(id)
		return err
	})
	return k, err
}

// EditKey changes what people know a key by, what it may do, and when it ends. Every instance follows after
// KeyCacheTime. A key that has ended stays as it is: not-allowed-now. Errors: also changed-meanwhile.
func (s *Service) EditKey(ctx context.Context, by usecase.Caller, id int64, in NewKey) error {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return err
	}
	wrong := in.checked(s.core.Now())
	row := admitto.Row{Kind: admitto.KeyRow, ID: id}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockReference(row); err != nil {
			return err
		}
		if err := by.Together(by.SeesRow(tx, row), wrong); err != nil {
			return err
		}
		k, err := tx.Key(id)
		if err != nil {
			return err
		}
		if !k.Usable(tx.Now()) {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("key-ended"))
		}
		if err := by.Checked(); err != nil {
			return err
		}
		was := k
		k.Label, k.Owner, k.Scope, k.Operations, k.Expires = in.Label, in.Owner, in.Scope, in.Operations, in.Expires
		k.PerMinute, k.PerHour = in.PerMinute, in.PerHour
		changes := keyChanges(&was, &k)
		if len(changes) == 0 {
			return nil
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.KeyEdited, Bind: []string{strconv.FormatInt(id, 10)},
			Details: changes})
		return tx.UpdateKey(&k)
	})
	s.forgetKeys()
	return err
}

// keyChanges are what differs of what staff say of a key.
func keyChanges(was, now *admitto.Key) (changes []admitto.Detail) {
	quota := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	for _, d := range []admitto.Detail{{Path: "/label", Old: was.Label, New: now.Label},
		{Path: "/owner", Old: was.Owner, New: now.Owner},
		{Path: "/scope", Old: string(was.Scope), New: string(now.Scope)},
		{Path: "/operations", Old: strings.Join(was.Operations, ", "), New: strings.Join(now.Operations, ", ")},
		{Path: "/expires", Old: was.Expires.String(), New: now.Expires.String()},
		{Path: "/per_minute", Old: quota(was.PerMinute), New: quota(now.PerMinute)},
		{Path: "/per_hour", Old: quota(was.PerHour), New: quota(now.PerHour)}} {
		if d.Old != d.New {
			changes = append(changes, d)
		}
	}
	return changes
}

// RollKey makes a new key that may do what the old one may until the old one would have ended, and lets the old one end
// after so many hours; 0 ends it at once. The text of the new key is not stored. A key is replaced once: who comes
// second would give another one the end of the first. Errors: invalid-parameter, not-allowed-now, changed-meanwhile.
func (s *Service) RollKey(ctx context.Context, by usecase.Caller, id int64, hours int) (made int64, secret string,
	err error) {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return 0, "", err
	}
	if hours < 0 || hours > mostRollHours {
		return 0, "", admitto.Refuse(admitto.InvalidParameter, "key.hours", "", message.Of("key-hours", mostRollHours))
	}
	secret = admitto.NewKeySecret()
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		row := admitto.Row{Kind: admitto.KeyRow, ID: id}
		if err := tx.LockReference(row); err != nil {
			return err
		}
		old, err := tx.Key(id)
		if err != nil {
			return err
		}
		now := tx.Now()
		switch {
		case !old.Usable(now):
			return admitto.Refused(admitto.NotAllowedNow, message.Of("key-ended"))
		case old.Replaced != 0:
			return admitto.Refused(admitto.NotAllowedNow, message.Of("key-replaced"))
		}
		if err := by.SeesRow(tx, row); err != nil {
			return err
		}
		fresh := old
		fresh.Created, fresh.LastUsed, fresh.LastCall, fresh.Issuer = now, 0, admitto.KeyCall{}, 0
		if by.Actor.Kind == admitto.ByAdministrator {
			fresh.Issuer = by.Actor.ID
		}
		if made, err = tx.InsertKey(&fresh, admitto.KeyHash(secret)); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.KeyCreated, Bind: []string{strconv.FormatInt(made, 10)}})
		old.Replaced = made
		if hours == 0 {
			tx.Record(by.Actor, admitto.Event{Pattern: admitto.KeyRevoked, Bind: []string{strconv.FormatInt(id, 10)}})
			if err := tx.UpdateKey(&old); err != nil {
				return err
			}
			_, err := tx.RevokeKey(id)
			return err
		}
		if end := now + admitto.Time(hours)*admitto.Hour; old.Expires == 0 || end < old.Expires {
			old.Expires = end
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.KeyEdited, Bind: []string{strconv.FormatInt(id, 10)}})
		return tx.UpdateKey(&old)
	})
	s.forgetKeys()
	return made, secret, err
}

// forgetKeys lets the next request of every key read it again.
func (s *Service) forgetKeys() {
	s.keyring.mu.Lock()
	defer s.keyring.mu.Unlock()
	clear(s.keyring.known)
}
