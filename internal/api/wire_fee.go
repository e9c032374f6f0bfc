package api

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
)

// feeWire is a fee (resources.md 24.14).
type feeWire struct {
	ID      int64                     `wire:"id"`
	Name    string                    `wire:"name"`
	Type    string                    `wire:"type"`
	Notes   nullable                  `wire:"notes"`
	Amounts embedded[json.RawMessage] `wire:"amounts" right:"/fees/{id}/amounts"` // territory → feeAmountWire
}

type feeAmountWire struct {
	Qualifier nullable           `wire:"qualifier"`
	Currency  string             `wire:"currency"`
	Amount    admitto.Hundredths `wire:"amount"`
	Basis     string             `wire:"basis"`
	Info      nullable           `wire:"info"`
}

// feeRecord is the record of a fee; territories come in ascending order of their codes.
func (c *call) feeRecord(f *admitto.Fee) any {
	return &feeWire{f.ID, f.Name, f.Type, nullable(f.Notes), embedded[json.RawMessage]{linkTo("/fees/{}/amounts", f.ID),
		appendNamed(c, nil, f.Amounts, feeTerritory, feeAmountRecord)}}
}

func feeTerritory(a *admitto.FeeAmount) string { return a.Territory }

func feeAmountRecord(a *admitto.FeeAmount) any {
	return &feeAmountWire{nullable(a.Qualifier), a.Currency, a.Amount, a.Basis, nullable(a.Info)}
}
