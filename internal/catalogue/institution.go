package catalogue

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Longest texts of the catalogue in characters.
const (
	mostLine    = 255
	mostAddress = 500
	mostText    = 20_000
	mostSummary = 200
)

// SaveInstitution stores an institution, a new one where its ID is 0, and returns its ID (screens.md A37). Errors:
// invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveInstitution(ctx context.Context, by usecase.Caller, i admitto.Institution) (int64, error) {
	if err := by.Needs(admitto.InstitutionsEdit); err != nil {
		return 0, err
	}
	given := i
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.InstitutionRow, ID: i.ID},
		check: func(c *checks) {
			i = given
			var was admitto.Institution
			if i.ID != 0 {
				var err error
				if was, err = c.tx.Institution(i.ID); err != nil {
					c.err = err
					return
				}
			}
			c.among("page.institution.status", i.Status, "Online", "Draft")
			c.among("page.institution.mode", i.Mode, "Internal", "External")
			c.code("page.institution.type", "Institution type", i.Type, was.Type)
			c.line("page.institution.name", &i.Name, 1, mostLine)
			c.by(text.Country, "page.institution.country", &i.Country)
			c.line("page.institution.location", &i.Location, 0, mostLine)
			c.by(text.WebAddress, "page.institution.www", &i.WWW)
			c.line("page.institution.erasmus", &i.Erasmus, 0, mostLine)
			c.lines("page.institution.address", &i.Address, mostAddress)
			c.line("page.institution.vat", &i.VAT, 0, mostLine)
			c.line("page.institution.iban", &i.IBAN, 0, mostLine)
			c.line("page.institution.registration", &i.Registration, 0, mostLine)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveInstitution(&i) },
		recorded: func(made bool) admitto.Event {
			return admitto.Event{Pattern: either(made, admitto.InstitutionCreated, admitto.InstitutionEdited),
				Links: admitto.Links{Institution: i.ID}}
		},
	})
	return i.ID, err
}

// SaveDepartment stores a department of an institution, a new one where its ID is 0, and returns its ID. Errors:
// invalid-parameter, not-found.
func (s *Service) SaveDepartment(ctx context.Context, by usecase.Caller, d admitto.Department) (int64, error) {
	if err := by.Needs(admitto.InstitutionsEdit); err != nil {
		return 0, err
	}
	given := d
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.DepartmentRow, ID: d.ID},
		check: func(c *checks) {
			d = given
			_, err := c.tx.Institution(d.Institution)
			if d.ID != 0 && err == nil {
				_, err = c.tx.Department(d.Institution, d.ID)
			}
			c.there("page.department.institution", err)
			c.line("page.department.name", &d.Name, 1, mostLine)
			c.by(text.Country, "page.department.country", &d.Country)
			c.line("page.department.location", &d.Location, 0, mostLine)
			c.by(text.WebAddress, "page.department.www", &d.WWW)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveDepartment(&d) },
		recorded: func(made bool) admitto.Event {
			event := about(either(made, admitto.DepartmentCreated, admitto.DepartmentEdited), d.ID)
			event.Links.Institution = d.Institution
			return event
		},
	})
	return d.ID, err
}
