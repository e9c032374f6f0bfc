package query

import (
	"context"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Consents lists all consents by ascending ID, those not asked for any more among them (resources.md 4).
func (s *Service) Consents(ctx context.Context, by admitto.Caller) (list []admitto.Consent, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Consents)
}

// Consent reads one consent, or answers NotFound.
func (s *Service) Consent(ctx context.Context, by admitto.Caller, id int64) (c admitto.Consent, err error) {
	if err := by.SignedIn(); err != nil {
		return c, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Consent, error) { return tx.Consent(id) })
}

// Flags lists all flags by ascending ID (resources.md 6.1).
func (s *Service) Flags(ctx context.Context, by admitto.Caller) (list []admitto.Flag, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Flags)
}

// EventNames are the names of what events concern, by ID; what is gone has none.
type EventNames struct {
	Courses, Flags           map[int64]string
	Tasks, Documents, Sheets map[int64]string // for those who may see applications
	There                    map[int64]bool   // documents that were not removed
}

// EventNames reads the names of what events concern, as far as the caller may see it.
func (s *Service) EventNames(ctx context.Context, by admitto.Caller,
	records []admitto.Record) (n EventNames, err error) {
	if err := by.Staff(); err != nil {
		return n, err
	}
	var courses, tasks, documents, sheets []int64
	flagged := false
	add := func(list *[]int64, id int64) {
		if id != 0 {
			*list = append(*list, id)
		}
	}
	for i := range records {
		links := &records[i].Links
		add(&courses, links.Course)
		flagged = flagged || links.Flag != 0
		if by.Has(admitto.ApplicationsView) {
			add(&tasks, links.Task)
			add(&documents, links.Document)
			add(&sheets, links.Scoresheet)
		}
	}
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		n = EventNames{Courses: map[int64]string{}, Flags: map[int64]string{}}
		if len(courses) > 0 {
			named, err := tx.CourseNames(unique(courses))
			if err != nil {
				return err
			}
			for id, c := range named {
				n.Courses[id] = c.Name
			}
		}
		if n.Tasks, err = tx.TaskTitles(unique(tasks)); err != nil {
			return err
		}
		if n.Documents, n.There, err = tx.DocumentNames(unique(documents)); err != nil {
			return err
		}
		if n.Sheets, err = tx.ScoresheetNames(unique(sheets)); err != nil || !flagged {
			return err
		}
		flags, err := tx.Flags()
		for i := range flags {
			n.Flags[flags[i].ID] = flags[i].Name
		}
		return err
	})
	return n, err
}

// Questions lists the questions that forms of courses add, by ID.
func (s *Service) Questions(ctx context.Context, by admitto.Caller) (list []admitto.Question, err error) {
	if err := by.Staff(); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Questions)
}

// Flag reads one flag, or answers NotFound.
func (s *Service) Flag(ctx context.Context, by admitto.Caller, id int64) (f admitto.Flag, err error) {
	if err := by.Staff(); err != nil {
		return f, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Flag, error) { return tx.Flag(id) })
}

// StatusTexts lists how the application statuses are shown, in their order (resources.md 6.2).
func (s *Service) StatusTexts(ctx context.Context, by admitto.Caller) (list []admitto.StatusText, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).StatusTexts)
}

// OfferTypes lists all offer types by ascending ID, archived ones among them (resources.md 6.3).
func (s *Service) OfferTypes(ctx context.Context, by admitto.Caller) (list []admitto.OfferType, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).OfferTypes)
}

// OfferType reads one offer type, or answers NotFound.
func (s *Service) OfferType(ctx context.Context, by admitto.Caller, id int64) (t admitto.OfferType, err error) {
	if err := by.Staff(); err != nil {
		return t, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.OfferType, error) { return tx.OfferType(id) })
}

// Administrators lists the members of staff by ascending ID, suspended ones among them, removed ones not
// (resources.md 22).
func (s *Service) Administrators(ctx context.Context, by admitto.Caller) (list []admitto.Administrator, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Administrators)
}

// Officers lists the administrators who can work on applications, by ascending ID: they may sign in and see them.
func (s *Service) Officers(ctx context.Context, by admitto.Caller) (list []admitto.Administrator, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.Administrator, error) {
		return s.core.Administrators(tx, admitto.ApplicationsView)
	})
}

// Administrator reads one member of staff; not-found when removed.
func (s *Service) Administrator(ctx context.Context, by admitto.Caller, id int64) (a admitto.Administrator, err error) {
	if err := by.Staff(); err != nil {
		return a, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Administrator, error) { return tx.Administrator(id) })
}

// Classificators lists all classes in order, the two that are computed from the institutions in their places
// (resources.md 18). Codes that are switched off are among them.
func (s *Service) Classificators(ctx context.Context, by admitto.Caller) (list []admitto.Classificator, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.Classificator,
		error) {
		return ReadClassificators(tx)
	})
}

// ReadClassificators reads what Classificators returns.
func ReadClassificators(tx *store.Tx) (list []admitto.Classificator, err error) {
	if list, err = tx.Classificators(); err != nil {
		return nil, err
	}
	for _, computed := range []struct {
		number      int
		class, mode string
	}{{admitto.HomeInstitutions, "Home institution", "External"}, {admitto.HostInstitutions, "Host institution",
		"Internal"}} {
		institutions, err := tx.Institutions(admitto.InstitutionQuery{Statuses: []string{"Online"},
			Modes: []string{computed.mode}})
		if err != nil {
			return nil, err
		}
		list = withInstitutions(list, computed.number, computed.class, institutions)
	}
	return list, nil
}

// withInstitutions puts the codes of institutions before the stored ones of a class, which comes to be when
// it has none stored. A code stands once: institutions that share an Erasmus code go by the one with the
// lowest ID, so that the code keeps its meaning when others come and go.
func withInstitutions(list []admitto.Classificator, number int, class string,
	institutions []admitto.Institution) []admitto.Classificator {
	at := slices.IndexFunc(list, func(c admitto.Classificator) bool { return c.Class == class })
	if at < 0 {
		at = min(number-1, len(list))
		list = slices.Insert(list, at, admitto.Classificator{Number: int64(number), Class: class})
	}
	stored, seen := list[at].Codes, map[string]bool{}
	for _, c := range stored {
		seen[c.Code] = true
	}
	var codes []admitto.ClassificatorCode
	for _, i := range institutions {
		code := i.Erasmus
		if code == "" {
			code = strconv.FormatInt(i.ID, 10)
		}
		if !seen[code] {
			seen[code] = true
			codes = append(codes, admitto.ClassificatorCode{Code: code, Title: i.Name})
		}
	}
	list[at].Codes = append(codes, stored...)
	return list
}

// TrackerUse is how many applicants each tracker has been set on; those without any are not in it.
func (s *Service) TrackerUse(ctx context.Context, by admitto.Caller) (map[int64]int64, error) {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).TrackerUse)
}

// FlagUse is how many applications carry each flag; flags that none carries are not in it.
func (s *Service) FlagUse(ctx context.Context, by admitto.Caller) (map[int64]int64, error) {
	if err := by.Needs(admitto.FlagsEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).FlagUse)
}

// CourseUse is how many applications name each of the courses; courses of none are not in it.
func (s *Service) CourseUse(ctx context.Context, by admitto.Caller, courses []int64) (map[int64]int64, error) {
	if err := by.Needs(admitto.CoursesEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (map[int64]int64, error) { return tx.CourseUse(courses) })
}

// OfferTypeUse is how many offers were confirmed with each type; types of none are not in it.
func (s *Service) OfferTypeUse(ctx context.Context, by admitto.Caller) (map[int64]int64, error) {
	if err := by.Needs(admitto.OfferTypesEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).OfferTypeUse)
}

// KeptConsents lists the consents as staff keep them, with how many applicants have decided about the current text.
func (s *Service) KeptConsents(ctx context.Context, by admitto.Caller) ([]admitto.KeptConsent, error) {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).KeptConsents)
}
