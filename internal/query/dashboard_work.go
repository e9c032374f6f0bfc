package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// recently is how long an application counts as new, or as changed by the applicant, for its officer.
const recently = 7 * admitto.Day

// StillCounting stands in the place of a number that is not known yet.
const StillCounting = -1

// MyWork is what waits for a member of staff. The lists behind it, in all terms: applications of the Officer with
// SubmittedSince, and with ChangedSince, of Since; those with the types Initial leaves and OfferAsConfirmed false. What
// the caller may not see is 0, and what is being counted for the first time on a large instance StillCounting.
type MyWork struct {
	Since             admitto.Time
	New, Changed      int64 // my applications, submitted or changed by the applicant since
	TasksHandedIn     int64 // by applicants, and not resolved
	UnconfirmedChange int64 // applications with an offer whose type is another than the one it is confirmed with
	ChangedTypes      []int64
	FailedEmails      int64
}

// MyWork returns what waits for the caller.
func (s *Service) MyWork(ctx context.Context, by admitto.Caller) (w MyWork, err error) {
	if err := by.Staff(); err != nil {
		return w, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		w.Since = tx.Now() - recently
		if by.Has(admitto.ApplicationsView) && by.Actor.Kind == admitto.ByAdministrator {
			mine := []int64{by.Actor.ID}
			if w.New, err = s.countOf(tx, 0, func(q *admitto.ApplicationQuery) {
				q.Officers, q.SubmittedSince = mine,
					w.Since
			}); err != nil {
				return err
			}
			w.Changed, err = s.countOf(tx, 0, func(q *admitto.ApplicationQuery) { q.Officers, q.ChangedSince = mine, w.Since })
		}
		return err
	})
	if err != nil {
		return w, err
	}
	var faults []error // each number is asked for, so that those of a large instance are counted together
	take := func(number *int64, err error) {
		if errors.Is(err, ErrCounting) {
			*number, err = StillCounting, nil
		}
		faults = append(faults, err)
	}
	if by.Has(admitto.ApplicationsView) {
		w.TasksHandedIn, _, err = shared(ctx, s, "handed in", (*store.Tx).TasksHandedIn)
		take(&w.TasksHandedIn, err)
	}
	if by.Has(admitto.OffersView) && by.Has(admitto.ApplicationsView) {
		types, err := quickly(ctx, s, "changed types", changedTypes)
		if err != nil {
			return w, err
		}
		w.ChangedTypes = slices.Clone(types)
		no := false
		w.UnconfirmedChange, _, err = shared(ctx, s, "unconfirmed", func(tx *store.Tx) (int64, error) {
			return s.countOf(tx, 0, func(q *admitto.ApplicationQuery) { q.OfferTypes, q.OfferAsConfirmed = types, &no })
		})
		take(&w.UnconfirmedChange, err)
	}
	if by.Has(admitto.ApplicantsView) {
		w.FailedEmails, _, err = shared(ctx, s, fmt.Sprint("failed mails ", by.Mails()), func(tx *store.Tx) (int64, error) {
			return tx.FailedEmails(by.Mails())
		})
		take(&w.FailedEmails, err)
	}
	return w, errors.Join(faults...)
}

// changedTypes are the types of offers that may be confirmed.
func changedTypes(tx *store.Tx) (ids []int64, err error) {
	types, err := tx.OfferTypes()
	ids = []int64{} // not nil: a filter that matches nothing is still a filter
	for i := range types {
		if types[i].Confirm {
			ids = append(ids, types[i].ID)
		}
	}
	return ids, err
}

// MyScoring returns the scoresheets that are not confirmed and that the caller is asked to score, with what is left of
// each: those of the first day first, those without one last.
func (s *Service) MyScoring(ctx context.Context, by admitto.Caller) ([]store.SheetLeft, error) {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return nil, err
	}
	counted, _, err := shared(ctx, s, "sheets", (*store.Tx).OpenSheets)
	if err != nil {
		return nil, err
	}
	left := map[int64]store.SheetLeft{}
	for _, l := range counted {
		left[l.Sheet] = l
	}
	// What was counted a while ago may be of a sheet that is confirmed, or another's, by now.
	var list []store.SheetLeft
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		sheets, err := tx.Scoresheets()
		list = nil
		for i := range sheets {
			h := &sheets[i]
			l, ok := left[h.ID]
			if !ok || h.Confirmed != 0 || len(h.Scorers) > 0 &&
				!(by.Actor.Kind == admitto.ByAdministrator && slices.Contains(h.Scorers, by.Actor.ID)) {
				continue
			}
			l.Name, l.Due = h.Name, h.Due
			list = append(list, l)
		}
		return err
	})
	slices.SortStableFunc(list, func(a, b store.SheetLeft) int {
		if a.Due.IsZero() != b.Due.IsZero() {
			return cmp.Compare(b.Due.String(), a.Due.String())
		}
		return cmp.Compare(a.Due.String(), b.Due.String())
	})
	return list, err
}

// MoneyWork are the invoices that want attention: unpaid after their day, and paid too much.
type MoneyWork struct {
	Overdue, Surplus int64
	At               admitto.Time
}

// MoneyWork returns the invoices that want attention.
func (s *Service) MoneyWork(ctx context.Context, by admitto.Caller) (MoneyWork, error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return MoneyWork{}, err
	}
	m, at, err := shared(ctx, s, "money", func(tx *store.Tx) (m MoneyWork, err error) {
		if m.Overdue, err = tx.InvoicesOverdue(s.core.Today(tx)); err == nil {
			m.Surplus, err = tx.InvoicesWithSurplus()
		}
		return m, err
	})
	m.At = at
	return m, err
}

// DeadlineKind is what ends on a day.
type DeadlineKind string

// The kinds of deadlines ahead.
const (
	IntakeDeadline   DeadlineKind = "intake"
	DecisionDeadline DeadlineKind = "decision"
	GraceDeadline    DeadlineKind = "grace"
	InvoiceDeadline  DeadlineKind = "invoice"
)

// DeadlineAhead is a deadline of the next days: of an intake, for the Territory; of so many offers or invoices; or the
// grace day of a term.
type DeadlineAhead struct {
	Day          admitto.Date
	Kind         DeadlineKind
	Intake, Term int64
	Name         string // of the intake or the term
	Territory    string
	N            int64 // offers that wait for an answer, or invoices to be paid
}

// aheadDays is how far deadlines ahead reach.
const aheadDays = 60

// DeadlinesAhead returns the deadlines of the next 60 days, by day: of the intakes of the term and its grace day, and,
// as the caller may see them, of decisions and invoices. Term 0 is all terms.
func (s *Service) DeadlinesAhead(ctx context.Context, by admitto.Caller, term int64) (list []DeadlineAhead,
	at admitto.Time, err error) {
	if err := by.Staff(); err != nil {
		return nil, 0, err
	}
	all, at, err := shared(ctx, s, fmt.Sprint("ahead ", term), func(tx *store.Tx) ([]DeadlineAhead, error) {
		today := s.core.Today(tx)
		return deadlinesAhead(tx, term, today, today.AddDays(aheadDays))
	})
	for _, d := range all {
		if d.Kind == DecisionDeadline && !by.Has(admitto.OffersView) || d.Kind == InvoiceDeadline &&
			!by.Has(admitto.AccountingView) {
			continue
		}
		list = append(list, d)
	}
	return list, at, err
}

func deadlinesAhead(tx *store.Tx, term int64, from, to admitto.Date) (list []DeadlineAhead, err error) {
	if list, err = intakesAhead(tx, term, from, to); err != nil {
		return nil, err
	}
	terms, err := tx.Terms()
	if err != nil {
		return nil, err
	}
	for _, t := range terms {
		if (term == 0 || t.ID == term) && !t.Grace.IsZero() && !t.Grace.Before(from) && !to.Before(t.Grace) {
			list = append(list, DeadlineAhead{Day: t.Grace, Kind: GraceDeadline, Term: t.ID, Name: t.Name})
		}
	}
	decisions, err := tx.DecisionDeadlines(term, from, to)
	if err != nil {
		return nil, err
	}
	for _, d := range decisions {
		list = append(list, DeadlineAhead{Day: d.Day, Kind: DecisionDeadline, Term: term, N: d.N})
	}
	invoices, err := tx.InvoiceDeadlines(from, to)
	for _, d := range invoices {
		list = append(list, DeadlineAhead{Day: d.Day, Kind: InvoiceDeadline, N: d.N})
	}
	sortByDay(list)
	return list, err
}

// intakesAhead returns the deadlines of intakes, by day.
func intakesAhead(tx *store.Tx, term int64, from, to admitto.Date) (list []DeadlineAhead, err error) {
	intakes, err := tx.Intakes()
	if err != nil {
		return nil, err
	}
	for i := range intakes {
		in := &intakes[i]
		for _, d := range in.Deadlines {
			if (term == 0 || in.Term.ID == term) && !d.Barred && !d.Day.IsZero() && !d.Day.Before(from) && !to.Before(d.Day) {
				list = append(list, DeadlineAhead{Day: d.Day, Kind: IntakeDeadline, Intake: in.ID, Term: in.Term.ID, Name: in.Name,
					Territory: d.Territory})
			}
		}
	}
	sortByDay(list)
	return list, err
}

func sortByDay(list []DeadlineAhead) {
	slices.SortStableFunc(list, func(a, b DeadlineAhead) int {
		switch {
		case a.Day.Before(b.Day):
			return -1
		case b.Day.Before(a.Day):
			return 1
		}
		return 0
	})
}

// DefaultTerm returns the term of the next deadline of an intake, or else the last term; 0 without any.
func (s *Service) DefaultTerm(ctx context.Context, by admitto.Caller) (int64, error) {
	if err := by.Staff(); err != nil {
		return 0, err
	}
	return quickly(ctx, s, "default term", func(tx *store.Tx) (term int64, err error) {
		today := s.core.Today(tx)
		ahead, err := intakesAhead(tx, 0, today, today.AddDays(20*365))
		if err != nil {
			return 0, err
		}
		if len(ahead) > 0 {
			return ahead[0].Term, nil
		}
		terms, err := tx.Terms()
		for _, t := range terms {
			term = max(term, t.ID)
		}
		return term, err
	})
}
