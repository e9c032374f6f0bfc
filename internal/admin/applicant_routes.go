package admin

import (
	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// applicantRoutes are the pages about applicants (screens.md A08, A09).
func (p *pages) applicantRoutes() []site.Route {
	needs := site.Needs
	view, edit := needs(admitto.ApplicantsView), needs(admitto.ApplicantsEdit)
	routes := []site.Route{
		{Name: "applicants", Path: "/admin/applicants", Access: view, Handle: p.applicants},
		{Name: "applicants-csv", Path: "/admin/applicants.csv", Access: view, Handle: p.applicantsCSV},
		{Name: "applicants-at-once", Path: "/admin/applicants/at-once", Access: view, Only: true, Handle: p.applicantsAtOnce},
		{Name: "applicant-add", Path: "/admin/applicants/new", Access: edit, Form: true, Parent: "applicants",
			Handle: p.applicantAdd},
	}
	for _, route := range []struct {
		name, path string
		access     site.Access
		form       bool
		handle     func(*site.Request, *accounts.ApplicantAccount) error
	}{
		{"applicant", "", view, false, p.applicantOverview},
		{"applicant-applications", "/applications", needs(admitto.ApplicationsView), false, p.applicantApplications},
		{"applicant-emails", "/emails", view, false, p.applicantEmails},
		{"applicant-invoices", "/invoices", needs(admitto.AccountingView), false, p.applicantInvoices},
		{"applicant-consents", "/consents", view, false, p.applicantConsents},
		{"applicant-notes", "/notes", view, false, p.applicantNotes},
		{"applicant-history", "/history", needs(admitto.ApplicationsView, admitto.JournalView), false, p.applicantHistory},
		{"applicant-photo", "/photo", view, false, p.applicantPhoto},
		{"note-add", "/notes/add", edit, true, p.noteAdd},
		{"note-change", "/notes/change", edit, true, p.noteChange},
		{"note-edit", "/notes/{note}", edit, true, p.noteEdit},
		{"applicant-edit", "/edit", edit, true, p.applicantEdit},
		{"applicant-new-email", "/new-email", edit, true, p.applicantNewEmail},
		{"applicant-reference", "/reference", edit, true, p.applicantReference},
		{"applicant-trackers", "/trackers", needs(admitto.TrackersEdit), true, p.applicantTrackers},
		{"applicant-start", "/start", needs(admitto.ApplicationsEdit), true, p.applicantStart},
		{"applicant-sign-in-link", "/sign-in-link", edit, true, p.applicantSignInLink},
		{"applicant-block", "/block", edit, true, p.applicantBlock},
		{"applicant-unblock", "/unblock", edit, true, p.applicantUnblock},
		{"applicant-look", "/look", edit, true, p.applicantLook},
		{"applicant-data", "/data", needs(admitto.DataProtection), true, p.applicantData},
		{"applicant-data-file", "/data/{file}", needs(admitto.DataProtection), false, p.applicantDataFile},
		{"applicant-delete", "/delete", needs(admitto.ApplicantsDelete).Proved(), true, p.applicantDelete},
	} {
		if route.name != "applicant" {
			route.access = route.access.And(admitto.ApplicantsView)
		}
		isFile := route.name == "applicant-photo" || route.name == "applicant-data-file"
		parent := "applicant"
		if route.name == parent {
			parent = "applicants"
		}
		for _, tab := range applicantTabs {
			if route.name == tab {
				parent = "applicants"
			}
		}
		routes = append(routes, site.Route{Name: route.name, Path: "/admin/applicants/{id}" + route.path,
			Access: route.access, Form: route.form, InList: !isFile, Parent: parent,
			Handle: p.ofApplicant(route.handle)})
	}
	return routes
}

// ofApplicant reads the applicant that a page is about. Who was erased is said to those who may know it.
func (p *pages) ofApplicant(handle func(*site.Request, *accounts.ApplicantAccount) error) func(*site.Request) error {
	return func(r *site.Request) error {
		id, err := r.ID()
		if err != nil {
			return err
		}
		a, err := p.Accounts.ApplicantAccount(r.Context(), r.Reader(), id)
		if admitto.KindOf(err) == admitto.NotFound && r.Reader().Has(admitto.DataProtection) {
			erased, failed := p.Query.ErasedApplicant(r.Context(), r.Reader(), id)
			if failed != nil {
				return failed
			}
			if erased != 0 {
				r.SetTitle(r.T("applicant.erased"))
				return site.Sheet{Title: r.T("applicant.erased"), Parts: []ui.Component{ui.Words{
					Text: r.T("applicant.erased_text", "Time", r.Clock(erased), "ID", id)}},
					Buttons: r.Buttons(site.Do("applicants"))}.Show(r)
			}
		}
		if err != nil {
			return err
		}
		r.NameCrumb("applicant", show.Name(r, &a.Applicant))
		return handle(r, &a)
	}
}
