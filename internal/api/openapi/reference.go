package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/config"
)

// The reference pages show the same apiDocument as the OpenAPI documents, in words: what is not there is not here.

// Reference is the reference of one version.
type Reference struct {
	Version        int
	Prefix         string
	Scheme         string // how the key is sent
	Status         string
	Since, Ends    string // months, where the end of the version is announced
	IsDeprecated   bool
	OmitsEmpty     bool  // lists without entries in the content of applications
	Others         []int // that are served
	Groups         []ReferenceGroup
	Records        []ReferenceRecord
	RequestHeaders []ReferenceHeader // that operations name
	AnswerHeaders  []ReferenceHeader
}

// ReferenceGroup is everything at and below the first segment of a path.
type ReferenceGroup struct {
	Name       string
	Operations []ReferenceOperation
}

// ReferenceOperation is one operation.
type ReferenceOperation struct {
	Name, Method, Path, Summary string
	Description                 []Word
	IsOpen, IsDeprecated        bool
	Parameters                  []ReferenceField // of the path and the query
	Headers                     []string
	Body                        *ReferenceBody
	Answers                     []ReferenceAnswer
	Refusals                    []ReferenceRefusal
}

// ReferenceField is a parameter, a member of a body, or a field of a record.
type ReferenceField struct {
	Name, In, Note string
	IsRequired     bool // of what is sent
	IsOptional     bool // of what is answered
	Words          []Word
}

// ReferenceBody is what an operation reads next to its parameters.
type ReferenceBody struct {
	Description string
	Types       []string // media types
	Value       []Word   // of a bare value, or of one that may stand for the fields
	Note        string
	Fields      []ReferenceField
	Example     string
}

// ReferenceAnswer is an answer that is no refusal.
type ReferenceAnswer struct {
	Status, Text, Description string
	Headers                   []string
	Content                   []ReferenceContent
	Example                   string
}

// ReferenceContent is a media type with what it holds.
type ReferenceContent struct {
	Type  string
	Words []Word
}

// ReferenceRefusal are the problems of one status.
type ReferenceRefusal struct {
	Status       int
	Kinds, Codes []string
}

// ReferenceRecord is a schema that others refer to.
type ReferenceRecord struct {
	Name, Note string
	Words      []Word
	Fields     []ReferenceField
}

// ReferenceHeader is a header with what it says.
type ReferenceHeader struct{ Name, Meaning string }

// Reference returns the reference of a version, nil for one that the settings do not serve.
func (t *Tables) Reference(settings *config.Settings, number int) *Reference {
	v := version.Number(number)
	if !version.Served(settings, v) {
		return nil
	}
	d := t.Document(settings, v)
	p := &Reference{Version: number, Prefix: d.prefix, Scheme: d.schemes()}
	for _, rel := range version.Releases() {
		if rel.Number == v {
			p.Status, p.Since, p.Ends = rel.Status(settings.API.OldestVersion), rel.Deprecation, rel.Ends
		} else if version.Served(settings, rel.Number) {
			p.Others = append(p.Others, int(rel.Number))
		}
	}
	_, p.IsDeprecated = d.release()
	p.OmitsEmpty = v.Has(version.EmptyOmitted)
	asked := map[string]string{}
	for _, r := range d.rows() {
		op := d.inWords(r)
		for _, name := range op.Headers {
			asked[name] = headerParameters()[name]
		}
		i := slices.IndexFunc(p.Groups, func(g ReferenceGroup) bool { return g.Name == tagOf(r) })
		if i < 0 {
			i = len(p.Groups)
			p.Groups = append(p.Groups, ReferenceGroup{Name: tagOf(r)})
		}
		p.Groups[i].Operations = append(p.Groups[i].Operations, op)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Schemas)) {
		p.Records = append(p.Records, recordInWords(name, d.Schemas[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		p.RequestHeaders = append(p.RequestHeaders, ReferenceHeader{name, asked[name]})
	}
	links := []string{}
	for _, name := range slices.Sorted(maps.Keys(d.sent)) {
		if strings.HasPrefix(d.sent[name].Description, "rel=") {
			links = append(links, name)
			continue
		}
		p.AnswerHeaders = append(p.AnswerHeaders, ReferenceHeader{name, d.sent[name].Description})
	}
	switch len(links) {
	case 0:
	case 1:
		p.AnswerHeaders = append(p.AnswerHeaders, ReferenceHeader{"Link", d.sent[links[0]].Description})
	default: // one for lists, one for all other answers
		p.AnswerHeaders = append(p.AnswerHeaders, ReferenceHeader{"Link",
			documentHeaders()["NextAndDeprecation"].Description})
	}
	return p
}

// inWords describes an operation.
func (d *Document) inWords(r *Row) ReferenceOperation {
	s := r.Shape
	op := d.operation(r)
	path, args := d.template(r.Path)
	view := ReferenceOperation{Name: r.Name, Method: r.Method, Path: path, Summary: op.Summary,
		Description: codeWords(op.Description),
		IsOpen:      r.In.IsOpen, IsDeprecated: r.In.IsDeprecated}
	for _, p := range slices.Concat(args, op.Parameters) {
		p = d.parameters[strings.TrimPrefix(p.Ref, "#/components/parameters/")]
		if p.In == "header" {
			view.Headers = append(view.Headers, p.Name)
			continue
		}
		note := p.Description
		if note == "" {
			note = noteOn(p.Schema)
		}
		view.Parameters = append(view.Parameters, ReferenceField{Name: p.Name, In: p.In, Note: note, IsRequired: p.Required,
			Words: wordsOf(p.Schema)})
	}
	view.Body = d.bodyInWords(&s, op.Body)
	for _, m := range d.success(r, &s) {
		view.Answers = append(view.Answers, d.answerInWords(m.Name, m.Value.(*response)))
	}
	for _, k := range sortedKinds(d.refusals(r, &s)) {
		status := problem.TypeOf(k).Status
		i := slices.IndexFunc(view.Refusals, func(x ReferenceRefusal) bool { return x.Status == status })
		if i < 0 {
			i = len(view.Refusals)
			view.Refusals = append(view.Refusals, ReferenceRefusal{Status: status, Codes: d.texts[r.Name].Codes[status]})
		}
		view.Refusals[i].Kinds = append(view.Refusals[i].Kinds, string(k))
	}
	slices.SortFunc(view.Refusals, func(x, y ReferenceRefusal) int { return x.Status - y.Status })
	return view
}

// bodyInWords describes the body, with the flat names of a form where both a form and JSON are read.
func (d *Document) bodyInWords(s *Shape, b *requestBody) *ReferenceBody {
	if b == nil {
		return nil
	}
	view := &ReferenceBody{Description: b.Description}
	for _, m := range b.Content {
		view.Types = append(view.Types, m.Name)
	}
	if example := b.Content[0].Value.(*mediaContent).Example; example != nil {
		view.Example = readable(example, true)
	}
	switch s.Body.form {
	case bareValue:
		value := s.Body.value(d)
		view.Value, view.Note = wordsOf(value), value.Description
	case parameterBody:
		if s.Body.value != nil {
			view.Value = wordsOf(s.Body.value(d))
		}
		view.Fields = fieldsInWords(d.formSchema(s), "")
		if slices.ContainsFunc(view.Fields, func(f ReferenceField) bool { return strings.Contains(f.Name, "[") }) {
			view.Note = "In JSON, a[b] is the member b of the object a."
		}
		if list := s.Body.entries; list != nil {
			view.Note = fmt.Sprintf("In JSON, a[b] is the member b of the object a. %s takes 1 to %d entries: %[1]s[0], %[1]s[1] and so on; in JSON it is a list.", list.Name, list.Most)
			for _, f := range params.FieldsOf(list.Members, d.Version) {
				of := d.place(s, false).Describe(list.Members, &f)
				view.Fields = append(view.Fields, ReferenceField{Name: list.Name + "[0][" + f.Name + "]", Note: noteOn(of),
					IsRequired: f.Required, Words: wordsOf(of)})
			}
		}
	case fieldBody:
		view.Fields = fieldsInWords(d.jsonSchema(s), "")
	case mergePatch:
		patch := d.patchSchema(s)
		view.Note, view.Fields = patch.Description, fieldsInWords(patch, "")
	case uploadBody:
		view.Fields = fieldsInWords(d.uploadSchema(s), "")
	}
	return view
}

// answerInWords describes an answer that is no refusal.
func (d *Document) answerInWords(status string, answer *response) ReferenceAnswer {
	if answer.Ref != "" {
		answer = d.responses[strings.TrimPrefix(answer.Ref, "#/components/responses/")]
	}
	view := ReferenceAnswer{Status: status, Text: StatusText(status), Description: answer.Description,
		Headers: slices.Sorted(maps.Keys(answer.Headers))}
	for _, m := range answer.Content {
		content := m.Value.(*mediaContent)
		view.Content = append(view.Content, ReferenceContent{m.Name, wordsOf(content.Schema)})
		if content.Example != nil {
			view.Example = readable(content.Example, m.Name == params.JSONType)
		}
	}
	return view
}

// readable lays JSON out for reading; what is not JSON stands in a JSON text.
func readable(example json.RawMessage, isJSON bool) string {
	var text string
	if !isJSON && json.Unmarshal(example, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if err := json.Indent(&b, example, "", "  "); err != nil {
		return string(example)
	}
	return b.String()
}

// StatusText is the usual word for a status, "" for one that has none.
func StatusText(status string) string {
	n, _ := strconv.Atoi(strings.TrimSpace(status))
	return http.StatusText(n)
}
