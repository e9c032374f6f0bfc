package params

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

// Place is where a parameter stands. In a query and a form everything is text, so that a number is one in the
// schema; in JSON some types read a number or a text.
type Place struct {
	Version  version.Number
	Settings *config.Settings
	IsJSON   bool // a member of a JSON object
	Limit    int  // the largest limit of the operation; 0 is that of the settings
	Capped   bool // a larger limit counts as the largest
	Expands  []string
}

// Numeric is a number that a JSON object may hold as a text, too.
func (p *Place) Numeric(s *schema.Schema, pattern string) *schema.Schema {
	if p.IsJSON {
		s.Type, s.Pattern = []string{s.Type.(string), "string"}, pattern
	}
	return s
}

func (Line) Describe(_ *Place, f *Field) *schema.Schema {
	return &schema.Schema{Type: "string", MinLength: &f.min, MaxLength: &f.max}
}

func (Lines) Describe(_ *Place, f *Field) *schema.Schema {
	return &schema.Schema{Type: "string", MinLength: &f.min, MaxLength: &f.max, Description: "May have several lines."}
}

func (EmailAddress) Describe(*Place, *Field) *schema.Schema {
	return &schema.Schema{Type: "string", Format: "email", MaxLength: new(254)}
}

func countrySchema() *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: "^[A-Za-z]{2}$", Description: "ISO 3166-1 alpha-2, in any letter case."}
}

func (CountryCode) Describe(*Place, *Field) *schema.Schema { return countrySchema() }

// CurrencySchema describes a CurrencyCode.
func CurrencySchema() *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: "^[A-Za-z]{3}$", Description: "ISO 4217, in any letter case."}
}

func (CurrencyCode) Describe(*Place, *Field) *schema.Schema { return CurrencySchema() }

func (ObjectID) Describe(in *Place, _ *Field) *schema.Schema {
	return in.Numeric(schema.ID(), schema.IDPattern)
}

func (Decimal) Describe(in *Place, _ *Field) *schema.Schema {
	s := &schema.Schema{Type: "string", Pattern: `^-?[0-9]{1,9}(\.[0-9]+)?$`,
		Description: "A decimal; more than two decimals that are not 0 are refused."}
	if in.IsJSON {
		s.Type = []string{"string", "number"}
	}
	return s
}

func (Ignored) Describe(*Place, *Field) *schema.Schema {
	return &schema.Schema{Description: "Accepted, and without effect."}
}

// TimePattern is the beginning of every form of a time (conventions.md 4).
const TimePattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?$`

func (Boundary) Describe(_ *Place, f *Field) *schema.Schema {
	meaning := "The first: an ID (0: from the beginning), or a date or time, inclusive; without an offset in the time zone of the instance."
	if f.upper {
		meaning = "The last: an ID, or a date or time, inclusive; a date alone is the end of that day."
	}
	return &schema.Schema{Description: meaning, AnyOf: []*schema.Schema{{Type: "integer", Minimum: new(int64(0)),
		Maximum: new(int64(schema.MaxID))},
		{Type: "string", Pattern: TimePattern}}}
}

// InstantSchema describes a date or a time.
func InstantSchema() *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: TimePattern,
		Description: "A date or time, such as 2026-03-01 or 2026-03-01T09:00:00+02:00; without an offset in the time zone of the instance."}
}

// FilterOf is a list filter: items separated by commas or spaces, or the parameter given again.
func FilterOf(item *schema.Schema) *schema.Schema {
	return &schema.Schema{Type: "array", Items: item, MinItems: new(1), MaxItems: new(MaxItems)}
}

func (IDList) Describe(*Place, *Field) *schema.Schema { return FilterOf(schema.ID()) }
func (CountryList) Describe(*Place, *Field) *schema.Schema {
	return FilterOf(countrySchema())
}

func (EmailList) Describe(in *Place, f *Field) *schema.Schema {
	return FilterOf(EmailAddress("").Describe(in, f))
}

func (CodeList) Describe(*Place, *Field) *schema.Schema {
	return FilterOf(&schema.Schema{Type: "string", MinLength: new(1), MaxLength: new(64)})
}

func (TitleList) Describe(*Place, *Field) *schema.Schema {
	s := FilterOf(&schema.Schema{Type: "string", MinLength: new(1)})
	s.Description = "Separated by commas only, since items may hold spaces."
	return s
}

func (WordList) Describe(_ *Place, f *Field) *schema.Schema {
	s := FilterOf(schema.Words(f.words))
	s.Description = "In any letter case."
	return s
}

// YearSchema describes an item of a YearList.
func YearSchema() *schema.Schema {
	return &schema.Schema{Type: "integer", Minimum: new(int64(1900)), Maximum: new(int64(2100))}
}

func (YearList) Describe(*Place, *Field) *schema.Schema { return FilterOf(YearSchema()) }

// Describe says which range holds; with expand a list may have another.
func (Limit) Describe(in *Place, f *Field) *schema.Schema {
	if f.Name != "limit" {
		return &schema.Schema{Type: "integer", Minimum: new(int64(1))} // the number of a page
	}
	set := in.Settings
	most := int64(in.Limit)
	s := &schema.Schema{Type: "integer", Minimum: new(int64(1)), Maximum: &most}
	switch {
	case in.Capped:
		s.Maximum, s.Description = nil, fmt.Sprintf("More than %d counts as %d.", most, most)
	case most == 0:
		most = int64(set.API.MaxLimit)
		s.Description = fmt.Sprintf("With expand at most %d, which is the default then.", set.API.MaxLimitExpand)
	}
	s.Default = most
	return s
}

func (Expansion) Describe(in *Place, _ *Field) *schema.Schema {
	return &schema.Schema{Type: "array", Items: schema.Words(append(slices.Clone(in.Expands), "*")),
		Description: "Links to replace by what is behind them; * is all."}
}

func (Order) Describe(*Place, *Field) *schema.Schema {
	s := schema.Words([]string{oldestFirst, newestFirst})
	s.Default, s.Description = oldestFirst, "newest-first turns the order."
	return s
}

// Describe returns the schema of a field of a request struct.
func (p *Place) Describe(t reflect.Type, f *Field) *schema.Schema {
	return reflect.New(t.FieldByIndex(f.index).Type).Interface().(Input).Describe(p, f)
}

// Object is the object of the parameters of a request struct in JSON.
func (p *Place) Object(t reflect.Type) *schema.Schema {
	whole := &schema.Schema{Type: "object"}
	for _, f := range FieldsOf(t, p.Version) {
		names := strings.Split(strings.ReplaceAll(f.Name, "]", ""), "[")
		value := p.Describe(t, &f)
		if !f.Required {
			value = schema.InputOrNull(value)
		}
		at := whole
		for _, name := range names[:len(names)-1] {
			at = at.Nested(name)
		}
		AddInput(at, &f, names[len(names)-1], value)
	}
	return whole
}

// AddInput adds a parameter to an object, under its other spelling too.
func AddInput(s *schema.Schema, f *Field, name string, value *schema.Schema) {
	s.Properties = append(s.Properties, schema.Member{Name: name, Value: value})
	if f.Alias != "" {
		s.Properties = append(s.Properties, schema.Member{Name: f.Alias, Value: value})
	}
	if f.Required {
		s.Required = append(s.Required, name)
	}
}
