package form

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Sections lists the sections in the order of the API, with their fields. Callers do not change them.
func Sections() []*Section { return sections }

// SectionOf finds a section by its key; nil when there is none.
func SectionOf(key string) *Section { return sectionByKey[key] }

// FieldAt finds a field or a group of fields by its path; nil when there is none.
func FieldAt(path string) *Field { return fieldByPath[path] }

// Fields lists all fields, without groups, in the order of the API.
func Fields() []*Field { return fields }

// Field finds a field of an object or a row by its name; nil when there is none.
func (s *Section) Field(name string) *Field { return named(s.Fields, name) }

func named(fields []*Field, name string) *Field {
	for _, f := range fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// AsWritten lists the fields of the section in the order in which people fill them in (screens.md P09).
func (s *Section) AsWritten() []*Field {
	list := slices.Clone(s.Leaves())
	place := func(f *Field) int {
		at := slices.IndexFunc(s.Written, func(path string) bool {
			return f.Below() == path || strings.HasPrefix(f.Below(), path+"/")
		})
		if at < 0 {
			return len(s.Written)
		}
		return at
	}
	slices.SortStableFunc(list, func(a, b *Field) int { return place(a) - place(b) })
	return list
}

// Leaves lists the fields of the section, those of groups among them, in the order of the API.
func (s *Section) Leaves() []*Field { return leaves(nil, s.Fields) }

func leaves(list, fields []*Field) []*Field {
	for _, f := range fields {
		if f.Kind == Group {
			list = leaves(list, f.Fields)
		} else {
			list = append(list, f)
		}
	}
	return list
}

// Below is the path of a field below its section: birth/date.
func (f *Field) Below() string {
	_, below, _ := strings.Cut(f.Path, "/")
	return below
}

// sectionByKey and fieldByPath are the table as a tree: groups follow from the paths.
var sectionByKey, fieldByPath = tree()

func tree() (byKey map[string]*Section, byPath map[string]*Field) {
	byKey, byPath = map[string]*Section{}, map[string]*Field{}
	for _, s := range sections {
		byKey[s.Key] = s
	}
	for _, f := range fields {
		byPath[f.Path] = f
		names := strings.Split(f.Path, "/")
		s := byKey[names[0]]
		f.Name = names[len(names)-1]
		if f.Data == "" {
			f.Data = s.Data
		}
		into := &s.Fields
		for i := 2; i < len(names); i++ {
			into = &group(byPath, into, strings.Join(names[:i], "/")).Fields
		}
		*into = append(*into, f)
	}
	return byKey, byPath
}

// group finds the group at a path, and makes it when it is not there.
func group(byPath map[string]*Field, into *[]*Field, path string) *Field {
	if g := byPath[path]; g != nil {
		return g
	}
	g := &Field{Path: path, Kind: Group, Name: path[strings.LastIndexByte(path, '/')+1:], Component: components[path]}
	byPath[path] = g
	*into = append(*into, g)
	return g
}

// ComparePaths orders paths and JSON pointers, the numbers of rows as numbers.
func ComparePaths(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	return slices.CompareFunc(x, y, func(a, b string) int {
		n, errN := strconv.Atoi(a)
		k, errK := strconv.Atoi(b)
		if errN == nil && errK == nil {
			return cmp.Compare(n, k)
		}
		return cmp.Compare(a, b)
	})
}
