package load

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// Invoices stores invoices with their items under their own IDs and the numbers they have; InsertNumbers
// registers those.
func Invoices(tx *store.Tx, list []admitto.InvoiceCase) error {
	err := insertMany(tx, "invoice", `INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, course_id,
		issuer_institution_id, issued, deadline, delivered, reminder, reminded, collected, lapsed, automatic, currency, total, paid,
		instructions, smallprint, payer_name, payer_email, issuer_administrator_id, notify, fee_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)`, list,
		func(i *admitto.InvoiceCase, row []any) (int64, []any) {
			return i.ID, append(append(row, i.ID), columns.Invoice(i)...)
		})
	if err != nil {
		return err
	}
	for i := range list {
		sql(tx).CountInvoice(list[i].ID)
	}
	return sql(tx).Bulk(columns.InsertItem, func(yield func([]any) bool) {
		for i := range list {
			for n := range list[i].Items {
				if !yield(columns.Item(list[i].ID, n, &list[i].Items[n])) {
					return
				}
			}
		}
	})
}

// Series stores series of invoices next to the seeded one.
func Series(tx *store.Tx, list []admitto.Series) error {
	return insertMany(tx, "invoice_series", `INSERT INTO invoice_series (id, name, format, blocking, permanent, is_default)
		VALUES ($1, $2, $3, $4, $5, $6)`, list, func(s *admitto.Series, row []any) (int64, []any) {
		return s.ID, append(row, s.ID, s.Name, s.Format, s.Blocking, s.Permanent, s.Default)
	})
}

// SetSeriesLast tells the series their last number and when it was given.
func SetSeriesLast(tx *store.Tx, list []admitto.Series) error {
	return insertMany(tx, "", "UPDATE invoice_series SET last_issued = $2, last_number = $3 WHERE id = $1", list,
		func(s *admitto.Series, row []any) (int64, []any) {
			return 0, append(row, s.ID, s.LastIssued, s.LastNumber)
		})
}

// Fees stores fees with their amounts and courses under their own IDs.
func Fees(tx *store.Tx, list []admitto.Fee) error {
	err := rows(tx, columns.Fee, list)
	if err != nil {
		return err
	}
	var amounts, courses [][]any
	for i := range list {
		for _, a := range list[i].Amounts {
			amounts = append(amounts, []any{list[i].ID, a.Territory, a.Qualifier, a.Currency, a.Amount, a.Basis, a.Info})
		}
		for _, course := range list[i].Courses {
			courses = append(courses, []any{list[i].ID, course})
		}
	}
	err = bulk(tx, `INSERT INTO fee_amount (fee_id, territory, qualifier, currency, amount, basis, info)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, amounts)
	if err != nil {
		return err
	}
	return bulk(tx, "INSERT INTO fee_course (fee_id, course_id) VALUES ($1, $2)", courses)
}
