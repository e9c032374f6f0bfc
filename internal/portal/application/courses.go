package application

import (
	"slices"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// courses are the courses of the application, which can be put into another order (screens.md P13).
func (p *pages) courses(r *site.Request, a *own) error {
	a.crumb(r)
	a.setSteps(r, "my-courses")
	page := site.Sheet{Intro: []string{r.T("my_course.intro")}}
	if a.isOpen() && len(a.Courses) > 1 {
		page.Intro[0] += " " + r.T("my_course.intro_order")
	}
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
	fees, err := p.Query.OwnFees(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return err
	}
	var boxes ui.Sortable
	for i := range a.Courses {
		c := &a.Courses[i]
		facts := []ui.KeyValue{{Key: r.T("my_course.intake"), Value: c.In.Name, Lang: a.langs[c.In.Name]}}
		if c.Deadline.Until != 0 {
			facts = append(facts, ui.KeyValue{Key: r.T("my_view.deadline"), Value: r.Clock(c.Deadline.Until - 1)})
		}
		for _, fee := range fees[c.Course] {
			facts = append(facts, ui.KeyValue{Key: r.T("catalogue.fee"), Value: feeWords(r, &fee)})
		}
		if tags := a.marks(r, c); tags != nil {
			facts = append(facts, ui.KeyValue{Key: r.T("my_course.note"), Tags: tags})
		}
		box := ui.Box{Title: r.Number(c.Priority) + ". " + c.Named.Name, Lang: a.langs[c.Named.Name],
			Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
		if a.isOpen() && !a.isFixed(c) {
			to := func(way string) string { return r.At("my-course-move", a.ID, c.Course, way) }
			if len(a.Courses) > 1 {
				box.Move = to("")
			}
			box.Parts = append(box.Parts, moveButtons(r, f.Head(), c.Named.Name, i, len(a.Courses), to)...)
			if a.Offer(c.Course) == nil { // a course that was answered stays (lifecycle.md T19)
				box.Actions = []ui.Button{{Text: r.T("my_form.remove"), Icon: "trash-2", Small: true, Danger: true,
					About: c.Named.Name, Href: r.At("my-course-remove", a.ID, c.Course)}}
			}
		}
		boxes.Boxes = append(boxes.Boxes, box)
	}
	page.Parts = append(page.Parts, boxes)
	acts := ui.Acts{{Text: r.T("my_form.next"), Primary: true, Href: r.At("my-check", a.ID)}}
	if most := r.Settings().Applications.MaxCourses; a.isOpen() && len(a.Courses) >= most {
		page.Parts = append(page.Parts, ui.Words{Text: r.T("my_course.full", "Most", r.Number(most))})
	} else if a.isOpen() {
		acts = ui.Acts{{Text: r.T("my_course.add"), Icon: "plus", Href: r.At("courses") + "?open=yes&term=" + number(a.Term)},
			acts[0]}
	}
	page.Parts = append(page.Parts, acts)
	return page.Show(r)
}

// feeWords say what it costs to apply.
func feeWords(r *site.Request, fee *query.OwnFee) string {
	if fee.Amount == 0 {
		return r.T("my_course.free")
	}
	amount := r.Money(int64(fee.Amount), fee.Currency)
	if fee.Whole {
		return r.T("my_course.fee_whole", "Amount", amount)
	}
	return amount
}

// isFixed reports whether a course was frozen, so that it can be neither moved nor removed.
func (a *own) isFixed(c *query.CardCourse) bool {
	return a.Form.IsFrozen("courses/" + number(c.Course))
}

// isGone reports whether a course that is still to be submitted was closed since. It can be submitted all the same
// (lifecycle.md T7), but hardly anybody wants to.
func (a *own) isGone(c *query.CardCourse) bool {
	return a.isOpen() && c.Submitted == 0 && !c.Named.IsOpen
}

// marks say what is special about a course: it is late, over, not possible, closed or fixed.
func (a *own) marks(r *site.Request, c *query.CardCourse) (tags []ui.Tag) {
	warn := func(text string) { tags = append(tags, ui.Tag{Text: text, Icon: "triangle-alert", Tone: ui.Warn}) }
	if c.Late {
		warn(r.T("my_view.late"))
	}
	if c.Deadline.Barred && a.isOpen() {
		warn(r.T("my_course.barred"))
	}
	if faults, _ := a.against(admitto.Submit); a.isOpen() && slices.ContainsFunc(faults, func(f admitto.Fault) bool {
		late := a.lateCourse(&f)
		return late != nil && late.Course == c.Course
	}) {
		warn(r.T("my_course.over"))
	}
	if a.isGone(c) {
		warn(r.T("my_course.gone"))
	}
	if a.isFixed(c) && a.isOpen() {
		tags = append(tags, ui.Tag{Text: r.T("my_course.fixed"), Icon: "snowflake", Tone: ui.Info})
	}
	return tags
}

// moveCourse moves a course one place up or down, or to the place where it was dragged.
func (p *pages) moveCourse(r *site.Request, a *own) error {
	id, err := r.IDAt("course")
	if err != nil {
		return err
	}
	from, to := 0, 0
	for i := range a.Courses {
		if c := &a.Courses[i]; c.Course == id {
			from = c.Priority
			to = placeOf(r.Part("way"), from)
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
	return toMoved(r, r.At("my-courses", a.ID), from, to)
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
	name, intake, place := "", int64(0), 0
	for i := range a.Courses {
		if a.Courses[i].Course == id {
			name, intake, place = a.Courses[i].Named.Name, a.Courses[i].Intake, a.Courses[i].Priority
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
			said := r.T("my_course.removed", "Name", name)
			if intake == 0 {
				r.Notify(ui.OK, said)
			} else {
				r.NotifyUndo(said, r.T("my_view.undo"), r.At("my-course-back", a.ID, id, intake, place))
			}
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

// courseBack puts a course that was removed back to its place, while it is open.
func (p *pages) courseBack(r *site.Request, a *own) error {
	course, err := r.IDAt("course")
	if err != nil {
		return err
	}
	intake, err := r.IDAt("intake")
	if err != nil {
		return err
	}
	place, err := r.IDAt("place")
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	_, err = p.Admissions.AddCourse(r.Context(), r.Caller(), a.ID, admissions.NewCourseOf{Course: course, Intake: intake,
		Priority: int(min(place, int64(len(a.Courses)+1)))})
	refused, err := f.Refused(err, nil)
	if err != nil {
		return err
	}
	if refused {
		return p.notNow(r, a, f, "my-courses")
	}
	r.Notify(ui.OK, r.T("my_course.back"))
	return r.To("my-courses", a.ID)
}
