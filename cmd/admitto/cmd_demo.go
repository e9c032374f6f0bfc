package main

import "errors"

// demoCmd is `admitto demo --applicants N [--seed S]`.
type demoCmd struct {
	Applicants int    `required:"" placeholder:"N" help:"How many applicants, with everything around them."`
	Seed       uint64 `default:"1" placeholder:"S" help:"The same N and seed give the same data (default 1)."`
}

// Help is shown by --help.
func (*demoCmd) Help() string {
	return `Fills an empty instance with a whole invented institution; an instance that is not empty is left alone.

Example:

    admitto demo --applicants=1000 --data=./try-it`
}

// Validate is called by kong; what it refuses is wrong usage.
func (c *demoCmd) Validate() error {
	if c.Applicants < 1 || c.Applicants > 10_000_000 {
		return errors.New("--applicants must be a whole number from 1 to 10000000")
	}
	return nil
}

// Run fills the instance.
func (c *demoCmd) Run(app *app) error {
	in, err := app.open(true)
	if err != nil {
		return err
	}
	defer in.close()
	return fillDemo(app, in, c.Applicants, c.Seed)
}
