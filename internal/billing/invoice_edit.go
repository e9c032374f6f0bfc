package billing

import (
	"context"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// mostWords is how long the texts of an invoice and the reasons of staff are, in characters (resources.md 13.4).
const (
	mostWords  = 4096
	mostReason = 500
)

// InvoiceEdit is what may be changed of an invoice after it was issued (lifecycle.md 6.1).
type InvoiceEdit struct {
	Deadline                 admitto.Date
	Instructions, Smallprint string
	Reminder                 bool
}

// EditInvoice changes what may be changed of an invoice. What stays as it was is not recorded. Errors: not-found,
// changed-meanwhile; invalid-parameter with the paths invoice.deadline, page.invoice.instructions and
// page.invoice.smallprint.
func (s *Service) EditInvoice(ctx context.Context, by usecase.Caller, id int64, in InvoiceEdit) error {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return err
	}
	unseen := by // what it has seen is told with what is wrong
	unseen.Version = 0
	return s.change(ctx, unseen, id, func(tx *store.Tx, i *admitto.Invoice) error {
		was, faults := *i, []admitto.Fault(nil)
		i.Deadline, i.Reminder = in.Deadline, in.Reminder
		switch today := s.core.Today(tx); {
		case i.Deadline.IsZero():
			faults = append(faults, admitto.Fault{Path: "invoice.deadline", Text: message.Of("pasted-no-day")})
		case i.Deadline != was.Deadline && i.Deadline.Before(today):
			faults = append(faults, admitto.Fault{Path: "invoice.deadline", Text: message.Of("deadline-over",
				today)})
		}
		for _, words := range []struct {
			path        admitto.Path
			name, typed string
			to          *string
		}{{"page.invoice.instructions", "instructions", in.Instructions, &i.Instructions},
			{"page.invoice.smallprint", "smallprint", in.Smallprint, &i.Smallprint}} {
			kept, err := text.Multiline(words.typed, 0, mostWords)
			if err != nil {
				faults = append(faults, admitto.Fault{Path: words.path, Text: message.From(err)})
			}
			if *words.to != kept { // its versions say what it said before
				i.Versions = i.Versions.Only(func(name string) bool { return name != words.name })
			}
			*words.to = kept
		}
		var wrong error
		if faults != nil {
			wrong = &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		if err := by.Together(by.Sees(i.RowVersion), wrong); err != nil {
			return err
		}
		if err := by.Checked(); err != nil {
			return err
		}
		details := invoiceChanges(&was, i)
		if details == nil {
			return nil
		}
		if err := tx.SaveInvoice(i); err != nil {
			return err
		}
		recordInvoice(tx, by.Actor, i, admitto.InvoiceEdited, details...)
		return nil
	})
}

// invoiceChanges are the values that an edit has changed.
func invoiceChanges(was, is *admitto.Invoice) (details []admitto.Detail) {
	for _, d := range []admitto.Detail{
		{Path: "/deadline", Old: was.Deadline.String(), New: is.Deadline.String()},
		{Path: "/reminder", Old: strconv.FormatBool(was.Reminder), New: strconv.FormatBool(is.Reminder)},
		{Path: "/instructions", Old: was.Instructions, New: is.Instructions},
		{Path: "/smallprint", Old: was.Smallprint, New: is.Smallprint},
	} {
		if d.Old != d.New {
			details = append(details, d)
		}
	}
	return details
}

// change calls fn with an invoice that nobody else changes meanwhile, and that is as the caller has seen it.
func (s *Service) change(ctx context.Context, by usecase.Caller, id int64,
	fn func(tx *store.Tx, i *admitto.Invoice) error) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		i, err := tx.LockInvoice(id)
		if err != nil {
			return err
		}
		if err := by.Sees(i.RowVersion); err != nil {
			return err
		}
		return fn(tx, &i)
	})
}

// reasonOf reads the reason that staff must give.
func reasonOf(typed string) (string, error) {
	path := admitto.Path("page.invoice.reason")
	if strings.TrimSpace(typed) == "" {
		return "", admitto.Refuse(admitto.InvalidParameter, path, "", message.Of("reason-required"))
	}
	reason, err := text.Multiline(typed, 1, mostReason)
	if err != nil {
		return "", admitto.Refuse(admitto.InvalidParameter, path, "", message.From(err))
	}
	return reason, nil
}

// because is the detail of an event with a reason.
func because(reason string) admitto.Detail { return admitto.Detail{Path: "/reason", New: reason} }

// WaiveInvoice lets an unpaid invoice lapse: nobody pays it any more, and it blocks nothing (lifecycle.md 6.1). One
// that has lapsed stays as it is. Only administrators do it. Errors: not-found, changed-meanwhile, not-allowed-now,
// invalid-parameter with the path page.invoice.reason.
func (s *Service) WaiveInvoice(ctx context.Context, by usecase.Caller, id int64, typed string) error {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return err
	}
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	reason, err := reasonOf(typed)
	if err != nil {
		return err
	}
	return s.change(ctx, by, id, func(tx *store.Tx, i *admitto.Invoice) error {
		switch {
		case i.Lapsed != 0:
			return nil
		case i.Collected != 0:
			return admitto.Refused(admitto.NotAllowedNow, message.Of("invoice-collected", i.Number))
		}
		i.Lapsed = tx.Now()
		if err := tx.SaveInvoice(i); err != nil {
			return err
		}
		recordInvoice(tx, by.Actor, i, admitto.InvoiceLapsed, because(reason))
		return nil
	})
}

// SendInvoice mails an invoice to its payer, for the first time or again. It is no event of the journal: that the mail
// left is (lifecycle.md 10.2). Errors: not-found, changed-meanwhile, not-allowed-now.
func (s *Service) SendInvoice(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return err
	}
	return s.change(ctx, by, id, func(tx *store.Tx, i *admitto.Invoice) error {
		switch { // the mail asks to pay
		case i.Collected != 0:
			return admitto.Refused(admitto.NotAllowedNow, message.Of("invoice-collected", i.Number))
		case i.Lapsed != 0:
			return admitto.Refused(admitto.NotAllowedNow, message.Of("invoice-lapsed"))
		}
		a, err := tx.Applicant(i.Applicant)
		if admitto.KindOf(err) == admitto.NotFound {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("invoice-detached", i.Number))
		}
		if err != nil {
			return err
		}
		p := s.invoiceMail(mail.KindInvoiceDelivery, &a, i)
		p.Invoice, p.Occurrence = i.ID, strconv.FormatInt(int64(tx.Now()), 10)
		email, err := s.notify.Queue(tx, p)
		if err == nil && email != 0 {
			err = tx.SetInvoiceMail(i.ID, email)
		}
		return err
	})
}
