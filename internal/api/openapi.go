package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/config"
)

// The OpenAPI documents are made from THE table, the shapes, the request structs and the wire structs. Nothing of them
// is written by hand but descriptions.

// apiDocument is a document being made.
type apiDocument struct {
	api      *API
	settings *config.Settings
	version  version.Number
	prefix   string // of paths and links: /api/vN, or /api
	shapes   map[string]shape
	examples map[string]json.RawMessage // of answers, by operation
	texts    map[string]operationText

	schemas    map[string]*schema.Schema
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

// OpenAPI returns the OpenAPI 3.1 document of a version as one line of JSON, the newest for 0. It fails for a version
// that the settings do not serve.
func OpenAPI(settings *config.Settings, number int) ([]byte, error) {
	v := version.Number(number)
	if number == 0 {
		v = version.Latest
	}
	if !version.Served(settings, v) {
		return nil, fmt.Errorf("version %d is not served; served are the versions %d to %d", number, settings.API.OldestVersion, version.Latest)
	}
	return newDocument(&API{live: config.NewLive(settings)}, v).encode(), nil
}

// OpenAPIUnversioned returns the OpenAPI 3.1 document of the paths without a version, as one line of JSON.
func OpenAPIUnversioned(settings *config.Settings) []byte {
	return unversionedDocument(&API{live: config.NewLive(settings)}).encode()
}

// Serves reports whether requests may ask for the version.
func Serves(settings *config.Settings, number int) bool {
	return version.Served(settings, version.Number(number))
}

func newDocument(a *API, v version.Number) *apiDocument {
	return documentBelow(a, v, "/api/v"+v.String())
}

// unversionedDocument is about the paths without a version, which the default version answers (conventions.md 1).
func unversionedDocument(a *API) *apiDocument {
	return documentBelow(a, version.Number(a.settings().API.DefaultVersion), "/api")
}

func documentBelow(a *API, v version.Number, prefix string) *apiDocument {
	return &apiDocument{api: a, settings: a.settings(), version: v, prefix: prefix, shapes: shapes(), examples: examplesOf(v, prefix), texts: operationTexts(),
		schemas: map[string]*schema.Schema{}, types: map[string]reflect.Type{}, parameters: map[string]*parameter{}, responses: map[string]*response{},
		sent: map[string]*header{}}
}

// encode makes the whole document.
func (d *apiDocument) encode() []byte {
	paths := d.paths()
	components := schema.Members{{Name: "schemas", Value: d.schemas}, {Name: "parameters", Value: d.parameters}, {Name: "responses", Value: d.responses}, {Name: "headers", Value: d.sent},
		{Name: "securitySchemes", Value: schema.Members{{Name: "apikey", Value: schema.Members{{Name: "type", Value: "apiKey"}, {Name: "in", Value: "header"}, {Name: "name", Value: "Authorization"},
			{Name: "description", Value: d.schemes()}}}}}}
	whole := schema.Members{{Name: "openapi", Value: "3.1.0"}, {Name: "info", Value: d.info()}, {Name: "servers", Value: []schema.Members{{{Name: "url", Value: d.prefix},
		{Name: "description", Value: "The instance that serves this document."}}}}, {Name: "security", Value: []schema.Members{{{Name: "apikey", Value: []string{}}}}},
		{Name: "tags", Value: d.tags()}, {Name: "paths", Value: paths}, {Name: "components", Value: components}}
	return wire.AppendJSON(nil, whole)
}

// schemes says how the key is sent.
func (d *apiDocument) schemes() string {
	return fmt.Sprintf("The whole header: %s apikey=\"KEY\". The scheme word may be: %s, in any letter case.",
		append(slices.Clone(d.settings.API.AuthSchemes), "SERVICE")[0], strings.Join(d.settings.API.AuthSchemes, ", "))
}

// info is the head of the document: what the version is, and how it came to be.
func (d *apiDocument) info() schema.Members {
	text := "Application management for universities and colleges, version " + d.version.String() + " of the interface. " +
		d.aboutUnversioned() +
		"Every answer has X-Request-Id, every one to a key RateLimit and RateLimit-Policy, every one but a stream Content-Length. Unknown parameters are ignored and named in Ignored-Parameters. " +
		"Problem types are pages below /problems; what differs between versions is at /developers/changelog."
	info := schema.Members{{Name: "title", Value: "Admitto"}, {Name: "version", Value: d.version.String()}}
	if rel, marked := d.release(); marked {
		text += " This version is deprecated."
		if rel.Ends != "" {
			text += " It is promised until " + rel.Ends + "."
		}
	}
	info = append(info, schema.Member{Name: "description", Value: text}, schema.Member{Name: "license", Value: schema.Members{{Name: "name", Value: "Apache-2.0"},
		{Name: "identifier", Value: "Apache-2.0"}}})
	return append(info, schema.Member{Name: "x-changes", Value: d.changes()})
}

// aboutUnversioned says what becomes of requests without a version in the path.
func (d *apiDocument) aboutUnversioned() string {
	if d.prefix == "/api" {
		return "This document is about paths without a version. They are answered by the default version of the instance, which its operator may " +
			"change, so programs had better name a version. "
	}
	return "Requests without a version in the path are answered like those of the default version of the instance. "
}

// changes lists the named changes that the document is subject to, so that a test sees whether a new one explains a
// difference.
func (d *apiDocument) changes() []string {
	list := []string{}
	for _, c := range version.History() {
		if d.version.Has(c) {
			list = append(list, c.From.String()+": "+c.Summary)
		}
	}
	return list
}

// release is what is promised about the version, and whether it is marked as deprecated.
func (d *apiDocument) release() (version.Release, bool) {
	rel := d.version.Release()
	return rel, rel.IsDeprecated()
}

// rows are the rows of the version that have a shape.
func (d *apiDocument) rows() (rows []*route) {
	for i := range routes {
		r := &routes[i]
		if _, ok := d.shapes[r.name]; ok && r.in.Has(d.version) {
			rows = append(rows, r)
		}
	}
	return rows
}

// tags are the first segments of the paths.
func (d *apiDocument) tags() (list []schema.Members) {
	var known []string
	for _, r := range d.rows() {
		if tag := tagOf(r); !slices.Contains(known, tag) {
			known = append(known, tag)
			list = append(list, schema.Members{{Name: "name", Value: tag}, {Name: "description", Value: "Everything at and below /" + tag + "."}})
		}
	}
	return list
}

func tagOf(r *route) string {
	tag, _, _ := strings.Cut(strings.TrimPrefix(r.path, "/"), "/")
	return tag
}

// paths makes the operations, path by path in the order of THE table.
func (d *apiDocument) paths() (list schema.Members) {
	at := map[string]int{}
	for _, r := range d.rows() {
		path, args := d.template(r.path)
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
		item = append(item, schema.Member{Name: strings.ToLower(r.method), Value: d.operation(r)})
		if r.method == http.MethodGet {
			item = append(item, schema.Member{Name: "head", Value: d.head(r)})
		}
		list[i].Value = item
	}
	return list
}

// template returns the path with a name of its own for every parameter, after the segment before it, and what they are.
func (d *apiDocument) template(pattern string) (path string, args []*parameter) {
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
			p.Schema = &schema.Schema{Type: "string", Pattern: blobName.String()}
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
func (d *apiDocument) shared(name string, p *parameter) *parameter {
	d.parameters[name] = p
	return &parameter{Ref: "#/components/parameters/" + name}
}

// operation makes one operation.
func (d *apiDocument) operation(r *route) *operation {
	s := d.shapes[r.name]
	_, isOld := d.release()
	op := &operation{ID: r.name, Summary: r.summary, Tags: []string{tagOf(r)}, Deprecated: r.in.IsDeprecated || isOld,
		Parameters: d.operationParameters(r, &s)}
	if r.in.IsOpen {
		op.Security = json.RawMessage("[]")
	}
	op.Description = d.described(r)
	d.describeAliases(op, r)
	op.Body = d.requestBody(r, &s)
	op.Responses = append(d.success(r, &s), d.problems(r, &s)...)
	return op
}

// head is the operation HEAD, which follows GET: the same answers without their bodies.
func (d *apiDocument) head(r *route) *operation {
	op := d.operation(r)
	op.ID, op.Summary = "head"+strings.ToUpper(r.name[:1])+r.name[1:], "Header of: "+op.Summary
	op.Description = "As GET, without the body."
	if s := d.shapes[r.name]; slices.Contains(s.answer(d).headers, "Link") {
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
func (d *apiDocument) operationParameters(r *route, s *shape) (list []*parameter) {
	for _, p := range d.queryParameters(s) {
		p.Deprecated = isDeprecatedParameter(r, p.Name)
		list = append(list, d.shared(r.name+"."+p.Name, p))
	}
	headers := []string{"Prefer"}
	a := s.answer(d)
	switch {
	case r.method == http.MethodPost:
		headers = append(headers, "Idempotency-Key")
	case r.method != http.MethodGet && d.readable(r):
		headers = append(headers, "If-Match")
	case slices.Contains(a.headers, "ETag"):
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
func (d *apiDocument) readable(r *route) bool {
	return slices.ContainsFunc(d.rows(), func(other *route) bool { return other.path == r.path && other.method == http.MethodGet })
}

// requestBody says what is read next to the query, in every encoding that is accepted.
func (d *apiDocument) requestBody(r *route, s *shape) *requestBody {
	example := d.texts[r.name].example(d.version)
	content := func(mediaType string, of *schema.Schema) schema.Member {
		return schema.Member{Name: mediaType, Value: &mediaContent{Schema: of, Example: example}}
	}
	switch s.body.form {
	case bareValue:
		return &requestBody{Required: true, Description: "One JSON value, whatever the content type says.",
			Content: schema.Members{content(jsonType, s.body.value(d))}}
	case parameterBody:
		form := &mediaContent{Schema: d.formSchema(s)}
		form.Example = formExample(form.Schema, example)
		return &requestBody{Description: "The parameters may also come in the query; the body wins. An empty text is the same as nothing.",
			Content: schema.Members{content(jsonType, d.jsonSchema(s)), {Name: "application/x-www-form-urlencoded", Value: form}, {Name: "multipart/form-data", Value: form}}}
	case fieldBody:
		return &requestBody{Required: true, Content: schema.Members{content(jsonType, d.jsonSchema(s))}}
	case mergePatch:
		return &requestBody{Required: true, Content: schema.Members{content(params.MergePatchType, d.patchSchema(s)), content(jsonType, d.patchSchema(s))}}
	case uploadBody:
		return &requestBody{Required: true, Content: schema.Members{content("multipart/form-data", d.uploadSchema(s))}}
	}
	return nil
}

// success makes the answers of a request that was not refused.
func (d *apiDocument) success(r *route, s *shape) (list schema.Members) {
	a := s.answer(d)
	meaning := a.meaning
	if meaning == "" {
		meaning = r.summary + "."
	}
	answer := &response{Description: meaning, Headers: d.headers(r, a.headers...)}
	example := d.examples[r.name]
	for _, one := range a.content {
		content := &mediaContent{}
		if of := one.Value.(*schema.Schema); of.Type != nil || of.Ref != "" || of.AnyOf != nil {
			content.Schema = of
		}
		if len(answer.Content) == 0 && content.Schema != nil {
			content.Example = example // of the form that is answered when nothing else is asked for
		}
		answer.Content = append(answer.Content, schema.Member{Name: one.Name, Value: content})
	}
	list = append(list, schema.Member{Name: fmt.Sprint(a.status), Value: answer})
	if a.other != 0 {
		list = append(list, schema.Member{Name: fmt.Sprint(a.other), Value: answer})
		slices.SortFunc(list, func(x, y schema.Member) int { return strings.Compare(x.Name, y.Name) })
	}
	if a.isFile {
		part := *answer
		part.Description, part.Headers = "The bytes asked for.", d.headers(r, append(slices.Clone(a.headers), "Content-Range")...)
		list = append(list, schema.Member{Name: "206", Value: &part})
	}
	if r.method == http.MethodGet && slices.Contains(a.headers, "ETag") {
		d.responses["NotModified"] = &response{Description: "What If-None-Match names is still so.", Headers: d.headers(r, "ETag")}
		list = append(list, schema.Member{Name: "304", Value: &response{Ref: "#/components/responses/NotModified"}})
	}
	return list
}

// headers are those of an answer of an operation, by reference, with what says that it is deprecated.
func (d *apiDocument) headers(r *route, names ...string) map[string]*header {
	rel, isOld := d.release()
	kind := map[string]string{"Link": "NextLink"}
	if isOld || r.in.IsDeprecated {
		kind["Link"] = "DeprecationLink"
		if slices.Contains(names, "Link") {
			kind["Link"] = "NextAndDeprecation"
		}
		names = append(slices.Clone(names), "Link")
	}
	if isOld && rel.Deprecation != "" {
		names = append(slices.Clone(names), "Deprecation")
	}
	if isOld && rel.Ends != "" {
		names = append(slices.Clone(names), "Sunset")
	}
	all := map[string]*header{}
	for _, name := range names {
		all[name] = d.sentHeader(cmp.Or(kind[name], name))
	}
	return all
}

// headersBefore are those of an answer that is given before anybody looks at the version, by reference.
func (d *apiDocument) headersBefore(names ...string) map[string]*header {
	all := map[string]*header{}
	for _, name := range names {
		all[name] = d.sentHeader(name)
	}
	return all
}

// sentHeader puts a header among the components and returns the reference to it.
func (d *apiDocument) sentHeader(name string) *header {
	d.sent[name] = documentHeaders()[name]
	return &header{Ref: "#/components/headers/" + name}
}

// problems makes the refusals, by status.
func (d *apiDocument) problems(r *route, s *shape) (list schema.Members) {
	byStatus := map[int][]admitto.Kind{}
	var statuses []int
	for _, k := range sortedKinds(d.refusals(r, s)) {
		status := problem.TypeOf(k).Status
		if byStatus[status] == nil {
			statuses = append(statuses, status)
		}
		byStatus[status] = append(byStatus[status], k)
	}
	slices.Sort(statuses)
	for _, status := range statuses {
		list = append(list, schema.Member{Name: fmt.Sprint(status), Value: d.refusal(r, status, byStatus[status])})
	}
	return list
}

// refusals are the kinds of problems that an operation may answer: what follows from its row, and what its shape adds.
func (d *apiDocument) refusals(r *route, s *shape) []admitto.Kind {
	kinds := append([]admitto.Kind{admitto.InvalidParameter, problem.HTTPSRequired, admitto.Internal, admitto.Unavailable}, s.refuses...)
	if !r.in.IsOpen {
		kinds = append(kinds, problem.Unauthorized, admitto.NotPermitted, problem.QuotaExceeded)
	}
	if strings.Contains(r.path, "{") {
		kinds = append(kinds, admitto.NotFound)
	}
	for _, checked := range []string{"{id}", "{year}", "{blob}"} {
		if strings.Contains(r.path, checked) {
			kinds = append(kinds, problem.InvalidID)
		}
	}
	switch s.body.form {
	case noBody:
	case bareValue:
		kinds = append(kinds, admitto.InvalidBody, admitto.TooLarge)
	default:
		kinds = append(kinds, admitto.InvalidBody, admitto.TooLarge, admitto.UnsupportedFormat)
	}
	switch {
	case r.method == http.MethodPost:
		kinds = append(kinds, admitto.RepeatConflict, admitto.RepeatInProgress, admitto.TooLarge)
	case r.method != http.MethodGet && d.readable(r):
		kinds = append(kinds, admitto.ChangedMeanwhile)
	}
	if s.answer(d).isFile {
		kinds = append(kinds, problem.RangeUnsatisfied, admitto.ChangedMeanwhile)
	}
	return kinds
}

// refusal returns the reference to the response of a status that is one of some kinds of problems, or the response itself
// where it has codes of its own. Those of a deprecated
// operation say so in their headers, so they are responses of their own.
func (d *apiDocument) refusal(r *route, status int, kinds []admitto.Kind) *response {
	var name strings.Builder
	var titles []string
	for i, k := range kinds {
		if i > 0 {
			name.WriteString("Or")
		}
		for word := range strings.SplitSeq(string(k), "-") {
			name.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
		titles = append(titles, problem.TypeOf(k).Title)
	}
	var headers []string
	switch {
	case status == http.StatusUnauthorized:
		headers = append(headers, "WWW-Authenticate")
	case status == http.StatusTooManyRequests:
		headers = append(headers, "Retry-After", "RateLimit", "RateLimit-Policy")
	case status == http.StatusServiceUnavailable:
		headers = append(headers, "Retry-After")
	case status == http.StatusBadGateway: // where another try may help, not where address or mail are refused for good
		headers = append(headers, "Retry-After")
	case slices.Contains(kinds, admitto.AlreadyExists):
		headers = append(headers, "Location")
	}
	headers = append(headers, "X-Request-Id")
	var sent map[string]*header
	if status == http.StatusUnauthorized || status == http.StatusTooManyRequests {
		sent = d.headersBefore(headers...) // refused before the version is looked at
	} else {
		sent = d.headers(r, headers...)
		if r.in.IsDeprecated {
			name.WriteString("WhenDeprecated")
		}
	}
	answer := &response{Description: strings.Join(titles, "; ") + "." + d.codesOf(r, status), Headers: sent,
		Content: schema.Members{{Name: "application/problem+json", Value: &mediaContent{Schema: d.typeIs(kinds)}},
			{Name: "text/plain", Value: &mediaContent{Schema: &schema.Schema{Type: "string", Description: "The same words, where Accept prefers it."}}}}}
	if d.codesOf(r, status) != "" {
		return answer
	}
	d.responses[name.String()] = answer
	return &response{Ref: "#/components/responses/" + name.String()}
}
