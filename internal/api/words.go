package api

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
)

// listApplicantsConsents answers GET /applicants/consents (resources.md 4).
func (a *API) listApplicantsConsents(c *call) error {
	list, err := a.services.Query.Consents(c.ctx, c.by())
	return wholeList(c, list, err, func(v *admitto.Consent) int64 { return v.ID }, consentRecord)
}

// getApplicantsConsent answers GET /applicants/consents/{id}.
func (a *API) getApplicantsConsent(c *call) error {
	v, err := a.services.Query.Consent(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, v, err, consentRecord)
}

// listApplicationsFlags answers GET /applications/flags (resources.md 6.1).
func (a *API) listApplicationsFlags(c *call) error {
	list, err := a.services.Query.Flags(c.ctx, c.by())
	return wholeList(c, list, err, func(f *admitto.Flag) int64 { return f.ID }, flagRecord)
}

// getApplicationsFlag answers GET /applications/flags/{id}.
func (a *API) getApplicationsFlag(c *call) error {
	f, err := a.services.Query.Flag(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, f, err, flagRecord)
}

// getApplicationsStatuses answers GET /applications/statuses, keyed by name (resources.md 6.2).
func (a *API) getApplicationsStatuses(c *call) error {
	if err := c.noParameters(); err != nil {
		return err
	}
	list, err := a.services.Query.StatusTexts(c.ctx, c.by())
	if err != nil {
		return err
	}
	if !c.version.Has(version.OwnStatuses) {
		list = withOutcomes(c.version, list)
	}
	return namedList(c, list, func(s *admitto.StatusText) string { return string(s.Name) }, statusTextRecord)
}

// listApplicationsOffersTypes answers GET /applications/offers/types: keyed by ID, in old versions by title, and
// by ascending ID in both (resources.md 6.3).
func (a *API) listApplicationsOffersTypes(c *call) error {
	list, err := a.services.Query.OfferTypes(c.ctx, c.by())
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(x, y admitto.OfferType) int { return cmp.Compare(x.ID, y.ID) })
	if !c.version.Has(version.OfferTypesByID) {
		return c.offerTypesByTitle(list)
	}
	return smallList(c, list, func(t *admitto.OfferType) int64 { return t.ID }, offerTypeRecord)
}

// getApplicationsOffersType answers GET /applications/offers/types/{id}.
func (a *API) getApplicationsOffersType(c *call) error {
	t, err := a.services.Query.OfferType(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, t, err, offerTypeRecord)
}

// getClassificators answers GET /classificators: one object of all classes, keyed by name (resources.md 18).
func (a *API) getClassificators(c *call) error {
	if err := c.noParameters(); err != nil {
		return err
	}
	list, err := a.services.Query.Classificators(c.ctx, c.by())
	if err != nil {
		return err
	}
	return namedList(c, list, func(v *admitto.Classificator) string { return v.Class }, classificatorRecord)
}

// listAdministrators answers GET /administrators (resources.md 22).
func (a *API) listAdministrators(c *call) error {
	list, err := a.services.Query.Administrators(c.ctx, c.by())
	return wholeList(c, list, err, func(v *admitto.Administrator) int64 { return v.ID }, administratorRecord)
}

// getAdministrator answers GET /administrators/{id}.
func (a *API) getAdministrator(c *call) error {
	v, err := a.services.Query.Administrator(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, v, err, administratorRecord)
}
