package demo

import (
	"github.com/admitto/admitto/internal/admitto"
)

// mail plans the stored copy of a mail about the application that leaves some seconds after the time.
func (ap *application) mail(at admitto.Time, template, subject, message string, attachment *admitto.File) {
	c := ap.chance
	left := c.seconds(at, 1, 6)
	m := &mail{Email: admitto.Email{Applicant: ap.p.ID, Inserted: at, FromName: fromName, FromEmail: fromEmail,
		Subject: subject, Message: message, Delivered: left, Template: template, Recipient: ap.p.Email, Tries: 1,
		Tried: left},
		attachment: attachment, about: ap}
	sent := admitto.EmailSent
	if c.per(4) {
		m.Delivered, m.Failed, m.Reply, sent = 0, left, mailboxFull, emailFailed
	}
	ap.later(happening{at: left, email: m, actor: admitto.System(), about: ap,
		event: admitto.Event{Pattern: sent, Bind: []string{template}}})
}

// submittedText is the text of the mail that a submission causes.
func submittedText(ap *application) string {
	text := "Hello " + ap.p.Name.Full() + ",\n\nyour application for " + ap.in.term.Name +
		" has arrived. You applied to:\n\n"
	for _, ch := range ap.choices {
		text += "* " + ch.course.full + "\n"
	}
	return text + "\nWe will write to you as soon as there is a decision.\n\nKind regards\n" + institution
}

// export is a package of the application for the student information system, caused by an offer.
func (ap *application) export(o *offer, at admitto.Time) {
	c := ap.chance
	if !c.per(600) {
		return
	}
	at = c.seconds(at, 20, 3600)
	e := admitto.Export{Application: ap.row.ID, Exported: at}
	e.Profile.Code = pick(c, []string{"json", "json", "json", "xml", "csv"})
	when := c.seconds(at, 2, 30)
	done := true
	switch n := c.IntN(100); {
	case at > ap.ends-exportsKept && at <= ap.ends: // of these all are there, with their files
		when = min(when, ap.ends)
		e.Processed = when
	case n < 3:
		done = false
	case n < 6 && when <= ap.ends:
		e.Cancelled, done = when, false
	case when <= ap.ends:
		e.Processed = when
	default:
		done = false
	}
	ap.later(happening{at: at, actor: admitto.System(), about: o, event: admitto.Event{Pattern: "Export was created"},
		rows: func() {
			e.ID, e.Offer = ap.last.export.next(), o.ID
			ap.batch.exports = append(ap.batch.exports, e)
		}})
	if e.Cancelled != 0 {
		ap.about(o, e.Cancelled, ap.officer(), "Export was cancelled")
	}
	if done {
		ap.later(happening{at: when, actor: admitto.System(), about: o, event: admitto.Event{Pattern: "Export was processed"},
			rows: func() { ap.blobs(&e) }})
	}
}

// exportsKept is how long the files of an export stay (cli.md, exports.keep_days).
const exportsKept = 180 * admitto.Day

// exportFiles are the files of each profile (resources.md 9).
var exportFiles = map[string][]fileKind{
	"json": {fileExportJSON, fileExportPDF, fileExportZIP},
	"xml":  {fileExportXML, fileExportPDF, fileExportZIP},
	"csv":  {fileExportCSV},
}

// blobs puts the files of a processed export into the batch.
func (ap *application) blobs(e *admitto.Export) {
	id := decimal(e.Application)
	for n, kind := range exportFiles[e.Profile.Code] {
		b := admitto.Blob{File: ap.file(kind, ap.p.Name.Full()), Token: ap.chance.hex(16)}
		b.ID, b.Owner, b.Uploaded, b.Expires = int64(n+1), e.ID, e.Processed, e.Processed+exportsKept
		switch kind {
		case fileExportZIP:
			b.Name = "documents-" + id + ".zip"
		case fileExportPDF:
			b.Name = "application-" + id + ".pdf"
		default:
			b.Name = "application-" + id + "." + e.Profile.Code
		}
		ap.batch.blobs = append(ap.batch.blobs, b)
	}
}

var planSubjects = []admitto.Subject{
	{Code: "MAT101", Type: "C", Name: "Calculus", Credits: "6", TermType: 2},
	{Code: "MAT102", Type: "C", Name: "Linear algebra", Credits: "6", TermType: 3},
	{Code: "ECO110", Type: "C", Name: "Microeconomics", Credits: "5", TermType: 2},
	{Code: "INF201", Type: "E", Name: "Databases", Credits: "4", TermType: 3},
	{Code: "HUN001", Type: "F", Name: "Hungarian for beginners", Credits: "2", TermType: 2},
	{Code: "PRA300", Type: "P", Name: "Practical training", Credits: "8", TermType: 3},
	{Code: "", Type: "E", Name: "Seminar to be chosen", Credits: "", TermType: 0},
}

// studyPlan is a plan of subjects. They were given up after the first year of the data.
func (ap *application) studyPlan(at admitto.Time) {
	c := ap.chance
	likely := 220
	if ap.p.level == exchange {
		likely = 700
	}
	if startOf(ap.in.term.Start) > ap.begins+admitto.Time(365)*admitto.Day || !c.per(likely) {
		return
	}
	p := admitto.StudyPlan{Application: ap.row.ID, Applicant: ap.p.ID, Created: c.seconds(at, 3600, 20*86400),
		Status: "Draft"}
	if p.Created >= ap.limit {
		return
	}
	if c.per(800) {
		p.Course = ap.choices[0].course.ID
	}
	for i := range planSubjects {
		if c.per(600) {
			p.Subjects = append(p.Subjects, planSubjects[i])
		}
	}
	if revised := c.seconds(p.Created, 3600, 30*86400); revised < ap.limit && c.per(700) {
		p.Revised, p.Status = revised, pick(c, []string{"Submitted", "Approved", "Approved", "Rejected"})
	}
	ap.later(happening{at: p.Created, rows: func() {
		p.ID = ap.last.studyPlan.next()
		ap.batch.studyPlans = append(ap.batch.studyPlans, p)
	}})
}
