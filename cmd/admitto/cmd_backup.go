package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/admitto/admitto/internal/archive"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/store"
)

// backupCmd is `admitto backup FILE`.
type backupCmd struct {
	File string `arg:"" name:"FILE" help:"Where to write it. A file that is there already is left alone."`
}

// Help is shown by --help.
func (*backupCmd) Help() string {
	return `One file, tar with zstd, with all tables and all documents as they were at one moment, while the service runs. It can be
restored on either engine. It is read back and compared before it gets its name. It is not encrypted, and
the instance key is not in it: keep that elsewhere.

Example:

    admitto backup /srv/backup/admitto-$(date +%F).tar.zst --config=/etc/admitto/admitto.toml`
}

// Run writes the backup.
func (c *backupCmd) Run(app *app) error {
	began := app.now()
	s, files, err := app.openData()
	if err != nil {
		return err
	}
	defer s.Close()
	m, err := archive.Create(app.ctx, c.File, s, files, app.progress("Backing up"))
	if err != nil {
		return fmt.Errorf("no backup was made: %w", err)
	}
	noteBackup(app, s, c.File, m.JournalLast)
	fmt.Fprintf(app.stderr, "%s: %d tables with %d rows, %d files with %d bytes, journal up to %d, in %s.\n", c.File,
		len(m.Tables), m.Rows(), m.Files.Count, m.Files.Bytes, m.JournalLast,
		app.now().Sub(began).Round(time.Millisecond))
	return nil
}

// noteBackup tells the page of the instance's health that there is a backup. One that cannot be noted is a backup all
// the same.
func noteBackup(app *app, s *store.Store, path string, last int64) {
	is, err := os.Stat(path)
	if err == nil {
		err = s.Write(app.ctx, func(tx *store.Tx) error { return tx.NoteBackup(is.Size(), last) })
	}
	if err != nil {
		fmt.Fprintf(app.stderr, "The page of the instance's health will not show this backup: %v\n", err)
	}
}

// openData opens database and files of an instance that is there, without its key.
func (a *app) openData() (*store.Store, *blob.Store, error) {
	folder, err := folderAt(a.settings.Data)
	if err != nil {
		return nil, nil, err
	}
	s, err := a.openExisting(a.settings, databaseSetting)
	if err != nil {
		return nil, nil, err
	}
	files, err := blob.Open(a.settings.Files.URL, folder.file("files"))
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return s, files, nil
}

// progress returns a bar when a person watches, and nil otherwise.
func (a *app) progress(what string) archive.Progress {
	if a.watch != nil {
		return a.watch
	}
	if !isTerminal(a.stderr) {
		return nil
	}
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(a.stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())
	return func(done, total int64) { // a bar that cannot be drawn is no fault
		bar.ChangeMax64(total)
		_ = bar.Set64(done)
	}
}
