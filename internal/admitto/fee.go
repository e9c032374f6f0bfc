package admitto

import "slices"

// Fee is what applying or studying costs, by territory (resources.md 24.14, lifecycle.md 6.4).
type Fee struct {
	ID          int64
	Name        string
	Type        string // Tuition or Appfee
	Notes       string
	Amounts     []FeeAmount  // by territory, ascending
	Automatic   FeeAutomatic // what gets an invoice of its own
	Cause       FeeCause     // what the invoice comes with
	Series      int64        // 0: the default one
	PaymentDays *int64       // nil: as the setting says
	Courses     []int64      // that have the fee; AllCourses: every one
	AllCourses  bool
	Versions    Versions // of name
}

// NameIn is what the fee is called in a language.
func (f *Fee) NameIn(lang string) (name string, fallback bool) {
	return f.Versions.In(lang, "name", f.Name)
}

// FeeAutomatic says for what invoices are issued automatically.
type FeeAutomatic string

// An invoice for nothing, for an application, or for each course of it.
const (
	FeeNotAutomatic  FeeAutomatic = "none"
	FeeByApplication FeeAutomatic = "application"
	FeeByCourse      FeeAutomatic = "course"
)

// FeeCause is what brings the invoice of an automatic fee.
type FeeCause string

// The causes.
const (
	FeeAtCourse     FeeCause = "course added"
	FeeAtSubmission FeeCause = "submitted"
)

// FeeAmount is what a fee costs for a territory: the world (001), a country or a region.
type FeeAmount struct {
	Territory, Qualifier, Currency string
	Amount                         Hundredths
	Basis                          string // Year or One-time
	Info                           string
}

// AmountFor returns the amount that holds for a citizenship ("" when it is unknown); found is false when the fee does
// not apply.
func (f *Fee) AmountFor(citizenship string, regions []Region) (a FeeAmount, found bool) {
	at := func(territory string) int {
		return slices.IndexFunc(f.Amounts, func(a FeeAmount) bool { return a.Territory == territory })
	}
	i := at(territoryOf(citizenship, regions, func(territory string) bool { return at(territory) >= 0 }))
	if i < 0 {
		return a, false
	}
	return f.Amounts[i], true
}

// Has reports whether a course has the fee.
func (f *Fee) Has(course int64) bool { return f.AllCourses || slices.Contains(f.Courses, course) }

// Off returns what the reduction takes off an amount: at most all of it, percentages rounded half up, and nothing when
// it is in another currency.
func (r *Reduction) Off(amount Hundredths, currency string) Hundredths {
	switch {
	case r.ByAmount() && r.Currency != currency:
		return 0
	case r.ByAmount():
		return min(r.Amount, amount)
	}
	return min((amount*r.Percent+50_00)/100_00, amount)
}

// BestReduction returns the tracker whose reduction takes most off an amount, nil when none takes anything. Reductions
// never add up (lifecycle.md 2.4); of equal ones the tracker with the lowest ID counts.
func BestReduction(trackers []Tracker, amount Hundredths, currency string) (best *Tracker, off Hundredths) {
	for i := range trackers {
		t := &trackers[i]
		if t.Reduction == nil {
			continue
		}
		value := t.Reduction.Off(amount, currency)
		if value > off || value == off && value > 0 && t.ID < best.ID {
			best, off = t, value
		}
	}
	return best, off
}
