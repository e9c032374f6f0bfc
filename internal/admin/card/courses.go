package card

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// courseRoutes are what staff do with the courses of an application (screens.md A14).
func (p *pages) courseRoutes() []site.Route {
	edit, at := site.Needs(admitto.ApplicationsEdit).And(admitto.OffersView), "/admin/applications/{id}/courses/"
	return []site.Route{
		{Name: "application-course-add", Path: at + "add", Form: true, Access: edit, Parent: "application",
			Handle: p.ofApplication(p.addCourse)},
		{Name: "application-course-remove", Path: at + "{course}/remove", Form: true, Access: edit, Parent: "application",
			Handle: p.ofApplication(p.removeCourse)},
		{Name: "application-course-move", Path: at + "{course}/move", Only: true, Access: edit,
			Handle: p.ofApplication(p.moveCourse)},
	}
}

// courses are the courses by priority, each with its offer: the type that staff work on next to the confirmed one
// (screens.md A14).
func (p *pages) courses(r *site.Request, h *query.ApplicationHead) error {
	ctx, by := r.Context(), r.Reader()
	list, err := p.Query.ApplicationCourses(ctx, by, h.ID)
	if err != nil {
		return err
	}
	all, err := p.Query.OfferTypes(ctx, by)
	types, err := usecase.Named(all, err, func(t *admitto.OfferType) (int64, admitto.OfferType) { return t.ID, *t })
	if err != nil {
		return err
	}
	institutions, err := p.Query.Institutions(ctx, by, admitto.InstitutionQuery{})
	names, err := usecase.Named(institutions, err, func(i *admitto.Institution) (int64, string) { return i.ID, i.Name })
	if err != nil {
		return err
	}
	f, err := r.Form(nil, h.RowVersion)
	if err != nil {
		return err
	}
	parts := fixed(r, h, "card.fixed_courses", "application-course-add")
	if len(list) == 0 {
		parts = append(parts, ui.Empty{Icon: "graduation-cap", Title: r.T("card.no_courses")})
	}
	for i := range list {
		c := &list[i]
		facts := []ui.KeyValue{{Key: r.T("card.institution"), Value: names[c.Institution]}}
		if c.Intake != 0 {
			facts = append(facts, ui.KeyValue{Key: r.T("card.intake"), Value: c.In.Name},
				ui.KeyValue{Key: r.T("card.deadlines"), Value: deadline(r, c)})
		}
		facts = append(facts, ui.KeyValue{Key: r.T("card.added"), Value: r.Clock(c.Added)})
		if c.Submitted != 0 {
			facts = append(facts, ui.KeyValue{Key: r.T("card.submitted"), Value: r.Clock(c.Submitted)})
		}
		if c.Late {
			facts = append(facts, ui.KeyValue{Key: r.T("card.late"),
				Tags: []ui.Tag{{Text: r.T("card.is_late"), Icon: "clock", Tone: ui.Warn}}})
		}
		if c.Notes > 0 {
			facts = append(facts, ui.KeyValue{Key: r.T("offer.notes"), Value: r.Number(c.Notes),
				Href: r.Within("offer", c.Offer.ID)})
		}
		why, err := p.declining(r, c.Offer)
		if err != nil {
			return err
		}
		who, err := p.byHand(r, c.DecidedBy)
		if err != nil {
			return err
		}
		box := ui.Box{ID: courseAnchor(c.Course), Title: r.T("card.course", "Priority", c.Priority, "Course", courseName(c)),
			Parts: []ui.Component{ui.KeyValues{Facts: append(facts, offerFacts(r, c.Offer, types, why, who)...)}}}
		box.Actions = show.Small(aboutEach(courseName(c), p.courseButtons(r, h, c, len(list), types)))
		if why := stays(r, h, c, len(list)); why != "" {
			box.Parts = append(box.Parts, ui.Words{Text: why, Muted: true})
		}
		if moves := moveButtons(r, h, c, len(list)); len(moves) > 0 {
			form := ui.FormBox{Action: r.Within("application-course-move", h.ID, c.Course), Head: f.Head(),
				Buttons: show.Small(aboutEach(courseName(c), moves))}
			box.Parts = append(box.Parts, form)
		}
		parts = append(parts, box)
	}
	if len(list) > 0 {
		parts = append(parts, allStay(r, h)...)
	}
	var buttons []ui.Button
	if allowed(admitto.AddCourse, h) {
		buttons = show.Small(r.Buttons(site.Do("application-course-add", h.ID)))
	}
	return p.showWith(r, h, "application-courses", buttons, parts...)
}

// aboutEach adds to buttons that stand several times on a page what each is about.
func aboutEach(what string, buttons []ui.Button) []ui.Button {
	for i := range buttons {
		buttons[i].About = what
	}
	return buttons
}

// declining is what an applicant said about declining an offer, "" for nothing.
func (p *pages) declining(r *site.Request, o *admitto.OfferCase) (string, error) {
	if o == nil || o.Declining.Class == "" {
		if o != nil {
			return o.Declining.Words, nil
		}
		return "", nil
	}
	classes, err := r.Classes(p.Query.Classificators(r.Context(), r.Reader()))
	titles, err := usecase.Named(classes, err, func(c *admitto.Classificator) (string, []admitto.ClassificatorCode) {
		return c.Class, c.Codes
	})
	title := o.Declining.Class // a code that is gone stands for itself
	for _, c := range titles[admitto.DeclineReasons] {
		if c.Code == o.Declining.Class {
			title = c.Title
		}
	}
	return o.Declining.Say(title), err
}

// offerFacts say how the offer stands: both types where they differ, and what the applicant answered and why.
func offerFacts(r *site.Request, o *admitto.OfferCase, types map[int64]admitto.OfferType,
	why, who string) (facts []ui.KeyValue) {
	if o == nil {
		return []ui.KeyValue{{Key: r.T("card.offer"), Value: r.T("card.no_offer")}}
	}
	facts = typeFacts(r, o, types)
	if o.Confirmed != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("card.confirmed"), Value: r.Clock(o.Confirmed)})
	}
	if confirmed := types[o.TypeConfirmed]; o.Decided == 0 && confirmed.Decide {
		facts = append(facts, ui.KeyValue{Key: r.T("card.decision"), Value: r.T("card.unanswered")})
	}
	if o.Decided != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("card.decision"), Value: joined(" · ", show.Decision(r, o.Decision),
			r.Clock(o.Decided), who, origin(r, o))})
	}
	if why != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("card.decline_reason"), Value: why})
	}
	if key := answerKey(o, types); key != "" {
		facts = append(facts, ui.KeyValue{Key: r.T(key), Value: joined(" · ", show.Date(r, o.DecisionDeadline),
			r.T(show.PolicyKey(o.DecisionPolicy)))})
	}
	for _, score := range []struct {
		key   string
		value *admitto.Hundredths
	}{{"card.score_auto", o.ScoreAuto}, {"card.score_extra", o.ScoreExtra}} {
		if score.value != nil {
			facts = append(facts, ui.KeyValue{Key: r.T(score.key), Value: score.value.String()})
		}
	}
	return facts
}

// typeFacts are the type that the applicant knows, and the one that staff work on where it is another: under names that
// nobody takes for each other.
func typeFacts(r *site.Request, o *admitto.OfferCase, types map[int64]admitto.OfferType) (facts []ui.KeyValue) {
	add := func(key string, id int64) {
		facts = append(facts, ui.KeyValue{Key: r.T(key),
			Parts: []ui.Component{ui.Dot{Text: types[id].Title, Colour: types[id].Colour}}})
	}
	if o.TypeConfirmed != 0 {
		add("card.confirmed_type", o.TypeConfirmed)
	}
	switch {
	case o.Type == o.TypeConfirmed:
	case o.TypeConfirmed == 0 && o.Type == admitto.InitialOfferType:
		add("card.offer", o.Type)
	default:
		add("card.working_type", o.Type)
	}
	return facts
}

// typeDots are the same on a line: what is not confirmed says so.
func typeDots(r *site.Request, o *admitto.OfferCase, types map[int64]admitto.OfferType) (dots []ui.Component) {
	if o.TypeConfirmed != 0 {
		t := types[o.TypeConfirmed]
		dots = append(dots, ui.Dot{Text: t.Title, Colour: t.Colour})
	}
	if t := types[o.Type]; o.Type != o.TypeConfirmed {
		dot := ui.Dot{Text: t.Title, Colour: t.Colour}
		if o.TypeConfirmed != 0 || o.Type != admitto.InitialOfferType {
			dot.Text = r.T("card.type_working", "Type", t.Title)
		}
		dots = append(dots, dot)
	}
	return dots
}

// answerKey is what the day of the answer is called; "" where nobody is asked for an answer, or without an end.
func answerKey(o *admitto.OfferCase, types map[int64]admitto.OfferType) string {
	switch {
	case o.DecisionDeadline.IsZero() || o.DecisionPolicy == admitto.PolicyNone:
	case o.TypeConfirmed != 0:
		if types[o.TypeConfirmed].Decide {
			return "card.answer_by"
		}
	case types[o.Type].Decide && o.DeadlineTyped: // others are computed when the letter is confirmed
		return "card.answer_planned"
	}
	return ""
}

// allowed reports whether the status lets staff do something with the courses; the guards are asked when it is done.
func allowed(event admitto.ApplicationEvent, h *query.ApplicationHead) bool {
	_, err := admitto.ApplicationStep(event, h.Status, admitto.ByAdministrator)
	return err == nil
}

// fixed says by a message why something of the application cannot be changed now, to those who may open a page that
// does; nothing where it can.
func fixed(r *site.Request, h *query.ApplicationHead, key, page string) []ui.Component {
	if why, is := noChanges(h); is && r.May(page) {
		return []ui.Component{ui.Words{Text: r.T(key, "Reason", r.Say(why)), Muted: true}}
	}
	return nil
}

// notNow answers with why a page has nothing to do now, and leads back.
func notNow(r *site.Request, key string, why message.Text, back string) error {
	return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Warn, Text: r.T(key, "Reason", r.Say(why)),
		Link: &ui.Link{Text: r.T("card.back"), Href: back}}}}.Show(r)
}

// stays says why a course cannot be removed by those who may remove others; "" where it can.
func stays(r *site.Request, h *query.ApplicationHead, c *query.CardCourse, courses int) string {
	_, closed := noChanges(h)
	switch {
	case closed || !r.May("application-course-remove"):
		return ""
	case !allowed(admitto.RemoveCourse, h): // allStay says it
		return ""
	case courses == 1:
		return r.T("card.course_stays_last")
	case isConfirmed(h, c):
		return r.T("card.course_stays_confirmed")
	}
	return ""
}

// allStay says why none of the courses can be removed or moved, and leads to what has to be done first.
func allStay(r *site.Request, h *query.ApplicationHead) []ui.Component {
	if _, closed := noChanges(h); closed || !r.May("application-course-remove") || allowed(admitto.RemoveCourse, h) {
		return nil
	}
	parts := []ui.Component{ui.Words{Text: r.T("card.course_stays_submitted"), Muted: true}}
	if allowed(admitto.Reopen, h) && r.May("application-reopen") {
		parts = append(parts, ui.Links{Links: []ui.Link{{Text: r.T("action.application-reopen"),
			Href: r.Within("application-reopen", h.ID)}}})
	}
	return parts
}

// isConfirmed reports whether a letter about the course keeps it on a reopened application (lifecycle.md T19).
func isConfirmed(h *query.ApplicationHead, c *query.CardCourse) bool {
	return h.Status == admitto.Reopened && c.Offer != nil && c.Offer.Confirmed != 0
}

// courseAnchor is the place of a course on the tab.
func courseAnchor(course int64) string { return "course-" + strconv.FormatInt(course, 10) }

// courseButtons are what can be done with a course and its offer now.
func (p *pages) courseButtons(r *site.Request, h *query.ApplicationHead, c *query.CardCourse, courses int,
	types map[int64]admitto.OfferType) []ui.Button {
	var list []site.Action
	if c.Offer != nil {
		list = append(list, site.Do("offer", c.Offer.ID), site.Do("offer-decision", c.Offer.ID),
			site.Do("offer-score", c.Offer.ID),
			site.Do("offer-decided", c.Offer.ID))
		if confirmed := types[c.Offer.TypeConfirmed]; accepted(c.Offer, &confirmed) {
			list = append(list, site.Do("offer-matriculate", c.Offer.ID))
		}
	}
	if courses > 1 && !isConfirmed(h, c) && allowed(admitto.RemoveCourse, h) {
		list = append(list, site.Danger("application-course-remove", h.ID, c.Course))
	}
	return r.Buttons(list...)
}

// moveButtons move a course up and down among the priorities.
func moveButtons(r *site.Request, h *query.ApplicationHead, c *query.CardCourse, courses int) (list []ui.Button) {
	if !r.May("application-course-move") || !allowed(admitto.ReorderCourses, h) {
		return nil
	}
	if c.Priority > 1 {
		list = append(list, ui.Button{Text: r.T("card.move_up"), Icon: "arrow-up", Name: "to",
			Value: strconv.Itoa(c.Priority - 1)})
	}
	if c.Priority < courses {
		list = append(list, ui.Button{Text: r.T("card.move_down"), Icon: "arrow-down", Name: "to",
			Value: strconv.Itoa(c.Priority + 1)})
	}
	return list
}

// byHand says who took a decision; "" for nil.
func (p *pages) byHand(r *site.Request, actor *admitto.Actor) (string, error) {
	if actor == nil {
		return "", nil
	}
	words, err := show.ReadWords(r, p.Query)
	return words.By(r, actor), err
}

// origin says what set a decision that nobody took by hand, and that an answer came late.
func origin(r *site.Request, o *admitto.OfferCase) string {
	late := ""
	if o.Late {
		late = r.T("card.answered_late")
	}
	switch o.Origin {
	case admitto.CourseWasGone:
		return joined(" · ", r.T("card.origin_course"), late)
	case admitto.OtherAccepted:
		return joined(" · ", r.T("card.origin_other"), late)
	case admitto.DeadlinePassed:
		return joined(" · ", r.T("card.origin_deadline"), late)
	case admitto.WithWithdrawal:
		return joined(" · ", r.T("card.origin_withdrawn"), late)
	case admitto.ByHand:
	}
	return late
}

// addCourse adds a course of the term; to a submitted application with its offer at once (lifecycle.md T2, T20).
func (p *pages) addCourse(r *site.Request, h *query.ApplicationHead) error {
	f, err := p.formFor(r, h)
	if err != nil {
		return err
	}
	back := r.Within("application-courses", h.ID)
	if r.Posted() {
		course, intake, known := strings.Cut(f.Get("course"), "-")
		in := admissions.NewCourseOf{Course: numberOf(course), Intake: numberOf(intake), Reason: f.Get("reason")}
		if !known || in.Course == 0 || in.Intake == 0 {
			f.Fail("course", "card.no_course_chosen")
		}
		var added admitto.ApplicationCourse
		if !f.Failed() {
			added, err = p.Admissions.AddCourse(r.Context(), r.Caller(), h.ID, in)
		}
		refused, err := p.refusedFor(r, f, err, map[admitto.Path]string{"application.course": "course",
			"application.intake": "course"}, h)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("card.course_added"))
			return r.Redirect(back + "#" + courseAnchor(added.Course))
		}
	} else if !allowed(admitto.AddCourse, h) {
		return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Warn, Text: statusForbids(r, h,
			admitto.AddCourse), Link: &ui.Link{Text: r.T("card.back"), Href: back}}}}.Show(r)
	}
	options, err := p.coursesToAdd(r, h)
	if err != nil {
		return err
	}
	if len(options) == 0 {
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "graduation-cap", Title: r.T("card.no_more_courses"),
			Actions: []ui.Button{r.Cancel(back)}}}}.Show(r)
	}
	reason := f.Long("reason", "card.late_reason", 2, mostReason)
	reason.Optional = true
	var intro []string
	if h.Status == admitto.Submitted {
		intro = []string{r.T("card.add_submitted")}
	}
	return site.Sheet{Intro: intro, Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.application-course-add"),
		r.Cancel(back)},
		f.Select("course", "card.course_field", append([]ui.Option{{Text: r.T("start.choose")}},
			options...)...), reason)}}.Show(r)
}

// numberOf is an ID in a choice, 0 for what is none.
func numberOf(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// coursesToAdd are the courses that can be applied for in the term and are not on the application, each with its
// intake.
func (p *pages) coursesToAdd(r *site.Request, h *query.ApplicationHead) (options []ui.Option, err error) {
	ctx, by := r.Context(), r.Reader()
	has, err := p.Query.ApplicationCourses(ctx, by, h.ID)
	if err != nil {
		return nil, err
	}
	on := map[int64]bool{}
	for i := range has {
		on[has[i].Course] = true
	}
	list, err := p.Query.Intakes(ctx, by)
	intakes, err := usecase.Named(list, err, func(i *admitto.Intake) (int64, *admitto.Intake) { return i.ID, i })
	if err != nil {
		return nil, err
	}
	all, err := p.Query.Courses(ctx, by, admitto.CourseQuery{Statuses: []string{"Online", "Private"}})
	if err != nil {
		return nil, err
	}
	for i := range all {
		c := &all[i]
		for _, id := range c.Intakes {
			if in := intakes[id]; in != nil && in.Term.ID == h.Term && !on[c.ID] {
				options = append(options, ui.Option{Value: strconv.FormatInt(c.ID, 10) + "-" + strconv.FormatInt(id, 10),
					Text: joined(" · ", joined(" ", c.Code, c.Name), in.Name)})
			}
		}
	}
	return r.ByText(options), nil
}

// courseAt is the course that the path names, on the application.
func (p *pages) courseAt(r *site.Request, h *query.ApplicationHead) (*query.CardCourse, error) {
	id, err := r.IDAt("course")
	if err != nil {
		return nil, err
	}
	list, err := p.Query.ApplicationCourses(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Course == id {
			return &list[i], nil
		}
	}
	return nil, &admitto.Error{Kind: admitto.NotFound}
}

// removeCourse asks, and takes a course off the application (lifecycle.md T18, T19).
func (p *pages) removeCourse(r *site.Request, h *query.ApplicationHead) error {
	c, err := p.courseAt(r, h)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, h.RowVersion)
	if err != nil {
		return err
	}
	back := r.Within("application-courses", h.ID)
	if r.Posted() {
		refused, err := p.refusedFor(r, f, p.Admissions.RemoveCourse(r.Context(), r.Caller(), h.ID, c.Course), nil, h)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("card.course_removed", "Course", courseName(c)))
			return r.Redirect(back)
		}
	}
	effects := ui.Effects{{Icon: "trash-2", Text: r.T("card.course_remove_effect")}}
	if c.Offer != nil {
		effects = append(effects, ui.Effect{Icon: "info", Text: r.T("card.course_remove_offer")})
	}
	return r.Ask(ui.Confirmation{Title: r.T("card.course_remove_title", "Course", courseName(c)), Effects: effects,
		Undo: r.T("card.course_remove_undo"), Fields: []ui.Component{f.Head()},
		Confirm: ui.Button{Text: r.T("action.application-course-remove"), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: back}})
}

// moveCourse moves a course to another priority, and leads back to it.
func (p *pages) moveCourse(r *site.Request, h *query.ApplicationHead) error {
	course, err := r.IDAt("course")
	if err != nil {
		return err
	}
	f, err := r.Form(nil, h.RowVersion)
	if err != nil {
		return err
	}
	to := int(f.Choice("to"))
	back := r.Within("application-courses", h.ID) + "#" + courseAnchor(course)
	err = p.Admissions.SetCoursePriority(r.Context(), r.Caller(), h.ID, course, to)
	if site.Changed(err) {
		last, err := p.lastOf(r, h.ID, anything)
		if err != nil {
			return err
		}
		return p.tellOvertaken(r, last, back)
	}
	refused, err := f.Refused(err, nil)
	if err != nil {
		return err
	}
	if !refused {
		r.Notify(ui.OK, r.T("card.course_moved", "Priority", to))
		return r.Redirect(back)
	}
	f.NotifyFaults()
	return r.Redirect(back)
}
