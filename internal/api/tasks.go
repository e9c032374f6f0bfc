package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/web"
)

// listApplicationTasks answers GET /applications/{id}/tasks (resources.md 8).
func (a *API) listApplicationTasks(c *call) error {
	list, err := a.services.Query.Tasks(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, taskID, taskRecord)
}

// getApplicationTask answers GET /applications/{id}/tasks/{id}.
func (a *API) getApplicationTask(c *call) error {
	t, err := a.services.Query.Task(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeRecord(c, t, err, taskRecord)
}

// getApplicationTaskStatus answers GET /applications/{id}/tasks/{id}/status.
func (a *API) getApplicationTaskStatus(c *call) error {
	t, err := a.services.Query.Task(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err != nil {
		return err
	}
	return c.scalar(t.Status)
}

// listApplicationTaskDocuments answers GET /applications/{id}/tasks/{id}/documents (resources.md 24.6).
func (a *API) listApplicationTaskDocuments(c *call) error {
	list, err := a.services.Query.TaskDocuments(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeList(c, list, err, fileID, documentRecord)
}

// getApplicationTaskDocument answers GET /applications/{id}/tasks/{id}/documents/{id}.
func (a *API) getApplicationTaskDocument(c *call) error {
	f, err := a.services.Query.TaskDocument(c.ctx, c.by(), c.ids[0], c.ids[1], c.ids[2])
	return c.answerFile(f, err, web.Attachment)
}

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
		Class: t.Class, Title: t.Title, Status: t.Status, Notes: taskNotes{wire.Nullable(t.NotesApplicant),
			wire.Nullable(t.NotesAdministrator)},
		Documents: wire.LinkTo("/applications/{}/tasks/{}/documents", t.Application, t.ID)}
}

func taskID(t *admitto.Task) int64 { return t.ID }

// maxTaskStatus bounds the name of a status, in characters (resources.md 8).
const maxTaskStatus = 50

// setApplicationTaskStatus answers PUT /applications/{id}/tasks/{id}/status (resources.md 8).
func (a *API) setApplicationTaskStatus(c *call) error {
	if _, err := a.services.Query.Task(c.ctx, c.by(), c.ids[0], c.ids[1]); err != nil {
		return err
	}
	if err := c.noParameters(); err != nil {
		return err
	}
	v, err := c.value()
	if err != nil {
		return err
	}
	name, ok := v.(string)
	if !ok {
		return params.InvalidBody("", message.Of("body-no-status"))
	}
	if name, err = text.Line(name, 1, maxTaskStatus); err != nil {
		return params.InvalidBody("", message.From(err))
	}
	return c.done(inBareBody(a.services.Admissions.SetTaskStatus(c.ctx, c.caller(), c.ids[0], c.ids[1], name)))
}

// deleteApplicationTask answers DELETE /applications/{id}/tasks/{id} (resources.md 24.5).
func (a *API) deleteApplicationTask(c *call) error {
	err := c.noParametersOf(func() error { return a.services.Admissions.TaskToDelete(c.ctx, c.by(), c.ids[0], c.ids[1]) })
	if err == nil {
		err = a.services.Admissions.DeleteTask(c.ctx, c.caller(), c.ids[0], c.ids[1])
	}
	return c.done(err)
}
