package notify_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// failing queues a message that the mail server refuses for good.
func failing(d *servicestest.Desk, applicant, invoice int64, files ...admitto.File) (email int64, sent mail.Message) {
	d.T.Helper()
	d.Post.Will(func(_ context.Context, m *mail.Message) error {
		sent = *m
		return &mail.Refusal{Code: 550, Step: "RCPT", Said: "No such user"}
	})
	email, err := d.PostMessage(d.Services, applicant, invoice, "again", files...)
	d.Must(err)
	d.Deliver()
	d.Post.Will(nil)
	return email, sent
}

// A mail that was given up is sent again as it was, with its files and its ID, to the address that the applicant has by
// then; its invoice learns of it. The second one finds it on its way, or delivered. Repeating is no event.
func TestSendAgain(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Must(d.Store.Seed(t.Context(), "Northfield University", 2026))
		d.Shelf.Backend = servicestest.Drawer{Backend: d.Shelf.Backend}
		id := d.Create(servicestest.Ilse())
		d.Write(fmt.Sprintf(`INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, payer_name)
			VALUES (77, 'Invoice', 'A1', 1, %d, 1, '2026-04-01', 'EUR', 100, 'Ilse Varga')`, id))
		d.Clock.Add(admitto.Minute)
		email, first := failing(d, id, 77, admitto.File{Name: "a.txt", MIME: "text/plain", Size: 7, Hash: "aa"})
		if got := d.Lines(fmt.Sprintf("SELECT template || ' ' || application_id || ' ' || recipient || ' ' || tries || ' ' || reply FROM email WHERE id = %d",
			email)); got != "applicant-message 9 Ilse.Varga@example.org 1 550 No such user" {
			t.Errorf("the copy has %q", got)
		}
		again := func() error { return d.Services.Notify.SendAgain(t.Context(), servicestest.Staff(), email) }
		d.Write(fmt.Sprintf("UPDATE applicant SET email = 'new@example.org', email_key = 'new@example.org' WHERE id = %d",
			id))
		events := len(d.Journal())
		d.Clock.Add(100 * admitto.Hour)
		d.Must(again())
		if d.Number("SELECT count(*) FROM failed_mail") != 0 ||
			d.Number("SELECT coalesce(failed, 0) FROM email WHERE id = $1", email) != 0 {
			t.Error("the mail still counts as failed")
		}
		if refused := servicestest.WantKind(t, again(), admitto.NotAllowedNow); refused.Text.Code != "mail-on-its-way" {
			t.Error(refused.Text)
		}
		if got := d.Since(events); len(got) != 0 {
			t.Errorf("events %q", got)
		}
		sent := len(d.Post.Taken())
		if n := d.Deliver(); n != 1 {
			t.Fatalf("%d left", n)
		}
		m := d.Post.Taken()[sent]
		if m.ID != first.ID || m.Subject != first.Subject || m.HTML != first.HTML || m.To.Email != "new@example.org" ||
			len(m.Attachments) != 2 ||
			!m.Date.Equal(d.Clock.Now().Std()) {
			t.Errorf("%+v", m)
		}
		if got := d.Since(events); !slices.Equal(got,
			[]string{"E-mail was sent: applicant-message", "Invoice was delivered"}) {
			t.Errorf("events %q", got)
		}
		if got := d.Lines(fmt.Sprintf("SELECT recipient || ' ' || tries || '.' || reply || ' ' || (delivered = %d) FROM email WHERE id = %d",
			d.Clock.Now(), email)); got != "new@example.org 2. 1" && got != "new@example.org 2. true" {
			t.Errorf("the copy has %q", got)
		}
		if refused := servicestest.WantKind(t, again(), admitto.NotAllowedNow); refused.Text.Code != "mail-delivered" {
			t.Error(refused.Text)
		}

		// What fails once more can be sent once more; what a release before has given up goes by its copy.
		email, _ = failing(d, id, 0)
		d.Post.Will(func(context.Context, *mail.Message) error { return &mail.Refusal{Code: 552, Step: "RCPT"} })
		d.Must(again())
		d.Deliver()
		d.Post.Will(nil)
		d.Write("DELETE FROM failed_mail")
		d.Must(again())
		if d.Deliver() != 1 {
			t.Error("it did not leave by its copy")
		}
		m = d.Post.Taken()[len(d.Post.Taken())-1]
		if m.Text != first.Text || m.HTML == "" || m.To.Email != "new@example.org" {
			t.Errorf("%+v", m)
		}
		d.Chained()
	})
}

// Of several who send a mail again at once, one does, and it leaves once.
func TestSendAgainTogether(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		id := d.Create(servicestest.Ilse())
		email, _ := failing(d, id, 0)
		var done atomic.Int64
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				err := d.Services.Notify.SendAgain(t.Context(), servicestest.Staff(), email)
				if err == nil {
					done.Add(1)
				} else if admitto.KindOf(err) != admitto.NotAllowedNow {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if done.Load() != 1 || d.Count("outbox") != 1 || d.Deliver() != 1 {
			t.Errorf("%d of them did, %d wait", done.Load(), d.Count("outbox"))
		}
	})
}

// What cannot be sent again says why, and changes nothing.
func TestSendAgainRefused(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		again := func(email int64) error { return d.Services.Notify.SendAgain(t.Context(), servicestest.Staff(), email) }
		d.Post.Will(func(context.Context, *mail.Message) error { return &mail.Refusal{Code: 550, Step: "RCPT"} })
		d.Must(d.Services.Accounts.SendSignInLink(t.Context(), servicestest.Staff(), 1))
		d.Deliver()
		secret := d.Number("SELECT max(id) FROM email")
		if refused := servicestest.WantKind(t, again(secret),
			admitto.NotAllowedNow); refused.Text.Code != "mail-secret-gone" {
			t.Error(refused.Text)
		}
		servicestest.WantKind(t, again(12345), admitto.NotFound)
		email, _ := failing(d, 1, 0)
		without := servicestest.Staff()
		without.Permissions = admitto.PermissionsOf(admitto.ApplicantsEdit)
		servicestest.WantKind(t, d.Services.Notify.SendAgain(t.Context(), without, email), admitto.NotPermitted)
		d.Must(d.Services.Privacy.DeleteApplicant(t.Context(), servicestest.Staff(), 1))
		servicestest.WantKind(t, again(email), admitto.NotFound)
		if d.Count("outbox") != 0 || d.Number("SELECT count(*) FROM failed_mail") != 1 {
			t.Error("something changed")
		}
		d.Must(d.Services.Privacy.RestoreApplicant(t.Context(), servicestest.Staff(), 1, ""))
		d.Must(again(email))
		if d.Deliver() != 1 {
			t.Error("it did not leave after the restoring")
		}
		d.Must(d.Services.Privacy.DeleteApplicant(t.Context(), servicestest.Staff(), 1))
	})
}
