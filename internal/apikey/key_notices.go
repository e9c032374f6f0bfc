package apikey

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
)

// ruleKeys is the name under which notices of keys are claimed.
const ruleKeys = "keys"

// keyNotices are how many days before its end an API key is told of (lifecycle.md 8.3).
var keyNotices = [...]int{14, 3, 1}

// WatchKeys tells the superusers of API keys that will end, 14, 3 and 1 days before, and records, once, that a key
// has expired. That it is refused from then on does not wait for this. It tells the owners of keys of unusual use.
func (s *Service) WatchKeys(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	var keys []admitto.Key
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		keys, err = tx.KeysEnding(tx.Now() + admitto.Time(keyNotices[0])*admitto.Day)
		return err
	})
	for i := range keys {
		if err == nil {
			err = s.core.Write(ctx, func(tx *store.Tx) error { return s.watchKey(tx, keys[i].ID) })
		}
	}
	if err != nil {
		return err
	}
	return s.watchUsage(ctx)
}

// watchKey looks at one key.
func (s *Service) watchKey(tx *store.Tx, id int64) error {
	k, found, err := tx.LockKey(id)
	if err != nil || !found || k.Revoked != 0 || k.Expires == 0 {
		return err
	}
	end := strconv.FormatInt(int64(k.Expires), 10) // a key whose end was moved ends again
	if k.Expires <= tx.Now() {
		first, err := tx.ClaimRuleAction(ruleKeys, id, end+"/expired")
		if first {
			tx.Record(admitto.System(), admitto.Event{Pattern: admitto.KeyExpired, Bind: []string{strconv.FormatInt(id, 10)}})
		}
		return err
	}
	for _, days := range keyNotices {
		due := k.Expires - admitto.Time(days)*admitto.Day
		if tx.Now() < due || tx.Now()-due > admitto.Day || k.Created > due {
			continue // not yet, or later than a day
		}
		occurrence := end + "/" + strconv.Itoa(days)
		if first, err := tx.ClaimRuleAction(ruleKeys, id, occurrence); err != nil || !first {
			return err
		}
		return s.announceKeyEnd(tx, &k, occurrence)
	}
	return nil
}

// announceKeyEnd mails every superuser.
func (s *Service) announceKeyEnd(tx *store.Tx, k *admitto.Key, occurrence string) error {
	people, err := tx.Superusers()
	if err != nil {
		return err
	}
	values := mail.Values{mail.KeyLabel: k.Label,
		mail.KeyExpires: mail.ZonedTime{At: k.Expires, Zone: s.core.Settings().Instance.Timezone}}
	for i := range people {
		p := &people[i]
		if p.Email == "" {
			continue
		}
		_, err := s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindAdminKeyExpiring,
			To:     &mail.Address{Name: p.Name, Email: p.Email},
			Values: values, Record: k.ID, Occurrence: occurrence + "/" + strconv.FormatInt(p.ID, 10)})
		if err != nil {
			return err
		}
	}
	return nil
}
