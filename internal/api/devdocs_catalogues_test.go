package api_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// tableRows returns the cells of every row of the tables of a page.
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
		if strings.HasPrefix(want[0], "Offer was edited") || strings.HasPrefix(want[0], "Offer was confirmed") ||
			strings.HasPrefix(want[0], "Offer letter was sent") {
			if want[1] = "ID of the type that the offer has"; !dropped("/api/v3") {
				want[1] += ", its title up to version 3"
			}
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
		if got, want := fmt.Sprint(codes[i]), fmt.Sprint([]string{c.Code, strings.Join(types, ", "),
			c.Meaning}); got != want || c.Meaning == "" || types == nil {
			t.Errorf("the page says %s, want %s", got, want)
		}
	}
	newer := documentSettings()
	newer.API.OldestVersion, newer.API.DefaultVersion = 4, 4
	if body := developerSite(t, newer).get("/developers/events", noKey).want(t, 200).body; strings.Contains(body,
		"title") && strings.Contains(body, "up to version") {
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

// What the changelog calls discontinued is refused in that version and was accepted in the one before, what it calls
// new the other way round, and what it calls deprecated is accepted in both and says so.
func TestChangelogAgreesWithTheService(t *testing.T) {
	s := newService(t, "sqlite:"+filepath.Join(t.TempDir(), "admitto.db"), db.Options{})
	root, err := html.Parse(strings.NewReader(s.get("/developers/changelog", noKey).want(t, 200).body))
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile(`^(New|Deprecated|Discontinued) in version (\d+)(, and still accepted)?$`)
	// accepted reports whether the version has the path with the method; that there is no such object is another matter.
	accepted := func(version int, method, path string) (bool, answer) {
		a := s.do(method, fmt.Sprintf("/api/v%d%s", version, strings.NewReplacer("{id}", "1", "{year}",
			"2026").Replace(path)), "")
		return a.status != 405 && !strings.Contains(a.body, "/problems/not-in-version"), a
	}
	said, section, version := map[string]int{}, "", 0
	for n := range root.Descendants() {
		switch {
		case n.Data == "h2":
			section = ""
		case n.Data == "h3":
			match := heading.FindStringSubmatch(textOf(n))
			if match == nil {
				t.Fatalf("the heading %q", textOf(n))
			}
			section = match[1]
			version, _ = strconv.Atoi(match[2])
		case n.Data == "li" && section != "":
			method, path, _ := strings.Cut(textOf(n), " ")
			before, _ := accepted(version-1, method, path)
			now, a := accepted(version, method, path)
			want := map[string][2]bool{"New": {false, true}, "Deprecated": {true, true}, "Discontinued": {true, false}}[section]
			if got := [2]bool{before, now}; got != want {
				t.Errorf("%s in version %d: %s %s; accepted before and now: %v", section, version, method, path, got)
			}
			if section == "Deprecated" && a.header.Get("Link") != deprecationLink {
				t.Errorf("%s %s is deprecated in version %d without saying so", method, path, version)
			}
			said[section]++
		}
	}
	if said["Deprecated"] != 2 || said["Discontinued"] < 6 || said["New"] < 20 {
		t.Errorf("the changelog names %v", said)
	}
}
