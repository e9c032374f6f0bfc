package admintest

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	catalog "github.com/admitto/admitto/internal/catalogue"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// counted is how many records of a season there are.
func counted(i *sitetest.Instance) [5]int64 {
	var list [5]int64
	for n, sql := range []string{"SELECT count(*) FROM academic_term", "SELECT count(*) FROM intake",
		"SELECT count(*) FROM course WHERE status = 'Draft'", "SELECT count(*) FROM offer_type WHERE status = 'Online'",
		"SELECT count(*) FROM task_template WHERE active"} {
		list[n] = i.Number(sql)
	}
	return list
}

// TestSeasonTemplate sets up a year from the template on an instance that has nothing: it shows what it creates,
// creates courses as drafts and leaves nine offer types in use; doing it again changes nothing (screens.md A05).
func TestSeasonTemplate(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		v := i.Staff(i.Superuser("Hana Yildiz"))
		began := len(i.Journal())
		page := v.Open("/admin/terms/season?year=2027")
		for _, want := range []string{"Autumn semester 2027/28", "Spring semester 2027/28", "Autumn 2027, bachelor",
			"Spring 2028, master", "Master course", "21 types are archived", "4 templates are switched on",
			"Mandatory consent", "30 April 2027", "Applying opens on 1 December 2026; ",
			"Applying opens on 1 May 2027; "} {
			if text := page.Text("main"); !strings.Contains(text, want) {
				t.Errorf("%q is not in %s", want, text)
			}
		}
		page = page.Submit("Create the season", "autumn_world-day", "15")
		if text := page.Text(".notice"); !strings.Contains(text, "The season was set up") {
			t.Fatal(page.Errors(), page.Text("main"))
		}
		if got, want := counted(i), [5]int64{2, 4, 2, 9, 4}; got != want {
			t.Errorf("there are %v, want %v", got, want)
		}
		if n := i.Number("SELECT count(*) FROM intake_deadline WHERE territory = '001' AND deadline = '2027-04-15'"); n != 2 {
			t.Error(n)
		}
		if n := i.Number("SELECT count(*) FROM course_intake"); n != 4 {
			t.Error(n)
		}
		days := strings.TrimSpace(i.Lines("SELECT DISTINCT start FROM intake ORDER BY start"))
		if days != "2026-12-01 2027-05-01" {
			t.Errorf("applying opens on %q", days)
		}
		events := strings.Join(i.Since(began), "\n")
		for _, want := range []string{"Academic term was created: 2", "Intake was created: 4", "Course was created",
			"Offer type was archived: 2", "Task template was edited: 2"} {
			if !strings.Contains(events, want) {
				t.Errorf("%q is not in the journal: %s", want, events)
			}
		}
		written := len(i.Journal())
		page = v.Open("/admin/terms/season?year=2027").Submit("Create the season", "autumn_world-day", "15")
		if got, want := counted(i), [5]int64{2, 4, 2, 9, 4}; got != want || len(i.Journal()) != written {
			t.Errorf("again there are %v and %d events more: %s", got, len(i.Journal())-written, page.Text(".notice"))
		}
		// What applicants see already is not changed; the page says that it is not.
		const stays = "No draft any more, so it stays as it is"
		if text := page.Text("main"); strings.Contains(text, stays) {
			t.Error(text)
		}
		i.Put("UPDATE course SET status = 'Online' WHERE name = 'Master course'")
		if text := v.Open("/admin/terms/season?year=2028").Text("main"); strings.Count(text, stays) != 1 {
			t.Error(text)
		}
	})
}

// TestSeasonOfSharedNames takes a term of the name that the template has, whatever its type is: no two terms of a year
// are called the same.
func TestSeasonOfSharedNames(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	v.Open("/admin/terms/new").Submit("Add term", "name", "Autumn semester 2040/41", "year", "2040", "type", "7",
		"start-day", "1", "start-month", "9", "start-year", "2040", "grace-day", "31", "grace-month", "10",
		"grace-year", "2040", "finish-day", "31", "finish-month", "1", "finish-year", "2041")
	page := v.Open("/admin/terms/season?year=2040").Submit("Create the season")
	if n := i.Number("SELECT count(*) FROM academic_term WHERE year = 2040"); n != 2 {
		t.Errorf("there are %d terms: %q", n, page.Errors())
	}
}

// TestProposedIntakeOpens proposes an intake in which somebody can apply, whenever its term begins.
func TestProposedIntakeOpens(t *testing.T) {
	today := admitto.Date{Year: 2026, Month: 1, Day: 15}
	for kind := int64(1); kind <= 4; kind++ {
		for later := range 20 {
			begins := admitto.Date{Year: 2026, Month: 1, Day: 31}.AddMonths(later)
			term := admitto.Term{Year: 2026, Type: kind, Start: begins, Grace: begins.AddMonths(1)}
			i := catalog.ProposedIntake(today, &term)
			if !i.Opens(today) || i.Start.AddMonths(9).Month != begins.Month {
				t.Errorf("type %d from %s: opens %s, until %s", kind, begins, i.Start, i.Deadlines[0].Day)
			}
		}
	}
}

// TestBadSeasons posts what is wrong into the template of a season; nothing is stored, and what was typed stays.
func TestBadSeasons(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	records, before := len(i.Journal()), counted(i)
	for _, bad := range []struct {
		year   string
		fields []string
		want   string
	}{
		{"2040", []string{"terms", "-"}, "Choose one"},
		{"2040", []string{"terms", "winter"}, "Choose one"},
		{"2040", []string{"levels", "-"}, "Choose one"},
		{"2040", []string{"region", "XX"}, "Choose one"},
		{"2040", []string{"autumn_world-day", "31", "autumn_world-month", "2"}, "There is no such day"},
		{"2040", []string{"autumn_world-day", "", "autumn_world-month", "", "autumn_world-year", ""}, "Choose a day"},
		{"2040", []string{"autumn_world-year", "2041"}, "last day of admission"},
		{"2040", []string{"autumn_world-year", "2038", "autumn_region-year", "2038"}, "so nobody can apply"},
		{"2040", []string{"autumn_world-year", "2038", "region", ""}, "Applying opens on 1 December 2039"},
	} {
		page := v.Open("/admin/terms/season?year="+bad.year).Submit("Create the season", bad.fields...)
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, bad.want) {
			t.Errorf("%s %q: %q, want %q", bad.year, bad.fields, errors, bad.want)
		}
		typed := sitetest.Typed(page.Find("main form[method=post]").First())
		for n := 0; n+1 < len(bad.fields); n += 2 {
			name, want := bad.fields[n], bad.fields[n+1]
			if strings.Contains(name, "_") && typed.Get(name) != want {
				t.Errorf("%s was %q, became %q", name, want, typed.Get(name))
			}
		}
	}
	if after := counted(i); after != before || len(i.Journal()) != records {
		t.Errorf("%v became %v: %v", before, after, i.Since(records))
	}
	for _, year := range []string{"abc", "1066", "-1", "99999999999999999999", "<b>"} { // no other year in its place
		page := v.Open("/admin/terms/season?year=" + url.QueryEscape(year))
		if text := page.Text("main"); !strings.Contains(text, "from 2000 to 2199") || page.Status != 200 ||
			page.Find("#year").AttrOr("value", "") != year || page.Find("main form[method=post]").Length() != 0 {
			t.Errorf("%s: %d %s", year, page.Status, text)
		}
		if text := v.Open("/admin/terms/season-later?year=" + url.QueryEscape(year)).Text("main .notice"); !strings.Contains(
			text, "no terms of the year") || !strings.Contains(text, year) {
			t.Errorf("%s: %s", year, text)
		}
	}
	one := i.Staff(i.Administrator("Kofi Haugen", admitto.AcademicTermsEdit))
	for _, path := range []string{"/admin/terms/season", "/admin/terms/season-later"} {
		if page := one.Open(path); page.Status != 403 {
			t.Error(path, page.Status)
		}
	}
	// Who may not archive offer types does not see that part, and cannot ask for it.
	some := i.Staff(i.Administrator("Ines Faro", admitto.AcademicTermsEdit, admitto.IntakesEdit, admitto.CoursesEdit))
	page := some.Open("/admin/terms/season?year=2041")
	if page.Find("[name=offer_types], [name=tasks], [name=consent]").Length() != 0 {
		t.Error(page.Text("main"))
	}
	page.Submit("Create the season", "offer_types", "yes", "terms", "autumn", "levels", "master")
	if after := counted(i); after[0] != before[0]+1 || after[1] != before[1]+1 || after[3] != before[3] {
		t.Errorf("%v became %v", before, after)
	}
}

// TestRepeatedYear makes a year again, with all days a year later, and says what is to be checked; again it changes
// nothing (screens.md A40, A41).
func TestRepeatedYear(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	year := i.Number("SELECT max(year) FROM academic_term")
	terms := i.Number("SELECT count(*) FROM academic_term WHERE year = (SELECT max(year) FROM academic_term)")
	intakes := i.Number("SELECT count(*) FROM intake WHERE academic_term_id IN " +
		"(SELECT id FROM academic_term WHERE year = (SELECT max(year) FROM academic_term))")
	ties := "SELECT count(*) FROM course_intake x JOIN intake i ON i.id = x.intake_id " +
		"JOIN academic_term t ON t.id = i.academic_term_id JOIN course c ON c.id = x.course_id " +
		"WHERE c.status NOT IN ('Archived', 'Closed') AND t.year = (SELECT max(year) FROM academic_term)"
	tied, before := i.Number(ties), counted(i)
	i.Put("UPDATE intake SET start = '2090-02-01' WHERE id = (SELECT min(id) FROM intake WHERE academic_term_id IN " +
		"(SELECT id FROM academic_term WHERE year = (SELECT max(year) FROM academic_term)))")
	var press string
	page := v.Open("/admin/terms/season-later")
	for _, button := range strings.Split(page.Text("main form[method=post] button"), "later") {
		if strings.HasPrefix(strings.TrimSpace(button), "Make") {
			press = strings.TrimSpace(button) + " later"
		}
	}
	other := i.Staff(i.Superuser("Ada Okafor")).Open("/admin/terms/season-later")
	page = page.Submit(press)
	if text := page.Text("main"); !strings.Contains(text, "The year was made again") ||
		!strings.Contains(text, "is on a") || strings.Count(text, "Nobody can ever apply") != 1 {
		t.Fatal(text)
	}
	if after := counted(i); after[0] != before[0]+terms || after[1] != before[1]+intakes || terms == 0 || intakes == 0 {
		t.Errorf("%v became %v", before, after)
	}
	if n := i.Number("SELECT max(year) FROM academic_term"); n != year+1 {
		t.Error(n)
	}
	if n := i.Number(ties); n != tied {
		t.Errorf("%d courses became %d", tied, n)
	}
	old := i.Lines("SELECT start FROM academic_term WHERE year = (SELECT max(year) - 1 FROM academic_term) ORDER BY start")
	now := strings.Fields(i.Lines("SELECT start FROM academic_term " +
		"WHERE year = (SELECT max(year) FROM academic_term) ORDER BY start"))
	for n, day := range strings.Fields(old) {
		was, err := time.Parse(time.DateOnly, day)
		if err != nil || was.AddDate(1, 0, 0).Format(time.DateOnly) != now[n] {
			t.Errorf("%s became %s", day, now[n])
		}
	}
	written := len(i.Journal())
	path := "/admin/terms/season-later?year=" + strings.TrimSpace(i.Lines("SELECT max(year) - 1 FROM academic_term"))
	// What is to be checked stays said, also to who was not the first.
	for _, text := range []string{v.Open(path).Text("main"), other.Submit(press).Text("main")} {
		if !strings.Contains(text, "All of this is there already") || strings.Contains(text, "was made again") ||
			!strings.Contains(text, "is on a") {
			t.Error(text)
		}
	}
	if p := v.Open("/admin/terms/season-later?year=1066"); p.Find("main table tbody tr").Length() == 0 ||
		strings.Contains(p.Text("main"), "All of this is there already") {
		t.Error(p.Text("main"))
	}
	if len(i.Journal()) != written {
		t.Error(i.Since(written))
	}
}
