package config

// What a time rule does when it runs (lifecycle.md 11.1).
const (
	RuleOff       = "off"
	RulePreview   = "preview" // it counts whom it would concern, and changes nothing
	RuleAutomatic = "automatic"
)

// TimeRule is a rule that acts by itself (lifecycle.md 11.1): the job that runs it, and the settings with its mode and
// its parameters. A rule without a mode is always automatic; one without a job says what several rules share.
type TimeRule struct {
	Name, Job, Mode string
	Parameters      []string
}

// Settings are the mode and the parameters.
func (t TimeRule) Settings() []string {
	if t.Mode == "" {
		return t.Parameters
	}
	return append([]string{t.Mode}, t.Parameters...)
}

// TimeRules are the rules in the order of lifecycle.md 11.1.
func TimeRules() []TimeRule {
	return []TimeRule{
		{"inactive", "inactive", "rules.inactive_mode", []string{"rules.inactive_after_days"}},
		{"draft_reminder", "remind-draft", "rules.draft_reminder_mode", []string{"rules.draft_reminder_before_days"}},
		{"reopened_reminder", "remind-reopened", "rules.reopened_reminder_mode", []string{
			"rules.reopened_reminder_after_days", "rules.reopened_reminder_every_days", "rules.reopened_reminder_max"}},
		{"decision_reminder", "remind-decision", "rules.decision_reminder_mode", []string{
			"rules.decision_reminder_every_days", "rules.decision_reminder_max_days", "rules.decision_reminder_before_days"}},
		{"auto_decline", "auto-decline", "rules.auto_decline", []string{"offers.decision_buffer_hours"}},
		{"invoice_reminder", "remind-invoice", "rules.invoice_reminder_mode", []string{"rules.invoice_reminder_before_days"}},
		{"reminder_hour", "", "", []string{"rules.reminder_hour"}},
		{"task_reminder", "remind-task", "rules.task_reminder_mode", nil},
		{"expiry", "expire", "rules.expiry_mode", nil},
		{"lapse", "lapse", "rules.lapse_mode", nil},
		{"erasure", "erase", "rules.erasure_mode", []string{"deletion.run_at", "deletion.min_hours"}},
		{"unconfirmed", "erase-unused", "rules.unconfirmed_mode", []string{"rules.unconfirmed_after_days"}},
	}
}

// RuleOfJob finds the rule that a job runs; without one it has no settings.
func RuleOfJob(job string) (rule TimeRule) {
	for _, t := range TimeRules() {
		if t.Job == job {
			rule = t
		}
	}
	return rule
}

// ruleMode is the row with the mode of a time rule.
func ruleMode(rule, does string, field func(*Settings) *string) Setting {
	return Setting{Name: "rules." + rule + "_mode", Default: RuleAutomatic,
		Label: "Mode",
		Means: "Whether the rule that " + does + " acts, only counts what it would do, or is off.",
		kind:  word(field, "off, preview or automatic", RuleAutomatic, RulePreview, RuleOff)}
}

// With returns the settings with other values of some rows, to try what they would do; ok is false when one of the
// values is wrong or no setting has the name.
func (s *Settings) With(values map[string]string) (tried *Settings, ok bool) {
	again := *s
	for name, text := range values {
		if row, found := Find(name); !found || row.check(&again, text) != nil {
			return nil, false
		}
	}
	return &again, true
}
