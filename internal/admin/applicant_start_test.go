package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestStartApplication starts an application once; a passed deadline asks for a reason, which is kept.
func TestStartApplication(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	who := i.Superuser("Mara Lind")
	v := i.Staff(who)
	added(v, "new.person@example.org", "citizenship", "PT")
	id := i.Number("SELECT max(id) FROM applicant")
	at := fmt.Sprintf("/admin/applicants/%d", id)
	if n := v.Open(at).Find(`a[href="` + at + `/start"]`).Length(); n != 1 {
		t.Error(n, " buttons lead to the start")
	}
	wordy := v.Open(at+"/start").Submit("Start application", "course", "x", "intake", "1", "reason",
		strings.Repeat("x", 1001))
	if said := wordy.Errors(); wordy.Status != 422 || len(said) != 1 ||
		said[0] != "This has 1001 characters. Write at most 1000." ||
		len(wordy.Text("textarea")) != 1001 {
		t.Errorf("%d %q", wordy.Status, said)
	}
	empty := v.Open(at+"/start").Submit("Start application", "reason", "kept")
	if empty.Status != 422 || len(empty.Errors()) != 2 || empty.Text("#f-reason") != "kept" {
		t.Errorf("%d %q", empty.Status, empty.Errors())
	}
	course := i.Number("SELECT min(course_id) FROM course_intake c WHERE EXISTS (SELECT 1 FROM course o WHERE o.id = c.course_id AND " +
		"o.status = 'Online')")
	late := int64(0)
	page := empty
	for _, o := range empty.Find("#f-intake option").EachIter() {
		if o.AttrOr("value", "") == "" {
			continue
		}
		before := i.Count("application")
		page = v.Open(at+"/start").Submit("Start application", "course", fmt.Sprint(course), "intake", o.AttrOr("value", ""))
		if page.Status == 422 && i.Count("application") != before {
			t.Errorf("refused, and stored: %s", page.Text("main"))
		}
		if page.Status == 422 && strings.Contains(page.Text("main"), "The deadline has passed. Write why") {
			late++
			page = page.Submit("Start application", "reason", "Agreed with the dean")
		}
		if page.Status == 200 {
			break
		}
	}
	if !strings.Contains(page.Text(".notice"), "was started") || page.Path != at+"/applications" ||
		page.Find("tbody tr").Length() != 1 {
		t.Fatalf("%s: %s", page.Path, page.Text("main"))
	}
	if n := i.Number(fmt.Sprintf("SELECT count(*) FROM journal WHERE pattern = 'Application was created' AND applicant_id = %d "+
		"AND actor_id = %d", id, who)); n != 1 {
		t.Error(n, " events")
	}
	t.Log(late, " intakes asked for a reason")
	if p := i.Staff(i.Administrator("Kofi", admitto.ApplicantsView, admitto.ApplicationsView)).Open(at +
		"/start"); p.Status != 403 {
		t.Error(p.Status)
	}
}

// TestStartWithCopy offers to copy the form of an earlier application, and says no where the course only joins one.
func TestStartWithCopy(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	id := i.Number("SELECT min(applicant_id) FROM application WHERE status = 'Draft'")
	from := i.Number(fmt.Sprintf("SELECT max(id) FROM application WHERE applicant_id = %d", id))
	at := fmt.Sprintf("/admin/applicants/%d/start", id)
	page := v.Open(at)
	words := fmt.Sprintf("Copy form and documents of application %d", from)
	if !strings.Contains(page.Text("form"), words) {
		t.Fatal(page.Text("form"))
	}
	course := i.Number(fmt.Sprintf("SELECT min(course_id) FROM application_course WHERE application_id = %d", from))
	intake := i.Number(fmt.Sprintf("SELECT min(intake_id) FROM application_course WHERE application_id = %d AND course_id = %d", from, course))
	page = page.Submit("Start application", "course", fmt.Sprint(course), "intake", fmt.Sprint(intake), "copy",
		fmt.Sprint(from))
	if page.Status != 422 || len(page.Errors()) != 1 ||
		!strings.Contains(page.Errors()[0], "into a new application only") ||
		page.Find(fmt.Sprintf("input[name=copy][value='%d'][checked]", from)).Length() != 1 {
		t.Errorf("%d %q", page.Status, page.Errors())
	}
	blind := i.Staff(i.Administrator("Kofi", admitto.ApplicantsView, admitto.ApplicationsEdit))
	if p := blind.Open(at); strings.Contains(p.Text("main"), words) {
		t.Error("applications are named to who may not see them")
	}
}

// TestStartInOpenTerms offers no intake of a term that is over: nobody could start an application of it.
func TestStartInOpenTerms(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	intake := i.Number("SELECT max(ci.intake_id) FROM course_intake ci JOIN course c ON c.id = ci.course_id " +
		"WHERE c.status = 'Online'")
	v := i.Staff(i.Superuser("Mara Lind"))
	at := fmt.Sprintf("/admin/applicants/%d/start", i.Number("SELECT min(id) FROM applicant WHERE visible"))
	for grace, offered := range map[string]int{"2999-12-31": 1, "2000-01-01": 0} {
		i.Put(fmt.Sprintf("UPDATE academic_term SET grace = '%s' "+
			"WHERE id = (SELECT academic_term_id FROM intake WHERE id = %d)", grace, intake))
		page := v.Open(at)
		if n := page.Find(fmt.Sprintf("#f-intake option[value='%d']", intake)).Length(); n != offered {
			t.Errorf("a term until %s: %d", grace, n)
		}
	}
}
