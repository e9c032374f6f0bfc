package admissions

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
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
			faults = append(faults, guardFault(admitto.CodeDeadlinePassed, message.Of("adding-deadline-over",
				named(q.intake.Name, q.intake.Versions))))
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
	return guardFault(admitto.CodeTerritoryBarred, message.Of("territory-barred", named(intake.Name, intake.Versions)))
}

// named is the name of a course, an intake or a term in a sentence, which pages say in the language of the reader.
func named(first string, versions admitto.Versions) message.Named {
	n := message.Named{First: first, In: map[string]string{}}
	for lang, texts := range versions {
		n.In[lang] = texts["name"]
	}
	return n
}

// courseNotOpen is guard G12; that course and intake are tied was asked before. A Private course is open to the one who
// names it.
func (s *Service) courseNotOpen(tx *store.Tx, q *question) (faults []admitto.Fault) {
	if q.course.Status != "Online" && q.course.Status != "Private" {
		faults = append(faults, guardFault(admitto.CodeCourseNotOpen, message.Of("course-status", q.course.ID,
			message.Word{Group: "catalogue_status", Text: q.course.Status})))
	}
	if q.intake == nil {
		return faults
	}
	if start := q.intake.Start; !start.IsZero() && s.core.Today(tx).Before(start) {
		faults = append(faults, guardFault(admitto.CodeCourseNotOpen, message.Of("intake-opens",
			named(q.intake.Name, q.intake.Versions), start)))
	}
	if q.intake.Term.Expired(tx.Now(), 0, s.core.Settings().Instance.Timezone) {
		faults = append(faults, guardFault(admitto.CodeCourseNotOpen, message.Of("term-over",
			named(q.intake.Term.Name, q.intake.Term.Versions))))
	}
	return faults
}

// Extension is a later deadline of one application in an intake.
type Extension struct {
	Intake int64
	Until  admitto.Time
	Reason string // for the history
	Tell   bool   // the applicant is told, with Text
	Text   string
}

// ExtendDeadline gives one application until a later time to apply in an intake that one of its courses has
// (lifecycle.md 3.3). Errors: not-found for the application, invalid-parameter for an intake of no course, a time
// that has passed or a missing reason, not-allowed-now.
func (s *Service) ExtendDeadline(ctx context.Context, by usecase.Caller, application int64, e Extension) error {
	if err := by.Needs(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		course, err := s.mayExtend(tx, by, d, &e)
		if err != nil {
			return err
		}
		was, err := tx.DeadlineExtensions(application)
		if err != nil || was[e.Intake] == e.Until {
			return err
		}
		if err := tx.ExtendDeadline(application, e.Intake, e.Until, e.Reason); err != nil {
			return err
		}
		if err := tx.TouchApplication(application); err != nil {
			return err
		}
		links := d.Links()
		links.Course = course
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.ApplicationDeadlineExtended,
			Bind: []string{strconv.FormatInt(e.Intake, 10)}, Links: links,
			Details: []admitto.Detail{{Path: "/deadline", Old: timeText(was[e.Intake]), New: e.Until.String()},
				{Path: "/reason", New: e.Reason}}})
		if !e.Tell {
			return nil
		}
		d.RowVersion++ // as it is stored now: another extension has another mail
		return s.tellApplicant(tx, d, mail.KindApplicationDeadlineExtended, s.extensionMarkers(d, &e), nil)
	})
}

func (s *Service) extensionMarkers(d *usecase.LockedApplication, e *Extension) mail.Values {
	last := (e.Until - 1).Std().In(s.core.Settings().Instance.Timezone)
	return mail.Values{mail.StaffText: e.Text, mail.IntakeDeadline: admitto.DateOf(last),
		mail.DeadlineMeaning: DeadlineMarker(d.Status)}
}

// DeadlineMarker says what a later deadline means for an application, as a mail does.
func DeadlineMarker(status admitto.ApplicationStatus) message.Text {
	switch status {
	case admitto.Submitted:
		return message.Of("mail-deadline-submitted")
	case admitto.Reopened:
		return message.Of("mail-deadline-again")
	case admitto.Blank, admitto.Draft, admitto.Inactive, admitto.Withdrawn, admitto.Closed:
	}
	return message.Of("mail-deadline-open")
}

// ExtensionMail is what ExtendDeadline tells.
func (s *Service) ExtensionMail(tx *store.Tx, a Ahead, e Extension) (notify.Written, error) {
	return s.mailAhead(tx, a, func(d *usecase.LockedApplication) (*notify.OutgoingMail, error) {
		return s.applicationMail(tx, d, mail.KindApplicationDeadlineExtended, s.extensionMarkers(d, &e))
	})
}

// MostTold is how many characters staff may write to an applicant about what they do with an application.
const MostTold = 2000

// mayExtend refuses an extension with all that speaks against it, and returns the course that has the intake. The text
// comes into its normal form.
func (s *Service) mayExtend(tx *store.Tx, by usecase.Caller, d *usecase.LockedApplication, e *Extension) (course int64,
	err error) {
	refusal := &admitto.Error{Kind: admitto.InvalidParameter}
	if _, err := s.step(d, by, admitto.ExtendDeadline, e.Reason); err != nil {
		if admitto.KindOf(err) != admitto.InvalidParameter { // else only the reason is missing
			return 0, err
		}
		refusal.Faults = faultsIn(err)
	}
	fail := func(path admitto.Path, why message.Text) {
		refusal.Faults = append(refusal.Faults, admitto.Fault{Path: path, Text: why})
	}
	courses, err := tx.CoursesOfApplications([]int64{d.ID})
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(courses[d.ID], func(c admitto.ApplicationCourse) bool { return c.Intake == e.Intake })
	why, err := message.Text{}, error(nil)
	if at < 0 || e.Intake == 0 {
		fail("application.intake", message.Of("no-course-in-intake", e.Intake))
	} else {
		course = courses[d.ID][at].Course
		if why, err = s.MayExtendTo(tx, &d.Applicant, e.Intake, e.Until); err != nil {
			return 0, err
		}
	}
	if e.Until <= tx.Now() {
		fail("application.deadline", message.Of("time-passed"))
	} else if !why.IsZero() {
		fail("application.deadline", why)
	}
	words, wrong := text.Multiline(e.Text, 0, MostTold)
	if e.Text = words; wrong != nil {
		fail("page.text", message.From(wrong))
	}
	if len(refusal.Faults) > 0 {
		return 0, refusal
	}
	return course, nil
}

// MayExtendTo says why a deadline of an applicant in an intake cannot be extended to a time: it would end earlier than
// without, or after the grace day of the term, which ends everything. The zero Text: nothing speaks against it.
func (s *Service) MayExtendTo(tx *store.Tx, a *admitto.Applicant, intake int64, until admitto.Time) (why message.Text,
	err error) {
	of, err := tx.Intake(intake)
	if err != nil {
		return why, err
	}
	d := &usecase.LockedApplication{Applicant: *a}
	own, err := s.deadlineOf(tx, d, &of, &question{})
	switch {
	case err != nil || own.Barred:
	case own.Until == 0:
		why = message.Of("extension-without-deadline", of.Name)
	case until < own.Until:
		why = message.Of("extension-shorter", of.Name, own.Day)
	default:
		return s.pastGrace(tx, a, &of.Term, until)
	}
	return why, err
}

// pastGrace says that a time is after the grace day of a term, or after the day until which the application that an
// applicant has in it goes on.
func (s *Service) pastGrace(tx *store.Tx, a *admitto.Applicant, term *admitto.Term, until admitto.Time) (
	why message.Text, err error) {
	var d admitto.ApplicationCase
	own, err := tx.ApplicationInTerm(a.ID, term.ID)
	if err == nil && own.ID != 0 {
		d, _, err = tx.ApplicationCase(own.ID)
	}
	if ends := term.Ends(d.GraceOverride, s.core.Settings().Instance.Timezone); err == nil && ends != 0 && until > ends {
		why = message.Of("extension-past-grace", s.core.DayOf(ends-1), term.Name)
	}
	return why, err
}

// PutBackDeadline takes an extension back: the one before it holds again, or, for 0, the deadline of the intake.
// Errors: not-found, invalid-parameter without a reason.
func (s *Service) PutBackDeadline(ctx context.Context, by usecase.Caller, application, intake int64, until admitto.Time,
	reason string) error {
	if err := by.Needs(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		if strings.TrimSpace(reason) == "" {
			return admitto.Refuse(admitto.InvalidParameter, "application.reason", "", message.Of("reason-required"))
		}
		was, err := tx.DeadlineExtensions(application)
		if err != nil || was[intake] == until {
			return err
		}
		if until == 0 {
			err = tx.EndExtension(application, intake)
		} else {
			err = tx.ExtendDeadline(application, intake, until, reason)
		}
		if err != nil {
			return err
		}
		if err := tx.TouchApplication(application); err != nil {
			return err
		}
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.ApplicationDeadlineExtended,
			Bind: []string{strconv.FormatInt(intake, 10)}, Links: d.Links(),
			Details: []admitto.Detail{{Path: "/deadline", Old: timeText(was[intake]), New: timeText(until)},
				{Path: "/reason", New: reason}}})
		return nil
	})
}

// againUntil is the last day that an applicant reads on which a reopened application can be submitted again: that of
// staff, or the first that the policies of its intakes and the grace day of its term leave. The zero Date: there is
// none.
func (s *Service) againUntil(tx *store.Tx, d *usecase.LockedApplication, in Reopening) (until admitto.Date, err error) {
	if !in.Until.IsZero() {
		return in.Until, nil
	}
	courses, err := coursesByPriority(tx, d.ID)
	if err != nil {
		return until, err
	}
	term, err := tx.Term(d.Term)
	if err != nil {
		return until, err
	}
	if ends := term.Ends(d.GraceOverride, s.core.Settings().Instance.Timezone); ends != 0 {
		until = s.core.DayOf(ends - 1)
	}
	q := &question{}
	for _, c := range courses {
		if c.Intake == 0 {
			continue
		}
		intake, err := tx.Intake(c.Intake)
		if err != nil {
			return until, err
		}
		l, err := s.deadlineOf(tx, d, &intake, q)
		if err != nil {
			return until, err
		}
		stops := l.Until != 0 && !l.Policy.AllowsSubmitting(true, c.Submitted != 0)
		if stops && (until.IsZero() || l.Day.Before(until)) {
			until = l.Day
		}
	}
	return until, nil
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
