// Package mailtexts has the pages with which staff keep the texts of mails and the paper of letters (screens.md A45).
package mailtexts

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mailtexts"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

type pages struct{ *services.Services }

// Routes are the pages with who may open them.
func Routes(s *services.Services) []site.Route {
	p := &pages{s}
	access, one := site.Needs(admitto.TemplatesEdit), "/admin/templates/{code}"
	return append(p.letterheadRoutes(access), []site.Route{
		{Name: "templates", Path: "/admin/templates", Access: access, Handle: p.list},
		{Name: "template", Path: one, Access: access, Form: true, Parent: "templates", Handle: p.edit},
		{Name: "template-preview", Path: one + "/preview", Access: access, Only: true, Again: true, Handle: p.live},
		{Name: "template-default", Path: one + "/default", Access: access, Form: true, Parent: "template",
			Handle: p.restore},
	}...)
}

// groups are the beginnings of the codes of mails that stand together, with the messages of their titles, in the order
// of the page.
func groups() [][2]string {
	return [][2]string{{"applicant", "mailtext.group_applicant"}, {"application", "mailtext.group_application"},
		{"offer", "mailtext.group_offer"}, {"task", "mailtext.group_task"}, {"invoice", "mailtext.group_invoice"},
		{"privacy", "mailtext.group_privacy"}, {"admin", "mailtext.group_admin"}}
}

// key is the code of a mail as a part of the key of a message.
func key(code string) string { return strings.ReplaceAll(code, "-", "_") }

// languages are those of the instance, the first one first.
func languages(r *site.Request) []string {
	if list := r.Settings().Instance.Languages; len(list) > 0 {
		return list
	}
	return []string{"en"}
}

// list shows all mails, a table for each group.
func (p *pages) list(r *site.Request) error {
	kinds, err := p.MailTexts.Kinds(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	sheet := site.Sheet{Intro: []string{r.T("mailtext.intro")}, Buttons: r.Buttons(site.Do("letterheads"))}
	for _, group := range groups() {
		title := r.T(group[1])
		table := ui.Table{Caption: title, Cards: true, Columns: []ui.Column{
			{Title: r.T("mailtext.mail"), Place: "main"}, {Title: r.T("mailtext.trigger"), Place: "label"},
			{Title: r.T("mailtext.texts"), Place: "label"}, {Title: r.T("mailtext.edited"), Place: "label"}}}
		for i := range kinds {
			if of, _, _ := strings.Cut(kinds[i].Code(), "-"); of == group[0] {
				table.Rows = append(table.Rows, row(r, &kinds[i]))
			}
		}
		sheet.Parts = append(sheet.Parts, ui.Box{Title: title, Parts: []ui.Component{table}})
	}
	return sheet.Show(r)
}

func row(r *site.Request, k *mailtexts.Kind) ui.Row {
	code := k.Code()
	name := ui.Cell{Text: show.MailKind(r, code), Href: r.At("template", code)}
	if k.Silenced {
		name.Note = r.T("mailtext.silenced")
	}
	return ui.Row{Label: name.Text, Cells: []ui.Cell{name, {Text: r.T("mail_trigger." + key(code))},
		{Text: versions(r, k.Languages)}, {Text: edited(r, k)}}}
}

// versions says in which languages there is a text of the institution.
func versions(r *site.Request, kept []string) string {
	var own []string
	for _, lang := range languages(r) {
		if slices.Contains(kept, lang) {
			own = append(own, show.Language(r, lang))
		}
	}
	if len(own) == 0 {
		return r.T("mailtext.shipped")
	}
	return r.T("mailtext.own", "Languages", r.Listed(own...))
}

// edited says when somebody changed a mail last, and who; "" for nobody yet.
func edited(r *site.Request, k *mailtexts.Kind) string {
	switch {
	case k.Edited == 0:
		return ""
	case k.Editor == "":
		return show.Day(r, k.Edited)
	}
	return r.T("mailtext.edited_by", "Day", show.Day(r, k.Edited), "Name", k.Editor)
}
