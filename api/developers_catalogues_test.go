package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/admitto/admitto"
)

// tableRows gives the cells of every row of the tables of a page.
func tableRows(t *testing.T, page string) (rows [][]string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Data != "tr" {
			continue
		}
		var cells []string
		for c := range n.ChildNodes() {
			if c.Data == "td" {
				cells = append(cells, textOf(c))
			}
		}
		if cells != nil {
			rows = append(rows, cells)
		}
	}
	return rows
}

// Everything that can happen and every code of a refusal is on a page, with what the tables say about it.
func TestCatalogues(t *testing.T) {
	s := developerSite(t, documentSettings())
	events := tableRows(t, s.get("/developers/events", noKey).want(t, 200).body)
	kinds := admitto.EventKinds()
	if len(events) != len(kinds) {
		t.Fatalf("%d events on the page, %d in the catalogue", len(events), len(kinds))
	}
	for i, k := range kinds {
		want := []string{string(k.Pattern), k.Binds, k.Since}
		if k.Since == "" {
			want[2] = "not yet"
		}
		if strings.HasPrefix(want[0], "Offer was edited") || strings.HasPrefix(want[0], "Offer was confirmed") || strings.HasPrefix(want[0], "Offer letter was sent") {
			want[1] = "ID of the type that the offer has, its title up to version 3"
		}
		if got := fmt.Sprint(events[i]); got != fmt.Sprint(want) {
			t.Errorf("the page says %s, want %s", got, want)
		}
	}
	codes := tableRows(t, s.get("/developers/codes", noKey).want(t, 200).body)
	table := admitto.RefusalCodes()
	if len(codes) != len(table) {
		t.Fatalf("%d codes on the page, %d in the catalogue", len(codes), len(table))
	}
	for i, c := range table {
		var types []string
		for _, k := range c.Kinds {
			types = append(types, string(k))
			if contractProblems[string(k)] == 0 {
				t.Errorf("%s has the unknown type %s", c.Code, k)
			}
		}
		if got, want := fmt.Sprint(codes[i]), fmt.Sprint([]string{c.Code, strings.Join(types, ", "), c.Meaning}); got != want || c.Meaning == "" || types == nil {
			t.Errorf("the page says %s, want %s", got, want)
		}
	}
	newer := documentSettings()
	newer.OldestVersion, newer.DefaultVersion = 4, 4
	if body := developerSite(t, newer).get("/developers/events", noKey).want(t, 200).body; strings.Contains(body, "title") && strings.Contains(body, "up to version") {
		t.Error("the page speaks of a version that is not served")
	}
}

// checkCodes wants every code of a problem document to be in the catalogue, with its type.
func checkCodes(t testing.TB, problem map[string]any) {
	t.Helper()
	var codes []any
	if code := problem["code"]; code != nil {
		codes = append(codes, code)
	}
	faults, _ := problem["errors"].([]any)
	for _, f := range faults {
		if code := f.(map[string]any)["code"]; code != nil {
			codes = append(codes, code)
		}
	}
	of, _ := strings.CutPrefix(problem["type"].(string), "/problems/")
	for _, code := range codes {
		known := slices.ContainsFunc(admitto.RefusalCodes(), func(c admitto.RefusalCode) bool {
			return c.Code == code && slices.Contains(c.Kinds, admitto.Kind(of))
		})
		if !known {
			t.Errorf("the catalogue has no code %s for the type %s", code, of)
		}
	}
}
