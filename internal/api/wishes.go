package api

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
