package servicestest

import (
	"context"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
)

// Answers are those of an interface for an applicant.
var Answers = apikey.Answers{Made: 201, Found: 200, Done: 204, Place: "/made/applicants/{id}"}

// Begin claims a call with a body.
func (d *Desk) Begin(call [2]string, keyID int64, body byte) (*apikey.IdempotencyRecord, *apikey.KeptAnswer, error) {
	return d.Services.Keys.BeginIdempotent(context.Background(), apikey.IdempotentCall(keyID, "POST", call[0], call[1]),
		Answers, [32]byte{body})
}

// paths are those of an interface that makes everything below /made.
type paths struct{}

func (paths) Creation(path string) apikey.Answers {
	return apikey.Answers{Made: 201, Place: path + "/{id}"}
}

func (paths) Part(r admitto.Row) string { return fmt.Sprintf("/made/%d/%d/", r.Kind, r.ID) }
