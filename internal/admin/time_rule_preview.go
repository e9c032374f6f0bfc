package admin

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// inactiveDays is the setting that the preview can try another value of.
const inactiveDays = "rules.inactive_after_days"

// timeRulePreview lists the drafts that would become inactive, with the number of days in the address; it changes
// nothing.
func (p *pages) timeRulePreview(r *site.Request) error {
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
		page.Table.Columns = append(page.Table.Columns, ui.Column{Title: r.T("time_rules.saved_last"), Place: "label", Muted: true})
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
