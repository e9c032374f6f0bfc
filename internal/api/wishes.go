package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// listApplicantConsents answers GET /applicants/{id}/consents (resources.md 3.5).
func (a *API) listApplicantConsents(c *call) error {
	list, err := a.services.Query.ConsentsOf(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, consentOf, consentAssociation)
}

// getApplicantConsent answers GET /applicants/{id}/consents/{id}.
func (a *API) getApplicantConsent(c *call) error {
	d, err := a.services.Query.ConsentOf(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeRecord(c, d, err, consentAssociation)
}

// listApplicantWishes answers GET /applicants/{id}/wishes (resources.md 3.5).
func (a *API) listApplicantWishes(c *call) error {
	list, err := a.services.Query.Wishes(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, wishID, wishRecord)
}

// getApplicantWish answers GET /applicants/{id}/wishes/{id}.
func (a *API) getApplicantWish(c *call) error {
	w, err := a.services.Query.Wish(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeRecord(c, w, err, wishRecord)
}

// consentAssociationWire is an applicant's latest decision on a consent (resources.md 3.5).
type consentAssociationWire struct {
	ID       int64        `wire:"id"`
	Decided  admitto.Time `wire:"decided"`
	Decision string       `wire:"decision"`
	Consent  wire.Link    `wire:"consent"`
}

func consentAssociation(d *admitto.ConsentDecision) any {
	decision := "Reject"
	if d.Accepted {
		decision = "Accept"
	}
	return &consentAssociationWire{d.Consent, d.Decided, decision, wire.LinkTo("/applicants/consents/{}", d.Consent)}
}

func consentOf(d *admitto.ConsentDecision) int64 { return d.Consent }

// wishWire is a course on an applicant's wishlist (resources.md 3.5).
type wishWire struct {
	ID        int64         `wire:"id"`
	Wished    admitto.Time  `wire:"wished"`
	Applicant wire.Link     `wire:"applicant"`
	Course    wire.Link     `wire:"course"`
	Intake    wire.Link     `wire:"intake"`
	Notes     wire.Nullable `wire:"notes"`
}

func wishRecord(w *admitto.Wish) any {
	return &wishWire{w.ID, w.Wished, wire.LinkTo("/applicants/{}", w.Applicant), wire.LinkTo("/courses/{}", w.Course),
		wire.LinkTo("/intakes/{}", w.Intake), wire.Nullable(w.Notes)}
}

func wishID(w *admitto.Wish) int64 { return w.ID }
