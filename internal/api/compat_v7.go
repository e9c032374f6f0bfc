package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// What only versions 1 to 7 have, before the change emptyOmitted: study plans. Empty lists of the repeating sections
// are in wire/form.go, where it asks for that change.

// listApplicationStudyPlans answers GET /applications/{id}/studyplans (resources.md 12).
func (a *API) listApplicationStudyPlans(c *call) error {
	list, err := a.services.Query.StudyPlansOfApplication(c.ctx, c.by(), c.ids[0])
	return listOf(c, list, err, studyPlanID, studyPlanRecord)
}

// getApplicationStudyPlan answers GET /applications/{id}/studyplans/{id}.
func (a *API) getApplicationStudyPlan(c *call) error {
	one, err := a.services.Query.StudyPlanOfApplication(c.ctx, c.by(), c.ids[0], c.ids[1])
	return oneOf(c, &one, err, studyPlanRecord)
}

// listApplicantStudyPlans answers GET /applicants/{id}/studyplans.
func (a *API) listApplicantStudyPlans(c *call) error {
	list, err := a.services.Query.StudyPlansOfApplicant(c.ctx, c.by(), c.ids[0])
	return listOf(c, list, err, studyPlanID, studyPlanRecord)
}

// getApplicantStudyPlan answers GET /applicants/{id}/studyplans/{id}.
func (a *API) getApplicantStudyPlan(c *call) error {
	one, err := a.services.Query.StudyPlanOfApplicant(c.ctx, c.by(), c.ids[0], c.ids[1])
	return oneOf(c, &one, err, studyPlanRecord)
}

func studyPlanID(p *admitto.StudyPlan) int64 { return p.ID }

// studyPlanWire is a study plan (resources.md 12).
type studyPlanWire struct {
	ID          int64         `wire:"id"`
	Created     admitto.Time  `wire:"created"`
	Revised     admitto.Time  `wire:"revised"`
	Status      string        `wire:"status"`
	Course      wire.Link     `wire:"course"`
	Applicant   wire.Link     `wire:"applicant"`
	Application wire.Link     `wire:"application"`
	Subjects    []subjectWire `wire:"subjects"`
}

type subjectWire struct {
	Code     wire.Nullable `wire:"code"`
	Type     wire.Nullable `wire:"type"`
	Name     wire.Nullable `wire:"name"`
	Credits  wire.Nullable `wire:"credits"`
	TermType wire.Link     `wire:"academic-term-type"`
}

func studyPlanRecord(p *admitto.StudyPlan) any {
	w := &studyPlanWire{ID: p.ID, Created: p.Created, Revised: p.Revised, Status: p.Status,
		Course:    wire.LinkTo("/courses/{}", p.Course),
		Applicant: wire.LinkTo("/applicants/{}", p.Applicant), Application: wire.LinkTo("/applications/{}", p.Application)}
	for _, s := range p.Subjects {
		w.Subjects = append(w.Subjects, subjectWire{wire.Nullable(s.Code), wire.Nullable(s.Type), wire.Nullable(s.Name),
			wire.Nullable(s.Credits),
			wire.LinkTo("/academic-terms/types/{}", s.TermType)})
	}
	return w
}
