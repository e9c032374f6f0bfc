package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime/debug"
)

// release and commit are stamped by the linker (-X main.release=v1.2.3 -X main.commit=…) and never written by code.
// Builds that may not ask git (-buildvcs=false, a container without .git) know them from nowhere else; empty, what the
// go command has noted counts.
var release, commit string

// versionCmd is `admitto version`.
type versionCmd struct{}

// Help is shown by --help.
func (*versionCmd) Help() string {
	return `Works whatever the settings are.

Example:

    admitto version`
}

// Run prints three lines.
func (c *versionCmd) Run(app *app) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return printVersion(app.stdout, info, release, commit)
}

// printVersion prints what was stamped, or else what the build remembers. An unstamped build outside a repository knows
// no commit.
func printVersion(w io.Writer, info *debug.BuildInfo, release, commit string) error {
	release, commit = stamped(info, release, commit)
	_, err := fmt.Fprintf(w, "version %s\ncommit  %s\ngo      %s\n", release, commit, cmp.Or(info.GoVersion, unknown))
	return err
}

// builtVersion is the release, and the commit where that is known.
func builtVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	release, commit := stamped(info, release, commit)
	if commit == unknown {
		return release
	}
	return release + " (" + commit[:min(len(commit), 12)] + ")"
}

// unknown stands for what a build does not know of itself.
const unknown = "unknown"

// stamped is the release and the commit of a build.
func stamped(info *debug.BuildInfo, release, commit string) (version, of string) {
	changed := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = cmp.Or(commit, s.Value)
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " (with changes)"
		}
	}
	return cmp.Or(release, info.Main.Version, "(devel)"), cmp.Or(commit, unknown) + changed
}
