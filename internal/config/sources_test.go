package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func overwrite(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPrecedence(t *testing.T) {
	file := write(t, "admitto.toml", "[instance]\nname = \"file\"\n")
	src := Sources{
		Flags: map[string]string{"instance.name": "flag"},
		Env:   []string{"ADMITTO_INSTANCE_NAME=env", "HOME=/root", "ADMITTO_TEST_POSTGRES=x"},
		File:  file,
		Saved: map[string]string{"instance.name": "saved"},
	}
	for _, c := range []struct {
		want, origin string
		outside      bool
		drop         func()
	}{
		{"flag", "--instance.name", true, func() { src.Flags = nil }},
		{"env", "environment ADMITTO_INSTANCE_NAME", true, func() { src.Env = nil }},
		{"file", file, true, func() { src.File = "" }},
		{"saved", "interface", false, func() { src.Saved = nil }},
		{"Admitto", "default", false, func() {}},
	} {
		s, err := Load(src)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range s.Values {
			if v.Name == "instance.name" {
				if diff := cmp.Diff(Value{Name: v.Name, Text: c.want, Origin: c.origin, Default: "Admitto", Outside: c.outside},
					v); diff != "" {
					t.Error(diff)
				}
			}
		}
		if s.Instance.Name != c.want {
			t.Errorf("%q, want %q", s.Instance.Name, c.want)
		}
		c.drop()
	}
}

func TestConfigPath(t *testing.T) {
	a, b := write(t, "a.toml", "data = \"a\""), write(t, "b.toml", "data = \"b\"")
	for _, c := range []struct {
		src  Sources
		want string
	}{
		{Sources{File: a, Env: []string{"ADMITTO_CONFIG=" + b}}, "a"},
		{Sources{Env: []string{"ADMITTO_CONFIG=" + b}}, "b"},
		{Sources{Env: []string{"ADMITTO_CONFIG="}}, "./admitto-data"},
	} {
		s, err := Load(c.src)
		if err != nil || s.Data != c.want {
			t.Errorf("%+v: %v %v", c.src, s, err)
		}
	}
}

func TestSecretFiles(t *testing.T) {
	path := write(t, "smtp", "\n smtp://u:p@h:587 \n")
	for _, src := range []Sources{
		{Env: []string{"ADMITTO_MAIL_SMTP_FILE=" + path}},
		{Flags: map[string]string{"mail.smtp-file": path}},
		{File: write(t, "c.toml", "[mail]\nsmtp_file = '"+path+"'\n")},
		// The two are in different sources: the earlier one wins, nothing is wrong.
		{Flags: map[string]string{"mail.smtp-file": path}, Env: []string{"ADMITTO_MAIL_SMTP=smtp://other"}},
	} {
		s, err := Load(src)
		if err != nil || s.Mail.SMTP != "smtp://u:p@h:587" {
			t.Errorf("%+v: %v", src, err)
		}
	}
	for _, c := range []struct {
		src  Sources
		says string
	}{
		{Sources{Env: []string{"ADMITTO_MAIL_SMTP=smtp://h", "ADMITTO_MAIL_SMTP_FILE=" + path}},
			"mail.smtp is given twice, by environment ADMITTO_MAIL_SMTP and by environment ADMITTO_MAIL_SMTP_FILE"},
		{Sources{Flags: map[string]string{"mail.smtp": "smtp://h", "mail.smtp-file": path}}, "given twice"},
		{Sources{File: write(t, "d.toml", "mail.smtp = 'smtp://h'\nmail.smtp_file = '"+path+"'\n")}, "given twice"},
		{Sources{Env: []string{"ADMITTO_MAIL_SMTP_FILE=/nowhere/x"}}, "the file cannot be read"},
		{Sources{Env: []string{"ADMITTO_MAIL_SMTP_FILE=/dev/zero"}}, "is longer than"},
		{Sources{Env: []string{"ADMITTO_MAIL_SMTP_FILE=" + write(t, "bad", "hunter2")}},
			"mail.smtp from environment ADMITTO_MAIL_SMTP_FILE: the value (not shown, it is a secret) is refused"},
	} {
		_, err := Load(c.src)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.src, err)
		}
	}
}

// Names in the environment that look like settings stop nothing. What they hold is told nowhere.
func TestStrangeNames(t *testing.T) {
	env := []string{"ADMITTO_MAIL_SMPT=smtp://u:hunter2@h", "ADMITTO_PORT=tcp://10.0.0.1:8443",
		"ADMITTO_INSTANCE_NAME_FILE=/x", "ADMITTO_TEST_X=1", "ADMITTO_API_MAX_LIMIT=5"}
	want := []string{
		"ADMITTO_INSTANCE_NAME_FILE in the environment is no setting; did you mean ADMITTO_INSTANCE_KEY_FILE?",
		"ADMITTO_MAIL_SMPT in the environment is no setting; did you mean ADMITTO_MAIL_SMTP?",
		"ADMITTO_PORT in the environment is no setting",
	}
	s, err := Load(Sources{Env: env})
	if err != nil || s.API.MaxLimit != 5 {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, s.Strange); diff != "" {
		t.Error(diff)
	}
	_, err = Load(Sources{Env: append(env, "ADMITTO_QUOTA_PER_HOUR=many")})
	var wrong *Faults
	if !errors.As(err, &wrong) || len(wrong.List) != 1 || !slices.Equal(wrong.Strange, want) {
		t.Errorf("%+v", err)
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	file := write(t, "admitto.toml", `
data = ""
colour = "red"
[api]
max_limit = 99999
max_limits = 5
auth_schemes = ["A", 5]
[deletion]
run_at = 02:00:00
[instance]
key = "hunter2hunter2"
[paint]
smtp = "hunter2hunter2"
[mail.smtp]
user = "hunter2hunter2"
`)
	_, err := Load(Sources{
		Flags: map[string]string{"instance.currency": "euro", "nothing.known": "hunter2hunter2"},
		Env: []string{"ADMITTO_TLS_MODE=files", "ADMITTO_MAIL_SMPT=smtp://u:hunter2hunter2@h",
			"ADMITTO_DATABASE_URL=mysql://u:hunter2hunter2@h"},
		File:  file,
		Saved: map[string]string{"api.default_version": "11", "listen": ":1", "gone.setting": "hunter2hunter2"},
	})
	var got *Faults
	if !errors.As(err, &got) {
		t.Fatal(err)
	}
	want := []string{
		`--nothing.known is no setting`,
		`api.auth_schemes in FILE must be a text in quotes, a number, true, false or a list of texts`,
		`api.max_limits in FILE is no setting; did you mean api.max_limit?`,
		`colour in FILE is no setting`,
		`deletion.run_at in FILE must be a text in quotes, a number, true, false or a list of texts`,
		`mail.smtp in FILE must be a text in quotes, a number, true, false or a list of texts`,
		`paint in FILE is no setting`,
		`gone.setting, saved in the interface, is no setting`,
		`listen is saved in the interface, but counts from the command line, the environment or the settings file only`,
		`data from FILE: "" is refused; it must be one line of 1 to 4096 characters`,
		`instance.currency from --instance.currency: "euro" is refused; it must be the three letters of a currency such as EUR`,
		`instance.key from FILE: the value (not shown, it is a secret) is refused; it must be 32 bytes in base64 (openssl rand -base64 32), or empty`,
		`database.url from environment ADMITTO_DATABASE_URL: the value (not shown, it is a secret) is refused; it must be sqlite: (in the data folder), sqlite:PATH or postgres://user:password@host/name`,
		fmt.Sprintf(`api.default_version from interface: "11" is refused; it must be a version of the API from %d to 10, or latest`, OldestVersion),
		`api.max_limit from FILE: "99999" is refused; it must be a whole number from 1 to 32768`,
		`tls.mode (files from environment ADMITTO_TLS_MODE) needs tls.cert, the path of the certificate in PEM`,
		`tls.mode (files from environment ADMITTO_TLS_MODE) needs tls.key, the path of the certificate's private key in PEM`,
	}
	for i, f := range got.List {
		got.List[i] = strings.ReplaceAll(f, file, "FILE")
	}
	if diff := cmp.Diff(want, got.List); diff != "" {
		t.Error(diff)
	}
	if text := err.Error(); strings.Contains(text, "hunter2") || !strings.HasPrefix(text,
		"17 faults in the settings:\n  --nothing") {
		t.Error(text)
	}
}

// Before the database is read a check that a saved value can put right must wait.
func TestSavedLater(t *testing.T) {
	src := Sources{Env: []string{"ADMITTO_API_OLDEST_VERSION=5"}, SavedLater: true}
	if _, err := Load(src); err != nil {
		t.Error(err)
	}
	src.SavedLater = false
	if _, err := Load(src); err == nil {
		t.Error("a default version below the oldest is accepted")
	}
	src.Saved = map[string]string{"api.default_version": "6"}
	if s, err := Load(src); err != nil || s.API.DefaultVersion != 6 {
		t.Error(err)
	}
}

func TestTOML(t *testing.T) {
	const good = `
listen = ":443"
database.migrate = false
[api]
auth_schemes = ["SERVICE", "OLD"]
max_limit = 100
[tls]
mode = "proxy"
trusted_proxies = ["10.1.2.3/8", "::1"]
[mail]
`
	if _, err := Load(Sources{File: write(t, "a.toml", good+"[colours]\n")}); err == nil {
		t.Error("an unknown empty table is accepted")
	}
	s, err := Load(Sources{File: write(t, "a.toml", good)})
	if err != nil {
		t.Fatal(err)
	}
	if s.Listen != ":443" || s.Database.Migrate || s.API.MaxLimit != 100 ||
		cmp.Diff([]string{"SERVICE", "OLD"}, s.API.AuthSchemes) != "" ||
		len(s.TLS.TrustedProxies) != 2 || s.TLS.TrustedProxies[0].String() != "10.0.0.0/8" ||
		s.TLS.TrustedProxies[1].String() != "::1/128" {
		t.Errorf("%+v", s)
	}
	for _, bad := range []string{"[mail]\nsmtp = hunter2\n", "\n\nmail.smtp = \"hunter2\\q\"",
		"[mail]\nsmtp = \"hunter2\n", "hunter2", "mail.smtp = \"hunter2\"\nmail.smtp = \"hunter2\""} {
		_, err := Load(Sources{File: write(t, "bad.toml", bad)})
		if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "is not TOML in line") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// FuzzTOML: whatever the settings file holds, there is an answer and never a panic.
func FuzzTOML(f *testing.F) {
	for _, seed := range []string{"", "data = 1", "[mail]\nsmtp = \"smtp://u:p@h\"", "a.b.c.d = [[1,2],{x=1}]",
		"[[mail]]\nsmtp=1", "api = 5", "\"\\u0000\" = 1", "x = 1979-05-27", "[mail.smtp]\nx=1", "= ", "data = nan"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		l := &loader{table: Table(), values: map[string]given{}}
		rows := l.fromTOML(content, "admitto.toml")
		for _, row := range rows {
			if row.file {
				return // no paths from outside are opened here
			}
		}
		l.layer(rows)
		crossChecks(l.parse(), false)
	})
}

func TestDidYouMean(t *testing.T) {
	known := map[string]bool{"mail.smtp": true, "mail.from": true, "data": true}
	for name, want := range map[string]string{
		"mail.smpt":              "; did you mean mail.smtp?",
		"mail_smtp":              "; did you mean mail.smtp?",
		"dat":                    "; did you mean data?",
		"zzzzzzzzzz":             "",
		"":                       "",
		strings.Repeat("x", 999): "",
	} {
		if got := DidYouMean("", name, known); got != want {
			t.Errorf("DidYouMean(%.20q) = %q, want %q", name, got, want)
		}
	}
}
