package admitto

import (
	"errors"
	"testing"
)

// Every event in every state by every actor: "+" is allowed, "!" is not for this actor, "404" is not seen and
// "closed" is refused for the state (lifecycle.md 5.2).
func TestTaskStep(t *testing.T) {
	actors := []ActorKind{ByApplicant, ByAdministrator, ByKey, BySystem}
	states := []TaskState{TaskIsOpen, TaskIsClosed, TaskInTrash}
	for event, want := range map[TaskEvent][3][4]string{
		//             open: P A K S           closed                  in the trash
		TaskCreate:    {{"!", "+", "!", "+"}, {"!", "+", "!", "+"}, {"!", "404", "!", "404"}},
		TaskSave:      {{"+", "!", "!", "!"}, {"closed", "!", "!", "!"}, {"404", "!", "!", "!"}},
		TaskSetStatus: {{"!", "+", "+", "!"}, {"!", "+", "+", "!"}, {"!", "404", "404", "!"}},
		TaskTrash:     {{"!", "+", "!", "!"}, {"!", "+", "!", "!"}, {"!", "+", "!", "!"}},
		TaskRestore:   {{"!", "+", "!", "!"}, {"!", "+", "!", "!"}, {"!", "+", "!", "!"}},
		TaskDelete:    {{"!", "+", "+", "!"}, {"!", "+", "+", "!"}, {"!", "+", "+", "!"}},
		TaskRemind:    {{"!", "!", "!", "+"}, {"!", "!", "!", "+"}, {"!", "!", "!", "404"}},
		"paint":       {{"!", "!", "!", "!"}, {"!", "!", "!", "!"}, {"!", "!", "!", "!"}},
	} {
		for i, state := range states {
			for k, by := range actors {
				got := "+"
				err := TaskStep(event, state, by)
				var e *Error
				switch {
				case errors.As(err, &e) && e.Kind == NotPermitted:
					got = "!"
				case errors.As(err, &e) && e.Kind == NotFound:
					got = "404"
				case errors.As(err, &e) && e.Kind == NotAllowedNow && e.Faults[0].Code == "task-closed":
					got = "closed"
				}
				if got != want[i][k] {
					t.Errorf("%s, %s, by %s: %s, want %s", event, state, by, got, want[i][k])
				}
			}
		}
	}
}

func TestTaskState(t *testing.T) {
	for _, c := range []struct {
		task TaskCase
		want TaskState
	}{{TaskCase{}, TaskIsOpen}, {TaskCase{Closed: true}, TaskIsClosed}, {TaskCase{Trashed: 1}, TaskInTrash}, {TaskCase{Closed: true, Trashed: 1}, TaskInTrash}} {
		if got := c.task.State(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.task, got, c.want)
		}
	}
	template := TaskTemplate{Statuses: []TaskStatus{{Name: "a"}, {Name: "b", Default: true}}}
	if s, ok := template.DefaultStatus(); !ok || s.Name != "b" {
		t.Error(s, ok)
	}
	if _, ok := template.Status("c"); ok {
		t.Error("found c")
	}
	if _, ok := (&TaskTemplate{}).DefaultStatus(); ok {
		t.Error("found a default")
	}
}
