package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// document is the part of an OpenAPI 3.1 document that the client is made from.
type document struct {
	Info struct {
		Version string `json:"version"`
	} `json:"info"`
	Paths      ordered[pathItem] `json:"paths"`
	Components struct {
		Schemas    ordered[*schema]     `json:"schemas"`
		Parameters map[string]parameter `json:"parameters"`
	} `json:"components"`
}

// pathItem holds the operations of a path by method, in the order of the document.
type pathItem struct {
	parameters []parameter
	operations ordered[operation]
}

// UnmarshalJSON tells the operations from what stands next to them.
func (p *pathItem) UnmarshalJSON(data []byte) error {
	var members ordered[json.RawMessage]
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	for i, name := range members.keys {
		var err error
		switch name {
		case "parameters":
			err = json.Unmarshal(members.values[i], &p.parameters)
		case "get", "head", "post", "put", "patch", "delete":
			var o operation
			err = json.Unmarshal(members.values[i], &o)
			p.operations.add(strings.ToUpper(name), o)
		default:
			err = fmt.Errorf("a path has %q, which is not understood", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type operation struct {
	ID          string      `json:"operationId"`
	Summary     string      `json:"summary"`
	Deprecated  bool        `json:"deprecated"`
	Parameters  []parameter `json:"parameters"`
	RequestBody *struct {
		Content ordered[media] `json:"content"`
	} `json:"requestBody"`
	Responses ordered[response] `json:"responses"`
}

type media struct {
	Schema *schema `json:"schema"`
}

type response struct {
	Headers map[string]json.RawMessage `json:"headers"`
	Content ordered[media]             `json:"content"`
}

type parameter struct {
	Ref         string  `json:"$ref"`
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Schema      *schema `json:"schema"`
}

// schema is a JSON schema as far as the documents use it.
type schema struct {
	Ref                  string           `json:"$ref"`
	Type                 kinds            `json:"type"`
	Format               string           `json:"format"`
	Pattern              string           `json:"pattern"`
	Description          string           `json:"description"`
	Enum                 []any            `json:"enum"`
	Properties           ordered[*schema] `json:"properties"`
	PatternProperties    ordered[*schema] `json:"patternProperties"`
	AdditionalProperties either           `json:"additionalProperties"`
	Required             []string         `json:"required"`
	Items                *schema          `json:"items"`
	AnyOf                []*schema        `json:"anyOf"`
}

// kinds is the member type of a schema: one name or several.
type kinds []string

// UnmarshalJSON reads either form.
func (k *kinds) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		*k = kinds{""}
		return json.Unmarshal(data, &(*k)[0])
	}
	return json.Unmarshal(data, (*[]string)(k))
}

// either is the member additionalProperties: a schema, or a boolean, which is read as none.
type either struct{ schema *schema }

// UnmarshalJSON reads either form.
func (e *either) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		return nil
	}
	return json.Unmarshal(data, &e.schema)
}

// ordered is a JSON object whose members keep their order.
type ordered[T any] struct {
	keys   []string
	values []T
}

func (o *ordered[T]) add(key string, value T) {
	o.keys, o.values = append(o.keys, key), append(o.values, value)
}

func (o *ordered[T]) get(key string) (value T, found bool) {
	for i, k := range o.keys {
		if k == key {
			return o.values[i], true
		}
	}
	return value, false
}

// UnmarshalJSON reads the members one by one.
func (o *ordered[T]) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value T
		if err := d.Decode(&value); err != nil {
			return err
		}
		o.add(key.(string), value)
	}
	return nil
}

// named is the last part of a reference inside the document.
func named(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }
