package store

// Replicated reports whether the reader has not left the replica.
func (r *Reader) Replicated() bool { return !r.kept }
