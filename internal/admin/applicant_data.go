package admin

import (
	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// applicantData asks, and answers with an archive of all that is kept about an applicant. The archive is made while it
// is sent: it takes no longer than the files in it.
func (p *pages) applicantData(r *site.Request, a *accounts.ApplicantAccount) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		write, err := p.Privacy.ExportApplicant(r.Context(), r.Caller(), a.ID, site.FileName)
		if err != nil {
			return err
		}
		return r.Download("applicant-"+number(a.ID)+"-data.zip", "application/zip", write)
	}
	return r.Ask(ui.Confirmation{Title: r.T("applicant.data_title", "Name", show.Name(r, &a.Applicant)),
		Text: r.T("applicant.data_text"), Effects: []ui.Effect{
			{Icon: "download", Text: r.T("applicant.data_effect")}, {Icon: "eye", Text: r.T("applicant.data_read")},
			{Icon: "history", Text: r.T("applicant.data_journal")}},
		Fields:  []ui.Component{f.Head()},
		Confirm: ui.Button{Text: r.T("action.applicant-data"), Primary: true, Stays: true},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.Within("applicant", a.ID)}})
}
