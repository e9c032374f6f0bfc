package report_test

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/admitto/admitto/internal/wait"
)

// TestTableviewWaitsForNames makes a tableview while somebody renames what a column is called by: it is there after
// that only, or the rename would not find it (screens.md A47).
func TestTableviewWaitsForNames(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		if err := d.Store.Seed(t.Context(), "Northfield", 2026); err != nil {
			t.Fatal(err)
		}
		made := make(chan error, 1)
		err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
			if err := tx.LockTableviews(); err != nil {
				return err
			}
			ended := make(chan struct{})
			go func() {
				_, err := d.Services.Reports.SaveTableview(t.Context(), usecase.Caller{Caller: admitto.SystemCaller()},
					admitto.Tableview{Title: "Scores", Columns: []admitto.TableColumn{{Source: "Application", Title: "Nr"}},
						Filters: "{}"})
				close(ended)
				made <- err
			}()
			waits := func() (waits bool) { // SQLite has one writer
				if waits = strings.HasSuffix(t.Name(), "sqlite"); !waits {
					rows := sqltest.In(tx).Query(`SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
						WHERE NOT l.granted AND a.query LIKE '%FROM role%'`)
					waits = rows.Next() && rows.Int64(0) == 1
					if err := rows.Close(); err != nil {
						t.Error(err)
					}
				}
				return waits
			}
			if !wait.Ever(waits, ended) {
				t.Error("it was made meanwhile")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-made; err != nil {
			t.Error(err)
		}
	})
}
