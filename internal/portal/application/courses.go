package application

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// courses are the courses of the application, which can be put into another order (screens.md P13).
func (p *pages) courses(r *site.Request, a *own) error {
	a.crumb(r)
	a.setSteps(r, "my-courses")
	page := site.Sheet{Intro: []string{r.T("my_course.intro")}}
	if !a.isOpen() {
		page.Parts = append(page.Parts, a.whyClosed(r))
	}
	if a.Frozen != 0 {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Info, Text: r.T("my_course.frozen")})
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	for i := range a.Courses {
		c := &a.Courses[i]
		facts := []ui.KeyValue{{Key: r.T("my_course.intake"), Value: c.In.Name}}
		if c.Deadline.Until != 0 {
			facts = append(facts, ui.KeyValue{Key: r.T("my_view.deadline"), Value: r.Clock(c.Deadline.Until - 1)})
		}
		if c.Late {
			facts = append(facts, ui.KeyValue{Key: r.T("my_course.note"), Value: r.T("my_view.late")})
		}
		box := ui.Box{Title: r.Number(c.Priority) + ". " + c.Named.Name, Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
		if a.isOpen() {
			box.Parts = append(box.Parts, a.moves(r, f.Head(), i)...)
			box.Actions = []ui.Button{{Text: r.T("my_form.remove"), Icon: "trash-2", Small: true, Danger: true,
				About: c.Named.Name, Href: r.At("my-course-remove", a.ID, c.Course)}}
		}
		page.Parts = append(page.Parts, box)
	}
	acts := ui.Acts{{Text: r.T("my_form.next"), Primary: true, Href: r.At("my-check", a.ID)}}
	if a.isOpen() {
		acts = ui.Acts{{Text: r.T("my_course.add"), Icon: "plus", Href: r.At("courses") + "?open=yes&term=" + number(a.Term)},
			acts[0]}
	}
	page.Parts = append(page.Parts, acts)
	return page.Show(r)
}

// moves are the buttons that move a course up and down.
func (a *own) moves(r *site.Request, head ui.FormHead, i int) (parts []ui.Component) {
	c := &a.Courses[i]
	if i > 0 {
		parts = append(parts, ui.FormBox{Action: r.At("my-course-move", a.ID, c.Course, "up"), Head: head,
			Buttons: []ui.Button{{Text: r.T("my_form.up"), About: c.Named.Name, Icon: "arrow-up", Small: true,
				ID: "up-" + number(c.Course)}}})
	}
	if i+1 < len(a.Courses) {
		parts = append(parts, ui.FormBox{Action: r.At("my-course-move", a.ID, c.Course, "down"), Head: head,
			Buttons: []ui.Button{{Text: r.T("my_course.down"), About: c.Named.Name, Icon: "arrow-down", Small: true,
				ID: "down-" + number(c.Course)}}})
	}
	if len(parts) > 1 {
		return []ui.Component{ui.Columns{Parts: parts}}
	}
	return parts
}

// moveCourse moves a course one place up or down.
func (p *pages) moveCourse(r *site.Request, a *own) error {
	id, err := r.IDAt("course")
	if err != nil {
		return err
	}
	to := 0
	for i := range a.Courses {
		if c := &a.Courses[i]; c.Course == id {
			to = c.Priority - 1
			if r.Part("way") == "down" {
				to = c.Priority + 1
			}
		}
	}
	if to < 1 || to > len(a.Courses) {
		return r.To("my-courses", a.ID)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	refused, err := f.Refused(p.Admissions.SetCoursePriority(r.Context(), r.Caller(), a.ID, id, to), nil)
	if err != nil {
		return err
	}
	if refused {
		return p.notNow(r, a, f, "my-courses")
	}
	r.Notify(ui.OK, r.T("my_course.moved", "Place", r.Number(to)))
	return r.To("my-courses", a.ID)
}

// notNow says at the top of the next page what a use case refused.
func (p *pages) notNow(r *site.Request, a *own, f *site.Form, route string) error {
	if errors := f.Summary(); errors != nil {
		for _, fault := range errors.Faults {
			r.Notify(ui.Warn, fault.Text)
		}
	}
	return r.To(route, a.ID)
}

// removeCourse takes a course off the application; instead of the last one, the application is discarded.
func (p *pages) removeCourse(r *site.Request, a *own) error {
	a.crumb(r)
	id, err := r.IDAt("course")
	if err != nil {
		return err
	}
	name := ""
	for i := range a.Courses {
		if a.Courses[i].Course == id {
			name = a.Courses[i].Named.Name
		}
	}
	if name == "" {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.Admissions.RemoveCourse(r.Context(), r.Caller(), a.ID, id), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("my_course.removed", "Name", name))
			return r.To("my-courses", a.ID)
		}
	}
	ask := ui.Confirmation{Title: r.T("my_course.remove_title", "Name", name), Fields: []ui.Component{f.Head()},
		Effects: []ui.Effect{{Icon: "info", Text: r.T("my_course.remove_effect")}},
		Undo:    r.T("my_course.remove_undo"),
		Confirm: ui.Button{Text: r.T("my_course.remove"), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("my-courses", a.ID)}}
	if len(a.Courses) == 1 {
		return site.Sheet{Title: r.T("my_course.last_title"), Intro: []string{r.T("my_course.last_text")},
			Buttons: []ui.Button{
				{Text: r.T("my_course.add"), Primary: true, Href: r.At("courses") + "?open=yes&term=" + number(a.Term)},
				{Text: r.T("title.my-withdraw"), Href: r.At("my-withdraw", a.ID)}}}.Show(r)
	}
	return r.Ask(ask)
}
