package store

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// CountRegistrations counts the accounts made from and before two times. Who has an account that was
// collected is told by the journal, else by never having signed in.
func (tx *Tx) CountRegistrations(q *admitto.ReportQuery, from, before admitto.Time) (list []admitto.QuarterCount,
	err error) {
	b := tx.reportBuilder(q)
	first, last := b.arg(from), b.arg(before)
	made := func(pattern admitto.Pattern) string { // of which the index of migration 0081 has all
		return fmt.Sprintf("(SELECT j.applicant_id FROM journal j WHERE j.pattern = '%s' AND j.applicant_id IS NOT NULL)",
			pattern)
	}
	collected := "p.id IN " + made(admitto.ApplicantWasCollected) + " OR p.lead AND p.id NOT IN " +
		made(admitto.ApplicantRegistered)
	err = each(tx.query("SELECT n.q, count(*), sum(n.c) FROM (SELECT p.registered / "+quarter+" AS q, CASE WHEN "+
		collected+
		" THEN 1 ELSE 0 END AS c FROM applicant p WHERE p.visible"+
		fmt.Sprintf(" AND p.registered >= $%d AND p.registered < $%d", first, last)+
		b.citizenships()+") n GROUP BY n.q", b.args...), func(r *db.Rows) {
		list = append(list, admitto.QuarterCount{Quarter: r.Int64(0), Registered: r.Int64(1) - r.Int64(2),
			Collected: r.Int64(2)})
	})
	return list, err
}

// SumInvoices sums the invoices issued, and those collected, from and before two times. today is the
// current day, for Overdue.
func (tx *Tx) SumInvoices(q *admitto.ReportQuery, from, before admitto.Time,
	today admitto.Date) (list []admitto.InvoiceCount, err error) {
	b := tx.reportBuilder(q)
	err = each(tx.query("SELECT i.issued / "+quarter+` AS q, i.currency, count(*), CAST(sum(i.total) AS bigint),
		CAST(sum(CASE WHEN i.lapsed IS NULL AND i.total > i.paid THEN i.total - i.paid ELSE 0 END) AS bigint),
		count(*) FILTER (WHERE i.collected IS NULL AND i.lapsed IS NULL AND i.deadline < `+fmt.Sprintf("$%d", b.arg(today))+`) FROM invoice i
		WHERE `+fmt.Sprintf("i.issued >= $%d AND i.issued < $%d", b.arg(from), b.arg(before))+b.invoices()+
		" GROUP BY 1, i.currency", b.args...), func(r *db.Rows) {
		list = append(list, admitto.InvoiceCount{Quarter: r.Int64(0), Currency: r.Text(1), Issued: r.Int64(2),
			Amount: admitto.Hundredths(r.Int64(3)), Outstanding: admitto.Hundredths(r.Int64(4)), Overdue: r.Int64(5)})
	})
	if err != nil {
		return nil, err
	}
	b = tx.reportBuilder(q)
	err = each(tx.query("SELECT i.collected / "+quarter+" AS q, i.currency, count(*) FROM invoice i WHERE "+
		fmt.Sprintf("i.collected >= $%d AND i.collected < $%d", b.arg(from),
			b.arg(before))+b.invoices()+" GROUP BY 1, i.currency", b.args...), func(r *db.Rows) {
		list = append(list, admitto.InvoiceCount{Quarter: r.Int64(0), Currency: r.Text(1), Collected: r.Int64(2)})
	})
	return list, err
}

// SumPayments sums the payments collected on the days from..to, by currency and month.
func (tx *Tx) SumPayments(q *admitto.ReportQuery, from, to admitto.Date) (list []admitto.PaymentCount, err error) {
	b := tx.reportBuilder(q)
	err = each(tx.query(`SELECT substr(t.collected, 1, 7), i.currency, CAST(sum(t.amount) AS bigint)
		FROM invoice_transaction t JOIN invoice i ON i.id = t.invoice_id
		WHERE `+fmt.Sprintf("t.collected >= $%d AND t.collected <= $%d", b.arg(from), b.arg(to))+b.invoices()+
		" GROUP BY 1, i.currency", b.args...), func(r *db.Rows) {
		list = append(list, admitto.PaymentCount{Month: r.Text(0), Currency: r.Text(1),
			Amount: admitto.Hundredths(r.Int64(2))})
	})
	return list, err
}

// invoices are the conditions on invoice i: those on courses are met by its application.
func (b *reportBuilder) invoices() string {
	courses := b.courses("m")
	if courses == "" {
		return ""
	}
	return " AND EXISTS (SELECT 1 FROM application_course m WHERE m.application_id = i.application_id" + courses + ")"
}
