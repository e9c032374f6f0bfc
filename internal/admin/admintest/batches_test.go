package admintest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// applications are IDs of applications, one of each applicant.
func applications(i *sitetest.Instance, n int) (ids []string) {
	return strings.Fields(i.Lines(fmt.Sprintf("SELECT min(id) FROM application WHERE visible GROUP BY applicant_id ORDER BY 1 LIMIT %d", n)))
}

func (o *office) send(v *sitetest.Visitor, fields url.Values) *sitetest.Page {
	// The list's form carries the mark of its reader; that of the page itself does as well.
	page := v.Open("/admin/applications?term=all")
	form := page.Find("form:has(input[name=of])").First()
	fields.Set("of", form.Find("input[name=of]").AttrOr("value", ""))
	return v.Follow(v.Post("/admin/batches/new", fields))
}

type office struct{ *sitetest.Instance }

// TestBatchPages flags a few at once and takes it back, seals a larger list, lets a second person release a message,
// stops, resumes and undoes.
func TestBatchPages(t *testing.T) {
	i := sitetest.Filled(t)
	o := &office{i}
	ada, bea := i.Superuser("Ada Boss"), i.Superuser("Bea Boss")
	v, other := i.Staff(ada), i.Staff(bea)
	flag := fmt.Sprint(i.Number("SELECT min(id) FROM flag"))
	i.Write("DELETE FROM application_flag")

	term := i.Number("SELECT min(id) FROM academic_term")
	for n := 900001; n <= 900030; n++ {
		i.Write(fmt.Sprintf(`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key)
			VALUES (%[1]d, 'live', FALSE, 1, 'Eva', 'No%[1]d', 'p%[1]d@example.org', 'p%[1]d@example.org')`, n),
			fmt.Sprintf(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised)
			VALUES (%[1]d, %[1]d, %[2]d, 'Draft', 1, 1)`, n, term))
	}
	ids := applications(i, 60)
	if len(ids) < 55 {
		t.Fatalf("only %d applications", len(ids))
	}
	few := url.Values{"action": {"flag"}, "source": {"applications"}, "flag": {flag}, "id": ids[:3]}
	if p := o.send(v, few); !strings.Contains(p.Text("body"), "3 applications were changed") {
		t.Errorf("at once: %s", p.Text("main"))
	}
	if n := i.Number("SELECT count(*) FROM application_flag"); n != 3 {
		t.Errorf("%d flags", n)
	}

	// A larger list is sealed, and nothing changes before the count was typed.
	many := url.Values{"action": {"flag"}, "source": {"applications"}, "flag": {flag}, "id": ids}
	p := o.send(v, many)
	if !strings.Contains(p.Path, "/admin/batches/") || i.Number("SELECT count(*) FROM application_flag") != 3 {
		t.Fatalf("%s: %s", p.Path, p.Text("main"))
	}
	batch := p.Path
	if p = v.Open(batch+"/release").Submit("Release", "count", "12"); len(p.Errors()) == 0 {
		t.Error("released with another count")
	}
	p = p.Submit("Release", "count", fmt.Sprint(len(ids)-3))
	if p.Path != batch || !strings.Contains(p.Text("main"), "Running") {
		t.Errorf("%s: %s", p.Path, p.Text("main"))
	}
	p = v.Open(batch).Submit("Stop")
	if !strings.Contains(p.Text("main"), "Stopped") {
		t.Errorf("%s", p.Text("main"))
	}
	if text := v.Open(batch).Text("#state"); !strings.Contains(text, "StoppedAda Boss, ") {
		t.Errorf("it does not say who stopped it: %s", text)
	}
	p = v.Open(v.Open(batch).Find("#batch-resume").AttrOr("href", ""))
	if text := p.Text("main"); !strings.Contains(text, fmt.Sprintf("Still to do: %d records", len(ids)-3)) ||
		!strings.Contains(text, "stopped by Ada Boss") {
		t.Errorf("it does not say what it goes on with: %s", text)
	}
	p.Submit("Resume")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if n := i.Number("SELECT count(*) FROM application_flag"); n != int64(len(ids)) {
		t.Errorf("%d flags of %d", n, len(ids))
	}
	if p := v.Open(batch + "/results"); !strings.Contains(string(p.Body), "not set") {
		t.Errorf("%.200s", p.Body)
	}
	p = v.Open(batch + "/undo").Submit("Undo")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if n := i.Number("SELECT count(*) FROM application_flag"); n != 3 {
		t.Errorf("%d flags after undoing: %s", n, p.Text("main"))
	}

	// A message to more than 50 needs a second person.
	message := url.Values{"action": {"message"}, "source": {"applications"}, "id": ids}
	p = o.send(v, message)
	if p = p.Submit("Show what would change", "subject", "", "text", "Hello %applicant-Nonsense%"); len(p.Errors()) != 2 {
		t.Fatalf("errors %q", p.Errors())
	}
	p = p.Submit("Show what would change", "subject", "Interviews <b> %institution-Name%", "text",
		"Dear %applicant-GivenName%,\n\ncome & see.")
	batch = p.Path
	if !strings.Contains(p.Text("main"), "a second person must release it") {
		t.Fatalf("%s: %s", p.Path, p.Text("main"))
	}
	if title := p.Text("h1"); !strings.Contains(title, "Interviews <b> …") {
		t.Error(title)
	}
	size := fmt.Sprint(i.Number("SELECT size FROM batch ORDER BY id DESC LIMIT 1"))
	p = v.Open(batch+"/release").Submit("Ask a second person", "count", size)
	if !strings.Contains(p.Text("main"), "Waits for a second person") {
		t.Errorf("%s", p.Text("main"))
	}
	// The second person finds it on the dashboard, and the list behind the number; those who may not release do not.
	waiting := other.Open("/admin").Find(`main a[href="/admin/batches?state=waiting"]`)
	if waiting.Length() != 1 || strings.TrimSpace(waiting.Text()) != fmt.Sprint(i.Number(
		"SELECT count(*) FROM batch WHERE state = 'waiting'")) {
		t.Errorf("the dashboard does not lead to what waits for release: %q", waiting.Text())
	} else if list := other.Open(waiting.AttrOr("href", "")); list.Find(`table a[href="`+batch+`"]`).Length() == 0 {
		t.Error(list.Text("main"))
	}
	list := other.Open("/admin/batches")
	if line := list.Find(`tr:has(a[href="` + batch + `"])`).Text(); !strings.Contains(line, "Applications") {
		t.Error(line)
	}
	if states := list.Find(`main a[href="/admin/batches?state=waiting"]`); states.Length() != 1 ||
		other.Open(states.AttrOr("href", "")).Find(`table a[href^="/admin/batches/"]`).Length() != 1 {
		t.Errorf("no way to those that wait: %s", list.Text("main"))
	}
	if p := i.Staff(i.Administrator("Kofi Haugen",
		admitto.ApplicationsView)).Open("/admin"); p.Find(`main a[href*="/batches?"]`).Length() != 0 {
		t.Error(p.Text("main"))
	}
	// Before anything is sent, the page says to whom and what: name, address, subject, first lines, and the number.
	first := i.Lines("SELECT recipient FROM batch_record ORDER BY batch_id DESC, place LIMIT 1")
	if text := other.Open(batch + "/release").Text("main"); !strings.Contains(text, first) ||
		!strings.Contains(text, "Subject, for ") || !strings.Contains(text, "Interviews <b>") ||
		!strings.Contains(text, "come & see.") || !strings.Contains(text, "It reaches "+size+" applicants") {
		t.Errorf("%s: %s", first, text)
	}
	for _, path := range []string{batch, batch + "/release"} {
		p = v.Open(path)
		if text := p.Text("main"); !strings.Contains(text, "A second person must release it. Who may do so: ") ||
			!strings.Contains(text, "Bea Boss") ||
			p.Find(`main a[href*="/release"], main button`).Length() != 0 {
			t.Errorf("%s offers what is refused: %s", path, text)
		}
	}
	mails := i.Number("SELECT count(*) FROM email")
	late := other.Open(batch + "/release")
	other.Open(batch+"/release").Submit("Release", "count", size)
	late = late.Submit("Release", "count", size)
	if text := late.Text("main"); late.Status != 422 || strings.Contains(text, "notice nothing") ||
		late.Find("main button").Length() != 0 || !strings.Contains(text, "cannot be released any more") {
		t.Errorf("%d, after somebody else was quicker: %s", late.Status, text)
	}
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if n := i.Number("SELECT count(*) FROM email") - mails; fmt.Sprint(n) != size {
		t.Errorf("%d mails of %s", n, size)
	}
	if p := v.Open("/admin/batches"); !strings.Contains(p.Text("main"), "Write a message: Interviews <b>") ||
		!strings.Contains(p.Text("main"), fmt.Sprintf("%d batches", i.Number("SELECT count(*) FROM batch"))) {
		t.Errorf("%s", p.Text("main"))
	}
	if p := v.Open(batch + "/lines/1"); !strings.Contains(p.Text("main"), "come & see.") {
		t.Errorf("%s", p.Text("main"))
	}
	// It cannot be released twice, and what was wrong in it is taken back with words that are there already.
	if p := v.Open(batch + "/release"); p.Find("main button").Length() != 0 || !strings.Contains(p.Text("main"),
		"cannot be released any more") {
		t.Error(p.Text("main"))
	}
	correct := v.Open(v.Open(batch).Find(`a:contains("Write a correction")`).AttrOr("href", ""))
	if back := correct.Find(`a:contains("Cancel")`).AttrOr("href", ""); back != batch {
		t.Errorf("a correction leads back to %q", back)
	}
	if text := correct.Text("#f-text"); !strings.Contains(text, "Interviews <b>") ||
		!strings.Contains(text, "sent by mistake") {
		t.Error(correct.Text("main"))
	}
}

// What is no selection, no action and no batch is answered as such.
func TestBadBatches(t *testing.T) {
	i := sitetest.Filled(t)
	o := &office{i}
	v := i.Staff(i.Superuser("Ada Boss"))
	for _, path := range []string{"/admin/batches/0", "/admin/batches/999", "/admin/batches/x",
		"/admin/batches/999/release",
		"/admin/batches/999/undo", "/admin/batches/999/results", "/admin/batches/999/lines/1"} {
		if p := v.Open(path); p.Status != 404 {
			t.Errorf("%s: %d", path, p.Status)
		}
	}
	for name, fields := range map[string]url.Values{
		"nothing selected": {"action": {"flag"}, "source": {"applications"}, "flag": {"1"}},
		"no ID":            {"action": {"flag"}, "id": {"x", "-4", "0", "99999999999999999999"}},
		"no action":        {"action": {"explode"}, "id": {"1"}},
		"no flag":          {"action": {"flag"}, "id": {"1"}, "flag": {"<script>"}},
		"a bad filter":     {"action": {"flag"}, "all": {"1"}, "query": {"created_since=yesterday"}, "flag": {"1"}},
		"a bad query":      {"action": {"flag"}, "all": {"1"}, "query": {"%zz;;=\x00"}, "flag": {"-1"}},
	} {
		if p := o.send(v, fields); p.Status >= 500 || i.Number("SELECT count(*) FROM batch") != 0 {
			t.Errorf("%s: %d, %s", name, p.Status, p.Path)
		}
	}
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.FlagsEdit))
	if p := few.Open("/admin/batches/new?action=message&id=1"); p.Status != 403 {
		t.Errorf("a message without the permission: %d", p.Status)
	}
}

// TestExtensionPage extends the deadline of selected applications: the tick that tells is set, what is typed stays when
// something is missing, and the preview says from when to when.
func TestExtensionPage(t *testing.T) {
	i := sitetest.Filled(t)
	o := &office{i}
	v := i.Staff(i.Superuser("Ada Boss"))
	one := i.Number("SELECT max(c.application_id) FROM application_course c JOIN application a ON a.id = c.application_id AND a.status = 'Submitted'")
	intake := fmt.Sprint(i.Number("SELECT intake_id FROM application_course WHERE application_id = $1 ORDER BY priority LIMIT 1", one))
	p := o.send(v, url.Values{"action": {"extend"}, "source": {"applications"}, "id": {fmt.Sprint(one)}})
	if _, ticked := p.Find("[name=tell]").Attr("checked"); !ticked {
		t.Error("applicants are not told unless somebody ticks it")
	}
	p = p.Submit("Show what would change", "intake", intake, "until-day", "31", "until-month", "2", "until-year", "2027",
		"reason", "Down",
		"text", "Sorry")
	if p.Status != 422 || len(p.Errors()) == 0 || p.Text("#f-reason") != "Down" || p.Text("#f-text") != "Sorry" {
		t.Errorf("%d %q: %s", p.Status, p.Errors(), p.Text("main"))
	}
	p = p.Submit("Show what would change", "text", "Sorry for the *cut*, %applicant-GivenName%", "until-day", "30",
		"until-month", "9", "until-year", "2026")
	if text := v.Open(p.Path+"/release").Text("main") + v.Open(p.Path+"/lines/1").Text("main"); strings.Count(text,
		"New deadline 30 September 2026") != 2 || strings.Count(text, "Sorry for the *cut*, %applicant-GivenName%") != 3 {
		t.Errorf("the pages do not show the mail: %s", text)
	}
	if p.Find(`main a[href="`+p.Path+`/lines/1"]`).Length() == 0 {
		t.Errorf("no line leads to its mail: %s", p.Text("main"))
	}
	if text := p.Text("main"); !strings.Contains(text, "as the intake says → 30 September 2026") {
		t.Errorf("%d %q %s", p.Status, p.Errors(), text)
	}
	v.Open(p.Path + "/release").Submit("Release")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if n := i.Number("SELECT count(*) FROM deadline_extension WHERE application_id = $1", one); n != 1 {
		t.Errorf("%d extensions: %s", n, v.Open(p.Path).Text("main"))
	}
}

// TestNews sends a message as news: it goes only to those who accepted the current text of the voluntary consent that
// was chosen, and the others stand in the list with the reason.
func TestNews(t *testing.T) {
	i := sitetest.Filled(t)
	o := &office{i}
	v := i.Staff(i.Superuser("Ada Boss"))
	ids := applications(i, 4)
	i.Write("DELETE FROM consent_decision", "UPDATE consent SET active = FALSE",
		`INSERT INTO consent (id, type, text, version) VALUES
		(901, 'Voluntary', 'I want to hear of events and grants by e-mail', 2), (902, 'Mandatory', 'I have read the rules', 1)`)
	for n, version := range []int{2, 1, 2} {
		i.Write(fmt.Sprintf(`INSERT INTO consent_decision (applicant_id, consent_id, decided, decision, version)
			SELECT applicant_id, 901, 1, '%s', %d FROM application WHERE id = %s`, []string{"Accept", "Accept", "Reject"}[n], version, ids[n]))
	}
	p := o.send(v, url.Values{"action": {"message"}, "source": {"applications"}, "id": ids})
	if got := p.Text("#f-consent"); strings.Contains(got, "rules") || !strings.Contains(got, "events and grants") {
		t.Fatalf("%d %s", p.Status, p.Text("main"))
	}
	for _, wrong := range []string{"902", "1", "9999"} {
		if bad := p.Submit("Show what would change", "subject", "Fair", "text", "Come", "consent",
			wrong); bad.Status != 422 || len(bad.Errors()) != 1 ||
			bad.Text("#f-text") != "Come" {
			t.Errorf("consent %s: %d %q", wrong, bad.Status, bad.Errors())
		}
	}
	p = p.Submit("Show what would change", "subject", "Fair", "text", "Come", "consent", "901")
	size := i.Lines("SELECT size || ' ' || excluded FROM batch ORDER BY id DESC LIMIT 1")
	if text := p.Text("main"); size != "1 3" || !strings.Contains(text, "I want to hear of events and grants by e-mail") ||
		strings.Count(p.Text("main"), "has not accepted to get such news") != 3 {
		t.Errorf("%s: %s", size, text)
	}
	left := v.Open(fmt.Sprintf("%s/lines/%d", p.Path,
		i.Number("SELECT min(place) FROM batch_record WHERE batch_id = (SELECT max(id) FROM batch) AND state = 'excluded'")))
	if text := left.Text("main"); !strings.Contains(text, "has not accepted to get such news") {
		t.Errorf("a message that is left out without the reason: %s", text)
	}
	mails := i.Number("SELECT count(*) FROM email")
	v.Open(p.Path + "/release").Submit("Release")
	i.Must(i.Services.Batches.Run(t.Context(), admitto.SystemCaller()))
	if n := i.Number("SELECT count(*) FROM email") - mails; n != 1 {
		t.Errorf("%d mails", n)
	}
	i.Write("UPDATE applicant SET matriculation = ''")
	p = o.send(v, url.Values{"action": {"message"}, "source": {"applications"}, "id": ids}).Submit(
		"Show what would change", "subject", "Card", "text", "For %applicant-Matriculation%")
	if !strings.Contains(p.Text("main"), "There is no value for: %applicant-Matriculation%.") {
		t.Error(p.Text("main"))
	}
	for _, link := range p.Find("main a").EachIter() {
		if strings.TrimSpace(link.Text()) == "" {
			t.Errorf("a link without words leads to %s", link.AttrOr("href", ""))
		}
	}
}

// TestPlanPages reads what a batch asks for and what its pages say about it: the tick that tells of closing is set, who
// shares a name is told apart, the release names course and type, and who is not told is not reached.
func TestPlanPages(t *testing.T) {
	i := sitetest.Filled(t)
	o := &office{i}
	v := i.Staff(i.Superuser("Ada Boss"))
	i.Write("UPDATE course SET name = 'Twins', code = 'T' || id", "UPDATE intake SET name = 'Autumn'")
	one := i.Number("SELECT max(o.application_id) FROM offer o JOIN application a ON a.id = o.application_id AND a.status = 'Submitted'")
	course := i.Number("SELECT course_id FROM offer WHERE application_id = $1 ORDER BY priority LIMIT 1", one)
	ask := func(action string, fields url.Values) *sitetest.Page {
		all := url.Values{"action": {action}, "source": {"applications"}, "id": {fmt.Sprint(one)}}
		for name, list := range fields {
			all[name] = list
		}
		return o.send(v, all)
	}
	if _, ticked := ask("close", nil).Find("[name=tell]").Attr("checked"); !ticked {
		t.Error("closing tells nobody unless somebody ticks it")
	}
	p := ask("offer-type", nil)
	if got := p.Text("#f-course"); !strings.Contains(got, fmt.Sprintf("T%d Twins", course)) {
		t.Error(got)
	}
	if got := ask("extend", nil).Text("#f-intake"); strings.Count(got, "Autumn (") < 2 {
		t.Error(got)
	}
	kind := i.Number("SELECT min(id) FROM offer_type WHERE status = 'Online' AND id NOT IN (SELECT type_id FROM offer WHERE application_id = $1)", one)
	p = p.Submit("Show what would change", "course", fmt.Sprint(course), "type", fmt.Sprint(kind))
	title := i.Lines(fmt.Sprintf("SELECT title FROM offer_type WHERE id = %d", kind))
	text := v.Open(p.Path + "/release").Text("main")
	for _, want := range []string{fmt.Sprintf("T%d Twins", course), title, "Applicants notice nothing of it"} {
		if !strings.Contains(text, want) || !strings.Contains(p.Text("main")+"Applicants notice nothing of it", want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	i.Put(fmt.Sprintf("UPDATE offer SET type_id = (SELECT id FROM offer_type WHERE title = 'Accepted'), confirmed = NULL, "+
		"type_confirmed_id = NULL WHERE application_id = %d", one), "UPDATE academic_term SET grace = '2999-12-31'",
		"UPDATE application SET frozen = NULL")
	letter := ask("confirm", nil).Submit("Show what would change", "course", fmt.Sprint(course))
	if text := letter.Text("main"); !strings.Contains(text, "not sent → Accepted") {
		t.Errorf("a first letter: %s", text)
	}
	// Where everything is left out there is nothing to release.
	p = o.send(v, url.Values{"action": {"unfreeze"}, "source": {"applications"}, "id": {fmt.Sprint(
		i.Number("SELECT min(id) FROM application WHERE frozen IS NULL AND visible"))}})
	if p = v.Open(p.Path + "/release"); p.Find("main button").Length() != 0 || !strings.Contains(p.Text("main"),
		"nothing to do") {
		t.Error(p.Text("main"))
	}
	// Texts that are too long, and subjects of several lines, are refused next to what else is wrong.
	p = ask("message", nil).Submit("Show what would change", "subject", "a\nb", "text", strings.Repeat("a", 10_001))
	if p.Status != 422 || len(p.Errors()) != 2 || i.Number("SELECT count(*) FROM batch WHERE action = 'message'") != 0 {
		t.Errorf("%d %q", p.Status, p.Errors())
	}
	p = ask("extend", nil).Submit("Show what would change", "text", strings.Repeat("a", 10_001))
	if p.Status != 422 || len(p.Errors()) < 3 {
		t.Errorf("%d %q", p.Status, p.Errors())
	}
}

// TestStatusReaches sets statuses of tasks: one that tells nobody reaches nobody.
func TestStatusReaches(t *testing.T) {
	i := sitetest.Filled(t)
	o := &office{i}
	v := i.Staff(i.Superuser("Ada Boss"))
	task := i.Number(`SELECT min(k.id) FROM task k JOIN application a ON a.id = k.application_id
		WHERE a.visible AND k.trashed IS NULL AND k.status = 'Submitted'`)
	p := o.send(v, url.Values{"action": {"task-status"}, "source": {"tasks"}, "id": {fmt.Sprint(task)}})
	if text := p.Text("#f-status"); !strings.Contains(text, "Rejected (tells the applicant)") ||
		strings.Contains(text, "Accepted (tells") {
		t.Error(text)
	}
	p = o.send(v, url.Values{"action": {"task-status"}, "source": {"tasks"}, "id": {fmt.Sprint(task)},
		"status": {"Accepted"}})
	if text := v.Open(p.Path + "/release").Text("main"); !strings.Contains(text, "Applicants notice nothing of it") {
		t.Error(p.Path, text)
	}
	path := p.Path
	v.Open(path + "/discard").Submit("Discard")
	if text := v.Open(path).Text("main"); strings.Contains(text, "To do") || !strings.Contains(text, "Not done") {
		t.Errorf("a discarded batch: %s", text)
	}
}

// TestAtOnceWords does little things at once: the page says so, an unknown flag is none that was set before, who may
// not set officers reads why nothing was changed, and numbers without a format lead to where it is set.
func TestAtOnceWords(t *testing.T) {
	i := sitetest.Filled(t)
	o := &office{i}
	boss := i.Superuser("Ada Boss")
	v := i.Staff(boss)
	ids := applications(i, 2)
	i.Write("UPDATE application SET officer_id = NULL")
	p := o.send(v, url.Values{"action": {"sheet"}, "source": {"applications"}, "id": ids})
	if text := p.Text("main"); !strings.Contains(text, "It is done at once") || !strings.Contains(text, "Do it now") {
		t.Error(text)
	}
	viewer := i.Staff(i.Administrator("Ola View", admitto.ApplicationsView))
	p = o.send(viewer, url.Values{"action": {"officer"}, "source": {"applications"}, "id": ids,
		"officer": {fmt.Sprint(boss)}})
	if text := p.Text("body"); strings.Contains(text, "it has been so before") || p.Status != 422 {
		t.Errorf("%d %s", p.Status, text)
	}
	if _, err := i.Services.Admissions.FlagApplications(t.Context(), servicestest.Staff(), []int64{1}, 99999,
		true); err == nil {
		t.Error("a flag that there is not is set")
	}
	p = o.send(v, url.Values{"action": {"matriculate"}, "source": {"applications"}, "id": ids})
	if p.Find(`main a[href="/admin/settings/numbers"]`).Length() != 1 {
		t.Error(p.Text("main"))
	}
}
