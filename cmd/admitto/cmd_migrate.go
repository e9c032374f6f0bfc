package main

import "fmt"

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
	s, err := app.openStore()
	if err != nil {
		return err
	}
	defer s.Close()
	steps, err := s.Migrate(app.ctx, c.DryRun)
	for _, step := range steps {
		fmt.Fprintln(app.stdout, step)
	}
	switch {
	case err != nil:
		return err
	case len(steps) == 0:
		fmt.Fprintln(app.stderr, "The database has this binary's schema already.")
	case c.DryRun:
		fmt.Fprintln(app.stderr, "These migrations are missing. Nothing was changed.")
	default:
		fmt.Fprintln(app.stderr, "The database was brought to this binary's schema.")
	}
	return nil
}
