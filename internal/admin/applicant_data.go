package admin

import (
	"errors"
	"io"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/privacy"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// applicantData asks for an archive of all that is kept about an applicant, shows how far it is, and leads to it. A job
// makes it (lifecycle.md 13).
func (p *pages) applicantData(r *site.Request, a *accounts.ApplicantAccount) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		if _, err := p.Privacy.AskDataExport(r.Context(), r.Caller(), a.ID); err != nil {
			return err
		}
		return r.To("applicant-data", a.ID)
	}
	list, err := p.Privacy.DataExports(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return err
	}
	title := r.T("applicant.data_title", "Name", show.Name(r, &a.Applicant))
	r.SetTitle(title)
	sheet := site.Sheet{Title: title, Intro: []string{r.T("applicant.data_text")}}
	save := ui.Button{Text: r.T("applicant.data_make"), Primary: true, Busy: r.T("form.saving")}
	if len(list) > 0 {
		sheet.Parts = append(sheet.Parts, p.dataBox(r, list))
		if list[0].Running() {
			return sheet.Show(r)
		}
		save.Text, save.Primary = r.T("applicant.data_again"), list[0].Failed
	}
	sheet.Parts = append(sheet.Parts, f.Box([]ui.Button{save, r.Cancel(r.Within("applicant", a.ID))}, ui.Effects{
		{Icon: "download", Text: r.T("applicant.data_effect")}, {Icon: "eye", Text: r.T("applicant.data_read")},
		{Icon: "clock", Text: r.T("applicant.data_days")}, {Icon: "history", Text: r.T("applicant.data_journal")}}))
	return sheet.Show(r)
}

// dataBox says what became of the files that were asked for, the newest first. While one is made it is read again.
func (p *pages) dataBox(r *site.Request, list []privacy.Export) ui.Box {
	box := ui.Box{ID: "file", Title: r.T("applicant.data_file")}
	for i := range list {
		e := &list[i]
		at := []any{"Name", e.AskedBy, "Time", r.Clock(e.Asked)}
		switch {
		case e.Running():
			here := r.Within("applicant-data", e.Applicant)
			box.Again = here
			box.Parts = append(box.Parts, ui.Progress{Label: r.T("applicant.data_running"), Text: r.T("applicant.data_asked",
				at...)}, ui.Button{Text: r.T("journal.look_again"), Href: here, Small: true})
		case e.Failed:
			box.Parts = append(box.Parts, ui.Notice{Tone: ui.Bad, Text: r.T("applicant.data_failed", at...)})
		default:
			box.Parts = append(box.Parts,
				ui.Notice{Tone: ui.OK, Text: r.T("applicant.data_ready", "Time", r.Clock(e.Finished), "Until",
					r.Clock(e.Expires))},
				ui.Words{Text: r.T("applicant.data_asked", at...), Muted: true},
				ui.Button{Icon: "download", Text: r.T("applicant.data_download", "Size", r.Size(e.Size)),
					Href: r.At("applicant-data-file", e.Applicant, e.ID), Primary: i == 0})
		}
	}
	return box
}

// applicantDataFile answers with an archive that was made. Whether the reader may have it is asked each time.
func (p *pages) applicantDataFile(r *site.Request, a *accounts.ApplicantAccount) error {
	id, err := r.IDAt("file")
	if err != nil {
		return err
	}
	content, err := p.Privacy.OpenDataExport(r.Context(), r.Reader(), a.ID, id)
	if err != nil {
		return err
	}
	return r.Download("applicant-"+number(a.ID)+"-data.zip", "application/zip", func(w io.Writer) error {
		_, err := io.Copy(w, content)
		return errors.Join(err, content.Close())
	})
}
