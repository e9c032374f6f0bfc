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

// deadlineOf returns what holds for the applicant of the application in an intake; an extension stands in the place of
// the deadline.
func (s *Service) deadlineOf(tx *store.Tx, d *usecase.LockedApplication, intake *admitto.Intake,
	q *question) (l admitto.ActiveDeadline, err error) {
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
	return intake.DeadlineFor(d.Applicant.Citizenship, q.regions, q.extensions[intake.ID],
		s.core.Settings().Instance.Timezone), nil
}

// askDeadlines asks the guards of intakes: of that of the course that is added, or of all courses to submit.
func (s *Service) askDeadlines(tx *store.Tx, d *usecase.LockedApplication, guard admitto.Guard,
	q *question) (faults []admitto.Fault, err error) {
	if q.intake != nil {
		l, err := s.deadlineOf(tx, d, q.intake, q)
		switch {
		case err != nil:
		case guard == admitto.TerritoryOpen && l.Barred:
			faults = append(faults, barred(q.intake))
		case guard == admitto.AddDeadline && l.Passed(tx.Now()) && !l.Policy.AllowsAdding():
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
		case guard == admitto.TerritoryOpen && l.Barred:
			faults = append(faults, barred(&intake))
		case guard == admitto.SubmitDeadline && l.Passed(tx.Now()) && !l.Policy.AllowsSubmitting(!l.Passed(c.Added),
			c.Submitted != 0):
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
		faults = append(faults, guardFault(admitto.CodeCourseNotOpen, message.Of("course-status", q.course.ID,
			q.course.Status)))
	}
	if q.intake == nil {
		return faults
	}
	if start := q.intake.Start; !start.IsZero() && s.core.Today(tx).Before(start) {
		faults = append(faults, guardFault(admitto.CodeCourseNotOpen, message.Of("intake-opens", q.intake.Name, start)))
	}
	if q.intake.Term.Expired(tx.Now(), 0, s.core.Settings().Instance.Timezone) {
		faults = append(faults, guardFault(admitto.CodeCourseNotOpen, message.Of("term-over", q.intake.Term.Name)))
	}
	return faults
}

// ExtendDeadline gives one application until a later time to apply in an intake that one of its courses has
// (lifecycle.md 3.3). Errors: not-found for the application, invalid-parameter for an intake of no course, a time
// that has passed or a missing reason, not-allowed-now.
func (s *Service) ExtendDeadline(ctx context.Context, by usecase.Caller, application, intake int64, until admitto.Time,
	reason string) error {
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
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.ApplicationDeadlineExtended,
			Bind: []string{strconv.FormatInt(intake, 10)}, Links: links,
			Details: []admitto.Detail{{Path: "/deadline", Old: timeText(was[intake]), New: until.String()},
				{Path: "/reason", New: reason}}})
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
func (s *Service) LiftExpiry(ctx context.Context, by usecase.Caller, application int64, until admitto.Time,
	reason string) error {
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
			Details: []admitto.Detail{{Path: "/grace_override", Old: timeText(d.GraceOverride), New: until.String()},
				{Path: "/reason", New: reason}}})
		return nil
	})
}
