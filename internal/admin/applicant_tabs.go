package admin

import (
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/mails"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// applicantApplications is the tab with all applications.
func (p *pages) applicantApplications(r *site.Request, a *accounts.ApplicantAccount) error {
	list, err := p.readApplications(r, a.ID)
	if err != nil {
		return err
	}
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return err
	}
	names := map[int64]string{}
	for _, c := range courses {
		if names[c.ID] = c.Code; c.Code == "" {
			names[c.ID] = c.Name
		}
	}
	table := ui.Table{Caption: r.T("title.applicant-applications"), Columns: []ui.Column{
		{Title: r.T("applicant.identifier"), Place: "main"}, {Title: r.T("applicant.status"), Place: "meta"},
		{Title: r.T("applicant.term"), Place: "label"}, {Title: r.T("applicant.courses")},
		{Title: r.T("applicant.submitted"), Place: "label"},
	}, Empty: ui.Empty{Icon: "files", Title: r.T("applicant.no_applications"), Text: r.T(
		"applicant.no_applications_text")}}
	for i := range list.rows {
		application := &list.rows[i]
		id := strconv.FormatInt(application.ID, 10)
		first := ui.Cell{Text: id}
		if r.May("application") {
			first.Href = r.At("application", application.ID)
		}
		table.Rows = append(table.Rows, ui.Row{ID: id, Label: id, Cells: []ui.Cell{first,
			{Tags: []ui.Tag{show.Status(r, application.Status)}}, {Text: list.terms[application.Term]},
			{Choices: list.choices(application.ID, names)}, {Text: show.Day(r, application.Submitted)}}})
	}
	return p.applicantCard(r, a, "applicant-applications", table)
}

// choices are the courses of an application by priority, with the types of their offers.
func (l *applicationList) choices(application int64, courses map[int64]string) (choices []ui.Choice) {
	offers := map[int64]admitto.OfferType{}
	for _, o := range l.parts.Offers[application] {
		offers[o.Course] = l.types[o.Type]
	}
	list := l.parts.Courses[application]
	for priority := 1; priority <= len(list); priority++ {
		for _, c := range list {
			if c.Priority == priority {
				offer := offers[c.Course]
				choices = append(choices, ui.Choice{Course: courses[c.Course], Offer: offer.Title, Colour: offer.Colour})
			}
		}
	}
	return choices
}

// applicantEmails is the tab with the mails that the applicant was sent.
func (p *pages) applicantEmails(r *site.Request, a *accounts.ApplicantAccount) error {
	parts, err := mails.List(r, p.Query, a.ID)
	if err != nil {
		return err
	}
	return p.applicantCard(r, a, "applicant-emails", parts...)
}

// applicantInvoices is the tab with the invoices.
func (p *pages) applicantInvoices(r *site.Request, a *accounts.ApplicantAccount) error {
	list, err := p.Query.InvoicesOfApplicant(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return err
	}
	table := ui.Table{Caption: r.T("title.applicant-invoices"), Columns: []ui.Column{
		{Title: r.T("applicant.number"), Place: "main"}, {Title: r.T("applicant.status"), Place: "meta"},
		{Title: r.T("applicant.issued"), Place: "label"}, {Title: r.T("applicant.deadline"), Place: "label"},
		{Title: r.T("applicant.total"), Num: true, Place: "label"}, {Title: r.T("applicant.due"), Num: true, Place: "label"},
	}, Empty: ui.Empty{Icon: "receipt", Title: r.T("applicant.no_invoices"), Text: r.T("applicant.no_invoices_text")}}
	today := p.Core.DayOf(r.Now())
	for i := len(list) - 1; i >= 0; i-- {
		v := &list[i]
		id := strconv.FormatInt(v.ID, 10)
		first := ui.Cell{Text: v.Number}
		if v.Number == "" {
			first.Text = id
		}
		if r.May("invoice") {
			first.Href = r.At("invoice", v.ID)
		}
		table.Rows = append(table.Rows, ui.Row{ID: id, Label: v.Number, Cells: []ui.Cell{first,
			{Tags: []ui.Tag{show.Invoice(r, v.State(today))}}, {Text: show.Day(r, v.Issued)}, {Text: show.Date(r, v.Deadline)},
			{Text: r.Money(int64(v.Total), v.Currency)}, {Text: r.Money(int64(v.Open()), v.Currency)}}})
	}
	return p.applicantCard(r, a, "applicant-invoices", table)
}

// applicantConsents is the tab with the decisions on consents.
func (p *pages) applicantConsents(r *site.Request, a *accounts.ApplicantAccount) error {
	all, err := p.Query.Consents(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	decided, err := p.Query.ConsentsOf(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return err
	}
	byConsent := map[int64]admitto.ConsentDecision{}
	for _, d := range decided {
		byConsent[d.Consent] = d
	}
	table := ui.Table{Caption: r.T("title.applicant-consents"), Columns: []ui.Column{
		{Title: r.T("applicant.consent"), Place: "main"}, {Title: r.T("applicant.consent_type"), Place: "label"},
		{Title: r.T("applicant.decision"), Place: "meta"}, {Title: r.T("applicant.decided"), Place: "label"},
	}, Empty: ui.Empty{Icon: "check", Title: r.T("applicant.no_consents"), Text: r.T("applicant.no_consents_text")}}
	for _, c := range all {
		id := strconv.FormatInt(c.ID, 10)
		d, known := byConsent[c.ID]
		tag := ui.Tag{Text: r.T("applicant.undecided"), Icon: "circle"}
		if known && d.Accepted {
			tag = ui.Tag{Text: r.T("applicant.accepted"), Icon: "check", Tone: ui.OK}
		} else if known {
			tag = ui.Tag{Text: r.T("applicant.rejected"), Icon: "x", Tone: ui.Warn}
		}
		kind := r.T("applicant.mandatory")
		if c.Type != "Mandatory" {
			kind = r.T("applicant.voluntary")
		}
		table.Rows = append(table.Rows, ui.Row{ID: id, Label: id, Cells: []ui.Cell{{Text: c.Text}, {Text: kind},
			{Tags: []ui.Tag{tag}}, {Text: show.Day(r, d.Decided)}}})
	}
	return p.applicantCard(r, a, "applicant-consents", table)
}

// applicantPhoto answers with the photo.
func (p *pages) applicantPhoto(r *site.Request, a *accounts.ApplicantAccount) error {
	f, err := p.Query.Photo(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return err
	}
	content, err := p.Files.OpenFile(r.Context(), r.Reader(), &f)
	if err != nil {
		return err
	}
	return r.Inline("image/jpeg", content)
}
