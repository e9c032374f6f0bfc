package api

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/query"
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

// offerWire is an offer (resources.md 7.2).
type offerWire struct {
	ID                 int64         `wire:"id"`
	Priority           int           `wire:"priority"`
	Inserted           admitto.Time  `wire:"inserted"`
	Saved              admitto.Time  `wire:"saved"`
	Confirmed          admitto.Time  `wire:"confirmed"`
	Decided            admitto.Time  `wire:"decided"`
	Scored             admitto.Time  `wire:"scored"`
	Applicant          wire.Link     `wire:"applicant" since:"10"`
	Application        wire.Link     `wire:"application" since:"10"`
	Course             wire.Link     `wire:"course"`
	Intake             wire.Link     `wire:"intake"`
	TypeTitle          wire.Nullable `wire:"type" until:"3"`
	Type               wire.Link     `wire:"type" since:"4"`
	TypeConfirmedTitle wire.Nullable `wire:"type-confirmed" until:"3"`
	TypeConfirmed      wire.Link     `wire:"type-confirmed" since:"4"`
	Subject            wire.Nullable `wire:"subject"`
	Comments           wire.Nullable `wire:"comments"`
	CommentsConfirmed  wire.Nullable `wire:"comments-confirmed"`
	Decision           string        `wire:"decision"`
	DecisionPolicy     string        `wire:"decision-policy"`
	DecisionDeadline   admitto.Date  `wire:"decision-deadline"`
	Score              offerScore    `wire:"score"`
	Reason             offerReason   `wire:"reason"`
	JoinedNotes        wire.Nullable `wire:"notes" until:"5" right:"/applications/{id}/offers/{id}/notes"`
	Notes              wire.Link     `wire:"notes" since:"6"`
	Attachments        wire.Link     `wire:"attachments"`
	Letters            wire.Link     `wire:"letters"`
}

type offerScore struct {
	Auto  *admitto.Hundredths `wire:"auto"`
	Extra *admitto.Hundredths `wire:"extra"`
}

type offerReason struct {
	ID     *int64        `wire:"id"`
	Reason wire.Nullable `wire:"reason"`
}

// offerParts is what older versions show of offers next to their own fields: titles of types, joined notes.
type offerParts = query.OfferParts

// offerParts says what must be read for the representation of offers in the version of the call.
func (c *call) offerParts() *offerParts {
	return &offerParts{WantTypeTitles: !c.version.Has(version.OfferTypesByID),
		WantNotes: !c.version.Has(version.NotesCollection)}
}

// offerRecord is the record of an offer. with holds what c.offerParts asked for.
func offerRecord(c *call, o *admitto.Offer, with *offerParts) any {
	w := &offerWire{
		ID: o.ID, Priority: o.Priority, Inserted: o.Inserted, Saved: o.Saved, Confirmed: o.Confirmed, Decided: o.Decided,
		Scored:        o.Scored,
		Applicant:     wire.LinkTo("/applicants/{}", o.Applicant),
		Application:   wire.LinkTo("/applications/{}", o.Application),
		Course:        wire.LinkTo("/courses/{}", o.Course),
		Intake:        wire.LinkTo("/intakes/{}", o.Intake),
		Type:          wire.LinkTo("/applications/offers/types/{}", o.Type),
		TypeConfirmed: wire.LinkTo("/applications/offers/types/{}", o.TypeConfirmed),
		Subject:       wire.Nullable(o.Subject), Comments: wire.Nullable(o.Comments),
		CommentsConfirmed: wire.Nullable(o.CommentsConfirmed),
		Decision:          string(o.Decision), DecisionPolicy: o.DecisionPolicy, DecisionDeadline: o.DecisionDeadline,
		Score:       offerScore{o.ScoreAuto, o.ScoreExtra},
		Reason:      offerReason{Reason: wire.Nullable(o.Reason.Reason)},
		Notes:       wire.LinkTo("/applications/{}/offers/{}/notes", o.Application, o.ID),
		Attachments: wire.LinkTo("/applications/{}/offers/{}/attachments", o.Application, o.ID),
		Letters:     wire.LinkTo("/applications/{}/offers/{}/letters", o.Application, o.ID),
	}
	if o.Reason.ID != 0 {
		w.Reason.ID = &o.Reason.ID
	}
	if !c.version.Has(version.OfferTypesByID) {
		w.setTitles(o, with)
	}
	if !c.version.Has(version.NotesCollection) {
		w.setJoinedNotes(o, with)
	}
	return w
}

// offerTypeOfOffer answers the type path of an offer from version 4 on (resources.md 7.3).
type offerTypeOfOffer struct {
	ID   int64     `wire:"id"`
	Type wire.Link `wire:"type"`
}

// offerAttachmentWire is what is known of a file attached to an offer (resources.md 0.7 and 7.5).
type offerAttachmentWire struct {
	ID       int64        `wire:"id"`
	Uploaded admitto.Time `wire:"uploaded"`
	Name     string       `wire:"name"`
	MIME     string       `wire:"mime"`
	Size     string       `wire:"size"`
	Expires  admitto.Time `wire:"expires"`
	Download wire.Link    `wire:"download"`
}

func offerAttachmentRecord(application int64, f *admitto.File) any {
	return &offerAttachmentWire{ID: f.ID, Uploaded: f.Uploaded, Name: f.Name, MIME: f.MIME,
		Size:    strconv.FormatInt(f.Size, 10),
		Expires: f.Expires, Download: wire.LinkTo("/applications/{}/offers/{}/attachments/{}/download", application, f.Owner,
			f.ID)}
}

// letterWire is a rendered letter (resources.md 7.5).
type letterWire struct {
	ID            int64        `wire:"id"`
	Rendered      admitto.Time `wire:"rendered"`
	Letterhead    wire.Link    `wire:"letterhead"`
	Administrator wire.Link    `wire:"administrator"`
	Attachment    wire.Link    `wire:"attachment"`
}

func letterRecord(application int64, l *admitto.Letter) any {
	return &letterWire{ID: l.ID, Rendered: l.Rendered, Letterhead: wire.LinkTo("/letterheads/{}", l.Letterhead),
		Administrator: wire.LinkTo("/administrators/{}", l.Administrator),
		Attachment:    wire.LinkTo("/applications/{}/offers/{}/attachments/{}", application, l.Offer, l.Attachment)}
}
