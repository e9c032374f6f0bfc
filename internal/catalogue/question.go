package catalogue

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of questions.
const (
	mostHelp           = 500
	mostOptions        = 64
	mostSectionEntries = 20
)

// SaveQuestion changes a question that a course asks, or makes one that it asks behind its others where the ID is 0,
// and returns the ID (screens.md A39). The type never changes: answers were given in it. Answers that were given keep
// the text of the question and of the options that were chosen. What it says elsewhere changes for every course that
// asks it. Errors: invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveQuestion(ctx context.Context, by usecase.Caller, course int64, q admitto.Question,
	required bool) (int64, error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return 0, err
	}
	given, made := q, q.ID == 0
	row := admitto.Row{Kind: admitto.QuestionRow, ID: q.ID}
	if made {
		row = admitto.Row{Kind: admitto.CourseRow, ID: course}
	}
	var of admitto.Course
	var was, now form.Settings
	err := s.keep(ctx, by, saving{
		row: row,
		check: func(c *checks) {
			q = given
			if of, c.err = c.tx.Course(course); c.err != nil {
				return
			}
			if c.err = c.tx.LockReference(admitto.Row{Kind: admitto.CourseRow, ID: course}); c.err != nil {
				return
			}
			if was, c.err = c.formOf(course); c.err != nil {
				return
			}
			var before admitto.Question
			if !made {
				if before, c.err = c.tx.Question(q.ID); c.err == nil && !was.Has(q.ID) {
					c.err = &admitto.Error{Kind: admitto.NotFound}
				}
				q.Type = before.Type
			} else if len(was.Questions) >= mostAsked {
				c.fault("page.question.name", message.Of("too-many-entries", mostAsked+1, mostAsked))
			}
			c.question(&q, &before)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) {
			changes, err := tx.SaveQuestion(&q)
			if err != nil {
				return nil, err
			}
			for i := range changes {
				changes[i].Path = "/" + form.Questions + "/" + strconv.FormatInt(q.ID, 10) + changes[i].Path
			}
			now = was
			now.Questions = slices.Clone(was.Questions)
			if made {
				now.Questions = append(now.Questions, form.Ask{ID: q.ID, Required: required})
			}
			for i := range now.Questions {
				if now.Questions[i].ID == q.ID {
					now.Questions[i].Required = required
				}
			}
			if more := formChanges(&was, &now); len(more) > 0 {
				return append(changes, more...), tx.SetCourseForm(course, &now)
			}
			return changes, nil
		},
		recorded: func(bool) admitto.Event {
			return admitto.Event{Pattern: admitto.CourseEdited, Links: admitto.Links{Course: course,
				Institution: of.Institution}}
		},
	})
	return q.ID, err
}

// QuestionTypes are the types of questions (lifecycle.md 3.5).
func QuestionTypes() []admitto.ExtraType {
	return []admitto.ExtraType{admitto.ExtraText, admitto.ExtraLongText, admitto.ExtraNumber, admitto.ExtraDate,
		admitto.ExtraYesNo, admitto.ExtraChoice, admitto.ExtraChoices, admitto.ExtraCountry, admitto.ExtraLanguage,
		admitto.ExtraMoney, admitto.ExtraFile, admitto.ExtraSection}
}

// question checks a question. What another type would need is taken out.
func (c *checks) question(q, before *admitto.Question) {
	c.line("page.question.name", &q.Name, 1, mostLine)
	c.lines("page.question.help", &q.Help, mostHelp)
	if !slices.Contains(QuestionTypes(), q.Type) {
		c.fault("page.question.type", message.Of("choose-one"))
	}
	q.Options = slices.Clone(q.Options)
	switch {
	case q.Type != admitto.ExtraChoice && q.Type != admitto.ExtraChoices:
		q.Options = nil
	case len(q.Options) < 2:
		c.fault("page.question.options", message.Of("options-missing"))
	case len(q.Options) > mostOptions:
		c.fault("page.question.options", message.Of("too-many-entries", len(q.Options), mostOptions))
	default:
		for i := range q.Options {
			c.line("page.question.options", &q.Options[i], 1, mostLine)
			if slices.Contains(q.Options[:i], q.Options[i]) {
				c.fault("page.question.options", message.Of("option-twice", text.Quote(q.Options[i])))
			}
		}
	}
	if c.innerQuestions(q, before); c.err == nil {
		c.versions(q)
	}
}

// innerQuestions checks those of a custom section: their IDs go on, and their types stay.
func (c *checks) innerQuestions(q, before *admitto.Question) {
	if q.Type != admitto.ExtraSection {
		q.Fields = nil
		return
	}
	q.Fields = slices.DeleteFunc(slices.Clone(q.Fields), func(f admitto.Question) bool {
		return f.ID == 0 && strings.TrimSpace(f.Name) == ""
	})
	next := int64(1)
	for i := range before.Fields {
		next = max(next, before.Fields[i].ID+1)
	}
	if len(q.Fields) == 0 {
		c.fault("page.question.field-0", message.Of("section-questions-missing"))
	} else if len(q.Fields) > mostSectionEntries {
		c.fault("page.question.field-0", message.Of("too-many-entries", len(q.Fields), mostSectionEntries))
	}
	for i := range q.Fields {
		f := &q.Fields[i]
		at := admitto.Path("page.question.field-" + strconv.Itoa(i))
		c.line(at, &f.Name, 1, mostLine)
		known := slices.IndexFunc(before.Fields, func(b admitto.Question) bool { return b.ID == f.ID })
		switch {
		case f.ID == 0:
			f.ID = next
			next++
		case known < 0:
			c.fault(at, message.Of("choose-one"))
		default:
			f.Type = before.Fields[known].Type
		}
		if !slices.Contains(InnerTypes(), f.Type) {
			c.fault(admitto.Path("page.question.type-"+strconv.Itoa(i)), message.Of("choose-one"))
		}
	}
}

// InnerTypes are the types of the questions of a custom section.
func InnerTypes() []admitto.ExtraType {
	return []admitto.ExtraType{admitto.ExtraText, admitto.ExtraLongText, admitto.ExtraNumber, admitto.ExtraDate,
		admitto.ExtraYesNo, admitto.ExtraCountry, admitto.ExtraLanguage, admitto.ExtraMoney}
}

// versions keeps those texts in other languages that the question has texts for.
func (c *checks) versions(q *admitto.Question) {
	bounds := map[string]bound{"name": oneLine(mostLine), "help": severalLines(mostHelp)}
	for i := range q.Options {
		bounds[admitto.OptionVersion(q.Options[i])] = oneLine(mostLine)
	}
	for i := range q.Fields {
		bounds[admitto.FieldVersion(q.Fields[i].ID)] = oneLine(mostLine)
	}
	q.Versions = c.versionsOf("page.question", q.Versions, bounds)
}
