package query

import (
	"cmp"
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// CardTask is a task with what staff do it by.
type CardTask struct {
	admitto.TaskCase
	Template  *admitto.TaskTemplate // without courses and offer types
	Statuses  []admitto.TaskStatus  // of the template, and those that only this task has
	Documents []store.CardDocument
}

// Blocks reports whether the task stops the submission.
func (t *CardTask) Blocks() bool {
	s, _ := t.Template.Status(t.Status)
	return s.Blocks && t.Trashed == 0
}

// IsHandedIn reports whether the applicant has done their part: the status is one that applicants choose, and not the
// one that every task begins with.
func (t *CardTask) IsHandedIn() bool {
	s, _ := t.Template.Status(t.Status)
	return s.Public && !s.Default
}

// Tells reports whether the applicant is told of the status when staff set it.
func (t *CardTask) Tells() bool {
	s, _ := t.Template.Status(t.Status)
	return s.Tells
}

// StatusTitle is the status as people read it.
func (t *CardTask) StatusTitle() string {
	s, _ := t.Template.Status(t.Status)
	return cmp.Or(s.Title, t.Status)
}

// CardDocument is a document with who sent it and what for.
type CardDocument struct {
	store.CardDocument
	By admitto.Actor // the zero Actor: not known
}

// CardPapers are the tasks and the documents of an application.
type CardPapers struct {
	Tasks     []CardTask // by ID, those in the trash included
	Documents []CardDocument
	Staff     map[int64]string // names of those who sent documents
}

// Task finds a task by its ID, nil for none.
func (p *CardPapers) Task(id int64) *CardTask {
	for i := range p.Tasks {
		if p.Tasks[i].ID == id {
			return &p.Tasks[i]
		}
	}
	return nil
}

// mostUploads is how many events about uploads are looked at: those of all documents that an application may have, and
// of as many that were removed again.
const mostUploads = 4 * admitto.MaxDocuments

// CardPapers reads the tasks and the documents of an application; not-found without the application.
func (s *Service) CardPapers(ctx context.Context, by admitto.Caller, application int64) (p CardPapers, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return p, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		p = CardPapers{}
		documents, err := tx.CardDocuments(application)
		if err != nil {
			return err
		}
		if p.Tasks, err = readTasks(tx, application, documents); err != nil {
			return err
		}
		sent, err := uploads(tx, application, len(documents))
		if err != nil {
			return err
		}
		var staff []int64
		for _, d := range documents {
			actor := sent[d.ID]
			p.Documents = append(p.Documents, CardDocument{d, actor})
			if actor.Kind == admitto.ByAdministrator {
				staff = append(staff, actor.ID)
			}
		}
		p.Staff, err = tx.AdministratorNames(unique(staff))
		return err
	})
	return p, err
}

// readTasks reads the tasks of an application with their templates, and gives each its documents.
func readTasks(tx *store.Tx, application int64, documents []store.CardDocument) ([]CardTask, error) {
	cases, err := tx.TaskCasesOf(application)
	if err != nil || len(cases) == 0 {
		return nil, err
	}
	var ids []int64
	for i := range cases {
		ids = append(ids, cases[i].Template)
	}
	templates, err := tx.TaskTemplatesByID(unique(ids))
	if err != nil {
		return nil, err
	}
	own, err := tx.OwnTaskStatuses(application)
	if err != nil {
		return nil, err
	}
	list := make([]CardTask, len(cases))
	for i := range cases {
		t := CardTask{TaskCase: cases[i], Template: templates[cases[i].Template]}
		t.Statuses = append(t.Statuses, t.Template.Statuses...)
		for _, name := range own[t.ID] {
			t.Statuses = append(t.Statuses, admitto.TaskStatus{Name: name, Title: name})
		}
		for _, d := range documents {
			if d.Task == t.ID {
				t.Documents = append(t.Documents, d)
			}
		}
		list[i] = t
	}
	return list, nil
}

// OwnTask is a task as the list of its applicant has it, without documents and without statuses.
type OwnTask struct {
	CardTask
	Term admitto.Term // of its application
	Open bool         // it waits for the applicant
	Over bool         // its application is: nothing is done about it any more
}

// TasksOfApplicant lists the tasks of an applicant, whatever the application, a page at a time and those to do first
// (screens.md P18), and counts them.
func (s *Service) TasksOfApplicant(ctx context.Context, by admitto.Caller, applicant int64, limit,
	offset int) (list []OwnTask, total int64, err error) {
	if err := by.Owns(applicant); err != nil {
		return nil, 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list = nil
		var tasks []store.OwnTask
		if tasks, total, err = tx.TasksOfApplicant(applicant, s.core.Today(tx), limit, offset); err != nil {
			return err
		}
		var ids []int64
		for i := range tasks {
			ids = append(ids, tasks[i].Template)
		}
		if ids == nil {
			return nil
		}
		templates, err := tx.TaskTemplatesByID(unique(ids))
		if err != nil {
			return err
		}
		all, err := tx.Terms()
		if err != nil {
			return err
		}
		terms := map[int64]admitto.Term{}
		for _, term := range all {
			terms[term.ID] = term
		}
		for _, t := range tasks {
			list = append(list, OwnTask{CardTask{TaskCase: t.TaskCase, Template: templates[t.Template]}, terms[t.Term],
				t.Open, t.Over})
		}
		return nil
	})
	return list, total, err
}

// uploads finds in the journal who sent each document.
func uploads(tx *store.Tx, application int64, n int) (map[int64]admitto.Actor, error) {
	sent := map[int64]admitto.Actor{}
	if n == 0 {
		return sent, nil
	}
	_, err := tx.EachRecord(admitto.JournalQuery{ApplicationIDs: []int64{application}, NewestFirst: true,
		Limit:  mostUploads,
		Events: []admitto.EventFilter{{Pattern: admitto.DocumentUploaded}, {Pattern: admitto.DocumentUploadedToTask}}},
		func(r *admitto.Record) error {
			sent[r.Links.Document] = r.Actor
			return nil
		})
	return sent, err
}

// ActiveTemplates lists the templates that staff can make tasks of, by title.
func (s *Service) ActiveTemplates(ctx context.Context, by admitto.Caller) (list []admitto.TaskTemplate, err error) {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		templates, err := tx.TaskTemplatesByID(nil)
		list = nil
		for _, t := range templates {
			list = append(list, *t)
		}
		sortByTitle(list)
		return err
	})
	return list, err
}

func sortByTitle(list []admitto.TaskTemplate) {
	slices.SortFunc(list, func(a, b admitto.TaskTemplate) int {
		return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.ID, b.ID))
	})
}
