package query_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
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
		days := soon(t, func() (query.PerDay, error) { return first.PerDay(ctx, by, 0, 30) })
		soon(t, func() (query.Funnel, error) { return first.Funnel(ctx, by, 0) })
		kept := func() bool { return d.Count("kept_numbers") == 2 }
		wait.Until(t, "the numbers are kept", kept)

		d.Clock.Add(admitto.Hour)
		second := d.Another(d.Store, d.Post, nil).Query
		second.CallLarge(0)
		f := soon(t, func() (query.Funnel, error) { return second.Funnel(ctx, by, 0) })
		if f.At != counted {
			t.Errorf("the next process has the funnel of %v; kept was that of %v", f.At, counted)
		}
		again := soon(t, func() (query.PerDay, error) { return second.PerDay(ctx, by, 0, 30) })
		if !reflect.DeepEqual(again, days) {
			t.Errorf("the next process has %+v; kept was %+v", again, days)
		}
		wait.Until(t, "they are counted again", func() bool {
			f, err := second.Funnel(ctx, by, 0)
			return err != nil || f.At > counted
		})

		d.Clock.Add(25 * admitto.Hour)
		third := d.Another(d.Store, d.Post, nil).Query
		third.CallLarge(0)
		f = soon(t, func() (query.Funnel, error) { return third.Funnel(ctx, by, 0) })
		if f.At != d.Services.Core.Now() {
			t.Errorf("after more than a day the funnel is that of %v", f.At)
		}
	})
}

// A panic while numbers are counted is an error of who asked for them, and no end of the process.
func TestNumbersThatPanic(t *testing.T) {
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		for range 2 {
			if err := d.Services.Query.CountBroken(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "panic: broken") {
				t.Errorf("got %v", err)
			}
		}
	})
}

// soon asks for numbers until they are counted, which a busy machine may not do before the first answer.
func soon[T any](t *testing.T, ask func() (T, error)) (numbers T) {
	t.Helper()
	wait.Until(t, "the numbers are counted", func() bool {
		found, err := ask()
		if err != nil && !errors.Is(err, query.ErrCounting) {
			t.Fatal(err)
		}
		numbers = found
		return err == nil
	})
	return numbers
}

// Nobody waits for the numbers of a large instance: who comes before the first are counted is told so. The job counts
// them at the start, before anybody asks.
func TestNumbersBeingCounted(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Create(servicestest.Ilse())
		by, ctx := admitto.AdministratorCaller(1, admitto.AllPermissions(), ""), t.Context()
		q := d.Services.Query
		if err := q.CountNumbers(ctx, by); err != nil || d.Count("kept_numbers") != 0 {
			t.Errorf("a small instance keeps %d numbers, %v", d.Count("kept_numbers"), err)
		}
		first := d.Another(d.Store, d.Post, nil).Query
		first.CallLarge(0)
		release := first.HoldTurn()
		if f, err := first.Funnel(ctx, by, 0); !errors.Is(err, query.ErrCounting) || f != (query.Funnel{}) {
			t.Errorf("while they are counted: %+v, %v", f, err)
		}
		if w, err := first.MyWork(ctx, by); err != nil || w.FailedEmails != query.StillCounting || w.New != 0 {
			t.Errorf("what waits for one is held back by what is counted for all: %+v, %v", w, err)
		}
		if _, err := first.DefaultTerm(ctx, by); err != nil {
			t.Errorf("the term waits for numbers: %v", err)
		}
		release()
		soon(t, func() (query.Funnel, error) { return first.Funnel(ctx, by, 0) })

		second := d.Another(d.Store, d.Post, nil).Query
		second.CallLarge(0)
		release = second.HoldTurn()
		if err := second.CountNumbers(ctx, by); err != nil {
			t.Fatal(err)
		}
		release()
		wait.Until(t, "all numbers are kept", func() bool { return d.Count("kept_numbers") >= 11 })
		release = second.HoldTurn()
		defer release()
		m := soon(t, func() (query.MoneyWork, error) { return second.MoneyWork(ctx, by) })
		if m.At != d.Services.Core.Now() {
			t.Errorf("%+v", m)
		}
	})
}
