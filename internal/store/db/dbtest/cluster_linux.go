package dbtest

import (
	"archive/tar"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

var initdbArgs = []string{"-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"}

// newCluster makes a database cluster in the folder data inside of dir. initdb takes half a second of a processor, and
// every test process needs a cluster: it runs once for all with this build cache, and the others unpack what it has
// made. That is one file, so that it is there or not, whatever cleans the cache.
func newCluster(initdb, dir string, as *syscall.Credential) error {
	data := filepath.Join(dir, "data")
	kept, err := keptCluster(initdb)
	if err == nil && unpack(kept, data, as) == nil {
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
		keep(kept, func(w io.Writer) error { // no server has run on it yet
			files := tar.NewWriter(w)
			return errors.Join(files.AddFS(os.DirFS(data)), files.Close())
		})
	}
	return nil
}

// keptCluster returns where the cluster of this release of PostgreSQL is kept, and an error when it is not there yet.
func keptCluster(initdb string) (string, error) {
	folder, err := keptFolder()
	if err != nil {
		return "", err
	}
	version, err := command(folder, nil, initdb, "--version").Output()
	if err != nil {
		return "", err
	}
	made := sha256.Sum256(fmt.Append(version, initdbArgs))
	kept := filepath.Join(folder, fmt.Sprintf("admitto-initdb-%x.tar", made[:8]))
	_, err = os.Stat(kept)
	return kept, err
}

// unpack makes the folders and files of a kept cluster, for their owner alone.
func unpack(kept, to string, owner *syscall.Credential) error {
	f, err := os.Open(kept)
	if err != nil {
		return err
	}
	defer f.Close()
	made := func(name string, err error) error {
		if err == nil && owner != nil {
			err = os.Lchown(name, int(owner.Uid), int(owner.Gid))
		}
		return err
	}
	if err := made(to, os.Mkdir(to, 0o700)); err != nil {
		return err
	}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.Join(to, h.Name)
		if h.FileInfo().IsDir() {
			err = os.Mkdir(name, 0o700)
		} else {
			var content []byte
			if content, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(name, content, 0o600)
			}
		}
		if err := made(name, err); err != nil {
			return err
		}
	}
}
