package notify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
)

// A mail leaves with its attachments; its copy, its invoice and the journal learn of it, once.
func TestDeliver(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		if err := d.Store.Seed(t.Context(), "Northfield University", 2026); err != nil {
			t.Fatal(err)
		}
		d.Shelf.Backend = servicestest.Drawer{Backend: d.Shelf.Backend}
		id := d.Create(servicestest.Ilse())
		d.Write(fmt.Sprintf(`INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, payer_name)
			VALUES (77, 'Invoice', 'A1', 1, %d, 1, '2026-04-01', 'EUR', 100, 'Ilse Varga')`, id))
		d.Clock.Add(admitto.Minute)
		events := len(d.Journal())
		var emails []int64
		for range 2 { // the same key
			email, err := d.PostMessage(d.Services, id, 77, "1", admitto.File{Name: "a.txt", MIME: "text/plain", Size: 7,
				Hash: "aa"})
			if err != nil {
				t.Fatal(err)
			}
			emails = append(emails, email)
		}
		if emails[0] == 0 || emails[1] != 0 {
			t.Errorf("e-mails %v", emails)
		}
		select {
		case <-d.Services.Notify.MailsWaiting():
		default:
			t.Error("nobody was woken")
		}
		sent := len(d.Post.Taken())
		if n := d.Number("SELECT coalesce(delivered, 0) FROM email WHERE id = $1", emails[0]); n != 0 {
			t.Error("delivered before it left")
		}
		if n := d.Deliver(); n != 1 {
			t.Fatalf("%d left", n)
		}
		m := d.Post.Taken()[sent]
		if m.To.Email != "Ilse.Varga@example.org" || len(m.Attachments) != 2 || string(m.Attachments[0].Data) != "content" ||
			!bytes.HasPrefix(m.Attachments[1].Data, []byte("%PDF-")) || m.ID == "" {
			t.Errorf("%+v", m)
		}
		now := int64(d.Clock.Now())
		if n := d.Number("SELECT delivered FROM email WHERE id = $1", emails[0]); n != now {
			t.Errorf("delivered %d", n)
		}
		if n := d.Number("SELECT delivered FROM invoice WHERE id = 77"); n != now {
			t.Errorf("the invoice was delivered %d", n)
		}
		if n := d.Number("SELECT row_version FROM invoice WHERE id = 77"); n != 2 {
			t.Errorf("row version %d", n)
		}
		want := []string{"E-mail was sent: applicant-message", "Invoice was delivered"}
		if got := d.Since(events); !slices.Equal(got, want) {
			t.Errorf("events %q", got)
		}
		r := d.Journal()[events]
		if r.Actor.Kind != admitto.BySystem || r.Links.Email == 0 ||
			r.Links != (admitto.Links{Applicant: id, Application: 9, Email: r.Links.Email}) {
			t.Errorf("%+v", r)
		}
		if r := d.Journal()[events+1]; r.Links != (admitto.Links{Applicant: id, Invoice: 77}) {
			t.Errorf("%+v", r)
		}
		if d.Count("outbox") != 0 || d.Deliver() != 0 {
			t.Error("something is left")
		}
		// Delivered once: a second mail about the invoice says nothing of it.
		if _, err := d.PostMessage(d.Services, id, 77, "2"); err != nil {
			t.Fatal(err)
		}
		d.Clock.Add(admitto.Minute)
		d.Deliver()
		if got := d.Since(events + 2); !slices.Equal(got, want[:1]) {
			t.Errorf("events %q", got)
		}
		if n := d.Number("SELECT delivered FROM invoice WHERE id = 77"); n != now {
			t.Errorf("the invoice was delivered again at %d", n)
		}
	})
}

// Temporary refusals are tried again after 1, 5, 15, 60 minutes and then hourly, always with the same Message-ID, for
// 48 hours; a permanent one ends it at once, unless it is about the mail server.
func TestRefusedMails(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		id := d.Create(servicestest.Ilse())
		var ids []string
		answer := &mail.Refusal{Temporary: true, Code: 451, Step: "RCPT"}
		d.Post.Will(func(_ context.Context, m *mail.Message) error { ids = append(ids, m.ID); return answer })
		events := len(d.Journal())
		email := d.Message(id)
		begun := d.Clock.Now()
		d.Deliver()
		for i, pause := range []admitto.Time{1, 5, 15, 60, 60, 60} {
			tried := d.Post.Tried()
			d.Clock.Add(pause*admitto.Minute - 1)
			if d.Deliver(); d.Post.Tried() != tried {
				t.Fatalf("try %d came too early", i+2)
			}
			d.Clock.Add(1)
			if d.Deliver(); d.Post.Tried() != tried+1 {
				t.Fatalf("try %d did not come", i+2)
			}
		}
		for d.Clock.Now()-begun < 47*admitto.Hour {
			d.Clock.Add(admitto.Hour)
			d.Deliver()
		}
		if d.Count("outbox") != 1 || len(d.Since(events)) != 0 {
			t.Fatalf("given up too early: %q", d.Since(events))
		}
		for range 2 {
			d.Clock.Add(admitto.Hour)
			d.Deliver()
		}
		if d.Count("outbox") != 0 || d.Number("SELECT failed FROM email WHERE id = $1", email) == 0 {
			t.Error("not given up")
		}
		if got := d.Since(events); !slices.Equal(got, []string{"E-mail failed: applicant-message"}) {
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
			d.Post.Will(func(context.Context, *mail.Message) error { return c.refusal })
			d.Message(id)
			d.Deliver()
			if stays := d.Count("outbox") == 1; stays != c.stays {
				t.Errorf("%v: stays %t", c.refusal, stays)
			}
			d.Post.Will(nil)
			d.Clock.Add(2 * admitto.Minute)
			d.Deliver()
		}
		// A file whose bytes are missing is waited for.
		d.Shelf.Backend = servicestest.Drawer{Backend: d.Shelf.Backend}
		d.Message(id, admitto.File{Name: "b", MIME: "text/plain", Hash: "bb"})
		if d.Deliver(); d.Count("outbox") != 1 {
			t.Error("the mail without its attachment is gone")
		}
		if strings.Contains(d.Log.String(), "example.org") {
			t.Error("the log names an address")
		}
	})
}

// A process that dies while it sends leaves the mail to the one who comes after its lease, with the same Message-ID;
// one that wakes up after that does nothing. A mail whose applicant was deleted meanwhile is dropped.
func TestDeliverAfterCrash(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		id := d.Create(servicestest.Ilse())
		d.Message(id)
		var ids []string
		d.Post.Will(func(_ context.Context, m *mail.Message) error { ids = append(ids, m.ID); panic("dead") })
		func() {
			defer func() { recover() }()
			_, _ = d.Services.Notify.DeliverMails(t.Context(), admitto.SystemCaller())
		}()
		d.Post.Will(func(_ context.Context, m *mail.Message) error { ids = append(ids, m.ID); return nil })
		if d.Deliver() != 0 {
			t.Error("taken over before its time")
		}
		d.Clock.Add(servicestest.LeaseTime)
		events := len(d.Journal())
		if d.Deliver() != 1 || ids[0] != ids[1] || len(d.Since(events)) != 1 {
			t.Errorf("%v, %q", ids, d.Since(events))
		}

		d.Message(id)
		events = len(d.Journal())
		other := d.Another(d.Store, &servicestest.Post{}, nil)
		d.Post.Will(func(context.Context, *mail.Message) error {
			d.Clock.Add(servicestest.LeaseTime)
			if n, err := other.Notify.DeliverMails(context.Background(), admitto.SystemCaller()); n != 1 || err != nil {
				t.Errorf("the other one: %d, %v", n, err)
			}
			return nil
		})
		if d.Deliver() != 0 || len(d.Since(events)) != 1 {
			t.Errorf("events %q", d.Since(events))
		}

		// Stopping hands the mail back at once.
		d.Message(id)
		ctx, stop := context.WithCancel(t.Context())
		d.Post.Will(func(context.Context, *mail.Message) error { stop(); return ctx.Err() })
		if _, err := d.Services.Notify.DeliverMails(ctx, admitto.SystemCaller()); err != nil &&
			!errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		d.Post.Will(nil)
		if d.Deliver() != 1 {
			t.Error("not handed back")
		}

		email := d.Message(id)
		d.Write(fmt.Sprintf("UPDATE applicant SET state = 'recovery' WHERE id = %d", id))
		events = len(d.Journal())
		if d.Deliver() != 0 || d.Count("outbox") != 0 || len(d.Since(events)) != 0 {
			t.Errorf("%d in the outbox, events %q", d.Count("outbox"), d.Since(events))
		}
		if n := d.Number("SELECT count(*) FROM email WHERE id = $1 AND delivered IS NULL AND failed IS NULL", email); n != 1 {
			t.Error("the copy says that it left")
		}
	})
}

// Several instances deliver at once: each mail leaves once and is told of once.
func TestDeliverTogether(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		id := d.Create(servicestest.Ilse())
		events := len(d.Journal())
		const mails = 30
		for range mails {
			d.Message(id)
		}
		other := d.Store
		if d.Store.Shared() {
			other = d.Connect()
			defer other.Close()
		}
		mailer := &servicestest.Post{}
		var all sync.WaitGroup
		for i := range 4 {
			o := d.Another([]*store.Store{d.Store, other}[i%2], mailer, nil)
			all.Go(func() {
				if _, err := o.Notify.DeliverMails(context.Background(), admitto.SystemCaller()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		ids := map[string]bool{}
		for _, m := range mailer.Taken() {
			ids[m.ID] = true
		}
		if len(ids) != mails || len(mailer.Taken()) != mails || len(d.Since(events)) != mails || d.Count("outbox") != 0 {
			t.Errorf("%d mails, %d of them different, %d events, %d left", len(mailer.Taken()), len(ids), len(d.Since(events)),
				d.Count("outbox"))
		}
	})
}
