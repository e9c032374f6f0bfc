// Command bench measures the real admitto binary from outside, over HTTPS, next to the least that the same
// machine can do for the same rows and next to what people would use instead: PocketBase and Directus. They run
// in turns, so that what else the machine does hits all, and what counts is the ratio of neighbours. README.md
// says what is measured and what is not.
//
// It imports nothing of Admitto's and builds the binary out of the tree around it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options is what the command line says.
type options struct {
	applicants int
	rounds     int
	cases      []string // nil: all
	markdown   bool
	fresh      bool
	quota      bool
	source     string
	before     string // folder of the Admitto before, which is measured next to it; "": none
	profiles   string // folder for CPU profiles; "": none
	memory     string // data folder whose service's memory is measured instead; "": none
	pocketbase bool
	durable    bool // PocketBase waits for the disk, too
	postgres   bool
	directus   string // folder where npm has installed it; "": none
	growth     bool   // measure how times grow with the data instead
	million    bool   // with a million applicants too
	plots      string // folder for the drawings; "": none
	sqlite     bool   // with -pages
	pages      pageOptions
	portal     portalOptions
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2) // the flag package has said what is wrong
	default:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// fewApplicants are those of -pages without -applicants: as many as an institution of some size has in a year.
const fewApplicants = 20_000

// errUsage says that the command line is wrong and that this was told.
var errUsage = errors.New("wrong usage")

func parse(args []string) (o options, err error) {
	var noQuota bool
	var cases string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&o.applicants, "applicants", 200_000, "how many applicants the database has")
	flags.IntVar(&o.rounds, "rounds", 15, "how many pairs are measured for each case")
	flags.StringVar(&cases, "cases", "", "names of the cases, with commas; empty: all ("+strings.Join(caseNames(),
		", ")+")")
	flags.BoolVar(&o.markdown, "markdown", false, "print the results as Markdown, with the machine")
	flags.BoolVar(&o.fresh, "fresh", false, "make the cached data anew")
	flags.BoolVar(&noQuota, "no-quota", false, "switch the counting of quotas off (the key is checked all the same)")
	flags.StringVar(&o.source, "source", "..", "folder of the Admitto that is built and measured")
	flags.StringVar(&o.before, "before", "",
		"folder of an earlier Admitto, to measure it next to this one: its data are migrated for this one")
	flags.StringVar(&o.profiles, "profiles", "",
		"folder to put a CPU profile of the server into for each case (adds ten seconds a case)")
	flags.StringVar(&o.memory, "memory", "",
		"measure the memory of a service on this data folder instead (admitto demo makes one)")
	flags.BoolVar(&o.pocketbase, "pocketbase", true, "measure PocketBase too, out of peers/pocketbase")
	flags.BoolVar(&o.durable, "durable", false, "PocketBase with PRAGMA synchronous=FULL, as Admitto runs, and not as it comes")
	flags.BoolVar(&o.postgres, "postgres", true, "measure Admitto on PostgreSQL too, when its programs are there")
	flags.StringVar(&o.directus, "directus", "",
		"folder where npm has installed Directus (npm install directus@10.13.1), to measure it too")
	flags.BoolVar(&o.growth, "growth", false, "measure how times grow from 1,000 to 100,000 applicants instead")
	flags.BoolVar(&o.million, "million", false,
		"with -growth: a million applicants too (filling takes half an hour and 15 GB, once)")
	flags.BoolVar(&o.pages.on, "pages", false, "measure the pages of staff instead, on both engines")
	flags.BoolVar(&o.sqlite, "sqlite", true, "with -pages and -portal: on SQLite")
	flags.IntVar(&o.pages.staff, "staff", 20, "with -pages: how many staff click, every two seconds each")
	flags.DurationVar(&o.pages.time, "for", time.Minute, "with -pages and -portal: for how long")
	flags.Uint64Var(&o.pages.seed, "seed", 1, "with -pages: the same seed clicks on the same pages")
	flags.BoolVar(&o.pages.keep, "keep", false, "with -pages and -portal: keep the data for the next run (500,000 applicants: 8 GB each)")
	flags.BoolVar(&o.portal.on, "portal", false, "measure the pages of applicants instead, on both engines")
	flags.IntVar(&o.portal.people, "people", 5_000, "with -portal: how many people sign in by a link")
	flags.IntVar(&o.portal.typists, "typists", 2_000, "with -portal: how many of them fill in a form at once")
	flags.IntVar(&o.portal.submit, "submissions", 50, "with -portal: how many others submit in a second, for as long")
	flags.StringVar(&o.plots, "plots", "", "folder to draw the results into, as SVG")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, errUsage
	}
	return o, o.check(flags, noQuota, cases)
}

// check looks at what the flags package leaves open.
func (o *options) check(flags *flag.FlagSet, noQuota bool, cases string) error {
	fault := func(form string, values ...any) error {
		fmt.Fprintf(os.Stderr, "bench: "+form+"\n", values...)
		return errUsage
	}
	o.quota = !noQuota
	sized := false
	flags.Visit(func(f *flag.Flag) { sized = sized || f.Name == "applicants" })
	if (o.pages.on || o.portal.on) && !sized {
		o.applicants = fewApplicants
	}
	if cases != "" {
		o.cases = strings.Split(cases, ",")
	}
	known := "," + strings.Join(caseNames(), ",") + ","
	for _, name := range o.cases {
		if !strings.Contains(known, ","+name+",") {
			return fault("-cases: %q is none of %s", name, strings.Join(caseNames(), ", "))
		}
	}
	switch {
	case flags.NArg() > 0:
		return fault("%q is not expected; everything is a flag", flags.Arg(0))
	case o.applicants < 1:
		return fault("-applicants must be a whole number from 1 on")
	case o.rounds < 1:
		return fault("-rounds must be a whole number from 1 on")
	case o.pages.staff < 1 || o.pages.time <= 0:
		return fault("-staff and -for must be more than 0")
	case o.portal.people < 1 || o.portal.typists < 1 || o.portal.submit < 1:
		return fault("-people, -typists and -submissions must be more than 0")
	}
	return nil
}

func run(ctx context.Context, args []string) (err error) {
	if slices.Equal(args, []string{readyCommand}) {
		return serveReady(ctx, os.Stdout)
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "admitto-bench-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	// PostgreSQL writes its log here, as another user.
	if err := os.Chmod(work, 0o711); err != nil {
		return err
	}
	binary := filepath.Join(work, "admitto")
	say("Building admitto")
	if err := build(ctx, o.source, binary); err != nil {
		return err
	}
	switch {
	case o.memory != "":
		return measureMemory(ctx, o, binary)
	case o.pages.on:
		return measurePages(ctx, o, binary, work)
	case o.portal.on:
		return measurePortal(ctx, o, binary, work)
	case o.growth:
		return measureGrowth(ctx, o, binary, work)
	}
	return compare(ctx, o, binary, work)
}

// wants reports whether the case was asked for.
func (o options) wants(name string) bool {
	if o.cases == nil {
		return true
	}
	for _, c := range o.cases {
		if c == name {
			return true
		}
	}
	return false
}
