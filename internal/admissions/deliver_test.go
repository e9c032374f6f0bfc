package admissions_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// deliver sends what is due and returns how many mails left.
func (d *desk) deliver() int {
	d.t.Helper()
	n, err := d.office.DeliverMails(d.t.Context(), admitto.SystemCaller())
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// write changes the database by hand.
func (d *desk) write(statements ...string) {
	d.t.Helper()
	err := d.store.Write(d.t.Context(), func(tx *store.Tx) error {
		for _, sql := range statements {
			if _, err := sqltest.In(tx).Exec(sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// since returns the events after the record, filled in.
func (d *desk) since(record int) (list []string) {
	for _, r := range d.journal()[record:] {
		list = append(list, r.Filled())
	}
	return list
}

// message queues a mail to the applicant.
func (d *desk) message(applicant int64, files ...admitto.File) int64 {
	d.t.Helper()
	email, err := d.office.PostMessage(d.t.Context(), applicant, 0, "", files...)
	if err != nil || email == 0 {
		d.t.Fatal(email, err)
	}
	return email
}

// drawer is a store of files with one file.
type drawer struct{ admissions.Files }

func (drawer) Open(_ context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	if hash != "aa" {
		return nil, 0, &admitto.Error{Kind: admitto.NotFound}
	}
	return struct {
		io.ReadSeeker
		io.Closer
	}{bytes.NewReader([]byte("content")), io.NopCloser(nil)}, 7, nil
}

// A mail leaves with its attachments; its copy, its invoice and the journal learn of it, once.
func TestDeliver(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		if err := d.store.Seed(t.Context(), "Northfield University", 2026); err != nil {
			t.Fatal(err)
		}
		d.office.UseFiles(drawer{})
		id := d.create(ilse())
		d.write(fmt.Sprintf(`INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, payer_name)
			VALUES (77, 'Invoice', 'A1', 1, %d, 1, '2026-04-01', 'EUR', 100, 'Ilse Varga')`, id))
		d.clock.Add(admitto.Minute)
		events := len(d.journal())
		var emails []int64
		for range 2 { // the same key
			email, err := d.office.PostMessage(t.Context(), id, 77, "applicant-message/77/1", admitto.File{Name: "a.txt", MIME: "text/plain", Size: 7, Hash: "aa"})
			if err != nil {
				t.Fatal(err)
			}
			emails = append(emails, email)
		}
		if emails[0] == 0 || emails[1] != 0 {
			t.Errorf("e-mails %v", emails)
		}
		select {
		case <-d.office.MailsWaiting():
		default:
			t.Error("nobody was woken")
		}
		sent := len(d.post.Taken())
		if n := d.number("SELECT coalesce(delivered, 0) FROM email WHERE id = $1", emails[0]); n != 0 {
			t.Error("delivered before it left")
		}
		if n := d.deliver(); n != 1 {
			t.Fatalf("%d left", n)
		}
		m := d.post.Taken()[sent]
		if m.To.Email != "Ilse.Varga@example.org" || len(m.Attachments) != 1 || string(m.Attachments[0].Data) != "content" || m.ID == "" {
			t.Errorf("%+v", m)
		}
		now := int64(d.clock.Now())
		if n := d.number("SELECT delivered FROM email WHERE id = $1", emails[0]); n != now {
			t.Errorf("delivered %d", n)
		}
		if n := d.number("SELECT delivered FROM invoice WHERE id = 77"); n != now {
			t.Errorf("the invoice was delivered %d", n)
		}
		if n := d.number("SELECT row_version FROM invoice WHERE id = 77"); n != 2 {
			t.Errorf("row version %d", n)
		}
		want := []string{"E-mail was sent: applicant-message", "Invoice was delivered"}
		if got := d.since(events); !slices.Equal(got, want) {
			t.Errorf("events %q", got)
		}
		r := d.journal()[events]
		if r.Actor.Kind != admitto.BySystem || r.Links != (admitto.Links{Applicant: id, Application: 9}) {
			t.Errorf("%+v", r)
		}
		if r := d.journal()[events+1]; r.Links != (admitto.Links{Applicant: id, Invoice: 77}) {
			t.Errorf("%+v", r)
		}
		if d.count("outbox") != 0 || d.deliver() != 0 {
			t.Error("something is left")
		}
		// Delivered once: a second mail about the invoice says nothing of it.
		if _, err := d.office.PostMessage(t.Context(), id, 77, "applicant-message/77/2"); err != nil {
			t.Fatal(err)
		}
		d.clock.Add(admitto.Minute)
		d.deliver()
		if got := d.since(events + 2); !slices.Equal(got, want[:1]) {
			t.Errorf("events %q", got)
		}
		if n := d.number("SELECT delivered FROM invoice WHERE id = 77"); n != now {
			t.Errorf("the invoice was delivered again at %d", n)
		}
	})
}

// Temporary refusals are tried again after 1, 5, 15, 60 minutes and then hourly, always with the same Message-ID, for
// 48 hours; a permanent one ends it at once, unless it is about the upstream.
func TestRefusedMails(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		id := d.create(ilse())
		var ids []string
		answer := &mail.Refusal{Temporary: true, Code: 451, Step: "RCPT"}
		d.post.will(func(_ context.Context, m *mail.Message) error { ids = append(ids, m.ID); return answer })
		events := len(d.journal())
		email := d.message(id)
		begun := d.clock.Now()
		d.deliver()
		for i, pause := range []admitto.Time{1, 5, 15, 60, 60, 60} {
			tried := d.post.Tried()
			d.clock.Add(pause*admitto.Minute - 1)
			if d.deliver(); d.post.Tried() != tried {
				t.Fatalf("try %d came too early", i+2)
			}
			d.clock.Add(1)
			if d.deliver(); d.post.Tried() != tried+1 {
				t.Fatalf("try %d did not come", i+2)
			}
		}
		for d.clock.Now()-begun < 47*admitto.Hour {
			d.clock.Add(admitto.Hour)
			d.deliver()
		}
		if d.count("outbox") != 1 || len(d.since(events)) != 0 {
			t.Fatalf("given up too early: %q", d.since(events))
		}
		for range 2 {
			d.clock.Add(admitto.Hour)
			d.deliver()
		}
		if d.count("outbox") != 0 || d.number("SELECT failed FROM email WHERE id = $1", email) == 0 {
			t.Error("not given up")
		}
		if got := d.since(events); !slices.Equal(got, []string{"E-mail failed: applicant-message"}) {
			t.Errorf("events %q", got)
		}
		if len(slices.Compact(slices.Clone(ids))) != 1 || len(ids) < 50 {
			t.Errorf("%d tries with the IDs %v", len(ids), slices.Compact(ids))
		}
		for _, c := range []struct {
			refusal error
			stays   bool
		}{
			{&mail.Refusal{Code: 550, Step: "RCPT"}, false},
			{&mail.Refusal{Step: "message"}, false},
			{&mail.Refusal{Code: 535, Step: "AUTH"}, true},
			{errors.New("what?"), true},
		} {
			d.post.will(func(context.Context, *mail.Message) error { return c.refusal })
			d.message(id)
			d.deliver()
			if stays := d.count("outbox") == 1; stays != c.stays {
				t.Errorf("%v: stays %t", c.refusal, stays)
			}
			d.post.will(nil)
			d.clock.Add(2 * admitto.Minute)
			d.deliver()
		}
		// A file whose bytes are missing is waited for.
		d.office.UseFiles(drawer{})
		d.message(id, admitto.File{Name: "b", MIME: "text/plain", Hash: "bb"})
		if d.deliver(); d.count("outbox") != 1 {
			t.Error("the mail without its attachment is gone")
		}
		if strings.Contains(d.log.String(), "example.org") {
			t.Error("the log names an address")
		}
	})
}

// A process that dies while it sends leaves the mail to the one who comes after its lease, with the same Message-ID; one
// that wakes up after that does nothing. A mail whose applicant was deleted meanwhile is dropped.
func TestDeliverAfterCrash(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		id := d.create(ilse())
		d.message(id)
		var ids []string
		d.post.will(func(_ context.Context, m *mail.Message) error { ids = append(ids, m.ID); panic("dead") })
		func() {
			defer func() { recover() }()
			_, _ = d.office.DeliverMails(t.Context(), admitto.SystemCaller())
		}()
		d.post.will(func(_ context.Context, m *mail.Message) error { ids = append(ids, m.ID); return nil })
		if d.deliver() != 0 {
			t.Error("taken over before its time")
		}
		d.clock.Add(leaseTime)
		events := len(d.journal())
		if d.deliver() != 1 || ids[0] != ids[1] || len(d.since(events)) != 1 {
			t.Errorf("%v, %q", ids, d.since(events))
		}

		d.message(id)
		events = len(d.journal())
		other := d.another(d.store, &post{}, nil)
		d.post.will(func(context.Context, *mail.Message) error {
			d.clock.Add(leaseTime)
			if n, err := other.DeliverMails(context.Background(), admitto.SystemCaller()); n != 1 || err != nil {
				t.Errorf("the other one: %d, %v", n, err)
			}
			return nil
		})
		if d.deliver() != 0 || len(d.since(events)) != 1 {
			t.Errorf("events %q", d.since(events))
		}

		// Stopping hands the mail back at once.
		d.message(id)
		ctx, stop := context.WithCancel(t.Context())
		d.post.will(func(context.Context, *mail.Message) error { stop(); return ctx.Err() })
		if _, err := d.office.DeliverMails(ctx, admitto.SystemCaller()); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		d.post.will(nil)
		if d.deliver() != 1 {
			t.Error("not handed back")
		}

		email := d.message(id)
		d.write(fmt.Sprintf("UPDATE applicant SET state = 'recovery' WHERE id = %d", id))
		events = len(d.journal())
		if d.deliver() != 0 || d.count("outbox") != 0 || len(d.since(events)) != 0 {
			t.Errorf("%d in the outbox, events %q", d.count("outbox"), d.since(events))
		}
		if n := d.number("SELECT count(*) FROM email WHERE id = $1 AND delivered IS NULL AND failed IS NULL", email); n != 1 {
			t.Error("the copy says that it left")
		}
	})
}

// Several instances deliver at once: each mail leaves once and is told of once.
func TestDeliverTogether(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		id := d.create(ilse())
		events := len(d.journal())
		const mails = 30
		for range mails {
			d.message(id)
		}
		other := d.store
		if d.store.Shared() {
			other = d.connect()
			defer other.Close()
		}
		upstream := &post{}
		var all sync.WaitGroup
		for i := range 4 {
			o := d.another([]*store.Store{d.store, other}[i%2], upstream, nil)
			all.Go(func() {
				if _, err := o.DeliverMails(context.Background(), admitto.SystemCaller()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		ids := map[string]bool{}
		for _, m := range upstream.Taken() {
			ids[m.ID] = true
		}
		if len(ids) != mails || len(upstream.Taken()) != mails || len(d.since(events)) != mails || d.count("outbox") != 0 {
			t.Errorf("%d mails, %d of them different, %d events, %d left", len(upstream.Taken()), len(ids), len(d.since(events)), d.count("outbox"))
		}
	})
}
