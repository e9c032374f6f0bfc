package admin_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/usecase"
)

// TestAtOnce sets flags and officers on selected rows, and takes that back.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	who := i.Superuser("Mara Lind")
	v := i.Staff(who)
	i.Put("DELETE FROM application_flag", "UPDATE application SET officer_id = NULL")
	flag := i.Number("SELECT min(id) FROM flag")
	const list = "/admin/applications?size=25&term=all"
	flagged := func() int64 { return i.Number("SELECT count(*) FROM application_flag") }
	mine := func(id int64) int64 {
		return i.Number(fmt.Sprintf("SELECT count(*) FROM application WHERE officer_id = %d", id))
	}
	press := func(v *sitetest.Visitor, list, what string, fields ...string) *sitetest.Page {
		t.Helper()
		form := v.Open(list).Find("form[data-picks]")
		values := sitetest.Typed(form)
		values.Set("do", what)
		for n := 0; n+1 < len(fields); n += 2 {
			values[fields[n]] = strings.Fields(fields[n+1])
		}
		return v.Post(form.AttrOr("action", ""), values)
	}
	undo := func(v *sitetest.Visitor, p *sitetest.Page) *sitetest.Page {
		t.Helper()
		form := p.Find(".notice form")
		return v.Post(form.AttrOr("action", ""), sitetest.Typed(form))
	}
	first := i.Number("SELECT min(id) FROM application WHERE visible")
	pair := fmt.Sprint(first, " ", first+1)
	page := press(v, list, "flag", "id", pair, "flag", fmt.Sprint(flag))
	if page.Path != list || flagged() != 2 || !strings.Contains(page.Text(".notice"),
		"The flag was set on 2 applications.") {
		t.Errorf("%s: %d, %s", page.Path, flagged(), page.Text(".notice"))
	}
	if page = undo(v, page); flagged() != 0 || !strings.Contains(page.Text(".notice"), "2 applications are as they were") {
		t.Errorf("%d, %s", flagged(), page.Text(".notice"))
	}
	// The box for all that match stands where they fit on the page, too.
	all := func(list string) int { return v.Open(list).Find("form[data-picks] [name=all]").Length() }
	if n, m := all("/admin/applications?size=250&term=all"), all(list+"&text=nobodywiththisname"); n != 1 || m != 0 {
		t.Errorf("all that match can be chosen at %d of several, at %d of none", n, m)
	}
	if page = press(v, list, "flag", "flag", fmt.Sprint(flag)); flagged() != 0 ||
		!strings.Contains(page.Text(".notice"), "Select") {
		t.Error(page.Text(".notice"))
	}
	// What is done with one course begins with that of the list.
	course := fmt.Sprint(i.Number("SELECT min(course_id) FROM application_course"))
	page = v.Follow(press(v, list+"&course="+course, "offer-type", "id", pair))
	if got := page.Find("#f-course option[selected]").AttrOr("value", ""); got != course {
		t.Errorf("course %q is chosen, want %s: %s", got, course, page.Text("main"))
	}
	many := make([]string, 0, 51)
	for n := range 51 {
		many = append(many, fmt.Sprint(n+1))
	}
	// What the bar has chosen is not asked again where a preview is needed.
	waits := func(page *sitetest.Page, action, params string) {
		t.Helper()
		last := i.Lines("SELECT action || ' ' || state || ' ' || params FROM batch ORDER BY id DESC LIMIT 1")
		if !strings.HasPrefix(last, action+" prepared ") || !strings.Contains(last, params) || page.Status != 303 &&
			!strings.HasPrefix(page.Path, "/admin/batches/") || strings.HasPrefix(page.Path, "/admin/batches/new") {
			t.Errorf("%s leads to %s with batch %s", action, page.Path, last)
		}
	}
	chosen := fmt.Sprint(flag)
	waits(press(v, list, "flag", "id", strings.Join(many, " "), "flag", chosen), "flag", `"flag":`+chosen)
	waits(press(v, list, "unflag", "all", "1", "flag", chosen), "unflag", `"flag":`+chosen)
	waits(press(v, list, "officer", "all", "1", "officer", "me"), "officer", fmt.Sprint(`"officer":`, who))
	if page = press(v, list, "flag", "all", "1", "flag", "99999"); flagged() != 0 ||
		!strings.HasPrefix(page.Path, "/admin/batches/new") {
		t.Errorf("a flag that is not there leads to %s", page.Path)
	}
	press(v, list, "flag", "id", pair, "flag", fmt.Sprint(flag))
	if press(v, list, "unflag", "id", pair+" 99999", "flag", fmt.Sprint(flag)); flagged() != 0 {
		t.Error("flags stay")
	}
	page = press(v, list, "officer", "id", pair, "officer", "me")
	if mine(who) != 2 || !strings.Contains(page.Text(".list tbody"), "Mara Lind") &&
		page.Find(".notice form").Length() != 1 {
		t.Errorf("%d are mine: %s", mine(who), page.Text(".notice"))
	}
	if given := press(v, list, "officer", "id", pair, "officer", "nobody"); mine(who) != 0 ||
		!strings.Contains(given.Text(".notice"), "The officer of 2 applications was set.") {
		t.Errorf("%d are still mine: %s", mine(who), given.Text(".notice"))
	}
	if given := press(v, list, "officer", "id", pair, "officer", "99999"); strings.Contains(given.Text(".notice"),
		"Nothing was changed") {
		t.Errorf("a refusal is followed by: %s", given.Text(".notice"))
	}
	page = press(v, list, "officer", "id", pair, "officer", "me")
	// Somebody else has one meanwhile: that stays theirs.
	other := i.WithRole("Vera Holt", 2)
	i.Put(fmt.Sprintf("UPDATE application SET officer_id = %d WHERE id = %d", other, first))
	if page = undo(v, page); mine(who) != 0 || mine(other) != 1 ||
		!strings.Contains(page.Text(".notice"), "1 application is") {
		t.Errorf("%d and %d, %s", mine(who), mine(other), page.Text(".notice"))
	}
	// Who disables an account sees whose officer the person is, and where others take over.
	leaves := i.Staff(i.Superuser("Ada Boss")).Open(fmt.Sprintf("/admin/administrators/%d/disable", other))
	lists := leaves.Find(`main a[href*="officer="]`)
	if path := lists.AttrOr("href", ""); lists.Length() != 1 || strings.Contains(leaves.Text("main"), "Nothing has to") ||
		v.Open(path).Find(".list tbody tr").Length() != 1 {
		t.Errorf("%q %s", path, leaves.Text("main"))
	}
	leaves = leaves.Submit("Disable", "applications", fmt.Sprint(i.Administrator("Ola Bergman", admitto.ReportsView)))
	if list := leaves.Errors(); len(list) != 1 || !strings.Contains(list[0], "give Ola Bergman a role for it first") {
		t.Errorf("%v", list)
	}
	if leaves = leaves.Submit("Disable", "applications", fmt.Sprint(who)); mine(who) != 1 || mine(other) != 0 {
		t.Error(leaves.Text("main"))
	}
	i.Put(fmt.Sprintf("UPDATE application SET officer_id = %d WHERE id = %d", other, first))
	// Who only views takes what nobody has.
	few := i.Administrator("Kofi Haugen", admitto.ApplicationsView)
	k := i.Staff(few)
	if p := k.Open(list); p.Find("#bulk-flag").Length() != 0 || p.Find("#bulk-officer option").Length() != 2 {
		t.Error(p.Text(".bulk"))
	}
	if page = press(k, list, "officer", "id", pair, "officer", "me"); mine(few) != 0 ||
		!strings.Contains(page.Text(".notice"), "You may take") {
		t.Errorf("%d are Kofi's: %s", mine(few), page.Text(".notice"))
	}
	if p := press(k, list, "flag", "id", pair, "flag", fmt.Sprint(flag)); flagged() != 0 || p.Status >= 500 {
		t.Error(p.Text("main"))
	}
	page = press(k, list, "take")
	first20 := i.Number(fmt.Sprintf("SELECT count(*) FROM application WHERE officer_id = %d AND submitted <= "+
		"(SELECT max(submitted) FROM application WHERE officer_id = %d)", few, few))
	older := i.Number(fmt.Sprintf("SELECT count(*) FROM application a WHERE a.visible AND a.officer_id IS NULL "+
		"AND a.status IN ('Submitted', 'Reopened') AND a.submitted < (SELECT max(submitted) FROM application WHERE officer_id = %d)", few))
	if n := mine(few); n == 0 || n > 20 || n != first20 || older != 0 || !strings.Contains(page.Path, "officer=me") {
		t.Errorf("%d were taken, %d older ones were not: %s", n, older, page.Text(".notice"))
	}
	if undo(k, page); mine(few) != 0 {
		t.Error(mine(few), " stay taken")
	}
	const said = " FROM journal WHERE pattern = 'Application officer was set: ?'"
	if n := i.Number("SELECT count(*)" + said + fmt.Sprintf(" AND actor_id = %d", few)); n == 0 ||
		i.Number("SELECT actor_id"+said+" ORDER BY id DESC LIMIT 1") != few {
		t.Errorf("the journal has %d changes by Kofi", n)
	}
}

// TestFiveOfficers lets five officers take the next 20 of 400 new applications at once, on both engines: each
// gets 20, and nobody gets one of another.
func TestFiveOfficers(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		d.Write("UPDATE academic_term SET grace = '2090-01-01', finish = '2090-01-01'")
		for id := 1001; id <= 1400; id++ {
			d.Write(fmt.Sprintf(`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key)
				VALUES (%[1]d, 'live', FALSE, 1, 'Eva', 'No%[1]d', 'p%[1]d@example.org', 'p%[1]d@example.org')`, id),
				fmt.Sprintf(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted)
				VALUES (%[1]d, %[1]d, 13, 'Submitted', 1, 1, %[1]d)`, id))
		}
		i := sitetest.On(d)
		var all sync.WaitGroup
		for n := range 5 {
			v := i.Staff(i.WithRole(fmt.Sprintf("Officer %d", n), 2))
			form := v.Open("/admin/applications?term=all").Find("form[data-picks]")
			values := sitetest.Typed(form)
			values.Set("do", "take")
			all.Go(func() { v.Post(form.AttrOr("action", ""), values) })
		}
		all.Wait()
		if got := d.Lines(`SELECT count(*) FROM application WHERE officer_id IS NOT NULL
			GROUP BY officer_id`); got != "20 20 20 20 20" {
			t.Errorf("they took %q", got)
		}
		if n := d.Number("SELECT max(id) FROM application WHERE officer_id IS NOT NULL"); n != 1100 {
			t.Errorf("the last of the oldest 100 is %d", n)
		}
	})
}

// TestOfficers takes applications and gives them back.
func TestOfficers(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		by := usecase.Caller{Caller: admitto.AdministratorCaller(1, admitto.AllPermissions(), "")}
		id := d.Number("SELECT min(id) FROM application WHERE visible")
		d.Write("INSERT INTO administrator_role (administrator_id, role_id) VALUES (1, 1)")
		made, err := d.Services.Admissions.SetOfficers(t.Context(), by,
			[]admissions.OfficerChange{{Application: id, Officer: 1},
				{Application: 999_999, Officer: 1}})
		if err != nil || len(made) != 1 || d.Number("SELECT count(*) FROM application WHERE officer_id = 1") != 1 {
			t.Fatal(made, err)
		}
		accountant := sitetest.On(d).WithRole("Ina Cash", 8) // sees no applications
		for _, officer := range []int64{999, accountant} {
			if _, err := d.Services.Admissions.SetOfficers(t.Context(), by, []admissions.OfficerChange{{Application: id,
				Officer: officer}}); admitto.KindOf(err) != admitto.InvalidParameter {
				t.Error(err)
			}
		}
		back, err := d.Services.Admissions.SetOfficers(t.Context(), by, made)
		if err != nil || len(back) != 1 || d.Number("SELECT count(*) FROM application WHERE officer_id IS NULL AND visible") !=
			d.Number("SELECT count(*) FROM application WHERE visible") {
			t.Error(back, err)
		}
		flag, err := d.Services.Admissions.CreateFlag(t.Context(), by, "Call back")
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range []bool{true, false} {
			changed, err := d.Services.Admissions.FlagApplications(t.Context(), by, []int64{id, id}, flag.ID, set)
			if err != nil || len(changed) != 1 {
				t.Error(set, changed, err)
			}
		}
	})
}
