package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// taskWire is a task (resources.md 8).
type taskWire struct {
	ID        int64        `wire:"id"`
	Created   admitto.Time `wire:"created"`
	Reminded  admitto.Time `wire:"reminded"`
	Committed admitto.Time `wire:"committed"`
	Resolved  admitto.Time `wire:"resolved"`
	Class     string       `wire:"class"`
	Title     string       `wire:"title"`
	Status    string       `wire:"status"`
	Notes     taskNotes    `wire:"notes"`
	Documents wire.Link    `wire:"documents" since:"8"`
}

type taskNotes struct {
	Applicant     wire.Nullable `wire:"applicant"`
	Administrator wire.Nullable `wire:"administrator"`
}

func taskRecord(t *admitto.Task) any {
	return &taskWire{ID: t.ID, Created: t.Created, Reminded: t.Reminded, Committed: t.Committed, Resolved: t.Resolved,
		Class: t.Class, Title: t.Title, Status: t.Status, Notes: taskNotes{wire.Nullable(t.NotesApplicant), wire.Nullable(t.NotesAdministrator)},
		Documents: wire.LinkTo("/applications/{}/tasks/{}/documents", t.Application, t.ID)}
}

func taskID(t *admitto.Task) int64 { return t.ID }
