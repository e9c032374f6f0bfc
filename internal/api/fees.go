package api

import (
	"encoding/json"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
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

// feeWire is a fee (resources.md 24.14).
type feeWire struct {
	ID      int64                          `wire:"id"`
	Name    string                         `wire:"name"`
	Type    string                         `wire:"type"`
	Notes   wire.Nullable                  `wire:"notes"`
	Amounts wire.Embedded[json.RawMessage] `wire:"amounts" right:"/fees/{id}/amounts"` // territory → feeAmountWire
}

type feeAmountWire struct {
	Qualifier wire.Nullable      `wire:"qualifier"`
	Currency  string             `wire:"currency"`
	Amount    admitto.Hundredths `wire:"amount"`
	Basis     string             `wire:"basis"`
	Info      wire.Nullable      `wire:"info"`
}

// feeRecord is the record of a fee; territories come in ascending order of their codes.
func (c *call) feeRecord(f *admitto.Fee) any {
	return &feeWire{f.ID, f.Name, f.Type, wire.Nullable(f.Notes),
		wire.Embedded[json.RawMessage]{Link: wire.LinkTo("/fees/{}/amounts", f.ID),
			Value: appendNamed(c, nil, f.Amounts, feeTerritory, feeAmountRecord)}}
}

func feeTerritory(a *admitto.FeeAmount) string { return a.Territory }

func feeAmountRecord(a *admitto.FeeAmount) any {
	return &feeAmountWire{wire.Nullable(a.Qualifier), a.Currency, a.Amount, a.Basis, wire.Nullable(a.Info)}
}
