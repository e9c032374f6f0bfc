package api

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/config"
)

// What the inputs of this package read, in the documents.

// inputPlace is where a parameter stands. In a query and a form everything is text, so that a number is one in the
// schema; in JSON some types read a number or a text.
type inputPlace struct {
	version  version.Number
	settings *config.Settings
	isJSON   bool // a member of a JSON object
	limit    int  // the largest limit of the operation; 0 is that of the settings
	capped   bool // a larger limit counts as the largest
	expands  []string
}

// numeric is a number that a JSON object may hold as a text, too.
func (p *inputPlace) numeric(s *schema.Schema, pattern string) *schema.Schema {
	if p.isJSON {
		s.Type, s.Pattern = []string{s.Type.(string), "string"}, pattern
	}
	return s
}

func (line) describe(_ *inputPlace, f *inputField) *schema.Schema {
	return &schema.Schema{Type: "string", MinLength: &f.min, MaxLength: &f.max}
}

func (lines) describe(_ *inputPlace, f *inputField) *schema.Schema {
	return &schema.Schema{Type: "string", MinLength: &f.min, MaxLength: &f.max, Description: "May have several lines."}
}

func (emailAddress) describe(*inputPlace, *inputField) *schema.Schema {
	return &schema.Schema{Type: "string", Format: "email", MaxLength: new(254)}
}

func countrySchema() *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: "^[A-Za-z]{2}$", Description: "ISO 3166-1 alpha-2, in any letter case."}
}

func (countryCode) describe(*inputPlace, *inputField) *schema.Schema { return countrySchema() }

func currencySchema() *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: "^[A-Za-z]{3}$", Description: "ISO 4217, in any letter case."}
}

func (currencyCode) describe(*inputPlace, *inputField) *schema.Schema { return currencySchema() }

func (objectID) describe(in *inputPlace, _ *inputField) *schema.Schema {
	return in.numeric(schema.ID(), schema.IDPattern)
}

func (decimal) describe(in *inputPlace, _ *inputField) *schema.Schema {
	s := &schema.Schema{Type: "string", Pattern: `^-?[0-9]{1,9}(\.[0-9]+)?$`, Description: "A decimal; more than two decimals that are not 0 are refused."}
	if in.isJSON {
		s.Type = []string{"string", "number"}
	}
	return s
}

func (ignored) describe(*inputPlace, *inputField) *schema.Schema {
	return &schema.Schema{Description: "Accepted, and without effect."}
}

// timePattern is the beginning of every form of a time (conventions.md 4).
const timePattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?$`

func (boundary) describe(_ *inputPlace, f *inputField) *schema.Schema {
	meaning := "The first: an ID (0: from the beginning), or a date or time, inclusive; without an offset in the time zone of the instance."
	if f.upper {
		meaning = "The last: an ID, or a date or time, inclusive; a date alone is the end of that day."
	}
	return &schema.Schema{Description: meaning, AnyOf: []*schema.Schema{{Type: "integer", Minimum: new(int64(0)), Maximum: new(int64(schema.MaxID))},
		{Type: "string", Pattern: timePattern}}}
}

func momentSchema() *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: timePattern,
		Description: "A date or time, such as 2026-03-01 or 2026-03-01T09:00:00+02:00; without an offset in the time zone of the instance."}
}

// filterOf is a list filter: items separated by commas or spaces, or the parameter given again.
func filterOf(item *schema.Schema) *schema.Schema {
	return &schema.Schema{Type: "array", Items: item, MinItems: new(1), MaxItems: new(maxItems)}
}

func (idList) describe(*inputPlace, *inputField) *schema.Schema { return filterOf(schema.ID()) }
func (countryList) describe(*inputPlace, *inputField) *schema.Schema {
	return filterOf(countrySchema())
}

func (emailList) describe(in *inputPlace, f *inputField) *schema.Schema {
	return filterOf(emailAddress("").describe(in, f))
}

func (codeList) describe(*inputPlace, *inputField) *schema.Schema {
	return filterOf(&schema.Schema{Type: "string", MinLength: new(1), MaxLength: new(64)})
}

func (titleList) describe(*inputPlace, *inputField) *schema.Schema {
	s := filterOf(&schema.Schema{Type: "string", MinLength: new(1)})
	s.Description = "Separated by commas only, since items may hold spaces."
	return s
}

func (wordList) describe(_ *inputPlace, f *inputField) *schema.Schema {
	s := filterOf(schema.Words(f.words))
	s.Description = "In any letter case."
	return s
}

func yearSchema() *schema.Schema {
	return &schema.Schema{Type: "integer", Minimum: new(int64(1900)), Maximum: new(int64(2100))}
}

func (yearList) describe(*inputPlace, *inputField) *schema.Schema { return filterOf(yearSchema()) }

// describe tells the range active; with expand a list may have another.
func (limit) describe(in *inputPlace, f *inputField) *schema.Schema {
	if f.name != "limit" {
		return &schema.Schema{Type: "integer", Minimum: new(int64(1))} // the number of a page
	}
	set := in.settings
	most := int64(in.limit)
	s := &schema.Schema{Type: "integer", Minimum: new(int64(1)), Maximum: &most}
	switch {
	case in.capped:
		s.Maximum, s.Description = nil, fmt.Sprintf("More than %d counts as %d.", most, most)
	case most == 0:
		most = int64(set.API.MaxLimit)
		s.Description = fmt.Sprintf("With expand at most %d, which is the default then.", set.API.MaxLimitExpand)
	}
	s.Default = most
	return s
}

func (expansion) describe(in *inputPlace, _ *inputField) *schema.Schema {
	return &schema.Schema{Type: "array", Items: schema.Words(append(slices.Clone(in.expands), "*")),
		Description: "Links to replace by what is behind them; * is all."}
}

func (order) describe(*inputPlace, *inputField) *schema.Schema {
	s := schema.Words([]string{oldestFirst, newestFirst})
	s.Default, s.Description = oldestFirst, "newest-first turns the order."
	return s
}

// describe returns the schema of a field of a request struct.
func (p *inputPlace) describe(t reflect.Type, f *inputField) *schema.Schema {
	d, ok := reflect.Zero(t.FieldByIndex(f.index).Type).Interface().(input)
	if !ok {
		panic(fmt.Sprintf("params: %s has no method describe for the OpenAPI documents", t.FieldByIndex(f.index).Type))
	}
	return d.describe(p, f)
}

// object is the object of the parameters of a request struct in JSON.
func (p *inputPlace) object(t reflect.Type) *schema.Schema {
	whole := &schema.Schema{Type: "object"}
	for _, f := range inputFields(t, p.version) {
		names := strings.Split(strings.ReplaceAll(f.name, "]", ""), "[")
		value := p.describe(t, &f)
		if !f.required {
			value = schema.InputOrNull(value)
		}
		at := whole
		for _, name := range names[:len(names)-1] {
			at = at.Nested(name)
		}
		addInput(at, &f, names[len(names)-1], value)
	}
	return whole
}

// addInput adds a parameter to an object, under its other spelling too.
func addInput(s *schema.Schema, f *inputField, name string, value *schema.Schema) {
	s.Properties = append(s.Properties, schema.Member{Name: name, Value: value})
	if f.alias != "" {
		s.Properties = append(s.Properties, schema.Member{Name: f.alias, Value: value})
	}
	if f.required {
		s.Required = append(s.Required, name)
	}
}
