package api

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/query"
)

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
	return &offerParts{WantTypeTitles: !c.version.Has(version.OfferTypesByID), WantNotes: !c.version.Has(version.NotesCollection)}
}

// offerRecord is the record of an offer. with holds what c.offerParts asked for.
func offerRecord(c *call, o *admitto.Offer, with *offerParts) any {
	w := &offerWire{
		ID: o.ID, Priority: o.Priority, Inserted: o.Inserted, Saved: o.Saved, Confirmed: o.Confirmed, Decided: o.Decided, Scored: o.Scored,
		Applicant:     wire.LinkTo("/applicants/{}", o.Applicant),
		Application:   wire.LinkTo("/applications/{}", o.Application),
		Course:        wire.LinkTo("/courses/{}", o.Course),
		Intake:        wire.LinkTo("/intakes/{}", o.Intake),
		Type:          wire.LinkTo("/applications/offers/types/{}", o.Type),
		TypeConfirmed: wire.LinkTo("/applications/offers/types/{}", o.TypeConfirmed),
		Subject:       wire.Nullable(o.Subject), Comments: wire.Nullable(o.Comments), CommentsConfirmed: wire.Nullable(o.CommentsConfirmed),
		Decision: string(o.Decision), DecisionPolicy: o.DecisionPolicy, DecisionDeadline: o.DecisionDeadline,
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
	return &offerAttachmentWire{ID: f.ID, Uploaded: f.Uploaded, Name: f.Name, MIME: f.MIME, Size: strconv.FormatInt(f.Size, 10),
		Expires: f.Expires, Download: wire.LinkTo("/applications/{}/offers/{}/attachments/{}/download", application, f.Owner, f.ID)}
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
