package store

import "sync"

// narrowestLock keeps tests that change narrowest from those that look at what it leads to.
var narrowestLock sync.RWMutex

// SetNarrowest sets how many rows a condition may have that drives a list, and how many are walked before another way
// is taken, for tests of all ways to read one; undo sets what was before.
func SetNarrowest(n int64) (undo func()) {
	narrowestLock.Lock()
	before, beforeNear := narrowest, nearBy
	narrowest, nearBy = n, n
	return func() {
		narrowest, nearBy = before, beforeNear
		narrowestLock.Unlock()
	}
}

// KeepNarrowest keeps it as it is until undo.
func KeepNarrowest() (undo func()) {
	narrowestLock.RLock()
	return narrowestLock.RUnlock
}
