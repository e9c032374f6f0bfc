package wire

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/admitto/admitto/internal/form"
)

// The types of application content and embedded records that are encoded in a way of their own.
var (
	ContentType = reflect.TypeFor[Content]()
	RawType     = reflect.TypeFor[json.RawMessage]()
	LinkMapType = reflect.TypeFor[LinkMap]()
	ByIDType    = reflect.TypeFor[byID]()
)

// LinkMap is an object of IDs and the links to them, in the order given.
type LinkMap struct {
	Form string // with one {}
	IDs  []int64
}

// byID is a list of records that goes out as an object keyed by their first field, which is their ID.
type byID interface{ ByID() }

// Content is the content part of an application. Package form has the table of its fields.
type Content struct {
	Content form.Content
	Extras  []Extra
}

// Extra is the answer to a question, its value as complete JSON.
type Extra struct {
	ID    int64           `wire:"id" since:"9"`
	Name  string          `wire:"name"`
	Type  string          `wire:"type"`
	Value json.RawMessage `wire:"value"`
}

// compileContent makes the plans of the types that application content and embedded records are made of; nil
// for any other type.
func (k compiler) compileContent(t reflect.Type) plan {
	switch t {
	case ContentType:
		return k.compileSections()
	case RawType:
		return func(dst []byte, p unsafe.Pointer) []byte {
			if raw := *(*json.RawMessage)(p); len(raw) > 0 {
				return append(dst, raw...)
			}
			return append(dst, "null"...)
		}
	case LinkMapType:
		return func(dst []byte, p unsafe.Pointer) []byte { return appendLinkMap(dst, (*LinkMap)(p), k.prefix) }
	}
	if t.Implements(ByIDType) {
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
		return record(append(AppendID(dst, *(*int64)(p)), ':'), p)
	}
	return func(dst []byte, p unsafe.Pointer) []byte {
		return append(appendElements(append(dst, '{'), (*sliceHeader)(p), size, keyed), '}')
	}
}

func appendLinkMap(dst []byte, m *LinkMap, prefix string) []byte {
	dst = append(dst, '{')
	for i, id := range m.IDs {
		if i > 0 {
			dst = append(dst, ',')
		}
		l := LinkTo(m.Form, id)
		dst = appendLink(append(AppendID(dst, id), ':'), &l, prefix)
	}
	return append(dst, '}')
}

// AppendID appends an ID as the key of an object.
func AppendID(dst []byte, id int64) []byte {
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
		dst = AppendString(append(AppendString(dst, name), ':'), texts[name])
	}
	return append(dst, '}')
}
