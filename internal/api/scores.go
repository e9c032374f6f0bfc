package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
)

func scoreID(s *admitto.Score) int64 { return s.ID }

// listApplicationScores answers GET /applications/{id}/scores (resources.md 11).
func (a *API) listApplicationScores(c *call) error {
	list, err := a.services.Query.ApplicationScores(c.ctx, c.by(), c.ids[0])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return smallList(c, list, scoreID, scoreRecord)
}

// listScoresheets answers GET /scoresheets (resources.md 20.2).
func (a *API) listScoresheets(c *call) error {
	if err := c.noParameters(); err != nil {
		return err
	}
	list, err := a.services.Query.Scoresheets(c.ctx, c.by())
	if err != nil {
		return err
	}
	return smallList(c, list, func(s *admitto.Scoresheet) int64 { return s.ID }, scoresheetRecord)
}

// getScoresheet answers GET /scoresheets/{id}.
func (a *API) getScoresheet(c *call) error {
	s, err := a.services.Query.Scoresheet(c.ctx, c.by(), c.ids[0])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(scoresheetRecord(&s))
}

// scoresInput is the query of GET /scoresheets/{id}/scores (resources.md 20.3).
type scoresInput struct {
	Terms        params.IDList   `name:"byAcademicTermID"`
	Applications params.IDList   `name:"byApplicationIDs"`
	Scored       yesOrNo         `name:"byScored"`
	Since        params.Boundary `name:"bySince"`
	Until        params.Boundary `name:"byUntil" bound:"upper"`
	Limit        params.Limit    `name:"limit"`
	After        afterID         `name:"after"`
}

// maxScores bounds a list of scores.
const maxScores = 16384

// scoreQuery reads the parameters of a list of scores.
func (c *call) scoreQuery() (admitto.ScoreQuery, error) {
	var in scoresInput
	list, err := c.queryArgs()
	if err != nil {
		return admitto.ScoreQuery{}, err
	}
	decoded := c.decode(list, &in)
	limit, err := limits{max: maxScores, otherwise: maxScores}.take(c, in.Limit)
	q := admitto.ScoreQuery{Scoresheet: c.ids[0], FromID: in.Since.ID, FromTime: in.Since.At, ToID: in.Until.ID, ToTime: in.Until.At,
		Terms: in.Terms, Applications: in.Applications, Scored: in.Scored.value, After: int64(in.After), Limit: limit}
	if in.Until.IsID && in.Until.ID == 0 {
		q.ToID = -1 // up to ID 0: nothing
	}
	return q, faultsOf(decoded, err)
}

// listScoresheetScores answers GET /scoresheets/{id}/scores.
func (a *API) listScoresheetScores(c *call) error {
	q, err := c.scoreQuery()
	if err != nil {
		if _, missing := a.services.Query.Scoresheet(c.ctx, c.by(), c.ids[0]); missing != nil {
			return missing // whether it exists comes before the parameters
		}
		return err
	}
	found, err := a.services.Query.Scores(c.ctx, c.by(), q)
	return sendList(c, found, err, func(l *bigList) func(*admitto.Score) error {
		var w scoreWire
		return elements(l, &w, w.set, scoreID)
	})
}

// getScoresheetScore answers GET /scoresheets/{id}/scores/{id}.
func (a *API) getScoresheetScore(c *call) error {
	s, err := a.services.Query.Score(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(scoreRecord(&s))
}

// getScoresheetScorePoints answers GET /scoresheets/{id}/scores/{id}/points.
func (a *API) getScoresheetScorePoints(c *call) error {
	s, err := a.services.Query.Score(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err != nil {
		return err
	}
	return c.scalar(points(s.Points, s.Scale))
}

// getScoresheetScoreComments answers GET /scoresheets/{id}/scores/{id}/comments.
func (a *API) getScoresheetScoreComments(c *call) error {
	s, err := a.services.Query.Score(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err != nil {
		return err
	}
	return c.scalar(s.Comments)
}
