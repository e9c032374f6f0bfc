package columns

import "github.com/admitto/admitto/internal/admitto"

// Application is the header of an application.
var Application = table("application", []Column[admitto.Application]{
	number("id", func(a *admitto.Application) *int64 { return &a.ID }),
	number("applicant_id", func(a *admitto.Application) *int64 { return &a.Applicant }),
	number("academic_term_id", func(a *admitto.Application) *int64 { return &a.Term }),
	text("status", func(a *admitto.Application) *admitto.ApplicationStatus { return &a.Status }),
	instant("created", func(a *admitto.Application) *admitto.Time { return &a.Created }),
	instant("revised", func(a *admitto.Application) *admitto.Time { return &a.Revised }),
	instant("submitted", func(a *admitto.Application) *admitto.Time { return &a.Submitted }),
	instant("frozen", func(a *admitto.Application) *admitto.Time { return &a.Frozen }),
})

// Score is a score of an application on a scoresheet.
var Score = table("score", []Column[admitto.Score]{
	number("id", func(s *admitto.Score) *int64 { return &s.ID }),
	number("scoresheet_id", func(s *admitto.Score) *int64 { return &s.Scoresheet }),
	number("application_id", func(s *admitto.Score) *int64 { return &s.Application }),
	reference("offer_id", func(s *admitto.Score) *int64 { return &s.Offer }),
	instant("scored", func(s *admitto.Score) *admitto.Time { return &s.Scored }),
	optional("points", func(s *admitto.Score) **admitto.Points { return &s.Points }),
	text("comments", func(s *admitto.Score) *string { return &s.Comments }),
	date("date", func(s *admitto.Score) *admitto.Date { return &s.Date }),
	text("reference", func(s *admitto.Score) *string { return &s.Reference }),
	text("subject", func(s *admitto.Score) *string { return &s.Subject }),
	text("language", func(s *admitto.Score) *string { return &s.Language }),
})

// Document is a document of an application, which may belong to a task and lie in the trash.
var Document = files("document", "id", "application_id", "task_id", "trashed")

// OfferAttachment is a file attached to an offer.
var OfferAttachment = files("offer_attachment", "id", "offer_id")

// EmailAttachment is a file that went with a mail.
var EmailAttachment = files("email_attachment", "id", "email_id")

// ExportBlob is a file of an export, with its number there in the place of an ID.
var ExportBlob = files("export_blob", "n", "export_id", "token")

// files is what is known of stored files of an owner.
func files(name, id, owner string, also ...string) *Table[admitto.File] {
	return table(name, []Column[admitto.File]{
		number(id, func(f *admitto.File) *int64 { return &f.ID }),
		number(owner, func(f *admitto.File) *int64 { return &f.Owner }),
		instant("uploaded", func(f *admitto.File) *admitto.Time { return &f.Uploaded }),
		text("name", func(f *admitto.File) *string { return &f.Name }),
		text("mime", func(f *admitto.File) *string { return &f.MIME }),
		number("size", func(f *admitto.File) *int64 { return &f.Size }),
		text("hash", func(f *admitto.File) *string { return &f.Hash }),
		instant("expires", func(f *admitto.File) *admitto.Time { return &f.Expires }),
	}, also...)
}

// Letter is a rendered letter of an offer.
var Letter = table("offer_letter", []Column[admitto.Letter]{
	number("id", func(l *admitto.Letter) *int64 { return &l.ID }),
	number("offer_id", func(l *admitto.Letter) *int64 { return &l.Offer }),
	number("letterhead_id", func(l *admitto.Letter) *int64 { return &l.Letterhead }),
	reference("administrator_id", func(l *admitto.Letter) *int64 { return &l.Administrator }),
	reference("attachment_id", func(l *admitto.Letter) *int64 { return &l.Attachment }),
	instant("rendered", func(l *admitto.Letter) *admitto.Time { return &l.Rendered }),
})

// Offer is an offer for a course of an application.
var Offer = table("offer", []Column[admitto.Offer]{
	number("id", func(o *admitto.Offer) *int64 { return &o.ID }),
	number("application_id", func(o *admitto.Offer) *int64 { return &o.Application }),
	number("applicant_id", func(o *admitto.Offer) *int64 { return &o.Applicant }),
	number("course_id", func(o *admitto.Offer) *int64 { return &o.Course }),
	reference("intake_id", func(o *admitto.Offer) *int64 { return &o.Intake }),
	number("priority", func(o *admitto.Offer) *int { return &o.Priority }),
	instant("inserted", func(o *admitto.Offer) *admitto.Time { return &o.Inserted }),
	instant("saved", func(o *admitto.Offer) *admitto.Time { return &o.Saved }),
	instant("confirmed", func(o *admitto.Offer) *admitto.Time { return &o.Confirmed }),
	instant("decided", func(o *admitto.Offer) *admitto.Time { return &o.Decided }),
	instant("scored", func(o *admitto.Offer) *admitto.Time { return &o.Scored }),
	number("type_id", func(o *admitto.Offer) *int64 { return &o.Type }),
	reference("type_confirmed_id", func(o *admitto.Offer) *int64 { return &o.TypeConfirmed }),
	text("subject", func(o *admitto.Offer) *string { return &o.Subject }),
	text("comments", func(o *admitto.Offer) *string { return &o.Comments }),
	text("comments_confirmed", func(o *admitto.Offer) *string { return &o.CommentsConfirmed }),
	text("decision", func(o *admitto.Offer) *admitto.Decision { return &o.Decision }),
	text("decision_policy", func(o *admitto.Offer) *string { return &o.DecisionPolicy }),
	date("decision_deadline", func(o *admitto.Offer) *admitto.Date { return &o.DecisionDeadline }),
	optional("score_auto", func(o *admitto.Offer) **admitto.Hundredths { return &o.ScoreAuto }),
	optional("score_extra", func(o *admitto.Offer) **admitto.Hundredths { return &o.ScoreExtra }),
	reference("reason_id", func(o *admitto.Offer) *int64 { return &o.Reason.ID }),
	text("reason", func(o *admitto.Offer) *string { return &o.Reason.Reason }),
	number("institution_id", func(o *admitto.Offer) *int64 { return &o.Institution }),
	filled(number("row_version", func(o *admitto.Offer) *int64 { return &o.RowVersion })),
}, "criteria_version", "score_explained")
