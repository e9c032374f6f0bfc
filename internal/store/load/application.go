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
type ContentRow = columns.Content

// DocumentRow is a document with its task (0: none) and the time it was put in the trash; Owner is the
// application.
type DocumentRow struct {
	admitto.File
	Task    int64
	Trashed admitto.Time
}

// Applications stores and counts headers of applications of visible applicants. A second one that is not Closed
// for the same applicant and term is db.ErrUnique.
func Applications(tx *store.Tx, list []admitto.Application) error {
	if err := rows(tx, columns.Application, list); err != nil {
		return err
	}
	for i := range list {
		sql(tx).CountApplication(&list[i])
	}
	return nil
}

// Contents stores contents of applications.
func Contents(tx *store.Tx, list []ContentRow) error {
	return rows(tx, columns.ApplicationContent, list)
}

// ApplicationCourses puts courses on applications.
func ApplicationCourses(tx *store.Tx, list []CourseRow) error {
	return rowsOf(tx, columns.ApplicationCourse, list, func(c *CourseRow, row []any) []any {
		return columns.ApplicationCourse.Values(row, &c.ApplicationCourse, c.Type, c.Late)
	})
}

// FlagAssociations sets flags on applications; none of them may be set already.
func FlagAssociations(tx *store.Tx, list []admitto.FlagAssociation) error {
	return rows(tx, columns.ApplicationFlag, list)
}

// Tasks stores and counts tasks of applications.
func Tasks(tx *store.Tx, list []admitto.TaskCase) error {
	if err := rows(tx, columns.TaskCase, list); err != nil {
		return err
	}
	for i := range list {
		sql(tx).CountTask(list[i].ID)
	}
	return nil
}

// RuleActions stores that rules have acted on records.
func RuleActions(tx *store.Tx, list []admitto.RuleAction) error {
	return rows(tx, columns.RuleAction, list)
}

// Documents stores what is known of documents; their bytes are in the blob store.
func Documents(tx *store.Tx, list []DocumentRow) error {
	return rowsOf(tx, columns.Document, list, func(d *DocumentRow, row []any) []any {
		return columns.Document.Values(row, &d.File, columns.OrNull(d.Task), d.Trashed)
	})
}

// SetUnread marks what applicants have uploaded since a time as not opened by staff yet, but for documents of tasks
// that are resolved.
func SetUnread(tx *store.Tx, since admitto.Time) error {
	_, err := sql(tx).Exec(`UPDATE document SET unread = TRUE WHERE uploaded >= $1 AND trashed IS NULL
		AND NOT EXISTS (SELECT 1 FROM task t WHERE t.id = document.task_id AND t.resolved IS NOT NULL)`, since)
	return err
}

// Exports stores exports of applications.
func Exports(tx *store.Tx, list []admitto.Export) error { return rows(tx, columns.Export, list) }

// Blobs stores the files of exports; the ID of each is its number there.
func Blobs(tx *store.Tx, list []admitto.Blob) error {
	return rowsOf(tx, columns.ExportBlob, list, func(b *admitto.Blob, row []any) []any {
		return columns.ExportBlob.Values(row, &b.File, b.Token)
	})
}

// StudyPlans stores study plans.
func StudyPlans(tx *store.Tx, list []admitto.StudyPlan) error {
	return rows(tx, columns.StudyPlan, list)
}
