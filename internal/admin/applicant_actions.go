package admin

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// applicantTrackers assigns trackers and takes them off.
func (p *pages) applicantTrackers(r *site.Request, a *accounts.ApplicantAccount) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		said := "applicant.tracker_assigned"
		if f.Has("unassign") {
			said = "applicant.tracker_unassigned"
			err = p.Admissions.UnassignTracker(r.Context(), r.Caller(), a.ID, f.Choice("unassign"))
			if admitto.KindOf(err) == admitto.NotFound { // somebody was quicker
				err = nil
			}
		} else if f.Choice("tracker") == 0 {
			f.Fail("tracker", "applicant.tracker_choose")
		} else if err = p.Admissions.AssignTracker(r.Context(), r.Caller(), a.ID,
			f.Choice("tracker")); admitto.KindOf(err) == admitto.NotFound {
			f.Fail("tracker", "applicant.tracker_gone")
			err = nil
		}
		if refused, err := f.Refused(err, nil); err != nil {
			return err
		} else if !refused {
			r.Notify(ui.OK, r.T(said))
			return r.To("applicant-trackers", a.ID)
		}
	}
	assigned, codes, err := p.trackersOf(r, a.ID)
	if err != nil {
		return err
	}
	all, err := p.Query.Trackers(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	var facts []ui.KeyValue
	for _, t := range assigned {
		facts = append(facts, ui.KeyValue{Key: codes[t.Tracker], Parts: []ui.Component{
			ui.Words{Text: r.T("applicant.since", "Day", r.Day(t.Assigned))},
			ui.Button{Text: r.T("applicant.unassign"), Small: true, Name: "unassign",
				Value: strconv.FormatInt(t.Tracker, 10), About: codes[t.Tracker]}}})
	}
	all = slices.DeleteFunc(all, func(t admitto.Tracker) bool {
		return slices.ContainsFunc(assigned, func(a admitto.TrackerAssociation) bool { return a.Tracker == t.ID })
	})
	add := f.Box([]ui.Button{r.Save("applicant.assign"), r.Cancel(r.Within("applicant", a.ID))},
		f.Select("tracker", "applicant.tracker", trackerOptions(r, all)...))
	parts := []ui.Component{add}
	if len(facts) > 0 {
		parts = append(parts, ui.FormBox{Parts: []ui.Component{ui.KeyValues{Facts: facts}}})
	} else {
		parts = append(parts, ui.Words{Text: r.T("applicant.no_trackers"), Muted: true})
	}
	return site.Sheet{Parts: parts}.Show(r)
}

// question is what is asked before an action on an applicant.
type question struct {
	name    string // of the route; the messages applicant.<name>… say the rest
	title   string
	effects []ui.Effect
	undo    string
	danger  bool
	act     func() error
	done    string
	to      string // where it leads afterwards: the name of a page of the applicant, or of the list
}

// ask asks, and acts once that is confirmed.
func (p *pages) ask(r *site.Request, a *accounts.ApplicantAccount, q question) error {
	f, err := r.Form(nil, a.RowVersion)
	if err != nil {
		return err
	}
	back := r.Within("applicant", a.ID)
	if r.Posted() {
		refused, err := f.Refused(q.act(), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, q.done)
			if q.to != "" {
				return r.To(q.to)
			}
			return r.Redirect(back)
		}
	}
	return r.Ask(ui.Confirmation{Title: q.title, Effects: q.effects, Undo: q.undo, Fields: []ui.Component{f.Head()},
		Confirm: ui.Button{Text: r.T("action." + q.name), Primary: !q.danger, Danger: q.danger, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: back}})
}

// applicantSignInLink sends a link to sign in by.
func (p *pages) applicantSignInLink(r *site.Request, a *accounts.ApplicantAccount) error {
	return p.ask(r, a, question{name: "applicant-sign-in-link", title: r.T("applicant.link_title"),
		effects: []ui.Effect{{Icon: "mail", Text: r.T("applicant.link_effect", "Email", a.Email)}},
		undo:    r.T("applicant.link_undo"), done: r.T("applicant.link_done", "Email", a.Email),
		act: func() error { return p.Accounts.SendSignInLink(r.Context(), r.Caller(), a.ID) }})
}

// applicantBlock stops an applicant from signing in.
func (p *pages) applicantBlock(r *site.Request, a *accounts.ApplicantAccount) error {
	return p.ask(r, a, question{name: "applicant-block",
		title: r.T("applicant.block_title", "Name", show.Name(r, &a.Applicant)), danger: true,
		effects: []ui.Effect{{Icon: "ban", Text: r.T("applicant.block_effect")},
			{Icon: "files", Text: r.T("applicant.block_stays")}},
		undo: r.T("applicant.block_undo"), done: r.T("applicant.block_done"),
		act: func() error { return p.Accounts.BlockApplicant(r.Context(), r.Caller(), a.ID) }})
}

// applicantUnblock lets an applicant sign in again.
func (p *pages) applicantUnblock(r *site.Request, a *accounts.ApplicantAccount) error {
	return p.ask(r, a, question{name: "applicant-unblock",
		title:   r.T("applicant.unblock_title", "Name", show.Name(r, &a.Applicant)),
		effects: []ui.Effect{{Icon: "check", Text: r.T("applicant.unblock_effect")}},
		done:    r.T("applicant.unblock_done"),
		act:     func() error { return p.Accounts.UnblockApplicant(r.Context(), r.Caller(), a.ID) }})
}

// applicantDelete deletes an applicant into the recovery list.
func (p *pages) applicantDelete(r *site.Request, a *accounts.ApplicantAccount) error {
	effects := []ui.Effect{{Icon: "user", Text: r.T("applicant.delete_effect")}}
	if r.Reader().Has(admitto.ApplicationsView) {
		found, err := p.Query.ApplicationsOf(r.Context(), r.Reader(), a.ID, admitto.ApplicationQuery{}, nil)
		if err != nil {
			return err
		}
		if err := found.Count(); err != nil {
			return err
		}
		effects = append(effects, ui.Effect{Icon: "files", Text: r.Plural("applicant.delete_applications", int(found.Total))})
	}
	effects = append(effects, ui.Effect{Icon: "mail", Text: r.T("applicant.delete_mails")},
		ui.Effect{Icon: "receipt", Text: r.T("applicant.delete_invoices")})
	return p.ask(r, a, question{name: "applicant-delete",
		title:   r.T("applicant.delete_title", "ID", a.ID, "Name", show.Name(r, &a.Applicant)),
		effects: effects, danger: true, to: "applicants", done: r.T("applicant.delete_done", "ID", a.ID),
		undo: r.T("applicant.delete_undo", "Hours", p.Core.Settings().Deletion.MinHours),
		act:  func() error { return p.Privacy.DeleteApplicant(r.Context(), r.Caller(), a.ID) }})
}
