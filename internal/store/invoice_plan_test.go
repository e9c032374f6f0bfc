package store_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// ledgerSize is how many invoices the plans are asked about. Nine of ten are collected, in the order of issue.
const ledgerSize = 20_000

// putLedger stores invoices of 2000 applicants in twelve series and currencies, a minute apart, each with a payment.
func putLedger(t *testing.T, s *store.Store) {
	t.Helper()
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		people := make([]load.ApplicantRow, 2000)
		for i := range people {
			email := fmt.Sprintf("p%d@example.org", i)
			people[i] = load.ApplicantRow{EmailKey: email, Applicant: admitto.Applicant{ID: int64(i + 1), Type: admitto.Natural,
				State: admitto.ApplicantLive, Registered: 1, Email: email}}
		}
		series := make([]admitto.Series, 12)
		for i := range series {
			series[i] = admitto.Series{ID: int64(i + 2), Name: fmt.Sprint(i), Format: "%inc%"}
		}
		invoices, payments := make([]admitto.Invoice, ledgerSize), make([]admitto.Transaction, ledgerSize)
		for n := range invoices {
			id, issued := int64(n+1), admitto.Time(n+1)*admitto.Minute
			i := &invoices[n]
			*i = admitto.Invoice{ID: id, Type: "Invoice", Number: fmt.Sprint(id), Series: series[n%12],
				Applicant: int64(n%2000 + 1), Application: int64(n%2000 + 1), Issued: issued,
				Deadline: admitto.DateOfDays(int64(n / 100)), Currency: fmt.Sprintf("C%02d", n%12), Total: 1_00, PayerName: "x"}
			if n%10 > 0 {
				i.Collected, i.Paid = issued+admitto.Day, 1_00
			}
			payments[n] = admitto.Transaction{ID: id, Invoice: id, Amount: 1, Inserted: issued, Collected: i.Deadline}
		}
		terms := func() error {
			return sqltest.In(tx).Script(`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (1, 2026, 'T', 1, '2026-09-01', '2026-10-31', '2027-01-31');
				INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) SELECT id, id, 1, 'Draft', 1, 1 FROM applicant`)
		}
		for _, insert := range []func() error{func() error { return load.Applicants(tx, people) }, terms,
			func() error { return load.Series(tx, series) },
			func() error { return load.Invoices(tx, invoices) }, func() error {
				return load.Transactions(tx, payments)
			}, tx.Analyze} {
			if err := insert(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	// Walking an index that holds nothing but what matches is no scan, and counting all is one of any index.
	sqliteLedgerScan   = regexp.MustCompile(`SCAN (?:i|t|s|invoice\w*)(?: USING INDEX .*)?\n`)
	sqliteLedgerIndex  = regexp.MustCompile(`(?:SEARCH|SCAN) [it] USING (?:COVERING )?INDEX (\w+)`)
	sqliteLedgerSort   = regexp.MustCompile(`(?m)^SCAN s[0-9]+\nUSE TEMP B-TREE FOR ORDER BY$`) // of a stream that was cut
	postgresLedgerScan = regexp.MustCompile(`Seq Scan on invoice(_item|_transaction)?\b`)
)

// planOf is a query, the index that finds its IDs ("" is the primary key), and whether they are sorted, as few
// match. PostgreSQL, which knows how many match, may take another index when none are sorted.
type planOf[Q any] struct {
	q     Q
	index string
	sorts bool
}

// No filter of invoices and transactions reads a whole table, and none sorts but where its index is not in the
// order of IDs.
func TestFinancePlans(t *testing.T) {
	yes, no := true, false
	late := (ledgerSize - 300) * admitto.Minute
	many, ids := make([]int64, 40), []int64{3, 4}
	for i := range many {
		many[i] = int64(i + 1)
	}
	today := admitto.DateOfDays(150)
	apptest.Size(onSQLite, onEach)(t, func(t *testing.T, s *store.Store) {
		putLedger(t, s)
		for name, p := range map[string]planOf[admitto.InvoiceQuery]{
			"IDs":          {q: admitto.InvoiceQuery{FromID: 900, ToID: 19_000}},
			"after":        {q: admitto.InvoiceQuery{After: 900}},
			"applicants":   {admitto.InvoiceQuery{Applicants: ids, FromID: 900}, "invoice_applicant", true},
			"applications": {admitto.InvoiceQuery{Applications: ids, Collected: &yes}, "invoice_application", true},
			"applicants, all else": {admitto.InvoiceQuery{Applicants: ids, Applications: many, SerieIDs: ids,
				Currencies: []string{"C01"}, FromTime: 1, CollectedSince: 1, Overdue: &no}, "invoice_applicant", true},
			"issued since": {admitto.InvoiceQuery{FromTime: late, FromID: 900}, "invoice_issued", true},
			"issued between": {admitto.InvoiceQuery{FromTime: late, ToTime: late + admitto.Hour}, "invoice_issued",
				true},
			"due":               {admitto.InvoiceQuery{DueFrom: today, DueTo: today, SerieIDs: ids}, "invoice_due", true},
			"issued and series": {admitto.InvoiceQuery{FromTime: late, SerieIDs: ids}, "invoice_issued", true},
			"collected since":   {admitto.InvoiceQuery{CollectedSince: late + admitto.Day}, "invoice_collected", true},
			"collected, issued since": {admitto.InvoiceQuery{CollectedSince: late + admitto.Day, FromTime: 1},
				"invoice_collected", true},
			"series":        {admitto.InvoiceQuery{SerieIDs: ids[:1]}, "invoice_series_id", false},
			"series, after": {admitto.InvoiceQuery{SerieIDs: ids[:1], After: 19_000}, "invoice_series_id", false},
			"two series":    {admitto.InvoiceQuery{SerieIDs: ids, Collected: &no}, "invoice_series_id", false},
			"many series":   {admitto.InvoiceQuery{SerieIDs: many}, "invoice_series_id", true},
			"currency":      {admitto.InvoiceQuery{Currencies: []string{"C03"}}, "invoice_currency", false},
			"currencies": {admitto.InvoiceQuery{Currencies: []string{"C03", "C05"}, Overdue: &yes},
				"invoice_currency", false},
			"collected":          {admitto.InvoiceQuery{Collected: &yes}, "invoice_paid", false},
			"collected, from ID": {admitto.InvoiceQuery{Collected: &yes, FromID: 19_000}, "invoice_paid", false},
			"open":               {admitto.InvoiceQuery{Collected: &no}, "invoice_open", false},
			"overdue":            {admitto.InvoiceQuery{Overdue: &yes}, "invoice_open", false},
			"overdue after":      {admitto.InvoiceQuery{Overdue: &yes, Collected: &no, After: 900}, "invoice_open", false},
			"open, not overdue":  {admitto.InvoiceQuery{Overdue: &no, Collected: &no}, "invoice_open", false},
		} {
			p.q.Limit, p.q.Today = 500, today
			explainFinance(t, s, name, p.index, p.sorts, func(tx *store.Tx) error {
				_, err := tx.EachInvoice(p.q, func([]admitto.Invoice) error { return nil })
				return err
			})
			explainFinance(t, s, name+", count", p.index, p.sorts, func(tx *store.Tx) error {
				_, err := tx.CountInvoices(p.q)
				return err
			})
		}
		for name, p := range map[string]planOf[admitto.TransactionQuery]{
			"IDs":      {q: admitto.TransactionQuery{FromID: 900, ToID: 19_000}},
			"invoices": {admitto.TransactionQuery{Invoices: ids, FromTime: 1}, "invoice_transaction_invoice", true},
			"inserted": {admitto.TransactionQuery{FromTime: late, FromID: 900}, "invoice_transaction_inserted", true},
			"paid": {admitto.TransactionQuery{CollectedSince: admitto.DateOfDays(198)},
				"invoice_transaction_collected", true},
			"inserted and paid": {admitto.TransactionQuery{FromTime: late, ToTime: late + admitto.Hour,
				CollectedBefore: admitto.DateOfDays(198)}, "invoice_transaction_inserted", true},
		} {
			p.q.Limit = 500
			explainFinance(t, s, "transactions by "+name, p.index, p.sorts, func(tx *store.Tx) error {
				_, err := tx.EachTransaction(p.q, func([]admitto.Transaction) error { return nil })
				return err
			})
			explainFinance(t, s, "transactions by "+name+", count", p.index, p.sorts, func(tx *store.Tx) error {
				_, err := tx.CountTransactions(p.q)
				return err
			})
		}
	})
}

// explainFinance looks at the plans of what fn asks; the first one must use the index.
func explainFinance(t *testing.T, s *store.Store, name, index string, sorts bool, fn func(*store.Tx) error) {
	t.Helper()
	err := s.Read(t.Context(), func(tx *store.Tx) error {
		if s.Shared() {
			// Tables as small as these are rightly read as a whole; what matters is that it need not be.
			if err := sqltest.In(tx).Script("SET LOCAL enable_seqscan = off"); err != nil {
				return err
			}
		}
		plans, err := tx.Plans(func() error { return fn(tx) })
		for n, p := range plans {
			fault := sqliteLedgerScan.FindString(p.Steps)
			if s.Shared() {
				fault = postgresLedgerScan.FindString(p.Steps)
			}
			found := sqliteLedgerIndex.FindStringSubmatch(p.Steps)
			switch {
			case n > 0 || index == "" || fault != "":
			case !s.Shared() && (found == nil || found[1] != index), s.Shared() && sorts && !strings.Contains(p.Steps, index):
				fault = "no use of " + index
			case !s.Shared() && !sorts && strings.Contains(sqliteLedgerSort.ReplaceAllString(p.Steps, ""), "TEMP B-TREE"):
				fault = "a sort of all matches"
			}
			if fault != "" {
				t.Errorf("%s: %s in\n%s\nplanned as\n%s", name, fault, p.SQL, p.Steps)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The lists of pages find their rows and their sums along an index that has little else, or all that they read.
func TestLedgerPlans(t *testing.T) {
	late, ids := (ledgerSize-300)*admitto.Minute, []int64{3, 4}
	overdue := []admitto.InvoiceState{admitto.InvoiceIsOverdue, admitto.InvoiceIsPartlyCollected}
	const all = "COVERING INDEX invoice_ledger"
	onSQLite(t, func(t *testing.T, s *store.Store) {
		putLedger(t, s)
		for name, c := range map[string]struct {
			q          admitto.InvoiceQuery
			rows, sums string // in the plan
		}{
			"all":        {admitto.InvoiceQuery{}, "SCAN i\n", all},
			"since":      {admitto.InvoiceQuery{FromTime: late}, "USING INTEGER PRIMARY KEY", all},
			"in between": {admitto.InvoiceQuery{FromTime: late, ToTime: late + 9}, "INDEX invoice_issued", all},
			"overdue":    {admitto.InvoiceQuery{States: overdue}, "COVERING INDEX invoice_unpaid", "INDEX invoice_unpaid"},
			"surplus":    {admitto.InvoiceQuery{Surplus: true, SerieIDs: ids}, "INDEX invoice_surplus", "INDEX invoice_surplus"},
			"detached": {admitto.InvoiceQuery{Detached: true, States: overdue}, "INDEX invoice_applicant",
				"INDEX invoice_applicant"},
			"series":   {admitto.InvoiceQuery{SerieIDs: ids[:1]}, "INDEX invoice_series_id", all},
			"currency": {admitto.InvoiceQuery{Currencies: []string{"C03"}}, "INDEX invoice_currency", all},
		} {
			c.q.Newest, c.q.Limit, c.q.Skip, c.q.Today = true, 50, 100, admitto.DateOfDays(150)
			err := s.Read(t.Context(), func(tx *store.Tx) error {
				plans, err := tx.Plans(func() error {
					_, err := tx.BrowsedInvoices(c.q)
					return err
				})
				if err != nil {
					return err
				}
				if steps := plans[0].Steps; !strings.Contains(steps+"\n", c.rows) ||
					c.rows != "INDEX invoice_issued" && strings.Contains(steps, "TEMP B-TREE") {
					t.Errorf("%s: rows are found by\n%s", name, steps)
				}
				plans, err = tx.Plans(func() error {
					_, err := tx.InvoiceSums(c.q)
					return err
				})
				if steps := plans[0].Steps; !strings.Contains(steps, c.sums) {
					t.Errorf("%s: sums are found by\n%s", name, steps)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
