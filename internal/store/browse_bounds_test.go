package store

// SetNarrowest sets how many rows a condition may have that drives a list, for tests of both ways to read one; undo sets
// what was before.
func SetNarrowest(n int64) (undo func()) {
	before := narrowest
	narrowest = n
	return func() { narrowest = before }
}
