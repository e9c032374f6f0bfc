package billing

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// paymentsAtOnce is how many payments are booked in one transaction: others wait for its end.
const paymentsAtOnce = 50

// CheckedPayment is what is known of a row, and whether it can be booked.
type CheckedPayment struct {
	Invoice   admitto.Invoice // without ID: none is meant
	Applicant string          // the name, "" for nobody who is there
	Rest      admitto.Hundredths
	Wrong     []message.Text // why it cannot be booked
	// Booked says that the same payment was booked before, or stands above; Surplus by how much it is more than is open.
	// Such a row is booked only if it says Again.
	Booked  bool
	Surplus admitto.Hundredths
	Done    bool // it was booked
}

// Doubtful reports whether a row can be booked only by saying so.
func (c *CheckedPayment) Doubtful() bool { return len(c.Wrong) == 0 && (c.Booked || c.Surplus > 0) }

// Good reports whether a row can be booked.
func (c *CheckedPayment) Good(row *PaymentRow) bool {
	return len(c.Wrong) == 0 && (row.Again || !c.Doubtful())
}

// CheckPayments says of each row whether it can be booked after the rows above it. It writes nothing.
func (s *Service) CheckPayments(ctx context.Context, by admitto.Caller, rows []PaymentRow) (checked []CheckedPayment,
	err error) {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		ledger, err := s.open(tx, rows)
		if err != nil {
			return err
		}
		checked = make([]CheckedPayment, len(rows))
		var people []int64
		for n := range rows {
			checked[n] = ledger.check(&rows[n])
			if i := ledger.of(&checked[n]); i != nil && checked[n].Good(&rows[n]) {
				ledger.note(i, &rows[n])
			}
			people = append(people, checked[n].Invoice.Applicant)
		}
		slices.Sort(people)
		names, err := tx.NamesOfApplicants(slices.Compact(people))
		for n := range checked {
			checked[n].Applicant = names[checked[n].Invoice.Applicant]
		}
		return err
	})
	return checked, err
}

// RecordPayments books the rows that can be booked (screens.md A32), some at a time, and says of each what became of
// it. A row is checked once more when it is booked, so that the same list sent by two people books nothing twice.
// Errors: those of the database; the rows before it stay booked.
func (s *Service) RecordPayments(ctx context.Context, by usecase.Caller, rows []PaymentRow) (checked []CheckedPayment,
	err error) {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return nil, err
	}
	if err := by.AdministratorOnly(); err != nil {
		return nil, err
	}
	checked = make([]CheckedPayment, 0, len(rows))
	for part := range slices.Chunk(rows, paymentsAtOnce) {
		var done []CheckedPayment
		err := s.core.Write(ctx, func(tx *store.Tx) error {
			done, err = s.book(tx, by.Actor, part)
			return err
		})
		if err != nil {
			return checked, err
		}
		checked = append(checked, done...)
	}
	return checked, nil
}

// book books the rows that can be booked.
func (s *Service) book(tx *store.Tx, actor admitto.Actor, rows []PaymentRow) ([]CheckedPayment, error) {
	ledger, err := s.open(tx, rows)
	if err == nil {
		err = ledger.lock(tx)
	}
	if err != nil {
		return nil, err
	}
	done := make([]CheckedPayment, len(rows))
	for n := range rows {
		row, c := &rows[n], &done[n]
		*c = ledger.check(row)
		i := ledger.of(c)
		if i == nil || !c.Good(row) {
			continue
		}
		t := admitto.Transaction{Invoice: i.ID, Administrator: actor.ID, Amount: row.Amount, Currency: i.Currency,
			Inserted: tx.Now(), Collected: row.Day}
		if err := s.addPayment(tx, actor, i, &t); err != nil {
			return nil, err
		}
		i.Transactions = append(i.Transactions, t)
		c.Done = true
	}
	return done, nil
}

// ledger are the invoices that rows name.
type ledger struct {
	invoices map[int64]*admitto.Invoice
	numbered map[string][]int64
	today    admitto.Date
}

// open reads the invoices that rows name, all at once.
func (s *Service) open(tx *store.Tx, rows []PaymentRow) (*ledger, error) {
	l := &ledger{invoices: map[int64]*admitto.Invoice{}, numbered: map[string][]int64{}, today: s.core.Today(tx)}
	var numbers []string
	var ids []int64
	for n := range rows {
		if id := idOf(rows[n].Number); id != 0 {
			ids = append(ids, id)
		}
		numbers = append(numbers, rows[n].Number)
	}
	numbered, err := tx.InvoicesNumbered(numbers)
	if err != nil {
		return nil, err
	}
	named, err := tx.InvoicesByID(ids)
	if err != nil {
		return nil, err
	}
	for n := range numbered {
		i := &numbered[n]
		l.invoices[i.ID] = i
		l.numbered[i.Number] = append(l.numbered[i.Number], i.ID)
	}
	for n := range named {
		if i := &named[n]; l.invoices[i.ID] == nil {
			l.invoices[i.ID] = i
		}
	}
	return l, nil
}

// lock keeps others from changing the invoices, and reads them again.
func (l *ledger) lock(tx *store.Tx) error {
	var ids []int64
	for id := range l.invoices {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	list, err := tx.LockInvoices(ids)
	clear(l.invoices)
	for n := range list {
		l.invoices[list[n].ID] = &list[n]
	}
	return err
}

// idOf is the ID that stands in the place of a number as #ID, 0 for none.
func idOf(number string) int64 {
	digits, ok := strings.CutPrefix(number, "#")
	if !ok {
		return 0
	}
	id, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || id < 1 {
		return 0
	}
	return id
}

// find is the invoice that a row means.
func (l *ledger) find(number string) (*admitto.Invoice, message.Text, bool) {
	ids := l.numbered[number]
	if id := idOf(number); len(ids) == 0 && id != 0 {
		ids = []int64{id}
	}
	switch {
	case len(ids) > 1:
		var list []string
		for _, id := range ids {
			list = append(list, "#"+strconv.FormatInt(id, 10))
		}
		return nil, message.Of("invoice-ambiguous", len(ids), strings.Join(list, ", ")), false
	case len(ids) == 0 || l.invoices[ids[0]] == nil:
		return nil, message.Of("no-such-invoice"), false
	}
	return l.invoices[ids[0]], message.Text{}, true
}

// of is the invoice of a checked row, nil for none.
func (l *ledger) of(c *CheckedPayment) *admitto.Invoice { return l.invoices[c.Invoice.ID] }

// check says whether a row can be booked.
func (l *ledger) check(row *PaymentRow) (c CheckedPayment) {
	c.Wrong = slices.Clone(row.Wrong)
	if row.Number == "" {
		return c
	}
	i, fault, ok := l.find(row.Number)
	if !ok {
		c.Wrong = append(c.Wrong, fault)
		return c
	}
	c.Invoice, c.Rest = *i, i.Due()
	if len(row.Wrong) == 0 { // what cannot be read has been said
		for _, fault := range i.CheckPayment(row.Amount, row.Currency, row.Day, l.today) {
			c.Wrong = append(c.Wrong, fault.Text)
		}
	}
	if i.Lapsed != 0 && i.Collected == 0 {
		c.Wrong = append(c.Wrong, message.Of("invoice-lapsed"))
	}
	if row.Currency != "" && row.Currency != i.Currency {
		return c
	}
	c.Surplus = max(row.Amount-c.Rest, 0)
	c.Booked = slices.ContainsFunc(i.Transactions, func(t admitto.Transaction) bool {
		return t.Amount == row.Amount && t.Collected == row.Day && (t.ID == 0 || i.LeftOf(&t) == t.Amount)
	})
	return c
}

// note lets the rows below know of a row that will be booked.
func (l *ledger) note(i *admitto.Invoice, row *PaymentRow) {
	i.Paid += row.Amount
	if i.Paid >= i.Total && i.Collected == 0 {
		i.Collected = 1
	}
	i.Transactions = append(i.Transactions, admitto.Transaction{Amount: row.Amount, Collected: row.Day})
}
