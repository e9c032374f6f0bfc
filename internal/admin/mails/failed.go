package mails

import (
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// failed lists the mails to all applicants that were given up, the last of them first (screens.md A05).
func (p *pages) failed(r *site.Request) error {
	view := r.View(true)
	list, names, total, err := p.Query.FailedEmails(r.Context(), r.Reader(), view.Size, view.Offset())
	if err != nil {
		return err
	}
	if last, beyond := view.Beyond(len(list), int(total)); beyond {
		return r.Redirect(last)
	}
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("applicant.subject"), Place: "main"},
		{Title: r.T("mails.failed"), Place: "label"}, {Title: r.T("mails.applicant"), Place: "label"},
		{Title: r.T("mails.reply"), Place: "mail"}, {Title: r.T("mails.do")}},
		Empty: ui.Empty{Icon: "check", Title: r.T("mails.none_failed"), Text: r.T("mails.none_failed_text"),
			Actions: show.Small(r.Buttons(site.Do("applicants")))}}
	for i := range list {
		e := &list[i]
		subject := show.Subject(r, e)
		row := ui.Row{ID: number(e.ID), Label: subject, Cells: []ui.Cell{
			{Text: subject, Href: r.At("applicant-email", e.Applicant, e.ID), Note: show.MailKind(r, e.Template)},
			{Text: r.Clock(e.Failed)}, {Text: names[e.Applicant], Href: r.At("applicant", e.Applicant)}, {Note: e.Reply}, {}}}
		switch last := &row.Cells[4]; {
		case notify.HasSecrets(e) && r.May("applicant-sign-in-link"):
			last.Parts = []ui.Component{ui.Button{Text: r.T("action.applicant-sign-in-link"), Small: true,
				Href: r.At("applicant-sign-in-link", e.Applicant), About: names[e.Applicant]}}
		case !notify.HasSecrets(e) && r.May("email-again"):
			box := againBox(r, e.ID, view.With())
			box.Buttons[0].About = subject
			last.Parts = []ui.Component{box}
		}
		table.Rows = append(table.Rows, row)
	}
	return site.ListPage{Head: ui.ListHead{Title: r.Title(), Count: r.Plural("mails.count", int(total))}, Table: table,
		Pager: view.Pager(int(total))}.Show(r)
}
