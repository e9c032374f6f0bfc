package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services"
)

// journalCmd groups the commands about the journal.
type journalCmd struct {
	Verify journalVerifyCmd `cmd:"" help:"Check the hash chain: exit status 0 good, 1 broken, 3 could not check."`
	Anchor journalAnchorCmd `cmd:"" help:"Print the last ID and its hash."`
}

// Help is shown by --help.
func (*journalCmd) Help() string {
	return `Example:

    admitto journal verify`
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
	unchecked := func(err error) error { return &exit{code: exitUnchecked, err: err} }
	var anchor *anchor
	if c.Anchor != "" {
		a, err := readAnchor(c.Anchor)
		if err != nil {
			return unchecked(err)
		}
		anchor = &a
	}
	in, err := app.open(false)
	if err != nil {
		return unchecked(err)
	}
	defer in.close()
	broken, reason, err := in.services.Maintenance.VerifyJournal(app.ctx, admitto.SystemCaller(), c.From, c.To,
		func(int64) {})
	if err != nil {
		return unchecked(err)
	}
	if broken == 0 && anchor != nil {
		if broken, reason, err = anchor.check(app.ctx, in.services); err != nil {
			return unchecked(err)
		}
	}
	if broken != 0 {
		fmt.Fprintln(app.stdout, broken)
		return fmt.Errorf("the journal is broken at record %d: %s", broken, reason)
	}
	fmt.Fprintln(app.stderr, "The journal is whole.")
	return nil
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
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	id, hash, err := in.services.Maintenance.JournalAnchor(app.ctx, admitto.SystemCaller())
	if err != nil {
		return err
	}
	fmt.Fprintln(app.stdout, id, hash)
	return nil
}

// anchor is what `journal anchor` printed at some time.
type anchor struct {
	id   int64
	hash string
}

func readAnchor(file string) (a anchor, err error) {
	text, err := config.ReadLimited(file, 1024)
	if err != nil {
		return a, fmt.Errorf("the anchor cannot be read: %w", err)
	}
	fields := strings.Fields(string(text))
	if len(fields) == 2 && len(fields[1]) == len(admitto.GenesisHash) {
		a.hash = fields[1]
		a.id, err = strconv.ParseInt(fields[0], 10, 64)
	}
	if a.hash == "" || err != nil || a.id < 0 {
		return a, fmt.Errorf("%s does not hold what journal anchor prints: an ID and a hash", file)
	}
	return a, nil
}

// check reports whether the record of the anchor still has its hash.
func (a *anchor) check(ctx context.Context, s *services.Services) (brokenID int64, reason string, err error) {
	hash, err := s.Maintenance.JournalHash(ctx, admitto.SystemCaller(), a.id)
	switch {
	case err != nil:
		return 0, "", err
	case hash == "":
		return a.id, "the record of the anchor is missing", nil
	case hash != a.hash:
		return a.id, "the record does not have the hash of the anchor", nil
	}
	return 0, "", nil
}
