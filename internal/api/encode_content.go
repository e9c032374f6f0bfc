package api

import (
	"encoding/json"
	"github.com/admitto/admitto/internal/form"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unsafe"
)

var (
	contentType = reflect.TypeFor[contentWire]()
	rawType     = reflect.TypeFor[json.RawMessage]()
	linkMapType = reflect.TypeFor[linkMap]()
	byIDType    = reflect.TypeFor[byID]()
)

// linkMap is an object of IDs and the links to them, in the order given.
type linkMap struct {
	form string // with one {}
	ids  []int64
}

// byID is a list of records that goes out as an object keyed by their first field, which is their ID.
type byID interface{ byID() }

// contentWire is the content part of an application. Package form has the table of its fields.
type contentWire struct {
	content form.Content
	extras  []extraWire
}

// extraWire is the answer to a question, its value as complete JSON.
type extraWire struct {
	ID    int64           `wire:"id" since:"9"`
	Name  string          `wire:"name"`
	Type  string          `wire:"type"`
	Value json.RawMessage `wire:"value"`
}

// compileContent makes the plans of the types that application content and embedded records are made of; nil
// for any other type.
func (k compiler) compileContent(t reflect.Type) plan {
	switch t {
	case contentType:
		return k.compileSections()
	case rawType:
		return func(dst []byte, p unsafe.Pointer) []byte {
			if raw := *(*json.RawMessage)(p); len(raw) > 0 {
				return append(dst, raw...)
			}
			return append(dst, "null"...)
		}
	case linkMapType:
		return func(dst []byte, p unsafe.Pointer) []byte { return appendLinkMap(dst, (*linkMap)(p), k.prefix) }
	}
	if t.Implements(byIDType) {
		return k.compileByID(t)
	}
	if t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && t.Elem().Kind() == reflect.String {
		return func(dst []byte, p unsafe.Pointer) []byte { return appendTextMap(dst, *(*map[string]string)(p)) }
	}
	return nil
}

// compileByID makes the plan of a list of records whose first field is their ID.
func (k compiler) compileByID(t reflect.Type) plan {
	record, size := k.compile(t.Elem()), t.Elem().Size()
	keyed := func(dst []byte, p unsafe.Pointer) []byte {
		return record(append(appendID(dst, *(*int64)(p)), ':'), p)
	}
	return func(dst []byte, p unsafe.Pointer) []byte {
		return append(appendElements(append(dst, '{'), (*sliceHeader)(p), size, keyed), '}')
	}
}

func appendLinkMap(dst []byte, m *linkMap, prefix string) []byte {
	dst = append(dst, '{')
	for i, id := range m.ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		l := linkTo(m.form, id)
		dst = appendLink(append(appendID(dst, id), ':'), &l, prefix)
	}
	return append(dst, '}')
}

// appendID appends an ID as the key of an object.
func appendID(dst []byte, id int64) []byte {
	return append(strconv.AppendInt(append(dst, '"'), id, 10), '"')
}

// appendTextMap appends an object of texts, by key; an empty one is null.
func appendTextMap(dst []byte, texts map[string]string) []byte {
	if len(texts) == 0 {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(append(appendString(dst, name), ':'), texts[name])
	}
	return append(dst, '}')
}
