package api_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
)

// foreign is what Go's expressions have and ECMA-262 with the flag u does not.
var foreign = regexp.MustCompile(`\\[AzQEaC]|\(\?[^:=!<]|\(\?P<|\[\[:|\\p`)

// Every pattern of every document is of the dialect of JSON Schema, and no bound of a length lies outside of it.
func TestOpenAPIDialect(t *testing.T) {
	s := documentSettings()
	s.Applicants.ReferencePattern, s.Applicants.MatriculationPattern = regexp.MustCompile(`\A(?:[A-Z]{2}[0-9]{6})\z`),
		regexp.MustCompile(`\A(?:(?i)m\d+)\z`)
	for _, v := range versions() {
		text, err := api.OpenAPI(s, v)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `"pattern":"^[A-Z]{2}[0-9]{6}$","minLength":8,"maxLength":8`) ||
			!strings.Contains(string(text), `"pattern":"^[Mm][0-9]+$","minLength":2,"maxLength":255`) {
			t.Errorf("version %d does not say the forms of the settings", v)
		}
		eachSchema(parsed(t, text), "", func(path string, one map[string]any) {
			if pattern, is := one["pattern"].(string); is && foreign.MatchString(pattern) {
				t.Errorf("version %d: %s has the pattern %s", v, path, pattern)
			}
			names, _ := one["patternProperties"].(map[string]any)
			for pattern := range names {
				if foreign.MatchString(pattern) {
					t.Errorf("version %d: %s has the pattern %s", v, path, pattern)
				}
			}
			if one["$ref"] != nil && len(one) > 1 {
				t.Errorf("version %d: %s has a $ref and something else", v, path)
			}
		})
	}
}

// eachSchema visits every object of a document but what is in its examples.
func eachSchema(node any, path string, visit func(path string, one map[string]any)) {
	switch node := node.(type) {
	case map[string]any:
		visit(path, node)
		for name, inner := range node {
			if name != "example" && name != "examples" {
				eachSchema(inner, path+"/"+name, visit)
			}
		}
	case []any:
		for _, inner := range node {
			eachSchema(inner, path+"/[]", visit)
		}
	}
}
