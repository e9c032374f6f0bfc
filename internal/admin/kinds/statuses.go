package kinds

import (
	"slices"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// moreStatuses is how many empty lines the form has for further statuses.
const moreStatuses = 2

// statusSwitches are the switches of a status, in the order of lifecycle.md 5.1.
func statusSwitches() []struct {
	name string
	at   func(s *admitto.TaskStatus) *bool
} {
	type of = admitto.TaskStatus
	return []struct {
		name string
		at   func(s *of) *bool
	}{
		{"default", func(s *of) *bool { return &s.Default }}, {"public", func(s *of) *bool { return &s.Public }},
		{"blocks", func(s *of) *bool { return &s.Blocks }}, {"resolves", func(s *of) *bool { return &s.Resolves }},
		{"closes", func(s *of) *bool { return &s.Closes }},
		{"requires_document", func(s *of) *bool { return &s.RequiresDocument }},
		{"tells", func(s *of) *bool { return &s.Tells }},
	}
}

// statusField has the statuses with their switches, and empty ones below. The names of stored ones stay.
func statusField(m records.Maker[template], stored *template) records.Field[template] {
	r := m.R
	lines, fixed, names := len(stored.Statuses)+moreStatuses, stored.statuses, slices.Clone(stored.Statuses)
	field := records.Field[template]{
		Put: func(v site.Values, t *template) {
			for n := range t.Statuses {
				s := &t.Statuses[n]
				if n >= fixed {
					v[line("name", n)] = site.One(s.Name)
				}
				v[line("title", n)], v[line("description", n)] = site.One(s.Title), site.One(s.Description)
				for _, w := range statusSwitches() {
					if *w.at(s) {
						v[line("switches", n)] = append(v[line("switches", n)], w.name)
					}
				}
				if s.RemindDays > 0 {
					v[line("remind", n)] = site.One(number(int64(s.RemindDays)))
					v[line("remind_max", n)] = site.One(number(int64(s.RemindMaxDays)))
				}
			}
		},
		Take: func(f *site.Form, t *template) {
			t.gone, t.Statuses = nil, make([]admitto.TaskStatus, lines)
			for n := range t.Statuses {
				s := &t.Statuses[n]
				s.Name, s.Title, s.Description = f.Get(line("name", n)), f.Get(line("title", n)), f.Get(line("description", n))
				if n < fixed {
					s.Name = names[n].Name
					if f.Has(line("gone", n)) {
						t.gone = append(t.gone, s.Name)
					}
				}
				for _, w := range statusSwitches() {
					*w.at(s) = slices.Contains(f.All(line("switches", n)), w.name)
				}
				if f.Has(line("remind", n)) {
					s.RemindDays = int(f.Number(line("remind", n), "record.no_number"))
				}
				if f.Has(line("remind_max", n)) {
					s.RemindMaxDays = int(f.Number(line("remind_max", n), "record.no_number"))
				}
			}
		},
		Draw: func(f *site.Form) (parts []ui.Component) {
			for n := range lines {
				parts = append(parts, statusLine(r, f, n, fixed, names))
			}
			parts = []ui.Component{ui.Stack{Tight: true, Parts: parts}}
			if fixed > 0 {
				parts = append([]ui.Component{switchTable(r, names[:fixed])}, parts...)
			}
			return parts
		},
	}
	for n := range lines {
		if n >= fixed {
			field.Inputs = append(field.Inputs, [2]string{line("name", n), "task_template.status_name"})
		}
		if n < fixed {
			field.Inputs = append(field.Inputs, [2]string{line("gone", n), "task_template.status_gone"})
		}
		for _, input := range []string{"title", "switches", "description", "remind", "remind_max"} {
			field.Inputs = append(field.Inputs, [2]string{line(input, n), "task_template.status_" + input})
		}
	}
	return field
}

// switchTable says at a glance what each stored status does.
func switchTable(r *site.Request, stored []admitto.TaskStatus) ui.Table {
	table := ui.Table{Caption: r.T("task_template.statuses"), Matrix: true,
		Columns: []ui.Column{{Title: r.T("task_template.status_name"), Place: "main"}}}
	for _, w := range statusSwitches() {
		table.Columns = append(table.Columns, ui.Column{Title: r.T("status_switch." + w.name)})
	}
	for n := range stored {
		row := ui.Row{Label: stored[n].Name, Cells: []ui.Cell{{Text: stored[n].Name}}}
		for _, w := range statusSwitches() {
			cell := ui.Cell{}
			if *w.at(&stored[n]) {
				cell.Tags = []ui.Tag{{Text: r.T("role.yes"), Icon: "check", Tone: ui.OK}}
			}
			row.Cells = append(row.Cells, cell)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// statusLine is one status of the form.
func statusLine(r *site.Request, f *site.Form, n, fixed int, stored []admitto.TaskStatus) ui.Component {
	title := r.T("task_template.another")
	var parts []ui.Component
	if n < fixed {
		title = stored[n].Name
	} else {
		if n < len(stored) && f.Get(line("name", n)) != "" {
			title = f.Get(line("name", n))
		}
		name := f.Text(line("name", n), "task_template.status_name")
		name.Optional, name.Autocomplete, name.Hint = true, "off", r.T("task_template.status_name_hint")
		parts = append(parts, name)
	}
	for at, s := range stored {
		if at == n && s.Default {
			title += " (" + r.T("status_switch.default") + ")"
		}
	}
	shown := f.Text(line("title", n), "task_template.status_title")
	shown.Optional, shown.Autocomplete, shown.Hint = true, "off", r.T("task_template.status_title_hint")
	var options []ui.Option
	for _, w := range statusSwitches() {
		options = append(options, ui.Option{Value: w.name, Text: r.T("status_switch." + w.name),
			Hint: r.T("status_switch_text." + w.name)})
	}
	switches := f.Choices(line("switches", n), "task_template.status_switches", true, options...)
	switches.Optional = true
	about := f.Long(line("description", n), "task_template.status_description", 2, 2000)
	about.Optional = true
	every := f.Text(line("remind", n), "task_template.status_remind")
	every.Optional, every.Autocomplete, every.InputMode, every.Width = true, "off", "numeric", "w4"
	every.Hint = r.T("task_template.status_remind_hint")
	most := f.Text(line("remind_max", n), "task_template.status_remind_max")
	most.Optional, most.Autocomplete, most.InputMode, most.Width = true, "off", "numeric", "w4"
	parts = append(parts, shown, switches, about, every, most)
	if n < fixed {
		parts = append(parts, f.Tick(line("gone", n), "task_template.status_gone", "task_template.status_gone_text"))
	}
	return ui.Fold{Title: title, Open: f.Wrong(line("gone", n), line("name", n), line("title", n), line("switches", n),
		line("description", n), line("remind", n), line("remind_max", n)),
		Parts: parts}
}
