// Package disk writes files that outlast a loss of power, and files that are gone with the process. It imports the
// standard library only.
package disk

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// WriteFile replaces a file, which only its owner may read. It is there whole or not at all, and on the disk on return.
func WriteFile(path string, content []byte) error {
	folder := filepath.Dir(path)
	file, err := os.CreateTemp(folder, "."+filepath.Base(path)+".new-*") // made with 0600
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return SyncFolder(folder)
}

// SyncFolder makes the names of the files in a folder last. On Windows no folder can be synced, and NTFS keeps a log of
// its names.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Scratch is a file that lasts until Close.
type Scratch struct{ *os.File }

// NewScratch makes a file in a folder ("": that of the system for temporary files), for its owner only. It has no name
// any more, so that nothing is left of it when the process is killed; Windows cannot remove what is open, so there
// Close does.
func NewScratch(folder, pattern string) (*Scratch, error) {
	file, err := os.CreateTemp(folder, pattern)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" {
		if err := os.Remove(file.Name()); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return &Scratch{file}, nil
}

// Close removes the file.
func (s *Scratch) Close() error {
	err := s.File.Close()
	if runtime.GOOS == "windows" {
		err = errors.Join(err, os.Remove(s.Name()))
	}
	return err
}
