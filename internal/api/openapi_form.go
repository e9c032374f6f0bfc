package api

import (
	"reflect"

	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/form"
)

// contentSchema is the content part of an application in the version of the document.
func (d *apiDocument) contentSchema() *schema {
	whole := &schema{Type: "object"}
	for _, s := range form.Sections() {
		var value *schema
		switch {
		case s.Key == form.Questions:
			value = d.schemaOf(reflect.TypeFor[[]wire.Extra]())
		case s.Rows:
			value = listOfSchema(d.formComponent(s.Component, s.Fields))
		default:
			value = orNull(d.formComponent(s.Component, s.Fields))
		}
		whole.Properties = append(whole.Properties, member{s.Key, value})
		if !s.OmitEmpty || !d.version.Has(version.EmptyOmitted) {
			whole.Required = append(whole.Required, s.Key)
		}
	}
	return whole
}

// formComponent returns the reference to the schema of an object with these fields.
func (d *apiDocument) formComponent(name string, fields []*form.Field) *schema {
	if _, known := d.schemas[name]; !known {
		s := &schema{Type: "object"}
		for _, f := range fields {
			if wire.InForm(f, d.version) {
				s.Properties = append(s.Properties, member{f.Name, d.fieldSchema(f)})
				s.Required = append(s.Required, f.Name)
			}
		}
		d.schemas[name] = s
	}
	return &schema{Ref: "#/components/schemas/" + name}
}

// fieldSchema is the schema of the values of a field.
func (d *apiDocument) fieldSchema(f *form.Field) *schema {
	switch f.Kind {
	case form.Group:
		return orNull(d.formComponent(f.Component, f.Fields))
	case form.Month:
		return d.partialDate()
	case form.Number:
		return orNull(&schema{Type: "integer"})
	case form.YesNo:
		return orNull(&schema{Type: "boolean"})
	case form.Codes:
		return listOfSchema(textSchema())
	case form.Schemes:
		return orNull(keyedByName(textSchema()))
	}
	return orNull(textSchema())
}
