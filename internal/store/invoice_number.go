package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// InvoiceNumber is a line of the register of invoice numbers (lifecycle.md 6.2).
type InvoiceNumber struct {
	Series  int64
	Period  string // in which it was counted
	Number  int64
	Text    string // as it stands on the invoice
	Issued  admitto.Time
	Invoice int64
	Void    bool // the invoice was deleted
}

// numberedBefore stands in the place of a period in lines of invoices that were deleted before the numbers of their
// series were counted.
const numberedBefore = "before"

// InvoiceCounter is the highest number that a series gave in a period.
type InvoiceCounter struct {
	Series int64
	Period string
	Last   int64
}

var seriesSelect = "SELECT " + columns.Series.Select("") + " FROM invoice_series"

// SeriesOrDefault reads a series, the one that is marked default for 0, or answers NotFound.
func (tx *Tx) SeriesOrDefault(id int64) (s admitto.Series, err error) {
	if id == 0 {
		err = one(tx.query(seriesSelect+" WHERE is_default ORDER BY id LIMIT 1"),
			func(r *db.Rows) { s = scanned(columns.Series, r) })
	} else {
		err = one(tx.query(seriesSelect+" WHERE id = $1", id),
			func(r *db.Rows) { s = scanned(columns.Series, r) })
	}
	return s, err
}

// LockSeries reads a series and keeps everybody else from taking its numbers until the transaction ends, or answers
// NotFound.
func (tx *Tx) LockSeries(id int64) (s admitto.Series, err error) {
	err = one(tx.query(seriesSelect+" WHERE id = $1"+tx.forUpdate(lockSeries, id), id),
		func(r *db.Rows) { s = scanned(columns.Series, r) })
	return s, err
}

// HasCounters reports whether the numbers of a series are counted; those of a series from before the register are not
// yet.
func (tx *Tx) HasCounters(series int64) (bool, error) {
	n, err := tx.number("SELECT count(*) FROM invoice_counter WHERE series_id = $1 AND period = ''", series)
	return n > 0, err
}

// NumbersInUse returns the numbers of all invoices of a series as they stand there, by ID, and those of invoices that
// were deleted before they were counted.
func (tx *Tx) NumbersInUse(series int64) (list []InvoiceNumber, err error) {
	err = each(tx.query(`SELECT id, nr, issued, 0 FROM invoice WHERE series_id = $1
		UNION ALL SELECT invoice_id, nr, issued, 1 FROM invoice_number WHERE series_id = $1 AND period = $2 ORDER BY 1`, series, numberedBefore),
		func(r *db.Rows) {
			list = append(list, InvoiceNumber{Series: series, Text: r.Text(1), Issued: r.Time(2), Invoice: r.Int64(0),
				Void: r.Int64(3) == 1})
		})
	return list, err
}

// LastNumber returns the highest number that a series gave in a period, 0 for none.
func (tx *Tx) LastNumber(series int64, period string) (int64, error) {
	return tx.number("SELECT last FROM invoice_counter WHERE series_id = $1 AND period = $2", series, period)
}

// NumberTaken reports whether a series gave a number before, as it stands on the invoice.
func (tx *Tx) NumberTaken(series int64, text string) (bool, error) {
	n, err := tx.number("SELECT 1 FROM invoice_number WHERE series_id = $1 AND nr = $2 LIMIT 1", series, text)
	return n > 0, err
}

// InsertNumbers puts given numbers into the register and raises the counters of their series above them.
func (tx *Tx) InsertNumbers(list []InvoiceNumber, counters []InvoiceCounter) error {
	var lines [][]any
	for _, n := range list {
		lines = append(lines, []any{n.Series, n.Period, n.Number, n.Text, n.Issued, columns.OrNull(n.Invoice)})
	}
	// What is there already was given before; nothing takes its place.
	err := tx.bulk(`INSERT INTO invoice_number (series_id, period, number, nr, issued, invoice_id) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (series_id, period, number) DO NOTHING`, lines)
	if err != nil {
		return err
	}
	return tx.raiseCounters(counters)
}

// raiseCounters raises counters to the numbers given, never lower.
func (tx *Tx) raiseCounters(list []InvoiceCounter) error {
	var rows [][]any
	for _, c := range list {
		rows = append(rows, []any{c.Series, c.Period, c.Last})
	}
	return tx.bulk(`INSERT INTO invoice_counter (series_id, period, last) VALUES ($1, $2, $3)
		ON CONFLICT (series_id, period) DO UPDATE SET last = excluded.last WHERE invoice_counter.last < excluded.last`, rows)
}

// RegisterNumber writes the number of a new invoice into the register, counts it in the periods, and notes it as the
// last one of its series, which is locked.
func (tx *Tx) RegisterNumber(n InvoiceNumber, periods []string) error {
	_, err := tx.exec(`INSERT INTO invoice_number (series_id, period, number, nr, issued, invoice_id) VALUES ($1, $2, $3, $4, $5, $6)`,
		n.Series, n.Period, n.Number, n.Text, n.Issued, n.Invoice)
	if err != nil {
		return err
	}
	counters := make([]InvoiceCounter, len(periods))
	for i, period := range periods {
		counters[i] = InvoiceCounter{n.Series, period, n.Number}
	}
	if err := tx.raiseCounters(counters); err != nil {
		return err
	}
	_, err = tx.exec("UPDATE invoice_series SET last_issued = $2, last_number = $3 WHERE id = $1", n.Series, n.Issued,
		n.Text)
	return err
}
