package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
)

// keysLensCmd is `admitto keys lens ID`.
type keysLensCmd struct {
	ID int64 `arg:"" name:"ID" help:"The key's ID, from \"admitto keys list\"."`
}

// Help is shown by --help.
func (*keysLensCmd) Help() string {
	return `Prints what the key has used that will end: deprecated versions, paths that newer versions do not have, deprecated
paths and parameters, each with how often, from which day to which, and what to use instead. A running service saves its
counts every few seconds; they are kept for 400 days.

Example:

    admitto keys lens 7`
}

// Validate is called by kong; what it refuses is wrong usage.
func (c *keysLensCmd) Validate() error {
	if c.ID < 1 {
		return errors.New("ID must be a whole number from 1 on")
	}
	return nil
}

// Run prints the table.
func (c *keysLensCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	list, err := in.services.Keys.KeyUsage(app.ctx, admitto.SystemCaller(), c.ID,
		admitto.Date{Year: 1, Month: 1, Day: 1})
	if admitto.KindOf(err) == admitto.NotFound {
		return fmt.Errorf("there is no key %d; see admitto keys list", c.ID)
	}
	if err != nil {
		return err
	}
	if len(list) == 0 {
		fmt.Fprintf(app.stderr, "Key %d has used nothing that will end.\n", c.ID)
		return nil
	}
	table := tabwriter.NewWriter(app.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "OPERATION\tVERSION\tENDING\tREQUESTS\tFIRST\tLAST\tINSTEAD")
	for _, use := range list {
		instead := api.Instead(use.Operation, use.Version, use.What)
		if instead == "" {
			instead = "-"
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%s\t%s\t%s\n", use.Operation, use.Version, use.What, use.Count, use.First,
			use.Last, instead)
	}
	return table.Flush()
}
