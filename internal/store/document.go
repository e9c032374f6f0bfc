package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// What is known of stored files; their bytes are in the blob store, under the hash. Documents in the trash are
// as if they were not there.

var (
	documentColumns = columns.Document.Select("d")
	insertDocument  = columns.Document.Insert() + " RETURNING id"
)

// DocumentsOf returns the documents of each application, by ID; their owners are the applications.
func (tx *Tx) DocumentsOf(applications []int64) (map[int64][]admitto.File, error) {
	condition, args := tx.among("d.application_id", applications)
	return grouped(tx.query("SELECT "+documentColumns+" FROM document d WHERE "+condition+
		" AND d.trashed IS NULL ORDER BY d.application_id, d.id", args...), func(r *db.Rows, f *admitto.File) int64 {
		*f = scanned(columns.Document, r)
		return f.Owner
	})
}

// Document reads one document of an application, or answers NotFound. Whether the application is visible is
// not asked.
func (tx *Tx) Document(application, id int64) (f admitto.File, err error) {
	err = one(tx.query("SELECT "+documentColumns+
		" FROM document d WHERE d.id = $2 AND d.application_id = $1 AND d.trashed IS NULL",
		application, id), func(r *db.Rows) { f = scanned(columns.Document, r) })
	return f, err
}

// DocumentsOfApplicants returns the documents of each applicant over all visible applications, by ID; their
// owners are the applications. They are sorted here: SQLite would copy each row whole to sort them.
func (tx *Tx) DocumentsOfApplicants(applicants []int64) (map[int64][]admitto.File, error) {
	condition, args := tx.among("a.applicant_id", applicants)
	own := columns.Document.Width()
	byApplicant, err := grouped(tx.query("SELECT "+documentColumns+`, a.applicant_id FROM application a JOIN document d ON d.application_id = a.id
		WHERE `+condition+" AND a.visible AND d.trashed IS NULL ORDER BY a.applicant_id", args...), func(r *db.Rows, f *admitto.File) int64 {
		*f = scanned(columns.Document, r)
		return r.Int64(own)
	})
	for _, list := range byApplicant {
		slices.SortFunc(list, func(a, b admitto.File) int { return cmp.Compare(a.ID, b.ID) })
	}
	return byApplicant, err
}

// DocumentOfApplicant reads one document of an applicant over all visible applications, or answers NotFound.
func (tx *Tx) DocumentOfApplicant(applicant, id int64) (f admitto.File, err error) {
	err = one(tx.query("SELECT "+documentColumns+` FROM document d JOIN application a ON a.id = d.application_id
		WHERE d.id = $2 AND a.applicant_id = $1 AND a.visible AND d.trashed IS NULL`, applicant, id),
		func(r *db.Rows) { f = scanned(columns.Document, r) })
	return f, err
}

// SavePhoto stores what is known of an applicant's photo, in place of the one before.
func (tx *Tx) SavePhoto(f *admitto.File) error {
	if err := tx.RemovePhoto(f.Owner); err != nil {
		return err
	}
	return insertRows(tx, columns.Photo, []admitto.File{*f})
}

// RemovePhoto forgets an applicant's photo, if there is one.
func (tx *Tx) RemovePhoto(applicant int64) error {
	_, err := tx.exec("DELETE FROM applicant_photo WHERE applicant_id = $1", applicant)
	return err
}

// Photo reads what is known of an applicant's photo, or answers NotFound. Whether the applicant is visible is
// not asked.
func (tx *Tx) Photo(applicant int64) (f admitto.File, err error) {
	f = admitto.File{Name: fmt.Sprintf("photo-%d.jpg", applicant), MIME: "image/jpeg"}
	err = one(tx.query("SELECT "+columns.Photo.Select("")+" FROM applicant_photo WHERE applicant_id = $1", applicant),
		func(r *db.Rows) { columns.Photo.Scan(r, &f) })
	return f, err
}

// DocumentsOfTask returns the documents that are attached to a task, by ID.
func (tx *Tx) DocumentsOfTask(task int64) (list []admitto.File, err error) {
	err = each(tx.query("SELECT "+documentColumns+
		" FROM document d WHERE d.task_id = $1 AND d.trashed IS NULL ORDER BY d.id", task),
		func(r *db.Rows) { list = append(list, scanned(columns.Document, r)) })
	return list, err
}
