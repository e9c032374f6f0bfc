// Package openapi makes the OpenAPI documents and the reference pages from what package api knows of its operations:
// THE table, the shapes, the request structs and the wire structs. Nothing of them is written by hand but descriptions.
package openapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/config"
)

// Tables are what package api knows of its operations; documents are made from it.
type Tables struct {
	Rows      []Row
	Contained []Contained
}

// Row is a row of THE table, without its handler.
type Row struct {
	Method, Path, Name, Summary string
	In                          version.Span
	Shape                       Shape
	Aliases                     []string // other paths of the operation
	Deprecated                  []string // parameters that are read but should not be sent any more
}

// Document is a document being made.
type Document struct {
	tables   *Tables
	settings *config.Settings
	Version  version.Number
	prefix   string                     // of paths and links: /api/vN, or /api
	examples map[string]json.RawMessage // of answers, by operation
	texts    map[string]Text

	Schemas    map[string]*schema.Schema
	types      map[string]reflect.Type // of the components that are wire structs
	parameters map[string]*parameter
	responses  map[string]*response
	sent       map[string]*header // the headers of answers
}

type parameter struct {
	Ref         string         `json:"$ref,omitempty"`
	Name        string         `json:"name,omitempty"`
	In          string         `json:"in,omitempty"`
	Description string         `json:"description,omitempty"`
	Required    bool           `json:"required,omitempty"`
	Deprecated  bool           `json:"deprecated,omitempty"`
	Schema      *schema.Schema `json:"schema,omitempty"`
	Style       string         `json:"style,omitempty"`
	Explode     *bool          `json:"explode,omitempty"`
}

type response struct {
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Headers     map[string]*header `json:"headers,omitempty"`
	Content     schema.Members     `json:"content,omitempty"` // of mediaContent
}

type header struct {
	Ref         string         `json:"$ref,omitempty"`
	Description string         `json:"description,omitempty"`
	Schema      *schema.Schema `json:"schema,omitempty"`
}

type mediaContent struct {
	Schema  *schema.Schema  `json:"schema,omitempty"`
	Example json.RawMessage `json:"example,omitempty"`
}

type requestBody struct {
	Description string         `json:"description,omitempty"`
	Required    bool           `json:"required,omitempty"`
	Content     schema.Members `json:"content"`
}

type operation struct {
	ID          string          `json:"operationId"`
	Summary     string          `json:"summary"`
	Aliases     []string        `json:"x-aliases,omitempty"` // other paths of the same operation
	Description string          `json:"description,omitempty"`
	Tags        []string        `json:"tags"`
	Deprecated  bool            `json:"deprecated,omitempty"`
	Security    json.RawMessage `json:"security,omitempty"` // of the document, unless the operation is open
	Parameters  []*parameter    `json:"parameters,omitempty"`
	Body        *requestBody    `json:"requestBody,omitempty"`
	Responses   schema.Members  `json:"responses"`
}

// JSON returns the OpenAPI 3.1 document of a version as one line of JSON, the newest for 0. It fails for a version
// that the settings do not serve.
func (t *Tables) JSON(settings *config.Settings, number int) ([]byte, error) {
	v := version.Number(number)
	if number == 0 {
		v = version.Latest
	}
	if !version.Served(settings, v) {
		return nil, fmt.Errorf("version %d is not served; served are the versions %d to %d", number,
			settings.API.OldestVersion, version.Latest)
	}
	return t.Document(settings, v).encode(), nil
}

// Unversioned returns the OpenAPI 3.1 document of the paths without a version, as one line of JSON. The default version
// answers them (conventions.md 1).
func (t *Tables) Unversioned(settings *config.Settings) []byte {
	return t.documentBelow(settings, version.Number(settings.API.DefaultVersion), "/api").encode()
}

// Document starts the document of a version.
func (t *Tables) Document(settings *config.Settings, v version.Number) *Document {
	return t.documentBelow(settings, v, "/api/v"+v.String())
}

func (t *Tables) documentBelow(settings *config.Settings, v version.Number, prefix string) *Document {
	return &Document{tables: t, settings: settings, Version: v, prefix: prefix, examples: examplesOf(v, prefix),
		texts:   Texts(),
		Schemas: map[string]*schema.Schema{}, types: map[string]reflect.Type{}, parameters: map[string]*parameter{},
		responses: map[string]*response{},
		sent:      map[string]*header{}}
}

// encode makes the whole document.
func (d *Document) encode() []byte {
	paths := d.paths()
	components := schema.Members{{Name: "schemas", Value: d.Schemas}, {Name: "parameters", Value: d.parameters},
		{Name: "responses", Value: d.responses}, {Name: "headers", Value: d.sent},
		{Name: "securitySchemes", Value: schema.Members{{Name: "apikey", Value: schema.Members{{Name: "type",
			Value: "apiKey"}, {Name: "in", Value: "header"}, {Name: "name", Value: "Authorization"},
			{Name: "description", Value: d.schemes()}}}}}}
	whole := schema.Members{{Name: "openapi", Value: "3.1.0"}, {Name: "info", Value: d.info()},
		{Name: "servers", Value: []schema.Members{{{Name: "url", Value: d.prefix},
			{Name: "description",
				Value: "The instance that serves this document."}}}}, {Name: "security", Value: []schema.Members{{{Name: "apikey",
			Value: []string{}}}}},
		{Name: "tags", Value: d.tags()}, {Name: "paths", Value: paths}, {Name: "components", Value: components}}
	return wire.AppendJSON(nil, whole)
}

// schemes says how the key is sent.
func (d *Document) schemes() string {
	return fmt.Sprintf("The whole header: %s apikey=\"KEY\". The scheme word may be: %s, in any letter case.",
		append(slices.Clone(d.settings.API.AuthSchemes), "SERVICE")[0], strings.Join(d.settings.API.AuthSchemes, ", "))
}

// info is the head of the document: what the version is, and how it came to be.
func (d *Document) info() schema.Members {
	text := "Application management for universities and colleges, version " + d.Version.String() + " of the interface. " +
		d.aboutUnversioned() +
		"Every answer has X-Request-Id, every one to a key RateLimit and RateLimit-Policy, every one but a stream Content-Length. Unknown parameters are ignored and named in Ignored-Parameters. " +
		"Problem types are pages below /problems; what differs between versions is at /developers/changelog."
	info := schema.Members{{Name: "title", Value: "Admitto"}, {Name: "version", Value: d.Version.String()}}
	if rel, marked := d.release(); marked {
		text += " This version is deprecated."
		if rel.Ends != "" {
			text += " It is promised until " + rel.Ends + "."
		}
	}
	info = append(info, schema.Member{Name: "description", Value: text},
		schema.Member{Name: "license", Value: schema.Members{{Name: "name", Value: "Apache-2.0"},
			{Name: "identifier", Value: "Apache-2.0"}}})
	return append(info, schema.Member{Name: "x-changes", Value: d.changes()})
}

// aboutUnversioned says what becomes of requests without a version in the path.
func (d *Document) aboutUnversioned() string {
	if d.prefix == "/api" {
		return "This document is about paths without a version. They are answered by the default version of the instance, which its operator may " +
			"change, so programs had better name a version. "
	}
	return "Requests without a version in the path are answered like those of the default version of the instance. "
}

// changes lists the named changes that the document is subject to, so that a test sees whether a new one explains a
// difference.
func (d *Document) changes() []string {
	list := []string{}
	for _, c := range version.History() {
		if d.Version.Has(c) {
			list = append(list, c.From.String()+": "+c.Summary)
		}
	}
	return list
}

// release is what is promised about the version, and whether it is marked as deprecated.
func (d *Document) release() (version.Release, bool) {
	rel := d.Version.Release()
	return rel, rel.IsDeprecated()
}

// rows are the rows of the version that have a shape.
func (d *Document) rows() (rows []*Row) {
	for i := range d.tables.Rows {
		r := &d.tables.Rows[i]
		if r.In.Has(d.Version) {
			rows = append(rows, r)
		}
	}
	return rows
}

// tags are the first segments of the paths.
func (d *Document) tags() (list []schema.Members) {
	var known []string
	for _, r := range d.rows() {
		if tag := tagOf(r); !slices.Contains(known, tag) {
			known = append(known, tag)
			list = append(list, schema.Members{{Name: "name", Value: tag}, {Name: "description",
				Value: "Everything at and below /" + tag + "."}})
		}
	}
	return list
}

func tagOf(r *Row) string {
	tag, _, _ := strings.Cut(strings.TrimPrefix(r.Path, "/"), "/")
	return tag
}

// paths makes the operations, path by path in the order of THE table.
func (d *Document) paths() (list schema.Members) {
	at := map[string]int{}
	for _, r := range d.rows() {
		path, args := d.template(r.Path)
		i, known := at[path]
		if !known {
			i = len(list)
			at[path] = i
			item := schema.Members{}
			if args != nil {
				item = append(item, schema.Member{Name: "parameters", Value: args})
			}
			list = append(list, schema.Member{Name: path, Value: item})
		}
		item := list[i].Value.(schema.Members)
		item = append(item, schema.Member{Name: strings.ToLower(r.Method), Value: d.operation(r)})
		if r.Method == http.MethodGet {
			item = append(item, schema.Member{Name: "head", Value: d.head(r)})
		}
		list[i].Value = item
	}
	return list
}

// template returns the path with a name of its own for every parameter, after the segment before it, and what they are.
func (d *Document) template(pattern string) (path string, args []*parameter) {
	segments := strings.Split(pattern, "/")
	for i, segment := range segments {
		name, isParameter := strings.CutPrefix(segment, "{")
		if !isParameter {
			continue
		}
		p := &parameter{In: "path", Required: true}
		switch name = strings.TrimSuffix(name, "}"); name {
		case "id":
			name = singular(segments[i-1]) + "_id"
			p.Schema = schema.ID()
		case "year":
			p.Schema = &schema.Schema{Type: "string", Pattern: "^[0-9]{4}$"}
		case "blob":
			p.Schema = &schema.Schema{Type: "string", Pattern: schema.BlobPattern}
		case "report_name":
			p.Schema = &schema.Schema{Type: "string", Enum: reportNames()}
		default:
			p.Schema = schema.Text()
		}
		p.Name = name
		segments[i] = "{" + name + "}"
		args = append(args, d.shared(name, p))
	}
	return strings.Join(segments, "/"), args
}

// singular turns the name of a collection into that of an element.
func singular(plural string) string {
	plural = strings.ReplaceAll(plural, "-", "_")
	if one, ok := strings.CutSuffix(plural, "shes"); ok {
		return one + "sh"
	}
	return strings.TrimSuffix(plural, "s")
}

// shared puts a parameter among the components and returns the reference to it.
func (d *Document) shared(name string, p *parameter) *parameter {
	d.parameters[name] = p
	return &parameter{Ref: "#/components/parameters/" + name}
}

// operation makes one operation.
func (d *Document) operation(r *Row) *operation {
	s := r.Shape
	_, isOld := d.release()
	op := &operation{ID: r.Name, Summary: r.Summary, Tags: []string{tagOf(r)}, Deprecated: r.In.IsDeprecated || isOld,
		Parameters: d.operationParameters(r, &s)}
	if r.In.IsOpen {
		op.Security = json.RawMessage("[]")
	}
	op.Description = d.described(r)
	d.describeAliases(op, r)
	op.Body = d.requestBody(r, &s)
	op.Responses = append(d.success(r, &s), d.problems(r, &s)...)
	return op
}

// describeAliases documents the aliases of an operation.
func (d *Document) describeAliases(op *operation, r *Row) {
	for _, other := range r.Aliases {
		path, _ := d.template(other)
		op.Aliases = append(op.Aliases, path)
	}
	if op.Aliases == nil {
		return
	}
	if op.Description != "" {
		op.Description += " "
	}
	op.Description += "Answers at " + strings.Join(op.Aliases, ", ") + " as well."
}

// head is the operation HEAD, which follows GET: the same answers without their bodies.
func (d *Document) head(r *Row) *operation {
	op := d.operation(r)
	op.ID, op.Summary = "head"+strings.ToUpper(r.Name[:1])+r.Name[1:], "Header of: "+op.Summary
	op.Description = "As GET, without the body."
	if slices.Contains(r.Shape.Answer(d).Headers, "Link") {
		op.Description += " What matches is counted and nothing is built, so there is no `Content-Length`."
	}
	responses := schema.Members{}
	for _, one := range op.Responses {
		answer := *one.Value.(*response)
		if answer.Ref == "" {
			answer.Content = nil
		}
		responses = append(responses, schema.Member{Name: one.Name, Value: &answer})
	}
	op.Responses = responses
	return op
}

// operationParameters are those of the query, and the headers that matter here.
func (d *Document) operationParameters(r *Row, s *Shape) (list []*parameter) {
	for _, p := range d.QueryParameters(s) {
		p.Deprecated = slices.Contains(r.Deprecated, p.Name)
		list = append(list, d.shared(r.Name+"."+p.Name, p))
	}
	headers := []string{"Prefer"}
	a := s.Answer(d)
	switch {
	case r.Method == http.MethodPost:
		headers = append(headers, "Idempotency-Key")
	case r.Method != http.MethodGet && d.readable(r):
		headers = append(headers, "If-Match")
	case slices.Contains(a.Headers, "ETag"):
		headers = append(headers, "If-None-Match")
	}
	if a.isFile {
		headers = append(headers, "Range")
	}
	for _, name := range headers {
		text := headerParameters()[name]
		list = append(list, d.shared(name, &parameter{Name: name, In: "header", Description: text, Schema: schema.Text()}))
	}
	return list
}

// readable reports whether the path has a GET in the version.
func (d *Document) readable(r *Row) bool {
	return slices.ContainsFunc(d.rows(), func(other *Row) bool {
		return other.Path == r.Path &&
			other.Method == http.MethodGet
	})
}

// requestBody says what is read next to the query, in every encoding that is accepted.
func (d *Document) requestBody(r *Row, s *Shape) *requestBody {
	example := d.texts[r.Name].example(d.Version)
	content := func(mediaType string, of *schema.Schema) schema.Member {
		return schema.Member{Name: mediaType, Value: &mediaContent{Schema: of, Example: example}}
	}
	switch s.Body.form {
	case bareValue:
		return &requestBody{Required: true, Description: "One JSON value, whatever the content type says.",
			Content: schema.Members{content(params.JSONType, s.Body.value(d))}}
	case parameterBody:
		form := &mediaContent{Schema: d.formSchema(s)}
		form.Example = formExample(form.Schema, example)
		return &requestBody{Description: "The parameters may also come in the query; the body wins. An empty text is the same as nothing.",
			Content: schema.Members{content(params.JSONType, d.jsonSchema(s)),
				{Name: "application/x-www-form-urlencoded", Value: form}, {Name: "multipart/form-data", Value: form}}}
	case fieldBody:
		return &requestBody{Required: true, Content: schema.Members{content(params.JSONType, d.jsonSchema(s))}}
	case mergePatch:
		return &requestBody{Required: true, Content: schema.Members{content(params.MergePatchType, d.patchSchema(s)),
			content(params.JSONType, d.patchSchema(s))}}
	case uploadBody:
		return &requestBody{Required: true, Content: schema.Members{content("multipart/form-data", d.uploadSchema(s))}}
	}
	return nil
}
