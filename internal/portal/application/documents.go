package application

import (
	"errors"
	"slices"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/ui"
)

// documentRoutes are the documents of an application (screens.md P11).
func (p *pages) documentRoutes() []site.Route {
	const path = "/my/applications/{id}/documents"
	on := func(name, end string, handle func(*site.Request, *own) error) site.Route {
		return site.Route{Name: name, Path: path + end, Access: site.SignedIn(), Parent: "my-application",
			Handle: p.of(handle)}
	}
	list, remove := on("my-documents", "", p.documents), on("my-document-remove", "/{document}/remove", p.removeDocument)
	replace := on("my-document-replace", "/{document}/replace", p.replaceDocument)
	list.Form, list.Files, list.Several, remove.Form, replace.Form, replace.Files = true, true, true, true, true, true
	return []site.Route{list, on("my-document", "/{document}", p.document), replace, remove}
}

// mayUpload reports whether documents can be added: also after the submission (lifecycle.md T21).
func (a *own) mayUpload() bool { return a.isOpen() || a.Status == admitto.Submitted && !a.Expired }

// fileField is the field for a file, with what is taken said before one is chosen.
func (p *pages) fileField(r *site.Request, f *site.Form) (ui.FileField, error) {
	field, err := f.Upload("file", "my_document.file", filekind.Suffixes)
	field.Hint = r.T("my_document.taken", "Size", r.Size(r.Settings().Documents.MaxBytes))
	return field, err
}

// documents are the files of the application, and the form that adds one.
func (p *pages) documents(r *site.Request, a *own) error {
	a.crumb(r)
	a.setSteps(r, "my-documents")
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		added, err := p.upload(r, a, f)
		if err != nil || added {
			return err
		}
	}
	page := site.Sheet{Intro: []string{r.T("my_document.intro")}}
	asked := ui.KeyValues{}
	for i := range a.Tasks {
		if t := &a.Tasks[i]; t.Template.AllowsDocument && t.Resolved == 0 {
			fact := ui.KeyValue{Key: t.Template.Title, KeyHref: r.At("my-task", t.ID),
				Value: r.TaskStatus(t.StatusTitle())}
			if text := wrote(t); text != "" {
				fact.Parts = []ui.Component{ui.Words{Text: fact.Value}, ui.Words{Text: r.T("my_view.wrote"), Muted: true},
					ui.Prose{Text: text}}
			}
			asked.Facts = append(asked.Facts, fact)
		}
	}
	if asked.Facts != nil && !a.isOver() { // else nothing can be sent
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_document.asked"), Parts: []ui.Component{
			ui.Words{Text: r.T("my_document.asked_text"), Muted: true}, asked}})
	}
	for i := range a.Documents {
		d := &a.Documents[i]
		box := ui.Box{Title: d.Name, Parts: []ui.Component{ui.Words{Text: r.Listed(r.Clock(d.Uploaded), r.Size(d.Size)),
			Muted: true}}, Actions: []ui.Button{{Text: r.T("my_document.show"), About: d.Name, Small: true, Icon: "eye",
			Href: r.At("my-document", a.ID, d.ID)}}}
		if a.mayRemove(d) {
			box.Actions = append(box.Actions, ui.Button{Text: r.T("my_document.replace"), About: d.Name, Small: true,
				Icon: "upload", Href: r.At("my-document-replace", a.ID, d.ID)}, ui.Button{Text: r.T("my_form.remove"),
				About: d.Name, Small: true, Danger: true, Icon: "trash-2", Href: r.At("my-document-remove", a.ID, d.ID)})
		}
		page.Parts = append(page.Parts, box)
	}
	if len(a.Documents) == 0 {
		page.Parts = append(page.Parts, ui.Empty{Icon: "file", Title: r.T("my_document.none"),
			Text: r.T("my_document.none_text")})
	}
	if !a.mayUpload() {
		page.Parts = append(page.Parts, a.whyClosed(r))
		return page.Show(r)
	}
	field, err := f.Uploads("file", "my_document.files", filekind.Suffixes)
	if err != nil {
		return err
	}
	field.Hint = r.T("my_document.taken", "Size", r.Size(r.Settings().Documents.MaxBytes))
	page.Parts = append(page.Parts, ui.Heading{Title: r.T("my_document.add")},
		f.Box([]ui.Button{r.Save("my_document.press")}, field))
	page.Parts = append(page.Parts, ui.Notice{Tone: ui.Info, Text: r.T("my_photo.what"), Link: &ui.Link{
		Text: r.T("title.my-photo"), Href: r.At("my-photo") + "?next=" + r.At("my-documents", a.ID)}})
	next := ui.Button{Text: r.T("my_form.next"), Href: r.At("my-courses", a.ID)}
	if !a.isOpen() {
		next = ui.Button{Text: r.T("my_form.to_overview"), Href: r.At("my-application", a.ID)}
	}
	page.Parts = append(page.Parts, ui.Acts{next})
	return page.Show(r)
}

// mayRemove reports whether the applicant can take a document away, or put another in its place.
func (a *own) mayRemove(d *store.CardDocument) bool {
	return a.isOpen() && !a.Form.IsFrozen("documents/"+number(d.ID))
}

// upload adds the documents that were chosen; false where something is wrong with one, and the form is shown again. The
// good ones are added whatever is wrong with others.
func (p *pages) upload(r *site.Request, a *own, f *site.Form) (bool, error) {
	files, err := f.Files("file")
	if err != nil {
		return false, err
	}
	if len(files) == 0 {
		f.Fail("file", "my_document.no_file")
		return false, nil
	}
	var added []string
	for _, file := range files {
		made, err := p.add(r, f, a, file)
		if err != nil {
			return false, err
		}
		if made.ID != 0 {
			added = append(added, made.Name)
		}
	}
	list := r.At("my-documents", a.ID)
	switch {
	case len(added) == 1:
		r.Notify(ui.OK, r.T("my_document.added", "Name", added[0]))
	case len(added) > 1:
		r.Notify(ui.OK, r.T("my_document.added_all", "Count", len(added)))
	}
	if len(added) > 0 && f.Failed() {
		r.DoneInPart(list)
	}
	if f.Failed() {
		again, err := p.read(r, a.ID)
		*a = *again
		return false, err
	}
	_, err = f.Refused(nil, nil)
	return true, errors.Join(err, r.Redirect(list))
}

// add adds one document. What is wrong with it is said with its name; nothing is added then.
func (p *pages) add(r *site.Request, f *site.Form, a *own, file *site.File) (made admitto.File, err error) {
	content, err := file.Open()
	if err == nil {
		defer content.Close() //nolint:errcheck // it was only read
		made, err = p.Admissions.UploadDocument(r.Context(), r.Caller(), admissions.Upload{Application: a.ID,
			Name: file.Name, Content: content, Size: file.Size})
	}
	again, err := f.FileFailed("file", file, err)
	if err != nil || again {
		return made, err
	}
	return made, f.Taken(file)
}

// documentOf is the document that a page is about.
func documentOf(r *site.Request, a *own) (*store.CardDocument, error) {
	id, err := r.IDAt("document")
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(a.Documents, func(d store.CardDocument) bool { return d.ID == id })
	if at < 0 {
		return nil, &admitto.Error{Kind: admitto.NotFound}
	}
	return &a.Documents[at], nil
}

func (p *pages) document(r *site.Request, a *own) error {
	d, err := documentOf(r, a)
	if err != nil {
		return err
	}
	return p.send(r, &d.File)
}

// replaceDocument puts another file in the place of a document.
func (p *pages) replaceDocument(r *site.Request, a *own) error {
	a.crumb(r)
	d, err := documentOf(r, a)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	r.SetTitle(r.T("my_document.replace_title", "Name", d.Name))
	if !a.mayRemove(d) {
		return site.Sheet{Parts: []ui.Component{a.whyClosed(r)}}.Show(r)
	}
	if r.Posted() {
		replaced, err := p.replace(r, a, d, f)
		if err != nil || replaced {
			return err
		}
	}
	field, err := p.fileField(r, f)
	if err != nil {
		return err
	}
	return site.Sheet{Intro: []string{r.T("my_document.replace_text")}, Parts: []ui.Component{f.Box([]ui.Button{
		r.Save("my_document.replace"), r.Cancel(r.At("my-documents", a.ID))}, field)}}.Show(r)
}

// replace stores the file that was chosen; false where the form has to be shown again.
func (p *pages) replace(r *site.Request, a *own, d *store.CardDocument, f *site.Form) (bool, error) {
	file, err := f.File("file")
	if err != nil {
		return false, err
	}
	if file == nil {
		f.Fail("file", "my_document.no_file")
		return false, nil
	}
	content, err := file.Open()
	if err != nil {
		return false, err
	}
	defer content.Close() //nolint:errcheck // it was only read
	made, err := p.Admissions.ReplaceDocument(r.Context(), r.Caller(), d.ID, admissions.Upload{Application: a.ID,
		Name: file.Name, Content: content, Size: file.Size})
	refused, err := f.Refused(f.FileRefused("file", err), map[admitto.Path]string{"document.file": "file"})
	if err != nil || refused {
		return false, err
	}
	r.Notify(ui.OK, r.T("my_document.replaced", "Name", d.Name, "New", made.Name))
	return true, r.To("my-documents", a.ID)
}

// removeDocument takes a document away.
func (p *pages) removeDocument(r *site.Request, a *own) error {
	a.crumb(r)
	d, err := documentOf(r, a)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if !a.mayRemove(d) {
		r.SetTitle(r.T("my_document.remove_title", "Name", d.Name))
		return site.Sheet{Parts: []ui.Component{a.whyClosed(r)}}.Show(r)
	}
	if r.Posted() {
		refused, err := f.Refused(p.Admissions.RemoveDocument(r.Context(), r.Caller(), a.ID, d.ID, ""), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("my_document.removed", "Name", d.Name))
			return r.To("my-documents", a.ID)
		}
	}
	return r.Ask(ui.Confirmation{Title: r.T("my_document.remove_title", "Name", d.Name), Fields: []ui.Component{f.Head()},
		Effects: []ui.Effect{{Icon: "info", Text: r.T("my_document.remove_effect")}},
		Confirm: ui.Button{Text: r.T("my_form.remove"), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("my-documents", a.ID)}})
}
