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
	Asked      form.Asked   // what the courses ask for together
	Frozen     map[string]bool
	Questions  []admitto.Question // those that the courses ask, then those that are answered and no longer asked
	AskedBy    map[int64]int64    // the course that asks a question, by both IDs
	Documents  []admitto.File     // where a question asks for one
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
	if f.Asked, err = tx.Asked(ids); err != nil {
		return f, err
	}
	f.AskedBy = map[int64]int64{}
	for _, question := range f.Asked.Questions() {
		n, _ := f.Asked.AskedBy(question)
		f.AskedBy[question] = ids[n]
	}
	f.Content, f.Missing = content, content.Missing(&f.Asked)
	if by.Actor.Kind != admitto.ByApplicant {
		f.Content = content.VisibleTo(by)
	}
	if f.Questions, err = questionsOf(tx, &f); err != nil {
		return f, err
	}
	if slices.ContainsFunc(f.Questions, asksForFile) {
		documents, err := tx.DocumentsOf([]int64{id})
		if err != nil {
			return f, err
		}
		f.Documents = documents[id]
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

// questionsOf are the questions that the form shows: those that courses ask in their order, then those that are
// answered and no longer asked.
func questionsOf(tx *store.Tx, f *ApplicationForm) (list []admitto.Question, err error) {
	ids := slices.Clone(f.Asked.Questions())
	for i := range f.Content.Extras {
		if id := f.Content.Extras[i].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := tx.Questions()
	for _, id := range ids {
		at := slices.IndexFunc(all, func(q admitto.Question) bool { return q.ID == id })
		if at >= 0 {
			list = append(list, all[at])
		}
	}
	return list, err
}

// asksForFile reports whether a question, or one of a custom section, asks for a document.
func asksForFile(q admitto.Question) bool {
	return q.Type == admitto.ExtraFile || slices.ContainsFunc(q.Fields, asksForFile)
}
