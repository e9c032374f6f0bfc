package query

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
)

// CourseForm is the form of a course with its questions (screens.md A39).
type CourseForm struct {
	Course    admitto.Course
	Settings  form.Settings
	Questions []admitto.Question      // those that it asks, in their order
	Others    []admitto.Question      // those that it does not ask
	Use       map[int64]int           // how many courses ask a question
	Templates []*admitto.TaskTemplate // active ones that make tasks for the course, by title
}

// CourseForm reads the form of a course; not-found without the course.
func (s *Service) CourseForm(ctx context.Context, by admitto.Caller, course int64) (f CourseForm, err error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return f, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		f = CourseForm{Use: map[int64]int{}}
		if f.Course, err = tx.Course(course); err != nil {
			return err
		}
		forms, err := tx.CourseForms([]int64{course})
		if err != nil {
			return err
		}
		f.Settings = forms[course]
		changed, err := tx.ChangedForms()
		if err != nil {
			return err
		}
		for id := range changed {
			for _, q := range changed[id].Questions {
				f.Use[q.ID]++
			}
		}
		if err := f.readQuestions(tx); err != nil {
			return err
		}
		f.Templates, err = templatesOf(tx, course)
		return err
	})
	return f, err
}

// readQuestions reads the questions that the course asks, and the others.
func (f *CourseForm) readQuestions(tx *store.Tx) error {
	all, err := tx.Questions()
	for _, ask := range f.Settings.Questions {
		if at := slices.IndexFunc(all, func(q admitto.Question) bool { return q.ID == ask.ID }); at >= 0 {
			f.Questions = append(f.Questions, all[at])
			all = slices.Delete(all, at, at+1)
		}
	}
	f.Others = all
	return err
}

// templatesOf are the active templates that make tasks for a course.
func templatesOf(tx *store.Tx, course int64) (list []*admitto.TaskTemplate, err error) {
	all, err := tx.TaskTemplates()
	if err != nil {
		return nil, err
	}
	for i := range all {
		if !all[i].Active {
			continue
		}
		t, err := tx.TaskTemplate(all[i].ID)
		if err != nil {
			return nil, err
		}
		if t.AllCourses || slices.Contains(t.Courses, course) {
			list = append(list, &t)
		}
	}
	return list, nil
}

// Question reads a question that a course asks; not-found for another one.
func (s *Service) Question(ctx context.Context, by admitto.Caller, course, id int64) (q admitto.Question,
	required bool, err error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return q, false, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		forms, err := tx.CourseForms([]int64{course})
		if err != nil {
			return err
		}
		asks := forms[course].Questions
		at := slices.IndexFunc(asks, func(a form.Ask) bool { return a.ID == id })
		if at < 0 {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		required = asks[at].Required
		q, err = tx.Question(id)
		return err
	})
	return q, required, err
}
