package admin

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// administrators is the list of screens.md A52.
func (p *pages) administrators(r *site.Request) error {
	list, err := p.Accounts.StaffList(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	v := r.View(false, "name", "last")
	slices.SortStableFunc(list, func(a, b accounts.StaffEntry) int {
		order := strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		if v.Sort == "last" {
			order = int(max(min(a.LastSignIn-b.LastSignIn, 1), -1))
		}
		if v.Desc {
			return -order
		}
		return order
	})
	table := ui.Table{Caption: r.T("title.administrators"), Columns: []ui.Column{
		mainColumn(v.Column(r.T("own.name"), "name")), {Title: r.T("staff.state"), Place: "meta"},
		{Title: r.T("own.roles")}, {Title: r.T("title.second-factor"),
			Place: "label"}, labelled(v.Column(r.T("own.last_sign_in"), "last")),
		{Title: r.T("own.valid_until"), Place: "label"}, {Title: r.T("own.sessions"), Place: "label", Num: true}}}
	first, end := min(v.Offset(), len(list)), min(v.Offset()+v.Size, len(list))
	for i := range list[first:end] {
		e := &list[first+i]
		factor := r.T("factor.off")
		if e.HasSecondFactor {
			factor = r.T("factor.on")
		}
		table.Rows = append(table.Rows, ui.Row{Label: e.Name, Cells: []ui.Cell{
			{Text: e.Name, Href: r.At("administrator", e.ID), Note: e.Email}, {Tags: []ui.Tag{p.stateOf(r, e)}},
			{Tags: roleTags(r, e.Roles)}, {Text: factor}, {Text: timeOr(r, e.LastSignIn, "own.never")},
			{Text: untilWords(r, e.ValidUntil)}, {Text: r.Number(len(e.Sessions))}}})
	}
	return site.ListPage{Head: ui.ListHead{Title: r.Title(), Count: r.Plural("staff.count", len(list)),
		Actions: r.Buttons(site.Primary("administrator-invite"), site.Do("roles"))}, Table: table,
		Pager: v.Pager(len(list))}.Show(r)
}

func mainColumn(c ui.Column) ui.Column {
	c.Place = "main"
	return c
}

func labelled(c ui.Column) ui.Column {
	c.Place = "label"
	return c
}

// stateOf is whether somebody can sign in.
func (p *pages) stateOf(r *site.Request, e *accounts.StaffEntry) ui.Tag {
	today := admitto.DateOf(r.Now().Std().In(p.Core.Settings().Instance.Timezone))
	switch {
	case e.Disabled:
		return ui.Tag{Text: r.T("staff.disabled"), Icon: "ban", Tone: ui.Bad}
	case !e.ValidUntil.IsZero() && e.ValidUntil.Before(today):
		return ui.Tag{Text: r.T("staff.over"), Icon: "clock", Tone: ui.Warn}
	case !e.HasPassword:
		return ui.Tag{Text: r.T("staff.invited"), Icon: "mail", Tone: ui.Info}
	}
	return ui.Tag{Text: r.T("staff.active"), Icon: "circle-check", Tone: ui.OK}
}

// rulesOf makes a refusal because somebody may do more than the reader one that a form or a page can say: the page
// itself is open to the reader.
func rulesOf(err error) error {
	var e *admitto.Error
	if !errors.As(err, &e) || e.Kind != admitto.NotPermitted || len(e.Faults) == 0 {
		return err
	}
	switch e.Faults[0].Code {
	case "staff-above-own", "role-above-own":
		said := *e
		said.Kind = admitto.NotAllowedNow
		return &said
	}
	return err
}

// roleChoices are the roles to choose from: those that permit more than the reader may can only stay where they are.
func (p *pages) roleChoices(r *site.Request, f *site.Form, had []admitto.Role) (ui.Choices, error) {
	roles, err := p.Accounts.Roles(r.Context(), r.Reader())
	if err != nil {
		return ui.Choices{}, err
	}
	var options []ui.Option
	for i := range roles {
		role := &roles[i]
		o := ui.Option{Value: strconv.FormatInt(role.ID, 10), Text: roleName(r, role),
			Hint: r.Plural("role.size", role.Permissions.Len())}
		if !r.Reader().Permissions.HasAll(role.Permissions) {
			o.Hint = r.T("role.above_own")
			o.Disabled = !slices.ContainsFunc(had, func(h admitto.Role) bool { return h.ID == role.ID })
		}
		options = append(options, o)
	}
	return f.Choices("roles", "staff.roles", true, options...), nil
}

// chosenRoles are the IDs of the roles that were ticked.
func chosenRoles(f *site.Form) (ids []int64) {
	for _, text := range f.All("roles") {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// invite makes an administrator and mails them a link.
func (p *pages) invite(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		until, _ := f.Day("until")
		var id int64
		err := f.Store(func() (err error) {
			id, err = p.Accounts.Invite(r.Context(), r.Caller(), accounts.NewStaff{Name: f.Get("name"),
				Email: f.Get("email"), Roles: chosenRoles(f), ValidUntil: until})
			return rulesOf(err)
		})
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused && !f.Failed() {
			r.Notify(ui.OK, r.T("staff.was_invited", "Email", f.Get("email")))
			return r.To("administrator", id)
		}
	}
	name := f.Text("name", "own.name")
	email := f.Email("email", "sign_in.email", "off")
	roles, err := p.roleChoices(r, f, nil)
	if err != nil {
		return err
	}
	until := f.Date("until", "own.valid_until")
	until.Optional = true
	return site.Sheet{Intro: []string{r.T("staff.invite_text")}, Parts: []ui.Component{f.Box([]ui.Button{
		r.Save("action.administrator-invite"), r.Cancel(r.At("administrators"))}, name, email, roles, until)}}.Show(r)
}
