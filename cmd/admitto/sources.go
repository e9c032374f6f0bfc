package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

const (
	envPrefix  = "ADMITTO_"
	envConfig  = "ADMITTO_CONFIG"
	envTest    = "ADMITTO_TEST_" // left to the tests
	fileSuffix = "_file"
)

// sources is everything that settings are read from. In this order: what stands first wins.
type sources struct {
	flags  map[string]string // as written, without dashes
	env    []string          // KEY=value
	config string            // path of the settings file; empty: ADMITTO_CONFIG, and without that none
	saved  map[string]string // by setting name; from the database, secrets unsealed

	// savedLater says that saved is not known yet. Then the cross checks wait that saved values decide.
	savedLater bool
}

// settingFaults is everything that is wrong with the settings, one sentence each.
type settingFaults struct {
	faults  []string
	strange []string // as Settings.Strange
}

// Error tells all faults.
func (e *settingFaults) Error() string {
	if len(e.faults) == 1 {
		return e.faults[0]
	}
	return fmt.Sprintf("%d faults in the settings:\n  %s", len(e.faults), strings.Join(e.faults, "\n  "))
}

// given is a value that a source has for a setting.
type given struct {
	text    string
	origin  string // as told to a person: "--mail.smtp", "environment ADMITTO_MAIL_SMTP", "admitto.toml"
	file    bool   // text is the path of the file that has the value
	outside bool
}

// loader collects values and faults while the sources are read.
type loader struct {
	table   []setting
	values  map[string]given // the winner for each setting
	faults  []string
	strange []string // what is told and does not stop the start
}

// load reads all sources and checks all settings. Its error is a *settingFaults with everything that is
// wrong.
func load(src sources) (*Settings, error) {
	l := &loader{table: settings(), values: map[string]given{}}
	l.layer(l.fromFlags(src.flags))
	l.layer(l.fromEnv(src.env))
	path, how := src.config, "--config"
	for _, pair := range src.env {
		if v, ok := strings.CutPrefix(pair, envConfig+"="); ok && path == "" {
			path, how = v, envConfig
		}
	}
	if path != "" {
		l.layer(l.fromFile(path, how))
	}
	l.layer(l.fromSaved(src.saved))

	s := l.parse()
	l.faults = append(l.faults, crossChecks(s, src.savedLater)...)
	if len(l.faults) > 0 {
		return nil, &settingFaults{l.faults, l.strange}
	}
	s.Strange = l.strange
	return s, nil
}

// written is one value as a source has it.
type written struct {
	name string // of the setting
	given
}

// layer takes the values of one source for the settings that no source before it had. Within one source a
// secret must not be given both as value and as file: nobody could say which is meant.
func (l *loader) layer(rows []written) {
	here := map[string]given{}
	for _, w := range rows {
		if other, both := here[w.name]; both {
			l.fault("%s is given twice, by %s and by %s; give one of them", w.name, other.origin, w.origin)
			continue
		}
		here[w.name] = w.given
	}
	for name, g := range here {
		if _, ok := l.values[name]; !ok {
			l.values[name] = g
		}
	}
}

func (l *loader) fault(format string, args ...any) {
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// names maps what a source calls the settings, and the files of secrets, to rows without a value.
func (l *loader) names(call func(setting) string, suffix string) map[string]written {
	names := map[string]written{}
	for _, s := range l.table {
		names[call(s)] = written{name: s.name}
		if s.secret && suffix != "" {
			names[call(s)+suffix] = written{name: s.name, given: given{file: true}}
		}
	}
	return names
}

// unknown is the fault of a name that is no setting.
func (l *loader) unknown(prefix, name, where string, names map[string]written) {
	l.faults = append(l.faults, isNoSetting(prefix, name, where, names))
}

// isNoSetting is the sentence about a name that is no setting. The value is not told: it may be a secret.
func isNoSetting(prefix, name, where string, names map[string]written) string {
	known := map[string]bool{}
	for n := range names {
		known[n] = true
	}
	shown := prefix + name
	if strings.IndexFunc(shown, unicode.IsControl) >= 0 || len(shown) > 200 {
		shown = strconv.Quote(fmt.Sprintf("%.200s", shown))
	}
	return fmt.Sprintf("%s%s is no setting%s", shown, where, didYouMean(prefix, name, known))
}

func (l *loader) fromFlags(flags map[string]string) (rows []written) {
	names := l.names(setting.flag, "-file")
	for _, flag := range slices.Sorted(maps.Keys(flags)) {
		row, ok := names[flag]
		if !ok {
			l.unknown("--", flag, "", names)
			continue
		}
		row.text, row.origin, row.outside = flags[flag], "--"+flag, true
		rows = append(rows, row)
	}
	return rows
}

// fromEnv reads the environment. A name of ours that is no setting is told and left alone, since others make such names:
// Kubernetes does for each service called admitto, ADMITTO_PORT among them (cli.md, Settings).
func (l *loader) fromEnv(env []string) (rows []written) {
	names := l.names(func(s setting) string { return strings.TrimPrefix(s.env(), envPrefix) }, strings.ToUpper(fileSuffix))
	for _, pair := range slices.Sorted(slices.Values(env)) {
		key, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(key, envPrefix) || strings.HasPrefix(key, envTest) || key == envConfig {
			continue
		}
		name := strings.TrimPrefix(key, envPrefix)
		row, ok := names[name]
		if !ok {
			l.strange = append(l.strange, isNoSetting(envPrefix, name, " in the environment", names))
			continue
		}
		row.text, row.origin, row.outside = value, "environment "+key, true
		rows = append(rows, row)
	}
	return rows
}

func (l *loader) fromSaved(saved map[string]string) (rows []written) {
	names := l.names(func(s setting) string { return s.name }, "")
	startOnly := map[string]bool{}
	for _, s := range l.table {
		startOnly[s.name] = s.startOnly
	}
	for _, name := range slices.Sorted(maps.Keys(saved)) {
		row, ok := names[name]
		switch {
		case !ok:
			l.unknown("", name, ", saved in the interface,", names)
			continue
		case startOnly[name]:
			l.fault("%s is saved in the interface, but counts from the command line, the environment or the settings file only", name)
			continue
		}
		row.text, row.origin = saved[name], "interface"
		rows = append(rows, row)
	}
	return rows
}

func (l *loader) fromFile(path, how string) []written {
	content, err := readLimited(path, 64<<10) // ten times what all settings take; the parser is slow on big nonsense
	if err != nil {
		l.fault("the settings file of %s cannot be read: %v", how, err)
		return nil
	}
	return l.fromTOML(content, path)
}

// fromTOML reads the settings file. What the parser says about a syntax error is replaced by the place,
// because it quotes from the file, where secrets are.
func (l *loader) fromTOML(content []byte, path string) (rows []written) {
	var tree map[string]any
	if _, err := toml.Decode(string(content), &tree); err != nil {
		place := ""
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			place = fmt.Sprintf(" in line %d", syntax.Position.Line)
		}
		l.fault("%s is not TOML%s: a setting is written as name = \"text\", a number, true or false", path, place)
		return nil
	}
	names := l.names(func(s setting) string { return s.name }, fileSuffix)
	l.walk(tree, "", path, names, &rows)
	return rows
}

// walk flattens the tables of a settings file to dotted names.
func (l *loader) walk(tree map[string]any, prefix, path string, names map[string]written, rows *[]written) {
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		name := prefix + key
		row, ok := names[name]
		if sub, isTable := tree[key].(map[string]any); isTable && !ok && isSection(name, names) {
			l.walk(sub, name+".", path, names, rows)
			continue
		}
		if !ok {
			l.unknown("", name, " in "+path, names)
			continue
		}
		text, ok := tomlText(tree[key])
		if !ok {
			l.fault("%s in %s must be a text in quotes, a number, true, false or a list of texts", name, path)
			continue
		}
		row.text, row.origin, row.outside = text, path, true
		if row.file {
			row.origin = path + ", " + name
		}
		*rows = append(*rows, row)
	}
}

func isSection(name string, names map[string]written) bool {
	for n := range names {
		if strings.HasPrefix(n, name+".") {
			return true
		}
	}
	return false
}

// tomlText gives a value of the settings file in the form of the other sources.
func tomlText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			text, ok := item.(string)
			if !ok {
				return "", false
			}
			items[i] = text
		}
		return strings.Join(items, ","), true
	}
	return "", false
}

// parse fills the settings from the winning values, in the order of the table.
func (l *loader) parse() *Settings {
	s := &Settings{}
	for _, row := range l.table {
		g, ok := l.values[row.name]
		if !ok {
			g = given{text: row.def, origin: "default"}
		}
		if g.file {
			content, err := readLimited(g.text, 64<<10)
			if err != nil {
				l.fault("%s from %s: the file cannot be read: %v", row.name, g.origin, err)
				continue
			}
			g.text = strings.TrimSpace(string(content))
		}
		err := errors.New("it is not one line of UTF-8")
		if utf8.ValidString(g.text) && strings.IndexFunc(g.text, unicode.IsControl) < 0 {
			err = row.kind.set(s, g.text)
		}
		if err != nil {
			l.fault("%s", refusal(row, g, err))
			continue
		}
		v := Value{Name: row.name, Text: g.text, Origin: g.origin, Default: row.shownDefault(), Secret: row.secret, Outside: g.outside}
		if row.secret {
			v.Text = Secret(g.text).String()
			if !ok {
				v.Text = "" // "(set)" would say that somebody set it
			}
		}
		s.Values = append(s.Values, v)
	}
	return s
}

// refusal is the sentence about a value that is not right. A secret's value is not in it, nor what the
// parser says about it.
func refusal(row setting, g given, err error) string {
	value, detail := "the value (not shown, it is a secret)", ""
	if !row.secret {
		value = strconv.Quote(g.text)
		if len(value) > 120 {
			value = strconv.Quote(fmt.Sprintf("%.100s", g.text)) + " (cut)"
		}
		if err.Error() != "" {
			detail = " (" + err.Error() + ")"
		}
	}
	return fmt.Sprintf("%s from %s: %s is refused%s; it must be %s", row.name, g.origin, value, detail, row.kind.want)
}

// readLimited reads a small file. A path to something endless, such as /dev/zero, must not fill the memory.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = fmt.Errorf("%s is longer than %d bytes", path, limit)
	}
	return content, err
}
