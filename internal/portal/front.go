package portal

import "github.com/admitto/admitto/internal/site"

// front is the first page.
func (p *pages) front(r *site.Request) error { return site.Sheet{Title: r.Instance()}.Show(r) }

// signOut ends the session.
func (p *pages) signOut(r *site.Request) error {
	if err := r.SignOut(); err != nil {
		return err
	}
	return r.To("front")
}
