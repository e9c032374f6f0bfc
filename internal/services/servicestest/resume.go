package servicestest

import (
	"github.com/admitto/admitto/internal/admitto"
)

// Resume looks once for creations to take over.
func (d *Desk) Resume() int {
	d.T.Helper()
	n, err := d.Services.Accounts.ResumeWelcomes(d.T.Context(), admitto.SystemCaller())
	if err != nil {
		d.T.Fatal(err)
	}
	return n
}
