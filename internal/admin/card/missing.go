package card

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// kindOf is what a refusal is about: the section of the form, or tasks, invoices and the like.
func kindOf(r *site.Request, f *admitto.Fault) string {
	if s, _ := formpage.MissingField(f); s != nil {
		return formpage.SectionName(r, s)
	}
	switch f.Code {
	case admitto.CodeCitizenshipMissing:
		return r.T("card.citizenship")
	case admitto.CodeTerritoryBarred, admitto.CodeDeadlinePassed, admitto.CodeApplicationExpired:
		return r.T("card.deadlines")
	case admitto.CodeNoCourse:
		return r.T("card.courses")
	case admitto.CodeTaskBlocks:
		return r.T("card.tasks")
	case admitto.CodeInvoiceUnpaid:
		return r.T("card.invoices")
	}
	return r.T("card.status")
}

// faultLink says what is missing, and leads to where it is mended, as far as the reader may go there.
func faultLink(r *site.Request, h *query.ApplicationHead, f *admitto.Fault) ui.Link {
	link := ui.Link{Text: formpage.FaultText(r, f)}
	to := func(name string, values ...any) {
		if r.May(name) {
			link.Href = r.At(name, values...)
		}
	}
	switch f.Code {
	case admitto.CodeSectionIncomplete:
		if s, _ := formpage.MissingField(f); s != nil {
			to("application-form", h.ID, s.Key)
		}
	case admitto.CodeCitizenshipMissing:
		to("applicant-edit", h.Person.ID)
	case admitto.CodeTaskBlocks:
		to("application-tasks", h.ID)
	case admitto.CodeInvoiceUnpaid:
		to("application-invoices", h.ID)
	case admitto.CodeNoCourse, admitto.CodeDeadlinePassed, admitto.CodeTerritoryBarred:
		to("application-courses", h.ID)
	}
	return link
}
