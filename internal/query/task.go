package query

import (
	"cmp"
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Tasks lists the tasks of an application by ID (resources.md 8), without those in the trash; not-found without
// the application.
func (s *Service) Tasks(ctx context.Context, by admitto.Caller, application int64) (list []admitto.Task, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		all, err := tx.TasksOf([]int64{application})
		list = all[application]
		return err
	})
	return list, err
}

// Task reads one task of an application; not-found as well when it is in the trash or one of another
// application.
func (s *Service) Task(ctx context.Context, by admitto.Caller, application, id int64) (t admitto.Task, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return t, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		t, err = tx.Task(application, id)
		return err
	})
	return t, err
}

// TaskDocuments lists the documents that are attached to a task, by ID (resources.md 24.6); not-found without
// the application or the task.
func (s *Service) TaskDocuments(ctx context.Context, by admitto.Caller, application, task int64) (list []admitto.File,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		if _, err := tx.Task(application, task); err != nil {
			return err
		}
		list, err = tx.DocumentsOfTask(task)
		return err
	})
	return list, err
}

// TaskDocument reads one document of a task; not-found as well when it is not attached to it.
func (s *Service) TaskDocument(ctx context.Context, by admitto.Caller, application, task, id int64) (admitto.File,
	error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return admitto.File{}, err
	}
	list, err := s.TaskDocuments(ctx, by, application, task)
	if err != nil {
		return admitto.File{}, err
	}
	for _, f := range list {
		if f.ID == id {
			return f, nil
		}
	}
	return admitto.File{}, &admitto.Error{Kind: admitto.NotFound}
}

// TaskClass is a task template with its statuses.
type TaskClass = store.TaskClass

// TaskClasses are task templates.
type TaskClasses []TaskClass

// StatusTitle is a status as people read it: the title that the first template with it has.
func (l TaskClasses) StatusTitle(name string) string {
	for i := range l {
		if title := l[i].StatusTitle(name); title != name {
			return title
		}
	}
	return name
}

// TaskClasses lists all task templates with their statuses, by ID.
func (s *Service) TaskClasses(ctx context.Context, by admitto.Caller) (list TaskClasses, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).TaskClasses)
}

// TaskCount is how many tasks of a template are in a status.
type TaskCount struct {
	Template int64
	Status   string
	N        int64
}

// TaskCounts counts the tasks of a term by template and status, by the ID of the template, the most first; term 0 is
// all. The store keeps all of them. The list behind each: the term, Templates and Statuses.
func (s *Service) TaskCounts(ctx context.Context, by admitto.Caller, term int64) (list []TaskCount, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return nil, err
	}
	var cells []store.TaskCell
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		cells, err = tx.TaskCells(term)
		return err
	})
	sums := map[TaskCount]int64{}
	for _, c := range cells {
		sums[TaskCount{Template: c.Template, Status: c.Status}] += c.N
	}
	for c, n := range sums {
		c.N = n
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b TaskCount) int {
		return cmp.Or(cmp.Compare(a.Template, b.Template), cmp.Compare(b.N, a.N), cmp.Compare(a.Status, b.Status))
	})
	return list, err
}

// TaskRow is a task in a list of staff.
type TaskRow struct {
	store.ListedTask
	Name      admitto.Name       // of the applicant
	Courses   []store.CourseName // that the task is for, by priority
	OwnCourse bool               // it is for this course only, and not for the whole application
}

// TaskPage is one page of a list of tasks.
type TaskPage struct {
	ListPage
	Rows []TaskRow
}

// BrowseTasks returns a page of tasks as staff see them (screens.md A23), by deadline and ID.
func (s *Service) BrowseTasks(ctx context.Context, by admitto.Caller, q admitto.TaskQuery,
	p admitto.BrowsePage) (page TaskPage,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return page, err
	}
	p = pageOf(p, admitto.TaskSorts())
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		q.Today = s.core.Today(tx)
		found, err := tx.ListTasks(q, p)
		if err != nil {
			return err
		}
		page.ListPage = listPage(&found)
		page.Rows, err = taskRows(tx, found.IDs)
		return err
	})
	return page, err
}

// taskRows reads what the rows show, one statement for each kind.
func taskRows(tx *store.Tx, ids []int64) (rows []TaskRow, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	listed, err := tx.ListedTasks(ids)
	if err != nil {
		return nil, err
	}
	var people, applications, taken []int64
	for _, t := range listed {
		people, applications = append(people, t.Applicant), append(applications, t.Application)
		if t.Course != 0 {
			taken = append(taken, t.Course)
		}
	}
	applicants, err := tx.VisibleApplicants(unique(people))
	if err != nil {
		return nil, err
	}
	courses, err := tx.CoursesOfApplications(unique(applications))
	if err != nil {
		return nil, err
	}
	for _, list := range courses {
		slices.SortFunc(list, func(a, b admitto.ApplicationCourse) int { return a.Priority - b.Priority })
		for _, c := range list {
			taken = append(taken, c.Course)
		}
	}
	names, err := tx.CourseNames(unique(taken))
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		t := listed[id]
		if t == nil {
			continue
		}
		row := TaskRow{ListedTask: *t, OwnCourse: t.Course != 0}
		if p := applicants[t.Applicant]; p != nil {
			row.Name = p.Name
		}
		if row.OwnCourse {
			row.Courses = []store.CourseName{names[t.Course]}
		} else {
			for _, c := range courses[t.Application] {
				row.Courses = append(row.Courses, names[c.Course])
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// TaskNeighbours returns the tasks before and after one in a list, 0 for none, whether the task itself is in the list
// or not.
func (s *Service) TaskNeighbours(ctx context.Context, by admitto.Caller, q admitto.TaskQuery, descending bool,
	id int64) (previous, next int64, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return 0, 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		q.Today = s.core.Today(tx)
		previous, next, err = tx.TaskNeighbours(q, descending, id)
		return err
	})
	return previous, next, err
}

// CountTasks counts the tasks of a query: exactly, or with more that they are more.
func (s *Service) CountTasks(ctx context.Context, by admitto.Caller,
	q admitto.TaskQuery) (n int64, more bool, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return 0, false, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		q.Today = s.core.Today(tx)
		found, err := tx.CountListedTasks(q)
		n, more = found.N, found.More
		return err
	})
	return n, more, err
}

// ApplicationOfTask returns the application of a task that lists show; not-found for others.
func (s *Service) ApplicationOfTask(ctx context.Context, by admitto.Caller, id int64) (application int64, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		t, err := tx.ListedTask(id)
		application = t.Application
		return err
	})
	return application, err
}
