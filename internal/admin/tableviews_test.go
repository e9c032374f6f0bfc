package admin_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/tabular"
	"github.com/admitto/admitto/internal/usecase"
)

// everyColumn are all columns that there are.
func everyColumn(t *testing.T, i *sitetest.Instance) (sources []string) {
	t.Helper()
	groups, err := i.Services.Reports.TableColumns(t.Context(), admitto.SystemCaller())
	i.Must(err)
	for _, g := range groups {
		sources = append(sources, g.Columns...)
	}
	return sources
}

// putTableview stores a tableview of an owner with columns under their default titles.
func putTableview(i *sitetest.Instance, owner int64, v admitto.Tableview, sources ...string) int64 {
	for _, source := range sources {
		v.Columns = append(v.Columns, admitto.TableColumn{Source: source, Title: source})
	}
	if v.Filters == "" {
		v.Filters = "{}"
	}
	by := admitto.AdministratorCaller(owner, admitto.AllPermissions(), "")
	id, err := i.Services.Reports.SaveTableview(i.T.Context(), usecase.Caller{Caller: by}, v)
	i.Must(err)
	return id
}

// tableOf are the lines of a file.
func tableOf(t *testing.T, p *sitetest.Page) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(p.Body)).ReadAll()
	if err != nil || p.Status != 200 {
		t.Fatalf("%s: %d %v", p.Path, p.Status, err)
	}
	return rows
}

// TestTableview puts a tableview together by buttons alone: columns are added, moved, renamed and removed, rows are
// shown before it is saved, and the one that is saved has what was seen.
func TestTableview(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	hana := i.Superuser("Hana Yildiz")
	v := i.Staff(hana)
	term := i.Number("SELECT academic_term_id FROM application WHERE status = 'Submitted' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1")
	from := v.Open(fmt.Sprintf("/admin/applications?status=Submitted&term=%d", term))
	page := v.Open(from.Find(`.list a[href^="/admin/tableviews/new"]`).AttrOr("href", ""))
	if page.Find(`details[open] [name=status][value=Submitted]:checked`).Length() != 1 || page.Find(fmt.Sprintf(
		`[name=term] option[value="%d"][selected]`, term)).Length() != 1 {
		t.Fatalf("the filters of the list are gone: %s", page.Path)
	}
	order := func(p *sitetest.Page) (list []string) {
		for _, in := range p.Find(".ordered [name=column]").EachIter() {
			list = append(list, in.AttrOr("value", ""))
		}
		return list
	}
	if got := fmt.Sprint(order(page)); got != "[Application Name Citizenship Status Course 1 Submitted date]" {
		t.Error(got)
	}
	page = page.Submit("Save", "do", "add", "pick", "E-mail", "title", "Submitted ones")
	page = page.Submit("Save", "do", "up-6")
	page = page.Submit("Save", "do", "remove-0")
	page = page.Submit("Save", "do", "down-0")
	if got := fmt.Sprint(order(page)); got != "[Citizenship Name Status Course 1 E-mail Submitted date]" ||
		page.Find(`.ordered button[value="down-1"][autofocus]`).Length() != 1 {
		t.Error(got)
	}
	if n := i.Number("SELECT count(*) FROM tableview WHERE title = 'Submitted ones'"); n != 0 {
		t.Error("it was saved by a button that moves")
	}
	page = page.Submit("Save", "do", "preview")
	count := i.Number(fmt.Sprintf("SELECT count(*) FROM application WHERE visible AND status = 'Submitted' AND academic_term_id = %d", term))
	if rows := page.Find("#preview tbody tr").Length(); int64(rows) != min(count, 20) || rows == 0 {
		t.Errorf("%d rows are shown of %d", rows, count)
	}
	header := page.Find(".ordered input[type=text]").Eq(4).AttrOr("name", "")
	twice := page.Submit("Save", header, "Name")
	if errors := strings.Join(twice.Errors(), " "); !strings.Contains(errors, "Another column has the header Name, too") ||
		twice.Find("#f-"+header).AttrOr("value", "") != "Name" {
		t.Errorf("%s %s", errors, twice.Path)
	}
	page = page.Submit("Save", header, "Mail")
	id := i.Number("SELECT id FROM tableview WHERE title = 'Submitted ones'")
	if page.Path != fmt.Sprintf("/admin/tableviews/%d", id) || page.Find("#preview thead th").Eq(4).Text() != "Mail" {
		t.Fatalf("saved: %s %v", page.Path, page.Errors())
	}
	if text := page.Text("main"); !strings.Contains(text, fmt.Sprintf("/api/v10/tableviews/%d/tabledata", id)) ||
		!strings.Contains(text, "Readable through the API by every key that may read tableviews.") {
		t.Error("the API is not named")
	}
	if path := page.Find(`dd bdi[lang="en"]`).Text(); path != fmt.Sprintf("/api/v10/tableviews/%d/tabledata", id) {
		t.Errorf("the path is not isolated from the language of the page: %s", path)
	}
	file := v.Open(fmt.Sprintf("/admin/tableviews/%d/csv", id))
	if lines := strings.Count(file.Body, "\r\n"); int64(lines) != count+1 ||
		!strings.HasPrefix(file.Body, "Citizenship,Name,Status,Course 1,Mail,Submitted date\r\n") {
		t.Errorf("%d lines: %.200s", lines, file.Body)
	}
	list := v.Open(page.Find(`.acts a[href^="/admin/applications?"]`).AttrOr("href", ""))
	if got := list.Text(".list header strong"); !strings.HasPrefix(got, fmt.Sprint(count, " ")) {
		t.Errorf("the list %s has %s, want %d", list.Path, got, count)
	}
	clone := v.Open(page.Find(`.acts a[href*="from="]`).AttrOr("href", "")).Submit("Save")
	if clone.Text("h1") != "Submitted ones (copy)" || fmt.Sprint(order(clone)) != fmt.Sprint(order(page)) {
		t.Error(clone.Text("h1"), order(clone), clone.Errors())
	}
	if text := v.Open("/admin/tableviews").Text("table"); !strings.Contains(text, "Submitted ones (copy)") {
		t.Error(text)
	}
	v.Open(clone.Path + "/delete").Submit("Delete")
	if n := i.Number("SELECT count(*) FROM tableview WHERE title LIKE 'Submitted ones%'"); n != 1 {
		t.Errorf("%d are left", n)
	}
	patterns := i.Lines("SELECT pattern FROM journal WHERE pattern LIKE 'Tableview%' ORDER BY id DESC LIMIT 3")
	if got := strings.Join(strings.Fields(patterns), " "); got !=
		"Tableview was deleted: ? Tableview was created: ? Tableview was created: ?" {
		t.Error(got)
	}
}

// TestNewTableview begins with the term of the selector, unless the address names another (screens.md U15), and says
// before it is saved who reads it.
func TestNewTableview(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	mara := i.Superuser("Mara Lind")
	term := i.Number("SELECT min(id) FROM academic_term")
	i.Put(fmt.Sprintf("UPDATE administrator SET term_id = %d WHERE id = %d", term, mara))
	v := i.Staff(mara)
	chosen := func(p *sitetest.Page) string { return p.Find("[name=term] option[selected]").AttrOr("value", "none") }
	page := v.Open("/admin/tableviews/new")
	if got := chosen(page); got != fmt.Sprint(term) {
		t.Errorf("it begins with the term %s, want %d", got, term)
	}
	if got := chosen(v.Open("/admin/tableviews/new?term=all")); got == fmt.Sprint(term) {
		t.Error("all terms were asked for")
	}
	if said := page.Text(".notice"); !strings.Contains(said, "by every key that may read tableviews.") {
		t.Errorf("programs are not named: %s", said)
	}
	page.Submit("Save", "title", "Of one term")
	id := i.Number("SELECT id FROM tableview WHERE title = 'Of one term'")
	if got := strings.TrimSpace(i.Lines(fmt.Sprintf("SELECT filters FROM tableview WHERE id = %d", id))); got !=
		fmt.Sprintf(`{"terms":[%d]}`, term) {
		t.Errorf("its filters are %s", got)
	}
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.TableviewsUse, admitto.ApplicantsView))
	if page := few.Open("/admin/tableviews/new").Submit("Save", "title", "Of all"); page.Text("h1") != "Of all" {
		t.Errorf("who may filter by nothing cannot save: %v", page.Errors())
	}
}

// TestTableviewBadInput names what is wrong, stores nothing, and keeps everything typed.
func TestTableviewBadInput(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	before := i.Number("SELECT count(*) FROM tableview")
	name := v.Open("/admin/tableviews/new").Find(".ordered input[type=text]").Eq(1).AttrOr("name", "")
	for _, bad := range [][]string{{"title", "  "}, {"title", strings.Repeat("x", 121)}, {name, ""},
		{name, strings.Repeat("y", 121)}, {"created_since", "soon"}, {"refused_to", "2026-02-30"}, {"course", "x"},
		{"officer", "everybody"}, {"term", "soon"}, {"citizenship", "Portugal"}, {"matriculated", "maybe"},
		{"status", "Lost"}} {
		typed := append([]string{"text", "Anna", "pick", "Phone"}, bad...)
		if bad[0] != "title" {
			typed = append(typed, "title", "Mine")
		}
		page := v.Open("/admin/tableviews/new").Submit("Save", typed...)
		if len(page.Errors()) == 0 || page.Find(`input[name=text][value=Anna]`).Length() != 1 ||
			page.Find(`.ordered [name=column][value=Phone]`).Length() != 1 {
			t.Errorf("%q: %q, and what was typed: %s", bad, page.Errors(), page.Text(".ordered"))
		}
		for _, id := range page.Find(`a[href^="#f-"]`).EachIter() {
			if page.Find(id.AttrOr("href", "")).Length() == 0 {
				t.Errorf("%q: there is no field %s", bad, id.AttrOr("href", ""))
			}
		}
	}
	if page := v.Open("/admin/tableviews/new?column=none"); len(page.Submit("Save", "title", "Mine", "do",
		"").Errors()) != 0 {
		t.Error("a plain one is refused")
	}
	if now := i.Number("SELECT count(*) FROM tableview"); now != before+1 {
		t.Errorf("%d tableviews, there were %d", now, before)
	}
}

// TestTableviewFilters keeps each filter of the list of applications: the tableview has as many rows as the list, the
// builder shows the filter again, and an offer row is one whose own offer matches.
func TestTableviewFilters(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	hana := i.Superuser("Hana Yildiz")
	v := i.Staff(hana)
	first := func(sql string) string { return strings.TrimSpace(i.Lines(sql)) }
	for _, query := range apptest.Every(3, []string{"status=Draft&status=Submitted", "mark=frozen", "mark=expired",
		"officer=nobody", "text=an", "course=" + first("SELECT min(course_id) FROM application_course"), "quota=yes",
		"unpaid=yes", "intake=" + first("SELECT min(intake_id) FROM application_course"), "confirmed=yes", "confirmed=no",
		"decision=Final&decision=Declined", "citizenship=HU&citizenship=PT", "matriculated=no", "matriculated=yes",
		"submitted=yes", "submitted=no", "created_since=2025-09-01", "submitted_since=2025-11-02", "decided=2025-02-01",
		"changed_since=2024-01-01", "refused_from=2024-01-01&refused_to=2026-03-01", "task_status=Accepted",
		"tracker=" + first("SELECT min(tracker_id) FROM applicant_tracker"), "offer=17&confirmed=yes",
		"flag=" + first("SELECT min(flag_id) FROM application_flag"), "revised_since=2025-10-01T08:30:00Z"}) {
		list := v.Open("/admin/applications?term=all&" + query)
		count, _, _ := strings.Cut(list.Text(".list header strong"), " ")
		page := v.Open("/admin/tableviews/new?term=all&"+query).Submit("Save", "title", "Kept")
		got, _, _ := strings.Cut(page.Text("#preview .body"), " ")
		if page.Text("h1") != "Kept" || got != count {
			t.Errorf("%s: %s rows of %s (%v)", query, got, count, page.Errors())
		}
		again := page.Find(`.acts a[href^="/admin/applications?"]`).AttrOr("href", "")
		values, _ := url.ParseQuery(query)
		values.Set("term", "all")
		slices.Sort(values["status"])
		if again != "/admin/applications?"+values.Encode() && !strings.Contains(query, "revised_since") {
			t.Errorf("%s is shown again as %s", query, again)
		}
		if page = page.Submit("Save"); page.Text("h1") != "Kept" {
			t.Errorf("%s cannot be saved again: %v", query, page.Errors())
		}
	}
	by := admitto.AdministratorCaller(hana, admitto.AllPermissions(), "")
	for filters, where := range map[string]string{
		`{"in_quota":true}`: "o.confirmed IS NOT NULL AND o.type_confirmed_id IN (SELECT id FROM offer_type WHERE ranking = 'In quota')",
		`{"offer_as_confirmed":false,"decided_since":1}`: "coalesce(o.type_confirmed_id, 0) <> o.type_id AND o.decided IS NOT NULL",
		`{"offer_as_confirmed":true}`:                    "o.type_confirmed_id = o.type_id",
		`{"citizenships":["HU"],"submitted_once":true}`:  "a.submitted IS NOT NULL AND a.applicant_id IN (SELECT id FROM applicant WHERE citizenship = 'HU')",
	} {
		table, err := i.Services.Reports.TryTable(t.Context(), by, admitto.Tableview{ByOffer: true, Filters: filters},
			report.TableForm{})
		i.Must(err)
		if want := i.Number("SELECT count(*) FROM offer o JOIN application a ON a.id = o.application_id WHERE a.visible AND " +
			where); table.Rows != want {
			t.Errorf("%s has %d rows, want %d", filters, table.Rows, want)
		}
	}
}

// TestTableviewEqualsTabledata compares the file of every column with what the API answers, byte for byte but for the
// marks before what looks like a formula.
func TestTableviewEqualsTabledata(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE applicant SET family = '=1+1' WHERE id % 3 = 0",
		"UPDATE applicant SET phone = '+36 1' WHERE id % 2 = 0",
		"UPDATE applicant SET given = '-x' WHERE id % 4 = 0")
	hana := i.Superuser("Hana Yildiz")
	v := i.Staff(hana)
	for _, byOffer := range []bool{false, true} {
		id := putTableview(i, hana, admitto.Tableview{Title: "All", ByOffer: byOffer}, everyColumn(t, i)...)
		table, err := i.Services.Reports.OpenTable(t.Context(), admitto.KeyCaller(1, admitto.AllPermissions(), ""), id,
			report.TableForm{Document: func(application, document int64) string {
				return fmt.Sprintf("/api/v10/applications/%d/documents/%d", application, document)
			}})
		i.Must(err)
		var want strings.Builder
		out := tabular.NewWriter(&want)
		i.Must(out.Row(table.Titles()))
		marked, rows := 0, 0
		for {
			page, err := table.Next(t.Context())
			i.Must(err)
			if page == nil {
				break
			}
			for _, cells := range page {
				rows++
				for _, cell := range cells {
					if site.SafeCell(cell) != cell {
						marked++
					}
				}
				i.Must(out.Row(site.SafeCells(cells)))
			}
		}
		i.Must(out.Flush())
		if file := v.Open(fmt.Sprintf("/admin/tableviews/%d/csv", id)); file.Body != want.String() || marked == 0 ||
			rows < 20 {
			t.Errorf("by offer %v: %d rows, %d marks, %d bytes, want %d", byOffer, rows, marked, len(file.Body),
				want.Len())
		}
	}
}

// TestTableviewPermissions lets each role build a tableview of every column: it is offered no column, and finds in no
// cell, what it does not see elsewhere, also in one that somebody else made; an empty column says why.
func TestTableviewPermissions(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	all := everyColumn(t, i)
	hana := i.Superuser("Hana Yildiz")
	shared := putTableview(i, hana, admitto.Tableview{Title: "Everything"}, all...)
	private := putTableview(i, hana, admitto.Tableview{Title: "Mine", Private: true}, "Application")
	unpaid := putTableview(i, hana, admitto.Tableview{Title: "Unpaid", Filters: `{"unpaid":true}`}, "Application")
	offers := putTableview(i, hana, admitto.Tableview{Title: "Offers", ByOffer: true}, "Application")
	sees := func(may admitto.Permissions, source string) bool {
		return slices.ContainsFunc(report.ColumnNeeds(source), may.Has)
	}
	whole := tableOf(t, i.Staff(hana).Open(fmt.Sprintf("/admin/tableviews/%d/csv", shared)))
	for _, role := range admitto.BuiltInRoles() {
		v := i.Staff(i.WithRole("Role "+role.Code, role.ID))
		page := v.Open("/admin/tableviews/new")
		if !role.Permissions.Has(admitto.TableviewsUse) {
			if page.Status != 403 {
				t.Errorf("%s opens the builder: %d", role.Code, page.Status)
			}
			continue
		}
		offered := map[string]bool{}
		for _, in := range page.Find("[name=pick], .ordered [name=column]").EachIter() {
			offered[in.AttrOr("value", "")] = true
		}
		typed := []string{"title", "All of " + role.Code, "do", ""}
		for _, source := range all {
			typed = append(typed, "pick", source)
			if offered[source] != sees(role.Permissions, source) {
				t.Errorf("%s is offered %s: %v", role.Code, source, offered[source])
			}
		}
		if role.Code == "CO" {
			if text := page.Text("main"); len(offered) > 0 || !strings.Contains(text, "no column to choose") {
				t.Errorf("the courses administrator is told %s", text)
			}
		} else if own := page.Submit("Save", typed...); own.Text("h1") != "All of "+role.Code {
			t.Errorf("%s cannot save: %d %v", role.Code, own.Status, own.Errors())
		}
		rows := tableOf(t, v.Open(fmt.Sprintf("/admin/tableviews/%d/csv", shared)))
		for n, source := range all {
			filled := slices.ContainsFunc(rows[1:], func(cells []string) bool { return cells[n] != "" })
			had := slices.ContainsFunc(whole[1:], func(cells []string) bool { return cells[n] != "" })
			if filled != (had && sees(role.Permissions, source)) {
				t.Errorf("%s finds something in %s: %v", role.Code, source, filled)
			}
		}
		said := v.Open(fmt.Sprintf("/admin/tableviews/%d", shared)).Text("#preview")
		if told := strings.Contains(said, "Empty for you: it needs"); told != (role.ID > 2) {
			t.Errorf("%s is told why: %v: %.300s", role.Code, told, said)
		}
		for id, needs := range map[int64]admitto.Permission{unpaid: admitto.AccountingView,
			offers: admitto.OffersView} {
			may := role.Permissions.Has(needs) && (id != unpaid || role.Permissions.Has(admitto.ApplicationsView))
			path := fmt.Sprintf("/admin/tableviews/%d", id)
			if got := v.Open(path + "/csv").Status; got == 200 != may {
				t.Errorf("%s gets %s: %d", role.Code, path, got)
			}
			if page := v.Open(path); page.Status != 200 || strings.Contains(page.Text("#preview"),
				"rows are hidden") == may || (page.Find("a[href$='/csv']").Length() > 0) != may {
				t.Errorf("%s sees %s: %.200s", role.Code, path, page.Text("#preview"))
			}
		}
		for _, path := range []string{"", "/csv", "/delete"} {
			if got := v.Open(fmt.Sprintf("/admin/tableviews/%d%s", private, path)).Status; got != 404 {
				t.Errorf("%s opens the private one: %d", role.Code, got)
			}
		}
	}
	v := i.Staff(i.WithRole("Consultant", 4))
	page := v.Open(fmt.Sprintf("/admin/tableviews/%d", shared))
	if page.Find(".ordered").Length() != 0 || !strings.Contains(page.Text("main"), "Only its owner can change") {
		t.Error("others may change it")
	}
	if got := v.Post(fmt.Sprintf("/admin/tableviews/%d", shared), url.Values{"title": {"Taken"}}).Status; got == 200 {
		t.Error("others changed it")
	}
	if n := i.Number("SELECT count(*) FROM tableview WHERE title = 'Taken'"); n != 0 {
		t.Error("others changed it")
	}
}

// TestTableviewClone clones what somebody else made: without the columns, filters and rows that the reader may not use,
// which is said, and the clone can be saved.
func TestTableviewClone(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	hana := i.Superuser("Hana Yildiz")
	shared := putTableview(i, hana, admitto.Tableview{Title: "Everything", ByOffer: true,
		Filters: `{"statuses":["Submitted"],"unpaid":true,"in_quota":true}`}, everyColumn(t, i)...)
	from := fmt.Sprintf("/admin/tableviews/new?from=%d", shared)
	for name, c := range map[string]struct {
		may     []admitto.Permission
		filters string
		byOffer bool
		all     bool
	}{
		"Applicants":   {[]admitto.Permission{admitto.ApplicantsView}, `{}`, false, false},
		"Applications": {[]admitto.Permission{admitto.ApplicationsView}, `{"statuses":["Submitted"]}`, false, false},
		"Offers": {[]admitto.Permission{admitto.ApplicationsView, admitto.OffersView},
			`{"statuses":["Submitted"],"in_quota":true}`, true, false},
		"Everybody": {admitto.AllPermissions().List(),
			`{"statuses":["Submitted"],"unpaid":true,"in_quota":true}`, true, true},
	} {
		may := admitto.PermissionsOf(append(c.may, admitto.TableviewsUse)...)
		page := i.Staff(i.Administrator(name, may.List()...)).Open(from)
		if said := strings.Contains(page.Text("main"), "were left out"); said == c.all {
			t.Errorf("%s is told that something is left out: %v", name, said)
		}
		left := 0
		for _, source := range everyColumn(t, i) {
			if !slices.ContainsFunc(report.ColumnNeeds(source), may.Has) {
				left++
			}
		}
		want := fmt.Sprintf("%d columns that you may not use were left out", left)
		if said := strings.Contains(page.Text("main"), want); said == c.all {
			t.Errorf("%s is not told %q: %s", name, want, page.Text(".notice"))
		}
		page = page.Submit("Save", "title", "Of "+name)
		if page.Text("h1") != "Of "+name {
			t.Errorf("%s cannot save the clone: %d %v", name, page.Status, page.Errors())
			continue
		}
		stored := strings.TrimSpace(i.Lines("SELECT filters FROM tableview WHERE title = 'Of " + name + "'"))
		filters, err := admitto.ReadTableFilters(c.filters)
		i.Must(err)
		got, err := admitto.ReadTableFilters(stored)
		if i.Must(err); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", filters) {
			t.Errorf("%s has the filters %s, want %s", name, stored, c.filters)
		}
		if by := strings.Contains(page.Text("main .kv")+page.Find(`[name=rows]:checked`).AttrOr("value", ""), "offer"); by !=
			c.byOffer {
			t.Errorf("%s has rows of offers: %v", name, by)
		}
		for _, in := range page.Find(".ordered [name=column]").EachIter() {
			if source := in.AttrOr("value", ""); !slices.ContainsFunc(report.ColumnNeeds(source), may.Has) {
				t.Errorf("%s has %s", name, source)
			}
		}
	}
}

// TestTableviewSources keeps a column whose source was removed: marked, and empty.
func TestTableviewSources(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	hana := i.Superuser("Hana Yildiz")
	id := putTableview(i, hana, admitto.Tableview{Title: "Old", Filters: `{"years":[2026],"expired":false}`},
		"Application",
		"Score: Gone", "Nothing")
	v := i.Staff(hana)
	page := v.Open(fmt.Sprintf("/admin/tableviews/%d", id))
	if n := strings.Count(page.Text(".ordered"), "Empty: its source was removed."); n != 2 {
		t.Errorf("%d are marked: %s", n, page.Text(".ordered"))
	}
	page = page.Submit("Save", "title", "Older", "shared", "yes")
	if page.Text("h1") != "Older" || !strings.Contains(page.Text("main"), "further filters") {
		t.Error(page.Errors(), page.Text("h1"))
	}
	if got := strings.TrimSpace(i.Lines(fmt.Sprintf("SELECT filters FROM tableview WHERE id = %d", id))); got !=
		`{"years":[2026],"expired":false}` {
		t.Errorf("the filters are %s", got)
	}
	for n, cells := range tableOf(t, v.Open(fmt.Sprintf("/admin/tableviews/%d/csv", id))) {
		if n > 0 && (cells[1] != "" || cells[2] != "") {
			t.Errorf("row %d has %q", n, cells)
		}
	}
}

// TestTableviewColumnNames names columns in the language of the reader, and finds them by these; their headers stay
// what programs read.
func TestTableviewColumnNames(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	page := v.Open("/admin/tableviews/new")
	form := sitetest.Typed(page.Find("main form").First())
	v.Open("/admin/choose/language/ar")
	text := v.Open("/admin/tableviews/new").Text("main")
	for _, words := range []string{"مكان الميلاد", "تاريخ التقديم", "البرنامج 2: الرمز", "النقاط: ",
		"اللغات 1: اللغة"} {
		if !strings.Contains(text, words) {
			t.Errorf("no column is called %s", words)
		}
	}
	for _, source := range []string{"Place of birth", "Revised date", "Invoices due", "Given name(s)"} {
		if strings.Contains(text, source) {
			t.Errorf("%s stays English", source)
		}
	}
	form.Set("search", "مكان الميلاد")
	form.Set("do", "search")
	if n := v.Post("/admin/tableviews/new", form).Find("[name=pick]").Length(); n != 1 {
		t.Errorf("%d columns are found", n)
	}
}

// TestTableviewRenamed shows the new name of what a column is of, and asks who was putting the tableview together.
func TestTableviewRenamed(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	hana := i.Superuser("Hana Yildiz")
	name := strings.TrimSpace(i.Lines("SELECT name FROM scoresheet ORDER BY id LIMIT 1"))
	id := putTableview(i, hana, admitto.Tableview{Title: "Points"}, "Application", "Score: "+name)
	v := i.Staff(hana)
	path := fmt.Sprintf("/admin/tableviews/%d", id)
	before := v.Open(path)
	rows := tableOf(t, v.Open(path+"/csv"))
	v.Open(fmt.Sprintf("/admin/scoresheets/%d", i.Number("SELECT min(id) FROM scoresheet"))).Submit("Save", "name",
		"A new name")
	page := v.Open(path)
	text := page.Text(".ordered")
	if !strings.Contains(text, "Score: A new name") || strings.Contains(text, "Empty") ||
		page.Find(`.ordered input[value="Score: A new name"][type=text]`).Length() != 1 {
		t.Error(text)
	}
	rows[0][1] = "Score: A new name"
	if got := tableOf(t, v.Open(path+"/csv")); fmt.Sprint(got) != fmt.Sprint(rows) {
		t.Error(got[:2], rows[:2])
	}
	if text := before.Submit("Save", "title", "Mine").Text("main"); !strings.Contains(text, "Hana Yildiz") ||
		i.Number("SELECT count(*) FROM tableview WHERE title = 'Mine'") != 0 {
		t.Errorf("nothing is asked: %.600s", text)
	}
}

// TestTableviewMeanwhile asks which value stays where somebody else has saved.
func TestTableviewMeanwhile(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	hana := i.Superuser("Hana Yildiz")
	id := putTableview(i, hana, admitto.Tableview{Title: "One"}, "Application", "Name")
	path := fmt.Sprintf("/admin/tableviews/%d", id)
	v, other := i.Staff(hana), i.Staff(i.Superuser("Mara Lind"))
	mine := v.Open(path)
	other.Open(path).Submit("Save", "do", "remove-0").Submit("Save", "title", "Theirs")
	page := mine.Submit("Save", "title", "My own")
	if text := page.Text("main"); !strings.Contains(text, "Mara Lind") ||
		page.Find(`[name="keep-title"]`).Length() == 0 &&
			!strings.Contains(text, "Theirs") {
		t.Fatalf("nothing is asked: %.600s", text)
	}
	page = page.Submit("Save")
	if page.Text("h1") != "My own" {
		t.Error(page.Text("h1"), page.Errors())
	}
}

// pieces counts what is written, and how much at once.
type pieces struct {
	http.ResponseWriter
	bytes, most, times int
}

func (w *pieces) Write(p []byte) (int, error) {
	w.bytes, w.most, w.times = w.bytes+len(p), max(w.most, len(p)), w.times+1
	return w.ResponseWriter.Write(p)
}

// TestTableviewStreams reads a hundred columns of many rows: they are written piece by piece, none of them with more
// than a small part of the rows, so that a file of any length takes the same memory.
func TestTableviewStreams(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	rows := int64(apptest.Size(3_000, 50_000))
	n := fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 100001 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", 100000+rows)
	i.Put(n+`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key)
		SELECT i, 'live', FALSE, 1, 'Given', 'Family', i || '@example.org', i || '@example.org' FROM n`,
		n+`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, visible)
		SELECT i, i, (SELECT min(id) FROM academic_term), 'Draft', 1, 1, TRUE FROM n`)
	hana := i.Superuser("Hana Yildiz")
	id := putTableview(i, hana, admitto.Tableview{Title: "Long"}, everyColumn(t, i)[:100]...)
	all := i.Number("SELECT count(*) FROM application WHERE visible")
	r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("/admin/tableviews/%d/csv", id), nil)
	r.AddCookie(i.Cookie(accounts.Administration, hana))
	to := httptest.NewRecorder()
	w := &pieces{ResponseWriter: to}
	i.ServeHTTP(w, r)
	if lines := int64(strings.Count(to.Body.String(), "\r\n")); to.Code != 200 || lines < rows || lines != all+1 {
		t.Errorf("%d: %d lines for %d applications", to.Code, lines, all)
	}
	if w.most > 1<<18 || w.most*4 > w.bytes || w.times < int(rows/512) {
		t.Errorf("%d bytes were written in %d pieces, the longest of them %d", w.bytes, w.times, w.most)
	}
}
