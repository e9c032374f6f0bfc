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

// Content is the content of an application as its JSON document.
type Content struct {
	Application int64
	JSON        string
}

// ApplicationContent is what applicants filled in.
var ApplicationContent = keyed("application_content", 1, []Column[Content]{
	number("application_id", func(c *Content) *int64 { return &c.Application }),
	text("content", func(c *Content) *string { return &c.JSON }),
})

// ApplicationCourse is a course of an application; also are the type of the course and whether it came late.
var ApplicationCourse = keyed("application_course", 2, []Column[admitto.ApplicationCourse]{
	number("application_id", func(c *admitto.ApplicationCourse) *int64 { return &c.Application }),
	number("course_id", func(c *admitto.ApplicationCourse) *int64 { return &c.Course }),
	reference("intake_id", func(c *admitto.ApplicationCourse) *int64 { return &c.Intake }),
	number("institution_id", func(c *admitto.ApplicationCourse) *int64 { return &c.Institution }),
	number("priority", func(c *admitto.ApplicationCourse) *int { return &c.Priority }),
	instant("added", func(c *admitto.ApplicationCourse) *admitto.Time { return &c.Added }),
	instant("submitted", func(c *admitto.ApplicationCourse) *admitto.Time { return &c.Submitted }),
	text("modifier", func(c *admitto.ApplicationCourse) *string { return &c.Modifier }),
}, "course_type", "late")

// ApplicationFlag is a flag that is set on an application.
var ApplicationFlag = keyed("application_flag", 2, []Column[admitto.FlagAssociation]{
	number("flag_id", func(f *admitto.FlagAssociation) *int64 { return &f.Flag }),
	number("application_id", func(f *admitto.FlagAssociation) *int64 { return &f.Application }),
	instant("assigned", func(f *admitto.FlagAssociation) *admitto.Time { return &f.Assigned }),
})

// Task is a task without the class and the title, which its template has.
var Task = table("task", []Column[admitto.Task]{
	number("id", func(t *admitto.Task) *int64 { return &t.ID }),
	number("application_id", func(t *admitto.Task) *int64 { return &t.Application }),
	instant("created", func(t *admitto.Task) *admitto.Time { return &t.Created }),
	instant("reminded", func(t *admitto.Task) *admitto.Time { return &t.Reminded }),
	instant("committed", func(t *admitto.Task) *admitto.Time { return &t.Committed }),
	instant("resolved", func(t *admitto.Task) *admitto.Time { return &t.Resolved }),
	text("status", func(t *admitto.Task) *string { return &t.Status }),
	text("notes_applicant", func(t *admitto.Task) *string { return &t.NotesApplicant }),
	text("notes_administrator", func(t *admitto.Task) *string { return &t.NotesAdministrator }),
})

// TaskCase is a task with what its lifecycle needs.
var TaskCase = table("task", append(within(Task, func(t *admitto.TaskCase) *admitto.Task { return &t.Task }),
	number("template_id", func(t *admitto.TaskCase) *int64 { return &t.Template }),
	reference("course_id", func(t *admitto.TaskCase) *int64 { return &t.Course }),
	date("deadline", func(t *admitto.TaskCase) *admitto.Date { return &t.Deadline }),
	instant("trashed", func(t *admitto.TaskCase) *admitto.Time { return &t.Trashed }),
	truth("closed", func(t *admitto.TaskCase) *bool { return &t.Closed }),
	truth("notes_shared", func(t *admitto.TaskCase) *bool { return &t.Shared }),
	filled(number("row_version", func(t *admitto.TaskCase) *int64 { return &t.RowVersion })),
))

// RuleAction is that a rule has acted on a record.
var RuleAction = keyed("rule_action", 3, []Column[admitto.RuleAction]{
	text("rule", func(a *admitto.RuleAction) *string { return &a.Rule }),
	number("record", func(a *admitto.RuleAction) *int64 { return &a.Record }),
	text("occurrence", func(a *admitto.RuleAction) *string { return &a.Occurrence }),
	instant("done", func(a *admitto.RuleAction) *admitto.Time { return &a.Done }),
	number("version", func(a *admitto.RuleAction) *int64 { return &a.Version }),
})

// Export is an export of an application; of the profile it has the code.
var Export = table("export", []Column[admitto.Export]{
	number("id", func(e *admitto.Export) *int64 { return &e.ID }),
	number("application_id", func(e *admitto.Export) *int64 { return &e.Application }),
	reference("offer_id", func(e *admitto.Export) *int64 { return &e.Offer }),
	text("profile_code", func(e *admitto.Export) *string { return &e.Profile.Code }),
	instant("exported", func(e *admitto.Export) *admitto.Time { return &e.Exported }),
	instant("processed", func(e *admitto.Export) *admitto.Time { return &e.Processed }),
	instant("cancelled", func(e *admitto.Export) *admitto.Time { return &e.Cancelled }),
})

// DataExport is a file with the data of one person, or the wish for one.
var DataExport = table("data_export", dataExport, "lease_until")

// OwnDataExport is one that applicants asked for themselves. Its columns are the same.
var OwnDataExport = table("own_data_export", dataExport, "lease_until")

var dataExport = []Column[admitto.DataExport]{
	number("id", func(e *admitto.DataExport) *int64 { return &e.ID }),
	number("applicant_id", func(e *admitto.DataExport) *int64 { return &e.Applicant }),
	number("administrator_id", func(e *admitto.DataExport) *int64 { return &e.Administrator }),
	instant("asked", func(e *admitto.DataExport) *admitto.Time { return &e.Asked }),
	number("lease", func(e *admitto.DataExport) *int64 { return &e.Lease }),
	instant("finished", func(e *admitto.DataExport) *admitto.Time { return &e.Finished }),
	truth("failed", func(e *admitto.DataExport) *bool { return &e.Failed }),
	instant("expires", func(e *admitto.DataExport) *admitto.Time { return &e.Expires }),
	number("size", func(e *admitto.DataExport) *int64 { return &e.Size }),
	text("hash", func(e *admitto.DataExport) *string { return &e.Hash }),
}

// Document is a document of an application, which may belong to a task and lie in the trash.
var Document = files("document", "application_id", "task_id", "trashed")

// OfferAttachment is a file attached to an offer.
var OfferAttachment = files("offer_attachment", "offer_id")

// EmailAttachment is a file that went with a mail.
var EmailAttachment = files("email_attachment", "email_id")

// ExportBlob is a file of an export, with its number there in the place of an ID.
var ExportBlob = keyed("export_blob", 2, fileColumns("n", "export_id"), "token")

// files is what is known of stored files of an owner.
func files(name, owner string, also ...string) *Table[admitto.File] {
	return table(name, fileColumns("id", owner), also...)
}

func fileColumns(id, owner string) []Column[admitto.File] {
	return []Column[admitto.File]{
		number(id, func(f *admitto.File) *int64 { return &f.ID }),
		number(owner, func(f *admitto.File) *int64 { return &f.Owner }),
		instant("uploaded", func(f *admitto.File) *admitto.Time { return &f.Uploaded }),
		text("name", func(f *admitto.File) *string { return &f.Name }),
		text("mime", func(f *admitto.File) *string { return &f.MIME }),
		number("size", func(f *admitto.File) *int64 { return &f.Size }),
		text("hash", func(f *admitto.File) *string { return &f.Hash }),
		instant("expires", func(f *admitto.File) *admitto.Time { return &f.Expires }),
	}
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
	filled(text("decline_class", func(o *admitto.Offer) *string { return &o.Declining.Class })),
	filled(text("decline_words", func(o *admitto.Offer) *string { return &o.Declining.Words })),
}, "criteria_version", "score_explained")
