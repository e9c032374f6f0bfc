package admin

import (
	"slices"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Texts of several languages have a field for each: that of the first language has the name of the setting, the others
// the code of the language behind it.

// textLanguages are the languages of the fields of a text: those of the instance, then others that it has texts in.
func textLanguages(r *site.Request, stored config.Texts) []string {
	languages := slices.Clone(r.Settings().Instance.Languages)
	if len(languages) == 0 {
		languages = []string{"en"}
	}
	for _, lang := range stored.Languages() {
		if lang != "" && !slices.Contains(languages, lang) {
			languages = append(languages, lang)
		}
	}
	return languages
}

// textField is the name of the field of a text in a language.
func textField(name string, languages []string, lang string) string {
	if lang == languages[0] {
		return name
	}
	return name + "." + lang
}

// storedTexts are the texts of a setting by language, of which none is "".
func storedTexts(r *site.Request, saved string) config.Texts {
	stored, err := config.ParseTexts(saved)
	if err != nil { // not reached: it has been checked
		return config.Texts{}
	}
	if plain := stored[""]; plain != "" {
		first := textLanguages(r, nil)[0]
		delete(stored, "")
		if stored[first] == "" {
			stored[first] = plain
		}
	}
	return stored
}

// setTexts puts the texts of a setting into the values of a form.
func setTexts(r *site.Request, values site.Values, s *maintenance.SettingState) {
	stored := storedTexts(r, s.Value.Text)
	languages := textLanguages(r, stored)
	for _, lang := range languages {
		values[textField(s.Name, languages, lang)] = site.One(stored[lang])
	}
}

// typedTexts is what was typed into the fields of a text, as it is saved: what is the default is saved as that.
func typedTexts(r *site.Request, f *site.Form, s *maintenance.SettingState) string {
	stored := storedTexts(r, s.Value.Text)
	languages, typed := textLanguages(r, stored), config.Texts{}
	for _, lang := range languages {
		if text := f.Get(textField(s.Name, languages, lang)); text != "" {
			typed[lang] = text
		}
	}
	for _, known := range []string{s.Value.Text, s.Default} {
		if typed.Saved() == storedTexts(r, known).Saved() {
			return known
		}
	}
	return typed.Saved()
}

// textFields are the fields of a text, one for each language.
func textFields(r *site.Request, f *site.Form, s *maintenance.SettingState,
	settle func(*ui.Field)) (parts []ui.Component) {
	languages := textLanguages(r, storedTexts(r, s.Value.Text))
	for _, lang := range languages {
		rows := 6
		if s.Name == "portal.contact_hours" || s.Name == "portal.contact_address" {
			rows = 3
		}
		t := f.Long(textField(s.Name, languages, lang), settingKey(s.Name), rows, 0)
		t.Limit, t.Lang = config.MaxText, lang
		label := t.Label
		settle(&t.Field)
		if t.Lang = lang; len(languages) > 1 {
			t.Label = r.T("settings.in_language", "Label", label, "Language", show.Language(r, lang))
		}
		if lang != languages[0] {
			t.Hint = r.T("settings.language_missing", "Language", show.Language(r, languages[0]))
		}
		parts = append(parts, t)
	}
	return parts
}

// wrongTexts says what is wrong with each language of a text at its field; false where none is wrong by itself.
func wrongTexts(r *site.Request, f *site.Form, s *maintenance.SettingState) (said bool) {
	languages := textLanguages(r, storedTexts(r, s.Value.Text))
	for _, lang := range languages {
		name := textField(s.Name, languages, lang)
		code, piece := s.Refuses(config.Texts{lang: f.Get(name)}.Saved())
		if code == "" {
			continue
		}
		key := wrongSetting(r, s.Name)
		if r.Has("settings.wrong_" + code) {
			key = "settings.wrong_" + code
		}
		f.Fail(name, key, "Piece", piece)
		said = true
	}
	return said
}

// groupExtras is what stands below the form of a group besides settings.
func (p *pages) groupExtras(r *site.Request, group string) []ui.Component {
	if group != "numbers" {
		return nil
	}
	return []ui.Component{ui.Secret{ID: "receipt-key", Label: r.T("settings.receipt_key"),
		Code: p.Admissions.ReceiptKey(), Hint: r.T("settings.receipt_key_hint")}}
}

// tryMail asks the mail server that was typed, or the one that is set, whether it takes mails.
func (p *pages) tryMail(r *site.Request, f *site.Form) (went bool, err error) {
	const name = "mail.smtp"
	server := f.Get(name)
	if row, found := config.Find(name); found && server != "" && !row.Takes(server) {
		f.Fail(name, wrongSetting(r, name))
		return false, nil
	}
	if set, _ := r.Settings().Value(name); server == "" && set.Text == "" {
		f.Fail(name, "set_up.no_server")
		return false, nil
	}
	words, err := p.Maintenance.TryMail(r.Context(), r.Reader(), server)
	if words != "" {
		f.Fail(name, "set_up.server_says", "Words", words)
	}
	return words == "" && err == nil, err
}

// wrongSetting is the message that says what is right for a setting.
func wrongSetting(r *site.Request, name string) string {
	if key := settingKey(name) + "_wrong"; r.Has(key) {
		return key
	}
	return "settings.wrong"
}
