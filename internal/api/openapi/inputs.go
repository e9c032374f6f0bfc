package openapi

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/report"
)

// place is where the parameters of an operation stand.
func (d *Document) place(s *Shape, isJSON bool) *params.Place {
	return &params.Place{Version: d.Version, Settings: d.settings, IsJSON: isJSON, Limit: s.Limit, Capped: s.Capped,
		Expands: s.Expands}
}

// QueryParameters lists what an operation takes in its query.
func (d *Document) QueryParameters(s *Shape) (list []*parameter) {
	if s.Query == nil {
		return nil
	}
	place := d.place(s, false)
	for _, f := range params.FieldsOf(s.Query, d.Version) {
		p := &parameter{Name: f.Name, In: "query", Required: f.Required, Schema: place.Describe(s.Query, &f)}
		if p.Schema.Type == "array" {
			p.Style, p.Explode = "form", new(false)
		}
		p.Description, p.Schema.Description = p.Schema.Description, ""
		list = append(list, p)
		if f.Alias != "" {
			other := *p
			other.Name, other.Description = f.Alias, "Another spelling of "+f.Name+"."
			list = append(list, &other)
		}
	}
	return list
}

// formSchema is the object of all parameters of a creation in a form: nested ones by flat names.
func (d *Document) formSchema(s *Shape) *schema.Schema {
	place, whole := d.place(s, false), &schema.Schema{Type: "object"}
	for _, f := range params.FieldsOf(s.Body.Parameters, d.Version) {
		params.AddInput(whole, &f, f.Name, place.Describe(s.Body.Parameters, &f))
	}
	if list := s.Body.entries; list != nil {
		whole.PatternProperties = map[string]*schema.Schema{}
		for _, f := range params.FieldsOf(list.Members, d.Version) {
			whole.PatternProperties[`^`+list.Name+`\[[0-9]+\]\[`+f.Name+`\]$`] = place.Describe(list.Members, &f)
		}
	}
	return whole
}

// jsonSchema is the object of all parameters in JSON: a[b] is the member b of the object a. What is not required may
// be null.
func (d *Document) jsonSchema(s *Shape) *schema.Schema {
	whole := d.place(s, true).Object(s.Body.Parameters)
	if list := s.Body.entries; list != nil {
		items := schema.ListOf(d.place(s, true).Object(list.Members))
		items.MinItems, items.MaxItems = new(1), &list.Most
		whole.Properties = append(whole.Properties, schema.Member{Name: list.Name, Value: items})
		whole.Required = append(whole.Required, list.Name)
	}
	if s.Body.value != nil && s.Body.form == parameterBody {
		return &schema.Schema{AnyOf: []*schema.Schema{s.Body.value(d), whole}}
	}
	return whole
}

// patchSchema is a merge patch of a wire struct.
func (d *Document) patchSchema(s *Shape) *schema.Schema {
	whole := &schema.Schema{Type: "object",
		Description: "A merge patch (RFC 7396): members that are given replace those of the same name, null unsets them, " +
			"and lists are replaced as a whole. Their form is that of the answer to GET."}
	for _, m := range d.structSchema(s.Body.Parameters).Properties {
		whole.Properties = append(whole.Properties, schema.Member{Name: m.Name, Value: &schema.Schema{}})
	}
	return whole
}

// uploadSchema is a form with a file.
func (d *Document) uploadSchema(s *Shape) *schema.Schema {
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
	for _, t := range problem.Types() {
		if slices.Contains(kinds, t.Kind) {
			sorted = append(sorted, t.Kind)
		}
	}
	return sorted
}
