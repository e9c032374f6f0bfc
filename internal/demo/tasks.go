package demo

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/load"
)

// task is a task of an application.
type task struct {
	admitto.TaskCase
	ap *application
}

func (t *task) links() admitto.Links {
	l := t.ap.links()
	l.Task = t.ID
	return l
}

// task plans one that comes about at the time, and what becomes of it; with waits it stays as it is until
// its document is uploaded.
func (ap *application) task(template int64, at, waits admitto.Time) *task {
	t := &task{ap: ap}
	t.Application, t.Template, t.Created, t.Status = ap.row.ID, template, at, "Pending"
	if template == templateDocuments {
		t.Status = "Waiting"
	}
	if template != templateInterview { // its day is agreed upon
		t.Deadline = dayOf(at + 21*admitto.Day)
	}
	by := admitto.System()
	if !slices.Contains([]int64{templateIdentity, templateTranscript, templateDiploma, templateLanguage}, template) {
		by = ap.officer()
	}
	ap.later(happening{at: at, actor: by, about: t, event: admitto.Event{Pattern: "Task was created"}, rows: func() {
		t.ID = ap.last.task.next()
		ap.batch.tasks = append(ap.batch.tasks, t.TaskCase)
		if by == admitto.System() {
			ap.batch.causes = append(ap.batch.causes, admitto.RuleAction{Rule: admitto.TaskCause, Record: ap.row.ID,
				Occurrence: admitto.TaskOccurrence(template, 0), Done: at})
		}
	}})
	if waits != 0 {
		return t
	}
	c := ap.chance
	switch {
	case template != templateDocuments && c.per(40):
		if when := c.inOffice(at, c.between(1, 10)); when < ap.limit {
			t.set(when, ap.officer(), "Not required", true)
		}
	case c.per(100):
		if when := at + 7*admitto.Day + admitto.Hour; when < ap.limit {
			t.Reminded = when
			ap.about(t, when, admitto.System(), "Task was reminded")
		}
	}
	t.trash(at)
	return t
}

// set sets the status of a task. Every status of the seeds that resolves closes, too (resources.md 25.4).
func (t *task) set(at admitto.Time, by admitto.Actor, status string, resolves bool) {
	t.Status, t.Committed, t.Resolved, t.Closed = status, at, 0, resolves
	t.ap.about(t, at, by, "Task status was set: ?", status)
	if resolves {
		t.Resolved = at
		t.ap.about(t, at, by, "Task was resolved")
	}
}

// upload is a document by the applicant, and perhaps what staff say to it.
func (t *task) upload(kind fileKind, at admitto.Time) {
	ap, c := t.ap, t.ap.chance
	if t.Committed != 0 || t.Trashed != 0 {
		return
	}
	ap.document(kind, at, t, nil)
	sent := "Submitted"
	if t.Template == templateDocuments {
		sent = "Uploaded"
	}
	t.set(at, ap.self(), sent, false)
	if c.per(90) {
		t.NotesApplicant = pick(c, []string{"See page 2", "The original is in my language, a translation follows",
			"Stamped copy", "I can bring the original"})
	}
	seen := c.inOffice(max(at, ap.row.Submitted), c.between(1, 18))
	if seen >= ap.limit || ap.row.Submitted == 0 || !c.per(800) {
		return
	}
	status, resolves := "Accepted", true
	switch n := c.IntN(100); {
	case t.Template == templateDocuments && n < 20:
		status, resolves = "Rejected", false
	case t.Template == templateDocuments:
	case n < 7:
		status, resolves = "Returned", false
		t.NotesAdministrator = "A certified copy is needed"
	case n < 15:
		status, resolves = "In review", false
	case n < 19:
		status = "Rejected"
		t.NotesAdministrator = "Not readable"
	}
	t.set(seen, ap.officer(), status, resolves)
}

// trash throws a few away.
func (t *task) trash(at admitto.Time) {
	c := t.ap.chance
	if when := c.inOffice(at, c.between(1, 20)); t.Committed == 0 && c.per(15) && when < t.ap.limit {
		t.Trashed = when
		t.ap.about(t, when, t.ap.officer(), "Task was sent to trash")
	}
}

// submissionTasks are those that a submission causes, and those that staff add by hand.
func (ap *application) submissionTasks(at admitto.Time) {
	c := ap.chance
	kinds := []struct {
		template int64
		kind     fileKind
		likely   int
	}{
		{templateTranscript, fileTranscript, 1000},
		{templateDiploma, fileDiploma, 1000},
		{templateLanguage, fileLanguage, 1000},
		{templateInterview, fileMotivation, 50},
		{templateDocuments, fileReceipt, 60},
		{templateVisa, fileIdentity, 60},
	}
	for _, k := range kinds {
		switch {
		case !c.per(k.likely),
			k.template == templateDiploma && (ap.p.level != master && ap.p.level != doctoral || c.per(350)),
			k.template == templateTranscript && c.per(350),
			k.template == templateLanguage && (slices.Contains(englishSpeaking, ap.p.Citizenship) || c.per(620)),
			k.template == templateVisa && slices.Contains(eeaCountries, ap.p.Citizenship):
			continue
		}
		created := at
		if k.likely < 1000 {
			if created = c.inOffice(at, c.between(3, 30)); created >= ap.limit {
				continue
			}
		}
		t := ap.task(k.template, created, 0)
		if when := c.seconds(created, 900, 9*86400); k.template != templateInterview && when < ap.limit && c.per(780) {
			t.upload(k.kind, when)
		}
	}
}

var englishSpeaking = []string{"GB", "US", "IE", "AU", "CA", "MT"}

// document plans an upload by the applicant, below a task or not; known is told the file when it is there.
func (ap *application) document(kind fileKind, at admitto.Time, below *task, known func(admitto.File)) {
	d := &uploaded{application: ap, below: below}
	pattern := admitto.Pattern("Document was uploaded")
	if below != nil {
		pattern = "Document was uploaded to a task"
	}
	trashed := admitto.Time(0)
	if when := ap.chance.seconds(at, 600, 20*86400); ap.chance.per(12) && known == nil && when < ap.limit {
		trashed = when
	}
	ap.later(happening{at: at, actor: ap.self(), about: d, event: admitto.Event{Pattern: pattern}, rows: func() {
		row := load.DocumentRow{File: ap.file(kind, ap.p.Name.Full()), Trashed: trashed}
		row.ID, row.Owner, row.Uploaded = ap.last.document.next(), ap.row.ID, at
		if below != nil {
			row.Task = below.ID
		}
		d.id = row.ID
		ap.batch.documents = append(ap.batch.documents, row)
		if known != nil {
			known(row.File)
		}
	}})
	if trashed != 0 {
		pattern = "Document was removed"
		if below != nil {
			pattern = "Document was removed from a task"
		}
		ap.about(d, trashed, ap.officer(), pattern)
	}
}

// uploaded is a document of an application.
type uploaded struct {
	*application
	id    int64
	below *task // nil: none
}

func (d *uploaded) links() admitto.Links {
	l := d.application.links()
	if l.Document = d.id; d.below != nil {
		l.Task = d.below.ID
	}
	return l
}
