package catalogue

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Years that terms may have.
const (
	FirstYear = 2000
	LastYear  = 2199
)

// SaveTerm stores an academic term, a new one where its ID is 0, and returns its ID. An academic year that is not there
// is made (screens.md A41). A last day for applying that lies behind lets the applications of the term expire, and one
// that lies ahead brings them back (lifecycle.md T14, T15). Errors: invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveTerm(ctx context.Context, by usecase.Caller, t admitto.Term) (int64, error) {
	if err := by.Needs(admitto.AcademicTermsEdit); err != nil {
		return 0, err
	}
	given := t
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.TermRow, ID: t.ID},
		check: func(c *checks) {
			t = given
			c.line("page.term.name", &t.Name, 1, mostLine)
			t.Versions = c.versionsOf("page.term", t.Versions, map[string]bound{"name": oneLine(mostLine)})
			_, err := c.tx.TermType(t.Type)
			c.there("page.term.type", err)
			if t.Year < FirstYear || t.Year > LastYear {
				c.fault("page.term.year", message.Of("year-range", FirstYear, LastYear))
			}
			for _, day := range []struct {
				path admitto.Path
				day  admitto.Date
			}{{"page.term.start", t.Start}, {"page.term.grace", t.Grace}, {"page.term.finish", t.Finish}} {
				if day.day.IsZero() {
					c.fault(day.path, message.Of("day-missing"))
				}
			}
			if !t.Start.IsZero() && !t.Finish.IsZero() && t.Finish.Before(t.Start) {
				c.fault("page.term.finish", message.Of("finish-before-start"))
			}
			c.termName(&t)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) {
			if err := s.addYear(tx, by, &t); err != nil {
				return nil, err
			}
			return tx.SaveTerm(&t)
		},
		recorded: func(made bool) admitto.Event {
			return about(either(made, admitto.TermCreated, admitto.TermEdited), t.ID)
		},
	})
	return t.ID, err
}

// termName refuses the name of another term of the same year.
func (c *checks) termName(t *admitto.Term) {
	all, err := c.tx.Terms()
	c.there("page.term.name", err)
	called := func(t *admitto.Term) string { return fmt.Sprintf("%d %s", t.Year, strings.ToLower(t.Name)) }
	var others []named
	for i := range all {
		others = append(others, named{all[i].ID, called(&all[i]), all[i].Name})
	}
	c.unshared("page.term.name", named{t.ID, called(t), t.Name}, others)
}

// addYear makes the academic year of a term where there is none: it begins with the term, or in September.
func (s *Service) addYear(tx *store.Tx, by usecase.Caller, t *admitto.Term) error {
	y := admitto.Year{Year: t.Year, Name: fmt.Sprintf("%d/%02d", t.Year, (t.Year+1)%100), Start: t.Start}
	if int64(t.Start.Year) != t.Year {
		y.Start = admitto.Date{Year: int16(t.Year), Month: uint8(time.September), Day: 1}
	}
	isNew, err := tx.AddYear(&y)
	if err == nil && isNew {
		tx.Record(by.Actor, about(admitto.YearCreated, y.Year))
	}
	return err
}

// SaveYear changes the name and the first day of an academic year. Errors: invalid-parameter, not-found,
// changed-meanwhile.
func (s *Service) SaveYear(ctx context.Context, by usecase.Caller, y admitto.Year) error {
	if err := by.Needs(admitto.AcademicTermsEdit); err != nil {
		return err
	}
	given := y
	return s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.YearRow, ID: y.Year},
		check: func(c *checks) {
			y = given
			c.line("page.year.name", &y.Name, 1, mostLine)
			if y.Start.IsZero() {
				c.fault("page.year.start", message.Of("day-missing"))
			}
		},
		save:     func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveYear(&y) },
		recorded: func(bool) admitto.Event { return about(admitto.YearEdited, y.Year) },
	})
}

// SaveTermType stores a kind of terms, a new one where its ID is 0, and returns its ID. Errors: invalid-parameter,
// not-found, changed-meanwhile.
func (s *Service) SaveTermType(ctx context.Context, by usecase.Caller, t admitto.TermType) (int64, error) {
	if err := by.Needs(admitto.AcademicTermsEdit); err != nil {
		return 0, err
	}
	given := t
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.TermTypeRow, ID: t.ID},
		check: func(c *checks) {
			t = given
			c.line("page.term_type.name", &t.Name, 1, mostLine)
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveTermType(&t) },
		recorded: func(made bool) admitto.Event {
			return about(either(made, admitto.TermTypeCreated, admitto.TermTypeEdited), t.ID)
		},
	})
	return t.ID, err
}
