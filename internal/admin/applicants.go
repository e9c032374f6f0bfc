package admin

import (
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// applicants is screens.md A07.
func (p *pages) applicants(r *site.Request) error {
	return site.Sheet{Buttons: r.Buttons(site.Primary("applicant-add")), Parts: []ui.Component{}}.Show(r)
}
