package admissions

import (
	"context"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// deadline is until when, and whether at all, an applicant may apply in an intake (lifecycle.md 3.3).
type deadline struct {
	policy admitto.DeadlinePolicy
	until  admitto.Time // 0: no end
	barred bool
}

// passed reports whether the deadline was over at a time.
func (l deadline) passed(at admitto.Time) bool { return l.until != 0 && at >= l.until }

// isLate reports whether what happens at the time is marked late.
func (l deadline) isLate(at admitto.Time) bool { return l.passed(at) && l.policy.MarksLate() }

// deadlineOf returns what holds for the applicant of the application in an intake; an extension stands in the place of the
// deadline.
func (s *Service) deadlineOf(tx *store.Tx, d *usecase.LockedApplication, intake *admitto.Intake, q *question) (l deadline, err error) {
	if q.regions == nil {
		if q.regions, err = tx.Regions(); err != nil {
			return l, err
		}
	}
	if q.extensions == nil && d.ID != 0 {
		if q.extensions, err = tx.DeadlineExtensions(d.ID); err != nil {
			return l, err
		}
	}
	l.policy = admitto.DeadlinePolicy(intake.Policy)
	if entry, found := intake.EntryFor(d.Applicant.Citizenship, q.regions); found {
		l.barred = entry.Barred
		if !entry.Day.IsZero() {
			l.until = s.endOf(entry.Day)
		}
	}
	if later, extended := q.extensions[intake.ID]; extended {
		l.until = later
	}
	return l, nil
}

// askDeadlines asks the guards of intakes: of that of the course that is added, or of all courses to submit.
func (s *Service) askDeadlines(tx *store.Tx, d *usecase.LockedApplication, guard admitto.Guard, q *question) (faults []admitto.Fault, err error) {
	if q.intake != nil {
		l, err := s.deadlineOf(tx, d, q.intake, q)
		switch {
		case err != nil:
		case guard == admitto.TerritoryOpen && l.barred:
			faults = append(faults, barred(q.intake))
		case guard == admitto.AddDeadline && l.passed(tx.Now()) && !l.policy.AllowsAdding():
			faults = append(faults, guardFault(admitto.CodeDeadlinePassed, message.Of("adding-deadline-over", q.intake.Name)))
		}
		return faults, err
	}
	for _, c := range q.courses {
		if c.Intake == 0 {
			continue
		}
		intake, err := tx.Intake(c.Intake)
		if err != nil {
			return nil, err
		}
		l, err := s.deadlineOf(tx, d, &intake, q)
		if err != nil {
			return nil, err
		}
		switch {
		case guard == admitto.TerritoryOpen && l.barred:
			faults = append(faults, barred(&intake))
		case guard == admitto.SubmitDeadline && l.passed(tx.Now()) && !l.policy.AllowsSubmitting(!l.passed(c.Added), c.Submitted != 0):
			faults = append(faults, guardFault(admitto.CodeDeadlinePassed, message.Of("submitting-deadline-over", c.Course)))
		}
	}
	return faults, nil
}

func barred(intake *admitto.Intake) admitto.Fault {
	return guardFault(admitto.CodeTerritoryBarred, message.Of("territory-barred", intake.Name))
}

// courseNotOpen is guard G12; that course and intake are tied was asked before. A Private course is open to the one who
// names it.
func (s *Service) courseNotOpen(tx *store.Tx, q *question) (faults []admitto.Fault) {
	if q.course.Status != "Online" && q.course.Status != "Private" {
		faults = append(faults, guardFault(admitto.CodeCourseNotOpen, message.Of("course-status", q.course.ID, q.course.Status)))
	}
	if q.intake == nil {
		return faults
	}
	if start := q.intake.Start; !start.IsZero() && s.core.Today(tx).Before(start) {
		faults = append(faults, guardFault(admitto.CodeCourseNotOpen, message.Of("intake-opens", q.intake.Name, start)))
	}
	if s.over(tx, q.intake.Term.Grace) {
		faults = append(faults, guardFault(admitto.CodeCourseNotOpen, message.Of("term-over", q.intake.Term.Name)))
	}
	return faults
}

// over reports whether a day, when there is one, has passed where the institution is (lifecycle.md R4).
func (s *Service) over(tx *store.Tx, day admitto.Date) bool {
	return !day.IsZero() && tx.Now() >= s.endOf(day)
}

// endOf returns the time at which a day is over where the institution is.
func (s *Service) endOf(day admitto.Date) admitto.Time {
	return admitto.TimeOf(day.AddDays(1).In(s.core.Settings().Instance.Timezone))
}

// ExtendDeadline gives one application until a later time to apply in an intake that one of its courses has
// (lifecycle.md 3.3). Errors: not-found for the application, invalid-parameter for an intake of no course, a time
// that has passed or a missing reason, not-allowed-now.
func (s *Service) ExtendDeadline(ctx context.Context, by usecase.Caller, application, intake int64, until admitto.Time, reason string) error {
	if err := by.Needs(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		if _, err := s.step(d, by, admitto.ExtendDeadline, reason); err != nil {
			return err
		}
		courses, err := tx.CoursesOfApplications([]int64{application})
		if err != nil {
			return err
		}
		at := slices.IndexFunc(courses[application], func(c admitto.ApplicationCourse) bool { return c.Intake == intake })
		switch {
		case at < 0 || intake == 0:
			return admitto.Refuse(admitto.InvalidParameter, "application.intake", "", message.Of("no-course-in-intake", intake))
		case until <= tx.Now():
			return admitto.Refuse(admitto.InvalidParameter, "application.deadline", "", message.Of("time-passed"))
		}
		was, err := tx.DeadlineExtensions(application)
		if err != nil || was[intake] == until {
			return err
		}
		if err := tx.ExtendDeadline(application, intake, until, reason); err != nil {
			return err
		}
		if err := tx.TouchApplication(application); err != nil {
			return err
		}
		links := d.Links()
		links.Course = courses[application][at].Course
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.ApplicationDeadlineExtended, Bind: []string{strconv.FormatInt(intake, 10)}, Links: links,
			Details: []admitto.Detail{{Path: "/deadline", Old: timeText(was[intake]), New: until.String()}, {Path: "/reason", New: reason}}})
		return nil
	})
}

// timeText returns a time for details, "" when it is unset.
func timeText(t admitto.Time) string {
	if t == 0 {
		return ""
	}
	return t.String()
}

// LiftExpiry lets an expired application go on until a time, whatever the grace day of its term says
// (lifecycle.md T15). Errors: not-found, invalid-parameter for a short time that has passed or a missing reason,
// not-allowed-now when it has not expired.
func (s *Service) LiftExpiry(ctx context.Context, by usecase.Caller, application int64, until admitto.Time, reason string) error {
	if err := by.Needs(admitto.ApplicationsRevert); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		step, err := s.step(d, by, admitto.LiftExpiry, reason)
		if err != nil {
			return err
		}
		if until <= tx.Now() {
			return admitto.Refuse(admitto.InvalidParameter, "application.deadline", "", message.Of("time-passed"))
		}
		if err := s.may(tx, d, &step, &question{}); err != nil {
			return err
		}
		if err := tx.SetGraceOverride(application, until, reason); err != nil {
			return err
		}
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.ApplicationExpiryLifted, Links: d.Links(),
			Details: []admitto.Detail{{Path: "/grace_override", Old: timeText(d.GraceOverride), New: until.String()}, {Path: "/reason", New: reason}}})
		return nil
	})
}
