package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// generator collects the types while the methods are written.
type generator struct {
	document *document
	types    bytes.Buffer
	methods  bytes.Buffer
	declared map[string]bool
	pending  []func() error // inner types, to be declared after the one that names them
}

// byHand are the schemas whose types are written by hand in package client.
func byHand(name string) bool {
	return slices.Contains([]string{"Moment", "Day", "Decimal", "Link", "Problem"}, name)
}

// schemas declares a type for every schema that has a name.
func (g *generator) schemas() error {
	list := g.document.Components.Schemas
	for i, name := range list.keys {
		if byHand(name) {
			continue
		}
		s := list.values[i]
		err := error(nil)
		if s.Properties.keys != nil {
			err = g.declare(name, s, output)
		} else {
			err = g.alias(name, s)
		}
		if err != nil {
			return fmt.Errorf("schema %s: %w", name, err)
		}
	}
	return nil
}

// alias declares the type of a schema that is no object with members of its own.
func (g *generator) alias(name string, s *schema) error {
	t, err := g.typeOf(s, name+"Value", output)
	if err == nil {
		fmt.Fprintf(&g.types, "// %s is %s\ntype %s = %s\n\n", name, described(s.Description,
			"as the schema of this name says."), name, t)
	}
	return err
}

// use is what a type is for: answers have all their members, creations leave out what is not given, changes tell what
// is left alone from what is unset.
type use int

const (
	output use = iota
	creation
	change
)

// declare declares a struct for an object, and then what its members need.
func (g *generator) declare(name string, s *schema, u use) error {
	if g.declared[name] {
		return fmt.Errorf("two types would be named %s", name)
	}
	g.declared[name] = true
	fmt.Fprintf(&g.types, "// %s is %s\ntype %s struct {\n", name, described(s.Description, map[use]string{
		output: "part of answers.", creation: "what a creation is given; what is zero is not sent.",
		change: "what a change is given; what is zero is left alone.",
	}[u]), name)
	for i, property := range s.Properties.keys {
		if err := g.member(name, property, s.Properties.values[i], u, slices.Contains(s.Required, property)); err != nil {
			return fmt.Errorf("%s: %w", property, err)
		}
	}
	g.types.WriteString("}\n\n")
	pending := g.pending
	g.pending = nil
	for _, inner := range pending {
		if err := inner(); err != nil {
			return err
		}
	}
	return nil
}

// member writes one field of a struct.
func (g *generator) member(parent, property string, s *schema, u use, required bool) error {
	if u != output && (without(s.Description) || property == "color") {
		return nil
	}
	t, err := g.typeOf(s, parent+goName(property), u)
	if err != nil {
		return err
	}
	tag := property
	switch {
	case u == output && !required:
		tag += ",omitzero"
	case u == creation && !required:
		tag += ",omitempty"
	case u == change && !required:
		t, tag = "Field["+t+"]", tag+",omitzero"
	}
	fmt.Fprintf(&g.types, "\t%s %s `json:%q`%s\n", goName(property), t, tag, fieldComment(s))
	return nil
}

// typeOf returns the Go type of a schema; name is for a type that has to be declared for it.
func (g *generator) typeOf(s *schema, name string, u use) (string, error) {
	null := slices.Contains(s.Type, "null")
	kind := strings.Join(slices.DeleteFunc(slices.Clone(s.Type), func(k string) bool { return k == "null" }), " ")
	if kind == "string integer" && s.Pattern != "" { // a code: its text says all that a number would
		kind = "string"
	}
	switch {
	case s.Ref != "":
		return named(s.Ref), nil
	case s.AnyOf != nil:
		return g.oneOf(s.AnyOf, name, u)
	case strings.HasPrefix(s.Pattern, "^([Tt]"), kind == "boolean" && (null || u != output):
		return "*bool", nil
	case kind == "":
		return "any", nil
	case kind == "object":
		return g.object(s, name, u, null)
	case kind == "array":
		t, err := g.typeOf(s.Items, name+"Item", u)
		return "[]" + strings.TrimPrefix(t, "*"), err
	case strings.Contains(s.Pattern, "([T ].*)?"):
		return "Bound", nil
	case s.Format == "date":
		return "Day", nil
	case kind == "string number":
		return "Decimal", nil
	case kind == "string" && null && u != creation:
		return "Text", nil
	}
	plain := map[string]string{"string": "string", "integer": "int64", "integer string": "int64", "number": "float64",
		"boolean":        "bool",
		"string integer": "any", "string number boolean": "any"}
	t, known := plain[kind]
	if !known {
		return "", fmt.Errorf("no Go type for %v", s.Type)
	}
	if null && kind == "integer" && u == output {
		return "*int64", nil
	}
	return t, nil
}

// object returns the type of an object.
func (g *generator) object(s *schema, name string, u use, null bool) (string, error) {
	star := ""
	if null || u != output {
		star = "*"
	}
	switch {
	case s.PatternProperties.keys != nil:
		t, err := g.typeOf(s.PatternProperties.values[0], name+"Element", u)
		if _, paged := s.Properties.get("pages"); paged {
			return "Paged[" + t + "]", err
		}
		return "Collection[" + t + "]", err
	case s.Properties.keys != nil:
		g.pending = append(g.pending, func() error { return g.declare(name, s, u) })
		return star + name, nil
	case s.AdditionalProperties.schema != nil:
		t, err := g.typeOf(s.AdditionalProperties.schema, name+"Element", u)
		return "map[string]" + t, err
	}
	return "map[string]any", nil
}

// oneOf returns the type of a choice: something or null, a link or what is behind it; else anything.
func (g *generator) oneOf(choice []*schema, name string, u use) (string, error) {
	isNull := func(s *schema) bool { return len(s.Type) == 1 && s.Type[0] == "null" }
	if len(choice) != 2 {
		return "any", nil
	}
	first, second := choice[0], choice[1]
	switch {
	case isNull(second) && first.Ref != "":
		if target, _ := g.document.Components.Schemas.get(named(first.Ref)); byHand(named(first.Ref)) ||
			target.Properties.keys == nil {
			return named(first.Ref), nil
		}
		return "*" + named(first.Ref), nil
	case isNull(second):
		return g.typeOf(first, name, u)
	case named(first.Ref) == "Link":
		t, err := g.typeOf(second, name, u)
		return "Linked[" + t + "]", err
	case len(first.Type) == 1 && first.Type[0] == "integer" && strings.Contains(second.Pattern, "([T ].*)?"):
		return "Bound", nil
	}
	return "any", nil
}

// without reports whether what is described has no effect or is another spelling of something else.
func without(description string) bool {
	return strings.HasPrefix(description, "Accepted, and without effect") ||
		strings.HasPrefix(description, "Another spelling of")
}

// fieldComment says what a value may be.
func fieldComment(s *schema) string {
	text := oneLine(s.Description)
	enum := s.Enum
	if s.Items != nil && enum == nil {
		enum = s.Items.Enum
		if text == "" {
			text = oneLine(s.Items.Description)
		}
	}
	if len(enum) > 0 {
		words := make([]string, len(enum))
		for i, word := range enum {
			words[i] = fmt.Sprint(word)
		}
		text = strings.TrimSpace(text + " One of " + strings.Join(words, ", ") + ".")
	}
	if text == "" {
		return ""
	}
	return " // " + text
}

// described is the description, or else what is said of all that have none.
func described(description, otherwise string) string {
	if description == "" {
		return otherwise
	}
	return oneLine(strings.ToLower(description[:1]) + description[1:])
}
