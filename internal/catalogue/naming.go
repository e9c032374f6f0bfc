package catalogue

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// naming is how columns of tableviews were called by the records of a kind before one of them is changed.
type naming struct {
	row admitto.Row
	was map[int64]string // nil: no columns are
}

// namingOf locks the tableviews, where a record calls columns of them, and reads how.
func namingOf(tx *store.Tx, row admitto.Row) (n naming, err error) {
	n.row = row
	switch row.Kind {
	case admitto.ScoresheetRow, admitto.TaskTemplateRow, admitto.QuestionRow:
	default:
		return n, nil
	}
	if row.ID == 0 {
		return n, nil
	}
	if err = tx.LockTableviews(); err == nil {
		n.was, err = tx.ColumnsOf(row.Kind)
	}
	return n, err
}

// follow lets columns of tableviews go on under the new name of the record (screens.md A47): what is read of them stays
// what it was.
func (n *naming) follow(tx *store.Tx, by usecase.Caller) error {
	if n.was == nil {
		return nil
	}
	all, err := tx.ColumnsOf(n.row.Kind)
	was, now := n.was[n.row.ID], all[n.row.ID]
	if err != nil || was == now {
		return err
	}
	shared := false
	for _, column := range all {
		shared = shared || column == was
	}
	views, err := tx.Tableviews()
	if err != nil {
		return err
	}
	for i := range views {
		v := &views[i]
		if !v.Rename(was, now, shared) {
			continue
		}
		changes, err := tx.SaveTableview(v)
		if err != nil {
			return err
		}
		v.Modified = tx.Now()
		if _, err = tx.SaveTableview(v); err != nil {
			return err
		}
		event := about(admitto.TableviewEdited, v.ID)
		event.Details = changes
		tx.Record(by.Actor, event)
	}
	return nil
}
