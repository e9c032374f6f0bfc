package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// ofPage is the condition of a PageQuery on the ID and the time column, with the parameters $1 to $4.
func ofPage(time string) string {
	return " WHERE id >= $1 AND id <= $2 AND " + time + " >= $3 AND " + time + " <= $4"
}

// pageArgs are the parameters of ofPage. Times are compared in whole seconds.
func pageArgs(q *admitto.PageQuery) []any {
	toID, toTime := q.ToID, int64(maxID)
	if toID == 0 {
		toID = maxID
	}
	if q.ToTime != 0 {
		toTime = int64(q.ToTime.Floor() + admitto.Second - 1)
	}
	return []any{q.FromID, toID, int64(q.FromTime), toTime}
}

// page counts the entries of a table that match and reads one page of them, oldest first.
func (tx *Tx) page(table, columns, time string, q admitto.PageQuery, read func(*db.Rows)) (total int64, err error) {
	args := pageArgs(&q)
	if total, err = tx.number("SELECT count(*) FROM "+table+ofPage(time), args...); err != nil {
		return 0, err
	}
	if q.Page > admitto.Pages(total) {
		return total, nil
	}
	rows := tx.query("SELECT "+columns+" FROM "+table+ofPage(time)+" ORDER BY id LIMIT $5 OFFSET $6",
		append(args, int64(admitto.PageSize), (q.Page-1)*admitto.PageSize)...)
	return total, each(rows, read)
}

// PurgedResources reads a page of the purge list, and how many entries match.
func (tx *Tx) PurgedResources(q admitto.PageQuery) (list []admitto.PurgedResource, total int64, err error) {
	total, err = tx.page("purged_resource", "id, object_id, type, created, forget_requested, marked, marked_by, purged",
		"purged", q,
		func(r *db.Rows) {
			list = append(list, admitto.PurgedResource{ID: r.Int64(0), Object: r.Int64(1), Type: admitto.PurgedType(r.Text(2)),
				Created:         r.Time(3),
				ForgetRequested: r.Time(4), Marked: r.Time(5), MarkedBy: r.Int64(6), Purged: r.Time(7)})
		})
	return list, total, err
}

// InsertPurged adds an entry to the purge list.
func (tx *Tx) InsertPurged(p *admitto.PurgedResource) error {
	_, err := tx.insert(`INSERT INTO purged_resource (object_id, type, created, forget_requested, marked, marked_by, purged)
		VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
		p.Object, p.Type, p.Created, p.ForgetRequested, p.Marked, columns.OrNull(p.MarkedBy), p.Purged)
	return err
}
