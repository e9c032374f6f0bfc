package main

import (
	"fmt"
	"io"
	"runtime/debug"
)

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
	return printVersion(app.stdout, info)
}

// printVersion prints what the build remembers. A build outside a repository knows no commit.
func printVersion(w io.Writer, info *debug.BuildInfo) error {
	release, commit, goVersion := info.Main.Version, "unknown", info.GoVersion
	if release == "" {
		release = "(devel)"
	}
	if goVersion == "" {
		goVersion = "unknown"
	}
	changed := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && s.Value != "":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " (with changes)"
		}
	}
	_, err := fmt.Fprintf(w, "version %s\ncommit  %s%s\ngo      %s\n", release, commit, changed, goVersion)
	return err
}
