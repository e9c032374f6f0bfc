package query

import (
	"context"
	"iter"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// ApplicationRow is an application in a list of staff.
type ApplicationRow struct {
	admitto.Application
	ApplicantType    admitto.ApplicantType
	Name             admitto.Name // of the applicant
	Citizenship      string       // of the applicant
	Expired          bool
	ApplicantChanged admitto.Time // when the applicant changed it last, since it was submitted; 0: never
	Officer          int64        // 0: nobody
	OfficerName      string
	OpenTasks        int64
	Flags            []int64 // by ID
	Courses          []CourseCell
}

// CourseCell is a course of an application in a list, in the order of priorities.
type CourseCell struct {
	store.CourseName
	Intake   int64
	Priority int
	Offer    *OfferCell // nil before the submission, and without offers-view
}

// OfferCell is the offer for a course in a list. Confirmed is the type that it is confirmed with, 0 for none; where it
// is another than Type, there is an unconfirmed change.
type OfferCell struct {
	ID, Type, Confirmed int64
	Decision            admitto.Decision
}

// ListPage is what a page of a list has next to its rows.
type ListPage struct {
	Total      int64 // how many match, or, with TotalMore, more than that
	TotalMore  bool
	Back, More bool // rows precede, and follow
}

// ApplicationPage is one page of a list of applications.
type ApplicationPage struct {
	ListPage
	Rows []ApplicationRow
}

// pageRows are the numbers of rows that a page may have, the first being the usual one.
var pageRows = []int{50, 25, 100, 250}

// PageRows returns the numbers of rows that a page may have, the first being the usual one.
func PageRows() []int { return slices.Clone(pageRows) }

// maySkip bounds how far a page may be behind the beginning by its number; further on pages follow one another.
const maySkip = 100_000

// pageOf brings a page to what it may be.
func pageOf(p admitto.BrowsePage, sorts []admitto.BrowseSort) admitto.BrowsePage {
	if !slices.Contains(sorts, p.Sort) {
		p.Sort = sorts[0]
	}
	if !slices.Contains(pageRows, p.Rows) {
		p.Rows = pageRows[0]
	}
	p.Skip = min(max(p.Skip, 0), maySkip)
	if p.After != 0 || p.Before != 0 {
		p.Skip = 0
	}
	if p.After != 0 {
		p.Before = 0
	}
	return p
}

// mayFilter refuses filters whose answers show what the caller may not see.
func mayFilter(by admitto.Caller, q *admitto.ApplicationQuery) error {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return err
	}
	for _, p := range q.Shows() {
		if err := by.Needs(p); err != nil {
			return err
		}
	}
	return nil
}

// prepare fills in what a query of applications is compared with; ok is false when nothing can match.
func (s *Service) prepare(tx *store.Tx, q *admitto.ApplicationQuery) (ok bool) {
	q.Now, q.Today = tx.Now(), s.core.Today(tx)
	if q.Text != "" {
		q.Terms = text.Terms(q.Text)
		return len(q.Terms) > 0
	}
	return true
}

// BrowseApplications returns a page of applications as staff see them (screens.md A10). Text matches applicants who
// have, for each word of it, a word in their names, addresses or numbers that begins so.
func (s *Service) BrowseApplications(ctx context.Context, by admitto.Caller, q admitto.Browse) (page ApplicationPage,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return page, err
	}
	if err := mayFilter(by, &q.ApplicationQuery); err != nil {
		return page, err
	}
	q.Page = pageOf(q.Page, admitto.ApplicationSorts())
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if !s.prepare(tx, &q.ApplicationQuery) {
			return nil
		}
		found, err := tx.BrowseApplications(q, true)
		if err != nil {
			return err
		}
		page.ListPage = listPage(&found)
		page.Rows, err = applicationRows(tx, by, &q, found.IDs)
		return err
	})
	return page, err
}

func listPage(l *store.Listed) ListPage {
	return ListPage{Total: l.Total.N, TotalMore: l.Total.More, Back: l.Back, More: l.More}
}

// CountBrowsed counts the applications of a query, whatever its page: exactly, or with more that they are more.
func (s *Service) CountBrowsed(ctx context.Context, by admitto.Caller, q admitto.ApplicationQuery) (n int64, more bool,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return 0, false, err
	}
	if err := mayFilter(by, &q); err != nil {
		return 0, false, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if !s.prepare(tx, &q) {
			return nil
		}
		found, err := tx.CountBrowsed(q)
		n, more = found.N, found.More
		return err
	})
	return n, more, err
}

// ApplicationNeighbours returns the applications before and after one in a list, 0 for none, whether the application
// itself is in the list or not.
func (s *Service) ApplicationNeighbours(ctx context.Context, by admitto.Caller, q admitto.Browse,
	id int64) (previous, next int64, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return 0, 0, err
	}
	if err := mayFilter(by, &q.ApplicationQuery); err != nil {
		return 0, 0, err
	}
	q.Page = pageOf(admitto.BrowsePage{Sort: q.Page.Sort, Descending: q.Page.Descending}, admitto.ApplicationSorts())
	q.Page.Rows = 1
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if !s.prepare(tx, &q.ApplicationQuery) {
			return nil
		}
		q.Page.Before = id
		found, err := tx.BrowseApplications(q, false)
		if err != nil {
			return err
		}
		previous = first(found.IDs)
		q.Page.Before, q.Page.After = 0, id
		found, err = tx.BrowseApplications(q, false)
		next = first(found.IDs)
		return err
	})
	return previous, next, err
}

func first(ids []int64) int64 {
	if len(ids) == 0 {
		return 0
	}
	return ids[0]
}

// exportedAtOnce is how many rows of a whole list are read at once.
const exportedAtOnce = 1000

// EachBrowsedApplication returns all rows of a list in its order, whatever its page. An error is the last that it
// yields.
func (s *Service) EachBrowsedApplication(ctx context.Context, by admitto.Caller, q admitto.Browse) (
	iter.Seq2[*ApplicationRow, error], error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return nil, err
	}
	if err := mayFilter(by, &q.ApplicationQuery); err != nil {
		return nil, err
	}
	q.Page = pageOf(admitto.BrowsePage{Sort: q.Page.Sort, Descending: q.Page.Descending}, admitto.ApplicationSorts())
	q.Page.Rows = exportedAtOnce
	return wholeList(ctx, s, func(tx *store.Tx, after int64) (rows []ApplicationRow, more bool, err error) {
		q := q
		if !s.prepare(tx, &q.ApplicationQuery) {
			return nil, false, nil
		}
		q.Page.After = after
		found, err := tx.BrowseApplications(q, false)
		if err == nil {
			rows, err = applicationRows(tx, by, &q, found.IDs)
		}
		return rows, found.More, err
	}, func(r *ApplicationRow) int64 { return r.ID }), nil
}

// wholeList reads a list page by page in one snapshot.
func wholeList[T any](ctx context.Context, s *Service, read func(tx *store.Tx, after int64) ([]T, bool, error),
	id func(*T) int64) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		stopped := false
		err := s.core.Read(ctx, func(tx *store.Tx) error {
			for after := int64(0); ; {
				rows, more, err := read(tx, after)
				if err != nil {
					return err
				}
				for i := range rows {
					after = id(&rows[i])
					if stopped = !yield(&rows[i], nil); stopped {
						return nil
					}
				}
				if !more || len(rows) == 0 {
					return nil
				}
			}
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// applicationRows reads what the rows show, one statement for each kind.
func applicationRows(tx *store.Tx, by admitto.Caller, q *admitto.Browse, ids []int64) ([]ApplicationRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	headers, err := tx.BrowsedApplications(ids, q.Today, q.Now)
	if err != nil {
		return nil, err
	}
	var people, officers, taken []int64
	for _, h := range headers {
		people = append(people, h.Applicant)
		if h.Officer != 0 {
			officers = append(officers, h.Officer)
		}
	}
	applicants, err := tx.VisibleApplicants(people)
	if err != nil {
		return nil, err
	}
	flags, err := tx.FlagsOfApplications(ids)
	if err != nil {
		return nil, err
	}
	courses, err := tx.CoursesOfApplications(ids)
	if err != nil {
		return nil, err
	}
	for _, list := range courses {
		for _, c := range list {
			taken = append(taken, c.Course)
		}
	}
	names, err := tx.CourseNames(unique(taken))
	if err != nil {
		return nil, err
	}
	who, err := tx.AdministratorNames(unique(officers))
	if err != nil {
		return nil, err
	}
	var offers map[int64][]admitto.Offer
	if by.Has(admitto.OffersView) {
		if offers, err = tx.OfferTags(ids); err != nil {
			return nil, err
		}
	}
	rows := make([]ApplicationRow, 0, len(ids))
	for _, id := range ids {
		h := headers[id]
		if h == nil {
			continue
		}
		row := ApplicationRow{Application: h.Application, Expired: h.Expired, Officer: h.Officer, OfficerName: who[h.Officer],
			OpenTasks: h.OpenTasks, ApplicantChanged: h.ApplicantChanged}
		if p := applicants[h.Applicant]; p != nil {
			row.ApplicantType, row.Name, row.Citizenship = p.Type, p.Name, p.Citizenship
		}
		for _, f := range flags[id] {
			row.Flags = append(row.Flags, f.Flag)
		}
		row.Courses = courseCells(courses[id], offers[id], names)
		rows = append(rows, row)
	}
	return rows, nil
}

func courseCells(courses []admitto.ApplicationCourse, offers []admitto.Offer,
	names map[int64]store.CourseName) (cells []CourseCell) {
	slices.SortFunc(courses, func(a, b admitto.ApplicationCourse) int { return a.Priority - b.Priority })
	for _, c := range courses {
		cell := CourseCell{CourseName: names[c.Course], Intake: c.Intake, Priority: c.Priority}
		for _, o := range offers {
			if o.Course == c.Course {
				cell.Offer = &OfferCell{ID: o.ID, Type: o.Type, Confirmed: o.TypeConfirmed, Decision: o.Decision}
			}
		}
		cells = append(cells, cell)
	}
	return cells
}

func unique(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}
