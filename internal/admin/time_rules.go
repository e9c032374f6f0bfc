package admin

import (
	"cmp"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// timeRule is a rule as its pages show it. The messages time_rules.<name> and time_rules.<name>_text name it and say it
// in a sentence, with the values of its settings.
type timeRule struct{ config.TimeRule }

// address is the name of a rule in addresses.
func (t timeRule) address() string { return strings.ReplaceAll(t.Name, "_", "-") }

// sentence is what the rule does, with its parameters.
func (t timeRule) sentence(r *site.Request, values map[string]string) string {
	settings := t.Settings()
	args := make([]any, 0, 2*len(settings))
	for _, name := range settings {
		var word strings.Builder // rules.reminder_hour is the argument ReminderHour
		for part := range strings.SplitSeq(name[strings.IndexByte(name, '.')+1:], "_") {
			word.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
		args = append(args, word.String(), values[name])
	}
	return r.T("time_rules."+t.Name+"_text", args...)
}

// timeRules is the list of the rules.
func (p *pages) timeRules(r *site.Request) error {
	rules := config.TimeRules()
	var names, settings []string
	lists := make([][]string, len(rules))
	for i, rule := range rules {
		lists[i] = rule.Settings()
		settings = append(settings, lists[i]...)
		if rule.Job != "" {
			names = append(names, rule.Job)
		}
	}
	runs, err := p.Automation.LastRuns(r.Context(), r.Reader(), names...)
	if err != nil {
		return err
	}
	versions, err := p.Maintenance.SettingVersions(r.Context(), r.Reader(), lists...)
	if err != nil {
		return err
	}
	values, err := p.settingTexts(r, settings)
	if err != nil {
		return err
	}
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("time_rules.rule"), Place: "main"},
		{Title: r.T("time_rules.does")}, {Title: r.T("time_rules.mode"), Place: "meta"},
		{Title: r.T("time_rules.last_run"), Place: "label", Muted: true},
		{Title: r.T("time_rules.next"), Place: "label", Muted: true}}}
	for i := range rules {
		rule := timeRule{rules[i]}
		name := r.T("time_rules." + rule.Name)
		title := ui.Cell{Text: name}
		if len(lists[i]) > 0 {
			title.Href = r.At("time-rule", rule.address())
		}
		var mode, last, next ui.Cell
		if len(lists[i]) > 0 {
			mode.Note = r.T("time_rules.version", "Number", versions[i].Number)
		}
		is := cmp.Or(values[rule.Mode], config.RuleAutomatic)
		if rule.Job != "" {
			mode.Text = r.T("time_rules." + is)
		}
		if run := runs[rule.Job]; rule.Job != "" && is != config.RuleOff {
			last.Text = r.T("time_rules.not_run")
			if run.At != 0 {
				last.Text, last.Note = r.Clock(run.At), r.Plural("time_rules.done", run.Done)
			}
			if run.Would > 0 {
				last.Note = r.Plural("time_rules.would", run.Would)
			}
			next.Text = r.Clock(jobs.Next(p.Services, rule.Job, r.Now()))
		}
		table.Rows = append(table.Rows, ui.Row{ID: rule.Name, Label: name,
			Cells: []ui.Cell{title, {Text: rule.sentence(r, values)}, mode, last, next}})
	}
	return site.ListPage{Head: ui.ListHead{Title: r.Title(), Strong: r.Number(len(table.Rows)),
		Count: r.Plural("time_rules.count", len(table.Rows))},
		Table: table}.Show(r)
}

// versionWords say which version of the settings of a rule counts, and since when.
func versionWords(r *site.Request, v maintenance.SettingVersion) string {
	if v.Since == 0 {
		return r.T("time_rules.version", "Number", v.Number)
	}
	return r.T("time_rules.version_since", "Number", v.Number, "Time", r.Clock(v.Since))
}

// settingTexts are the values of settings by name.
func (p *pages) settingTexts(r *site.Request, names []string) (map[string]string, error) {
	states, _, err := p.Maintenance.SettingStates(r.Context(), r.Reader(), names...)
	values := map[string]string{}
	for i := range states {
		values[states[i].Name] = states[i].Value.Text
	}
	return values, err
}

// ruleOf finds the rule that the address names among those that have settings.
func ruleOf(r *site.Request) (timeRule, error) {
	for _, t := range config.TimeRules() {
		if rule := (timeRule{t}); rule.address() == r.Part("rule") && len(rule.Settings()) > 0 {
			return rule, nil
		}
	}
	return timeRule{}, &admitto.Error{Kind: admitto.NotFound}
}

// timeRule is the form with the mode and the parameters of a rule.
func (p *pages) timeRule(r *site.Request) error {
	rule, err := ruleOf(r)
	if err != nil {
		return err
	}
	form, saved, err := p.settingForm(r, rule.Settings(), nil)
	if err != nil {
		return err
	}
	if saved {
		return r.To("time-rules")
	}
	values, err := p.settingTexts(r, rule.Settings())
	if err != nil {
		return err
	}
	versions, err := p.Maintenance.SettingVersions(r.Context(), r.Reader(), rule.Settings())
	if err != nil {
		return err
	}
	r.SetTitle(r.T("time_rules." + rule.Name))
	sheet := site.Sheet{Intro: []string{rule.sentence(r, values), r.T("time_rules.next_run") + " " +
		versionWords(r, versions[0]) + "."}, Parts: []ui.Component{form}}
	if rule.Mode != "" {
		sheet.Buttons = r.Buttons(site.Do("time-rule-preview", rule.address()))
	}
	return sheet.Show(r)
}
