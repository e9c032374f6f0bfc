package load

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// CourseRow is a course of an application with what is stored next to the association.
type CourseRow struct {
	admitto.ApplicationCourse
	Type string // of the course
	Late bool
}

// ContentRow is the content of an application as its JSON document.
type ContentRow struct {
	Application int64
	JSON        string
}

// TaskRow is a task with the ID of its template and the time it was put in the trash.
type TaskRow struct {
	admitto.Task
	Template int64
	Trashed  admitto.Time
}

// DocumentRow is a document with its task (0: none) and the time it was put in the trash; Owner is the
// application.
type DocumentRow struct {
	admitto.File
	Task    int64
	Trashed admitto.Time
}

// BlobRow is file N of an export; Owner is the export.
type BlobRow struct {
	admitto.File
	N     int
	Token string
}

// MatriculationRow is the number that an applicant is given.
type MatriculationRow struct {
	Applicant int64
	Number    string
}

// Applications stores and counts headers of applications of visible applicants. A second one that is not Closed
// for the same applicant and term is db.ErrUnique.
func Applications(tx *store.Tx, list []admitto.Application) error {
	err := rows(tx, columns.Application, list)
	if err != nil {
		return err
	}
	for i := range list {
		sql(tx).CountApplication(&list[i])
	}
	return nil
}

// Contents stores contents of applications.
func Contents(tx *store.Tx, list []ContentRow) error {
	return insertMany(tx, "", "INSERT INTO application_content (application_id, content) VALUES ($1, $2)", list,
		func(c *ContentRow, row []any) (int64, []any) { return 0, append(row, c.Application, c.JSON) })
}

// ApplicationCourses puts courses on applications.
func ApplicationCourses(tx *store.Tx, list []CourseRow) error {
	return insertMany(tx, "", `INSERT INTO application_course (application_id, course_id, intake_id, institution_id, course_type, priority,
		added, submitted, late, modifier) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, list,
		func(c *CourseRow, row []any) (int64, []any) {
			return 0, append(row, c.Application, c.Course, columns.OrNull(c.Intake), c.Institution, c.Type, c.Priority, c.Added, c.Submitted,
				c.Late, c.Modifier)
		})
}

// FlagAssociations sets flags on applications; none of them may be set already.
func FlagAssociations(tx *store.Tx, list []admitto.FlagAssociation) error {
	return insertMany(tx, "", "INSERT INTO application_flag (flag_id, application_id, assigned) VALUES ($1, $2, $3)", list,
		func(f *admitto.FlagAssociation, row []any) (int64, []any) {
			return 0, append(row, f.Flag, f.Application, f.Assigned)
		})
}

// Tasks stores tasks of applications.
func Tasks(tx *store.Tx, list []TaskRow) error {
	return insertMany(tx, "task", `INSERT INTO task (id, application_id, template_id, created, reminded, committed, resolved, status,
		notes_applicant, notes_administrator, trashed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, list,
		func(t *TaskRow, row []any) (int64, []any) {
			return t.ID, append(row, t.ID, t.Application, t.Template, t.Created, t.Reminded, t.Committed, t.Resolved, t.Status,
				t.NotesApplicant, t.NotesAdministrator, t.Trashed)
		})
}

// Documents stores what is known of documents; their bytes are in the blob store.
func Documents(tx *store.Tx, list []DocumentRow) error {
	return insertMany(tx, "document", columns.Document.Load(), list, func(d *DocumentRow, row []any) (int64, []any) {
		return d.ID, columns.Document.Values(row, &d.File, columns.OrNull(d.Task), d.Trashed)
	})
}

// Photos stores photos; Owner is the applicant.
func Photos(tx *store.Tx, list []admitto.File) error {
	return insertMany(tx, "", "INSERT INTO applicant_photo (applicant_id, uploaded, size, hash) VALUES ($1, $2, $3, $4)", list,
		func(f *admitto.File, row []any) (int64, []any) {
			return 0, append(row, f.Owner, f.Uploaded, f.Size, f.Hash)
		})
}

// EmailAttachments stores attachments of mails; Owner is the mail.
func EmailAttachments(tx *store.Tx, list []admitto.File) error {
	return rows(tx, columns.EmailAttachment, list)
}

// Exports stores exports of applications.
func Exports(tx *store.Tx, list []admitto.Export) error {
	return insertMany(tx, "export", `INSERT INTO export (id, application_id, offer_id, profile_code, exported, processed, cancelled)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, list, func(e *admitto.Export, row []any) (int64, []any) {
		return e.ID, append(row, e.ID, e.Application, columns.OrNull(e.Offer), e.Profile.Code, e.Exported, e.Processed, e.Cancelled)
	})
}

// Blobs stores the files of exports.
func Blobs(tx *store.Tx, list []BlobRow) error {
	return insertMany(tx, "", columns.ExportBlob.Load(), list, func(b *BlobRow, row []any) (int64, []any) {
		file := b.File
		file.ID = int64(b.N)
		return 0, columns.ExportBlob.Values(row, &file, b.Token)
	})
}

// StudyPlans stores study plans.
func StudyPlans(tx *store.Tx, list []admitto.StudyPlan) error {
	return insertMany(tx, "study_plan", columns.StudyPlan.Load(), list, func(p *admitto.StudyPlan, row []any) (int64, []any) {
		return p.ID, columns.StudyPlan.Values(row, p, columns.JSON(append([]admitto.Subject{}, p.Subjects...)))
	})
}

// ConsentDecisions stores the latest decisions on consents.
func ConsentDecisions(tx *store.Tx, list []admitto.ConsentDecision) error {
	return insertMany(tx, "", "INSERT INTO consent_decision (applicant_id, consent_id, decided, decision) VALUES ($1, $2, $3, $4)", list,
		func(d *admitto.ConsentDecision, row []any) (int64, []any) {
			decision := "Reject"
			if d.Accepted {
				decision = "Accept"
			}
			return 0, append(row, d.Applicant, d.Consent, d.Decided, decision)
		})
}

// Wishes stores wishes.
func Wishes(tx *store.Tx, list []admitto.Wish) error {
	return rows(tx, columns.Wish, list)
}

// SetMatriculations returns applicants their numbers.
func SetMatriculations(tx *store.Tx, list []MatriculationRow) error {
	return insertMany(tx, "", "UPDATE applicant SET matriculation = $2 WHERE id = $1", list,
		func(m *MatriculationRow, row []any) (int64, []any) { return 0, append(row, m.Applicant, m.Number) })
}
