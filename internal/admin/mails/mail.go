package mails

import (
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// stored is a mail as its page shows it, with the routes of what it belongs to.
type stored struct {
	admitto.Email
	files       []admitto.File
	owner       int64        // whose mails it is among
	page, fetch string       // the routes of the page and of its files
	address     string       // of the applicant now
	invoice     ui.KeyValue  // that it brought; without key: none, or the reader may not see it
	again       admitto.Time // when it is tried again, 0 for no time to come
}

// readOfApplication reads the mail that a page below an application is about.
func (p *pages) readOfApplication(r *site.Request, h *query.ApplicationHead) (m stored, err error) {
	id, err := r.IDAt("email")
	if err != nil {
		return m, err
	}
	m = stored{owner: h.ID, page: "application-email", fetch: "application-email-file", address: h.Person.Email}
	m.Email, m.files, err = p.Query.ApplicationEmail(r.Context(), r.Reader(), h.ID, id)
	return m, err
}

// readOfApplicant reads the mail that a page below an applicant is about.
func (p *pages) readOfApplicant(r *site.Request) (m stored, err error) {
	applicant, err := r.ID()
	if err != nil {
		return m, err
	}
	id, err := r.IDAt("email")
	if err != nil {
		return m, err
	}
	a, err := p.Query.Applicant(r.Context(), r.Reader(), applicant, nil)
	if err != nil {
		return m, err
	}
	r.NameCrumb("applicant", show.Name(r, &a))
	m = stored{owner: applicant, page: "applicant-email", fetch: "applicant-email-file", address: a.Email}
	if m.Email, err = p.Query.Email(r.Context(), r.Reader(), applicant, id); err == nil {
		m.files, err = p.Query.EmailAttachments(r.Context(), r.Reader(), applicant, id)
	}
	return m, err
}

func (p *pages) ofApplication(r *site.Request, h *query.ApplicationHead) error {
	m, err := p.readOfApplication(r, h)
	if err != nil {
		return err
	}
	return p.show(r, &m)
}

func (p *pages) ofApplicant(r *site.Request) error {
	m, err := p.readOfApplicant(r)
	if err != nil {
		return err
	}
	return p.show(r, &m)
}

func (p *pages) fileOfApplication(r *site.Request, h *query.ApplicationHead) error {
	m, err := p.readOfApplication(r, h)
	if err != nil {
		return err
	}
	return p.file(r, &m)
}

func (p *pages) fileOfApplicant(r *site.Request) error {
	m, err := p.readOfApplicant(r)
	if err != nil {
		return err
	}
	return p.file(r, &m)
}

// file answers with a file that went with a mail.
func (p *pages) file(r *site.Request, m *stored) error {
	id, err := r.IDAt("file")
	if err != nil {
		return err
	}
	for i := range m.files {
		if m.files[i].ID != id {
			continue
		}
		content, err := p.Files.OpenFile(r.Context(), r.Reader(), &m.files[i])
		if err != nil {
			return err
		}
		return r.File(&m.files[i], false, content)
	}
	return &admitto.Error{Kind: admitto.NotFound}
}

// show shows one mail as it was sent, without its secrets. Where its text is all there is of it, it is shown as text,
// whatever is in it.
func (p *pages) show(r *site.Request, m *stored) error {
	shown, lang := r.StoredMail(&m.Email)
	subject := show.Subject(r, &shown)
	r.SetTitleIn(subject, lang)
	if err := p.readInvoice(r, m); err != nil {
		return err
	}
	if err := p.readNextTry(r, m); err != nil {
		return err
	}
	letter, formatted := ui.LetterOf(subject, shown.HTML)
	if !formatted {
		letter.Label, letter.Lang = subject, ui.MailLang(shown.HTML)
		for block := range strings.SplitSeq(strings.TrimSpace(shown.Message), "\n\n") {
			letter.Blocks = append(letter.Blocks, ui.LetterBlock{Parts: []ui.LetterPart{{Text: block}}})
		}
	}
	parts := append([]ui.Component{ui.KeyValues{Facts: facts(r, m)}}, next(r, m)...)
	return site.Sheet{Title: subject, Lang: lang, Parts: append(parts, letter)}.Show(r)
}

// readInvoice reads which invoice a mail brought, for those who may open it.
func (p *pages) readInvoice(r *site.Request, m *stored) error {
	if m.Template != mail.KindInvoiceDelivery.Code() || !r.May("invoice") {
		return nil
	}
	id, nr, err := p.Query.InvoiceOfMail(r.Context(), r.Reader(), m.Applicant, m.ID)
	if err == nil && id != 0 {
		m.invoice = ui.KeyValue{Key: r.T("mails.invoice"), Value: nr, Href: r.At("invoice", id)}
	}
	return err
}

// readNextTry reads when a mail that the mail server did not take is tried again.
func (p *pages) readNextTry(r *site.Request, m *stored) error {
	if m.Tries == 0 || m.Delivered != 0 || m.Failed != 0 {
		return nil
	}
	at, err := p.Query.NextTry(r.Context(), r.Reader(), m.ID)
	if at > r.Now() {
		m.again = at
	}
	return err
}

// facts are what is known of a mail; what is not known is left out.
func facts(r *site.Request, m *stored) []ui.KeyValue {
	list := []ui.KeyValue{{Key: r.T("applicant.mail_state"), Tags: tags(r, &m.Email)}}
	add := func(key, value string) {
		if value != "" {
			list = append(list, ui.KeyValue{Key: r.T(key), Value: value})
		}
	}
	add("mails.reply", m.Reply)
	add("mails.kind", show.MailKind(r, m.Template))
	add("mails.to", m.Recipient)
	add("applicant.from", strings.TrimSpace(m.FromName+" "+m.FromEmail))
	add("mails.inserted", r.Clock(m.Inserted))
	add("mails.delivered", at(r, m.Delivered))
	add("mails.failed", at(r, m.Failed))
	add("mails.opened", at(r, m.Opened))
	if m.Tries > 0 && m.Reply != "" {
		add("mails.tries", r.Plural("mails.tries_last", int(m.Tries), "Time", r.Clock(m.Tried)))
	}
	add("mails.next_try", at(r, m.again))
	if m.Application != 0 && r.May("application") {
		list = append(list, ui.KeyValue{Key: r.T("mails.application"), Value: number(m.Application),
			Href: r.At("application", m.Application)})
	}
	if m.invoice.Key != "" {
		list = append(list, m.invoice)
	}
	var files ui.Links
	for _, f := range m.files {
		files.Links = append(files.Links, ui.Link{Text: f.Name, Href: r.At(m.fetch, m.owner, m.ID, f.ID)})
	}
	if len(files.Links) > 0 {
		list = append(list, ui.KeyValue{Key: r.T("mails.attachments"), Parts: []ui.Component{files}})
	}
	return list
}
