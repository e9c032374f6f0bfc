package main

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
	return notWired("admitto migrate")
}
