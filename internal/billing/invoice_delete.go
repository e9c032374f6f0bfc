package billing

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// DeleteInvoice deletes an invoice that nobody has paid towards, outside of permanent series (lifecycle.md I6); its
// number stays in the register and is never given again. Errors: not-found, not-allowed-now with the codes
// invoice-has-transactions and series-permanent.
func (s *Service) DeleteInvoice(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		i, err := tx.LockInvoice(id)
		if err != nil {
			return err
		}
		if err := by.Sees(i.RowVersion); err != nil {
			return err
		}
		series, err := tx.SeriesOrDefault(i.Series.ID)
		if err != nil {
			return err
		}
		var faults []admitto.Fault
		if len(i.Transactions) > 0 {
			faults = append(faults, admitto.Fault{Code: "invoice-has-transactions",
				Text: message.Of("invoice-has-transactions", i.Number)})
		}
		if series.Permanent {
			faults = append(faults, admitto.Fault{Code: "series-permanent", Text: message.Of("series-permanent", series.Name)})
		}
		if faults != nil {
			return &admitto.Error{Kind: admitto.NotAllowedNow, Text: message.Of("invoice-not-deletable", i.Number),
				Faults: faults}
		}
		if err := tx.DeleteInvoice(id); err != nil {
			return err
		}
		recordInvoice(tx, by.Actor, &i, admitto.InvoiceDeleted)
		return nil
	})
}
