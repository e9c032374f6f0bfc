package api

import "github.com/admitto/admitto/internal/admitto"

// consentAssociationWire is an applicant's latest decision on a consent (resources.md 3.5).
type consentAssociationWire struct {
	ID       int64        `wire:"id"`
	Decided  admitto.Time `wire:"decided"`
	Decision string       `wire:"decision"`
	Consent  link         `wire:"consent"`
}

func consentAssociation(d *admitto.ConsentDecision) any {
	decision := "Reject"
	if d.Accepted {
		decision = "Accept"
	}
	return &consentAssociationWire{d.Consent, d.Decided, decision, linkTo("/applicants/consents/{}", d.Consent)}
}

func consentOf(d *admitto.ConsentDecision) int64 { return d.Consent }

// wishWire is a course on an applicant's wishlist (resources.md 3.5).
type wishWire struct {
	ID        int64        `wire:"id"`
	Wished    admitto.Time `wire:"wished"`
	Applicant link         `wire:"applicant"`
	Course    link         `wire:"course"`
	Intake    link         `wire:"intake"`
	Notes     nullable     `wire:"notes"`
}

func wishRecord(w *admitto.Wish) any {
	return &wishWire{w.ID, w.Wished, linkTo("/applicants/{}", w.Applicant), linkTo("/courses/{}", w.Course),
		linkTo("/intakes/{}", w.Intake), nullable(w.Notes)}
}

func wishID(w *admitto.Wish) int64 { return w.ID }
