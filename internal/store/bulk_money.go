package store

import "github.com/admitto/admitto/internal/admitto"

// InsertInvoices stores invoices with their items under their own IDs and the numbers they have; InsertNumbers
// registers those.
func (tx *Tx) InsertInvoices(list []admitto.InvoiceCase) error {
	err := insertMany(tx, "invoice", `INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, course_id,
		issuer_institution_id, issued, deadline, delivered, reminder, reminded, collected, lapsed, automatic, currency, total, paid,
		instructions, smallprint, payer_name, payer_email, issuer_administrator_id, notify, fee_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)`, list,
		func(i *admitto.InvoiceCase, row []any) (int64, []any) {
			return i.ID, append(append(row, i.ID), invoiceArgs(i)...)
		})
	if err != nil {
		return err
	}
	for i := range list {
		tx.countInvoice(list[i].ID, 1)
	}
	return tx.Bulk(insertItem, func(yield func([]any) bool) {
		for i := range list {
			for n := range list[i].Items {
				if !yield(itemArgs(list[i].ID, n, &list[i].Items[n])) {
					return
				}
			}
		}
	})
}

// InsertNumbers puts given numbers into the register and raises the counters of their series above them.
func (tx *Tx) InsertNumbers(list []InvoiceNumber, counters []InvoiceCounter) error {
	var lines [][]any
	for _, n := range list {
		lines = append(lines, []any{n.Series, n.Period, n.Number, n.Text, n.Issued, orNull(n.Invoice)})
	}
	// What is there already was given before; nothing takes its place.
	err := tx.bulk(`INSERT INTO invoice_number (series_id, period, number, nr, issued, invoice_id) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (series_id, period, number) DO NOTHING`, lines)
	if err != nil {
		return err
	}
	return tx.raiseCounters(counters)
}

// InsertSeries stores series of invoices beside the seeded one.
func (tx *Tx) InsertSeries(list []admitto.Series) error {
	return insertMany(tx, "invoice_series", `INSERT INTO invoice_series (id, name, format, blocking, permanent, is_default)
		VALUES ($1, $2, $3, $4, $5, $6)`, list, func(s *admitto.Series, row []any) (int64, []any) {
		return s.ID, append(row, s.ID, s.Name, s.Format, s.Blocking, s.Permanent, s.Default)
	})
}

// SetSeriesLast tells the series their last number and when it was given.
func (tx *Tx) SetSeriesLast(list []admitto.Series) error {
	return insertMany(tx, "", "UPDATE invoice_series SET last_issued = $2, last_number = $3 WHERE id = $1", list,
		func(s *admitto.Series, row []any) (int64, []any) {
			return 0, append(row, s.ID, s.LastIssued, s.LastNumber)
		})
}

// InsertFees stores fees with their amounts and courses under their own IDs.
func (tx *Tx) InsertFees(list []admitto.Fee) error {
	err := insertMany(tx, "fee", `INSERT INTO fee (id, name, type, notes, automatic, causing, series_id, payment_days, all_courses)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, list, func(f *admitto.Fee, row []any) (int64, []any) {
		var days any
		if f.PaymentDays != nil {
			days = *f.PaymentDays
		}
		return f.ID, append(row, f.ID, f.Name, f.Type, f.Notes, string(f.Automatic), string(f.Cause), orNull(f.Series), days, f.AllCourses)
	})
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
	err = tx.bulk(`INSERT INTO fee_amount (fee_id, territory, qualifier, currency, amount, basis, info)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, amounts)
	if err != nil {
		return err
	}
	return tx.bulk("INSERT INTO fee_course (fee_id, course_id) VALUES ($1, $2)", courses)
}
