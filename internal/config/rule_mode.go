package config

// What a time rule does when it runs (lifecycle.md 11.1).
const (
	RuleOff       = "off"
	RulePreview   = "preview" // it counts whom it would concern, and changes nothing
	RuleAutomatic = "automatic"
)

// ruleMode is the row with the mode of a time rule.
func ruleMode(rule, does string, field func(*Settings) *string) Setting {
	return Setting{Name: "rules." + rule + "_mode", Default: RuleAutomatic,
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
