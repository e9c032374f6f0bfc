package admitto

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/message"
)

// Task asks an applicant for something.
type Task struct {
	ID, Application                        int64
	Created, Reminded, Committed, Resolved Time
	Class, Title, Status                   string
	NotesApplicant, NotesAdministrator     string
}

// TaskCase is a task with what decisions about it need; State is computed from it, and SaveTask writes it back, so that
// it is no row of a list.
type TaskCase struct {
	Task
	Template, Course int64 // Course 0: of the whole application
	Deadline         Date
	Trashed          Time
	Closed           bool
	Shared           bool // the note of staff is for the applicant
	RowVersion       int64
}

// State tells in which state of the table of TaskStep the task is.
func (t *TaskCase) State() TaskState {
	switch {
	case t.Trashed != 0:
		return TaskInTrash
	case t.Closed:
		return TaskIsClosed
	}
	return TaskIsOpen
}

// RuleAction is that a rule has acted on a record at an occurrence, so that it does so only once (lifecycle.md 11.2).
type RuleAction struct {
	Rule       string
	Record     int64
	Occurrence string
	Done       Time
	Version    int64 // of the rule
}

// TaskCause is the rule under which it is remembered that a trigger has made a task of an application.
const TaskCause = "task-cause"

// TaskOccurrence names the task that a template makes for a course of an application, 0 for all of them.
func TaskOccurrence(template, course int64) string {
	return strconv.FormatInt(template, 10) + "/" + strconv.FormatInt(course, 10)
}

// TaskState is what decides who may do what with a task.
type TaskState string

// The states of a task. A closed one is closed to the applicant only.
const (
	TaskIsOpen   TaskState = "open"
	TaskIsClosed TaskState = "closed"
	TaskInTrash  TaskState = "trash"
)

// TaskStatus is one status of a task template with its switches (lifecycle.md 5.1), or one that only a single task
// has, which has all switches off (K3).
type TaskStatus struct {
	Name, Title, Description string
	Public                   bool // the applicant may choose it
	Default                  bool // of new tasks; exactly one of a template
	Blocks                   bool // stops the submission
	Resolves                 bool
	Closes                   bool // the applicant can no longer change the task
	RequiresDocument         bool
	Tells                    bool // the applicant is told when staff set it
	RemindDays               int  // between two reminders; 0: none
	RemindMaxDays            int  // for how long reminders go on
}

// TaskTemplate is what tasks are made from (lifecycle.md 5.1).
type TaskTemplate struct {
	ID                             int64
	Class, Title                   string
	Instructions, ForStaff         string
	Cause                          string // none, created, submitted or confirmed
	Active                         bool   // an inactive one makes no new tasks
	Mails                          bool   // the applicant is told of a new task
	AllowsComments, AllowsDocument bool
	MaxDocuments                   int
	Freezable                      bool
	DeadlineDays                   int64 // after its creation; below 0: no deadline
	AllCourses                     bool
	Courses                        []int64  // unless AllCourses
	PerCourse                      bool     // one task for each course of the application, not one for all of them
	DocumentKinds                  []string // that applicants hand in, as package filekind groups them; none: all
	Versions                       Versions // of title, instructions, and the titles and descriptions of statuses
	OfferTypes                     []int64  // of the cause confirmed; none: any type
	Statuses                       []TaskStatus
}

// StatusVersion is what the title of a status is called among the texts of a template, and AboutVersion what its
// description is.
func StatusVersion(status string) string { return "status " + status }

// AboutVersion is what the description of a status is called among the texts of a template.
func AboutVersion(status string) string { return "about " + status }

// In is the template with its texts in a language, as far as it has versions of them (lifecycle.md R11).
func (t *TaskTemplate) In(lang string) *TaskTemplate {
	said := *t
	said.Title, _ = t.Versions.In(lang, "title", t.Title)
	said.Instructions, _ = t.Versions.In(lang, "instructions", t.Instructions)
	said.Statuses = slices.Clone(t.Statuses)
	for i := range said.Statuses {
		s := &said.Statuses[i]
		s.Title, _ = t.Versions.In(lang, StatusVersion(s.Name), s.Title)
		s.Description, _ = t.Versions.In(lang, AboutVersion(s.Name), s.Description)
	}
	return &said
}

// Status finds a status of the template by its name.
func (t *TaskTemplate) Status(name string) (TaskStatus, bool) {
	return t.statusBy(func(s string) bool { return s == name })
}

// StatusLike finds a status of the template by its name, or else by its name without letter case (resources.md 8).
func (t *TaskTemplate) StatusLike(name string) (TaskStatus, bool) {
	if s, exact := t.Status(name); exact {
		return s, true
	}
	return t.statusBy(func(s string) bool { return strings.EqualFold(s, name) })
}

func (t *TaskTemplate) statusBy(is func(name string) bool) (TaskStatus, bool) {
	for _, s := range t.Statuses {
		if is(s.Name) {
			return s, true
		}
	}
	return TaskStatus{}, false
}

// DefaultStatus is the status of new tasks.
func (t *TaskTemplate) DefaultStatus() (TaskStatus, bool) {
	for _, s := range t.Statuses {
		if s.Default {
			return s, true
		}
	}
	return TaskStatus{}, false
}

// TaskEvent is something that may happen to a task (lifecycle.md 5.2).
type TaskEvent string

// The events, by their numbers.
const (
	TaskCreate    TaskEvent = "create"     // K1
	TaskSave      TaskEvent = "save"       // K2, by the applicant
	TaskSetStatus TaskEvent = "set status" // K3
	TaskTrash     TaskEvent = "trash"      // K4
	TaskRestore   TaskEvent = "restore"    // K4
	TaskDelete    TaskEvent = "delete"     // K5
	TaskRemind    TaskEvent = "remind"     // K6
)

// taskActors says whose each event is.
func taskActors(event TaskEvent) []ActorKind {
	switch event {
	case TaskCreate:
		return []ActorKind{ByAdministrator, BySystem}
	case TaskSave:
		return []ActorKind{ByApplicant}
	case TaskSetStatus, TaskDelete:
		return []ActorKind{ByAdministrator, ByKey}
	case TaskTrash, TaskRestore:
		return []ActorKind{ByAdministrator}
	case TaskRemind:
		return []ActorKind{BySystem}
	}
	return nil
}

// TaskStep reports whether an actor may let an event happen to a task in this state (lifecycle.md 5.2); the state of a
// task to create is TaskIsOpen. Errors: not-permitted for somebody else's event; not-found for a task in the trash,
// which only being trashed, restored and deleted see; not-allowed-now with the code task-closed.
func TaskStep(event TaskEvent, state TaskState, by ActorKind) error {
	allowed := false
	for _, kind := range taskActors(event) {
		allowed = allowed || kind == by
	}
	if !allowed {
		return Refused(NotPermitted, message.Of("task-not-yours"))
	}
	seesTrash := event == TaskTrash || event == TaskRestore || event == TaskDelete
	switch {
	case state == TaskInTrash && !seesTrash:
		return &Error{Kind: NotFound}
	case state == TaskIsClosed && event == TaskSave:
		return &Error{Kind: NotAllowedNow, Text: message.Of("task-unchangeable"),
			Faults: []Fault{{Code: "task-closed", Text: message.Of("task-closed")}}}
	}
	return nil
}
