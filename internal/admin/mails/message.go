package mails

import (
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// Bounds of what is typed, as those of batches are.
const (
	mostSubject = 200
	mostText    = 10_000
)

// messageRoutes are the pages on which a message to one person is written.
func (p *pages) messageRoutes() []site.Route {
	access := site.Needs(admitto.MessagesSend)
	return []site.Route{
		{Name: "message-new", Path: "/admin/messages/new", Access: access, Form: true, InList: true,
			Part: true, Parent: "application-emails", Handle: p.write},
		{Name: "message-preview", Path: "/admin/messages/preview", Access: access, Only: true, Again: true,
			Handle: p.livePreview},
	}
}

// addressee is whom the address of a page names: an application or an applicant.
func addressee(r *site.Request) batch.Message {
	view := r.View(false)
	if id := view.ID("application"); id != 0 {
		return batch.Message{Source: admitto.OfApplications, ID: id}
	}
	return batch.Message{Source: admitto.OfApplicants, ID: view.ID("applicant")}
}

// write is a message to one person: what is typed, what the person would read, and the question whether to send it.
func (p *pages) write(r *site.Request) error {
	m := addressee(r)
	if m.ID == 0 {
		r.HideCrumbs()
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "mail", Title: r.T("mails.nobody"),
			Text: r.T("mails.nobody_text"), Actions: show.Lists(r, "browse", "applicants")}}}.Show(r)
	}
	f, v, err := p.typed(r, &m)
	if err != nil {
		return err
	}
	back, err := p.leadBack(r, &m)
	if err != nil {
		return err
	}
	if r.Posted() && !f.Has("change") {
		if m.Subject, err = text.Line(f.Typed("subject"), 1, mostSubject); err != nil {
			f.FailText("subject", message.From(err))
		}
		if m.Text, err = text.Multiline(f.Typed("text"), 1, mostText); err != nil {
			f.FailText("text", message.From(err))
		}
		if !f.Failed() {
			return p.checked(r, f, &m, back)
		}
	}
	return p.form(r, f, &m, &v, back)
}

// typed reads what is typed, or what one starts from, and what the person would read.
func (p *pages) typed(r *site.Request, m *batch.Message) (f *site.Form, v batch.MessagePreview, err error) {
	stored := site.Values{}
	if r.View(false).Get("start") == "template" {
		start, err := p.Batches.MessageTexts(r.Context(), r.Reader())
		if err != nil {
			return nil, v, err
		}
		stored["subject"], stored["text"] = site.One(start.Subject), site.One(start.Body)
	}
	if f, err = r.Form(stored, 0); err != nil {
		return nil, v, err
	}
	m.Subject, m.Text = f.Typed("subject"), f.Typed("text")
	v, err = p.Batches.PreviewMessage(r.Context(), r.Reader(), *m)
	return f, v, err
}

// leadBack says where the person was found, and returns the address of the mails there.
func (p *pages) leadBack(r *site.Request, m *batch.Message) (back string, err error) {
	const tab = "application-emails"
	if m.Source == admitto.OfApplications {
		_, err = p.card.PartOf(r, m.ID, tab)
		return r.Within(tab, m.ID), err
	}
	r.HideCrumbs()
	r.PartOf(m.ID)
	return r.Within("applicant-emails", m.ID), nil
}

// checked asks whether a message that is whole is to be sent, and sends it.
func (p *pages) checked(r *site.Request, f *site.Form, m *batch.Message, back string) error {
	v, err := p.Batches.PreviewMessage(r.Context(), r.Reader(), *m)
	if err != nil {
		return err
	}
	fields := map[admitto.Path]string{"batch.subject": "subject", "batch.text": "text"}
	for _, fault := range v.Faults {
		f.FailText(fields[fault.Path], fault.Text)
	}
	if !f.Failed() && f.Has("send") {
		_, err := p.Batches.SendMessage(r.Context(), r.Caller(), *m)
		refused, err := f.Refused(err, fields)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("mails.sent", "Email", v.Person.Email))
			return r.Redirect(back)
		}
	}
	if f.Failed() {
		return p.form(r, f, m, &v, back)
	}
	title := r.T("mails.ask_title", "Name", show.Name(r, &v.Person))
	r.SetTitle(title)
	box := f.Box([]ui.Button{{Text: r.T("mails.send"), Name: "send", Value: "yes", Primary: true,
		Busy: r.T("form.saving")},
		{Text: r.T("mails.change"), Name: "change", Value: "yes"}, r.Cancel(back)})
	box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "subject", Value: m.Subject},
		ui.Option{Text: "text", Value: m.Text})
	return site.Sheet{Title: title, Intro: []string{r.T("mails.ask_text")}, Parts: []ui.Component{
		ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("mails.to"), Value: v.Person.Email}}},
		show.Letter(r.T("mails.text"), v.Subject, v.Letter), box}}.Show(r)
}

// form is the form with what the person would read next to it.
func (p *pages) form(r *site.Request, f *site.Form, m *batch.Message, v *batch.MessagePreview, back string) error {
	var markers []string
	for _, marker := range mail.KindApplicantMessage.Markers() {
		markers = append(markers, marker.String())
	}
	box := f.Box([]ui.Button{{Text: r.T("mails.check"), Name: "check", Value: "yes", Primary: true,
		Busy: r.T("form.saving")},
		r.Cancel(back)}, f.Text("subject", "mails.subject"),
		ui.Letter{Field: f.Long("text", "mails.text", 14, mostText).Field, Markers: markers})
	box.Live = site.Add(r.At("message-preview"), kindOf(m), number(m.ID))
	var above []ui.Component
	if m.Subject == "" && m.Text == "" {
		above = []ui.Component{ui.Links{Links: []ui.Link{{Text: r.T("mails.start"),
			Href: r.Keeping(site.Add(site.Add(r.At("message-new"), kindOf(m), number(m.ID)), "start", "template"))}}}}
	}
	title := r.T("mails.write_title", "Name", show.Name(r, &v.Person))
	r.SetTitle(title)
	return site.Sheet{Title: title, Intro: []string{r.T("mails.write_text", "Email", v.Person.Email)},
		Parts: append(above, ui.Columns{Parts: []ui.Component{box, previewBox(r, v)}})}.Show(r)
}

// kindOf is the name of what the address says of whom a message is to.
func kindOf(m *batch.Message) string {
	if m.Source == admitto.OfApplications {
		return "application"
	}
	return "applicant"
}

// previewBox is the message as the person would read it.
func previewBox(r *site.Request, v *batch.MessagePreview) ui.Box {
	box := ui.Box{ID: "preview", Title: r.T("offer.will_read", "Name", show.Name(r, &v.Person))}
	if len(v.Subject) == 0 && len(v.Letter) == 0 {
		box.Parts = []ui.Component{ui.Words{Text: r.T("mails.nothing_yet"), Muted: true}}
		return box
	}
	box.Parts = []ui.Component{show.Letter(r.T("mails.text"), v.Subject, v.Letter)}
	return box
}

// livePreview answers with the preview of what is being typed.
func (p *pages) livePreview(r *site.Request) error {
	m := addressee(r)
	_, v, err := p.typed(r, &m)
	if err != nil {
		return err
	}
	return r.Fragment(previewBox(r, &v))
}
