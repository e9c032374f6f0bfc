package card

import (
	"slices"

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

// faultText is a refusal in words: what of the form is missing by its name, and a deadline that is over with its course
// and where it comes from.
func faultText(r *site.Request, courses []query.CardCourse, f *admitto.Fault) string {
	if c := courseOver(courses, f); c != nil {
		return r.T("card.course_over", "Course", courseName(c), "Deadline", deadline(r, c))
	}
	return formpage.FaultText(r, f)
}

// courseOver is the course whose deadline a refusal is about; nil for others.
func courseOver(courses []query.CardCourse, f *admitto.Fault) *query.CardCourse {
	for i := range courses {
		c := &courses[i]
		if f.Code == admitto.CodeDeadlinePassed && len(f.Text.Args) > 0 && f.Text.Args[0] == c.Course &&
			c.Deadline.Until != 0 {
			return c
		}
	}
	return nil
}

// coursesLate reads the courses of an application where refusals are about their deadlines, as far as the reader sees
// them.
func (p *pages) coursesLate(r *site.Request, h *query.ApplicationHead, faults []admitto.Fault) ([]query.CardCourse,
	error) {
	if !r.May("application") || !slices.ContainsFunc(faults, func(f admitto.Fault) bool {
		return f.Code == admitto.CodeDeadlinePassed
	}) {
		return nil, nil
	}
	o, err := p.Query.ApplicationOverview(r.Context(), r.Reader(), h.ID)
	return o.Courses, err
}

// faultLink says what is missing, and leads to where it is mended, as far as the reader may go there.
func faultLink(r *site.Request, h *query.ApplicationHead, courses []query.CardCourse, f *admitto.Fault) ui.Link {
	link := ui.Link{Text: faultText(r, courses, f)}
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
