package admin

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// roles is the matrix of roles and permissions (screens.md A52).
func (p *pages) roles(r *site.Request) error {
	roles, err := p.Accounts.Roles(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	columns := []ui.Column{{Title: r.T("role.permission"), Place: "main"}}
	list := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("role.role"), Place: "main"},
		{Title: r.T("role.kind"), Place: "label"}, {Title: r.T("role.may"), Place: "label"}}}
	var above []ui.Component
	for i := range roles {
		role := &roles[i]
		name := roleName(r, role)
		columns = append(columns, ui.Column{Title: name, Place: "label"})
		kind := r.T("role.built_in")
		if role.Code == "" {
			kind = r.T("role.custom")
		}
		list.Rows = append(list.Rows, ui.Row{Label: name, Cells: []ui.Cell{{Text: name, Href: r.At("role", role.ID)},
			{Text: kind}, {Text: r.Plural("role.size", role.Permissions.Len())}}})
		if found := warnings(r, role.Permissions); len(found) > 0 {
			words := r.Plural("role.warnings", len(found), "Role", name)
			if role.Permissions.Len() == 0 {
				words = r.T("role.is_empty", "Role", name)
			}
			above = append(above, ui.Notice{Tone: ui.Warn, Text: words,
				Link: &ui.Link{Text: r.T("role.look"), Href: r.At("role", role.ID)}})
		}
	}
	above = append(above, ui.Words{Text: r.T("role.intro"), Muted: true}, list)
	var table ui.Table
	for i, group := range permissionGroups() {
		if i > 0 {
			above = append(above, table)
		}
		above = append(above, ui.Heading{Title: r.T(group.title)})
		table = groupTable(r, group, columns, roles)
	}
	return site.ListPage{Head: ui.ListHead{Title: r.Title(), Count: r.Plural("role.count", len(roles)),
		Actions: r.Buttons(site.Primary("role-new"))}, Above: above, Table: table}.Show(r)
}

// groupTable has a row for each permission of a group, and a column for each role.
func groupTable(r *site.Request, group permissionGroup, columns []ui.Column, roles []admitto.Role) ui.Table {
	table := ui.Table{Caption: r.T(group.title), Matrix: true, Columns: columns}
	for _, permission := range group.list {
		row := ui.Row{Label: permissionName(r, permission), Cells: []ui.Cell{{Text: permissionName(r, permission),
			Note: permissionText(r, permission)}}}
		for i := range roles {
			cell := ui.Cell{}
			if roles[i].Permissions.Has(permission) {
				cell.Tags = []ui.Tag{{Text: r.T("role.yes"), Icon: "check", Tone: ui.OK}}
			}
			row.Cells = append(row.Cells, cell)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// roleAt finds the role that a page is about.
func (p *pages) roleAt(r *site.Request, id int64) (role admitto.Role, err error) {
	roles, err := p.Accounts.Roles(r.Context(), r.Reader())
	if err != nil {
		return role, err
	}
	at := slices.IndexFunc(roles, func(o admitto.Role) bool { return o.ID == id })
	if at < 0 {
		return role, &admitto.Error{Kind: admitto.NotFound}
	}
	return roles[at], nil
}

// role is the page of a role: built-in ones are read, custom ones are a form.
func (p *pages) role(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	version, err := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.RoleRow, ID: id})
	if err != nil {
		return err
	}
	role, err := p.roleAt(r, id)
	if err != nil {
		return err
	}
	name := roleName(r, &role)
	r.SetTitle(r.T("role.card", "ID", id, "Name", name))
	again := ui.Button{Text: r.T("role.copy"), Href: r.At("role-new") + "?from=" + idText(id)}
	if role.Code != "" || !r.Reader().Permissions.HasAll(role.Permissions) {
		if r.Posted() {
			return rulesOf(p.Accounts.EditRole(r.Context(), r.Caller(), id, role.Name, role.Permissions))
		}
		intro := r.T("role.built_in_text")
		if role.Code == "" {
			intro = r.T("role.above_own")
		}
		return site.Sheet{Title: name, Intro: []string{intro}, Buttons: []ui.Button{again},
			Parts: permitted(r, role.Permissions)}.Show(r)
	}
	f, err := r.Form(roleValues(role), version)
	if err != nil {
		return err
	}
	if r.Posted() {
		may, above := chosenPermissions(r, f)
		changed := false
		done, err := p.savedRole(r, f, may, above, id, func() error {
			err := p.Accounts.EditRole(r.Context(), r.Caller(), id, f.Get("name"), may)
			changed = site.Changed(err)
			return err
		})
		if done || err != nil {
			return err
		}
		if changed {
			who, at, err := p.Query.LastEdit(r.Context(), r.Reader(), []admitto.EventFilter{{Pattern: admitto.RoleEdited,
				Bind: []string{idText(id)}}}, func(*admitto.Record) bool { return true })
			if err != nil {
				return err
			}
			labels := [][2]string{{"name", "role.name"}}
			for _, group := range permissionGroups() {
				labels = append(labels, [2]string{fieldOfGroup(group), group.title})
			}
			f.Meanwhile(roleValues(role), version, cmp.Or(who, r.T("record.somebody")), r.Clock(cmp.Or(at, r.Now())), labels...)
		}
	}
	buttons := append(saveButtons(r, r.At("roles")), again)
	return site.Sheet{Title: name, Intro: []string{r.T("role.edit_text")}, Parts: append(warningNotices(r,
		role.Permissions), append([]ui.Component{f.Box(buttons, roleFields(r, f)...)},
		components(r.Buttons(site.Danger("role-delete", id)))...)...)}.Show(r)
}

// savedRole ends a form about a role; what is of little use is said, and saved all the same.
func (p *pages) savedRole(r *site.Request, f *site.Form, may admitto.Permissions, above string,
	id int64, save func() error) (done bool, err error) {
	if f.Failed() {
		return false, nil
	}
	refused, err := f.Refused(rulesOf(save()), map[admitto.Path]string{"role.permissions": above})
	if err != nil || refused {
		return false, err
	}
	r.Notify(ui.OK, r.T("role.saved", "Name", f.Get("name")))
	if id != 0 && len(warnings(r, may)) > 0 {
		return true, r.To("role", id)
	}
	return true, r.To("roles")
}

func warningNotices(r *site.Request, may admitto.Permissions) (list []ui.Component) {
	for _, words := range warnings(r, may) {
		list = append(list, ui.Notice{Tone: ui.Warn, Text: words})
	}
	return list
}

// newRole makes a custom role, of an existing one where the address names it.
func (p *pages) newRole(r *site.Request) error {
	from := admitto.Role{}
	if id := r.View(false).ID("from"); id != 0 {
		var err error
		if from, err = p.roleAt(r, id); err != nil {
			return err
		}
		from.Permissions &= r.Reader().Permissions
		from.Name = ui.Unmarked(r.T("role.copy_of", "Name", roleName(r, &from)))
	}
	f, err := r.Form(roleValues(from), 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		may, above := chosenPermissions(r, f)
		done, err := p.savedRole(r, f, may, above, 0, func() error {
			_, err := p.Accounts.CreateRole(r.Context(), r.Caller(), f.Get("name"), may)
			return err
		})
		if done || err != nil {
			return err
		}
	}
	return site.Sheet{Intro: []string{r.T("role.new_text")}, Parts: []ui.Component{f.Box([]ui.Button{
		r.Save("action.role-new"), r.Cancel(r.At("roles"))}, roleFields(r, f)...)}}.Show(r)
}

// roleValues are the fields of a role.
func roleValues(role admitto.Role) site.Values {
	v := site.Values{"name": site.One(role.Name)}
	for _, group := range permissionGroups() {
		for _, p := range group.list {
			if role.Permissions.Has(p) {
				v[fieldOfGroup(group)] = append(v[fieldOfGroup(group)], p.String())
			}
		}
	}
	return v
}

func fieldOfGroup(g permissionGroup) string { return "may-" + g.title[len("permission_group."):] }

func roleFields(r *site.Request, f *site.Form) []ui.Component {
	parts := []ui.Component{f.Text("name", "role.name")}
	for _, group := range permissionGroups() {
		var options []ui.Option
		for _, p := range group.list {
			o := ui.Option{Value: p.String(), Text: permissionName(r, p), Hint: permissionText(r, p)}
			if !r.Reader().Has(p) {
				o.Disabled, o.Hint = true, r.T("role.not_yours")
			}
			options = append(options, o)
		}
		parts = append(parts, f.Choices(fieldOfGroup(group), group.title, true, options...))
	}
	return parts
}

// chosenPermissions are those that were ticked; above is the first field with one that the reader does not have.
func chosenPermissions(r *site.Request, f *site.Form) (may admitto.Permissions, above string) {
	for _, group := range permissionGroups() {
		field := fieldOfGroup(group)
		var offered []string
		for _, p := range group.list {
			offered = append(offered, p.String())
		}
		f.Among(field, offered...)
		for _, code := range f.All(field) {
			if p, ok := admitto.ParsePermission(code); ok {
				may = may.With(p)
				if above == "" && !r.Reader().Has(p) {
					above = field
				}
			}
		}
	}
	return may, cmp.Or(above, fieldOfGroup(permissionGroups()[0]))
}

// deleteRole removes a custom role that nobody has.
func (p *pages) deleteRole(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	role, err := p.roleAt(r, id)
	if err != nil {
		return err
	}
	r.NameCrumb("role", roleName(r, &role))
	if !r.Posted() {
		return r.Ask(ask{action: "role-delete", text: r.T("role.delete_text", "Name", roleName(r, &role)),
			back: r.At("role", id), danger: true}.page(r))
	}
	if err := rulesOf(p.Accounts.DeleteRole(r.Context(), r.Caller(), id)); err != nil {
		return err
	}
	r.Notify(ui.OK, r.T("role.deleted"))
	return r.To("roles")
}
