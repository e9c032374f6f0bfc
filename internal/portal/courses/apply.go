package courses

import (
	"errors"
	"strconv"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// apply puts a course on the applicant's application of the term, or begins one (lifecycle.md T1, T2). Who comes here
// from a page of a course without being signed in signs in or registers first; then one press goes on.
func (p *pages) apply(r *site.Request) error {
	course, err := r.IDAt("course")
	if err != nil {
		return err
	}
	intake, err := r.IDAt("intake")
	if err != nil {
		return err
	}
	s, err := p.read(r, course)
	if err != nil {
		return err
	}
	facts := []ui.KeyValue{{Key: r.T("apply_for.course")}, {Key: r.T("catalogue.institution"), Value: s.InstitutionName},
		{Key: r.T("apply_for.intake")}}
	facts[0].Value, facts[0].Lang = r.Said(s.NameIn(r.Lang))
	for i := range s.Starts {
		if in := &s.Starts[i]; in.ID == intake {
			facts[2].Value, facts[2].Lang = r.Said(in.NameIn(r.Lang))
			if day := s.deadline(r, in); day != "" {
				facts = append(facts, ui.KeyValue{Key: r.T("catalogue.deadline"), Value: day})
			}
		}
	}
	if fee := feeText(r, s.Fees, s.country); fee != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("catalogue.fee"), Value: fee})
	}
	name := facts[0].Value
	if facts[2].Value == "" || s.Status == "Closed" {
		return r.To("course", course)
	}
	r.SetTitle(r.T("apply_for.title", "Course", name))
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	var ways []ui.Component
	if r.Posted() {
		id, created, err := p.Admissions.Apply(r.Context(), r.Caller(), admissions.NewApplication{
			Applicant: r.Person.Account, Course: course, Intake: intake})
		refused, err2 := f.Refused(err, map[admitto.Path]string{})
		if err2 != nil {
			return err2
		}
		if !refused {
			key := "apply_for.added"
			if created {
				key = "apply_for.begun"
			}
			r.Notify(ui.OK, r.T(key, "Course", name, "ID", strconv.FormatInt(id, 10)))
			return r.To("my-application", id)
		}
		ways = waysOut(r, err, course)
	} else if application := s.own.with[course]; application != 0 {
		r.Notify(ui.Info, r.T("catalogue.applied", "ID", strconv.FormatInt(application, 10)))
		return r.To("my-application", application)
	}
	parts := []ui.Component{ui.KeyValues{Facts: facts}}
	box := f.Box([]ui.Button{r.Save("action.apply-now"), r.Cancel(r.At("course", course))}, append(parts, ways...)...)
	return site.Sheet{Intro: []string{r.T("apply_for.text")}, Parts: []ui.Component{box}}.Show(r)
}

// waysOut lead on from the guards that refuse a course (screens.md U11).
func waysOut(r *site.Request, refused error, course int64) (parts []ui.Component) {
	var e *admitto.Error
	if !errors.As(refused, &e) {
		return nil
	}
	seen := map[string]bool{}
	lead := func(text, href string) {
		if !seen[href] {
			seen[href] = true
			parts = append(parts, ui.Acts{{Text: text, Href: href}})
		}
	}
	for _, fault := range e.Faults {
		switch fault.Code {
		case admitto.CodeCitizenshipMissing, admitto.CodeConsentMissing:
			lead(r.T("title.welcome"), r.At("welcome")+"?next="+r.URL.Path)
		case admitto.CodeApplicationExists:
			lead(r.T("title.applications"), r.At("applications"))
		case admitto.CodeDeadlinePassed, admitto.CodeCourseNotOpen:
			lead(r.T("apply_for.intakes"), r.At("course", course))
		default:
			lead(r.T("title.help"), r.At("help")+"?about=deadline")
		}
	}
	return parts
}
