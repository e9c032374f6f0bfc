package admissions

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// NewCourseOf is what a caller says of a course to add to an application.
type NewCourseOf struct {
	Course, Intake int64  // Intake 0: the one of the application's term that the course is tied to
	Modifier       string // code(Course entry)
	Priority       int    // 0: the last
	Reason         string // of staff, who set a passed deadline aside with it
}

// CheckCourseOf returns the faults of a course to add that only the database knows; what is 0 or "" is not looked at.
func (s *Service) CheckCourseOf(ctx context.Context, by admitto.Caller, application int64,
	in NewCourseOf) (faults []admitto.Fault, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return faults, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, err := tx.Application(application)
		if err == nil {
			err = usecase.OnlyOwn(by, a.Applicant)
		}
		if err == nil {
			_, faults, err = s.courseQuestion(tx, &a, in)
		}
		return err
	})
	return faults, err
}

// courseQuestion finds the course and the intake that are meant, and tells everything that is wrong with the values.
func (s *Service) courseQuestion(tx *store.Tx, a *admitto.Application, in NewCourseOf) (q *question,
	faults []admitto.Fault, err error) {
	course, intake, faults, err := courseAndIntake(tx, in.Course, in.Intake)
	if err != nil {
		return nil, nil, err
	}
	q = &question{course: &course, reason: strings.TrimSpace(in.Reason)}
	fault := func(path admitto.Path, text message.Text) {
		faults = append(faults, admitto.Fault{Path: path, Text: text})
	}
	switch {
	case intake.ID != 0 && intake.Term.ID != a.Term:
		fault("application.intake", message.Of("intake-of-other-term", intake.ID))
	case in.Intake == 0 && course.ID != 0:
		fitting, err := intakesOfTerm(tx, course.Intakes, a.Term)
		if err != nil {
			return nil, nil, err
		}
		if len(fitting) == 1 {
			intake = fitting[0]
		} else {
			fault("application.intake", message.Of("intake-ambiguous", len(fitting)))
		}
	}
	if intake.ID != 0 {
		q.intake = &intake
	}
	if in.Modifier != "" {
		codes, err := tx.ActiveCodes()
		if err != nil {
			return nil, nil, err
		}
		if !codes["Course entry"][in.Modifier] {
			fault("application.modifier", message.Of("no-course-entry", fmt.Sprintf("%.64q", in.Modifier)))
		}
	}
	all, err := tx.CoursesOfApplications([]int64{a.ID})
	q.courses = all[a.ID]
	if in.Priority < 0 || in.Priority > len(q.courses)+1 {
		fault("application.priority", message.Of("priority-range", len(q.courses)+1))
	}
	return q, faults, err
}

// intakesOfTerm returns those of the intakes that belong to a term.
func intakesOfTerm(tx *store.Tx, intakes []int64, term int64) (list []admitto.Intake, err error) {
	for _, id := range intakes {
		intake, err := tx.Intake(id)
		if err != nil {
			return nil, err
		}
		if intake.Term.ID == term {
			list = append(list, intake)
		}
	}
	return list, nil
}

// AddCourse puts a course on an application and returns the association (lifecycle.md T2, T20; resources.md 24.4).
// Errors: not-found for the application, invalid-parameter, already-exists, not-allowed-now.
func (s *Service) AddCourse(ctx context.Context, by usecase.Caller, application int64,
	in NewCourseOf) (c admitto.ApplicationCourse, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return c, err
	}
	err = s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		q, faults, err := s.courseQuestion(tx, &d.Application, in)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		if slices.ContainsFunc(q.courses, func(c admitto.ApplicationCourse) bool { return c.Course == in.Course }) {
			return &admitto.Error{Kind: admitto.AlreadyExists, Existing: in.Course, Text: message.Of("course-on-application")}
		}
		c = admitto.ApplicationCourse{Modifier: in.Modifier, Priority: in.Priority}
		if c.Priority == 0 {
			c.Priority = len(q.courses) + 1
		}
		if err := s.addCourse(tx, d, by, q, &c); err != nil {
			return err
		}
		return by.Made(tx, c.Course)
	})
	return c, err
}

// addCourse adds the course that the question is about to an application that exists.
func (s *Service) addCourse(tx *store.Tx, d *usecase.LockedApplication, by usecase.Caller, q *question,
	c *admitto.ApplicationCourse) error {
	step, err := s.step(d, by, admitto.AddCourse, "")
	if err != nil {
		return err
	}
	q.priority = c.Priority
	faults, err := frozenCourses(tx, d, q)
	if err != nil {
		return err
	}
	if err := s.may(tx, d, &step, q); err != nil || len(faults) > 0 {
		return joinFaults(err, faults)
	}
	return s.putCourse(tx, d, q, c, false)
}

// joinFaults adds more faults to a refusal, or makes one of them.
func joinFaults(err error, more []admitto.Fault) error {
	if refused, ok := err.(*admitto.Error); ok && refused.Kind == admitto.NotAllowedNow {
		refused.Faults = append(refused.Faults, more...)
		return refused
	}
	if err == nil {
		err = notNow(more)
	}
	return err
}

// putCourse stores the course on the application and does what follows from it.
func (s *Service) putCourse(tx *store.Tx, d *usecase.LockedApplication, q *question, c *admitto.ApplicationCourse,
	created bool) error {
	c.Application, c.Course, c.Institution, c.Added = d.ID, q.course.ID, q.course.Institution, tx.Now()
	late := false
	if q.intake != nil {
		c.Intake = q.intake.ID
		l, err := s.deadlineOf(tx, d, q.intake, q)
		if err != nil {
			return err
		}
		late = l.IsLate(tx.Now())
	}
	if err := tx.InsertApplicationCourse(c, q.course.Type, late); err != nil {
		return err
	}
	d.RowVersion++
	recordCourse(tx, d, admitto.CourseAdded, c, append(q.aside, admitto.Detail{Path: "/priority",
		New: strconv.Itoa(c.Priority)}))
	if d.Status == admitto.Submitted {
		if err := s.offerAdded(tx, d, c, late); err != nil {
			return err
		}
	}
	if created {
		if err := s.causeTasks(tx, d, "created", c.Course, 0); err != nil {
			return err
		}
	}
	return s.billing.ChargeFees(tx, d, string(admitto.FeeAtCourse), []admitto.ApplicationCourse{*c})
}

// offerAdded submits a course that staff have added to a submitted application, and makes its offer (lifecycle.md T20).
func (s *Service) offerAdded(tx *store.Tx, d *usecase.LockedApplication, c *admitto.ApplicationCourse,
	late bool) error {
	if err := tx.SubmitApplicationCourse(d.ID, c.Course, late); err != nil {
		return err
	}
	c.Submitted = tx.Now()
	courses, err := coursesByPriority(tx, d.ID)
	if err != nil {
		return err
	}
	if err := s.createOffers(tx, d, courses); err != nil {
		return err
	}
	return s.causeTasks(tx, d, "submitted", c.Course, 0)
}

// recordCourse writes an event about a course of the application.
func recordCourse(tx *store.Tx, d *usecase.LockedApplication, pattern admitto.Pattern, c *admitto.ApplicationCourse,
	details []admitto.Detail) {
	links := d.Links()
	links.Course, links.Institution = c.Course, c.Institution
	tx.Record(d.Actor, admitto.Event{Pattern: pattern, Links: links, Details: details})
}

// courseOnIt finds a course among those of an application, or answers not-found.
func courseOnIt(tx *store.Tx, application, course int64) (c admitto.ApplicationCourse, q *question, err error) {
	all, err := tx.CoursesOfApplications([]int64{application})
	c, err = usecase.Found(all[application], err, func(c *admitto.ApplicationCourse) bool { return c.Course == course })
	return c, &question{courses: all[application], taken: &c}, err
}

// RemoveCourse takes a course off an application (lifecycle.md T18, T19). Errors: not-found, also when it is not on it;
// not-allowed-now.
func (s *Service) RemoveCourse(ctx context.Context, by usecase.Caller, application, course int64) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := usecase.LockApplication(tx, by, application)
		if err != nil {
			return err
		}
		c, q, err := courseOnIt(tx, application, course)
		if err == nil {
			err = by.Sees(d.RowVersion)
		}
		if err != nil {
			return err
		}
		step, err := s.step(d, by, admitto.RemoveCourse, "")
		if err == nil {
			err = s.may(tx, d, &step, q)
		}
		if err != nil {
			return err
		}
		if err := tx.DeleteApplicationCourse(&c); err != nil {
			return err
		}
		recordCourse(tx, d, admitto.CourseRemoved, &c, []admitto.Detail{{Path: "/priority", Old: strconv.Itoa(c.Priority)}})
		return nil
	})
}

// SetCoursePriority moves a course of an application to a priority; the others make room (lifecycle.md T18, T19). The
// priority it has changes nothing. Errors: not-found, also when it is not on it; invalid-body for a priority outside
// 1 to the number of courses; not-allowed-now.
func (s *Service) SetCoursePriority(ctx context.Context, by usecase.Caller, application, course int64,
	priority int) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := usecase.LockApplication(tx, by, application)
		if err != nil {
			return err
		}
		c, q, err := courseOnIt(tx, application, course)
		if err != nil {
			return err
		}
		if priority < 1 || priority > len(q.courses) {
			return &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{{Path: "application.priority",
				Text: message.Of("priority-range", len(q.courses))}}}
		}
		if err := by.Sees(d.RowVersion); err != nil {
			return err
		}
		step, err := s.step(d, by, admitto.ReorderCourses, "")
		q.priority = priority
		if err != nil || priority == c.Priority {
			return err
		}
		if err := s.may(tx, d, &step, q); err != nil {
			return err
		}
		if err := tx.MoveApplicationCourse(&c, priority); err != nil {
			return err
		}
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.CoursePrioritiesChanged, Links: d.Links(),
			Details: []admitto.Detail{
				{Path: frozenCourse(course) + "/priority", Old: strconv.Itoa(c.Priority), New: strconv.Itoa(priority)}}})
		return nil
	})
}
