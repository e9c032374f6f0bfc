package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// The lengths of what is written of an offer, in characters (resources.md 7.3, 24.11).
const (
	maxOfferSubject  = 255
	maxOfferComments = 65535
	maxOfferReason   = 500
)

// maxExtraScore bounds extra scores both ways: 9999.99.
const maxExtraScore admitto.Hundredths = 9999_99

// offerBody reads the body of a PUT on something of an offer; whether that exists comes first.
func (c *call) offerBody(read func() error) error {
	if _, err := c.api.services.Query.Offer(c.ctx, c.by(), c.ids[0], c.ids[1], nil); err != nil {
		return err
	}
	err := read()
	if err == nil {
		err = c.noParameters()
	}
	return err
}

// editOffer reads the body and stores what it makes of the working copy.
func (c *call) editOffer(read func(*admissions.OfferEdit) error) error {
	var edit admissions.OfferEdit
	err := c.offerBody(func() error { return read(&edit) })
	if err == nil {
		err = inBareBody(c.api.services.Admissions.EditOffer(c.ctx, c.caller(), c.ids[0], c.ids[1], edit))
	}
	return c.done(err)
}

// setApplicationOfferType answers PUT /applications/{id}/offers/{id}/type (resources.md 7.3).
func (a *API) setApplicationOfferType(c *call) error {
	return c.editOffer(func(edit *admissions.OfferEdit) error {
		id, err := c.offerTypeValue()
		edit.Type = &id
		return err
	})
}

// offerTypePath is the path of an offer type with any prefix.
var offerTypePath = regexp.MustCompile(`^/api(?:/v[0-9]+)?/applications/offers/types/([^/]+)$`)

// offerTypeInput is the object that GET of an offer's type answers. Its ID counts.
type offerTypeInput struct {
	ID   params.ObjectID `name:"id" required:"true"`
	Type params.Ignored  `name:"type" required:"true"`
}

// offerTypeValue reads a body that names an offer type: by its title in the versions that know types so, else by its
// ID, by its path, or by the object that GET answers.
func (c *call) offerTypeValue() (int64, error) {
	raw, err := c.body()
	if err != nil {
		return 0, err
	}
	if start := bytes.TrimLeft(raw, " \t\r\n"); len(start) > 0 && start[0] == '{' &&
		c.version.Has(version.OfferTypesByID) {
		return c.offerTypeObject(raw)
	}
	v, err := params.JSONValue(raw)
	if err != nil {
		return 0, err
	}
	s, isText := v.(string)
	if !c.version.Has(version.OfferTypesByID) {
		return c.offerTypeByTitle(s, isText)
	}
	if number, ok := v.(json.Number); ok {
		s, isText = number.String(), true
	}
	if !isText {
		return 0, params.InvalidBody("", message.Of("body-no-offer-type"))
	}
	s = strings.TrimSpace(s)
	if path := offerTypePath.FindStringSubmatch(s); path != nil {
		s = path[1]
	}
	id, err := text.ID(s)
	if err != nil {
		return 0, params.InvalidBody("", message.Of("no-offer-type-named", text.Quote(s),
			config.NewestAPI()+"/applications/offers/types/17"))
	}
	return id, nil
}

// offerTypeObject reads the object that GET of an offer's type answers.
func (c *call) offerTypeObject(raw []byte) (int64, error) {
	list, err := params.JSONArgs(raw)
	if err != nil {
		return 0, err
	}
	if list["id"] == nil || list["type"] == nil {
		return 0, params.InvalidBody("", message.Of("no-offer-type-object"))
	}
	var in offerTypeInput
	var e *admitto.Error
	if err = c.decode(list, &in); errors.As(err, &e) {
		e.Kind = admitto.InvalidBody // as every body of this path that is refused
	}
	return int64(in.ID), err
}

// setApplicationOfferSubject answers PUT /applications/{id}/offers/{id}/subject.
func (a *API) setApplicationOfferSubject(c *call) error {
	return c.editOffer(func(edit *admissions.OfferEdit) error {
		s, err := c.textOrNull(func(s string) (string, error) { return text.Line(s, 0, maxOfferSubject) })
		edit.Subject = &s
		return err
	})
}

// setApplicationOfferComments answers PUT /applications/{id}/offers/{id}/comments.
func (a *API) setApplicationOfferComments(c *call) error {
	return c.editOffer(func(edit *admissions.OfferEdit) error {
		s, err := c.textOrNull(func(s string) (string, error) { return text.Multiline(s, 0, maxOfferComments) })
		edit.Comments = &s
		return err
	})
}

// getApplicationOfferReason answers GET /applications/{id}/offers/{id}/reason/reason (resources.md 24.11).
func (a *API) getApplicationOfferReason(c *call) error {
	return c.offerScalar(func(o *admitto.Offer) string { return o.Reason.Reason })
}

// setApplicationOfferReason answers PUT /applications/{id}/offers/{id}/reason/reason.
func (a *API) setApplicationOfferReason(c *call) error {
	return c.editOffer(func(edit *admissions.OfferEdit) error {
		s, err := c.textOrNull(func(s string) (string, error) { return text.Line(s, 1, maxOfferReason) })
		edit.Reason = &s
		return err
	})
}

// setApplicationOfferDecision answers PUT /applications/{id}/offers/{id}/decision (resources.md 7.3).
func (a *API) setApplicationOfferDecision(c *call) error {
	var decision admitto.Decision
	err := c.offerBody(func() error {
		v, err := c.value()
		if err != nil {
			return err
		}
		s, _ := v.(string)
		var known bool
		if decision, known = admitto.ParseDecision(s); !known {
			return params.InvalidBody("", message.Of("body-no-decision"))
		}
		return nil
	})
	if err == nil {
		err = a.services.Admissions.SetDecision(c.ctx, c.caller(), c.ids[0], c.ids[1],
			admissions.DecisionChange{Decision: decision})
	}
	return c.done(err)
}

// setApplicationOfferScoreExtra answers PUT /applications/{id}/offers/{id}/score/extra (resources.md 7.3).
func (a *API) setApplicationOfferScoreExtra(c *call) error {
	var score *admitto.Hundredths
	err := c.offerBody(func() (err error) {
		score, err = c.extraScoreValue()
		return err
	})
	if err == nil {
		err = a.services.Admissions.SetExtraScore(c.ctx, c.caller(), c.ids[0], c.ids[1], score)
	}
	return c.done(err)
}

// extraScoreValue reads a body that is an extra score as number or text, or null.
func (c *call) extraScoreValue() (*admitto.Hundredths, error) {
	v, err := c.value()
	if err != nil || v == nil {
		return nil, err
	}
	s, isText := v.(string)
	if number, ok := v.(json.Number); ok {
		s, isText = number.String(), true
	}
	if !isText {
		return nil, params.InvalidBody("", message.Of("body-no-score"))
	}
	score, err := admitto.ParseHundredths(strings.TrimSpace(s))
	if err == nil && (score > maxExtraScore || score < -maxExtraScore) {
		err = message.Of("score-range", (-maxExtraScore).String(), maxExtraScore.String())
	}
	if err != nil {
		return nil, params.InvalidBody("", message.From(err))
	}
	return &score, nil
}

// deleteApplicationOfferScoreExtra answers DELETE /applications/{id}/offers/{id}/score/extra.
func (a *API) deleteApplicationOfferScoreExtra(c *call) error {
	err := c.noParametersOf(func() error {
		o, err := a.services.Query.Offer(c.ctx, c.by(), c.ids[0], c.ids[1], nil)
		if err == nil && o.ScoreExtra == nil {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
	if err == nil {
		err = a.services.Admissions.ClearExtraScore(c.ctx, c.caller(), c.ids[0], c.ids[1])
	}
	return c.done(err)
}

// confirmOffer answers POST /applications/{id}/offers/{id}/confirm (resources.md 7.4). The body is ignored.
func (a *API) confirmOffer(c *call) error {
	err := c.noParametersOf(func() error {
		_, err := a.services.Query.Offer(c.ctx, c.by(), c.ids[0], c.ids[1], nil)
		return err
	})
	if err == nil {
		err = a.services.Admissions.ConfirmOffer(c.ctx, c.caller(), c.ids[0], c.ids[1], false)
	}
	return c.done(err)
}

// newLetterInput is what POST /applications/{id}/offers/{id}/letters takes (resources.md 24.10).
type newLetterInput struct {
	Letterhead params.ObjectID `name:"letterhead" required:"true"`
}

// createApplicationOfferLetter answers POST /applications/{id}/offers/{id}/letters.
func (a *API) createApplicationOfferLetter(c *call) error {
	if _, err := a.services.Query.Offer(c.ctx, c.by(), c.ids[0], c.ids[1], nil); err != nil {
		return err
	}
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newLetterInput
	if err := c.decode(list, &in); err != nil {
		return err
	}
	l, err := a.services.Admissions.CreateLetter(c.ctx, c.caller(), c.ids[0], c.ids[1], int64(in.Letterhead))
	if err != nil {
		return c.locate(list, err)
	}
	return c.created(l.ID, letterRecord(c.ids[0], &l))
}
