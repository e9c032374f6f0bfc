package dbtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

var initdbArgs = []string{"-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"}

// newCluster makes a database cluster in the folder data inside of dir. initdb takes half a second of a processor, and
// every test process needs a cluster: it runs once for all with this build cache, and the others copy what it has made.
func newCluster(initdb, dir string, as *syscall.Credential) error {
	data := filepath.Join(dir, "data")
	kept, err := keptCluster(initdb)
	if err == nil && copyFolder(kept, data, as) == nil {
		return nil
	}
	if err := os.RemoveAll(data); err != nil {
		return err
	}
	args := append([]string{"-D", data}, initdbArgs...)
	if out, err := command(dir, &syscall.SysProcAttr{Credential: as}, initdb, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	if kept != "" {
		keep(data, kept)
	}
	return nil
}

// keptCluster returns where the cluster of this release of PostgreSQL is kept, and an error when it is not there yet.
func keptCluster(initdb string) (string, error) {
	folder := os.Getenv("GOCACHE")
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(cache, "go-build")
	}
	version, err := command(folder, nil, initdb, "--version").Output()
	if err != nil {
		return "", err
	}
	made := sha256.Sum256(fmt.Append(version, initdbArgs))
	kept := filepath.Join(folder, fmt.Sprintf("admitto-initdb-%x", made[:8]))
	_, err = os.Stat(kept)
	return kept, err
}

// keep keeps a copy of a cluster that no server has run on. Where that fails the next process runs initdb, too.
func keep(data, kept string) {
	fresh, err := os.MkdirTemp(filepath.Dir(kept), "admitto-initdb-new-")
	if err != nil {
		return
	}
	defer os.RemoveAll(fresh)
	if copyFolder(data, filepath.Join(fresh, "data"), nil) == nil {
		_ = os.Rename(filepath.Join(fresh, "data"), kept) // fails when another process was first
	}
}

// copyFolder copies folders and files, for their owner alone.
func copyFolder(from, to string, owner *syscall.Credential) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		name, e := filepath.Rel(from, path)
		if err := errors.Join(err, e); err != nil {
			return err
		}
		name = filepath.Join(to, name)
		if entry.IsDir() {
			err = os.Mkdir(name, 0o700)
		} else {
			var content []byte
			if content, err = os.ReadFile(path); err == nil {
				err = os.WriteFile(name, content, 0o600)
			}
		}
		if err == nil && owner != nil {
			err = os.Lchown(name, int(owner.Uid), int(owner.Gid))
		}
		return err
	})
}
