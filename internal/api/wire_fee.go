package api

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

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
	return &feeWire{f.ID, f.Name, f.Type, wire.Nullable(f.Notes), wire.Embedded[json.RawMessage]{Link: wire.LinkTo("/fees/{}/amounts", f.ID),
		Value: appendNamed(c, nil, f.Amounts, feeTerritory, feeAmountRecord)}}
}

func feeTerritory(a *admitto.FeeAmount) string { return a.Territory }

func feeAmountRecord(a *admitto.FeeAmount) any {
	return &feeAmountWire{wire.Nullable(a.Qualifier), a.Currency, a.Amount, a.Basis, wire.Nullable(a.Info)}
}
