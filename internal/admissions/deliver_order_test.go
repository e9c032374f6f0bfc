package admissions_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/wait"
)

// numbered queues a mail to the applicant that names its place in the attachment.
func (d *desk) numbered(o *admissions.Office, applicant int64, n int) {
	d.t.Helper()
	if _, err := o.PostMessage(d.t.Context(), applicant, 0, "", admitto.File{Name: fmt.Sprintf("%03d", n), MIME: "text/plain", Hash: "aa"}); err != nil {
		d.t.Fatal(err)
	}
}

// people makes so many applicants, and forgets their welcome mails.
func (d *desk) people(n int) (ids []int64) {
	d.t.Helper()
	for i := range n {
		ids = append(ids, d.create(admissions.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: fmt.Sprintf("p%d@example.org", i)}))
	}
	return ids
}

// instance is one more office with files, on its own connections where the engine has room for that.
func (d *desk) instance(p *post) *admissions.Office {
	s := d.store
	if d.store.Shared() {
		s = d.connect()
		d.t.Cleanup(func() { s.Close() })
	}
	o := d.another(s, p, func(s *config.Settings) { s.Mail.Workers = 4 })
	o.UseFiles(drawer{})
	return o
}

// deliverAll lets four workers of each office send what is due. One that sees nothing due ends, so it runs until no
// worker has sent anything.
func deliverAll(t *testing.T, offices ...*admissions.Office) (sent int) {
	t.Helper()
	for {
		var mu sync.Mutex
		var all sync.WaitGroup
		round := 0
		for range 4 {
			for _, o := range offices {
				all.Go(func() {
					n, err := o.DeliverMails(context.Background(), admitto.SystemCaller())
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

// Two instances with four workers each, and an upstream that refuses some mails for a while and some for good: the mails
// of each recipient leave in their order, one at a time and each once.
func TestDeliverInOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		const people, each = 6, 8
		ids := d.people(people)
		var mu sync.Mutex
		tries, order, busy := map[string]int{}, map[string][]string{}, map[string]bool{}
		upstream := &post{}
		upstream.will(func(_ context.Context, m *mail.Message) error {
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
		one, two := d.instance(upstream), d.instance(upstream)
		for n := range each {
			for i, id := range ids {
				d.numbered([]*admissions.Office{one, two}[(n+i)%2], id, n)
			}
		}
		for range 12 * each { // refused ones wait for minutes
			deliverAll(t, one, two)
			d.clock.Add(5 * admitto.Minute)
		}
		if n := d.count("outbox"); n != 0 {
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
	onBoth(t, func(t *testing.T, d *desk) {
		upstream := &post{}
		o := d.instance(upstream)
		ids := d.people(2)
		d.numbered(o, ids[0], 1)
		upstream.will(func(context.Context, *mail.Message) error {
			return &mail.Refusal{Temporary: true, Code: 451, Step: "RCPT"}
		})
		deliverAll(t, o)
		upstream.will(nil)
		for n := range 20 {
			d.numbered(o, ids[0], 2+n)
		}
		d.numbered(o, ids[1], 1)
		if n := deliverAll(t, o); n != 1 || upstream.Taken()[0].To.Email != "p1@example.org" {
			t.Fatalf("%d left, want the one to somebody else", n)
		}
		d.clock.Add(admitto.Minute - 1)
		if n := deliverAll(t, o); n != 0 {
			t.Fatalf("%d left before the one that waits", n)
		}
		d.clock.Add(1)
		if n := deliverAll(t, o); n != 21 {
			t.Fatalf("%d left, want all at once", n)
		}
		for i, m := range upstream.Taken()[1:] {
			if want := fmt.Sprintf("%03d", 1+i); m.Attachments[0].Name != want {
				t.Errorf("%s left as number %s", m.Attachments[0].Name, want)
			}
		}
		// Given up after 48 hours.
		d.numbered(o, ids[0], 100)
		upstream.will(func(_ context.Context, m *mail.Message) error {
			if m.Attachments[0].Name == "100" {
				return errors.New("no luck")
			}
			return nil
		})
		deliverAll(t, o)
		d.clock.Add(47 * admitto.Hour)
		d.numbered(o, ids[0], 101)
		if n := deliverAll(t, o); n != 0 {
			t.Errorf("%d left too early", n)
		}
		d.clock.Add(2 * admitto.Hour)
		if n := deliverAll(t, o); n != 1 || d.count("outbox") != 0 {
			t.Errorf("%d left, %d are in the outbox", n, d.count("outbox"))
		}
	})
}

// A worker that dies while it sends holds up its recipient until its lease ends and nobody else, and its mail leaves
// before the later ones.
func TestDeliverInOrderAfterCrash(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		upstream := &post{}
		one, two := d.instance(upstream), d.instance(upstream)
		ids := d.people(2)
		for n := range 3 {
			d.numbered(one, ids[0], n)
		}
		upstream.will(func(context.Context, *mail.Message) error { panic("dead") })
		func() {
			defer func() { recover() }()
			_, _ = one.DeliverMails(t.Context(), admitto.SystemCaller())
			t.Error("it lives")
		}()
		upstream.will(nil)
		d.numbered(one, ids[1], 0)
		if n := deliverAll(t, two); n != 1 {
			t.Errorf("%d left, want the one to somebody else", n)
		}
		d.clock.Add(leaseTime)
		if n := deliverAll(t, two); n != 3 {
			t.Errorf("%d left after the lease", n)
		}
		for i, m := range upstream.Taken()[1:] {
			if m.Attachments[0].Name != fmt.Sprintf("%03d", i) {
				t.Errorf("%s left as number %d", m.Attachments[0].Name, i)
			}
		}
	})
}

// One wake is enough for all workers: each that finds a mail wakes the next. Mails to different recipients are on their way
// at the same time, a second one to the same recipient waits.
func TestDeliverInParallel(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		const workers = 4
		upstream := &post{}
		o, elsewhere := d.instance(upstream), d.instance(upstream)
		ids := d.people(workers)
		arrived, proceed := make(chan string, 2*workers), make(chan struct{})
		upstream.will(func(_ context.Context, m *mail.Message) error {
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
					if _, err := o.DeliverMails(ctx, admitto.SystemCaller()); err != nil && ctx.Err() == nil {
						t.Error(err)
					}
					ended <- struct{}{}
					select {
					case <-o.MailsWaiting():
					case <-ctx.Done():
					}
				}
			})
		}
		for range workers { // the first runs find nothing
			<-ended
		}
		for _, id := range ids { // wakes nobody here
			d.numbered(elsewhere, id, 1)
		}
		d.numbered(o, ids[0], 2)
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
		wait.Until(t, "all mails left", func() bool { return d.count("outbox") == 0 })
		stop()
		running.Wait()
		if len(upstream.Taken()) != workers+1 {
			t.Errorf("%d mails", len(upstream.Taken()))
		}
	})
}
