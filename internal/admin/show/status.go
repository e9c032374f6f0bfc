package show

import (
	"cmp"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Status shows the status of an application with its fixed symbol and tone (screens.md U14).
func Status(r *site.Request, s admitto.ApplicationStatus) ui.Tag {
	tag := ui.Tag{Text: string(s)}
	switch s {
	case admitto.Blank:
		tag.Text, tag.Icon = r.T("status.blank"), "circle"
	case admitto.Draft:
		tag.Text, tag.Icon = r.T("status.draft"), "pencil"
	case admitto.Inactive:
		tag.Text, tag.Icon, tag.Tone = r.T("status.inactive"), "clock", ui.Warn
	case admitto.Reopened:
		tag.Text, tag.Icon, tag.Tone = r.T("status.reopened"), "rotate-ccw", ui.Info
	case admitto.Submitted:
		tag.Text, tag.Icon, tag.Tone = r.T("status.submitted"), "check", ui.OK
	case admitto.Withdrawn:
		tag.Text, tag.Icon = r.T("status.withdrawn"), "undo-2"
	case admitto.Closed:
		tag.Text, tag.Icon, tag.Tone = r.T("status.closed"), "ban", ui.Bad
	}
	return tag
}

// Task shows the status of a task by its title. A status that the applicant is told of, tells, asks for something
// again while the task is not resolved, and ends it without success once it is.
func Task(r *site.Request, title string, t *admitto.Task, tells bool) ui.Tag {
	title = r.TaskStatus(title)
	switch {
	case t.Resolved != 0 && tells:
		return ui.Tag{Text: title, Icon: "circle-x", Tone: ui.Bad}
	case t.Resolved != 0:
		return ui.Tag{Text: title, Icon: "check", Tone: ui.OK}
	case tells:
		return ui.Tag{Text: title, Icon: "rotate-ccw", Tone: ui.Warn}
	case t.Committed != 0:
		return ui.Tag{Text: title, Icon: "inbox", Tone: ui.Info}
	}
	return ui.Tag{Text: title, Icon: "clock"}
}

// Invoice shows the state of an invoice.
func Invoice(r *site.Request, s admitto.InvoiceState) ui.Tag {
	switch s {
	case admitto.InvoiceIsCollected:
		return ui.Tag{Text: r.T("invoice_state.collected"), Icon: "check", Tone: ui.OK}
	case admitto.InvoiceIsLapsed:
		return ui.Tag{Text: r.T("invoice_state.lapsed"), Icon: "ban"}
	case admitto.InvoiceIsPartlyCollected:
		return ui.Tag{Text: r.T("invoice_state.partly_collected"), Icon: "circle-dot", Tone: ui.Info}
	case admitto.InvoiceIsOverdue:
		return ui.Tag{Text: r.T("invoice_state.overdue"), Icon: "triangle-alert", Tone: ui.Bad}
	case admitto.InvoiceIsReminded:
		return ui.Tag{Text: r.T("invoice_state.reminded"), Icon: "bell", Tone: ui.Warn}
	case admitto.InvoiceIsDelivered:
		return ui.Tag{Text: r.T("invoice_state.delivered"), Icon: "mail"}
	case admitto.InvoiceIsNotDelivered:
	}
	return ui.Tag{Text: r.T("invoice_state.not_delivered"), Icon: "clock"}
}

// Country is the name of a country, the code itself where it has none.
func Country(r *site.Request, code string) string { return cmp.Or(r.Country(code), code) }

// Countries are the options of a field for a country, with one for none.
func Countries(r *site.Request, none string) []ui.Option {
	return append([]ui.Option{{Text: none}}, r.Countries()...)
}

// PolicyKey is the message of a policy of answers.
func PolicyKey(policy string) string {
	switch policy {
	case admitto.PolicyAdvisory:
		return "offer.policy_advisory"
	case admitto.PolicyRequired:
		return "offer.policy_required"
	}
	return "offer.policy_none"
}
