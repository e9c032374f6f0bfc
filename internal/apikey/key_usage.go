package apikey

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
)

// Unusual use of a key is that its quota refused calls, or that it is used again after it has rested for silentKey. Its
// owner is told once in usageEvery.
const (
	silentKey  = 90 * admitto.Day
	usageEvery = admitto.Day
)

// Rules about unusual use, as actions are claimed.
const (
	ruleKeyReturned = "key-returned" // the key is used again; the occurrence is the hour
	ruleKeyUsage    = "key-usage"    // its owner was told; the occurrence is the time
)

// noteReturns notes the keys that are used after they have rested for long.
func noteReturns(tx *store.Tx, keys map[int64]bool) error {
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		if _, err := tx.ClaimRuleAction(ruleKeyReturned, id, hourOf(tx.Now())); err != nil {
			return err
		}
	}
	return nil
}

func hourOf(t admitto.Time) string { return strconv.FormatInt(int64(t-t%admitto.Hour), 10) }

// watchUsage tells the owners of the keys that were used in an unusual way within a day, of each at most once in it.
func (s *Service) watchUsage(ctx context.Context) error {
	var unusual []int64
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		since := tx.Now() - usageEvery
		unusual, err = tx.KeysUnusual(ruleKeyReturned, ruleKeyUsage, since-since%admitto.Hour, since)
		return err
	})
	for _, id := range unusual {
		if err == nil {
			err = s.core.Write(ctx, func(tx *store.Tx) error { return s.announceUsage(tx, id) })
		}
	}
	return err
}

// announceUsage mails the owner of a key.
func (s *Service) announceUsage(tx *store.Tx, id int64) error {
	k, found, err := tx.LockKey(id)
	if err != nil || !found || !k.Usable(tx.Now()) {
		return err
	}
	told, err := tx.RuleActedSince(ruleKeyUsage, id, tx.Now()-usageEvery)
	if err != nil || told {
		return err
	}
	occurrence := strconv.FormatInt(int64(tx.Now()), 10)
	if first, err := tx.ClaimRuleAction(ruleKeyUsage, id, occurrence); err != nil || !first {
		return err
	}
	people, err := keyOwners(tx, &k)
	for i := range people {
		p := &people[i]
		if err != nil || p.Email == "" {
			continue
		}
		_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindAdminKeyUsage,
			To:     &mail.Address{Name: p.Name, Email: p.Email},
			Values: mail.Values{mail.KeyLabel: k.Label}, Record: k.ID,
			Occurrence: occurrence + "/" + strconv.FormatInt(p.ID, 10)})
	}
	return err
}

// keyOwners are those who answer for a key: its owner is a name that people type, so it is the active administrator
// with that name or address, else the one who issued the key, else the superusers.
func keyOwners(tx *store.Tx, k *admitto.Key) ([]admitto.Administrator, error) {
	staff, err := tx.ActiveStaff()
	if err != nil {
		return nil, err
	}
	for _, is := range []func(a *admitto.Administrator) bool{
		func(a *admitto.Administrator) bool {
			return k.Owner != "" && (strings.EqualFold(a.Name, k.Owner) || strings.EqualFold(a.Email, k.Owner))
		},
		func(a *admitto.Administrator) bool { return a.ID == k.Issuer },
	} {
		for i := range staff {
			if is(&staff[i]) {
				return staff[i : i+1], nil
			}
		}
	}
	return tx.Superusers()
}
