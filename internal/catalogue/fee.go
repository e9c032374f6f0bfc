package catalogue

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// mostPaymentDays is how many days there are at most to pay the invoice of a fee.
const mostPaymentDays = 365

// SaveFee changes a fee with its amounts and courses, or makes one where its ID is 0, and returns its ID (lifecycle.md
// 6.4, screens.md A33). Invoices that it brought stay as they are. Errors: invalid-parameter, not-found,
// changed-meanwhile.
func (s *Service) SaveFee(ctx context.Context, by usecase.Caller, f admitto.Fee) (int64, error) {
	if err := by.Needs(admitto.AccountingEdit); err != nil {
		return 0, err
	}
	given := f
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.FeeRow, ID: f.ID},
		check: func(c *checks) {
			f = given
			f.Amounts, f.Courses = slices.Clone(given.Amounts), slices.Clone(given.Courses)
			c.fee(&f)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveFee(&f) },
		recorded: func(made bool) admitto.Event {
			return about(either(made, admitto.FeeCreated, admitto.FeeEdited), f.ID)
		},
	})
	return f.ID, err
}

// fee checks a fee.
func (c *checks) fee(f *admitto.Fee) {
	c.line("page.fee.name", &f.Name, 1, mostLine)
	c.among("page.fee.type", f.Type, "Appfee", "Tuition")
	c.lines("page.fee.notes", &f.Notes, mostNotes)
	f.Versions = c.versionsOf("page.fee", f.Versions, map[string]bound{"name": oneLine(mostLine)})
	c.among("page.fee.automatic", string(f.Automatic), string(admitto.FeeNotAutomatic), string(admitto.FeeByApplication),
		string(admitto.FeeByCourse))
	c.among("page.fee.cause", string(f.Cause), string(admitto.FeeAtCourse), string(admitto.FeeAtSubmission))
	if f.Series != 0 || f.Automatic != admitto.FeeNotAutomatic {
		_, err := c.tx.SeriesOrDefault(f.Series)
		c.there("page.fee.series", err)
	}
	if d := f.PaymentDays; d != nil && (*d < 0 || *d > mostPaymentDays) {
		c.fault("page.fee.days", message.Of("number-range", 0, mostPaymentDays))
	}
	c.feeAmounts(f)
	if f.AllCourses {
		f.Courses = nil
	} else if len(f.Courses) == 0 {
		c.fault("page.fee.courses", message.Of("fee-without-course"))
	}
	for _, id := range f.Courses {
		_, err := c.tx.Course(id)
		c.there("page.fee.courses", err)
	}
}

// feeAmounts checks what a fee amounts to: lines without a territory are none, and each territory is there once.
func (c *checks) feeAmounts(f *admitto.Fee) {
	regions, err := c.tx.Regions()
	if err != nil {
		c.err = err
		return
	}
	var amounts []admitto.FeeAmount
	before := len(c.faults)
	for n, a := range f.Amounts {
		at := strconv.Itoa(n) // a line of the form
		if a.Territory == "" {
			if a.Amount != 0 {
				c.fault(admitto.Path("page.fee.territory-"+at), message.Of("territory-missing"))
			}
			continue
		}
		if country, err := text.Country(a.Territory); err == nil {
			a.Territory = country
		} else if a.Territory != admitto.World && !slices.ContainsFunc(regions,
			func(r admitto.Region) bool { return r.Code == a.Territory }) {
			c.fault(admitto.Path("page.fee.territory-"+at), message.From(err))
			continue
		}
		if slices.ContainsFunc(amounts, func(b admitto.FeeAmount) bool { return b.Territory == a.Territory }) {
			c.fault(admitto.Path("page.fee.territory-"+at), message.Of("territory-twice", a.Territory))
		}
		if a.Currency == "" {
			c.fault(admitto.Path("page.fee.currency-"+at), message.Of("text-missing", text.Quote(a.Currency), 3, 3))
		} else if a.Currency, err = text.Currency(a.Currency); err != nil {
			c.fault(admitto.Path("page.fee.currency-"+at), message.From(err))
		}
		if a.Amount < 0 || a.Amount > admitto.MaxItemPrice {
			c.fault(admitto.Path("page.fee.amount-"+at), message.Of("price-range", "0.00", admitto.MaxItemPrice.String()))
		}
		c.among(admitto.Path("page.fee.basis-"+at), a.Basis, "One-time", "Year")
		amounts = append(amounts, a)
	}
	if len(amounts) == 0 && len(c.faults) == before {
		c.fault("page.fee.territory-0", message.Of("fee-without-amount"))
	}
	slices.SortFunc(amounts, func(a, b admitto.FeeAmount) int { return strings.Compare(a.Territory, b.Territory) })
	f.Amounts = amounts
}
