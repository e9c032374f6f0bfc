package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"text/tabwriter"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/rehearse"
	"github.com/admitto/admitto/internal/store"
)

// rehearseCmd is `admitto rehearse`.
type rehearseCmd struct {
	People  int  `default:"200" placeholder:"N" help:"How many people submit (default 200)."`
	Seconds int  `default:"60" placeholder:"N" help:"Within how many seconds they come (default 60)."`
	Here    bool `help:"Play on the instance of --data and database.url, which must be empty, and fill it with invented data."`
}

// Help is shown by --help.
func (*rehearseCmd) Help() string {
	return `Invents a university, starts the service on a free port of this machine, and lets people come in a short time: each
signs in by the link that was mailed to them, saves a section, hands in a document, submits and reads the receipt. It
prints how long they waited, and ends with status 1 if somebody did not get through, or if what the service keeps does
not agree with what people were told. Mail is written to files. Without --here the instance is made in a folder for
temporary files, on SQLite, and is gone afterwards.

Examples:

    admitto rehearse --people=1000 --seconds=120
    admitto rehearse --here --data=scratch --database.url=postgres://admitto@db/scratch`
}

// Validate is called by kong; what it refuses is wrong usage.
func (c *rehearseCmd) Validate() error {
	if c.People < 1 || c.People > 10_000 {
		return errors.New("--people must be a whole number from 1 to 10000")
	}
	if c.Seconds < 0 || c.Seconds > 24*3600 {
		return errors.New("--seconds must be a whole number from 0 to 86400")
	}
	return nil
}

// Run plays the night.
func (c *rehearseCmd) Run(app *app) (err error) {
	given := app.settings
	flags := map[string]string{"listen": "127.0.0.1:0", "log.level": "warn", "instance.name": "Rehearsal",
		"quota.per-minute": "0", "quota.per-hour": "0", "connections.per-address": "0"} // all come from one address
	if c.Here {
		flags["data"], flags["database.url"], flags["files.url"] = given.Data, string(given.Database.URL), given.Files.URL
		flags["instance.key"] = string(given.Instance.Key)
	} else {
		folder, err := os.MkdirTemp("", "admitto-rehearse-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
		flags["data"] = folder
	}
	maps.DeleteFunc(flags, func(_, value string) bool { return value == "" })
	night := *app
	if night.settings, err = config.Load(config.Sources{Flags: flags, SavedLater: true}); err != nil {
		return err
	}
	in, err := night.open(!c.Here)
	if err != nil {
		return err
	}
	defer in.close()
	key, err := c.prepare(&night, in)
	if err != nil {
		return err
	}
	return c.play(&night, in, key)
}

// prepare fills the instance, and makes the key that the night is made ready with.
func (c *rehearseCmd) prepare(app *app, in *instance) (key string, err error) {
	var blank bool
	if err := in.store.Read(app.ctx, func(tx *store.Tx) (err error) {
		blank, err = tx.Blank()
		return err
	}); err != nil {
		return "", err
	}
	if !blank {
		return "", fmt.Errorf("the instance of %s is not empty: a rehearsal would mix invented people with real ones",
			app.settings.DatabaseName())
	}
	if err := in.store.Seed(app.ctx, app.settings.Instance.Name, academicYear(app)); err != nil {
		return "", err
	}
	if err := fillDemo(app, in, demoApplicants, 1); err != nil {
		return "", err
	}
	_, key, err = in.services.Keys.CreateKey(app.ctx, byOperator(), apikey.NewKey{Label: "Rehearsal",
		Owner: "admitto rehearse", Scope: admitto.ScopeAll, Expires: admitto.TimeOf(app.now().AddDate(0, 0, 1))})
	return key, err
}

// play runs the service while people come, and says what came of it.
func (c *rehearseCmd) play(app *app, in *instance, key string) error {
	asked := app.ctx
	ctx, stop := context.WithCancel(asked)
	defer stop()
	serving := *app
	serving.ctx = ctx
	addresses, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- serve(&serving, in, func(url string) { addresses <- url }) }()
	var report *rehearse.Report
	var err error
	select {
	case err = <-ended:
		return err
	case url := <-addresses:
		night := rehearse.Night{URL: url, Key: key, People: c.People, Within: time.Duration(c.Seconds) * time.Second,
			Links: func() (map[string]string, error) { return linksIn(in.folder.file("outbox")) },
			Say:   func(sentence string) { fmt.Fprintln(app.stderr, sentence) }}
		report, err = night.Play(asked)
	}
	var broken int64
	var reason string
	if err == nil {
		broken, reason, err = in.services.Maintenance.VerifyJournal(asked, admitto.SystemCaller(), 0, 0, func(int64) {})
	}
	stop()
	if err = errors.Join(err, <-ended); err != nil {
		return err
	}
	if broken != 0 {
		return fmt.Errorf("the journal is broken at record %d: %s", broken, reason)
	}
	return c.tell(app, report)
}

// tell prints the report, and fails where somebody did not get through.
func (c *rehearseCmd) tell(app *app, report *rehearse.Report) error {
	table := tabwriter.NewWriter(app.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "EACH\tTIMES\tHALF WITHIN\t95 OF 100 WITHIN\tLONGEST\n")
	for i := range report.Steps {
		step := &report.Steps[i]
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\n", step.Name, len(step.Times), shortly(step.Of(50)), shortly(step.Of(95)),
			shortly(step.Of(100)))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(app.stderr, "%d of %d applications are submitted, in %s. The journal is whole.\n", report.Submitted, c.People,
		report.Took.Round(time.Second/10))
	if len(report.Faults) > 0 {
		return fmt.Errorf("%d people did not get through, such as %w", len(report.Faults), report.Faults[0])
	}
	return nil
}

func shortly(d time.Duration) string { return d.Round(time.Millisecond).String() }

var (
	mailedTo   = regexp.MustCompile(`night-[a-z0-9]+-[0-9]+@example\.org`)
	mailedLink = regexp.MustCompile(`/sign-in/link/[A-Za-z0-9_-]{20,}`)
)

// linksIn are the links to sign in among the mails that were written to a folder, by address. A line may be broken by
// the encoding of the mail.
func linksIn(folder string) (map[string]string, error) {
	links := map[string]string{}
	return links, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(file)
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("=\r\n"), nil), []byte("=\n"), nil)
		if link := mailedLink.Find(text); link != nil {
			links[string(mailedTo.Find(text))] = string(link)
		}
		return errors.Join(err, file.Close())
	})
}
