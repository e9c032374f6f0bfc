package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// MailsWaiting returns a channel that is filled when a transaction of this instance has queued a mail, or there may be
// more mails than the workers that are at it.
func (s *Service) MailsWaiting() <-chan struct{} { return s.core.MailsWaiting() }

// DeliverMails sends the ordinary e-mails of the outbox that are due (lifecycle.md 8.1), one after the other, and
// returns how many left. Any number of workers of any instance may call it at any time: each mail is taken under a
// lease, and those to one recipient are taken in their order. A mail that the mail server refuses waits for its next
// try; it is no error.
func (s *Service) DeliverMails(ctx context.Context, by admitto.Caller) (sent int, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return sent, err
	}
	for {
		var rows []store.OutboxRow
		var more bool
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			rows, more, err = tx.LeaseOutbox(store.OrdinaryMail, 1, tx.Now(), tx.Now()+s.LeaseTime())
			return err
		})
		if err != nil || !more {
			return sent, err
		}
		if len(rows) == 0 {
			continue
		}
		s.core.WakeMails() // where one mail was, the next worker may find another
		left, err := s.deliverMail(ctx, &rows[0])
		if left {
			sent++
		}
		if err != nil {
			return sent, err
		}
	}
}

// deliverMail sends one mail that this instance holds the lease of, and keeps what came of it.
func (s *Service) deliverMail(ctx context.Context, row *store.OutboxRow) (left bool, err error) {
	r := MailLease{Outbox: row.ID, Lease: row.Lease}
	wanted, err := s.mailStillWanted(ctx, row)
	if err != nil || !wanted {
		return false, err
	}
	var queued queuedMail
	plain, err := s.key.Open(SealedMail, row.Sealed)
	if err == nil {
		err = json.Unmarshal(plain, &queued)
	}
	if err != nil {
		// Cannot happen while the instance key is the one the database remembers; leave the row alone.
		s.log.Error("a waiting mail cannot be opened", "outbox", row.ID, "cause", err)
		return false, s.Postpone(ctx, r, RetryAfter[len(RetryAfter)-1])
	}
	made, refused := s.sendQueued(ctx, &queued)
	lasting := context.WithoutCancel(ctx) // what the mail server said must be kept, no matter who stops
	var copies *mail.CopiesRefused
	left = refused == nil || errors.As(refused, &copies)
	if !left && ctx.Err() != nil {
		return false, s.Postpone(lasting, r, 0) // stopping: the next start goes on at once
	}
	files := s.keepMade(lasting, row.Email, made)
	defer files.end(lasting)
	if left {
		return s.mailLeft(lasting, r, row, &queued, files, copies)
	}
	return false, s.mailRefused(lasting, r, row, &queued, files, refused)
}

// MailLease is a mail of the outbox that this instance holds for a while.
type MailLease struct{ Outbox, Lease int64 }

// mailStillWanted drops the mail when its applicant was deleted meanwhile.
func (s *Service) mailStillWanted(ctx context.Context, row *store.OutboxRow) (wanted bool, err error) {
	if row.Applicant == 0 {
		return true, nil
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error { return tx.HasApplicant(row.Applicant) })
	if err == nil || admitto.KindOf(err) != admitto.NotFound {
		return err == nil, err
	}
	return false, s.core.Write(ctx, func(tx *store.Tx) error {
		if held, err := tx.HoldsLease(row.ID, row.Lease); err != nil || !held {
			return err
		}
		return tx.DeleteOutbox(row.ID)
	})
}

// sendQueued fetches the attachments and hands the mail to the mail server. It returns those that were made for it.
func (s *Service) sendQueued(ctx context.Context, queued *queuedMail) (made []mail.Attachment, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.core.Settings().Mail.SyncTimeout)
	defer cancel()
	message := queued.Message
	if made, err = s.made(ctx, queued); err != nil {
		return nil, err
	}
	stored, err := s.stored(ctx, queued)
	if err != nil {
		return nil, err
	}
	message.Attachments = append(stored, made...)
	copies := &mail.CopiesRefused{}
	message.Bcc = nil
	for _, address := range queued.Message.Bcc { // those of offer types are as staff typed them
		if ascii, err := text.EmailASCII(address); err == nil {
			message.Bcc = append(message.Bcc, ascii)
		} else {
			copies.Copies = append(copies.Copies, mail.RefusedCopy{Email: address})
		}
	}
	err = s.SendNow(ctx, &message)
	var refused *mail.CopiesRefused
	if errors.As(err, &refused) {
		copies.Copies = append(copies.Copies, refused.Copies...)
	}
	if copies.Copies != nil && (err == nil || refused != nil) {
		return made, copies
	}
	return made, err
}

// made are the attachments that are kept nowhere before the mail leaves. An invoice that was deleted meanwhile does not
// go along.
func (s *Service) made(ctx context.Context, queued *queuedMail) ([]mail.Attachment, error) {
	list := slices.Clone(queued.Message.Attachments)
	if queued.Invoice == 0 {
		return list, nil
	}
	name, data, err := s.papers.InvoicePDF(ctx, admitto.SystemCaller(), queued.Invoice)
	if admitto.KindOf(err) == admitto.NotFound {
		return list, nil
	}
	return append(list, mail.Attachment{Name: name, Type: "application/pdf", Data: data}), err
}

// stored are the attachments that are files.
func (s *Service) stored(ctx context.Context, queued *queuedMail) (list []mail.Attachment, err error) {
	for i := range queued.Files {
		f := &queued.Files[i]
		data, err := s.bytesOf(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("the attachment %s: %w", f.Hash, err)
		}
		list = append(list, mail.Attachment{Name: f.Name, Type: f.MIME, Data: data})
	}
	return list, nil
}

// bytesOf reads a whole file.
func (s *Service) bytesOf(ctx context.Context, f *admitto.File) ([]byte, error) {
	r, err := s.files.OpenFile(ctx, admitto.SystemCaller(), f)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// mailLeft keeps that the mail server took the mail: the sealed text goes, the copy, the invoice and the journal
// learn of it, and of the blind copies that were refused. A lease that was lost meanwhile does nothing; its next holder
// tells the same.
func (s *Service) mailLeft(ctx context.Context, r MailLease, row *store.OutboxRow, queued *queuedMail,
	files *madeFiles, copies *mail.CopiesRefused) (held bool, err error) {
	if copies != nil {
		s.log.Warn("blind copies of a mail were refused", "outbox", row.ID, "template", row.Template, "cause", copies)
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		// The invoice before the outbox, as everybody does who holds both.
		if queued.Invoice != 0 {
			if err := tx.LockInvoiceRow(queued.Invoice); err != nil {
				return err
			}
		}
		if held, err = tx.HoldsLease(r.Outbox, r.Lease); err != nil || !held {
			return err
		}
		if err := tx.DeleteOutbox(r.Outbox); err != nil {
			return err
		}
		if row.Email != 0 {
			if err := tx.SetEmailDelivered(row.Email, tx.Now()); err != nil {
				return err
			}
		}
		if err := files.attach(tx); err != nil {
			return err
		}
		links := queued.Links
		links.Email = row.Email
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailSent, Bind: []string{row.Template}, Links: links})
		if err := copiesFailed(tx, row, links, copies); err != nil {
			return err
		}
		if queued.Invoice == 0 {
			return nil
		}
		links, first, err := tx.DeliverInvoice(queued.Invoice)
		if first {
			tx.Record(admitto.System(), admitto.Event{Pattern: admitto.InvoiceDelivered, Links: links})
		}
		return err
	})
	return held, err
}

// wordsOf are what staff who may read the mail are shown of a refusal. A filter may repeat a link that lets somebody
// in: addresses of this instance are taken out.
func (s *Service) wordsOf(refused error) string {
	var refusal *mail.Refusal
	if !errors.As(refused, &refusal) {
		return ""
	}
	_, own, _ := strings.Cut(strings.ToLower(s.core.Links().Home()), "://")
	words := strings.Fields(refusal.Words())
	for i, word := range words {
		if strings.Contains(strings.ToLower(word), own+"/") {
			words[i] = admitto.SecretRemoved
		}
	}
	return strings.Join(words, " ")
}

// IsTemporary reports whether sending the same mail again may help.
func IsTemporary(refused error) bool {
	var refusal *mail.Refusal
	return !errors.As(refused, &refusal) || refusal.Temporary || slices.Contains(aboutMailer[:], refusal.Step)
}
