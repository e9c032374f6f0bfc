package api

import "github.com/admitto/admitto/internal/admitto"

// applicantWire is an applicant (resources.md 3.2).
type applicantWire struct {
	ID            int64         `wire:"id"`
	Type          string        `wire:"type"`
	Registered    admitto.Time  `wire:"registered"`
	Name          applicantName `wire:"name"`
	Email         string        `wire:"email"`
	Phone         string        `wire:"phone"`
	Skype         nullable      `wire:"skype"`
	Reference     string        `wire:"reference"`
	Matriculation nullable      `wire:"matriculation"`
	Citizenship   string        `wire:"citizenship"`
	JoinedNotes   nullable      `wire:"notes" until:"5" right:"/applicants/{id}/notes"`
	Notes         link          `wire:"notes" since:"6"`
	Address       nullable      `wire:"address"`
	VATIN         nullable      `wire:"vatin"`
	Applications  link          `wire:"applications"`
	Trackers      expandable    `wire:"trackers" right:"/applicants/{id}/trackers"`
	Photo         link          `wire:"photo"`
	Documents     expandable    `wire:"documents" right:"/applicants/{id}/documents"`
	Studyplans    link          `wire:"studyplans" until:"7"`
	Consents      expandable    `wire:"consents" right:"/applicants/{id}/consents"`
	Invoices      expandable    `wire:"invoices" right:"/applicants/{id}/invoices"`
	Wishes        expandable    `wire:"wishes" right:"/applicants/{id}/wishes"`
	Emails        link          `wire:"emails"`
}

type applicantName struct {
	Full   fullName `wire:"full"`
	Given  string   `wire:"given"`
	Middle string   `wire:"middle"`
	Family string   `wire:"family"`
	Parent *string  `wire:"parent,omit"`
	Legal  *string  `wire:"legal,omit"`
}

// set fills the record from an applicant; expanded links and joined notes are the caller's.
func (w *applicantWire) set(a *admitto.Applicant) {
	id := a.ID
	*w = applicantWire{
		ID: id, Type: string(a.Type), Registered: a.Registered,
		Name:  applicantName{Full: fullName{&a.Name}, Given: a.Name.Given, Middle: a.Name.Middle, Family: a.Name.Family},
		Email: a.Email, Phone: a.Phone, Skype: nullable(a.Skype), Reference: a.Reference,
		Matriculation: nullable(a.Matriculation), Citizenship: a.Citizenship,
		Notes:        linkTo("/applicants/{}/notes", id),
		Address:      nullable(a.Address),
		VATIN:        nullable(a.VATIN),
		Applications: linkTo("/applicants/{}/applications", id),
		Trackers:     expandable{link: linkTo("/applicants/{}/trackers", id)},
		Photo:        linkTo("/applicants/{}/photo", id),
		Documents:    expandable{link: linkTo("/applicants/{}/documents", id)},
		Studyplans:   linkTo("/applicants/{}/studyplans", id),
		Consents:     expandable{link: linkTo("/applicants/{}/consents", id)},
		Invoices:     expandable{link: linkTo("/applicants/{}/invoices", id)},
		Wishes:       expandable{link: linkTo("/applicants/{}/wishes", id)},
		Emails:       linkTo("/applicants/{}/emails", id),
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
	Tracker  link         `wire:"tracker"`
}

func trackerAssociation(a *admitto.TrackerAssociation) any {
	return &trackerAssociationWire{a.Tracker, a.Assigned, linkTo("/applicants/trackers/{}", a.Tracker)}
}

// trackerWire is a tracker (resources.md 4).
type trackerWire struct {
	ID        int64          `wire:"id"`
	Created   admitto.Time   `wire:"created"`
	Code      string         `wire:"code"`
	Notes     nullable       `wire:"notes"`
	Reduction *reductionWire `wire:"reduction"`
}

type reductionWire struct {
	Reduction string              `wire:"reduction"`
	Percent   *admitto.Hundredths `wire:"percent"`
	Amount    *admitto.Hundredths `wire:"amount"`
	Cents     *int64              `wire:"cents"`
	Currency  nullable            `wire:"currency"`
}

func trackerRecord(t *admitto.Tracker) any {
	w := &trackerWire{ID: t.ID, Created: t.Created, Code: t.Code, Notes: nullable(t.Notes)}
	if r := t.Reduction; r != nil && r.ByAmount() {
		cents := int64(r.Amount)
		w.Reduction = &reductionWire{Reduction: "Amount", Amount: &r.Amount, Cents: &cents, Currency: nullable(r.Currency)}
	} else if r != nil {
		w.Reduction = &reductionWire{Reduction: "Percent", Percent: &r.Percent}
	}
	return w
}
