package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/dump"
)

// idsSkipped is how far IDs are moved on: as many may have been given out after the backup was made (cli.md).
const idsSkipped = 100_000

// Restore brings the backup into an empty database, and its files into their store. The rows come in one transaction,
// in which they are read back and compared, counters are counted again and the journal is verified; so a restore that
// is cut off leaves a database that says it is half restored, and that may be restored again. Every sequence of IDs is
// moved on by 100,000. A backup of an older schema gives a database of that schema: migrate it then.
func (a *Archive) Restore(ctx context.Context, s *store.Store, files *blob.Store, tell Progress) error {
	m := a.Manifest
	if _, err := store.CheckSteps(m.Engine, m.Steps); err != nil {
		return err
	}
	if err := s.Prepare(ctx, len(m.Steps), a.files); err != nil {
		return err
	}
	count := &meter{tell: tell, total: int64(len(a.files)) + 2*m.Rows()}
	w, err := a.walk(ctx)
	if err != nil {
		return err
	}
	err = w.eachFile(func(hash string, size int64, r io.Reader) error {
		count.step()
		return files.Keep(ctx, hash, size, r)
	})
	w.close()
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx *store.Tx) error {
		count.done = int64(len(a.files)) // the transaction may run again
		return a.fill(ctx, tx, count)
	})
}

// fill replaces all rows by those of the backup.
func (a *Archive) fill(ctx context.Context, tx *store.Tx, count *meter) error {
	w, err := a.walk(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	if err := w.eachFile(func(string, int64, io.Reader) error { return nil }); err != nil {
		return err
	}
	return fill(tx, a.Manifest, a.files, idsSkipped, count, func(t *TableSum) error {
		_, err := dump.Load(tx, &t.Table, counted(w.table(t.Name), count))
		return err
	})
}

// counted passes lines on and counts them.
func counted(lines func(func([]byte, error) bool), count *meter) func(func([]byte, error) bool) {
	return func(yield func([]byte, error) bool) {
		for line, err := range lines {
			count.step()
			if !yield(line, err) {
				return
			}
		}
	}
}

// fill empties the tables of a prepared database, loads each, and leaves nothing unchecked.
func fill(tx *store.Tx, m *Manifest, files []string, further int64, count *meter, load func(t *TableSum) error) error {
	tables, err := dump.Tables(tx)
	if err != nil {
		return err
	}
	if err := sameTables(tables, m.Tables); err != nil {
		return err
	}
	if err := tx.MakeRoom(true); err != nil {
		return err
	}
	loose, err := dump.Clear(tx, tables)
	if err != nil {
		return err
	}
	for i := range m.Tables {
		if err := load(&m.Tables[i]); err != nil {
			return err
		}
	}
	for i := range m.Tables {
		if err := compare(tx, &m.Tables[i], count); err != nil {
			return err
		}
	}
	if err := dump.RaiseIDs(tx, m.LastIDs, further); err != nil {
		return err
	}
	if err := hasFiles(tx, files); err != nil {
		return err
	}
	isThere := func(hash string) bool { _, there := slices.BinarySearch(files, hash); return there }
	if err := tx.KeepLoose(loose, isThere); err != nil {
		return err
	}
	if last, hash, err := tx.JournalHead(); err != nil || last != m.JournalLast || hash != m.JournalHash {
		return errors.Join(err, errors.New("the journal does not end where the manifest says"))
	}
	if err := dump.Verify(tx); err != nil {
		return err
	}
	if err := tx.Analyze(); err != nil {
		return err
	}
	return tx.MakeRoom(false)
}

// sameTables reports whether the database has the tables and columns of the backup, and no others.
func sameTables(have []dump.Table, want []TableSum) error {
	columns := map[string][]dump.Column{}
	for _, t := range have {
		columns[t.Name] = t.Columns
	}
	for _, t := range want {
		if !slices.Equal(columns[t.Name], t.Columns) {
			return fmt.Errorf("table %s of the backup is not that of the database", t.Name)
		}
		delete(columns, t.Name)
	}
	for name := range columns {
		return fmt.Errorf("table %s of the database is not in the backup", name)
	}
	return nil
}

// compare reads a table back.
func compare(tx *store.Tx, t *TableSum, count *meter) error {
	sum := newTableSummer()
	for line, err := range dump.Rows(tx, &t.Table) {
		if err != nil {
			return err
		}
		sum.add(line)
		count.step()
	}
	return sum.matches(t)
}

// hasFiles reports whether all files that the database refers to are in the list, which is sorted.
func hasFiles(tx *store.Tx, files []string) error {
	refers, err := tx.ReferredFiles()
	if err != nil {
		return err
	}
	for _, hash := range refers {
		if _, there := slices.BinarySearch(files, hash); !there {
			return fmt.Errorf("the database refers to the file %s, which is not in the backup", hash)
		}
	}
	return nil
}
