package portal

import (
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// front is the first page: who one is with here, and what one can do.
func (p *pages) front(r *site.Request) error {
	r.SetTitle(r.T("front.title", "Institution", r.Instance()))
	page := site.Sheet{Intro: []string{r.T("front.text")}}
	if r.Person.Account != 0 {
		page.Buttons = r.Buttons(site.Primary("applications"), site.Do("my-account"))
		return page.Show(r)
	}
	page.Buttons = r.Buttons(site.Primary("register"), site.Do("sign-in"))
	steps := ui.Box{Title: r.T("front.how"), Parts: []ui.Component{ui.Timeline{Events: []ui.Event{
		{Title: r.T("front.register"), Text: r.T("front.register_text")},
		{Title: r.T("front.fill"), Text: r.T("front.fill_text")},
		{Title: r.T("front.answer"), Text: r.T("front.answer_text")},
	}}}}
	page.Parts = []ui.Component{steps}
	return page.Show(r)
}

// signOut ends the session.
func (p *pages) signOut(r *site.Request) error {
	if err := r.SignOut(); err != nil {
		return err
	}
	return r.To("front")
}
