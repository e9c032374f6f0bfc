package catalogue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// DayCheck is something that staff should look at after a season was made a year later.
type DayCheck struct {
	Kind string // weekend, past, name, courses or never
	Day  admitto.Date
}

// LaterItem is a term or an intake of a year, and what becomes of it a year later.
type LaterItem struct {
	SeasonItem
	From    int64   // the ID of the one of this year
	Courses []int64 // that the new intake is for
	Checks  []DayCheck
}

// PlanYearLater lists the terms and intakes of an academic year as they would be a year later, with what is to be
// checked of each. It writes nothing.
func (s *Service) PlanYearLater(ctx context.Context, by admitto.Caller, year int64) ([]LaterItem, error) {
	if err := by.Needs(admitto.AcademicTermsEdit); err != nil {
		return nil, err
	}
	if err := by.Needs(admitto.IntakesEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]LaterItem, error) {
		return planLater(tx, year, s.core.Today(tx))
	})
}

func planLater(tx *store.Tx, year int64, today admitto.Date) (list []LaterItem, err error) {
	terms, err := tx.Terms()
	if err != nil {
		return nil, err
	}
	intakes, err := tx.Intakes()
	if err != nil {
		return nil, err
	}
	courses, err := tx.Courses(admitto.CourseQuery{})
	if err != nil {
		return nil, err
	}
	for _, t := range terms {
		if t.Year != year {
			continue
		}
		later := LaterTerm(t)
		item := LaterItem{SeasonItem: SeasonItem{Kind: "term", Name: later.Name, Term: later}, From: t.ID}
		for _, other := range terms {
			if other.Year == later.Year && (strings.EqualFold(other.Name, later.Name) ||
				other.Type == later.Type && alone(terms, t)) {
				item.ID, item.Exists, item.Name, item.Term = other.ID, true, other.Name, other
			}
		}
		item.check(t.Name, today, item.Term.Grace)
		list = append(list, item)
		for _, i := range intakes {
			if i.Term.ID == t.ID {
				list = append(list, laterIntake(i, &item.Term, intakes, courses, today))
			}
		}
	}
	return list, nil
}

// alone reports whether a term is the only one of its kind in its year.
func alone(terms []admitto.Term, t admitto.Term) bool {
	return !slices.ContainsFunc(terms, func(other admitto.Term) bool {
		return other.ID != t.ID && other.Year == t.Year && other.Type == t.Type
	})
}

func laterIntake(was admitto.Intake, term *admitto.Term, intakes []admitto.Intake, courses []admitto.Course,
	today admitto.Date) LaterItem {
	later := LaterIntake(was)
	later.Term = *term
	item := LaterItem{SeasonItem: SeasonItem{Kind: "intake", Name: later.Name, Intake: later}, From: was.ID}
	for _, other := range intakes {
		if term.ID != 0 && other.Term.ID == term.ID && other.Name == later.Name {
			item.ID, item.Exists, item.Intake = other.ID, true, other
			item.check(was.Name, today, daysOf(&other)...)
			item.opens()
			return item
		}
	}
	for _, c := range courses {
		if c.Status != "Archived" && c.Status != "Closed" && slices.Contains(c.Intakes, was.ID) {
			item.Courses = append(item.Courses, c.ID)
		}
	}
	item.check(was.Name, today, daysOf(&later)...)
	if len(item.Courses) == 0 {
		item.Checks = append(item.Checks, DayCheck{Kind: "courses"})
	}
	item.opens()
	return item
}

// opens notes an intake that never opens: after its last deadline, or that of the term, or for nobody.
func (item *LaterItem) opens() {
	if !item.Intake.Opens(item.Intake.Start) {
		item.Checks = append(item.Checks, DayCheck{Kind: "never", Day: item.Intake.Start})
	}
}

// daysOf are the last days of an intake.
func daysOf(i *admitto.Intake) []admitto.Date {
	days := []admitto.Date{i.PreDeadline, i.DecisionDate}
	for _, d := range i.Deadlines {
		days = append(days, d.Day)
	}
	return days
}

// check notes what is to be looked at: last days that fall on a weekend or have passed, and a name that has no year. Of
// what was there already and is over nothing is.
func (item *LaterItem) check(was string, today admitto.Date, days ...admitto.Date) {
	if item.Exists && item.over(today) {
		return
	}
	if item.Name == was {
		item.Checks = append(item.Checks, DayCheck{Kind: "name"})
	}
	var seen []admitto.Date
	for _, day := range days {
		if day.IsZero() || slices.Contains(seen, day) {
			continue
		}
		seen = append(seen, day)
		if weekday := day.In(time.UTC).Weekday(); weekday == time.Saturday || weekday == time.Sunday {
			item.Checks = append(item.Checks, DayCheck{"weekend", day})
		}
		if day.Before(today) {
			item.Checks = append(item.Checks, DayCheck{"past", day})
		}
	}
}

// over reports whether the term of a record has ended.
func (item *LaterItem) over(today admitto.Date) bool {
	last := item.Term.Finish
	if item.Kind == "intake" {
		last = item.Intake.Term.Finish
	}
	return !last.IsZero() && last.Before(today)
}

// CreateYearLater makes the terms and intakes of an academic year again a year later, for the same courses. What is
// there already stays, so that doing it again changes nothing (screens.md A40, A41). It returns what it was made of.
// Errors: invalid-parameter.
func (s *Service) CreateYearLater(ctx context.Context, by usecase.Caller, year int64) (list []LaterItem, err error) {
	if err := by.Needs(admitto.AcademicTermsEdit); err != nil {
		return nil, err
	}
	if err := by.Needs(admitto.IntakesEdit); err != nil {
		return nil, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if list, err = planLater(tx, year, s.core.Today(tx)); err != nil {
			return err
		}
		var term admitto.Term
		for n := range list {
			item := &list[n]
			if item.Kind == "term" {
				if !item.Exists {
					if err := s.addTerm(tx, by, &item.Term); err != nil {
						return err
					}
				}
				term, item.ID = item.Term, item.Term.ID
				continue
			}
			if item.Exists {
				continue
			}
			item.Intake.Term = term
			if err := addIntake(tx, by, &item.Intake); err != nil {
				return err
			}
			item.ID = item.Intake.ID
			if _, err := tx.SetCoursesOf(item.ID, item.Courses); err != nil {
				return fmt.Errorf("courses of intake %d: %w", item.ID, err)
			}
		}
		return nil
	})
	return list, err
}
