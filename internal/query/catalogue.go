package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Institutions lists the institutions of the query by ascending ID (resources.md 14).
func (s *Service) Institutions(ctx context.Context, by admitto.Caller,
	q admitto.InstitutionQuery) (list []admitto.Institution, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.Institution, error) { return tx.Institutions(q) })
}

// Institution reads one institution, or answers NotFound.
func (s *Service) Institution(ctx context.Context, by admitto.Caller, id int64) (i admitto.Institution, err error) {
	if err := by.SignedIn(); err != nil {
		return i, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Institution, error) { return tx.Institution(id) })
}

// Departments lists the departments of an institution by ascending ID; not-found without the institution.
func (s *Service) Departments(ctx context.Context, by admitto.Caller, institution int64) (list []admitto.Department,
	err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if _, err := tx.Institution(institution); err != nil {
			return err
		}
		list, err = tx.Departments(institution)
		return err
	})
	return list, err
}

// Department reads one department; not-found without the institution, or when it belongs to another one.
func (s *Service) Department(ctx context.Context, by admitto.Caller, institution, id int64) (d admitto.Department,
	err error) {
	if err := by.SignedIn(); err != nil {
		return d, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Department,
		error) {
		return tx.Department(institution, id)
	})
}

// Courses lists the courses of the query, with their intakes, by ascending ID (resources.md 15).
func (s *Service) Courses(ctx context.Context, by admitto.Caller, q admitto.CourseQuery) (list []admitto.Course,
	err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.Course, error) { return tx.Courses(q) })
}

// Course reads one course with its intakes, or answers NotFound.
func (s *Service) Course(ctx context.Context, by admitto.Caller, id int64) (c admitto.Course, err error) {
	if err := by.SignedIn(); err != nil {
		return c, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Course, error) { return tx.Course(id) })
}

// Intakes lists the intakes by ascending ID, each with its term and its deadlines by territory (resources.md 16).
func (s *Service) Intakes(ctx context.Context, by admitto.Caller) (list []admitto.Intake, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Intakes)
}

// Intake reads one intake, or answers NotFound.
func (s *Service) Intake(ctx context.Context, by admitto.Caller, id int64) (i admitto.Intake, err error) {
	if err := by.SignedIn(); err != nil {
		return i, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Intake, error) { return tx.Intake(id) })
}

// Regions lists the territories between country and world, in their order.
func (s *Service) Regions(ctx context.Context, by admitto.Caller) (list []admitto.Region, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Regions)
}

// Terms lists the academic terms by ascending ID (resources.md 17).
func (s *Service) Terms(ctx context.Context, by admitto.Caller) (list []admitto.Term, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Terms)
}

// Term reads one academic term, or answers NotFound.
func (s *Service) Term(ctx context.Context, by admitto.Caller, id int64) (t admitto.Term, err error) {
	if err := by.SignedIn(); err != nil {
		return t, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Term, error) { return tx.Term(id) })
}

// ApplicationsOfTerm counts the applications that expire with the last day for applying of a term: those that are not
// closed, and that nothing keeps open.
func (s *Service) ApplicationsOfTerm(ctx context.Context, by admitto.Caller, term int64) (int64, error) {
	if err := by.Needs(admitto.AcademicTermsEdit); err != nil {
		return 0, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (int64, error) { return tx.OpenOfTerm(term) })
}

// ApplicationsOfTerms counts the applications of each term.
func (s *Service) ApplicationsOfTerms(ctx context.Context, by admitto.Caller, terms []admitto.Term) (n map[int64]int64,
	err error) {
	if err := by.Needs(admitto.AcademicTermsEdit); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		n = map[int64]int64{}
		for i := range terms {
			id := terms[i].ID
			if n[id], err = tx.CountApplications(admitto.ApplicationQuery{TermIDs: []int64{id}}); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// TermTypes lists the kinds of terms by ascending ID.
func (s *Service) TermTypes(ctx context.Context, by admitto.Caller) (list []admitto.TermType, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).TermTypes)
}

// TermType reads one kind of terms, or answers NotFound.
func (s *Service) TermType(ctx context.Context, by admitto.Caller, id int64) (t admitto.TermType, err error) {
	if err := by.SignedIn(); err != nil {
		return t, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.TermType, error) { return tx.TermType(id) })
}

// Years lists the academic years, ascending.
func (s *Service) Years(ctx context.Context, by admitto.Caller) (list []admitto.Year, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Years)
}

// Year reads one academic year, or answers NotFound.
func (s *Service) Year(ctx context.Context, by admitto.Caller, year int64) (y admitto.Year, err error) {
	if err := by.SignedIn(); err != nil {
		return y, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Year, error) { return tx.Year(year) })
}
