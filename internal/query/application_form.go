package query

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ApplicationForm is what an applicant filled in, with what is known of it.
type ApplicationForm struct {
	Content    form.Content // without what the caller may not see
	Missing    []string     // as form.Content.Missing lists it
	Required   form.RequiredSet
	Frozen     map[string]bool
	Questions  []admitto.Question // those that the courses ask, and those that are answered
	RowVersion int64              // of the application
}

// IsFrozen reports whether the applicant can no longer change the value at a path.
func (f *ApplicationForm) IsFrozen(path string) bool { return f.Frozen["/"+path] }

// ApplicationForm reads the form of an application as staff see it, or as its applicant does; not-found without the
// application.
func (s *Service) ApplicationForm(ctx context.Context, by admitto.Caller, id int64) (f ApplicationForm, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return f, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, id); err != nil {
			return err
		}
		f, err = readForm(tx, by, id)
		return err
	})
	return f, err
}

// readForm reads the form of an application that the caller may see.
func readForm(tx *store.Tx, by admitto.Caller, id int64) (f ApplicationForm, err error) {
	f.Frozen = map[string]bool{}
	content, err := tx.ApplicationContent(id)
	if err != nil {
		return f, err
	}
	courses, err := tx.CoursesOfApplications([]int64{id})
	if err != nil {
		return f, err
	}
	var ids []int64
	for _, c := range courses[id] {
		ids = append(ids, c.Course)
	}
	stored, err := tx.CourseForms(ids)
	if err != nil {
		return f, err
	}
	required := make([]form.Requirements, len(stored))
	for i, text := range stored {
		if required[i], err = form.ParseRequirements(text); err != nil {
			return f, err
		}
	}
	f.Content, f.Missing, f.Required = content, content.Missing(required), form.RequiredBy(required)
	if by.Actor.Kind != admitto.ByApplicant {
		f.Content = content.VisibleTo(by)
	}
	if f.Questions, err = questionsOf(tx, &f); err != nil {
		return f, err
	}
	if f.RowVersion, err = tx.RowVersion(admitto.Row{Kind: admitto.ApplicationRow, ID: id}); err != nil {
		return f, err
	}
	frozen, err := tx.FrozenEntries(id)
	for _, path := range frozen {
		f.Frozen[path] = true
	}
	return f, err
}

// questionsOf are the questions that the form shows.
func questionsOf(tx *store.Tx, f *ApplicationForm) (list []admitto.Question, err error) {
	asked := f.Required.Questions()
	if len(asked)+len(f.Content.Extras) == 0 {
		return nil, nil
	}
	all, err := tx.Questions()
	for i := range all {
		id := all[i].ID
		if slices.Contains(asked, id) || slices.ContainsFunc(f.Content.Extras,
			func(e admitto.Extra) bool { return e.ID == id }) {
			list = append(list, all[i])
		}
	}
	return list, err
}
