// Command admitto is the whole product in one binary: the service and the commands around it. Its duty is
// the command line, the settings and the wiring; what is decided is in the other packages. It may import all
// of them, and nothing imports it.
//
// Where to look: cli.go is the grammar, one file cmd_*.go each command; folder.go is the data folder. The settings are
// in package config.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // instance.timezone must load on machines and in containers that have no zone files

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/archive"
	"github.com/admitto/admitto/internal/config"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first signal the default is back, so that a second one ends a process that does not drain.
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	os.Exit(report(err, os.Stderr))
}

// app is what every command gets: the settings, the streams and the time.
type app struct {
	ctx            context.Context // ends with SIGINT and SIGTERM
	stdin          io.Reader
	stdout, stderr io.Writer // scripts read the one, persons the other
	now            func() time.Time

	// watch, when set, is told how far backup, restore and copy have come; tests stand still there. nil: a bar when a
	// person watches.
	watch archive.Progress

	settings *config.Settings // nil in `version` only, which must answer whatever the settings are
}

// complete reads the settings once more, now with what administrators saved in the interface. Until then
// the settings hold only what was given from outside, which is enough to find the database that has the
// rest. Every command that opens the database calls it before it uses any other setting; nil means that
// nothing is saved.
func (a *app) complete(saved map[string]string) error {
	s, err := a.settings.WithSaved(saved)
	if err != nil {
		return err
	}
	a.settings = s
	return nil
}

// run does what the arguments (without the program's name) ask for. It touches nothing of the process but
// what it is given, so tests call it.
func run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) error {
	a := &app{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, now: time.Now}
	return a.dispatch(args, env)
}

// exit is an error that ends the process with a status of its own. Every other error is status 1.
type exit struct {
	code  int
	err   error  // nil: the command has said all there is to say
	usage string // printed after the sentence
}

// Error returns the sentence for the person.
func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

// Unwrap returns the cause.
func (e *exit) Unwrap() error { return e.err }

// usageError is wrong usage, status 2. dispatch adds the usage of the command to it.
func usageError(err error) error { return &exit{code: 2, err: err} }

// report tells the person what went wrong and returns the exit status.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	code, usage := 1, ""
	var e *exit
	if errors.As(err, &e) {
		code, usage = e.code, e.usage
		if e.err == nil {
			return code
		}
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	words := err.Error()
	if refused := (*admitto.Error)(nil); errors.As(err, &refused) && !refused.Text.IsZero() {
		words = strings.Replace(words, string(refused.Kind)+": ", "", 1) // the sentence says it
	}
	fmt.Fprintf(stderr, "admitto: %s\n", words)
	if usage != "" {
		fmt.Fprintf(stderr, "\n%s", usage)
	}
	return code
}
