package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// KeptView is a view of a long list under a name.
type KeptView struct {
	ID, Owner int64
	List      string // name of the list
	Name      string
	Query     string // of its address
	Shared    bool   // everybody sees it
	Created   admitto.Time
	Version   int64 // its row version
}

const keptViewSelect = "SELECT id, owner_id, list, name, query, shared, created, row_version FROM kept_view"

func scanKeptView(r *db.Rows) KeptView {
	return KeptView{ID: r.Int64(0), Owner: r.Int64(1), List: r.Text(2), Name: r.Text(3), Query: r.Text(4),
		Shared: r.Bool(5), Created: r.Time(6), Version: r.Int64(7)}
}

// KeptViews returns the views of a list that somebody sees: the own ones and those of everybody.
func (tx *Tx) KeptViews(owner int64, list string) (views []KeptView, err error) {
	err = each(tx.query(keptViewSelect+" WHERE owner_id = $1 AND list = $2 UNION "+keptViewSelect+
		" WHERE shared AND list = $2 ORDER BY id", owner, list), func(r *db.Rows) { views = append(views, scanKeptView(r)) })
	return views, err
}

// sharedViews returns the views of somebody that everybody sees, by ID.
func (tx *Tx) sharedViews(owner int64) (views []KeptView, err error) {
	err = each(tx.query(keptViewSelect+" WHERE owner_id = $1 AND shared ORDER BY id", owner), func(r *db.Rows) {
		views = append(views, scanKeptView(r))
	})
	return views, err
}

// KeptView reads one view, or answers NotFound.
func (tx *Tx) KeptView(id int64) (v KeptView, err error) {
	err = one(tx.query(keptViewSelect+" WHERE id = $1", id), func(r *db.Rows) { v = scanKeptView(r) })
	return v, err
}

// InsertKeptView keeps a view and returns its ID.
func (tx *Tx) InsertKeptView(v *KeptView) (int64, error) {
	return tx.insert(`INSERT INTO kept_view (owner_id, list, name, query, shared, created) VALUES ($1, $2, $3, $4, $5, $6)
		RETURNING id`, v.Owner, v.List, v.Name, v.Query, v.Shared, tx.Now())
}

// UpdateKeptView stores what a view is called and who sees it.
func (tx *Tx) UpdateKeptView(v *KeptView) error {
	_, err := tx.exec("UPDATE kept_view SET name = $2, shared = $3, row_version = row_version + 1 WHERE id = $1", v.ID,
		v.Name, v.Shared)
	return err
}

// DeleteKeptView removes a view.
func (tx *Tx) DeleteKeptView(id int64) error {
	_, err := tx.exec("DELETE FROM kept_view WHERE id = $1", id)
	return err
}
