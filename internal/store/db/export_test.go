package db

import (
	"runtime"
	"strings"
	"time"
)

// Rewrite is open to its fuzz target.
func Rewrite(sql string) (string, error) { return rewrite(sql) }

// SetBusyWait shortens the wait for a lock of another process.
func (d *DB) SetBusyWait(wait time.Duration) {
	if s, ok := d.backend.(*sqliteDB); ok {
		s.busyWait = wait
	}
}

// SetHastyWait shortens what WriteHastily may take.
func (d *DB) SetHastyWait(hastyWait time.Duration) { d.hastyWait = hastyWait }

// SetIdleTimeout shortens how long a transaction of PostgreSQL may do nothing.
func (d *DB) SetIdleTimeout(idle time.Duration) {
	if p, ok := d.backend.(*postgresDB); ok {
		p.idle = idle
	}
}

// StatementLimit is how many prepared statements a connection of SQLite keeps.
const StatementLimit = statementLimit

// HeldUp is after what time a part of a group gives way.
const HeldUp = heldUp

// Slow is what a statement may take in a group.
const Slow = slow

// SetGroupClock has groups hurry by another clock than that of the machine.
func (d *DB) SetGroupClock(now func() time.Time) {
	if s, ok := d.backend.(*sqliteDB); ok {
		w := <-s.writer
		w.now = now
		s.writer <- w
	}
}

// WaitingWriters counts the goroutines of the process that wait for the connection of an SQLite database.
func WaitingWriters() (n int) {
	all := make([]byte, 1<<20)
	for g := range strings.SplitSeq(string(all[:runtime.Stack(all, true)]), "\n\n") {
		state, calls, _ := strings.Cut(g, "\n")
		if strings.Contains(state, "[select") && strings.Contains(calls, "(*sqliteDB).begin(") {
			n++
		}
	}
	return n
}

// SetDialing is open to the test of what it sets.
var SetDialing = setDialing
