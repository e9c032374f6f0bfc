package query

import (
	"context"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// foundAtMost is how many results a group of the search has.
const foundAtMost = 10

// searchedAtMost is how many bytes of a query count.
const searchedAtMost = 256

// Found are the results of a search, by group. Exact says that the query is the ID or number of something; those come
// first. More of a group says that there are further results.
type Found struct {
	Exact            bool
	Applicants       []ApplicantRow
	MoreApplicants   bool
	Applications     []ApplicationRow
	MoreApplications bool
	Offers           []store.OfferFound
	Invoices         []store.InvoiceFound
	MoreInvoices     bool
	Courses          []store.CourseName
	MoreCourses      bool
}

// Count is how many results there are.
func (f *Found) Count() int {
	return len(f.Applicants) + len(f.Applications) + len(f.Offers) + len(f.Invoices) + len(f.Courses)
}

// kinds are the words that may stand before an ID, each for one group.
var kinds = map[string]string{"applicant": "applicant", "applicants": "applicant", "application": "application",
	"applications": "application", "offer": "offer", "offers": "offer", "invoice": "invoice", "invoices": "invoice",
	"course": "course", "courses": "course"}

// Search looks for q in what the caller may see (screens.md A06): IDs and numbers, and words that begin as those of q,
// in any order, without regard to accents and letter case. A query of less than 2 characters finds nothing but an ID.
func (s *Service) Search(ctx context.Context, by admitto.Caller, q string) (found Found, err error) {
	if err := by.Staff(); err != nil {
		return found, err
	}
	q = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(q, " "), "\x00", " "))
	if len(q) > searchedAtMost {
		q = strings.ToValidUTF8(q[:searchedAtMost], "")
	}
	kind, number := "", q
	if word, rest, two := strings.Cut(q, " "); two && kinds[text.Fold(word)] != "" {
		kind, number = kinds[text.Fold(word)], strings.TrimSpace(rest)
	}
	number = strings.TrimPrefix(number, "#")
	id, notID := text.ID(number)
	if notID != nil {
		id = 0
		if kind != "" && !slices.ContainsFunc([]rune(number), func(r rune) bool { return r >= '0' && r <= '9' }) {
			kind, number = "", q // no number after it, so the word is one to look for
		}
	}
	terms := text.Terms(q)
	if len([]rune(text.Fold(q))) < 2 || kind != "" {
		terms = nil
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		for _, part := range []struct {
			kind string
			may  admitto.Permission
			find func() error
		}{
			{"applicant", admitto.ApplicantsView, func() error { return found.applicants(tx, by, id, number, terms) }},
			{"application", admitto.ApplicationsView, func() error { return s.findApplication(tx, by, &found, id) }},
			{"offer", admitto.OffersView, func() error { return found.offers(tx, id) }},
			{"invoice", admitto.AccountingView, func() error { return found.invoices(tx, number, id) }},
			{"course", 0, func() error { return found.courses(tx, id, number, terms) }},
		} {
			if (kind == "" || kind == part.kind) && (part.may == 0 || by.Has(part.may)) {
				if err := part.find(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return found, err
}

// applicants puts those with the ID or number first.
func (f *Found) applicants(tx *store.Tx, by admitto.Caller, id int64, number string, terms []string) error {
	ids, err := tx.ApplicantsByNumber(number)
	if err != nil {
		return err
	}
	if id != 0 {
		ids = append([]int64{id}, ids...)
	}
	if ids, err = tx.OnlyVisible(ids); err != nil {
		return err
	}
	f.Exact = f.Exact || len(ids) > 0
	if len(terms) > 0 {
		others, err := tx.FindApplicants(terms, foundAtMost+1)
		if err != nil {
			return err
		}
		for _, other := range others {
			if !slices.Contains(ids, other) {
				ids = append(ids, other)
			}
		}
	}
	ids, f.MoreApplicants = atMost(ids)
	f.Applicants, err = applicantRows(tx, by, ids)
	return err
}

func atMost[T any](list []T) ([]T, bool) {
	if len(list) > foundAtMost {
		return list[:foundAtMost], true
	}
	return list, false
}

func (s *Service) findApplication(tx *store.Tx, by admitto.Caller, f *Found, id int64) error {
	if id == 0 {
		return nil
	}
	q := admitto.Browse{}
	s.prepare(tx, &q.ApplicationQuery)
	rows, err := applicationRows(tx, by, &q, []int64{id})
	f.Applications, f.Exact = rows, f.Exact || len(rows) > 0
	return err
}

func (f *Found) offers(tx *store.Tx, id int64) (err error) {
	if id != 0 {
		f.Offers, err = tx.OfferByID(id)
		f.Exact = f.Exact || len(f.Offers) > 0
	}
	return err
}

func (f *Found) invoices(tx *store.Tx, number string, id int64) error {
	if number == "" {
		return nil
	}
	list, err := tx.InvoicesByNumber(number, id, foundAtMost+1)
	f.Invoices, f.MoreInvoices = atMost(list)
	f.Exact = f.Exact || len(list) > 0
	return err
}

func (f *Found) courses(tx *store.Tx, id int64, number string, terms []string) error {
	var list []store.CourseName
	if id != 0 {
		names, err := tx.CourseNames([]int64{id})
		if err != nil {
			return err
		}
		for _, c := range names {
			list, f.Exact = append(list, c), true
		}
	}
	if len(terms) > 0 {
		others, err := tx.FindCourses(terms, foundAtMost+1)
		if err != nil {
			return err
		}
		for _, c := range others {
			if c.ID != id {
				list = append(list, c)
			}
			f.Exact = f.Exact || c.Code != "" && strings.EqualFold(c.Code, number)
		}
	}
	f.Courses, f.MoreCourses = atMost(list)
	return nil
}
