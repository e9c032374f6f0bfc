package servicestest

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
)

// Key makes an API key and returns its ID.
func (d *Desk) Key() int64 {
	d.T.Helper()
	id, _, err := d.Services.Keys.CreateKey(d.T.Context(), ByKey(), apikey.NewKey{Label: "test", Scope: admitto.ScopeAll})
	if err != nil {
		d.T.Fatal(err)
	}
	return id
}

// Sealed is a secret sealed as the instance does.
func Sealed(purpose, secret string) []byte { return instanceKey.Seal(purpose, []byte(secret)) }
