package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
)

// Word is a piece of a sentence about a schema: plain, code, or a link to a record.
type Word struct {
	Text   string
	IsCode bool
	Record string
}

func plainly(format string, args ...any) Word { return Word{Text: fmt.Sprintf(format, args...)} }

// codeWords takes a text apart at its code.
func codeWords(text string) (words []Word) {
	for i, part := range strings.Split(text, "`") {
		if part != "" {
			words = append(words, Word{Text: part, IsCode: i%2 == 1})
		}
	}
	return words
}

// wordsOf says which values a schema allows; a nil or empty schema says nothing.
func wordsOf(s *schema.Schema) []Word {
	switch {
	case s == nil:
		return nil
	case s.Ref != "":
		return []Word{{Record: strings.TrimPrefix(s.Ref, "#/components/schemas/")}}
	case s.AnyOf != nil:
		var words []Word
		for i, one := range s.AnyOf {
			if i > 0 {
				words = append(words, plainly(" or "))
			}
			words = append(words, wordsOf(one)...)
		}
		return words
	}
	words := typeWords(s)
	if s.Enum != nil {
		words = enumWords(s.Enum)
	}
	if slices.Contains(typesOf(s), "null") && len(typesOf(s)) > 1 && !slices.Contains(s.Enum, nil) {
		words = append(words, plainly(" or "), Word{Text: "null", IsCode: true})
	}
	if s.Default != nil {
		words = append(words, plainly("; default "), Word{Text: fmt.Sprint(s.Default), IsCode: true})
	}
	return words
}

func enumWords(values []any) []Word {
	words := []Word{plainly("one of ")}
	if len(values) == 1 {
		words = nil
	}
	for i, value := range values {
		if i > 0 {
			words = append(words, plainly(", "))
		}
		if value == nil {
			value = "null"
		}
		words = append(words, Word{Text: fmt.Sprint(value), IsCode: true})
	}
	return words
}

// typesOf lists the types of a schema.
func typesOf(s *schema.Schema) []string {
	switch t := s.Type.(type) {
	case string:
		return []string{t}
	case []string:
		return t
	}
	return nil
}

// typeWords says the types with their ranges.
func typeWords(s *schema.Schema) (words []Word) {
	names := slices.DeleteFunc(slices.Clone(typesOf(s)), func(name string) bool { return name == "null" })
	if len(names) == 0 && s.Type != nil {
		return []Word{{Text: "null", IsCode: true}}
	}
	for i, name := range names {
		if i > 0 {
			words = append(words, plainly(" or "))
		}
		switch name {
		case "string":
			words = append(words, textWords(s)...)
		case "integer", "number":
			words = append(words, numberWords(s, name))
		case "array":
			words = append(words, listWords(s)...)
		case "object":
			words = append(words, objectWords(s)...)
		default:
			words = append(words, plainly("%s", name))
		}
	}
	return words
}

// commonPatterns are the forms that many texts have, in words.
func commonPatterns() map[string]string {
	return map[string]string{
		schema.IDPattern: "ID", schema.DatePattern: "day (YYYY-MM-DD)", params.TimePattern: "date or time",
		schema.InstantPattern: "moment (YYYY-MM-DDThh:mm:ss+00:00)",
		schema.DecimalPattern: "decimal with two decimals", schema.PartialPattern: "date (YYYY, YYYY-MM or YYYY-MM-DD)",
		"^[0-9]{4}$": "year (YYYY)", "^[A-Za-z]{2}$": "two letters", "^[A-Za-z]{3}$": "three letters",
		`^-?[0-9]{1,9}(\.[0-9]+)?$`: "decimal", "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$": "true, false, 1 or 0",
	}
}

func textWords(s *schema.Schema) []Word {
	if name, known := commonPatterns()[s.Pattern]; known {
		return []Word{plainly("%s", name)}
	}
	what := "text"
	switch s.Format {
	case "email":
		what = "e-mail address"
	case "uri":
		what = "web address"
	case "binary":
		what = "file"
	case "uri-reference":
		what = "path"
	}
	switch least, most := s.MinLength, s.MaxLength; {
	case least != nil && most != nil:
		what += fmt.Sprintf(" of %d to %d characters", *least, *most)
	case most != nil:
		what += fmt.Sprintf(" of at most %d characters", *most)
	case least != nil && *least > 0:
		what += ", not empty"
	}
	words := []Word{plainly("%s", what)}
	if s.Pattern != "" {
		words = append(words, plainly(" like "), Word{Text: s.Pattern, IsCode: true})
	}
	return words
}

func numberWords(s *schema.Schema, name string) Word {
	switch least, most := s.Minimum, s.Maximum; {
	case least != nil && most != nil && *least == 1 && *most == schema.MaxID:
		return plainly("ID")
	case least != nil && most != nil && *least == 0 && *most == schema.MaxID:
		return plainly("ID (or 0)")
	case least != nil && most != nil && *least == -schema.MaxID && *most == schema.MaxID:
		return plainly("%s of at most 18 digits", name)
	case least != nil && most != nil:
		return plainly("%s from %d to %d", name, *least, *most)
	case least != nil:
		return plainly("%s from %d", name, *least)
	case most != nil:
		return plainly("%s up to %d", name, *most)
	}
	return plainly("%s", name)
}

func listWords(s *schema.Schema) []Word {
	words := append([]Word{plainly("list, each ")}, wordsOf(s.Items)...)
	if s.Items != nil && len(s.Items.Enum) > 1 {
		words = append([]Word{plainly("list out of ")}, enumWords(s.Items.Enum)[1:]...)
	}
	switch least, most := s.MinItems, s.MaxItems; {
	case least != nil && most != nil:
		words = append(words, plainly("; %d to %d items", *least, *most))
	case most != nil:
		words = append(words, plainly("; at most %d items", *most))
	}
	return words
}

func objectWords(s *schema.Schema) []Word {
	if element := s.PatternProperties[schema.IDPattern]; element != nil {
		return append([]Word{plainly("object keyed by ID, each ")}, wordsOf(element)...)
	}
	if element := s.AdditionalProperties; element != nil {
		return append([]Word{plainly("object keyed by name, each ")}, wordsOf(element)...)
	}
	return []Word{plainly("object")}
}

// fieldsInWords lists the members of an object, those of inner objects as outer.inner.
func fieldsInWords(s *schema.Schema, outer string) (fields []ReferenceField) {
	for _, alternative := range s.AnyOf {
		fields = append(fields, fieldsInWords(alternative, outer)...)
	}
	for _, m := range s.Properties {
		of, ok := m.Value.(*schema.Schema)
		if !ok {
			continue
		}
		fields = append(fields, ReferenceField{Name: outer + m.Name, Note: noteOn(of),
			IsRequired: slices.Contains(s.Required, m.Name), Words: wordsOf(of)})
		fields = append(fields, fieldsInWords(of, outer+m.Name+".")...)
		if of.Items != nil {
			fields = append(fields, fieldsInWords(of.Items, outer+m.Name+"[].")...)
		}
	}
	return fields
}

// noteOn returns the description of a schema, or of its items where it has none itself.
func noteOn(s *schema.Schema) string {
	if s.Description == "" && s.Items != nil {
		return s.Items.Description
	}
	return s.Description
}

// recordInWords describes a schema that others refer to.
func recordInWords(name string, s *schema.Schema) ReferenceRecord {
	record := ReferenceRecord{Name: name, Note: s.Description, Fields: fieldsInWords(s, "")}
	for i := range record.Fields {
		f := &record.Fields[i]
		f.IsOptional, f.IsRequired = !f.IsRequired, false // what is always there needs no word
	}
	if len(record.Fields) == 0 || !slices.Contains(typesOf(s), "object") {
		record.Words = wordsOf(s)
	}
	return record
}
