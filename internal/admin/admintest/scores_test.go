package admintest

import (
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// scored is the card of an application with scores.
const scored = "/admin/applications/12"

// interviewed has sheets of every kind, criteria of course 55 that make thirds, and application 12 on two of the
// sheets.
func interviewed(d *servicestest.Desk) *sitetest.Instance {
	d.Fair()
	d.Write(`INSERT INTO scoresheet (id, created, name, type, maps, depth, range_min, range_max, scale) VALUES
		(3, 1, 'Motivation', 'Number', '', 'Application', 0, 30000, 0), (4, 1, 'Essay', 'Number', '', 'Application', 0, 70000, 1),
		(5, 1, 'Interview', 'Mapped', '[{"label":"good","value":25000},{"label":"bad","value":-10500}]', 'Offer', -10500, 25000, 2)`,
		`INSERT INTO scoresheet (id, created, confirmed, name, type, date, reference, subject, language, depth, range_min, range_max, scale) VALUES
		(6, 1, NULL, 'English', 'IELTS', 'Optional', 'Required', 'Optional', 'Optional', 'Application', 0, 90000, 1),
		(7, 1, 1773046820000000, 'Locked', 'Number', 'None', 'None', 'None', 'None', 'Application', 0, 90000, 1)`,
		`INSERT INTO criterion (course_id, scoresheet_id, position, weight, percent, required) VALUES (55, 3, 1, 3333, TRUE, TRUE),
			(55, 4, 2, 3333, TRUE, FALSE), (55, 5, 3, 10000, FALSE, FALSE)`,
		`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, type_id, academic_term_id)
			SELECT 71, 12, 2, 55, 1, 8, 1, 1, min(id), 13 FROM offer_type`,
		`INSERT INTO score (id, scoresheet_id, application_id) VALUES (91, 3, 12), (92, 7, 12)`)
	return sitetest.On(d)
}

// sum adds up the parts of the explanation of the first offer.
func sum(t *testing.T, p *sitetest.Page) (parts, shown string) {
	t.Helper()
	total := new(big.Rat)
	p.Find(`main section.card`).First().Find("tbody tr td:last-child").Each(func(_ int, s *goquery.Selection) {
		part, ok := new(big.Rat).SetString(strings.TrimSpace(s.Text()))
		if !ok {
			t.Fatalf("a part is %q", s.Text())
		}
		total.Add(total, part)
	})
	return total.FloatString(4), p.Find(`main section.card`).First().Find("dd").First().Text()
}

// TestScores enters points, sees at once what they come to, and adds the application and its offer to sheets.
func TestScores(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := interviewed(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open(scored + "/scores")
		if text := page.Text("main"); page.Status != 200 || !strings.Contains(text, "Waits for points") ||
			!strings.Contains(text, "Confirmed") {
			t.Fatalf("%d %s", page.Status, text)
		}
		form := staff.Open(scored + "/scores/91")
		if page = form.Submit("Save", "points", "1", "comments", "Well "+
			sitetest.Hostile); !strings.Contains(page.Text("main"), "The points on Motivation are saved.") {
			t.Fatalf("%d %s", page.Status, page.Text("main"))
		}
		sitetest.Harmless(t, page)
		if p := staff.Open(scored + "/history"); !strings.Contains(p.Text(`.timeline a[href$="/scores"]`), "Motivation") {
			t.Errorf("which sheet is not said: %s", p.Text(".timeline"))
		} else if text := p.Text(".timeline"); !strings.Contains(text, "Points: ") || strings.Contains(text, "points: ") {
			t.Errorf("raw names: %s", text)
		}
		// 33.3333 × 0.3333 is 11.1100 on the line, and 11.11 is the score.
		if parts, shown := sum(t, page); parts != "11.1100" || shown != "11.11" {
			t.Errorf("%s is shown as %s", parts, shown)
		}
		add := staff.Open(scored + "/scores/add")
		fields := add.Submit("Go on", "sheet", "4")
		if page = fields.Submit("Save", "points", "1,5"); !strings.Contains(page.Text("main"),
			"The application is on Essay now.") {
			t.Fatalf("%d %s", page.Status, page.Text("main"))
		}
		// 1.5 of 7 is 21.428571… percent: the parts are rounded, and a line says so.
		if parts, shown := sum(t, page); parts != shown+"00" || shown != "18.25" ||
			!strings.Contains(page.Text("main"), "Rounding") {
			t.Errorf("%s is shown as %s: %s", parts, shown, page.Text("main"))
		}
		offer := d.Number("SELECT id FROM offer WHERE application_id = 12")
		page = staff.Open(scored+"/scores/add").Submit("Go on", "sheet", fmt.Sprintf("5-%d", offer)).Submit("Save", "points",
			"2.50")
		if parts, shown := sum(t, page); parts != shown+"00" || shown != "20.75" ||
			!strings.Contains(page.Text("main"), "2.50 good") {
			t.Errorf("%s is shown as %s: %s", parts, shown, page.Text("main"))
		}
		if n := d.Number("SELECT score_auto FROM offer WHERE id = $1", offer); n != 20_75 {
			t.Errorf("the score is %d", n)
		}
		page = staff.Open(scored+"/scores/91").Submit("Save", "points", "", "comments", "")
		if text := page.Text("main"); !strings.Contains(text, "Waits for points") ||
			!strings.Contains(text, "no points yet, so there is no score") {
			t.Error(text)
		}
		staff.Open(scored+"/scores/add").Submit("Go on", "sheet", "6").Submit("Save", "points", "7.5", "reference", "TRF-1",
			"language", "EN",
			"date-day", "1", "date-month", "2", "date-year", "2026", "subject", "Physics")
		if got := d.Lines("SELECT reference || subject || language || date FROM score WHERE scoresheet_id = 6"); got != "TRF-1Physicsen2026-02-01" {
			t.Error(got)
		}
		if p := staff.Open(scored + "/scores/add"); !strings.Contains(p.Text("main"), "on every scoresheet") {
			t.Error(p.Text("main"))
		}
		if p := staff.Open(scored + "/history"); !strings.Contains(p.Text(".timeline li:first-child"), "Mara Lind") {
			t.Error(p.Text(".timeline"))
		}
	})
}

// TestRanks says where an offer stands in the rankings that it is in, and that it has no rank once it does not compete.
func TestRanks(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := interviewed(d)
		d.Write(`INSERT INTO ranking (id, name, created, modified, academic_term_id) VALUES (1, 'Energy first', 1, 1, 13), (2, 'Law', 1, 1, 13), (3, 'Everybody', 1, 1, NULL)`,
			"INSERT INTO ranking_course (ranking_id, course_id) VALUES (1, 55), (2, 56)",
			"UPDATE application SET status = 'Submitted' WHERE id = 11",
			`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id, academic_term_id, score_extra)
				SELECT 72, 11, 1, 55, 1, 1, 1, min(id), 13, 500 FROM offer_type`, "UPDATE offer SET score_extra = 499 WHERE id = 71")
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		if text := staff.Open(scored + "/scores").Text("main"); !strings.Contains(text, "Rank in Energy first2 of 2") ||
			!strings.Contains(text, "Rank in Everybody2 of 2") || strings.Contains(text, "Rank in Law") {
			t.Error(text)
		}
		d.Write("UPDATE offer SET score_extra = 501 WHERE id = 71")
		if text := staff.Open(scored + "/scores").Text("main"); !strings.Contains(text, "Rank in Energy first1 of 2") {
			t.Error(text)
		}
		d.Write("UPDATE offer SET decision = 'Declined' WHERE id = 71")
		if text := staff.Open(scored + "/scores").Text("main"); !strings.Contains(text, "Rank in Energy firstNo rank") {
			t.Error(text)
		}
		const many = "WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 6001) INSERT INTO "
		d.Write(many+"course (id, status, updated, institution_id, featured, awards, name) SELECT i, 'Online', 1, 1, FALSE, '[]', 'Art' FROM n",
			many+`offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id, academic_term_id)
				SELECT i, 11, 1, i, 1, 1, 1, (SELECT min(id) FROM offer_type), 13 FROM n`)
		if text := staff.Open(scored + "/scores").Text("main"); !strings.Contains(text, "Rank in Energy firstNo rank") ||
			!strings.Contains(text, "Rank in EverybodyToo many offers") {
			t.Error(text)
		}
	})
}

// TestBadScores refuses points that a sheet does not take, with everything that was typed.
func TestBadScores(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := interviewed(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		form := staff.Open(scored + "/scores/91")
		long := strings.Repeat("x", 2001)
		for field, values := range map[string][]string{"points": {"4", "-1", "1.5", "x", "1e1", "99999999999999999999"},
			"comments": {long}} {
			for _, value := range values {
				typed := []string{"comments", "Kept", "points", value}
				if field == "comments" {
					typed = []string{"points", "1", "comments", value}
				}
				p := form.Submit("Save", typed...)
				if p.Status != 422 || len(p.Errors()) != 1 || p.Find("#f-"+field+"-error").Length() != 1 || field == "points" &&
					p.Text("#f-comments") != "Kept" {
					t.Errorf("%s %.30q: %d %q", field, value, p.Status, p.Errors())
				}
			}
		}
		english := staff.Open(scored + "/scores/add?sheet=6")
		for field, value := range map[string]string{"reference": "", "points": "7.3", "language": "english", "date-year": "x",
			"subject": strings.Repeat("y", 256)} {
			typed := map[string]string{"reference": "R", "date-day": "1", "date-month": "1", "date-year": "2026", field: value}
			var list []string
			for name, v := range typed {
				list = append(list, name, v)
			}
			if p := english.Submit("Save", list...); p.Status != 422 || len(p.Errors()) != 1 {
				t.Errorf("%s %.30q: %d %q", field, value, p.Status, p.Errors())
			}
		}
		for _, bad := range []string{"", "99", "3", "5", "5-999", "6-1", "x"} {
			if p := staff.Open(scored+"/scores/add").Submit("Go on", "sheet", bad); bad != "" &&
				(p.Status != 422 || len(p.Errors()) != 1) {
				t.Errorf("sheet %q: %d %q", bad, p.Status, p.Errors())
			}
		}
		for _, missing := range []string{"/scores/93", "/scores/0", "/scores/x"} {
			if p := staff.Open(scored + missing); p.Status != 404 {
				t.Errorf("%s: %d", missing, p.Status)
			}
		}
		if d.Number("SELECT count(*) FROM score") != 2 || d.Lines("SELECT 'x' FROM score WHERE points IS NOT NULL") != "" {
			t.Error("something was stored")
		}
	})
}

// TestWhoMayScore shows scores by applications-view, lets them be written by applications-score, and those of confirmed
// sheets by scorers alone; what they come to is for those who see offers.
func TestWhoMayScore(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := interviewed(d)
		reader := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView))
		if p := reader.Open(scored + "/scores"); p.Status != 200 ||
			p.Find("main section.card, main a[href*='/scores/']").Length() != 0 {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
		scorer := i.Staff(i.Administrator("Ida Moen", admitto.ApplicationsView, admitto.ApplicationsScore))
		p := scorer.Open(scored + "/scores")
		if p.Find(`main a[href$="/scores/91"]`).Length() != 1 || p.Find(`main a[href$="/scores/92"]`).Length() != 0 {
			t.Error(p.Text("main"))
		}
		locked := scorer.Open(scored + "/scores/92")
		if locked.Status != 200 || locked.Find("main form").Length() != 0 ||
			!strings.Contains(locked.Text("main"), "confirmed") {
			t.Errorf("%d %s", locked.Status, locked.Text("main"))
		}
		typed := sitetest.Typed(scorer.Open(scored + "/scores/91").Find("main form"))
		typed.Set("points", "2")
		if p := scorer.Do(http.MethodPost, scored+"/scores/92", typed); p.Status != 422 || len(p.Errors()) != 1 {
			t.Errorf("a confirmed sheet: %d %s", p.Status, p.Text("main"))
		}
		keeper := i.Staff(i.Administrator("Mara Lind", admitto.ApplicationsView, admitto.ApplicationsScore,
			admitto.ScorersEdit))
		if p := keeper.Open(scored+"/scores/92").Submit("Save", "points", "2"); !strings.Contains(p.Text("main"),
			"The points on Locked are saved.") {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
	})
}

// TestScorers lets those score who are asked to, says until when, and takes points of nobody else but of those who may
// change the sheet. Others may put the application on it.
func TestScorers(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := interviewed(d)
		asked := i.Administrator("Ida Moen", admitto.ApplicationsView, admitto.ApplicationsScore)
		other := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView, admitto.ApplicationsScore))
		open := other.Open(scored + "/scores/91")
		d.Write(fmt.Sprintf("UPDATE scoresheet SET scorers = '[%d]', due = '2026-05-15' WHERE id IN (3, 4)", asked))
		page := other.Open(scored + "/scores")
		if text := page.Text("main"); !strings.Contains(text, "until 15 May 2026 · scored by Ida Moen") ||
			page.Find(`main a[href$="/scores/91"]`).Length() != 0 {
			t.Errorf("%d %s", page.Status, text)
		}
		if p := other.Open(scored + "/scores/91"); p.Find("main form").Length() != 0 ||
			!strings.Contains(p.Text("main"), "Others are asked to score") {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
		if p := open.Submit("Save", "points", "2"); p.Status != 422 ||
			d.Number("SELECT count(*) FROM score WHERE points IS NOT NULL") != 0 {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
		add := other.Open(scored+"/scores/add").Submit("Go on", "sheet", "4")
		if p := add.Submit("Save"); add.Find("#f-points").Length() != 0 ||
			!strings.Contains(p.Text("main"), "The application is on Essay now.") {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
		for n, who := range []int64{asked, i.Administrator("Mara Lind", everything...)} {
			staff := i.Staff(who)
			if p := staff.Open(scored+"/scores/91").Submit("Save", "points", fmt.Sprint(n+1)); !strings.Contains(p.Text("main"),
				"The points on Motivation are saved.") {
				t.Errorf("%d %s", p.Status, p.Text("main"))
			}
			if text := staff.Open("/admin").Text("main"); strings.Contains(text, "of 1 left, until 15 May 2026") != (n == 0) {
				t.Error(text)
			}
		}
		if text := other.Open("/admin").Text("main"); strings.Contains(text, "Motivation") {
			t.Error(text)
		}
	})
}

// TestScoresMeanwhile asks the second of two officers who score at once which points stay.
func TestScoresMeanwhile(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := interviewed(d)
		one, two := i.Staff(i.Administrator("Mara Lind", everything...)), i.Staff(i.Administrator("Kofi Haugen",
			everything...))
		first, second := one.Open(scored+"/scores/91"), two.Open(scored+"/scores/91")
		first.Submit("Save", "points", "1", "comments", "Short")
		asked := second.Submit("Save", "points", "3")
		if asked.Status != 422 || asked.Find(`[name="keep.points"]`).Length() != 2 ||
			d.Number("SELECT points FROM score WHERE id = 91") != 1_0000 {
			t.Fatalf("%d %s", asked.Status, asked.Text("main"))
		}
		asked.Submit("Save", "keep.points", "mine")
		if got := d.Lines("SELECT points || comments FROM score WHERE id = 91"); got != "30000Short" {
			t.Errorf("stored is %s", got)
		}
	})
}

// TestScoringInBrowser enters points without a mouse, with scripts and without.
func TestScoringInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := interviewed(d)
		page := uitest.Page{Name: "scores", Path: scored + "/scores",
			Cookie: i.Cookie(accounts.Administration, i.Administrator("Mara Lind", everything...))}
		b := uitest.Open(t, i)
		for n, scripts := range []bool{true, false} {
			tab := b.Tab(t, page, scripts)
			tab.Reach(`main a[href$="/scores/91"]`)
			tab.Enter()
			tab.Find("#f-points")
			tab.Reach("#f-points")
			tab.Write(fmt.Sprint(n + 1))
			tab.Enter()
			tab.Find(".tabs")
			if want := []string{"11.11", "22.22"}[n]; !strings.Contains(tab.Text("main"), want) {
				t.Errorf("no %s in %s", want, tab.Text("main"))
			}
			d.Write("UPDATE score SET points = NULL WHERE id = 91")
		}
	})
}

// TestScorePages looks at the pages in a browser.
func TestScorePages(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	score := i.Number("SELECT max(s.id) FROM score s JOIN offer o ON o.application_id = s.application_id WHERE o.score_explained <> ''")
	id := i.Number("SELECT application_id FROM score WHERE id = $1", score)
	none := i.Number("SELECT min(a.id) FROM application a WHERE visible AND NOT EXISTS (SELECT 1 FROM score WHERE application_id = a.id)")
	i.Put(fmt.Sprintf("UPDATE score SET comments = '%s' WHERE id = %d", strings.Repeat("Supercalifragilistic", 20), score))
	path := fmt.Sprintf("/admin/applications/%d/scores", id)
	uitest.Check(t, i, uitest.Page{Name: "score-tab", Path: path, Cookie: staff},
		uitest.Page{Name: "score-change", Path: fmt.Sprintf("%s/%d", path, score), Cookie: staff},
		uitest.Page{Name: "score-add", Path: path + "/add", Cookie: staff},
		uitest.Page{Name: "score-none", Path: fmt.Sprintf("/admin/applications/%d/scores", none), Cookie: staff})
}
