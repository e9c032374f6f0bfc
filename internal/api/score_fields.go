package api

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/message"
)

// getScoreField answers one field of the score that the path names.
func (c *call) getScoreField(field admitto.ScoreFields) error {
	s, err := c.api.services.Query.Score(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err != nil {
		return err
	}
	return c.scalar(s.Text(field))
}

// setScoreField sets one field; null clears it (resources.md 20.4 and 24.13).
func (c *call) setScoreField(field admitto.ScoreFields) error {
	t, _, err := c.sheetOfScore()
	if err != nil {
		return err
	}
	v, err := c.value()
	if err != nil {
		return err
	}
	if err := c.noParameters(); err != nil {
		return err
	}
	if may, _ := t.Carries(field); !may {
		return params.InvalidBody("", message.Of("score-field-foreign", field.Name()))
	}
	list := params.Args{}
	switch v := v.(type) {
	case string:
		list.Add(field.Name(), v, params.IsText, "")
	case json.Number:
		list.Add(field.Name(), v.String(), params.IsNumber, "")
	case bool:
		list.Add(field.Name(), "", params.IsBool, "")
	}
	var in scoreInput
	decoded := c.decode(list, &in)
	change, wrong := in.change(c, &t, list)
	change.Fields = field // also without a value: null
	if err = faultsOf(decoded, wrong); err == nil {
		err = c.api.services.Scoring.ChangeScore(c.ctx, c.caller(), c.ids[0], c.ids[1], change)
	}
	return c.done(inBareBody(err))
}

// clearScoreField clears one field; not-found when it is empty already.
func (c *call) clearScoreField(field admitto.ScoreFields) error {
	err := c.noParametersOf(func() error {
		s, err := c.api.services.Query.Score(c.ctx, c.by(), c.ids[0], c.ids[1])
		if err == nil && s.Text(field) == "" {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
	if err == nil {
		err = c.api.services.Scoring.ClearScore(c.ctx, c.caller(), c.ids[0], c.ids[1], field, false)
	}
	return c.done(err)
}

// setScoresheetScorePoints answers PUT /scoresheets/{id}/scores/{id}/points.
func (a *API) setScoresheetScorePoints(c *call) error { return c.setScoreField(admitto.ScorePoints) }

// deleteScoresheetScorePoints answers DELETE /scoresheets/{id}/scores/{id}/points.
func (a *API) deleteScoresheetScorePoints(c *call) error {
	return c.clearScoreField(admitto.ScorePoints)
}

// setScoresheetScoreComments answers PUT /scoresheets/{id}/scores/{id}/comments.
func (a *API) setScoresheetScoreComments(c *call) error {
	return c.setScoreField(admitto.ScoreComments)
}

// deleteScoresheetScoreComments answers DELETE /scoresheets/{id}/scores/{id}/comments.
func (a *API) deleteScoresheetScoreComments(c *call) error {
	return c.clearScoreField(admitto.ScoreComments)
}

// getScoresheetScoreDate answers GET /scoresheets/{id}/scores/{id}/date.
func (a *API) getScoresheetScoreDate(c *call) error { return c.getScoreField(admitto.ScoreDate) }

// setScoresheetScoreDate answers PUT /scoresheets/{id}/scores/{id}/date.
func (a *API) setScoresheetScoreDate(c *call) error { return c.setScoreField(admitto.ScoreDate) }

// deleteScoresheetScoreDate answers DELETE /scoresheets/{id}/scores/{id}/date.
func (a *API) deleteScoresheetScoreDate(c *call) error { return c.clearScoreField(admitto.ScoreDate) }

// getScoresheetScoreReference answers GET /scoresheets/{id}/scores/{id}/reference.
func (a *API) getScoresheetScoreReference(c *call) error {
	return c.getScoreField(admitto.ScoreReference)
}

// setScoresheetScoreReference answers PUT /scoresheets/{id}/scores/{id}/reference.
func (a *API) setScoresheetScoreReference(c *call) error {
	return c.setScoreField(admitto.ScoreReference)
}

// deleteScoresheetScoreReference answers DELETE /scoresheets/{id}/scores/{id}/reference.
func (a *API) deleteScoresheetScoreReference(c *call) error {
	return c.clearScoreField(admitto.ScoreReference)
}

// getScoresheetScoreSubject answers GET /scoresheets/{id}/scores/{id}/subject.
func (a *API) getScoresheetScoreSubject(c *call) error { return c.getScoreField(admitto.ScoreSubject) }

// setScoresheetScoreSubject answers PUT /scoresheets/{id}/scores/{id}/subject.
func (a *API) setScoresheetScoreSubject(c *call) error { return c.setScoreField(admitto.ScoreSubject) }

// deleteScoresheetScoreSubject answers DELETE /scoresheets/{id}/scores/{id}/subject.
func (a *API) deleteScoresheetScoreSubject(c *call) error {
	return c.clearScoreField(admitto.ScoreSubject)
}

// getScoresheetScoreLanguage answers GET /scoresheets/{id}/scores/{id}/language.
func (a *API) getScoresheetScoreLanguage(c *call) error {
	return c.getScoreField(admitto.ScoreLanguage)
}

// setScoresheetScoreLanguage answers PUT /scoresheets/{id}/scores/{id}/language.
func (a *API) setScoresheetScoreLanguage(c *call) error {
	return c.setScoreField(admitto.ScoreLanguage)
}

// deleteScoresheetScoreLanguage answers DELETE /scoresheets/{id}/scores/{id}/language.
func (a *API) deleteScoresheetScoreLanguage(c *call) error {
	return c.clearScoreField(admitto.ScoreLanguage)
}
