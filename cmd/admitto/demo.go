package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/demo"
	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/store"
	"github.com/schollz/progressbar/v3"
)

// demoMark is the file that tells a data folder made by serve --demo from one with real people in it.
const demoMark = "demo"

// demoApplicants is how many people serve --demo invents.
const demoApplicants = 500

// claimDemoFolder refuses a data folder that serve --demo did not make.
func claimDemoFolder(f *folder) error {
	if _, err := os.Stat(f.file(demoMark)); err == nil {
		return nil
	}
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != lockFile {
			return fmt.Errorf("the data folder %s was not made by serve --demo; give the demo another one with --data", f.path)
		}
	}
	return disk.WriteFile(f.file(demoMark), []byte("This folder was made by admitto serve --demo.\n"))
}

// emptyDemoFolder removes what former runs of the demo left in its folder; the lock is held.
func emptyDemoFolder(f *folder) error {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == lockFile || e.Name() == demoMark {
			continue
		}
		if err := os.RemoveAll(f.file(e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// prepareDemo fills a fresh instance, ends the key and the passwords of the former start and makes new ones. It returns
// the function that tells the newcomer what to do; with all it lists the accounts of all roles.
func prepareDemo(app *app, in *instance, all bool) (func(url string), error) {
	var blank bool
	var filling string
	err := in.store.Read(app.ctx, func(tx *store.Tx) (err error) {
		if blank, err = tx.Blank(); err == nil {
			filling, err = tx.InstanceFact(demo.Filling)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if blank || filling != "" { // a filling that was cut off is refused, with what to do
		if err := fillDemo(app, in, demoApplicants, 1); err != nil {
			return nil, err
		}
	}
	if err := nameDemo(app, in); err != nil {
		return nil, err
	}
	secret, err := renewDemoKey(app, in)
	if err != nil {
		return nil, err
	}
	access, err := in.services.Accounts.OpenDemo(app.ctx, byOperator())
	if err != nil {
		return nil, err
	}
	return func(url string) { sayDemo(app.stdout, url, secret, access, all) }, nil
}

// nameDemo gives the instance the name of the invented university, unless somebody gave it another one.
func nameDemo(app *app, in *instance) error {
	if app.settings.Instance.Name != config.Defaults().Instance.Name {
		return nil
	}
	name := demo.Institution
	err := in.services.Maintenance.ChangeSetting(app.ctx, byOperator(), "instance.name", &name)
	if admitto.KindOf(err) == admitto.InvalidParameter { // it was given from outside
		return nil
	}
	return err
}

// sayDemo tells a newcomer how to get in: what programs look for stands on lines of its own as "label: value" (cli.md).
func sayDemo(w io.Writer, url, key string, access accounts.DemoAccess, all bool) {
	fmt.Fprintf(w, `
Admitto runs with invented data. Open one of the addresses below; the certificate
is self-signed, so the browser warns once. Key and passwords are new at every start.

Address: %s
API key: %s
`, url, key)
	if len(access.Staff) > 0 {
		fmt.Fprintf(w, "Staff address: %s/admin/\nStaff e-mail: %s\nStaff password: %s\n", url, access.Staff[0].Email,
			access.Password)
	}
	fmt.Fprintf(w, "Applicant address: %s/my\nApplicant e-mail: %s\nApplicant password: %s\n", url,
		access.Applicant.Email, access.Password)
	if all {
		fmt.Fprint(w, "\nFurther staff, with the same password:\n\n")
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, a := range access.Staff {
			fmt.Fprintf(table, "    %s\t%s\t%s\n", a.Role.Name, a.Name, a.Email)
		}
		_ = table.Flush() // to the same place as the rest
	}
	fmt.Fprintf(w, `
A first call to paste into another terminal (-k for the certificate):

    curl -k -H 'Authorization: SERVICE apikey="%s"' '%s%s/applicants?limit=3'

Press Ctrl-C here to stop.
`, key, url, config.NewestAPI())
}

// demoKeyLabel and demoKeyOwner tell the keys of serve --demo from those that people make.
const (
	demoKeyLabel = "Demo"
	demoKeyOwner = "serve --demo"
)

// renewDemoKey ends the former demo keys and makes a new one; only hashes are stored.
func renewDemoKey(app *app, in *instance) (string, error) {
	by := byOperator()
	keys, err := in.services.Keys.Keys(app.ctx, admitto.SystemCaller())
	if err != nil {
		return "", err
	}
	for _, k := range keys {
		if k.Owner == demoKeyOwner && k.Revoked == 0 {
			if err := in.services.Keys.RevokeKey(app.ctx, by, k.ID); err != nil {
				return "", err
			}
		}
	}
	_, secret, err := in.services.Keys.CreateKey(app.ctx, by, apikey.NewKey{Label: demoKeyLabel, Owner: demoKeyOwner,
		Scope:   admitto.ScopeAll,
		Expires: admitto.TimeOf(app.now().AddDate(1, 0, 0))})
	return secret, err
}

// fillDemo fills an empty instance, with a progress bar when a person watches.
func fillDemo(app *app, in *instance, applicants int, seed uint64) error {
	options := demo.Options{Applicants: applicants, Seed: seed, Files: in.files}
	if isTerminal(app.stderr) {
		bar := progressbar.NewOptions(applicants, progressbar.OptionSetWriter(app.stderr),
			progressbar.OptionSetDescription("Inventing applicants"), progressbar.OptionShowCount(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
		options.Progress = func(done, _ int) { _ = bar.Set(done) } // a bar that cannot be drawn is no fault
	}
	err := demo.Fill(app.ctx, in.store, options)
	if err != nil {
		return fmt.Errorf("the instance was not filled: %w", err)
	}
	return nil
}
