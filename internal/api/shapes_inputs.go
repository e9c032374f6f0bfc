package api

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/api/schema"
)

// Every input type says here which values it reads, next to its method read, which reads them. A test finds the type
// that has only one of the two.

// described is an input type that says what it reads. In a query and a form everything is text, so that a number is
// one in the schema; in JSON some types read a number or a text.
type described interface {
	describe(in *inputPlace, f *inputField) *schema.Schema
}

// inputPlace is where a parameter stands.
type inputPlace struct {
	document *apiDocument
	shape    *shape
	isJSON   bool // a member of a JSON object
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

func (applicationRef) describe(*inputPlace, *inputField) *schema.Schema {
	s := schema.ID()
	s.Type, s.Pattern = []string{"integer", "string"}, `^(/api(/v[0-9]+)?/applications/)?[1-9][0-9]{0,17}$`
	s.Description = "The ID, or the link with any prefix."
	return s
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

func (moment) describe(*inputPlace, *inputField) *schema.Schema      { return momentSchema() }
func (momentSince) describe(*inputPlace, *inputField) *schema.Schema { return momentSchema() }

func (day) describe(*inputPlace, *inputField) *schema.Schema {
	return &schema.Schema{Type: "string", Format: "date", Pattern: schema.DatePattern}
}

// filterOf is a list filter: items separated by commas or spaces, or the parameter given again.
func filterOf(item *schema.Schema) *schema.Schema {
	return &schema.Schema{Type: "array", Items: item, MinItems: new(1), MaxItems: new(maxItems)}
}

func (idList) describe(*inputPlace, *inputField) *schema.Schema { return filterOf(schema.ID()) }
func (countryList) describe(*inputPlace, *inputField) *schema.Schema {
	return filterOf(countrySchema())
}
func (currencyList) describe(*inputPlace, *inputField) *schema.Schema {
	return filterOf(currencySchema())
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

func (statusList) describe(in *inputPlace, _ *inputField) *schema.Schema {
	s := filterOf(schema.Words(statusNames(applicationStatuses(in.document.version))))
	s.Description = "In any letter case."
	return s
}

func yearSchema() *schema.Schema {
	return &schema.Schema{Type: "integer", Minimum: new(int64(1900)), Maximum: new(int64(2100))}
}

func (yearList) describe(*inputPlace, *inputField) *schema.Schema { return filterOf(yearSchema()) }
func (oneYear) describe(*inputPlace, *inputField) *schema.Schema  { return yearSchema() }

func (territoryList) describe(*inputPlace, *inputField) *schema.Schema {
	return filterOf(&schema.Schema{Type: "string", Pattern: "^[A-Za-z0-9_-]{1,16}$", Description: "The world (001), a country, or a region of the settings."})
}

// describe tells the range active; with expand a list may have another.
func (limit) describe(in *inputPlace, f *inputField) *schema.Schema {
	if f.name != "limit" {
		return &schema.Schema{Type: "integer", Minimum: new(int64(1))} // the number of a page
	}
	set := in.document.settings
	most := int64(in.shape.limit)
	s := &schema.Schema{Type: "integer", Minimum: new(int64(1)), Maximum: &most}
	switch {
	case in.shape.capped:
		s.Maximum, s.Description = nil, fmt.Sprintf("More than %d counts as %d.", most, most)
	case most == 0:
		most = int64(set.API.MaxLimit)
		s.Description = fmt.Sprintf("With expand at most %d, which is the default then.", set.API.MaxLimitExpand)
	}
	s.Default = most
	return s
}

func (expansion) describe(in *inputPlace, _ *inputField) *schema.Schema {
	return &schema.Schema{Type: "array", Items: schema.Words(append(slices.Clone(in.shape.expands), "*")),
		Description: "Links to replace by what is behind them; * is all."}
}

func (order) describe(*inputPlace, *inputField) *schema.Schema {
	s := schema.Words([]string{oldestFirst, newestFirst})
	s.Default, s.Description = oldestFirst, "newest-first turns the order."
	return s
}

func (afterID) describe(*inputPlace, *inputField) *schema.Schema {
	s := schema.ID()
	s.Description = "Everything up to this ID, in the order asked for, is left out; X-Count stays."
	return s
}

func (yesOrNo) describe(in *inputPlace, _ *inputField) *schema.Schema {
	s := &schema.Schema{Type: "string", Pattern: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$"}
	if in.isJSON {
		s.Type, s.Description = []string{"boolean", "string", "integer"}, "true, false, 1 or 0."
	}
	return s
}

func (trackerCode) describe(*inputPlace, *inputField) *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: `^[^\s,]+$`, MinLength: new(2), MaxLength: new(16)}
}

// code is a code of the settings' form, which a JSON object may hold as a whole number, too.
func (p *inputPlace) code(form *regexp.Regexp) *schema.Schema {
	s := schema.FormOf(form, maxCode)
	if p.isJSON {
		s.Type, s.Minimum, s.Description = []string{"string", "integer"}, new(int64(0)), "A text, or a whole number, which counts by its digits."
	}
	return s
}

func (reference) describe(in *inputPlace, _ *inputField) *schema.Schema {
	return in.code(in.document.settings.Applicants.ReferencePattern)
}

func (number) describe(in *inputPlace, _ *inputField) *schema.Schema {
	return in.code(in.document.settings.Applicants.MatriculationPattern)
}

func (languageCode) describe(*inputPlace, *inputField) *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: "^[A-Za-z]{2}$", Description: "ISO 639-1, in any letter case."}
}

func (courseCode) describe(*inputPlace, *inputField) *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: `^[^\s,]+$`, MinLength: new(1), MaxLength: new(64)}
}

func (webAddress) describe(*inputPlace, *inputField) *schema.Schema {
	return &schema.Schema{Type: "string", Format: "uri", Pattern: "^[Hh][Tt][Tt][Pp][Ss]?://", MaxLength: new(2048)}
}

func (colour) describe(*inputPlace, *inputField) *schema.Schema {
	s := &schema.Schema{Type: "string", Default: admitto.Colours[0]}
	for _, c := range admitto.Colours {
		s.Enum = append(s.Enum, c)
	}
	return s
}

func (pointsText) describe(in *inputPlace, f *inputField) *schema.Schema {
	s := decimal{}.describe(in, f)
	s.Description = "A decimal within the range and with the decimals of the scoresheet."
	return s
}

func (payment) describe(in *inputPlace, f *inputField) *schema.Schema {
	return decimal{}.describe(in, f)
}

func (wholeNumber) describe(in *inputPlace, _ *inputField) *schema.Schema {
	return in.numeric(&schema.Schema{Type: "integer", Minimum: new(int64(-schema.MaxID)), Maximum: new(int64(schema.MaxID))}, "^-?[0-9]{1,18}$")
}

func (copyTo) describe(in *inputPlace, f *inputField) *schema.Schema {
	address := emailAddress("").describe(in, f)
	return &schema.Schema{Description: "Addresses, or true for the issuing administrator.", AnyOf: []*schema.Schema{{Type: "boolean"}, {Type: "string"},
		{Type: "array", Items: address, MinItems: new(1), MaxItems: new(maxCopies)}}}
}

// describe returns the schema of a field of a request struct.
func (p *inputPlace) describe(t reflect.Type, f *inputField) *schema.Schema {
	d, ok := reflect.Zero(t.FieldByIndex(f.index).Type).Interface().(described)
	if !ok {
		panic(fmt.Sprintf("api: %s has no method describe for the OpenAPI documents (shapes_inputs.go)", t.FieldByIndex(f.index).Type))
	}
	return d.describe(p, f)
}

// queryParameters lists what an operation takes in its query.
func (d *apiDocument) queryParameters(s *shape) (list []*parameter) {
	if s.query == nil {
		return nil
	}
	place := &inputPlace{document: d, shape: s}
	for _, f := range d.api.inputPlanFor(s.query, d.version).fields {
		p := &parameter{Name: f.name, In: "query", Required: f.required, Schema: place.describe(s.query, &f)}
		if p.Schema.Type == "array" {
			p.Style, p.Explode = "form", new(false)
		}
		p.Description, p.Schema.Description = p.Schema.Description, ""
		list = append(list, p)
		if f.alias != "" {
			other := *p
			other.Name, other.Description = f.alias, "Another spelling of "+f.name+"."
			list = append(list, &other)
		}
	}
	return list
}

// formSchema is the object of all parameters of a creation in a form: nested ones by flat names.
func (d *apiDocument) formSchema(s *shape) *schema.Schema {
	place, whole := &inputPlace{document: d, shape: s}, &schema.Schema{Type: "object"}
	for _, f := range d.api.inputPlanFor(s.body.parameters, d.version).fields {
		addInput(whole, &f, f.name, place.describe(s.body.parameters, &f))
	}
	if list := s.body.entries; list != nil {
		whole.PatternProperties = map[string]*schema.Schema{}
		for _, f := range d.api.inputPlanFor(list.members, d.version).fields {
			whole.PatternProperties[`^`+list.name+`\[[0-9]+\]\[`+f.name+`\]$`] = place.describe(list.members, &f)
		}
	}
	return whole
}

// jsonSchema is the object of all parameters in JSON: a[b] is the member b of the object a. What is not required may
// be null.
func (d *apiDocument) jsonSchema(s *shape) *schema.Schema {
	whole := (&inputPlace{document: d, shape: s, isJSON: true}).object(s.body.parameters)
	if list := s.body.entries; list != nil {
		items := schema.ListOf((&inputPlace{document: d, shape: s, isJSON: true}).object(list.members))
		items.MinItems, items.MaxItems = new(1), &list.most
		whole.Properties = append(whole.Properties, schema.Member{Name: list.name, Value: items})
		whole.Required = append(whole.Required, list.name)
	}
	if s.body.value != nil && s.body.form == parameterBody {
		return &schema.Schema{AnyOf: []*schema.Schema{s.body.value(d), whole}}
	}
	return whole
}

// object is the object of the parameters of a request struct in JSON.
func (p *inputPlace) object(t reflect.Type) *schema.Schema {
	whole := &schema.Schema{Type: "object"}
	for _, f := range p.document.api.inputPlanFor(t, p.document.version).fields {
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

// patchSchema is a merge patch of a wire struct.
func (d *apiDocument) patchSchema(s *shape) *schema.Schema {
	whole := &schema.Schema{Type: "object", Description: "A merge patch (RFC 7396): members that are given replace those of the same name, null unsets them, " +
		"and lists are replaced as a whole. Their form is that of the answer to GET."}
	for _, m := range d.structSchema(s.body.parameters).Properties {
		whole.Properties = append(whole.Properties, schema.Member{Name: m.Name, Value: &schema.Schema{}})
	}
	return whole
}

// uploadSchema is a form with a file.
func (d *apiDocument) uploadSchema(s *shape) *schema.Schema {
	whole := d.formSchema(s)
	whole.Properties = append(schema.Members{{Name: "file", Value: &schema.Schema{Type: "string", Format: "binary",
		Description: "The bytes, of a type and of at most the size that the operator allows. The field may be named upload, too."}}}, whole.Properties...)
	whole.Required = append(whole.Required, "file")
	return whole
}

// reportNames are the reports there are.
func reportNames() (names []any) {
	for _, r := range report.Reports() {
		names = append(names, r.Name)
	}
	return names
}

// sortedKinds puts kinds of problems into the order of their table, each once.
func sortedKinds(kinds []admitto.Kind) (sorted []admitto.Kind) {
	for _, t := range ProblemTypes() {
		if slices.Contains(kinds, t.Kind) {
			sorted = append(sorted, t.Kind)
		}
	}
	return sorted
}
