package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/archive"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
)

// copyCmd is `admitto copy --from URL --to URL`.
type copyCmd struct {
	From      string `required:"" placeholder:"URL" help:"The database to copy, named as database.url is."`
	To        string `required:"" placeholder:"URL" help:"The empty database to copy into."`
	FromFiles string `placeholder:"URL" help:"Where the files are now: a folder or s3://…; without both of these they stay where they are."`
	ToFiles   string `placeholder:"URL" help:"Where to copy the files: a folder or s3://…"`
}

// Help is shown by --help.
func (*copyCmd) Help() string {
	return `Brings an instance from SQLite to PostgreSQL, or back, with every row under its ID. Counts and checksums of every table are
compared on both sides, the counts made again and the journal verified, before anything counts as copied.

Stop the service first: on SQLite a running one is refused. On PostgreSQL stop all instances (systemctl stop admitto on each
machine); writers that are forgotten wait while the copy runs, but what they write afterwards is only in the old database.
Then start them with the new database.url. The instance key stays the same. A password may come from PGPASSWORD or ~/.pgpass, so
that it is not among the arguments.

Example:

    admitto copy --from=sqlite:/var/lib/admitto/admitto.db --to=postgres://admitto@db.example.edu/admitto`
}

// Validate is called by kong; what it refuses is wrong usage.
func (c *copyCmd) Validate() error {
	for _, url := range []string{c.From, c.To} {
		if _, err := new(config.Settings).WithDatabase(url); err != nil {
			return errors.New("--from and --to must be sqlite:PATH or postgres://user:password@host/name")
		}
	}
	if (c.FromFiles == "") != (c.ToFiles == "") {
		return errors.New("--from-files and --to-files belong together")
	}
	if c.From == c.To || c.FromFiles != "" && c.FromFiles == c.ToFiles {
		return errors.New("the source must not be the target")
	}
	return nil
}

// Run copies the instance.
func (c *copyCmd) Run(app *app) error {
	began := app.now()
	source, closeSource, err := app.openEnd(c.From, true)
	if err != nil {
		return fmt.Errorf("the source: %w", err)
	}
	defer closeSource()
	target, closeTarget, err := app.openEnd(c.To, false)
	if err != nil {
		return fmt.Errorf("the target: %w", err)
	}
	defer closeTarget()
	var from, to *blob.Store
	if c.FromFiles != "" {
		if from, err = app.openFiles(c.FromFiles); err != nil {
			return err
		}
		if to, err = app.openFiles(c.ToFiles); err != nil {
			return err
		}
	}
	m, err := archive.Copy(app.ctx, source, target, from, to, app.progress("Copying"))
	if err != nil {
		return fmt.Errorf("nothing was copied: %w", err)
	}
	fmt.Fprintf(app.stderr, "Copied and compared %d tables with %d rows, journal up to %d, in %s.\n", len(m.Tables),
		m.Rows(), m.JournalLast,
		app.now().Sub(began).Round(time.Millisecond))
	return nil
}

// openEnd opens the database at one end; the source must be there. With SQLite no service may run on its folder until
// done is called.
func (a *app) openEnd(url string, there bool) (s *store.Store, done func(), err error) {
	named, err := a.settings.WithDatabase(url)
	if err != nil { // not reached: Validate has checked it
		return nil, nil, err
	}
	path := named.SQLitePath()
	release := func() error { return nil }
	if path != "" {
		if there {
			if err := mustExist(named, "--from"); err != nil {
				return nil, nil, err
			}
		}
		// A service locks its data folder, which is where its database is unless database.url names another place.
		f, err := openFolder(filepath.Dir(path))
		if err != nil {
			return nil, nil, err
		}
		if release, err = f.lockServe(); err != nil {
			return nil, nil, err
		}
	}
	if there {
		s, err = a.openExisting(named, "--from")
	} else {
		fmt.Fprintf(a.stderr, "Target: %s\n", named.DatabaseName())
		if s, err = store.Open(a.ctx, named.StoreURL(), store.Options{Slow: true}); err != nil {
			err = fmt.Errorf("--to, %s: %w", named.DatabaseName(), err)
		}
	}
	if err != nil {
		_ = release()
		return nil, nil, err
	}
	return s, func() { s.Close(); _ = release() }, nil
}

// openFiles opens a store of files by its URL, or by its folder.
func (a *app) openFiles(url string) (*blob.Store, error) {
	if strings.Contains(url, "://") {
		return blob.Open(url, "")
	}
	return blob.Open("", url)
}
