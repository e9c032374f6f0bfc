package courses

import (
	"encoding/xml"
	"io"
	"strings"

	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
)

// mostAddresses is how many addresses a site map may have.
const mostAddresses = 50_000

// sitemap lists the public pages for search engines: those of courses that everybody finds, and no others.
func (p *pages) sitemap(r *site.Request) error {
	found, err := p.Query.OfferedCourses(r.Context(), query.OfferedList{Limit: mostAddresses - 5})
	if err != nil {
		return err
	}
	type address struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod,omitempty"`
	}
	list := struct {
		XMLName   xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Addresses []address `xml:"url"`
	}{}
	base := r.Settings().BaseURL
	for _, name := range []string{"front", "courses", "help", "privacy", "accessibility"} {
		list.Addresses = append(list.Addresses, address{Loc: base + r.At(name)})
	}
	for i := range found.Courses {
		c := &found.Courses[i]
		list.Addresses = append(list.Addresses, address{Loc: base + r.At("course", c.ID),
			LastMod: c.Updated.Std().Format("2006-01-02")})
	}
	body, err := xml.Marshal(list)
	if err != nil {
		return err
	}
	return r.Inline("application/xml; charset=utf-8", io.NopCloser(strings.NewReader(xml.Header+string(body))))
}

// robots tells search engines what not to read: what is below a session, and ways in that are made of letters.
func (p *pages) robots(r *site.Request) error {
	text := "User-agent: *\nDisallow: /my\nDisallow: /admin\nDisallow: /setup\nDisallow: /api\nDisallow: /sign-in\n" +
		"Disallow: /choose\nDisallow: /r/\nSitemap: " + r.Settings().BaseURL + r.At("sitemap") + "\n"
	return r.Inline("text/plain; charset=utf-8", io.NopCloser(strings.NewReader(text)))
}
