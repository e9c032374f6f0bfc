package mails

import (
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// tab lists the mails about an application, and those to its applicant that are about none.
func (p *pages) tab(r *site.Request, h *query.ApplicationHead) error {
	view := r.View(true)
	list, total, err := p.Query.ApplicationEmails(r.Context(), r.Reader(), h.ID, view.Size, view.Offset())
	if err != nil {
		return err
	}
	if last, beyond := view.Beyond(len(list), int(total)); beyond {
		return r.Redirect(last)
	}
	table := tableOf(r, list, func(e *admitto.Email) string { return r.Within("application-email", h.ID, e.ID) })
	table.Empty.Actions = show.Small(show.WriteButtons(r, "application", h.ID))
	return p.card.Show(r, h, "application-emails", show.Small(show.WriteButtons(r, "application", h.ID)),
		withPager(table, view, total)...)
}

// List is the list of mails to an applicant, the newest first, as a tab of the applicant shows it.
func List(r *site.Request, q *query.Service, applicant int64) ([]ui.Component, error) {
	view := r.View(true)
	list, total, err := q.EmailPage(r.Context(), r.Reader(), applicant, view.Size, view.Offset())
	if err != nil {
		return nil, err
	}
	table := tableOf(r, list, func(e *admitto.Email) string { return r.Within("applicant-email", applicant, e.ID) })
	return withPager(table, view, total), nil
}

// withPager is a table with what leads through its pages.
func withPager(table ui.Table, view *site.View, total int64) []ui.Component {
	parts := []ui.Component{table}
	if pager := view.Pager(int(total)); pager != nil {
		parts = append(parts, *pager)
	}
	return parts
}

// tableOf shows mails with what became of each; address is the page of one.
func tableOf(r *site.Request, list []admitto.Email, address func(*admitto.Email) string) ui.Table {
	table := ui.Table{Caption: r.T("title.application-emails"), Columns: []ui.Column{
		{Title: r.T("applicant.subject"), Place: "main"}, {Title: r.T("applicant.mail_state"), Place: "meta"},
		{Title: r.T("mails.inserted"), Place: "label"},
		{Title: r.T("mails.delivered"), Place: "label"}, {Title: r.T("mails.reply"), Place: "mail"},
	}, Empty: ui.Empty{Icon: "mail", Title: r.T("applicant.no_emails"), Text: r.T("applicant.no_emails_text")}}
	for i := range list {
		e := &list[i]
		subject := show.Subject(r, e)
		table.Rows = append(table.Rows, ui.Row{ID: number(e.ID), Label: subject, Cells: []ui.Cell{
			{Text: subject, Href: address(e), Note: show.MailKind(r, e.Template)}, {Tags: []ui.Tag{show.Mail(r, e)}},
			{Text: r.Clock(e.Inserted)}, {Text: at(r, e.Delivered)}, {Note: outcome(r, e)}}})
	}
	return table
}

// at says a time, or nothing for none.
func at(r *site.Request, t admitto.Time) string {
	if t == 0 {
		return ""
	}
	return r.Clock(t)
}

// tags are what became of a mail.
func tags(r *site.Request, e *admitto.Email) []ui.Tag {
	list := []ui.Tag{show.Mail(r, e)}
	if e.Failed != 0 && e.Delivered != 0 {
		list = append(list, ui.Tag{Text: r.T("mails.copies_failed"), Icon: "triangle-alert", Tone: ui.Warn})
	}
	return list
}

// outcome says what the mail server answered, and how often that was.
func outcome(r *site.Request, e *admitto.Email) string {
	switch {
	case e.Reply == "":
		return ""
	case e.IsGivenUp():
		return e.Reply
	case e.Delivered != 0:
		return r.T("mails.copies_said", "Reply", e.Reply)
	}
	return r.Plural("mails.tried", int(e.Tries), "Reply", e.Reply)
}
