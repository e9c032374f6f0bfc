//go:build linux || darwin

package disk

import "syscall"

// Free is how many bytes may be written where a folder is; known is false where the system does not tell.
func Free(folder string) (free uint64, known bool, err error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return 0, false, err
	}
	return stat.Bavail * uint64(stat.Bsize), true, nil //nolint:unconvert // its type differs between systems
}
