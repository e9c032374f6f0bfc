package card

import (
	"bytes"
	"io"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// flagRoutes are the flags and the officer of an application, and its printout.
func (p *pages) flagRoutes() []site.Route {
	return []site.Route{
		{Name: "application-flags", Path: "/admin/applications/{id}/flags", Form: true, Parent: "application",
			Access: site.Needs(admitto.FlagsEdit).And(admitto.ApplicationsView), Handle: p.ofApplication(p.flags)},
		{Name: "application-officer", Path: "/admin/applications/{id}/officer", Form: true, Parent: "application",
			Access: site.Needs(admitto.ApplicationsView), Handle: p.ofApplication(p.officer)},
		{Name: "application-printout", Path: "/admin/applications/{id}/printout", Parent: "application",
			Access: site.Needs(admitto.ApplicationsView), Handle: p.ofApplication(p.printout)},
	}
}

// flags sets flags and takes them off: those that are ticked stay.
func (p *pages) flags(r *site.Request, h *query.ApplicationHead) error {
	all, err := p.Query.Flags(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	stored := site.Values{}
	for _, f := range h.Flags {
		stored["flag"] = append(stored["flag"], strconv.FormatInt(f.ID, 10))
	}
	f, err := r.Form(stored, 0)
	if err != nil {
		return err
	}
	back := r.Within("application", h.ID)
	if f.Watch("flag") {
		err := p.overtakenMark(r, f, h, stored, [2]string{"flag", "card.flags"}, admitto.ApplicationFlagged,
			admitto.ApplicationUnflagged)
		if err != nil {
			return err
		}
	} else if r.Posted() {
		refused, err := f.Refused(p.setFlags(r, h, all, f.All("flag")), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("card.flags_saved"))
			return r.Redirect(back)
		}
	}
	if len(all) == 0 {
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "flag", Title: r.T("card.no_flags")}}}.Show(r)
	}
	var options []ui.Option
	for _, flag := range all {
		options = append(options, ui.Option{Value: strconv.FormatInt(flag.ID, 10), Text: flag.Name})
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.save"), r.Cancel(back)},
		f.Choices("flag", "card.flags", true, options...))}}.Show(r)
}

func (p *pages) setFlags(r *site.Request, h *query.ApplicationHead, all []admitto.Flag, ticked []string) error {
	for _, flag := range all {
		had := slices.ContainsFunc(h.Flags, func(f admitto.Flag) bool { return f.ID == flag.ID })
		want := slices.Contains(ticked, strconv.FormatInt(flag.ID, 10))
		var err error
		switch {
		case want && !had:
			err = p.Admissions.SetFlag(r.Context(), r.Caller(), h.ID, flag.ID)
		case had && !want:
			err = p.Admissions.RemoveFlag(r.Context(), r.Caller(), h.ID, flag.ID)
		}
		if err != nil && admitto.KindOf(err) != admitto.NotFound { // somebody was quicker
			return err
		}
	}
	return nil
}

// printout answers with the application as PDF.
func (p *pages) printout(r *site.Request, h *query.ApplicationHead) error {
	f, data, err := p.Query.Printout(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	return r.Inline(f.MIME, io.NopCloser(bytes.NewReader(data)))
}
