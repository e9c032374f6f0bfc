package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api/version"
)

// The committed documents are those of the code. What they promise changes only where a new change of the history says
// so.
func TestOpenAPICommitted(t *testing.T) {
	for name, text := range committedDocuments(t) {
		file, now := filepath.Join("..", "..", "docs", "openapi", name), pretty(t, string(text))+"\n"
		committed, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if string(committed) == now {
			continue
		}
		if err == nil {
			old, present := parsed(t, committed), parsed(t, text)
			if broken := brokenPromises(old, present, newChanges(old, present, version.History())); len(broken) > 0 {
				t.Errorf("the interface is not what %s promises, and no new change of internal/api/version/history.go touches it:\n\t%s\n"+
					"Take the difference back. If it is meant, it belongs into a newer version: name a change there, in whose Touches is what "+
					"stands before the colons here, and make the difference follow it. If only the document was wrong, remove the file and "+
					"run go test ./internal/api -run OpenAPI -update.", file, strings.Join(broken, "\n\t"))
				continue
			}
		}
		if !*update {
			t.Errorf("%s is not up to date: write it again by go test ./internal/api -run OpenAPI -update, and read the difference", file)
			continue
		}
		if err := os.WriteFile(file, []byte(now), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// newChanges are those that the newer document of a version lists and the older one does not.
func newChanges(old, now any, history []*version.Change) (list []*version.Change) {
	known, _ := at(old, "info", "x-changes").([]any)
	listed, _ := at(now, "info", "x-changes").([]any)
	for _, c := range history {
		if said := c.From.String() + ": " + c.Summary; slices.Contains(listed, any(said)) &&
			!slices.Contains(known, any(said)) {
			list = append(list, c)
		}
	}
	return list
}

// brokenPromises lists what of an older document the newer one does not keep to and none of the changes touches:
// operations and components that are different, with the differences, and operations that are gone. Descriptions,
// examples and what is said of the future (deprecated) are no promises, and what is added breaks none.
func brokenPromises(old, now any, changes []*version.Change) (list []string) {
	before, after := withoutWords(old), withoutWords(now)
	compare := func(what string, x, y any) {
		if !slices.ContainsFunc(changes, func(c *version.Change) bool { return slices.Contains(c.Touches, what) }) {
			for _, difference := range differences("", x, y) {
				list = append(list, what+": "+difference)
			}
		}
	}
	paths, _ := at(before, "paths").(map[string]any)
	for path, item := range paths {
		for method, op := range item.(map[string]any) {
			compare(method+" "+path, op, at(after, "paths", path, method))
		}
	}
	components, _ := at(before, "components").(map[string]any)
	for kind, all := range components {
		for name, one := range all.(map[string]any) {
			if present := at(after, "components", kind, name); present != nil { // else an operation lost it
				compare("components/"+kind+"/"+name, one, present)
			}
		}
	}
	slices.Sort(list)
	return list
}

// differences lists where two parts of documents differ, and in what.
func differences(place string, old, now any) (list []string) {
	was, wasObject := old.(map[string]any)
	is, isObject := now.(map[string]any)
	if wasObject && isObject {
		names := map[string]any{}
		maps.Copy(names, was)
		maps.Copy(names, is)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			list = append(list, differences(strings.TrimPrefix(place+"/"+name, "/"), was[name], is[name])...)
		}
		return list
	}
	shown := func(v any) string {
		text, _ := json.Marshal(v)
		return fmt.Sprintf("%.120s", text)
	}
	wasList, _ := old.([]any)
	isList, _ := now.([]any)
	lacks := func(list []any, v any) bool {
		return !slices.ContainsFunc(list, func(other any) bool { return reflect.DeepEqual(v, other) })
	}
	if wasList != nil && isList != nil {
		for _, v := range wasList {
			if lacks(isList, v) {
				list = append(list, place+" has lost "+shown(v))
			}
		}
		for _, v := range isList {
			if lacks(wasList, v) {
				list = append(list, place+" has got "+shown(v))
			}
		}
	}
	switch {
	case list != nil || reflect.DeepEqual(old, now):
		return list
	case now == nil:
		return []string{strings.TrimSpace(place + " is gone")}
	case old == nil:
		return []string{place + " is new: " + shown(now)}
	}
	return []string{place + " was " + shown(old) + " and is " + shown(now)}
}

// withoutWords takes out what is said for people only.
func withoutWords(node any) any {
	switch node := node.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, value := range node {
			_, isText := value.(string)
			if name == "example" || name == "deprecated" && value == true || isText &&
				(name == "description" || name == "summary") {
				continue
			}
			kept[name] = withoutWords(value)
		}
		return kept
	case []any:
		var kept []any
		for _, value := range node {
			kept = append(kept, withoutWords(value))
		}
		return kept
	}
	return node
}

// What counts as a broken promise, and which changes allow it.
func TestBrokenPromises(t *testing.T) {
	base := `{"info":{"x-changes":["4: Known."]},"paths":{"/a":{"get":{"summary":"A","responses":{"200":{"description":"x"}}}}},` +
		`"components":{"schemas":{"S":{"type":"string","enum":["a","b"]}}}}`
	known := &version.Change{From: 4, Summary: "Known.", Touches: []string{"get /a", "components/schemas/S"}}
	path := &version.Change{From: 9, Summary: "Path.", Touches: []string{"get /a"}}
	later := &version.Change{From: 10, Summary: "Later.", Touches: []string{"get /a"}}
	const gone, other = "get /a: is gone", "get /a: responses/200 is gone,get /a: responses/201 is new: {}"
	const integer = `components/schemas/S: type was "string" and is "integer"`
	// listed are the changes that the newer document has as well
	for _, c := range []struct{ old, new, listed, want string }{
		{"", "", "", ""},
		{`"summary":"A"`, `"summary":"B"`, "", ""},
		{`"summary":"A"`, `"summary":"A","deprecated":true`, "", ""},
		{`"description":"x"`, `"description":"y","example":1`, "", ""},
		{`"/a":{`, `"/b":{"get":{}},"/a":{`, "", ""},
		{`"S":{`, `"T":{},"S":{`, "", ""},
		{`"/a":{`, `"/b":{`, "", gone},
		{`"200"`, `"201"`, "", other},
		{`"type":"string"`, `"type":"integer"`, "", integer},
		{`["a","b"]`, `["b","c"]`, "", `components/schemas/S: enum has got "c",components/schemas/S: enum has lost "a"`},
		{`["a","b"]`, `["b","a"]`, "", `components/schemas/S: enum was ["a","b"] and is ["b","a"]`},
		{`"/a":{`, `"/b":{`, `,"9: Path."`, ""},
		{`"200"`, `"201"`, `,"9: Path."`, ""},
		{`"type":"string"`, `"type":"integer"`, `,"9: Path."`, integer},
		{`"200"`, `"201"`, `,"9: Nothing that the history has."`, other},
	} {
		text := strings.Replace(strings.Replace(base, c.old, c.new, 1), `"4: Known."`, `"4: Known."`+c.listed, 1)
		old, now := parsed(t, []byte(base)), parsed(t, []byte(text))
		got := brokenPromises(old, now, newChanges(old, now, []*version.Change{known, path, later}))
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s for %s with %s: %v, want %s", c.new, c.old, c.listed, got, c.want)
		}
	}
}
