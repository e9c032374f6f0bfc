package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/text"
)

// The bounds on parameters (conventions.md 3). A query takes as many as a list filter takes items, since
// byX=1&byX=2 is one list. A flat name and a pointer repeat the names of all that the value is in, so next to the bytes
// of one name those of all names and pointers of a body are bounded.
const (
	maxLevels     = 5
	maxParameters = 2000
	maxName       = 1024
	maxNames      = 1 << 20
)

// maxBody bounds every body that is not a document (conventions.md 3).
const maxBody = 1 << 20

const jsonMedia = "application/json"

// jsonKind is what a value was on the wire. Everything in a query or a form is text.
type jsonKind byte

const (
	isText   jsonKind = 's'
	isNumber jsonKind = 'n'
	isBool   jsonKind = 'b'
	isMixed  jsonKind = 'm' // of a list with items of several kinds
)

// arg is one parameter: its values, and where it came from for the error document.
type arg struct {
	values  []string
	kind    jsonKind
	isList  bool   // written as a list: name[], name[0] or [ ]
	pointer string // into a JSON body; "" for a query or form parameter
	fault   string // why it cannot be read at all; "" when it can
}

// args are the parameters of a request by flat name: a[b][0] whether they came as brackets or as nested JSON.
type args map[string]*arg

func (a args) add(name, value string, kind jsonKind, pointer string) *arg {
	if known := a[name]; known != nil {
		if known.values = append(known.values, value); known.kind != kind {
			known.kind = isMixed
		}
		return known
	}
	a[name] = &arg{values: []string{value}, kind: kind, pointer: pointer}
	return a[name]
}

// addText adds what a query or a form says. What cannot be read is told with all other faults, under the beginning of
// its name when that is too long.
func (a args) addText(name, value string) *arg {
	known := name
	if len(name) > maxName {
		known = name[:64] + "…"
	}
	added := a.add(strings.ToValidUTF8(known, "\ufffd"), value, isText, "")
	switch {
	case len(name) > maxName:
		added.fault = fmt.Sprintf("the name has more than %d bytes", maxName)
	case !utf8.ValidString(name) || !utf8.ValidString(value):
		added.fault = "the text is not UTF-8"
	case strings.Count(name, "[") > maxLevels:
		added.fault = fmt.Sprintf("the name has more than %d levels", maxLevels)
	}
	return added
}

// formArgs reads a query or a form. byX[], byX[0] and byX are the same list.
func formArgs(raw, what string) (args, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, admitto.Refused(admitto.InvalidParameter, message.Of("badly-encoded", what))
	}
	most := maxParameters
	if what == "query" {
		most = maxItems
	}
	list, count := args{}, 0
	for name, given := range values {
		if count += len(given); count > most {
			return nil, admitto.Refused(admitto.InvalidParameter, message.Of("too-many-parameters", what, most))
		}
		for _, value := range given {
			list.addText(name, value)
		}
	}
	return list.joinLists(), nil
}

// joinLists puts the items of a list of plain values, byX[] or byX[0], byX[1] …, under the name byX in the
// order of their indexes.
func (a args) joinLists() args {
	type item struct {
		index int
		name  string
	}
	lists := map[string][]item{}
	for name := range a {
		base, rest, ok := strings.Cut(name, "[")
		if index, closed := strings.CutSuffix(rest, "]"); ok && closed && base != "" {
			if n, err := strconv.Atoi(index); err == nil && n >= 0 || index == "" {
				lists[base] = append(lists[base], item{n, name})
			}
		}
	}
	for base, items := range lists {
		slices.SortFunc(items, func(x, y item) int { return cmp.Or(cmp.Compare(x.index, y.index), cmp.Compare(x.name, y.name)) })
		for _, it := range items {
			for _, value := range a[it.name].values {
				joined := a.add(base, value, isText, "")
				joined.isList = true
				joined.fault = cmp.Or(joined.fault, a[it.name].fault)
			}
			delete(a, it.name)
		}
	}
	return a
}

// creation adds the parameters of the body of a creating POST, which win over those of the query. Empty ones are left out.
func (a args) creation(body []byte, contentType string) (args, error) {
	fromBody, err := bodyArgs(body, contentType)
	if err != nil {
		return nil, err
	}
	a.dropEmpty()
	fromBody.dropEmpty()
	given := map[string]bool{}
	for name := range fromBody {
		given[topName(name)] = true
	}
	for name := range a {
		if given[topName(name)] {
			delete(a, name)
		}
	}
	maps.Copy(a, fromBody)
	return a, nil
}

// dropEmpty removes empty texts: in creations they are the same as nothing.
func (a args) dropEmpty() {
	maps.DeleteFunc(a, func(_ string, given *arg) bool {
		return given.fault == "" && len(given.values) == 1 && strings.TrimSpace(given.values[0]) == ""
	})
}

func topName(name string) string {
	top, _, _ := strings.Cut(name, "[")
	return top
}

// bodyArgs reads a body by what it is: JSON when it begins with {, whatever the content type says (multipart
// aside), else by the content type; a form without one.
func bodyArgs(raw []byte, contentType string) (args, error) {
	mediaType, params, err := mime.ParseMediaType(contentType)
	if contentType == "" {
		mediaType, err = "application/x-www-form-urlencoded", nil
	}
	start := bytes.TrimLeft(raw, " \t\r\n")
	switch {
	case len(raw) == 0:
		return args{}, nil
	case mediaType == "multipart/form-data":
		return multipartArgs(raw, params["boundary"])
	case len(start) > 0 && start[0] == '{',
		err == nil && (mediaType == jsonMedia || strings.HasSuffix(mediaType, "+json")):
		return jsonArgs(raw)
	case err == nil && mediaType == "application/x-www-form-urlencoded":
		return formArgs(string(raw), "form")
	}
	return nil, admitto.Refused(admitto.UnsupportedFormat, message.Of("parameters-unreadable"))
}

func multipartArgs(raw []byte, boundary string) (args, error) {
	broken := func(err error) error {
		return admitto.Refused(admitto.InvalidBody, message.Of("no-multipart-form")).Because(err)
	}
	if boundary == "" {
		return nil, broken(errors.New("no boundary"))
	}
	reader := multipart.NewReader(bytes.NewReader(raw), boundary)
	list := args{}
	for count := 0; ; count++ {
		part, err := reader.NextPart()
		if err == io.EOF {
			return list.joinLists(), nil
		}
		if err != nil {
			return nil, broken(err)
		}
		if count >= maxParameters {
			return nil, admitto.Refused(admitto.InvalidParameter, message.Of("too-many-form-parameters", maxParameters))
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, broken(err)
		}
		list.addText(part.FormName(), string(value))
	}
}

// jsonArgs flattens a JSON object. Numbers keep their text.
func jsonArgs(raw []byte) (args, error) {
	if err := checkCharacters(raw); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	token, err := dec.Token()
	if err != nil {
		return nil, invalidJSON(dec, err)
	}
	if token != json.Delim('{') {
		return nil, invalidBody("", "the body must be a JSON object")
	}
	f := &flattener{dec: dec, list: args{}}
	if err := f.object("", "", 1); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, invalidBody("", "something follows the JSON object")
	}
	return f.list, nil
}

// checkCharacters refuses what encoding/json would silently replace by U+FFFD: bytes that are not UTF-8, and
// escapes for one half of a surrogate pair without the other.
func checkCharacters(raw []byte) error {
	if !utf8.Valid(raw) {
		return invalidBody("", "the body is not UTF-8")
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
				return invalidBody("", "the escape at byte %d is half a character", i)
			}
			i += 6
		}
		i++ // what is escaped may be a backslash
	}
	return nil
}

// flattener turns nested JSON into flat names.
type flattener struct {
	dec   *json.Decoder
	list  args
	count int // of values
	names int // bytes of all names and pointers
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func (f *flattener) object(name, pointer string, level int) error {
	seen := map[string]bool{}
	for f.dec.More() {
		token, err := f.dec.Token()
		if err != nil {
			return invalidJSON(f.dec, err)
		}
		key, _ := token.(string)
		if err := checkName(key, pointer); err != nil {
			return err
		}
		if err := f.spend(len(name) + len(pointer) + 2*len(key) + len("[]/")); err != nil {
			return err
		}
		inner, at := key, pointer+"/"+pointerEscapes.Replace(key)
		if name != "" {
			inner = name + "[" + key + "]"
		}
		if token, err = f.dec.Token(); err == nil {
			err = f.value(token, inner, at, level)
		}
		if err != nil {
			return invalidJSON(f.dec, err)
		}
		if seen[key] {
			if f.list[inner] == nil {
				f.list[inner] = &arg{pointer: at}
			}
			f.list[inner].fault = "the member is given twice"
		}
		seen[key] = true
	}
	_, err := f.dec.Token() // the closing brace
	return invalidJSON(f.dec, err)
}

// array flattens a list: objects in it get their index into the name, plain values share the name.
func (f *flattener) array(name, pointer string, level int) error {
	for i := 0; f.dec.More(); i++ {
		token, err := f.dec.Token()
		if err != nil {
			return invalidJSON(f.dec, err)
		}
		if _, nested := token.(json.Delim); nested {
			if err := f.spend(len(name) + len(pointer) + 2*len("[1000]")); err != nil {
				return err
			}
			err = f.value(token, fmt.Sprintf("%s[%d]", name, i), fmt.Sprintf("%s/%d", pointer, i), level)
		} else if err = f.value(token, name, pointer, level); f.list[name] != nil {
			f.list[name].isList = true
		}
		if err != nil {
			return err
		}
	}
	_, err := f.dec.Token() // the closing bracket
	return invalidJSON(f.dec, err)
}

// checkName refuses a member of the object at pointer whose name is too long to be told.
func checkName(name, pointer string) error {
	if len(name) > maxName {
		return invalidBody(pointer, "the name of the member %s has more than %d bytes", text.Quote(name), maxName)
	}
	return nil
}

// spend counts the bytes of a name and a pointer before they are made.
func (f *flattener) spend(n int) error {
	if f.names += n; f.names > maxNames {
		return invalidBody("", "the names of the members, each with those of the objects it is in, have more than %d bytes; use shorter names", maxNames)
	}
	return nil
}

func (f *flattener) value(token json.Token, name, pointer string, level int) error {
	if level > maxLevels+1 {
		return invalidBody(pointer, "the body is nested deeper than %d levels", maxLevels)
	}
	if f.count++; f.count > maxParameters {
		return admitto.Refused(admitto.InvalidParameter, message.Of("too-many-body-parameters", maxParameters))
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return f.object(name, pointer, level+1)
		}
		return f.array(name, pointer, level+1)
	case string:
		f.list.add(name, t, isText, pointer)
	case json.Number:
		f.list.add(name, t.String(), isNumber, pointer)
	case bool:
		f.list.add(name, strconv.FormatBool(t), isBool, pointer)
	}
	return nil // null is the same as nothing
}

// invalidBody is a fault in a JSON body, with the pointer to it.
func invalidBody(pointer, format string, args ...any) error {
	return &admitto.Error{Kind: admitto.InvalidBody,
		Faults: []admitto.Fault{{Pointer: pointer, HasPointer: true, Text: message.Plain(fmt.Sprintf(format, args...))}}}
}

// invalidJSON says where the JSON breaks; nil for no error, and a refusal stays what it is.
func invalidJSON(dec *json.Decoder, err error) error {
	var refusal *admitto.Error
	if err == nil || errors.As(err, &refusal) {
		return err
	}
	return invalidBody("", "the body is not valid JSON (at byte %d)", dec.InputOffset())
}

// jsonValue reads a body that is one JSON value: a string, json.Number, bool or nil (conventions.md 3, setting PUT).
func jsonValue(raw []byte) (any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, invalidBody("", "the body is missing; send one JSON value, for example \"text\" with its quotes")
	}
	if err := checkCharacters(raw); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	token, err := dec.Token()
	if err != nil {
		return nil, invalidBody("", "the body is not valid JSON; a text needs its quotes")
	}
	if _, nested := token.(json.Delim); nested {
		return nil, invalidBody("", "the body must be a single JSON value, not an object or a list")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, invalidBody("", "the body must be a single JSON value; something follows it")
	}
	return token, nil
}
