package blob

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/admitto/admitto/internal/disk"
)

// folder is the path of a folder with objects in files, for its owner only.
type folder string

func openFolder(path string) (folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", err
	}
	return folder(path), nil
}

func (f folder) path(key string) string { return filepath.Join(string(f), filepath.FromSlash(key)) }

// check writes, as a folder that can only be read takes no files.
func (f folder) check(context.Context) error {
	file, err := disk.NewScratch(string(f), "check-*")
	if err == nil {
		err = file.Close()
	}
	if err == nil {
		return nil
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		failed.Path = string(f) // the file has a name that nobody knows
	}
	return unavailable(err)
}

func (f folder) size(_ context.Context, key string) (int64, error) {
	info, err := os.Stat(f.path(key))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f folder) open(_ context.Context, key string) (io.ReadSeekCloser, int64, error) {
	file, err := os.Open(f.path(key))
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

func (f folder) write(ctx context.Context, key string, _ int64, r io.Reader, durable bool) error {
	path := f.path(key)
	inside := filepath.Dir(path)
	if err := os.MkdirAll(inside, 0o700); err != nil {
		return err
	}
	// Next to the file it becomes, or it could not be renamed.
	file, err := os.CreateTemp(inside, "."+filepath.Base(path)+".new-*") // made with 0600
	if err != nil {
		return err
	}
	_, err = io.Copy(file, r)
	if err == nil && durable {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	if durable {
		return f.syncFolders(inside)
	}
	return nil
}

// syncFolders makes the name of a new file survive, and those of the folders it is in.
func (f folder) syncFolders(inside string) error {
	for ; ; inside = filepath.Dir(inside) {
		if err := disk.SyncFolder(inside); err != nil || inside == filepath.Clean(string(f)) {
			return err
		}
	}
}

func (f folder) remove(_ context.Context, key string) error { return os.Remove(f.path(key)) }
