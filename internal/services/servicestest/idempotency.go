package servicestest

import (
	"context"

	"github.com/admitto/admitto/internal/apikey"
)

// Answers are those of the API for an applicant.
var Answers = apikey.Answers{Made: 201, Found: 200, Done: 204, Place: "/api/v9/applicants/{id}"}

// Begin claims a call with a body.
func (d *Desk) Begin(call [2]string, keyID int64, body byte) (*apikey.IdempotencyRecord, *apikey.KeptAnswer, error) {
	return d.Services.Keys.BeginIdempotent(context.Background(), apikey.IdempotentCall(keyID, "POST", call[0], call[1]),
		Answers, [32]byte{body})
}
