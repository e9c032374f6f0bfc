package store

import (
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// exportColumns are read by scanExport; of the profile, its code comes with the export.
var exportColumns = columns.Export.Select("e") + ", p.name, p.adapter, p.fields"

func scanExport(r *db.Rows) (e admitto.Export) {
	columns.Export.Scan(r, &e)
	own := columns.Export.Width()
	e.Profile.Name, e.Profile.Adapter = r.Text(own), r.Text(own+1)
	if err := json.Unmarshal(r.Raw(own+2), &e.Profile.Fields); err != nil {
		r.Fail(fmt.Errorf("fields of export profile %s: %w", e.Profile.Code, err))
	}
	return e
}

// ExportsOf returns the exports of an application, by ID.
func (tx *Tx) ExportsOf(application int64) (list []admitto.Export, err error) {
	err = each(tx.query("SELECT "+exportColumns+` FROM export e JOIN export_profile p ON p.code = e.profile_code
		WHERE e.application_id = $1 ORDER BY e.id`, application), func(r *db.Rows) { list = append(list, scanExport(r)) })
	return list, err
}

// Export reads one export of an application, or answers NotFound. Whether the application is visible is not
// asked.
func (tx *Tx) Export(application, id int64) (e admitto.Export, err error) {
	err = one(tx.query("SELECT "+exportColumns+` FROM export e JOIN export_profile p ON p.code = e.profile_code
		WHERE e.id = $2 AND e.application_id = $1`, application, id), func(r *db.Rows) { e = scanExport(r) })
	return e, err
}

// BlobsOf returns the files of an export in their order, without those that had expired at the time given. The
// ID of a file is its number in the export.
func (tx *Tx) BlobsOf(export int64, at admitto.Time) (list []admitto.Blob, err error) {
	own := columns.ExportBlob.Width()
	err = each(tx.query("SELECT "+columns.ExportBlob.Select("")+`, token FROM export_blob
		WHERE export_id = $1 AND (expires IS NULL OR expires > $2) ORDER BY n`, export, at), func(r *db.Rows) {
		list = append(list, admitto.Blob{File: scanned(columns.ExportBlob, r), Token: r.Text(own)})
	})
	return list, err
}
