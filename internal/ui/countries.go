package ui

import (
	"slices"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/admitto/admitto/internal/text"
)

// countryLists has the names of all countries by language.
var countryLists sync.Map

// countryList is the names of countries in one language.
type countryList struct {
	names map[string]string // by code
	codes []string          // in the order of their names
}

// Country is the name of a country in the language, "" for what is no code of one.
func (l *Locale) Country(code string) string { return l.countryList().names[code] }

// Countries are all countries as options of a field, in the order of the language.
func (l *Locale) Countries() []Option {
	list := l.countryList()
	options := make([]Option, 0, len(list.codes))
	for _, code := range list.codes {
		options = append(options, Option{Value: code, Text: list.names[code]})
	}
	return options
}

// Language is the name of a language (ISO 639-1) in the language of the reader, "" for what is no code of one.
func (l *Locale) Language(code string) string { return text.LanguageNameIn(code, l.Lang) }

// ByText sorts options as the language does.
func (l *Locale) ByText(options []Option) []Option {
	sorter, buffer := l.collator(), collate.Buffer{}
	keys := make(map[string][]byte, len(options))
	for i := range options {
		keys[options[i].Text] = sorter.KeyFromString(&buffer, options[i].Text)
	}
	slices.SortStableFunc(options, func(a, b Option) int { return slices.Compare(keys[a.Text], keys[b.Text]) })
	return options
}

func (l *Locale) collator() *collate.Collator {
	return collate.New(language.Make(l.Lang), collate.Loose, collate.Numeric)
}

func (l *Locale) countryList() *countryList {
	if known, ok := countryLists.Load(l.Lang); ok {
		return known.(*countryList) //nolint:forcetypeassert // nothing else is stored
	}
	list := &countryList{names: map[string]string{}, codes: text.Countries()}
	options := make([]Option, 0, len(list.codes))
	for _, code := range list.codes {
		name := text.CountryNameIn(code, l.Lang)
		list.names[code] = name
		options = append(options, Option{Value: code, Text: name})
	}
	for i, o := range l.ByText(options) {
		list.codes[i] = o.Value
	}
	countryLists.Store(l.Lang, list)
	return list
}
