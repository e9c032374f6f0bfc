package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store/storetest"
)

// TestMain lets the test binary be the command `admitto` in the scripts, and in short for the tests that need a
// process. In the long size it builds the real one for these.
func TestMain(m *testing.M) {
	testscript.Main(withBinary{m}, map[string]func(){"admitto": main, standing: stand})
}

// standing is the command admitto that stands still, for good, when it has come as far as ADMITTO_TEST_STAND says, in
// percent, and says so on standard output.
const standing = "admitto-standing"

func stand() {
	at, err := strconv.ParseInt(os.Getenv("ADMITTO_TEST_STAND"), 10, 64)
	if err != nil {
		panic(err)
	}
	a := &app{ctx: context.Background(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, now: time.Now}
	a.watch = func(done, total int64) {
		if 100*done >= at*total {
			fmt.Println("standing")
			select {} // the test kills it
		}
	}
	os.Exit(report(a.dispatch(os.Args[1:], os.Environ()), os.Stderr))
}

// usualVersion answers requests without a version where nothing else is set.
const usualVersion = max(3, config.OldestVersion)

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: filepath.Join("testdata", "script"), RequireExplicitExec: true,
		// migrated makes what admitto migrate makes of a data folder, in a tenth of the time.
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"migrated": func(ts *testscript.TestScript, _ bool, args []string) {
				folder := ts.MkAbs(append(args, "admitto-data")[0])
				ts.Check(os.MkdirAll(folder, 0o700))
				storetest.Migrated.Copy(t, filepath.Join(folder, "admitto.db"))
			}},
		Setup: func(e *testscript.Env) error {
			e.Setenv("OLDEST", strconv.Itoa(config.OldestVersion))
			e.Setenv("USUAL", strconv.Itoa(usualVersion))
			return nil
		},
		Condition: func(name string) (bool, error) { // [long]: the size; [v3]: version 3 is not dropped
			if name == "long" {
				return apptest.Long(), nil
			}
			version, err := strconv.Atoi(strings.TrimPrefix(name, "v"))
			return config.OldestVersion <= version, err
		}})
}

// call runs the command line with an environment of its own.
func call(env []string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = report(run(context.Background(), args, env, strings.NewReader(""), &out, &errs), &errs)
	return code, out.String(), errs.String()
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		says string // on stderr
	}{
		{"version", 0, ""},
		{"--help", 0, ""},
		{"keys create --help", 0, ""},
		{"keys create -h", 0, ""},
		{"config", 0, ""},
		{"config --api.max-limit=100 --data /srv", 0, ""},
		{"", 2, "Usage: admitto <command>"},
		{"fly", 2, "unexpected argument fly"},
		{"keys", 2, "expected one of"},
		{"keys create", 2, "--name"},
		{"keys create --name=x --read-only --allow=GET", 2, "exclude each other"},
		{"keys create --name=x --allow=GET", 2, "is no operation"},
		{"keys revoke x", 2, "ID"},
		{"keys revoke 0", 2, "from 1 on"},
		{"keys lens 0", 2, "from 1 on"},
		{"diff-versions", 2, "PATH"},
		{"demo", 2, "--applicants"},
		{"backup", 2, "FILE"},
		{"restore", 2, "FILE"},
		{"copy", 2, "--from"},
		{"demo --applicants=0", 2, "from 1 to"},
		{"rehearse --people=0", 2, "from 1 to"},
		{"rehearse --seconds=-1", 2, "from 0 to"},
		{"journal verify --from=9 --to=3", 2, "must not be below"},
		{"journal verify --from=-1", 2, "from 1 on"},
		{"config --dat=x", 2, "did you mean --data?"},
		{"config --api.max_limit=1", 2, "did you mean --api.max-limit?"},
		{"config --data", 2, "--data needs a value"},
		{"config --data --listen=:1", 2, "--data needs a value"},
		{"config --data=a --data=b", 2, "given twice"},
		{"config --quite-something-else", 2, "is no flag and no setting\n"},
		{"config --help --dta=x", 2, "did you mean --data?"},
		{"version --dta=x", 2, "did you mean --data?"},
		{"config --api.max-limit=0", 1, "from 1 to 32768"},
		{"config --config=/nowhere/admitto.toml", 1, "settings file"},
		{"version --api.max-limit=0", 0, ""},
		{"journal verify --data=/nowhere", 3, "there is no database at /nowhere/admitto.db"},
		{"keys list --data=/nowhere", 1, "there is no database at /nowhere/admitto.db"},
	} {
		code, _, stderr := call(nil, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("admitto %s: status %d, want %d; stderr:\n%s\nwant in it: %s", c.args, code, c.code, stderr, c.says)
		}
		if (code == 2) != strings.Contains(stderr, "Usage: admitto") {
			t.Errorf("admitto %s: status %d, but stderr is\n%s", c.args, code, stderr)
		}
		if c.code == 0 && stderr != "" {
			t.Errorf("admitto %s: stderr is not empty:\n%s", c.args, stderr)
		}
	}
}

// A command that is refused names the database as it is from everywhere and by what named it, and leaves an empty file
// alone.
func TestRefusedDatabases(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for name, content := range map[string]string{"empty/admitto.db": "",
		"text/admitto.db": strings.Repeat("This is no database.\n", 400)} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ args, says, not string }{
		{"keys list --data=gone",
			"there is no database at " + folder + "/gone/admitto.db; name the data folder of the service with --data", ""},
		{"keys list --data=empty", "there is no database at " + folder + "/empty/admitto.db, the file is empty", ""},
		{"backup --data=empty out", "there is no database at " + folder + "/empty/admitto.db, the file is empty", ""},
		{"copy --from=sqlite:" + folder + "/gone/x.db --to=sqlite:new/x.db",
			"there is no database at " + folder + "/gone/x.db; name the one that is meant with --from", "--data"},
		{"copy --from=sqlite:" + folder + "/empty/admitto.db --to=sqlite:new/x.db",
			folder + "/empty/admitto.db, the file is empty", "--data"},
		{"keys list --data=text", "database.url, " + folder + "/text/admitto.db (SQLite): the file is no SQLite database",
			"“"},
		{"migrate --data=text", "database.url, " + folder + "/text/admitto.db (SQLite): the file is no SQLite database", "“"},
		{"copy --from=sqlite:" + folder + "/text/admitto.db --to=sqlite:new/x.db",
			"--from, " + folder + "/text/admitto.db (SQLite): the file is no SQLite database", "database.url"},
		{"copy --from=sqlite:" + folder + "/gone/x.db --to=sqlite:text/admitto.db", folder + "/gone/x.db", "text"},
	} {
		code, _, stderr := call(nil, strings.Fields(c.args)...)
		if code != 1 || !strings.Contains(stderr, c.says) || c.not != "" && strings.Contains(stderr, c.not) {
			t.Errorf("admitto %s: status %d\n%swant in it: %s\nand not: %s", c.args, code, stderr, c.says, c.not)
		}
	}
	if code, _, stderr := call(nil, "migrate", "--dry-run", "--data=empty"); code != 0 {
		t.Error(stderr)
	}
	if info, err := os.Stat("empty/admitto.db"); err != nil || info.Size() != 0 {
		t.Errorf("the empty file: %v %v", info, err)
	}
}

// What is wrong with the TLS of the database's address is said with the setting, and without the password.
func TestTLSOfDatabaseURL(t *testing.T) {
	for query, says := range map[string]string{
		"sslmode=nonsense":                      "sslmode=nonsense is no mode; it must be one of disable, allow",
		"sslmode=verify-full&sslrootcert=/nope": "the file of sslrootcert: stat /nope: no such file",
		"sslmode=require&sslcert=/nope":         "sslcert",
	} {
		for _, command := range []string{"migrate", "keys list"} {
			code, _, stderr := call([]string{"ADMITTO_DATABASE_URL=postgres://admitto:xyzzy@127.0.0.1:1/x?" + query},
				strings.Fields(command)...)
			if code != 1 || !strings.Contains(stderr, says) || !strings.Contains(stderr, "database.url") ||
				strings.Contains(stderr, "xyzzy") {
				t.Errorf("%s, %s: status %d\n%s", command, query, code, stderr)
			}
		}
	}
}

// Settings of TLS that do nothing in the mode that is set are warned of.
func TestIgnoredTLS(t *testing.T) {
	for args, says := range map[string][]string{
		"--tls.cert=/c.pem --tls.key=/k.pem": {"tls.cert (/c.pem", "tls.key (/k.pem",
			"set tls.mode to files", "tls.mode is self-signed"},
		"--tls.cert=/c.pem --tls.mode=proxy --tls.trusted-proxies=10.0.0.0/8": {"tls.cert (/c.pem", "tls.mode is proxy"},
		"--tls.domains=a.example": {"tls.domains (a.example",
			"set tls.mode to acme"},
		"--tls.mode=files --tls.cert=/c.pem --tls.key=/k.pem": nil,
		"--tls.mode=acme --tls.domains=a.example":             nil,
	} {
		code, _, stderr := call(nil, append([]string{"config", "--data=" + t.TempDir()}, strings.Fields(args)...)...)
		if code != 0 || says == nil && stderr != "" {
			t.Errorf("%s: status %d\n%s", args, code, stderr)
		}
		for _, text := range says {
			if !strings.Contains(stderr, text) {
				t.Errorf("%s: want %q in\n%s", args, text, stderr)
			}
		}
	}
	// The service says it in its log. This one ends at once, for its certificate is not there.
	if _, _, stderr := call(nil, "serve", "--data="+t.TempDir(), "--listen=127.0.0.1:0", "--tls.mode=files",
		"--tls.cert=/c.pem", "--tls.key=/k.pem", "--tls.domains=a.example"); !strings.Contains(stderr,
		"tls.domains (a.example") {
		t.Error(stderr)
	}
}

// Every flag of a setting works on every command, and every command has help with an example.
func TestEveryCommand(t *testing.T) {
	for _, command := range []string{"serve", "demo", "keys create", "keys list", "keys revoke", "keys lens",
		"diff-versions", "check", "health", "migrate", "config", "version", "journal verify", "journal anchor",
		"backup", "restore", "copy", "rehearse", "instance-key rotate", "texts"} {
		code, stdout, _ := call(nil, append(strings.Fields(command), "--help", "--instance.name=X", "--quota.per-hour",
			"5")...)
		if code != 0 || !strings.Contains(stdout, "Usage: admitto "+command) || !strings.Contains(stdout, "Example") {
			t.Errorf("%s --help: status %d, stdout:\n%s", command, code, stdout)
		}
	}
}

// --help of config names every setting.
func TestHelpListsSettings(t *testing.T) {
	_, stdout, _ := call(nil, "config", "--help")
	for _, s := range config.Table() {
		if !strings.Contains(stdout, "    "+s.Name+" (") {
			t.Errorf("%s is not in the help", s.Name)
		}
	}
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		says string
	}{
		{nil, 0, ""},
		{errors.New("the disk is full"), 1, "admitto: the disk is full\n"},
		{fmt.Errorf("saving: %w", &exit{code: 3, err: errors.New("no answer")}), 3, "admitto: saving: no answer\n"},
		{&exit{code: 1}, 1, ""},
		{fmt.Errorf("counting: %w", context.Canceled), 1, "admitto: interrupted\n"},
	} {
		var out bytes.Buffer
		if code := report(c.err, &out); code != c.code || out.String() != c.says {
			t.Errorf("report(%v) = %d %q, want %d %q", c.err, code, out.String(), c.code, c.says)
		}
	}
}
