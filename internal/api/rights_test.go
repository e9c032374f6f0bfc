package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
	"github.com/google/go-cmp/cmp"
)

// Every field that holds or may hold what has a path of its own names that path.
func TestFieldsNameTheirRight(t *testing.T) {
	readable := map[string]bool{}
	for _, r := range api.Rows() {
		readable[r.Path] = readable[r.Path] || r.Method == "GET"
	}
	rights := api.FieldRights()
	for field, right := range rights {
		if !readable[right] {
			t.Errorf("%s has the right %q, which is no path that can be read", field, right)
		}
	}
	if len(rights) < 16 {
		t.Errorf("only %d fields embed something: %v", len(rights), rights)
	}
}

// limited makes a key that may read at the paths and nothing else.
func (s *service) limited(paths ...string) with {
	var operations []string
	for _, path := range paths {
		operations = append(operations, "GET "+path)
	}
	_, secret := s.newKey(apikey.NewKey{Label: strings.Join(paths, " "), Scope: admitto.ScopeOperations,
		Operations: operations})
	return key(secret)
}

// A key that may read one record reads nothing of another path in it: for every path, in every version, with
// everything expanded, no part of the answer is what another path answers, and no note is in it (conventions.md 2).
func TestLimitedKeyReadsOnlyItsRecord(t *testing.T) {
	onAll(t, func(t *testing.T, s *service) {
		putContract(s)
		readers := map[string]with{}
		for _, version := range versions() {
			prefix := fmt.Sprintf("/api/v%d", version)
			answers, known := map[string]answer{}, map[string]string{} // by path; the path of each record
			patterns := map[string]string{}
			for _, r := range api.Rows() {
				if r.Method != "GET" || version < r.First || r.Last < version {
					continue
				}
				if readers[r.Path] == nil {
					readers[r.Path] = s.limited(r.Path)
				}
				for _, path := range contractPaths(t, r.Path) {
					if a := s.get(prefix + path); a.status == 200 && a.header.Get("Content-Type") == "application/json" &&
						a.header.Get("Content-Disposition") == "" {
						answers[path], patterns[path] = a, r.Path
						if !strings.Contains(path, "?") {
							eachRecord(t, a, func(record any) { known[canonical(t, record)] = r.Path })
						}
					}
				}
			}
			for path, full := range answers {
				a := s.get(prefix+path, readers[patterns[path]]).want(t, 200)
				var v any
				decode(t, a.body, &v)
				own := map[string]bool{}
				eachRecord(t, a, func(record any) { own[canonical(t, record)] = true })
				eachObject(v, func(object map[string]any) {
					text := canonical(t, object)
					if of := known[text]; of != "" && len(object) > 2 && !own[text] {
						t.Errorf("v%d %s holds a record of %s: %.200s", version, path, of, text)
					}
				})
				if strings.Contains(full.body, "Transcript received") && strings.Contains(a.body, "ranscript") &&
					!strings.HasSuffix(patterns[path], "/notes") {
					t.Errorf("v%d %s holds notes: %.300s", version, path, a.body)
				}
			}
		}
	})
}

// eachRecord calls fn for the record of an answer, or for each of a collection.
func eachRecord(t *testing.T, a answer, fn func(any)) {
	t.Helper()
	var v any
	decode(t, a.body, &v)
	object, ok := v.(map[string]any)
	if !ok {
		return
	}
	fn(v)
	if a.header.Get("X-Count") != "" {
		for _, element := range object {
			fn(element)
		}
	}
}

// eachObject calls fn for every object inside a value.
func eachObject(v any, fn func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		fn(v)
		for _, inner := range v {
			eachObject(inner, fn)
		}
	case []any:
		for _, inner := range v {
			eachObject(inner, fn)
		}
	}
}

func decode(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
}

func canonical(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each field of each record, with the right to it and without: what it reads as (resources.md 3.2, 5.2, 7.2, 13.2, 16
// and 24.14).
func TestRightsOfFields(t *testing.T) {
	const (
		applicant, application, offer = "/applicants/{id}", "/applications/{id}", "/applications/{id}/offers/{id}"
		ilse, hers                    = "/applicants/4711", "/applications/9001"
		all                           = "?expand=*"
	)
	cases := []struct {
		pattern, path, field, right, link string
		last                              int // version; above it the field holds nothing of its own
	}{
		{applicant, "/applicants/4713", "notes", "/applicants/{id}/notes", "", 5},
		{applicant, ilse + all, "trackers", "/applicants/{id}/trackers", ilse + "/trackers", 10},
		{applicant, ilse + all, "documents", "/applicants/{id}/documents", ilse + "/documents", 10},
		{applicant, ilse + all, "consents", "/applicants/{id}/consents", ilse + "/consents", 10},
		{applicant, ilse + all, "invoices", "/applicants/{id}/invoices", ilse + "/invoices", 10},
		{applicant, ilse + all, "wishes", "/applicants/{id}/wishes", ilse + "/wishes", 10},
		{application, hers + all, "applicant", applicant, ilse, 10},
		{application, hers + all, "flags", "/applications/{id}/flags", hers + "/flags", 10},
		{application, hers + all, "courses", "/applications/{id}/courses", hers + "/courses", 10},
		{application, hers + all, "offers", "/applications/{id}/offers", hers + "/offers", 10},
		{application, hers + all, "documents", "/applications/{id}/documents", hers + "/documents", 10},
		{application, hers + all, "scores", "/applications/{id}/scores", hers + "/scores", 10},
		{application, hers + all, "tasks", "/applications/{id}/tasks", hers + "/tasks", 10},
		{"/applicants/{id}/applications/{id}", ilse + hers + all, "offers", "/applications/{id}/offers", hers + "/offers",
			10},
		{offer, "/applications/9003/offers/7002", "notes", "/applications/{id}/offers/{id}/notes", "", 5},
		{"/invoices/{id}", "/invoices/2001", "collections", "/invoices/{id}/transactions", "/invoices/2001/transactions", 10},
		{"/applicants/{id}/invoices/{id}", ilse + "/invoices/2001", "collections", "/invoices/{id}/transactions",
			"/invoices/2001/transactions", 10},
		{"/intakes/{id}", "/intakes/8", "academic-term", "/academic-terms/{id}", "/academic-terms/13", 10},
		{"/fees/{id}", "/fees/4", "amounts", "/fees/{id}/amounts", "/fees/4/amounts", 10},
	}
	embedded := []string{"collections", "academic-term", "amounts"} // objects in every version by contract, never links
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		for _, c := range cases {
			without, also := s.limited(c.pattern), s.limited(c.pattern, c.right)
			for version := config.OldestVersion; version <= c.last; version++ {
				path := fmt.Sprintf("/api/v%d%s", version, c.path)
				full := s.get(path).want(t, 200).object(t)
				var want any
				if c.link != "" && (version == 10 || !slices.Contains(embedded, c.field)) {
					want = fmt.Sprintf("/api/v%d%s", version, c.link)
				}
				if got := s.get(path, without).want(t, 200).object(t); !cmp.Equal(got[c.field], want) ||
					cmp.Equal(full[c.field], want) {
					t.Errorf("%s: %s is %v, want %v", path, c.field, got[c.field], want)
				}
				if got := s.get(path, also).want(t, 200).object(t); !cmp.Equal(got[c.field], full[c.field]) {
					// What stands in an expansion asks for itself.
					if _, isLink := got[c.field].(string); isLink || got[c.field] == nil {
						t.Errorf("%s with the right: %s is %v, want %v", path, c.field, got[c.field], full[c.field])
					}
				}
			}
		}
		// What an expansion brings asks for the rights of its own fields.
		nested := s.limited(application, applicant, "/applications/{id}/offers")
		for path, fields := range map[string][]string{"/api/v5/applications/9002?expand=applicant": {"applicant"},
			"/api/v5/applications/9003?expand=offers": {"offers", "7002"}} {
			v := any(s.get(path, nested).want(t, 200).object(t))
			for _, field := range fields {
				v = v.(map[string]any)[field]
			}
			if notes, there := v.(map[string]any)["notes"]; notes != nil || !there {
				t.Errorf("%s: the notes are %v", path, notes)
			}
		}
		// A creation answers by the rights of its key, too.
		_, secret := s.newKey(apikey.NewKey{Label: "maker", Scope: admitto.ScopeOperations,
			Operations: []string{"POST /applicants"}})
		made := s.postForm("/api/v5/applicants", "email=a@example.org&name=A+B&notes=Secret", key(secret),
			header("Prefer", "return=representation")).want(t, 201)
		if strings.Contains(made.body, "Secret") || !slices.Contains([]string{made.header.Get("Preference-Applied")},
			"return=representation") {
			t.Errorf("the answer holds the notes: %s", made.body)
		}
	})
}
