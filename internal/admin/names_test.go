package admin_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestNamesInSentences lets everybody have a name from right to left, and finds it isolated wherever other words stand
// in the same text: of pages for staff and for applicants. Texts of mails and letters have their own direction.
func TestNamesInSentences(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	const given, family = "ليلى", "حداد"
	i.Put("UPDATE applicant SET given = '"+given+"', middle = '', family = '"+family+"'",
		"UPDATE administrator SET name = '"+given+"'")
	seen := 0
	look := func(p *sitetest.Page) {
		if !strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") ||
			strings.HasPrefix(p.Path, "/admin/templates/") {
			return
		}
		check := func(text string) {
			at := strings.Index(text, given)
			if at < 0 || strings.HasPrefix(text, "Dear ") || strings.HasPrefix(text, "Hello ") {
				return
			}
			seen++
			rest := strings.NewReplacer(given, "", family, "").Replace(text)
			others := strings.ContainsFunc(rest, unicode.IsLetter) || strings.ContainsFunc(rest, unicode.IsDigit)
			before := text[:at]
			if others && strings.LastIndex(before, "\u2068") <= strings.LastIndex(before, "\u2069") {
				t.Errorf("%s: not isolated: %.120q", p.Path, text)
			}
		}
		p.Find("*").Not("script, style, textarea").Each(func(_ int, s *goquery.Selection) {
			for _, name := range []string{"aria-label", "title", "alt"} {
				check(s.AttrOr(name, ""))
			}
			s.Contents().Each(func(_ int, c *goquery.Selection) {
				if goquery.NodeName(c) == "#text" {
					check(c.Text())
				}
			})
		})
	}
	i.Staff(i.Superuser("Hana Yildiz")).Crawl("/admin", 1, look)
	if seen < 50 {
		t.Errorf("the name stands on the pages of staff %d times", seen)
	}
	own := i.Number("SELECT applicant_id FROM application WHERE status = 'Submitted' ORDER BY id LIMIT 1")
	i.Applicant(own).Crawl("/my", 1, look)
}
