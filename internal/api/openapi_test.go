package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
)

// documentSettings are the defaults of cli.md, which the committed documents are made with.
func documentSettings() *config.Settings { return config.Defaults() }

// documentText returns the OpenAPI document of a version, which is made once.
func documentText(t testing.TB, v int) []byte {
	t.Helper()
	made, _ := documentTexts.LoadOrStore(v, sync.OnceValues(func() ([]byte, error) {
		return api.OpenAPI(documentSettings(), v)
	}))
	text, err := made.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var documentTexts sync.Map // version → func() ([]byte, error)

// documentOf returns the OpenAPI document of a version.
func documentOf(t testing.TB, v int) map[string]any {
	t.Helper()
	return parsed(t, documentText(t, v)).(map[string]any)
}

// at follows names into an object; nil when one of them is not there.
func at(node any, names ...string) any {
	for _, name := range names {
		object, _ := node.(map[string]any)
		node = object[name]
	}
	return node
}

// documented is an operation of a document.
type documented struct {
	method, path string
	item, op     map[string]any
}

// operationsOf returns the operations of a document by their IDs.
func operationsOf(t testing.TB, document map[string]any) map[string]documented {
	t.Helper()
	all := map[string]documented{}
	for path, item := range document["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			if method == "parameters" {
				continue
			}
			id := at(op, "operationId").(string)
			if _, twice := all[id]; twice {
				t.Errorf("two operations are called %s", id)
			}
			all[id] = documented{method, path, item.(map[string]any), op.(map[string]any)}
		}
	}
	return all
}

// Every row says what it answers, and every field of complete JSON what it holds.
func TestOpenAPIShapes(t *testing.T) {
	for _, name := range api.MissingShapes() {
		t.Errorf("the row of %s has no shape: internal/api/openapi/shapes.go says how", name)
	}
	for _, field := range api.UndocumentedJSON() {
		t.Errorf("%s holds complete JSON: say in containedJSON what it is", field)
	}
	for field, found := range api.ContainedFields() {
		if !found {
			t.Errorf("containedJSON has a line for %s, and there is no such field", field)
		}
	}
}

var (
	readMethod     = regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?(\w+)\) Read\(.*\*(?:params\.)?Field, .*\*(?:params\.)?Arg\)`)
	describeMethod = regexp.MustCompile(`(?m)^func \((?:\w+ )?(\w+)\) Describe\(.*\*(?:params\.)?Field\)`)
)

// Every input type says what it reads.
func TestOpenAPIInputs(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("params/*.go")
	if err != nil {
		t.Fatal(err)
	}
	reads, describes := map[string]bool{}, map[string]bool{}
	for _, file := range append(files, more...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range readMethod.FindAllStringSubmatch(string(text), -1) {
			reads[match[1]] = true
		}
		for _, match := range describeMethod.FindAllStringSubmatch(string(text), -1) {
			describes[match[1]] = true
		}
	}
	if len(reads) < 25 {
		t.Errorf("only %d input types were found", len(reads))
	}
	for name := range reads {
		if !describes[name] {
			t.Errorf("the input type %s has no method Describe", name)
		}
	}
}

// The documents are whole: references lead somewhere, paths and parameters agree, and what may be refused is told.
func TestOpenAPIDocuments(t *testing.T) {
	missing := api.MissingShapes()
	for _, v := range versions() {
		document := documentOf(t, v)
		check, operations := newValidator(document), operationsOf(t, document)
		followReferences(t, check, document)
		for _, r := range api.Rows() {
			op, found := operations[r.Name]
			if want := r.First <= v && v <= r.Last && !slices.Contains(missing, r.Name); found != want {
				t.Errorf("version %d: %s is in the document: %v, want %v", v, r.Name, found, want)
			}
			if !found {
				continue
			}
			if _, hasHead := operations["head"+strings.ToUpper(r.Name[:1])+r.Name[1:]]; hasHead != (r.Method == "GET") {
				t.Errorf("version %d: HEAD of %s: %v", v, r.Name, hasHead)
			}
			if op.method != strings.ToLower(r.Method) || op.op["deprecated"] == true != (r.Marked || v <= 3) ||
				(op.op["security"] != nil) != r.Open {
				t.Errorf("version %d: %s is %s, deprecated %v, security %v", v, r.Name, op.method, op.op["deprecated"],
					op.op["security"])
			}
			var names []string
			if args, ok := op.item["parameters"].([]any); ok {
				for _, arg := range args {
					p, err := check.resolve(arg)
					if err != nil {
						t.Fatal(err)
					}
					names = append(names, p["name"].(string))
				}
			}
			if inPath := regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(op.path, -1); len(inPath) != len(names) ||
				len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
				t.Errorf("version %d: %s has the parameters %v", v, op.path, names)
			}
			for _, name := range names {
				if !strings.Contains(op.path, "{"+name+"}") {
					t.Errorf("version %d: %s has no %s", v, op.path, name)
				}
			}
			contents, _ := at(op.op, "responses", "200", "content").(map[string]any)
			for kind, media := range contents {
				if example := at(media, "example"); example != nil {
					if err := check.check(at(media, "schema"), example, ""); err != nil {
						t.Errorf("version %d: example of %s as %s: %v", v, r.Name, kind, err)
					}
				}
			}
			for _, status := range []string{"400", "401", "403", "429", "500", "503"} {
				if at(op.op, "responses", status) == nil && !(r.Open && (status == "401" || status == "429")) {
					t.Errorf("version %d: %s does not tell of %s", v, r.Name, status)
				}
			}
		}
		problems := at(document, "components", "responses").(map[string]any)
		for name, problem := range problems {
			if name == "NotModified" {
				continue
			}
			parts := at(problem, "content", "application/problem+json", "schema", "allOf").([]any)
			kinds := at(parts[1], "properties", "type", "enum").([]any)
			for _, kind := range kinds {
				if api.ProblemKinds()[strings.TrimPrefix(kind.(string), "/problems/")] == 0 {
					t.Errorf("version %d: %s names %v", v, name, kind)
				}
			}
		}
	}
	for _, v := range []int{-1, 11} {
		if _, err := api.OpenAPI(documentSettings(), v); err == nil {
			t.Errorf("there is a document of version %d", v)
		}
	}
	old := documentSettings()
	old.API.OldestVersion = config.OldestVersion + 1
	if _, err := api.OpenAPI(old, config.OldestVersion); err == nil {
		t.Error("there is a document of a version that is not served")
	}
}

// followReferences follows every reference in the document.
func followReferences(t testing.TB, check *validator, node any) {
	switch node := node.(type) {
	case map[string]any:
		if _, is := node["$ref"].(string); is {
			if _, err := check.resolve(node); err != nil {
				t.Error(err)
			}
		}
		for _, inner := range node {
			followReferences(t, check, inner)
		}
	case []any:
		for _, inner := range node {
			followReferences(t, check, inner)
		}
	}
}

// The limits and forms of the settings are in the document.
func TestOpenAPISettings(t *testing.T) {
	s := documentSettings()
	s.API.MaxLimit, s.API.MaxLimitExpand, s.API.AuthSchemes = 77, 7, []string{"OLD", "SERVICE"}
	s.Applicants.ReferencePattern = regexp.MustCompile(`^(?:R[0-9]+)$`)
	text, err := api.OpenAPI(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	document := parsed(t, text)
	limit := at(document, "components", "parameters", "listApplicants.limit")
	if at(limit, "schema", "maximum") != json.Number("77") || at(limit, "schema", "default") != json.Number("77") ||
		!strings.Contains(at(limit, "description").(string), "at most 7,") {
		t.Errorf("limit is %v", limit)
	}
	for _, part := range []string{`"^R[0-9]+$"`, "OLD, SERVICE", `"version":"10"`} {
		if !bytes.Contains(text, []byte(part)) {
			t.Errorf("the document does not say %s", part)
		}
	}
	all := at(document, "paths", "/applicants", "post", "requestBody", "content")
	for _, kind := range []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data"} {
		if at(all, kind, "schema", "properties", "email") == nil {
			t.Errorf("an applicant cannot be sent as %s", kind)
		}
	}
	reduction := at(document, "paths", "/applicants/trackers", "post", "requestBody", "content")
	if at(reduction, "application/json", "schema", "properties", "reduction", "properties", "percent") == nil ||
		at(reduction, "multipart/form-data", "schema", "properties", "reduction[percent]") == nil {
		t.Errorf("the reduction of a tracker is %v", reduction)
	}
}

// committedDocuments are the files of docs/openapi and what belongs into them.
func committedDocuments(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{"openapi.json": api.OpenAPIUnversioned(documentSettings())}
	for v := config.OldestVersion; v <= 10; v++ {
		all[fmt.Sprintf("openapi-v%d.json", v)] = documentText(t, v)
	}
	return all
}

// goldenAnswer is an answer of the golden files of the contract.
type goldenAnswer struct {
	path, kind, body string
}

// goldenAnswers returns all of a version, with the prefix of its links, by operation and in the order of the files.
func goldenAnswers(t testing.TB, name string, v int) map[string][]goldenAnswer {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "contract", "*-"+name+".golden"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", name, err)
	}
	all := map[string][]goldenAnswer{}
	begin := regexp.MustCompile(`(?m)^GET /`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range begin.Split(string(text), -1)[1:] {
			head, body, _ := strings.Cut(one, "\n\n")
			path, headers, _ := strings.Cut(head, "\n")
			a := goldenAnswer{path: "/" + path, body: strings.TrimSuffix(body, "\n\n")}
			for line := range strings.Lines(headers) {
				if kind, ok := strings.CutPrefix(line, "Content-Type: "); ok {
					a.kind = strings.TrimSpace(kind)
				}
			}
			plain, _, _ := strings.Cut(a.path, "?")
			operation := api.OperationOf("GET", plain, v)
			if operation == "" {
				t.Fatalf("%s: nothing answers %s", file, a.path)
			}
			all[operation] = append(all[operation], a)
		}
	}
	return all
}

// Every golden answer of every version is what the document of the version says of its operation.
func TestOpenAPIGolden(t *testing.T) {
	count := 0
	versions := map[string]int{"unversioned": documentSettings().API.DefaultVersion}
	for v := config.OldestVersion; v <= 10; v++ {
		versions[fmt.Sprintf("v%d", v)] = v
	}
	for name, v := range versions {
		document := documentOf(t, v)
		check, operations := newValidator(document), operationsOf(t, document)
		for operation, answers := range goldenAnswers(t, name, v) {
			for _, a := range answers {
				op, found := operations[operation]
				if !found {
					if !slices.Contains(api.MissingShapes(), operation) {
						t.Errorf("%s: %s is not in the document", name, operation)
					}
					continue
				}
				mediaType, _, _ := strings.Cut(a.kind, ";")
				content, _ := at(op.op, "responses", "200", "content").(map[string]any)
				media, known := content[mediaType]
				if _, anything := content["*/*"]; !known && !anything {
					t.Errorf("%s: %s answers %s, the document says %v", name, a.path, a.kind, slices.Sorted(maps.Keys(content)))
				}
				if mediaType != "application/json" || media == nil || strings.Contains(a.body, " bytes: ") {
					continue
				}
				count++
				body := strings.ReplaceAll(a.body, `"/api/vN/`, fmt.Sprintf(`"/api/v%d/`, v))
				if err := check.check(at(media, "schema"), parsed(t, []byte(body)), ""); err != nil {
					t.Errorf("%s: GET %s: %v", name, a.path, err)
				}
			}
		}
	}
	if count < 1000 {
		t.Errorf("only %d answers were checked", count)
	}
}

// exampleFile holds the examples of the documents.
var exampleFile = filepath.Join("openapi", "examples.json")

// The examples of the documents are golden answers, cut to their first element.
func TestOpenAPIExamples(t *testing.T) {
	type version struct {
		First int             `json:"first"`
		Last  int             `json:"last"`
		Value json.RawMessage `json:"value"`
	}
	all := map[string][]version{}
	for v := config.OldestVersion; v <= 10; v++ {
		for operation, answers := range goldenAnswers(t, fmt.Sprintf("v%d", v), v) {
			value := exampleOf(t, answers[0])
			list := all[operation]
			switch {
			case value == nil:
			case list != nil && list[len(list)-1].Last == v-1 && string(list[len(list)-1].Value) == string(value):
				list[len(list)-1].Last = v
			default:
				all[operation] = append(list, version{v, v, value})
			}
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(all); err != nil {
		t.Fatal(err)
	}
	now := pretty(t, text.String()) + "\n"
	if *update {
		if err := os.WriteFile(exampleFile, []byte(now), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(committed) != now {
		t.Errorf("%s is not what the golden files say: write it again by go test ./internal/api -run OpenAPI -update, twice, since it is built in", exampleFile)
	}
}

// exampleOf is a golden answer as an example: JSON on one line, cut to the first element of a collection, or the first
// lines of a table as a JSON text; nil for files.
func exampleOf(t testing.TB, a goldenAnswer) json.RawMessage {
	t.Helper()
	switch {
	case strings.HasPrefix(a.kind, "text/csv"):
		lines := strings.SplitAfterN(a.body, "\n", 4)
		text, err := json.Marshal(strings.Join(lines[:min(3, len(lines))], ""))
		if err != nil {
			t.Fatal(err)
		}
		return text
	case a.kind != "application/json" || strings.Contains(a.body, " bytes: "):
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(a.body)); err != nil {
		t.Fatalf("%s: %v", a.path, err)
	}
	names, values := members(t, compact.String())
	for _, value := range values {
		if !strings.HasPrefix(value, "{") {
			return compact.Bytes()
		}
	}
	if len(names) == 0 {
		return compact.Bytes()
	}
	name, err := json.Marshal(names[0])
	if err != nil {
		t.Fatal(err)
	}
	cut := string(name) + ":" + values[names[0]]
	if pages, isPaged := values["pages"]; isPaged && names[0] != "pages" {
		cut += `,"pages":` + pages
	}
	return json.RawMessage("{" + cut + "}")
}
