package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// The rows of the reports about offers, money, tasks, deadlines and scores (resources.md 19.3).

func reportOffers(r *reporting) error {
	list, err := r.tx.CountOffers(r.q)
	for i := 0; err == nil && i < len(list); i++ {
		n := &list[i]
		err = r.row([]any{n.Type, n.Title, string(n.Ranking), n.None, n.Final, n.Declined, n.Total, n.Confirmed})
	}
	return err
}

// monthOfMoney is what moved in a month and currency.
type monthOfMoney struct {
	admitto.InvoiceCount
	paid admitto.Hundredths
}

func reportInvoices(r *reporting) error {
	year, from, before := r.year()
	invoices, err := r.tx.SumInvoices(r.q, from, before, r.today())
	if err != nil {
		return err
	}
	payments, err := r.tx.SumPayments(r.q, admitto.Date{Year: int16(year), Month: 1, Day: 1},
		admitto.Date{Year: int16(year), Month: 12, Day: 31})
	if err != nil {
		return err
	}
	type key struct{ month, currency string }
	months := map[key]*monthOfMoney{}
	of := func(month, currency string) *monthOfMoney {
		k := key{month, currency}
		if months[k] == nil {
			months[k] = &monthOfMoney{}
		}
		return months[k]
	}
	for _, n := range invoices {
		m := of(r.day(n.Quarter).String()[:len("2026-02")], n.Currency)
		m.Issued += n.Issued
		m.Collected += n.Collected
		m.Overdue += n.Overdue
		m.Amount += n.Amount
		m.Outstanding += n.Outstanding
	}
	for _, p := range payments {
		of(p.Month, p.Currency).paid += p.Amount
	}
	keys := slices.SortedFunc(maps.Keys(months), func(a, b key) int {
		return cmp.Or(strings.Compare(a.month, b.month), strings.Compare(a.currency, b.currency))
	})
	for _, k := range keys {
		m := months[k]
		if err := r.row([]any{k.month, k.currency, m.Issued, m.Amount, m.Collected, m.paid, m.Outstanding,
			m.Overdue}); err != nil {
			return err
		}
	}
	return nil
}

func reportTasks(r *reporting) error {
	list, err := r.tx.CountTasks(r.q)
	slices.SortFunc(list, func(a, b admitto.TaskCount) int {
		return cmp.Or(strings.Compare(a.Class, b.Class), strings.Compare(a.Status, b.Status))
	})
	for i := 0; err == nil && i < len(list); i++ {
		n := &list[i]
		var oldest any
		if n.OldestUnresolved != 0 {
			oldest = r.day(int64(n.OldestUnresolved / admitto.Quarter))
		}
		err = r.row([]any{n.Class, n.Title, n.Status, n.Tasks, n.Resolved, oldest})
	}
	return err
}

// deadlineCount is how the applications of a territory stand to its deadline.
type deadlineCount struct{ all, inTime, late, missing int64 }

func reportDeadlines(r *reporting) error {
	intakes, err := r.tx.Intakes()
	if err != nil {
		return err
	}
	regions, err := r.tx.Regions()
	if err != nil {
		return err
	}
	var ends []admitto.IntakeEnds
	for i := range intakes {
		if in := &intakes[i]; r.asksFor(in) {
			if days := slices.Compact(slices.Sorted(maps.Values(r.ends(in)))); len(days) > 0 {
				ends = append(ends, admitto.IntakeEnds{Intake: in.ID, Ends: days})
			}
		}
	}
	counts, err := r.tx.CountByIntake(r.q, ends)
	if err != nil {
		return err
	}
	byIntake := map[int64][]admitto.IntakeCount{}
	for _, n := range counts {
		byIntake[n.Intake] = append(byIntake[n.Intake], n)
	}
	for i := range intakes {
		if in := &intakes[i]; r.asksFor(in) {
			if err := r.deadlinesOf(in, regions, byIntake[in.ID]); err != nil {
				return err
			}
		}
	}
	return nil
}

// asksFor reports whether the query leaves the intake; its other conditions are met by applications.
func (r *reporting) asksFor(in *admitto.Intake) bool {
	passes := func(list []int64, id int64) bool { return list == nil || slices.Contains(list, id) }
	return passes(r.q.Intakes, in.ID) && passes(r.q.Terms, in.Term.ID) && passes(r.q.Years, in.Term.Year)
}

// ends returns the quarters of an hour in which the deadlines of the intake end, by territory.
func (r *reporting) ends(in *admitto.Intake) map[string]int64 {
	ends := map[string]int64{}
	for _, d := range in.Deadlines {
		if !d.Day.IsZero() {
			ends[d.Territory] = int64(d.Day.End(r.zone) / admitto.Quarter)
		}
	}
	return ends
}

// deadlinesOf writes a row for each territory of the intake that has a deadline. The whole of that day is in
// time.
func (r *reporting) deadlinesOf(in *admitto.Intake, regions []admitto.Region, counts []admitto.IntakeCount) error {
	byTerritory := map[string]*deadlineCount{}
	ends := r.ends(in)
	for territory := range ends {
		byTerritory[territory] = &deadlineCount{}
	}
	for _, n := range counts {
		territory := in.TerritoryOf(n.Citizenship, regions)
		sum := byTerritory[territory]
		switch {
		case sum == nil:
			continue
		case n.Quarter == 0:
			sum.missing += n.N
		case n.Quarter < ends[territory]:
			sum.inTime += n.N
		default:
			sum.late += n.N
		}
		sum.all += n.N
	}
	for _, d := range in.Deadlines { // by territory
		if n := byTerritory[d.Territory]; n != nil {
			if err := r.row([]any{in.ID, in.Name, d.Territory, d.Day, n.all, n.inTime, n.late, n.missing}); err != nil {
				return err
			}
		}
	}
	return nil
}

func reportScores(r *reporting) error {
	list, err := r.tx.SumScores(r.q)
	for i := 0; err == nil && i < len(list); i++ {
		n := &list[i]
		row := []any{n.Scoresheet, n.Name, n.Entries, n.Scored, nil, nil, nil}
		if n.Scored > 0 {
			row[4], row[5], row[6] = string(n.Lowest.Append(nil, n.Scale)), n.Average(), string(n.Highest.Append(nil, n.Scale))
		}
		err = r.row(row)
	}
	return err
}
