package api

import (
	"bytes"
	"errors"
	"mime"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/scoring"
)

// newScoreInput is what POST /scoresheets/{id}/scores takes (resources.md 20.4).
type newScoreInput struct {
	Application params.ObjectID `name:"application" required:"true"`
	Offer       params.ObjectID `name:"offer"`
	Points      pointsText      `name:"points"`
	Comments    params.Lines    `name:"comments" len:"0-2000"`
	Date        day             `name:"date"`
	Reference   params.Line     `name:"reference" len:"0-64"`
	Subject     params.Line     `name:"subject" len:"0-255"`
	Language    languageCode    `name:"language"`
}

// scoreInput is what PUT and PATCH of a whole score take (resources.md 24.13), and, one at a time, its fields.
type scoreInput struct {
	Points    pointsText   `name:"points"`
	Comments  params.Lines `name:"comments" len:"0-2000"`
	Date      day          `name:"date"`
	Reference params.Line  `name:"reference" len:"0-64"`
	Subject   params.Line  `name:"subject" len:"0-255"`
	Language  languageCode `name:"language"`
}

// pointsText are points, as number or text; the sheet says which are right.
type pointsText string

func (v *pointsText) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := a.Single()
	if err == nil && a.Kind == params.IsBool {
		err = message.Of("points-no-decimal")
	}
	if err != nil {
		return params.Coded(admitto.PointsInvalid, err)
	}
	*v = pointsText(s)
	return nil
}

func (pointsText) Describe(in *params.Place, f *params.Field) *schema.Schema {
	s := params.Decimal{}.Describe(in, f)
	s.Description = "A decimal within the range and with the decimals of the scoresheet."
	return s
}

// change returns the values as a change of the given fields of a score on the sheet. Of points it says whether the
// sheet takes them.
func (in *scoreInput) change(c *call, t *admitto.Scoresheet, list params.Args) (change scoring.ScoreChange, err error) {
	change.Values = admitto.Score{Comments: string(in.Comments), Date: in.Date.Date, Reference: string(in.Reference),
		Subject: string(in.Subject), Language: string(in.Language), Scale: t.Scale}
	for _, field := range admitto.AllScoreFields.Each() {
		if list[field.Name()] != nil {
			change.Fields |= field
		}
	}
	if in.Points == "" && (list["points"] == nil || list["points"].Kind == params.IsBool || list["points"].IsList ||
		!list["points"].Fault.IsZero() || len(list["points"].Values) != 1) {
		return change, nil // not given, or refused already
	}
	points, err := t.ParsePoints(string(in.Points))
	if err != nil {
		return change, &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{
			params.FaultAt("points", list["points"], params.Coded(admitto.PointsInvalid, err))}}
	}
	change.Values.Points = &points
	return change, nil
}

// createScoresheetScore answers POST /scoresheets/{id}/scores.
func (a *API) createScoresheetScore(c *call) error {
	t, err := a.services.Query.Scoresheet(c.ctx, c.by(), c.ids[0])
	if err != nil {
		return err
	}
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newScoreInput
	decoded := c.decode(list, &in)
	values := scoreInput{in.Points, in.Comments, in.Date, in.Reference, in.Subject, in.Language}
	change, err := values.change(c, &t, list)
	s := scoring.NewScore{Application: int64(in.Application), Offer: int64(in.Offer), ScoreChange: change}
	if err := faultsOf(decoded, err); err != nil {
		// The others are known only to the database; the client is to hear of all at once.
		more, checkErr := a.services.Scoring.CheckScore(c.ctx, c.by(), t.ID, s)
		if checkErr != nil {
			return checkErr
		}
		return faultsOf(err, c.located(list, besides(err, more)))
	}
	score, err := a.services.Scoring.AddScore(c.ctx, c.caller(), t.ID, s)
	if err != nil {
		return c.locate(list, err)
	}
	return c.created(score.ID, scoreRecord(&score))
}

// besides drops faults of parameters that err has faults of already.
func besides(err error, more []admitto.Fault) (list []admitto.Fault) {
	known := map[string]bool{}
	var e *admitto.Error
	if errors.As(err, &e) {
		for _, f := range e.Faults {
			at := params.PositionOf(f.Path)
			known[at.Parameter+strings.TrimPrefix(at.Pointer, "/")] = true
		}
	}
	for _, f := range more {
		if f = named(f); !known[params.PositionOf(f.Path).Parameter] {
			list = append(list, f)
		}
	}
	return list
}

// setScoresheetScore answers PUT /scoresheets/{id}/scores/{id} (resources.md 24.13): what is not given is cleared.
func (a *API) setScoresheetScore(c *call) error { return c.changeWholeScore(true) }

// updateScoresheetScore answers PATCH /scoresheets/{id}/scores/{id}: what is not given stays, null clears.
func (a *API) updateScoresheetScore(c *call) error { return c.changeWholeScore(false) }

func (c *call) changeWholeScore(all bool) error {
	t, s, err := c.sheetOfScore()
	if err != nil {
		return err
	}
	list, cleared, err := c.scoreObject()
	if err != nil {
		return err
	}
	var in scoreInput
	parameters, decoded := c.noParameters(), c.decode(list, &in)
	change, wrong := in.change(c, &t, list)
	change.Whole, change.Fields = true, change.Fields|cleared
	var missing error
	if all {
		if change.Fields = admitto.AllScoreFields; list["points"] == nil {
			missing = &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{{Path: params.AtPointer("/points"),
				Text: message.Of("points-required")}}}
		}
	}
	if err := faultsOf(parameters, decoded, wrong, missing); err != nil {
		s.Take(change.Fields, &change.Values) // the client is to hear of what the sheet says against the others, too
		return faultsOf(err, inObject(c.located(list, besides(err, t.ScoreFaults(&s, change.Fields,
			admitto.AllScoreFields)))))
	}
	err = c.api.services.Scoring.ChangeScore(c.ctx, c.caller(), c.ids[0], c.ids[1], change)
	return c.done(inObject(err))
}

// sheetOfScore reads the score that the path names, and its sheet; both must exist.
func (c *call) sheetOfScore() (t admitto.Scoresheet, s admitto.Score, err error) {
	if t, err = c.api.services.Query.Scoresheet(c.ctx, c.by(), c.ids[0]); err == nil {
		s, err = c.api.services.Query.Score(c.ctx, c.by(), c.ids[0], c.ids[1])
	}
	return t, s, err
}

// scoreObject reads a body that is a JSON object; cleared are the fields that it names with null.
func (c *call) scoreObject() (list params.Args, cleared admitto.ScoreFields, err error) {
	raw, err := c.body()
	if err != nil {
		return nil, 0, err
	}
	start := bytes.TrimLeft(raw, " \t\r\n")
	if len(start) == 0 {
		return nil, 0, params.InvalidBody("", message.Of("fields-missing", `{"points":"7.5"}`))
	}
	if mediaType, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type")); c.r.Method == "PATCH" &&
		start[0] != '{' &&
		(err != nil || mediaType != jsonType && !strings.HasSuffix(mediaType, "+json")) {
		return nil, 0, admitto.Refused(admitto.UnsupportedFormat, message.Of("fields-as-json"))
	}
	list, nulls, err := params.JSONArgsAndNulls(raw)
	if err != nil {
		return nil, 0, err
	}
	for _, field := range admitto.AllScoreFields.Each() {
		if slices.Contains(nulls, field.Name()) {
			cleared |= field
		}
	}
	return list, cleared, nil
}
