package query_test

import (
	"reflect"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/wait"
)

// The numbers of a large instance outlive its processes: the first reader of the next one has those of the one before,
// with their time, and not until they are counted again.
func TestKeptNumbers(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Create(servicestest.Ilse())
		by, ctx := admitto.AdministratorCaller(1, admitto.AllPermissions(), ""), t.Context()
		small := d.Services.Query
		if _, err := small.Funnel(ctx, by, 0); err != nil {
			t.Fatal(err)
		}
		if n := d.Count("kept_numbers"); n != 0 {
			t.Errorf("a small instance keeps %d numbers", n)
		}
		first := d.Another(d.Store, d.Post, nil).Query
		first.CallLarge(0)
		counted := d.Services.Core.Now()
		days, err := first.PerDay(ctx, by, 0, 30)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := first.Funnel(ctx, by, 0); err != nil {
			t.Fatal(err)
		}
		kept := func() bool { return d.Count("kept_numbers") == 2 }
		wait.Until(t, "the numbers are kept", kept)

		d.Clock.Add(admitto.Hour)
		second := d.Another(d.Store, d.Post, nil).Query
		second.CallLarge(0)
		f, err := second.Funnel(ctx, by, 0)
		if err != nil || f.At != counted {
			t.Errorf("the next process has the funnel of %v, %v; kept was that of %v", f.At, err, counted)
		}
		again, err := second.PerDay(ctx, by, 0, 30)
		if err != nil || !reflect.DeepEqual(again, days) {
			t.Errorf("the next process has %+v, %v; kept was %+v", again, err, days)
		}
		wait.Until(t, "they are counted again", func() bool {
			f, err := second.Funnel(ctx, by, 0)
			return err != nil || f.At > counted
		})

		d.Clock.Add(25 * admitto.Hour)
		third := d.Another(d.Store, d.Post, nil).Query
		third.CallLarge(0)
		if f, err := third.Funnel(ctx, by, 0); err != nil || f.At != d.Services.Core.Now() {
			t.Errorf("after more than a day the funnel is that of %v, %v", f.At, err)
		}
	})
}
