package api

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
)

// listFees answers GET /fees (resources.md 24.14).
func (a *API) listFees(c *call) error {
	list, err := a.services.Billing.Fees(c.ctx, c.by())
	return wholeList(c, list, err, func(f *admitto.Fee) int64 { return f.ID }, c.feeRecord)
}

// getFee answers GET /fees/{id}.
func (a *API) getFee(c *call) error {
	f, err := a.services.Billing.Fee(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, f, err, c.feeRecord)
}

// listFeeAmounts answers GET /fees/{id}/amounts, keyed by territory.
func (a *API) listFeeAmounts(c *call) error {
	f, err := a.services.Billing.Fee(c.ctx, c.by(), c.ids[0])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return namedList(c, f.Amounts, feeTerritory, feeAmountRecord)
}

// getFeeAmount answers GET /fees/{id}/amounts/{territory}.
func (a *API) getFeeAmount(c *call) error {
	f, err := a.services.Billing.Fee(c.ctx, c.by(), c.ids[0])
	if err != nil {
		return err
	}
	i := slices.IndexFunc(f.Amounts, func(a admitto.FeeAmount) bool { return a.Territory == c.name })
	if i < 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	return wholeRecord(c, f.Amounts[i], nil, feeAmountRecord)
}
