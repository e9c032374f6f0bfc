package admin_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// A name that begins from right to left and goes on with what tries to become markup. Everybody has it.
const (
	leftwardGiven  = "ليلى"
	leftwardFamily = sitetest.Hostile
)

// nameEverybody gives all applicants and administrators the name.
func nameEverybody(i *sitetest.Instance) {
	family := strings.ReplaceAll(leftwardFamily, "'", "''")
	i.Put("UPDATE applicant SET given = '"+leftwardGiven+"', middle = '', family = '"+family+"'",
		"UPDATE administrator SET name = '"+leftwardGiven+" "+family+"'")
}

// isolated finds the name isolated wherever other words stand in the same text of a page, and returns how often it
// stands there. Texts of mails and letters have their own direction.
func isolated(t *testing.T, p *sitetest.Page) (seen int) {
	t.Helper()
	if !strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") || strings.HasPrefix(p.Path, "/admin/templates/") {
		return 0
	}
	check := func(text string) {
		at := strings.Index(text, leftwardGiven)
		if at < 0 || strings.HasPrefix(text, "Dear ") || strings.HasPrefix(text, "Hello ") {
			return
		}
		seen++
		rest := strings.NewReplacer(leftwardGiven, "", leftwardFamily, "").Replace(text)
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
	return seen
}

// TestNamesInSentences finds the name isolated on the pages of an applicant; TestCrawlAsSuperuser does on those of
// staff.
func TestNamesInSentences(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	nameEverybody(i)
	own := i.Number("SELECT applicant_id FROM application WHERE status = 'Submitted' ORDER BY id LIMIT 1")
	seen := 0
	i.Applicant(own).Crawl("/my", 1, func(p *sitetest.Page) { seen += isolated(t, p) })
	if seen == 0 {
		t.Error("the name stands on no page")
	}
}
