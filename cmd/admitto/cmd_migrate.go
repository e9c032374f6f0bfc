package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/admitto/admitto/internal/store"
)

// migrateCmd is `admitto migrate [--dry-run]`.
type migrateCmd struct {
	DryRun bool `help:"Print what would be done and change nothing."`
}

// Help is shown by --help.
func (*migrateCmd) Help() string {
	return `serve does this by itself unless database.migrate is false.

Example:

    admitto migrate --dry-run --config=/etc/admitto.toml`
}

// Run brings the database to the schema of this binary.
func (c *migrateCmd) Run(app *app) error {
	s, done, err := c.open(app)
	if err != nil {
		return err
	}
	defer done()
	steps, err := s.Migrate(app.ctx, c.DryRun)
	for _, step := range steps {
		fmt.Fprintln(app.stdout, step)
	}
	if err != nil {
		return err
	}
	ahead, err := s.Ahead(app.ctx)
	switch {
	case err != nil:
		return err
	case len(ahead) > 0:
		fmt.Fprintf(app.stderr,
			"A newer release has brought the database to %s. This binary can work next to it. Nothing was changed.\n",
			ahead[len(ahead)-1])
	case len(steps) == 0:
		fmt.Fprintln(app.stderr, "The database has this binary's schema already.")
	case c.DryRun:
		fmt.Fprintln(app.stderr, "These migrations are missing. Nothing was changed.")
	default:
		fmt.Fprintln(app.stderr, "The database was brought to this binary's schema.")
	}
	return nil
}

// open opens the database. A file that is not there is not made by a dry run, which looks at an empty one in
// its place.
func (c *migrateCmd) open(app *app) (s *store.Store, done func(), err error) {
	if !c.DryRun || app.settings.HasDatabaseFile() {
		s, err := app.openStore(store.Options{})
		return s, func() { s.Close() }, err
	}
	folder, err := os.MkdirTemp("", "admitto-")
	if err != nil {
		return nil, nil, err
	}
	s, err = store.Open(app.ctx, "sqlite:"+filepath.Join(folder, "empty.db"), store.Options{})
	if err != nil {
		os.RemoveAll(folder)
		return nil, nil, err
	}
	return s, func() { s.Close(); os.RemoveAll(folder) }, nil
}
