package config

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
	envPrefix      = "ADMITTO_"
	envConfig      = "ADMITTO_CONFIG"
	envTest        = "ADMITTO_TEST_" // left to the tests
	fileSuffix     = "_file"
	flagFileSuffix = "-file"
)

// Sources is everything that settings are read from, in this order: what comes first wins.
type Sources struct {
	Flags map[string]string // as written, without dashes
	Env   []string          // KEY=value
	File  string            // path of the settings file; empty: ADMITTO_CONFIG, and without that none
	Saved map[string]string // by setting name; from the database, secrets unsealed

	// SavedLater says that Saved is not known yet. Then the cross checks wait that saved values decide.
	SavedLater bool
}

// Faults is everything that is wrong with the settings, one sentence each.
type Faults struct {
	List    []string
	Strange []string // as Settings.Strange
}

// Error joins all faults.
func (e *Faults) Error() string {
	if len(e.List) == 1 {
		return e.List[0]
	}
	return fmt.Sprintf("%d faults in the settings:\n  %s", len(e.List), strings.Join(e.List, "\n  "))
}

// given is a value that a source has for a setting.
type given struct {
	text    string
	origin  string // as told to a person: "--mail.smtp", "environment ADMITTO_MAIL_SMTP", "admitto.toml"
	file    bool   // text is the path of the file that has the value, until that is read
	unread  bool   // the file could not be read, which has been said
	outside bool
}

// loader collects values and faults while the sources are read.
type loader struct {
	table   []Setting
	values  map[string]given // the winner for each setting
	faults  []string
	strange []string // what is told and does not stop the start
}

// Load reads all sources and checks all settings. Its error is a *Faults with everything that is wrong.
func Load(src Sources) (*Settings, error) {
	l := &loader{table: Table(), values: map[string]given{}}
	l.layer(l.fromFlags(src.Flags))
	l.layer(l.fromEnv(src.Env))
	path, how := src.File, "--config"
	for _, pair := range src.Env {
		if v, ok := strings.CutPrefix(pair, envConfig+"="); ok && path == "" {
			path, how = v, envConfig
		}
	}
	if path != "" {
		l.layer(l.fromFile(path, how))
	}
	l.readSecretFiles()
	return l.finish(src.Saved, src.SavedLater)
}

// finish adds what is saved in the database to the other sources and makes the settings.
func (l *loader) finish(saved map[string]string, savedLater bool) (*Settings, error) {
	outside := maps.Clone(l.values)
	l.layer(l.fromSaved(saved))
	s := l.parse()
	l.faults = append(l.faults, crossChecks(s, savedLater)...)
	if len(l.faults) > 0 {
		return nil, &Faults{List: l.faults, Strange: l.strange}
	}
	s.Strange = l.strange
	s.again = func(saved map[string]string) (*Settings, error) {
		again := &loader{table: l.table, values: maps.Clone(outside), strange: l.strange}
		return again.finish(saved, false)
	}
	return s, nil
}

// WithSaved returns the settings with other values saved in the database. The other sources are not read again: a file
// that was changed meanwhile counts from the next start on. Its error is a *Faults.
func (s *Settings) WithSaved(saved map[string]string) (*Settings, error) { return s.again(saved) }

// Defaults returns the settings when no source has any.
func Defaults() *Settings {
	s, err := Load(Sources{})
	if err != nil {
		panic(err) // a default of ours is refused: not reached, a test loads them
	}
	return s
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
func (l *loader) names(call func(Setting) string, suffix string) map[string]written {
	names := map[string]written{}
	for _, s := range l.table {
		names[call(s)] = written{name: s.Name}
		if s.Secret && suffix != "" {
			names[call(s)+suffix] = written{name: s.Name, given: given{file: true}}
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
	return fmt.Sprintf("%s%s is no setting%s", shownName(prefix+name), where, DidYouMean(prefix, name, known))
}

// shownName is an unknown name as it may stand in a sentence.
func shownName(name string) string {
	if strings.IndexFunc(name, unicode.IsControl) >= 0 || len(name) > 200 {
		return strconv.Quote(fmt.Sprintf("%.200s", name))
	}
	return name
}

func (l *loader) fromFlags(flags map[string]string) (rows []written) {
	names := l.names(Setting.Flag, flagFileSuffix)
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

// fromEnv reads the environment. A name of ours that is no setting is told and left alone, since others make such
// names: Kubernetes does for each service called admitto, ADMITTO_PORT among them (cli.md, Settings).
func (l *loader) fromEnv(env []string) (rows []written) {
	names := l.names(func(s Setting) string { return strings.TrimPrefix(s.Env(), envPrefix) }, strings.ToUpper(fileSuffix))
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
	names := l.names(func(s Setting) string { return s.Name }, "")
	startOnly := map[string]bool{}
	for _, s := range l.table {
		startOnly[s.Name] = s.StartOnly
	}
	for _, name := range slices.Sorted(maps.Keys(saved)) {
		row, ok := names[name]
		switch {
		case !ok:
			l.unknown("", name, ", saved in the interface,", names)
			continue
		case startOnly[name]:
			l.fault("%s is saved in the interface, but counts from the command line, the environment or the settings file only",
				name)
			continue
		}
		row.text, row.origin = saved[name], "interface"
		rows = append(rows, row)
	}
	return rows
}

func (l *loader) fromFile(path, how string) []written {
	content, err := ReadLimited(path, 64<<10) // ten times what all settings take; the parser is slow on big nonsense
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
	names := l.names(func(s Setting) string { return s.Name }, fileSuffix)
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

// tomlText returns a value of the settings file in the form of the other sources.
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

// readSecretFiles puts the values of secrets in the place of the paths of their files.
func (l *loader) readSecretFiles() {
	for _, row := range l.table {
		g := l.values[row.Name]
		if !g.file {
			continue
		}
		content, err := ReadLimited(g.text, 64<<10)
		if err != nil {
			l.fault("%s from %s: the file cannot be read: %v", row.Name, g.origin, err)
		}
		g.text, g.file, g.unread = strings.TrimSpace(string(content)), false, err != nil
		l.values[row.Name] = g
	}
}

// parse fills the settings from the winning values, in the order of the table.
func (l *loader) parse() *Settings {
	s := &Settings{}
	for _, row := range l.table {
		g, ok := l.values[row.Name]
		if !ok {
			g = given{text: row.Default, origin: "default"}
		}
		if g.unread {
			continue
		}
		if err := row.check(s, g.text); err != nil {
			l.fault("%s", refusal(row, g, err))
			continue
		}
		v := Value{Name: row.Name, Text: g.text, Origin: g.origin, Default: row.ShownDefault(), Secret: row.Secret,
			Outside: g.outside}
		if row.Secret {
			v.Text = Secret(g.text).String()
			if !ok {
				v.Text = "" // "(set)" would say that somebody set it
			}
		}
		s.Values = append(s.Values, v)
	}
	return s
}

// check puts a value into the settings, or says what is wrong with it.
func (s Setting) check(into *Settings, text string) error {
	unreadable := unicode.IsControl
	if s.kind.several {
		unreadable = isUnreadable
	}
	if !utf8.ValidString(text) || strings.IndexFunc(text, unreadable) >= 0 {
		return errors.New("it is not one line of UTF-8")
	}
	return s.kind.set(into, text)
}

// refusal is the sentence about a value that is not right. A secret's value is not in it, nor what the
// parser says about it.
func refusal(row Setting, g given, err error) string {
	value, detail := shownValue(row, g.text, err)
	return fmt.Sprintf("%s from %s: %s is refused%s; it must be %s", row.Name, g.origin, value, detail, row.kind.want)
}

// shownValue is a wrong value as it may stand in a sentence, and what the check says of it behind a space in brackets,
// if anything.
func shownValue(row Setting, text string, err error) (value, detail string) {
	if row.Secret {
		return "the value (not shown, it is a secret)", ""
	}
	value = strconv.Quote(text)
	if len(value) > 120 {
		value = strconv.Quote(fmt.Sprintf("%.100s", text)) + " (cut)"
	}
	if err.Error() != "" {
		detail = " (" + err.Error() + ")"
	}
	return value, detail
}

// ReadLimited reads a small file. A path to something endless, such as /dev/zero, must not fill the memory.
func ReadLimited(path string, limit int64) ([]byte, error) {
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
