package db

import (
	"errors"
	"time"

	"zombiezen.com/go/sqlite"
)

// The writers of SQLite commit in groups. Who ends a part of a transaction while others wait hands the connection
// on instead of committing; each that comes works in a savepoint, and the first that ended commits for all who waited
// before it, so that they wait for the disk once. Nobody is answered before that, whether its part was kept or refused:
// what it has read may be of others in the group.
const (
	// gathering is how long a group takes further parts, from the end of its first.
	gathering = 10 * time.Millisecond
	// heldUp is when a part that still runs gives way, so that the others are committed; it runs again, apart.
	heldUp = 25 * time.Millisecond
	// slow is what a statement may take in a group. A longer one cannot be ended without undoing what others did, so it
	// holds up its group once, and is known by then.
	slow = 100 * time.Millisecond
)

// errApart is why a transaction runs again in no group: it took too long for the others, or nothing of its group is
// stored.
var errApart = errors.New("the transaction has to run apart from others")

// group is a transaction in which the parts of several writers run. Who holds the connection may use it.
type group struct {
	since time.Time     // when the first part ended
	kept  int           // parts that are to be committed
	done  chan struct{} // closed when it has ended
	err   error         // why nothing is stored; to be read after done
}

// age is how long ago the first part of the group ended.
func (c *sqliteConn) age() time.Duration { return c.now().Sub(c.group.since) }

// ready refuses the next step of a part that others wait for too long, or whose context has ended: what interrupts a
// statement would undo the whole group.
func (s *sqliteSession) ready() error {
	if !s.part {
		return nil
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if s.conn.age() > heldUp {
		return errApart
	}
	return nil
}

// prepare is that of the connection, for a next step. A statement that took long the last time it ran is for no group.
func (s *sqliteSession) prepare(sql string) (*sqliteStmt, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	stmt, err := s.conn.prepare(sql)
	if err == nil && s.part && stmt.slow {
		s.conn.release(stmt)
		return nil, errApart
	}
	return stmt, err
}

// timed runs a statement, or a step of one that took so long before, and notes whether all of it took long.
func (c *sqliteConn) timed(stmt *sqliteStmt, took *time.Duration, run func() error) error {
	if !c.write {
		return run()
	}
	began := c.now()
	err := run()
	*took += c.now().Sub(began)
	stmt.slow = *took > slow
	return err
}

// endWrite ends a part, and returns when its group has ended. Unless commit is true the only error is errApart: what
// the part was refused for is not stored.
func (s *sqliteSession) endWrite(commit bool) error {
	c := s.conn
	// From here on the context must not interrupt: neither a commit that has begun nor a rollback.
	c.disobey()
	err := s.ctx.Err()
	keep := commit && err == nil
	switch {
	case s.part && keep:
		if err = c.run("RELEASE part"); err != nil {
			keep = false
			c.undoPart()
		}
	case s.part:
		c.undoPart()
	case keep:
		c.group = &group{since: c.now(), done: make(chan struct{})}
	default:
		c.rollback()
	}
	g := c.group
	if g == nil { // nothing is kept, or it was lost
		s.pool <- c
		return err
	}
	if keep {
		g.kept++
	}
	if s.apart || c.age() > gathering {
		c.commit()
		s.pool <- c
	} else {
		s.pool <- c
		select {
		case <-g.done:
		case c := <-s.pool: // behind those who waited
			if c.group == g {
				c.commit()
			}
			s.pool <- c
		}
		<-g.done
	}
	switch {
	case keep:
		return g.err
	case g.err != nil:
		return errApart
	}
	return err
}

// undoPart takes back what the last part did, or all where an error has rolled back the group.
func (c *sqliteConn) undoPart() {
	if c.conn != nil && !c.conn.AutocommitEnabled() && c.run("ROLLBACK TO part") == nil && c.run("RELEASE part") == nil {
		return
	}
	c.rollback()
	c.endGroup(errApart)
}

// commit stores the parts of the group.
func (c *sqliteConn) commit() {
	err := c.run("COMMIT")
	c.rollback() // what could not be committed
	if err != nil && c.group.kept > 1 && sqlite.ErrCode(err).ToPrimary() == sqlite.ResultConstraint {
		err = errApart // a deferred constraint: one of them broke it
	}
	c.endGroup(err)
}

// endGroup tells the group how it ended.
func (c *sqliteConn) endGroup(err error) {
	c.group.err = err
	close(c.group.done)
	c.group = nil
}

// rollback ends the transaction, if some error has not done so already.
func (c *sqliteConn) rollback() {
	if c.conn != nil && !c.conn.AutocommitEnabled() && c.run("ROLLBACK") != nil {
		_ = c.close() // the next transaction opens a new one
	}
}
