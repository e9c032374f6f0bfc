package card

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// file answers with a document.
func (p *pages) file(r *site.Request, h *query.ApplicationHead, inline bool) error {
	id, err := r.IDAt("document")
	if err != nil {
		return err
	}
	f, err := p.Query.Document(r.Context(), r.Reader(), h.ID, id)
	if err != nil {
		return err
	}
	content, err := p.Files.OpenFile(r.Context(), r.Reader(), &f)
	if err != nil {
		return err
	}
	if r.Method == http.MethodGet {
		if err := p.Admissions.NoteOpened(r.Context(), r.Caller(), h.ID, id); err != nil {
			return errors.Join(err, content.Close())
		}
	}
	return r.File(&f, inline, content)
}

// documentsZip answers with all documents as an archive.
func (p *pages) documentsZip(r *site.Request, h *query.ApplicationHead) error {
	list, err := p.Query.Documents(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	write := func(io.Writer) error { return nil }
	if r.Method != http.MethodHead {
		write, err = p.Files.Zip(r.Context(), r.Reader(), list, func(f *admitto.File) string {
			return strconv.FormatInt(f.ID, 10) + "-" + text.SafeName(f.Name)
		})
		if err != nil {
			return err
		}
	}
	return r.Download("application-"+strconv.FormatInt(h.ID, 10)+"-documents.zip", "application/zip", write)
}

// documentUpload adds a document for the applicant, for a task or none.
func (p *pages) documentUpload(r *site.Request, h *query.ApplicationHead) error {
	papers, err := p.Query.CardPapers(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	f, err := r.Form(site.Values{"task": site.One(r.URL.Query().Get("task"))}, 0)
	if err != nil {
		return err
	}
	back := r.Within("application-documents", h.ID)
	if why, is := noChanges(h); is && !r.Posted() {
		return notNow(r, "card.fixed_documents", why, back)
	}
	if r.Posted() {
		file, err := f.File("file")
		if err != nil {
			return err
		}
		var made admitto.File
		if file == nil {
			f.Fail("file", "card.no_file")
		} else {
			content, failed := file.Open()
			if failed != nil {
				return failed
			}
			defer content.Close() //nolint:errcheck // it was only read
			made, err = p.Admissions.UploadDocument(r.Context(), r.Caller(), admissions.Upload{Application: h.ID,
				Task: f.Choice("task"), Name: file.Name, Content: content, Size: file.Size})
		}
		if admitto.KindOf(err) == admitto.NotFound { // somebody deleted the task
			f.FailText("task", message.Of("choose-one"))
			err = nil
		}
		refused, err := f.Refused(f.FileRefused("file", err), map[admitto.Path]string{"document.file": "file"})
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("card.uploaded", "Name", made.Name))
			return r.Redirect((&viewing{r: r, h: h}).address(made.ID))
		}
	}
	options := []ui.Option{{Text: r.T("card.no_task")}}
	for i := range papers.Tasks {
		if t := &papers.Tasks[i]; t.Trashed == 0 {
			options = append(options, ui.Option{Value: strconv.FormatInt(t.ID, 10), Text: taskLine(r, t)})
		}
	}
	field, err := f.Upload("file", "card.file", filekind.Suffixes)
	if err != nil {
		return err
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.application-document-upload"),
		r.Cancel(back)},
		field, f.Select("task", "card.task_of", options...))}}.Show(r)
}

// documentRemove takes a document away, with a reason.
func (p *pages) documentRemove(r *site.Request, h *query.ApplicationHead) error {
	id, err := r.IDAt("document")
	if err != nil {
		return err
	}
	back := r.Within("application-documents", h.ID)
	d, err := p.Query.Document(r.Context(), r.Reader(), h.ID, id)
	if r.Posted() && admitto.KindOf(err) == admitto.NotFound {
		last, failed := p.lastOf(r, h.ID, func(record *admitto.Record) bool { return record.Links.Document == id })
		if failed != nil {
			return failed
		}
		if last != nil {
			return p.tellOvertaken(r, last, back)
		}
	}
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		reason, wrong := text.Multiline(f.Typed("reason"), 1, mostReason)
		if wrong != nil {
			f.FailText("reason", message.From(wrong))
		} else {
			err = p.Admissions.RemoveDocument(r.Context(), r.Caller(), h.ID, id, reason)
		}
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("card.removed", "Name", d.Name))
			return r.Redirect(back)
		}
	}
	reason := f.Long("reason", "card.reason", 3, mostReason)
	return r.Ask(ui.Confirmation{Title: r.T("card.remove_title", "Name", d.Name),
		Effects: []ui.Effect{{Icon: "info", Text: r.T("card.remove_effect")}},
		Fields:  []ui.Component{f.Head(), reason}, Confirm: ui.Button{Text: r.T("action.application-document-remove"),
			Danger: true, Busy: r.T("form.saving")}, Back: ui.Link{Text: r.T("dialog.cancel"), Href: back}})
}
