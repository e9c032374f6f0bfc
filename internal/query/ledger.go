package query

import (
	"context"
	"iter"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// InvoiceRow is a row of the list of invoices. Applicant is the name of the one who can be opened, "" for nobody.
type InvoiceRow struct {
	admitto.Invoice
	Applicant string
}

// InvoicePage is a page of the list of invoices, and what all of the list comes to.
type InvoicePage struct {
	Rows  []InvoiceRow
	Total int64
	Sums  []admitto.LedgerSum
}

// BrowseInvoices reads a page of the list of invoices (screens.md A29). The day for which they are overdue is set here.
func (s *Service) BrowseInvoices(ctx context.Context, by admitto.Caller, q admitto.InvoiceQuery) (p InvoicePage,
	err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return p, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		q.Today = s.core.Today(tx)
		if p.Sums, err = tx.InvoiceSums(q); err != nil {
			return err
		}
		p.Total = 0
		for _, sum := range p.Sums {
			p.Total += sum.Count
		}
		p.Rows, err = invoiceRows(tx, q)
		return err
	})
	return p, err
}

// CountBrowsedInvoices counts the invoices of a list.
func (s *Service) CountBrowsedInvoices(ctx context.Context, by admitto.Caller, q admitto.InvoiceQuery) (n int64,
	err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return 0, err
	}
	q.Limit = 1
	p, err := s.BrowseInvoices(ctx, by, q)
	return p.Total, err
}

func invoiceRows(tx *store.Tx, q admitto.InvoiceQuery) (rows []InvoiceRow, err error) {
	list, err := tx.BrowsedInvoices(q)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	var people []int64
	for i := range list {
		rows = append(rows, InvoiceRow{Invoice: list[i]})
		if list[i].Applicant != 0 {
			people = append(people, list[i].Applicant)
		}
	}
	slices.Sort(people)
	names, err := tx.NamesOfApplicants(slices.Compact(people))
	for i := range rows {
		rows[i].Applicant = names[rows[i].Invoice.Applicant]
	}
	return rows, err
}

// EachBrowsedInvoice returns all rows of a list in its order, whatever its page. An error is the last that it yields.
func (s *Service) EachBrowsedInvoice(ctx context.Context, by admitto.Caller,
	q admitto.InvoiceQuery) (iter.Seq2[*InvoiceRow, error], error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return nil, err
	}
	q.Skip, q.Limit, q.Whole = 0, exportedAtOnce+1, true
	return wholeList(ctx, s, func(tx *store.Tx, after int64) ([]InvoiceRow, bool, error) {
		q := q
		q.Today = s.core.Today(tx)
		q.FromID, q.ToID = onwards(q.FromID, q.ToID, after, q.Newest)
		rows, err := invoiceRows(tx, q)
		more := len(rows) > exportedAtOnce
		return rows[:min(len(rows), exportedAtOnce)], more, err
	}, func(r *InvoiceRow) int64 { return r.ID }), nil
}

// onwards are the bounds of the rest of a list behind an ID, 0 at its beginning.
func onwards(from, to, after int64, newest bool) (int64, int64) {
	switch {
	case after == 0:
		return from, to
	case newest:
		return from, after - 1
	}
	return after + 1, to
}

// TransactionRow is a row of the list of transactions.
type TransactionRow struct {
	admitto.Transaction
	Number string // of the invoice
	Payer  string
	By     string // the administrator, "" for none
}

// TransactionPage is a page of the list of transactions. With More there are more than Total, and their sums are not
// known.
type TransactionPage struct {
	Rows  []TransactionRow
	Total int64
	More  bool
	Sums  []admitto.LedgerSum
}

// summedUp is how many transactions are summed up at most.
const summedUp = 50_000

// BrowseTransactions reads a page of the list of transactions (screens.md A32).
func (s *Service) BrowseTransactions(ctx context.Context, by admitto.Caller, q admitto.TransactionQuery) (
	p TransactionPage, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return p, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if p.Sums, p.More, err = tx.TransactionSums(q, summedUp); err != nil {
			return err
		}
		p.Total = 0
		for _, sum := range p.Sums {
			p.Total += sum.Count
		}
		if p.More {
			p.Total, p.Sums = summedUp, nil
		}
		p.Rows, err = transactionRows(tx, q)
		return err
	})
	return p, err
}

func transactionRows(tx *store.Tx, q admitto.TransactionQuery) (rows []TransactionRow, err error) {
	list, err := tx.BrowsedTransactions(q)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	var invoices, staff []int64
	for i := range list {
		rows = append(rows, TransactionRow{Transaction: list[i]})
		invoices, staff = append(invoices, list[i].Invoice), append(staff, list[i].Administrator)
	}
	payers, err := tx.PayersOf(invoices)
	if err != nil {
		return nil, err
	}
	slices.Sort(staff)
	names, err := tx.AdministratorNames(slices.Compact(staff))
	for i := range rows {
		r := &rows[i]
		r.Number, r.Payer, r.By = payers[r.Invoice].Number, payers[r.Invoice].PayerName, names[r.Administrator]
	}
	return rows, err
}

// EachBrowsedTransaction returns all rows of a list in its order, whatever its page. An error is the last that it
// yields.
func (s *Service) EachBrowsedTransaction(ctx context.Context, by admitto.Caller,
	q admitto.TransactionQuery) (iter.Seq2[*TransactionRow, error], error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return nil, err
	}
	q.Skip, q.Limit, q.Whole = 0, exportedAtOnce+1, true
	return wholeList(ctx, s, func(tx *store.Tx, after int64) ([]TransactionRow, bool, error) {
		q := q
		q.FromID, q.ToID = onwards(q.FromID, q.ToID, after, q.Newest)
		rows, err := transactionRows(tx, q)
		more := len(rows) > exportedAtOnce
		return rows[:min(len(rows), exportedAtOnce)], more, err
	}, func(r *TransactionRow) int64 { return r.ID }), nil
}

// InvoicesNumbered are the IDs of the invoices that have a number.
func (s *Service) InvoicesNumbered(ctx context.Context, by admitto.Caller, number string) (ids []int64, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.InvoicesNumbered([]string{number})
		ids = []int64{}
		for i := range list {
			ids = append(ids, list[i].ID)
		}
		return err
	})
	return ids, err
}

// GivenNumber is a number of the register of a series (lifecycle.md 6.2).
type GivenNumber struct {
	Number  string
	Issued  admitto.Time
	Invoice int64
	Void    bool // the invoice was deleted
}

// NumbersOf reads a page of the register of a series, the newest number first, and how many numbers there are.
func (s *Service) NumbersOf(ctx context.Context, by admitto.Caller, series int64, void bool, rows int,
	skip int64) (list []GivenNumber, total int64, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return nil, 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		var lines []store.InvoiceNumber
		lines, total, err = tx.NumbersOf(series, void, rows, skip)
		list = nil
		for _, l := range lines {
			list = append(list, GivenNumber{Number: l.Text, Issued: l.Issued, Invoice: l.Invoice, Void: l.Void})
		}
		return err
	})
	return list, total, err
}

// InvoiceCurrencies are the currencies that invoices are in.
func (s *Service) InvoiceCurrencies(ctx context.Context, by admitto.Caller) (codes []string, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		codes, err = tx.InvoiceCurrencies()
		return err
	})
	return codes, err
}
