package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// visitor hears of the values of a JSON body in their order; its first error ends the walk. P says where a value
// stands.
type visitor[P any] interface {
	// member and item return where a value stands that comes next, in an object or in a list.
	member(in P, name string) (P, error)
	item(in P, index int) P
	// value hears of a text, a json.Number, a bool, nil, or a json.Delim that begins an object or a list, and returns
	// where it stands for what is in it. level is how many of those it is in itself.
	value(at P, token json.Token, level int) (P, error)
	// twice hears, behind its value, of a member whose name was there before.
	twice(at P) error
}

// readJSON reads a body that is an object or a list; at is where the body itself stands.
func readJSON[P any](raw []byte, v visitor[P], at P) (any, error) {
	dec, err := decoderOf(raw)
	if err != nil {
		return nil, err
	}
	value, err := walk(dec, v, at, 0)
	if err != nil {
		return nil, invalidJSON(dec, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, InvalidBody("", message.Of("body-goes-on"))
	}
	return value, nil
}

// walk reads one value. Of members with the same name the last one stays.
func walk[P any](dec *json.Decoder, v visitor[P], at P, level int) (any, error) {
	token, err := dec.Token()
	if err == nil {
		at, err = v.value(at, token, level)
	}
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for i := 0; dec.More(); i++ {
			item, err := walk(dec, v, v.item(at, i), level+1)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = dec.Token() // the closing bracket
		return list, err
	case json.Delim('{'):
		members := map[string]any{}
		for dec.More() {
			token, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name, _ := token.(string) // the decoder takes nothing else
			inner, err := v.member(at, name)
			if err != nil {
				return nil, err
			}
			value, err := walk(dec, v, inner, level+1)
			if err != nil {
				return nil, err
			}
			if _, given := members[name]; given {
				if err := v.twice(inner); err != nil {
					return nil, err
				}
			}
			members[name] = value
		}
		_, err = dec.Token() // the closing brace
		return members, err
	}
	return token, nil
}

// decoderOf returns what reads a body as JSON. Numbers keep their text.
func decoderOf(raw []byte) (*json.Decoder, error) {
	if err := CheckCharacters(raw); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return dec, nil
}

// CheckCharacters refuses what encoding/json would silently replace by U+FFFD: bytes that are not UTF-8, and
// escapes for one half of a surrogate pair without the other.
func CheckCharacters(raw []byte) error {
	if !utf8.Valid(raw) {
		return InvalidBody("", message.Of("body-not-utf8"))
	}
	unit := func(at int) rune { // the escape \uXXXX at this place, -1 when there is none
		if at+6 > len(raw) || raw[at] != '\\' || raw[at+1] != 'u' {
			return -1
		}
		n, err := strconv.ParseUint(string(raw[at+2:at+6]), 16, 32)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if first := unit(i); utf16.IsSurrogate(first) {
			if utf16.DecodeRune(first, unit(i+6)) == utf8.RuneError {
				return InvalidBody("", message.Of("half-character", i))
			}
			i += 6
		}
		i++ // what is escaped may be a backslash
	}
	return nil
}

// invalidJSON says where the JSON breaks; nil for no error, and a refusal stays what it is.
func invalidJSON(dec *json.Decoder, err error) error {
	var refusal *admitto.Error
	if err == nil || errors.As(err, &refusal) {
		return err
	}
	return InvalidBody("", message.Of("body-no-json-at", dec.InputOffset()))
}

// checkName refuses a member of the object at pointer whose name is too long to be told.
func checkName(name, pointer string) error {
	if len(name) > MaxName {
		return InvalidBody(pointer, message.Of("member-name-too-long", text.Quote(name), MaxName))
	}
	return nil
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")
