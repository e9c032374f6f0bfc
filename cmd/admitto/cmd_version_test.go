package main

import (
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
)

func TestPrintVersion(t *testing.T) {
	remembered := func(settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "v1.2.2+dirty"}, Settings: settings}
	}
	revision, modified := debug.BuildSetting{Key: "vcs.revision", Value: "abc"}, debug.BuildSetting{Key: "vcs.modified",
		Value: "true"}
	for name, test := range map[string]struct {
		info            *debug.BuildInfo
		release, commit string
		want            string
	}{
		"nothing":    {&debug.BuildInfo{}, "", "", "version (devel)\ncommit  unknown\ngo      unknown\n"},
		"remembered": {remembered(revision), "", "", "version v1.2.2+dirty\ncommit  abc\ngo      go1.26.0\n"},
		"changed": {remembered(revision, modified), "", "",
			"version v1.2.2+dirty\ncommit  abc (with changes)\ngo      go1.26.0\n"},
		"stamped": {remembered(revision), "v1.2.3", "def", "version v1.2.3\ncommit  def\ngo      go1.26.0\n"},
		"no git":  {remembered(), "v1.2.3", "def", "version v1.2.3\ncommit  def\ngo      go1.26.0\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := printVersion(&out, test.info, test.release, test.commit); err != nil || out.String() != test.want {
				t.Errorf("%v\n%swant\n%s", err, out.String(), test.want)
			}
		})
	}
}

// The names that the linker is told by TestMain, internal/release and the container file are those of the variables: a
// misspelled one would be ignored. In the long size only.
func TestStampedVersion(t *testing.T) {
	if !apptest.Long() {
		return // the real binary is not built
	}
	out, err := exec.Command(binary, "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "version v1.2.3\ncommit  0123abc\ngo ") {
		t.Errorf("%v\n%s", err, out)
	}
}
