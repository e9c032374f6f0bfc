package admin

import (
	"net/url"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// chooseTerm keeps the term that the reader's lists begin with (screens.md U15).
func (p *pages) chooseTerm(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	if err := p.Accounts.ChooseTerm(r.Context(), r.Reader(), id); err != nil {
		return err
	}
	return r.Redirect(r.Next(r.At("dashboard")))
}

// termOf is the term that the reader chose last, or else that of the next deadline; 0 without any.
func (p *pages) termOf(r *site.Request) int64 {
	if id := r.Person.Term; id != 0 {
		if _, err := p.Query.Term(r.Context(), r.Reader(), id); err == nil {
			return id
		}
	}
	id, err := p.Query.DefaultTerm(r.Context(), r.Reader())
	if err != nil {
		return 0
	}
	return id
}

// termMenu is the selector of the term: nil without terms, or when they cannot be read, as on the page that says so.
func (p *pages) termMenu(r *site.Request) *ui.Menu {
	terms, err := p.Query.Terms(r.Context(), r.Reader())
	if err != nil || len(terms) == 0 {
		return nil
	}
	view, of := r.View(false), p.termOf(r)
	asked := view.Get("term") != ""
	if asked {
		of = view.ID("term")
	}
	menu := &ui.Menu{Icon: "calendar"}
	for _, t := range lastFirst(terms) {
		if t.ID == of {
			menu.Text = t.Name
		}
		menu.Links = append(menu.Links, p.termLink(r, view, &t, asked, of))
	}
	if asked {
		menu.Links = append(menu.Links, ui.Link{Text: r.T("browse.all_terms"), Href: view.With("term", allTerms),
			Current: view.Get("term") == allTerms})
	}
	if menu.Text == "" {
		menu.Text = r.T("browse.all_terms")
	}
	return menu
}

func (p *pages) termLink(r *site.Request, view *site.View, t *admitto.Term, asked bool, of int64) ui.Link {
	next := r.URL.RequestURI()
	if asked {
		next = view.With("term", number(t.ID))
	}
	return ui.Link{Text: t.Name, Href: withNext(r.At("term", t.ID), next), Posts: true, Current: t.ID == of}
}

// withNext is the address of an action that leads back to a page.
func withNext(address, next string) string { return address + "?next=" + url.QueryEscape(next) }
