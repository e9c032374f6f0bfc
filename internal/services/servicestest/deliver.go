package servicestest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// Deliver sends what is due and returns how many mails left.
func (d *Desk) Deliver() int {
	d.T.Helper()
	n, err := d.Services.Notify.DeliverMails(d.T.Context(), admitto.SystemCaller())
	if err != nil {
		d.T.Fatal(err)
	}
	return n
}

// Write changes the database by hand.
func (d *Desk) Write(statements ...string) {
	d.T.Helper()
	err := d.Store.Write(d.T.Context(), func(tx *store.Tx) error {
		for _, sql := range statements {
			if _, err := sqltest.In(tx).Exec(sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return nil
	})
	if err != nil {
		d.T.Fatal(err)
	}
}

// Since returns the events after the record, filled in.
func (d *Desk) Since(record int) (list []string) {
	for _, r := range d.Journal()[record:] {
		list = append(list, r.Filled())
	}
	return list
}

// Message queues a mail to the applicant.
func (d *Desk) Message(applicant int64, files ...admitto.File) int64 {
	d.T.Helper()
	email, err := d.PostMessage(d.Services, applicant, 0, "", files...)
	if err != nil || email == 0 {
		d.T.Fatal(email, err)
	}
	return email
}

// PostMessage queues an applicant-message, with everything a mail can have.
func (d *Desk) PostMessage(o *services.Services, applicant, invoice int64, occurrence string,
	files ...admitto.File) (email int64, err error) {
	err = o.Core.Write(d.T.Context(), func(tx *store.Tx) error {
		a, err := tx.LockApplicant(applicant)
		if err != nil {
			return err
		}
		email, err = o.Notify.Queue(tx, notify.OutgoingMail{Template: mail.KindApplicantMessage, Applicant: &a,
			Application: 9, Invoice: invoice,
			Record: invoice, Occurrence: occurrence, Files: files})
		return err
	})
	return email, err
}

// Drawer is a store of files with one file.
type Drawer struct{ files.Backend }

func (Drawer) Open(_ context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	if hash != "aa" {
		return nil, 0, &admitto.Error{Kind: admitto.NotFound}
	}
	return struct {
		io.ReadSeeker
		io.Closer
	}{bytes.NewReader([]byte("content")), io.NopCloser(nil)}, 7, nil
}

// Full is a store of files that takes nothing more.
type Full struct{ files.Backend }

func (Full) Keep(context.Context, string, int64, io.Reader) error { return errors.New("no space left") }
