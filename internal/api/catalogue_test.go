package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// put runs statements of a fixture in one transaction, and counts what they have made.
func (s *service) put(statements ...string) {
	s.t.Helper()
	err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
		for _, sql := range statements {
			if _, err := sqltest.In(tx).Exec(sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return tx.RecountCounters()
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// putCatalogue makes institutions, courses, intakes and terms next to the seeded ones.
func putCatalogue(s *service) {
	s.put(
		`UPDATE institution SET type = 'UNI', country = 'EE', location = 'Tartu', www = 'https://www.example.edu', erasmus = 'EE TARTU99',
			address = '1 College Road, Tartu', registration = '70000001' WHERE id = 1`,
		`INSERT INTO institution (id, status, mode, name, country, erasmus, vat, iban) VALUES
			(2, 'Online', 'External', 'Zürich / "Süd"', 'CH', 'CH ZURICH07', 'CHE-1', 'CH93'),
			(3, 'Draft', 'External', 'Draft College', 'EE', '', '', ''),
			(10, 'Online', 'External', 'Without Code', '', '', '', ''),
			(11, 'Online', 'External', 'Zürich, second', 'CH', 'CH ZURICH07', '', '')`,
		`INSERT INTO department (id, institution_id, name, country, location) VALUES (4, 1, 'Faculty of Engineering', 'EE', 'Tartu'),
			(5, 2, 'Elsewhere', '', ''), (12, 1, 'Arts', '', '')`,
		`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES
			(13, 2026, 'Autumn semester 2026/27', 2, '2026-08-31', '2026-10-31', '2027-01-31'),
			(2, 2025, 'Old', 13, '2025-08-31', '2025-10-31', '2026-01-31')`,
		`INSERT INTO intake (id, name, start, policy, decision_policy, decision_days, arrival, commence, academic_term_id) VALUES
			(8, 'Autumn 2026', '2025-11-01', 'Strict (submit)', 'Required', 30, '2026-08-24', '2026-08-31', 13)`,
		`INSERT INTO intake (id, name, pre_deadline, pre_info, pre_mask, policy, decision_policy, decision_date, academic_term_id) VALUES
			(9, 'Rolling', '2026-01-15', 'Early', TRUE, 'Rolling', 'Advisory', '2026-05-01', 2)`,
		`INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, 'EU', '2026-06-30', 'EU citizens', FALSE),
			(8, 'KP', NULL, '', TRUE), (8, '001', '2026-04-15', '', FALSE), (8, '142', '2026-03-01', '', FALSE), (8, 'EEA', '2026-06-30', '', FALSE)`,
		`INSERT INTO course (id, status, updated, institution_id, type, awards, name, mode, duration, credits, language, country, location, code,
			quota, prospect_uri) VALUES (55, 'Online', 1762156800000000, 1, 'UG', '[{"abbr":"BSc","full":"Bachelor of Science"},{"abbr":"","full":"Diploma"}]',
			'Energy Systems', 'FT', '6 semesters', '180 ECTS', 'en', 'EE', 'Tartu', 'ENS-BSC', 40, 'https://www.example.edu/ens')`,
		`INSERT INTO course (id, status, updated, institution_id, featured, type, name, mode, code, code_internal, accreditation, quota) VALUES
			(7, 'Draft', 1762156800999999, 1, TRUE, '', 'New course', '', '', 'I-7', 'A-1', 0),
			(100, 'Private', 1762156800000000, 2, FALSE, 'PG', 'Far', 'PT', 'FAR', '', '', NULL)`,
		`INSERT INTO course_intake (course_id, intake_id) VALUES (55, 9), (55, 8), (100, 8)`,
	)
}

const (
	institution1 = `{"id":1,"status":"Online","mode":"Internal","type":"UNI","name":"Northfield University","country":"EE","location":"Tartu",` +
		`"www":"https://www.example.edu","erasmus":"EE TARTU99","address":"1 College Road, Tartu","vat":null,"iban":null,` +
		`"registration":"70000001","departments":"/api/v10/institutions/1/departments"}`
	institution2 = `{"id":2,"status":"Online","mode":"External","type":null,"name":"Zürich / \"Süd\"","country":"CH","location":null,` +
		`"www":null,"erasmus":"CH ZURICH07","address":null,"vat":"CHE-1","iban":"CH93","registration":null,` +
		`"departments":"/api/v10/institutions/2/departments"}`
	department4  = `{"id":4,"name":"Faculty of Engineering","country":"EE","location":"Tartu","www":null}`
	department12 = `{"id":12,"name":"Arts","country":null,"location":null,"www":null}`
	course55     = `{"id":55,"status":"Online","updated":"2025-11-03T08:00:00+00:00","institution":"/api/v10/institutions/1",` +
		`"intakes":{"8":"/api/v10/intakes/8","9":"/api/v10/intakes/9"},"featured":false,"type":"UG",` +
		`"awards":[{"abbr":"BSc","full":"Bachelor of Science"},{"abbr":null,"full":"Diploma"}],"name":"Energy Systems","mode":"FT",` +
		`"duration":"6 semesters","credits":"180 ECTS","language":"en","country":"EE","location":"Tartu","code":"ENS-BSC",` +
		`"code_internal":null,"accreditation":null,"quota":40,"prospect":{"uri":"https://www.example.edu/ens"}}`
	course7 = `{"id":7,"status":"Draft","updated":"2025-11-03T08:00:00+00:00","institution":"/api/v10/institutions/1","intakes":{},` +
		`"featured":true,"type":null,"awards":[],"name":"New course","mode":null,"duration":null,"credits":null,"language":null,` +
		`"country":null,"location":null,"code":null,"code_internal":"I-7","accreditation":"A-1","quota":0,"prospect":{"uri":null}}`
	term13 = `{"id":13,"year":"/api/v10/academic-years/2026","name":"Autumn semester 2026/27","type":"/api/v10/academic-terms/types/2",` +
		`"start":"2026-08-31","grace":"2026-10-31","finish":"2027-01-31"}`
	term2 = `{"id":2,"year":"/api/v10/academic-years/2025","name":"Old","type":"/api/v10/academic-terms/types/13",` +
		`"start":"2025-08-31","grace":"2025-10-31","finish":"2026-01-31"}`
	intake8 = `{"id":8,"name":"Autumn 2026","start":"2025-11-01","pre":{"deadline":null,"info":null,"mask":false},"policy":"Strict (submit)",` +
		`"deadlines":{"001":{"deadline":"2026-04-15","info":null,"barred":false},"142":{"deadline":"2026-03-01","info":null,"barred":false},` +
		`"EEA":{"deadline":"2026-06-30","info":null,"barred":false},"EU":{"deadline":"2026-06-30","info":"EU citizens","barred":false},` +
		`"KP":{"deadline":null,"info":null,"barred":true}},"decision":{"policy":"Required","days":30,"date":null},` +
		`"arrival":"2026-08-24","commence":"2026-08-31","academic-term":` + term13 + `}`
	intake9 = `{"id":9,"name":"Rolling","start":null,"pre":{"deadline":"2026-01-15","info":"Early","mask":true},"policy":"Rolling",` +
		`"deadlines":{},"decision":{"policy":"Advisory","days":null,"date":"2026-05-01"},"arrival":null,"commence":null,"academic-term":` + term2 + `}`
	year2026 = `{"id":2026,"name":"2026/27","start":"2026-09-01"}`
)

// checkReads compares bodies word by word, in all versions whose prefix stands in their links, and what GET
// and HEAD say next to the body.
func checkReads(t *testing.T, s *service, reads map[string]string, counts map[string]int) {
	t.Helper()
	for path, body := range reads {
		for _, prefix := range []string{"/api/v10", oldestPath(""), "/api/v5", "/api"} {
			want := strings.ReplaceAll(body, "/api/v10/", prefix+"/")
			got := s.get(prefix+path, header("Accept-Encoding", "identity")).want(t, 200) // compressed ones have other tags
			if got.body != want {
				t.Errorf("%s%s:\n got %s\nwant %s", prefix, path, got.body, want)
			}
			tag := got.header.Get("ETag")
			if got.header.Get("Content-Type") != "application/json" || tag == "" {
				t.Errorf("%s: %v", path, got.header)
			}
			if prefix != "/api/v10" {
				continue
			}
			if n, listed := counts[path]; listed && got.header.Get("X-Count") != fmt.Sprint(n) || !listed &&
				got.header.Get("X-Count") != "" {
				t.Errorf("%s: X-Count %q", path, got.header.Get("X-Count"))
			}
			head := s.do("HEAD", prefix+path, "").want(t, 200)
			if head.body != "" || head.header.Get("ETag") != tag || head.header.Get("X-Count") != got.header.Get("X-Count") ||
				head.header.Get("Content-Length") != fmt.Sprint(len(body)) {
				t.Errorf("HEAD %s: %v", path, head.header)
			}
			s.get(prefix+path, header("If-None-Match", tag)).want(t, 304)
		}
	}
}

func TestCatalogueRecords(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		if got := s.get("/api/v10/courses").want(t, 200); got.body != "{}" || got.header.Get("X-Count") != "0" {
			t.Fatalf("no courses: %s %v", got.body, got.header)
		}
		putCatalogue(s)
		checkReads(t, s, map[string]string{
			"/institutions/1": institution1,
			"/institutions/2": institution2,
			"/institutions?byStatuses=Online&byCountries=CH,ee": `{"1":` + institution1 + `,"2":` + institution2 + `,"11":` +
				`{"id":11,"status":"Online","mode":"External","type":null,"name":"Zürich, second","country":"CH","location":null,"www":null,` +
				`"erasmus":"CH ZURICH07","address":null,"vat":null,"iban":null,"registration":null,"departments":"/api/v10/institutions/11/departments"}}`,
			"/institutions/1/departments":    `{"4":` + department4 + `,"12":` + department12 + `}`,
			"/institutions/10/departments":   `{}`,
			"/institutions/1/departments/12": department12,
			"/courses?byInstitutionIDs=1":    `{"7":` + course7 + `,"55":` + course55 + `}`,
			"/courses/55":                    course55,
			"/courses/7":                     course7,
			"/intakes":                       `{"8":` + intake8 + `,"9":` + intake9 + `}`,
			"/intakes/8":                     intake8,
			"/intakes/9":                     intake9,
			"/academic-terms":                `{"2":` + term2 + `,"13":` + term13 + `}`,
			"/academic-terms/13":             term13,
			"/academic-terms/types/2":        `{"id":2,"name":"Autumn semester"}`,
			"/academic-years/2026":           year2026,
			"/academic-years": `{"2025":{"id":2025,"name":"2025/26","start":"2025-09-01"},"2026":` + year2026 +
				`,"2027":{"id":2027,"name":"2027/28","start":"2027-09-01"},"2028":{"id":2028,"name":"2028/29","start":"2028-09-01"}}`,
		}, map[string]int{"/institutions?byStatuses=Online&byCountries=CH,ee": 3, "/institutions/1/departments": 2,
			"/institutions/10/departments": 0, "/courses?byInstitutionIDs=1": 2, "/intakes": 2, "/academic-terms": 2,
			"/academic-years": 4})
		types := s.get("/api/v10/academic-terms/types").want(t, 200)
		if !strings.HasPrefix(types.body, `{"1":{"id":1,"name":"Fall semester"},"2":{"id":2,`) ||
			!strings.HasSuffix(types.body, `"13":{"id":13,"name":"Legacy"}}`) || types.header.Get("X-Count") != "13" {
			t.Errorf("term types: %s %v", types.body, types.header)
		}
	})
}

func TestCatalogueFilters(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putCatalogue(s)
		for _, row := range []struct{ query, ids string }{
			{"/institutions", "1 2 3 10 11"},
			{"/institutions?byStatuses=draft", "3"},
			{"/institutions?byStatuses=ONLINE,Draft", "1 2 3 10 11"},
			{"/institutions?byModes=external", "2 3 10 11"},
			{"/institutions?byModes=Internal+External", "1 2 3 10 11"},
			{"/institutions?byCountries=ee", "1 3"},
			{"/institutions?byCountries=SE", ""},
			{"/institutions?byStatuses=Online&byModes=External&byCountries=CH", "2 11"},
			{"/institutions?byStatuses=Draft&byModes=Internal", ""},
			{"/institutions?byStatuses=Draft&byStatuses=Online", "1 2 3 10 11"},
			{"/courses", "7 55 100"},
			{"/courses?byInstitutionIDs=2", "100"},
			{"/courses?byInstitutionIds=2,1", "7 55 100"},
			{"/courses?byInstitutionIds=2&byInstitutionIDs=1", "7 55 100"},
			{"/courses?byInstitutionIDs=999", ""},
			{"/courses?byStatuses=private,DRAFT", "7 100"},
			{"/courses?byStatuses=Standby,Template,Archived,Closed", ""},
			{"/courses?byTypes=UG,PG", "55 100"},
			{"/courses?byTypes=ug", ""},
			{"/courses?byModes=PT", "100"},
			{"/courses?byModes=NONE", ""},
			{"/courses?byCodes=FAR,,ENS-BSC", "55 100"},
			{"/courses?byCodes=far", ""},
			{"/courses?byInstitutionIDs=1&byStatuses=Online&byTypes=UG&byModes=FT&byCodes=ENS-BSC", "55"},
			{"/courses?byInstitutionIDs=2&byTypes=UG", ""},
		} {
			got := s.get("/api/v10"+row.query).want(t, 200)
			var ids []string
			for _, id := range []string{"1", "2", "3", "7", "10", "11", "55", "100"} {
				if got.object(t)[id] != nil {
					ids = append(ids, id)
				}
			}
			if strings.Join(ids, " ") != row.ids || got.header.Get("X-Count") != fmt.Sprint(len(ids)) ||
				len(got.object(t)) != len(ids) {
				t.Errorf("%s: %v, X-Count %s, want %s", row.query, ids, got.header.Get("X-Count"), row.ids)
			}
		}
		for _, row := range []struct{ query, parameter string }{
			{"/institutions?byStatuses=Private", "byStatuses"},
			{"/institutions?byStatuses=", "byStatuses"},
			{"/institutions?byModes=inside", "byModes"},
			{"/institutions?byCountries=XX", "byCountries"},
			{"/courses?byInstitutionIDs=one", "byInstitutionIDs"},
			{"/courses?byInstitutionIds=0", "byInstitutionIDs"},
			{"/courses?byStatuses=Open", "byStatuses"},
			{"/courses?byTypes=,", "byTypes"},
			{"/courses?byModes=" + strings.Repeat("x", 65), "byModes"},
			{"/courses?byCodes=", "byCodes"},
		} {
			p := s.get("/api/v10"+row.query).want(t, 400).problem(t, "invalid-parameter")
			if fault := p["errors"].([]any)[0].(map[string]any); fault["parameter"] != row.parameter {
				t.Errorf("%s: %v", row.query, fault)
			}
			s.do("HEAD", "/api/v10"+row.query, "").want(t, 400)
		}
		p := s.get("/api/v10/institutions?byModes=a&byStatuses=b").want(t, 400).problem(t, "invalid-parameter")
		if len(p["errors"].([]any)) != 2 {
			t.Errorf("not all faults at once: %v", p)
		}
	})
}

// What has no parameters tells of those it is given; existence comes before that.
func TestCatalogueAbsent(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putCatalogue(s)
		strict := header("Prefer", "handling=strict")
		for _, path := range []string{"/institutions/99", "/institutions/99/departments", "/institutions/99/departments/4",
			"/institutions/2/departments/4", "/institutions/1/departments/99", "/courses/1", "/intakes/1", "/academic-terms/1",
			"/academic-terms/types/99", "/academic-years/1999", "/academic-years/0001"} {
			s.get("/api/v10"+path).want(t, 404).problem(t, "not-found")
			s.get(defaultPath(path+"?x=1"), strict).want(t, 404).problem(t, "not-found")
		}
		for _, path := range []string{"/institutions/x", "/institutions/01/departments", "/institutions/1/departments/0",
			"/courses/1e3",
			"/intakes/-1", "/academic-terms/x", "/academic-terms/types/x", "/academic-years/26", "/academic-years/x026",
			"/academic-years/%2B206"} {
			s.get("/api/v10"+path).want(t, 400).problem(t, "invalid-id")
		}
		for _, path := range []string{"/institutions", "/institutions/1", "/institutions/1/departments",
			"/institutions/1/departments/4", "/courses",
			"/courses/55", "/intakes", "/intakes/8", "/academic-terms", "/academic-terms/13", "/academic-terms/types",
			"/academic-terms/types/1",
			"/academic-years", "/academic-years/2026"} {
			if got := s.get("/api/v10"+path+"?expand=all&limit=1").want(t,
				200); got.header.Get("Ignored-Parameters") != "expand, limit" {
				t.Errorf("%s: %v", path, got.header)
			}
			s.get("/api/v10"+path+"?limit=1", strict).want(t, 400).problem(t, "invalid-parameter")
			s.do("DELETE", "/api/v10"+path, "").want(t, 405)
		}
	})
}

// The answers do not depend on how many rows there are: one statement a kind.
func TestCatalogueStatements(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putCatalogue(s)
		for path, bound := range map[string]int{"/courses": 2, "/intakes": 2, "/institutions": 1, "/administrators": 2,
			"/applications/offers/types": 2, "/classificators": 3} {
			s.get("/api/v10"+path).want(t, 200)
			before := s.store.Statements()
			s.get("/api/v10"+path).want(t, 200)
			// Next to them: reading the key, the snapshot and the quota.
			if n := int(s.store.Statements() - before); n > bound+4 {
				t.Errorf("%s: %d statements", path, n)
			}
		}
	})
}
