package admissions_test

import (
	"context"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
)

// A reader who asks by time for what is new, from the last registration on that it has seen, misses nobody, however long
// the mail of one of them is on its way.
func TestWalkByTime(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		seen := map[int64]bool{}
		from := admitto.Time(1)
		walk := func() {
			_, err := d.office.Applicants(context.Background(), admitto.SystemCaller(), admitto.ApplicantQuery{Limit: 100, FromTime: from}, nil, nil, func(int64, int64) {},
				func(a *admitto.Applicant) error {
					seen[a.ID], from = true, max(from, a.Registered)
					return nil
				})
			if err != nil {
				t.Fatal(err)
			}
		}
		sending, release := make(chan struct{}), make(chan struct{})
		d.post.will(func(context.Context, *mail.Message) error {
			close(sending)
			<-release
			return nil
		})
		slow := make(chan int64, 1)
		go func() {
			id, err := d.office.CreateApplicant(context.Background(), byKey(), ilse())
			if err != nil {
				t.Error(err)
			}
			slow <- id
		}()
		<-sending
		d.post.will(nil)
		d.clock.Add(3 * admitto.Second)
		quick := ilse()
		quick.Email, quick.Reference = "quick@example.org", ""
		first := d.create(quick)
		walk()
		d.clock.Add(-admitto.Second) // the clock of this instance is behind
		close(release)
		second := <-slow
		walk()
		if !seen[first] || !seen[second] || len(seen) != 2 {
			t.Errorf("%d and %d were made, %v were seen", first, second, seen)
		}
		d.sound()
	})
}
