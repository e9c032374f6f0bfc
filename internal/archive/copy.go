package archive

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/dump"
)

// Copy brings everything from one database into another, which is empty and may be of the other engine; the IDs go on
// where they were. On PostgreSQL nobody can change the source meanwhile; on SQLite the caller sees to that. All rows
// come in one transaction, as with Restore, and rows and hashes of each table are compared on both sides. Files are
// copied when both stores are given (nil: they stay where they are). It returns what was copied.
func Copy(ctx context.Context, from, to *store.Store, fromFiles, toFiles *blob.Store, tell Progress) (m *Manifest,
	err error) {
	if err := from.Ready(ctx); err != nil {
		return nil, fmt.Errorf("the source: %w", err)
	}
	var tables []dump.Table
	err = from.Read(ctx, func(tx *store.Tx) (err error) {
		tables, err = dump.Tables(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = from.Read(ctx, func(source *store.Tx) error {
		if err := dump.HoldStill(source, tables); err != nil {
			return err
		}
		var list listing
		if m, list, err = describe(ctx, source, from.EngineName(), fromFiles); err != nil {
			return err
		}
		count, err := expect(source, m, tell)
		if err != nil {
			return err
		}
		copied := list
		if fromFiles == nil || toFiles == nil {
			copied = listing{} // nothing new is stored
		}
		count.total += int64(len(copied.all))
		if err := to.Prepare(ctx, len(m.Steps), copied.all); err != nil {
			return fmt.Errorf("the target: %w", err)
		}
		if err := copyFiles(ctx, fromFiles, toFiles, copied, count); err != nil {
			return err
		}
		return to.Write(ctx, func(target *store.Tx) error {
			count.done = int64(len(copied.all)) // the transaction may run again
			return fill(target, m, list.all, 0, count, func(t *TableSum) error { return copyTable(source, target, t, count) })
		})
	})
	return m, err
}

// expect counts the rows for the progress: each is read once and compared once.
func expect(tx *store.Tx, m *Manifest, tell Progress) (*meter, error) {
	count := &meter{tell: tell}
	for i := range m.Tables {
		n, err := dump.CountRows(tx, m.Tables[i].Name)
		if err != nil {
			return nil, err
		}
		count.total += 2 * n
	}
	return count, nil
}

// copyTable loads a table straight from the source and sums up what it was.
func copyTable(source, target *store.Tx, t *TableSum, count *meter) error {
	sum := newTableSummer()
	var lines iter.Seq2[[]byte, error] = func(yield func([]byte, error) bool) {
		for line, err := range dump.Rows(source, &t.Table) {
			if err == nil {
				sum.add(line)
				count.step()
			}
			if !yield(line, err) {
				return
			}
		}
	}
	_, err := dump.Load(target, &t.Table, lines)
	t.Rows, t.SHA256 = sum.rows, sum.sum()
	return err
}

func copyFiles(ctx context.Context, from, to *blob.Store, list listing, count *meter) error {
	for _, hash := range list.all {
		err := copyFile(ctx, from, to, hash)
		if admitto.KindOf(err) == admitto.NotFound {
			if err = errMissing(hash); list.loose[hash] {
				err = nil
			}
		}
		if err != nil {
			return err
		}
		count.step()
	}
	return nil
}

func copyFile(ctx context.Context, from, to *blob.Store, hash string) error {
	r, size, err := from.Open(ctx, hash)
	if err != nil {
		return err
	}
	return errors.Join(to.Keep(ctx, hash, size, r), r.Close())
}
