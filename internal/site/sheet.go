package site

import (
	"embed"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/ui"
)

//go:embed pages/*.html
var sharedFiles embed.FS

// Sheet is a page of components one below the other: template "sheet".
type Sheet struct {
	Title   string
	Lang    string // of the title, where it is not that of the page
	Intro   []string
	Lead    *ui.Words // below the title, in the place of Intro where it may stand in another language
	Buttons []ui.Button
	Errors  ui.ErrorSummary // of a form that is not the first part
	Parts   []ui.Component
}

// Show answers with the sheet; without a title it has that of its route. What is wrong with a form further down comes
// first: it is seen and focused without scripts, too (screens.md U7).
func (s Sheet) Show(r *Request) error {
	for i, part := range s.Parts {
		if box, is := part.(ui.FormBox); is && i > 0 && len(box.Head.Errors.Faults) > 0 {
			s.Errors, box.Head.Errors = box.Head.Errors, ui.ErrorSummary{}
			s.Parts = slices.Clone(s.Parts)
			s.Parts[i] = box
			break
		}
	}
	if s.Title == "" {
		s.Title, s.Lang = r.Title(), r.titleLang
	}
	return r.Show("sheet", s)
}

// ListPage is a page with a list and, where it has filters, their pane: template "list".
type ListPage struct {
	Filters *ui.Filters
	Head    ui.ListHead
	Above   []ui.Component
	Chips   ui.Chips
	Table   ui.Table
	Pager   *ui.Pager
}

// Show answers with the list.
func (l ListPage) Show(r *Request) error {
	l.Table.Places = true
	return r.Show("list", l)
}

// CardPage is a page of a record with tabs: template "card".
type CardPage struct {
	Head  ui.CardHead
	Tabs  ui.Tabs
	Parts []ui.Component
}

// Show answers with the card.
func (c CardPage) Show(r *Request) error { return r.Show("card", c) }

// Ask answers with a page that asks before something happens (screens.md U6).
func (r *Request) Ask(c ui.Confirmation) error {
	if c.Action == "" {
		c.Action = r.URL.RequestURI()
	}
	for _, part := range c.Fields {
		if head, is := part.(ui.FormHead); is {
			c.Discard = head.Discard
		}
	}
	return r.Show("confirm", c)
}

// Box is the form with its fields and buttons. Those that forget files, or what was typed before, stand last: Enter
// presses the first one.
func (f *Form) Box(buttons []ui.Button, parts ...ui.Component) ui.FormBox {
	for i := range buttons {
		if f.press == "" && buttons[i].Href == "" {
			f.press = buttons[i].Text
		}
	}
	head := f.Head()
	buttons = append(slices.Clip(buttons), f.discards...)
	if head.Discard != nil {
		buttons = append(buttons, *head.Discard)
	}
	return ui.FormBox{Head: head, Parts: parts, Buttons: buttons, Files: f.withFiles}
}

// Head is the beginning of the form. Make it after the fields: it says what is wrong with each.
func (f *Form) Head() ui.FormHead {
	f.tellSince()
	head := ui.FormHead{Hidden: f.Hidden()}
	if errors := f.Summary(); errors != nil {
		head.Errors, f.r.faulty = *errors, true
	}
	if lost := f.values[fieldLost]; f.Restored && len(lost) > 0 {
		head.Notices = append(head.Notices, ui.Notice{Tone: ui.Warn, Text: f.r.T("form.files_lost", "Most", mostFiles,
			"Names", f.r.Listed(lost...))})
	}
	if f.Restored {
		head.Discard = &ui.Button{Text: f.r.T("form.discard"), Name: fieldDiscard, Value: wholeForm, Plain: true}
		switch {
		case f.uncertain:
			head.Notices = append(head.Notices, ui.Notice{Tone: ui.Warn, Text: f.r.T("form.uncertain")})
		case f.conflict == nil: // its notice says that it is not saved
			head.Notices = append(head.Notices, ui.Notice{Tone: ui.Warn, Text: f.restoredText()})
		}
	}
	if c := f.conflict; c != nil {
		c.name(f)
		head.Notices = append(head.Notices, c.Notice)
		head.Choices, head.Hidden = c.Choices, append(head.Hidden, c.Hidden...)
	}
	return head
}

// restoredText says that what is shown is not saved, and what to press: the first button of the form (screens.md U8).
func (f *Form) restoredText() string {
	if f.press == "" || strings.HasPrefix(f.press, f.r.T("action.save")) {
		return f.r.T("form.restored")
	}
	return f.r.T("form.restored_press", "Button", f.press)
}

// Save is the primary button of a form, named by a message such as "action.save".
func (r *Request) Save(key string) ui.Button {
	return ui.Button{Text: r.T(key), Primary: true, Busy: r.T("form.saving")}
}

// Cancel is a link back.
func (r *Request) Cancel(href string) ui.Button {
	return ui.Button{Text: r.T("dialog.cancel"), Plain: true, Href: href}
}
