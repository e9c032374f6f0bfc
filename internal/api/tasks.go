package api

import "github.com/admitto/admitto/internal/web"

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
