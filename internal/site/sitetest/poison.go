package sitetest

import "strings"

// Poison puts a hostile text where people type: names, addresses of mail, notes, letters, titles, answers.
func (i *Instance) Poison() {
	i.T.Helper()
	hostile := "'" + strings.ReplaceAll(Hostile, "'", "''") + "'"
	for _, column := range []string{"applicant.given", "applicant.family", "applicant.phone", "applicant.skype",
		"note.text",
		"email.subject", "email.message", "email.reply", "email_attachment.name", "institution.name", "course.name",
		"intake.name", "flag.name", "tracker.notes",
		"offer_type.title", "offer.subject", "offer.comments", "administrator.name",
		"consent.text", "academic_term.name", "task.notes_applicant", "task.notes_administrator", "document.name",
		"invoice.payer_name", "api_key.label", "api_key.owner"} {
		table, name, _ := strings.Cut(column, ".")
		i.Put("UPDATE " + table + " SET " + name + " = " + hostile)
	}
}
