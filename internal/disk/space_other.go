//go:build !linux && !darwin

package disk

// Free is not known here.
func Free(string) (free uint64, known bool, err error) { return 0, false, nil }
