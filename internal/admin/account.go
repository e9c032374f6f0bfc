package admin

import (
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// account is screens.md A58: everything about the own account, with a page for each thing that can be changed.
func (p *pages) account(r *site.Request) error {
	m, err := p.Accounts.StaffMember(r.Context(), r.Person.Account)
	if err != nil {
		return err
	}
	sessions, err := p.Accounts.OwnSessions(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	change := func(key, route string) ui.Button {
		return ui.Button{Text: r.T("own.change"), Href: r.At(route), Small: true, About: r.T(key)}
	}
	factor := ui.Tag{Text: r.T("factor.off"), Icon: "circle-alert", Tone: ui.Warn}
	factors, toFactor := []ui.Component{factor}, components(r.Buttons(small(site.Do("second-factor"))))
	if m.HasSecondFactor {
		toFactor = []ui.Component{change("title.second-factor", "second-factor")}
		words, few, err := p.codesLeft(r)
		if err != nil {
			return err
		}
		factors = []ui.Component{ui.Tag{Text: r.T("factor.on"), Icon: "circle-check", Tone: ui.OK}, ui.Words{Text: words}}
		if few {
			factors[1] = ui.Tag{Text: words, Icon: "triangle-alert", Tone: ui.Warn}
		}
	}
	fact := func(key, value, route string) ui.KeyValue {
		return ui.KeyValue{Key: r.T(key), Parts: []ui.Component{ui.Words{Text: value}, change(key, route)}}
	}
	person := ui.Box{ID: "person", Title: r.T("own.person"), Parts: []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{
		fact("own.name", m.Name, "my-name"), fact("sign_in.email", m.Email, "my-email"),
		{Key: r.T("own.roles"), Tags: roleTags(r, m.Roles)},
		{Key: r.T("own.valid_until"), Value: untilWords(r, m.ValidUntil)},
	}}}}
	entry := ui.Box{ID: "sign-in", Title: r.T("own.sign_in"), Parts: []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{
		fact("sign_in.password", r.T("own.password_hidden"), "staff-password"),
		{Key: r.T("title.second-factor"), Parts: append(factors, toFactor...)},
		{Key: r.T("own.last_sign_in"), Value: timeOr(r, m.LastSignIn, "own.never")},
	}}}}
	look := ui.Box{ID: "preferences", Title: r.T("title.my-preferences"), Actions: []ui.Button{
		change("title.my-preferences", "my-preferences")},
		Parts: []ui.Component{ui.KeyValues{Facts: p.preferenceFacts(r, &m)}}}
	may := ui.Box{ID: "permissions", Title: r.T("own.permissions"), Parts: permitted(r, m.Permissions)}
	return site.Sheet{Parts: []ui.Component{ui.Columns{Parts: []ui.Component{person, entry}}, p.ownSessions(r, sessions),
		look, may}}.Show(r)
}

func small(a site.Action) site.Action {
	a.Button.Small = true
	return a
}

func components(buttons []ui.Button) (parts []ui.Component) {
	for _, b := range buttons {
		parts = append(parts, b)
	}
	return parts
}

// untilWords is the end of an account, in words.
func untilWords(r *site.Request, day admitto.Date) string {
	if day.IsZero() {
		return r.T("own.no_end")
	}
	return dateWords(r, day)
}

// dateWords is a day.
func dateWords(r *site.Request, day admitto.Date) string { return r.Date(day.In(time.UTC)) }

// timeOr is a time, or the message for none.
func timeOr(r *site.Request, t admitto.Time, none string) string {
	if t == 0 {
		return r.T(none)
	}
	return r.Clock(t)
}

// ownSessions are the devices on which the reader is signed in.
func (p *pages) ownSessions(r *site.Request, sessions []accounts.StaffSession) ui.Box {
	box := ui.Box{ID: "sessions", Title: r.T("own.sessions")}
	table := sessionTable(r, sessions)
	for i := range sessions {
		s := &sessions[i]
		if s.ID == r.Session() {
			table.Rows[i].Cells[0].Tags = nil
			table.Rows[i].Cells[0].Parts = []ui.Component{ui.Tag{Text: r.T("session.this"), Icon: "circle-check", Tone: ui.OK}}
			table.Rows[i].Cells = append(table.Rows[i].Cells, ui.Cell{})
			continue
		}
		table.Rows[i].Cells = append(table.Rows[i].Cells, ui.Cell{Parts: []ui.Component{ui.FormBox{
			Action: r.At("session-end", s.ID), Buttons: []ui.Button{{Text: r.T("action.session-end"), Small: true,
				About: r.Device(s.Agent)}}}}})
	}
	table.Columns = append(table.Columns, ui.Column{Title: r.T("session.do")})
	box.Parts = []ui.Component{table}
	if len(sessions) > 1 {
		box.Parts = append(box.Parts, ui.FormBox{Action: r.At("sessions-end"),
			Buttons: []ui.Button{{Text: r.T("action.sessions-end")}}})
	}
	return box
}

// sessionTable lists sessions.
func sessionTable(r *site.Request, sessions []accounts.StaffSession) ui.Table {
	table := ui.Table{Caption: r.T("own.sessions"), Columns: []ui.Column{{Title: r.T("session.device"), Place: "main"},
		{Title: r.T("session.begun"), Place: "label"}, {Title: r.T("session.seen"), Place: "label"}},
		Empty: ui.Empty{Icon: "key-round", Title: r.T("session.none"), Text: r.T("session.none_text")}}
	for i := range sessions {
		s := &sessions[i]
		table.Rows = append(table.Rows, ui.Row{ID: s.ID, Label: r.Device(s.Agent), Cells: []ui.Cell{
			{Text: r.Device(s.Agent)}, {Text: r.Clock(s.Begun)}, {Text: r.Clock(s.Seen)}}})
	}
	return table
}

// endSession ends one of the reader's sessions, at once on all instances.
func (p *pages) endSession(r *site.Request) error {
	if err := p.Accounts.EndSession(r.Context(), r.Caller(), r.Part("session")); err != nil {
		return err
	}
	r.Notify(ui.OK, r.T("session.ended"))
	return r.To("staff-account")
}

// endOtherSessions ends all of the reader's sessions but this one.
func (p *pages) endOtherSessions(r *site.Request) error {
	if err := p.Accounts.EndOtherSessions(r.Context(), r.Caller(), r.Session()); err != nil {
		return err
	}
	r.Notify(ui.OK, r.T("session.others_ended"))
	return r.To("staff-account")
}
