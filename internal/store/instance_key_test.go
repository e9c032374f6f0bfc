package store

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

// TestSealAgain seals more rows than one transaction takes, each of which runs twice: no row is left out, and none is
// counted twice.
func TestSealAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		const rows, lost = 450, 7
		o.Again = func() {}
		s := opened(t, url, o)
		if _, err := s.Migrate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		err := s.Write(t.Context(), func(tx *Tx) error {
			for i := range rows {
				sealed := "former"
				if i < lost {
					sealed = "lost"
				}
				if _, err := tx.InsertOutbox(&OutboxRow{Kind: MailRequest, Created: 1, LeaseUntil: 1,
					Sealed: []byte(sealed)}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		done, gone, err := s.SealAgain(t.Context(), func(r SealedRow) ([]byte, bool) {
			if string(r.Sealed) == "former" {
				return []byte("now"), false
			}
			return nil, string(r.Sealed) == "lost"
		})
		if done != rows-lost || gone != lost || err != nil {
			t.Errorf("%d are sealed, %d are lost, %v", done, gone, err)
		}
		err = s.Read(t.Context(), func(tx *Tx) error {
			now := 0
			err := each(tx.query("SELECT sealed FROM outbox"), func(r *db.Rows) {
				if string(r.Bytes(0)) == "now" {
					now++
				}
			})
			if now != rows-lost {
				t.Errorf("%d are sealed again", now)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestSealedTables wants every column of bytes of the schema to be sealed again with the instance key, or to be one of
// those that are not sealed.
func TestSealedTables(t *testing.T) {
	plain := []string{"account", "body", "body_hash", "data", "hash", "logo", "mark", "network",
		"registration_proof", "salt"}
	known := map[string]bool{}
	for _, of := range sealedTables {
		known[of.name+" "+of.column] = true
	}
	names, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(names) < 50 {
		t.Fatal(len(names), err)
	}
	table := regexp.MustCompile(`(?m)^(?:CREATE (?:UNLOGGED )?TABLE|ALTER TABLE) (\w+)|^(?:.*ADD COLUMN)? +(\w+) +bytea`)
	n, at := 0, ""
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range table.FindAllStringSubmatch(string(text), -1) {
			if m[1] != "" {
				at = m[1]
			}
			if m[2] == "" || slices.Contains(plain, m[2]) {
				continue
			}
			if at == "outbox_remade" {
				at = "outbox"
			}
			if n++; !known[at+" "+m[2]] {
				t.Errorf("%s of %s is bytes in %s: does the instance key seal it?", m[2], at, name)
			}
		}
	}
	if n < 7 {
		t.Error("only ", n, " columns were found")
	}
}
