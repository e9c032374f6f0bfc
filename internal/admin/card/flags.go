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
	moved := f.Watch("flag")
	if moved || f.Restored {
		f.Set("flag", merged(f.All("flag"), f.All(fieldHad), stored["flag"]))
	}
	if moved {
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
	box := f.Box([]ui.Button{r.Save("action.save"), r.Cancel(back)}, f.Choices("flag", "card.flags", true, options...))
	for _, flag := range had(r, f, stored["flag"]) {
		box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: fieldHad, Value: flag})
	}
	return site.Sheet{Parts: []ui.Component{box}}.Show(r)
}

// fieldHad are the flags that the application had when the page was shown.
const fieldHad = "had"

// had are those flags of a page that is shown again, and what is stored for a new one or one that says what is stored.
func had(r *site.Request, f *site.Form, stored []string) []string {
	if (r.Posted() || f.Restored) && f.Conflict() == nil {
		return f.All(fieldHad)
	}
	return stored
}

// merged are the flags that are stored now with the changes of a page that somebody else was quicker than: two who
// change different flags take nothing back from one another.
func merged(ticked, had, stored []string) (flags []string) {
	for _, flag := range stored {
		if slices.Contains(ticked, flag) || !slices.Contains(had, flag) {
			flags = append(flags, flag)
		}
	}
	for _, flag := range ticked {
		if !slices.Contains(had, flag) && !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	return flags
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
