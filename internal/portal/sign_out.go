package portal

import (
	"github.com/admitto/admitto/internal/site"
)

// signOut ends the session.
func (p *pages) signOut(r *site.Request) error {
	if err := r.SignOut(); err != nil {
		return err
	}
	return r.To("front")
}
