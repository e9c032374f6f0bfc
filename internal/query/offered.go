package query

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// OfferedList is what a visitor asks the catalogue for (screens.md P01).
type OfferedList struct {
	admitto.OfferedQuery
	Text          string // words of the name in any language, of code and institution
	Language      string // in which names are ordered
	Term          int64  // courses that start in it; 0: all
	Open          bool   // only courses that can be applied for with this citizenship
	Citizenship   string // "" when it is unknown
	Offset, Limit int
}

// OfferedIntake is an intake of a course as a visitor finds it.
type OfferedIntake struct {
	admitto.Intake
	State    admitto.IntakeState
	Deadline admitto.ActiveDeadline
	// What staff say about the deadline of this citizenship, and the territory that it is for.
	Info, Territory string
}

// OfferedFee is what a course costs with a citizenship, and for which territory that amount is.
type OfferedFee struct {
	Name, Type        string
	Versions          admitto.Versions // of its name
	Varies            bool             // with the citizenship, which is not known
	Others            bool             // have another amount, or pay nothing
	admitto.FeeAmount                  // none where only others pay
}

// OfferedCourse is a course with what holds for a visitor. Starts are its intakes of terms that are not over: those
// that are open first, then those that will be, each by the day on which studies begin.
type OfferedCourse struct {
	admitto.Course
	InstitutionName string
	Starts          []OfferedIntake
	Fees            []OfferedFee
	Asked           form.Asked             // of who applies; only OfferedCourse reads it
	Papers          []admitto.TaskTemplate // what they send with it or afterwards; the same
}

// OfferedPage is a page of the catalogue.
type OfferedPage struct {
	Courses      []OfferedCourse
	Total        int
	Choices      admitto.OfferedChoices
	Institutions []admitto.Institution // that are Online
	Terms        []admitto.Term        // of intakes of terms that are not over, by their start
	Words        []admitto.Classificator
	NextStart    admitto.Date // when the first intake opens of what would be listed, where nothing of it is open
}

// catalogue is what the courses of a page are described with.
type catalogue struct {
	institutions map[int64]string
	intakes      map[int64]*OfferedIntake
	fees         []admitto.Fee
	regions      []admitto.Region
	citizenship  string
}

// OfferedCourses lists the courses that everybody finds: featured ones first, then by name. Nobody has to be signed in.
func (s *Service) OfferedCourses(ctx context.Context, q OfferedList) (page OfferedPage, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		page = OfferedPage{}
		c, err := s.readCatalogue(tx, q.Citizenship, &page)
		if err != nil {
			return err
		}
		found, err := c.find(tx, q)
		if err != nil {
			return err
		}
		if len(found) == 0 && q.Open {
			page.NextStart, err = c.nextStart(tx, q)
			return err
		}
		page.Total = len(found)
		found = found[min(q.Offset, len(found)):]
		found = found[:min(q.Limit, len(found))]
		page.Courses, err = c.courses(tx, found)
		return err
	})
	return page, err
}

// readCatalogue reads what all courses are described with, and puts what can be chosen from on the page.
func (s *Service) readCatalogue(tx *store.Tx, citizenship string, page *OfferedPage) (*catalogue, error) {
	c := &catalogue{institutions: map[int64]string{}, intakes: map[int64]*OfferedIntake{}, citizenship: citizenship}
	var err error
	if page.Choices, err = tx.OfferedChoices(); err != nil {
		return nil, err
	}
	if page.Institutions, err = tx.Institutions(admitto.InstitutionQuery{Statuses: []string{"Online"}}); err != nil {
		return nil, err
	}
	for i := range page.Institutions {
		c.institutions[page.Institutions[i].ID] = page.Institutions[i].Name
	}
	if page.Words, err = tx.Classificators(); err != nil {
		return nil, err
	}
	if c.regions, err = tx.Regions(); err != nil {
		return nil, err
	}
	if c.fees, err = tx.Fees(); err != nil {
		return nil, err
	}
	intakes, err := tx.Intakes()
	if err != nil {
		return nil, err
	}
	zone := s.core.Settings().Instance.Timezone
	for i := range intakes {
		in := &OfferedIntake{Intake: intakes[i]}
		if in.Term.Expired(tx.Now(), 0, zone) {
			continue
		}
		in.State, in.Deadline = in.StateFor(citizenship, c.regions, tx.Now(), zone)
		if entry := in.EntryFor(citizenship, c.regions); entry != nil {
			in.Info, in.Territory = entry.Info, entry.Territory
		}
		c.intakes[in.ID] = in
		if !slices.ContainsFunc(page.Terms, func(t admitto.Term) bool { return t.ID == in.Term.ID }) {
			page.Terms = append(page.Terms, in.Term)
		}
	}
	slices.SortFunc(page.Terms, func(a, b admitto.Term) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.ID, b.ID))
	})
	return c, nil
}

// find returns the courses of a list, of all its pages, in its order.
func (c *catalogue) find(tx *store.Tx, q OfferedList) ([]admitto.OfferedCourse, error) {
	if q.OfferedQuery.Intakes = c.wanted(&q); q.OfferedQuery.Intakes != nil && len(q.OfferedQuery.Intakes) == 0 {
		return nil, nil
	}
	found, err := tx.OfferedCourses(q.OfferedQuery)
	return matching(found, &q, c.institutions), err
}

// nextStart is the first day on which an intake opens of the courses that a list would have with those that are not
// open.
func (c *catalogue) nextStart(tx *store.Tx, q OfferedList) (next admitto.Date, err error) {
	q.Open = false
	found, err := c.find(tx, q)
	if err != nil {
		return next, err
	}
	courses, err := c.courses(tx, found)
	for i := range courses {
		for _, in := range courses[i].Starts {
			if in.State == admitto.IntakeNotYet && (q.Term == 0 || in.Term.ID == q.Term) &&
				(next.IsZero() || in.Start.Before(next)) {
				next = in.Start
			}
		}
	}
	return next, err
}

// wanted returns the intakes that the courses of a list have one of; nil: any, or none.
func (c *catalogue) wanted(q *OfferedList) (ids []int64) {
	if q.Term == 0 && !q.Open {
		return nil
	}
	ids = []int64{}
	for id, in := range c.intakes {
		if (q.Term == 0 || in.Term.ID == q.Term) && (!q.Open || in.State.IsOpen()) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// matching orders the courses that have all words of a text by their names in the language of the reader.
func matching(list []admitto.OfferedCourse, q *OfferedList, institutions map[int64]string) []admitto.OfferedCourse {
	asked := text.Words(q.Text)
	names := make(map[int64]string, len(list))
	list = slices.DeleteFunc(list, func(c admitto.OfferedCourse) bool {
		name, _ := c.Names.In(q.Language, "name", c.Name)
		if names[c.ID] = text.Fold(name); len(asked) == 0 {
			return false
		}
		all := text.Fold(c.Name)
		for lang := range c.Names {
			all += " " + text.Fold(c.Names[lang]["name"])
		}
		all += " " + text.Fold(c.Code) + " " + text.Fold(institutions[c.Institution])
		return slices.ContainsFunc(asked, func(word string) bool { return !strings.Contains(all, word) })
	})
	slices.SortFunc(list, func(a, b admitto.OfferedCourse) int {
		if a.Featured != b.Featured {
			if a.Featured {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(names[a.ID], names[b.ID]), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// courses reads the courses of a page, in its order.
func (c *catalogue) courses(tx *store.Tx, found []admitto.OfferedCourse) (list []OfferedCourse, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	byID, err := tx.CoursesByID(ids)
	for _, id := range ids {
		if course, found := byID[id]; found {
			list = append(list, c.describe(&course))
		}
	}
	return list, err
}

// describe adds to a course what holds for the visitor.
func (c *catalogue) describe(course *admitto.Course) OfferedCourse {
	o := OfferedCourse{Course: *course, InstitutionName: c.institutions[course.Institution]}
	for _, id := range course.Intakes {
		if in := c.intakes[id]; in != nil {
			o.Starts = append(o.Starts, *in)
		}
	}
	slices.SortStableFunc(o.Starts, func(a, b OfferedIntake) int {
		return cmp.Or(cmp.Compare(a.State.Rank(), b.State.Rank()), a.Begins().Compare(b.Begins()))
	})
	for i := range c.fees {
		if f := &c.fees[i]; f.Has(course.ID) {
			amount, found := f.AmountFor(c.citizenship, c.regions)
			others := len(f.Amounts) > 1 || len(f.Amounts) == 1 && !found
			if varies := c.citizenship == "" && others; found || varies {
				o.Fees = append(o.Fees, OfferedFee{f.Name, f.Type, f.Versions, varies, others, amount})
			}
		}
	}
	return o
}

// Begins is the day on which studies begin.
func (o *OfferedIntake) Begins() admitto.Date {
	if o.Commence.IsZero() {
		return o.Term.Start
	}
	return o.Commence
}

// OfferedCourse reads a course that is Online, one that is Private for those who have its address, or one that is
// Closed, of an institution that is Online (screens.md P02). Nobody has to be signed in. page has the names that it is
// described with. Errors: not-found for all others.
func (s *Service) OfferedCourse(ctx context.Context, id int64, citizenship string) (o OfferedCourse, page OfferedPage,
	err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		page = OfferedPage{}
		course, err := tx.Course(id)
		if err != nil {
			return err
		}
		c, err := s.readCatalogue(tx, citizenship, &page)
		if err != nil {
			return err
		}
		shown := course.Status == "Online" || course.Status == "Private" || course.Status == "Closed"
		if _, online := c.institutions[course.Institution]; !shown || !online {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		o = c.describe(&course)
		if o.Asked, err = tx.Asked([]int64{id}); err != nil {
			return err
		}
		for _, cause := range []string{"created", "submitted"} {
			templates, err := tx.TaskTemplatesFor(cause)
			if err != nil {
				return err
			}
			for i := range templates {
				if t := &templates[i]; t.AllowsDocument && (t.AllCourses || slices.Contains(t.Courses, id)) {
					o.Papers = append(o.Papers, *t)
				}
			}
		}
		return nil
	})
	return o, page, err
}
