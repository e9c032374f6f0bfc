package admissions

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// NewApplication is what a caller says of an application to create.
type NewApplication struct {
	Applicant, Intake, Course int64
	Reason                    string // of an administrator who sets the deadline aside
	CopyOf                    int64  // an application of the applicant whose form and documents are copied; 0: none
}

// CheckApplication returns the faults of a new application that only the database knows: IDs that exist nowhere, or do
// not belong together. IDs that are 0 are not looked at. inPath tells that the applicant is not a parameter.
func (s *Service) CheckApplication(ctx context.Context, by admitto.Caller, in NewApplication,
	inPath bool) (faults []admitto.Fault, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return faults, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		faults = nil
		if err := usecase.OnlyOwn(by, in.Applicant); err != nil {
			return err
		}
		if in.Applicant != 0 && !inPath {
			if faults, err = unknownIf(tx.HasApplicant(in.Applicant), faults, "application.applicant", "applicant",
				in.Applicant); err != nil {
				return err
			}
		}
		_, _, more, err := courseAndIntake(tx, in.Course, in.Intake)
		faults = append(faults, more...)
		return err
	})
	return faults, err
}

// unknownIf adds the fault that a value names nothing when err says so.
func unknownIf(err error, faults []admitto.Fault, path admitto.Path, what string, id int64) ([]admitto.Fault, error) {
	if admitto.KindOf(err) == admitto.NotFound {
		return append(faults, admitto.Fault{Path: path, Text: message.Of("no-such-object", what, id)}), nil
	}
	return faults, err
}

// courseAndIntake reads what the values of a course and an intake name, and tells when they name nothing or are
// not tied. What is 0 is not looked at.
func courseAndIntake(tx *store.Tx, course, intake int64) (c admitto.Course, i admitto.Intake, faults []admitto.Fault,
	err error) {
	if course != 0 {
		c, err = tx.Course(course)
		if faults, err = unknownIf(err, faults, "application.course", "course", course); err != nil {
			return c, i, nil, err
		}
	}
	if intake != 0 {
		i, err = tx.Intake(intake)
		if faults, err = unknownIf(err, faults, "application.intake", "intake", intake); err != nil {
			return c, i, nil, err
		}
	}
	if c.ID != 0 && i.ID != 0 && !slices.Contains(c.Intakes, intake) {
		faults = append(faults, admitto.Fault{Path: "application.course", Code: admitto.CodeCourseNotOpen,
			Text: message.Of("course-not-in-intake", course, intake)})
	}
	return c, i, faults, nil
}

// Apply makes an application for a course in the term of an intake, or adds the course to the applicant's application
// of that term that can still be edited (lifecycle.md T1, T2; resources.md 24.1), and tells which of the two. A
// course that is on it already changes nothing.
//
// Errors: not-found for the applicant; invalid-parameter for other IDs; not-allowed-now with the codes of all guards
// that fail, application-exists among them.
func (s *Service) Apply(ctx context.Context, by usecase.Caller, in NewApplication) (id int64, created bool, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return id, created, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		id, created = 0, false
		if err := usecase.OnlyOwn(by.Caller, in.Applicant); err != nil {
			return err
		}
		applicant, err := tx.LockApplicant(in.Applicant)
		if err != nil {
			return err
		}
		course, intake, faults, err := courseAndIntake(tx, in.Course, in.Intake)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		open, err := tx.ApplicationInTerm(applicant.ID, intake.Term.ID)
		if err != nil {
			return err
		}
		if in.CopyOf != 0 {
			if err := mayCopy(tx, by, &in, open.ID); err != nil {
				return err
			}
		}
		q := &question{course: &course, intake: &intake, reason: in.Reason}
		if _, refused := admitto.ApplicationStep(admitto.AddCourse, open.Status, by.Actor.Kind); open.ID != 0 &&
			refused == nil {
			id = open.ID
			if err := s.appendCourse(tx, by, id, q); err != nil {
				return err
			}
			return by.Found(tx, id)
		}
		d := &usecase.LockedApplication{Applicant: applicant, Actor: by.Actor}
		if id, err = s.create(tx, d, q, in.CopyOf); err != nil {
			return err
		}
		created = true
		return by.Made(tx, id)
	})
	return id, created, err
}

// create makes the application that is not there yet (T1), with what is copied from another one.
func (s *Service) create(tx *store.Tx, d *usecase.LockedApplication, q *question, copyOf int64) (int64, error) {
	step, err := admitto.ApplicationStep(admitto.Apply, "", d.Actor.Kind)
	if err != nil {
		return 0, err
	}
	d.Term = q.intake.Term.ID
	if err := s.may(tx, d, &step, q); err != nil {
		return 0, err
	}
	// The series of fees before the order of commits: who issues an invoice locks both in this order.
	if _, err := s.billing.LockFees(tx, string(admitto.FeeAtCourse)); err != nil {
		return 0, err
	}
	if err := tx.LockOrder(); err != nil {
		return 0, err
	}
	d.Application = admitto.Application{Applicant: d.Applicant.ID, Term: d.Term, Status: step.To, Created: tx.Now(),
		Revised: tx.Now()}
	d.RowVersion = 1
	if d.ID, err = tx.InsertApplication(&d.Application); err != nil {
		return 0, err
	}
	made := admitto.ApplicationCreated
	if copyOf != 0 {
		made = admitto.ApplicationCloned
	}
	d.Record(tx, made)
	if err := s.putCourse(tx, d, q, &admitto.ApplicationCourse{Priority: 1}, true); err != nil || copyOf == 0 {
		return d.ID, err
	}
	return d.ID, s.copyForm(tx, d, copyOf)
}

// appendCourse adds a course to an application as the last priority, unless it is there.
func (s *Service) appendCourse(tx *store.Tx, by usecase.Caller, application int64, q *question) error {
	d, err := usecase.LockApplication(tx, by, application)
	if err != nil {
		return err
	}
	all, err := tx.CoursesOfApplications([]int64{application})
	if err != nil {
		return err
	}
	q.courses = all[application]
	if slices.ContainsFunc(q.courses, func(c admitto.ApplicationCourse) bool { return c.Course == q.course.ID }) {
		return nil
	}
	return s.addCourse(tx, d, by, q, &admitto.ApplicationCourse{Priority: len(q.courses) + 1})
}

// mayCopy refuses to copy from an application that is not one of the applicant, for anybody but an administrator, and
// into an application that is there already (lifecycle.md T1).
func mayCopy(tx *store.Tx, by usecase.Caller, in *NewApplication, open int64) error {
	if by.Actor.Kind != admitto.ByAdministrator {
		return admitto.Refused(admitto.NotPermitted, message.Of("copy-by-administrator"))
	}
	from, err := tx.Application(in.CopyOf)
	if admitto.KindOf(err) == admitto.NotFound || err == nil && from.Applicant != in.Applicant {
		return admitto.Refuse(admitto.InvalidParameter, "application.copy", "",
			message.Of("no-such-object", "application", in.CopyOf))
	}
	if err == nil && open != 0 {
		return admitto.Refuse(admitto.NotAllowedNow, "application.copy", admitto.CodeApplicationExists,
			message.Of("copy-into-new", open))
	}
	return err
}

// copyForm copies the form and the documents of another application of the same applicant into one that was just made.
// Nothing else of it is copied: no course, task, offer, flag, freeze or task of a document. The citizenship follows the
// account (lifecycle.md 3.5).
func (s *Service) copyForm(tx *store.Tx, d *usecase.LockedApplication, from int64) error {
	content, err := tx.ApplicationContent(from)
	if err != nil {
		return err
	}
	listed, err := tx.DocumentsOf([]int64{from})
	if err != nil {
		return err
	}
	documents := map[int64]int64{}
	for _, f := range listed[from] {
		old := f.ID
		f.ID, f.Owner = 0, d.ID
		if f.ID, err = tx.InsertDocument(&f, 0); err != nil {
			return err
		}
		documents[old] = f.ID
		if err := s.files.FileKept(tx, f.Hash); err != nil {
			return err
		}
		if err := s.documentChanged(tx, d, f.ID, 0, admitto.DocumentUploaded, admitto.DocumentUploadedToTask); err != nil {
			return err
		}
	}
	content.Extras = withDocuments(content.Extras, documents)
	if profile, ok := content.Sections["profile"].(map[string]any); ok && d.Applicant.Citizenship != "" {
		if _, stated := profile["citizenship"]; stated {
			profile["citizenship"] = d.Applicant.Citizenship
		}
	}
	details := contentDetails(nil, contentPaths(&content))
	if len(details)+len(content.Attention) == 0 {
		return nil
	}
	stored, err := json.Marshal(&content)
	if err != nil {
		return err
	}
	if err := tx.SaveContent(d.ID, stored); err != nil {
		return err
	}
	return s.contentSaved(tx, d, details)
}

// withDocuments lets answers name the copies of their documents. Those whose document is gone are no answers.
func withDocuments(answers []admitto.Extra, documents map[int64]int64) (list []admitto.Extra) {
	for _, e := range answers {
		if e.Document != 0 {
			if e.Document = documents[e.Document]; e.Document == 0 {
				continue
			}
		}
		e.Entries = withDocuments(e.Entries, documents)
		list = append(list, e)
	}
	return list
}
