package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/config"
)

// example is one of the contract's examples. Its members stand in the answer of list, byte for byte but for white
// space; an example without single is the whole answer of list, or some members of it. The member itself is the answer
// of single. at is the section of resources.md with the block that has it, behind a / which of the section's examples,
// and what it is of; or a file of testdata/examples, for what resources.md says of another version, cuts, or has in a
// sentence.
type example struct {
	at, list, single string
}

// contractExamples are all examples; the version is that of the prefix. The examples contradict
// each other and section 25 in four places, which the fixture settles so:
//   - notes of applicant 4711 are "Called" in 3.2 and "Called, will send transcript" in 0.6: the latter. The joined
//     string of 0.6 is shown by applicant 4713, who has the second note, since the collection of 0.6 has one.
//   - consent 2 is Mandatory in 4 and Voluntary in 25.2: the fixture changes the seed.
//   - profile json has the field target in 9 and no fields in 25.5: the fixture sets it.
//   - offer type 17 has the texts of 6.3, not the defaults of 25.1: the fixture sets them.
//
// Texts cut in the contract by … hold that character in the fixture. Sizes of files are those of the contract (the
// bytes are not). Event 501 has 500 others before it, and the time of ping is the clock of the test.
func contractExamples() []example {
	const v10, app, offer = "/api/v10", "/api/v10/applications/9001", "/api/v10/applications/9001/offers/7001"
	return []example{
		{"1.2 version", "/api/version", ""},
		{"ping.json", v10 + "/ping", ""},
		{"2.4 event", v10 + "/journal?bySince=501", ""},
		{"event-v3.json", "/api/v3/journal?bySince=501", ""},
		{"3.2 applicant", v10 + "/applicants", v10 + "/applicants/4711"},
		{"applicant-v3.json", "/api/v3/applicants", "/api/v3/applicants/4711"},
		{"3.5 applicant-consent", v10 + "/applicants/4711/consents", v10 + "/applicants/4711/consents/2"},
		{"3.5/2 applicant-tracker", v10 + "/applicants/4711/trackers", v10 + "/applicants/4711/trackers/14"},
		{"3.5/3 wish", v10 + "/applicants/4711/wishes", v10 + "/applicants/4711/wishes/61"},
		{"3.7 email", v10 + "/applicants/4711/emails", v10 + "/applicants/4711/emails/880"},
		{"0.6 note", v10 + "/applicants/4711/notes", ""},
		{"notes-v5.json", "/api/v5/applicants/4713/notes", ""},
		{"4 tracker", v10 + "/applicants/trackers", v10 + "/applicants/trackers/14"},
		{"4/2 consent", v10 + "/applicants/consents", v10 + "/applicants/consents/2"},
		{"5.2 application", app, ""},
		{"application-v7.json", "/api/v7/applications/9001", ""},
		{"5.4 application-course", app + "/courses", app + "/courses/55"},
		{"5.4/2 application-flag", app + "/flags", app + "/flags/5"},
		{"flag.json", v10 + "/applications/flags", v10 + "/applications/flags/5"},
		{"status.json", v10 + "/applications/statuses", ""},
		{"6.3 offer-type", v10 + "/applications/offers/types", v10 + "/applications/offers/types/17"},
		{"offer-type-v3.json", "/api/v3/applications/offers/types", ""},
		{"7.2 offer", app + "/offers", offer},
		{"offer-v3.json", "/api/v3/applications/9001/offers", "/api/v3/applications/9001/offers/7001"},
		{"offer-type-path.json", offer + "/type", ""},
		{"7.5 attachment", offer + "/attachments", offer + "/attachments/1001"},
		{"7.5/2 letter", offer + "/letters", offer + "/letters/301"},
		{"8 task", app + "/tasks", app + "/tasks/410"},
		{"9 export", app + "/exports", app + "/exports/88"},
		{"9/2 blob", app + "/exports/88/blobs", ""},
		{"10 document", app + "/documents", ""},
		{"document-v4.json", "/api/v4/applicants/4711/documents", ""},
		{"study-plan-v5.json", "/api/v5/applications/9001/studyplans", "/api/v5/applicants/4711/studyplans/3"},
		{"13.4 invoice", v10 + "/invoices", v10 + "/applications/9001/invoices/2001"},
		{"series.json", v10 + "/invoices/series", ""},
		{"13.6 transaction", v10 + "/invoices/transactions", v10 + "/invoices/2001/transactions/9101"},
		{"14 institution", v10 + "/institutions", v10 + "/institutions/1"},
		{"14/2 department", v10 + "/institutions/1/departments", v10 + "/institutions/1/departments/4"},
		{"15 course", v10 + "/courses", v10 + "/courses/55"},
		{"16 intake", v10 + "/intakes", v10 + "/intakes/8"},
		{"17 academic-term", v10 + "/academic-terms", v10 + "/academic-terms/13"},
		{"17/2 academic-term-type", v10 + "/academic-terms/types", v10 + "/academic-terms/types/2"},
		{"17/3 academic-year", v10 + "/academic-years", v10 + "/academic-years/2026"},
		{"classificators.json", v10 + "/classificators", ""}, // cut
		{"19.1 report", v10 + "/reports", ""},                // cut
		{"20.4 scoresheet", v10 + "/scoresheets", v10 + "/scoresheets/6"},
		{"20.4/2 score", v10 + "/scoresheets/6/scores", v10 + "/scoresheets/6/scores/930"},
		{"21 tableview", v10 + "/tableviews", v10 + "/tableviews/21"},
		{"tabledata.csv", v10 + "/tableviews/21/tabledata", ""},
		{"tabledata-v8.csv", "/api/v8/tableviews/21/tabledata", ""},
		{"administrator.json", v10 + "/administrators", v10 + "/administrators/3"},
		{"23 ranking", v10 + "/rankings", v10 + "/rankings/2"},
		{"23/2 ranking-entry", v10 + "/rankings/2/entries", ""},
	}
}

// name is where the example is: "3.5/2" of "3.5/2 applicant-tracker".
func (e example) name() string {
	name, _, _ := strings.Cut(e.at, " ")
	return name
}

// examplesOfContract are the JSON values in the blocks of resources.md by their place: "3.5" is the first of section
// 3.5, "3.5/2" the next.
func examplesOfContract(t *testing.T) map[string][]byte {
	t.Helper()
	document, err := os.ReadFile("../../docs/spec/resources.md")
	if err != nil {
		t.Fatal(err)
	}
	texts, section, nr := map[string][]byte{}, "", 0
	for i, part := range strings.Split("\n"+string(document), "\n```") {
		if inBlock := i%2 == 1; !inBlock {
			for line := range strings.Lines(part) {
				if heading, is := strings.CutPrefix(line, "##"); is {
					section, nr = strings.TrimSuffix(strings.Fields(strings.TrimLeft(heading, "#"))[0], "."), 0
				}
			}
			continue
		}
		values, is := strings.CutPrefix(part, "json\n")
		for decoder := json.NewDecoder(strings.NewReader(values)); is && decoder.More(); {
			var text json.RawMessage
			if err := decoder.Decode(&text); err != nil {
				t.Fatalf("section %s: %v", section, err)
			}
			at := section
			if nr++; nr > 1 {
				at = fmt.Sprintf("%s/%d", section, nr)
			}
			texts[at] = text
		}
	}
	return texts
}

// moreParameters are the parameters of a report behind the first.
var moreParameters = regexp.MustCompile(`("parameters":\[\{[^}]*\})((?:,\{[^}]*\})*)\]`)

// The service answers the contract's examples: the same fields in the same order with the same values.
func TestContractExamples(t *testing.T) {
	var files []string
	err := fs.WalkDir(os.DirFS(filepath.Join("testdata", "examples")), ".",
		func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files = append(files, path)
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	texts := examplesOfContract(t)
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join("testdata", "examples", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = text
	}
	for at := range texts {
		if !slices.ContainsFunc(contractExamples(), func(e example) bool { return e.name() == at }) {
			t.Errorf("an example that nothing is compared with: %s", at)
		}
	}
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		for _, e := range contractExamples() {
			// The example of /version is of a release that knows all versions; TestVersionBody asks the others.
			if dropped(e.list) || e.name() == "1.2" && config.OldestVersion > 1 {
				continue
			}
			t.Run(e.at, func(t *testing.T) {
				text := texts[e.name()]
				if text == nil {
					t.Fatalf("no example at %s", e.at)
				}
				e.check(t, s, text)
			})
		}
	})
}

func (e example) check(t *testing.T, s *service, text []byte) {
	got := s.get(e.list).want(t, 200).body
	if strings.HasSuffix(e.at, ".csv") {
		if got != string(text) {
			t.Errorf("GET %s answers\n%s\nthe example is\n%s", e.list, got, text)
		}
		return
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	want := compact.String()
	if got == want && e.single == "" {
		return
	}
	if e.name() == "19.1" { // cut after the first of eight parameters
		if n := strings.Count(moreParameters.FindStringSubmatch(got)[2], `"name"`); n != 7 {
			t.Errorf("GET %s: %d parameters behind the first", e.list, n)
		}
		got = moreParameters.ReplaceAllString(got, "$1]")
	}
	order, elements := members(t, got)
	keys, examples := members(t, want)
	if keys[0] == "id" || elements == nil {
		t.Fatalf("GET %s answers\n%s\nthe example is\n%s", e.list, got, want)
	}
	for _, key := range keys {
		element, want := elements[key], examples[key]
		if e.at == "classificators.json" { // cut after the first classes, and those after the first codes
			element = element[:min(len(element), len(want)-1)]
			want = want[:len(want)-1]
		}
		if element != want {
			t.Errorf("GET %s answers\n%s\nthe example is\n%s", e.list, elements[key], want)
		}
	}
	if e.at == "classificators.json" && !slices.Equal(order[:len(keys)], keys) {
		t.Errorf("the classes begin with %v", order[:len(keys)])
	}
	if e.single != "" {
		if one := s.get(e.single).want(t, 200).body; len(keys) != 1 || one != examples[keys[0]] {
			t.Errorf("GET %s answers\n%s\nthe example is\n%s", e.single, one, examples[keys[0]])
		}
	}
}

// members returns the names of an object's members in order, and their values as they stand; nothing when it is none.
func members(t testing.TB, text string) (names []string, values map[string]string) {
	t.Helper()
	if !strings.HasPrefix(text, "{") {
		return nil, nil
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		t.Fatal(err)
	}
	values = map[string]string{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprint(name))
		values[fmt.Sprint(name)] = string(value)
	}
	return names, values
}
