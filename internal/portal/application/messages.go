package application

import (
	"cmp"

	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// messageRoutes are the e-mails that an applicant got (screens.md P20).
func (p *pages) messageRoutes() []site.Route {
	const path = "/my/messages/{id}"
	return []site.Route{
		{Name: "messages", Path: "/my/messages", Access: site.SignedIn(), Handle: p.messages},
		{Name: "my-message", Path: path, Access: site.SignedIn(), Parent: "messages", Handle: p.message},
		{Name: "my-message-file", Path: path + "/files/{file}", Access: site.SignedIn(), Parent: "messages",
			Handle: p.messageFile},
	}
}

// messages lists the e-mails, the latest first, a page at a time.
func (p *pages) messages(r *site.Request) error {
	view := r.View(false)
	found, total, err := p.Query.EmailPage(r.Context(), r.Reader(), r.Person.Account, view.Size, view.Offset())
	if err != nil {
		return err
	}
	if total == 0 {
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "mail", Title: r.T("my_message.none"),
			Text: r.T("my_message.none_text")}}}.Show(r)
	}
	if last, beyond := view.Beyond(len(found), int(total)); beyond {
		return r.Redirect(last)
	}
	list := ui.KeyValues{}
	for i := range found {
		e, lang := r.StoredMail(&found[i])
		fact := ui.KeyValue{Key: cmp.Or(e.Subject, r.T("my_message.no_subject")), KeyHref: r.At("my-message", e.ID),
			Value: r.Clock(e.Inserted)}
		if e.Subject != "" {
			fact.KeyLang = lang
		}
		if e.Read == 0 {
			fact.Tags = []ui.Tag{{Text: r.T("my_message.unread"), Icon: "mail", Tone: ui.Info}}
		}
		list.Facts = append(list.Facts, fact)
	}
	page := site.Sheet{Parts: []ui.Component{list}}
	if pager := view.Pager(int(total)); pager != nil {
		page.Parts = append(page.Parts, *pager)
	}
	return page.Show(r)
}

// message shows an e-mail as it was sent, and notes that it was read; secrets are not in what is stored.
func (p *pages) message(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	stored, err := p.Query.Email(r.Context(), r.Reader(), r.Person.Account, id)
	if err != nil {
		return err
	}
	if stored.Read == 0 && r.Person.LookedAtBy == "" {
		if err := p.Notify.MarkRead(r.Context(), r.Reader(), id); err != nil {
			return err
		}
	}
	files, err := p.Query.EmailAttachments(r.Context(), r.Reader(), r.Person.Account, id)
	if err != nil {
		return err
	}
	e, lang := r.StoredMail(&stored)
	if e.Subject == "" {
		e.Subject, lang = r.T("my_message.no_subject"), ""
	}
	r.SetTitleIn(e.Subject, lang)
	page := site.Sheet{Parts: []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("my_message.sent"),
		Value: r.Clock(e.Inserted)}, {Key: r.T("my_message.to"), Value: e.Recipient}}}, ui.Box{Title: r.T("my_message.text"),
		Parts: []ui.Component{ui.Mail(r.T("my_message.text"), e.HTML, e.Message)}}}}
	list := ui.KeyValues{}
	for i := range files {
		list.Facts = append(list.Facts, ui.KeyValue{Key: files[i].Name, KeyHref: r.At("my-message-file", id, files[i].ID),
			Value: r.Size(files[i].Size)})
	}
	if list.Facts != nil {
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_offer.files"), Parts: []ui.Component{list}})
	}
	return page.Show(r)
}

func (p *pages) messageFile(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	file, err := r.IDAt("file")
	if err != nil {
		return err
	}
	f, err := p.Query.EmailAttachment(r.Context(), r.Reader(), r.Person.Account, id, file)
	if err != nil {
		return err
	}
	return p.send(r, &f)
}
