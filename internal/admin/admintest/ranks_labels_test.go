package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestLabelValues types labels with their values: each line that is wrong is named with what would be right, nothing is
// written, and the field keeps what was typed.
func TestLabelValues(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		v := i.Staff(i.Superuser("Hana Yildiz"))
		example := "Write a label, = and its value, such as B2 = 4."
		for _, c := range []struct{ maps, scale, want string }{
			{"B2", "0", "Line 1: " + example},
			{"A1 = 1\r\n\r\nB2 4", "0", "Line 3: " + example},
			{"\nB2", "0", "Line 2: " + example},
			{"= 4", "0", "Line 1: " + example},
			{"A1 = 1\nB2 =", "0", "Line 2: " + example},
			{"B2 = four", "0", "Line 1: Write a whole number after B2 =."},
			{"B2 = 4.5", "0", "Line 1: Write a whole number after B2 =."},
			{"B2 = 4.25", "1", "Line 1: Write a number with at most 1 decimal after B2 =."},
			{"B2 = 4\nC1 = 5\nB2 = 6", "0", "Line 3: B2 is in line 1 already; write each label once."},
			{strings.Repeat("b", 101) + " = 1", "0", "Line 1: Write a label of at most 100 characters."},
			{"A1\nB2 = 4\nC1 = x", "0", "Line 1: " + example + " Line 3: Write a whole number after C1 =."},
			{strings.Repeat("B2\n", 12), "0", "Line 10: " + example + " 2 more lines are wrong."},
		} {
			page := v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "English", "type", "Mapped",
				"scale", c.scale, "maps", c.maps)
			if errors := page.Errors(); len(errors) != 1 || !strings.HasSuffix(errors[0], c.want) {
				t.Errorf("%q: %q, wanted %q", c.maps, errors, c.want)
			}
			if kept := page.Find("[name=maps]").Text(); strings.TrimSpace(kept) != strings.TrimSpace(c.maps) &&
				!strings.Contains(c.maps, "\r") {
				t.Errorf("%q was kept of %q", kept, c.maps)
			}
		}
		if n := i.Number("SELECT count(*) FROM scoresheet"); n != 0 {
			t.Error(n, " sheets were written")
		}
		page := v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "English", "type", "Mapped", "scale",
			"1", "maps", " B2 = 4,5 \n\n C1=5\n")
		if kept := strings.TrimSpace(page.Find("[name=maps]").Text()); page.Text("h1") != "English" ||
			kept != "B2 = 4.5\nC1 = 5.0" {
			t.Errorf("%q %q", page.Errors(), kept)
		}
	})
}

// TestRangeInUse narrows a range that points were given in: the applications are named, at most 50 of them, with how
// many more there are.
func TestRangeInUse(t *testing.T) {
	i, sheet, scores := toScore(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	of := fmt.Sprintf("/admin/scoresheets/%d", sheet)
	i.Put(fmt.Sprintf("UPDATE scoresheet SET type = 'Number' WHERE id = %d", sheet),
		fmt.Sprintf("UPDATE score SET points = 900000, scored = 1 WHERE scoresheet_id = %d", sheet),
		"UPDATE score SET points = 800000 WHERE id = "+scores[1])
	refused := func() string {
		page := v.Open(of).Submit("Save", "max", "50")
		if len(page.Errors()) != 1 {
			t.Fatal(page.Errors())
		}
		return page.Errors()[0]
	}
	application := func(score string) int64 {
		return i.Number("SELECT application_id FROM score WHERE id = " + score)
	}
	count := fmt.Sprintf("SELECT count(DISTINCT application_id) FROM score WHERE scoresheet_id = %d", sheet)
	i.Put(fmt.Sprintf(`INSERT INTO score (scoresheet_id, application_id, points, scored) SELECT %d, id, 900000, 1
		FROM application WHERE id NOT IN (SELECT application_id FROM score WHERE scoresheet_id = %[1]d) LIMIT %d`, sheet,
		57-i.Number(count)))
	got := refused()
	lowest := fmt.Sprintf("do not fit: 80.00 (%d), 90.00 (", application(scores[1]))
	if i.Number(count) != 57 || !strings.Contains(got, lowest) || strings.Count(got, "0.00 (") != 50 ||
		!strings.Contains(got, "and 7 more") {
		t.Error(i.Number(count), got)
	}
	i.Put(fmt.Sprintf("UPDATE score SET points = 400000 WHERE scoresheet_id = %d", sheet),
		"UPDATE score SET points = 600000 WHERE id IN ("+scores[0]+","+scores[1]+")")
	if got = refused(); strings.Count(got, "60.00 (") != 2 || strings.Contains(got, "40.00 (") || strings.Contains(got,
		" more") {
		t.Error(got)
	}
	if n := i.Number(fmt.Sprintf("SELECT range_max FROM scoresheet WHERE id = %d", sheet)); n == 500000 {
		t.Error("the range was narrowed")
	}
	i.Put(fmt.Sprintf("UPDATE score SET points = 400000 WHERE scoresheet_id = %d", sheet))
	if errors := v.Open(of).Submit("Save", "max", "50").Errors(); errors != nil {
		t.Error(errors)
	}
}
