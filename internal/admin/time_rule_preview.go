package admin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/automation"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// inactiveDays is the setting that the preview can try another value of.
const inactiveDays = "rules.inactive_after_days"

// timeRulePreview lists on which records a rule would act at its next run, with the numbers in the address; it changes
// nothing.
func (p *pages) timeRulePreview(r *site.Request) error {
	rule, err := ruleOf(r)
	switch {
	case err != nil:
		return err
	case slices.Contains(rule.Parameters, inactiveDays):
		return p.inactivePreview(r)
	case rule.Mode == "":
		return &admitto.Error{Kind: admitto.NotFound}
	}
	states, _, err := p.Maintenance.SettingStates(r.Context(), r.Reader(), rule.Parameters...)
	if err != nil {
		return err
	}
	states = slices.DeleteFunc(states, func(s maintenance.SettingState) bool {
		return s.Control() != config.ControlNumber
	})
	title := r.T("time_rules.preview_of", "Rule", r.T("time_rules."+rule.Name))
	r.SetTitle(title)
	page := site.ListPage{Head: ui.ListHead{Title: title}}
	v := r.View(false)
	set, fields, wrong := triedSettings(r, v, states, p.Core.Settings())
	if len(fields) > 0 {
		page.Head.FilterDrawer = "filters"
		page.Filters = &ui.Filters{ID: "filters", Action: r.URL.Path, Fields: fields, Applies: r.T("time_rules.try")}
	}
	if wrong != "" {
		page.Table.Empty = ui.Empty{Icon: "triangle-alert", Title: r.T("time_rules.no_preview"), Text: wrong}
		return page.Show(r)
	}
	due := jobs.Next(p.Services, rule.Job, r.Now())
	found, err := p.Automation.Preview(r.Context(), r.Reader(), rule.Job, set, due, v.ID("after"))
	if err != nil {
		return err
	}
	page.Head.Strong, page.Head.Count = r.Number(len(found.List)), r.Plural("time_rules.concerned", len(found.List))
	page.Above = []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("time_rules.would_act", "Time", r.Clock(due))}}
	if found.Next != 0 {
		page.Above = append(page.Above, ui.Notice{Tone: ui.Info, Text: r.T("time_rules.in_parts"),
			Link: &ui.Link{Text: r.T("time_rules.look_on"), Href: v.With("after", number(found.Next))}})
	}
	if found.People {
		page.Table = peopleTable(r, &found, rule.Job == "erase")
	} else {
		page.Table = affectedTable(r, &found)
	}
	return page.Show(r)
}

// triedSettings are the settings with the numbers that the address says, and the fields to try others. wrong says what
// is no number for one of them.
func triedSettings(r *site.Request, v *site.View, states []maintenance.SettingState, now *config.Settings) (
	set *config.Settings, fields []ui.Component, wrong string) {
	set = now
	for i := range states {
		s := &states[i]
		field := ui.TextField{Field: ui.Field{ID: "filter-" + strings.ReplaceAll(s.Name, ".", "-"), Name: s.Name,
			Label: r.T(settingKey(s.Name)), Value: cmp.Or(v.Get(s.Name), s.Value.Text), Width: "w10"}, InputMode: "numeric"}
		if tried, ok := set.With(map[string]string{s.Name: field.Value}); ok {
			set = tried
		} else {
			least, most := s.Bounds()
			field.Error = r.T("settings.wrong_number", "Least", least, "Most", most)
			wrong = field.Error
		}
		fields = append(fields, field)
	}
	return set, fields, wrong
}

// affectedTable lists whom a rule would concern, with what the reader may see of them.
func affectedTable(r *site.Request, found *automation.Affected) ui.Table {
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("time_rules.application"), Place: "main"}},
		Empty: ui.Empty{Icon: "check", Title: r.T("time_rules.no_one"), Text: r.T("time_rules.no_one_text")}}
	names := r.Reader().Has(admitto.ApplicantsView)
	if names {
		table.Columns = append(table.Columns, ui.Column{Title: r.T("time_rules.applicant")})
	}
	for i := range found.List {
		c := &found.List[i]
		cell := ui.Cell{Text: r.T("time_rules.no_application")}
		if c.Application != 0 {
			cell.Text = number(c.Application)
			if r.May("application") && r.Reader().Has(admitto.ApplicationsView) {
				cell.Href = r.At("application", c.Application)
			}
		}
		row := ui.Row{Label: cell.Text, Cells: []ui.Cell{cell}}
		if names {
			name := ui.Cell{Text: c.Name.Full()}
			if r.May("applicant") {
				name.Href = r.At("applicant", c.Applicant)
			}
			row.Cells = append(row.Cells, name)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// peopleTable lists the applicants whom a rule would concern. Who was deleted is named to those only who may bring
// back.
func peopleTable(r *site.Request, found *automation.Affected, deleted bool) ui.Table {
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("time_rules.applicant"), Place: "main"}},
		Empty: ui.Empty{Icon: "check", Title: r.T("time_rules.no_one"), Text: r.T("time_rules.no_one_text")}}
	names := r.Reader().Has(admitto.ApplicantsView) && (!deleted || r.Reader().Has(admitto.DataProtection))
	if names {
		table.Columns = append(table.Columns, ui.Column{Title: r.T("time_rules.name")})
	}
	for i := range found.List {
		c := &found.List[i]
		cell := ui.Cell{Text: number(c.Record)}
		if !deleted && r.May("applicant") {
			cell.Href = r.At("applicant", c.Record)
		}
		row := ui.Row{Label: cell.Text, Cells: []ui.Cell{cell}}
		if names {
			row.Cells = append(row.Cells, ui.Cell{Text: c.Name.Full()})
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// inactivePreview lists the drafts that would become inactive, with the number of days in the address.
func (p *pages) inactivePreview(r *site.Request) error {
	states, _, err := p.Maintenance.SettingStates(r.Context(), r.Reader(), inactiveDays)
	if err != nil || len(states) == 0 {
		return err
	}
	v := r.View(false)
	field := ui.TextField{Field: ui.Field{ID: "filter-days", Name: "days", Label: r.T(settingKey(inactiveDays)),
		Value: v.Get("days"), Width: "w10"}, InputMode: "numeric"}
	if field.Value == "" {
		field.Value = states[0].Value.Text
	}
	page := site.ListPage{Head: ui.ListHead{Title: r.Title(), FilterDrawer: "filters"}}
	days, err := strconv.Atoi(field.Value)
	if row, found := config.Find(inactiveDays); err != nil || !found || !row.Takes(field.Value) {
		least, most := states[0].Bounds()
		field.Error = r.T("settings.wrong_number", "Least", least, "Most", most)
		page.Table.Empty = ui.Empty{Icon: "triangle-alert", Title: r.T("time_rules.no_preview"), Text: field.Error}
	} else {
		found, err := p.Automation.PreviewInactive(r.Context(), r.Reader(), days)
		if err != nil {
			return err
		}
		page.Head.Strong, page.Head.Count = r.Number(int(found.Total)), r.Plural("time_rules.drafts", int(found.Total))
		page.Above = []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("time_rules.preview_text", "Days", days)}}
		names := r.Reader().Has(admitto.ApplicantsView)
		page.Table = ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("time_rules.application"), Place: "main"}},
			Empty: ui.Empty{Icon: "check", Title: r.T("time_rules.nobody"), Text: r.T("time_rules.nobody_text")}}
		if names {
			page.Table.Columns = append(page.Table.Columns, ui.Column{Title: r.T("time_rules.applicant")})
		}
		page.Table.Columns = append(page.Table.Columns, ui.Column{Title: r.T("time_rules.saved_last"), Place: "label",
			Muted: true})
		for i := range found.List {
			d := &found.List[i]
			cell := ui.Cell{Text: number(d.Application)}
			if r.May("application") && r.Reader().Has(admitto.ApplicationsView) {
				cell.Href = r.At("application", d.Application)
			}
			row := ui.Row{Label: cell.Text, Cells: []ui.Cell{cell}}
			if names {
				row.Cells = append(row.Cells, ui.Cell{Text: d.Name.Full()})
			}
			row.Cells = append(row.Cells, ui.Cell{Text: r.Clock(d.Revised)})
			page.Table.Rows = append(page.Table.Rows, row)
		}
		if int(found.Total) > len(found.List) {
			page.Above = append(page.Above, ui.Words{Text: r.Plural("time_rules.first", len(found.List)), Muted: true})
		}
	}
	page.Filters = &ui.Filters{ID: "filters", Action: r.URL.Path, Fields: []ui.Component{field},
		Applies: r.T("time_rules.try")}
	return page.Show(r)
}
