// Package message is the catalogue of the sentences that use cases and interfaces say to people: refusals, each a code
// with arguments. Nothing formats a sentence where something goes wrong; the interface that shows it does, in the
// language of the reader. English is compiled in (english.go), so an interface that speaks English only, as the API
// does, needs nothing else. It is a leaf.
package message

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Text is a sentence of the catalogue with the values of its arguments, in the order in which the English sentence
// names them. The zero Text is none.
type Text struct {
	Code string
	Args []any
}

// plain is the code of a sentence that is not in the catalogue; its argument is the sentence.
const plain = "plain"

// Of makes the text of a sentence. internal/archtest fails where the catalogue lacks the code or has another number of
// arguments for it.
func Of(sentence string, args ...any) Text { return Text{sentence, args} }

// Plain makes a text of a sentence that is complete already: one that only operators read.
func Plain(sentence string) Text { return Text{plain, []any{sentence}} }

// From makes a text of what a check has against a value: the Text that the error is, or else its words.
func From(err error) Text {
	if t, ok := err.(Text); ok { // not one that is wrapped: the words around it would be lost
		return t
	}
	return Plain(err.Error())
}

// Error is the sentence in English: checks of single values return a Text as their error.
func (t Text) Error() string { return t.String() }

// IsZero reports whether there is no sentence.
func (t Text) IsZero() bool { return t.Code == "" }

// Or is the text, or the other one where there is none.
func (t Text) Or(other Text) Text {
	if t.IsZero() {
		return other
	}
	return t
}

// String is the sentence in English.
func (t Text) String() string { return t.In(english()) }

// In is the sentence in the words of a catalogue. What that lacks is in English, and so are days and times.
func (t Text) In(c Catalogue) string { return t.By(c, nil) }

// By is In with days and times as a writer writes them; nil as the API does.
func (t Text) By(c Catalogue, w Writer) string {
	switch t.Code {
	case "":
		return ""
	case plain:
		return fmt.Sprint(t.Args...)
	}
	s, known := c[t.Code]
	if !known {
		if s, known = english()[t.Code]; !known {
			return strings.TrimSpace(fmt.Sprintln(append([]any{t.Code}, t.Args...)...))
		}
	}
	return s.render(c, w, t.Args)
}

// Writer writes days, times and words of enumerations for the readers of a language.
type Writer interface {
	Date(day time.Time) string
	Time(at time.Time) string
	Word(group, word string) string
	Isolated(text string) string // a name that may run in the other direction than the language
	Tag() string                 // the language
}

// Named is an argument that is a name with versions in other languages. As text it is the first.
type Named struct {
	First string
	In    map[string]string
}

// String is how the API writes the name.
func (n Named) String() string { return n.First }

// Day is an argument that is a day of the calendar, such as admitto.Date. Its String is how the API writes it.
type Day interface {
	fmt.Stringer
	IsZero() bool
	In(zone *time.Location) time.Time
}

// Time is an argument that is a time, in the zone of the reader. Layout is how the API writes it.
type Time struct {
	At     time.Time
	Layout string
}

// Worded is an argument that is a value of an enumeration. As text it is how the API writes it.
type Worded interface{ Word() Word }

// Word is a word of a group, such as of the statuses of an application.
type Word struct {
	Group, Text string
	Said        string // as the API writes it, "" for Text
}

// Word is the word itself.
func (w Word) Word() Word { return w }

// String is how the API writes the word.
func (w Word) String() string {
	if w.Said != "" {
		return w.Said
	}
	return w.Text
}

// String is the time in English.
func (t Time) String() string { return t.At.Format(t.Layout) }

// written is an argument as a sentence has it.
func written(arg any, c Catalogue, w Writer) string {
	switch v := arg.(type) {
	case Text:
		return v.By(c, w)
	case Day:
		if w != nil && !v.IsZero() {
			return w.Date(v.In(time.UTC))
		}
	case Time:
		if w != nil {
			return w.Time(v.At)
		}
	case Named:
		if w != nil {
			if name := v.In[w.Tag()]; name != "" {
				return w.Isolated(name)
			}
		}
	case Worded:
		if w != nil {
			of := v.Word()
			return w.Word(of.Group, of.Text)
		}
	}
	text := fmt.Sprint(arg)
	if w != nil {
		return w.Isolated(text)
	}
	return text
}

// Catalogue has the sentences of one language, by code.
type Catalogue map[string]*Sentence

// Sentence is a sentence with places for its arguments.
type Sentence struct {
	Code  string
	Text  string   // with {name} where an argument goes
	Names []string // of the arguments, in the order in which they are given
	parts []part
}

// part is a piece of a sentence, followed by an argument.
type part struct {
	text string
	arg  int // -1: none
}

// render puts the arguments in; one that is a sentence itself is in the words of the catalogue, too.
func (s *Sentence) render(c Catalogue, w Writer, args []any) string {
	var b strings.Builder
	for _, p := range s.parts {
		b.WriteString(p.text)
		if p.arg >= 0 && p.arg < len(args) {
			b.WriteString(written(args[p.arg], c, w))
		}
	}
	return b.String()
}

// New makes a catalogue of rows. Names of arguments are those of the English sentence in its order, which names stands
// for; a translation may name them in another order, or twice. Errors: a name that the English sentence does not have,
// a code twice, a brace that does not close.
func New(rows []Row, names func(code string) []string) (Catalogue, error) {
	c := Catalogue{}
	for _, r := range rows {
		s := &Sentence{Code: r.Code, Text: r.Text, Names: names(r.Code)}
		rest := r.Text
		for {
			before, after, found := strings.Cut(rest, "{")
			if !found {
				s.parts = append(s.parts, part{rest, -1})
				break
			}
			name, behind, closed := strings.Cut(after, "}")
			if !closed {
				return nil, fmt.Errorf("message: %s: a brace does not close", r.Code)
			}
			at := -1
			for i, n := range s.Names {
				if n == name {
					at = i
				}
			}
			if at < 0 {
				return nil, fmt.Errorf("message: %s: there is no argument %q", r.Code, name)
			}
			s.parts = append(s.parts, part{before, at})
			rest = behind
		}
		if c[r.Code] != nil || r.Code == "" || r.Code == plain {
			return nil, fmt.Errorf("message: the code %q is there twice, or no code", r.Code)
		}
		c[r.Code] = s
	}
	return c, nil
}

// Row is a sentence of a catalogue as it is written down.
type Row struct{ Code, Text string }

// argumentsOf returns the names in a sentence, in their order.
func argumentsOf(text string) (names []string) {
	for {
		_, after, found := strings.Cut(text, "{")
		name, behind, closed := strings.Cut(after, "}")
		if !found || !closed {
			return names
		}
		names = append(names, name)
		text = behind
	}
}

// english is the catalogue that is compiled in.
var english = sync.OnceValue(func() Catalogue {
	texts := map[string]string{}
	for _, r := range Rows() {
		texts[r.Code] = r.Text
	}
	c, err := New(Rows(), func(code string) []string { return argumentsOf(texts[code]) })
	if err != nil {
		panic(err) // a test reads it
	}
	return c
})

// Translation makes the catalogue of a language from its sentences by code. Errors are those of New, and a code that
// English does not have.
func Translation(texts map[string]string) (Catalogue, error) {
	rows := make([]Row, 0, len(texts))
	for code, text := range texts {
		if english()[code] == nil {
			return nil, fmt.Errorf("message: there is no code %q", code)
		}
		rows = append(rows, Row{code, text})
	}
	return New(rows, func(code string) []string { return english()[code].Names })
}

// English is the catalogue that is compiled in.
func English() Catalogue { return english() }
