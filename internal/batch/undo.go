package batch

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// A preview of an undoing looks at so many records, and lists so many exceptions.
const (
	undoLooked = 500
	undoListed = 50
)

// UndoPreview is what undoing a batch would do now.
type UndoPreview struct {
	Looked int64  // records that were looked at: the first ones of a large batch
	Back   int64  // of them would be put back
	Left   int64  // of them would stay as they are
	Told   int64  // people of all records whom a mail told of the change, which stays sent
	Lines  []Line // the first that would stay, with why
	Sent   []Line // the first whose mail was sent
}

// PreviewUndo looks at what undoing a batch would put back, and what it cannot. Errors: those of Undo.
func (s *Service) PreviewUndo(ctx context.Context, by admitto.Caller, id int64) (p UndoPreview, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return p, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		p = UndoPreview{}
		b, err := tx.Batch(id)
		if err == nil {
			err = mayManage(by, &b)
		}
		if err == nil {
			err = s.mayUndo(tx, by, &b)
		}
		if err != nil {
			return err
		}
		a, _ := actionOf(b.Action)
		w := s.work(ctx, tx, by, &b)
		w.preview = true
		done, _, err := tx.BatchRecords(id, 0, admitto.RecordDone, undoLooked)
		if err != nil {
			return err
		}
		var left, sent []admitto.BatchRecord
		for i := range done {
			c := &done[i]
			p.Looked++
			err := a.undo(w, c)
			why, is := refusal(err)
			switch {
			case err == nil:
				p.Back++
			case !is:
				return err
			default:
				p.Left++
				if c.Reasons = why; len(left) < undoListed {
					left = append(left, *c)
				}
			}
			if c.Recipient != "" && len(sent) < undoListed {
				sent = append(sent, *c)
			}
		}
		if _, p.Told, err = tx.BatchReach(id, true, admitto.RecordDone); err != nil {
			return err
		}
		if p.Lines, err = named(tx, by, left); err == nil {
			p.Sent, err = named(tx, by, sent)
		}
		return err
	})
	return p, err
}
