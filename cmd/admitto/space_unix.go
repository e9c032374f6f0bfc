//go:build linux || darwin

package main

import "syscall"

// freeSpace is how many bytes may be written where a folder is.
func freeSpace(folder string) (free uint64, known bool, err error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return 0, false, err
	}
	return stat.Bavail * uint64(stat.Bsize), true, nil //nolint:unconvert // its type differs between systems
}
