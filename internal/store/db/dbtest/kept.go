package dbtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// keptFolder returns the folder of the build cache. What takes long to make, and is the same for all test processes, is
// kept in it as files of ours: one is there or not, whatever cleans the cache.
func keptFolder() (string, error) {
	if folder := os.Getenv("GOCACHE"); folder != "" {
		return folder, nil
	}
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "go-build"), err
}

// keep writes a file of the build cache, whole or not at all. Where that fails the next process makes it, too.
func keep(path string, write func(w io.Writer) error) {
	fresh, err := os.CreateTemp(filepath.Dir(path), "admitto-new-")
	if err != nil {
		return
	}
	defer os.Remove(fresh.Name())
	if errors.Join(write(fresh), fresh.Close()) == nil {
		_ = os.Rename(fresh.Name(), path)
	}
}

const keptDatabases = "admitto-database-"

// keptDatabase returns the path of the file of a template, which changes with every source of the module, and "" where
// nothing can be kept. It removes those of sources that nobody has had for a day.
func keptDatabase(name string) string {
	folder, err := keptFolder()
	if err != nil {
		return ""
	}
	sum, err := sources()
	if err != nil {
		return ""
	}
	path := filepath.Join(folder, keptDatabases+name+"-"+sum)
	now := time.Now()
	_ = os.Chtimes(path, now, now)
	old, _ := filepath.Glob(filepath.Join(folder, keptDatabases+"*"))
	for _, other := range old {
		if info, err := os.Stat(other); err == nil && now.Sub(info.ModTime()) > 24*time.Hour {
			_ = os.Remove(other)
		}
	}
	return path
}

// began is the folder that the process began in: go test begins in that of the package.
var began, _ = os.Getwd()

// sources is a hash of the module's internal packages without their tests, and of the versions of the libraries.
var sources = sync.OnceValues(func() (string, error) {
	root := began
	for {
		if _, err := os.Stat(filepath.Join(root, "internal/store/db/dbtest")); err == nil {
			break // the tests with programs of others are a module below it
		}
		above := filepath.Dir(root)
		if above == root {
			return "", fs.ErrNotExist
		}
		root = above
	}
	sum := sha256.New()
	add := func(path string) error {
		content, err := os.ReadFile(path)
		fmt.Fprintln(sum, path, len(content))
		sum.Write(content)
		return err
	}
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "testdata":
			return fs.SkipDir
		case e.Type().IsRegular() && !strings.HasSuffix(path, "_test.go"):
			return add(path)
		}
		return nil
	})
	return fmt.Sprintf("%x", sum.Sum(nil)[:12]), errors.Join(err, add(filepath.Join(root, "go.sum")))
})
