package query_test

import (
	"context"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// A reader who asks by time for what is new, from the last registration on that it has seen, misses nobody, however
// long the mail of one of them is on its way.
func TestWalkByTime(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		seen := map[int64]bool{}
		from := admitto.Time(1)
		walk := func() {
			found, err := d.Services.Query.Applicants(context.Background(), admitto.SystemCaller(),
				admitto.ApplicantQuery{Limit: 100, FromTime: from}, nil, nil)
			for _, a := range servicestest.All(t, found, err) {
				seen[a.ID], from = true, max(from, a.Registered)
			}
		}
		sending, release := make(chan struct{}), make(chan struct{})
		d.Post.Will(func(context.Context, *mail.Message) error {
			close(sending)
			<-release
			return nil
		})
		slow := make(chan int64, 1)
		go func() {
			id, err := d.Services.Accounts.CreateApplicant(context.Background(), servicestest.ByKey(), servicestest.Ilse())
			if err != nil {
				t.Error(err)
			}
			slow <- id
		}()
		<-sending
		d.Post.Will(nil)
		d.Clock.Add(3 * admitto.Second)
		quick := servicestest.Ilse()
		quick.Email, quick.Reference = "quick@example.org", ""
		first := d.Create(quick)
		walk()
		d.Clock.Add(-admitto.Second) // the clock of this instance is behind
		close(release)
		second := <-slow
		walk()
		if !seen[first] || !seen[second] || len(seen) != 2 {
			t.Errorf("%d and %d were made, %v were seen", first, second, seen)
		}
		d.Sound()
	})
}
