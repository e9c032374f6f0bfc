//go:build !linux && !darwin

package main

// freeSpace is not known here.
func freeSpace(string) (free uint64, known bool, err error) { return 0, false, nil }
