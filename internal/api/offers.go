package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
)

// listApplicationOffers answers GET /applications/{id}/offers (resources.md 7.2).
func (a *API) listApplicationOffers(c *call) error {
	with := c.offerParts()
	list, err := a.services.Query.Offers(c.ctx, c.by(), c.ids[0], with)
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return smallList(c, list, func(o *admitto.Offer) int64 { return o.ID },
		func(o *admitto.Offer) any { return offerRecord(c, o, with) })
}

// getApplicationOffer answers GET /applications/{id}/offers/{id}.
func (a *API) getApplicationOffer(c *call) error {
	with := c.offerParts()
	o, err := a.services.Query.Offer(c.ctx, c.by(), c.ids[0], c.ids[1], with)
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(offerRecord(c, &o, with))
}

// getApplicationOfferType answers GET /applications/{id}/offers/{id}/type (resources.md 7.3): an object, or
// the title in the versions that know types by title.
func (a *API) getApplicationOfferType(c *call) error {
	with := &offerParts{WantTypeTitles: !c.version.Has(version.OfferTypesByID)}
	o, err := a.services.Query.Offer(c.ctx, c.by(), c.ids[0], c.ids[1], with)
	if err != nil {
		return err
	}
	if !c.version.Has(version.OfferTypesByID) {
		return c.offerTypeTitle(o.Type, with)
	}
	if err := c.noParameters(); err != nil {
		return err
	}
	return c.object(&offerTypeOfOffer{o.Type, wire.LinkTo("/applications/offers/types/{}", o.Type)})
}

// getApplicationOfferSubject answers GET /applications/{id}/offers/{id}/subject.
func (a *API) getApplicationOfferSubject(c *call) error {
	return c.offerScalar(func(o *admitto.Offer) string { return o.Subject })
}

// getApplicationOfferComments answers GET /applications/{id}/offers/{id}/comments.
func (a *API) getApplicationOfferComments(c *call) error {
	return c.offerScalar(func(o *admitto.Offer) string { return o.Comments })
}

// getApplicationOfferDecision answers GET /applications/{id}/offers/{id}/decision.
func (a *API) getApplicationOfferDecision(c *call) error {
	return c.offerScalar(func(o *admitto.Offer) string { return string(o.Decision) })
}

// getApplicationOfferScoreExtra answers GET /applications/{id}/offers/{id}/score/extra.
func (a *API) getApplicationOfferScoreExtra(c *call) error {
	return c.offerScalar(func(o *admitto.Offer) string {
		if o.ScoreExtra == nil {
			return ""
		}
		return o.ScoreExtra.String()
	})
}

// offerScalar answers one text of the offer that the path names.
func (c *call) offerScalar(value func(*admitto.Offer) string) error {
	o, err := c.api.services.Query.Offer(c.ctx, c.by(), c.ids[0], c.ids[1], nil)
	if err != nil {
		return err
	}
	return c.scalar(value(&o))
}

// listApplicationOfferAttachments answers GET /applications/{id}/offers/{id}/attachments (resources.md 7.5).
func (a *API) listApplicationOfferAttachments(c *call) error {
	list, err := a.services.Query.OfferAttachments(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return smallList(c, list, func(f *admitto.File) int64 { return f.ID },
		func(f *admitto.File) any { return offerAttachmentRecord(c.ids[0], f) })
}

// getApplicationOfferAttachment answers GET /applications/{id}/offers/{id}/attachments/{id}.
func (a *API) getApplicationOfferAttachment(c *call) error {
	f, err := a.services.Query.OfferAttachment(c.ctx, c.by(), c.ids[0], c.ids[1], c.ids[2])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(offerAttachmentRecord(c.ids[0], &f))
}

// listApplicationOfferLetters answers GET /applications/{id}/offers/{id}/letters (resources.md 7.5).
func (a *API) listApplicationOfferLetters(c *call) error {
	list, err := a.services.Query.OfferLetters(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return smallList(c, list, func(l *admitto.Letter) int64 { return l.ID },
		func(l *admitto.Letter) any { return letterRecord(c.ids[0], l) })
}

// getApplicationOfferLetter answers GET /applications/{id}/offers/{id}/letters/{id}.
func (a *API) getApplicationOfferLetter(c *call) error {
	l, err := a.services.Query.OfferLetter(c.ctx, c.by(), c.ids[0], c.ids[1], c.ids[2])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(letterRecord(c.ids[0], &l))
}
