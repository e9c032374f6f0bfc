package card

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// kindOf is what a refusal is about: the section of the form, or tasks, invoices and the like.
func kindOf(r *site.Request, f *admitto.Fault) string {
	if s, _ := missingField(f); s != nil {
		return sectionName(r, s)
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
	link := ui.Link{Text: faultText(r, f)}
	to := func(name string, values ...any) {
		if r.May(name) {
			link.Href = r.At(name, values...)
		}
	}
	switch f.Code {
	case admitto.CodeSectionIncomplete:
		if s, _ := missingField(f); s != nil {
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

// faultText says what is missing: fields by their names, everything else as the use case says it.
func faultText(r *site.Request, f *admitto.Fault) string {
	s, path := missingField(f)
	if s == nil {
		return r.Say(f.Text)
	}
	return pathName(r, s, path)
}

// missingField is the section and, below it, the field that a refusal says is not filled in; nil for other refusals.
func missingField(f *admitto.Fault) (s *form.Section, below string) {
	if f.Code != admitto.CodeSectionIncomplete || len(f.Text.Args) == 0 {
		return nil, ""
	}
	path, _ := f.Text.Args[0].(string)
	section, below, _ := strings.Cut(path, "/")
	return form.SectionOf(section), below
}

// pathName names a field below a section as form.Content.Missing does: birth/date, 0/level, * for no row at all, and
// the ID of a question.
func pathName(r *site.Request, s *form.Section, below string) string {
	if below == "*" {
		return r.T("card.no_row")
	}
	row, rest, found := strings.Cut(below, "/")
	if n, err := strconv.Atoi(row); err == nil && s.Rows && found {
		if f := form.FieldAt(s.Key + "/" + rest); f != nil {
			return r.T("card.of_row", "Row", r.Number(n+1), "Field", label(r, f))
		}
	}
	if f := form.FieldAt(s.Key + "/" + below); f != nil {
		return label(r, f)
	}
	return r.T("card.question", "ID", below)
}
