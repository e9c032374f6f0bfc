package admin

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// entry reads the administrator that a page is about, and names the way to it.
func (p *pages) entry(r *site.Request) (e accounts.StaffEntry, err error) {
	id, err := r.ID()
	if err != nil {
		return e, err
	}
	if e, err = p.Accounts.StaffEntry(r.Context(), r.Reader(), id); err == nil {
		r.NameCrumb("administrator", e.Name)
	}
	return e, err
}

// administrator is the page of an administrator (screens.md A52).
func (p *pages) administrator(r *site.Request) error {
	e, err := p.entry(r)
	if err != nil {
		return err
	}
	r.SetTitle(r.T("staff.card", "ID", e.ID, "Name", e.Name))
	var actions, danger []site.Action
	below := r.Reader().Permissions.HasAll(e.Permissions)
	if below {
		actions = append(actions, site.Do("administrator-edit", e.ID), site.Do("administrator-roles", e.ID))
		if !e.HasPassword && !e.Disabled {
			actions = append(actions, site.Do("administrator-invite-again", e.ID))
		}
		if e.HasSecondFactor {
			danger = append(danger, site.Danger("administrator-reset-factor", e.ID))
		}
		switch {
		case e.Disabled:
			danger = append(danger, site.Do("administrator-enable", e.ID))
		case e.ID != r.Person.Account:
			danger = append(danger, site.Danger("administrator-disable", e.ID))
		}
	}
	factor := r.T("factor.off")
	if e.HasSecondFactor {
		factor = r.T("factor.on")
	}
	facts := ui.KeyValues{Facts: []ui.KeyValue{
		{Key: r.T("staff.state"), Tags: []ui.Tag{p.stateOf(r, &e)}}, {Key: r.T("own.name"), Value: e.Name},
		{Key: r.T("sign_in.email"), Value: e.Email}, {Key: r.T("staff.function"), Value: e.Function},
		{Key: r.T("staff.phone"), Value: e.Phone}, {Key: r.T("staff.outgoing_name"), Value: e.OutgoingName},
		{Key: r.T("staff.outgoing_email"), Value: e.OutgoingMail},
		{Key: r.T("own.valid_until"), Value: untilWords(r, e.ValidUntil)},
		{Key: r.T("title.second-factor"), Value: factor},
		{Key: r.T("own.last_sign_in"), Value: timeOr(r, e.LastSignIn, "own.never")}}}
	roles := ui.Box{ID: "roles", Title: r.T("own.roles"), Parts: []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{
		{Key: r.T("own.roles"), Tags: roleTags(r, e.Roles)}}}}}
	for _, words := range warnings(r, e.Permissions) {
		roles.Parts = append(roles.Parts, ui.Notice{Tone: ui.Warn, Text: words})
	}
	sessions := ui.Box{ID: "sessions", Title: r.T("own.sessions"), Parts: []ui.Component{sessionTable(r, e.Sessions)}}
	if below && len(e.Sessions) > 0 {
		sessions.Parts = append(sessions.Parts, components(r.Buttons(site.Do("administrator-end-sessions", e.ID)))...)
	}
	parts := []ui.Component{ui.Columns{Parts: []ui.Component{ui.Box{ID: "details", Title: r.T("staff.details"),
		Parts: []ui.Component{facts}}, roles}}, sessions,
		ui.Box{ID: "permissions", Title: r.T("staff.permissions"), Parts: permitted(r, e.Permissions)}}
	if !below {
		parts = append([]ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("staff.above_own")}}, parts...)
	}
	buttons := r.Buttons(actions...)
	if below && e.Disabled {
		buttons = append(buttons, ui.Button{Text: r.T("staff.hand_over"), Href: r.At("administrator-disable", e.ID)})
	}
	return site.Sheet{Title: e.Name, Buttons: buttons, Parts: append(parts, components(
		r.Buttons(danger...))...)}.Show(r)
}

// editAdministrator changes what an administrator is known by, and until when the account counts.
func (p *pages) editAdministrator(r *site.Request) error {
	e, err := p.entry(r)
	if err != nil {
		return err
	}
	stored := site.Values{"name": site.One(e.Name), "function": site.One(e.Function), "phone": site.One(e.Phone),
		"outgoing-name": site.One(e.OutgoingName), "outgoing-email": site.One(e.OutgoingMail)}
	stored.SetDay("until", e.ValidUntil)
	f, err := r.Form(stored, e.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() {
		until, _ := f.Day("until")
		err := f.Store(func() error {
			return rulesOf(p.Accounts.EditStaff(r.Context(), r.Caller(), e.ID, accounts.StaffEdit{Name: f.Get("name"),
				OutgoingName: f.Get("outgoing-name"), OutgoingMail: f.Get("outgoing-email"), Phone: f.Get("phone"),
				Function: f.Get("function"), ValidUntil: until}))
		})
		changed := site.Changed(err)
		refused, err := f.Refused(err, nil)
		switch {
		case err != nil:
			return err
		case changed:
			f.Meanwhile(stored, e.RowVersion, r.T("staff.somebody"), r.Clock(r.Now()),
				[2]string{"name", "own.name"}, [2]string{"function", "staff.function"}, [2]string{"phone", "staff.phone"},
				[2]string{"outgoing-name", "staff.outgoing_name"}, [2]string{"outgoing-email", "staff.outgoing_email"})
		case !refused && !f.Failed():
			r.Notify(ui.OK, r.T("own.saved"))
			return r.To("administrator", e.ID)
		}
	}
	until := f.Date("until", "own.valid_until")
	until.Optional = true
	optional := func(field ui.TextField) ui.TextField {
		field.Optional = true
		return field
	}
	return site.Sheet{Parts: []ui.Component{f.Box(saveButtons(r, r.At("administrator", e.ID)),
		f.Text("name", "own.name"), optional(f.Text("function", "staff.function")),
		optional(f.Text("phone", "staff.phone")), optional(f.Text("outgoing-name", "staff.outgoing_name")),
		optional(f.Email("outgoing-email", "staff.outgoing_email", "off")), until)}}.Show(r)
}

// administratorRoles says what an administrator may do.
func (p *pages) administratorRoles(r *site.Request) error {
	e, err := p.entry(r)
	if err != nil {
		return err
	}
	stored := site.Values{}
	for _, role := range e.Roles {
		stored["roles"] = append(stored["roles"], strconv.FormatInt(role.ID, 10))
	}
	f, err := r.Form(stored, e.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() {
		err := rulesOf(p.Accounts.SetRoles(r.Context(), r.Caller(), e.ID, chosenRoles(f)))
		refused, err2 := f.Refused(err, map[admitto.Path]string{"": "roles"})
		if err2 != nil {
			return err2
		}
		if !refused {
			r.Notify(ui.OK, r.T("staff.roles_saved", "Name", e.Name))
			return r.To("administrator", e.ID)
		}
		if site.Changed(err) {
			f.Meanwhile(stored, e.RowVersion, r.T("staff.somebody"), r.Clock(r.Now()), [2]string{"roles", "staff.roles"})
		}
	}
	roles, err := p.roleChoices(r, f, e.Roles)
	if err != nil {
		return err
	}
	return site.Sheet{Intro: []string{r.T("staff.roles_text", "Name", e.Name)}, Parts: []ui.Component{
		f.Box(saveButtons(r, r.At("administrator", e.ID)), roles)}}.Show(r)
}

// change asks for and does one thing to an administrator.
func (p *pages) change(r *site.Request, action, text, done string, danger bool, do func(id int64) error) error {
	e, err := p.entry(r)
	if err != nil {
		return err
	}
	return confirmed(r, ask{action: action, text: r.T(text, "Name", e.Name, "Email", e.Email), done: done,
		back: r.At("administrator", e.ID), danger: danger}, func() error { return rulesOf(do(e.ID)) })
}

func (p *pages) inviteAgain(r *site.Request) error {
	return p.change(r, "administrator-invite-again", "staff.invite_again_text", "staff.invited_again", false,
		func(id int64) error { return p.Accounts.InviteAgain(r.Context(), r.Caller(), id) })
}

func (p *pages) endSessions(r *site.Request) error {
	return p.change(r, "administrator-end-sessions", "staff.end_sessions_text", "staff.sessions_ended", true,
		func(id int64) error { return p.Accounts.EndStaffSessions(r.Context(), r.Caller(), id) })
}

func (p *pages) resetSecondFactor(r *site.Request) error {
	return p.change(r, "administrator-reset-factor", "staff.reset_factor_text", "staff.factor_reset", true,
		func(id int64) error { return p.Accounts.ResetSecondFactor(r.Context(), r.Caller(), id) })
}

func (p *pages) enable(r *site.Request) error {
	return p.change(r, "administrator-enable", "staff.enable_text", "staff.was_enabled", false,
		func(id int64) error { return p.Accounts.EnableStaff(r.Context(), r.Caller(), id) })
}

// disable keeps an administrator out, and asks who takes over what is theirs; of one who is out, it asks that alone.
func (p *pages) disable(r *site.Request) error {
	e, err := p.entry(r)
	if err != nil {
		return err
	}
	hangs, err := p.Accounts.WhatHangsOn(r.Context(), r.Reader(), e.ID)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		err := rulesOf(p.Accounts.DisableStaff(r.Context(), r.Caller(), e.ID, accounts.TakeOver{Keys: f.Choice("keys"),
			Tableviews: f.Choice("tableviews"), Views: f.Choice("views"), Applications: f.Choice("applications"),
			Batches: f.Choice("batches"), Scoresheets: f.Choice("scoresheets")}))
		refused, err := f.Refused(err, map[admitto.Path]string{"administrator.keys": "keys",
			"administrator.tableviews": "tableviews", "administrator.views": "views",
			"administrator.applications": "applications", "administrator.batches": "batches",
			"administrator.scoresheets": "scoresheets"})
		if err != nil {
			return err
		}
		if !refused {
			said := "staff.was_disabled"
			if e.Disabled {
				said = "staff.was_handed_over"
			}
			r.Notify(ui.OK, r.T(said, "Name", e.Name))
			return r.To("administrator", e.ID)
		}
	}
	var parts []ui.Component
	var keys, views, lists []ui.KeyValue
	for _, k := range hangs.Keys {
		keys = append(keys, ui.KeyValue{Key: r.T("staff.key"), Value: k.Label})
	}
	for _, t := range hangs.Tableviews {
		views = append(views, ui.KeyValue{Key: r.T("staff.tableview"), Value: t.Title})
	}
	for i := range hangs.Views {
		lists = append(lists, ui.KeyValue{Key: r.T("staff.view"), Value: hangs.Views[i].Name})
	}
	takes := hangs.Applications > 0 && hangs.Applications <= accounts.TakenOverAtOnce
	if len(keys)+len(views)+len(lists) > 0 || takes || hangs.Batches > 0 || hangs.Scoresheets > 0 {
		heirs, err := p.heirs(r, e.ID)
		if err != nil {
			return err
		}
		parts = append(parts, ui.KeyValues{Facts: slices.Concat(keys, views, lists)})
		if len(keys) > 0 {
			parts = append(parts, f.Select("keys", "staff.keys_to", heirs...))
		}
		if len(views) > 0 {
			parts = append(parts, f.Select("tableviews", "staff.tableviews_to", heirs...))
		}
		if len(lists) > 0 {
			parts = append(parts, f.Select("views", "staff.views_to", heirs...))
		}
		if takes {
			parts = append(parts, f.Select("applications", "staff.applications_to", heirs...))
		}
		if hangs.Batches > 0 {
			parts = append(parts, f.Select("batches", "staff.batches_to", heirs...))
		}
		if hangs.Scoresheets > 0 {
			parts = append(parts, f.Select("scoresheets", "staff.scoresheets_to", heirs...))
		}
	}
	if waiting := handedOver(r, e.ID, &hangs); len(waiting) > 0 {
		parts = append([]ui.Component{ui.KeyValues{Facts: waiting}}, parts...)
	}
	text, press := "staff.disable_text", ui.Button{Text: r.T("action.administrator-disable"), Danger: true,
		Busy: r.T("form.saving")}
	if e.Disabled {
		r.SetTitle(r.T("staff.hand_over_title", "Name", e.Name))
		text, press = "staff.hand_over_text", r.Save("staff.hand_over")
	}
	intro := []string{r.T(text, "Name", e.Name)}
	if len(parts) == 0 {
		intro = append(intro, r.T("staff.nothing_hangs"))
	}
	return site.Sheet{Intro: intro, Parts: []ui.Component{f.Box([]ui.Button{press,
		r.Cancel(r.At("administrator", e.ID))}, parts...)}}.Show(r)
}

// handedOver is how much of an administrator's waits for others, with the lists where it is.
func handedOver(r *site.Request, id int64, h *accounts.HangsOn) (facts []ui.KeyValue) {
	add := func(key string, n int64, route, query string) {
		if n == 0 {
			return
		}
		parts := []ui.Component{ui.Words{Text: r.Number(int(n))}}
		if route != "" && r.May(route) {
			parts = append(parts, ui.Button{Text: r.T("staff.open_list"), About: r.T(key), Href: r.At(route) + query,
				Small: true})
		}
		facts = append(facts, ui.KeyValue{Key: r.T(key), Parts: parts})
	}
	add("staff.officer_of", h.Applications, "browse", "?officer="+strconv.FormatInt(id, 10)+"&term=all")
	add("staff.batches_of", h.Batches, "batches", "")
	add("staff.scorer_of", h.Scoresheets, "", "")
	return facts
}

// heirs are those who can take something over.
func (p *pages) heirs(r *site.Request, from int64) ([]ui.Option, error) {
	list, err := p.Accounts.StaffList(r.Context(), r.Reader())
	options := []ui.Option{{Text: r.T("staff.stays")}}
	for i := range list {
		if e := &list[i]; e.ID != from && !e.Disabled {
			options = append(options, ui.Option{Value: strconv.FormatInt(e.ID, 10), Text: e.Name})
		}
	}
	return options, err
}
