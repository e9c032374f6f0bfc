package servicestest

import (
	"fmt"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services"
)

// Numbered queues a mail to the applicant that names its place in the attachment.
func (d *Desk) Numbered(o *services.Services, applicant int64, n int) {
	d.T.Helper()
	if _, err := d.PostMessage(o, applicant, 0, "", admitto.File{Name: fmt.Sprintf("%03d", n), MIME: "text/plain",
		Hash: "aa"}); err != nil {
		d.T.Fatal(err)
	}
}

// People makes so many applicants, and forgets their welcome mails.
func (d *Desk) People(n int) (ids []int64) {
	d.T.Helper()
	for i := range n {
		ids = append(ids, d.Create(accounts.NewApplicant{Name: admitto.SplitName("Ilse Varga"),
			Email: fmt.Sprintf("p%d@example.org", i)}))
	}
	return ids
}

// Instance is one more office with files, on its own connections where the engine has room for that.
func (d *Desk) Instance(p *Post) *services.Services {
	s := d.Store
	if d.Store.Shared() {
		s = d.Connect()
		d.T.Cleanup(func() { s.Close() })
	}
	o := d.Another(s, p, func(s *config.Settings) { s.Mail.Workers = 4 })
	d.Shelf.Backend = Drawer{d.Shelf.Backend}
	return o
}
