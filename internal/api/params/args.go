// Package params decodes requests: queries, forms and JSON bodies become flat names with values, and those the fields
// of request structs. A request struct lists the parameters of an operation: the type of a field says how its text is
// read and how documents describe it, the tag name what it is called, and the tags len, max, required, words or alias
// say the rest. The tags since and until say which versions have the parameter, as those of wire structs do; one that
// changed is two fields with one name. Types of parameters that one family of operations has are declared with its
// handlers.
package params

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
	"unicode/utf8"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
)

// The bounds on parameters (conventions.md 3). A query takes as many as a list filter takes items, since
// byX=1&byX=2 is one list. A flat name and a pointer repeat the names of all that the value is in, so next to the bytes
// of one name those of all names and pointers of a body are bounded.
const (
	maxLevels     = 5
	MaxParameters = 2000
	MaxName       = 1024
	maxNames      = 1 << 20
)

// MaxBody bounds every body that is not a document (conventions.md 3).
const MaxBody = 1 << 20

const jsonMedia = "application/json"

// jsonKind is what a value was on the wire. Everything in a query or a form is text.
type jsonKind byte

const (
	IsText   jsonKind = 's'
	IsNumber jsonKind = 'n'
	IsBool   jsonKind = 'b'
	isMixed  jsonKind = 'm' // of a list with items of several kinds
)

// Arg is one parameter: its values, and where it came from for the error document.
type Arg struct {
	Values  []string
	Kind    jsonKind
	IsList  bool         // written as a list: name[], name[0] or [ ]
	Pointer string       // into a JSON body; "" for a query or form parameter
	Fault   message.Text // why it cannot be read at all; none when it can
}

// Args are the parameters of a request by flat name: a[b][0] whether they came as brackets or as nested JSON.
type Args map[string]*Arg

// Add adds a value to those of a name, and returns all of them; pointer counts with the first.
func (a Args) Add(name, value string, kind jsonKind, pointer string) *Arg {
	if known := a[name]; known != nil {
		if known.Values = append(known.Values, value); known.Kind != kind {
			known.Kind = isMixed
		}
		return known
	}
	a[name] = &Arg{Values: []string{value}, Kind: kind, Pointer: pointer}
	return a[name]
}

// AddText adds what a query or a form says. What cannot be read is told with all other faults, under the beginning of
// its name when that is too long.
func (a Args) AddText(name, value string) *Arg {
	known := name
	if len(name) > MaxName {
		known = name[:64] + "…"
	}
	added := a.Add(strings.ToValidUTF8(known, "\ufffd"), value, IsText, "")
	switch {
	case len(name) > MaxName:
		added.Fault = message.Of("name-too-long", MaxName)
	case !utf8.ValidString(name) || !utf8.ValidString(value):
		added.Fault = message.Of("parameter-not-utf8")
	case strings.Count(name, "[") > maxLevels:
		added.Fault = message.Of("name-too-deep", maxLevels)
	}
	return added
}

// FormArgs reads a query or a form. byX[], byX[0] and byX are the same list.
func FormArgs(raw, what string) (Args, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, admitto.Refused(admitto.InvalidParameter, message.Of("badly-encoded", what))
	}
	most := MaxParameters
	if what == "query" {
		most = MaxItems
	}
	list, count := Args{}, 0
	for name, given := range values {
		if count += len(given); count > most {
			return nil, admitto.Refused(admitto.InvalidParameter, message.Of("too-many-parameters", what, most))
		}
		for _, value := range given {
			list.AddText(name, value)
		}
	}
	return list.joinLists(), nil
}

// joinLists puts the items of a list of plain values, byX[] or byX[0], byX[1] …, under the name byX in the
// order of their indexes.
func (a Args) joinLists() Args {
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
		slices.SortFunc(items, func(x, y item) int {
			return cmp.Or(cmp.Compare(x.index, y.index),
				cmp.Compare(x.name, y.name))
		})
		for _, it := range items {
			for _, value := range a[it.name].Values {
				joined := a.Add(base, value, IsText, "")
				joined.IsList = true
				joined.Fault = joined.Fault.Or(a[it.name].Fault)
			}
			delete(a, it.name)
		}
	}
	return a
}

// Creation adds the parameters of the body of a creating POST, which win over those of the query. Empty ones are left
// out.
func (a Args) Creation(body []byte, contentType string) (Args, error) {
	fromBody, err := BodyArgs(body, contentType)
	if err != nil {
		return nil, err
	}
	a.DropEmpty()
	fromBody.DropEmpty()
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

// DropEmpty removes empty texts: in creations they are the same as nothing.
func (a Args) DropEmpty() {
	maps.DeleteFunc(a, func(_ string, given *Arg) bool {
		return given.Fault.IsZero() && len(given.Values) == 1 && strings.TrimSpace(given.Values[0]) == ""
	})
}

func topName(name string) string {
	top, _, _ := strings.Cut(name, "[")
	return top
}

// BodyArgs reads a body by what it is: JSON when it begins with {, whatever the content type says (multipart
// aside), else by the content type; a form without one.
func BodyArgs(raw []byte, contentType string) (Args, error) {
	mediaType, params, err := mime.ParseMediaType(contentType)
	if contentType == "" {
		mediaType, err = "application/x-www-form-urlencoded", nil
	}
	start := bytes.TrimLeft(raw, " \t\r\n")
	switch {
	case len(raw) == 0:
		return Args{}, nil
	case mediaType == "multipart/form-data":
		return multipartArgs(raw, params["boundary"])
	case len(start) > 0 && start[0] == '{',
		err == nil && (mediaType == jsonMedia || strings.HasSuffix(mediaType, "+json")):
		return JSONArgs(raw)
	case err == nil && mediaType == "application/x-www-form-urlencoded":
		return FormArgs(string(raw), "form")
	}
	return nil, admitto.Refused(admitto.UnsupportedFormat, message.Of("parameters-unreadable"))
}

func multipartArgs(raw []byte, boundary string) (Args, error) {
	broken := func(err error) error {
		return admitto.Refused(admitto.InvalidBody, message.Of("no-multipart-form")).Because(err)
	}
	if boundary == "" {
		return nil, broken(errors.New("no boundary"))
	}
	reader := multipart.NewReader(bytes.NewReader(raw), boundary)
	list := Args{}
	for count := 0; ; count++ {
		part, err := reader.NextPart()
		if err == io.EOF {
			return list.joinLists(), nil
		}
		if err != nil {
			return nil, broken(err)
		}
		if count >= MaxParameters {
			return nil, admitto.Refused(admitto.InvalidParameter, message.Of("too-many-form-parameters", MaxParameters))
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, broken(err)
		}
		list.AddText(part.FormName(), string(value))
	}
}

// JSONArgs flattens a JSON object. Numbers keep their text.
func JSONArgs(raw []byte) (Args, error) {
	list, _, err := JSONArgsAndNulls(raw)
	return list, err
}

// JSONArgsAndNulls is JSONArgs of a body where null says something: it returns the names that are null, too.
func JSONArgsAndNulls(raw []byte) (list Args, nulls []string, err error) {
	f := &flattener{list: Args{}}
	if _, err := readJSON(raw, f, flatPlace{}); err != nil {
		return nil, nil, err
	}
	return f.list, f.nulls, nil
}

// flattener turns nested JSON into flat names. Objects in a list have their index in the name, plain values share the
// name.
type flattener struct {
	list  Args
	nulls []string // names, but those of items
	count int      // of values
	names int      // bytes of all names and pointers
}

// flatPlace is where a value stands, in both ways that clients are told.
type flatPlace struct {
	name, pointer string
	isItem        bool // of the list that has the name
	index         int
}

func (f *flattener) member(in flatPlace, name string) (at flatPlace, err error) {
	if err := checkName(name, in.pointer); err != nil {
		return at, err
	}
	if err := f.spend(len(in.name) + len(in.pointer) + 2*len(name) + len("[]/")); err != nil {
		return at, err
	}
	at = flatPlace{name: name, pointer: in.pointer + "/" + pointerEscapes.Replace(name)}
	if in.name != "" {
		at.name = in.name + "[" + name + "]"
	}
	return at, nil
}

func (f *flattener) item(in flatPlace, index int) flatPlace {
	return flatPlace{in.name, in.pointer, true, index}
}

// spend counts the bytes of a name and a pointer before they are made.
func (f *flattener) spend(n int) error {
	if f.names += n; f.names > maxNames {
		return InvalidBody("", message.Of("member-names-too-long", maxNames))
	}
	return nil
}

func (f *flattener) value(at flatPlace, token json.Token, level int) (flatPlace, error) {
	if level == 0 {
		if token != json.Delim('{') {
			return at, InvalidBody("", message.Of("body-no-object"))
		}
		return at, nil
	}
	if _, isNested := token.(json.Delim); isNested && at.isItem {
		if err := f.spend(len(at.name) + len(at.pointer) + 2*len("[1000]")); err != nil {
			return at, err
		}
		at = flatPlace{name: fmt.Sprintf("%s[%d]", at.name, at.index), pointer: fmt.Sprintf("%s/%d", at.pointer, at.index)}
	}
	if level > maxLevels+1 {
		return at, InvalidBody(at.pointer, message.Of("body-too-deep", maxLevels))
	}
	if f.count++; f.count > MaxParameters {
		return at, admitto.Refused(admitto.InvalidParameter, message.Of("too-many-body-parameters", MaxParameters))
	}
	switch t := token.(type) {
	case nil: // the same as nothing, to most
		if !at.isItem {
			f.nulls = append(f.nulls, at.name)
		}
	case string:
		f.list.Add(at.name, t, IsText, at.pointer)
	case json.Number:
		f.list.Add(at.name, t.String(), IsNumber, at.pointer)
	case bool:
		f.list.Add(at.name, strconv.FormatBool(t), IsBool, at.pointer)
	}
	if at.isItem && f.list[at.name] != nil {
		f.list[at.name].IsList = true
	}
	return at, nil
}

func (f *flattener) twice(at flatPlace) error {
	if f.list[at.name] == nil {
		f.list[at.name] = &Arg{Pointer: at.pointer}
	}
	f.list[at.name].Fault = message.Of("member-twice")
	return nil
}

// InvalidBody is a fault in a JSON body, with the pointer to it.
func InvalidBody(pointer string, text message.Text) error {
	return admitto.Refuse(admitto.InvalidBody, AtPointer(pointer), "", text)
}

// JSONValue reads a body that is one JSON value: a string, json.Number, bool or nil (conventions.md 3, setting PUT).
func JSONValue(raw []byte) (any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, InvalidBody("", message.Of("value-missing"))
	}
	dec, err := decoderOf(raw)
	if err != nil {
		return nil, err
	}
	token, err := dec.Token()
	if err != nil {
		return nil, InvalidBody("", message.Of("value-no-json"))
	}
	if _, nested := token.(json.Delim); nested {
		return nil, InvalidBody("", message.Of("body-no-single-value"))
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, InvalidBody("", message.Of("value-goes-on"))
	}
	return token, nil
}
