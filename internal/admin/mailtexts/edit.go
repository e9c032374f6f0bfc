package mailtexts

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mailtexts"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// language is that of the text which the address of a page names, the first one of the instance without any.
func language(r *site.Request) string {
	all := languages(r)
	if chosen := r.View(false).Get("language"); slices.Contains(all, chosen) {
		return chosen
	}
	return all[0]
}

// at is the address of a page about the text in a language.
func at(r *site.Request, route, code, lang string) string {
	address := r.At(route, code)
	if lang != languages(r)[0] {
		address = site.Add(address, "language", lang)
	}
	return address
}

// labels are the fields of the form with the messages that name them.
func labels() [][2]string {
	return [][2]string{{"subject", "mailtext.subject"}, {"body", "mailtext.body"}, {"silenced", "mailtext.silence"}}
}

func storedValues(t *mailtexts.Text) site.Values {
	v := site.Values{"subject": site.One(t.Text.Subject), "body": site.One(t.Text.Body)}
	if t.Silenced {
		v["silenced"] = site.One("yes")
	}
	return v
}

// draft is what is typed, with for whom it is shown.
func draft(f *site.Form, t *mailtexts.Text) mailtexts.Draft {
	return mailtexts.Draft{Edit: mailtexts.Edit{Code: t.Code(), Language: t.Language, Subject: f.Typed("subject"),
		Body: f.Typed("body"), Silenced: f.Has("silenced")}, Applicant: f.Choice("applicant")}
}

// edit is the editor of a text: what is typed is previewed, sent as a test, or saved.
func (p *pages) edit(r *site.Request) error {
	t, err := p.MailTexts.Text(r.Context(), r.Reader(), r.Part("code"), language(r))
	if err != nil {
		return err
	}
	r.SetTitle(show.MailKind(r, t.Code()))
	f, err := r.Form(storedValues(&t), t.Version)
	if err != nil {
		return err
	}
	d := draft(f, &t)
	said := ""
	if r.Posted() && !f.Has("preview") {
		var to string
		if f.Has("test") {
			to, err = p.MailTexts.SendTest(r.Context(), r.Caller(), d)
		} else {
			err = p.MailTexts.SaveText(r.Context(), r.Caller(), d.Edit)
		}
		changed := site.Changed(err)
		switch refused, err := f.Refused(err, nil); {
		case err != nil:
			return err
		case changed:
			who := t.Editor
			if who == "" {
				who = r.T("record.somebody")
			}
			f.Meanwhile(storedValues(&t), t.Version, who, r.Clock(t.Edited), labels()...)
		case !refused && to == "":
			r.Notify(ui.OK, r.T("mailtext.saved", "Name", r.Title()))
			return r.Redirect(at(r, "template", t.Code(), t.Language))
		case !refused:
			said = r.T("mailtext.test_sent", "Email", to)
		}
	}
	return p.page(r, f, &t, d, said)
}

// page shows the editor, and the mail as it would be read.
func (p *pages) page(r *site.Request, f *site.Form, t *mailtexts.Text, d mailtexts.Draft, said string) error {
	code := t.Code()
	preview, err := p.preview(r, f, d)
	if err != nil {
		return err
	}
	fields := p.fields(r, f, t)
	box := f.Box([]ui.Button{r.Save("action.save"),
		{Text: r.T("mailtext.preview"), Name: "preview", Value: "yes", Busy: r.T("mailtext.preview")},
		{Text: r.T("mailtext.test"), Name: "test", Value: "yes", Busy: r.T("mailtext.testing")},
		r.Cancel(r.At("templates"))}, fields...)
	box.Live = at(r, "template-preview", code, t.Language)
	if said != "" {
		box.Head.Notices = append(box.Head.Notices, ui.Notice{Tone: ui.OK, Text: said})
	}
	sheet := site.Sheet{Title: r.Title(), Intro: []string{r.T("mail_trigger." + key(code)), sentWords(r, t)}}
	if t.Silenced {
		sheet.Parts = append(sheet.Parts, ui.Notice{Tone: ui.Warn, Text: r.T("mailtext.is_silenced")})
	}
	if tabs := languageTabs(r, t); len(tabs.Links) > 1 {
		sheet.Parts = append(sheet.Parts, tabs)
	}
	sheet.Parts = append(sheet.Parts, ui.Columns{Parts: []ui.Component{box, preview}}, shipped(r, t))
	return sheet.Show(r)
}

// languageTabs lead to the text in each language of the instance.
func languageTabs(r *site.Request, t *mailtexts.Text) ui.Tabs {
	tabs := ui.Tabs{Label: r.T("mailtext.languages")}
	for _, lang := range languages(r) {
		tabs.Links = append(tabs.Links, ui.Link{Text: show.Language(r, lang), Current: lang == t.Language,
			Href: at(r, "template", t.Code(), lang)})
	}
	return tabs
}

// sentWords say which text goes to those who read the language of the page.
func sentWords(r *site.Request, t *mailtexts.Text) string {
	reads := show.Language(r, t.Language)
	switch {
	case t.Own:
		return r.T("mailtext.sends_own", "Language", reads)
	case t.Sent != t.Language:
		return r.T("mailtext.sends_other", "Language", reads, "Other", show.Language(r, t.Sent))
	}
	return r.T("mailtext.sends_shipped", "Language", reads)
}

func (p *pages) fields(r *site.Request, f *site.Form, t *mailtexts.Text) []ui.Component {
	subject := f.Text("subject", "mailtext.subject")
	subject.Autocomplete, subject.Lang = "off", t.Language
	body := ui.Letter{Field: f.Long("body", "mailtext.body", 14, mailtexts.MostBody).Field}
	body.Lang = t.Language
	for _, m := range t.Markers() {
		body.Markers = append(body.Markers, m.String())
	}
	fields := []ui.Component{subject, body}
	if t.MayBeSilenced() {
		fields = append(fields, f.Tick("silenced", "mailtext.silence", "mailtext.silence_text"))
	}
	if toApplicants(t) && r.May("applicants") {
		person := f.Text("applicant", "mailtext.applicant")
		person.InputMode, person.Autocomplete, person.Width, person.Optional = "numeric", "off", "w4", true
		fields = append(fields, person)
	}
	return fields
}

// toApplicants reports whether applicants get the mail.
func toApplicants(t *mailtexts.Text) bool { return !strings.HasPrefix(t.Code(), "admin-") }

// preview is the mail as it would be read: as HTML, and below as plain text.
func (p *pages) preview(r *site.Request, f *site.Form, d mailtexts.Draft) (ui.Box, error) {
	v, err := p.MailTexts.PreviewText(r.Context(), r.Reader(), d)
	if admitto.KindOf(err) == admitto.InvalidParameter { // there is no such applicant
		if f != nil && !f.Wrong("applicant") {
			if _, err := f.Refused(err, nil); err != nil {
				return ui.Box{}, err
			}
		}
		d.Applicant = 0
		v, err = p.MailTexts.PreviewText(r.Context(), r.Reader(), d)
	}
	if err != nil {
		return ui.Box{}, err
	}
	letter := show.Letter(r.T("mailtext.preview"), v.Subject, v.Letter)
	letter.Lang, letter.Plain = d.Language, v.Mail.Text
	box := ui.Box{ID: "preview", Title: r.T("mailtext.preview_of", "Name", show.Name(r, &v.Person)),
		Parts: []ui.Component{letter}}
	switch {
	case strings.HasPrefix(d.Code, "admin-"):
		box.Title = r.T("mailtext.preview")
	case d.Applicant == 0:
		box.Title = r.T("mailtext.preview_invented", "Name", show.Name(r, &v.Person))
	}
	if len(v.Faults) > 0 && (f == nil || !f.Failed()) {
		words := make([]string, len(v.Faults))
		for i := range v.Faults {
			words[i] = r.Say(v.Faults[i].Text)
		}
		box.Parts = append([]ui.Component{ui.Notice{Tone: ui.Warn, Text: strings.Join(words, " ")}}, box.Parts...)
	}
	return box, nil
}

// live answers with the preview of what is being typed.
func (p *pages) live(r *site.Request) error {
	t, err := p.MailTexts.Text(r.Context(), r.Reader(), r.Part("code"), language(r))
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	box, err := p.preview(r, nil, draft(f, &t))
	if err != nil {
		return err
	}
	return r.Fragment(box)
}

// shipped is the text that came with the service, and how the one of the institution differs from it.
func shipped(r *site.Request, t *mailtexts.Text) ui.Component {
	whole := func(subject, body string) []string {
		return append([]string{subject, ""}, strings.Split(strings.TrimRight(body, "\n"), "\n")...)
	}
	text := whole(t.Shipped.Subject, t.Shipped.Body)
	fold := ui.Fold{Title: r.T("mailtext.shipped_text")}
	if !t.Own {
		fold.Parts = []ui.Component{ui.Diff{Title: r.T("mailtext.shipped_now"), Lines: differences(text, text)}}
		return fold
	}
	fold.Title = r.T("mailtext.differences")
	fold.Parts = []ui.Component{ui.Diff{Title: r.T("mailtext.differs", "Language", show.Language(r,
		t.Shipped.Language)),
		Lines: differences(text, whole(t.Text.Subject, t.Text.Body))},
		ui.Acts{{Text: r.T("action.template-default"), Href: at(r, "template-default", t.Code(), t.Language),
			Danger: true}}}
	return fold
}

// restore asks before the text of the institution is taken away.
func (p *pages) restore(r *site.Request) error {
	t, err := p.MailTexts.Text(r.Context(), r.Reader(), r.Part("code"), language(r))
	if err != nil {
		return err
	}
	code := t.Code()
	name, back := show.MailKind(r, code), at(r, "template", code, t.Language)
	r.NameCrumb("template", name)
	r.LeadCrumb("template", back)
	if !t.Own {
		r.Notify(ui.Info, r.T("mailtext.default_already"))
		return r.Redirect(back)
	}
	f, err := r.Form(nil, t.Version)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.MailTexts.RestoreText(r.Context(), r.Caller(), code, t.Language), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("mailtext.restored", "Name", name))
			return r.Redirect(back)
		}
		f.Version = t.Version
	}
	lang := show.Language(r, t.Language)
	return r.Ask(ui.Confirmation{Title: r.T("mailtext.default_title", "Name", name, "Language", lang),
		Fields:  []ui.Component{f.Head()},
		Effects: []ui.Effect{{Icon: "mail", Text: r.T("mailtext.default_effect")}},
		Undo:    r.T("mailtext.default_undo"),
		Confirm: ui.Button{Text: r.T("action.template-default"), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: back}})
}
