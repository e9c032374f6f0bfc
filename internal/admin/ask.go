package admin

import (
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

const doneTone = ui.OK

// ask is a question before something happens: the name of its action names title and button.
type ask struct {
	action  string // of the table of routes
	text    string // what happens
	effects []ui.Effect
	undo    string // whether it can be undone
	done    string // message for afterwards
	back    string // address for afterwards, and for those who do not want it
	danger  bool
}

func (a ask) page(r *site.Request) ui.Confirmation {
	return ui.Confirmation{Title: r.Title(), Text: a.text, Effects: a.effects, Undo: a.undo,
		Confirm: ui.Button{Text: r.T("action." + a.action), Primary: !a.danger, Danger: a.danger, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: a.back}}
}
