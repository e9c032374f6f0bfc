package admissions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// question is what guards are asked about, next to the application. What it does not name is not asked about.
type question struct {
	course   *admitto.Course // that is added
	intake   *admitto.Intake // of the course that is added
	priority int             // that it shall have
	taken    *admitto.ApplicationCourse
	courses  []admitto.ApplicationCourse // those of the application
	declared []string                    // what the applicant declares with the submission
	reason   string                      // why an administrator does it, and sets guards aside
	seen     []string                    // what the reason may set aside, as sentences; nil: all
	aside    []admitto.Detail            // what the reason has set aside, for the journal

	regions    []admitto.Region
	extensions map[int64]admitto.Time
}

// step finds the transition that an event brings. It refuses when the status, the screen of the caller
// or a missing reason forbids it; the guards are asked with may.
func (s *Service) step(d *usecase.LockedApplication, by usecase.Caller, event admitto.ApplicationEvent,
	reason string) (admitto.Transition, error) {
	if err := by.Sees(d.RowVersion); err != nil {
		return admitto.Transition{}, err
	}
	step, err := admitto.ApplicationStep(event, d.Status, d.Actor.Kind)
	if err == nil && step.NeedsReason && d.Actor.Kind == admitto.ByAdministrator && strings.TrimSpace(reason) == "" {
		err = admitto.Refuse(admitto.InvalidParameter, "application.reason", "", message.Of("reason-required"))
	}
	return step, err
}

// may asks all guards of a transition and refuses with all that fail together. Those that an administrator may
// override are set aside by a reason, and noted.
func (s *Service) may(tx *store.Tx, d *usecase.LockedApplication, step *admitto.Transition, q *question) error {
	var faults []admitto.Fault
	for _, guard := range step.AllGuards(d.Actor.Kind) {
		failed, err := s.ask(tx, d, guard, q)
		if err != nil {
			return err
		}
		if d.Actor.Kind == admitto.ByAdministrator && q.reason != "" && slices.Contains(step.Override, guard) {
			for _, f := range failed {
				if q.seen != nil && !slices.Contains(q.seen, f.Text.String()) {
					return admitto.Refused(admitto.ChangedMeanwhile, message.Of("changed-since-shown"))
				}
				q.aside = append(q.aside, admitto.Detail{Path: "/overridden/" + f.Code, Old: f.Text.String(), New: q.reason})
			}
			continue
		}
		faults = append(faults, failed...)
	}
	return notNow(faults)
}

// ask asks one guard (lifecycle.md 3.2) and returns what speaks against it.
func (s *Service) ask(tx *store.Tx, d *usecase.LockedApplication, guard admitto.Guard, q *question) ([]admitto.Fault,
	error) {
	switch guard {
	case admitto.CitizenshipKnown:
		return failsIf(d.Applicant.Citizenship == "", admitto.CodeCitizenshipMissing, message.Of("citizenship-missing")), nil
	case admitto.TerritoryOpen, admitto.AddDeadline, admitto.SubmitDeadline:
		return s.askDeadlines(tx, d, guard, q)
	case admitto.HasCourse:
		return failsIf(len(q.courses) == 0, admitto.CodeNoCourse, message.Of("no-course-chosen")), nil
	case admitto.SectionsComplete:
		return s.incompleteSections(tx, d, q.courses)
	case admitto.TasksDone, admitto.InvoicesPaid, admitto.ConsentsGiven:
		return askRecords(tx, d, guard)
	case admitto.StillOpen:
		return s.ClosedFaults(tx, d)
	case admitto.NotExpired, admitto.HasExpired:
		return s.askExpiry(tx, d, guard)
	case admitto.OnePerTerm:
		other, err := tx.ApplicationInTerm(d.Applicant.ID, d.Term)
		return failsIf(other.ID != 0 && other.ID != d.ID, admitto.CodeApplicationExists,
			message.Of("application-exists", other.ID, other.Status)), err
	case admitto.CourseOpen:
		return s.courseNotOpen(tx, q), nil
	case admitto.RoomForCourse:
		return failsIf(len(q.courses) >= s.core.Settings().Applications.MaxCourses, admitto.CodeTooManyCourses,
			message.Of("too-many-courses", len(q.courses), s.core.Settings().Applications.MaxCourses)), nil
	case admitto.NotFrozen:
		return frozenCourses(tx, d, q)
	case admitto.OffersReopen:
		may, err := s.mayReopenHimself(tx, d, q)
		return failsIf(!may, admitto.CodeReopenNotOffered, message.Of("reopen-not-offered")), err
	case admitto.UndoTime:
		until := s.undoUntil(d)
		if d.Status == admitto.Closed {
			var err error
			if until, err = s.discardedUntil(tx, d.ID); err != nil {
				return nil, err
			}
		}
		return failsIf(tx.Now() >= until, admitto.CodeUndoTimeOver, message.Of("undo-time-over")), nil
	case admitto.CourseStays:
		return failsIf(len(q.courses) == 1, admitto.CodeLastCourse, message.Of("last-course")), nil
	case admitto.NoConfirmation:
		confirmed, err := tx.HasConfirmedOffer(d.ID, q.taken.Course)
		return failsIf(confirmed, admitto.CodeOfferConfirmed, message.Of("letter-about-course-sent", q.taken.Course)), err
	}
	return nil, fmt.Errorf("nobody knows how to ask the guard %q", guard)
}

// askRecords asks what other records stand in the way: tasks, invoices and consents.
func askRecords(tx *store.Tx, d *usecase.LockedApplication, guard admitto.Guard) (faults []admitto.Fault, err error) {
	switch guard {
	case admitto.TasksDone:
		list, err := tx.BlockingTasks(d.ID)
		for _, t := range list {
			faults = append(faults, guardFault(admitto.CodeTaskBlocks, message.Of("task-blocks", t.ID, t.Title,
				admitto.TaskStatusWord(t.Status))))
		}
		return faults, err
	case admitto.InvoicesPaid:
		list, err := tx.BlockingInvoices(d.Applicant.ID, d.ID)
		for _, i := range list {
			faults = append(faults, guardFault(admitto.CodeInvoiceUnpaid, message.Of("invoice-unpaid", i.Number)))
		}
		return faults, err
	default:
		list, err := tx.UndecidedConsents(d.Applicant.ID)
		for _, id := range list {
			faults = append(faults, guardFault(admitto.CodeConsentMissing, message.Of("consent-missing", id)))
		}
		return faults, err
	}
}

// frozenCourses tells which courses of the application a change would take away or move that are frozen for the
// applicant; adding is free at the end.
func frozenCourses(tx *store.Tx, d *usecase.LockedApplication, q *question) (faults []admitto.Fault, err error) {
	frozen, err := frozenFor(tx, d)
	if err != nil || q.priority == 0 && q.taken == nil {
		return nil, err
	}
	first, last := q.priority, len(q.courses) // adding moves all behind
	if q.taken != nil {
		first, last = min(q.taken.Priority, q.priority), max(q.taken.Priority, q.priority)
		if q.priority == 0 { // removing moves all behind as well, but takes away only one
			first, last = q.taken.Priority, q.taken.Priority
		}
	}
	for _, c := range q.courses {
		if c.Priority >= first && c.Priority <= last && frozen.holds(frozenCourse(c.Course)) {
			faults = append(faults, guardFault(admitto.CodeFrozen, message.Of("course-frozen", c.Course)))
		}
	}
	return faults, nil
}

// IsExpired reports whether the grace day of the application's term is over and no override puts that off
// (lifecycle.md 3.1). It is computed on every read.
func (s *Service) IsExpired(tx *store.Tx, d *usecase.LockedApplication) (bool, error) {
	term, err := tx.Term(d.Term)
	return err == nil && term.Expired(tx.Now(), d.GraceOverride, s.core.Settings().Instance.Timezone), err
}

// ClosedFaults tells why an application is over: guard G9. Nothing says that it is open.
func (s *Service) ClosedFaults(tx *store.Tx, d *usecase.LockedApplication) ([]admitto.Fault, error) {
	switch d.Status {
	case admitto.Closed:
		return failsIf(true, admitto.CodeApplicationClosed, message.Of("application-is-closed")), nil
	case admitto.Withdrawn:
		return failsIf(true, admitto.CodeApplicationWithdrawn, message.Of("application-is-withdrawn")), nil
	}
	return s.askExpiry(tx, d, admitto.NotExpired)
}

// askExpiry is the part of G9 that asks for the grace day of the term, and its opposite.
func (s *Service) askExpiry(tx *store.Tx, d *usecase.LockedApplication, guard admitto.Guard) ([]admitto.Fault, error) {
	expired, err := s.IsExpired(tx, d)
	if guard == admitto.HasExpired {
		return failsIf(!expired, admitto.CodeNotExpired, message.Of("not-expired")), err
	}
	return failsIf(expired, admitto.CodeApplicationExpired, message.Of("application-expired")), err
}

// notNow refuses with all faults together; nil when there are none.
func notNow(faults []admitto.Fault) error {
	if len(faults) == 0 {
		return nil
	}
	return &admitto.Error{Kind: admitto.NotAllowedNow, Faults: faults}
}

// guardFault is a fault of a guard.
func guardFault(code string, text message.Text) admitto.Fault {
	return admitto.Fault{Code: code, Text: text}
}

// failsIf is the answer of a guard that fails in one way only.
func failsIf(fails bool, code string, text message.Text) []admitto.Fault {
	if !fails {
		return nil
	}
	return []admitto.Fault{guardFault(code, text)}
}

// missingFields lists what the forms of the courses require and the application does not have (guard G6), as section
// and field: profile/birth/date. Values that need attention are kept next to the content, so that their fields count
// as missing.
func (s *Service) missingFields(tx *store.Tx, application int64, courses []admitto.ApplicationCourse) ([]string,
	error) {
	ids := make([]int64, len(courses))
	for i, c := range courses {
		ids[i] = c.Course
	}
	asked, err := tx.Asked(ids)
	if err != nil {
		return nil, err
	}
	content, err := tx.ApplicationContent(application)
	if err != nil {
		return nil, err
	}
	return content.Missing(&asked), nil
}

// incompleteSections is guard G6.
func (s *Service) incompleteSections(tx *store.Tx, d *usecase.LockedApplication,
	courses []admitto.ApplicationCourse) (faults []admitto.Fault, err error) {
	missing, err := s.missingFields(tx, d.ID, courses)
	if err != nil {
		return nil, err
	}
	var questions []admitto.Question
	if slices.ContainsFunc(missing, isQuestion) {
		if questions, err = tx.Questions(); err != nil {
			return nil, err
		}
	}
	for _, at := range missing {
		text := message.Of("section-incomplete", at)
		id, _ := form.QuestionOf(at)
		if n := slices.IndexFunc(questions, func(q admitto.Question) bool { return q.ID == id }); n >= 0 {
			text = message.Of("question-unanswered", questions[n].Name, at)
		}
		faults = append(faults, guardFault(admitto.CodeSectionIncomplete, text))
	}
	return faults, nil
}

func isQuestion(path string) bool {
	id, _ := form.QuestionOf(path)
	return id != 0
}
