package card

import (
	"errors"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// action is something that staff do with an application by an event of the table of transitions. The messages
// card_act.<name>_title, _effect, _undo and _done say what it does.
type action struct {
	name  string // of the route
	path  string
	event admitto.ApplicationEvent
	needs admitto.Permission
	// when says whether the action is offered; nil always. It is for those that share an event.
	when   func(*query.ApplicationHead) bool
	effect func(*query.ApplicationHead) string // the end of the message that says what it brings about; nil: _effect
	rare   bool                                // it stands in the menu of what is seldom done, as what is dangerous does
	danger bool
	reason bool // there is a field for the reason
	fields func(p *pages, r *site.Request, h *query.ApplicationHead, f *site.Form) ([]ui.Component, error)
	act    func(p *pages, r *site.Request, h *query.ApplicationHead, f *site.Form) error
}

// actions are all, in the order in which the overview offers them.
func actions() []action {
	edit, freeze, revert := admitto.ApplicationsEdit, admitto.ApplicationsFreeze, admitto.ApplicationsRevert
	return []action{
		{name: "application-submit", path: "/submit", event: admitto.Submit, needs: edit, reason: true,
			act: func(p *pages, r *site.Request, h *query.ApplicationHead, f *site.Form) error {
				_, err := p.Admissions.Submit(r.Context(), r.Caller(), h.ID, admissions.Submission{Reason: f.Get("reason"),
					Seen: append([]string{}, f.All(fieldSeen)...)})
				return err
			}},
		{name: "application-reopen", path: "/reopen", event: admitto.Reopen, needs: edit,
			fields: reopenFields, act: (*pages).reopen},
		{name: "application-extend", path: "/extend", event: admitto.ExtendDeadline, needs: edit, rare: true, reason: true,
			fields: (*pages).extendFields, act: (*pages).extend},
		{name: "application-grace", path: "/grace", event: admitto.LiftExpiry, needs: revert, reason: true,
			fields: dayField, act: (*pages).liftExpiry},
		{name: "application-freeze", path: "/freeze", event: admitto.ChangeFreeze, needs: freeze, rare: true,
			when: func(h *query.ApplicationHead) bool { return h.Frozen == 0 },
			act: func(p *pages, r *site.Request, h *query.ApplicationHead, _ *site.Form) error {
				return p.Admissions.Freeze(r.Context(), r.Caller(), h.ID)
			}},
		{name: "application-unfreeze", path: "/unfreeze", event: admitto.ChangeFreeze, needs: freeze, rare: true,
			when: func(h *query.ApplicationHead) bool { return h.Frozen != 0 }, effect: unfreezeEffect,
			act: func(p *pages, r *site.Request, h *query.ApplicationHead, _ *site.Form) error {
				return p.Admissions.Unfreeze(r.Context(), r.Caller(), h.ID)
			}},
		{name: "application-silence", path: "/silence", event: admitto.ChangeSilence, needs: edit, rare: true,
			when: func(h *query.ApplicationHead) bool { return !h.ApplicationCase.Silenced },
			act: func(p *pages, r *site.Request, h *query.ApplicationHead, _ *site.Form) error {
				return p.Admissions.SilenceApplication(r.Context(), r.Caller(), h.ID, true)
			}},
		{name: "application-unsilence", path: "/unsilence", event: admitto.ChangeSilence, needs: edit, rare: true,
			when: func(h *query.ApplicationHead) bool { return h.ApplicationCase.Silenced },
			act: func(p *pages, r *site.Request, h *query.ApplicationHead, _ *site.Form) error {
				return p.Admissions.SilenceApplication(r.Context(), r.Caller(), h.ID, false)
			}},
		{name: "application-undo-withdrawal", path: "/undo-withdrawal", event: admitto.UndoWithdrawal, needs: revert,
			act: (*pages).undoWithdrawal},
		{name: "application-undo-closing", path: "/undo-closing", event: admitto.UndoClosing, needs: revert, reason: true,
			act: func(p *pages, r *site.Request, h *query.ApplicationHead, f *site.Form) error {
				return p.Admissions.UndoClosing(r.Context(), r.Caller(), h.ID, f.Get("reason"))
			}},
		{name: "application-withdraw", path: "/withdraw", event: admitto.Withdraw, needs: edit, danger: true, reason: true,
			act: func(p *pages, r *site.Request, h *query.ApplicationHead, f *site.Form) error {
				return p.Admissions.Withdraw(r.Context(), r.Caller(), h.ID, admitto.Declining{Words: f.Get("reason")})
			}},
		{name: "application-close", path: "/close", event: admitto.Close, needs: admitto.ApplicationsClose, danger: true,
			fields: tellField,
			act: func(p *pages, r *site.Request, h *query.ApplicationHead, f *site.Form) error {
				return p.Admissions.CloseApplication(r.Context(), r.Caller(), h.ID, f.Has("tell"))
			}},
	}
}

// unfreezeEffect says what of the form is open to the applicant without the freeze (lifecycle.md 3.2, T21).
func unfreezeEffect(h *query.ApplicationHead) string {
	_, err := admitto.ApplicationStep(admitto.ContentSaved, h.Status, admitto.ByApplicant)
	switch {
	case h.Expired || err != nil && h.Status != admitto.Submitted:
		return "_effect_later"
	case err != nil:
		return "_effect_submitted"
	}
	return "_effect"
}

// actionRoutes are the pages that ask before something is done.
func (p *pages) actionRoutes() (routes []site.Route) {
	for _, a := range actions() {
		routes = append(routes, site.Route{Name: a.name, Path: "/admin/applications/{id}" + a.path, Form: true,
			Access: site.Needs(a.needs).And(admitto.ApplicationsView), Parent: "application",
			Handle: p.ofApplication(func(r *site.Request, h *query.ApplicationHead) error { return p.ask(r, h, &a) })})
	}
	return routes
}

// chanceOf is what speaks against an action now.
func chanceOf(able []admissions.Chance, event admitto.ApplicationEvent) *admissions.Chance {
	at := slices.IndexFunc(able, func(c admissions.Chance) bool { return c.Event == event })
	return &able[at]
}

// offered are the buttons of what the reader may do and what is possible now: those of every day, and what is done
// seldom or cannot be undone by everybody. Refused is what is not possible, with the reasons.
func offered(r *site.Request, h *query.ApplicationHead, able []admissions.Chance) (daily, seldom []ui.Button,
	refused []ui.KeyValue) {
	list := []site.Action{site.Do("application-flags", h.ID), site.Do("application-officer", h.ID)}
	rare := []site.Action{site.Do("application-printout", h.ID)}
	var dangerous []site.Action
	for _, a := range actions() {
		if a.when != nil && !a.when(h) || !r.May(a.name) {
			continue
		}
		switch c := chanceOf(able, a.event); {
		case !c.Possible():
			refused = append(refused, ui.KeyValue{Key: r.T("action." + a.name), Value: reasons(r, h, c)})
		case a.danger:
			dangerous = append(dangerous, site.Danger(a.name, h.ID))
		case a.rare:
			rare = append(rare, site.Do(a.name, h.ID))
		default:
			list = append(list, site.Do(a.name, h.ID))
		}
	}
	return append(r.Buttons(list...), show.WriteButtons(r, "application", h.ID)...), r.Buttons(slices.Concat(rare,
		dangerous)...), refused
}

// statusForbids says in which status the application is, and in which an event would be possible.
func statusForbids(r *site.Request, h *query.ApplicationHead, event admitto.ApplicationEvent) string {
	var from []string
	for _, status := range admitto.ApplicationStatuses() {
		if _, err := admitto.ApplicationStep(event, status, admitto.ByAdministrator); err == nil {
			from = append(from, show.Status(r, status).Text)
		}
	}
	last := max(len(from)-1, 0)
	possible := strings.Join(from[last:], "")
	if last > 0 {
		possible = r.Listed(from[:last]...) + r.T("card.or") + possible
	}
	return r.T("card.status_forbids", "Status", show.Status(r, h.Status).Text, "Possible", possible)
}

// reasons are what speaks against an action, each once.
func reasons(r *site.Request, h *query.ApplicationHead, c *admissions.Chance) string {
	var list []string
	for i := range c.Faults {
		said := r.Say(c.Faults[i].Text)
		if s, _ := formpage.MissingField(&c.Faults[i]); s != nil {
			said = r.T("card.incomplete", "Section", formpage.SectionName(r, s))
		} else if c.Faults[i].Text.Code == "event-not-allowed" {
			said = statusForbids(r, h, c.Event)
		}
		if !slices.Contains(list, said) {
			list = append(list, said)
		}
	}
	return strings.Join(list, " ")
}

// mostReason is how many characters a reason may have.
const mostReason = 1000

// ask asks, and acts once that is confirmed. What is not possible is refused with the reasons.
func (p *pages) ask(r *site.Request, h *query.ApplicationHead, a *action) error {
	able, err := p.Admissions.Chances(r.Context(), r.Caller(), h.ID)
	if err != nil {
		return err
	}
	c := chanceOf(able, a.event)
	back := r.Within("application", h.ID)
	if !r.Posted() && (!c.Possible() || a.when != nil && !a.when(h)) {
		why := r.T("card.done_before")
		if len(c.Faults) > 0 {
			why = reasons(r, h, c)
		}
		return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Warn, Text: why, Link: &ui.Link{
			Text: r.T("card.back"), Href: back}}}}.Show(r)
	}
	f, err := p.formFor(r, h)
	if err != nil {
		return err
	}
	key := "card_act." + messageOf(a.name)
	effect := "_effect"
	if a.effect != nil {
		effect = a.effect(h)
	}
	courses, err := p.coursesLate(r, h, c.Faults)
	if err != nil {
		return err
	}
	effects := append([]ui.Effect{{Icon: "info", Text: r.T(key + effect)}}, setAside(r, courses, c)...)
	if r.Posted() && !goesBack(r, f) {
		if _, wrong := text.Multiline(f.Typed("reason"), 0, mostReason); wrong != nil {
			f.FailText("reason", message.From(wrong))
		}
		asked, err := p.tell(r, f, &telling{application: h.ID, title: r.T(key+"_title", "ID", h.ID), effects: effects,
			send: sendText(r, a), danger: a.danger, back: back,
			do: func(p *pages) error { return a.act(p, r, h, f) }})
		if asked {
			return err
		}
		err = sayMissing(r, f, courses, err)
		aside := a.reason && c.Overridable && len(c.Faults) > 0
		if aside && (err != nil || f.Failed()) && f.Get("reason") == "" {
			f.FailText("reason", message.Of("reason-required"))
		}
		refused, err := p.refusedFor(r, f, err, map[admitto.Path]string{"application.deadline": "day",
			"application.reason": "reason", "application.intake": "intake"}, h)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T(key+"_done"))
			return r.Redirect(back)
		}
		if !c.Possible() {
			return p.tooLate(r, h, c, f)
		}
	}
	var fields []ui.Component
	if a.fields != nil {
		if fields, err = a.fields(p, r, h, f); err != nil {
			return err
		}
	}
	if a.reason && (c.NeedsReason || len(c.Faults) > 0) {
		fields = append(fields, f.Long("reason", "card.reason", 3, mostReason))
	}
	undo := ""
	if r.Has(key + "_undo") {
		undo = r.T(key + "_undo")
	}
	head := f.Head()
	for i := range c.Faults {
		head.Hidden = append(head.Hidden, ui.Option{Text: fieldSeen, Value: c.Faults[i].Text.String()})
	}
	return r.Ask(ui.Confirmation{Title: r.T(key+"_title", "ID", h.ID), Effects: effects, Undo: undo,
		Fields: append([]ui.Component{head}, fields...), Confirm: ui.Button{Text: r.T("action." + a.name),
			Primary: !a.danger, Danger: a.danger, Busy: r.T("form.saving")},
		Back: ui.Link{Text: r.T("dialog.cancel"), Href: back}})
}

// sendText is what the button says that does the action with the mails it makes.
func sendText(r *site.Request, a *action) string {
	if key := "card_act." + messageOf(a.name) + "_send"; r.Has(key) {
		return r.T(key)
	}
	return r.T("action." + a.name)
}

// fieldSeen has what a reason sets aside, as the page has shown it.
const fieldSeen = "seen"

// setAside is what a reason sets aside.
func setAside(r *site.Request, courses []query.CardCourse, c *admissions.Chance) (list []ui.Effect) {
	for i := range c.Faults {
		list = append(list, ui.Effect{Icon: "triangle-alert",
			Text: r.T("card.aside", "Fault", asideText(r, courses, &c.Faults[i]))})
	}
	return list
}

// tooLate says why an action is not possible any more, who did what meanwhile, and keeps what was typed to be copied.
func (p *pages) tooLate(r *site.Request, h *query.ApplicationHead, c *admissions.Chance, f *site.Form) error {
	var parts []ui.Component
	if conflict := f.Conflict(); conflict != nil {
		parts = append(parts, conflict.Notice)
	}
	parts = append(parts, ui.Notice{Tone: ui.Warn, Text: r.T("card.not_any_more", "Why", reasons(r, h, c)),
		Link: &ui.Link{Text: r.T("card.back"), Href: r.Within("application", h.ID)}})
	for _, field := range [][2]string{{"reason", "card.reason"}, {"text", "card.told_text"}} {
		if f.Has(field[0]) {
			typed := f.Long(field[0], field[1], 3, 0)
			typed.ReadOnly = true
			parts = append(parts, typed)
		}
	}
	return site.Sheet{Parts: parts}.Show(r)
}

// sayMissing says what of the form is missing, by its names, and of which courses the deadlines are over; the other
// faults stay in the error.
func sayMissing(r *site.Request, f *site.Form, courses []query.CardCourse, err error) error {
	var refused *admitto.Error
	if !errors.As(err, &refused) {
		return err
	}
	others := *refused
	others.Faults = nil
	for i := range refused.Faults {
		fault := &refused.Faults[i]
		s, _ := formpage.MissingField(fault)
		switch {
		case s != nil:
			f.FailWords("", r.T("card.not_filled", "Field", asideText(r, courses, fault)))
		case courseOver(courses, fault) != nil:
			f.FailWords("", faultText(r, courses, fault))
		default:
			others.Faults = append(others.Faults, *fault)
		}
	}
	if len(others.Faults) == 0 && len(refused.Faults) > 0 {
		return nil // the form has failed
	}
	return &others
}

func asideText(r *site.Request, courses []query.CardCourse, f *admitto.Fault) string {
	if s, _ := formpage.MissingField(f); s != nil {
		return formpage.SectionName(r, s) + ": " + faultText(r, courses, f)
	}
	return faultText(r, courses, f)
}

// messageOf is the part of the names of messages about an action: "undo_closing".
func messageOf(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "application-"), "-", "_")
}

// undoWithdrawal says which offers stay declined.
func (p *pages) undoWithdrawal(r *site.Request, h *query.ApplicationHead, _ *site.Form) error {
	kept, err := p.Admissions.UndoWithdrawal(r.Context(), r.Caller(), h.ID)
	if err == nil && len(kept) > 0 && !p.rehearsing {
		r.Notify(ui.Warn, r.Plural("card.kept_declined", len(kept)))
	}
	return err
}
