package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/usecase"
)

// keysCmd groups the commands about API keys.
type keysCmd struct {
	Create keysCreateCmd `cmd:"" help:"Make an API key and print it, alone, on standard output."`
	List   keysListCmd   `cmd:"" help:"Print a table of all keys."`
	Revoke keysRevokeCmd `cmd:"" help:"End a key, within one second on every instance."`
	Lens   keysLensCmd   `cmd:"" help:"Print what a key has used that will end: versions, paths, parameters."`
}

// Help is shown by --help.
func (*keysCmd) Help() string {
	return `Example:

    admitto keys create --name="Student system" --read-only`
}

// keysCreateCmd is `admitto keys create`.
type keysCreateCmd struct {
	Name     string   `required:"" placeholder:"TEXT" help:"What the key is for, as lists show it."`
	ReadOnly bool     `help:"Allow every GET and HEAD, nothing else."`
	Allow    []string `placeholder:"OPERATION" sep:"none" help:"Allow this operation only: method and path, \"GET /applicants/{id}\". Repeat it for more."`
	Expires  string   `placeholder:"DURATION" help:"30d, 12h, a date such as 2027-01-31 (its end in the time zone of the instance) or never. Without it one year."`
}

// Help is shown by --help.
func (*keysCreateCmd) Help() string {
	return `The key is shown this once; only its hash is stored. Without --read-only and --allow it may call everything.

Examples:

    admitto keys create --name="Student system" --expires=30d
    admitto keys create --name=Website --allow="GET /courses" --allow="POST /applicants"`
}

// Validate is called by kong; what it refuses is wrong usage.
func (c *keysCreateCmd) Validate() error {
	var faults []error
	c.Name = strings.TrimSpace(c.Name)
	if n := utf8.RuneCountInString(c.Name); n < 1 || n > 100 || !utf8.ValidString(c.Name) ||
		strings.IndexFunc(c.Name, unicode.IsControl) >= 0 {
		faults = append(faults, errors.New("--name must be one line of 1 to 100 characters"))
	}
	if c.ReadOnly && len(c.Allow) > 0 {
		faults = append(faults,
			errors.New("--read-only and --allow exclude each other: name the GET operations with --allow"))
	}
	for _, op := range c.Allow {
		if err := checkOperation(op); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// settled returns what the new key may do and when it ends; operation gives the operation of the API that a text
// means, if there is one. Its errors are wrong usage.
func (c *keysCreateCmd) settled(now time.Time, zone *time.Location,
	operation func(text string) (string, bool)) (admitto.Scope, []string, time.Time, error) {
	var faults []error
	var allowed []string
	for _, text := range c.Allow {
		op, known := operation(text)
		if !known {
			faults = append(faults, fmt.Errorf("--allow: the API has no operation %q", text))
		}
		allowed = append(allowed, op)
	}
	expires, err := parseExpiry(c.Expires, now, zone)
	if err != nil {
		faults = append(faults, err)
	}
	if len(faults) > 0 {
		return "", nil, time.Time{}, usageError(errors.Join(faults...))
	}
	switch {
	case c.ReadOnly:
		return admitto.ScopeReadOnly, nil, expires, nil
	case len(c.Allow) > 0:
		return admitto.ScopeOperations, slices.Compact(slices.Sorted(slices.Values(allowed))), expires, nil
	}
	return admitto.ScopeAll, nil, expires, nil
}

// checkOperation checks the form of an OPERATION: method, one space, path without prefix and version
// (conventions.md 2). Whether it exists is another question.
func checkOperation(op string) error {
	method, path, _ := strings.Cut(op, " ")
	switch {
	case method == "HEAD":
		return fmt.Errorf("--allow: %q is not needed: HEAD follows GET, allow \"GET %s\"", op, path)
	case !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, method),
		!strings.HasPrefix(path, "/"),
		strings.ContainsAny(path, "?#") || strings.IndexFunc(path, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0:
		return fmt.Errorf("--allow: %q is no operation; it must be method and path, \"GET /applicants/{id}\"", op)
	case path == "/api" || strings.HasPrefix(path, "/api/"):
		return fmt.Errorf("--allow: %q must be without /api and version, \"GET /applicants/{id}\"", op)
	}
	return nil
}

// Run makes the key.
func (c *keysCreateCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	scope, operations, expires, err := c.settled(app.now(), app.settings.Instance.Timezone, api.Operation)
	if err != nil {
		return err
	}
	_, secret, err := in.services.Keys.CreateKey(app.ctx, byOperator(), apikey.NewKey{Label: c.Name, Scope: scope,
		Operations: operations, Expires: admitto.TimeOf(expires)})
	if err != nil {
		return err
	}
	fmt.Fprintln(app.stderr, "This is the key. It is shown this once; only its hash is stored.")
	fmt.Fprintln(app.stdout, secret)
	return nil
}

// keysListCmd is `admitto keys list`.
type keysListCmd struct{}

// Help is shown by --help.
func (*keysListCmd) Help() string {
	return `Shows what is stored of each key, which is never the key itself.

Example:

    admitto keys list --data=/var/lib/admitto`
}

// Run prints the table.
func (c *keysListCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	keys, err := in.services.Keys.Keys(app.ctx, admitto.SystemCaller())
	if err != nil {
		return err
	}
	zone := app.settings.Instance.Timezone
	instant := func(t admitto.Time, none string) string {
		if t == 0 {
			return none
		}
		return t.Std().In(zone).Format("2006-01-02 15:04")
	}
	table := tabwriter.NewWriter(app.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tSCOPE\tCREATED\tEXPIRES\tREVOKED\tLAST USED")
	for i := range keys {
		k := &keys[i]
		scope := string(k.Scope)
		if k.Scope == admitto.ScopeOperations {
			scope = strings.Join(k.Operations, ", ")
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Label, scope, instant(k.Created, ""),
			instant(k.Expires, "never"), instant(k.Revoked, "-"), instant(k.LastUsed, "-"))
	}
	return table.Flush()
}

// keysRevokeCmd is `admitto keys revoke ID`.
type keysRevokeCmd struct {
	ID int64 `arg:"" name:"ID" help:"The key's ID, from \"admitto keys list\"."`
}

// Help is shown by --help.
func (*keysRevokeCmd) Help() string {
	return `A revoked key stays in the list and never works again.

Example:

    admitto keys revoke 7`
}

// Validate is called by kong; what it refuses is wrong usage.
func (c *keysRevokeCmd) Validate() error {
	if c.ID < 1 {
		return errors.New("ID must be a whole number from 1 on")
	}
	return nil
}

// Run ends the key.
func (c *keysRevokeCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	if err := in.services.Keys.RevokeKey(app.ctx, byOperator(), c.ID); err != nil {
		if admitto.KindOf(err) == admitto.NotFound {
			return fmt.Errorf("there is no key %d; see admitto keys list", c.ID)
		}
		return err
	}
	// Services believe a key for this long after they looked it up; when the command returns it works nowhere.
	select {
	case <-time.After(time.Duration(apikey.KeyCacheTime) * time.Microsecond):
	case <-app.ctx.Done():
	}
	fmt.Fprintf(app.stderr, "Key %d is revoked.\n", c.ID)
	return nil
}

// byOperator is who commands act as: somebody who can reach the database itself.
func byOperator() usecase.Caller { return usecase.Caller{Caller: admitto.SystemCaller()} }
