package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// putQuestions makes one question of each type, 17 to 39, and the applications 9010 (Inactive), 9011 (Withdrawn) and
// 9012 (Closed) next to those of the contract.
func putQuestions(s *service) {
	s.t.Helper()
	s.putAt(
		`INSERT INTO question (id, name, type, options, fields) VALUES (18, 'Text', 'text', '[]', '[]'), (19, 'Long', 'longtext', '[]', '[]'),
			(20, 'Number', 'number', '[]', '[]'), (22, 'Date', 'date', '[]', '[]'), (23, 'Country', 'country', '[]', '[]'),
			(24, 'Language', 'language', '[]', '[]'), (25, 'Choices', 'choices', '["A","B"]', '[]'), (27, 'Yes', 'yesno', '[]', '[]'),
			(29, 'Money', 'money', '[]', '[]'), (31, 'File', 'file', '[]', '[]'),
			(33, 'Section', 'section', '[]', '[{"id":34,"name":"Inner","type":"number"},{"id":35,"name":"Inner file","type":"file"},{"id":36,"name":"Inner text","type":"text"}]'),
			(38, 'Text', 'number', '[]', '[]')`,
		`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES
			(9010, 4711, 12, 'Inactive', @2026-01-12T09:00:00, @2026-01-12T09:00:00), (9011, 4714, 12, 'Withdrawn', @2026-01-12T09:00:00, @2026-01-12T09:00:00),
			(9012, 4711, 13, 'Closed', @2026-01-12T09:00:00, @2026-01-12T09:00:00)`,
		`UPDATE classificator SET active = FALSE WHERE class = 'Gender' AND code = 'X'`,
		`UPDATE classificator SET active = FALSE WHERE class = 'Marital status' AND code = 'S'`,
	)
}

// patch sends a merge patch.
func (s *service) patch(path, body string, changes ...with) answer {
	s.t.Helper()
	return s.do("PATCH", path, body, append([]with{contentType("application/merge-patch+json")}, changes...)...)
}

// atPointer finds a value in a JSON document; nil when there is none.
func atPointer(t testing.TB, document, pointer string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(document), &v); err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	for _, name := range strings.Split(pointer, "/")[1:] {
		switch in := v.(type) {
		case map[string]any:
			v = in[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// sameJSON reports whether two JSON texts mean the same.
func sameJSON(t testing.TB, got any, want string) bool {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(want), &v); err != nil {
		t.Fatalf("%v: %s", err, want)
	}
	return reflect.DeepEqual(got, v)
}

// recordsSince returns the journal after a record, with all links.
func (s *service) recordsSince(t testing.TB, after int64) (list []admitto.Record) {
	t.Helper()
	err := s.store.Read(context.Background(), func(tx *store.Tx) error {
		_, err := tx.EachRecord(admitto.JournalQuery{After: after, Limit: 1000}, func(r *admitto.Record) error {
			list = append(list, *r)
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// wantRecords compares the names and the links of what was recorded since.
func (s *service) wantRecords(t testing.TB, after int64, links admitto.Links, want ...string) {
	t.Helper()
	got := []string{}
	for _, r := range s.recordsSince(t, after) {
		got = append(got, r.Filled())
		expected := links
		if !strings.HasPrefix(r.Filled(), "Document") {
			expected.Document, expected.Task = 0, 0
		}
		if r.Links != expected || r.Actor.Kind != admitto.ByKey || r.Actor.ID != s.keyID || r.Actor.RequestID == "" {
			t.Errorf("%s links to %+v by %+v, want %+v", r.Filled(), r.Links, r.Actor, expected)
		}
	}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Fatalf("events %q, want %q", got, want)
	}
}

func TestPatchApplication(t *testing.T) {
	const edited, toDraft = "Application was edited", "Application status was changed: Draft"
	ilse, kim := admitto.Links{Applicant: 4711, Application: 9001}, admitto.Links{Applicant: 4713, Application: 9002}
	blank, inactive := admitto.Links{Applicant: 4713, Application: 9004}, admitto.Links{Applicant: 4711, Application: 9010}
	reopened := admitto.Links{Applicant: 4714, Application: 9003}
	onBoth(t, func(t *testing.T, s *service) {
		putContract(s)
		putQuestions(s)
		for _, c := range []struct {
			links   admitto.Links
			version int
			body    string
			pointer string
			want    string // the value there afterwards
			events  string
		}{
			{ilse, 10, `{"profile":{"idcode":" 49 "}}`, "/profile/idcode", `"49"`, edited},
			{ilse, 10, `{"profile":{"idcode":"49"}}`, "/profile/idcode", `"49"`, ""},
			{ilse, 10, `{}`, "/profile/name/given", `"Ilse"`, ""},
			{ilse, 10, `{"profile":{}}`, "/profile/name/given", `"Ilse"`, ""},
			{ilse, 10, `{"legal":{}}`, "/legal", `null`, ""},
			{ilse, 10, `{"legal":null}`, "/legal", `null`, ""},
			{ilse, 10, `{"profile":{"name":{"middle":"Maria"}}}`, "/profile/name",
				`{"given":"Ilse","middle":"Maria","family":"Varga"}`, edited},
			{ilse, 10, `{"profile":{"name":{"middle":null}}}`, "/profile/name",
				`{"given":"Ilse","middle":null,"family":"Varga"}`, edited},
			{ilse, 10, `{"profile":{"idcode":""}}`, "/profile/idcode", `null`, edited},
			{ilse, 10, `{"profile":{"nationality":"ee","marital":"S","gender":null}}`, "/profile/nationality", `"EE"`, edited},
			{ilse, 10, `{"profile":{"nationalidcode":{"polish":"44051401359","finnish":"1"}}}`, "/profile/nationalidcode",
				`{"finnish":"1","polish":"44051401359"}`, edited},
			{ilse, 10, `{"profile":{"nationalidcode":{"polish":null}}}`, "/profile/nationalidcode", `{"finnish":"1"}`, edited},
			{ilse, 10, `{"profile":{"nationalidcode":null}}`, "/profile/nationalidcode", `null`, edited},
			{ilse, 10, `{"contact":{"address":{"street":"a\nb","correspondence":{"city":"Budapest"}}}}`,
				"/contact/address/correspondence/city", `"Budapest"`, edited},
			{ilse, 10, `{"contact":{"address":{"correspondence":null}}}`, "/contact/address/correspondence", `null`, edited},
			{ilse, 10, `{"contact":{"address":{"type":"R"}}}`, "/contact/address/type", `"R"`, edited},
			{ilse, 10, `{"languages":[{"name":"HU","native":true},{"name":"en","proficiency":"C2","experience":0}]}`,
				"/languages", `[{"name":"hu","native":true,"proficiency":null,"experience":null,"information":null},{"name":"en","native":null,"proficiency":"C2","experience":0,"information":null}]`, edited},
			{ilse, 10, `{"languages":null}`, "/languages", `null`, edited},
			{ilse, 10, `{"education":[]}`, "/education", `null`, edited},
			{ilse, 10, `{"education":[{"enrolment":"2018","graduation":"2022-06","suspension":"2020-01-31"}]}`,
				"/education/0/suspension", `"2020-01-31"`, edited},
			{ilse, 8, `{"education":[{"enrolment":{"yy":"2018","mm":null},"graduation":{"yy":"2022","mm":"06"},"suspension":"2020-01-31"}]}`, "/education/0/suspension", `"2020-01-31"`, ""},
			{ilse, 8, `{"education":[{"enrolment":{"yy":"2019"},"graduation":{"yy":2022,"mm":7},"suspension":null}]}`,
				"/education/0/graduation", `"2022-07"`, edited},
			{ilse, 10, `{"grades":[{"type":"IB","subject":"Maths","grade":"6","year":2022}]}`, "/grades/0/year", `2022`, edited},
			{ilse, 10, `{"career":[{"period":{"from":"2022","to":null}}],"activities":[{"nature":"Singing"}],"residences":[{"country":"at"}]}`, "/residences/0/country", `"AT"`, edited},
			{ilse, 10, `{"visa":{"required":false,"expiry":"2030-01-01"},"misc":{"needs":["HEA","VIS","HEA"],"medical":"x\ny"},"motivation":{"general":"One\n\ntwo"}}`, "/misc/needs", `["HEA","VIS"]`, edited},
			{ilse, 10, `{"misc":{"needs":null}}`, "/misc/needs", `[]`, edited},
			{ilse, 10, `{"host":{"institution":{"name-dropdown":"EE TARTU99"}},"home":{"institution":{"name-dropdown":"2","country":"ie"}}}`, "/host/institution/name-dropdown", `"EE TARTU99"`, edited},
			{ilse, 10, `{"extras":[{"id":18,"type":"text","name":"Text","value":"T"},{"id":19,"value":"a\nb"},{"id":20,"value":12.50},{"id":22,"value":"2026-01-02"}]}`, "/extras/1/value", `"T"`, edited},
			{ilse, 10, `{"extras":[{"id":20,"value":"-0.5"},{"id":23,"value":"hu"},{"id":24,"value":"HU"},{"id":25,"value":["B","A"]},{"id":27,"value":false}]}`, "/extras/6/value", `"hu"`, edited},
			{ilse, 10, `{"extras":[{"id":29,"value":{"amount":"12.5","currency":"eur"}},{"id":31,"value":"/api/v3/applications/9001/documents/222"}]}`, "/extras/9/value", `{"amount":"12.50","currency":"EUR"}`, edited},
			{ilse, 10, `{"extras":[{"id":29,"value":{"amount":12.50,"currency":"EUR"}}]}`, "/extras/10/value",
				`"/api/v10/applications/9001/documents/222"`, ""},
			{ilse, 10, `{"extras":[{"id":33,"value":[{"id":34,"value":7},{"id":35,"value":"/api/applications/9001/documents/222"}]}]}`, "/extras/11/value/0/value", `7`, edited},
			{ilse, 10, `{"extras":[{"id":33,"value":[{"id":36,"value":"x"}]}]}`, "/extras/11/value",
				`[{"id":36,"name":"Inner text","type":"text","value":"x"}]`, edited},
			{ilse, 10, `{"extras":[{"id":18,"value":null}]}`, "/extras/1", `{"id":18,"name":"Text","type":"text","value":null}`,
				edited},
			{ilse, 10, `{"extras":[{"id":18,"value":null}]}`, "/extras/0/value", `"Dormitory"`, ""},
			{ilse, 10, `{"extras":[{"id":38,"value":null}]}`, "/extras/12", `null`, ""},
			{ilse, 8, `{"extras":[{"name":"Accommodation preference","type":"choice","value":"Private"}]}`, "/extras/0/value",
				`"Private"`, edited},
			{ilse, 8, `{"extras":[{"name":"Text","type":"number","value":"T2"}]}`, "", ``, ""},
			{ilse, 10, `{"extras":null}`, "/extras", `[]`, edited},
			{kim, 10, `{"profile":{"salutation":"MRS"}}`, "/profile/salutation", `"MRS"`, edited},
			{kim, 9, `{"home":{"course":{"term":"AS"}},"misc":{"needs":["BLIND"]}}`, "/misc/needs", `["BLIND"]`,
				edited}, // codes that were switched off stay
			{blank, 10, `{"profile":{"name":{"given":""}}}`, "/profile", `null`, ""},
			{blank, 10, `{"profile":{"name":{"given":"Kim"}}}`, "/profile/name/given", `"Kim"`, edited + "; " + toDraft},
			{blank, 10, `{"profile":{"name":{"family":"Dijk"}}}`, "/status", `"Draft"`, edited},
			{inactive, 10, `{"contact":{"email":"a@example.org"}}`, "/status", `"Draft"`, edited + "; " + toDraft},
			{reopened, 10, `{"contact":{"email":"a@example.org"}}`, "/status", `"Reopened"`, edited},
		} {
			s.clock.Add(admitto.Second)
			path := fmt.Sprintf("/applications/%d", c.links.Application)
			url := fmt.Sprintf("/api/v%d%s", c.version, path)
			before, last := atPointer(t, s.get(v10(path)).body, "/revised"), s.lastEvent(t)
			if c.pointer == "" { // the name means the question that is answered already, and that has another type
				s.patch(url, c.body).want(t, 400).wantFaults(t, "@/extras/0/type")
				continue
			}
			if a := s.patch(url, c.body); a.status != 204 || a.body != "" {
				t.Fatalf("%s: %d %s", c.body, a.status, a.body)
			}
			got := s.get(v10(path)).want(t, 200).body
			if value := atPointer(t, got, c.pointer); !sameJSON(t, value, c.want) {
				t.Fatalf("%s: %s is %v, want %s in %s", c.body, c.pointer, value, c.want, got)
			}
			want, changed := []string{}, s.clock.Now().String()
			if c.events != "" {
				want = strings.Split(c.events, "; ")
			} else {
				changed, _ = before.(string)
			}
			s.wantRecords(t, last, c.links, want...)
			if revised := atPointer(t, got, "/revised"); revised != changed {
				t.Fatalf("%s: revised %v, want %s", c.body, revised, changed)
			}
		}
		s.wantDetails(t, 9001, `{"path":"/profile/idcode","old":"","new":"49"}`, "Pécs Gymnasium")
	})
}

// wantDetails checks that the details of the events of an application hold the texts, and that nothing of them is in
// what every reader of the journal sees.
func (s *service) wantDetails(t testing.TB, application int64, texts ...string) {
	t.Helper()
	var all strings.Builder
	err := s.store.Read(t.Context(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT payload FROM journal_detail")
		for rows.Next() {
			all.WriteString(rows.Text(0))
		}
		return rows.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if !strings.Contains(all.String(), text) {
			t.Errorf("no details with %s", text)
		}
	}
	if seen := s.get(v10(fmt.Sprintf("/journal?byApplicationIDs=%d", application))).want(t,
		200).body; strings.Contains(seen, "Gymnasium") {
		t.Error(seen)
	}
}

// badPatches are bodies that are refused, with the problem and the pointers.
func badPatches() []struct{ body, slug, faults string } {
	const value = "invalid-parameter"
	long := strings.Repeat("x", 256)
	return []struct{ body, slug, faults string }{
		{"", "invalid-body", "@"}, {" ", "invalid-body", "@"}, {"null", "invalid-body", "@"}, {"[]", "invalid-body",
			"@"}, {`"x"`, "invalid-body", "@"},
		{"12", "invalid-body", "@"}, {"{", "invalid-body", "@"}, {`{"profile":`, "invalid-body", "@"}, {`{"profile":{}}}`,
			"invalid-body", "@"},
		{`{profile:{}}`, "invalid-body", "@"}, {`{} {}`, "invalid-body", "@"}, {"{\"profile\":\"\xff\"}", "invalid-body",
			"@"},
		{`{"profile":{"idcode":"\ud800"}}`, "invalid-body", "@"}, {`{"profile":` + strings.Repeat("[",
			20) + strings.Repeat("]", 20) + `}`, "invalid-body", "@/profile" + strings.Repeat("/0", 15)},
		{`{"status":"Submitted"}`, value, "@/status"}, {`{"id":1,"profile":{"idcode":"1"}}`, value, "@/id"}, {`{"":1}`, value,
			"@/"},
		{`{"a/b~":1}`, value, "@/a~1b~0"}, {`{"Profile":{}}`, value, "@/Profile"},
		{`{"profile":[]}`, value, "@/profile"}, {`{"profile":"x"}`, value, "@/profile"}, {`{"profile":{"nickname":"x"}}`,
			value, "@/profile/nickname"},
		{`{"profile":{"idcode":5}}`, value, "@/profile/idcode"}, {`{"profile":{"idcode":true}}`, value, "@/profile/idcode"},
		{`{"profile":{"idcode":{}}}`, value, "@/profile/idcode"}, {`{"profile":{"idcode":["x"]}}`, value, "@/profile/idcode"},
		{`{"profile":{"idcode":"` + long + `"}}`, value, "@/profile/idcode"}, {`{"profile":{"idcode":"a\nb"}}`, value,
			"@/profile/idcode"},
		{`{"profile":{"idcode":"a\u0000"}}`, value, "@/profile/idcode"}, {`{"profile":{"gender":"male"}}`, value,
			"@/profile/gender"},
		{`{"profile":{"gender":"X"}}`, value, "@/profile/gender"}, {`{"profile":{"salutation":"ms"}}`, value,
			"@/profile/salutation"},
		{`{"profile":{"nationality":"XX"}}`, value, "@/profile/nationality"}, {`{"profile":{"birth":{"date":"2004-02-30"}}}`,
			value, "@/profile/birth/date"},
		{`{"profile":{"birth":{"date":"2004"}}}`, value, "@/profile/birth/date"}, {`{"profile":{"birth":"2004-05-17"}}`,
			value, "@/profile/birth"},
		{`{"profile":{"nationalidcode":{"a":1}}}`, value,
			"@/profile/nationalidcode/a"}, {`{"profile":{"nationalidcode":{"":"1"}}}`, value, "@/profile/nationalidcode/"},
		{`{"profile":{"nationalidcode":[]}}`, value, "@/profile/nationalidcode"}, {`{"contact":{"address":{"type":"X"}}}`,
			value, "@/contact/address/type"},
		{`{"motivation":{"general":"` + strings.Repeat("x", 4001) + `"}}`, value,
			"@/motivation/general"}, {`{"motivation":"x"}`, value, "@/motivation"},
		{`{"education":{}}`, value, "@/education"}, {`{"education":[null]}`, value, "@/education/0"}, {`{"education":["x"]}`,
			value, "@/education/0"},
		{`{"education":[{"level":"SE"},{"level":"XX","country":"ZZ","enrolment":"2018-13"}]}`, value,
			"@/education/1/country @/education/1/enrolment @/education/1/level"},
		{`{"education":[{"enrolment":{"yy":"2018","mm":"09"}}]}`, value,
			"@/education/0/enrolment"}, {`{"education":[{"enrolment":2018}]}`, value, "@/education/0/enrolment"},
		{`{"education":[` + strings.Repeat(`{},`, 64) + `{}]}`, value, "@/education"}, {`{"grades":[{"year":"2022"}]}`, value,
			"@/grades/0/year"},
		{`{"grades":[{"year":20.5}]}`, value, "@/grades/0/year"}, {`{"grades":[{"year":1e9}]}`, value, "@/grades/0/year"},
		{`{"languages":[{"name":"english","native":"yes","experience":-1}]}`, value,
			"@/languages/0/experience @/languages/0/name @/languages/0/native"},
		{`{"misc":{"needs":"HEA"}}`, value, "@/misc/needs"}, {`{"misc":{"needs":["NOPE",5,null]}}`, value,
			"@/misc/needs/0 @/misc/needs/1 @/misc/needs/2"},
		{`{"host":{"institution":{"name-dropdown":"OTHER"}}}`, value,
			"@/host/institution/name-dropdown"}, {`{"visa":{"required":"true"}}`, value, "@/visa/required"},
		{`{"profile":{"idcode":"1","idcode":"2"}}`, value, "@/profile/idcode"}, {`{"profile":{"idcode":"1"},"profile":{}}`,
			value, "@/profile"},
		{`{"extras":{}}`, value, "@/extras"}, {`{"extras":[5]}`, value, "@/extras/0"}, {`{"extras":[{}]}`, value,
			"@/extras/0 @/extras/0"},
		{`{"extras":[{"id":99,"value":1}]}`, value, "@/extras/0/id"}, {`{"extras":[{"id":"17","value":"Private"}]}`, value,
			"@/extras/0/id"},
		{`{"extras":[{"name":"Text","value":"x"}]}`, value, "@/extras/0"}, {`{"extras":[{"id":17}]}`, value, "@/extras/0"},
		{`{"extras":[{"id":17,"type":"text","value":"Private"}]}`, value,
			"@/extras/0/type"}, {`{"extras":[{"id":17,"value":"Tent"}]}`, value, "@/extras/0/value"},
		{`{"extras":[{"id":17,"value":"Private"},{"id":17,"value":null}]}`, value,
			"@/extras/1"}, {`{"extras":[{"id":17,"more":1,"value":"Private"}]}`, value, "@/extras/0/more"},
		{`{"extras":[{"id":18,"value":5},{"id":20,"value":"x"},{"id":20,"value":true}]}`, value,
			"@/extras/0/value @/extras/1/value @/extras/2"},
		{`{"extras":[{"id":20,"value":1e3},{"id":22,"value":"2026"},{"id":23,"value":"XX"},{"id":24,"value":"xx"},{"id":25,"value":"A"},{"id":27,"value":"yes"}]}`, value, "@/extras/0/value @/extras/1/value @/extras/2/value @/extras/3/value @/extras/4/value @/extras/5/value"},
		{`{"extras":[{"id":25,"value":["A","C",1]}]}`, value, "@/extras/0/value/1 @/extras/0/value/2"},
		{`{"extras":[{"id":29,"value":5}]}`, value,
			"@/extras/0/value"}, {`{"extras":[{"id":29,"value":{"amount":"1.234","currency":"XXX","cents":1}}]}`, value,
			"@/extras/0/value/amount @/extras/0/value/cents @/extras/0/value/currency"},
		{`{"extras":[{"id":31,"value":"/api/v10/applications/9002/documents/501"}]}`, value,
			"@/extras/0/value"}, {`{"extras":[{"id":31,"value":222}]}`, value, "@/extras/0/value"},
		{`{"extras":[{"id":31,"value":"/api/v10/applications/9001/documents/99"}]}`, value, "@/extras/0/value"},
		{`{"extras":[{"id":33,"value":[{"id":34,"value":"x"},{"id":17,"value":"x"}]}]}`, value,
			"@/extras/0/value/0/value @/extras/0/value/1/id"},
		{`{"extras":[{"id":33,"value":"x"}]}`, value, "@/extras/0/value"}, {`{"extras":[` + strings.Repeat(`{},`,
			255) + `{}]}`, value, "@/extras"},
		{`{"id":1,"profile":{"gender":"?","idcode":7},"visa":5}`, value, "@/id @/profile/gender @/profile/idcode @/visa"},
	}
}

func TestPatchApplicationRefused(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		putQuestions(s)
		_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		s.leavesNoTrace(t, func() {
			for _, c := range badPatches() {
				a := s.patch(v10("/applications/9001"), c.body)
				if a.status != 400 {
					t.Fatalf("%.100s: status %d %s", c.body, a.status, a.body)
				}
				a.problem(t, c.slug)
				a.wantFaults(t, c.faults)
			}
			for _, c := range []struct {
				path, body string
				status     int
				slug, code string
				changes    []with
			}{
				{"/api/v10/applications/9999", `{"x":1}`, 404, "not-found", "", nil},
				{"/api/v10/applications/9999", "garbage", 404, "not-found", "", []with{contentType("text/plain")}},
				{"/api/v10/applications/0", `{}`, 400, "invalid-id", "", nil},
				{"/api/v10/applications/x", `{}`, 400, "invalid-id", "", nil},
				{"/api/v10/applications/9001", strings.Repeat("x", 1<<20), 413, "too-large", "", nil},
				{"/api/v10/applications/9001", strings.Repeat("x", 1<<20+1), 413, "too-large", "", nil},
				{"/api/v10/applications/9001", `{"motivation":{"general":"` + strings.Repeat("x", 512<<10) + `"}}`, 413,
					"too-large", "", nil},
				{"/api/v10/applications/9001", `{}`, 415, "unsupported-media-type", "", []with{contentType("text/plain")}},
				{"/api/v10/applications/9001", `{}`, 415, "unsupported-media-type", "",
					[]with{contentType("application/x-www-form-urlencoded")}},
				{"/api/v10/applications/9001", `{}`, 415, "unsupported-media-type", "",
					[]with{func(r *http.Request) { r.Header.Del("Content-Type") }}},
				{"/api/v10/applications/9001?x=1", `{}`, 400, "invalid-parameter", "", []with{header("Prefer", "handling=strict")}},
				{"/api/v10/applications/9001", `{"profile":{"idcode":"9"}}`, 412, "changed-meanwhile", "",
					[]with{header("If-Match", `"old"`)}},
				{"/api/v10/applications/9001", `{"profile":{"idcode":9}}`, 400, "invalid-parameter", "",
					[]with{header("If-Match", `"old"`)}},
				{"/api/v10/applications/9011", `{}`, 400, "not-allowed-now", "application-withdrawn", nil},
				{"/api/v10/applications/9012", `{"profile":{"idcode":"9"}}`, 400, "not-allowed-now", "application-closed", nil},
				{"/api/v10/applications/9012", `{"profile":{"idcode":9}}`, 400, "invalid-parameter", "", nil},
				{"/api/v8/applications/9001", `{"extras":[{"name":"No such","value":"x"}]}`, 400, "invalid-parameter", "", nil},
				{"/api/v8/applications/9001", `{"extras":[{"id":17,"value":"Private"}]}`, 400, "invalid-parameter", "", nil},
				{"/api/v8/applications/9001", `{"education":[{"enrolment":{"yy":"2018","dd":"1"}}]}`, 400, "invalid-parameter", "",
					nil},
				{"/api/v8/applications/9001", `{"education":[{"enrolment":{"yy":"2018","mm":"13"}}]}`, 400, "invalid-parameter", "",
					nil},
				{"/api/v9/applications/9001", `{"education":[{"enrolment":{"yy":"2018","mm":"12"}}]}`, 400, "invalid-parameter", "",
					nil},
				{"/api/v7/applications/9001", `{}`, 405, "method-not-allowed", "", nil},
				{"/api/applications/9001", `{}`, 405, "method-not-allowed", "", nil},
			} {
				a := s.patch(c.path, c.body, c.changes...)
				if a.status != c.status {
					t.Fatalf("%s %.60s: %d %s", c.path, c.body, a.status, a.body)
				}
				if p := a.problem(t, c.slug); c.code != "" && p["code"] != c.code {
					t.Errorf("%s %.60s: %v", c.path, c.body, p)
				}
			}
			s.patch(v10("/applications/9001"), `{"profile":{"idcode":"9"}}`, key(readOnly)).want(t, 403)
		})
		tag := s.get(v10("/applications/9001")).header.Get("ETag")
		s.patch(v10("/applications/9001"), `{"profile":{"idcode":"9"}}`, header("If-Match", tag)).want(t, 204)
		s.patch(v10("/applications/9001"), `{"profile":{"idcode":"10"}}`, header("If-Match", tag)).want(t, 412)
		s.patch(v10("/applications/9001"), `{"profile":{"idcode":"11"}}`, header("If-Match", "*"),
			contentType("application/json; charset=utf-8")).want(t, 204)
	})
}

// The content of an application is bounded as a whole.
func TestPatchApplicationLimits(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		values := []string{}
		for i := range 255 {
			values = append(values, fmt.Sprintf(`(%d, 'Q%d', 'longtext', '[]', '[]')`, 1000+i, i))
		}
		s.put(`INSERT INTO question (id, name, type, options, fields) VALUES ` + strings.Join(values, ", "))
		answers := func(from, to int, text string) string {
			list := []string{}
			for i := from; i < to; i++ {
				list = append(list, fmt.Sprintf(`{"id":%d,"value":%q}`, 1000+i, text))
			}
			return `{"extras":[` + strings.Join(list, ",") + `]}`
		}
		s.patch(v10("/applications/9004"), answers(0, 255, "x")).want(t, 204)
		s.patch(v10("/applications/9001"), answers(0, 255, "x")).want(t, 400).wantFaults(t,
			"@/extras") // one is there already
		s.patch(v10("/applications/9004"), `{"a":[`+strings.Repeat(`{"b":1},`, 15_000)+`1]}`).want(t, 400).wantFaults(t, "@")
		text := strings.Repeat("é", 2000)
		s.patch(v10("/applications/9004"), answers(0, 120, text)).want(t, 204)
		s.patch(v10("/applications/9004"), answers(120, 240, text)).want(t, 400).wantFaults(t, "@")
		if got := atPointer(t, s.get(v10("/applications/9004")).body, "/extras/200/value"); got != "x" {
			t.Errorf("%.40v", got)
		}
	})
}
