package application

import (
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
)

// prefill is what the form of a section begins with: what is stored or, while nothing is, what an earlier application
// and the account say, which the applicant checks (screens.md P09).
func (p *pages) prefill(r *site.Request, a *own, s *formpage.Section) (stored site.Values, prefilled bool, err error) {
	stored = s.Values()
	if s.Key == "profile" && a.Person.Citizenship != "" {
		stored[site.OfForm+"citizenship"] = site.One(a.Person.Citizenship)
	}
	if s.Rows || s.Key == form.Questions || a.Form.Content.Sections[s.Key] != nil {
		return stored, false, nil
	}
	earlier := *s
	earlier.Content = &a.Earlier
	known := earlier.Values()
	put := func(name, value string) {
		if value != "" && len(known[site.OfForm+name]) == 0 {
			known[site.OfForm+name] = site.One(value)
		}
	}
	switch s.Key {
	case "profile":
		put("name.given", a.Person.Name.Given)
		put("name.middle", a.Person.Name.Middle)
		put("name.family", a.Person.Name.Family)
		put("nationality", a.Person.Citizenship)
	case contact:
		put("telephone.mobile", a.Person.Phone)
		put("email", a.Person.Email)
	}
	for name, values := range known {
		if len(values) > 0 && values[0] != "" && len(stored[name]) == 0 {
			stored[name], prefilled = values, true
		}
	}
	return stored, prefilled, nil
}
