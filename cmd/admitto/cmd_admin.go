package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
)

// setupLinkCmd is `admitto setup-link`.
type setupLinkCmd struct{}

// Help is shown by --help.
func (*setupLinkCmd) Help() string {
	return `The link opens the page on which the first administrator is made. It works once, for 24 hours, and ends those that
were made before. Once there is an administrator, use "admitto admin".

Example:

    admitto setup-link --base-url=https://admissions.example.edu`
}

// Run prints the link.
func (*setupLinkCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	in.nameAddress(app)
	link, err := in.services.Maintenance.NewSetupLink(app.ctx, admitto.SystemCaller())
	if err != nil {
		return err
	}
	fmt.Fprintln(app.stderr, "This link works once, for 24 hours.")
	fmt.Fprintln(app.stdout, link)
	return nil
}

// nameAddress lets links name the public address: where base_url is not set that of the service that runs on the data
// folder, else that of listen.
func (in *instance) nameAddress(app *app) {
	if noted := in.folder.runningURL(app.ctx, app.settings); noted != "" {
		in.settings.Listening(noted)
		return
	}
	in.settings.Listening(app.settings.PublicURL(listenAddress("https://" + app.settings.Listen)))
}

// adminCmd groups the commands about administrators.
type adminCmd struct {
	Create adminCreateCmd `cmd:"" help:"Make an administrator and print an invitation link, alone, on standard output."`
	Reset  adminResetCmd  `cmd:"" help:"Print a link by which an administrator sets another password."`
	List   adminListCmd   `cmd:"" help:"Print a table of all administrators."`
}

// Help is shown by --help.
func (*adminCmd) Help() string {
	return `Example:

    admitto admin reset kim@example.edu`
}

// adminCreateCmd is `admitto admin create`.
type adminCreateCmd struct {
	Email string   `required:"" placeholder:"ADDRESS" help:"What the administrator signs in with."`
	Name  string   `required:"" placeholder:"TEXT" help:"The name, as others see it."`
	Role  []string `required:"" placeholder:"ROLE" sep:"none" help:"Name, code or ID of a role, such as Superuser or SU. Repeat it for more."`
}

// Help is shown by --help.
func (*adminCreateCmd) Help() string {
	return `No mail is sent: hand the link over. It works once, for 7 days, and lets the person set a password.

Example:

    admitto admin create --email=kim@example.edu --name="Kim Doe" --role=Superuser`
}

// Run makes the administrator.
func (c *adminCreateCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	in.nameAddress(app)
	known, err := in.services.Accounts.Roles(app.ctx, admitto.SystemCaller())
	if err != nil {
		return err
	}
	roles, err := c.roles(known)
	if err != nil {
		return err
	}
	id, link, err := in.services.Accounts.CreateStaff(app.ctx, byOperator(),
		accounts.NewStaff{Name: c.Name, Email: c.Email,
			Roles: roles})
	if err != nil {
		return plainRefusal(err)
	}
	fmt.Fprintf(app.stderr, "Administrator %d was made. This link works once, for 7 days.\n", id)
	fmt.Fprintln(app.stdout, link)
	return nil
}

// roles finds the roles that were named. Its errors are wrong usage.
func (c *adminCreateCmd) roles(known []admitto.Role) (ids []int64, err error) {
	for _, word := range c.Role {
		at := slices.IndexFunc(known, func(r admitto.Role) bool {
			return strings.EqualFold(r.Name, word) || r.Code != "" && strings.EqualFold(r.Code, word) ||
				strconv.FormatInt(r.ID, 10) == word
		})
		if at < 0 {
			names := make([]string, len(known))
			for i, r := range known {
				names[i] = r.Name
			}
			return nil, usageError(fmt.Errorf("--role: there is no role %q; there are: %s", word, strings.Join(names, ", ")))
		}
		ids = append(ids, known[at].ID)
	}
	return ids, nil
}

// plainRefusal is what a person reads of a refusal: its sentences.
func plainRefusal(err error) error {
	e, ok := errors.AsType[*admitto.Error](err)
	if !ok || len(e.Faults) == 0 {
		return err
	}
	var sentences []string
	for _, f := range e.Faults {
		sentences = append(sentences, f.Text.String())
	}
	return errors.New(strings.Join(sentences, "; "))
}

// adminResetCmd is `admitto admin reset EMAIL`.
type adminResetCmd struct {
	Email string `arg:"" name:"EMAIL" help:"What the administrator signs in with."`
}

// Help is shown by --help.
func (*adminResetCmd) Help() string {
	return `No mail is sent: hand the link over. It works once, for 60 minutes; for somebody who never set a password it is an
invitation, for 7 days.

Example:

    admitto admin reset kim@example.edu`
}

// Run prints the link.
func (c *adminResetCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	in.nameAddress(app)
	link, purpose, err := in.services.Accounts.ResetLink(app.ctx, byOperator(), c.Email)
	if admitto.KindOf(err) == admitto.NotFound {
		return fmt.Errorf("no administrator has the address %q; see admitto admin list", c.Email)
	}
	if err != nil {
		return err
	}
	works := "60 minutes"
	if purpose == accounts.ForInvitation {
		works = "7 days"
	}
	fmt.Fprintf(app.stderr, "This link works once, for %s.\n", works)
	fmt.Fprintln(app.stdout, link)
	return nil
}

// adminListCmd is `admitto admin list`.
type adminListCmd struct{}

// Help is shown by --help.
func (*adminListCmd) Help() string {
	return `Shows who may sign in, and how.

Example:

    admitto admin list --data=/var/lib/admitto`
}

// Run prints the table.
func (*adminListCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	list, err := in.services.Accounts.StaffList(app.ctx, admitto.SystemCaller())
	if err != nil {
		return err
	}
	zone := app.settings.Instance.Timezone
	table := tabwriter.NewWriter(app.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tE-MAIL\tROLES\tSTATE\tSECOND FACTOR\tLAST SIGN-IN")
	for i := range list {
		a := &list[i]
		var roles []string
		for _, r := range a.Roles {
			roles = append(roles, r.Name)
		}
		state := "active"
		switch {
		case a.Disabled:
			state = "disabled"
		case !a.HasPassword:
			state = "invited"
		case !a.ValidUntil.IsZero():
			state = "until " + a.ValidUntil.String()
		}
		last, factor := "-", "no"
		if a.LastSignIn != 0 {
			last = a.LastSignIn.Std().In(zone).Format("2006-01-02 15:04")
		}
		if a.HasSecondFactor {
			factor = "yes"
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", a.ID, a.Name, a.Email, strings.Join(roles, ", "), state, factor,
			last)
	}
	return table.Flush()
}
