package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// document is the part of an OpenAPI document that requests are made from.
type document struct {
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Parameters map[string]parameter `json:"parameters"`
	} `json:"components"`
}

type parameter struct {
	Ref     string         `json:"$ref"`
	Name    string         `json:"name"`
	In      string         `json:"in"`
	Example any            `json:"example"`
	Schema  map[string]any `json:"schema"`
}

type operation struct {
	Parameters  []parameter `json:"parameters"`
	RequestBody struct {
		Content map[string]content `json:"content"`
	} `json:"requestBody"`
}

type content struct {
	Example  json.RawMessage                            `json:"example"`
	Examples map[string]struct{ Value json.RawMessage } `json:"examples"`
	Schema   map[string]any                             `json:"schema"`
}

// maker draws requests from the documents of one build and the records of one instance.
type maker struct {
	t      *testing.T
	s      *service
	random *rand.Rand
	ids    map[string][]string // path of a collection → keys
}

func newMaker(t *testing.T, s *service) *maker {
	return &maker{t: t, s: s, random: rand.New(rand.NewPCG(1, 2)), ids: map[string][]string{}}
}

// document reads the OpenAPI document of a version.
func (m *maker) document(version int) *document {
	out, err := exec.Command(m.s.binary, "openapi", "--version="+strconv.Itoa(version)).Output()
	if err != nil {
		m.t.Fatalf("openapi: %v", err)
	}
	var d document
	if err := json.Unmarshal(out, &d); err != nil {
		m.t.Fatal(err)
	}
	return &d
}

var methods = []string{"get", "head", "put", "patch", "post", "delete"}

// requests makes those of one version: each operation a few times, with good and bad IDs and parameters.
func (m *maker) requests(version int, prefix string, variants int) (reads, writes []request) {
	d := m.document(version)
	paths := make([]string, 0, len(d.Paths))
	for path := range d.Paths {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		for _, method := range methods {
			raw, ok := d.Paths[path][method]
			if !ok {
				continue
			}
			var op operation
			if err := json.Unmarshal(raw, &op); err != nil {
				m.t.Fatal(err)
			}
			for variant := range variants {
				r := request{method: strings.ToUpper(method), path: prefix + m.fill(prefix, path)}
				if query := m.query(d, op, variant); query != "" {
					r.path += "?" + query
				}
				m.body(&r, op, variant)
				if method == "get" || method == "head" {
					reads = append(reads, r)
				} else {
					writes = append(writes, r)
				}
			}
		}
	}
	return reads, writes
}

// fill puts IDs into a path: of existing records mostly, now and then one that cannot be.
func (m *maker) fill(prefix, path string) string {
	var filled string
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if strings.HasPrefix(segment, "{") {
			keys := m.keys(prefix, filled)
			switch n := m.random.IntN(40); {
			case n == 0:
				segment = "99999999"
			case n == 1:
				segment = "x1"
			case len(keys) == 0:
				segment = "1"
			default:
				segment = url.PathEscape(keys[m.random.IntN(len(keys))])
			}
		}
		filled += "/" + segment
	}
	return filled
}

// keys are those of a collection of the instance, as the older build lists them.
func (m *maker) keys(prefix, collection string) []string {
	at := prefix + collection
	keys, known := m.ids[at]
	if !known {
		a, err := m.s.send(context.Background(), request{method: "GET", path: at}, "keys")
		if err != nil {
			m.t.Fatal(err)
		}
		var object map[string]json.RawMessage
		if a.status == 200 && json.Unmarshal(a.body, &object) == nil {
			for key := range object {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		m.ids[at] = keys
	}
	return keys
}

// query sets none of the parameters in the first variant, and one or two of them in the others.
func (m *maker) query(d *document, op operation, variant int) string {
	var known []parameter
	for _, p := range op.Parameters {
		if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
			p = d.Components.Parameters[name]
		}
		if p.In == "query" {
			known = append(known, p)
		}
	}
	if variant == 0 || len(known) == 0 {
		return ""
	}
	query := url.Values{}
	for range 1 + m.random.IntN(2) {
		p := known[m.random.IntN(len(known))]
		query.Set(p.Name, m.value(p.Name, p.Example, p.Schema))
	}
	return query.Encode()
}

// body sets the body of a request: the example of its operation, or one drawn from the schema.
func (m *maker) body(r *request, op operation, variant int) {
	kinds := make([]string, 0, len(op.RequestBody.Content))
	for kind := range op.RequestBody.Content {
		kinds = append(kinds, kind)
	}
	if len(kinds) == 0 {
		return
	}
	slices.Sort(kinds)
	kind := kinds[0]
	if slices.Contains(kinds, "application/json") {
		kind = "application/json"
	}
	c := op.RequestBody.Content[kind]
	r.kind = kind
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		r.kind = "multipart/form-data; boundary=replay"
		r.body = "--replay\r\nContent-Disposition: form-data; name=\"file\"; filename=\"letter.pdf\"\r\nContent-Type: application/pdf\r\n\r\n" +
			"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n\r\n--replay--\r\n"
	case c.Example != nil && variant%2 == 0:
		r.body = string(c.Example)
	case len(c.Examples) > 0 && variant%2 == 0:
		names := make([]string, 0, len(c.Examples))
		for name := range c.Examples {
			names = append(names, name)
		}
		slices.Sort(names)
		r.body = string(c.Examples[names[m.random.IntN(len(names))]].Value)
	default:
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(m.draw("", c.Schema, 0)); err != nil {
			m.t.Fatal(err)
		}
		r.body = strings.TrimSpace(b.String())
	}
}

// value draws the text of a query parameter.
func (m *maker) value(name string, example any, schema map[string]any) string {
	if example != nil && m.random.IntN(3) > 0 {
		return fmt.Sprint(example)
	}
	if schema["type"] == "array" {
		item, _ := schema["items"].(map[string]any)
		return fmt.Sprint(m.draw(name, item, 0), ",", m.draw(name, item, 0))
	}
	return fmt.Sprint(m.draw(name, schema, 0))
}

// draw makes a value of a JSON schema, good or nearly good.
func (m *maker) draw(name string, schema map[string]any, depth int) any {
	for _, word := range []string{"anyOf", "oneOf"} {
		if list, ok := schema[word].([]any); ok && len(list) > 0 {
			choice, _ := list[m.random.IntN(len(list))].(map[string]any)
			return m.draw(name, choice, depth)
		}
	}
	if list, ok := schema["enum"].([]any); ok && len(list) > 0 {
		return list[m.random.IntN(len(list))]
	}
	if value, ok := schema["default"]; ok && m.random.IntN(2) == 0 {
		return value
	}
	kind, _ := schema["type"].(string)
	if kinds, ok := schema["type"].([]any); ok && len(kinds) > 0 {
		kind, _ = kinds[m.random.IntN(len(kinds))].(string)
	}
	switch kind {
	case "object":
		object := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		names := make([]string, 0, len(properties))
		for name := range properties {
			names = append(names, name)
		}
		slices.Sort(names)
		required, _ := schema["required"].([]any)
		for _, name := range names {
			if depth < 4 && (slices.Contains(required, any(name)) || m.random.IntN(3) == 0) {
				property, _ := properties[name].(map[string]any)
				object[name] = m.draw(name, property, depth+1)
			}
		}
		return object
	case "array":
		item, _ := schema["items"].(map[string]any)
		return []any{m.draw(name, item, depth+1)}
	case "integer", "number":
		return 1 + m.random.IntN(40)
	case "boolean":
		return m.random.IntN(2) == 0
	case "null":
		return nil
	}
	return m.word(name, schema)
}

// word draws a text that fits the name or the format.
func (m *maker) word(name string, schema map[string]any) string {
	switch format, _ := schema["format"].(string); {
	case format == "date-time" || strings.HasSuffix(name, "Since") || strings.HasSuffix(name, "Until"):
		return fmt.Sprintf("2026-%02d-01T00:00:00", 1+m.random.IntN(9))
	case format == "date":
		return fmt.Sprintf("2026-%02d-15", 1+m.random.IntN(9))
	case format == "email":
		return fmt.Sprintf("replay-%d@example.org", m.random.IntN(50))
	case strings.Contains(strings.ToLower(name), "citizenship"):
		return []string{"KZ", "DE", "XX"}[m.random.IntN(3)]
	case strings.HasSuffix(name, "IDs"), strings.HasSuffix(name, "ID"):
		return strconv.Itoa(1 + m.random.IntN(30))
	}
	return []string{"Replay", "12.50", "A & B <i>", "Ünïcode", ""}[m.random.IntN(5)]
}
