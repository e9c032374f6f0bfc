package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
)

// configCmd is `admitto config`.
type configCmd struct {
	Show  configShowCmd  `cmd:"" default:"1" help:"Print every setting: value, origin, default, unit, when a saved value counts, and when and by whom it was saved. So does admitto config alone."`
	Set   configSetCmd   `cmd:"" help:"Save a setting in the database, for all instances."`
	Unset configUnsetCmd `cmd:"" help:"Take a saved setting out of the database."`
}

// Help is shown by --help. It lists the settings.
func (*configCmd) Help() string {
	var b strings.Builder
	b.WriteString(`A setting a.b_c is --a.b-c=VALUE on the command line, ADMITTO_A_B_C in the environment and b_c in table [a]
of the settings file. The command line wins over the environment, it over the file, it over what
administrators saved in the interface, that over the default. A secret is also read from a file:
ADMITTO_A_B_C_FILE, --a.b-c-file, b_c_file. What is saved reaches every running instance within two seconds.

Examples:

    ADMITTO_LOG_LEVEL=debug admitto config --config=/etc/admitto.toml
    admitto config set quota.per_minute 300 --config=/etc/admitto.toml

The settings and their defaults:

`)
	listSettings(&b)
	return b.String()
}

// configShowCmd is `admitto config show`, which `admitto config` is as well.
type configShowCmd struct{}

// Help is shown by --help.
func (*configShowCmd) Help() string { return (*configCmd)(nil).Help() }

// Run prints the table of settings.
func (c *configShowCmd) Run(app *app) error {
	saved, changes, err := app.savedValues()
	if err != nil {
		fmt.Fprintf(app.stderr, "Values saved in the interface are missing from the table: %v\n", err)
	}
	if err := app.complete(saved); err != nil {
		return err
	}
	return printValues(app.stdout, app.settings, changes)
}

// savedValues reads what administrators saved, and when and by whom each was changed, if there is a database; it makes
// none.
func (a *app) savedValues() (saved map[string]string, changes map[string]store.SettingChange, err error) {
	if !a.settings.HasDatabaseFile() {
		return nil, nil, nil
	}
	s, err := a.openExisting(a.settings, databaseSetting)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	err = s.Read(a.ctx, func(tx *store.Tx) (err error) {
		if saved, err = tx.SavedSettings(); err == nil {
			changes, err = tx.SettingChanges()
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	in := instance{store: s}
	if in.folder, err = folderAt(a.settings.Data); err != nil {
		return nil, nil, err
	}
	saved, err = in.unsealed(a, saved)
	return saved, changes, err
}

// configSetCmd is `admitto config set NAME VALUE`.
type configSetCmd struct {
	Name  string `arg:"" name:"NAME" help:"The setting, such as quota.per_minute."`
	Value string `arg:"" name:"VALUE" help:"Its value. - reads it from standard input, for secrets."`
}

// Help is shown by --help.
func (*configSetCmd) Help() string {
	return `The value counts on every running instance within two seconds, but where the command line, the environment or the settings
file of an instance has another one. A few settings wait for a restart; "admitto config" shows which.

Example:

    admitto config set invoices.payment_days 30`
}

// Run saves the setting.
func (c *configSetCmd) Run(app *app) error {
	value := c.Value
	if value == "-" {
		text, err := io.ReadAll(io.LimitReader(app.stdin, 64<<10))
		if err != nil {
			return fmt.Errorf("the value cannot be read: %w", err)
		}
		value = strings.TrimSpace(string(text))
	}
	return app.changeSetting(c.Name, &value)
}

// configUnsetCmd is `admitto config unset NAME`.
type configUnsetCmd struct {
	Name string `arg:"" name:"NAME" help:"The setting."`
}

// Help is shown by --help.
func (*configUnsetCmd) Help() string {
	return `The setting has its default again, or what another source has.

Example:

    admitto config unset invoices.payment_days`
}

// Run takes the saved setting away.
func (c *configUnsetCmd) Run(app *app) error { return app.changeSetting(c.Name, nil) }

// changeSetting saves a setting, or takes it away, and says what counts now.
func (a *app) changeSetting(name string, value *string) error {
	in, err := a.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	err = in.services.Maintenance.ChangeSetting(a.ctx, byOperator(), name, value)
	if refused, ok := errors.AsType[*admitto.Error](err); ok && len(refused.Faults) > 0 {
		return errors.New(refused.Faults[0].Text.String())
	}
	if err != nil {
		return err
	}
	row, _ := config.Find(name)
	now, _ := in.settings.Current().Value(name)
	when := "on every running instance within two seconds"
	if row.AtRestart {
		when = "when the instances start again"
	}
	fmt.Fprintf(a.stderr, "%s is %s (%s); this counts %s.\n", name, cell(now.Text), now.Origin, when)
	return nil
}

// printValues prints a table for people and for awk: columns are at least two spaces apart.
func printValues(w io.Writer, settings *config.Settings, changes map[string]store.SettingChange) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SETTING\tVALUE\tORIGIN\tDEFAULT\tUNIT\tCHANGES\tSAVED")
	for _, v := range settings.Values {
		text := cell(v.Text)
		if v.Text == "" && v.Origin == "default" {
			text = cell(v.Default)
		}
		row, _ := config.Find(v.Name)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", v.Name, text, cell(v.Origin), cell(v.Default),
			cmp.Or(row.Unit, "-"), row.Changes(),
			savedBy(changes[v.Name], settings.Instance.Timezone))
	}
	return table.Flush()
}

// savedBy says when a saved setting was changed, and by whom; the commands act as the system.
func savedBy(c store.SettingChange, zone *time.Location) string {
	if c.At == 0 {
		return "-"
	}
	text := c.At.Std().In(zone).Format("2006-01-02 15:04 MST") + " by " + strings.ReplaceAll(string(c.By.Kind), "_", " ")
	if c.By.ID != 0 {
		text += " " + strconv.FormatInt(c.By.ID, 10)
	}
	return text
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
