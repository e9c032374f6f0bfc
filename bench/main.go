// Command bench measures the real admitto binary from outside, over HTTPS, beside the least that the same
// machine can do for the same rows: a bare loop over the SQLite driver. Both run in turns, so that what else
// the machine does hits both, and what counts is the ratio of neighbours. README.md says what is measured and
// what is not.
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
	"strings"
	"syscall"
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
	profiles   string // folder for CPU profiles; "": none
	memory     string // data folder whose service's memory is measured instead; "": none
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

// errUsage says that the command line is wrong and that this was told.
var errUsage = errors.New("wrong usage")

func parse(args []string) (o options, err error) {
	var noQuota bool
	var cases string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&o.applicants, "applicants", 200_000, "how many applicants the database has")
	flags.IntVar(&o.rounds, "rounds", 15, "how many pairs are measured for each case")
	flags.StringVar(&cases, "cases", "", "names of the cases, with commas; empty: all ("+strings.Join(caseNames(), ", ")+")")
	flags.BoolVar(&o.markdown, "markdown", false, "print the results as Markdown, with the machine")
	flags.BoolVar(&o.fresh, "fresh", false, "make the cached data anew")
	flags.BoolVar(&noQuota, "no-quota", false, "switch the counting of quotas off (the key is checked all the same)")
	flags.StringVar(&o.source, "source", "..", "folder of the Admitto that is built and measured")
	flags.StringVar(&o.profiles, "profiles", "", "folder to put a CPU profile of the server into for each case (adds ten seconds a case)")
	flags.StringVar(&o.memory, "memory", "", "measure the memory of a service on this data folder instead (admitto demo makes one)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, errUsage
	}
	fault := func(form string, values ...any) error {
		fmt.Fprintf(os.Stderr, "bench: "+form+"\n", values...)
		return errUsage
	}
	o.quota = !noQuota
	if cases != "" {
		o.cases = strings.Split(cases, ",")
	}
	known := "," + strings.Join(caseNames(), ",") + ","
	for _, name := range o.cases {
		if !strings.Contains(known, ","+name+",") {
			return o, fault("-cases: %q is none of %s", name, strings.Join(caseNames(), ", "))
		}
	}
	switch {
	case flags.NArg() > 0:
		return o, fault("%q is not expected; everything is a flag", flags.Arg(0))
	case o.applicants < 1:
		return o, fault("-applicants must be a whole number from 1 on")
	case o.rounds < 1:
		return o, fault("-rounds must be a whole number from 1 on")
	}
	return o, nil
}

func run(ctx context.Context, args []string) (err error) {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.memory != "" {
		return measureMemory(ctx, o)
	}
	work, err := os.MkdirTemp("", "admitto-bench-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	binary := filepath.Join(work, "admitto")
	say("Building admitto")
	if err := build(ctx, o.source, binary); err != nil {
		return err
	}
	filled, err := fillCached(ctx, binary, o)
	if err != nil {
		return err
	}
	say("Copying the data")
	data, twin := filepath.Join(work, "data"), filepath.Join(work, "twin")
	if err := os.CopyFS(data, os.DirFS(filled)); err != nil {
		return err
	}
	if err := os.Chmod(data, 0o700); err != nil {
		return err
	}
	key, err := createKey(ctx, binary, data)
	if err != nil {
		return err
	}
	// The twin of the database gets what POST writes, row by row, from the bare driver.
	if err := os.CopyFS(twin, os.DirFS(data)); err != nil {
		return err
	}

	sink, err := startSink()
	if err != nil {
		return err
	}
	defer sink.close()
	server, err := startServer(ctx, binary, data, sink.address, o)
	if err != nil {
		return err
	}
	defer server.stop()
	b, err := newBench(ctx, server, sink, key, filepath.Join(data, database), filepath.Join(twin, database))
	if err != nil {
		return err
	}
	defer b.close()

	var results []result
	for _, c := range allCases {
		if !o.wants(c.name) {
			continue
		}
		r, err := b.measure(c, o)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		results = append(results, r)
	}
	return report(os.Stdout, o, binary, results)
}

// wants tells whether the case was asked for.
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
