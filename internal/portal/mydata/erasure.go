package mydata

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// requestBox says what became of the last requests, and offers to ask for the erasure or to take that back.
func (p *pages) requestBox(r *site.Request, list []admitto.DataRequest) ui.Box {
	box := ui.Box{ID: "request", Title: r.T("my_data.erase_title")}
	open := false
	for i := range list {
		q := &list[i]
		args := []any{"What", r.T("my_data." + "request_" + string(q.Kind)), "Day", r.Date(q.Received.In(r.Zone())),
			"Due", r.Date(q.Due().In(r.Zone()))}
		switch {
		case q.Answered == 0:
			box.Parts = append(box.Parts, ui.Notice{Tone: ui.Info, Text: r.T("my_data.request_waits", args...)})
			open = open || isOpen(*q)
		case q.Outcome == admitto.RequestRefused:
			box.Parts = append(box.Parts, ui.Notice{Tone: ui.Warn, Text: r.T("my_data.request_refused", args...),
				Link: &ui.Link{Text: r.T("title.help"), Href: r.At("help") + "?about=privacy"}},
				ui.Words{Text: q.Answer})
		case q.Outcome == admitto.RequestGranted:
			box.Parts = append(box.Parts, ui.Notice{Tone: ui.OK, Text: r.T("my_data.request_granted", args...)})
		}
	}
	if open {
		box.Parts = append(box.Parts, ui.Acts(r.Buttons(site.Do("my-erasure-back"))))
		return box
	}
	box.Parts = append(box.Parts, ui.Words{Text: r.T("my_data.erase_text")},
		ui.Acts(r.Buttons(site.Danger("my-erasure"))))
	return box
}

// isOpen reports whether a request is one for erasure that nobody has answered.
func isOpen(q admitto.DataRequest) bool { return q.Answered == 0 && q.Kind == admitto.RequestErase }

// erasure asks for the erasure of all that is kept about one, after it has said what that means.
func (p *pages) erasure(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.Privacy.AskToBeForgotten(r.Context(), r.Caller(), f.Get("reason")), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("my_data.erase_asked"))
			return r.To("privacy-mine")
		}
	} else {
		requests, err := p.Privacy.OwnRequests(r.Context(), r.Reader())
		if err != nil {
			return err
		}
		if slices.ContainsFunc(requests, isOpen) { // the page of one's data says how it stands
			return r.To("privacy-mine")
		}
	}
	effects := []ui.Effect{{Icon: "user", Text: r.T("my_data.erase_account")}}
	own, err := p.openApplications(r)
	if err != nil {
		return err
	}
	for _, name := range own {
		effects = append(effects, ui.Effect{Icon: "files", Text: r.T("my_data.erase_application", "Name", name)})
	}
	effects = append(effects, ui.Effect{Icon: "receipt", Text: r.T("my_data.erase_invoices")},
		ui.Effect{Icon: "clock", Text: r.T("my_data.erase_month")})
	reason := f.Long("reason", "my_data.erase_reason", 4, 2000)
	reason.Optional = true
	return r.Ask(ui.Confirmation{Title: r.T("title.my-erasure"), Effects: effects, Undo: r.T("my_data.erase_undo"),
		Fields:  []ui.Component{f.Head(), reason},
		Confirm: ui.Button{Text: r.T("my_data.erase_ask"), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("privacy-mine")}})
}

// openApplications are the applications that go on, each with its term.
func (p *pages) openApplications(r *site.Request) (names []string, err error) {
	found, err := p.Query.ApplicationsOf(r.Context(), r.Reader(), r.Reader().Applicant,
		admitto.ApplicationQuery{Limit: 20},
		nil)
	if err != nil {
		return nil, err
	}
	for a, err := range found.All() {
		if err != nil {
			return nil, err
		}
		if a.Status == admitto.Closed || a.Status == admitto.Withdrawn {
			continue
		}
		term, err := p.Query.Term(r.Context(), r.Reader(), a.Term)
		if err != nil {
			return nil, err
		}
		name, _ := term.NameIn(r.Lang)
		names = append(names, r.T("my_data.application", "ID", a.ID, "Term", name))
	}
	return names, nil
}

// takeBack withdraws the request.
func (p *pages) takeBack(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.Privacy.TakeBackRequest(r.Context(), r.Caller()), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("my_data.taken_back"))
			return r.To("privacy-mine")
		}
	}
	return r.Ask(ui.Confirmation{Title: r.T("title.my-erasure-back"), Effects: []ui.Effect{{Icon: "check",
		Text: r.T("my_data.back_effect")}}, Fields: []ui.Component{f.Head()},
		Confirm: ui.Button{Text: r.T("action.my-erasure-back"), Primary: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("privacy-mine")}})
}
