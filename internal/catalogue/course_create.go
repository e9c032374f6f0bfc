package catalogue

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// CheckCourse returns the faults of a new course that only the database knows, as a refused creation does. It writes
// nothing.
func (s *Service) CheckCourse(ctx context.Context, by admitto.Caller, c admitto.Course) (faults []admitto.Fault,
	err error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return faults, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.Fault, error) { return courseFaults(tx, &c) })
}

// courseFaults checks what a new course names, and sets the default institution where it names none.
func courseFaults(tx *store.Tx, c *admitto.Course) (faults []admitto.Fault, err error) {
	fault := func(path admitto.Path, text message.Text) {
		faults = append(faults, admitto.Fault{Path: path, Text: text})
	}
	if c.Institution != 0 {
		_, err = tx.Institution(c.Institution)
		if admitto.KindOf(err) == admitto.NotFound {
			fault("course.institution", message.Of("no-such-institution"))
			err = nil
		}
	} else if c.Institution, err = tx.FirstInternalInstitution(); err == nil && c.Institution == 0 {
		fault("course.institution", message.Of("institution-required"))
	}
	for _, coded := range []struct {
		path        admitto.Path
		class, code string
	}{{"course.type", "Course type", c.Type}, {"course.mode", "Course mode", c.Mode}} {
		if err != nil || coded.code == "" {
			continue
		}
		var known bool
		if known, err = tx.HasCode(coded.class, coded.code); err == nil && !known {
			fault(coded.path, message.Of("no-code-of-class", text.Quote(coded.code), coded.class))
		}
	}
	return faults, err
}

// CreateCourse makes a course in status Draft (resources.md 15). Institution 0 is the internal one with the lowest
// ID, an empty name is New course. Errors: invalid-parameter with the faults of CheckCourse.
func (s *Service) CreateCourse(ctx context.Context, by usecase.Caller, c admitto.Course) (admitto.Course, error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return admitto.Course{}, err
	}
	given := c
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		c = given
		faults, err := courseFaults(tx, &c)
		if err != nil {
			return err
		}
		if faults != nil {
			return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		c.Status, c.Updated = "Draft", tx.Now()
		if c.Name == "" {
			c.Name = "New course"
		}
		if c.ID, err = tx.InsertCourse(&c); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.CourseCreated,
			Links: admitto.Links{Course: c.ID, Institution: c.Institution}})
		return by.Made(tx, c.ID)
	})
	return c, err
}
