package card

import (
	"io"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// offerRoutes are the pages about one offer (screens.md A15).
func (p *pages) offerRoutes() []site.Route {
	view, at := site.Needs(admitto.OffersView), "/admin/offers/{id}"
	confirm := site.Needs(admitto.OffersConfirm).And(admitto.OffersView)
	edit := site.Needs(admitto.OffersEdit).And(admitto.OffersView)
	return []site.Route{
		{Name: "offer", Path: at, Form: true, Files: true, Access: view, Parent: "application", Handle: p.ofOffer(p.offer)},
		{Name: "offer-preview", Path: at + "/preview", Only: true, Again: true, Access: view,
			Handle: p.ofOffer(p.livePreview)},
		{Name: "offer-confirm", Path: at + "/confirm", Form: true, Access: confirm, Parent: "application",
			Handle: p.ofOffer(p.confirmOffer)},
		{Name: "offer-again", Path: at + "/send-again", Form: true, Access: confirm, Parent: "application",
			Handle: p.ofOffer(p.sendAgain)},
		{Name: "offer-file", Path: at + "/files/{file}", Access: view, Handle: p.ofOffer(p.offerFile)},
		{Name: "offer-matriculate", Path: at + "/matriculate", Form: true, Parent: "application",
			Access: site.Needs(admitto.MatriculationEdit).And(admitto.OffersView), Handle: p.ofOffer(p.matriculate)},
		{Name: "offer-note", Path: at + "/notes", Form: true, Access: edit, Parent: "application",
			Handle: p.ofOffer(p.offerNote)},
	}
}

// onOffer is an offer with the head of the card that it belongs to.
type onOffer struct {
	query.OfferCard
	head    *query.ApplicationHead
	dropped bool // saving has taken the PDF of the letter off
}

// ofOffer reads the offer that a page is about, and leads back to its card.
func (p *pages) ofOffer(handle func(*site.Request, *onOffer) error) func(*site.Request) error {
	return func(r *site.Request) error {
		id, err := r.ID()
		if err != nil {
			return err
		}
		c, err := p.Query.OfferCard(r.Context(), r.Reader(), id)
		if err != nil {
			return err
		}
		h, err := p.Query.ApplicationHead(r.Context(), r.Reader(), c.Application)
		if err != nil {
			return err
		}
		r.NameCrumb("application", titleOf(r, &h))
		r.PartOf(h.ID)
		if err := p.leadThrough(r, h.ID, "application-courses"); err != nil {
			return err
		}
		r.LeadCrumb("application", r.Within("application", h.ID))
		title := "offer.title"
		if !r.Current("offer") {
			title = "offer.title_of"
		}
		r.SetTitle(r.T(title, "Page", r.Title(), "Course", c.Course.Name, "Name", show.Name(r, &h.Person)))
		return handle(r, &onOffer{OfferCard: c, head: &h})
	}
}

// offer is the editor: what is typed is saved before anything else is done with it, and nothing is sent here.
func (p *pages) offer(r *site.Request, c *onOffer) error {
	f, err := p.formOfOffer(r, c, offerValues(c))
	if err != nil {
		return err
	}
	edit := c.typed(r, f)
	if r.Posted() && !f.Has("preview") {
		if !f.Failed() {
			err = f.FileRefused("file", p.saveOffer(r, c, f, edit))
		}
		changed := site.Changed(err)
		refused, err := p.refusedOffer(r, f, err, map[admitto.Path]string{"offer.type": "type",
			"offer.decision-policy": "policy", "offer.letterhead": "letterhead",
			"document.file": "file", "page.answer-day": "deadline"}, c, offerValues(c), offerLabels...)
		if err != nil {
			return err
		}
		if !refused {
			if !f.Has("confirm") {
				r.Notify(ui.OK, r.T("offer.saved"))
			}
			if edit.Reason != nil && *edit.Reason == "" && f.Get("reason") != "" {
				r.Notify(ui.Info, r.T("offer.reason_dropped"))
			}
			if c.dropped {
				r.Notify(ui.Warn, r.T("offer.letter_dropped"))
			}
			if f.Has("confirm") {
				return r.Redirect(againWish(f, r.Within("offer-confirm", c.OfferCase.ID)))
			}
			return r.To("offer", c.OfferCase.ID)
		}
		if changed {
			nameTypes(r, c, f)
		}
	}
	if f.Failed() {
		edit = admissions.OfferEdit{}
	}
	preview, err := p.Admissions.PreviewOffer(r.Context(), r.Reader(), c.OfferCase.ID, edit)
	if err != nil && admitto.KindOf(err) != admitto.InvalidParameter {
		return err
	}
	if err != nil { // no page of ours offers that: the letter is shown as it is stored
		if _, err := f.Refused(err, map[admitto.Path]string{"offer.type": "type"}); err != nil {
			return err
		}
		if preview, err = p.Admissions.PreviewOffer(r.Context(), r.Reader(), c.OfferCase.ID,
			admissions.OfferEdit{}); err != nil {
			return err
		}
	}
	return p.showOffer(r, c, f, &preview)
}

// saveOffer saves the working copy and does what the button says; all of it only with the row version of the page. What
// is saved when the button's part is refused stays saved.
func (p *pages) saveOffer(r *site.Request, c *onOffer, f *site.Form, edit admissions.OfferEdit) error {
	by, application, id := r.Caller(), c.Application, c.OfferCase.ID
	if err := p.checkFile(r, c, f); err != nil || f.Failed() {
		return err
	}
	if err := p.Admissions.EditOffer(r.Context(), by, application, id, edit); err != nil {
		return err
	}
	by.Version = 0 // it is ours now
	if now, err := p.Query.OfferCard(r.Context(), r.Reader(), id); err == nil && len(now.Files) < len(c.Files) &&
		!f.Has("print") {
		c.dropped = true
	}
	err := p.offerFiles(r, by, c, f)
	if err == nil && f.Has("confirm") {
		err = p.mayConfirm(r, id)
	}
	if err == nil {
		return nil
	}
	version, failed := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.OfferRow, ID: id})
	if failed != nil {
		return failed
	}
	f.Version = version
	if again, failed := p.Query.OfferCard(r.Context(), r.Reader(), id); failed == nil {
		c.OfferCard = again
	}
	return err
}

// fileOf is the file that the press adds; nil for none.
func fileOf(f *site.Form) (*site.File, error) {
	file := f.SentFile("file")
	if file == nil && f.Has("attach") { // one that was refused does not stand in the way of other buttons
		return f.File("file")
	}
	return file, nil
}

// checkFile refuses a file that cannot be added before anything is saved.
func (p *pages) checkFile(r *site.Request, c *onOffer, f *site.Form) error {
	file, err := fileOf(f)
	if file == nil && err == nil && f.Has("attach") {
		f.Fail("file", "card.no_file")
	}
	if err != nil || file == nil {
		return err
	}
	content, err := file.Open()
	if err != nil {
		return err
	}
	defer content.Close() //nolint:errcheck // it was only read
	up := admissions.Upload{Application: c.Application, Name: file.Name, Content: content, Size: file.Size}
	return p.Admissions.MayAttach(r.Context(), r.Caller(), c.OfferCase.ID, up)
}

// offerFiles adds and takes off files, and makes the letter as PDF.
func (p *pages) offerFiles(r *site.Request, by usecase.Caller, c *onOffer, f *site.Form) error {
	file, err := fileOf(f)
	if err != nil {
		return err
	}
	if file != nil {
		content, err := file.Open()
		if err != nil {
			return err
		}
		defer content.Close() //nolint:errcheck // it was only read
		up := admissions.Upload{Application: c.Application, Name: file.Name, Content: content, Size: file.Size}
		if _, err := p.Admissions.AttachToOffer(r.Context(), by, c.OfferCase.ID, up); err != nil {
			return err
		}
	}
	switch {
	case f.Has("remove"):
		err = p.Admissions.DetachFromOffer(r.Context(), by, c.Application, c.OfferCase.ID, f.Choice("remove"))
		if admitto.KindOf(err) == admitto.NotFound { // somebody was quicker
			err = nil
		}
	case f.Has("file-up"), f.Has("file-down"):
		err = p.Admissions.MoveOfferAttachment(r.Context(), by, c.Application, c.OfferCase.ID,
			max(f.Choice("file-up"), f.Choice("file-down")), f.Has("file-down"))
		if admitto.KindOf(err) == admitto.NotFound {
			err = nil
		}
	case f.Has("print"):
		_, err = p.Admissions.CreateLetter(r.Context(), by, c.Application, c.OfferCase.ID, f.Choice("letterhead"))
	}
	return err
}

// mayConfirm refuses what cannot be confirmed.
func (p *pages) mayConfirm(r *site.Request, id int64) error {
	v, err := p.Admissions.PreviewOffer(r.Context(), r.Reader(), id, admissions.OfferEdit{})
	if err != nil {
		return err
	}
	if len(v.Faults) > 0 {
		return &admitto.Error{Kind: admitto.NotAllowedNow, Faults: v.Faults}
	}
	return nil
}

// offerLabels are the fields of the editor that somebody else may have saved.
var offerLabels = [][2]string{{"type", "offer.type"}, {"subject", "offer.subject"}, {"letter", "offer.letter"},
	{"reason", "offer.reason"}, {"own", "offer.own"}, {"policy", "offer.policy"}, {"deadline", "offer.deadline"}}

// nameTypes says both types of a conflict by their titles: one of them may not be among those that are offered.
func nameTypes(r *site.Request, c *onOffer, f *site.Form) {
	mine, theirs := f.Conflict().Between("type")
	title := func(id string) string {
		n, _ := strconv.ParseInt(id, 10, 64) // no number is the type of nothing
		return c.TypeOf(n).Title
	}
	for i := range f.Conflict().Choices {
		if choice := &f.Conflict().Choices[i]; choice.ID == "keep-type" {
			choice.Options[0].Text = r.T("form.mine", "Value", title(mine))
			choice.Options[1].Text = r.T("form.theirs", "Value", title(theirs))
		}
	}
}

// againWish keeps in an address the wish to have the applicant decide again.
func againWish(f *site.Form, address string) string {
	if f.Has("again") {
		return site.Add(address, "again", "yes")
	}
	return address
}

// offerFile answers with an attachment.
func (p *pages) offerFile(r *site.Request, c *onOffer) error {
	id, err := r.IDAt("file")
	if err != nil {
		return err
	}
	files := slices.Clone(c.Files)
	for i := range c.Sent {
		files = append(files, c.Sent[i].Attachments...)
	}
	at := slices.IndexFunc(files, func(f admitto.File) bool { return f.ID == id })
	if at < 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	file := &files[at]
	content, err := p.Files.OpenFile(r.Context(), r.Reader(), file)
	if err != nil {
		return err
	}
	if slices.Contains([]string{"application/pdf", "image/jpeg", "image/png", "image/webp"}, file.MIME) {
		return r.Inline(file.MIME, content)
	}
	return r.Download(site.FileName(file.Name), file.MIME, func(w io.Writer) error {
		defer content.Close() //nolint:errcheck // it was only read
		_, err := io.Copy(w, content)
		return err
	})
}

// offerNote adds a note that staff alone see.
func (p *pages) offerNote(r *site.Request, c *onOffer) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		note, wrong := text.Multiline(f.Typed("text"), 1, mostNote)
		if wrong != nil {
			f.FailText("text", message.From(wrong))
		} else {
			_, err = p.Admissions.AddNote(r.Context(), r.Caller(),
				usecase.NoteOn{Application: c.Application, Offer: c.OfferCase.ID}, note, "")
		}
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("note.added"))
			return r.To("offer", c.OfferCase.ID)
		}
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.offer-note"),
		r.Cancel(r.Within("offer", c.OfferCase.ID))},
		f.Long("text", "note.text", 5, mostNote))}}.Show(r)
}

// mostNote is how many characters a note may have (resources.md 0.6).
const mostNote = 2048

// letterMarkers are those that a letter may use.
func letterMarkers() (names []string) {
	for _, m := range mail.KindOfferLetter.Markers() {
		names = append(names, m.String())
	}
	return names
}
