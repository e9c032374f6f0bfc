package accounts

import (
	"context"
	"crypto/sha256"
	"net/netip"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// After so many failures within an hour the next attempt waits (lifecycle.md 12.1): 1, 2, 4 … 60 seconds.
const (
	accountFailures = 6
	networkFailures = 21
	failuresCount   = admitto.Hour
	longestDelay    = 60 * admitto.Second
)

// attempt is a sign-in that is under way. It counts as a failure until it succeeds, so that attempts at the same time
// are counted, too.
type attempt struct {
	failure int64
	until   admitto.Time // not 0: it was refused, and may be made again then
}

// beginAttempt counts an attempt at an account, unless others have failed too often. account is the normal form of the
// name that was given; whether there is such an account is not asked.
func beginAttempt(tx *store.Tx, area Area, account string, network netip.Addr) (a attempt, err error) {
	ofAccount := sha256.Sum256([]byte("account " + account))
	ofNetwork := sha256.Sum256([]byte("network " + networkOf(network)))
	since := tx.Now() - failuresCount
	n, last, err := tx.SignInFailures(string(area), ofAccount, since)
	if err != nil {
		return a, err
	}
	a.until = openAfter(n, accountFailures, last)
	if n, last, err = tx.NetworkFailures(string(area), ofNetwork, since); err != nil {
		return a, err
	}
	if a.until = max(a.until, openAfter(n, networkFailures, last)); a.until > tx.Now() {
		return a, nil
	}
	a.until = 0
	a.failure, err = tx.InsertSignInFailure(string(area), ofAccount, ofNetwork)
	return a, err
}

// openAfter is until when no attempt is taken after n failures, the last of them at last. It is 0 before the first that
// counts, whatever last is: one that is under way may have begun later than who asks, and come first.
func openAfter(n, first int64, last admitto.Time) admitto.Time {
	if n < first {
		return 0
	}
	return last + min(admitto.Second<<min(n-first, 6), longestDelay)
}

// networkOf is what counts as one network address: an IPv4 address, or the /64 of an IPv6 address.
func networkOf(a netip.Addr) string {
	if a = a.Unmap().WithZone(""); !a.Is6() {
		return a.String()
	}
	network, err := a.Prefix(64)
	if err != nil {
		return a.String()
	}
	return network.String()
}

// throttled is the private cause of a refusal because of failures.
type throttled struct{ until admitto.Time }

func (*throttled) Error() string { return "too many failed sign-ins" }

// refused is what an attempt that was not taken is answered with.
func (a attempt) refused(now admitto.Time) error {
	seconds := int64(a.until-now+admitto.Second-1) / int64(admitto.Second)
	said := message.Of("sign-in-throttled", seconds)
	if seconds == 1 {
		said = message.Of("sign-in-throttled-second")
	}
	e := admitto.Refuse(admitto.NotAllowedNow, "", "sign-in-throttled", said)
	e.RetryAfter = int(seconds)
	return e.Because(&throttled{a.until})
}

// withSlot runs fn while it may use as much memory as a password hash takes.
func (s *Service) withSlot(ctx context.Context, fn func() error) error {
	select {
	case s.hashing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.hashing }()
	return fn()
}
