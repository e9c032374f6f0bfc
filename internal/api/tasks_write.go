package api

import (
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/text"
)

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
		return params.InvalidBody("", "the body must be a JSON string: the name of a status")
	}
	if name, err = text.Line(name, 1, maxTaskStatus); err != nil {
		return params.InvalidBody("", "%s", err)
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
