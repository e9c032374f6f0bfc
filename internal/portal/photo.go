package portal

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// photo is the page with the photo of the applicant, and takes another one (screens.md P12).
func (p *pages) photo(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		saved, err := p.savePhoto(r, f)
		if err != nil || saved {
			return err
		}
	}
	field, err := f.Upload("photo", "my_photo.file", "image/jpeg,image/png")
	if err != nil {
		return err
	}
	field.Hint = r.T("my_photo.taken", "Size", r.Size(r.Settings().Documents.MaxBytes))
	page := site.Sheet{Intro: []string{r.T("my_photo.what"), r.T("my_photo.rules")}}
	kept, err := p.Query.Photo(r.Context(), r.Reader(), r.Person.Account)
	switch {
	case err == nil:
		now := ui.FileState{Name: r.T("my_photo.now", "Time", r.Clock(kept.Uploaded)), Done: 100,
			Image: r.At("my-photo-file") + "?" + kept.Hash[:8]} // another address than the one before it had
		field.Files = append([]ui.FileState{now}, field.Files...)
	case admitto.KindOf(err) != admitto.NotFound:
		return err
	}
	buttons := []ui.Button{r.Save("my_photo.save"), r.Cancel(r.Next(r.At("my-account")))}
	page.Parts = append(page.Parts, f.Box(buttons, field))
	if kept.Hash != "" {
		page.Parts = append(page.Parts, ui.Acts(r.Buttons(site.Danger("my-photo-remove"))))
	}
	return page.Show(r)
}

// savePhoto stores the photo that was chosen, unless something is wrong with it.
func (p *pages) savePhoto(r *site.Request, f *site.Form) (saved bool, err error) {
	file, err := f.File("photo")
	if err != nil {
		return false, err
	}
	if file == nil {
		f.Fail("photo", "my_photo.none_chosen")
		return false, nil
	}
	content, err := file.Bytes(r.Settings().Documents.MaxBytes)
	if err == nil {
		err = p.Admissions.SavePhoto(r.Context(), r.Caller(), r.Person.Account, content)
	}
	refused, err := f.Refused(f.FileRefused("photo", err), map[admitto.Path]string{"document.file": "photo"})
	if err != nil || refused {
		return false, err
	}
	r.Notify(ui.OK, r.T("my_photo.saved"))
	return true, r.Redirect(r.Next(r.At("my-photo")))
}

// removePhoto takes the photo away, once it is confirmed.
func (p *pages) removePhoto(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if _, err := p.Query.Photo(r.Context(), r.Reader(), r.Person.Account); admitto.KindOf(err) == admitto.NotFound {
		return r.To("my-photo") // removed in another tab
	} else if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.Admissions.RemovePhoto(r.Context(), r.Caller(), r.Person.Account), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("my_photo.removed"))
			return r.To("my-photo")
		}
	}
	return r.Ask(ui.Confirmation{Title: r.T("my_photo.remove_title"), Fields: []ui.Component{f.Head()},
		Effects: []ui.Effect{{Icon: "info", Text: r.T("my_photo.remove_effect")}},
		Confirm: ui.Button{Text: r.T("action.my-photo-remove"), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("my-photo")}})
}

// photoFile answers with the photo.
func (p *pages) photoFile(r *site.Request) error {
	f, err := p.Query.Photo(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	content, err := p.Files.OpenFile(r.Context(), r.Reader(), &f)
	if err != nil {
		return err
	}
	return r.Inline("image/jpeg", content)
}
