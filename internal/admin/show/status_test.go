package show_test

import (
	"testing"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// TestTask has the tag of every state of a task: what was refused never looks like what was accepted.
func TestTask(t *testing.T) {
	const at admitto.Time = 1
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	r := &site.Request{Locale: catalogue.Locale("en")}
	for _, c := range []struct {
		task  admitto.Task
		tells bool
		icon  string
		tone  ui.Tone
	}{
		{admitto.Task{}, false, "clock", ""},
		{admitto.Task{Committed: at}, false, "inbox", ui.Info},
		{admitto.Task{Committed: at}, true, "rotate-ccw", ui.Warn},
		{admitto.Task{Committed: at, Resolved: at}, false, "check", ui.OK},
		{admitto.Task{Committed: at, Resolved: at}, true, "circle-x", ui.Bad},
	} {
		tag := show.Task(r, "Status", &c.task, c.tells)
		if tag.Text != "Status" || tag.Icon != c.icon || tag.Tone != c.tone {
			t.Errorf("%+v, told %v: %+v", c.task, c.tells, tag)
		}
	}
}
