package api

import "github.com/admitto/admitto/internal/admitto"

// listLogins answers GET /logins (resources.md 24.15).
func (a *API) listLogins(c *call) error {
	return pagedList(c, a.services.Accounts.Logins, func(l *admitto.Login) int64 { return l.ID }, loginRecord)
}
