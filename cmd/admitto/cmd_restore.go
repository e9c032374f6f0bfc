package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/admitto/admitto/internal/archive"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
)

// restoreCmd is `admitto restore FILE`.
type restoreCmd struct {
	File string `arg:"" name:"FILE" help:"What admitto backup has written."`
}

// Help is shown by --help.
func (*restoreCmd) Help() string {
	return `Brings a backup into an empty instance, on the engine that the settings name, and checks all of it: every hash, the
counts, the journal. Sequences of IDs go on 100,000 above those of the backup. Put the instance key into the
data folder, or give it as instance.key, before or afterwards. Stop every service on the database meanwhile.
A restore that was cut off leaves an instance that refuses to serve; restore it again.

Example:

    admitto restore /srv/backup/admitto-2026-11-20.tar.zst --data=/var/lib/admitto`
}

// Run restores the backup.
func (c *restoreCmd) Run(app *app) error {
	began := app.now()
	a, err := archive.Open(app.ctx, c.File)
	if err != nil {
		return fmt.Errorf("nothing was restored: %w", err)
	}
	defer a.Close()
	folder, err := openFolder(app.settings.Data)
	if err != nil {
		return err
	}
	if app.settings.SQLitePath() != "" {
		release, err := folder.lockServe()
		if err != nil {
			return err
		}
		defer release()
	}
	hasKey, err := folder.fits(app.settings.Instance.Key, a.Manifest.KeyFingerprint)
	if err != nil {
		return err
	}
	if err := c.restore(app, a, folder); err != nil {
		return fmt.Errorf("the backup was not restored: %w", err)
	}
	m := a.Manifest
	fmt.Fprintf(app.stderr, "Restored what was there at %s: %d tables with %d rows, %d files, journal up to %d, in %s.\n",
		m.Made.Format(time.RFC3339), len(m.Tables), m.Rows(), m.Files.Count, m.JournalLast,
		app.now().Sub(began).Round(time.Millisecond))
	if !hasKey {
		fmt.Fprintf(app.stderr, "The instance key is not in a backup: put it into %s, or give it as instance.key.\n",
			folder.file(keyFile))
	}
	return nil
}

// restore fills the instance, and migrates what an older release has backed up.
func (c *restoreCmd) restore(app *app, a *archive.Archive, folder *folder) error {
	s, err := app.openStore(store.Options{Slow: true})
	if err != nil {
		return err
	}
	defer s.Close()
	files, err := blob.Open(app.settings.Files.URL, folder.file("files"))
	if err != nil {
		return err
	}
	if err := a.Restore(app.ctx, s, files, app.progress("Restoring")); err != nil {
		return err
	}
	if !app.settings.Database.Migrate {
		return nil
	}
	_, err = s.Migrate(app.ctx, false)
	return err
}

// fits reports whether the instance key is there already. One that is not that of the backup is refused: the one who
// restores would find out only when it is too late.
func (f *folder) fits(set config.Secret, fingerprint string) (there bool, err error) {
	var raw [][]byte
	if set != "" {
		raw, err = config.DecodeKeys(string(set))
	} else if raw, err = f.readKeys(); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if fingerprint != "" && !slices.Contains(seal.KeyOf(raw...).Fingerprints(), fingerprint) {
		return false, fmt.Errorf("the instance key (instance.key, or %s) is not that of the backup: give the one the instance was made with", f.file(keyFile))
	}
	return true, nil
}
