package privacy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
)

// member is a named value of an object: a string, number or bool, an object, or a list. The rest is for people, who
// read other words than programs do.
type member struct {
	Name  string
	Value any
	label string      // instead of the name, in English
	field *form.Field // that the value is of, if any
	group string      // of words that the value is one of, if any
	at    admitto.Time
	day   admitto.Date // that the value is, if any
	quiet bool         // only programs read it
}

// enumerations are the groups of words that the values of a type are of.
var enumerations = map[reflect.Type]string{
	reflect.TypeFor[admitto.ApplicationStatus](): "own_status",
	reflect.TypeFor[admitto.Decision]():          "own_decision",
}

// quiet are the members that tell people nothing next to the others: what else is named, and how it is kept. A record
// that is among others has its number for programs only; those of people and applications are what the portal calls
// them by. Texts in several languages people read in one, as personalData.said has them.
var quiet = []string{"applicant", "term", "course", "intake", "institution", "type", "state", "template", "class",
	"modifier", "reminder", "has_attachments", "external_id", "invoice", "consent", "offer", "department", "fee",
	"mime", "version", "administrator", "versions"}

// isQuiet reports whether a member of a record of a type is quiet.
func isQuiet(record reflect.Type, name string, value any) bool {
	if _, is := value.(object); is && name != "versions" {
		return false
	}
	if name == "id" {
		return record != reflect.TypeFor[admitto.Applicant]() && record != reflect.TypeFor[admitto.Application]()
	}
	return slices.Contains(quiet, name)
}

// fieldNamed is the field of the form that has values as a field of records with a name; nil for none.
func fieldNamed(name string) *form.Field {
	switch name {
	case "citizenship":
		return form.FieldAt("profile/citizenship")
	case "language":
		return form.FieldAt("languages/name")
	}
	return nil
}

// object is a record in the order in which people read it.
type object []member

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		for j, part := range []any{m.Name, m.Value} {
			if j > 0 {
				out.WriteByte(':')
			}
			text, err := json.Marshal(part)
			if err != nil {
				return nil, err
			}
			out.Write(text)
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// internals are fields that say nothing about a person.
var internals = []string{"RowVersion", "DetailHash", "PrevHash", "Hash", "HTML", "Scale", "Maps", "Tries", "Tried",
	"Reply"}

// answers are fields that say yes or no: a consent that was refused is an answer, and not one that is missing.
var answers = []string{"Accepted"}

// plain is a value with plain field names: what is unset is left out, and nil is what has nothing in it. Fields that a
// record gets later are in it without further ado.
func plain(v reflect.Value) (any, error) {
	switch value := v.Interface().(type) {
	case admitto.Date:
		return textOf(v, value)
	case admitto.Score:
		return plainScore(&value)
	case form.Content:
		return plainContent(value)
	case admitto.Versions:
		return plainVersions(value), nil
	case fmt.Stringer:
		if v.Kind() != reflect.Pointer {
			return textOf(v, value)
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		if text, ok := v.Elem().Interface().(fmt.Stringer); ok { // zero is a value here
			return text.String(), nil
		}
		return plain(v.Elem())
	case reflect.Struct:
		return plainStruct(v)
	case reflect.Slice:
		var list []any
		for i := range v.Len() {
			item, err := plain(v.Index(i))
			if err != nil {
				return nil, err
			}
			if item != nil {
				list = append(list, item)
			}
		}
		if list == nil {
			return nil, nil
		}
		return list, nil
	}
	if v.IsZero() {
		return nil, nil
	}
	switch v.Kind() {
	case reflect.String:
		return v.String(), nil
	case reflect.Int, reflect.Int64:
		return v.Int(), nil
	case reflect.Bool:
		return true, nil
	}
	return nil, fmt.Errorf("privacy: %s cannot be exported", v.Type())
}

func textOf(v reflect.Value, s fmt.Stringer) (any, error) {
	if v.IsZero() {
		return nil, nil
	}
	return s.String(), nil
}

func plainStruct(v reflect.Value) (any, error) {
	var o object
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || slices.Contains(internals, field.Name) {
			continue
		}
		value, err := plain(v.Field(i))
		if err != nil {
			return nil, err
		}
		if slices.Contains(answers, field.Name) && field.Type.Kind() == reflect.Bool {
			value = v.Field(i).Bool()
		}
		if inner, ok := value.(object); ok && field.Anonymous {
			o = append(o, inner...)
		} else if value != nil {
			name := plainName(field.Name)
			m := member{Name: name, Value: value, field: fieldNamed(name), group: enumerations[field.Type],
				quiet: isQuiet(v.Type(), name, value)}
			switch value := v.Field(i).Interface().(type) {
			case admitto.Time:
				m.at = value
			case admitto.Date:
				m.day = value
			}
			if group := field.Tag.Get("words"); group != "" {
				m.group = group
			}
			o = append(o, m)
		}
	}
	if o == nil {
		return nil, nil
	}
	return o, nil
}

// plainScore writes the points with the decimals of their sheet.
func plainScore(s *admitto.Score) (any, error) {
	type rest admitto.Score
	value, err := plainStruct(reflect.ValueOf(rest(*s)).Convert(reflect.TypeFor[rest]()))
	o, _ := value.(object)
	o = slices.DeleteFunc(o, func(m member) bool { return m.Name == "points" })
	if s.Points != nil {
		o = append(o, member{Name: "points", Value: string(s.Points.Append(nil, s.Scale))})
	}
	return o, err
}

// plainVersions are texts by language and by what they are called, in the order of these; nil for none.
func plainVersions(v admitto.Versions) any {
	var languages object
	for _, lang := range slices.Sorted(maps.Keys(v)) {
		var texts object
		for _, name := range slices.Sorted(maps.Keys(v[lang])) {
			texts = append(texts, member{Name: name, Value: v[lang][name]})
		}
		if texts != nil {
			languages = append(languages, member{Name: lang, Value: texts})
		}
	}
	if languages == nil {
		return nil
	}
	return languages
}

// plainContent is the form by sections, with all that was filled in.
func plainContent(c form.Content) (any, error) {
	stored, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var sections map[string]any
	if err := json.Unmarshal(stored, &sections); err != nil || len(sections) == 0 {
		return nil, err
	}
	return ordered(sections, ""), nil
}

// ordered is what was read from JSON at a path of the form, with the members of objects by name.
func ordered(value any, at string) any {
	switch value := value.(type) {
	case map[string]any:
		var o object
		for name, v := range value {
			path := strings.TrimPrefix(at+"/"+name, "/")
			o = append(o, member{Name: name, Value: ordered(v, path), label: labelOf(path), field: fieldOf(path),
				quiet: strings.HasPrefix(path, form.Questions+"/") && (name == "id" || name == "type")})
		}
		slices.SortFunc(o, func(a, b member) int { return strings.Compare(a.Name, b.Name) })
		return o
	case []any:
		for i := range value {
			value[i] = ordered(value[i], at)
		}
	}
	return value
}

// labelOf is what the form calls a section or field, "" for what it has no words for. Values that need attention are
// there by their paths, which have the numbers of rows.
func labelOf(path string) string {
	if s := form.SectionOf(path); s != nil {
		return s.Title
	}
	if f := fieldOf(path); f != nil {
		return f.Label
	}
	return ""
}

// fieldOf is the field of the form at a path as labelOf has it, nil for none.
func fieldOf(path string) *form.Field {
	parts := slices.DeleteFunc(strings.Split(strings.TrimPrefix(path, "attention/"), "/"), func(part string) bool {
		return strings.Trim(part, "0123456789") == ""
	})
	return form.FieldAt(strings.Join(parts, "/"))
}

// plainName is the name of a field in small letters: DecisionPolicy is decision_policy.
func plainName(field string) string {
	var out strings.Builder
	letters := []rune(field)
	for i, c := range letters {
		if i > 0 && unicode.IsUpper(c) && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) &&
			unicode.IsLower(letters[i+1])) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(c))
	}
	return out.String()
}
