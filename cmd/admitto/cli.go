package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/admitto/admitto/internal/config"
)

// cli is the grammar. The flags of the settings are not in it: takeFlags takes them out of the arguments
// before, since the table of settings is the one place that names them.
type cli struct {
	Help   helpFlag `short:"h" help:"Show what this command does, with an example."`
	Config string   `placeholder:"PATH" help:"Settings file in TOML (ADMITTO_CONFIG). Without it none is read."`

	Serve    serveCmd       `cmd:"" help:"Run the service until SIGINT or SIGTERM."`
	Demo     demoCmd        `cmd:"" help:"Fill an empty instance with an invented institution."`
	Rehearse rehearseCmd    `cmd:"" help:"Play a deadline night on an instance made for it, and report."`
	Setup    setupLinkCmd   `cmd:"" name:"setup-link" help:"Print a new link to the first set-up, while there is no administrator."`
	Admin    adminCmd       `cmd:"" help:"Make and list administrators, and let one set another password."`
	Keys     keysCmd        `cmd:"" help:"Make, list and revoke API keys, and see what they use."`
	Check    checkCmd       `cmd:"" help:"Try database, mail server, files, certificate, clock and space."`
	Health   healthCmd      `cmd:"" help:"Ask the running service whether it is ready, for containers."`
	Migrate  migrateCmd     `cmd:"" help:"Bring the database to the schema of this binary."`
	Show     configCmd      `cmd:"" name:"config" help:"Print every setting, or save one in the database for all instances."`
	Version  versionCmd     `cmd:"" help:"Print version, commit and Go version."`
	Instance instanceKeyCmd `cmd:"" name:"instance-key" help:"Change the key that seals every secret."`
	OpenAPI  openapiCmd     `cmd:"" name:"openapi" help:"Print the OpenAPI 3.1 document of a version."`
	Texts    textsCmd       `cmd:"" help:"Write the texts of the pages to a folder, to correct or translate them."`
	Journal  journalCmd     `cmd:"" help:"Check the journal's hash chain."`
	Backup   backupCmd      `cmd:"" help:"Write database and files to one file, while the service runs."`
	Restore  restoreCmd     `cmd:"" help:"Bring a backup into an empty instance."`
	Copy     copyCmd        `cmd:"" help:"Copy an instance from SQLite to PostgreSQL, or back."`

	DiffVersions diffVersionsCmd `cmd:"" name:"diff-versions" help:"Print what one GET answers in two versions, as a diff."`
}

const description = `Application management for universities and colleges, in one binary.

Example:

    admitto serve --listen=127.0.0.1:8443 --instance.name="North College"

A setting a.b_c is --a.b-c on the command line, ADMITTO_A_B_C in the environment and b_c in table [a] of the
file of --config; the first of these wins. "admitto config --help" lists all of them.`

// errHelp ends the parsing when help was asked for.
var errHelp = errors.New("help was printed")

// helpFlag is --help, kept out of kong's hands because kong ends the process there.
type helpFlag bool

// BeforeReset is called by kong before it checks whether anything is missing.
func (helpFlag) BeforeReset(ctx *kong.Context) error {
	if err := ctx.PrintUsage(false); err != nil {
		return err
	}
	return errHelp
}

// dispatch reads the arguments and the settings and runs the command.
func (a *app) dispatch(args, env []string) error {
	var grammar cli
	parser, err := kong.New(&grammar, kong.Name("admitto"), kong.Description(description),
		kong.NoDefaultHelp(), kong.Writers(a.stdout, a.stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Exit(func(int) {}))
	if err != nil {
		return fmt.Errorf("the grammar of the command line: %w", err)
	}

	rest, flags, flagFaults := takeFlags(args, flagsOf(parser.Model.Node))
	parsed, err := parser.Parse(rest)
	if errors.Is(err, errHelp) && len(flagFaults) == 0 {
		return nil
	}
	if err == nil || len(flagFaults) > 0 {
		// The faults of the flags are told together with those of the settings, not one after the other.
		src := config.Sources{Flags: flags, Env: env, File: grammar.Config, SavedLater: true}
		err = a.settle(parsed, src, flagFaults)
	} else {
		err = usageError(err)
	}
	if err == nil {
		err = parsed.Run(a)
	}

	var e *exit
	if errors.As(err, &e) && e.code == 2 && e.usage == "" {
		e.usage = usageOf(parser, rest)
	}
	return err
}

// settle loads the settings. Unknown flags are wrong usage, everything else that is wrong with a setting is
// a failure. parsed is nil when the rest of the command line is wrong too.
func (a *app) settle(parsed *kong.Context, src config.Sources, flagFaults []string) error {
	if parsed != nil && parsed.Command() == "version" && len(flagFaults) == 0 {
		return nil
	}
	s, err := config.Load(src)
	var wrong config.Faults
	if more := (*config.Faults)(nil); errors.As(err, &more) {
		wrong = *more
	} else {
		a.settings, wrong.Strange = s, s.Strange
	}
	a.warn(parsed, "a name in the environment is left alone", wrong.Strange)
	if err == nil && parsed != nil && (parsed.Command() == "serve" || strings.HasPrefix(parsed.Command(), "config")) {
		a.warn(parsed, "a setting does nothing", config.Ignored(s))
	}
	if len(flagFaults) > 0 {
		return usageError(&config.Faults{List: append(flagFaults, wrong.List...)})
	}
	return err
}

// warn tells what does not stop a command: the service in its log, the others in a line for a person.
func (a *app) warn(parsed *kong.Context, what string, sentences []string) {
	for _, sentence := range sentences {
		if parsed != nil && parsed.Command() == "serve" && a.settings != nil {
			newLogger(a.settings, a.stderr).Warn(what, "cause", sentence)
			continue
		}
		fmt.Fprintf(a.stderr, "admitto: warning: %s\n", sentence)
	}
}

// flagsOf collects the names of the flags that the grammar knows, those of all commands.
func flagsOf(node *kong.Node) map[string]bool {
	names := map[string]bool{}
	for _, f := range node.Flags {
		names[f.Name] = true
	}
	for _, child := range node.Children {
		maps.Copy(names, flagsOf(child))
	}
	return names
}

// usageOf returns the usage of the command that the arguments name: one line of it, or all commands when
// they name none.
func usageOf(parser *kong.Kong, args []string) string {
	var out bytes.Buffer
	ctx, err := kong.Trace(parser, args)
	if err != nil {
		return ""
	}
	if cmd := ctx.Selected(); cmd != nil {
		fmt.Fprintf(&out, "Usage: admitto %s\n\nRun \"%s --help\" for more and an example.\n", cmd.Summary(), cmd.FullPath())
		return out.String()
	}
	stdout := parser.Stdout
	parser.Stdout = &out
	defer func() { parser.Stdout = stdout }()
	if err := ctx.PrintUsage(false); err != nil {
		return ""
	}
	return out.String()
}

// listSettings writes the table of settings for --help: name and default, then the meaning.
func listSettings(w io.Writer) {
	for _, s := range config.Table() {
		fmt.Fprintf(w, "    %s (%s)\n        %s\n", s.Name, s.ShownDefault(), s.Means)
		if s.Want() != "" {
			fmt.Fprintf(w, "        Must be %s.\n", s.Want())
		}
	}
}

// takeFlags separates the flags of settings, --a.b-c=value or --a.b-c value, from the arguments that kong
// parses. flags maps each as written, without its dashes, to its value. A flag that neither the settings
// nor the grammar know is a fault that names the nearest.
func takeFlags(args []string, grammar map[string]bool) (rest []string, flags map[string]string, faults []string) {
	known := config.Flags()
	all := maps.Clone(known)
	maps.Copy(all, grammar)

	flags = map[string]string{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(rest, args[i:]...), flags, faults
		}
		name, isFlag := strings.CutPrefix(arg, "--")
		name, value, hasValue := strings.Cut(name, "=")
		switch {
		case !isFlag || grammar[name]:
			rest = append(rest, arg)
			continue
		case !known[name]:
			// The value is not repeated: it may be a secret behind a misspelt name.
			faults = append(faults, fmt.Sprintf("--%s is no flag and no setting%s", name, config.DidYouMean("--", name, all)))
			continue
		}
		if !hasValue {
			if i+1 == len(args) || len(args[i+1]) > 1 && args[i+1][0] == '-' {
				faults = append(faults, fmt.Sprintf("--%s needs a value: --%s=VALUE", name, name))
				continue
			}
			i++
			value = args[i]
		}
		if _, twice := flags[name]; twice {
			faults = append(faults, fmt.Sprintf("--%s is given twice; give it once", name))
			continue
		}
		flags[name] = value
	}
	return rest, flags, faults
}
