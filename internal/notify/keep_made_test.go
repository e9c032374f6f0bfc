package notify_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
)

// What is made for a mail stays with its copy, once, whatever becomes of the mail: who never got it finds it in the
// portal (screens.md P20).
func TestCopyKeepsWhatWasMade(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		if err := d.Store.Seed(t.Context(), "Northfield University", 2026); err != nil {
			t.Fatal(err)
		}
		id := d.Create(servicestest.Ilse())
		d.Write(fmt.Sprintf(`INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, payer_name)
			VALUES (77, 'Invoice', '2026/1', 1, %d, 1, '2026-04-01', 'EUR', 100, 'Ilse Varga')`, id))
		shelf := d.Shelf.Backend
		later, never := &mail.Refusal{Temporary: true, Code: 451, Step: "RCPT"}, &mail.Refusal{Code: 550, Step: "RCPT"}
		for n, c := range []struct {
			name    string
			answers []error
			full    bool
			want    []string
		}{
			{"taken", []error{nil}, false, []string{"Invoice-2026-1.pdf"}},
			{"taken later", []error{later, later, nil}, false, []string{"Invoice-2026-1.pdf"}},
			{"given up", []error{never}, false, []string{"Invoice-2026-1.pdf"}},
			{"given up later", []error{later, never}, false, []string{"Invoice-2026-1.pdf"}},
			// It is in the mailbox: nothing to send again for.
			{"taken without room", []error{nil}, true, nil},
		} {
			if d.Shelf.Backend = shelf; c.full {
				d.Shelf.Backend = servicestest.Full{Backend: shelf}
			}
			var sent []byte
			answers := c.answers
			d.Post.Will(func(_ context.Context, m *mail.Message) error {
				sent = m.Attachments[0].Data
				answer := answers[0]
				answers = answers[1:]
				return answer
			})
			email, err := d.PostMessage(d.Services, id, 77, fmt.Sprint(n))
			if err != nil {
				t.Fatal(err)
			}
			for len(answers) > 0 {
				d.Deliver()
				d.Clock.Add(admitto.Hour)
			}
			if d.Count("outbox") != 0 {
				t.Fatalf("%s: it still waits", c.name)
			}
			var files []admitto.File
			if err := d.Store.Read(t.Context(), func(tx *store.Tx) (err error) {
				files, err = tx.EmailAttachments(email)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			var names []string
			for i := range files {
				names = append(names, files[i].Name)
				r, err := d.Services.Files.OpenFile(t.Context(), admitto.SystemCaller(), &files[i])
				if err != nil {
					t.Fatal(err)
				}
				kept, err := io.ReadAll(r)
				if err = errors.Join(err, r.Close()); err != nil || !slices.Equal(kept, sent) || files[i].Size != int64(len(sent)) {
					t.Errorf("%s: other bytes were kept, %v", c.name, err)
				}
			}
			if !slices.Equal(names, c.want) {
				t.Errorf("%s: %q went with the copy, want %q", c.name, names, c.want)
			}
		}
		if n := d.Count("loose_file"); n != 0 {
			t.Errorf("%d files are loose", n)
		}
	})
}
