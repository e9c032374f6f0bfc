package card

import (
	"strconv"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// officer sets who works on the application; readers who may only view take one that nobody has, or give back their
// own.
func (p *pages) officer(r *site.Request, h *query.ApplicationHead) error {
	stored := site.Values{"officer": site.One(strconv.FormatInt(h.OfficerID, 10))}
	f, err := r.Form(stored, 0)
	if err != nil {
		return err
	}
	back := r.Within("application", h.ID)
	moved, err := p.officerMoved(r, f, h)
	if err != nil {
		return err
	}
	if moved {
		err := p.overtakenMark(r, f, h, stored, [2]string{"officer", "card.officer_field"}, admitto.ApplicationOfficerSet)
		if err != nil {
			return err
		}
	} else if r.Posted() {
		_, err := p.Admissions.SetOfficers(r.Context(), r.Caller(), []admissions.OfficerChange{{Application: h.ID,
			Officer: f.Choice("officer")}})
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("card.officer_saved"))
			return r.Redirect(back)
		}
	}
	edit, me := r.Reader().Has(admitto.ApplicationsEdit), r.Person.Account
	if !edit && h.OfficerID != admissions.Nobody && h.OfficerID != me {
		return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("card.officer_other", "Name", h.Officer),
			Link: &ui.Link{Text: r.T("card.back"), Href: back}}}}.Show(r)
	}
	staff, err := p.Query.Officers(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	options, has := []ui.Option{{Value: "0", Text: r.T("card.nobody")}}, h.OfficerID == admissions.Nobody
	for _, a := range staff {
		if edit || a.ID == me {
			options = append(options, ui.Option{Value: strconv.FormatInt(a.ID, 10), Text: a.Name})
			has = has || a.ID == h.OfficerID
		}
	}
	if !has { // somebody who cannot be chosen any more
		options = append(options, ui.Option{Value: strconv.FormatInt(h.OfficerID, 10), Text: h.Officer})
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.save"), r.Cancel(back)},
		f.Select("officer", "card.officer_field", options...))}}.Show(r)
}

// officerMoved reports whether somebody else has set another officer since the form was shown. What the reader has done
// in another window, or chooses as well, is nothing to ask about.
func (p *pages) officerMoved(r *site.Request, f *site.Form, h *query.ApplicationHead) (bool, error) {
	if !f.Watch("officer") || f.Choice("officer") == h.OfficerID {
		return false, nil
	}
	last, err := p.lastOf(r, h.ID, func(record *admitto.Record) bool {
		return record.Pattern == admitto.ApplicationOfficerSet
	})
	own := last != nil && last.Actor.Kind == admitto.ByAdministrator && last.Actor.ID == r.Person.Account
	return !own, err
}
