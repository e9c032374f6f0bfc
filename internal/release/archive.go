package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// writeTar writes files into a folder of a .tar.gz. The same files make the same bytes: nothing of the machine is in
// it.
func writeTar(path, folder string, when time.Time, files []string) error {
	return create(path, func(w io.Writer) error {
		packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		archive := tar.NewWriter(packed)
		for _, name := range files {
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			header := &tar.Header{Name: folder + "/" + filepath.Base(name), Mode: int64(mode(name)), Size: int64(len(content)),
				ModTime: when, Format: tar.FormatPAX}
			if err := archive.WriteHeader(header); err != nil {
				return err
			}
			if _, err := archive.Write(content); err != nil {
				return err
			}
		}
		return firstOf(archive.Close(), packed.Close())
	})
}

// writeZip does the same for systems without tar.
func writeZip(path, folder string, when time.Time, files []string) error {
	return create(path, func(w io.Writer) error {
		archive := zip.NewWriter(w)
		for _, name := range files {
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			header := &zip.FileHeader{Name: folder + "/" + filepath.Base(name), Method: zip.Deflate, Modified: when}
			header.SetMode(mode(name))
			entry, err := archive.CreateHeader(header)
			if err != nil {
				return err
			}
			if _, err := entry.Write(content); err != nil {
				return err
			}
		}
		return archive.Close()
	})
}

// mode is what a file of the archive may be used for: only the binary is run.
func mode(name string) os.FileMode {
	if strings.HasPrefix(filepath.Base(name), "admitto") {
		return 0o755
	}
	return 0o644
}

// create writes a new file.
func create(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return firstOf(write(file), file.Close())
}
