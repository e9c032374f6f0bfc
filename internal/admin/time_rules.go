package admin

import (
	"cmp"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// timeRule is a rule that acts by itself (lifecycle.md 11.1). The messages time_rules.<name> and
// time_rules.<name>_text name it and say it in a sentence, with the values of its settings.
type timeRule struct {
	name     string
	job      string   // that runs it; "" for what several rules share
	settings []string // its parameters
}

// timeRules are the rules in the order of lifecycle.md 11.1.
func timeRules() []timeRule {
	return []timeRule{
		{"inactive", "inactive", []string{"rules.inactive_mode", "rules.inactive_after_days"}},
		{"draft_reminder", "remind-draft", []string{"rules.draft_reminder_mode", "rules.draft_reminder_before_days"}},
		{"reopened_reminder", "remind-reopened", []string{"rules.reopened_reminder_mode",
			"rules.reopened_reminder_after_days", "rules.reopened_reminder_every_days", "rules.reopened_reminder_max"}},
		{"decision_reminder", "remind-decision", []string{"rules.decision_reminder_mode",
			"rules.decision_reminder_every_days", "rules.decision_reminder_max_days", "rules.decision_reminder_before_days"}},
		{"invoice_reminder", "remind-invoice", []string{"rules.invoice_reminder_mode",
			"rules.invoice_reminder_before_days"}},
		{"reminder_hour", "", []string{"rules.reminder_hour"}},
		{"task_reminder", "remind-task", []string{"rules.task_reminder_mode"}},
		{"expiry", "expire", nil},
		{"lapse", "lapse", []string{"rules.lapse_mode"}},
		{"erasure", "erase", []string{"deletion.run_at", "deletion.min_hours"}},
		{"unconfirmed", "erase-unused", []string{"rules.unconfirmed_after_days"}},
	}
}

// modeSetting is the setting with the mode of the rule; "" for one that is always automatic.
func (t timeRule) modeSetting() string {
	for _, name := range t.settings {
		if strings.HasSuffix(name, "_mode") {
			return name
		}
	}
	return ""
}

// parameters are its settings but for the mode.
func (t timeRule) parameters() []string {
	return slices.DeleteFunc(slices.Clone(t.settings), func(name string) bool { return name == t.modeSetting() })
}

// address is the name of a rule in addresses.
func (t timeRule) address() string { return strings.ReplaceAll(t.name, "_", "-") }

// sentence is what the rule does, with its parameters.
func (t timeRule) sentence(r *site.Request, values map[string]string) string {
	args := make([]any, 0, 2*len(t.settings))
	for _, name := range t.settings {
		var word strings.Builder // rules.reminder_hour is the argument ReminderHour
		for part := range strings.SplitSeq(name[strings.IndexByte(name, '.')+1:], "_") {
			word.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
		args = append(args, word.String(), values[name])
	}
	return r.T("time_rules."+t.name+"_text", args...)
}

// timeRules is the list of the rules.
func (p *pages) timeRules(r *site.Request) error {
	rules := timeRules()
	var names, settings []string
	lists := make([][]string, len(rules))
	for i, rule := range rules {
		settings, lists[i] = append(settings, rule.settings...), rule.settings
		if rule.job != "" {
			names = append(names, rule.job)
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
	for i, rule := range rules {
		name := r.T("time_rules." + rule.name)
		title := ui.Cell{Text: name}
		if len(rule.settings) > 0 {
			title.Href = r.At("time-rule", rule.address())
		}
		var mode, last, next ui.Cell
		if len(rule.settings) > 0 {
			mode.Note = r.T("time_rules.version", "Number", versions[i].Number)
		}
		is := cmp.Or(values[rule.modeSetting()], config.RuleAutomatic)
		if rule.job != "" {
			mode.Text = r.T("time_rules." + is)
		}
		if run := runs[rule.job]; rule.job != "" && is != config.RuleOff {
			last.Text = r.T("time_rules.not_run")
			if run.At != 0 {
				last.Text, last.Note = r.Clock(run.At), r.Plural("time_rules.done", run.Done)
			}
			if run.Would > 0 {
				last.Note = r.Plural("time_rules.would", run.Would)
			}
			next.Text = r.Clock(jobs.Next(p.Services, rule.job, r.Now()))
		}
		table.Rows = append(table.Rows, ui.Row{ID: rule.name, Label: name,
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
	rules := timeRules()
	at := slices.IndexFunc(rules, func(t timeRule) bool { return t.address() == r.Part("rule") && len(t.settings) > 0 })
	if at < 0 {
		return timeRule{}, &admitto.Error{Kind: admitto.NotFound}
	}
	return rules[at], nil
}

// timeRule is the form with the mode and the parameters of a rule.
func (p *pages) timeRule(r *site.Request) error {
	rule, err := ruleOf(r)
	if err != nil {
		return err
	}
	form, saved, err := p.settingForm(r, rule.settings, nil)
	if err != nil {
		return err
	}
	if saved {
		return r.To("time-rules")
	}
	values, err := p.settingTexts(r, rule.settings)
	if err != nil {
		return err
	}
	versions, err := p.Maintenance.SettingVersions(r.Context(), r.Reader(), rule.settings)
	if err != nil {
		return err
	}
	r.SetTitle(r.T("time_rules." + rule.name))
	sheet := site.Sheet{Intro: []string{rule.sentence(r, values), r.T("time_rules.next_run") + " " +
		versionWords(r, versions[0]) + "."}, Parts: []ui.Component{form}}
	if rule.modeSetting() != "" {
		sheet.Buttons = r.Buttons(site.Do("time-rule-preview", rule.address()))
	}
	return sheet.Show(r)
}
