package billing

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Reversal takes a transaction back, or a part of it.
type Reversal struct {
	Amount admitto.Hundredths // above 0
	Day    admitto.Date       // on which it was paid back; zero: today
	Reason string
}

// ReverseTransaction books a negative transaction against one (lifecycle.md I5): at most what is left of it, with a
// reason. When the invoice is no longer paid by that, it is no longer collected, and blocks again. Only administrators
// do it. Errors: not-found, changed-meanwhile; invalid-parameter with the paths payment.amount, payment.day and
// page.invoice.reason; not-allowed-now.
func (s *Service) ReverseTransaction(ctx context.Context, by usecase.Caller, id int64,
	in Reversal) (t admitto.Transaction, err error) {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return t, err
	}
	if err := by.AdministratorOnly(); err != nil {
		return t, err
	}
	reason, reasonless := reasonOf(in.Reason)
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		taken, err := tx.Transaction(id)
		if err != nil {
			return err
		}
		i, err := tx.LockInvoice(taken.Invoice)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(i.Transactions, func(t admitto.Transaction) bool { return t.ID == id })
		if at < 0 {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		taken = i.Transactions[at]
		t = admitto.Transaction{Invoice: i.ID, Administrator: by.Actor.ID, Amount: -in.Amount, Currency: i.Currency,
			Inserted: tx.Now(), Collected: in.Day, Reverses: id}
		if t.Collected.IsZero() {
			t.Collected = s.core.Today(tx)
		}
		faults := append(faultsOf(reasonless), i.CheckPayment(in.Amount, "", t.Collected, s.core.Today(tx))...)
		err = refuseReversal(&i, &taken, in.Amount)
		if faults != nil {
			err = &admitto.Error{Kind: admitto.InvalidParameter, Faults: append(faults, faultsOf(err)...)}
		}
		if err := by.Together(by.Sees(i.RowVersion), err); err != nil {
			return err
		}
		if err := by.Checked(); err != nil {
			return err
		}
		if err := s.addReversal(tx, by.Actor, &i, &t, reason); err != nil {
			return err
		}
		return by.Made(tx, t.ID)
	})
	return t, err
}

// faultsOf are the faults of a refusal, nil for none.
func faultsOf(err error) []admitto.Fault {
	if e, refused := errors.AsType[*admitto.Error](err); refused {
		return slices.Clip(e.Faults)
	}
	return nil
}

// refuseReversal says why a transaction is not taken back by so much.
func refuseReversal(i *admitto.Invoice, taken *admitto.Transaction, amount admitto.Hundredths) error {
	switch left := i.LeftOf(taken); {
	case taken.Amount <= 0:
		return admitto.Refused(admitto.NotAllowedNow, message.Of("reversal-of-reversal"))
	case amount > left:
		return admitto.Refuse(admitto.NotAllowedNow, "payment.amount", "",
			message.Of("over-reversal", left, i.Currency, amount))
	}
	return nil
}

// addReversal stores a reversal that is allowed.
func (s *Service) addReversal(tx *store.Tx, actor admitto.Actor, i *admitto.Invoice, t *admitto.Transaction,
	reason string) (err error) {
	i.Paid += t.Amount
	reverted := i.Collected != 0 && i.Paid < i.Total
	if reverted {
		i.Collected = 0
	}
	if err := tx.LockOrder(); err != nil {
		return err
	}
	if t.ID, err = tx.InsertTransaction(t, i.Paid, i.Collected); err != nil {
		return err
	}
	tx.Record(actor, admitto.Event{Pattern: admitto.TransactionAdded, Bind: []string{strconv.FormatInt(t.ID, 10)},
		Links:   admitto.Links{Applicant: i.Applicant, Application: i.Application, Invoice: i.ID},
		Details: []admitto.Detail{because(reason)}})
	if reverted {
		recordInvoice(tx, actor, i, admitto.InvoiceCollectionReverted)
	}
	return nil
}
