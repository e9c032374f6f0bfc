package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/demo"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/dump"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
)

// home is an instance of a test: a database and its files.
type home struct {
	*store.Store
	files *blob.Store
}

// newHome opens an instance without tables.
func newHome(t *testing.T, url string, o store.Options) *home {
	t.Helper()
	s, err := store.Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	files, err := blob.Open("", filepath.Join(t.TempDir(), "files"))
	if err != nil {
		t.Fatal(err)
	}
	return &home{s, files}
}

func onSQLite(t *testing.T) *home {
	t.Helper()
	return newHome(t, "sqlite:"+filepath.Join(t.TempDir(), "home.db"), store.Options{})
}

// migrated has the tables already.
func migrated(t *testing.T) *home {
	t.Helper()
	return newHome(t, storetest.Migrated.File(t), store.Options{})
}

// fill makes an invented institution with so many applicants.
func (h *home) fill(t *testing.T, applicants int) *home {
	t.Helper()
	err := h.Seed(t.Context(), "North College", 2026)
	if err == nil {
		_, err = h.RememberKey(t.Context(), "0123456789abcdef")
	}
	if err == nil {
		err = demo.Fill(t.Context(), h.Store, demo.Options{Applicants: applicants, Seed: 1, Files: h.files})
	}
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// backup makes a backup of it.
func (h *home) backup(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "backup.tar.zst")
	if _, err := Create(t.Context(), path, h.Store, h.files, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// sums describes everything that is in the database.
func (h *home) sums(t *testing.T) (m *Manifest) {
	t.Helper()
	err := h.Read(t.Context(), func(tx *store.Tx) (err error) {
		if m, _, err = describe(t.Context(), tx, "", h.files); err != nil {
			return err
		}
		for i := range m.Tables {
			sum := newTableSummer()
			for line, err := range dump.Rows(tx, &m.Tables[i].Table) {
				if err != nil {
					return err
				}
				sum.add(line)
			}
			m.Tables[i].Rows, m.Tables[i].SHA256 = sum.rows, sum.sum()
		}
		return dump.Verify(tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// has compares the database table by table with what it must have.
func (h *home) has(t *testing.T, want *Manifest, further int64) {
	t.Helper()
	got := h.sums(t)
	if len(got.Tables) != len(want.Tables) || len(got.Tables) < 10 {
		t.Fatalf("%d tables, want %d", len(got.Tables), len(want.Tables))
	}
	tables := map[string]TableSum{}
	for _, table := range got.Tables {
		tables[table.Name] = table
	}
	for _, table := range want.Tables {
		if g := tables[table.Name]; g.Rows != table.Rows || g.SHA256 != table.SHA256 {
			t.Errorf("table %s: %d rows, want %d, with the same content", table.Name, g.Rows, table.Rows)
		}
	}
	if got.JournalLast != want.JournalLast || got.JournalHash != want.JournalHash ||
		got.KeyFingerprint != want.KeyFingerprint {
		t.Errorf("the journal ends at %d, want %d", got.JournalLast, want.JournalLast)
	}
	for table, last := range want.LastIDs {
		if got.LastIDs[table] < last+further {
			t.Errorf("the IDs of %s go on behind %d, want %d or more", table, got.LastIDs[table], last+further)
		}
	}
}

// track makes a tracker with its journal record, as a service would.
func (h *home) track(ctx context.Context, code string) (id int64, err error) {
	err = h.Write(ctx, func(tx *store.Tx) (err error) {
		if id, _, err = tx.InsertTracker(&admitto.Tracker{Created: tx.Now(), Code: code}); err == nil {
			tx.Record(admitto.Actor{Kind: admitto.BySystem}, admitto.Event{Pattern: admitto.TrackerCreated,
				Links: admitto.Links{Tracker: id}})
		}
		return err
	})
	return id, err
}

// A backup that is made while others write is true of one time, and comes back whole on either engine.
func TestBackupAndRestore(t *testing.T) {
	storetest.Migrated.Each(t, func(t *testing.T, url string, o store.Options) {
		source := newHome(t, url, o).fill(t, apptest.Size(40, 200))
		before := source.sums(t)
		ctx, stop := context.WithCancel(t.Context())
		writing := make(chan error, 1)
		var written atomic.Int64
		busy := make(chan struct{})
		go func() {
			for n := 1; ; n++ {
				if _, err := source.track(ctx, fmt.Sprint("BUSY", n)); err != nil {
					writing <- err
					return
				}
				if written.Add(1) == 5 {
					close(busy)
				}
			}
		}()
		<-busy
		path := source.backup(t)
		stop()
		if err := <-writing; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		a, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		m := a.Manifest
		if last := before.JournalLast; m.JournalLast < last+5 || m.JournalLast > last+written.Load()+1 || m.Files.Count == 0 {
			t.Errorf("journal up to %d, before %d, written %d, %d files", m.JournalLast, last, written.Load(), m.Files.Count)
		}
		onto := dbtest.Each
		if !apptest.Long() { // only onto the other engine
			onto = dbtest.OnSQLite
			if !source.Shared() {
				onto = dbtest.OnPostgres
			}
		}
		onto(t, func(t *testing.T, url string, o store.Options) {
			target := newHome(t, url, o)
			if err := a.Restore(t.Context(), target.Store, target.files, nil); err != nil {
				t.Fatal(err)
			}
			target.has(t, m, idsSkipped)
			for _, hash := range a.files {
				if there, err := target.files.Exists(t.Context(), hash); !there || err != nil {
					t.Fatal(hash, there, err)
				}
			}
			if err := target.Ready(t.Context()); err != nil {
				t.Error(err)
			}
			id, err := target.track(t.Context(), "AFTER")
			if err != nil || id <= m.LastIDs["tracker"]+idsSkipped {
				t.Errorf("the next tracker is %d, %v", id, err)
			}
			// What has something in it is left alone.
			if err := a.Restore(t.Context(), target.Store, target.files, nil); admitto.KindOf(err) != admitto.NotAllowedNow {
				t.Errorf("restored over something: %v", err)
			}
		})
	})
}

// From SQLite to PostgreSQL and back nothing changes.
func TestCopy(t *testing.T) {
	source := migrated(t).fill(t, apptest.Size(40, 200))
	want := source.sums(t)
	if _, err := Copy(t.Context(), source.Store, source.Store, nil, nil, nil); err == nil {
		t.Error("an instance was copied onto itself")
	}
	dbtest.Each(t, func(t *testing.T, url string, o store.Options) {
		there, back := newHome(t, url, o), onSQLite(t)
		var done, total int64
		m, err := Copy(t.Context(), source.Store, there.Store, source.files, there.files,
			func(d, of int64) { done, total = d, of })
		if err != nil {
			t.Fatal(err)
		}
		if done != total || total != 2*m.Rows()+int64(len(want.files(t, source))) {
			t.Errorf("progress ended at %d of %d, with %d rows", done, total, m.Rows())
		}
		there.has(t, want, 0)
		if _, err := Copy(t.Context(), there.Store, back.Store, nil, nil, nil); err != nil {
			t.Fatal(err)
		}
		back.has(t, want, 0)
		for _, hash := range want.files(t, source) {
			if found, err := there.files.Exists(t.Context(), hash); !found || err != nil {
				t.Fatal(hash, found, err)
			}
		}
		if _, err := there.track(t.Context(), "AFTER"); err != nil { // nothing is locked any more
			t.Fatal(err)
		}
		if _, err := Copy(t.Context(), back.Store, there.Store, nil, nil, nil); admitto.KindOf(err) != admitto.NotAllowedNow {
			t.Errorf("copied over something: %v", err)
		}
	})
}

func (m *Manifest) files(t *testing.T, h *home) (list []string) {
	t.Helper()
	if err := h.Read(t.Context(), func(tx *store.Tx) (err error) {
		list, err = tx.ReferredFiles()
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// A restore that ends before its end leaves an instance that says so, and that another restore makes whole.
func TestRestoreCutOff(t *testing.T) {
	path := migrated(t).fill(t, 20).backup(t)
	a, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	dbtest.Each(t, func(t *testing.T, url string, o store.Options) {
		target := newHome(t, url, o)
		loose := strings.Repeat("0", 64) // what an earlier one has stored of another backup
		if err := target.Prepare(t.Context(), len(a.Manifest.Steps), []string{loose}); err != nil {
			t.Fatal(err)
		}
		for _, part := range []int64{0, 1, 2} { // among the files, the rows, and the rows that are compared
			ctx, cut := context.WithCancel(t.Context())
			at := []int64{1000, int64(len(a.files)) + 1000, int64(len(a.files)) + a.Manifest.Rows() + 1000}[part]
			err := a.Restore(ctx, target.Store, target.files, func(done, _ int64) {
				if done >= at {
					cut()
				}
			})
			cut()
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("cut off at %d: %v", at, err)
			}
			if err := target.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "half restored") {
				t.Errorf("cut off at %d, then: %v", at, err)
			}
			if _, err := target.Migrate(t.Context(), false); err == nil {
				t.Error("what is half restored was migrated")
			}
		}
		if err := a.Restore(t.Context(), target.Store, target.files, nil); err != nil {
			t.Fatal(err)
		}
		if err := target.Ready(t.Context()); err != nil {
			t.Error(err)
		}
		err := target.Read(t.Context(), func(tx *store.Tx) error {
			list, err := tx.AllLooseFiles()
			if err == nil && (len(list) != 1 || list[0] != loose) {
				t.Errorf("%d files are loose", len(list))
			}
			return errors.Join(err, dump.Verify(tx))
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// No byte of a backup can change, come or go unseen.
func TestEveryByteCounts(t *testing.T) {
	path := migrated(t).fill(t, 3).backup(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("ADMITTO_TEST_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	t.Logf("ADMITTO_TEST_SEED=%d, %d bytes", seed, len(whole))
	random := rand.New(rand.NewPCG(seed, 0))
	other := filepath.Join(t.TempDir(), "other")
	refused := func(what string, data []byte) {
		t.Helper()
		if err := os.WriteFile(other, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if a, err := Open(t.Context(), other); err == nil {
			a.Close()
			t.Errorf("%s was not seen", what)
		}
	}
	places := []int{0, 1, 2, 3, 4, 5, 6, len(whole) - 1, len(whole) - 33, len(whole) - 37, len(whole) - 41}
	for range 400 {
		places = append(places, random.IntN(len(whole)))
	}
	for _, i := range places {
		data := bytes.Clone(whole)
		data[i] ^= byte(1 + random.IntN(255))
		refused(fmt.Sprint("another byte at ", i), data)
	}
	for range 20 {
		i := random.IntN(len(whole))
		refused(fmt.Sprint("the end at ", i), whole[:i])
	}
	refused("one byte more", append(bytes.Clone(whole), 0))
	refused("nothing", nil)
}

// What an older release has backed up is restored with its schema, and migrated then.
func TestOlderSchema(t *testing.T) {
	old := onSQLite(t)
	if err := old.Prepare(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	err := old.Write(t.Context(), func(tx *store.Tx) error {
		tables, err := dump.Tables(tx)
		if err == nil {
			_, err = dump.Clear(tx, tables)
		}
		if err != nil {
			return err
		}
		// As that release wrote it: the journal had no batches.
		r := admitto.Record{ID: 1, Logged: 2, Event: admitto.Event{Pattern: admitto.TrackerCreated,
			Links: admitto.Links{Tracker: 8}}, Actor: admitto.System(), PrevHash: admitto.GenesisHash}
		return sqltest.In(tx).Script(fmt.Sprintf(`INSERT INTO tracker (id, created, code, code_key) VALUES (7, 1, 'OLD', 'old'), (8, 2, 'OLDER', 'older');
			INSERT INTO journal (id, logged, pattern, actor, tracker_id, hash) VALUES (1, 2, '%s', 'system', 8, '%[2]s');
			INSERT INTO journal_head (one, id, logged, hash) VALUES (1, 1, 2, '%[2]s')`, r.Pattern, r.ComputeHash()))
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(t.Context(), old.backup(t))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	dbtest.Each(t, func(t *testing.T, url string, o store.Options) {
		target := newHome(t, url, o)
		if err := a.Restore(t.Context(), target.Store, target.files, nil); err != nil {
			t.Fatal(err)
		}
		target.has(t, a.Manifest, idsSkipped)
		if missing, err := target.Migrate(t.Context(), false); err != nil || len(missing) == 0 {
			t.Errorf("migrated by %v, %v", missing, err)
		}
		if err := target.Ready(t.Context()); err != nil {
			t.Error(err)
		}
		// Tables of a newer schema are no place for it.
		newer := onSQLite(t)
		if _, err := newer.Migrate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		if err := a.Restore(t.Context(), newer.Store, newer.files, nil); admitto.KindOf(err) != admitto.NotAllowedNow {
			t.Error(err)
		}
	})
}
