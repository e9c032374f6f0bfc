package load

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// Invoices stores invoices with their items under their own IDs and the numbers they have; InsertNumbers
// registers those.
func Invoices(tx *store.Tx, list []admitto.Invoice) error {
	if err := rows(tx, columns.WholeInvoice, list); err != nil {
		return err
	}
	for i := range list {
		sql(tx).CountInvoice(list[i].ID)
	}
	return parts(tx, columns.InvoiceItem, list, func(i *admitto.Invoice) []columns.Part[admitto.InvoiceItem] {
		return columns.Parts(i.ID, i.Items)
	})
}

// Series stores series of invoices next to the seeded one.
func Series(tx *store.Tx, list []admitto.Series) error { return rows(tx, columns.Series, list) }

// SetSeriesLast tells the series their last number and when it was given.
func SetSeriesLast(tx *store.Tx, list []admitto.Series) error {
	return each(tx, "UPDATE invoice_series SET last_issued = $2, last_number = $3 WHERE id = $1", list,
		func(s *admitto.Series, row []any) []any { return append(row, s.ID, s.LastIssued, s.LastNumber) })
}

// Transactions stores payments; the invoices have their sums already.
func Transactions(tx *store.Tx, list []admitto.Transaction) error {
	return rows(tx, columns.Transaction, list)
}

// Fees stores fees with their amounts and courses under their own IDs.
func Fees(tx *store.Tx, list []admitto.Fee) error {
	err := rows(tx, columns.Fee, list)
	if err == nil {
		err = parts(tx, columns.FeeAmount, list,
			func(f *admitto.Fee) []columns.Part[admitto.FeeAmount] { return columns.Parts(f.ID, f.Amounts) })
	}
	if err != nil {
		return err
	}
	return parts(tx, columns.FeeCourse, list, func(f *admitto.Fee) []columns.Link {
		return columns.Links(f.ID,
			f.Courses)
	})
}
