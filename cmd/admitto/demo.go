package main

import (
	"fmt"
	"os"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
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

// prepareDemo fills a fresh instance, ends the key of the former start and makes a new one. It returns the
// function that tells the newcomer what to do.
func prepareDemo(app *app, in *instance) (func(url string), error) {
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
	secret, err := renewDemoKey(app, in)
	if err != nil {
		return nil, err
	}
	return func(url string) {
		fmt.Fprintf(app.stdout, `
Admitto runs with invented data at %s
(the certificate is self-signed, hence -k).

Your API key, for this run:

    %s

A first call to paste into another terminal:

    curl -k -H 'Authorization: SERVICE apikey="%s"' '%s/api/v10/applicants?limit=3'

Press Ctrl-C here to stop.
`, url, secret, secret, url)
	}, nil
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
