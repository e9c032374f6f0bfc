package courses

import (
	"errors"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
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
	var barrier []ui.Component
	var own int64
	for i := range s.Starts {
		if in := &s.Starts[i]; in.ID == intake {
			if barrier, err = p.barrier(r, &s, in); err != nil {
				return err
			}
			facts[2].Value, facts[2].Lang = r.Said(in.NameIn(r.Lang))
			own = s.own.with[courseOfTerm{course, in.Term.ID}]
			if day := s.deadline(r, in); day != "" {
				facts = append(facts, ui.KeyValue{Key: r.T("catalogue.deadline"), Value: day})
			}
		}
	}
	if fee := feeText(r, s.Fees); fee != "" {
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
	if own != 0 && !r.Posted() {
		r.Notify(ui.Info, r.T("catalogue.applied", "ID", strconv.FormatInt(own, 10)))
		return r.To("my-application", own)
	} else if own == 0 && barrier != nil { // no press can help
		if r.Posted() {
			r.SetConflict()
		}
		return site.Sheet{Parts: append(append([]ui.Component{ui.KeyValues{Facts: facts}}, barrier...),
			ui.Acts{{Text: r.T("apply_for.intakes"), Href: r.At("course", course)}})}.Show(r)
	}
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
	}
	parts := []ui.Component{ui.KeyValues{Facts: facts}}
	box := f.Box([]ui.Button{r.Save("action.apply-now"), r.Cancel(r.At("course", course))}, append(parts, ways...)...)
	return site.Sheet{Intro: []string{r.T("apply_for.text")}, Parts: []ui.Component{box}}.Show(r)
}

// barrier is what is known to stand in the way of the press: what the page of the course says, or the account lacks.
func (p *pages) barrier(r *site.Request, s *shown, in *query.OfferedIntake) ([]ui.Component, error) {
	lacks := func(key, title, href string) []ui.Component {
		return []ui.Component{ui.Notice{Tone: ui.Warn, Text: r.T(key), Link: &ui.Link{Text: r.T(title), Href: href}}}
	}
	if s.country == "" {
		return lacks("apply_for.citizenship", "title.welcome", r.At("welcome")+"?next="+r.URL.Path), nil
	}
	if why := s.barrier(r, in); why != nil {
		return why, nil
	}
	list, err := p.Accounts.ConsentsOfApplicant(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(list, func(c admitto.AskedConsent) bool {
		return c.IsMandatory() && c.Decision != "Accept"
	}) {
		return lacks("apply_for.consent", "apply_for.to_consents", r.At("welcome")+"?next="+r.URL.Path), nil
	}
	return nil, nil
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
			lead(r.T("title.help"), r.At("help")+"?about=course&id="+strconv.FormatInt(course, 10))
		}
	}
	return parts
}
