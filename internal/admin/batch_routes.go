package admin

import (
	"github.com/admitto/admitto/internal/admin/batches"
	"github.com/admitto/admitto/internal/admin/tasks"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
)

// batchRoutes are the pages on which the same is done with many records (screens.md A11, A54).
func (p *pages) batchRoutes() []site.Route {
	return batches.Routes(p.Services, batches.Lists{Applications: p.selectApplications, Applicants: p.selectApplicants,
		Tasks: tasks.Selection(p.Services)})
}

// selectApplications is what the query of an address of the browser finds. A value in it that cannot be read finds
// nothing: it must not become a list of everything.
func (p *pages) selectApplications(r *site.Request, query string) (s admitto.BatchSelection, err error) {
	b, err := p.browse(r, r.ViewAt(r.At("browse"), query, true, browseSorts()...))
	if err != nil {
		return s, err
	}
	if len(b.wrong) > 0 {
		return s, &admitto.Error{Kind: admitto.NotFound}
	}
	return admitto.BatchSelection{Applications: &b.query.ApplicationQuery}, nil
}

// selectApplicants is selectApplications for the list of applicants.
func (p *pages) selectApplicants(r *site.Request, query string) (s admitto.BatchSelection, err error) {
	l, err := p.readApplicants(r, r.ViewAt(r.At("applicants"), query, true, applicantSorts...))
	if err != nil {
		return s, err
	}
	if len(l.faults) > 0 {
		return s, &admitto.Error{Kind: admitto.NotFound}
	}
	return admitto.BatchSelection{Applicants: &l.find.ApplicantQuery}, nil
}
