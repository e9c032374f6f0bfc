package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
)

// Texts is a text in one language or several, by language. The key "" stands for the first of instance.languages.
type Texts map[string]string

// MaxText is how many characters a text may have in each language.
const MaxText = 20_000

// maxLanguages is how many languages an instance may have.
const maxLanguages = 20

// ParseTexts reads a text as it is saved: as it is, or a JSON object with one for each language.
func ParseTexts(saved string) (Texts, error) {
	saved = strings.TrimSpace(saved)
	texts := Texts{}
	switch {
	case saved == "":
	case !strings.HasPrefix(saved, "{"):
		texts[""] = saved
	default:
		decoder := json.NewDecoder(strings.NewReader(saved))
		if err := decoder.Decode(&texts); err != nil {
			return nil, wrong("text_object", "", "it begins with { and is no JSON object of texts")
		}
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			return nil, wrong("text_object", "", "something follows the JSON object")
		}
	}
	if len(texts) > maxLanguages {
		return nil, wrong("text_languages", "", "it has too many languages")
	}
	for lang, text := range texts {
		if lang != "" && !isLanguage(lang) {
			return nil, wrong("text_languages", lang, fmt.Sprintf("%.20q is no code of a language", lang))
		}
		if utf8.RuneCountInString(text) > MaxText {
			return nil, wrong("text_long", "", fmt.Sprintf("a text is longer than %d characters", MaxText))
		}
		if strings.IndexFunc(text, isUnreadable) >= 0 {
			return nil, wrong("text_object", "", "it holds a control character")
		}
		if texts[lang] = strings.TrimSpace(text); texts[lang] == "" {
			delete(texts, lang)
		}
	}
	return texts, nil
}

// isUnreadable reports whether a character has no place in a text of several lines.
func isUnreadable(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' && c != '\r' }

// isLanguage reports whether a code is that of a language, such as en or pt-BR, as it is usually written.
func isLanguage(code string) bool {
	tag, err := language.Parse(code)
	return err == nil && tag.String() == code && code != "und"
}

// Saved is how the texts are saved; "" without any.
func (t Texts) Saved() string {
	if len(t) == 0 {
		return ""
	}
	out, err := json.Marshal(t) // in the order of the languages
	if err != nil {
		return "" // not reached: it holds nothing but text
	}
	return string(out)
}

// FurtherLanguages are those of the instance behind the first, in which texts may have versions (lifecycle.md R11).
func (s *Settings) FurtherLanguages() []string {
	return s.Instance.Languages[min(1, len(s.Instance.Languages)):]
}

// Languages are those that there is a text in, in order.
func (t Texts) Languages() []string { return slices.Sorted(maps.Keys(t)) }

// In is the text in a language and the language that it is in: the first of the instance where there is none
// (lifecycle.md R11), "" when there is none at all.
func (t Texts) In(lang string, languages []string) (text, of string) {
	first := ""
	if len(languages) > 0 {
		first = languages[0]
	}
	for _, wanted := range []string{lang, first} {
		if text := t[wanted]; text != "" {
			return text, wanted
		}
		if wanted == first && t[""] != "" {
			return t[""], first
		}
	}
	for _, other := range t.Languages() {
		return t[other], other
	}
	return "", ""
}

// texts takes a text of several lines in each language.
func texts(field func(*Settings) *Texts) kind {
	want := fmt.Sprintf(`a text of at most %d characters, or a JSON object with one for each language, such as `+
		`{"en": "…", "pt": "…"}`, MaxText)
	k := of(field, want, ParseTexts).as(ControlTexts)
	k.several = true
	return k
}

// languages takes codes of languages, each once.
func languages(field func(*Settings) *[]string) kind {
	want := "codes of languages with commas between them, the first for what has no other, such as en, pt"
	return of(field, want, func(text string) ([]string, error) {
		codes := list(text)
		if len(codes) == 0 || len(codes) > maxLanguages {
			return nil, errWrong
		}
		for i, code := range codes {
			if !isLanguage(code) || slices.Contains(codes[:i], code) {
				return nil, wrong("language", code, fmt.Sprintf("%.20q is no code of a language, or stands there twice", code))
			}
		}
		return codes, nil
	})
}

// phone takes a telephone number as people write it.
func phone(field func(*Settings) *string) kind {
	return of(field, "a telephone number such as +351 21 000 00 00, or empty", func(text string) (string, error) {
		text = strings.TrimSpace(text)
		digits := strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return c
			}
			return -1
		}, text)
		if text == "" {
			return "", nil
		}
		if len(digits) < 3 || len(text) > 40 || strings.Trim(text, "+0123456789 ()/.-") != "" ||
			strings.LastIndexByte(text, '+') > 0 {
			return "", errWrong
		}
		return text, nil
	})
}

// Wrong says what is wrong with a value, by a code that pages have a sentence for and the piece that it is about; its
// text is for commands.
type Wrong struct{ Code, Piece, text string }

func (w *Wrong) Error() string { return w.text }

func wrong(code, piece, text string) error { return &Wrong{code, piece, text} }

// Takes reports whether a value is right by itself.
func (s Setting) Takes(text string) bool { return s.check(&Settings{}, text) == nil }

// Refuses says by a code what is wrong with a value, and which piece of it; both are empty where the setting's own
// sentence says all, and where nothing is wrong.
func (s Setting) Refuses(text string) (code, piece string) {
	if w, ok := errors.AsType[*Wrong](s.check(&Settings{}, text)); ok {
		return w.Code, w.Piece
	}
	return "", ""
}
