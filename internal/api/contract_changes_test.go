package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/config"
	"github.com/google/go-cmp/cmp"
)

// changelog says which rows of THE table answer differently from a version on: the changelog of the specification and,
// in 8, the documents of tasks (resources.md 24.6). + is a row that comes, - one that goes; 2, 3 and 7 change nothing.
func changelog() map[int][]string {
	return map[int][]string{
		2: nil, 3: nil, 7: nil,
		4: {"/applications", "/applications/{id}", "/applications/{id}/offers", "/applications/{id}/offers/{id}",
			"/applications/{id}/offers/{id}/type",
			"/applications/offers/types", "+/applications/offers/types/{id}", "/applications/statuses", "/journal"},
		5: {"-/applicants/{id}/documents", "-/applicants/{id}/documents/{id}"},
		6: {"/applicants", "/applicants/{id}", "/applicants/{id}/notes", "/applications", "/applications/{id}",
			"/applications/{id}/offers",
			"/applications/{id}/offers/{id}", "/applications/{id}/offers/{id}/notes", "/applications/statuses",
			"+/applicants/{id}/notes/{id}", "+/applications/{id}/offers/{id}/notes/{id}"},
		8: {"/applicants", "/applicants/{id}", "/applicants/{id}/applications", "/applicants/{id}/applications/{id}",
			"-/applicants/{id}/studyplans",
			"-/applicants/{id}/studyplans/{id}", "/applications", "/applications/{id}", "-/applications/{id}/studyplans",
			"-/applications/{id}/studyplans/{id}",
			"/applications/{id}/tasks", "/applications/{id}/tasks/{id}", "+/applications/{id}/tasks/{id}/documents",
			"+/applications/{id}/tasks/{id}/documents/{id}",
			"+/applications/{id}/tasks/{id}/documents/zip", "+/applications/{id}/courses/{id}/priority",
			"/logins", "+/purged-resources"},
		9: {"/applicants/{id}/applications/{id}", "/applications/{id}", "/tableviews/{id}/tabledata"},
		10: {"/applications", "/applications/{id}", "/applications/{id}/offers", "/applications/{id}/offers/{id}",
			"+/rankings", "+/rankings/{id}",
			"+/rankings/{id}/entries"},
	}
}

// Between two versions exactly those rows differ that the changelog names, links and prefixes aside; unversioned
// requests are answered as those of the default version. In the long size only.
func TestContractChangelog(t *testing.T) {
	if !apptest.Long() {
		return // TestContractGolden shows that the answers are the same as before
	}
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		putContractAccess(s)
		all := map[string]map[string]string{} // by prefix and pattern
		for _, prefix := range eachPrefix() {
			all[prefix] = map[string]string{}
			for pattern, answers := range contractAnswers(t, s, prefix) {
				for _, path := range slices.Sorted(maps.Keys(answers)) {
					all[prefix][pattern] += "GET " + path + "\n" + recorded(t, prefix, path, answers[path])
				}
			}
		}
		for version, want := range changelog() {
			if version <= config.OldestVersion {
				continue // there is no version before it any more
			}
			before, after := all[fmt.Sprintf("/api/v%d", version-1)], all[fmt.Sprintf("/api/v%d", version)]
			var got []string
			for pattern, text := range after {
				switch former, ok := before[pattern]; {
				case !ok:
					got = append(got, "+"+pattern)
				case former != text:
					got = append(got, pattern)
				}
			}
			for pattern := range before {
				if _, ok := after[pattern]; !ok {
					got = append(got, "-"+pattern)
				}
			}
			sortPatterns(got)
			sortPatterns(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("rows that version %d changes (-changelog +answers):\n%s", version, diff)
			}
		}
		if diff := cmp.Diff(all[defaultPath("")], all["/api"]); diff != "" {
			t.Errorf("unversioned (-default version +unversioned):\n%s", diff)
		}
	})
}

func sortPatterns(list []string) {
	slices.SortFunc(list, func(a, b string) int {
		return strings.Compare(strings.TrimLeft(a, "+-"),
			strings.TrimLeft(b, "+-"))
	})
}

// changePair is one resource on either side of a line of the changelog: what stands in the answer of the version
// before, and what stands in that of the version. A status, with the path of its problem, stands for an answer that is
// none.
type changePair struct {
	version       int
	path          string
	before, after string
}

// Words of changePair for paths that a version does not have.
const (
	absent   = "404 not-in-version"
	noMethod = "405 method-not-allowed"
)

// changePairs has every line of the changelog for every resource it touches. In the fragments /api/vN is the prefix,
// and a leading ! says that the fragment must not be there.
func changePairs() []changePair {
	const (
		app, offer, late = "/applications/9001", "/applications/9001/offers/7001", "/applications/9003/offers/7002"
		titles           = `"type":"Accepted","type-confirmed":"Accepted",`
		paths            = `"type":"/api/vN/applications/offers/types/17","type-confirmed":"/api/vN/applications/offers/types/17",`
		joined           = `"notes":"Called, will send transcript -- Transcript received"`
		notes            = `"notes":"/api/vN/applicants/4713/notes"`
		offerNotes       = `"notes":"First -- Second","attachments"`
		offerNotesPath   = `"notes":"/api/vN/applications/9003/offers/7002/notes","attachments"`
		studyplans       = `"studyplans":"/api/vN/applicants/4711/studyplans"`
		appStudyplans    = `"documents":"/api/vN/applications/9001/documents","studyplans":"/api/vN/applications/9001/studyplans","scores"`
		noAppStudyplans  = `"documents":"/api/vN/applications/9001/documents","scores"`
		taskDocuments    = `,"documents":"/api/vN/applications/9001/tasks/410/documents"`
		pair             = `"scored":"2026-02-20T11:00:00+00:00","applicant":"/api/vN/applicants/4711","application":"/api/vN/applications/9001","course"`
		noPair           = `"scored":"2026-02-20T11:00:00+00:00","course"`
		yearAndMonth     = `"enrolment":{"yy":"2018","mm":"09"},"graduation":{"yy":"2022","mm":null},"suspension":{"yy":"2020","mm":"01"}`
		singleDates      = `"enrolment":"2018-09","graduation":"2022","suspension":"2020-01-31"`
	)
	return []changePair{
		// 4: offer types by ID
		{4, offer, titles, paths},
		{4, app + "/offers", titles, paths},
		{4, app + "?expand=offers", titles, paths},
		{4, "/applications?expand=offers", titles, paths},
		{4, late, `"type":"Rejected by sending","type-confirmed":null`,
			`"type":"/api/vN/applications/offers/types/4","type-confirmed":null`},
		{4, offer + "/type", `"Accepted"`, `{"id":17,"type":"/api/vN/applications/offers/types/17"}`},
		{4, "/applications/offers/types", `"Accepted":{"id":17,"status"`, `"17":{"id":17,"status"`},
		{4, "/applications/offers/types/17", absent, `{"id":17,"status":"Online","title":"Accepted"`},
		{4, "/journal?bySince=501",
			`"event":"Offer was edited: Positive feedback","pattern":"Offer was edited: ?","bind":["Positive feedback"]`,
			`"event":"Offer was edited: 7","pattern":"Offer was edited: ?","bind":["7"]`},
		{4, "/journal?bySince=502", `"event":"Offer was confirmed: Accepted"`, `"event":"Offer was confirmed: 17"`},
		{4, "/journal?byEvents=Offer+was+edited:+Positive+feedback", `{"501":{`, "400 invalid-parameter"},
		{4, "/journal?byEvents=Offer+was+edited:+7", `{}`, `{"501":{`},
		{4, "/journal?byEvents=Offer+was+confirmed:+17", `{}`, `{"502":{`},
		{4, "/journal?byEvents=Offer+was+confirmed:+Accepted", `{"502":{`, "400 invalid-parameter"},
		{4, "/applications?byOfferTypes=17", `{}`, `{"9001":{`},
		{4, "/applications?byOfferTypes=Accepted", `{"9001":{`, "400 invalid-parameter"},
		// 4 and 6: what the offers came to as a status
		{4, "/applications/statuses", `!"Accepted"`,
			`"Submitted":{"title":"Submitted","colour":"#FFD21F","verbose":"Handed in, waiting for decisions"},` +
				`"Accepted":{"title":"Accepted","colour":"#43A047","verbose":"Submitted, and an offer was accepted"},` +
				`"Rejected":{"title":"Rejected","colour":"#E53935","verbose":"Every offer was answered with a refusal"},"Withdrawn":`},
		{6, "/applications/statuses", `"Rejected":{"title":"Rejected"`, `!"Rejected"`},
		// 5: documents of applicants
		{5, "/applicants/4711/documents", `{"222":{"id":222,`, absent},
		{5, "/applicants/4711/documents/222", "passport 0\n", absent},
		{5, "/applicants/4711?expand=documents", `"documents":{"222":{`, `"documents":{"222":{`},
		{5, "/applicants/4711", `"documents":"/api/vN/applicants/4711/documents"`,
			`"documents":"/api/vN/applicants/4711/documents"`},
		{5, app + "/documents", `{"222":{"id":222,`, `{"222":{"id":222,`},
		{5, app + "/documents/222", "passport 0\n", "passport 0\n"},
		// 6: notes
		{6, "/applicants/4713/notes", `"Called, will send transcript -- Transcript received"`,
			`{"32":{"id":32,"created":"2026-02-03T09:15:00+00:00","removed":null,`},
		{6, "/applicants/4714/notes", `""`, `{}`},
		{6, late + "/notes", `"First -- Second"`, `{"35":{"id":35,`},
		{6, offer + "/notes", `""`, `{}`},
		{6, "/applicants/4713", joined, notes},
		{6, "/applicants", joined, notes},
		{6, "/applicants/4714", `"notes":null`, `"notes":"/api/vN/applicants/4714/notes"`},
		{6, "/applications/9002?expand=applicant", joined, notes},
		{6, "/applications?expand=applicant", joined, notes},
		{6, late, offerNotes, offerNotesPath},
		{6, "/applications/9003/offers", offerNotes, offerNotesPath},
		{6, "/applications/9003?expand=offers", offerNotes, offerNotesPath},
		{6, "/applications?expand=offers", offerNotes, offerNotesPath},
		{6, "/applicants/4711/notes/31", absent, `{"id":31,`},
		{6, late + "/notes/35", absent, `{"id":35,`},
		{6, "POST /applicants/4711/notes", noMethod, ""},
		{6, "PUT /applicants/4711/notes", "", noMethod},
		{6, "POST " + offer + "/notes", noMethod, ""},
		{6, "PUT " + offer + "/notes", "", noMethod},
		// 8: empty repeating sections, study plans
		{8, app, `"information":null}],"career":[],"activities":[],"residences":[],"motivation":`,
			`"information":null}],"motivation":`},
		{8, "/applicants/4711/applications/9001", `"career":[],"activities":[],"residences":[],`, `!"career"`},
		{8, "/applications/9004",
			`"education":[],"grades":[],"languages":[],"career":[],"activities":[],"residences":[],"motivation":null`,
			`"host":null,"grades":[],"motivation":null`},
		{8, "/applications/9004", `"extras":[]}`, `"extras":[]}`},
		{8, "/applications/9002", `"education":[{`, `"education":[{`},
		{8, app, appStudyplans, noAppStudyplans},
		{8, "/applications", appStudyplans, noAppStudyplans},
		{8, "/applicants/4711/applications", appStudyplans, noAppStudyplans},
		{8, "/applicants/4711/applications/9001", appStudyplans, noAppStudyplans},
		{8, "/applicants/4711", studyplans, "!studyplans"},
		{8, "/applicants", studyplans, "!studyplans"},
		{8, app + "?expand=applicant", studyplans, "!studyplans"},
		{8, app + "/studyplans", `{"3":{`, absent},
		{8, app + "/studyplans/3", `{"id":3,`, absent},
		{8, "/applicants/4711/studyplans", `{"3":{`, absent},
		{8, "/applicants/4711/studyplans/3", `{"id":3,`, absent},
		{8, app + "/tasks/410", `!"documents"`, taskDocuments},
		{8, app + "/tasks", `!"documents"`, taskDocuments},
		{8, app + "?expand=tasks", "!" + taskDocuments, taskDocuments},
		{8, app + "/tasks/410/documents", absent, `{"222":{`},
		{8, app + "/tasks/410/documents/222", absent, "passport 0\n"},
		{8, app + "/tasks/410/documents/zip", absent, "PK"},
		{8, app + "/courses/55/priority", absent, "1"},
		{8, "/logins", `"ipv4":"192.0.2.7"`, `"ip":"192.0.2.7"`},
		{8, "/purged-resources", absent, `"31":{"id":4001,`},
		// 9: dates, codes of tableviews, extras
		{9, "/applications/9002", yearAndMonth, singleDates},
		{9, "/applicants/4713/applications/9002", yearAndMonth, singleDates},
		{9, "/applications/9002", `"period":{"from":{"yy":"2022","mm":"07"},"to":null}`,
			`"period":{"from":"2022-07","to":null}`},
		{9, "/applications/9002", `"period":{"from":{"yy":"2019","mm":null},"to":{"yy":"2020","mm":"02"}}`,
			`"period":{"from":"2019","to":"2020-02-03"}`},
		{9, "/applications/9002", `"organization":"Choir","type":"NGO","nature":"Singing","period":null`,
			`"nature":"Singing","period":null`},
		{9, "/applications/9002", `"birth":{"date":"2004-05-17"`, `"birth":{"date":"2004-05-17"`},
		{9, "/applications/9002", `{"name":"Country","type":"country","value":"HU"}`,
			`{"id":23,"name":"Country","type":"country","value":"HU"}`},
		{9, "/applications/9002", `{"name":"Section","type":"section","value":[{"name":"Inner","type":"number"`,
			`{"id":33,"name":"Section","type":"section","value":[{"id":34,"name":"Inner","type":"number"`},
		{9, "/tableviews/21/tabledata", "org,Hungary,2026-02-01 16:20:11\r\n", "org,HU,2026-02-01T16:20:11+00:00\r\n"},
		{9, "/tableviews/23/tabledata", ",Hungary,2018-09,2022-06,English,", ",HU,2018-09,2022-06,en,"},
		// 10: rankings, applicant and application of offers
		{10, "/rankings", absent, `{"2":{`},
		{10, "/rankings?byCourseIDs=55", absent, `{"2":{`},
		{10, "/rankings/2", absent, `{"id":2,`},
		{10, "/rankings/2/entries", absent, `{"7001":{`},
		{10, offer, noPair, pair},
		{10, app + "/offers", noPair, pair},
		{10, app + "?expand=offers", noPair, pair},
		{10, "/applications?expand=offers", noPair, pair},
	}
}

// Every line of the changelog, for every resource it touches, in the version before and in the version itself.
func TestContractPairs(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		putContractAccess(s)
		for _, p := range changePairs() {
			if p.version > config.OldestVersion {
				p.check(t, s, p.version-1, p.before)
			}
			p.check(t, s, p.version, p.after)
		}
	})
}

func (p changePair) check(t *testing.T, s *service, version int, want string) {
	t.Helper()
	prefix, method, path := fmt.Sprintf("/api/v%d", version), "GET", p.path
	if verb, rest, ok := strings.Cut(p.path, " "); ok {
		if method, path = verb, rest; want == "" {
			return // that a write works is for the tests of writes
		}
	}
	a := s.do(method, prefix+path, "")
	body := strings.ReplaceAll(a.body, prefix+"/", "/api/vN/")
	status, slug, refused := strings.Cut(want, " ")
	if refused = refused && len(status) == 3 && strings.Trim(status, "0123456789") == ""; refused {
		if fmt.Sprint(a.status) != status {
			t.Errorf("version %d: %s %s: %d, want %s: %s", version, method, path, a.status, want, a.body)
			return
		}
		a.problem(t, slug)
		return
	}
	fragment, mustNot := strings.CutPrefix(want, "!")
	if a.status != 200 || strings.Contains(body, fragment) == mustNot {
		t.Errorf("version %d: %s %s: %d, want %s in %s", version, method, path, a.status, want, body)
	}
}
