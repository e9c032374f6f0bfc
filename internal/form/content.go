package form

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// Object is what is filled in of a section, a row or a group, by the names of fields. Their kinds say the types of
// the values. What is unset is not in it.
type Object = map[string]any

// Content is what an applicant filled in. It is stored as one JSON document.
type Content struct {
	Sections map[string]any // an Object, or []Object for rows, by the key of the section
	Extras   []admitto.Extra
	// Attention has the values that are outside of the rules, as they were typed, by path: profile/birth/date,
	// education/0/level. The API does not show them (lifecycle.md 3.5).
	Attention map[string]string
}

// attention is the member of the stored document with the values that need attention.
const attention = "attention"

// storedType is a struct with the members of the stored document: those of the sections, extras and attention.
var storedType = func() reflect.Type {
	var members []reflect.StructField
	member := func(name string, t reflect.Type) {
		members = append(members, reflect.StructField{Name: "M" + strconv.Itoa(len(members)), Type: t,
			Tag: reflect.StructTag(`json:"` + name + `"`)})
	}
	for _, s := range sections {
		switch {
		case s.Key == Questions:
			member(s.Key, reflect.TypeFor[[]admitto.Extra]())
		case s.Rows:
			member(s.Key, reflect.TypeFor[[]Object]())
		default:
			member(s.Key, reflect.TypeFor[Object]())
		}
	}
	member(attention, reflect.TypeFor[map[string]string]())
	return reflect.StructOf(members)
}()

// Read reads a stored document. Members that the table does not have stay in it.
func Read(stored []byte) (c Content, err error) {
	document := reflect.New(storedType)
	if err := json.Unmarshal(stored, document.Interface()); err != nil {
		return c, err
	}
	c.Sections = map[string]any{}
	for i, s := range sections {
		switch value := document.Elem().Field(i).Interface().(type) {
		case []admitto.Extra:
			c.Extras = value
		case []Object:
			if len(value) == 0 {
				continue
			}
			c.Sections[s.Key] = value
			for j := range value {
				if value[j] == nil {
					value[j] = Object{}
				}
				if err := settle(s.Fields, value[j]); err != nil {
					return c, err
				}
			}
		case Object:
			if err := settle(s.Fields, value); err != nil {
				return c, err
			}
			if len(value) > 0 {
				c.Sections[s.Key] = value
			}
		}
	}
	c.Attention, _ = document.Elem().Field(len(sections)).Interface().(map[string]string)
	return c, nil
}

// settle takes what is unset out of an object that was read from JSON, and puts the values into the types of their
// kinds.
func settle(fields []*Field, o Object) error {
	for name, value := range o {
		f := named(fields, name)
		if text, ok := value.(string); ok && text != "" && f != nil && f.isText() {
			continue // most values are in their type already
		}
		value, err := settled(f, value)
		switch {
		case err != nil:
			return err
		case value == nil:
			delete(o, name)
		default:
			o[name] = value
		}
	}
	return nil
}

// isText reports whether the values of the field are strings.
func (f *Field) isText() bool {
	switch f.Kind {
	case Number, YesNo, Codes, Schemes, Group:
		return false
	}
	return true
}

// settled is the value of a field in the type of its kind; nil when it is unset.
func settled(f *Field, value any) (any, error) {
	if value == nil || f == nil {
		return value, nil
	}
	switch f.Kind {
	case Group:
		if inner, ok := value.(Object); ok {
			err := settle(f.Fields, inner)
			if len(inner) == 0 {
				return nil, err
			}
			return inner, err
		}
	case Number:
		if number, ok := value.(float64); ok && number == float64(int(number)) {
			return int(number), nil
		}
	case YesNo:
		if yes, ok := value.(bool); ok {
			return yes, nil
		}
	case Codes:
		if list, ok := value.([]any); ok {
			return texts(f, list)
		}
	case Schemes:
		if members, ok := value.(Object); ok {
			return schemes(f, members)
		}
	default:
		if text, ok := value.(string); ok {
			if text == "" {
				return nil, nil
			}
			return text, nil
		}
	}
	return nil, wrongType(f)
}

func wrongType(f *Field) error { return fmt.Errorf("the value of %s has a wrong type", f.Path) }

func texts(f *Field, list []any) (any, error) {
	codes := make([]string, len(list))
	for i := range list {
		code, ok := list[i].(string)
		if !ok {
			return nil, wrongType(f)
		}
		codes[i] = code
	}
	if len(codes) == 0 {
		return nil, nil
	}
	return codes, nil
}

func schemes(f *Field, members Object) (any, error) {
	codes := make(map[string]string, len(members))
	for name, code := range members {
		text, ok := code.(string)
		if !ok {
			return nil, wrongType(f)
		}
		codes[name] = text
	}
	if len(codes) == 0 {
		return nil, nil
	}
	return codes, nil
}

// MarshalJSON makes the document that is stored.
func (c Content) MarshalJSON() ([]byte, error) {
	document := make(map[string]any, len(c.Sections)+2)
	for key, section := range c.Sections {
		document[key] = section
	}
	if len(c.Extras) > 0 {
		document[Questions] = c.Extras
	}
	if len(c.Attention) > 0 {
		document[attention] = c.Attention
	}
	return json.Marshal(document)
}

// UnmarshalJSON is Read.
func (c *Content) UnmarshalJSON(stored []byte) (err error) {
	*c, err = Read(stored)
	return err
}

// IsBlank reports whether nothing at all is filled in.
func (c *Content) IsBlank() bool { return len(c.Sections)+len(c.Extras) == 0 }

// VisibleTo is the content without the fields that need a permission which the caller does not have.
func (c Content) VisibleTo(by admitto.Caller) Content {
	visible := c
	visible.Sections = make(map[string]any, len(c.Sections))
	for key, section := range c.Sections {
		if o, ok := section.(Object); ok {
			section = visibleTo(by, SectionOf(key).Fields, o)
		} else if rows, ok := section.([]Object); ok {
			kept := make([]Object, len(rows))
			for i := range rows {
				kept[i] = visibleTo(by, SectionOf(key).Fields, rows[i])
			}
			section = kept
		}
		visible.Sections[key] = section
	}
	visible.Attention = maps.Clone(c.Attention)
	maps.DeleteFunc(visible.Attention, func(path, _ string) bool {
		need := neededFor(path)
		return need != 0 && !by.Has(need)
	})
	return visible
}

// neededFor is the permission that reading a value at a path takes; 0 for none.
func neededFor(path string) admitto.Permission {
	if f := FieldOf(path); f != nil {
		return f.Needs
	}
	return 0
}

// FieldOf finds the field of a value at a path, which names the number of its row where it is in one; nil for none.
func FieldOf(path string) *Field {
	var names []string
	for name := range strings.SplitSeq(path, "/") {
		if _, err := strconv.Atoi(name); err != nil { // not the number of a row
			names = append(names, name)
		}
	}
	return FieldAt(strings.Join(names, "/"))
}

func visibleTo(by admitto.Caller, fields []*Field, o Object) Object {
	visible := maps.Clone(o)
	for _, f := range fields {
		if inner, ok := o[f.Name].(Object); ok && f.Kind == Group {
			visible[f.Name] = visibleTo(by, f.Fields, inner)
		} else if f.Needs != 0 && !by.Has(f.Needs) {
			delete(visible, f.Name)
		}
	}
	return visible
}

// Section is the object of a section; nil when nothing is filled in.
func (c *Content) Section(key string) Object {
	o, _ := c.Sections[key].(Object)
	return o
}

// Rows are the rows of a section.
func (c *Content) Rows(key string) []Object {
	rows, _ := c.Sections[key].([]Object)
	return rows
}

// Text is the text at a path; "" when there is none.
func (c *Content) Text(path string) string {
	section, below, _ := strings.Cut(path, "/")
	return TextAt(c.Section(section), below)
}

// At is the value at a path below an object; nil when it is unset.
func At(o Object, path string) any {
	for {
		name, below, more := strings.Cut(path, "/")
		if !more {
			return o[name]
		}
		o, _ = o[name].(Object)
		path = below
	}
}

// TextAt is the text at a path below an object; "" when there is none.
func TextAt(o Object, path string) string {
	text, _ := At(o, path).(string)
	return text
}

// Put sets fields of a section without rows, by their paths below it. What is unset is taken out; a path that the table
// does not have is a mistake of ours and panics.
func (c *Content) Put(section string, values Object) {
	o := c.Section(section)
	if o == nil {
		o = Object{}
	}
	putAll(section, o, values)
	if len(o) > 0 {
		c.SetSection(section, o)
	} else {
		delete(c.Sections, section)
	}
}

// AddRow adds a row to a section of rows, with the values by their paths below it.
func (c *Content) AddRow(section string, values Object) {
	row := Object{}
	putAll(section, row, values)
	c.SetSection(section, append(c.Rows(section), row))
}

func putAll(section string, into, values Object) {
	for below, value := range values {
		if FieldAt(section+"/"+below) == nil {
			panic("form: there is no field " + section + "/" + below)
		}
		put(into, below, value)
	}
}

// SetSection puts an Object or []Object in place of a section.
func (c *Content) SetSection(key string, value any) {
	if c.Sections == nil {
		c.Sections = map[string]any{}
	}
	c.Sections[key] = value
}

// put sets the value at a path below an object, or takes it and the groups that are then empty out.
func put(o Object, path string, value any) {
	name, below, more := strings.Cut(path, "/")
	if more {
		inner, _ := o[name].(Object)
		if inner == nil {
			inner = Object{}
		}
		put(inner, below, value)
		value = inner
	}
	if isUnset(value) {
		delete(o, name)
	} else {
		o[name] = value
	}
}

// Set sets the value at a path below an object, or takes it out when it is unset.
func Set(o Object, path string, value any) { put(o, path, value) }

func isUnset(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case Object:
		return len(v) == 0
	case []string:
		return len(v) == 0
	case map[string]string:
		return len(v) == 0
	}
	return false
}

// Tidy takes everything that holds nothing out of the content. Rows stay, even empty ones.
func (c *Content) Tidy() {
	for key, section := range c.Sections {
		switch v := section.(type) {
		case Object:
			tidy(v)
			if len(v) == 0 {
				delete(c.Sections, key)
			}
		case []Object:
			for _, row := range v {
				tidy(row)
			}
			if len(v) == 0 {
				delete(c.Sections, key)
			}
		}
	}
}

func tidy(o Object) {
	for name, value := range o {
		if inner, ok := value.(Object); ok {
			tidy(inner)
		}
		if isUnset(value) {
			delete(o, name)
		}
	}
}

// Latest puts contents together, of which the first is the latest: a section is that of the first that has it. Of those
// with rows all are there but the ones with the heading of a later row, which they became.
func Latest(contents []Content) (all Content) {
	for i := range contents {
		for key, section := range contents[i].Sections {
			if all.Sections == nil {
				all.Sections = map[string]any{}
			}
			rows, is := section.([]Object)
			if was, found := all.Sections[key]; !found {
				all.Sections[key] = section
			} else if before, both := was.([]Object); is && both {
				all.Sections[key] = slices.Concat(before, othersThan(before, rows, SectionOf(key).Heading))
			}
		}
		all.Extras = slices.Concat(all.Extras, contents[i].Extras)
	}
	return all
}

// othersThan are the rows whose heading none of the later ones has.
func othersThan(later, rows []Object, heading string) (others []Object) {
	for _, row := range rows {
		name := TextAt(row, heading)
		if name == "" || !slices.ContainsFunc(later, func(o Object) bool {
			return strings.EqualFold(TextAt(o, heading), name)
		}) {
			others = append(others, row)
		}
	}
	return others
}
