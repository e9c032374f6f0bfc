package openapi

import (
	"embed"
	"encoding/json"
	"strings"

	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
)

// exampleFiles hold answers out of the golden files of the contract; a test keeps them equal with those.
//
//go:embed examples.json
var exampleFiles embed.FS

// examplePrefix stands in the examples for the prefix of the request.
const examplePrefix = `"/api/vN/`

// example is an answer of an operation, the same in some versions.
type example struct {
	First version.Number  `json:"first"`
	Last  version.Number  `json:"last"`
	Value json.RawMessage `json:"value"` // a JSON text where the answer is not JSON
}

// examplesOf returns an answer of each operation in a version, with links of a prefix.
func examplesOf(v version.Number, prefix string) map[string]json.RawMessage {
	text, err := exampleFiles.ReadFile("examples.json")
	if err != nil {
		panic(err) // it is built in
	}
	var all map[string][]example
	if err := json.Unmarshal(text, &all); err != nil {
		panic(err)
	}
	chosen := map[string]json.RawMessage{}
	for name, list := range all {
		for _, e := range list {
			if (version.Span{First: e.First, Last: e.Last}).Has(v) {
				chosen[name] = json.RawMessage(strings.ReplaceAll(string(e.Value), examplePrefix, `"`+prefix+"/"))
			}
		}
	}
	return chosen
}

// headerParameters are the headers of requests that the documents name.
func headerParameters() map[string]string {
	return map[string]string{
		"Prefer":          "handling=strict refuses parameters that nobody knows; return=representation asks a creation without a body in its answer for one.",
		"Idempotency-Key": "1 to 255 printable ASCII characters. For 24 hours the same key and body get the same answer, and nothing happens twice.",
		"If-Match":        "The ETag that GET of the same path has; 412 when it has another by now.",
		"If-None-Match":   "ETags that the client has; 304 when one of them is that of the answer.",
		"Range":           "Bytes of the file, such as bytes=0-1023.",
	}
}

// documentHeaders are the headers of answers.
func documentHeaders() map[string]*header {
	text := func(meaning string) *header { return &header{Description: meaning, Schema: schema.Text()} }
	count := func(meaning string) *header {
		return &header{Description: meaning, Schema: &schema.Schema{Type: "integer", Minimum: new(int64(0))}}
	}
	return map[string]*header{
		"X-Request-Id":        text("Names the request in the log of the service; that of the client, when it sent one."),
		"RateLimit":           text("What is left of the quota of the key."),
		"RateLimit-Policy":    text("The quota of the key."),
		"X-Count":             count("How many match, however many are in the answer."),
		"ETag":                text("A strong validator of the answer."),
		"NextLink":            text("rel=next: the next page of the list, while there is one."),
		"DeprecationLink":     text("rel=deprecation: the page that says what will end."),
		"NextAndDeprecation":  text("rel=next: the next page of the list, while there is one. rel=deprecation: the page that says what will end."),
		"Deprecation":         text("When the version was deprecated (RFC 9745)."),
		"Sunset":              text("Until when the version is promised (RFC 8594)."),
		"Location":            text("The path of what was made, or of what exists already."),
		"Preference-Applied":  text("return=representation, when it was asked for."),
		"Content-Disposition": text("How to take the file, and its name."),
		"Content-Range":       text("Which bytes these are."),
		"Accept-Ranges":       text("bytes"),
		"Last-Modified":       text("When the file was stored, or made."),
		"Expires":             text("Until when the report may be used."),
		"Retry-After":         count("After how many seconds the request may be sent again."),
		"WWW-Authenticate":    text("How to authenticate."),
	}
}
