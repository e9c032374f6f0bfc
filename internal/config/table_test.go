package config

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const goodKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

func defaults(t *testing.T) *Settings {
	t.Helper()
	s, err := Load(Sources{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What the contract names must be in the table with its default (cli.md, lifecycle.md 11.1).
func TestDefaults(t *testing.T) {
	want := map[string]string{
		"data": "./admitto-data", "listen": "127.0.0.1:8443", "base_url": "", "instance.key": "",
		"tls.mode": "self-signed", "tls.cert": "", "tls.key": "", "tls.domains": "", "tls.email": "",
		"tls.acme_directory": "https://acme-v02.api.letsencrypt.org/directory", "tls.acme_roots": "",
		"tls.trusted_proxies": "", "database.url": "sqlite:", "database.replica": "", "database.replica_lag": "30s",
		"database.migrate": "true", "files.url": "", "mail.smtp": "", "mail.from": "admissions@localhost",
		"mail.sync_timeout": "20s", "mail.workers": "4", "api.enabled": "true",
		"api.default_version": strconv.Itoa(max(3, OldestVersion)), "api.oldest_version": strconv.Itoa(OldestVersion),
		"api.auth_schemes": "SERVICE", "api.max_limit": "16384",
		"api.max_limit_expand": "512", "quota.per_minute": "180", "quota.per_hour": "600",
		"documents.max_bytes": "10485760", "pdf.fonts": "", "applicants.reference_pattern": "[A-Za-z0-9./_-]{1,64}",
		"applicants.matriculation_pattern": "[A-Za-z0-9./_-]{1,64}", "applications.max_courses": "10",
		"applications.reopen_until_deadline": "false",
		"invoices.payment_days":              "14", "instance.name": "Admitto", "instance.timezone": "UTC",
		"instance.currency": "EUR", "log.level": "info", "log.format": "", "metrics.listen": "",
		"rules.inactive_mode": "automatic", "rules.draft_reminder_mode": "automatic",
		"rules.reopened_reminder_mode": "automatic", "rules.decision_reminder_mode": "automatic",
		"rules.invoice_reminder_mode": "automatic", "rules.task_reminder_mode": "automatic", "rules.lapse_mode": "automatic",
		"rules.inactive_after_days": "15", "rules.draft_reminder_before_days": "3", "rules.reminder_hour": "09:00",
		"rules.reopened_reminder_after_days": "3", "rules.reopened_reminder_every_days": "10",
		"rules.reopened_reminder_max": "3", "rules.decision_reminder_every_days": "7",
		"rules.decision_reminder_max_days": "60", "rules.decision_reminder_before_days": "2",
		"rules.invoice_reminder_before_days": "3", "rules.unconfirmed_after_days": "30", "offers.decision_buffer_hours": "24",
		"offers.decision_days_default": "14", "offers.decision_days_min": "3", "signin.welcome_link_days": "14",
		"signin.link_minutes": "30", "signin.register_per_hour": "20",
		"withdrawal.undo_minutes": "15", "batch.undo_days": "30", "batch.second_person_over": "50",
		"batch.wave_size": "200", "batch.wave_pause_seconds": "60", "deletion.run_at": "02:00", "deletion.min_hours": "12",
		"matriculation.format": "", "memory.answers": "33554432", "connections.total": "10000",
		"connections.per_address": "4096",
	}
	got := map[string]string{}
	for _, s := range Table() {
		if _, named := want[s.Name]; named {
			got[s.Name] = s.Default
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s := defaults(t)
	if len(s.Values) != len(Table()) {
		t.Errorf("%d values, want %d", len(s.Values), len(Table()))
	}
	if s.Rules.ReminderHour.String() != "09:00" || s.Mail.SyncTimeout != 20*time.Second ||
		s.Mail.From.Address != "admissions@localhost" ||
		s.Instance.Timezone != time.UTC || s.Log.Level != slog.LevelInfo || s.API.MaxLimitExpand != 512 {
		t.Errorf("%+v", s)
	}
	if got := s.SQLitePath(); got != filepath.Join("admitto-data", "admitto.db") {
		t.Errorf("SQLitePath = %s", got)
	}
}

// The names a setting has on the command line and in the environment must lead to one setting only.
func TestNamesAreUnambiguous(t *testing.T) {
	l := &loader{table: Table()}
	secrets := 0
	for _, s := range l.table {
		if s.Secret {
			secrets++
		}
	}
	want := len(l.table) + secrets
	for _, names := range []map[string]written{
		l.names(Setting.Flag, "-file"), l.names(Setting.Env, "_FILE"), l.names(func(s Setting) string { return s.Name },
			"_file"),
	} {
		if len(names) != want {
			t.Errorf("%d names for %d settings and files", len(names), want)
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		name      string
		good, bad []string
	}{
		{"data", []string{"/srv/x", "a b"}, []string{"", " ", "a\nb", "\xff", strings.Repeat("x", 4097)}},
		{"listen", []string{":8443", "0.0.0.0:443", "[::1]:0", "host.example:65535", "[fe80::1%eth0]:1"},
			[]string{"", "8443", "127.0.0.1", "a:b", ":65536", ":-1", ":01", "::1:443", "ho st:1", "-x:1", "a..b:1"}},
		{"base_url", []string{"", "https://apply.example.org", "https://x:8443", "https://[::1]:8443"},
			[]string{"http://x", "https://", "https://x/", "https://x/a", "https://x?a", "https://x#a", "https://u:p@x", "x",
				"https://x:", "https://x:0", "HTTPS://x"}},
		{"instance.name", []string{"Žďár"}, []string{"", "a\tb", strings.Repeat("ž", 101)}},
		{"instance.timezone", []string{"Europe/Prague", "UTC"}, []string{"", "Local", "Mars/Base", "../x", "/etc/passwd"}},
		{"instance.currency", []string{"EUR", "czk"}, []string{"", "EU", "EURO", "E1R", "€€€"}},
		{"instance.languages", []string{"en", "en, pt-BR,ar"}, []string{"", ",", "en,en", "xx-", "EN", "english", "und",
			strings.Repeat("en,", 30)}},
		{"portal.accent", []string{"", "#0B5FA5", "#000000", "#7a1fa2"}, []string{"0B5FA5", "#0B5FA", "#0B5FA5F", "#GGGGGG",
			"red", "#FFFFFF", "#7CB8F2", "#+12345"}},
		{"portal.contact_email", []string{"", "a@b.example"}, []string{"a", "A <a@b.example>", "a@b, c@d"}},
		{"portal.contact_phone", []string{"", "+351 21 000 00 00", "(0)20/123-45", "112"},
			[]string{"abc", "12", "1+2345", "+351\t21", "tel:12345", strings.Repeat("1", 41)}},
		{"portal.help", []string{"", "One.\n\nTwo.", `{"en": "a", "pt": "b"}`, "{}", strings.Repeat("ž", MaxText)},
			[]string{"{", `{"en": 1}`, `{"en": "a"} b`, `{"xx-": "a"}`, "a\x00", `{"en": "a\u0007"}`,
				strings.Repeat("ž", MaxText+1),
				`{"en": {"a": "b"}}`, "\xff"}},
		{"mail.reply_to", []string{"", "a@b", "Žofie <a@b.example>"}, []string{"a", "a@b, c@d", "@"}},
		{"instance.key", []string{"", goodKey, goodKey + "\n" + goodKey}, []string{"x", goodKey[:40], goodKey + goodKey}},
		{"tls.mode", []string{"self-signed"}, []string{"", "Files", "none"}},
		{"tls.domains", []string{"", "example.org", "a.example.org, b.example.org"},
			[]string{"192.0.2.1", "*.example.org", "::1", "a_/b"}},
		{"tls.email", []string{"", "a@example.org"}, []string{"a", "A <a@example.org>", "a@example.org, b@example.org"}},
		{"tls.acme_directory", []string{"https://127.0.0.1:14000/dir"}, []string{"", "http://a/dir", "https://u:p@a/dir",
			"a"}},
		{"database.replica_lag", []string{"0s", "5m"}, []string{"", "-1s", "2h", "30"}},
		{"tls.trusted_proxies", []string{"", "10.0.0.0/8", "10.0.0.1, ::1 192.0.2.0/24"},
			[]string{"10.0.0.0/33", "proxy", "10.0.0.1,x", "fe80::1%eth0"}},
		{"database.url", []string{"sqlite:", "sqlite:a/b.db", "sqlite:///a.db", "postgres://u:p@h:5432/d?sslmode=disable",
			"postgres:///d?host=/run/postgresql", "postgres://u:p@h:5432,i:5433/d?target_session_attrs=read-write",
			"postgres://u:p@/d?host=fd00::1,fd00::2&port=5432,5432"}, []string{"", "mysql://h/d", "sqlite://host/a",
			"sqlite:a?x", "postgres:", "postgres:x", "postgres://:5432/d", "postgres:///d", "admitto.db"}},
		{"database.replica", []string{""}, []string{"sqlite:", "x"}},
		{"database.migrate", []string{"true", "off", "NO", "1"}, []string{"", "maybe", "2"}},
		{"files.url", []string{"", "s3://bucket", "s3://bucket?region=eu-west-1"},
			[]string{"file:///x", "s3://", "s3://u:p@b", "s3://b/x", "./files"}},
		{"mail.smtp", []string{"", "smtp://h", "smtp://u:p@h:587", "smtp://h:25?tls=none", "smtps://u:p%40@h:465/",
			"smtp://[::1]:25"}, []string{"h:25", "http://h", "smtp://", "smtp://u@h", "smtp://:p@h", "smtp://h:0", "smtp://h:x",
			"smtp://h?tls=maybe", "smtps://h?tls=none", "smtp://h/x", "smtp://h#x", "smtp:h"}},
		{"mail.from", []string{"a@b", "Žofie <a@b.example>"}, []string{"", "a", "a@b, c@d", "@"}},
		{"mail.sync_timeout", []string{"1s", "1500ms", "5m"}, []string{"", "20", "0s", "999ms", "5m1s", "-1s"}},
		{"mail.workers", []string{"1", "8"}, []string{"", "0", "9", "-1", "1.5"}},
		{"api.default_version", []string{strconv.Itoa(OldestVersion), "10", "latest"},
			[]string{"", "0", "11", "v3", "Latest"}},
		{"api.oldest_version", []string{strconv.Itoa(OldestVersion), strconv.Itoa(usualVersion)},
			[]string{strconv.Itoa(OldestVersion - 1), "11", "latest"}},
		{"api.auth_schemes", []string{"SERVICE", "A, B C", "x-y"}, []string{"", ",", "a=b", "a:b", `"a"`, "ž"}},
		{"api.max_limit", []string{"1", "32768"}, []string{"", "0", "32769", "1.5", "0x10", "1e3", "99999999999999999999"}},
		{"api.max_limit_expand", []string{"1", "8192"}, []string{"0", "8193"}},
		{"quota.per_minute", []string{"0", "1"}, []string{"-1", "x"}},
		{"memory.answers", []string{"1048576"}, []string{"1048575", "1MiB"}},
		{"applicants.reference_pattern", []string{"[0-9]+", "a|b"}, []string{"", "(", "a)|(b", "(?<",
			strings.Repeat("a", 1001)}},
		{"rules.reminder_hour", []string{"00:00", "23:59"}, []string{"", "24:00", "9:00", "9", "09:60", "09:00:00"}},
		{"rules.inactive_mode", []string{"off", "preview", "automatic"}, []string{"", "on", "Off", "automatic "}},
		{"metrics.listen", []string{"", "127.0.0.1:9090"}, []string{"9090"}},
		{"pdf.fonts", []string{"", "/usr/share/fonts/a b.ttf", "a.ttf, b.ttf"},
			[]string{"a.ttf,,b.ttf", ",", strings.Repeat("x", 4097)}},
		{"log.level", []string{"debug", "WARN"}, []string{"", "trace"}},
		{"log.format", []string{"", "text", "json"}, []string{"xml"}},
		{"matriculation.format",
			[]string{"", "%inc%", "M%inc:5%", "%yearShort%-%incYearly:5%", "%yearLong%%month%%incMonthly%",
				"%yearLong%%month%%day%-%incDaily%"},
			[]string{"abc", "%", "%inc%%inc%", "%inc", "100%-%inc%", "%incYearly%", "%month%%incMonthly%",
				"%yearLong%%day%%incDaily%", "%inc:0%", "%inc:19%", "%yearLong:2%%inc%", "%foo%%inc%", strings.Repeat("x",
					60) + "%inc%"}},
	} {
		env := Setting{Name: c.name}.Env()
		for _, v := range c.good {
			if _, err := Load(Sources{Env: []string{env + "=" + v}}); err != nil {
				t.Errorf("%s=%q: %v", c.name, v, err)
			}
		}
		for _, v := range c.bad {
			_, err := Load(Sources{Env: []string{env + "=" + v}})
			if err == nil {
				t.Errorf("%s=%q is accepted", c.name, v)
				continue
			}
			if got := err.Error(); !strings.HasPrefix(got, c.name+" from environment "+env+": ") ||
				!strings.Contains(got, "it must be ") {
				t.Errorf("%s=%q: %s", c.name, v, got)
			}
		}
	}
}

func TestCrossChecks(t *testing.T) {
	usual, above := strconv.Itoa(usualVersion), strconv.Itoa(usualVersion+1)
	for _, c := range []struct {
		env    string
		faults int
		says   string
	}{
		{"API_DEFAULT_VERSION=" + usual + " API_OLDEST_VERSION=" + usual, 0, ""},
		{"API_OLDEST_VERSION=" + above, 1, "api.default_version (" + usual + " from default) is below api.oldest_version (" +
			above +
			" from environment ADMITTO_API_OLDEST_VERSION)"},
		{"API_OLDEST_VERSION=10 API_DEFAULT_VERSION=latest", 0, ""},
		{"API_OLDEST_VERSION=4 API_DEFAULT_VERSION=x", 1, ""},
		{"TLS_MODE=files", 2, ""},
		{"TLS_MODE=files TLS_CERT=a", 1, "tls.mode (files from environment ADMITTO_TLS_MODE) needs tls.key"},
		{"TLS_MODE=files TLS_CERT=a TLS_KEY=b", 0, ""},
		{"TLS_MODE=proxy", 1, "needs tls.trusted_proxies"},
		{"TLS_MODE=proxy TLS_TRUSTED_PROXIES=x", 1, ""},
		{"TLS_MODE=proxy TLS_TRUSTED_PROXIES=10.0.0.0/8", 0, ""},
		{"TLS_MODE=acme", 1, "needs tls.domains"},
		{"TLS_MODE=acme TLS_DOMAINS=x/y", 1, ""},
		{"TLS_MODE=acme TLS_DOMAINS=apply.example.org", 0, ""},
		{"DATABASE_REPLICA=postgres://h/d", 1, "SQLite has no replicas"},
		{"DATABASE_REPLICA=postgres://h/d DATABASE_URL=postgres://h/d", 0, ""},
		{"METRICS_LISTEN=127.0.0.1:8443", 1, "port of their own"},
		{"METRICS_LISTEN=:8443", 1, "port of their own"},
		{"METRICS_LISTEN=127.0.0.2:8443", 0, ""},
		{"METRICS_LISTEN=:0 LISTEN=:0", 0, ""},
		{"LISTEN=0.0.0.0:8443", 0, ""},
	} {
		var env []string
		for pair := range strings.FieldsSeq(c.env) {
			env = append(env, envPrefix+pair)
		}
		_, err := Load(Sources{Env: env})
		var got Faults
		if faults, ok := err.(*Faults); ok {
			got = *faults
		}
		// A setting that is wrong by itself is told once and not by a cross check again.
		if len(got.List) != c.faults || !strings.Contains(strings.Join(got.List, "\n"), c.says) {
			t.Errorf("%s: %d faults, want %d: %v", c.env, len(got.List), c.faults, err)
		}
	}
}

func TestPatternsAreWholeString(t *testing.T) {
	s, err := Load(Sources{Env: []string{"ADMITTO_APPLICANTS_REFERENCE_PATTERN=a|b"}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"a": true, "b": true, "ab": false, "xa": false, "a\n": false, "": false} {
		if got := s.Applicants.ReferencePattern.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestPublicURL(t *testing.T) {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4711}
	for _, c := range [][3]string{
		{"127.0.0.1:0", "", "https://127.0.0.1:4711"},
		{":8443", "", "https://localhost:4711"},
		{"[::]:0", "", "https://localhost:4711"},
		{"[::1]:0", "", "https://[::1]:4711"},
		{"box:0", "", "https://box:4711"},
		{":0", "https://apply.example.org", "https://apply.example.org"},
	} {
		s := &Settings{Listen: c[0], BaseURL: c[1]}
		if got := s.PublicURL(addr); got != c[2] {
			t.Errorf("%v: %s", c, got)
		}
	}
}

func TestSQLitePath(t *testing.T) {
	for url, want := range map[string]string{
		"sqlite:": "/d/admitto.db", "sqlite:x.db": "/d/x.db", "sqlite:/x/y.db": "/x/y.db", "sqlite:///x.db": "/x.db",
		"postgres://h/d": "",
	} {
		s := &Settings{Data: "/d"}
		s.Database.URL = Secret(url)
		if got := s.SQLitePath(); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

// However a Secret is printed, the value stays inside.
func TestSecretHidesItself(t *testing.T) {
	s := defaults(t)
	s.Mail.SMTP = "hunter2"
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s %q %+v %#v %x", s.Mail.SMTP, s.Mail.SMTP, s.Mail.SMTP, s, s.Mail, s.Mail.SMTP)
	j, err := json.Marshal(s.Mail)
	if err != nil {
		t.Fatal(err)
	}
	b.Write(j)
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "smtp", s.Mail.SMTP, "mail", s.Mail)
	for _, leak := range []string{"hunter2", "68756e74657232"} {
		if strings.Contains(b.String(), leak) {
			t.Errorf("%s shows in: %s", leak, b.String())
		}
	}
}

// FuzzSetting: any value of any setting from any source is taken or refused in a sentence, never a panic,
// and a secret's value is in no sentence.
func FuzzSetting(f *testing.F) {
	table := Table()
	for i, s := range table {
		f.Add(i, s.Default)
		f.Add(i, "%inc:5%(\x00,s3://u:p@h?x=%zz")
	}
	f.Fuzz(func(t *testing.T, i int, value string) {
		if i < 0 || i >= len(table) {
			return
		}
		s := table[i]
		for _, src := range []Sources{
			{Env: []string{s.Env() + "=" + value}},
			{Flags: map[string]string{s.Flag(): value}},
			{Saved: map[string]string{s.Name: value}},
		} {
			got, err := Load(src)
			switch {
			case err == nil && len(got.Values) != len(table):
				t.Errorf("%d values", len(got.Values))
			case err != nil && s.Secret && len(value) > 12 && strings.Contains(err.Error(), value) && !isWords(value, s):
				t.Errorf("the secret shows: %v", err)
			}
		}
	})
}

// isWords reports whether the value is a part of what every refusal says, so that finding it proves nothing.
func isWords(value string, s Setting) bool {
	fixed := refusal(s, given{origin: "environment " + s.Env()}, errWrong) + refusal(s, given{origin: "--" + s.Flag()},
		errWrong)
	return strings.Contains(fixed, value) || slices.ContainsFunc(strings.Fields(value),
		func(w string) bool { return strings.Contains(fixed, w) })
}
