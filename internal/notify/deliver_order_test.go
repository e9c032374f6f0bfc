package notify_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/wait"
)

// deliverAll lets four workers of each office send what is due. One that sees nothing due ends, so it runs until no
// worker has sent anything.
func deliverAll(t *testing.T, offices ...*services.Services) (sent int) {
	t.Helper()
	for {
		var mu sync.Mutex
		var all sync.WaitGroup
		round := 0
		for range 4 {
			for _, o := range offices {
				all.Go(func() {
					n, err := o.Notify.DeliverMails(context.Background(), admitto.SystemCaller())
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					round += n
				})
			}
		}
		if all.Wait(); round == 0 {
			return sent
		}
		sent += round
	}
}

// Two instances with four workers each, and a mail server that refuses some mails for a while and some for good: the
// mails of each recipient leave in their order, one at a time and each once.
func TestDeliverInOrder(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		const people, each = 6, 8
		ids := d.People(people)
		var mu sync.Mutex
		tries, order, busy := map[string]int{}, map[string][]string{}, map[string]bool{}
		mailer := &servicestest.Post{}
		mailer.Will(func(_ context.Context, m *mail.Message) error {
			to, name := m.To.Email, m.Attachments[0].Name
			mu.Lock()
			defer mu.Unlock()
			if busy[to] {
				t.Errorf("two mails to %s are on their way", to)
			}
			busy[to] = true
			mu.Unlock()
			runtime.Gosched() // others may send meanwhile
			mu.Lock()
			busy[to] = false
			tries[to+name]++
			switch n := int(name[2] - '0'); {
			case n == 3:
				return &mail.Refusal{Code: 550, Step: "RCPT"}
			case n%3 == int(to[1])%3 && tries[to+name] < 3:
				return &mail.Refusal{Temporary: true, Code: 451, Step: "RCPT"}
			}
			order[to] = append(order[to], name)
			return nil
		})
		one, two := d.Instance(mailer), d.Instance(mailer)
		for n := range each {
			for i, id := range ids {
				d.Numbered([]*services.Services{one, two}[(n+i)%2], id, n)
			}
		}
		for range 12 * each { // refused ones wait for minutes
			deliverAll(t, one, two)
			d.Clock.Add(5 * admitto.Minute)
		}
		if n := d.Count("outbox"); n != 0 {
			t.Errorf("%d are left", n)
		}
		want := []string{"000", "001", "002", "004", "005", "006", "007"}
		for i := range people {
			if got := order[fmt.Sprintf("p%d@example.org", i)]; !slices.Equal(got, want) {
				t.Errorf("p%d got %v", i, got)
			}
		}
	})
}

// The mails after one that waits for its next try wait as well, and follow as soon as it has left or was given up.
func TestDeliverWaitsForEarlier(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		mailer := &servicestest.Post{}
		o := d.Instance(mailer)
		ids := d.People(2)
		d.Numbered(o, ids[0], 1)
		mailer.Will(func(context.Context, *mail.Message) error {
			return &mail.Refusal{Temporary: true, Code: 451, Step: "RCPT"}
		})
		deliverAll(t, o)
		mailer.Will(nil)
		for n := range 20 {
			d.Numbered(o, ids[0], 2+n)
		}
		d.Numbered(o, ids[1], 1)
		if n := deliverAll(t, o); n != 1 || mailer.Taken()[0].To.Email != "p1@example.org" {
			t.Fatalf("%d left, want the one to somebody else", n)
		}
		d.Clock.Add(admitto.Minute - 1)
		if n := deliverAll(t, o); n != 0 {
			t.Fatalf("%d left before the one that waits", n)
		}
		d.Clock.Add(1)
		if n := deliverAll(t, o); n != 21 {
			t.Fatalf("%d left, want all at once", n)
		}
		for i, m := range mailer.Taken()[1:] {
			if want := fmt.Sprintf("%03d", 1+i); m.Attachments[0].Name != want {
				t.Errorf("%s left as number %s", m.Attachments[0].Name, want)
			}
		}
		// Given up after 48 hours.
		d.Numbered(o, ids[0], 100)
		mailer.Will(func(_ context.Context, m *mail.Message) error {
			if m.Attachments[0].Name == "100" {
				return errors.New("no luck")
			}
			return nil
		})
		deliverAll(t, o)
		d.Clock.Add(47 * admitto.Hour)
		d.Numbered(o, ids[0], 101)
		if n := deliverAll(t, o); n != 0 {
			t.Errorf("%d left too early", n)
		}
		d.Clock.Add(2 * admitto.Hour)
		if n := deliverAll(t, o); n != 1 || d.Count("outbox") != 0 {
			t.Errorf("%d left, %d are in the outbox", n, d.Count("outbox"))
		}
	})
}

// A worker that dies while it sends holds up its recipient until its lease ends and nobody else, and its mail leaves
// before the later ones.
func TestDeliverInOrderAfterCrash(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		mailer := &servicestest.Post{}
		one, two := d.Instance(mailer), d.Instance(mailer)
		ids := d.People(2)
		for n := range 3 {
			d.Numbered(one, ids[0], n)
		}
		mailer.Will(func(context.Context, *mail.Message) error { panic("dead") })
		func() {
			defer func() { recover() }()
			_, _ = one.Notify.DeliverMails(t.Context(), admitto.SystemCaller())
			t.Error("it lives")
		}()
		mailer.Will(nil)
		d.Numbered(one, ids[1], 0)
		if n := deliverAll(t, two); n != 1 {
			t.Errorf("%d left, want the one to somebody else", n)
		}
		d.Clock.Add(servicestest.LeaseTime)
		if n := deliverAll(t, two); n != 3 {
			t.Errorf("%d left after the lease", n)
		}
		for i, m := range mailer.Taken()[1:] {
			if m.Attachments[0].Name != fmt.Sprintf("%03d", i) {
				t.Errorf("%s left as number %d", m.Attachments[0].Name, i)
			}
		}
	})
}

// One wake is enough for all workers: each that finds a mail wakes the next. Mails to different recipients are on their
// way at the same time, a second one to the same recipient waits.
func TestDeliverInParallel(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		const workers = 4
		mailer := &servicestest.Post{}
		o, elsewhere := d.Instance(mailer), d.Instance(mailer)
		ids := d.People(workers)
		arrived, proceed := make(chan string, 2*workers), make(chan struct{})
		mailer.Will(func(_ context.Context, m *mail.Message) error {
			arrived <- m.To.Email
			<-proceed
			return nil
		})
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		ended := make(chan struct{}, 100)
		for range workers {
			running.Go(func() {
				for ctx.Err() == nil {
					if _, err := o.Notify.DeliverMails(ctx, admitto.SystemCaller()); err != nil && ctx.Err() == nil {
						t.Error(err)
					}
					ended <- struct{}{}
					select {
					case <-o.Notify.MailsWaiting():
					case <-ctx.Done():
					}
				}
			})
		}
		for range workers { // the first runs find nothing
			<-ended
		}
		for _, id := range ids { // wakes nobody here
			d.Numbered(elsewhere, id, 1)
		}
		d.Numbered(o, ids[0], 2)
		var at []string
		for range workers {
			select {
			case to := <-arrived:
				at = append(at, to)
			case <-wait.TooLong():
				t.Fatalf("only %v are on their way", at)
			}
		}
		slices.Sort(at)
		if len(slices.Compact(slices.Clone(at))) != workers || len(arrived) != 0 {
			t.Errorf("%v are on their way", at)
		}
		close(proceed)
		wait.Until(t, "all mails left", func() bool { return d.Count("outbox") == 0 })
		stop()
		running.Wait()
		if len(mailer.Taken()) != workers+1 {
			t.Errorf("%d mails", len(mailer.Taken()))
		}
	})
}
