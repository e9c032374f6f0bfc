package catalogue

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of task templates (lifecycle.md 5.1).
const (
	mostInstructions   = 4000
	mostTaskDays       = 366
	mostReminderDays   = 180
	mostTaskDocuments  = 20
	mostStatusName     = 50
	mostTaskStatuses   = 30
	leastClass         = 2
	charactersOfAClass = "abcdefghijklmnopqrstuvwxyz0123456789-"
)

// SaveTaskTemplate changes a task template with its statuses, or makes one where its ID is 0, and returns its ID
// (lifecycle.md 5.1, screens.md A44). The class and the names of statuses never change. Of the statuses, those that are
// named in removed go, which no task may have. Statuses without name, title and switches are lines that nobody
// filled in. Errors: invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveTaskTemplate(ctx context.Context, by usecase.Caller, t admitto.TaskTemplate,
	removed ...string) (int64, error) {
	if err := by.Needs(admitto.TaskClassesEdit); err != nil {
		return 0, err
	}
	given := t
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.TaskTemplateRow, ID: t.ID},
		check: func(c *checks) {
			t = given
			t.Statuses = slices.Clone(given.Statuses)
			var was admitto.TaskTemplate
			if t.ID != 0 {
				var err error
				if was, err = c.tx.TaskTemplate(t.ID); err != nil {
					c.err = err
					return
				}
				t.Class = was.Class
			}
			c.taskTemplate(&t)
			c.statuses(&t, was.Statuses, removed)
			c.templateVersions(&t)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveTaskTemplate(&t) },
		recorded: func(made bool) admitto.Event {
			return about(either(made, admitto.TemplateCreated, admitto.TemplateEdited), t.ID)
		},
	})
	return t.ID, err
}

// DeleteTaskTemplate deletes a template of which no task was made; others can only be switched off (screens.md A44).
// Errors: not-allowed-now, not-found, changed-meanwhile.
func (s *Service) DeleteTaskTemplate(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.TaskClassesEdit); err != nil {
		return err
	}
	row := admitto.Row{Kind: admitto.TaskTemplateRow, ID: id}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockReference(row); err != nil {
			return err
		}
		if err := by.SeesRow(tx, row); err != nil {
			return err
		}
		tasks, err := tx.TasksOfTemplate(id)
		if err != nil {
			return err
		}
		if tasks > 0 {
			return &admitto.Error{Kind: admitto.NotAllowedNow, Faults: []admitto.Fault{{
				Text: message.Of("template-in-use", tasks)}}}
		}
		if err := tx.DeleteTaskTemplate(id); err != nil {
			return err
		}
		tx.Record(by.Actor, about(admitto.TemplateDeleted, id))
		return nil
	})
}

// templateVersions keeps those texts in other languages that the template has texts for.
func (c *checks) templateVersions(t *admitto.TaskTemplate) {
	bounds := map[string]bound{"title": oneLine(mostLine), "instructions": severalLines(mostInstructions)}
	for _, s := range t.Statuses {
		bounds[admitto.StatusVersion(s.Name)] = oneLine(mostLine)
		bounds[admitto.AboutVersion(s.Name)] = severalLines(mostNotes)
	}
	t.Versions = c.versionsOf("page.template", t.Versions, bounds)
}

// taskTemplate checks a template without its statuses.
func (c *checks) taskTemplate(t *admitto.TaskTemplate) {
	c.line("page.template.title", &t.Title, 1, mostLine)
	if t.ID == 0 {
		c.line("page.template.class", &t.Class, leastClass, mostTitle)
		if strings.ContainsFunc(t.Class, func(r rune) bool {
			return !strings.ContainsRune(charactersOfAClass, r)
		}) {
			c.fault("page.template.class", message.Of("class-characters"))
		}
		c.free("page.template.class", 0, func() (int64, error) { return c.tx.TemplateWithClass(t.Class) },
			func(id int64) (string, error) {
				has, err := c.tx.TaskTemplate(id)
				return has.Class, err
			})
	}
	c.lines("page.template.instructions", &t.Instructions, mostInstructions)
	c.lines("page.template.staff_instructions", &t.ForStaff, mostInstructions)
	c.among("page.template.cause", t.Cause, "none", "created", "submitted", "confirmed")
	if t.Cause != "confirmed" {
		t.OfferTypes = nil
	}
	for _, id := range t.OfferTypes {
		_, err := c.tx.OfferType(id)
		c.there("page.template.offer_types", err)
	}
	if t.AllCourses {
		t.Courses = nil
	} else if len(t.Courses) == 0 {
		c.fault("page.template.scope", message.Of("courses-missing"))
	}
	for _, id := range t.Courses {
		_, err := c.tx.Course(id)
		c.there("page.template.courses", err)
	}
	if t.MaxDocuments < 1 || t.MaxDocuments > mostTaskDocuments {
		c.fault("page.template.max_documents", message.Of("number-range", 1, mostTaskDocuments))
	}
	for _, kind := range t.DocumentKinds {
		c.among("page.template.document_kinds", kind, filekind.Groups()...)
	}
	if len(t.DocumentKinds) == len(filekind.Groups()) {
		t.DocumentKinds = nil
	}
	if t.DeadlineDays < -1 || t.DeadlineDays > mostTaskDays {
		c.fault("page.template.deadline_days", message.Of("number-range", 0, mostTaskDays))
	}
}

// statuses checks the statuses of a template, and takes those out that nobody filled in.
func (c *checks) statuses(t *admitto.TaskTemplate, was []admitto.TaskStatus, removed []string) {
	at := func(field string, n int) admitto.Path {
		return admitto.Path("page.template." + field + "-" + strconv.Itoa(n)) // a line of the form
	}
	if len(t.Statuses) > mostTaskStatuses+len(was) {
		c.fault(at("name", 0), message.Of("too-many-entries", len(t.Statuses), mostTaskStatuses))
		return
	}
	defaults, first := 0, -1
	var seen []string
	for n := range t.Statuses {
		s := &t.Statuses[n]
		if n < len(was) && slices.Contains(removed, was[n].Name) {
			tasks, err := c.tx.TasksIn(t.ID, was[n].Name)
			if c.err == nil {
				c.err = err
			}
			if tasks > 0 {
				c.fault(at("gone", n), message.Of("status-in-use", tasks))
			}
			*s = admitto.TaskStatus{}
			continue
		}
		if n < len(was) {
			s.Name = was[n].Name
		} else if *s == (admitto.TaskStatus{}) {
			continue
		}
		if first < 0 {
			first = n
		}
		c.line(at("name", n), &s.Name, 1, mostStatusName)
		if slices.ContainsFunc(seen, func(name string) bool { return strings.EqualFold(name, s.Name) }) {
			c.fault(at("name", n), message.Of("name-taken"))
		}
		seen = append(seen, s.Name)
		if c.line(at("title", n), &s.Title, 0, mostLine); s.Title == "" {
			s.Title = s.Name
		}
		c.lines(at("description", n), &s.Description, mostNotes)
		if s.RequiresDocument && !t.AllowsDocument {
			c.fault(at("switches", n), message.Of("status-needs-documents"))
		}
		if s.RemindDays < 0 || s.RemindDays > mostReminderDays {
			c.fault(at("remind", n), message.Of("number-range", 0, mostReminderDays))
		}
		if s.RemindMaxDays < 0 || s.RemindMaxDays > mostReminderDays || s.RemindDays > 0 &&
			s.RemindMaxDays < s.RemindDays {
			c.fault(at("remind_max", n), message.Of("number-range", s.RemindDays, mostReminderDays))
		}
		if !s.Default {
			continue
		}
		if defaults++; defaults == 2 {
			c.fault(at("switches", n), message.Of("one-default-status"))
		}
	}
	if defaults == 0 {
		c.fault(at("switches", max(first, 0)), message.Of("one-default-status"))
	}
	t.Statuses = slices.DeleteFunc(t.Statuses, func(s admitto.TaskStatus) bool { return s == admitto.TaskStatus{} })
}
