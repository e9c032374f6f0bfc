// Package wire encodes answers. Wire structs, which are those of package api, say what goes over the wire: the order of
// the fields is that of the contract, the tag wire is the name, since and until the versions that have the field. A
// shape that changed is two fields with one name and disjoint versions. A type and a version are compiled to a plan
// once.
package wire

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
)

// Plan appends the JSON of a value of the type, in the form of one version.
type Plan[W any] func(dst []byte, v *W) []byte

// plan appends the JSON of the value at p, which has the type the plan was compiled for.
type plan func(dst []byte, p unsafe.Pointer) []byte

// planKey is what a plan depends on; prefix is that of links.
type planKey struct {
	typ     reflect.Type
	version version.Number
	prefix  string
	limits  string // what the key is limited to, as of limitsOf
}

// Nullable is a text that is null when empty.
type Nullable string

// Link is a path below the prefix: a form whose {} stand for IDs. The zero link is null.
type Link struct {
	form string
	ids  [3]int64
}

// LinkTo makes a link, null when the last ID is 0.
func LinkTo(form string, ids ...int64) (l Link) {
	if len(ids) > 0 && ids[len(ids)-1] == 0 {
		return l
	}
	l.form = form
	copy(l.ids[:], ids)
	return l
}

// Expandable is a link, or what is behind it: complete JSON.
type Expandable struct {
	Link
	JSON []byte
}

// Plans holds the plans that were compiled. It is safe for concurrent use.
type Plans struct{ byKey sync.Map } // planKey → plan

// Encoder makes the JSON of wire values for one request.
type Encoder struct {
	Plans   *Plans
	Version version.Number
	Prefix  string       // of links
	Key     *admitto.Key // of the caller; nil for one that may read everything
}

// FullName is joined while it is encoded.
type FullName struct{ *admitto.Name }

// Append appends the JSON of a wire value in the form of the version.
func (e Encoder) Append(dst []byte, v any) []byte {
	value := reflect.ValueOf(v)
	if value.Kind() != reflect.Pointer {
		held := reflect.New(value.Type())
		held.Elem().Set(value)
		value = held
	}
	return e.planOf(value.Type().Elem())(dst, value.UnsafePointer())
}

// PlanFor returns the plan of a type for the version, the links and the rights of the request: what encodes many values
// of one type looks for it once.
func PlanFor[W any](e Encoder) Plan[W] {
	of := e.planOf(reflect.TypeFor[W]())
	return func(dst []byte, v *W) []byte { return of(dst, unsafe.Pointer(v)) }
}

func (e Encoder) planOf(t reflect.Type) plan {
	key := planKey{t, e.Version, e.Prefix, limitsOf(e.Key)}
	if p, ok := e.Plans.byKey.Load(key); ok {
		return p.(plan)
	}
	p := compiler{e.Version, e.Prefix, e.mayRead}.compile(t)
	e.Plans.byKey.Store(key, p)
	return p
}

// The types that are encoded in a way of their own.
var (
	NullableType   = reflect.TypeFor[Nullable]()
	LinkType       = reflect.TypeFor[Link]()
	ExpandableType = reflect.TypeFor[Expandable]()
	TimeType       = reflect.TypeFor[admitto.Time]()
	DateType       = reflect.TypeFor[admitto.Date]()
	HundredthsType = reflect.TypeFor[admitto.Hundredths]()
	FullNameType   = reflect.TypeFor[FullName]()
	EmbeddingType  = reflect.TypeFor[embedding]()
)

// compiler makes plans for a version and a prefix of links.
type compiler struct {
	version version.Number
	prefix  string
	mayRead func(path string) bool // what a field with the tag right asks
}

// compile makes the plan of a type; an unknown type is a mistake of ours and panics at first use.
func (k compiler) compile(t reflect.Type) plan {
	switch t {
	case NullableType:
		return func(dst []byte, p unsafe.Pointer) []byte { return appendNullable(dst, *(*string)(p)) }
	case LinkType:
		return func(dst []byte, p unsafe.Pointer) []byte { return appendLink(dst, (*Link)(p), k.prefix) }
	case ExpandableType:
		return func(dst []byte, p unsafe.Pointer) []byte {
			e := (*Expandable)(p)
			if e.JSON != nil {
				return append(dst, e.JSON...)
			}
			return appendLink(dst, &e.Link, k.prefix)
		}
	case FullNameType:
		return func(dst []byte, p unsafe.Pointer) []byte { return appendFullName(dst, (*FullName)(p).Name) }
	case TimeType:
		return func(dst []byte, p unsafe.Pointer) []byte { return appendTime(dst, *(*admitto.Time)(p)) }
	case DateType:
		return func(dst []byte, p unsafe.Pointer) []byte {
			d := (*admitto.Date)(p)
			if d.IsZero() {
				return append(dst, "null"...)
			}
			return append(d.Append(append(dst, '"')), '"')
		}
	case HundredthsType:
		return func(dst []byte, p unsafe.Pointer) []byte {
			return append((*admitto.Hundredths)(p).Append(append(dst, '"')), '"')
		}
	}
	if t.Implements(EmbeddingType) {
		value := t.Field(1)
		inner := k.compile(value.Type)
		return func(dst []byte, p unsafe.Pointer) []byte { return inner(dst, unsafe.Add(p, value.Offset)) }
	}
	if p := k.compileContent(t); p != nil {
		return p
	}
	switch t.Kind() {
	case reflect.String:
		return func(dst []byte, p unsafe.Pointer) []byte { return AppendString(dst, *(*string)(p)) }
	case reflect.Int:
		return func(dst []byte, p unsafe.Pointer) []byte { return strconv.AppendInt(dst, int64(*(*int)(p)), 10) }
	case reflect.Int64:
		return func(dst []byte, p unsafe.Pointer) []byte { return strconv.AppendInt(dst, *(*int64)(p), 10) }
	case reflect.Bool:
		return func(dst []byte, p unsafe.Pointer) []byte { return strconv.AppendBool(dst, *(*bool)(p)) }
	case reflect.Pointer:
		inner := k.compile(t.Elem())
		return func(dst []byte, p unsafe.Pointer) []byte {
			if p = *(*unsafe.Pointer)(p); p == nil {
				return append(dst, "null"...)
			}
			return inner(dst, p)
		}
	case reflect.Slice:
		inner, size := k.compile(t.Elem()), t.Elem().Size()
		return func(dst []byte, p unsafe.Pointer) []byte {
			dst = append(dst, '[')
			dst = appendElements(dst, (*sliceHeader)(p), size, inner)
			return append(dst, ']')
		}
	case reflect.Struct:
		return k.compileStruct(t)
	}
	panic(fmt.Sprintf("wire: no encoding for %s", t))
}

// sliceHeader is how a slice of any type lies in memory.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

func appendElements(dst []byte, s *sliceHeader, size uintptr, element plan) []byte {
	for i := range s.len {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, unsafe.Add(s.data, uintptr(i)*size))
	}
	return dst
}

// fieldKind tells the fields that records are full of, which are encoded without a call, from all others.
type fieldKind byte

const (
	otherField fieldKind = iota
	textField
	nullableField
	linkField
	expandableField
)

// wireField is a field of a wire struct in one version.
type wireField struct {
	offset uintptr
	lead   []byte // `,"name":`, the first `{"name":`
	kind   fieldKind
	omit   bool // left out when it is a nil pointer or an empty list
	list   bool
	plan   plan
	form   atomic.Pointer[cutForm] // of the first link that the field had
}

// FieldsOf calls each for the fields of a wire struct that the version has, with their names and whether they may be
// left out, in their order.
func FieldsOf(t reflect.Type, v version.Number, each func(f reflect.StructField, name string, omit bool)) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("wire")
		if tag == "" {
			tag, _, _ = strings.Cut(f.Tag.Get("json"), ",") // content is stored as it is sent
		}
		name, option, _ := strings.Cut(tag, ",")
		if name != "" && version.Tagged(f.Tag, v) {
			each(f, name, option == "omit")
		}
	}
}

// compileStruct makes the plan of a wire struct: the fields of the version, in their order.
func (k compiler) compileStruct(t reflect.Type) plan {
	var fields []*wireField
	FieldsOf(t, k.version, func(f reflect.StructField, name string, omit bool) {
		lead := append(append([]byte{','}, AppendString(nil, name)...), ':')
		if len(fields) == 0 {
			lead[0] = '{'
		}
		kind := map[reflect.Type]fieldKind{NullableType: nullableField, LinkType: linkField, ExpandableType: expandableField,
			reflect.TypeFor[string](): textField}[f.Type]
		field := &wireField{offset: f.Offset, lead: lead, kind: kind, omit: omit, list: f.Type.Kind() == reflect.Slice,
			plan: k.compile(f.Type)}
		if right := f.Tag.Get(RightTag); right != "" && !k.mayRead(right) {
			k.withhold(field, f.Type)
		}
		fields = append(fields, field)
	})
	if len(fields) == 0 {
		return func(dst []byte, _ unsafe.Pointer) []byte { return append(dst, "{}"...) }
	}
	if !fields[0].omit {
		return func(dst []byte, p unsafe.Pointer) []byte { return append(k.appendFields(dst, p, fields), '}') }
	}
	return func(dst []byte, p unsafe.Pointer) []byte { // any field may turn out to be the first
		start := len(dst)
		if dst = k.appendFields(dst, p, fields); len(dst) == start {
			return append(dst, "{}"...)
		}
		dst[start] = '{'
		return append(dst, '}')
	}
}

// appendFields appends the fields without the closing brace.
func (k compiler) appendFields(dst []byte, p unsafe.Pointer, fields []*wireField) []byte {
	for _, f := range fields {
		at := unsafe.Add(p, f.offset)
		if f.omit && f.isEmpty(at) {
			continue
		}
		switch f.kind {
		case textField:
			dst = AppendString(append(dst, f.lead...), *(*string)(at))
		case nullableField:
			dst = appendNullable(append(dst, f.lead...), *(*string)(at))
		case linkField:
			dst = f.appendLink(dst, (*Link)(at), k.prefix)
		case expandableField:
			if e := (*Expandable)(at); e.JSON != nil {
				dst = append(append(dst, f.lead...), e.JSON...)
			} else {
				dst = f.appendLink(dst, &e.Link, k.prefix)
			}
		default:
			dst = f.plan(append(dst, f.lead...), at)
		}
	}
	return dst
}

func (f *wireField) isEmpty(at unsafe.Pointer) bool {
	if f.list {
		return (*sliceHeader)(at).len == 0
	}
	return *(*unsafe.Pointer)(at) == nil
}

// cutForm is the form of a link, cut at its IDs, behind the name of the field it was met in.
type cutForm struct {
	form  string
	start []byte // `,"notes":"/api/v10/applicants/`
	rest  []string
}

// appendLink appends the name of the field and its link. The link of a field has the same form in nearly every
// record, so that is cut once.
func (f *wireField) appendLink(dst []byte, l *Link, prefix string) []byte {
	if l.form == "" {
		return append(append(dst, f.lead...), "null"...)
	}
	cut := f.form.Load()
	if cut == nil {
		parts := strings.Split(l.form, "{}")
		cut = &cutForm{form: l.form, start: []byte(string(f.lead) + `"` + prefix + parts[0]), rest: parts[1:]}
		f.form.Store(cut)
	}
	if cut.form != l.form {
		return appendLink(append(dst, f.lead...), l, prefix)
	}
	dst = append(dst, cut.start...)
	for i, part := range cut.rest {
		dst = append(strconv.AppendInt(dst, l.ids[i], 10), part...)
	}
	return append(dst, '"')
}

// appendNullable appends a text, null when it is empty.
func appendNullable(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return AppendString(dst, s)
}

// appendTime appends a time, null when it is unset.
func appendTime(dst []byte, t admitto.Time) []byte {
	if t == 0 {
		return append(dst, "null"...)
	}
	return append(t.Append(append(dst, '"')), '"')
}

func appendLink(dst []byte, l *Link, prefix string) []byte {
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

// AppendString appends a JSON string.
func AppendString(dst []byte, s string) []byte {
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
