package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/wire"
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
	q := admitto.ScoreQuery{Scoresheet: c.ids[0], FromID: in.Since.ID, FromTime: in.Since.At, ToID: in.Until.ID,
		ToTime: in.Until.At,
		Terms:  in.Terms, Applications: in.Applications, Scored: in.Scored.value, After: int64(in.After), Limit: limit}
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

// scoresheetWire is a scoresheet (resources.md 20.2).
type scoresheetWire struct {
	ID           int64            `wire:"id"`
	Created      admitto.Time     `wire:"created"`
	Scored       admitto.Time     `wire:"scored"`
	Confirmed    admitto.Time     `wire:"confirmed"`
	Name         string           `wire:"name"`
	Type         string           `wire:"type"`
	Maps         *[]scoreMapWire  `wire:"maps"`
	Date         string           `wire:"date"`
	Reference    string           `wire:"reference"`
	Subject      string           `wire:"subject"`
	Language     string           `wire:"language"`
	Depth        string           `wire:"depth"`
	Min          string           `wire:"range_min"`
	Max          string           `wire:"range_max"`
	Scale        int              `wire:"scale"`
	Instructions wire.Nullable    `wire:"instructions"`
	Group        *scoresheetGroup `wire:"group"`
	Scores       wire.Link        `wire:"scores"`
}

type scoreMapWire struct {
	Label string `wire:"label"`
	Value string `wire:"value"`
}

type scoresheetGroup struct {
	ID   int64  `wire:"id"`
	Name string `wire:"name"`
}

func scoresheetRecord(s *admitto.Scoresheet) any {
	w := &scoresheetWire{ID: s.ID, Created: s.Created, Scored: s.Scored, Confirmed: s.Confirmed, Name: s.Name,
		Type: s.Type,
		Date: s.Date, Reference: s.Reference, Subject: s.Subject, Language: s.Language, Depth: "Application",
		Min: points(&s.Min, s.Scale), Max: points(&s.Max,
			s.Scale), Scale: s.Scale, Instructions: wire.Nullable(s.Instructions),
		Scores: wire.LinkTo("/scoresheets/{}/scores", s.ID)}
	if s.ByOffer {
		w.Depth = "Offer"
	}
	if s.Maps != nil {
		maps := make([]scoreMapWire, len(s.Maps))
		for i, m := range s.Maps {
			maps[i] = scoreMapWire{m.Label, points(&m.Value, s.Scale)}
		}
		w.Maps = &maps
	}
	if s.GroupID != 0 {
		w.Group = &scoresheetGroup{s.GroupID, s.GroupName}
	}
	return w
}

// points returns the text of points with the decimals of their sheet, "" without points.
func points(p *admitto.Points, scale int) string {
	if p == nil {
		return ""
	}
	return string(p.Append(nil, scale))
}

// scoreWire is a score (resources.md 20.3).
type scoreWire struct {
	ID          int64         `wire:"id"`
	Scored      admitto.Time  `wire:"scored"`
	Scoresheet  wire.Link     `wire:"scoresheet"`
	Application wire.Link     `wire:"application"`
	Offer       wire.Link     `wire:"offer"`
	Points      wire.Nullable `wire:"points"`
	Mapped      wire.Nullable `wire:"mapped"`
	Comments    wire.Nullable `wire:"comments"`
	Date        admitto.Date  `wire:"date"`
	Reference   wire.Nullable `wire:"reference"`
	Subject     wire.Nullable `wire:"subject"`
	Language    wire.Nullable `wire:"language"`
}

// set fills the record from a score.
func (w *scoreWire) set(s *admitto.Score) {
	*w = scoreWire{ID: s.ID, Scored: s.Scored,
		Scoresheet:  wire.LinkTo("/scoresheets/{}", s.Scoresheet),
		Application: wire.LinkTo("/applications/{}", s.Application),
		Offer:       wire.LinkTo("/applications/{}/offers/{}", s.Application, s.Offer),
		Points: wire.Nullable(points(s.Points,
			s.Scale)), Mapped: wire.Nullable(s.Mapped()), Comments: wire.Nullable(s.Comments),
		Date: s.Date, Reference: wire.Nullable(s.Reference), Subject: wire.Nullable(s.Subject),
		Language: wire.Nullable(s.Language)}
}

// scoreRecord is the record of a score.
func scoreRecord(s *admitto.Score) any {
	w := &scoreWire{}
	w.set(s)
	return w
}
