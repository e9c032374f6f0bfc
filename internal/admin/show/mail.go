package show

import (
	"cmp"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Subject is the subject of a mail.
func Subject(r *site.Request, e *admitto.Email) string {
	if e.Subject == "" {
		return r.T("applicant.no_subject")
	}
	return e.Subject
}

// Mail shows what became of a mail.
func Mail(r *site.Request, e *admitto.Email) ui.Tag {
	switch {
	case e.IsGivenUp():
		return ui.Tag{Text: r.T("applicant.mail_failed"), Icon: "circle-x", Tone: ui.Bad}
	case e.Opened != 0:
		return ui.Tag{Text: r.T("applicant.mail_opened"), Icon: "eye", Tone: ui.OK}
	case e.Delivered != 0:
		return ui.Tag{Text: r.T("applicant.mail_delivered"), Icon: "check", Tone: ui.OK}
	case e.Reply != "":
		return ui.Tag{Text: r.T("applicant.mail_delayed"), Icon: "triangle-alert", Tone: ui.Warn}
	}
	return ui.Tag{Text: r.T("applicant.mail_waiting"), Icon: "clock"}
}

// mailKinds are the messages that name the templates of mails, by their codes.
var mailKinds = map[string]string{
	"applicant-welcome-register":      "mail_kind.applicant_welcome_register",
	"applicant-welcome-imports":       "mail_kind.applicant_welcome_imports",
	"applicant-welcome-api":           "mail_kind.applicant_welcome_api",
	"applicant-signin-link":           "mail_kind.applicant_signin_link",
	"applicant-email-change":          "mail_kind.applicant_email_change",
	"applicant-password-changed":      "mail_kind.applicant_password_changed",
	"applicant-message":               "mail_kind.applicant_message",
	"application-submitted":           "mail_kind.application_submitted",
	"application-resubmitted":         "mail_kind.application_resubmitted",
	"application-reopened":            "mail_kind.application_reopened",
	"application-deadline-extended":   "mail_kind.application_deadline_extended",
	"application-withdrawn":           "mail_kind.application_withdrawn",
	"application-withdrawal-reverted": "mail_kind.application_withdrawal_reverted",
	"application-closed":              "mail_kind.application_closed",
	"application-draft-reminder":      "mail_kind.application_draft_reminder",
	"application-inactive-reminder":   "mail_kind.application_inactive_reminder",
	"application-reopened-reminder":   "mail_kind.application_reopened_reminder",
	"offer-letter":                    "mail_kind.offer_letter",
	"offer-decision-reminder":         "mail_kind.offer_decision_reminder",
	"offer-decision-confirmation":     "mail_kind.offer_decision_confirmation",
	"invoice-delivery":                "mail_kind.invoice_delivery",
	"invoice-reminder":                "mail_kind.invoice_reminder",
	"invoice-collected":               "mail_kind.invoice_collected",
	"task-created":                    "mail_kind.task_created",
	"task-status":                     "mail_kind.task_status",
	"task-reminder":                   "mail_kind.task_reminder",
	"privacy-request-received":        "mail_kind.privacy_request_received",
	"privacy-request-done":            "mail_kind.privacy_request_done",
	"privacy-request-refused":         "mail_kind.privacy_request_refused",
	"privacy-data-ready":              "mail_kind.privacy_data_ready",
	"admin-invite":                    "mail_kind.admin_invite",
	"admin-password-reset":            "mail_kind.admin_password_reset",
	"admin-email-change":              "mail_kind.admin_email_change",
	"admin-key-expiring":              "mail_kind.admin_key_expiring",
	"admin-key-usage":                 "mail_kind.admin_key_usage",
	"admin-release-waiting":           "mail_kind.admin_release_waiting",
	"admin-scoring-waiting":           "mail_kind.admin_scoring_waiting",
}

// MailKind names the template of a mail; the code itself stands for one that has no name, and nothing for none.
func MailKind(r *site.Request, code string) string {
	if key, named := mailKinds[code]; named {
		return r.T(key)
	}
	return code
}

// Language is the name of a language for the reader.
func Language(r *site.Request, lang string) string {
	return cmp.Or(r.Language(lang), lang)
}

// Letter is a letter or a message as its reader gets it; label is for those who do not see it.
func Letter(label string, subject []mail.Piece, letter []mail.Passage) ui.Preview {
	preview := ui.Preview{Label: label, Subject: letterParts(subject)}
	for i := range letter {
		preview.Blocks = append(preview.Blocks, letterBlock(&letter[i]))
	}
	return preview
}

// letterBlock is a passage as a component.
func letterBlock(p *mail.Passage) (b ui.LetterBlock) {
	b.Heading, b.Number = p.Heading, p.Number
	for i, line := range p.Lines {
		parts := letterParts(line)
		switch {
		case p.Bullets || p.Number:
			b.Items = append(b.Items, parts)
		case i > 0:
			b.Parts = append(append(b.Parts, ui.LetterPart{Text: "\n"}), parts...)
		default:
			b.Parts = parts
		}
	}
	return b
}

func letterParts(pieces []mail.Piece) (parts []ui.LetterPart) {
	for _, p := range pieces {
		parts = append(parts, ui.LetterPart{Text: p.Text, Unknown: p.Missing, Bold: p.Bold, Italic: p.Italic, Href: p.Href})
	}
	return parts
}

// mailsOf leads from an event about a mail to it, or to the mails that it is among.
func mailsOf(r *site.Request, record *admitto.Record) []ui.Link {
	if record.Pattern != admitto.EmailSent && record.Pattern != admitto.EmailFailed {
		return nil
	}
	l := &record.Links
	about := admitto.Email{Application: l.Application, Template: strings.Join(record.Bind, "")}
	if !r.Reader().Mails().Has(&about) {
		return nil
	}
	text := r.T("history.email", "ID", l.Email)
	switch {
	case l.Email == 0:
		text = r.T("title.application-emails")
	case l.Application != 0 && r.May("application-email"):
		return []ui.Link{{Text: text, Href: r.At("application-email", l.Application, l.Email)}}
	case l.Applicant != 0 && r.May("applicant-email"):
		return []ui.Link{{Text: text, Href: r.At("applicant-email", l.Applicant, l.Email)}}
	}
	switch {
	case record.Links.Application != 0 && r.May("application-emails"):
		return []ui.Link{{Text: text, Href: r.At("application-emails", record.Links.Application)}}
	case record.Links.Applicant != 0 && r.May("applicant-emails"):
		return []ui.Link{{Text: text, Href: r.At("applicant-emails", record.Links.Applicant)}}
	}
	return nil
}
