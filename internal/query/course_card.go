package query

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// CourseCard is what belongs to a course (screens.md A38).
type CourseCard struct {
	Intakes   []admitto.Intake
	Fees      []admitto.Fee
	Templates []*admitto.TaskTemplate // active ones that make tasks for the course
	Criteria  int64
	Questions int // that its form asks
}

// CourseCard reads what belongs to a course; not-found without the course.
func (s *Service) CourseCard(ctx context.Context, by admitto.Caller, id int64) (c CourseCard, err error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return c, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		c = CourseCard{}
		course, err := tx.Course(id)
		if err != nil {
			return err
		}
		intakes, err := tx.Intakes()
		if err != nil {
			return err
		}
		for i := range intakes {
			if slices.Contains(course.Intakes, intakes[i].ID) {
				c.Intakes = append(c.Intakes, intakes[i])
			}
		}
		fees, err := tx.Fees()
		if err != nil {
			return err
		}
		for i := range fees {
			if fees[i].Has(id) {
				c.Fees = append(c.Fees, fees[i])
			}
		}
		if c.Templates, err = templatesOf(tx, id); err != nil {
			return err
		}
		criteria, err := tx.CriteriaOfCourses()
		if err != nil {
			return err
		}
		c.Criteria = criteria[id]
		forms, err := tx.CourseForms([]int64{id})
		c.Questions = len(forms[id].Questions)
		return err
	})
	return c, err
}
