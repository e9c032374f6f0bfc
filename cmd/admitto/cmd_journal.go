package main

import "errors"

// journalCmd groups the commands about the journal.
type journalCmd struct {
	Verify journalVerifyCmd `cmd:"" help:"Check the hash chain: exit status 0 good, 1 broken, 3 could not check."`
	Anchor journalAnchorCmd `cmd:"" help:"Print the last ID and its hash."`
}

// exitUnchecked is the exit status of journal verify when it could not check; a broken chain is 1. Monitoring
// must be able to tell a broken chain from a database that is away.
const exitUnchecked = 3

// journalVerifyCmd is `admitto journal verify`.
type journalVerifyCmd struct {
	From   int64  `placeholder:"N" help:"First record to check; without it the very first."`
	To     int64  `placeholder:"N" help:"Last record to check; without it the very last."`
	Anchor string `placeholder:"FILE" help:"File with the output of an earlier \"journal anchor\", which must still be true."`
}

// Help is shown by --help.
func (*journalVerifyCmd) Help() string {
	return `Prints the first broken record if there is one.

Example:

    admitto journal verify --anchor=/srv/safe/anchor.txt`
}

// Validate is called by kong; what it refuses is wrong usage. Zero is an end that was not given.
func (c *journalVerifyCmd) Validate() error {
	if c.From < 0 || c.To < 0 {
		return errors.New("--from and --to must be whole numbers from 1 on")
	}
	if c.To != 0 && c.To < c.From {
		return errors.New("--to must not be below --from")
	}
	return nil
}

// Run checks the chain. What keeps it from checking is an exit with status exitUnchecked.
func (c *journalVerifyCmd) Run(app *app) error {
	return &exit{code: exitUnchecked, err: notWired("admitto journal verify")}
}

// journalAnchorCmd is `admitto journal anchor`.
type journalAnchorCmd struct{}

// Help is shown by --help.
func (*journalAnchorCmd) Help() string {
	return `Keep the output where nobody who can change the database can change it too.

Example:

    admitto journal anchor > anchor.txt`
}

// Run prints ID and hash.
func (c *journalAnchorCmd) Run(app *app) error {
	return notWired("admitto journal anchor")
}
