package columns

import "github.com/admitto/admitto/internal/admitto"

// Applicant is an applicant; its address has a normal form, too.
var Applicant = table("applicant", []Column[admitto.Applicant]{
	number("id", func(a *admitto.Applicant) *int64 { return &a.ID }),
	text("type", func(a *admitto.Applicant) *admitto.ApplicantType { return &a.Type }),
	instant("registered", func(a *admitto.Applicant) *admitto.Time { return &a.Registered }),
	text("given", func(a *admitto.Applicant) *string { return &a.Name.Given }),
	text("middle", func(a *admitto.Applicant) *string { return &a.Name.Middle }),
	text("family", func(a *admitto.Applicant) *string { return &a.Name.Family }),
	text("parent", func(a *admitto.Applicant) *string { return &a.Name.Parent }),
	text("legal", func(a *admitto.Applicant) *string { return &a.Name.Legal }),
	text("email", func(a *admitto.Applicant) *string { return &a.Email }),
	text("phone", func(a *admitto.Applicant) *string { return &a.Phone }),
	text("skype", func(a *admitto.Applicant) *string { return &a.Skype }),
	text("reference", func(a *admitto.Applicant) *string { return &a.Reference }),
	text("matriculation", func(a *admitto.Applicant) *string { return &a.Matriculation }),
	text("citizenship", func(a *admitto.Applicant) *string { return &a.Citizenship }),
	text("address", func(a *admitto.Applicant) *string { return &a.Address }),
	text("vatin", func(a *admitto.Applicant) *string { return &a.VATIN }),
	text("state", func(a *admitto.Applicant) *admitto.ApplicantState { return &a.State }),
	truth("lead", func(a *admitto.Applicant) *bool { return &a.Lead }),
}, "email_key")

// Note is a note on an applicant or an offer.
var Note = table("note", []Column[admitto.Note]{
	number("id", func(n *admitto.Note) *int64 { return &n.ID }),
	instant("created", func(n *admitto.Note) *admitto.Time { return &n.Created }),
	instant("removed", func(n *admitto.Note) *admitto.Time { return &n.Removed }),
	text("colour", func(n *admitto.Note) *admitto.Colour { return &n.Colour }),
	truth("pinned", func(n *admitto.Note) *bool { return &n.Pinned }),
	truth("collapsed", func(n *admitto.Note) *bool { return &n.Collapsed }),
	text("text", func(n *admitto.Note) *string { return &n.Text }),
}, "applicant_id", "offer_id")

// Email is the copy of a mail.
var Email = table("email", []Column[admitto.Email]{
	number("id", func(e *admitto.Email) *int64 { return &e.ID }),
	number("applicant_id", func(e *admitto.Email) *int64 { return &e.Applicant }),
	instant("inserted", func(e *admitto.Email) *admitto.Time { return &e.Inserted }),
	instant("delivered", func(e *admitto.Email) *admitto.Time { return &e.Delivered }),
	instant("failed", func(e *admitto.Email) *admitto.Time { return &e.Failed }),
	instant("opened", func(e *admitto.Email) *admitto.Time { return &e.Opened }),
	text("from_name", func(e *admitto.Email) *string { return &e.FromName }),
	text("from_email", func(e *admitto.Email) *string { return &e.FromEmail }),
	text("subject", func(e *admitto.Email) *string { return &e.Subject }),
	text("message", func(e *admitto.Email) *string { return &e.Message }),
	reference("application_id", func(e *admitto.Email) *int64 { return &e.Application }),
	text("template", func(e *admitto.Email) *string { return &e.Template }),
	text("recipient", func(e *admitto.Email) *string { return &e.Recipient }),
	number("tries", func(e *admitto.Email) *int64 { return &e.Tries }),
	instant("tried", func(e *admitto.Email) *admitto.Time { return &e.Tried }),
	text("reply", func(e *admitto.Email) *string { return &e.Reply }),
	instant("read_at", func(e *admitto.Email) *admitto.Time { return &e.Read }),
	text("html", func(e *admitto.Email) *string { return &e.HTML }),
})

// Wish is a wish of an applicant.
var Wish = table("wish", []Column[admitto.Wish]{
	number("id", func(w *admitto.Wish) *int64 { return &w.ID }),
	number("applicant_id", func(w *admitto.Wish) *int64 { return &w.Applicant }),
	number("course_id", func(w *admitto.Wish) *int64 { return &w.Course }),
	reference("intake_id", func(w *admitto.Wish) *int64 { return &w.Intake }),
	instant("wished", func(w *admitto.Wish) *admitto.Time { return &w.Wished }),
	text("notes", func(w *admitto.Wish) *string { return &w.Notes }),
})

// Photo is the photo of an applicant.
var Photo = keyed("applicant_photo", 1, []Column[admitto.File]{
	number("applicant_id", func(f *admitto.File) *int64 { return &f.Owner }),
	instant("uploaded", func(f *admitto.File) *admitto.Time { return &f.Uploaded }),
	number("size", func(f *admitto.File) *int64 { return &f.Size }),
	text("hash", func(f *admitto.File) *string { return &f.Hash }),
})

// ConsentDecision is the latest decision of an applicant on a consent; also is the version of the text that it is
// about.
var ConsentDecision = keyed("consent_decision", 2, decision(), "version")

// ConsentHistory is every such decision, to which the sequence gives an ID.
var ConsentHistory = keyed("consent_history", 0, decision(), "version")

func decision() []Column[admitto.ConsentDecision] {
	return []Column[admitto.ConsentDecision]{
		number("applicant_id", func(d *admitto.ConsentDecision) *int64 { return &d.Applicant }),
		number("consent_id", func(d *admitto.ConsentDecision) *int64 { return &d.Consent }),
		instant("decided", func(d *admitto.ConsentDecision) *admitto.Time { return &d.Decided }),
		choice("decision", "Accept", "Reject", func(d *admitto.ConsentDecision) *bool { return &d.Accepted }),
	}
}
