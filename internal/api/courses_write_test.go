package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
)

func TestCreateCourse(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putMoney(t, s)
		course := func(id int, institution, kind, awards, name, mode, language, country, location, code, uri string) string {
			return fmt.Sprintf(`{"id":%d,"status":"Draft","updated":"2026-03-09T09:00:00+00:00","institution":"/api/v10/institutions/%s","intakes":{},"featured":false,`+
				`"type":%s,"awards":%s,"name":"%s","mode":%s,"duration":null,"credits":null,"language":%s,"country":%s,"location":%s,"code":%s,"code_internal":null,`+
				`"accreditation":null,"quota":null,"prospect":{"uri":%s}}`, id, institution, kind, awards, name, mode, language,
				country, location, code, uri)
		}
		long := "https://example.edu/" + strings.Repeat("x", 2028)
		for n, c := range []struct{ kind, body, want string }{
			{"", "", course(58, "1", "null", "[]", "New course", "null", "null", "null", "null", "null", "null")},
			{"application/json", `{"institution":"2","name":" Wind ","awards_abbr":"BSc","awards_full":"Bachelor","type":"UG","mode":"FT","language":"EN","country":"ee","location":"Tartu","code":"W-1","prospect_uri":"http://a.example/x?y#z"}`,
				course(59, "2", `"UG"`, `[{"abbr":"BSc","full":"Bachelor"}]`, "Wind", `"FT"`, `"en"`, `"EE"`, `"Tartu"`, `"W-1"`,
					`"http://a.example/x?y#z"`)},
			{formType, "institution=1&awards_full=Diploma&code=ENS-BSC", course(60, "1", "null",
				`[{"abbr":null,"full":"Diploma"}]`, "New course", "null", "null", "null", "null", `"ENS-BSC"`, "null")},
			{"application/json", `{"awards_abbr":"MSc","name":null,"institution":"","prospect_uri":"` + long + `"}`,
				course(61, "1", "null", `[{"abbr":"MSc","full":null}]`, "New course", "null", "null", "null", "null", "null",
					`"`+long+`"`)},
		} {
			last := s.lastEvent(t)
			made := s.do("POST", v10("/courses"), c.body, contentType(c.kind)).want(t, 201)
			path := fmt.Sprintf("%s/%d", v10("/courses"), 58+n)
			if got := s.get(path).body; made.header.Get("Location") != path || made.body != c.want || got != c.want {
				t.Errorf("%s %s\ngot  %s\nwant %s", made.header.Get("Location"), made.body, got, c.want)
			}
			if got, want := s.moneyEvents(t, last), fmt.Sprintf("Course was created 0/0/%d/0 by api_key", 58+n); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		x := strings.Repeat("x", 2049)
		_, reader := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		for _, c := range []struct {
			body, faults string
		}{
			{`{"institution":99}`, "@/institution"},
			{`{"institution":true,"name":7,"type":"Nothing","mode":"ft","language":"xx","country":"XX","code":"a b"}`,
				"@/institution @/name @/type @/mode @/language @/country @/code"},
			{`{"name":"` + x[:256] + `","awards_abbr":"` + x[:33] + `","awards_full":"` + x[:256] + `","location":"` + x[:256] +
				`","code":"` + x[:65] + `","prospect_uri":"https://` + x + `"}`,
				"@/name @/awards_abbr @/awards_full @/location @/code @/prospect_uri"},
			{`{"code":"a,b","prospect_uri":"/ens"}`, "@/code @/prospect_uri"},
			{`{"prospect_uri":"ftp://example.edu"}`, "@/prospect_uri"},
			{`{"prospect_uri":"javascript:alert(1)"}`, "@/prospect_uri"},
			{`{"prospect_uri":"https://"}`, "@/prospect_uri"},
			{`{"prospect_uri":"https://a b/"}`, "@/prospect_uri"},
			{`{"name":"a\u0000b"}`, "@/name"},
			{`{"name":["a","b"]}`, "@/name"},
		} {
			s.leavesNoTrace(t, func() {
				a := s.postJSON(v10("/courses"), c.body).want(t, 400)
				a.problem(t, "invalid-parameter")
				a.wantFaults(t, c.faults)
			})
		}
		s.story(t, []step{
			{"POST", "/courses", "{", 400, "invalid-body #", ""},
			{"POST", "/courses", strings.Repeat("x", 1<<20+1), 413, "too-large ", ""},
			{"PUT", "/courses", "", 405, "method-not-allowed ", ""},
		})
		s.story(t, []step{{"POST", "/courses", "", 403, "not-permitted ", ""}}, key(reader))
		s.story(t, []step{{"POST", "/courses", "name", 415, "unsupported-media-type ", ""}}, contentType("text/plain"))
		s.put("UPDATE institution SET mode = 'External'")
		s.story(t, []step{{"POST", "/courses", "{}", 400, "invalid-parameter #institution", ""}})
	})
}

func TestFees(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.story(t, []step{{"GET", "/fees", "", 200, "{}", ""}})
		putContract(s)
		const world = `{"qualifier":null,"currency":"EUR","amount":"80.00","basis":"One-time","info":null}`
		s.story(t, []step{
			{"GET", "/fees/4", "", 200,
				`{"id":4,"name":"Application fee","type":"Appfee","notes":"Paid once","amounts":{"001":` + world +
					`,"EU":{"qualifier":"from","currency":"EUR","amount":"0.00","basis":"One-time","info":"Free \"of charge\""},"GB":`,
				""},
			{"GET", "/fees/5", "", 200, `{"id":5,"name":"Tuition","type":"Tuition","notes":null,"amounts":{}}`, ""},
			{"GET", "/fees/4/amounts", "", 200, `{"001":` + world + `,"EU":`, ""},
			{"GET", "/fees/5/amounts", "", 200, `{}`, ""},
			{"GET", "/fees/4/amounts/001", "", 200, world, ""},
			{"GET", "/fees/4/amounts/DE", "", 404, "not-found ", ""},
			{"GET", "/fees/4/amounts/%2F", "", 404, "not-found ", ""},
			{"GET", "/fees/5/amounts/001", "", 404, "not-found ", ""},
			{"GET", "/fees/6/amounts/001", "", 404, "not-found ", ""},
			{"GET", "/fees/6/amounts", "", 404, "not-found ", ""},
			{"GET", "/fees/6", "", 404, "not-found ", ""},
			{"GET", "/fees/x", "", 400, "invalid-id ", ""},
			{"GET", "/fees/0/amounts", "", 400, "invalid-id ", ""},
			{"POST", "/fees", "", 405, "method-not-allowed ", ""},
		})
		if list := s.get(oldestPath("/fees")); list.header.Get("X-Count") != "2" || fmt.Sprint(list.ids(t)) != "[4 5]" {
			t.Error(list.body)
		}
		if list := s.get(v10("/fees/4/amounts")); list.header.Get("X-Count") != "3" {
			t.Error(list.header)
		}
		for _, path := range []string{"/fees", "/fees/4", "/fees/4/amounts", "/fees/4/amounts/EU"} {
			s.story(t, []step{{"GET", path + "?x=1", "", 400, "invalid-parameter #x", ""}}, header("Prefer", "handling=strict"))
		}
	})
}
