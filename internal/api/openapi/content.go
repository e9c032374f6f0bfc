package openapi

import (
	"reflect"

	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/form"
)

// contentSchema is the content part of an application in the version of the document.
func (d *Document) contentSchema() *schema.Schema {
	whole := &schema.Schema{Type: "object"}
	for _, s := range form.Sections() {
		var value *schema.Schema
		switch {
		case s.Key == form.Questions:
			value = d.SchemaOf(reflect.TypeFor[[]wire.Extra]())
		case s.Rows:
			value = schema.ListOf(d.formComponent(s.Component, s.Fields))
		default:
			value = schema.OrNull(d.formComponent(s.Component, s.Fields))
		}
		whole.Properties = append(whole.Properties, schema.Member{Name: s.Key, Value: value})
		if !s.OmitEmpty || !d.Version.Has(version.EmptyOmitted) {
			whole.Required = append(whole.Required, s.Key)
		}
	}
	return whole
}

// formComponent returns the reference to the schema of an object with these fields.
func (d *Document) formComponent(name string, fields []*form.Field) *schema.Schema {
	if _, known := d.Schemas[name]; !known {
		s := &schema.Schema{Type: "object"}
		for _, f := range fields {
			if wire.InForm(f, d.Version) {
				s.Properties = append(s.Properties, schema.Member{Name: f.Name, Value: d.fieldSchema(f)})
				s.Required = append(s.Required, f.Name)
			}
		}
		d.Schemas[name] = s
	}
	return &schema.Schema{Ref: "#/components/schemas/" + name}
}

// fieldSchema is the schema of the values of a field.
func (d *Document) fieldSchema(f *form.Field) *schema.Schema {
	switch f.Kind {
	case form.Group:
		return schema.OrNull(d.formComponent(f.Component, f.Fields))
	case form.Month:
		return d.partialDate()
	case form.Number:
		return schema.OrNull(&schema.Schema{Type: "integer"})
	case form.YesNo:
		return schema.OrNull(&schema.Schema{Type: "boolean"})
	case form.Codes:
		return schema.ListOf(schema.Text())
	case form.Schemes:
		return schema.OrNull(schema.KeyedByName(schema.Text()))
	}
	return schema.OrNull(schema.Text())
}
