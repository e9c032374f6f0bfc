package admin

import (
	"errors"
	"slices"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// mostReason is how long a reason may be.
const mostReason = 1000

// applicantStart starts an application for the applicant, or adds the course to the one of the term (lifecycle.md T1,
// T2). A passed deadline asks for a reason.
func (p *pages) applicantStart(r *site.Request, a *accounts.ApplicantAccount) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		in := admissions.NewApplication{Applicant: a.ID, Course: f.Choice("course"), Intake: f.Choice("intake"),
			Reason: f.Get("reason"), CopyOf: f.Choice("copy")}
		if in.Course == 0 {
			f.Fail("course", "start.no_course")
		}
		if in.Intake == 0 {
			f.Fail("intake", "start.no_intake")
		}
		if _, err := text.Multiline(in.Reason, 0, mostReason); err != nil {
			f.FailText("reason", message.From(err))
		}
		if !f.Failed() {
			id, created, err := p.Admissions.Apply(r.Context(), r.Caller(), in)
			late := isLate(err)
			refused, err := f.Refused(err, map[admitto.Path]string{"application.copy": "copy"})
			if err != nil {
				return err
			}
			if !refused {
				said := r.T("start.added", "ID", id)
				if created {
					said = r.T("start.started", "ID", id)
				}
				r.Notify(ui.OK, said)
				return r.To("applicant-applications", a.ID)
			}
			if late {
				f.Fail("reason", "start.late")
			}
		}
	}
	courses, intakes, err := p.openCourses(r)
	if err != nil {
		return err
	}
	back := r.Within("applicant", a.ID)
	if len(courses) == 0 || len(intakes) == 0 {
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "graduation-cap", Title: r.T("start.nothing"),
			Text: r.T("start.nothing_text"), Actions: []ui.Button{{Text: show.Name(r, &a.Applicant), Href: back,
				Small: true}}}}}.Show(r)
	}
	none := []ui.Option{{Text: r.T("start.choose")}}
	reason := f.Long("reason", "start.reason", 2, mostReason)
	reason.Optional = true
	fields := []ui.Component{f.Select("course", "start.course", append(none, courses...)...),
		f.Select("intake", "start.intake", append(none, intakes...)...), reason}
	earlier, err := p.copyOptions(r, a.ID)
	if err != nil {
		return err
	}
	if len(earlier) > 0 {
		// One is a box to tick; of several, one is chosen.
		one := len(earlier) == 1
		if !one {
			earlier = append([]ui.Option{{Text: r.T("start.copy_nothing")}}, earlier...)
		}
		choice := f.Choices("copy", "start.copy", one, earlier...)
		choice.Optional = true
		fields = append(fields, choice)
	}
	return site.Sheet{Intro: []string{r.T("start.intro")},
		Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.applicant-start"),
			r.Cancel(back)}, fields...)}}.Show(r)
}

// isLate reports whether a deadline is what stands against it, which a reason sets aside.
func isLate(err error) bool {
	var e *admitto.Error
	return errors.As(err, &e) && slices.ContainsFunc(e.Faults, func(f admitto.Fault) bool {
		return f.Code == admitto.CodeDeadlinePassed
	})
}

// openCourses are the courses that can be applied for, and their intakes of terms that are not over: nobody can start
// an application of another one (lifecycle.md G12).
func (p *pages) openCourses(r *site.Request) (courses, intakes []ui.Option, err error) {
	ctx, by := r.Context(), r.Reader()
	all, err := p.Query.Courses(ctx, by, admitto.CourseQuery{})
	if err != nil {
		return nil, nil, err
	}
	used := map[int64]bool{}
	for i := range all {
		c := &all[i]
		if c.Status != "Online" && c.Status != "Private" || len(c.Intakes) == 0 {
			continue
		}
		name := c.Name
		if c.Code != "" {
			name = c.Code + " " + c.Name
		}
		courses = append(courses, ui.Option{Value: number(c.ID), Text: name})
		for _, intake := range c.Intakes {
			used[intake] = true
		}
	}
	list, err := p.Query.Intakes(ctx, by)
	if err != nil {
		return nil, nil, err
	}
	slices.Reverse(list) // the newest first
	for i := range list {
		in := &list[i]
		if used[in.ID] && !in.Term.Expired(r.Now(), 0, r.Zone()) {
			intakes = append(intakes, ui.Option{Value: number(in.ID),
				Text: r.T("start.of_term", "Name", in.Name, "Term", in.Term.Name)})
		}
	}
	return r.ByText(courses), intakes, nil
}

// mostToCopy is how many applications are offered to copy a form from, the newest ones.
const mostToCopy = 20

// copyOptions are the applications of an applicant whose form can be copied, for those who may see them.
func (p *pages) copyOptions(r *site.Request, applicant int64) (options []ui.Option, err error) {
	if !r.Reader().Has(admitto.ApplicationsView) {
		return nil, nil
	}
	list, err := p.readApplications(r, applicant)
	if err != nil {
		return nil, err
	}
	for i := range list.rows[:min(len(list.rows), mostToCopy)] {
		a := &list.rows[i]
		options = append(options, ui.Option{Value: number(a.ID),
			Text: r.T("start.copy_of", "ID", a.ID, "Term", list.terms[a.Term])})
	}
	return options, nil
}
