package billing

import (
	"context"
	"errors"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Fees lists all fees, by ID (resources.md 24.14).
func (s *Service) Fees(ctx context.Context, by admitto.Caller) (list []admitto.Fee, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Fees)
}

// Fee reads one fee, or answers not-found.
func (s *Service) Fee(ctx context.Context, by admitto.Caller, id int64) (f admitto.Fee, err error) {
	if err := by.Needs(admitto.AccountingView); err != nil {
		return f, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Fee, error) { return tx.Fee(id) })
}

// ChargeFees issues the automatic invoices that a cause ("course added" or "submitted") brings for courses of a locked
// application (lifecycle.md 6.4): at most one for each fee and application, or fee and course, that has not lapsed.
// A fee without an entry for the applicant's citizenship, or of 0.00, does not apply.
func (s *Service) ChargeFees(tx *store.Tx, d *usecase.LockedApplication, cause string,
	courses []admitto.ApplicationCourse) error {
	fees, err := s.LockFees(tx, cause)
	if err != nil || len(fees) == 0 || len(courses) == 0 {
		return err
	}
	regions, err := tx.Regions()
	if err != nil {
		return err
	}
	for n := range fees {
		fee := &fees[n]
		amount, found := fee.AmountFor(d.Applicant.Citizenship, regions)
		if !found || amount.Amount <= 0 {
			continue
		}
		for _, c := range courses {
			if !fee.Has(c.Course) {
				continue
			}
			if fee.Automatic == admitto.FeeByApplication {
				c.Course = 0
			}
			if err := s.chargeFee(tx, d, fee, &amount, c.Course, c.Institution); err != nil {
				return err
			}
		}
	}
	return nil
}

// LockFees returns the automatic fees of a cause and locks the series that their invoices take numbers from, in the
// order of their IDs. A use case that makes something whose order of commits must be locked (LockOrder) before
// chargeFees calls it before that, so that nobody waits for a series who holds up those that issue invoices.
func (s *Service) LockFees(tx *store.Tx, cause string) ([]admitto.Fee, error) {
	fees, err := tx.FeesAt(admitto.FeeCause(cause))
	var series []int64
	for i := range fees {
		if err == nil && fees[i].Series == 0 {
			var seriesValue admitto.Series
			if seriesValue, err = tx.SeriesOrDefault(0); admitto.KindOf(err) == admitto.NotFound {
				err = errors.New("an automatic fee needs a default series of invoices")
			}
			fees[i].Series = seriesValue.ID
		}
		series = append(series, fees[i].Series)
	}
	slices.Sort(series)
	for _, id := range slices.Compact(series) {
		if err == nil {
			_, err = tx.LockSeries(id)
		}
	}
	return fees, err
}

// chargeFee issues the invoice of a fee for a course (0: the application) unless there is one. The best reduction of
// the applicant's trackers is a line of its own.
func (s *Service) chargeFee(tx *store.Tx, d *usecase.LockedApplication, fee *admitto.Fee, amount *admitto.FeeAmount,
	course, institution int64) error {
	if charged, err := tx.HasFeeInvoice(fee.ID, d.ID, course); err != nil || charged {
		return err
	}
	item, versions := fee.Name, admitto.Versions{}
	for lang, texts := range fee.Versions {
		versions.Set(lang, admitto.ItemVersion(0), texts["name"])
	}
	if course != 0 {
		c, err := tx.Course(course)
		if err != nil {
			return err
		}
		item += ", " + c.Name
		for lang, texts := range versions {
			name, _ := c.NameIn(lang)
			texts[admitto.ItemVersion(0)] += ", " + name
		}
	}
	trackers, err := tx.ReductionsOf(d.Applicant.ID)
	if err != nil {
		return err
	}
	items := []admitto.InvoiceItem{{Item: item, Price: amount.Amount, Qty: 1_00}}
	if best, off := admitto.BestReduction(trackers, amount.Amount, amount.Currency); best != nil {
		says := message.Of("invoice-reduction", best.Code)
		items = append(items, admitto.InvoiceItem{Item: says.String(), Price: -off, Qty: 1_00})
		for _, lang := range s.core.Settings().Instance.Languages {
			if text := says.In(s.notify.Sentences(lang)); text != says.String() {
				versions.Set(lang, admitto.ItemVersion(1), text)
			}
		}
	}
	in := NewInvoice{Series: fee.Series, Course: course, Institution: institution, Currency: amount.Currency, Items: items,
		versions: versions}
	if fee.PaymentDays != nil {
		in.Deadline = s.core.Today(tx).AddDays(int(*fee.PaymentDays))
	}
	// Nobody issues it by hand, so nobody is its administrator.
	own := *d
	own.Actor = d.System()
	i, err := s.draftInvoice(tx, &own, &in)
	if err != nil {
		return err
	}
	i.Automatic, i.Fee = true, fee.ID
	return s.issue(tx, &own, i, nil, true)
}
