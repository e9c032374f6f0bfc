package api

import "github.com/admitto/admitto/internal/api/params"

// newFlagInput is what POST /applications/flags takes (resources.md 6.1).
type newFlagInput struct {
	Name params.Line `name:"name" len:"1-32" required:"true"`
}

// createApplicationsFlag answers POST /applications/flags.
func (a *API) createApplicationsFlag(c *call) error {
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newFlagInput
	if err := c.decode(list, &in); err != nil {
		return err
	}
	f, err := a.services.Admissions.CreateFlag(c.ctx, c.caller(), string(in.Name))
	if err != nil {
		return err
	}
	return c.created(f.ID, flagRecord(&f))
}

// deleteApplicationsFlag answers DELETE /applications/flags/{id}.
func (a *API) deleteApplicationsFlag(c *call) error {
	err := c.noParametersOf(func() error {
		_, err := a.services.Query.Flag(c.ctx, c.by(), c.ids[0])
		return err
	})
	if err == nil {
		err = a.services.Admissions.DeleteFlag(c.ctx, c.caller(), c.ids[0])
	}
	return c.done(err)
}

// setApplicationFlag answers PUT /applications/{id}/flags/{id} (resources.md 5.4).
func (a *API) setApplicationFlag(c *call) error {
	err := c.noParametersOf(func() error {
		if _, err := a.services.Query.FlagsOf(c.ctx, c.by(), c.ids[0]); err != nil {
			return err
		}
		_, err := a.services.Query.Flag(c.ctx, c.by(), c.ids[1])
		return err
	})
	if err == nil {
		err = a.services.Admissions.SetFlag(c.ctx, c.caller(), c.ids[0], c.ids[1])
	}
	return c.done(err)
}

// deleteApplicationFlag answers DELETE /applications/{id}/flags/{id}.
func (a *API) deleteApplicationFlag(c *call) error {
	err := c.noParametersOf(func() error {
		_, err := a.services.Query.FlagOf(c.ctx, c.by(), c.ids[0], c.ids[1])
		return err
	})
	if err == nil {
		err = a.services.Admissions.RemoveFlag(c.ctx, c.caller(), c.ids[0], c.ids[1])
	}
	return c.done(err)
}
