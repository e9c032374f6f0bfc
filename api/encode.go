package api

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto"
)

// The wire structs (wire_*.go) say what goes over the wire: the order of the fields is that of the contract,
// the tag wire gives the name, since and until the versions that have the field. A shape that changed is two
// fields with one name and disjoint versions. A type and a version are compiled to a plan once.

// plan appends the JSON of a value; prefix is that of links.
type plan func(dst []byte, v reflect.Value, prefix string) []byte

type planKey struct {
	typ     reflect.Type
	version version
}

// nullable is a text that is null when empty.
type nullable string

// link is a path below the prefix: a form whose {} stand for IDs. The zero link is null.
type link struct {
	form string
	ids  [3]int64
}

// linkTo makes a link, null when the last ID is 0.
func linkTo(form string, ids ...int64) (l link) {
	if len(ids) > 0 && ids[len(ids)-1] == 0 {
		return l
	}
	l.form = form
	copy(l.ids[:], ids)
	return l
}

// expandable is a link, or what is behind it: complete JSON.
type expandable struct {
	link
	json []byte
}

// encode appends the JSON of a wire value in the form of the call's version.
func (c *call) encode(dst []byte, v any) []byte {
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	return c.api.planFor(value.Type(), c.version)(dst, value, c.prefix)
}

func (a *API) planFor(t reflect.Type, v version) plan {
	key := planKey{t, v}
	if p, ok := a.plans.Load(key); ok {
		return p.(plan)
	}
	p := compile(t, v)
	a.plans.Store(key, p)
	return p
}

var (
	nullableType   = reflect.TypeFor[nullable]()
	linkType       = reflect.TypeFor[link]()
	expandableType = reflect.TypeFor[expandable]()
	timeType       = reflect.TypeFor[admitto.Time]()
	dateType       = reflect.TypeFor[admitto.Date]()
	hundredthsType = reflect.TypeFor[admitto.Hundredths]()
	fullNameType   = reflect.TypeFor[fullName]()
)

// compile makes the plan of a type; an unknown type is a mistake of ours and panics at first use.
func compile(t reflect.Type, v version) plan {
	switch t {
	case nullableType:
		return func(dst []byte, v reflect.Value, _ string) []byte {
			if v.Len() == 0 {
				return append(dst, "null"...)
			}
			return appendString(dst, v.String())
		}
	case linkType:
		return func(dst []byte, v reflect.Value, prefix string) []byte {
			return appendLink(dst, v.Addr().Interface().(*link), prefix)
		}
	case expandableType:
		return func(dst []byte, v reflect.Value, prefix string) []byte {
			e := v.Addr().Interface().(*expandable)
			if e.json != nil {
				return append(dst, e.json...)
			}
			return appendLink(dst, &e.link, prefix)
		}
	case fullNameType:
		return func(dst []byte, v reflect.Value, _ string) []byte {
			return appendFullName(dst, v.Addr().Interface().(*fullName).Name)
		}
	case timeType:
		return func(dst []byte, v reflect.Value, _ string) []byte {
			t := admitto.Time(v.Int())
			if t == 0 {
				return append(dst, "null"...)
			}
			return append(t.Append(append(dst, '"')), '"')
		}
	case dateType:
		return func(dst []byte, v reflect.Value, _ string) []byte {
			d := v.Addr().Interface().(*admitto.Date)
			if d.IsZero() {
				return append(dst, "null"...)
			}
			return append(d.Append(append(dst, '"')), '"')
		}
	case hundredthsType:
		return func(dst []byte, v reflect.Value, _ string) []byte {
			return append(admitto.Hundredths(v.Int()).Append(append(dst, '"')), '"')
		}
	}
	if p := compileContent(t, v); p != nil {
		return p
	}
	switch t.Kind() {
	case reflect.String:
		return func(dst []byte, v reflect.Value, _ string) []byte { return appendString(dst, v.String()) }
	case reflect.Int, reflect.Int64:
		return func(dst []byte, v reflect.Value, _ string) []byte { return strconv.AppendInt(dst, v.Int(), 10) }
	case reflect.Bool:
		return func(dst []byte, v reflect.Value, _ string) []byte { return strconv.AppendBool(dst, v.Bool()) }
	case reflect.Pointer:
		inner := compile(t.Elem(), v)
		return func(dst []byte, v reflect.Value, prefix string) []byte {
			if v.IsNil() {
				return append(dst, "null"...)
			}
			return inner(dst, v.Elem(), prefix)
		}
	case reflect.Slice:
		inner := compile(t.Elem(), v)
		return func(dst []byte, v reflect.Value, prefix string) []byte {
			dst = append(dst, '[')
			for i := range v.Len() {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = inner(dst, v.Index(i), prefix)
			}
			return append(dst, ']')
		}
	case reflect.Struct:
		return compileStruct(t, v)
	}
	panic(fmt.Sprintf("api: no encoding for %s", t))
}

// compileStruct makes the plan of a wire struct: the fields of the version, in their order. The option omit
// leaves out a nil pointer and an empty list.
func compileStruct(t reflect.Type, v version) plan {
	type field struct {
		index int
		name  []byte // `"name":`
		omit  bool
		plan  plan
	}
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("wire")
		if tag == "" {
			tag, _, _ = strings.Cut(f.Tag.Get("json"), ",") // content is stored as it is sent
		}
		name, option, _ := strings.Cut(tag, ",")
		if name == "" || !inVersion(f.Tag, v) {
			continue
		}
		fields = append(fields, field{i, append(appendString(nil, name), ':'), option == "omit", compile(f.Type, v)})
	}
	return func(dst []byte, v reflect.Value, prefix string) []byte {
		dst = append(dst, '{')
		first := true
		for i := range fields {
			f := &fields[i]
			value := v.Field(f.index)
			if f.omit && (value.Kind() == reflect.Slice && value.Len() == 0 || value.Kind() == reflect.Pointer && value.IsNil()) {
				continue
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = f.plan(append(dst, f.name...), value, prefix)
		}
		return append(dst, '}')
	}
}

// inVersion tells whether the tags since and until include the version.
func inVersion(tag reflect.StructTag, v version) bool {
	bound := func(name string, otherwise version) version {
		if n, err := strconv.Atoi(tag.Get(name)); err == nil {
			return version(n)
		}
		return otherwise
	}
	return span{first: bound("since", 1), last: bound("until", latest)}.has(v)
}

func appendLink(dst []byte, l *link, prefix string) []byte {
	if l.form == "" {
		return append(dst, "null"...)
	}
	dst = append(dst, '"')
	dst = append(dst, prefix...)
	form := l.form
	for i := 0; ; i++ {
		at := strings.Index(form, "{}")
		if at < 0 {
			break
		}
		dst = append(dst, form[:at]...)
		dst = strconv.AppendInt(dst, l.ids[i], 10)
		form = form[at+2:]
	}
	dst = append(dst, form...)
	return append(dst, '"')
}

// appendFullName appends the parts of a name, joined by single spaces, as one JSON string.
func appendFullName(dst []byte, n *admitto.Name) []byte {
	dst = append(dst, '"')
	start := len(dst)
	for _, part := range [...]string{n.Given, n.Middle, n.Family} {
		if part == "" {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		dst = appendEscaped(dst, part)
	}
	return append(dst, '"')
}

const hexDigits = "0123456789abcdef"

// appendString appends a JSON string.
func appendString(dst []byte, s string) []byte {
	return append(appendEscaped(append(dst, '"'), s), '"')
}

// appendEscaped appends the inside of a JSON string; only what JSON demands is escaped, and bytes that are not
// UTF-8 become U+FFFD.
func appendEscaped(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		switch {
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += size
		case b >= ' ' && b != '"' && b != '\\':
			i++
		default:
			dst = append(dst, s[start:i]...)
			switch b {
			case '"', '\\':
				dst = append(dst, '\\', b)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&15])
			}
			i++
			start = i
		}
	}
	return append(dst, s[start:]...)
}
