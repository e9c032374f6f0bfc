package billing

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// takeNumber locks the series of a new invoice (0: the default one), sets its series and its number, and returns the
// line of the register, which is written when the invoice has an ID. A rollback frees the number.
func (s *Service) takeNumber(tx *store.Tx, i *admitto.Invoice) (line store.InvoiceNumber, err error) {
	series, err := tx.SeriesOrDefault(i.Series.ID)
	if err == nil {
		series, err = tx.LockSeries(series.ID)
	}
	if err != nil {
		return line, err
	}
	format, err := numberFormat(&series)
	if err == nil {
		err = s.adoptNumbers(tx, &series, &format)
	}
	if err != nil {
		return line, err
	}
	day := s.core.Today(tx)
	line = store.InvoiceNumber{Series: series.ID, Period: format.Period(day), Issued: i.Issued}
	if line.Number, err = tx.LastNumber(series.ID, line.Period); err != nil {
		return line, err
	}
	// A number that an earlier format of the series gave already is passed over: better a gap than two the same.
	for taken := true; taken && err == nil; {
		line.Number++
		line.Text = format.Number(day, line.Number)
		taken, err = tx.NumberTaken(series.ID, line.Text)
	}
	i.Series, i.Number = series, line.Text
	return line, err
}

// numberFormat reads the format of a series; formats are checked when they are saved.
func numberFormat(series *admitto.Series) (admitto.NumberFormat, error) {
	format, err := admitto.ParseNumberFormat(series.Format)
	if err != nil {
		return format, fmt.Errorf("series %d: %w", series.ID, err)
	}
	return format, nil
}

// adoptNumbers writes the numbers of a locked series from before the register into it, so that they are not given
// again. It does its work once: when the first number is given after the register came to be.
func (s *Service) adoptNumbers(tx *store.Tx, series *admitto.Series, format *admitto.NumberFormat) error {
	if counted, err := tx.HasCounters(series.ID); err != nil || counted {
		return err
	}
	all, err := tx.NumbersInUse(series.ID)
	if err != nil {
		return err
	}
	var read []store.InvoiceNumber
	last := map[string]int64{"": 0} // 0: there is a counter from now on
	for _, n := range all {
		day := admitto.DateOf(n.Issued.Std().In(s.core.Settings().Instance.Timezone))
		period, number, ok := format.Read(n.Text, day)
		if !ok {
			continue // of another format; no number will ever look like it
		}
		n.Period, n.Number = period, number
		if !n.Void { // void lines are there
			read = append(read, n)
		}
		for _, p := range append(admitto.NumberPeriods(day), period) {
			last[p] = max(last[p], number)
		}
	}
	var counters []store.InvoiceCounter
	for period, number := range last {
		counters = append(counters, store.InvoiceCounter{Series: series.ID, Period: period, Last: number})
	}
	return tx.InsertNumbers(read, counters)
}
