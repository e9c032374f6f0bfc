package ui

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// Files are the texts of the pages as they are compiled in, laid out as Own reads them.
func Files() (fs.FS, error) { return fs.Sub(localeFiles, "locale") }

// maxTexts is how large a file of texts may be; those that are compiled in have a tenth of it.
const maxTexts = 1 << 20

// named finds what a message names.
var named = regexp.MustCompile(`\{\{ *\.([A-Za-z0-9]+) *\}\}`)

// Own adds the texts of a folder that an operator fills: files named and laid out as those compiled in, each with what
// it says otherwise. A message de.toml or pages.de.toml adds a language. Text that cannot be used is left out and told:
// words do not stop the service. It is called before anybody reads the catalogue.
func (c *Catalogue) Own(folder fs.FS) (wrong []error) {
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case name == "." && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && path.Ext(name) == ".toml":
			for _, fault := range c.ownFile(folder, name) {
				wrong = append(wrong, fmt.Errorf("%s: %w", name, fault))
			}
		}
		return nil
	})
	if err != nil {
		wrong = append(wrong, err)
	}
	slices.Sort(c.languages)
	return wrong
}

func (c *Catalogue) ownFile(folder fs.FS, name string) []error {
	of := strings.TrimSuffix(path.Base(name), ".toml")
	lang, err := text.Language(of[strings.LastIndex(of, ".")+1:])
	if err != nil {
		return []error{errors.New("the name does not end with the code of a language, such as pages.pt.toml")}
	}
	info, err := fs.Stat(folder, name)
	if err == nil && info.Size() > maxTexts {
		err = fmt.Errorf("%d bytes are too many", info.Size())
	}
	if err != nil {
		return []error{err}
	}
	content, err := fs.ReadFile(folder, name)
	if err != nil {
		return []error{err}
	}
	switch kind := path.Dir(name); kind {
	case ".":
		return c.ownMessages(lang, name, content)
	case "sentences":
		return c.ownSentences(lang, content)
	case "words":
		return c.ownWords(lang, content)
	case "form", "print":
		return c.ownLabels(lang, formLabels, content)
	case "data":
		return c.ownLabels(lang, dataLabels, content)
	default:
		return []error{fmt.Errorf("nothing is read from a folder %s", kind)}
	}
}

// ownMessages adds messages of pages, and the language where it is new.
func (c *Catalogue) ownMessages(lang, name string, content []byte) (wrong []error) {
	file, err := i18n.ParseMessageFileBytes(content, path.Base(name),
		map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
	if err != nil {
		return []error{err}
	}
	tag := language.Make(lang)
	add := func(m *i18n.Message) error {
		return c.bundle.AddMessages(tag, m)
	}
	if !slices.Contains(c.languages, lang) {
		if err := add(&i18n.Message{ID: "lang.name", Other: cmp.Or(display.Self.Name(tag), lang)}); err != nil {
			return []error{err}
		}
		c.languages = append(c.languages, lang)
	}
	for _, m := range file.Messages {
		err := c.usable(m)
		if err == nil {
			err = add(m)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", m.ID, err))
		}
	}
	return wrong
}

// usable looks at a message of an operator, and lets the form for other numbers stand for those that it lacks.
func (c *Catalogue) usable(m *i18n.Message) error {
	may, known := c.keys[m.ID]
	if !known {
		return errors.New("no page says this")
	}
	if m.Other == "" {
		return errors.New("there is no text")
	}
	for _, form := range []*string{&m.Zero, &m.One, &m.Two, &m.Few, &m.Many, &m.Other} {
		*form = cmp.Or(*form, m.Other)
		for _, match := range named.FindAllStringSubmatch(*form, -1) {
			if !slices.Contains(may, match[1]) {
				return fmt.Errorf("%s is not known here: %s", match[0], cmp.Or(strings.Join(may, ", "), "nothing is put in"))
			}
		}
		if rest := named.ReplaceAllString(*form, ""); strings.Contains(rest, "{{") || strings.Contains(rest, "}}") {
			return errors.New("between {{ and }} stand a dot and a name, such as {{.Count}}")
		}
	}
	return nil
}

// ownSentences adds sentences of use cases by their codes.
func (c *Catalogue) ownSentences(lang string, content []byte) (wrong []error) {
	var texts map[string]string
	if err := toml.Unmarshal(content, &texts); err != nil {
		return []error{err}
	}
	all := maps.Clone(c.sentences[lang])
	if all == nil {
		all = message.Catalogue{}
	}
	for _, code := range slices.Sorted(maps.Keys(texts)) {
		one, err := message.Translation(map[string]string{code: texts[code]})
		if err != nil {
			wrong = append(wrong, err)
		}
		maps.Copy(all, one)
	}
	c.sentences[lang] = all
	return wrong
}

// ownWords adds words by their group and their English text.
func (c *Catalogue) ownWords(lang string, content []byte) []error {
	var groups words
	if err := toml.Unmarshal(content, &groups); err != nil {
		return []error{err}
	}
	for group, texts := range groups {
		c.addWords(lang, group, texts)
	}
	return nil
}

// ownLabels adds the words of one group.
func (c *Catalogue) ownLabels(lang, group string, content []byte) []error {
	var texts map[string]string
	if err := toml.Unmarshal(content, &texts); err != nil {
		return []error{err}
	}
	c.addWords(lang, group, texts)
	return nil
}

func (c *Catalogue) addWords(lang, group string, texts map[string]string) {
	if c.words[lang] == nil {
		c.words[lang] = words{}
	}
	if c.words[lang][group] == nil {
		c.words[lang][group] = map[string]string{}
	}
	for english, said := range texts {
		if said != "" {
			c.words[lang][group][english] = said
		}
	}
}
