package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto"
)

// The bounds on parameters (conventions.md 3).
const (
	maxLevels     = 5
	maxParameters = 2000
)

// jsonKind is what a value was on the wire. Everything in a query or a form is text.
type jsonKind byte

const (
	isText   jsonKind = 's'
	isNumber jsonKind = 'n'
	isBool   jsonKind = 'b'
)

// arg is one parameter: its values, and where it came from for the error document.
type arg struct {
	values  []string
	kind    jsonKind
	pointer string // into a JSON body; "" for a query or form parameter
}

// args are the parameters of a request by flat name: a[b][0] whether they came as brackets or as nested JSON.
type args map[string]*arg

func (a args) add(name, value string, kind jsonKind, pointer string) {
	if known := a[name]; known != nil {
		known.values = append(known.values, value)
		return
	}
	a[name] = &arg{[]string{value}, kind, pointer}
}

// queryArgs reads the parameters of the query.
func (c *call) queryArgs() (args, error) { return formArgs(c.r.URL.RawQuery, "query") }

// formArgs reads a query or a form. byX[], byX[0] and byX are the same list.
func formArgs(raw, what string) (args, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, admitto.Errorf(admitto.InvalidParameter, "The %s is not properly encoded: every %% must be followed by two hexadecimal digits, and pairs are separated by &.", what)
	}
	list, count := args{}, 0
	for name, given := range values {
		if count += len(given); count > maxParameters {
			return nil, admitto.Errorf(admitto.InvalidParameter, "The %s has more than %d parameters.", what, maxParameters)
		}
		for _, value := range given {
			if !utf8.ValidString(name) || !utf8.ValidString(value) {
				return nil, admitto.Refuse(admitto.InvalidParameter, strings.ToValidUTF8(name, "\ufffd"), "", "the text is not UTF-8")
			}
			if strings.Count(name, "[") > maxLevels {
				return nil, admitto.Refuse(admitto.InvalidParameter, name, "", "the name has more than %d levels", maxLevels)
			}
			list.add(name, value, isText, "")
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
		slices.SortFunc(items, func(x, y item) int { return x.index - y.index })
		for _, it := range items {
			for _, value := range a[it.name].values {
				a.add(base, value, a[it.name].kind, "")
			}
			delete(a, it.name)
		}
	}
	return a
}

// creationArgs reads the parameters of a creating POST from the query and from the body, which wins.
func (c *call) creationArgs() (args, error) {
	list, err := c.queryArgs()
	if err != nil {
		return nil, err
	}
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	fromBody, err := bodyArgs(raw, c.r.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	given := map[string]bool{}
	for name := range fromBody {
		given[topName(name)] = true
	}
	for name := range list {
		if given[topName(name)] {
			delete(list, name)
		}
	}
	for name, a := range fromBody {
		list[name] = a
	}
	// In creations an empty text is the same as nothing.
	for name, a := range list {
		if len(a.values) == 1 && strings.TrimSpace(a.values[0]) == "" {
			delete(list, name)
		}
	}
	return list, nil
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
		err == nil && (mediaType == jsonType || strings.HasSuffix(mediaType, "+json")):
		return jsonArgs(raw)
	case err == nil && mediaType == "application/x-www-form-urlencoded":
		return formArgs(string(raw), "form")
	}
	return nil, problemf(unsupportedFormat, "Send the parameters as application/json, application/x-www-form-urlencoded or multipart/form-data.")
}

func multipartArgs(raw []byte, boundary string) (args, error) {
	broken := func(err error) error {
		return admitto.Errorf(admitto.InvalidBody, "The body is not the multipart form that its content type says.").Because(err)
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
			return nil, admitto.Errorf(admitto.InvalidParameter, "The form has more than %d parameters.", maxParameters)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, broken(err)
		}
		name := part.FormName()
		if !utf8.Valid(value) || !utf8.ValidString(name) {
			return nil, admitto.Refuse(admitto.InvalidParameter, strings.ToValidUTF8(name, "\ufffd"), "", "the text is not UTF-8")
		}
		if strings.Count(name, "[") > maxLevels {
			return nil, admitto.Refuse(admitto.InvalidParameter, name, "", "the name has more than %d levels", maxLevels)
		}
		list.add(name, string(value), isText, "")
	}
}

// jsonArgs flattens a JSON object. Numbers keep their text.
func jsonArgs(raw []byte) (args, error) {
	if !utf8.Valid(raw) {
		return nil, invalidBody("", "the body is not UTF-8")
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
	list := args{}
	if err := flattenObject(dec, list, "", "", 1); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, invalidBody("", "something follows the JSON object")
	}
	return list, nil
}

func flattenObject(dec *json.Decoder, list args, name, pointer string, level int) error {
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return invalidJSON(dec, err)
		}
		key, _ := token.(string)
		inner, at := key, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		if name != "" {
			inner = name + "[" + key + "]"
		}
		if seen[key] {
			return invalidBody(at, "the member is given twice")
		}
		seen[key] = true
		if err := flattenValue(dec, list, inner, at, level); err != nil {
			return err
		}
	}
	_, err := dec.Token() // the closing brace
	return invalidJSON(dec, err)
}

func flattenArray(dec *json.Decoder, list args, name, pointer string, level int) error {
	for i := 0; dec.More(); i++ {
		at := fmt.Sprintf("%s/%d", pointer, i)
		token, err := dec.Token()
		if err != nil {
			return invalidJSON(dec, err)
		}
		if _, nested := token.(json.Delim); nested {
			err = flattenToken(dec, token, list, fmt.Sprintf("%s[%d]", name, i), at, level)
		} else {
			err = flattenToken(dec, token, list, name, pointer, level) // a list of plain values
		}
		if err != nil {
			return err
		}
	}
	_, err := dec.Token() // the closing bracket
	return invalidJSON(dec, err)
}

func flattenValue(dec *json.Decoder, list args, name, pointer string, level int) error {
	token, err := dec.Token()
	if err != nil {
		return invalidJSON(dec, err)
	}
	return flattenToken(dec, token, list, name, pointer, level)
}

func flattenToken(dec *json.Decoder, token json.Token, list args, name, pointer string, level int) error {
	if level > maxLevels {
		return invalidBody(pointer, "the body is nested deeper than %d levels", maxLevels)
	}
	if len(list) >= maxParameters {
		return admitto.Errorf(admitto.InvalidParameter, "The body has more than %d parameters.", maxParameters)
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return flattenObject(dec, list, name, pointer, level+1)
		}
		return flattenArray(dec, list, name, pointer, level+1)
	case string:
		list.add(name, t, isText, pointer)
	case json.Number:
		list.add(name, t.String(), isNumber, pointer)
	case bool:
		list.add(name, strconv.FormatBool(t), isBool, pointer)
	}
	return nil // null is the same as nothing
}

// invalidBody is a fault in a JSON body, with the pointer to it.
func invalidBody(pointer, format string, args ...any) error {
	return &admitto.Error{Kind: admitto.InvalidBody,
		Faults: []admitto.Fault{{Pointer: pointer, HasPointer: true, Detail: fmt.Sprintf(format, args...)}}}
}

// invalidJSON says where the JSON breaks; nil for no error.
func invalidJSON(dec *json.Decoder, err error) error {
	if err == nil {
		return nil
	}
	return invalidBody("", "the body is not valid JSON (at byte %d)", dec.InputOffset())
}

// value reads a body that is one JSON value: a string, json.Number, bool or nil (conventions.md 3, setting
// PUT). The content type does not matter.
func (c *call) value() (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	return jsonValue(raw)
}

func jsonValue(raw []byte) (any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, invalidBody("", "the body is missing; send one JSON value, for example \"text\" with its quotes")
	}
	if !utf8.Valid(raw) {
		return nil, invalidBody("", "the body is not UTF-8")
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

// textOrNull reads a body that is a JSON string, or null to clear; an empty text clears as well.
func (c *call) textOrNull(check func(string) (string, error)) (string, error) {
	v, err := c.value()
	if err != nil || v == nil {
		return "", err
	}
	s, ok := v.(string)
	if !ok {
		return "", invalidBody("", "the body must be a JSON string, or null to clear the value")
	}
	if s, err = check(s); err != nil {
		return "", invalidBody("", "%s", err)
	}
	return s, nil
}
