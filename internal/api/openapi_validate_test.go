package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// validator checks values against the part of JSON Schema that the OpenAPI documents use. A keyword that it does not
// know is an error, so that no schema passes unchecked. It is stricter than the documents: an object of type object has
// the members that its schema names and no others, so that no field of an answer goes unnoticed.
type validator struct {
	document map[string]any
	patterns map[string]*regexp.Regexp
}

func newValidator(document map[string]any) *validator {
	return &validator{document: document, patterns: map[string]*regexp.Regexp{}}
}

// resolve returns what a reference of the document means, through several of them.
func (v *validator) resolve(node any) (map[string]any, error) {
	object, _ := node.(map[string]any)
	if object == nil {
		return nil, fmt.Errorf("%v is no object", node)
	}
	ref, ok := object["$ref"].(string)
	if !ok {
		return object, nil
	}
	at := any(v.document)
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		inner, _ := at.(map[string]any)
		if at = inner[name]; at == nil {
			return nil, fmt.Errorf("%s leads nowhere", ref)
		}
	}
	return v.resolve(at)
}

// check returns the first thing about the value that the schema forbids, nil when there is none.
func (v *validator) check(schema any, value any, path string) error {
	if schema == false {
		return fmt.Errorf("%s: may not be there", path)
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: %v is no schema", path, schema)
	}
	if err := v.checkClosed(s, value, path); err != nil {
		return err
	}
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		if err := v.checkKeyword(keyword, s, value, path); err != nil {
			return err
		}
	}
	return nil
}

// checkClosed finds a member that a schema of an object does not name.
func (v *validator) checkClosed(s map[string]any, value any, path string) error {
	object, isObject := value.(map[string]any)
	if !isObject || s["additionalProperties"] != nil || s["properties"] == nil && s["patternProperties"] == nil ||
		!mayBeObject(s["type"]) {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if v.memberSchemas(s, "properties", name) == nil && v.memberSchemas(s, "patternProperties", name) == nil {
			return fmt.Errorf("%s/%s: the schema does not name it", path, name)
		}
	}
	return nil
}

// mayBeObject reports whether a type names object.
func mayBeObject(kind any) bool {
	several, _ := kind.([]any)
	return kind == "object" || slices.Contains(several, any("object"))
}

func (v *validator) checkKeyword(keyword string, s map[string]any, value any, path string) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s: %s: %v", path, fmt.Sprintf(format, args...), value)
	}
	want := s[keyword]
	text, isText := value.(string)
	number, isNumber := value.(json.Number)
	list, isList := value.([]any)
	object, isObject := value.(map[string]any)
	switch keyword {
	case "description", "default", "examples", "format": // what has a format has a pattern too, or any text will do
	case "$ref":
		target, err := v.resolve(s)
		if err != nil {
			return err
		}
		return v.check(target, value, path)
	case "type":
		names, several := want.([]any)
		if !several {
			names = []any{want}
		}
		if !slices.ContainsFunc(names, func(name any) bool { return hasType(value, name.(string)) }) {
			return wrong("is not of type %v", names)
		}
	case "enum":
		if !slices.Contains(want.([]any), value) {
			return wrong("is none of %v", want)
		}
	case "pattern":
		if isText && !v.matches(want.(string), text) {
			return wrong("does not match %v", want)
		}
	case "minLength", "maxLength":
		if isText && outside(keyword, big.NewFloat(float64(utf8.RuneCountInString(text))), want) {
			return wrong("%s %v", keyword, want)
		}
	case "minItems", "maxItems":
		if isList && outside(keyword, big.NewFloat(float64(len(list))), want) {
			return wrong("%s %v", keyword, want)
		}
	case "minimum", "maximum":
		if isNumber {
			n, _, err := big.ParseFloat(number.String(), 10, 100, big.ToNearestEven)
			if err != nil || outside(keyword, n, want) {
				return wrong("%s %v", keyword, want)
			}
		}
	case "items":
		for i, item := range list {
			if err := v.check(want, item, fmt.Sprintf("%s/%d", path, i)); err != nil {
				return err
			}
		}
	case "required":
		for _, name := range want.([]any) {
			if _, given := object[name.(string)]; isObject && !given {
				return fmt.Errorf("%s: %v is missing", path, name)
			}
		}
	case "properties", "patternProperties", "additionalProperties":
		for _, name := range slices.Sorted(maps.Keys(object)) {
			for _, of := range v.memberSchemas(s, keyword, name) {
				if err := v.check(of, object[name], path+"/"+name); err != nil {
					return err
				}
			}
		}
	case "allOf":
		for _, one := range want.([]any) {
			if err := v.check(one, value, path); err != nil {
				return err
			}
		}
	case "anyOf":
		var faults []string
		for _, one := range want.([]any) {
			err := v.check(one, value, path)
			if err == nil {
				return nil
			}
			faults = append(faults, err.Error())
		}
		return fmt.Errorf("%s: none of anyOf: %s", path, strings.Join(faults, " | "))
	default:
		return fmt.Errorf("%s: the validator does not know the keyword %s", path, keyword)
	}
	return nil
}

// memberSchemas returns what a keyword demands of a member.
func (v *validator) memberSchemas(s map[string]any, keyword, name string) (schemas []any) {
	properties, _ := s["properties"].(map[string]any)
	patterns, _ := s["patternProperties"].(map[string]any)
	own, isOwn := properties[name]
	switch {
	case keyword == "properties" && isOwn:
		return []any{own}
	case keyword == "properties":
		return nil
	}
	for pattern, of := range patterns {
		if v.matches(pattern, name) {
			schemas = append(schemas, of)
		}
	}
	if keyword == "patternProperties" {
		return schemas
	}
	if isOwn || schemas != nil || keyword != "additionalProperties" {
		return nil
	}
	return []any{s["additionalProperties"]}
}

func (v *validator) matches(pattern, text string) bool {
	if v.patterns[pattern] == nil {
		v.patterns[pattern] = regexp.MustCompile(pattern)
	}
	return v.patterns[pattern].MatchString(text)
}

// outside reports whether a number is beyond a bound whose name begins with min or max.
func outside(keyword string, n *big.Float, bound any) bool {
	limit, _, err := big.ParseFloat(bound.(json.Number).String(), 10, 100, big.ToNearestEven)
	if err != nil {
		return true
	}
	if strings.HasPrefix(keyword, "min") {
		return n.Cmp(limit) < 0
	}
	return n.Cmp(limit) > 0
}

func hasType(value any, name string) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case json.Number:
		_, whole := new(big.Int).SetString(v.String(), 10)
		return name == "number" || name == "integer" && whole
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

// parsed reads JSON with its numbers as they are written.
func parsed(t testing.TB, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return value
}

// The validator refuses what a schema forbids, keyword by keyword.
func TestValidator(t *testing.T) {
	for _, c := range []struct{ schema, good, bad string }{
		{`{"type":"string"}`, `"a"`, `1`},
		{`{"type":["integer","null"]}`, `null`, `1.5`},
		{`{"type":"number"}`, `1.5`, `"1"`},
		{`{"enum":["a","b"]}`, `"b"`, `"c"`},
		{`{"pattern":"^[a-z]+$"}`, `"abc"`, `"A"`},
		{`{"minLength":2,"maxLength":3}`, `"äöü"`, `"abcd"`},
		{`{"minimum":1}`, `1`, `0`},
		{`{"maximum":999999999999999999}`, `999999999999999999`, `1000000000000000000`},
		{`{"items":{"type":"boolean"},"minItems":1}`, `[true]`, `[]`},
		{`{"items":{"type":"boolean"}}`, `[]`, `[true,0]`},
		{`{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a":"","b":1}`, `{"b":1}`},
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":""}`, `{"a":"","b":1}`},
		{`{"type":["object","null"],"patternProperties":{"^[0-9]+$":{"type":"string"}}}`, `{"1":"a"}`, `{"x":"a"}`},
		{`{"allOf":[{"type":"object","properties":{"a":{},"b":{}}},{"properties":{"a":{"enum":["x"]}}}]}`, `{"a":"x","b":1}`,
			`{"a":"y","b":1}`},
		{`{"properties":{"a":{"type":"string"}}}`, `{}`, `{"a":1}`},
		{`{"patternProperties":{"^[0-9]+$":{"type":"string"}}}`, `{"x":1}`, `{"1":1}`},
		{`{"additionalProperties":{"type":"string"}}`, `{"a":"b"}`, `{"a":1}`},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `null`, `1`},
		{`{"$ref":"#/a"}`, `"x"`, `1`},
	} {
		v := newValidator(map[string]any{"a": map[string]any{"type": "string"}})
		schema := parsed(t, []byte(c.schema))
		if err := v.check(schema, parsed(t, []byte(c.good)), ""); err != nil {
			t.Errorf("%s refuses %s: %v", c.schema, c.good, err)
		}
		if v.check(schema, parsed(t, []byte(c.bad)), "") == nil {
			t.Errorf("%s takes %s", c.schema, c.bad)
		}
	}
	if newValidator(nil).check(map[string]any{"oneOf": nil}, 1, "") == nil {
		t.Error("an unknown keyword passes")
	}
}
