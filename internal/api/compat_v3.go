package api

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// What only versions 1 to 3 have, before the change offerTypesByID: offer types by their titles. Each caller has one
// guard, "if !c.version.Has(version.OfferTypesByID)". The fields are in offers.go with the tag until:"3".

// setTitles fills the fields that name types by title.
func (w *offerWire) setTitles(o *admitto.Offer, with *offerParts) {
	if with != nil {
		w.TypeTitle, w.TypeConfirmedTitle = wire.Nullable(with.TypeTitles[o.Type]),
			wire.Nullable(with.TypeTitles[o.TypeConfirmed])
	}
}

// offerTypeTitle answers the type path of an offer: the title.
func (c *call) offerTypeTitle(of int64, with *offerParts) error { return c.scalar(with.TypeTitles[of]) }

// offerTypesByTitle answers the list of offer types, keyed by title.
func (c *call) offerTypesByTitle(list []admitto.OfferType) error {
	return namedList(c, list, func(t *admitto.OfferType) string { return t.Title }, offerTypeRecord)
}

// offerTypeTitleBody describes the body that names an offer type.
func offerTypeTitleBody() *schema.Schema {
	return &schema.Schema{Type: "string", MinLength: new(1), Description: "The title of an offer type."}
}

// offerTypeByTitle reads a body that is the title of an offer type.
func (c *call) offerTypeByTitle(title string, isText bool) (int64, error) {
	if !isText {
		return 0, params.InvalidBody("", message.Of("body-no-offer-type-title"))
	}
	return c.offerTypeTitled(title)
}

// offerTypeTitled finds an offer type by its title: exactly so, else without letter case.
func (c *call) offerTypeTitled(title string) (int64, error) {
	title, err := text.Line(title, 1, params.MaxBody)
	if err != nil {
		return 0, params.InvalidBody("", message.From(err))
	}
	types, err := c.api.services.Query.OfferTypes(c.ctx, c.by())
	if err != nil {
		return 0, err
	}
	var similar int64
	for i := range types {
		switch {
		case types[i].Title == title:
			return types[i].ID, nil
		case similar == 0 && strings.EqualFold(types[i].Title, title):
			similar = types[i].ID
		}
	}
	if similar == 0 {
		return 0, params.InvalidBody("", message.Of("no-offer-type-titled", text.Quote(title)))
	}
	return similar, nil
}

// nameByTitle says which versions name offer types by their titles.
func (n *OfferTypeNames) nameByTitle() {
	n.ByID = int(version.OfferTypesByID.From)
	n.Titled = n.ByID - 1
}
