package ui

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

//go:embed locale/*.toml locale/sentences/*.toml locale/form/*.toml locale/print/*.toml locale/words/*.toml locale/data/*.toml
var localeFiles embed.FS

// Catalogue has the messages of all languages, of each in locale/en.toml and in parts such as locale/portal.en.toml.
// English is whole; what another language lacks is shown in English.
type Catalogue struct {
	bundle    *i18n.Bundle
	languages []string
	sentences map[string]message.Catalogue // of use cases, by language
	words     map[string]words             // that the database and the form have in English, by language
	keys      map[string][]string          // of the messages that any language has, with what those name
}

// words are words by their group and their English text: those of the lists by the name of their class, and the labels
// of the application form.
type words map[string]map[string]string

// formLabels is the group of the labels of the application form, and of papers; dataLabels is that of the file with
// what is kept about one person.
const formLabels, dataLabels = "form", "data"

// NewCatalogue reads the messages that are compiled in. english has, by key, messages that tables of the code say in
// English, such as the names of settings: other languages have theirs in files, and so has English where a page says
// it otherwise.
func NewCatalogue(english ...map[string]string) (*Catalogue, error) {
	c := &Catalogue{bundle: i18n.NewBundle(language.English), sentences: map[string]message.Catalogue{},
		words: map[string]words{}, keys: map[string][]string{}}
	for _, texts := range english {
		for key, text := range texts {
			m := &i18n.Message{ID: key, Other: text}
			if err := c.bundle.AddMessages(language.English, m); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			c.know(m)
		}
	}
	c.bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	entries, err := localeFiles.ReadDir("locale")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		file, err := c.bundle.LoadMessageFileFS(localeFiles, "locale/"+entry.Name())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
		for _, m := range file.Messages {
			c.know(m)
		}
		lang := file.Tag.String()
		if slices.Contains(c.languages, lang) {
			continue
		}
		c.languages = append(c.languages, lang)
		if err := c.readSentences(lang); err != nil {
			return nil, err
		}
		if c.words[lang], err = readWords(lang); err != nil {
			return nil, err
		}
	}
	slices.Sort(c.languages)
	return c, nil
}

// know keeps the key of a message, and what its forms name.
func (c *Catalogue) know(m *i18n.Message) {
	names := c.keys[m.ID]
	for _, form := range []string{m.Zero, m.One, m.Two, m.Few, m.Many, m.Other} {
		for _, match := range named.FindAllStringSubmatch(form, -1) {
			names = append(names, match[1])
		}
	}
	slices.Sort(names)
	c.keys[m.ID] = slices.Compact(names)
}

// readSentences reads the sentences of use cases in a language, as pages say them. What has none is said as by the API,
// in English.
func (c *Catalogue) readSentences(lang string) error {
	texts, err := readTexts[string]("locale/sentences/" + lang + ".toml")
	if err != nil || texts == nil {
		return err
	}
	c.sentences[lang], err = message.Translation(texts)
	return err
}

// readWords reads the words in a language.
func readWords(lang string) (of words, err error) {
	if of, err = readTexts[map[string]string]("locale/words/" + lang + ".toml"); err != nil || of == nil {
		return of, err
	}
	of[formLabels], of[dataLabels] = map[string]string{}, map[string]string{}
	for _, folder := range [][2]string{{"form", formLabels}, {"print", formLabels}, {"data", dataLabels}} {
		labels, err := readTexts[string]("locale/" + folder[0] + "/" + lang + ".toml")
		if err != nil {
			return nil, err
		}
		maps.Copy(of[folder[1]], labels)
	}
	return of, nil
}

// readTexts reads a file of names and texts; nil without it.
func readTexts[T any](name string) (texts map[string]T, err error) {
	text, err := localeFiles.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = toml.Unmarshal(text, &texts)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return texts, nil
}

// Languages returns the codes of the languages that there are messages in, in order.
func (c *Catalogue) Languages() []string { return slices.Clone(c.languages) }

// Locale returns what pages in a language need; an unknown language is English.
func (c *Catalogue) Locale(lang string) *Locale {
	if !slices.Contains(c.languages, lang) {
		lang = "en"
	}
	return &Locale{Lang: lang, localizer: i18n.NewLocalizer(c.bundle, lang), months: monthsOf(c, lang),
		sentences: c.sentences[lang], words: c.words[lang], keys: c.keys}
}

// Match returns the language for a reader: the first of the wishes that there is ("" is none), which are those of the
// account and of the cookie, else what fits an Accept-Language header best.
func (c *Catalogue) Match(accept string, wishes ...string) string {
	return c.match(c.languages, "en", accept, wishes)
}

// MatchOf is Match among the languages offered, of which the first is for everybody else.
func (c *Catalogue) MatchOf(offered []string, accept string, wishes ...string) string {
	offered = c.Offered(offered)
	return c.match(offered, offered[0], accept, wishes)
}

// Offered are the languages wanted that there are messages in, English where there is none; without any wanted, all.
func (c *Catalogue) Offered(wanted []string) (offered []string) {
	if len(wanted) == 0 {
		return c.Languages()
	}
	for _, lang := range wanted {
		if slices.Contains(c.languages, lang) {
			offered = append(offered, lang)
		}
	}
	if len(offered) == 0 {
		return []string{"en"}
	}
	return offered
}

func (c *Catalogue) match(offered []string, otherwise, accept string, wishes []string) string {
	for _, wish := range wishes {
		if slices.Contains(offered, wish) {
			return wish
		}
	}
	if len(accept) > 1000 { // no browser sends that; a list that long only costs time
		return otherwise
	}
	tags, _, err := language.ParseAcceptLanguage(accept)
	if err != nil {
		return otherwise
	}
	for _, tag := range tags {
		if base, _ := tag.Base(); slices.Contains(offered, base.String()) {
			return base.String()
		}
	}
	return otherwise
}

// Locale is one language: its messages, and how numbers and times are written in it. Digits are 0 to 9 in every
// language.
type Locale struct {
	Lang      string // BCP 47, such as "ar"
	localizer *i18n.Localizer
	months    []string
	sentences message.Catalogue // of use cases; what it lacks is in English
	words     words
	keys      map[string][]string // of the messages that any language has
}

// Dir returns "rtl" for languages that are written from right to left, else "ltr".
func (l *Locale) Dir() string {
	if text.IsRightToLeft(l.Lang) {
		return "rtl"
	}
	return "ltr"
}

// Text returns a message. args are names and values by turns: Text("pager.range", "From", "1", "To", "50"). A key that
// no language has comes back as it is; a test finds those.
func (l *Locale) Text(key string, args ...any) string {
	return l.localize(key, nil, args)
}

// Has reports whether there is a message.
func (l *Locale) Has(key string) bool {
	if _, known := l.keys[key]; !known { // most words of lists have none, and the localizer is slow to say so
		return false
	}
	text, err := l.localizer.Localize(&i18n.LocalizeConfig{MessageID: key})
	return err == nil || text != ""
}

// Label is a label of the application form, which the table of the form has in English.
func (l *Locale) Label(english string) string {
	return l.Word(formLabels, english)
}

// Labels are the English words of the labels that there are in the language, in order.
func (l *Locale) Labels() []string { return l.Words(formLabels) }

// Word is a word of a group in the language: a title of a class of codes that comes with Admitto, or a value of an
// enumeration, which is the message <group>.<word>. What staff wrote themselves stays as it is.
func (l *Locale) Word(group, word string) string {
	if said, found := l.words[group][word]; found {
		return said
	}
	for _, name := range []string{word, Slug(word)} {
		if key := group + "." + name; l.Has(key) {
			return l.Text(key)
		}
	}
	if said, value, found := strings.Cut(word, ": "); found { // an event with what it is about
		if key := group + "." + Slug(said); l.Has(key) {
			return l.Text(key, "Value", l.Word("status", value))
		}
	}
	return word
}

// Words are the English words of a group that there are in the language, in order.
func (l *Locale) Words(group string) []string { return slices.Sorted(maps.Keys(l.words[group])) }

// WordGroups are the groups of words that there are in the language, in order.
func (l *Locale) WordGroups() []string { return slices.Sorted(maps.Keys(l.words)) }

// inKeys replaces what stands in words and not in keys of messages.
var inKeys = strings.NewReplacer(" ", "_", "-", "_", "(", "", ")", "", ",", "")

// Slug is a word as keys of messages have it.
func Slug(word string) string { return inKeys.Replace(strings.ToLower(word)) }

// Sentences is the catalogue of use cases in the language.
func (l *Locale) Sentences() message.Catalogue { return l.sentences }

// Say writes a sentence of a use case.
func (l *Locale) Say(t message.Text) string { return t.By(l.sentences, l) }

// Plural is Text for a message that depends on a number, which it names {{.Count}}.
func (l *Locale) Plural(key string, n int, args ...any) string {
	return l.localize(key, n, append([]any{"Count", l.Number(n)}, args...))
}

func (l *Locale) localize(key string, count any, args []any) string {
	data := make(map[string]any, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		data[fmt.Sprint(args[i])] = args[i+1]
		if text, is := args[i+1].(string); is && !strings.HasPrefix(key, "date.") {
			data[fmt.Sprint(args[i])] = l.Isolated(text)
		}
	}
	text, err := l.localizer.Localize(&i18n.LocalizeConfig{MessageID: key, PluralCount: count, TemplateData: data})
	if err != nil && text == "" {
		return key
	}
	return text
}

// Listed writes words one after the other with the comma of the language, without those that are empty.
func (l *Locale) Listed(words ...string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "" })
	return strings.Join(words, l.Text("number.list"))
}

// Number writes a whole number with the separator of the language between thousands.
func (l *Locale) Number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	var out strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteString(l.Text("number.group"))
		}
		out.WriteRune(d)
	}
	return sign + out.String()
}

// Money writes an amount in hundredths, with its currency code.
func (l *Locale) Money(hundredths int64, currency string) string {
	sign := ""
	if hundredths < 0 {
		sign, hundredths = "−", -hundredths
	}
	return fmt.Sprintf("%s%s%s%02d %s", sign, l.Number(int(hundredths/100)), l.Text("number.decimal"), hundredths%100,
		currency)
}

// Date writes a day: 15 May 2027.
func (l *Locale) Date(t time.Time) string {
	return l.Text("date.long", "Day", t.Day(), "Month", l.months[t.Month()-1], "Year", t.Year())
}

// Month writes a month with its year: May 2027.
func (l *Locale) Month(t time.Time) string {
	return l.months[t.Month()-1] + " " + strconv.Itoa(t.Year())
}

// ShortDate writes a day without its year, for the axis of a plot: 15 May.
func (l *Locale) ShortDate(t time.Time) string {
	return l.Text("date.short", "Day", t.Day(), "Month", l.months[t.Month()-1])
}

// Time writes a time with its zone: 15 May 2027, 23:59 (Europe/Lisbon, UTC+1).
func (l *Locale) Time(t time.Time) string { return l.timeTo(t, "15:04") }

// ExactTime is Time to the second.
func (l *Locale) ExactTime(t time.Time) string { return l.timeTo(t, time.TimeOnly) }

func (l *Locale) timeTo(t time.Time, clock string) string {
	zone := t.Location().String()
	if zone != "UTC" {
		zone = l.Text("date.zone", "Name", zone, "Offset", offset(t))
	}
	return l.Text("date.time", "Date", l.Date(t), "Clock", t.Format(clock), "Zone", zone)
}

func offset(t time.Time) string {
	_, seconds := t.Zone()
	if seconds == 0 {
		return "UTC"
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	if minutes := seconds / 60 % 60; minutes != 0 {
		return fmt.Sprintf("UTC%s%d:%02d", sign, seconds/3600, minutes)
	}
	return fmt.Sprintf("UTC%s%d", sign, seconds/3600)
}

// monthsOf returns the names of the months in a language, January first.
func monthsOf(c *Catalogue, lang string) []string {
	localizer := i18n.NewLocalizer(c.bundle, lang)
	names := make([]string, 0, 12)
	for n := 1; n <= 12; n++ {
		key := fmt.Sprintf("month.%02d", n)
		name, err := localizer.Localize(&i18n.LocalizeConfig{MessageID: key})
		if err != nil && name == "" {
			name = key
		}
		names = append(names, name)
	}
	return names
}

// Keys returns the keys of a language, in order. For the tests of catalogues and pages.
func Keys(lang string) ([]string, error) {
	names, err := fs.Glob(localeFiles, "locale/*.toml")
	if err != nil {
		return nil, err
	}
	keys := map[string]bool{}
	for _, name := range names {
		if of := strings.TrimSuffix(path.Base(name), ".toml"); of[strings.LastIndex(of, ".")+1:] != lang {
			continue
		}
		text, err := localeFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var messages map[string]map[string]any
		if err := toml.Unmarshal(text, &messages); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for group, content := range messages {
			for key := range content {
				if keys[group+"."+key] {
					return nil, fmt.Errorf("%s: %s.%s is there twice", name, group, key)
				}
				keys[group+"."+key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(keys)), nil
}
