package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

const committed = "../../../docs/openapi/openapi-v10.json"

// What is committed is what the document of the newest version gives.
func TestUpToDate(t *testing.T) {
	document, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	types, methods, err := generate(document)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"types_gen.go": types, "operations_gen.go": methods} {
		got, err := os.ReadFile("../../" + name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("client/%s is not what docs/openapi/openapi-v10.json gives (%v): run go generate ./client", name, err)
		}
	}
}

// A form that the generator does not know is an error that says where.
func TestUnknownForms(t *testing.T) {
	operation := func(body string) string {
		return `{"info":{"version":"10"},"paths":{"/things":{"get":` + body +
			`}},"components":{"schemas":{},"parameters":{}}}`
	}
	for text, says := range map[string]string{
		`{`:                            "unexpected end",
		`{"paths":{"/a":{"trace":1}}}`: `"trace"`,
		operation(`{"operationId":"getThings","responses":{"404":{}}}`):                                                                         "GET /things: no status",
		operation(`{"operationId":"getThings","parameters":[{"name":"c","in":"cookie"}],"responses":{"204":{}}}`):                               "cookie",
		operation(`{"operationId":"getThings","responses":{"200":{"content":{"application/json":{"schema":{"type":["integer","boolean"]}}}}}}`): "no Go type",
		operation(`{"operationId":"getThings","requestBody":{"content":{"text/xml":{}}},"responses":{"204":{}}}`):                               "text/xml",
		`{"paths":{},"components":{"schemas":{"A":{"type":"object","properties":{"b":{"type":"tuple"}}}}}}`:                                     "schema A: b: no Go type",
		operation(`{"operationId":"getThings","parameters":[{"name":"q","in":"query","schema":{"type":"tuple"}}],"responses":{"204":{}}}`):      "q: no Go type",
	} {
		_, _, err := generate([]byte(text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"decision-deadline": "DecisionDeadline", "tracker_ID": "TrackerID",
		"byOfferTypes": "ByOfferTypes", "id": "ID", "prospect_uri": "ProspectURI",
		"reduction[percent]": "ReductionPercent", "idcard": "Idcard"} {
		if got := goName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"applicant_id": "applicantID", "blob": "blob", "report_name": "reportName",
		"id": "id"} {
		if got := argumentName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
