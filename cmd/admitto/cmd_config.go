package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
)

// configCmd is `admitto config`.
type configCmd struct{}

// Help is shown by --help. It lists the settings.
func (*configCmd) Help() string {
	var b strings.Builder
	b.WriteString(`A setting a.b_c is --a.b-c=VALUE on the command line, ADMITTO_A_B_C in the environment and b_c in table [a]
of the settings file. The command line wins over the environment, it over the file, it over what
administrators saved in the interface, that over the default. A secret is also read from a file:
ADMITTO_A_B_C_FILE, --a.b-c-file, b_c_file.

Example:

    ADMITTO_LOG_LEVEL=debug admitto config --config=/etc/admitto.toml

The settings and their defaults:

`)
	listSettings(&b)
	return b.String()
}

// Run prints the table of settings.
func (c *configCmd) Run(app *app) error {
	saved, err := app.savedValues()
	if err != nil {
		fmt.Fprintf(app.stderr, "Values saved in the interface are missing from the table: %v\n", err)
	}
	if err := app.complete(saved); err != nil {
		return err
	}
	return printValues(app.stdout, app.settings.Values)
}

// savedValues reads what administrators saved, if there is a database; it makes none.
func (a *app) savedValues() (saved map[string]string, err error) {
	if !a.settings.HasDatabaseFile() {
		return nil, nil
	}
	s, err := a.openExisting(a.settings, databaseSetting)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	err = s.Read(a.ctx, func(tx *store.Tx) (err error) {
		saved, err = tx.SavedSettings()
		return err
	})
	return saved, err
}

// printValues prints a table for people and for awk: columns are at least two spaces apart.
func printValues(w io.Writer, values []config.Value) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SETTING\tVALUE\tORIGIN\tDEFAULT")
	for _, v := range values {
		text := cell(v.Text)
		if v.Text == "" && v.Origin == "default" {
			text = cell(v.Default)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", v.Name, text, cell(v.Origin), cell(v.Default))
	}
	return table.Flush()
}

// cell keeps a value inside its cell.
func cell(text string) string {
	switch {
	case text == "":
		return "empty"
	case strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0:
		return strconv.Quote(text)
	}
	return text
}
