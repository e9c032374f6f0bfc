package billing

import (
	"context"
	"fmt"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// NewPayment is a payment towards an invoice (resources.md 13.6).
type NewPayment struct {
	Amount    admitto.Hundredths
	Currency  string       // "": that of the invoice
	Collected admitto.Date // day of payment; zero: today
	// Surplus lets an administrator record more than is due (lifecycle.md I2).
	Surplus bool
}

// CollectInvoice adds a payment to an invoice; when it is paid, that is told to the payer, and to the administrator
// who asked for it (lifecycle.md 6.3). Errors: not-found; invalid-parameter with amount-invalid, currency-mismatch;
// not-allowed-now with over-payment, invoice-lapsed.
func (s *Service) CollectInvoice(ctx context.Context, by usecase.Caller, invoice int64,
	in NewPayment) (t admitto.Transaction, err error) {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return t, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		i, err := tx.LockInvoice(invoice)
		if err != nil {
			return err
		}
		t = admitto.Transaction{Invoice: i.ID, Amount: in.Amount, Currency: i.Currency, Inserted: tx.Now(),
			Collected: in.Collected}
		if t.Collected.IsZero() {
			t.Collected = s.core.Today(tx)
		}
		var wrong error
		if faults := i.CheckPayment(in.Amount, in.Currency, t.Collected, s.core.Today(tx)); faults != nil {
			wrong = &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		if err := by.Together(by.Sees(i.RowVersion), wrong, refusePayment(&i, in.Amount,
			in.Surplus && by.Actor.Kind == admitto.ByAdministrator)); err != nil {
			return err
		}
		if err := by.Checked(); err != nil {
			return err
		}
		if by.Actor.Kind == admitto.ByAdministrator {
			t.Administrator = by.Actor.ID
		}
		if err := s.addPayment(tx, by.Actor, &i, &t); err != nil {
			return err
		}
		return by.Made(tx, t.ID)
	})
	return t, err
}

// refusePayment says why the invoice takes no such payment now, all reasons at once.
func refusePayment(i *admitto.Invoice, amount admitto.Hundredths, surplus bool) error {
	var faults []admitto.Fault
	if i.Lapsed != 0 && i.Collected == 0 {
		faults = append(faults, admitto.Fault{Code: "invoice-lapsed", Text: message.Of("invoice-lapsed")})
	}
	if amount > i.Due() && !surplus {
		faults = append(faults, admitto.Fault{Code: "over-payment",
			Text: message.Of("over-payment", i.Due(), i.Currency, amount)})
	}
	if faults == nil {
		return nil
	}
	return &admitto.Error{Kind: admitto.NotAllowedNow, Text: message.Of("payment-not-taken", i.Number), Faults: faults}
}

// addPayment stores a payment that is allowed, and what follows when the invoice is paid.
func (s *Service) addPayment(tx *store.Tx, actor admitto.Actor, i *admitto.Invoice,
	t *admitto.Transaction) (err error) {
	i.Paid += t.Amount
	wasCollected := i.Collected != 0
	if i.Paid >= i.Total && !wasCollected {
		i.Collected = tx.Now()
	}
	if err := tx.LockOrder(); err != nil {
		return err
	}
	if t.ID, err = tx.InsertTransaction(t, i.Paid, i.Collected); err != nil {
		return err
	}
	tx.Record(actor, admitto.Event{Pattern: admitto.TransactionAdded, Bind: []string{strconv.FormatInt(t.ID, 10)},
		Links: admitto.Links{Applicant: i.Applicant, Application: i.Application, Invoice: i.ID}})
	switch {
	case wasCollected: // a surplus behind the end
		return nil
	case i.Collected == 0:
		recordInvoice(tx, actor, i, admitto.InvoicePartlyCollected)
		return nil
	}
	recordInvoice(tx, actor, i, admitto.InvoiceCollected)
	return s.tellCollected(tx, i)
}

// tellCollected thanks the payer, and tells the administrator who wanted to know. Nobody is written to about an
// applicant who was deleted or erased.
func (s *Service) tellCollected(tx *store.Tx, i *admitto.Invoice) error {
	applicant, err := tx.Applicant(i.Applicant)
	if err == nil {
		_, err = s.notify.Queue(tx, s.invoiceMail(mail.KindInvoiceCollected, &applicant, i))
	} else if admitto.KindOf(err) == admitto.NotFound {
		err = nil
	}
	if err != nil || !i.Notify || i.Administrator == 0 {
		return err
	}
	issuer, err := tx.Administrator(i.Administrator)
	if admitto.KindOf(err) == admitto.NotFound {
		return nil // has left meanwhile
	}
	if err != nil {
		return err
	}
	ascii, err := text.EmailASCII(issuer.Email)
	if err != nil {
		return nil // the address was typed by staff, and a payment must not fail for it
	}
	words := fmt.Sprintf("The invoice %s over %s %s is paid.\n\n%s\n", i.Number, i.Total, i.Currency,
		s.core.Links().InvoiceCard(i.ID))
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindInvoiceCollected,
		To: &mail.Address{Name: issuer.Name, Email: ascii}, Application: i.Application,
		Record: i.ID, Occurrence: "issuer",
		Rendered: &mail.Rendered{Subject: "Invoice " + i.Number + " is paid", Text: words}})
	return err
}
