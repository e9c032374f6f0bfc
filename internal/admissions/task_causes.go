package admissions

import (
	"context"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// CreateTask makes a task of a template for an application, about one of its courses or about all of it (0), and tells
// the applicant when the template says so (lifecycle.md K1). Errors: not-found for the application; invalid-parameter
// for an unknown template or course; not-allowed-now with the codes of G9, and template-inactive.
func (s *Service) CreateTask(ctx context.Context, by usecase.Caller, application, template,
	course int64) (t admitto.TaskCase, err error) {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return t, err
	}
	err = s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		if err := admitto.TaskStep(admitto.TaskCreate, admitto.TaskIsOpen, by.Actor.Kind); err != nil {
			return err
		}
		p, err := taskParts(tx, d, template, course)
		if err != nil {
			return err
		}
		faults, err := s.ClosedFaults(tx, d)
		if err != nil {
			return err
		}
		if !p.Active {
			faults = append(faults, guardFault("template-inactive", message.Of("template-inactive", template)))
		}
		if course != 0 && !p.AllCourses && !slices.Contains(p.Courses, course) {
			faults = append(faults, guardFault("template-not-for-course", message.Of("template-not-for-course", template,
				course)))
		}
		if err := notNow(faults); err != nil {
			return err
		}
		t, err = s.makeTask(tx, d, by.Actor, &p, course)
		return err
	})
	return t, err
}

// taskParts reads a template, and refuses one that is not there or a course that the application does not have.
func taskParts(tx *store.Tx, d *usecase.LockedApplication, template, course int64) (p admitto.TaskTemplate, err error) {
	var faults []admitto.Fault
	p, err = tx.TaskTemplate(template)
	if admitto.KindOf(err) == admitto.NotFound {
		faults = append(faults, admitto.Fault{Path: "task.template", Text: message.Of("no-such-task-template", template)})
	} else if err != nil {
		return p, err
	}
	courses, err := courseIDs(tx, d)
	if err != nil {
		return p, err
	}
	if course != 0 && !slices.Contains(courses, course) {
		faults = append(faults, admitto.Fault{Path: "task.course", Text: message.Of("no-such-course-of-application", course)})
	}
	if len(faults) > 0 {
		return p, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return p, nil
}

// courseIDs returns the IDs of the courses of an application in the order of their priorities.
func courseIDs(tx *store.Tx, d *usecase.LockedApplication) (ids []int64, err error) {
	courses, err := billing.CoursesOf(tx, d.ID)
	for _, c := range courses {
		ids = append(ids, c.Course)
	}
	return ids, err
}

// causeTasks makes the tasks that a cause (created, submitted, confirmed) triggers: at most one of each template for an
// application, or for each course of it that the template applies to, where that is per course (lifecycle.md K1).
// course is what the cause is about and offerType the confirmed type, 0 when not given. An application that is over
// gets no new tasks.
func (s *Service) causeTasks(tx *store.Tx, d *usecase.LockedApplication, cause string, course, offerType int64) error {
	templates, err := tx.TaskTemplatesFor(cause)
	if err != nil || len(templates) == 0 {
		return err
	}
	if faults, err := s.ClosedFaults(tx, d); err != nil || len(faults) > 0 {
		return err
	}
	about := []int64{course}
	if course == 0 {
		if about, err = courseIDs(tx, d); err != nil {
			return err
		}
	}
	system := admitto.System()
	system.RequestID = d.Actor.RequestID
	for i := range templates {
		p := &templates[i]
		if cause == "confirmed" && len(p.OfferTypes) > 0 && !slices.Contains(p.OfferTypes, offerType) {
			continue
		}
		made, err := hasMade(tx, d, p)
		if err != nil {
			return err
		}
		if made {
			continue
		}
		for _, course := range tasksOf(p, about) {
			first, err := tx.ClaimRuleAction(admitto.TaskCause, d.ID, admitto.TaskOccurrence(p.ID, course))
			if err != nil {
				return err
			}
			if !first {
				continue
			}
			if _, err := s.makeTask(tx, d, system, p, course); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasMade reports whether a template has made the task of an application otherwise than it would now: for all courses
// before it was per course, or for one of them.
func hasMade(tx *store.Tx, d *usecase.LockedApplication, p *admitto.TaskTemplate) (bool, error) {
	begins := strconv.FormatInt(p.ID, 10) + "/"
	if p.PerCourse {
		begins = admitto.TaskOccurrence(p.ID, 0)
	}
	return tx.HasClaim(admitto.TaskCause, d.ID, begins)
}

// tasksOf returns the course of each task that a template makes when a cause is about these courses; 0 is a task of
// the whole application.
func tasksOf(p *admitto.TaskTemplate, about []int64) (courses []int64) {
	for _, c := range about {
		if p.AllCourses || slices.Contains(p.Courses, c) {
			courses = append(courses, c)
		}
	}
	if !p.PerCourse && (p.AllCourses || len(courses) > 0) {
		return []int64{0}
	}
	return courses
}

// makeTask stores a new task with the default status of its template, records it, and tells the applicant when the
// template says so and the application is not silenced.
func (s *Service) makeTask(tx *store.Tx, d *usecase.LockedApplication, actor admitto.Actor, p *admitto.TaskTemplate,
	course int64) (t admitto.TaskCase, err error) {
	status, ok := p.DefaultStatus()
	if !ok && len(p.Statuses) > 0 {
		status = p.Statuses[0]
	}
	t = admitto.TaskCase{Task: admitto.Task{Application: d.ID, Created: tx.Now(), Class: p.Class, Title: p.Title},
		Template: p.ID, Course: course, RowVersion: 1}
	applyStatus(tx, &t, status.Name, status)
	t.Deadline = s.taskDeadline(p, tx.Now())
	if t.ID, err = tx.InsertTask(&t); err != nil {
		return t, err
	}
	tx.Record(actor, admitto.Event{Pattern: admitto.TaskCreated, Links: d.TaskLinks(t.ID)})
	if !p.Mails {
		return t, nil
	}
	values, err := s.TaskMarkers(tx, d, t.ID)
	if err != nil {
		return t, err
	}
	m, err := newTaskMail(tx, d, values)
	if err != nil || m == nil {
		return t, err
	}
	m.Record, m.Occurrence = t.ID, "once"
	_, err = s.notify.Queue(tx, *m)
	return t, err
}

// taskDeadline is the deadline of a task that is made of a template then.
func (s *Service) taskDeadline(p *admitto.TaskTemplate, then admitto.Time) (day admitto.Date) {
	if p.DeadlineDays >= 0 {
		day = s.core.DayOf(then).AddDays(int(p.DeadlineDays))
	}
	return day
}

// newTaskMail is the mail about a task that was made, nil for an application that is silenced.
func newTaskMail(tx *store.Tx, d *usecase.LockedApplication, values mail.Values) (*notify.OutgoingMail, error) {
	silenced, err := tx.Silenced(d.ID)
	if err != nil || silenced {
		return nil, err
	}
	return &notify.OutgoingMail{Template: mail.KindTaskCreated, Applicant: &d.Applicant, Application: d.ID,
		Values: values}, nil
}

// NewTaskMail is what CreateTask tells where the template mails. The task has no address yet: the link is that of the
// application.
func (s *Service) NewTaskMail(tx *store.Tx, a Ahead, p *admitto.TaskTemplate) (notify.Written, error) {
	return s.mailAhead(tx, a, func(d *usecase.LockedApplication) (*notify.OutgoingMail, error) {
		text := store.TaskText{Title: p.Title, Instructions: p.Instructions, Deadline: s.taskDeadline(p, a.Then),
			Versions: p.Versions}
		values, err := s.taskMarkers(tx, d, &text)
		if err != nil {
			return nil, err
		}
		values[mail.TaskLink] = s.core.Links().Application(d.ID)
		return newTaskMail(tx, d, values)
	})
}
