package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/mail"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// kind is what the values of a setting look like.
type kind struct {
	want string // completes the sentence "it must be …"; empty: every line of text is right
	// set parses the text and puts the value into the settings. What its error says is told in brackets, and
	// never for a secret, since parsers like to quote what they read.
	set     func(s *Settings, text string) error
	control Control
	words   []string // that ControlChoice chooses from
	// least and most bound a ControlNumber.
	least, most int64
	several     bool // lines
}

// as returns the kind with what a form takes its values with.
func (k kind) as(c Control, words ...string) kind {
	k.control, k.words = c, words
	return k
}

// errWrong refuses a value when kind.want says all there is to say.
var errWrong = errors.New("")

// of makes a kind from a parser and the field that the value goes to.
func of[T any](field func(*Settings) *T, want string, parse func(string) (T, error)) kind {
	return kind{want: want, set: func(s *Settings, text string) error {
		v, err := parse(text)
		if err != nil {
			return err
		}
		*field(s) = v
		return nil
	}}
}

// Secret is a text that never shows itself: printed, logged or encoded it is "(set)". Convert it to string
// where the value itself is needed.
type Secret string

// String hides the value from fmt.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "(set)"
}

// GoString hides the value from %#v.
func (s Secret) GoString() string { return strconv.Quote(s.String()) }

// LogValue hides the value from the log.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the value from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// line is any text without line breaks, of min to max characters.
func line(field func(*Settings) *string, min, max int) kind {
	want := fmt.Sprintf("one line of %d to %d characters", min, max)
	if min == 0 {
		want = fmt.Sprintf("one line of at most %d characters", max)
	}
	return of(field, want, func(text string) (string, error) {
		if n := utf8.RuneCountInString(strings.TrimSpace(text)); n < min || n > max {
			return "", errWrong
		}
		return strings.TrimSpace(text), nil
	})
}

// whole is a whole number from min to max.
func whole[T int | int64](field func(*Settings) *T, min, max T) kind {
	k := of(field, fmt.Sprintf("a whole number from %d to %d", min, max), func(text string) (T, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < int64(min) || n > int64(max) {
			return 0, errWrong
		}
		return T(n), nil
	}).as(ControlNumber)
	k.least, k.most = int64(min), int64(max)
	return k
}

// yesNo takes the words that people write into settings files.
func yesNo(field func(*Settings) *bool) kind {
	return of(field, "true or false", func(text string) (bool, error) {
		switch strings.ToLower(text) {
		case "true", "on", "yes", "1":
			return true, nil
		case "false", "off", "no", "0":
			return false, nil
		}
		return false, errWrong
	}).as(ControlYesNo)
}

// word is one of a few words.
func word(field func(*Settings) *string, want string, words ...string) kind {
	return of(field, want, func(text string) (string, error) {
		if !slices.Contains(words, text) {
			return "", errWrong
		}
		return text, nil
	}).as(ControlChoice, words...)
}

func tlsMode(field func(*Settings) *string) kind {
	want := "self-signed, files (with tls.cert and tls.key), acme (with tls.domains) or proxy (with tls.trusted_proxies)"
	return of(field, want, func(text string) (string, error) {
		switch text {
		case TLSSelfSigned, TLSFiles, TLSACME, TLSProxy:
			return text, nil
		}
		return "", errWrong
	})
}

func duration(field func(*Settings) *time.Duration, min, max time.Duration, span string) kind {
	return of(field, "a duration such as 20s, from "+span, func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < min || d > max {
			return 0, errWrong
		}
		return d, nil
	})
}

// ClockTime is a time of day in whole minutes since midnight.
type ClockTime int

// String returns 09:00.
func (c ClockTime) String() string { return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60) }

func timeOfDay(field func(*Settings) *ClockTime) kind {
	return of(field, "a time of day such as 09:00", func(text string) (ClockTime, error) {
		t, err := time.Parse("15:04", text)
		if err != nil || len(text) != len("15:04") {
			return 0, errWrong
		}
		return ClockTime(t.Hour()*60 + t.Minute()), nil
	}).as(ControlTime)
}

// timezone refuses "" and "Local", which the standard library knows, because they would mean something else
// on every instance.
func timezone(field func(*Settings) **time.Location) kind {
	return of(field, "the name of a time zone such as Europe/Prague", func(text string) (*time.Location, error) {
		if text == "" || text == "Local" {
			return nil, errWrong
		}
		zone, err := time.LoadLocation(text)
		if err != nil {
			return nil, errWrong
		}
		return zone, nil
	})
}

func currency(field func(*Settings) *string) kind {
	return of(field, "the three letters of a currency such as EUR", func(text string) (string, error) {
		text = strings.ToUpper(text)
		if len(text) != 3 || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return "", errWrong
		}
		return text, nil
	})
}

// version takes `latest` only where a release that raises it does no harm.
func version(field func(*Settings) *int, latest bool) kind {
	want := fmt.Sprintf("a version of the API from %d to %d", OldestVersion, NewestVersion)
	if latest {
		want += ", or latest"
	}
	return of(field, want, func(text string) (int, error) {
		if latest && text == "latest" {
			return NewestVersion, nil
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < OldestVersion || n > NewestVersion {
			return 0, errWrong
		}
		return n, nil
	}).as(ControlChoice, versionWords(latest)...)
}

func versionWords(latest bool) (words []string) {
	for n := OldestVersion; n <= NewestVersion; n++ {
		words = append(words, strconv.Itoa(n))
	}
	if latest {
		words = append(words, "latest")
	}
	return words
}

// list splits a value at commas and spaces.
func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// schemes takes tokens of RFC 9110, which is what can stand before apikey=.
func schemes(field func(*Settings) *[]string) kind {
	want := "one word or several with commas between them, such as SERVICE"
	return of(field, want, func(text string) ([]string, error) {
		words := list(text)
		for _, w := range words {
			if strings.IndexFunc(w, func(r rune) bool {
				return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
			}) >= 0 {
				return nil, errWrong
			}
		}
		if len(words) == 0 {
			return nil, errWrong
		}
		return words, nil
	})
}

// paths takes names of files, which may hold spaces.
func paths(field func(*Settings) *[]string) kind {
	return of(field, "paths of files with commas between them", func(text string) (all []string, err error) {
		for item := range strings.SplitSeq(text, ",") {
			if item = strings.TrimSpace(item); item == "" && text != "" || len(item) > 4096 {
				return nil, errWrong
			}
			all = append(all, item)
		}
		if text == "" {
			return nil, nil
		}
		return all, nil
	})
}

// prefixes also takes single addresses.
func prefixes(field func(*Settings) *[]netip.Prefix) kind {
	want := "network addresses or prefixes with commas between them, such as 10.0.0.0/8, 192.0.2.7"
	return of(field, want, func(text string) ([]netip.Prefix, error) {
		var all []netip.Prefix
		for _, item := range list(text) {
			p, err := netip.ParsePrefix(item)
			if err != nil {
				addr, err := netip.ParseAddr(item)
				if err != nil || addr.Zone() != "" {
					return nil, fmt.Errorf("%.60q is none", item)
				}
				p = netip.PrefixFrom(addr, addr.BitLen())
			}
			all = append(all, p.Masked())
		}
		return all, nil
	})
}

// pattern wraps the expression so that it matches whole texts only. It must compile by itself too: "a)|(b"
// does so only inside the brackets put around it.
func pattern(field func(*Settings) **regexp.Regexp) kind {
	return of(field, "a regular expression (RE2)", func(text string) (*regexp.Regexp, error) {
		if text == "" || len(text) > 1000 {
			return nil, errWrong
		}
		if _, err := regexp.Compile(text); err != nil {
			return nil, err
		}
		return regexp.Compile(`\A(?:` + text + `)\z`)
	})
}

func mailAddress(field func(*Settings) **mail.Address) kind {
	want := "one e-mail address, with or without a name: Admissions <admissions@example.org>"
	return of(field, want, func(text string) (*mail.Address, error) {
		a, err := mail.ParseAddress(text)
		if err != nil {
			return nil, errWrong
		}
		return a, nil
	})
}

// answers is mailAddress, or none.
func answers(field func(*Settings) **mail.Address) kind {
	want := "one e-mail address, with or without a name: Admissions <admissions@example.org>, or empty"
	return of(field, want, func(text string) (*mail.Address, error) {
		if text == "" {
			return nil, nil
		}
		a, err := mail.ParseAddress(text)
		if err != nil {
			return nil, errWrong
		}
		return a, nil
	})
}

func logLevel(field func(*Settings) *slog.Level) kind {
	return of(field, "debug, info, warn or error", func(text string) (slog.Level, error) {
		switch strings.ToLower(text) {
		case "debug":
			return slog.LevelDebug, nil
		case "info":
			return slog.LevelInfo, nil
		case "warn":
			return slog.LevelWarn, nil
		case "error":
			return slog.LevelError, nil
		}
		return 0, errWrong
	})
}

// numberMarker finds the markers of a number's format (lifecycle.md 6.2), with the width that a counter may
// have.
func numberMarker() *regexp.Regexp { return regexp.MustCompile(`%([A-Za-z]+)(?::([0-9]{1,2}))?%`) }

// numberFormat checks that a format makes a number of its own to everybody: exactly one counter, and with a
// counter that restarts the parts of the date that it restarts with.
func numberFormat(field func(*Settings) *string) kind {
	want := "a text with exactly one counter, such as %yearShort%-%incYearly:5%, or empty"
	return of(field, want, func(text string) (string, error) {
		if text == "" {
			return "", nil
		}
		if utf8.RuneCountInString(text) > 60 {
			return "", wrong("format_long", "", "it is longer than 60 characters")
		}
		if strings.Contains(numberMarker().ReplaceAllString(text, ""), "%") {
			return "", wrong("format_percent", "", "a % in it belongs to no marker")
		}
		has, counters := map[string]bool{}, 0
		for _, m := range numberMarker().FindAllStringSubmatch(text, -1) {
			has[m[1]] = true
			switch m[1] {
			case "inc", "incYearly", "incMonthly", "incDaily":
				counters++
				if width, _ := strconv.Atoi(m[2]); m[2] != "" && (width < 1 || width > 18) {
					return "", wrong("format_width", m[0], "the width of a counter is 1 to 18")
				}
			case "yearLong", "yearShort", "month", "day":
				if m[2] != "" {
					return "", wrong("format_plain", m[0], "only counters have a width")
				}
			default:
				return "", wrong("format_marker", m[0], fmt.Sprintf("%%%.30s%% is no marker", m[1]))
			}
		}
		year := has["yearLong"] || has["yearShort"]
		switch {
		case counters != 1:
			return "", wrong("format_counter", "", "")
		case has["incYearly"] && !year,
			has["incMonthly"] && !(year && has["month"]),
			has["incDaily"] && !(year && has["month"] && has["day"]):
			return "", wrong("format_restart", "", "its counter restarts, but the date in it does not tell the numbers apart")
		}
		return text, nil
	})
}
