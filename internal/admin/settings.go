package admin

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// settingRoutes are the general settings (screens.md A55) and the time rules (A53).
func (p *pages) settingRoutes() []site.Route {
	instance := site.Needs(admitto.InstanceAdmin)
	return []site.Route{
		{Name: "settings", Path: "/admin/settings", Access: instance, Form: true, Files: true, Handle: p.settings},
		{Name: "settings-group", Path: "/admin/settings/{group}", Access: instance, Form: true, Files: true,
			Parent: "settings",
			Handle: p.settings},
		{Name: "time-rules", Path: "/admin/time-rules", Access: instance, Handle: p.timeRules},
		{Name: "time-rule", Path: "/admin/time-rules/{rule}", Access: instance, Form: true, Parent: "time-rules",
			Handle: p.timeRule},
		{Name: "time-rule-preview", Path: "/admin/time-rules/{rule}/preview", Access: instance, Parent: "time-rules",
			Handle: p.timeRulePreview},
	}
}

// settingGroup is a form of the general settings. The message settings.<name> names it.
type settingGroup struct {
	name     string
	settings []string
	rare     []string // folded
}

// settingGroups are the forms in their order. Settings that the table has besides, and that no time rule has, stand in
// the last one.
func settingGroups() []settingGroup {
	groups := []settingGroup{
		{name: "institution", settings: []string{"instance.name", "instance.timezone", "instance.currency",
			"instance.languages", config.LogoSetting, "portal.accent"}},
		{name: "contact", settings: []string{"portal.contact_email", "portal.contact_phone", "portal.contact_hours",
			"portal.contact_address"}},
		{name: "texts", settings: []string{"portal.help", "portal.privacy", "portal.assessment", "portal.declarations"}},
		{name: "mail", settings: []string{"mail.from", "mail.reply_to", "mail.smtp"},
			rare: []string{"mail.sync_timeout", "mail.workers"}},
		{name: "sign_in", settings: []string{"signin.second_factor", "session.admin_hours", "session.applicant_hours",
			"signin.welcome_link_days", "signin.link_minutes"}, rare: []string{"signin.register_per_hour"}},
		{name: "applications", settings: []string{"applications.max_courses",
			"applications.reopen_until_deadline", "documents.max_bytes", "withdrawal.undo_minutes",
			"offers.decision_days_default", "offers.decision_days_min", "invoices.payment_days",
			"batch.second_person_over", "batch.undo_days"},
			rare: []string{"batch.wave_size", "batch.wave_pause_seconds"}},
		{name: "numbers", settings: []string{"matriculation.format"}, rare: []string{"applicants.reference_pattern",
			"applicants.matriculation_pattern"}},
		{name: "api", settings: []string{"api.enabled", "api.default_version", "api.oldest_version", "quota.per_minute",
			"quota.per_hour"}, rare: []string{"api.auth_schemes", "api.max_limit", "api.max_limit_expand"}},
	}
	placed := map[string]bool{}
	for _, g := range groups {
		for _, name := range slices.Concat(g.settings, g.rare) {
			placed[name] = true
		}
	}
	for _, rule := range config.TimeRules() {
		for _, name := range rule.Settings() {
			placed[name] = true
		}
	}
	var others []string
	for _, row := range config.Table() {
		if !row.StartOnly && !placed[row.Name] {
			others = append(others, row.Name)
		}
	}
	if len(others) > 0 {
		groups = append(groups, settingGroup{name: "others", settings: others})
	}
	return groups
}

// settings is the page of a group; without a name, of the first.
func (p *pages) settings(r *site.Request) error {
	groups := settingGroups()
	name := strings.ReplaceAll(r.Part("group"), "-", "_")
	at := 0
	if name != "" {
		at = slices.IndexFunc(groups, func(g settingGroup) bool { return g.name == name })
	}
	if at < 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	group := groups[at]
	address := func(g settingGroup) string {
		if g.name == groups[0].name {
			return r.At("settings")
		}
		return r.At("settings-group", strings.ReplaceAll(g.name, "_", "-"))
	}
	form, saved, err := p.settingForm(r, group.settings, group.rare)
	if err != nil {
		return err
	}
	if saved {
		return r.Redirect(address(group))
	}
	tabs := ui.Tabs{Label: r.T("settings.groups")}
	for _, g := range groups {
		tabs.Links = append(tabs.Links, ui.Link{Text: r.T("settings." + g.name), Href: address(g),
			Current: g.name == group.name})
	}
	title := r.T("settings."+group.name) + " – " + r.T("title.settings")
	if at == 0 {
		title = r.T("title.settings")
	}
	r.SetTitle(title)
	return site.Sheet{Title: r.T("title.settings"), Parts: append([]ui.Component{tabs,
		ui.Words{Text: r.T("settings." + group.name + "_text"), Muted: true}, form}, p.groupExtras(r, group.name)...)}.Show(r)
}

// settingForm is a form of settings, the rare ones folded. saved is true when it was posted and taken.
func (p *pages) settingForm(r *site.Request, names, rare []string) (box ui.Component, saved bool, err error) {
	shown := slices.Concat(names, rare)
	states, version, err := p.Maintenance.SettingStates(r.Context(), r.Reader(), shown...)
	if err != nil {
		return nil, false, err
	}
	staff, err := p.staffNames(r)
	if err != nil {
		return nil, false, err
	}
	f, err := r.Form(settingValues(r, states), version)
	if err != nil {
		return nil, false, err
	}
	var went bool
	switch {
	case !r.Posted():
	case f.Has("test"):
		if went, err = p.tryMail(r, f); err != nil {
			return nil, false, err
		}
	default:
		pictures, err := p.pictureChanges(r, f, states)
		if err != nil {
			return nil, false, err
		}
		err = p.Maintenance.ChangeSettings(r.Context(), r.Caller(), shown,
			append(settingChanges(r, f, states), pictures...)...)
		changed := site.Changed(err)
		if refusedSettings(r, f, states, err) {
			err = nil
		}
		if changed {
			settingsMeanwhile(r, f, states, version, staff)
		}
		if refused, err := f.Refused(err, nil); err != nil || !refused {
			if err == nil {
				r.Notify(ui.OK, r.T("settings.saved", "Time", r.Clock(r.Now())))
			}
			return nil, true, err
		}
	}
	var parts, folded []ui.Component
	open := false
	for i := range states {
		field, bad, err := settingField(r, f, &states[i], staff)
		if err != nil {
			return nil, false, err
		}
		if slices.Contains(rare, states[i].Name) {
			folded, open = append(folded, field...), open || bad
		} else {
			parts = append(parts, field...)
		}
	}
	if len(folded) > 0 {
		parts = append(parts, ui.Fold{Title: r.T("settings.rare"), Open: open, Parts: folded})
	}
	buttons := []ui.Button{r.Save("action.save")}
	if slices.Contains(names, "mail.smtp") {
		buttons = append(buttons, ui.Button{Text: r.T("action.set-up-test"), Name: "test", Value: "yes",
			Busy: r.T("set_up.testing")})
	}
	made := f.Box(buttons, parts...)
	if went {
		made.Head.Notices = append(made.Head.Notices, ui.Notice{Tone: ui.OK, Text: r.T("settings.test_went_well")})
	}
	return made, false, nil
}

// settingValues are what the form shows at first; secrets are not in it.
func settingValues(r *site.Request, states []maintenance.SettingState) site.Values {
	values := site.Values{}
	for i := range states {
		if states[i].Control() == config.ControlTexts {
			setTexts(r, values, &states[i])
		} else if s := &states[i]; !s.Secret && s.Control() != config.ControlPicture {
			values[s.Name] = site.One(s.AsStored(s.Value.Text))
		}
	}
	return values
}

// settingChanges are what differs from what counts now. An empty field, and what is the default anyway, takes away what
// is saved.
func settingChanges(r *site.Request, f *site.Form, states []maintenance.SettingState) (changes []config.Change) {
	for i := range states {
		s := &states[i]
		if s.Value.Outside || f.All(s.Name) == nil || s.Control() == config.ControlPicture {
			continue
		}
		typed := typedSetting(r, f, s)
		switch {
		case s.Secret && f.Has(clears(s.Name)), !s.Secret && s.Saved && (typed == "" || typed == s.AsStored(s.Default)):
			changes = append(changes, config.Change{Name: s.Name})
		case typed == "" || !s.Secret && typed == s.AsStored(s.Value.Text):
		default:
			changes = append(changes, config.Change{Name: s.Name, Value: &typed})
		}
	}
	return changes
}

// typedSetting is what was typed for a setting, as it is saved.
func typedSetting(r *site.Request, f *site.Form, s *maintenance.SettingState) string {
	if s.Control() == config.ControlTexts {
		return typedTexts(r, f, s)
	}
	return f.Get(s.Name)
}

// clears is the box that takes a secret away.
func clears(name string) string { return name + ".clear" }

// settingsMeanwhile asks which values stay: somebody else saved some.
func settingsMeanwhile(r *site.Request, f *site.Form, states []maintenance.SettingState, version int64,
	staff map[int64]string) {
	var labels [][2]string
	var last maintenance.SettingState
	for i := range states {
		s := &states[i]
		if s.Control() == config.ControlTexts && !s.Value.Outside {
			languages := textLanguages(r, storedTexts(r, s.Value.Text))
			for _, lang := range languages {
				labels = append(labels, [2]string{textField(s.Name, languages, lang), settingKey(s.Name)})
			}
		} else if !s.Secret && !s.Value.Outside && s.Control() != config.ControlPicture {
			labels = append(labels, [2]string{s.Name, settingKey(s.Name)})
		}
		if states[i].Changed > last.Changed {
			last = states[i]
		}
	}
	who, when := r.T("settings.somebody"), r.Clock(r.Now())
	if last.Changed != 0 {
		who, when = changedBy(r, last.By, staff), r.Clock(last.Changed)
	}
	f.Meanwhile(settingValues(r, states), version, who, when, labels...)
}

// refusedSettings says at each field what is wrong with it; it is false for an error that is not about values.
func refusedSettings(r *site.Request, f *site.Form, states []maintenance.SettingState, err error) bool {
	refusal, ok := errors.AsType[*admitto.Error](err)
	if !ok || refusal.Kind != admitto.InvalidParameter && refusal.Kind != admitto.ChangedMeanwhile {
		return false
	}
	for _, fault := range refusal.Faults {
		name := string(fault.Path)
		i := slices.IndexFunc(states, func(s maintenance.SettingState) bool { return s.Name == name })
		switch {
		case i >= 0 && fault.Text.Code == "setting-value" && states[i].Control() == config.ControlPicture: // said already
		case i >= 0 && fault.Text.Code == "setting-value":
			wrongValue(r, f, &states[i])
		case i >= 0 && fault.Text.Code == "settings-together" && r.Has(settingKey(name)+"_together"):
			f.Fail(name, settingKey(name)+"_together")
		default:
			f.FailText(name, fault.Text)
		}
	}
	return true
}

// wrongValue says what is wrong with what was typed, and what would be right.
func wrongValue(r *site.Request, f *site.Form, s *maintenance.SettingState) {
	if s.Control() == config.ControlTexts && wrongTexts(r, f, s) {
		return
	}
	code, piece := s.Refuses(typedSetting(r, f, s))
	switch {
	case code != "" && r.Has("settings.wrong_"+code):
		f.Fail(s.Name, "settings.wrong_"+code, "Piece", piece)
	case s.Control() == config.ControlNumber:
		least, most := s.Bounds()
		f.Fail(s.Name, "settings.wrong_number", "Least", least, "Most", most)
	case s.Control() == config.ControlTime:
		f.Fail(s.Name, "settings.wrong_time")
	default:
		f.Fail(s.Name, wrongSetting(r, s.Name))
	}
}

// settingKey is the message that names a setting.
func settingKey(name string) string { return "setting." + strings.ReplaceAll(name, ".", "_") }

// settingField is the field of a setting, and whether anything is wrong with it.
func settingField(r *site.Request, f *site.Form, s *maintenance.SettingState, staff map[int64]string) (
	parts []ui.Component, bad bool, err error) {
	key := settingKey(s.Name)
	settle := func(field *ui.Field) {
		field.Hint, field.Disabled, bad = settingHint(r, s, staff), s.Value.Outside, bad || field.Error != ""
	}
	switch s.Control() {
	case config.ControlYesNo:
		c := f.Choices(s.Name, key, false, ui.Option{Value: "true", Text: r.T("settings.yes")},
			ui.Option{Value: "false", Text: r.T("settings.no")})
		settle(&c.Field)
		return []ui.Component{c}, bad, nil
	case config.ControlChoice:
		var options []ui.Option
		for _, word := range s.Words() {
			options = append(options, ui.Option{Value: word, Text: settingWords(r, &s.Setting, word)})
		}
		c := f.Select(s.Name, key, options...)
		settle(&c.Field)
		return []ui.Component{c}, bad, nil
	case config.ControlTexts:
		return textFields(r, f, s, settle), bad, nil
	case config.ControlPicture:
		parts, err = pictureFields(r, f, s, settle)
		return parts, bad, err
	case config.ControlNumber, config.ControlTime, config.ControlLine:
	}
	if s.Secret {
		t := f.Password(s.Name, key, "off")
		settle(&t.Field)
		parts = []ui.Component{t}
		if s.Value.Text != "" && !s.Value.Outside {
			parts = append(parts, f.Tick(clears(s.Name), key+"_clear", "settings.clear"))
		}
		return parts, bad, nil
	}
	t := f.Text(s.Name, key)
	settle(&t.Field)
	switch s.Control() {
	case config.ControlNumber:
		t.InputMode, t.Width = "numeric", "w10"
	case config.ControlTime:
		t.Width = "w10"
	case config.ControlLine:
		if s.Unit != "" || s.Name == "instance.currency" {
			t.Width = "w10"
		}
	case config.ControlYesNo, config.ControlChoice, config.ControlTexts, config.ControlPicture:
	}
	return []ui.Component{t}, bad, nil
}

// settingHint is what a setting means, its default, who changed it, and what fixes it.
func settingHint(r *site.Request, s *maintenance.SettingState, staff map[int64]string) string {
	var sentences []string
	if hint := settingKey(s.Name) + "_hint"; r.Has(hint) {
		sentences = append(sentences, r.T(hint))
	}
	switch {
	case s.Secret && s.Value.Text != "":
		sentences = append(sentences, r.T("settings.secret_set"))
	case s.Secret:
		sentences = append(sentences, r.T("settings.secret_unset"))
	default:
		sentences = append(sentences, r.T("settings.default", "Value",
			strings.TrimSuffix(settingWords(r, &s.Setting, s.Default), ".")))
	}
	if s.AtRestart {
		sentences = append(sentences, r.T("settings.at_restart"))
	}
	switch origin := s.Value.Origin; {
	case !s.Value.Outside && s.Saved && s.Changed != 0:
		sentences = append(sentences, r.T("settings.changed", "Name", changedBy(r, s.By, staff), "Time",
			r.Clock(s.Changed)))
	case !s.Value.Outside:
	case strings.HasPrefix(origin, "--"):
		sentences = append(sentences, r.T("settings.fixed_flag", "Name", origin))
	case strings.HasPrefix(origin, "environment "):
		sentences = append(sentences, r.T("settings.fixed_env", "Name", strings.TrimPrefix(origin, "environment ")))
	default:
		sentences = append(sentences, r.T("settings.fixed_file", "Name", origin))
	}
	return strings.Join(sentences, " ")
}

// settingWords is a value in words, with its unit.
func settingWords(r *site.Request, s *config.Setting, value string) string {
	switch {
	case value == "":
		return r.T("settings.empty")
	case s.Control() == config.ControlYesNo:
		return r.T(map[string]string{"true": "settings.yes", "false": "settings.no"}[s.AsStored(value)])
	case s.Control() == config.ControlChoice && r.Has(settingKey(s.Name)+"_"+value):
		return r.T(settingKey(s.Name) + "_" + value)
	case s.Control() == config.ControlChoice && strings.HasSuffix(s.Name, "_mode") && r.Has("rule_mode."+value):
		return r.T("rule_mode." + value)
	case s.Control() == config.ControlNumber:
		if n, err := strconv.Atoi(value); err == nil {
			if unit := "unit." + s.Unit; r.Has(unit) {
				return r.Plural(unit, n)
			}
			return r.Number(n)
		}
	}
	return value
}

// staffNames are the names of all members of staff.
func (p *pages) staffNames(r *site.Request) (map[int64]string, error) {
	staff, err := p.Query.Administrators(r.Context(), r.Reader())
	return usecase.Named(staff, err, func(a *admitto.Administrator) (int64, string) { return a.ID, a.Name })
}

// changedBy names who changed a setting.
func changedBy(r *site.Request, by admitto.Actor, staff map[int64]string) string {
	if name := staff[by.ID]; name != "" && by.Kind == admitto.ByAdministrator {
		return name
	}
	if by.Kind == admitto.BySystem {
		return r.T("settings.by_command")
	}
	return r.T("settings.somebody")
}
