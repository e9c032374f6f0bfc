package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// Replica is a copy of a PostgreSQL database that follows it, for reads that may be a little old (cli.md:
// database.replica).
type Replica struct {
	URL string
	// Lag is how old the oldest change may be that the replica has not got yet.
	Lag time.Duration
	// Note is told once why the replica is not used, and "" when it is again; nil: nobody is told.
	Note func(reason string)
	// Rest is how long a replica that cannot be used is left alone; 0 is 5 s.
	Rest time.Duration
}

// checkTimeout is how long the replica may take to say how far it is.
const checkTimeout = 2 * time.Second

// replica is the open Replica.
type replica struct {
	Replica
	db *db.DB

	mu     sync.Mutex // for the following
	rested time.Time  // before it the replica is left alone
	reason string     // what Note was told last
}

// UseReplica makes the readers of the store read the replica. It need not be there yet, nor be reachable. It is called
// once, before the store is used by several goroutines. The error is a URL that cannot be read, or SQLite, which has no
// replicas.
func (s *Store) UseReplica(ctx context.Context, r Replica, o Options) error {
	if s.db.Engine() != db.PostgreSQL {
		return errors.New("SQLite has no replicas")
	}
	o.Lazy = true
	database, err := db.Open(ctx, r.URL, o)
	if err != nil {
		return fmt.Errorf("the replica: %w", err)
	}
	r.Rest = cmp.Or(r.Rest, 5*time.Second)
	s.replica = &replica{Replica: r, db: database}
	return nil
}

// Reader reads what may be a little old, for one answer. It reads the replica if that is fit for who asks, and the
// database itself otherwise; once it has read the database it stays there, so that what it reads never goes back. It
// belongs to one goroutine.
type Reader struct {
	store *Store
	who   admitto.Actor
	kept  bool // to the database itself
}

// Reader makes a reader for who asks. What they have changed before is in what it reads, whichever instance of the
// service changed it.
func (s *Store) Reader(who admitto.Actor) *Reader {
	return &Reader{store: s, who: who, kept: s.replica == nil}
}

// Read runs fn in a read-only transaction on one consistent snapshot, as Store.Read does. When the replica fails on the
// way fn runs again on the database itself, so it must not keep what an earlier run made.
func (r *Reader) Read(ctx context.Context, fn func(*Tx) error) error {
	if !r.kept && r.store.fit(ctx, r.who) {
		err := r.store.replica.db.Read(ctx, func(tx *db.Tx) error {
			return fn(&Tx{sql: tx, dialect: r.store.dialect})
		})
		// Any error counts: the replica may have been cut off by what it replayed, lack a table that a migration has
		// made, or not know yet what is asked for.
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
	r.kept = true
	return r.store.Read(ctx, fn)
}

// fit reports whether the replica may be read for who asks, and remembers why not.
func (s *Store) fit(ctx context.Context, who admitto.Actor) bool {
	r := s.replica
	if r.rests() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	at, err := r.position(ctx)
	if err != nil {
		if !errors.Is(err, context.Canceled) { // who asked has gone
			r.tell("it cannot be reached", true)
		}
		return false
	}
	if !at.standby {
		r.tell("it is no replica (any more): it is not in recovery", true)
		return false
	}
	gap, err := s.gapAfter(ctx, at, who)
	if err != nil {
		return false // the read of the database will tell
	}
	if gap.ahead {
		if gap.same, err = r.has(ctx, gap.head, gap.hash); err != nil {
			return false // it is asked again for the next answer
		}
	}
	switch {
	case !gap.same:
		r.tell("its journal is not that of the database", true)
		return false
	case gap.age > r.Lag:
		r.tell(fmt.Sprintf("it is more than %v behind", r.Lag), false)
		return false
	}
	r.tell("", false)
	return !gap.own
}

// position is how far a replica is. The journal has every change in the order of the commits, so its head says which
// changes are there.
type position struct {
	standby bool
	id      int64
	hash    string
}

// position asks the replica in a transaction of its own, so that the snapshot that is read afterwards is no older.
func (r *replica) position(ctx context.Context) (at position, err error) {
	err = r.db.Read(ctx, func(tx *db.Tx) error {
		return one(tx.Query("SELECT pg_is_in_recovery(), id, hash FROM journal_head WHERE one = 1"), func(row *db.Rows) {
			at = position{row.Bool(0), row.Int64(1), row.Text(2)}
		})
	})
	return at, err
}

// has reports whether the replica has the record of the journal with the hash.
func (r *replica) has(ctx context.Context, id int64, hash string) (has bool, err error) {
	err = r.db.Read(ctx, func(tx *db.Tx) error {
		return each(tx.Query("SELECT 1 FROM journal WHERE id = $1 AND hash = $2", id, hash), func(*db.Rows) { has = true })
	})
	return has || id == 0, err
}

// gap is what the database has and a replica at a position does not.
type gap struct {
	// ahead: a synchronous replica may show a change that the database does not show yet, since that waits for the
	// replica. The head of the database is told then, to be looked for on the replica.
	ahead bool
	head  int64
	hash  string

	same bool          // the position lies on the journal of the database
	age  time.Duration // of the oldest change in the gap by the clock of the database; 0: there is no gap
	own  bool          // who asks has changed something in it
}

// gapAfter asks the database itself. What somebody was told is done is committed there by now, by whichever instance.
func (s *Store) gapAfter(ctx context.Context, at position, who admitto.Actor) (g gap, err error) {
	err = s.Read(ctx, func(tx *Tx) error {
		hash, err := tx.JournalHash(at.id)
		if err != nil {
			return err
		}
		if hash == "" {
			g.ahead = true
			g.head, g.hash, err = tx.JournalHead()
			return err
		}
		g.same = hash == at.hash
		var missing admitto.Time
		err = each(tx.query("SELECT logged FROM journal WHERE id = $1", at.id+1), func(r *db.Rows) { missing = r.Time(0) })
		if err != nil || missing == 0 {
			return err
		}
		if g.age = max(0, tx.Now().Std().Sub(missing.Std())); g.age > s.replica.Lag {
			return nil // whatever is in it
		}
		n, err := tx.number("SELECT 1 FROM journal WHERE id > $1 AND actor = $2 AND actor_id = $3 LIMIT 1", at.id, who.Kind,
			who.ID)
		g.own = n != 0
		return err
	})
	return g, err
}

// rests reports whether the replica is left alone for a short time.
func (r *replica) rests() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Before(r.rested)
}

// tell notes why the replica is not used ("": it is), and leaves it alone for a while with rest.
func (r *replica) tell(reason string, rest bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if rest {
		r.rested = time.Now().Add(r.Rest)
	}
	if reason == r.reason {
		return
	}
	r.reason = reason
	if r.Note != nil {
		r.Note(reason)
	}
}
