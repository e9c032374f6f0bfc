package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gofrs/flock"

	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/seal"
)

// folder is the data folder: database, files, certificate and instance key, for the owner only.
type folder struct{ path string }

const (
	keyFile  = "instance.key"
	keyLock  = "instance.key.lock" // while the key is made
	lockFile = "serve.lock"
	urlFile  = "serve.url" // the address of the service that runs, for the links that other commands print
)

// errFolderInUse says that another service runs on the data folder.
var errFolderInUse = errors.New("another admitto serve runs on this data folder")

// openFolder opens the data folder and makes it, for the owner only, if it is not there.
func openFolder(path string) (*folder, error) {
	f, err := folderAt(path)
	if err != nil {
		return nil, err
	}
	return f, f.make()
}

// folderAt names the data folder, which may not be there: of an instance on PostgreSQL that was made elsewhere it is
// not.
func folderAt(path string) (*folder, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("the data folder %s: %w", path, err)
	}
	return &folder{abs}, nil
}

func (f *folder) make() error {
	err := os.MkdirAll(f.path, 0o700)
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("the data folder %s cannot be made: a file is in its place", f.path)
	case err != nil:
		return fmt.Errorf("the data folder cannot be made: %w", err)
	}
	return nil
}

// file returns the path of a name in the folder.
func (f *folder) file(name string) string { return filepath.Join(f.path, name) }

// instanceKey returns the instance key, or two while it is being changed: what the setting says if it is set, else what
// the file has, which is made when it is not there. made tells that it was. Of several processes that start at once
// on an empty folder one makes the key and all get the same.
func (f *folder) instanceKey(set config.Secret) (keys [][]byte, made bool, err error) {
	if set != "" {
		keys, err = config.DecodeKeys(string(set))
		return keys, false, err
	}
	if keys, err = f.readKeys(); !errors.Is(err, fs.ErrNotExist) {
		return keys, false, err
	}
	if err := f.make(); err != nil {
		return nil, false, err
	}
	err = f.lockKey(func() error {
		// Once more under the lock: another process may have made it in between.
		if keys, err = f.readKeys(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		made = true
		if err := f.writeKeys(seal.NewKey().Encode()); err != nil {
			return err
		}
		keys, err = f.readKeys()
		return err
	})
	return keys, made, err
}

// lockKey makes or changes the file of the instance key while nobody else does.
func (f *folder) lockKey(do func() error) error {
	lock := flock.New(f.file(keyLock))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("the data folder %s cannot be locked: %w", f.path, err)
	}
	err := errors.Join(do(), lock.Close())
	if err == nil { // with the key there, the lock has done its duty; one who waits for it still may remove it, too
		_ = os.Remove(lock.Path())
	}
	return err
}

// writeKeys puts keys into the file, one a line. A lost instance key makes every sealed secret unreadable.
func (f *folder) writeKeys(keys ...string) error {
	if err := disk.WriteFile(f.file(keyFile), []byte(strings.Join(keys, "\n")+"\n")); err != nil {
		return fmt.Errorf("the instance key cannot be stored: %w", err)
	}
	return nil
}

// keepFormer puts a key that is used no more on top of a file of such keys.
func (f *folder) keepFormer(path, key string) error {
	before, err := config.ReadLimited(path, 1<<16)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if strings.Contains(string(before), key) { // a run before was interrupted
		return nil
	}
	return disk.WriteFile(path, []byte(key+"\n"+string(before)))
}

func (f *folder) readKeys() ([][]byte, error) {
	text, err := config.ReadLimited(f.file(keyFile), 1024)
	if err != nil {
		return nil, fmt.Errorf("the instance key cannot be read: %w", err)
	}
	keys, err := config.DecodeKeys(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s has no instance key in it: %w", f.file(keyFile), err)
	}
	return keys, nil
}

// lockServe makes this process the only service on the folder until release is called or the process ends,
// however it ends. On SQLite `serve` takes it: the quotas and the writer's queue of a second process would
// not know of the first. The error is errFolderInUse when another has it.
func (f *folder) lockServe() (release func() error, err error) {
	path := f.file(lockFile)
	lock := flock.New(path)
	switch locked, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
	case !locked:
		return nil, fmt.Errorf("%w, %s%s; stop it first, give this one another folder with --data, or use PostgreSQL",
			errFolderInUse, f.path, holder(path))
	}
	// The number only helps a person to find the process; the lock does not depend on it. On Windows nobody may write
	// or read what is locked, so there is none.
	_ = os.WriteFile(path, fmt.Appendf(nil, "%d\n", os.Getpid()), 0o600)
	return lock.Close, nil
}

// keepURL notes the public address of the service while it runs. Without the note, links name the address of listen.
func (f *folder) keepURL(url string) (forget func()) {
	path := f.file(urlFile)
	if os.WriteFile(path, []byte(url+"\n"), 0o600) != nil {
		return func() {}
	}
	return func() { _ = os.Remove(path) }
}

// url is the address that a service on the folder noted; "" for none.
func (f *folder) url() string {
	text, err := config.ReadLimited(f.file(urlFile), 1024)
	noted := strings.TrimSpace(string(text))
	if at, bad := url.Parse(noted); err != nil || bad != nil || at.Scheme != "https" || at.Host == "" {
		return ""
	}
	return noted
}

// holder names the process that wrote itself into the lock's file.
func holder(path string) string {
	text, err := config.ReadLimited(path, 32)
	pid := strings.TrimSpace(string(text))
	if err != nil || pid == "" || strings.Trim(pid, "0123456789") != "" {
		return ""
	}
	return " (process " + pid + ")"
}
