package admin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store"
)

// TestApplicantFilters compares the rows of each filter of the list, and of some together, with the rule in the
// database that the filter stands for.
func TestApplicantFilters(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		d.Must(d.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.SkipIDs("applicant", 100) }))
		i := sitetest.On(d)
		tracker := d.Tracker("FAIR27")
		boss := i.Administrator("Ada Boss", everything...)
		staff := i.Staff(boss)
		add := func(email string, fields ...string) int64 {
			t.Helper()
			typed := map[string]string{"email": email, "given": "Ana", "family": "Silva", "citizenship": "PT"}
			for n := 0; n < len(fields); n += 2 {
				typed[fields[n]] = fields[n+1]
			}
			var all []string
			for name, value := range typed {
				all = append(all, name, value)
			}
			if page := staff.Open("/admin/applicants/new").Submit("Add applicant", all...); page.Status != 200 {
				t.Fatalf("%s: %d %s", email, page.Status, page.Text("main"))
			}
			return d.Number("SELECT id FROM applicant WHERE email_key = $1", email)
		}
		ana := add("ana.silva@example.org", "phone", "+351 22 555 0101", "tracker", fmt.Sprint(tracker))
		d.Clock.Add(admitto.Day)
		staff = i.Staff(boss) // the session has ended
		twin := add("ana.s@example.com", "given", "Anna", "family", "Sylva", "phone", "+351 22 555 0101")
		bea := add("bea@example.org", "given", "Béa", "family", "Nuñez", "citizenship", "ES", "tracker", fmt.Sprint(tracker))
		cem := add("cem@example.org", "given", "Cem", "family", "Öz", "citizenship", "TR")
		gone := add("gone@example.org", "given", "Silva", "family", "Gone", "tracker", fmt.Sprint(tracker))
		if page := staff.Open(fmt.Sprintf("/admin/applicants/%d/block", bea)).Submit("Block"); page.Status != 200 {
			t.Fatal(page.Text("main"))
		}
		if page := staff.Open(fmt.Sprintf("/admin/applicants/%d/delete", gone)).Submit("Delete"); page.Status != 200 {
			t.Fatal(page.Text("main"))
		}
		d.Write("INSERT INTO consent (id, type, text, link) VALUES (41, 'Voluntary', 'News', '')",
			fmt.Sprintf("UPDATE applicant SET lead = FALSE WHERE id IN (%d, %d)", ana, bea),
			fmt.Sprintf("INSERT INTO consent_decision (applicant_id, consent_id, decided, decision) VALUES (%d, 41, 1, 'Accept'), (%d, 41, 1, 'Reject'), (%d, 41, 1, 'Accept')", ana, bea, gone),
			fmt.Sprintf("UPDATE application SET applicant_id = %d WHERE id = 12", cem))
		decided := func(decision string) string {
			return "EXISTS (SELECT 1 FROM consent_decision c WHERE c.applicant_id = a.id AND c.consent_id = 41 AND c.decision = '" + decision + "')"
		}
		tracked := fmt.Sprintf("EXISTS (SELECT 1 FROM applicant_tracker k WHERE k.applicant_id = a.id AND k.tracker_id = %d)", tracker)
		const blocked, inTerm = "a.state = 'blocked'", "EXISTS (SELECT 1 FROM application x WHERE x.applicant_id = a.id AND x.academic_term_id = 13)"
		const twins = "a.phone <> '' AND EXISTS (SELECT 1 FROM applicant b WHERE b.id <> a.id AND b.visible AND b.phone = a.phone)"
		noon := d.Services.Core.DayOf(d.Clock.Now())
		begin := noon.AddDays(-1).End(d.Services.Core.Settings().Instance.Timezone)
		for _, c := range []struct{ query, rule string }{
			{"", "TRUE"},
			{"text=silva", "a.family = 'Silva'"}, {"text=SILVA+ana", "a.family = 'Silva'"}, {"text=nunez", "a.family = 'Nuñez'"},
			{"text=oz", "a.family = 'Öz'"}, {"text=ana.s@example.com", "a.email_key = 'ana.s@example.com'"},
			{"text=sylva", fmt.Sprintf("a.id = %d", twin)}, {"text=nobody-has-this", "FALSE"},
			{"from=" + noon.String(), fmt.Sprintf("a.registered >= %d", begin)},
			{"to=" + noon.AddDays(-1).String(), fmt.Sprintf("a.registered < %d", begin)},
			{"from=" + noon.String() + "&to=" + noon.AddDays(-1).String(), "FALSE"},
			{"citizenship=ES", "a.citizenship = 'ES'"}, {"citizenship=ES&citizenship=TR", "a.citizenship IN ('ES', 'TR')"},
			{"citizenship=FI", "FALSE"}, {fmt.Sprintf("tracker=%d", tracker), tracked}, {"tracker=77", "FALSE"},
			{"lead=yes", "a.lead"}, {"lead=no", "NOT a.lead"}, {"blocked=yes", blocked}, {"blocked=no", "NOT " + blocked},
			{"consent=41-accepted", decided("Accept")}, {"consent=41-rejected", decided("Reject")},
			{"consent=41-undecided", "NOT EXISTS (SELECT 1 FROM consent_decision c WHERE c.applicant_id = a.id AND c.consent_id = 41)"},
			{"term=13", inTerm}, {"term=77", "FALSE"}, {"duplicate=yes", twins},
			{"duplicate=yes&lead=yes", twins + " AND a.lead"}, {"duplicate=yes&text=silva", twins + " AND a.family = 'Silva'"},
			{"term=13&lead=yes&blocked=no", inTerm + " AND a.lead AND NOT " + blocked},
			{"consent=41-rejected&blocked=yes&citizenship=ES", decided("Reject") + " AND " + blocked +
				" AND a.citizenship = 'ES'"},
			{fmt.Sprintf("tracker=%d&lead=no&consent=41-accepted", tracker), tracked + " AND NOT a.lead AND " +
				decided("Accept")},
			{fmt.Sprintf("tracker=%d&text=ana&from=%s", tracker, noon), "FALSE"},
		} {
			want := strings.Fields(d.Lines("SELECT a.id || '' FROM applicant a WHERE a.visible AND (" + c.rule +
				") ORDER BY a.id"))
			var rows []string
			page := staff.Open("/admin/applicants?size=250&" + c.query)
			for _, row := range page.Find("tbody tr").EachIter() {
				rows = append(rows, strings.TrimSpace(row.Find("td.meta").Text()))
			}
			slices.Sort(rows)
			slices.Sort(want)
			if page.Status != 200 || !slices.Equal(rows, want) || (len(want) == 0) != (c.rule == "FALSE") {
				t.Errorf("%s: %v, and %s holds for %v", c.query, rows, c.rule, want)
			}
		}
	})
}
