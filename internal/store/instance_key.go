package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/store/db"
)

// instanceKeyFact is the fingerprint of the instance key that seals; formerKeyFact that of the one before, until
// nothing is sealed under it any more (cli.md, instance-key rotate).
const (
	instanceKeyFact = "instance-key"
	formerKeyFact   = "instance-key-former"
)

// KnowsKey reports whether this database belongs to an instance key already.
func (s *Store) KnowsKey(ctx context.Context) (known bool, err error) {
	now, _, err := s.InstanceKeys(ctx)
	return now != "", err
}

// InstanceKeys returns the fingerprint of the key that seals, and that of the former one while both are needed; "" for
// none.
func (s *Store) InstanceKeys(ctx context.Context) (now, former string, err error) {
	err = s.Read(ctx, func(tx *Tx) (err error) {
		if now, err = tx.KeyFingerprint(); err != nil {
			return err
		}
		former, err = tx.InstanceFact(formerKeyFact)
		return err
	})
	return now, former, err
}

// RememberKey stores the fingerprint of the instance key at first, and returns that of the key which seals. It refuses
// keys later that lack one which is needed: secrets in this database could not be read without it.
func (s *Store) RememberKey(ctx context.Context, fingerprints ...string) (now string, err error) {
	now, former, err := s.InstanceKeys(ctx)
	if err == nil && now == "" {
		err = s.Write(ctx, func(tx *Tx) (err error) {
			if err := tx.LockOrder(); err != nil { // one instance after the other
				return err
			}
			if now, err = tx.KeyFingerprint(); err != nil || now != "" {
				return err
			}
			now = fingerprints[0]
			return tx.SetInstanceFact(instanceKeyFact, now)
		})
	}
	switch {
	case err != nil:
	case !slices.Contains(fingerprints, now):
		err = errors.New("this database belongs to another instance key: give the one it was made with (setting instance.key, or the file instance.key of its data folder)")
	case former != "" && !slices.Contains(fingerprints, former):
		err = errors.New("the instance key of this database is being changed, and the former one is needed, too: give both until admitto instance-key rotate is done (setting instance.key, or the file instance.key of its data folder)")
	}
	return now, err
}

// ChangeKey lets another key seal, and remembers the one before. Errors: one for a change before that is not finished.
func (tx *Tx) ChangeKey(to string) error {
	if err := tx.LockOrder(); err != nil {
		return err
	}
	now, err := tx.KeyFingerprint()
	if err != nil || now == to {
		return err
	}
	former, err := tx.InstanceFact(formerKeyFact)
	if err == nil && former != "" {
		err = errors.New("the instance key is being changed already")
	}
	if err != nil {
		return err
	}
	if err := tx.SetInstanceFact(formerKeyFact, now); err != nil {
		return err
	}
	return tx.SetInstanceFact(instanceKeyFact, to)
}

// ForgetFormerKey says that nothing is sealed under the former key any more.
func (tx *Tx) ForgetFormerKey() error {
	_, err := tx.exec("DELETE FROM instance WHERE name = $1", formerKeyFact)
	return err
}

// SealSetting puts a saved secret in the place of itself, sealed under another key: nobody has changed the setting.
func (tx *Tx) SealSetting(name, before, sealed string) error {
	_, err := tx.exec("UPDATE setting SET value = $3 WHERE name = $1 AND value = $2", name, before, sealed)
	return err
}

// SealedRow is a row with something sealed. What its table does not have is empty.
type SealedRow struct {
	Table   string
	Area    string
	Account int64
	Sealed  []byte
}

// sealedTable is a table with something sealed: its column, the columns of its primary key, and how many rows of it are
// sealed again in one transaction.
type sealedTable struct {
	name, column string
	key          []string
	most         int
}

// sealedTables are all of them but the settings. TestSealedTables compares them with the schema.
var sealedTables = []sealedTable{
	{"outbox", "sealed", []string{"id"}, 200},
	{"failed_mail", "sealed", []string{"email_id"}, 200},
	{"administrator", "second_factor", []string{"id"}, 200},
	{"administrator", "second_factor_new", []string{"id"}, 200},
	{"stash", "sealed", []string{"area", "account_id", "path"}, 20},
	{"stash_file", "sealed", []string{"area", "account_id", "path", "field"}, 5},
	{"stash_part", "sealed", []string{"area", "account_id", "path", "field", "start"}, 5},
	{"sent_form", "answer", []string{"area", "account_id", "mark"}, 200},
}

// SealAgain goes over everything that is sealed, some rows in a transaction, and counts the rows that got another
// content and those that are lost. again returns what takes the place of a row, nil where it stays, and whether the row
// is lost; a row may be shown to it twice. What others have changed meanwhile stays as it is.
func (s *Store) SealAgain(ctx context.Context, again func(SealedRow) (fresh []byte, lost bool)) (done, lost int,
	err error) {
	for i := range sealedTables {
		t := &sealedTables[i]
		for after, more := []any(nil), true; more; {
			var part sealedPart
			err := s.Write(ctx, func(tx *Tx) (err error) {
				part, err = t.sealAgain(tx, after, again)
				return err
			})
			if err != nil {
				return done, lost, fmt.Errorf("%s: %w", t.name, err)
			}
			after, more = part.last, part.more
			done, lost = done+part.done, lost+part.lost
		}
	}
	return done, lost, nil
}

// sealedPart is what one transaction of SealAgain did.
type sealedPart struct {
	last       []any // the key of the last row
	more       bool  // there may be rows behind it
	done, lost int
}

// sealAgain is a transaction over the rows behind one.
func (t *sealedTable) sealAgain(tx *Tx, after []any, again func(SealedRow) ([]byte, bool)) (part sealedPart,
	err error) {
	columns := strings.Join(t.key, ", ")
	where := t.column + " IS NOT NULL"
	if after != nil {
		where += " AND (" + columns + ") > (" + places(len(after), 1) + ")"
	}
	type row struct {
		key    []any
		sealed []byte
	}
	var rows []row
	sql := fmt.Sprintf("SELECT %s, %s FROM %s WHERE %s ORDER BY %s LIMIT %d", columns, t.column, t.name, where, columns,
		t.most)
	err = each(tx.query(sql, after...), func(r *db.Rows) {
		var key []any
		for i, column := range t.key {
			key = append(key, keyValue(r, column, i))
		}
		rows = append(rows, row{key, r.Bytes(len(t.key))})
	})
	if err != nil {
		return part, err
	}
	for _, row := range rows {
		of := SealedRow{Table: t.name, Sealed: row.sealed}
		if at := slices.Index(t.key, "account_id"); at >= 0 {
			of.Area, of.Account = row.key[0].(string), row.key[at].(int64)
		}
		sealed, lost := again(of)
		if lost {
			part.lost++
		}
		if part.last = row.key; sealed == nil {
			continue
		}
		part.done++
		_, err = tx.exec(fmt.Sprintf("UPDATE %s SET %s = $1 WHERE %s = $2 AND (%s) = (%s)", t.name, t.column, t.column,
			columns, places(len(row.key), 3)), append([]any{sealed, row.sealed}, row.key...)...)
		if err != nil {
			return part, err
		}
	}
	part.more = len(rows) == t.most
	return part, nil
}

// keyValue is the value of a column of a primary key.
func keyValue(r *db.Rows, column string, i int) any {
	switch column {
	case "area", "path", "field":
		return r.Text(i)
	case "mark":
		return r.Bytes(i)
	}
	return r.Int64(i)
}

// places are so many parameters of a statement from a number on.
func places(n, from int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", from+i)
	}
	return strings.Join(list, ", ")
}
