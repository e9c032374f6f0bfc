package billing

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// LapseInvoices lapses the automatic invoices of a locked application that are not collected (lifecycle.md 6.1, T12,
// T14); what was paid towards one stays on it.
func (s *Service) LapseInvoices(tx *store.Tx, actor admitto.Actor, application int64) error {
	list, err := tx.LapseInvoices(application, tx.Now())
	for i := range list {
		recordInvoice(tx, actor, &list[i], admitto.InvoiceLapsed)
	}
	return err
}

// ReviveInvoices makes invoices of a locked application payable again that lapsed with its closing.
func (s *Service) ReviveInvoices(tx *store.Tx, actor admitto.Actor, application int64, invoices []int64) error {
	if len(invoices) == 0 {
		return nil
	}
	list, err := tx.ReviveInvoices(application, invoices)
	for i := range list {
		recordInvoice(tx, actor, &list[i], admitto.InvoiceRevived)
	}
	return err
}

// ReviveInvoice makes a lapsed invoice payable again (lifecycle.md I4); one that has not lapsed stays as it is. Only
// administrators do it. Errors: not-found, not-allowed-now with the code fee-charged when the same fee was charged
// again meanwhile.
func (s *Service) ReviveInvoice(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if by.Actor.Kind != admitto.ByAdministrator {
			return admitto.Refused(admitto.NotPermitted, message.Of("revival-by-administrator"))
		}
		found, err := tx.Invoice(id)
		if err != nil {
			return err
		}
		// The application comes first, as for everybody who charges its fees; deleted ones keep their invoices.
		if found.Application != 0 {
			if _, _, err := tx.LockApplication(found.Application); err != nil && admitto.KindOf(err) != admitto.NotFound {
				return err
			}
		}
		i, err := tx.LockInvoice(id)
		if err != nil {
			return err
		}
		if err := by.Sees(i.RowVersion); err != nil || i.Lapsed == 0 {
			return err
		}
		if i.Fee != 0 {
			again, err := tx.HasFeeInvoice(i.Fee, i.Application, i.Course)
			if err != nil {
				return err
			}
			if again {
				return &admitto.Error{Kind: admitto.NotAllowedNow, Text: message.Of("invoice-not-revivable", i.Number),
					Faults: []admitto.Fault{{Code: "fee-charged", Text: message.Of("fee-charged")}}}
			}
		}
		if err := tx.ReviveInvoice(id); err != nil {
			return err
		}
		recordInvoice(tx, by.Actor, &i, admitto.InvoiceRevived)
		return nil
	})
}
