package config

import (
	"slices"
	"strconv"
	"strings"
)

// Setting is one row of the table.
type Setting struct {
	Name         string
	Default      string // parsed like a given value
	DefaultMeans string // what the default stands for, if its text does not say it
	Unit         string // what its numbers count; empty for texts
	Label        string // the field of forms, in English; empty for what no form has
	Means        string // a sentence or two, which a form shows where no message says more (setting.<name>_hint)
	Secret       bool   // never shown, and also read from a file (…_FILE)
	// StartOnly settings are needed before or next to the database: they come from the command line, the environment or
	// the settings file and count from the next start on. All others can be saved in the database too, and what is saved
	// there counts at once.
	StartOnly bool
	AtRestart bool // what is saved in the database counts when an instance starts again
	kind      kind
}

// Flag is the setting's name on the command line, without its dashes.
func (s Setting) Flag() string { return strings.ReplaceAll(s.Name, "_", "-") }

// Env is the setting's name in the environment.
func (s Setting) Env() string {
	return envPrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(s.Name))
}

// ShownDefault is the default as a person reads it.
func (s Setting) ShownDefault() string {
	switch {
	case s.DefaultMeans != "":
		return s.DefaultMeans
	case s.Default == "":
		return "empty"
	}
	return s.Default
}

// Want completes the sentence "it must be …"; it is empty where every line of text is right.
func (s Setting) Want() string { return s.kind.want }

// Changes is when a value saved in the database counts, in words.
func (s Setting) Changes() string {
	switch {
	case s.StartOnly:
		return "outside only"
	case s.AtRestart:
		return "at restart"
	}
	return "at once"
}

// Control is what a form takes the value of a setting with.
type Control int

// The controls.
const (
	ControlLine Control = iota
	ControlNumber
	ControlYesNo
	ControlChoice // one of Setting.Words
	ControlTime
	ControlTexts   // long text in each language
	ControlPicture // an uploaded file
)

// Control is what a form takes the value with.
func (s Setting) Control() Control { return s.kind.control }

// Words are those that ControlChoice chooses from.
func (s Setting) Words() []string { return slices.Clone(s.kind.words) }

// Bounds are those of a ControlNumber.
func (s Setting) Bounds() (least, most int64) { return s.kind.least, s.kind.most }

// AsStored is a value in the one form that the control shows.
func (s Setting) AsStored(text string) string {
	var read Settings
	if s.kind.control != ControlYesNo || s.kind.set(&read, text) != nil {
		return text
	}
	switch strings.ToLower(text) {
	case "true", "on", "yes", "1":
		return "true"
	}
	return "false"
}

// Find returns the row with this name.
func Find(name string) (s Setting, found bool) {
	for _, row := range Table() {
		if row.Name == name {
			return row, true
		}
	}
	return Setting{}, false
}

// Flags is the set of all names on the command line, those of the files of secrets too, without dashes.
func Flags() map[string]bool {
	names := map[string]bool{}
	for _, s := range Table() {
		names[s.Flag()] = true
		if s.Secret {
			names[s.Flag()+flagFileSuffix] = true
		}
	}
	return names
}

// Value is one setting as a person reads it.
type Value struct {
	Name, Text, Origin, Default string
	Secret                      bool // Text is then "(set)" or empty
	Outside                     bool // set by flag, environment or file, so what is saved in the database does not count
}

// The modes of tls.mode that this release offers.
const (
	TLSSelfSigned = "self-signed"
	TLSFiles      = "files"
	TLSACME       = "acme"
	TLSProxy      = "proxy"
)

// The values of signin.second_factor.
const (
	SecondFactorOptional = "optional"
	SecondFactorRequired = "required"
)

// MaxMailWorkers is how many mails may leave at once: as many as a mail server usually takes from one client.
const MaxMailWorkers = 8

// OldestVersion is the oldest version of the API that can be served.
const OldestVersion = 1

// NewestVersion is the newest version of the API, which the word latest means.
const NewestVersion = 10

// NewestAPI returns the path of the newest version of the API.
func NewestAPI() string { return "/api/v" + strconv.Itoa(NewestVersion) }

// usualVersion answers requests without a version where nothing else is set.
const usualVersion = max(3, OldestVersion)
