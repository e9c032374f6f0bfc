package store_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
)

func TestSQLite(t *testing.T) {
	folder := t.TempDir()
	empty := func(t *testing.T) (string, store.Options) {
		return "sqlite:" + filepath.Join(folder, strings.ReplaceAll(t.Name(), "/",
			"_")+".db"), store.Options{CheckLocks: true}
	}
	storetest.Run(t, always(empty), always(func(t *testing.T) (string, store.Options) {
		return storetest.Migrated.File(t),
			store.Options{CheckLocks: true}
	}), apptest.Size(storetest.Size{Rows: 5000, Steps: 20}, storetest.Size{Rows: 20_000, Steps: 60}))
}

// Samples of values in the statistics would have SQLite prepare statements again all the time.
func TestAnalyzeWithoutSamples(t *testing.T) {
	s := storetest.Open(t, "sqlite:"+filepath.Join(t.TempDir(), "analysed.db"), store.Options{})
	if _, err := s.Migrate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	count := func(tx *store.Tx, table string) (n int64) {
		rows := sqltest.In(tx).Query("SELECT count(*) FROM " + table)
		defer rows.Close()
		for rows.Next() {
			n = rows.Int64(0)
		}
		return n
	}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.Analyze(); err != nil {
			return err
		}
		if statistics, samples := count(tx, "sqlite_stat1"), count(tx, "sqlite_stat4"); statistics == 0 || samples != 0 {
			t.Errorf("%d statistics and %d samples", statistics, samples)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
