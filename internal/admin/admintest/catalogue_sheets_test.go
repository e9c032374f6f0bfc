package admintest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// file is what a page answers to be downloaded.
func file(v *sitetest.Visitor, path string) string {
	return strings.TrimPrefix(v.Do(http.MethodGet, path, nil).Body, "\uFEFF")
}

// TestSheets imports courses and intakes into an instance without any: nothing is written before it is pressed, the
// same file again changes nothing, and what is exported says the same (screens.md A38, A40).
func TestSheets(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.Keep()
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		i.Put("INSERT INTO academic_term (id, year, name, type, start, grace, finish) " +
			"VALUES (1, 2026, 'Autumn', 2, '2026-09-01', '2026-10-31', '2027-01-31')")
		v := i.Staff(i.Superuser("Hana Yildiz"))
		for _, c := range []struct{ kind, content, again, count string }{
			{"intake", "name;term;deadlines;decision_policy;decision_days\n" +
				"Autumn 2026;1;\"001: 2026-04-15\nEU: 2026-06-30, EU citizens\nRU: - barred\";Required;30\nLate;1;;;\n",
				"name,term,policy\nLate,1,Rolling\n", "SELECT count(*) FROM intake"},
			{"course", "\uFEFFcode,name,type,mode,intakes,awards,status,quota,featured\r\nPHY,Physics,UG,FT,1 2,BSc: Bachelor of Science," +
				"Online,40,yes\r\n,'=Chemistry,PG,PT,,\"MSc: Master\r\nMEng\",,,\r\n", "code,quota\nPHY,50\n",
				"SELECT count(*) FROM course"},
		} {
			address := "/admin/" + c.kind + "s/import"
			began := len(i.Journal())
			page := v.Open(address).SubmitFile("file", "a.csv", c.content)
			if text := page.Text("main"); !strings.Contains(text, "Nothing is stored yet") ||
				!strings.Contains(text, "New2") {
				t.Fatal(page.Errors(), text)
			}
			if n := i.Number(c.count); n != 0 || len(i.Journal()) != began {
				t.Errorf("%d records are written before it is pressed", n)
			}
			page = page.Submit("Import 2 rows")
			if text := page.Text(".notice"); !strings.Contains(text, "2 new, 0 changed") {
				t.Fatal(page.Errors(), page.Text("main"))
			}
			if n := i.Number(c.count); n != 2 {
				t.Errorf("%d records", n)
			}
			written := len(i.Journal())
			whole := file(v, "/admin/"+c.kind+"s/export")
			for _, content := range []string{c.content, whole} {
				page = v.Open(address).SubmitFile("file", "a.csv", content)
				if text := page.Text("main"); !strings.Contains(text, "nothing to import") ||
					!strings.Contains(text, "Unchanged2") {
					t.Error(text)
				}
			}
			if n := len(i.Journal()); n != written {
				t.Errorf("%d events of what did not change", n-written)
			}
			page = v.Open(address).SubmitFile("file", "a.csv", c.again).Submit("Import 1 row")
			if text := page.Text(".notice"); !strings.Contains(text, "0 new, 1 changed") {
				t.Error(page.Text("main"))
			}
		}
		if n := i.Number("SELECT count(*) FROM course c JOIN course_intake x ON x.course_id = c.id " +
			"WHERE c.status = 'Online' AND c.quota = 50 AND c.featured"); n != 2 {
			t.Error(n)
		}
		if n := i.Number("SELECT count(*) FROM course WHERE name = '=Chemistry' AND status = 'Draft'"); n != 1 {
			t.Error(n)
		}
		if n := i.Number("SELECT count(*) FROM intake_deadline WHERE intake_id = 1"); n != 3 {
			t.Error(n)
		}
		events := "\n" + strings.Join(i.Since(0), "\n")
		for _, want := range []string{"\nIntake was created: 1", "\nIntake was edited: 2", "\nCourse was created",
			"\nCourse status was set: Online", "\nCourse was edited"} {
			if !strings.Contains(events, want) {
				t.Errorf("%q is not in the journal: %s", want, events)
			}
		}
	})
}

// TestSheetLanguages imports and exports texts in a further language, each in a column of its own (lifecycle.md R11).
func TestSheetLanguages(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	read := func(kind, content, want string) *sitetest.Page {
		t.Helper()
		page := v.Open("/admin/"+kind+"s/import").SubmitFile("file", "a.csv", content)
		if text := page.Text("main"); !strings.Contains(text, want) {
			t.Errorf("%s: %q is not in %.900s", content, want, text)
		}
		return page
	}
	read("course", "id,name[ar],about[ar]\n1,فيزياء,\"سطر\nثان\"\n", "name[ar]").Submit("Import 1 row")
	read("course", "id,name[ar]\n1,فيزياء\n", "Unchanged1")
	read("course", "id,name[fr]\n1,Physique\n", "no column")
	read("course", "id,name[ar]\n1,"+strings.Repeat("x", 300)+"\n", "[ar]: ")
	territory := strings.TrimSpace(i.Lines("SELECT territory FROM intake_deadline WHERE intake_id = 1 AND territory <> '001' LIMIT 1"))
	i.Put("UPDATE intake_deadline SET info = 'Come early.' WHERE intake_id = 1 AND territory = '" + territory + "'")
	read("intake", "id,deadlines[ar]\n1,"+territory+": مبكراً\n", "deadline "+territory+"[ar]").Submit("Import 1 row")
	read("intake", "id,deadlines[ar]\n1,مبكراً\n", "deadlines[ar]: ")
	for table, words := range map[string]string{"course": "فيزياء", "intake": territory + ": مبكراً"} {
		sheet := file(v, "/admin/"+table+"s/export")
		if !strings.Contains(sheet, words) {
			t.Errorf("%q is not in %.400s", words, sheet)
		}
		read(table, sheet, fmt.Sprintf("Unchanged%d", i.Number("SELECT count(*) FROM "+table)))
	}
	read("course", "id,name[ar]\n1,\n", "name[ar]").Submit("Import 1 row")
	if n := i.Number("SELECT count(*) FROM course WHERE names = '{}' AND versions <> '{}' AND id = 1"); n != 1 {
		t.Error("the name in Arabic is not gone, or other texts are")
	}
}

// TestSheetRoundTrip exports what an instance has and imports it again: nothing changes.
func TestSheetRoundTrip(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	for kind, table := range map[string]string{"course": "course", "intake": "intake"} {
		n := i.Number("SELECT count(*) FROM " + table)
		page := v.Open("/admin/"+kind+"s/import").SubmitFile("file", "a.csv", file(v, "/admin/"+kind+"s/export"))
		if text := page.Text("main"); !strings.Contains(text, fmt.Sprintf("Unchanged%d", n)) {
			t.Errorf("%s: %.1500s", kind, text)
		}
	}
}

// TestRowsOfCourses tells what course a row is about: the one with its code, else with its name, whether that one has a
// code or not.
func TestRowsOfCourses(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	i.Put("UPDATE course SET name = 'Economics', code = 'ECO', institution_id = 1 WHERE id = 1",
		"UPDATE course SET name = 'Twins', code = 'ONE', institution_id = 1 WHERE id = 2",
		"UPDATE course SET name = 'Twins', code = '', institution_id = 1 WHERE id = 3",
		"UPDATE course SET name = 'Bare', code = '', institution_id = 1 WHERE id = 4")
	const twice, several = "Line 2 is about the same record", "Several records have this name"
	for _, c := range []struct{ content, want string }{
		{"name,quota\nEconomics,77\n", "Changed1"},
		{"name,quota\n\" Economics \",77\n", "Changed1"},
		{"code,quota\nECO,77\n", "Changed1"},
		{"name,quota\nBare,77\n", "Changed1"},
		{"name,institution,quota\nEconomics,1,77\n", "Changed1"},
		{"name,quota\nTwins,77\n", several},
		{"code,quota\nONE,77\n", "Changed1"},
		{"code,name\nNEW,Bare\n", "New1"},  // a row with a code is known by that
		{"code,name\neco,Other\n", "New1"}, // upper and lower case are two codes
		{"code,name\neco,Other\nEcO,Other\n", "New2"},
		{"name\nNobody has this\n", "New1"},
		{"name,quota\nEconomics,77\nEconomics,78\n", twice},
		{"code,name,quota\nECO,Economics,77\n,Economics,78\n", twice},
		{"code,name\nNEW,Other\n,Other\n", twice},
		{"code,name\n,Other\nNEW,Other\n", twice},
		{"code,name\n,Economics\nNEW,Economics\n", twice},
		{"code,name\nNEW,Other\nNEWER,Other\n", "New2"},
		{"id,name\n9999,Other\n,Other\n", "no record with the ID 9999"},
	} {
		page := v.Open("/admin/courses/import").SubmitFile("file", "a.csv", c.content)
		if text := page.Text("main"); !strings.Contains(text, c.want) {
			t.Errorf("%q: %q is not in %.600s", c.content, c.want, text)
		}
	}
	page := v.Open("/admin/courses/import").SubmitFile("file", "a.csv", "id,name\nfirst,Other\nsecond,Other\n")
	if text := page.Text("main table"); !strings.Contains(text, "is no ID") || strings.Contains(text, "same record") {
		t.Error(text)
	}
}

// TestBadSheets imports what is wrong: the page names line, column and reason, and nothing is stored.
func TestBadSheets(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	i.Put("UPDATE institution SET status = 'Draft' WHERE id = 1", "UPDATE course SET code = 'TWIN' WHERE id IN (2, 3)")
	records := len(i.Journal())
	for _, bad := range []struct{ kind, content, want string }{
		{"course", "", "no rows below"},
		{"course", "name\n", "no rows below"},
		{"course", "name\nK\x81ln\n", "not a text in UTF-8"},
		{"course", "name,about\nA," + strings.Repeat("x", 20_001) + "\n", "more than 20,000 characters"},
		{"course", "name\n\"open\n", "line 2 is not closed"},
		{"course", "name\n" + strings.Repeat("A\n", 10_001), "more than 10,000 rows"},
		{"course", "name" + strings.Repeat(",a", 200) + "\nA\n", "more than 200 columns"},
		{"course", "name,colour\nA,red\n", "no column"},
		{"course", "name,NAME\nA,B\n", "stands there twice"},
		{"course", "quota\n4\n", "needs a column id, code or name"},
		{"course", "name\n" + strings.Repeat("x", 300) + "\n", "at most 255"},
		{"course", "id,name\n9999,A\n", "id: There is no record with the ID 9999"},
		{"course", "id,name\nfirst,A\n", "is no ID"},
		{"course", "code,name\nTWIN,A\n", "Several records"},
		{"course", "id,name\n1,A\n1,B\n", "Line 2 is about the same record"},
		{"course", "code,name\nNEW,A\nNEW,B\n", "Line 2 is about the same record"},
		{"course", "name,type\nA,XX\n", `type: Write one of these: "`},
		{"course", "name,mode\nA,XX\n", `mode: Write one of these: "`},
		{"intake", "name,term,decision_policy\nA,1,Maybe\n", `Write one of these: "None", "Advisory", "Required".`},
		{"course", "name,quota\nA,many\n", "quota: "},
		{"course", "name,quota\nA,-1\n", "quota: "},
		{"course", "name,featured\nA,maybe\n", "featured: Write yes or no"},
		{"course", "name,intakes\nA,1 x\n", "intakes: "},
		{"course", "name,intakes\nA,9999\n", "intakes: "},
		{"course", "name,institution\nA,9999\n", "institution: "},
		{"course", "name,status\nA,Gone\n", `status: Write one of these: "Online", "Private", "Standby", "Draft", `},
		{"course", "name,status\nA,Online\n", "status: "},
		{"course", "name\nA,B\n", "more cells"},
		{"course", "name,country\nA,Utopia\n", "country: "},
		{"course", "name,prospect_uri\nA,javascript:alert(1)\n", "prospect_uri: "},
		{"intake", "name\nA\n", "term: "},
		{"intake", "name,term\nA,9999\n", "term: "},
		{"intake", "name,term,start\nA,1,1.9.2026\n", "start: "},
		{"intake", "name,term,start\nA,1,2026-02-30\n", "start: "},
		{"intake", "name,term,start,deadlines\nA,1,2026-02-02,\"001: 2026-02-01\nEU: 2026-01-31\"\n",
			"start: Applying opens on 2 February 2026, after the last deadline, 1 February 2026"},
		{"intake", "name,term,start\nA,1,2099-02-02\n", "start: Applying opens on 2 February 2099, after the last day of " +
			"admission of the term"},
		{"intake", "name,term,deadlines\nA,1,soon\n", "deadlines: "},
		{"intake", "name,term,deadlines\nA,1,EU: 2026-13-01\n", "deadlines: "},
		{"intake", "name,term,deadlines\nA,1,XX: 2026-01-01\n", "deadlines: "},
		{"intake", "name,term,deadlines\nA,1,\"EU: -\nEU: -\"\n", "deadlines: "},
		{"intake", "name,term,policy\nA,1,Loose\n", `policy: Write one of these: "Strict (course)"`},
		{"intake", "name,term,decision_policy\nA,1,Required\n", "decision_days: "},
		{"intake", "name,term,decision_days\nA,1,400\n", "decision_days: "},
		{"intake", "name,term,pre_mask\nA,1,yes\n", "pre_deadline: "},
	} {
		page := v.Open("/admin/"+bad.kind+"s/import").SubmitFile("file", "a.csv", bad.content)
		said := strings.Join(page.Errors(), " ") + page.Text("main table")
		if !strings.Contains(said, bad.want) {
			t.Errorf("%.60q: %.400s, want %q", bad.content, said, bad.want)
		}
		if page.Find("button[name=write]").Length() != 0 {
			t.Errorf("%.60q can be imported", bad.content)
		}
	}
	page := i.Staff(i.Superuser("Ines Faro")).Open("/admin/courses/import").Submit("Check the file")
	if errors := strings.Join(page.Errors(), ""); !strings.Contains(errors, "Choose a file") {
		t.Error(page.Text("main"))
	}
	if n := len(i.Journal()); n != records {
		t.Errorf("%d records were written: %v", n-records, i.Since(records))
	}
	other := i.Staff(i.Administrator("Kofi Haugen", admitto.IntakesEdit))
	for path, want := range map[string]int{"/admin/courses/import": 403, "/admin/courses/export": 403,
		"/admin/intakes/import": 200} {
		if page := other.Open(path); page.Status != want {
			t.Error(path, page.Status)
		}
	}
}
