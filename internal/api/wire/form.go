package wire

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/form"
)

// formPlan appends the JSON of a value of the form, of the type that its kind says; nil is unset.
type formPlan func(dst []byte, value any) []byte

// formMember is a section or a field in one version.
type formMember struct {
	name string
	lead []byte // `,"name":`, the first `{"name":`
	omit bool   // left out when it is empty
	plan formPlan
}

// lead is what stands before the value of a member.
func (k compiler) lead(name string, isFirst bool) []byte {
	lead := append(append([]byte{','}, AppendString(nil, name)...), ':')
	if isFirst {
		lead[0] = '{'
	}
	return lead
}

// InForm reports whether a version has a field of the form.
func InForm(f *form.Field, v version.Number) bool {
	s := version.Span{First: version.Oldest, Last: version.Latest}
	if f.Since != 0 {
		s.First = version.Number(f.Since)
	}
	if f.Until != 0 {
		s.Last = version.Number(f.Until)
	}
	return s.Has(v)
}

// compileSections makes the plan of the content part of an application. The first section is always there.
func (k compiler) compileSections() plan {
	var members []formMember
	extras := k.compile(reflect.TypeFor[[]Extra]())
	for i, s := range form.Sections() {
		m := formMember{name: s.Key, lead: k.lead(s.Key, i == 0), omit: s.OmitEmpty && k.version.Has(version.EmptyOmitted)}
		switch {
		case s.Key == form.Questions: // no member of Sections
		case s.Rows:
			m.plan = k.compileRows(s.Fields)
		default:
			m.plan = k.compileGroup(s.Fields)
		}
		members = append(members, m)
	}
	return func(dst []byte, p unsafe.Pointer) []byte {
		w := (*Content)(p)
		for _, m := range members {
			if m.plan == nil {
				dst = extras(append(dst, m.lead...), unsafe.Pointer(&w.Extras))
				continue
			}
			value := w.Content.Sections[m.name]
			if m.omit && value == nil {
				continue
			}
			dst = m.plan(append(dst, m.lead...), value)
		}
		return append(dst, '}')
	}
}

// compileObject makes the plan of an object with these fields.
func (k compiler) compileObject(fields []*form.Field) func(dst []byte, o form.Object) []byte {
	var members []formMember
	for _, f := range fields {
		if InForm(f, k.version) {
			members = append(members, formMember{name: f.Name, lead: k.lead(f.Name, len(members) == 0), plan: k.compileField(f)})
		}
	}
	return func(dst []byte, o form.Object) []byte {
		if len(members) == 0 {
			dst = append(dst, '{')
		}
		for i := range members {
			m := &members[i]
			dst = m.plan(append(dst, m.lead...), o[m.name])
		}
		return append(dst, '}')
	}
}

// compileGroup makes the plan of an object that is null when nothing is filled in.
func (k compiler) compileGroup(fields []*form.Field) formPlan {
	object := k.compileObject(fields)
	return func(dst []byte, value any) []byte {
		o, _ := value.(form.Object)
		if len(o) == 0 {
			return append(dst, "null"...)
		}
		return object(dst, o)
	}
}

// compileRows makes the plan of a list of objects.
func (k compiler) compileRows(fields []*form.Field) formPlan {
	object := k.compileObject(fields)
	return func(dst []byte, value any) []byte {
		rows, _ := value.([]form.Object)
		dst = append(dst, '[')
		for i, row := range rows {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = object(dst, row)
		}
		return append(dst, ']')
	}
}

// compileField makes the plan of the values of a field.
func (k compiler) compileField(f *form.Field) formPlan {
	switch f.Kind {
	case form.Group:
		return k.compileGroup(f.Fields)
	case form.Number:
		return func(dst []byte, value any) []byte {
			if n, ok := value.(int); ok {
				return strconv.AppendInt(dst, int64(n), 10)
			}
			return append(dst, "null"...)
		}
	case form.YesNo:
		return func(dst []byte, value any) []byte {
			if yes, ok := value.(bool); ok {
				return strconv.AppendBool(dst, yes)
			}
			return append(dst, "null"...)
		}
	case form.Codes:
		return appendCodes
	case form.Schemes:
		return func(dst []byte, value any) []byte {
			texts, _ := value.(map[string]string)
			return appendTextMap(dst, texts)
		}
	}
	text := appendNullable
	if f.Kind == form.Month && !k.version.Has(version.SingleDates) {
		text = appendYearMonth
	}
	return func(dst []byte, value any) []byte {
		s, _ := value.(string)
		return text(dst, s)
	}
}

func appendCodes(dst []byte, value any) []byte {
	codes, _ := value.([]string)
	dst = append(dst, '[')
	for i, code := range codes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, code)
	}
	return append(dst, ']')
}
