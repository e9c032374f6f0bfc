package store

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/form"
)

// A table needs a few values of each application's content, which is a JSON document of two thousand bytes and more. To
// decode all of it would take most of the time of the table, so the document is scanned for the values that are needed,
// up to the last of them.

// ContentValues are some values of a content.
type ContentValues struct {
	Texts []string      // at the paths that were asked for, in their order; "" for none; a map is JSON
	Lists *form.Content // with the lists that were asked for; nil for none
}

// contentPart says what is needed of a JSON value: the members in parts, or else all of it, as text or as a list.
type contentPart struct {
	name  string // as it stands in the document, with its quotes
	text  int    // which text it is
	list  bool
	parts []*contentPart
}

// contentParts makes the tree of the paths of texts, such as "profile/birth/date", and of lists, such as "education".
func contentParts(texts, lists []string) *contentPart {
	root := &contentPart{}
	for i, path := range texts {
		root.at(path).text = i
	}
	for _, path := range lists {
		root.at(path).list = true
	}
	return root
}

// at returns the part at a path, and makes it when it is not there.
func (p *contentPart) at(path string) *contentPart {
	for name := range strings.SplitSeq(path, "/") {
		name = `"` + name + `"`
		next := p.find([]byte(name))
		if next == nil {
			next = &contentPart{name: name}
			p.parts = append(p.parts, next)
		}
		p = next
	}
	return p
}

func (p *contentPart) find(name []byte) *contentPart {
	for _, part := range p.parts {
		if part.name == string(name) {
			return part
		}
	}
	return nil
}

// contentPicker takes values out of one content after the other.
type contentPicker struct {
	root  *contentPart
	lists []byte // a JSON object with the lists of the current content
}

// values reads a content into texts, which are empty.
func (p *contentPicker) values(content []byte, texts []string) (v ContentValues, err error) {
	p.lists = append(p.lists[:0], '{')
	if err = p.pick(p.root, &jsonScanner{text: content}, texts); err == nil && len(p.lists) > 1 {
		p.lists[len(p.lists)-1] = '}' // in place of the last comma
		v.Lists = &form.Content{}
		*v.Lists, err = form.Read(p.lists)
	}
	v.Texts = texts
	return v, err
}

var errNoObject = errors.New("not a JSON object")

// pick passes over an object and keeps the members that are needed. The outermost one it leaves behind the last of
// them.
func (p *contentPicker) pick(wanted *contentPart, s *jsonScanner, texts []string) (err error) {
	if !s.take('{') {
		return errNoObject
	}
	for found := 0; err == nil && !s.take('}'); s.take(',') {
		name := s.value()
		if len(name) == 0 || !s.take(':') {
			return errNoObject
		}
		part := wanted.find(name)
		switch {
		case part == nil:
			s.value()
			continue
		case part.parts != nil && s.begins('{'):
			err = p.pick(part, s, texts)
		default:
			err = p.keep(part, s.value(), texts)
		}
		if found++; found == len(wanted.parts) && wanted == p.root {
			break
		}
	}
	return err
}

// keep takes a text or a list.
func (p *contentPicker) keep(part *contentPart, value []byte, texts []string) (err error) {
	switch {
	case string(value) == "null":
	case part.parts != nil:
		err = errNoObject
	case part.list:
		p.lists = append(append(append(append(p.lists, part.name...), ':'), value...), ',')
	default:
		texts[part.text], err = textOf(value)
	}
	return err
}

// textOf decodes a JSON string. A map stays as it stands, in JSON.
func textOf(value []byte) (text string, err error) {
	if len(value) > 0 && value[0] == '{' {
		return string(value), nil
	}
	if end := len(value) - 1; end > 0 && value[0] == '"' && value[end] == '"' && !slices.Contains(value, '\\') {
		return string(value[1:end]), nil
	}
	return text, json.Unmarshal(value, &text)
}

// jsonScanner finds the ends of values in a valid JSON text, and some end in any other.
type jsonScanner struct {
	text []byte
	at   int
}

// begins passes over space and reports whether the character comes next.
func (s *jsonScanner) begins(c byte) bool {
	for s.at < len(s.text) && isSpace(s.text[s.at]) {
		s.at++
	}
	return s.at < len(s.text) && s.text[s.at] == c
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// take passes over space and over the character when it comes next, and reports whether it did.
func (s *jsonScanner) take(c byte) bool {
	if !s.begins(c) {
		return false
	}
	s.at++
	return true
}

// value passes over space and the value that comes next, and returns its text; none is empty.
func (s *jsonScanner) value() []byte {
	s.begins(0)
	start := s.at
	for depth := 0; s.at < len(s.text); {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at = endOfString(s.text, s.at)
		case c == '{' || c == '[':
			s.at++
			depth++
			continue
		case (c == '}' || c == ']') && depth > 0:
			s.at++
			depth--
		case depth > 0:
			s.at++
			continue
		default:
			s.word()
		}
		if depth == 0 {
			break
		}
	}
	return s.text[start:s.at]
}

// word passes over a number, true, false or null.
func (s *jsonScanner) word() {
	for s.at < len(s.text) && !isSpace(s.text[s.at]) && !strings.ContainsRune(",:]}", rune(s.text[s.at])) {
		s.at++
	}
}

// endOfString returns the position behind the string that begins at the quote.
func endOfString(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}
