package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// applicantWire is an applicant (resources.md 3.2).
type applicantWire struct {
	ID            int64           `wire:"id"`
	Type          string          `wire:"type"`
	Registered    admitto.Time    `wire:"registered"`
	Name          applicantName   `wire:"name"`
	Email         string          `wire:"email"`
	Phone         string          `wire:"phone"`
	Skype         wire.Nullable   `wire:"skype"`
	Reference     string          `wire:"reference"`
	Matriculation wire.Nullable   `wire:"matriculation"`
	Citizenship   string          `wire:"citizenship"`
	JoinedNotes   wire.Nullable   `wire:"notes" until:"5" right:"/applicants/{id}/notes"`
	Notes         wire.Link       `wire:"notes" since:"6"`
	Address       wire.Nullable   `wire:"address"`
	VATIN         wire.Nullable   `wire:"vatin"`
	Applications  wire.Link       `wire:"applications"`
	Trackers      wire.Expandable `wire:"trackers" right:"/applicants/{id}/trackers"`
	Photo         wire.Link       `wire:"photo"`
	Documents     wire.Expandable `wire:"documents" right:"/applicants/{id}/documents"`
	Studyplans    wire.Link       `wire:"studyplans" until:"7"`
	Consents      wire.Expandable `wire:"consents" right:"/applicants/{id}/consents"`
	Invoices      wire.Expandable `wire:"invoices" right:"/applicants/{id}/invoices"`
	Wishes        wire.Expandable `wire:"wishes" right:"/applicants/{id}/wishes"`
	Emails        wire.Link       `wire:"emails"`
}

type applicantName struct {
	Full   wire.FullName `wire:"full"`
	Given  string        `wire:"given"`
	Middle string        `wire:"middle"`
	Family string        `wire:"family"`
	Parent *string       `wire:"parent,omit"`
	Legal  *string       `wire:"legal,omit"`
}

// set fills the record from an applicant; expanded links and joined notes are the caller's.
func (w *applicantWire) set(a *admitto.Applicant) {
	id := a.ID
	*w = applicantWire{
		ID: id, Type: string(a.Type), Registered: a.Registered,
		Name: applicantName{Full: wire.FullName{Name: &a.Name}, Given: a.Name.Given, Middle: a.Name.Middle,
			Family: a.Name.Family},
		Email: a.Email, Phone: a.Phone, Skype: wire.Nullable(a.Skype), Reference: a.Reference,
		Matriculation: wire.Nullable(a.Matriculation), Citizenship: a.Citizenship,
		Notes:        wire.LinkTo("/applicants/{}/notes", id),
		Address:      wire.Nullable(a.Address),
		VATIN:        wire.Nullable(a.VATIN),
		Applications: wire.LinkTo("/applicants/{}/applications", id),
		Trackers:     wire.Expandable{Link: wire.LinkTo("/applicants/{}/trackers", id)},
		Photo:        wire.LinkTo("/applicants/{}/photo", id),
		Documents:    wire.Expandable{Link: wire.LinkTo("/applicants/{}/documents", id)},
		Studyplans:   wire.LinkTo("/applicants/{}/studyplans", id),
		Consents:     wire.Expandable{Link: wire.LinkTo("/applicants/{}/consents", id)},
		Invoices:     wire.Expandable{Link: wire.LinkTo("/applicants/{}/invoices", id)},
		Wishes:       wire.Expandable{Link: wire.LinkTo("/applicants/{}/wishes", id)},
		Emails:       wire.LinkTo("/applicants/{}/emails", id),
	}
	switch a.Type {
	case admitto.Child:
		w.Name.Parent = &a.Name.Parent
	case admitto.Legal:
		w.Name.Legal = &a.Name.Legal
	}
}

// trackerAssociationWire says that an applicant carries a tracker (resources.md 3.5).
type trackerAssociationWire struct {
	ID       int64        `wire:"id"`
	Assigned admitto.Time `wire:"assigned"`
	Tracker  wire.Link    `wire:"tracker"`
}

func trackerAssociation(a *admitto.TrackerAssociation) any {
	return &trackerAssociationWire{a.Tracker, a.Assigned, wire.LinkTo("/applicants/trackers/{}", a.Tracker)}
}

// trackerWire is a tracker (resources.md 4).
type trackerWire struct {
	ID        int64          `wire:"id"`
	Created   admitto.Time   `wire:"created"`
	Code      string         `wire:"code"`
	Notes     wire.Nullable  `wire:"notes"`
	Reduction *reductionWire `wire:"reduction"`
}

type reductionWire struct {
	Reduction string              `wire:"reduction"`
	Percent   *admitto.Hundredths `wire:"percent"`
	Amount    *admitto.Hundredths `wire:"amount"`
	Cents     *int64              `wire:"cents"`
	Currency  wire.Nullable       `wire:"currency"`
}

func trackerRecord(t *admitto.Tracker) any {
	w := &trackerWire{ID: t.ID, Created: t.Created, Code: t.Code, Notes: wire.Nullable(t.Notes)}
	if r := t.Reduction; r != nil && r.ByAmount() {
		cents := int64(r.Amount)
		w.Reduction = &reductionWire{Reduction: "Amount", Amount: &r.Amount, Cents: &cents,
			Currency: wire.Nullable(r.Currency)}
	} else if r != nil {
		w.Reduction = &reductionWire{Reduction: "Percent", Percent: &r.Percent}
	}
	return w
}
