package client_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/client"
)

// document is what the test needs of the OpenAPI document.
type document struct {
	Paths map[string]map[string]json.RawMessage `json:"paths"`
}

type operation struct {
	ID        string `json:"operationId"`
	Responses map[string]struct {
		Headers map[string]any `json:"headers"`
		Content map[string]struct {
			Example json.RawMessage `json:"example"`
		} `json:"content"`
	} `json:"responses"`
}

// Every operation of the document has its method; the method sends that operation, and what the document gives as an
// example of the answer is read whole.
func TestEveryOperation(t *testing.T) {
	text, err := os.ReadFile("../docs/openapi/openapi-v10.json")
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	var method, path, example string
	i := start(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method || !samePath(r.URL.Path, path) {
			t.Errorf("sent %s %s, want %s %s", r.Method, r.URL.Path, method, path)
		}
		w.Header().Set("X-Count", "7")
		_, _ = io.WriteString(w, example)
	})
	examples := 0
	for _, p := range slices.Sorted(maps.Keys(d.Paths)) {
		for m, raw := range d.Paths[p] {
			var o operation
			if m == "parameters" {
				continue
			}
			if err := json.Unmarshal(raw, &o); err != nil {
				t.Fatal(err)
			}
			method, path, example = strings.ToUpper(m), p, ""
			success := o.Responses["200"]
			if o.Responses["201"].Content != nil {
				success = o.Responses["201"]
			}
			if content, found := success.Content["application/json"]; found {
				example = string(content.Example)
			}
			f := reflect.ValueOf(i.client).MethodByName(methodName(method, o.ID, success.Headers["X-Count"] != nil))
			if !f.IsValid() {
				t.Errorf("%s %s: there is no method for %s", method, p, o.ID)
				continue
			}
			result, err := invoke(t, f)
			if err != nil {
				t.Errorf("%s: %v", o.ID, err)
			}
			if example != "" && result != nil {
				examples++
				if difference := missing(example, result); difference != "" {
					t.Errorf("%s: what was read is not what was sent:\n%s", o.ID, difference)
				}
			}
		}
	}
	if examples < 50 {
		t.Errorf("only %d examples", examples)
	}
}

// methodName is the name of the method for an operation.
func methodName(method, id string, counts bool) string {
	if method != "HEAD" {
		return strings.ToUpper(id[:1]) + id[1:]
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(id, "head"), "Get"), "List")
	if counts {
		return "Count" + rest
	}
	return "Head" + rest
}

// samePath compares a path with its pattern; all arguments of invoke are 1.
func samePath(path, pattern string) bool {
	for strings.Contains(pattern, "{") {
		before, after, _ := strings.Cut(pattern, "{")
		_, after, _ = strings.Cut(after, "}")
		pattern = before + "1" + after
	}
	return path == "/api/v10"+pattern
}

// invoke calls a method with 1 for every part of the path and nothing else, and returns what it answers but files.
func invoke(t *testing.T, f reflect.Value) (result any, err error) {
	arguments := []reflect.Value{reflect.ValueOf(t.Context())}
	for n := 1; n < f.Type().NumIn()-1; n++ {
		in := f.Type().In(n)
		switch {
		case in.Kind() == reflect.Int64:
			arguments = append(arguments, reflect.ValueOf(int64(1)))
		case in == reflect.TypeFor[string]():
			arguments = append(arguments, reflect.ValueOf("1"))
		case in == reflect.TypeFor[client.Upload]():
			arguments = append(arguments, reflect.ValueOf(client.Upload{File: strings.NewReader("x"), FileName: "x.pdf"}))
		default:
			arguments = append(arguments, reflect.Zero(in))
		}
	}
	for _, out := range f.Call(arguments) {
		switch value := out.Interface().(type) {
		case nil:
		case error:
			err = value
		case *client.Download:
			value.Close()
		case http.Header, int64:
		default:
			result = value
		}
	}
	return result, err
}

// missing tells what of a JSON text is not in the value any more. What the text leaves out may be null.
func missing(text string, value any) string {
	var want, got any
	encoded, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(encoded, &got)
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &want)
	}
	if err != nil {
		return err.Error()
	}
	return cmp.Diff(want, dropNulls(got, want))
}

// dropNulls takes members out of got that are null and that want does not have.
func dropNulls(got, want any) any {
	switch g := got.(type) {
	case map[string]any:
		w, _ := want.(map[string]any)
		for key, value := range g {
			if _, has := w[key]; !has && value == nil {
				delete(g, key)
				continue
			}
			g[key] = dropNulls(value, w[key])
		}
	case []any:
		if w, _ := want.([]any); len(w) == len(g) {
			for i := range g {
				g[i] = dropNulls(g[i], w[i])
			}
		}
	}
	return got
}
