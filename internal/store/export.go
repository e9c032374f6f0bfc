package store

import (
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// exportColumns are read by scanExport, in this order.
const exportColumns = `e.id, e.application_id, e.offer_id, e.exported, e.processed, e.cancelled, p.code, p.name, p.adapter, p.fields`

func scanExport(r *db.Rows) (admitto.Export, error) {
	e := admitto.Export{ID: r.Int64(0), Application: r.Int64(1), Offer: r.Int64(2), Exported: r.Time(3), Processed: r.Time(4),
		Cancelled: r.Time(5), Profile: admitto.ExportProfile{Code: r.Text(6), Name: r.Text(7), Adapter: r.Text(8)}}
	if err := json.Unmarshal(r.Raw(9), &e.Profile.Fields); err != nil {
		return e, fmt.Errorf("fields of export profile %s: %w", e.Profile.Code, err)
	}
	return e, nil
}

// ExportsOf returns the exports of an application, by ID.
func (tx *Tx) ExportsOf(application int64) (list []admitto.Export, err error) {
	var broken error
	err = each(tx.query("SELECT "+exportColumns+` FROM export e JOIN export_profile p ON p.code = e.profile_code
		WHERE e.application_id = $1 ORDER BY e.id`, application), func(r *db.Rows) {
		e, err := scanExport(r)
		if err != nil {
			broken = err
		}
		list = append(list, e)
	})
	if err == nil {
		err = broken
	}
	return list, err
}

// Export reads one export of an application, or answers NotFound. Whether the application is visible is not
// asked.
func (tx *Tx) Export(application, id int64) (e admitto.Export, err error) {
	var broken error
	err = one(tx.query("SELECT "+exportColumns+` FROM export e JOIN export_profile p ON p.code = e.profile_code
		WHERE e.id = $2 AND e.application_id = $1`, application, id), func(r *db.Rows) { e, broken = scanExport(r) })
	if err == nil {
		err = broken
	}
	return e, err
}

// BlobsOf returns the files of an export in their order, without those that had expired at the time given. The
// ID of a file is its number in the export.
func (tx *Tx) BlobsOf(export int64, at admitto.Time) (list []admitto.Blob, err error) {
	fileColumns := columns.ExportBlob.Select("")
	own := width(fileColumns)
	err = each(tx.query("SELECT "+fileColumns+`, token FROM export_blob
		WHERE export_id = $1 AND (expires IS NULL OR expires > $2) ORDER BY n`, export, at), func(r *db.Rows) {
		list = append(list, admitto.Blob{File: scanFile(columns.ExportBlob, r), Token: r.Text(own)})
	})
	return list, err
}
