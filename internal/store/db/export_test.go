package db

import "time"

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

// StatementLimit is how many prepared statements a connection of SQLite keeps.
const StatementLimit = statementLimit

// SetDialing is open to the test of what it sets.
var SetDialing = setDialing
