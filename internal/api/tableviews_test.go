package api_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/google/go-cmp/cmp"
)

// putView makes a tableview whose columns keep their default titles.
func putView(s *service, id int64, byOffer bool, filters string, sources ...string) {
	s.t.Helper()
	v := admitto.Tableview{ID: id, Created: start, Modified: start + admitto.Hour, Title: "View", ByOffer: byOffer,
		Filters: filters}
	for _, source := range sources {
		v.Columns = append(v.Columns, admitto.TableColumn{Source: source, Title: source})
	}
	s.putViews(v)
}

func (s *service) putViews(views ...admitto.Tableview) {
	s.t.Helper()
	err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
		for i := range views {
			kind := "Application"
			if views[i].ByOffer {
				kind = "Offer"
			}
			columns, err := json.Marshal(views[i].Columns)
			if err != nil {
				return err
			}
			if _, err := sqltest.In(tx).Exec("INSERT INTO tableview (id, created, modified, title, row_kind, columns, filters, private) VALUES ($1, $2, $3, $4, $5, $6, $7, TRUE)",
				views[i].ID, views[i].Created, views[i].Modified, views[i].Title, kind, string(columns),
				views[i].Filters); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// putContent fills application 101 in, with a value for every column of the content, and 102 with nothing.
func putContent(s *service) {
	s.put(`INSERT INTO question (id, name, type) VALUES (1, 'Dormitory?', 'yesno'), (2, 'Funds', 'money'), (3, 'School country', 'country'), (4, 'Tongue', 'language'),
		(5, 'Hobbies', 'choices'), (6, 'Essay', 'longtext'), (7, 'Score', 'number'), (8, 'Proof', 'file'), (9, 'Job', 'section'), (10, 'Arrival', 'date')`,
		`INSERT INTO ranking (id, name, created, modified) VALUES (1, 'All', 1, 1), (2, 'Again', 1, 1)`,
		`INSERT INTO ranking_course (ranking_id, course_id) VALUES (2, 100)`)
	yes := true
	content := form.Content{
		Extras: []admitto.Extra{{ID: 1, Type: admitto.ExtraYesNo, YesNo: &yes},
			{ID: 2, Type: admitto.ExtraMoney, Money: &admitto.Money{Amount: 8000, Currency: "EUR"}},
			{ID: 3, Type: admitto.ExtraCountry, Text: "EE"}, {ID: 4, Type: admitto.ExtraLanguage, Text: "en"}, {ID: 5,
				Type: admitto.ExtraChoices, Choices: []string{"Chess", "Go"}},
			{ID: 6, Type: admitto.ExtraLongText, Text: "Say \"hi\",\r\nplease"}, {ID: 7, Type: admitto.ExtraNumber,
				Number: "-1.50"}, {ID: 8, Type: admitto.ExtraFile, Document: 222},
			{ID: 9, Type: admitto.ExtraSection, Entries: []admitto.Extra{{ID: 91, Name: "Employer", Type: admitto.ExtraText,
				Text: "=SUM(A1)"}, {ID: 92, Name: "Since", Type: admitto.ExtraDate}}},
			{ID: 10, Type: admitto.ExtraDate, Text: "2026-08-24"}, {ID: 99, Name: "Gone", Type: admitto.ExtraText, Text: "x"}},
	}
	content.Put("profile", form.Object{"salutation": "MS", "gender": "F", "birth/date": "2004-05-17",
		"birth/place":   "Pécs",
		"birth/country": "HU", "nationality": "TR", "marital": "S", "idcode": "ID-1",
		"nationalidcode": map[string]string{"polish": "44051401359", "finnish": "131052-308T"},
		"family/mother":  "Anna Mária Kiss", "family/father": "Varga-Nagy, Pál",
		"passport/number": "BH1", "passport/expiry": "2032-06-01", "passport/country": "CZ"})
	content.Put("contact", form.Object{"telephone/mobile": "+36 20", "address/street": "Fő utca 1\nfsz. 2",
		"address/house":     "1",
		"address/apartment": "2/B", "address/municipality": "Pécsi járás", "address/city": "Pécs",
		"address/region":     "Baranya",
		"address/postalcode": "7600", "address/country": "SZ"})
	content.AddRow("education", form.Object{"level": "SE", "institution": "Later in time", "country": "EE",
		"enrolment": "2018-09-01", "graduation": "2022-06"})
	content.AddRow("education", form.Object{"level": "PE", "institution": "Earlier", "graduation": "2018"})
	for _, language := range []form.Object{{"name": "en", "proficiency": "C1"}, {"name": "hu", "proficiency": "N"},
		{"name": "zz"}, {"name": "de"}} {
		content.AddRow("languages", language)
	}
	raw, err := json.Marshal(content)
	if err != nil {
		s.t.Fatal(err)
	}
	err = s.store.Write(s.t.Context(), func(tx *store.Tx) error {
		_, err := sqltest.In(tx).Exec("INSERT INTO application_content (application_id, content) VALUES (101, $1)",
			string(raw))
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// every column of resources.md 21, with its cell for application 101 and offer 201, in versions 9 and 8. One
// form is for both.
var columnCells = []struct{ source, application, offer, old string }{
	{"Application", "101", "101", ""}, {"Applicant", "1", "1", ""}, {"Offer", "201; 202", "201", ""},
	{"Status", "Handed in", "Handed in", ""}, {"Academic term", "Autumn semester 2026/27", "Autumn semester 2026/27",
		""}, {"Academic year", "2026/27", "2026/27", ""},
	{"Created date", "2026-03-02T12:00:00+00:00", "2026-03-02T12:00:00+00:00", "2026-03-02 12:00:00"},
	{"Revised date", "2026-03-05T16:20:11+00:00", "2026-03-05T16:20:11+00:00", "2026-03-05 16:20:11"},
	{"Submitted date", "2026-03-05T16:20:11+00:00", "2026-03-05T16:20:11+00:00", "2026-03-05 16:20:11"},
	{"Frozen date", "2026-03-05T16:20:11+00:00", "2026-03-05T16:20:11+00:00", "2026-03-05 16:20:11"},
	{"Flags", "Interview; A;B", "Interview; A;B", ""}, {"Registered date", "2026-03-08T10:00:00+00:00",
		"2026-03-08T10:00:00+00:00", "2026-03-08 10:00:00"},
	{"E-mail", "ilse@example.org", "ilse@example.org", ""}, {"Phone", "+36 1", "+36 1", ""}, {"Name", "Ilse Ágnes Varga",
		"Ilse Ágnes Varga", ""}, {"Given name(s)", "Ilse", "Ilse", ""},
	{"Middle name(s)", "Ágnes", "Ágnes", ""}, {"Family name(s)", "Varga", "Varga", ""}, {"Citizenship", "HU", "HU",
		"Hungary"}, {"Reference", "CRM-1", "CRM-1", ""},
	{"Matriculation number", "M-1", "M-1", ""}, {"Trackers", "fair; none", "fair; none", ""},
	{"Salutation", "Ms", "Ms", ""}, {"Gender", "F", "F", ""}, {"Date of birth", "2004-05-17", "2004-05-17",
		""}, {"Place of birth", "Pécs", "Pécs", ""},
	{"Country of birth", "HU", "HU", "Hungary"}, {"Nationality", "TR", "TR", "Türkiye"}, {"Marital status", "Single",
		"Single", ""}, {"Passport: Number", "BH1", "BH1", ""},
	{"Passport: Expiry", "2032-06-01", "2032-06-01", ""}, {"Passport: Country", "CZ", "CZ", "Czechia"}, {"ID code", "ID-1",
		"ID-1", ""},
	{"Social security number", "131052-308T; 44051401359", "131052-308T; 44051401359", ""}, {"Mother: Given name(s)",
		"Anna Mária", "Anna Mária", ""},
	{"Mother: Family name(s)", "Kiss", "Kiss", ""}, {"Father: Given name(s)", "Pál", "Pál", ""}, {"Father: Family name(s)",
		"Varga-Nagy", "Varga-Nagy", ""},
	{"Address: House number", "1", "1", ""}, {"Address: Apartment", "2/B", "2/B", ""}, {"Address: Municipality",
		"Pécsi járás", "Pécsi járás", ""},
	{"Address: Street", "Fő utca 1\nfsz. 2", "Fő utca 1\nfsz. 2", ""}, {"Address: City", "Pécs", "Pécs",
		""}, {"Address: Region", "Baranya", "Baranya", ""},
	{"Address: Postal code", "7600", "7600", ""}, {"Address: Country", "SZ", "SZ", "Eswatini"}, {"Telephone: Mobile",
		"+36 20", "+36 20", ""},
	{"Education: Level", "Upper secondary (EQF 4)", "Upper secondary (EQF 4)", ""}, {"Education: Institution",
		"Later in time", "Later in time", ""},
	{"Education: Country", "EE", "EE", "Estonia"}, {"Education: Enrolment", "2018-09", "2018-09",
		""}, {"Education: Graduation", "2022-06", "2022-06", ""},
	{"Language 1", "en", "en", "English"}, {"Language 1: Proficiency", "Advanced (C1)", "Advanced (C1)",
		""}, {"Language 2", "hu", "hu", "Hungarian"},
	{"Language 2: Proficiency", "Native speaker", "Native speaker", ""}, {"Language 3", "zz", "zz",
		""}, {"Language 3: Proficiency", "", "", ""},
	{"Course 1", "Energy Systems", "Energy Systems", ""}, {"Course 1: Code", "ENS-BSC", "ENS-BSC",
		""}, {"Course 1: Institution", "Northfield University", "Northfield University", ""},
	{"Course 1: Intake", "Autumn 2026", "Autumn 2026", ""}, {"Course 2", "Far", "Far", ""}, {"Course 2: Institution",
		`Zürich / "Süd"`, `Zürich / "Süd"`, ""}, {"Course 3", "", "", ""}, {"Course 5: Intake", "", "", ""},
	{"Course", "Energy Systems; Far", "Energy Systems", ""}, {"Course: Code", "ENS-BSC; FAR", "ENS-BSC", ""},
	{"Course: Institution", `Northfield University; Zürich / "Süd"`, "Northfield University", ""}, {"Course: Intake",
		"Autumn 2026; Autumn 2026", "Autumn 2026", ""},
	{"Priority", "1; 2", "1", ""}, {"Offer type", "Accepted; Unreplied", "Accepted", ""}, {"Offer type (confirmed)",
		"Accepted", "Accepted", ""},
	{"Offer date (confirmed)", "2026-03-06T09:05:12+00:00", "2026-03-06T09:05:12+00:00",
		"2026-03-06 09:05:12"}, {"Decision", "Final; None", "Final", ""},
	{"Decision date", "2026-03-07T10:00:00+00:00", "2026-03-07T10:00:00+00:00",
		"2026-03-07 10:00:00"}, {"Decision deadline", "2026-04-01", "2026-04-01", ""},
	{"Decline reason", "Health: Flu; Later", "Health: Flu", ""},
	{"Score (automatic)", "82.50", "82.50", ""}, {"Score (extra)", "-2.00", "-2.00", ""}, {"Score (total)", "80.50",
		"80.50", ""}, {"Rank", "1; 2; 1", "1", ""},
	{"Score: English", "7.5", "7.5", ""}, {"Score: Interview", "-5; 6", "-5", ""}, {"Score: Empty", "", "",
		""}, {"Score: Gone", "", "", ""},
	{"Invoices due", "EUR 60.00; USD 1.23", "EUR 60.00; USD 1.23", ""}, {"Invoices paid", "EUR 90.00", "EUR 90.00", ""},
	{"Task: Copy of passport or identity card", "Pending", "Pending", ""}, {"Task: Transcript of records", "", "",
		""}, {"Task: Gone", "", "", ""},
	{"Extra question: Dormitory?", "Yes", "Yes", ""}, {"Extra question: Funds", "EUR 80.00", "EUR 80.00",
		""}, {"Extra question: School country", "EE", "EE", "EE"},
	{"Extra question: Tongue", "en", "en", "English"}, {"Extra question: Hobbies", "Chess; Go", "Chess; Go",
		""}, {"Extra question: Essay", "Say \"hi\",\r\nplease", "Say \"hi\",\r\nplease", ""},
	{"Extra question: Score", "-1.50", "-1.50", ""}, {"Extra question: Proof", "/api/vN/applications/101/documents/222",
		"/api/vN/applications/101/documents/222", ""},
	{"Extra question: Job", "Employer: =SUM(A1)", "Employer: =SUM(A1)", ""}, {"Extra question: Arrival", "2026-08-24",
		"2026-08-24", ""}, {"Extra question: Gone", "", "", ""},
	{"Course 6", "", "", ""}, {"Course 01", "", "", ""}, {"Course 1: Other", "", "", ""}, {"Language 4", "", "",
		""}, {"Language 1: Other", "", "", ""}, {"Nonsense", "", "", ""}, {"", "", "", ""},
}

// table has the rows as a strict reader sees them; the line breaks of cells are those of encoding/csv.
func (a answer) table(t testing.TB) [][]string {
	t.Helper()
	if strings.HasPrefix(a.body, "\ufeff") || !strings.HasSuffix(a.body, "\r\n") {
		t.Fatalf("no CSV: %q", a.body)
	}
	rows, err := csv.NewReader(strings.NewReader(a.body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestTabledataColumns(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putTables(s)
		putContent(s)
		s.put(`UPDATE applicant SET middle = 'Ágnes' WHERE id = 1`,
			`INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES (3, 1, 1)`,
			`UPDATE application_status SET title = 'Handed in' WHERE name = 'Submitted'`,
			`UPDATE offer SET decline_words = 'Later' WHERE application_id = 101 AND priority = 2`,
			`UPDATE offer SET decline_class = 'HEALTH', decline_words = 'Flu' WHERE application_id = 101 AND priority = 1`)
		var sources []string
		for _, c := range columnCells {
			sources = append(sources, c.source)
		}
		putView(s, 21, false, "{}", sources...)
		putView(s, 22, true, "{}", sources...)
		for version := config.OldestVersion; version <= 10; version++ {
			prefix := fmt.Sprintf("/api/v%d", version)
			applications := s.get(prefix+"/tableviews/21/tabledata").want(t, 200)
			offers := s.get(prefix+"/tableviews/22/tabledata").want(t, 200)
			a, o := applications.table(t), offers.table(t)
			if len(a) != 1+5 || len(o) != 1+4 || applications.header.Get("X-Count") != "5" ||
				offers.header.Get("X-Count") != "4" || !slices.Equal(a[0], sources) {
				t.Fatalf("%d and %d rows", len(a), len(o))
			}
			for i, c := range columnCells {
				forApplication, forOffer := c.application, c.offer
				if version <= 8 && c.old != "" {
					forApplication, forOffer = c.old, c.old
				}
				want := strings.NewReplacer("/api/vN", prefix, "\r\n", "\n")
				if got := a[1][i]; got != want.Replace(forApplication) {
					t.Errorf("%s, version %d, application: %q, want %q", c.source, version, got, forApplication)
				}
				if got := o[1][i]; got != want.Replace(forOffer) {
					t.Errorf("%s, version %d, offer: %q, want %q", c.source, version, got, forOffer)
				}
			}
			if !strings.Contains(applications.body, "\"Say \"\"hi\"\",\r\nplease\"") ||
				!strings.Contains(applications.body, "\"Fő utca 1\nfsz. 2\"") {
				t.Error("a cell is not exactly its value")
			}
		}
		// Each column by itself, and twice, reads what it needs.
		for i, c := range columnCells {
			id := int64(100 + i)
			putView(s, id, false, "{}", c.source, c.source)
			row := s.get(fmt.Sprintf("/api/v10/tableviews/%d/tabledata", id)).want(t, 200).table(t)[1]
			if want := strings.NewReplacer("/api/vN", "/api/v10", "\r\n", "\n").Replace(c.application); row[0] != want ||
				row[1] != want {
				t.Errorf("%s alone: %q, want %q", c.source, row, want)
			}
		}
	})
}

func TestTabledata(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putTables(s)
		s.putViews(
			admitto.Tableview{ID: 21, Created: start, Modified: start + admitto.Hour, Title: `Zürich; "2026"`, Filters: "{}",
				Columns: []admitto.TableColumn{
					{Source: "Application", Title: "No."}, {Source: "Name", Title: "Who, exactly"}, {Source: "Submitted date",
						Title: "Submitted date"}, {Source: "Gone", Title: "Gone"}}},
			admitto.Tableview{ID: 22, Created: start, Modified: start, Title: "One", ByOffer: true,
				Filters: `{"statuses":["Blank"]}`,
				Columns: []admitto.TableColumn{{Source: "Decision", Title: "Decision"}}})
		body := crlf("No.,\"Who, exactly\",Submitted date,Gone\n101,Ilse Varga,2026-03-05T16:20:11+00:00,\n102,\"Ken Ito, \"\"K\"\"\",2026-03-02T12:00:00+00:00,\n" +
			"103,=1+1,,\n104,Ann Lee,2025-08-05T12:13:02+00:00,\n105,Ilse Varga,,\n")
		for _, accept := range []string{"", "application/json", "text/csv"} {
			a := s.get(v10("/tableviews/21/tabledata"), header("Accept", accept)).want(t, 200)
			h := s.do("HEAD", v10("/tableviews/21/tabledata"), "", header("Accept", accept)).want(t, 200)
			if diff := cmp.Diff(body, a.body); diff != "" {
				t.Fatal(diff)
			}
			for name, value := range map[string]string{"Content-Type": "text/csv; charset=utf-8", "X-Count": "5",
				"Cache-Control":       "private, no-store",
				"Content-Disposition": `attachment; filename="tableview-21.csv"; filename*=UTF-8''Z%C3%BCrich_%20_2026_.csv`,
				"Last-Modified":       "Mon, 09 Mar 2026 09:00:00 GMT",
				"Content-Length":      "", "Etag": "", "Accept-Ranges": ""} {
				if a.header.Get(name) != value || h.header.Get(name) != value {
					t.Errorf("%s: %q, %q", name, a.header.Get(name), h.header.Get(name))
				}
			}
		}
		if a := s.get("/api/v8/tableviews/21/tabledata").want(t, 200); a.body != strings.NewReplacer("T16:20:11+00:00",
			" 16:20:11", "T12:00:00+00:00", " 12:00:00",
			"T12:13:02+00:00", " 12:13:02").Replace(body) {
			t.Error(a.body)
		}
		if a := s.get(v10("/tableviews/22/tabledata")).want(t, 200); a.body != "Decision\r\n" ||
			a.header.Get("X-Count") != "0" {
			t.Errorf("%q", a.body)
		}
		for _, path := range []string{"/tableviews/99", "/tableviews/99/tabledata"} {
			for _, method := range []string{"GET", "HEAD"} {
				s.do(method, v10(path)+"?x=1", "", header("Prefer", "handling=strict")).want(t, 404)
			}
		}
		s.get(v10("/tableviews/x/tabledata")).want(t, 400).problem(t, "invalid-id")
		s.get(v10("/tableviews/21/tabledata?x=1"), header("Prefer", "handling=strict")).want(t, 400)
		if a := s.get(v10("/tableviews/21/tabledata?x=1")).want(t, 200); a.header.Get("Ignored-Parameters") != "x" {
			t.Error(a.header)
		}
	})
}

func TestTableviews(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putView(s, 21, true, "{}", "Offer", "Application")
		one := `{"id":21,"created":"2026-03-09T09:00:00+00:00","modified":"2026-03-09T10:00:00+00:00","title":"View","rows":"Offer",` +
			`"columns":["Offer","Application"],"tabledata":"/api/v10/tableviews/21/tabledata"}`
		if a := s.get(v10("/tableviews/21")).want(t, 200); a.body != one || a.header.Get("ETag") == "" {
			t.Error(a.body)
		}
		a := s.get(v10("/tableviews")).want(t, 200)
		want := `{"1":{"id":1,"created":"2026-03-09T09:00:00+00:00","modified":"2026-03-09T09:00:00+00:00","title":"Applications","rows":"Application",` +
			`"columns":["Application","Applicant","Status","E-mail","Given name(s)","Family name(s)","Citizenship","Gender","Date of birth","Address: Country","Created date","Submitted date"],` +
			`"tabledata":"/api/v10/tableviews/1/tabledata"},"21":` + one + `}`
		if a.body != want || a.header.Get("X-Count") != "2" {
			t.Errorf("%s %v", a.body, a.header)
		}
		for _, prefix := range eachPrefix() {
			if a := s.get(prefix+"/tableviews/21").want(t, 200); a.body != strings.ReplaceAll(one, "/api/v10", prefix) {
				t.Error(a.body)
			}
		}
	})
}

// TestTabledataRenamed renames what columns are called by: they have the cells that they had, headers that nobody wrote
// have the new name, and what shares a name with others gets a column of its own.
func TestTabledataRenamed(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putTables(s)
		putContent(s)
		s.put(`UPDATE course SET form = '{"questions":[{"id":1}]}' WHERE id = 100`)
		passport := "Task: Copy of passport or identity card"
		putView(s, 21, false, "{}", "Application", "Score: English", passport, "Extra question: Dormitory?")
		putView(s, 22, false, "{}", "Application", "Status")
		s.putViews(admitto.Tableview{ID: 23, Created: start, Modified: start, Title: "Own", Filters: "{}",
			Columns: []admitto.TableColumn{{Source: "Score: English", Title: "Points"}}})
		var sheet, twin admitto.Scoresheet
		var passports admitto.TaskTemplate
		var dormitory admitto.Question
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(s.store.Read(t.Context(), func(tx *store.Tx) (err error) {
			if sheet, err = tx.Scoresheet(6); err != nil {
				return err
			}
			templates, err := tx.TaskTemplates()
			for _, k := range templates {
				if err == nil && admitto.TaskColumn+k.Title == passport {
					passports, err = tx.TaskTemplate(k.ID)
				}
			}
			if err == nil {
				dormitory, err = tx.Question(1)
			}
			return err
		}))
		before := s.get(v10("/tableviews/21/tabledata")).want(t, 200).table(t)
		by := usecase.Caller{Caller: admitto.AdministratorCaller(1, admitto.AllPermissions(), "")}
		s.put("INSERT INTO administrator (id, name, email) VALUES (1, 'Hana Yildiz', 'hana@example.edu')")
		sheet.Name, passports.Title, dormitory.Name = "English 2026", "Passport", "A place in the dormitory?"
		_, err := s.services.Catalogue.SaveScoresheet(t.Context(), by, sheet)
		must(err)
		_, err = s.services.Catalogue.SaveTaskTemplate(t.Context(), by, passports)
		must(err)
		_, err = s.services.Catalogue.SaveQuestion(t.Context(), by, 100, dormitory, false)
		must(err)
		want := slices.Clone(before)
		want[0] = []string{"Application", "Score: English 2026", "Task: Passport",
			"Extra question: A place in the dormitory?"}
		if diff := cmp.Diff(want, s.get(v10("/tableviews/21/tabledata")).want(t, 200).table(t)); diff != "" ||
			before[1][1] != "7.5" || before[1][2] != "Pending" || before[1][3] != "Yes" {
			t.Error(before[1], diff)
		}
		if rows := s.get(v10("/tableviews/23/tabledata")).want(t, 200).table(t); rows[0][0] != "Points" ||
			rows[1][0] != "7.5" {
			t.Error(rows)
		}
		for id, edits := range map[int]int{21: 3, 22: 0, 23: 1} {
			if n := s.count(fmt.Sprintf("SELECT count(*) FROM journal WHERE pattern = 'Tableview was edited: ?' AND bind = '[\"%d\"]'",
				id)); n != int64(edits) {
				t.Errorf("tableview %d was edited %d times", id, n)
			}
		}
		// Two of one name: the one that leaves it gets a column, the one that stays keeps its own.
		twin = sheet
		twin.ID, twin.Name = 0, "Of an earlier release"
		twin.ID, err = s.services.Catalogue.SaveScoresheet(t.Context(), by, twin)
		must(err)
		s.put(fmt.Sprintf("UPDATE scoresheet SET name = 'English 2026' WHERE id = %d", twin.ID))
		sheet.Name = "English 2027"
		_, err = s.services.Catalogue.SaveScoresheet(t.Context(), by, sheet)
		must(err)
		rows := s.get(v10("/tableviews/23/tabledata")).want(t, 200).table(t)
		if got := fmt.Sprint(rows[:2]); got != "[[Points Score: English 2027] [ 7.5]]" {
			t.Error(got)
		}
	})
}

// Filters select applications; of an Offer row the offer itself must meet those on courses and offers.
func TestTabledataFilters(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putTables(s)
		id := int64(30)
		for _, row := range []struct{ filters, applications, offers string }{
			{`{}`, "101 102 103 104 105", "201 202 203 204"},
			{`{"statuses":[],"flags":[]}`, "101 102 103 104 105", "201 202 203 204"},
			{`{"statuses":["Submitted","Draft"]}`, "101 102 103", "201 202 203"},
			{`{"terms":[2]}`, "104 105", "204"},
			{`{"years":[2026]}`, "101 102 103", "201 202 203"},
			{`{"years":[1999]}`, "", ""},
			{`{"applicants":[1,5]}`, "101 105", "201 202"},
			{`{"courses":[100]}`, "101", "202"},
			{`{"intakes":[9]}`, "104", "204"},
			{`{"course_institutions":[2]}`, "101", "202"},
			{`{"course_types":["UG"]}`, "101 102 103", "201 203"},
			{`{"offer_types":[17]}`, "101 104", "201 204"},
			{`{"offer_decisions":["Final","Declined"]}`, "101 102", "201 203"},
			{`{"offer_institutions":[2]}`, "101", "202"},
			{`{"offer_confirmed":true}`, "101 102 104", "201 203 204"},
			{`{"offer_confirmed":false}`, "103 105", "202"},
			{`{"flags":[5]}`, "101 102", "201 202 203"},
			{fmt.Sprintf(`{"created_since":%d}`, micros("2026-01-01T00:00:00Z")), "101 102 103", "201 202 203"},
			{fmt.Sprintf(`{"revised_since":%d}`, micros("2026-03-03T00:00:00Z")), "101", "201 202"},
			{fmt.Sprintf(`{"submitted_since":%d}`, micros("2026-03-02T12:00:00Z")), "101 102", "201 202 203"},
			{`{"statuses":["Submitted"],"terms":[13],"courses":[55],"flags":[6],"offer_types":[17,1]}`, "101", "201"},
		} {
			for _, byOffer := range []bool{false, true} {
				source, want := "Application", row.applications
				if byOffer {
					source, want = "Offer", row.offers
				}
				id++
				putView(s, id, byOffer, row.filters, source)
				a := s.get(fmt.Sprintf("/api/v10/tableviews/%d/tabledata", id)).want(t, 200)
				var got []string
				for _, cells := range a.table(t)[1:] {
					got = append(got, cells[0])
				}
				if strings.Join(got, " ") != want || a.header.Get("X-Count") != fmt.Sprint(len(got)) {
					t.Errorf("%s, offers %v: %v, X-Count %s", row.filters, byOffer, got, a.header.Get("X-Count"))
				}
			}
		}
		putView(s, 20, false, `{"unheard":1}`, "Application")
		s.get(v10("/tableviews/20/tabledata")).want(t, 500).problem(t, "internal")
	})
}

// putMany makes n applicants from 1001, each with an application and an offer of the same ID.
func putMany(s *service, n int) {
	s.t.Helper()
	err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
		for _, step := range []struct {
			sql  string
			args func(id int64) []any
		}{
			{"INSERT INTO applicant (id, state, lead, registered, given, email, email_key) VALUES ($1, 'live', FALSE, 1, $2, $3, $3)",
				func(id int64) []any {
					return []any{id, fmt.Sprintf("No. %d, \"%d\"\n=%d", id, id, id), fmt.Sprintf("a%d@example.org", id)}
				}},
			{"INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES ($1, $1, 13, 'Submitted', 1, 1)",
				func(id int64) []any { return []any{id} }},
			{"INSERT INTO application_course (application_id, course_id, institution_id, priority, added) VALUES ($1, 55, 1, 1, 1)",
				func(id int64) []any { return []any{id} }},
			{"INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id) VALUES ($1, $1, $1, 55, 1, 1, 1, 1)",
				func(id int64) []any { return []any{id} }},
		} {
			err := sqltest.In(tx).Bulk(step.sql, func(yield func([]any) bool) {
				for i := range n {
					if !yield(step.args(int64(1001 + i))) {
						return
					}
				}
			})
			if err != nil {
				return err
			}
		}
		return tx.RecountCounters()
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// Thousands of rows come page by page, each with the same number of statements.
func TestTabledataStreams(t *testing.T) {
	const rows = 3000
	onEach(t, func(t *testing.T, s *service) {
		putCatalogue(s)
		putMany(s, rows)
		columns := []string{"Application", "Offer", "Name", "Course", "Course 1", "Offer type", "Flags", "Trackers",
			"Date of birth", "Score: X", "Task: X", "Invoices due"}
		for i, byOffer := range []bool{false, true} {
			id := int64(21 + i)
			putView(s, id, byOffer, `{"statuses":["Submitted"]}`, columns...)
			path := fmt.Sprintf("/api/v10/tableviews/%d/tabledata", id)
			before := s.store.Statements()
			a := s.get(path).want(t, 200)
			if statements := s.store.Statements() - before; statements > 40+7*11 {
				t.Errorf("%d statements", statements)
			}
			table := a.table(t)
			if len(table) != rows+1 || a.header.Get("X-Count") != fmt.Sprint(rows) {
				t.Fatalf("%d rows, X-Count %s", len(table), a.header.Get("X-Count"))
			}
			for n, cells := range table[1:] {
				id := 1001 + n
				want := []string{fmt.Sprint(id), fmt.Sprint(id), fmt.Sprintf("No. %d, \"%d\"\n=%d", id, id, id), "Energy Systems",
					"Energy Systems", "Unreplied", "", "", "", "", "", ""}
				if !slices.Equal(cells, want) {
					t.Fatalf("row %d: %q", n, cells)
				}
			}
		}
	})
}

// No transaction is open while a slow client reads, so writes go on; what is made meanwhile is not among the rows.
func TestTabledataSlowClient(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putCatalogue(s)
		putMany(s, 2000)
		putView(s, 21, false, "{}", "Application", "Name")
		table, err := s.services.Reports.OpenTable(t.Context(), admitto.SystemCaller(), 21, report.TableForm{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for {
			rows, err := table.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(rows) == 0 {
				break
			}
			n += len(rows)
			s.put(fmt.Sprintf("INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (%d, 'live', FALSE, 1, 'x%d', 'x%d')", 90000+n, n, n),
				fmt.Sprintf("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (%d, %d, 13, 'Blank', 1, 1)", 90000+n, 90000+n))
		}
		if n != 2000 || table.Rows != 2000 {
			t.Fatalf("%d rows of %d", n, table.Rows)
		}
	})
}

// A stream that fails midway is cut off and never looks complete; before the first row it is a clean error.
func TestTabledataFails(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putCatalogue(s)
		putMany(s, 1500)
		putView(s, 21, false, "{}", "Application", "Date of birth")
		s.put("INSERT INTO application_content (application_id, content) VALUES (2400, '{broken')")
		for _, client := range []*http.Client{s.server.Client(), s.plainHTTP1()} {
			r, err := http.NewRequestWithContext(t.Context(), "GET", s.server.URL+v10("/tableviews/21/tabledata"), nil)
			if err != nil {
				t.Fatal(err)
			}
			key(s.key)(r)
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err == nil || response.StatusCode != 200 || response.Header.Get("Content-Length") != "" {
				t.Fatalf("the answer looks complete: %d, %d bytes, %v", response.StatusCode, len(text), response.Header)
			}
		}
		s.put("UPDATE application_content SET application_id = 1001")
		s.get(v10("/tableviews/21/tabledata")).want(t, 500).problem(t, "internal")
		s.do("HEAD", v10("/tableviews/21/tabledata"), "").want(t, 200)
	})
}
