package api_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// fullContent fills in every section, fullExtras has every type of answer.
const fullContent = `{"profile":{"name":{"given":"Ilse","middle":"","family":"Varga"},"salutation":"MS","gender":"F",
"birth":{"date":"2004-05-17","place":"Pécs","country":"HU"},"nationality":"HU","citizenship":"HU","marital":"S","idcode":"",
"passport":{"number":"BH0000001","series":"","issue":"2022-06-01","expiry":"2032-06-01","country":"HU","issuer":""},
"idcard":{"number":"","expiry":"","country":""},"nationalidcode":{"polish":"44051401359","finnish":"1"},"family":null},
"contact":{"email":"ilse.varga@example.org","telephone":{"mobile":"+36 20 555 0000"},
"address":{"type":"C","street":"Fő utca\nB","house":"1","city":"Pécs","postalcode":"7600","country":"HU","correspondence":{"city":"Budapest"}},"emergency":{"name":""}},
"home":{"institution":{"name":"Pécs","name-dropdown":"HU PECS01","erasmus":"HU PECS01","country":"HU","address":"A","department":{"name":"D"}},
"course":{"level":"SE","name":"C","term":"AS"},"contact":{"name":"K","email":"k@example.org","telephone":{"fixed":"1"}}},
"host":{"institution":{"department":{"name":""}},"course":null,"contact":{"telephone":{"fixed":""}}},
"education":[{"level":"SE","institution":"Pécs Gymnasium","type":"SS","mode":"FT","country":"HU","city":"Pécs","enrolment":"2018-09","graduation":"2022",
"suspension":"2020-01-31","status":"GRADUATED","diploma":{"number":"D-77","issue":{"date":"2022-06-20"}}},{"institution":"Second","diploma":{"issue":{"date":""}}}],
"grades":[{"type":"A","subject":"Maths","grade":"5","year":2022},{"subject":"Art"}],
"languages":[{"name":"en","native":false,"proficiency":"C1","experience":0}],
"career":[{"employer":"Mill","company":"L","type":"FT","position":"Clerk","country":"HU","weekly":"40","period":{"from":"2022-07","to":""}}],
"activities":[{"organization":"Choir","type":"NGO","nature":"Singing","period":{"from":"","to":""}}],
"residences":[{"country":"AT","purpose":"Study","period":{"from":"2019","to":"2020-02-03"}}],
"motivation":{"general":"I want to \"study\"."},"visa":{"required":false,"plan":"STAY"},
"misc":{"medical":"","needs":["BLIND","DEAF"],"background":[],"additional":"More"},"extras":`

const fullExtras = `[{"id":17,"name":"Accommodation","type":"choice","text":"Dormitory"},{"id":18,"name":"Text","type":"text"},
{"id":19,"name":"Long","type":"longtext","text":"a\nb"},{"id":20,"name":"Number","type":"number","number":"0012.50"},{"id":21,"name":"No number","type":"number"},
{"id":22,"name":"Date","type":"date","text":"2026-01-02"},{"id":23,"name":"Country","type":"country","text":"HU"},{"id":24,"name":"Language","type":"language","text":"hu"},
{"id":25,"name":"Choices","type":"choices","choices":["A","B"]},{"id":26,"name":"No choices","type":"choices"},{"id":27,"name":"Yes","type":"yesno","yesno":true},
{"id":28,"name":"Not said","type":"yesno"},{"id":29,"name":"Money","type":"money","money":{"amount":1250,"currency":"EUR"}},{"id":30,"name":"No money","type":"money"},
{"id":31,"name":"File","type":"file","document":501},{"id":32,"name":"No file","type":"file"},
{"id":33,"name":"Section","type":"section","entries":[{"id":34,"name":"Inner","type":"number","number":"-0.5"},{"id":35,"name":"Inner file","type":"file","document":501}]},
{"id":36,"name":"Empty section","type":"section"}]`

// putApplications makes applications 1 to 6 of the applicants 10 (1, 2 and 5), 11 (3 and 4) and 12, who is
// deleted (6). The first is filled in completely.
func putApplications(s *service) {
	putCatalogue(s)
	// 2026-03-09T09:00:00.4
	at := func(seconds int) string { return fmt.Sprint(1773046800000000 + seconds*1_000_000 + 400_000) }
	s.put(
		`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key, citizenship) VALUES
			(10, 'live', FALSE, `+at(0)+`, 'Ilse', 'Varga', 'a@example.org', 'a@example.org', 'HU'),
			(11, 'blocked', FALSE, `+at(0)+`, 'Kim', 'Dijk', 'b@example.org', 'b@example.org', 'NL'),
			(12, 'recovery', FALSE, `+at(0)+`, 'X', 'Y', 'c@example.org', 'c@example.org', '')`,
		`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted, frozen, visible) VALUES
			(1, 10, 13, 'Submitted', `+at(0)+`, `+at(10)+`, `+at(10)+`, `+at(20)+`, TRUE),
			(2, 10, 2, 'Closed', `+at(1)+`, `+at(30)+`, `+at(12)+`, NULL, TRUE),
			(3, 11, 13, 'Draft', `+at(2)+`, `+at(2)+`, NULL, NULL, TRUE),
			(4, 11, 2, 'Reopened', `+at(3)+`, `+at(3)+`, `+at(14)+`, NULL, TRUE),
			(5, 10, 2, 'Blank', `+at(4)+`, `+at(4)+`, NULL, NULL, TRUE),
			(6, 12, 13, 'Submitted', `+at(5)+`, `+at(50)+`, `+at(50)+`, NULL, FALSE)`,
		`INSERT INTO application_content (application_id, content) VALUES (1, '`+fullContent+fullExtras+`}'), (3, '{}'),
			(4, '{"profile":{"name":{"given":""}},"education":[],"misc":{"needs":[]}}')`,
		`INSERT INTO application_course (application_id, course_id, intake_id, institution_id, course_type, priority, added, submitted, modifier) VALUES
			(1, 100, 8, 2, 'PG', 1, 1, `+at(10)+`, 'ENTRY2'), (1, 55, NULL, 1, 'UG', 2, 1, NULL, ''), (2, 55, 9, 1, 'UG', 1, 1, `+at(12)+`, ''),
			(3, 55, 8, 1, 'UG', 1, 1, NULL, ''), (6, 55, 8, 1, 'UG', 1, 1, NULL, '')`,
		`INSERT INTO flag (id, created, name, name_key) VALUES (5, `+at(0)+`, 'Interview', 'interview'), (6, `+at(0)+`, 'Late', 'late')`,
		`INSERT INTO application_flag (flag_id, application_id, assigned) VALUES (5, 1, `+at(1)+`), (6, 1, `+at(2)+`), (6, 3, `+at(3)+`), (6, 6, 1)`,
		`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, confirmed, type_id, type_confirmed_id, decision) VALUES
			(71, 1, 10, 100, 2, 8, 1, `+at(10)+`, `+at(15)+`, 17, 17, 'Final'), (72, 1, 10, 55, 1, NULL, 2, `+at(10)+
			`, NULL, 6, NULL, 'None'),
			(73, 2, 10, 55, 1, 9, 1, `+at(12)+`, NULL, 17, NULL, 'Declined'), (74, 3, 11, 55, 1, 8, 1, `+at(2)+
			`, NULL, 6, NULL, 'None'),
			(75, 6, 12, 55, 1, 8, 1, `+at(2)+`, `+at(2)+`, 6, NULL, 'None')`,
		`INSERT INTO note (id, applicant_id, offer_id, created, text) VALUES (1, 10, NULL, 1, 'On the applicant'), (2, NULL, 71, 1, 'On the offer')`,
		`INSERT INTO task (id, application_id, template_id, created, status) VALUES (81, 1, 1, `+at(1)+`, 'Unchecked')`,
		`INSERT INTO document (id, application_id, uploaded, name, mime, size, hash) VALUES (501, 1, `+at(1)+`, 'D.pdf', 'application/pdf', 7, 'ab')`,
		`INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale) VALUES (7, `+at(1)+`, 'Interview', 'Number', 'Application', 0, 1000000, 0)`,
		`INSERT INTO score (id, scoresheet_id, application_id, points) VALUES (91, 7, 1, 850000)`,
		`INSERT INTO study_plan (id, application_id, applicant_id, created, revised, status, course_id, subjects) VALUES
			(3, 1, 10, `+at(1)+`, NULL, 'Draft', 55, '[{"code":"MAT101","type":"C","name":"Calculus","credits":"6","term_type":1},{"name":"Art"}]'),
			(4, 2, 10, `+at(1)+`, `+at(2)+`, 'Approved', NULL, '[]'), (5, 3, 11, `+at(1)+`, NULL, 'Rejected', NULL, '[]')`,
	)
}

// The applications of every version to the byte.
func TestApplicationGolden(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putApplications(s)
		for _, prefix := range eachPrefix() {
			var b strings.Builder
			for _, path := range []string{"/applications/1", "/applications/5", "/applications/4?expand=applicant,offer",
				"/applications?limit=2",
				"/applications?expand=*&byFlagIDs=5", "/applicants/11/applications",
				"/applicants/10/applications?expand=flags&limit=1&after=1",
				"/applicants/10/applications/2", "/applications/1/courses", "/applications/1/courses/100",
				"/applications/5/courses",
				"/applications/1/flags", "/applications/1/flags/6", "/applications/5/flags", "/applications/1/studyplans",
				"/applications/1/studyplans/3", "/applicants/10/studyplans", "/applicants/10/studyplans/4"} {
				a := s.get(prefix+path, header("Accept-Encoding", "identity"))
				if a.status != 200 && !strings.Contains(path, "studyplans") {
					t.Fatalf("%s%s: %d %s", prefix, path, a.status, a.body)
				}
				if a.status != 200 {
					a.problem(t, "not-in-version")
					a.body = "not in this version"
				}
				text := strings.ReplaceAll(a.body, `,"`, ",\n\"") // one field a line: differences show
				fmt.Fprintf(&b, "GET %s%s\nX-Count: %s\nLink: %s\n%s\n\n", prefix, path, a.header.Get("X-Count"),
					strings.Join(a.header.Values("Link"), ", "), text)
				head := s.do("HEAD", prefix+path, "").want(t, a.status)
				if head.body != "" || head.header.Get("X-Count") != a.header.Get("X-Count") ||
					head.header.Get("ETag") != a.header.Get("ETag") {
					t.Errorf("HEAD %s%s: %v", prefix, path, head.header)
				}
			}
			name := strings.TrimPrefix(strings.TrimPrefix(prefix, "/api"), "/")
			golden(t, "applications-"+cmp.Or(name, "unversioned"), b.String())
		}
	})
}

func TestApplicationFilters(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putApplications(s)
		all := "bySince byUntil byAcademicTermID byAcademicYear byAcademicYears byCommenceYear byApplicantIDs byStatuses byCreatedSince " +
			"byRevisedSince bySubmittedSince byCourseIDs byCourseIntakeIDs byCourseInstitutionIDs byOfferTypes byOfferDecisions byOfferInstitutionIDs " +
			"byOfferConfirmed byFlagIDs limit expand after"
		for _, c := range []struct {
			query string
			want  string // IDs, or "!" and the faults
		}{
			{"", "1 2 3 4 5"},
			{"bySince=3", "3 4 5"},
			{"byUntil=2", "1 2"},
			{"byUntil=0", ""},
			{"bySince=2&byUntil=3", "2 3"},
			{"bySince=2026-03-09T09:00:03Z", "4 5"},
			{"byUntil=2026-03-09T09:00:03Z", "1 2 3 4"},
			{"bySince=2026-03-09&byUntil=2026-03-09", "1 2 3 4 5"},
			{"byAcademicTermID=13", "1 3"},
			{"byAcademicTermID=13,2", "1 2 3 4 5"},
			{"byAcademicTermID=99", ""},
			{"byAcademicYear=2026", "1 3"},
			{"byAcademicYears=2025+2026", "1 2 3 4 5"},
			{"byCommenceYear=2025", "2 4 5"},
			{"byAcademicYear=2025&byAcademicYears=2025,2026&byCommenceYear=2025,2024", "2 4 5"},
			{"byAcademicYear=2025&byAcademicYears=2026", ""},
			{"byAcademicYear=2026&byAcademicTermID=2", ""},
			{"byAcademicYear=2026&byAcademicTermID=2,13", "1 3"},
			{"byAcademicYear=2031", ""},
			{"byAcademicYear=26", "!byAcademicYear"},
			{"byApplicantIDs=11", "3 4"},
			{"byApplicantIDs=10,12,99", "1 2 5"},
			{"byStatuses=draft,CLOSED", "2 3"},
			{"byStatuses=Prepare", "3"},
			{"byStatuses=Resubmitted", "1"},
			{"byStatuses=Completed,Accepted,Problematic,Rejected,Blocked", ""},
			{"byStatuses=Accepted,Blank", "5"},
			{"byStatuses=Unknown", "!byStatuses"},
			{"byCreatedSince=2026-03-09T09:00:02.9Z", "3 4 5"},
			{"byCreatedSince=2026-03-10", ""},
			{"byRevisedSince=2026-03-09T09:00:10Z", "1 2"},
			{"bySubmittedSince=2026-03-09T09:00:12Z", "2 4"},
			{"bySubmittedSince=1990-01-01", "1 2 4"},
			{"bySubmittedSince=1970-01-01T00:00:00Z", "1 2 4"},
			{"bySubmittedSince=1969-12-31", "1 2 4"},
			{"bySince=1970-01-01T00:00:00Z&byCreatedSince=1970-01-01&byRevisedSince=1970-01-01", "1 2 3 4 5"},
			{"bySubmittedSince=2026-03-09T09:00:12Z&byRevisedSince=2026-03-09T09:00:10Z&byCreatedSince=2026-03-09", "2"},
			{"byCourseIDs=55", "1 2 3"},
			{"byCourseIDs=100,7", "1"},
			{"byCourseIntakeIDs=8", "1 3"},
			{"byCourseIDs=55&byCourseIntakeIDs=8", "3"}, // the same course
			{"byCourseInstitutionIDs=1", "1 2 3"},
			{"byCourseTypes=PG", "1"},
			{"byCourseTypes=pg", ""},
			{"byCourseTypes=UG,PG&byCourseInstitutionIDs=2&byCourseIDs=100&byCourseIntakeIDs=8", "1"},
			{"byCourseTypes=UG&byCourseInstitutionIDs=2", ""},
			{"byCourseTypes=", "!byCourseTypes"},
			{"byOfferTypes=17", "1 2"},
			{"byOfferTypes=6", "1"}, // 3 was never submitted
			{"byOfferTypes=6,17", "1 2"},
			{"byOfferTypes=Accepted", "!byOfferTypes"},
			{"byOfferDecisions=none", "1"},
			{"byOfferDecisions=Final,Declined", "1 2"},
			{"byOfferDecisions=None&byOfferTypes=17", ""}, // the same offer
			{"byOfferInstitutionIDs=1", "1 2"},
			{"byOfferInstitutionIDs=1&byOfferTypes=17", "2"},
			{"byOfferConfirmed=true", "1"},
			{"byOfferConfirmed=1&byOfferTypes=6", ""},
			{"byOfferConfirmed=FALSE", "2 3 4 5"},
			{"byOfferConfirmed=0&byOfferTypes=17", "2"},
			{"byOfferConfirmed=yes", "!byOfferConfirmed"},
			{"byFlagIDs=6", "1 3"},
			{"byFlagIDs=5+6", "1 3"},
			{"byFlagIDs=99", ""},
			{"byFlagIDs=6&byStatuses=Draft", "3"},
			{"byFlagIDs=6&byCourseIDs=55&byAcademicTermID=13&byApplicantIDs=11", "3"},
			{"byFlagIDs=6&byFlagIDs=5", "1 3"},
			{"limit=2", "1 2"},
			{"limit=2&after=2", "3 4"},
			{"limit=16384", "1 2 3 4 5"},
			{"limit=16385", "!limit"},
			{"limit=512&expand=flags", "1 2 3 4 5"},
			{"limit=513&expand=references", "!limit"},
			{"expand=trackers", "!expand"},
			{"expand=", "1 2 3 4 5"},
			{strings.ReplaceAll(all, " ", "=x&") + "=x", "!" + all},
			{strings.ReplaceAll(all, " ", "=&") + "=", "!" + strings.ReplaceAll(all, " expand", "")},
		} {
			got := s.get(v10("/applications?" + c.query))
			if faults, refused := strings.CutPrefix(c.want, "!"); refused {
				got.want(t, 400).wantFaults(t, faults)
				continue
			}
			if ids := strings.Trim(fmt.Sprint(got.want(t, 200).ids(t)), "[]"); ids != c.want {
				t.Errorf("%s: %s, want %s", c.query, ids, c.want)
			}
			if !strings.Contains(c.query, "limit") && got.header.Get("X-Count") != fmt.Sprint(len(got.ids(t))) {
				t.Errorf("%s: X-Count %s", c.query, got.header.Get("X-Count"))
			}
		}
		// Before version 4 offer types are named by title.
		for query, want := range map[string]string{"Accepted": "1 2", "accepted,FEEDBACK": "1 2", "Feedback": "1",
			"Nothing+like+it": "", "17": "", "In+ranking,Feedback": "1"} {
			for _, prefix := range prefixesTo(3) {
				got := s.get(prefix+"/applications?byOfferTypes="+query).want(t, 200)
				if ids := strings.Trim(fmt.Sprint(got.ids(t)), "[]"); ids != want {
					t.Errorf("%s by title %s: %s, want %s", prefix, query, ids, want)
				}
			}
		}
	})
}

// Pages follow each other by Link, and an applicant's list has its own filters only.
func TestApplicationPages(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putApplications(s)
		first := s.get(v10("/applications?limit=2&byAcademicYear=2025")).want(t, 200)
		if link := first.header.Get("Link"); link != `</api/v10/applications?after=4&byAcademicYear=2025&limit=2>; rel="next"` || first.header.Get("X-Count") != "3" {
			t.Fatalf("Link %s, X-Count %s", link, first.header.Get("X-Count"))
		}
		if second := s.get(v10("/applications?limit=2&byAcademicYear=2025&after=4")).want(t,
			200); second.header.Get("Link") != "" ||
			second.header.Get("X-Count") != "3" || fmt.Sprint(second.ids(t)) != "[5]" {
			t.Fatalf("%v %s", second.header, second.body)
		}
		own := s.get(v10("/applicants/10/applications?limit=2&byStatuses=Blank")).want(t, 200)
		if fmt.Sprint(own.ids(t)) != "[1 2]" || own.header.Get("X-Count") != "3" ||
			own.header.Get("Ignored-Parameters") != "byStatuses" ||
			own.header.Get("Link") != `</api/v10/applicants/10/applications?after=2&byStatuses=Blank&limit=2>; rel="next"` {
			t.Fatalf("%v %s", own.header, own.body)
		}
		for _, path := range []string{"/applications?limit=2&byAcademicYear=2025",
			"/applications?limit=2&byAcademicYear=2025&after=4",
			"/applications?limit=1", "/applications?limit=1&byStatuses=Blank,Draft,Submitted", "/applications?limit=1&byFlagIDs=6&byRevisedSince=2000-01-01",
			"/applications?limit=1&bySince=2000-01-01&byUntil=2100-01-01", "/applications?limit=1&byApplicantIDs=10", "/applicants/10/applications?limit=2",
			"/applications?limit=1&expand=*"} {
			page, head := s.get(v10(path)).want(t, 200), s.do("HEAD", v10(path), "").want(t, 200)
			if head.header.Get("Link") != page.header.Get("Link") || head.header.Get("X-Count") != page.header.Get("X-Count") {
				t.Errorf("%s: HEAD %v, GET %v", path, head.header, page.header)
			}
		}
		head := s.do("HEAD", v10("/applications?limit=2&byFlagIDs=6"), "").want(t, 200)
		if head.header.Get("X-Count") != "2" || head.header.Get("Link") != "" || head.header.Get("Content-Length") != "" {
			t.Fatalf("%v", head.header)
		}
		s.do("HEAD", v10("/applications?byStatuses=x"), "").want(t, 400)
	})
}

// What does not exist, is invisible or belongs elsewhere.
func TestApplicationMissing(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putApplications(s)
		for _, path := range []string{"/applications/6", "/applications/99?expand=x", "/applications/6/courses",
			"/applications/6/courses/55", "/applications/6/flags",
			"/applications/6/flags/6", "/applications/1/courses/7", "/applications/1/flags/99", "/applications/5/flags/5",
			"/applicants/12/applications",
			"/applicants/12/applications?limit=x", "/applicants/99/applications/1", "/applicants/12/applications/6",
			"/applicants/10/applications/3",
			"/applicants/10/applications/6"} {
			s.get(v10(path)).want(t, 404).problem(t, "not-found")
		}
		for _, path := range []string{"/applications/6/studyplans", "/applications/1/studyplans/4",
			"/applications/99/studyplans/3", "/applicants/12/studyplans",
			"/applicants/10/studyplans/5", "/applicants/99/studyplans/3"} {
			s.get("/api/v7"+path).want(t, 404).problem(t, "not-found")
			s.get("/api/v8"+path).want(t, 404).problem(t, "not-in-version")
		}
		s.get(v10("/applications/0")).want(t, 400).problem(t, "invalid-id")
		s.get(v10("/applicants/10/applications?limit=x&expand=y&after=z")).want(t, 400).wantFaults(t, "limit expand after")
		s.get(v10("/applications/1?expand=y")).want(t, 400).wantFaults(t, "expand")
		for _, path := range []string{"/applications/1/courses?expand=x", "/applications/1/flags/5?a=b"} {
			if a := s.get(v10(path)).want(t, 200); a.header.Get("Ignored-Parameters") == "" {
				t.Errorf("%s: %v", path, a.header)
			}
			s.get(v10(path), header("Prefer", "handling=strict")).want(t, 400)
		}
	})
}

// Expanding costs the same number of statements for one application as for many.
func TestApplicationStatements(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putApplications(s)
		statements := func(path string) int64 {
			s.get(path).want(t, 200) // what is kept in memory is there
			before := s.store.Statements()
			s.get(path).want(t, 200)
			return s.store.Statements() - before
		}
		few := map[string]int64{}
		paths := []string{"/applications", "/applications?expand=*", "/applicants/10/applications?expand=*"}
		for _, prefix := range eachPrefix() {
			for _, path := range paths {
				few[prefix+path] = statements(prefix + path)
			}
		}
		err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			for id := 100; id < 400; id++ {
				for _, sql := range []string{
					`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted) VALUES ($1, 10, 2, 'Closed', 1, 1, 1)`,
					`INSERT INTO application_course (application_id, course_id, institution_id, priority, added) VALUES ($1, 55, 1, 1, 1)`,
					`INSERT INTO application_flag (flag_id, application_id, assigned) VALUES (5, $1, 1)`,
					`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id) VALUES ($1, $1, 10, 55, 1, 1, 1, 1)`,
					`INSERT INTO note (id, offer_id, created, text) VALUES ($1, $1, 1, 'N')`,
					`INSERT INTO task (id, application_id, template_id, created, status) VALUES ($1, $1, 1, 1, 'Unchecked')`,
					`INSERT INTO document (id, application_id, uploaded, name, mime, size, hash) VALUES ($1 + 1000, $1, 1, 'D', 'x/y', 1, 'ab')`,
					`INSERT INTO score (id, scoresheet_id, application_id) VALUES ($1, 7, $1)`,
				} {
					if _, err := sqltest.In(tx).Exec(sql, id); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, prefix := range eachPrefix() {
			for _, path := range paths {
				if many := statements(prefix + path); many != few[prefix+path] || many > 20 {
					t.Errorf("%s%s: %d statements for a few, %d for many", prefix, path, few[prefix+path], many)
				}
			}
		}
	})
}
