package catalogue

import (
	"context"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// mostAsked is how many questions the form of a course has; an application has answers of several courses.
const mostAsked = 64

// SaveCourseForm stores what the form of a course hides, shows and requires, and which questions it asks in which order
// (screens.md A39). Answers to a question that it no longer asks stay. Errors: invalid-parameter for a question that
// there is not, and for too many; not-found, changed-meanwhile.
func (s *Service) SaveCourseForm(ctx context.Context, by usecase.Caller, course int64, settings form.Settings) error {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return err
	}
	return s.changeForm(ctx, by, course, func(c *checks, now *form.Settings) { *now = settings })
}

// CopyCourseForm gives a course the form of another one, with its questions. Errors: those of SaveCourseForm.
func (s *Service) CopyCourseForm(ctx context.Context, by usecase.Caller, from, course int64) error {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return err
	}
	return s.changeForm(ctx, by, course, func(c *checks, now *form.Settings) {
		_, err := c.tx.Course(from)
		c.there("page.course_form.from", err)
		forms, err := c.tx.CourseForms([]int64{from})
		if c.err == nil {
			c.err = err
		}
		*now = forms[from]
	})
}

// AskQuestions adds questions that there are to those of a course, behind the others. Errors: those of SaveCourseForm,
// and invalid-parameter for none.
func (s *Service) AskQuestions(ctx context.Context, by usecase.Caller, course int64, questions []int64) error {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return err
	}
	return s.changeForm(ctx, by, course, func(c *checks, now *form.Settings) {
		if len(questions) == 0 {
			c.fault("page.course_form.questions", message.Of("choose-one"))
		}
		for _, id := range questions {
			if !now.Has(id) {
				now.Questions = append(slices.Clip(now.Questions), form.Ask{ID: id})
			}
		}
	})
}

// changeForm changes the form of a course, which the caller may do.
func (s *Service) changeForm(ctx context.Context, by usecase.Caller, course int64,
	change func(c *checks, now *form.Settings)) error {
	var of admitto.Course
	var was, now form.Settings
	return s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.CourseRow, ID: course},
		check: func(c *checks) {
			if of, c.err = c.tx.Course(course); c.err != nil {
				return
			}
			if was, c.err = c.formOf(course); c.err != nil {
				return
			}
			now = was
			change(c, &now)
			c.questionsAsked(now.Questions)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) {
			if was.Stored() == now.Stored() {
				return nil, nil
			}
			return formChanges(&was, &now), tx.SetCourseForm(course, &now)
		},
		recorded: func(bool) admitto.Event {
			return admitto.Event{Pattern: admitto.CourseEdited, Links: admitto.Links{Course: course,
				Institution: of.Institution}}
		},
	})
}

func (c *checks) formOf(course int64) (form.Settings, error) {
	forms, err := c.tx.CourseForms([]int64{course})
	return forms[course], err
}

// questionsAsked checks which questions a course asks.
func (c *checks) questionsAsked(list []form.Ask) {
	if len(list) > mostAsked {
		c.fault("page.course_form.questions", message.Of("too-many-entries", len(list), mostAsked))
		return
	}
	for n, q := range list {
		_, err := c.tx.Question(q.ID)
		c.there("page.course_form.questions", err)
		if slices.ContainsFunc(list[:n], func(before form.Ask) bool { return before.ID == q.ID }) {
			c.fault("page.course_form.questions", message.Of("choose-one"))
		}
	}
}

// formChanges are what two forms of a course differ in, for the journal.
func formChanges(was, now *form.Settings) (changes []admitto.Detail) {
	add := func(path, old, changed string) {
		if old != changed {
			changes = append(changes, admitto.Detail{Path: "/form/" + path, Old: old, New: changed})
		}
	}
	for _, s := range form.Sections() {
		add(s.Key, was.Section(s).String(), now.Section(s).String())
	}
	for _, f := range form.Fields() {
		add(f.Path, was.Field(f).String(), now.Field(f).String())
	}
	for _, q := range was.Questions {
		add(form.Questions+"/"+strconv.FormatInt(q.ID, 10), askedAs(was, q.ID), askedAs(now, q.ID))
	}
	for _, q := range now.Questions {
		if !was.Has(q.ID) {
			add(form.Questions+"/"+strconv.FormatInt(q.ID, 10), "", askedAs(now, q.ID))
		}
	}
	if changes == nil { // nothing but the order
		add(form.Questions, inOrder(was), inOrder(now))
	}
	return changes
}

// askedAs says how a course asks a question, "" for not at all.
func askedAs(s *form.Settings, question int64) string {
	at := slices.IndexFunc(s.Questions, func(q form.Ask) bool { return q.ID == question })
	switch {
	case at < 0:
		return ""
	case s.Questions[at].Required:
		return form.Required.String()
	}
	return form.Shown.String()
}

func inOrder(s *form.Settings) (list string) {
	for _, q := range s.Questions {
		list += " " + strconv.FormatInt(q.ID, 10)
	}
	return list
}
