package application

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// most is how many applications the first page of an applicant lists; of so many of them it says what to do.
const (
	most = 100
	told = 10
)

// board is where one lands after the sign-in: what to do now, and one's applications (screens.md P07).
func (p *pages) board(r *site.Request) error {
	page := site.Sheet{}
	if r.Person.First != "" {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Warn, Text: r.T("welcome.missing"),
			Link: &ui.Link{Text: r.T("title.welcome"), Href: r.At("welcome")}})
	}
	mine, older, err := p.mine(r)
	if err != nil {
		return err
	}
	rejected, err := p.rejected(r)
	if err != nil {
		return err
	}
	if len(mine) == 0 {
		page.Parts = append(append(page.Parts, rejected...), newMessages(r)...)
		page.Parts = append(page.Parts, ui.Empty{Icon: "graduation-cap", Title: r.T("applications.none"),
			Text: r.T("applications.none_text"), Actions: r.Buttons(site.Primary("courses"), site.Do("wishes"))})
		return page.Show(r)
	}
	var steps []step
	var boxes []ui.Component
	var others ui.KeyValues
	for _, a := range mine {
		box, err := a.box(r)
		if err != nil {
			return err
		}
		for _, s := range a.todo(r) { // a consent is asked for once
			if !slices.ContainsFunc(steps, func(o step) bool { return o.text == s.text && o.href == s.href }) {
				steps = append(steps, s)
			}
		}
		boxes = append(boxes, box)
	}
	for _, id := range older {
		others.Facts = append(others.Facts, ui.KeyValue{Key: r.T("applications.title", "ID", number(id)),
			Value: r.T("my_board.open"), Href: r.At("my-application", id)})
	}
	waits := older != nil || slices.ContainsFunc(mine, func(a *own) bool { return !a.isOver() })
	if !slices.ContainsFunc(steps, func(s step) bool { return s.href == r.At("consents") }) {
		page.Parts = append(page.Parts, rejected...)
	}
	page.Parts = append(page.Parts, todoBox(r, steps, waits))
	page.Parts = append(page.Parts, newMessages(r)...)
	page.Parts = append(page.Parts, ui.Heading{Title: r.T("my_board.applications")})
	page.Parts = append(page.Parts, boxes...)
	if others.Facts != nil {
		page.Parts = append(page.Parts, ui.Fold{Title: r.T("my_board.older"), Parts: []ui.Component{others}})
	}
	return page.Show(r)
}

// rejected says that a consent which is needed was not accepted.
func (p *pages) rejected(r *site.Request) ([]ui.Component, error) {
	list, err := p.Accounts.ConsentsOfApplicant(r.Context(), r.Reader(), r.Person.Account)
	if err != nil || !slices.ContainsFunc(list, func(c admitto.AskedConsent) bool {
		return c.IsMandatory() && c.Decision == "Reject"
	}) {
		return nil, err
	}
	return []ui.Component{ui.Notice{Tone: ui.Warn, Text: r.T("consents.warning"),
		Link: &ui.Link{Text: r.T("my_board.consent_press"), Href: r.At("consents")}}}, nil
}

// newMessages lead to the messages that nobody has read yet.
func newMessages(r *site.Request) []ui.Component {
	n := int(r.Person.Waiting["messages"])
	if n == 0 {
		return nil
	}
	return []ui.Component{ui.Notice{Tone: ui.Info, Text: r.Plural("my_board.messages", n),
		Link: &ui.Link{Text: r.T("my_board.messages_press"), Href: r.At("messages")}}}
}

// step is something that the applicant is to do.
type step struct {
	text, press, href string
	day               admitto.Date // until when; unset: no day
}

// todo is what the applicant is to do about an application.
func (a *own) todo(r *site.Request) (list []step) {
	lastDay := func(until admitto.Time) admitto.Date {
		if until == 0 {
			return admitto.Date{}
		}
		return admitto.DateOf((until - 1).Std().In(r.Zone()))
	}
	for i := range a.Offers {
		o := &a.Offers[i]
		if o.Decision == admitto.DecisionNone && a.canAnswer(r, o, "accept") {
			list = append(list, step{r.T("my_board.answer", "Title", o.Type.PublicTitle, "Course", o.Named.Name),
				r.T("my_board.answer_press"), r.At("my-offer", o.ID), o.Letter.Deadline})
		}
	}
	_, until := a.deadline(r)
	for i := range a.Tasks {
		t := &a.Tasks[i]
		if t.Resolved == 0 && !t.Closed && !t.IsHandedIn() && !a.isOver() {
			day := t.Deadline
			if day.IsZero() && t.Blocks() && a.isOpen() { // without it nothing can be submitted
				day = lastDay(until)
			}
			list = append(list, step{r.T("my_board.task", "Title", t.Template.Title), r.T("my_board.task_press"),
				r.At("my-task", t.ID), day})
		}
	}
	for i := range a.Invoices {
		in := &a.Invoices[i]
		if in.Collected == 0 && in.Lapsed == 0 && in.Due() > 0 {
			due := r.Money(int64(in.Due()), in.Currency)
			list = append(list, step{r.T("my_board.invoice", "Number", in.Number, "Amount", due),
				r.T("my_board.invoice_press"), r.At("my-invoice", in.ID), in.Deadline})
		}
	}
	if !a.isOpen() {
		return list
	}
	faults, _ := a.against(admitto.Submit)
	if r.Person.First == "" && slices.ContainsFunc(faults, func(f admitto.Fault) bool {
		return f.Code == admitto.CodeConsentMissing
	}) {
		list = append(list, step{r.T("my_board.consent"), r.T("my_board.consent_press"), r.At("consents"), lastDay(until)})
	}
	if next := a.next(); next != nil {
		name := formpage.SectionName(r, next.Section)
		key := "my_board.fill"
		if next.attention > 0 {
			key = "my_board.mend"
		}
		return append(list, step{r.T(key, "Section", name, "ID", number(a.ID)), a.fillPress(r, name),
			r.At("my-section", a.ID, next.Key), lastDay(until)})
	}
	if a.may(admitto.Submit) {
		list = append(list, step{r.T("my_board.submit", "ID", number(a.ID)), r.T("title.my-check"), r.At("my-check", a.ID),
			lastDay(until)})
	} else if a.waitsForUs() {
		list = append(list, step{r.T("my_board.looked_at", "ID", number(a.ID)), r.T("my_board.open"),
			r.At("my-application", a.ID), lastDay(until)})
	} else if onlyLate(faults) {
		list = append(list, step{r.T("my_board.late", "ID", number(a.ID)) + " " + a.lateNext(r, faults),
			r.T("my_board.late_press"), r.At("my-check", a.ID), admitto.Date{}})
	} else {
		list = append(list, step{r.T("my_board.stopped", "ID", number(a.ID)), r.T("my_board.stopped_press"),
			r.At("my-check", a.ID), lastDay(until)})
	}
	return list
}

// fillPress is what the button to the next section says: start, or continue with it (screens.md 4.1).
func (a *own) fillPress(r *site.Request, section string) string {
	if a.Status == admitto.Blank {
		return r.T("my_board.start_press", "Section", section)
	}
	return r.T("my_board.fill_press", "Section", section)
}

// words are the step with its day.
func (s *step) words(r *site.Request) string {
	if s.day.IsZero() {
		return s.text
	}
	if left := daysLeft(r, s.day); left >= 0 {
		return r.T("my_board.until", "Text", s.text, "Day", day(r, s.day)) + " " + leftWords(r, left)
	}
	return r.T("my_board.was_until", "Text", s.text, "Day", day(r, s.day))
}

// inOrderOfDays sorts steps by their days; those without one are the last.
func inOrderOfDays(steps []step) {
	slices.SortStableFunc(steps, func(a, b step) int {
		if a.day.IsZero() != b.day.IsZero() {
			if a.day.IsZero() {
				return 1
			}
			return -1
		}
		return a.day.Compare(b.day)
	})
}

// todoBox is what to do now, ordered by day; the first has the primary button. waits says that an application waits for
// staff where there is nothing to do.
func todoBox(r *site.Request, steps []step, waits bool) ui.Component {
	if len(steps) == 0 && !waits {
		return ui.Notice{Tone: ui.Info, Text: r.T("my_board.all_over"),
			Link: &ui.Link{Text: r.T("catalogue.others"), Href: r.At("courses")}}
	}
	if len(steps) == 0 {
		return ui.Notice{Tone: ui.OK, Text: r.T("my_board.nothing")}
	}
	inOrderOfDays(steps)
	box := ui.Box{Title: r.T("my_board.now")}
	for i, s := range steps {
		box.Parts = append(box.Parts, ui.Stack{Tight: true, Parts: []ui.Component{ui.Words{Text: s.words(r)},
			ui.Acts{{Text: s.press, Href: s.href, Primary: i == 0}}}})
	}
	return box
}

// box tells of one application on the board.
func (a *own) box(r *site.Request) (box ui.Box, err error) {
	state, tone := a.state(r)
	box = ui.Box{Title: r.T("applications.title", "ID", number(a.ID)) + " · " + a.InTerm.Name,
		Actions: []ui.Button{{Text: r.T("my_board.open"), Href: r.At("my-application", a.ID), Small: true,
			About: r.T("applications.title", "ID", number(a.ID))}}}
	facts := []ui.KeyValue{{Key: r.T("applications.state"), Tags: []ui.Tag{{Text: state, Icon: tone.Icon(), Tone: tone}}}}
	for i := range a.Courses {
		c := &a.Courses[i]
		fact := ui.KeyValue{Key: r.T("my_board.course", "Priority", r.Number(c.Priority)), Value: c.Named.Name,
			Lang: a.langs[c.Named.Name]}
		if o := a.Offer(c.Course); o != nil {
			fact.Parts = []ui.Component{ui.Words{Text: c.Named.Name, Lang: fact.Lang}, ui.Links{Links: []ui.Link{
				{Text: r.Listed(o.Type.PublicTitle, a.answered(r, o)), Href: r.At("my-offer", o.ID)}}}}
			fact.Value, fact.Lang = "", ""
		} else if o := a.DeclinedUnanswered(c.Course); o != nil {
			fact.Parts = []ui.Component{ui.Words{Text: c.Named.Name, Lang: fact.Lang},
				ui.Words{Text: a.answered(r, o), Muted: true}}
			fact.Value, fact.Lang = "", ""
		}
		facts = append(facts, fact)
	}
	if a.UndoUntil != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("applications.next"), Parts: []ui.Component{ui.Links{Links: []ui.Link{
			{Text: r.T("my_view.undo_until", "Time", r.Clock(a.UndoUntil)), Href: r.At("my-application", a.ID)}}}}})
	}
	unsaved, err := a.unsaved(r)
	if unsaved != nil {
		facts = append(facts, ui.KeyValue{Key: r.T("my_check.unsaved"), Parts: []ui.Component{ui.Links{Links: unsaved}}})
	}
	box.Parts = append(a.reopened(r), ui.KeyValues{Facts: facts})
	return box, err
}

// reopened is what staff wrote when they opened an application again, and by when it is to be submitted (screens.md
// 4.1).
func (a *own) reopened(r *site.Request) (parts []ui.Component) {
	if a.again.Text != "" {
		parts = append(parts, ui.Words{Text: r.T("my_view.wrote"), Muted: true}, ui.Prose{Text: a.again.Text})
	}
	if !a.again.Until.IsZero() {
		parts = append(parts, ui.Notice{Tone: ui.Warn, Text: r.T("state.check_by", "Day", day(r, a.again.Until))})
	}
	return parts
}

// state is the state of the application in the words of screens.md 4.1.
func (a *own) state(r *site.Request) (state string, tone ui.Tone) {
	if a.Expired && a.Status != admitto.Withdrawn && a.Status != admitto.Closed {
		return r.T("state.expired"), ui.Info
	}
	switch a.Status {
	case admitto.Blank:
		return r.T("state.blank"), ui.Info
	case admitto.Draft:
		done, all := a.done()
		return r.T("state.draft_of", "Done", r.Number(done), "All", r.Number(all)), ui.Info
	case admitto.Inactive:
		return r.T("state.inactive"), ui.Warn
	case admitto.Reopened:
		return r.T("state.reopened"), ui.Warn
	case admitto.Submitted:
		return r.T("state.submitted", "Day", r.Day(cmp.Or(a.Resubmitted, a.Submitted))), ui.OK
	case admitto.Withdrawn:
		return r.T("state.withdrawn_on", "Day", r.Day(a.Withdrawn)), ui.Info
	}
	switch {
	case a.Closed == 0:
		return r.T("state.closed"), ui.Info
	case a.Discarded:
		return r.T("state.discarded_on", "Day", r.Day(a.Closed)), ui.Info
	}
	return r.T("state.closed_on", "Day", r.Day(a.Closed)), ui.Info
}

// waysOn lead on from an application that is over (screens.md 4.1).
func (a *own) waysOn(r *site.Request) (list []ui.Link) {
	if a.Status == admitto.Closed && a.Discarded {
		return []ui.Link{{Text: r.T("my_view.start_again"), Href: r.At("courses")}}
	}
	gone := a.Status == admitto.Withdrawn || a.Status == admitto.Closed
	if gone {
		list = append(list, ui.Link{Text: r.T("my_view.contact_us"), Href: a.help(r, "application").Href})
	}
	if a.Status == admitto.Closed || a.Expired && !gone {
		list = append(list, ui.Link{Text: r.T("catalogue.others"), Href: r.At("courses")})
	}
	return list
}

// overview is screens.md P08.
func (p *pages) overview(r *site.Request, a *own) error {
	r.SetTitle(r.T("applications.title", "ID", number(a.ID)) + " · " + a.InTerm.Name)
	if a.isOpen() {
		a.setSteps(r, "")
	}
	state, tone := a.state(r)
	unsaved, err := a.unsaved(r)
	if err != nil {
		return err
	}
	page := site.Sheet{Buttons: p.overviewButtons(r, a), Parts: append(unsavedBox(r, unsaved), a.also(r)...)}
	page.Parts = append(page.Parts, a.reopened(r)...)
	facts := []ui.KeyValue{{Key: r.T("applications.state"), Tags: []ui.Tag{{Text: state, Icon: tone.Icon(), Tone: tone}}}}
	if a.isOpen() {
		words, _ := a.deadline(r)
		facts = append(facts, ui.KeyValue{Key: r.T("my_view.deadline"), Value: words})
	}
	switch ways := a.waysOn(r); {
	case ways != nil:
		facts = append(facts, ui.KeyValue{Key: r.T("applications.next"), Parts: []ui.Component{ui.Links{Links: ways}}})
	case a.Status == admitto.Submitted:
		facts = append(facts, a.comesNext(r))
	}
	page.Parts = append(page.Parts, ui.KeyValues{Facts: facts})
	if a.UndoUntil != 0 {
		f, err := r.Form(nil, a.RowVersion)
		if err != nil {
			return err
		}
		page.Parts = append(page.Parts, ui.FormBox{Action: r.At("my-undo", a.ID), Head: f.Head(), Parts: []ui.Component{
			ui.Notice{Tone: ui.Info, Text: r.T("my_view.undo_until", "Time", r.Clock(a.UndoUntil))}},
			Buttons: []ui.Button{{Text: r.T("my_view.undo"), Busy: r.T("form.saving")}}})
	}
	page.Parts = append(page.Parts, a.courseBox(r))
	if faults, _ := a.against(admitto.Submit); a.isOpen() && len(faults) > 0 {
		page.Parts = append(page.Parts, a.obstacles(r, faults))
	}
	if !a.isOpen() { // else they are the steps next to the page
		page.Parts = append(page.Parts, a.sectionBox(r))
	}
	page.Parts = append(page.Parts, a.papers(r)...)
	events, err := p.Query.OwnEvents(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return err
	}
	page.Parts = append(page.Parts, a.happened(r, events))
	if buttons := r.Buttons(site.Danger("my-withdraw", a.ID)); a.may(admitto.Withdraw) || a.may(admitto.Close) {
		if a.may(admitto.Close) {
			buttons[0].Text = r.T("my_view.discard")
		}
		page.Parts = append(page.Parts, ui.Acts(buttons))
	}
	return page.Show(r)
}

// comesNext is what comes next after the submission: what is to be done, or a letter.
func (a *own) comesNext(r *site.Request) ui.KeyValue {
	steps := a.todo(r)
	if len(steps) == 0 {
		return ui.KeyValue{Key: r.T("applications.next"), Value: r.T("state.we_write")}
	}
	inOrderOfDays(steps)
	var list ui.Links
	for i := range steps {
		list.Links = append(list.Links, ui.Link{Text: steps[i].words(r), Href: steps[i].href})
	}
	return ui.KeyValue{Key: r.T("applications.next"), Parts: []ui.Component{list}}
}

// overviewButtons lead on from the overview; the first is the next step.
func (p *pages) overviewButtons(r *site.Request, a *own) (buttons []ui.Button) {
	if a.isOpen() {
		if next := a.next(); next != nil {
			buttons = append(buttons, ui.Button{Text: a.fillPress(r, formpage.SectionName(r, next.Section)),
				Href: r.At("my-section", a.ID, next.Key), Primary: true})
			buttons = append(buttons, ui.Button{Text: r.T("title.my-check"), Href: r.At("my-check", a.ID)})
		} else {
			buttons = append(buttons, ui.Button{Text: r.T("title.my-check"), Href: r.At("my-check", a.ID), Primary: true})
		}
	} else if a.may(admitto.Reopen) {
		buttons = append(buttons, r.Buttons(site.Do("my-reopen", a.ID))...)
	}
	if a.mayFill(contact) && !a.isOpen() {
		buttons = append(buttons, ui.Button{Text: r.T("my_view.contact"), Href: r.At("my-section", a.ID, contact)})
	}
	return append(buttons, ui.Button{Text: r.T("action.my-printout"), Icon: "printer", Href: r.At("my-printout", a.ID)})
}

// courseBox are the courses in order, each with what was answered.
func (a *own) courseBox(r *site.Request) ui.Component {
	box := ui.Box{Title: r.T("my_view.courses")}
	if a.isOpen() {
		box.Actions = []ui.Button{{Text: r.T("my_view.change_courses"), Small: true, Href: r.At("my-courses", a.ID)}}
	}
	list := ui.KeyValues{}
	for i := range a.Courses {
		c := &a.Courses[i]
		fact := ui.KeyValue{Key: r.Number(c.Priority) + ". " + c.Named.Name, KeyLang: a.langs[c.Named.Name]}
		switch o := a.Offer(c.Course); {
		case o != nil:
			fact.Href, fact.Value = r.At("my-offer", o.ID), r.Listed(o.Type.PublicTitle, a.answered(r, o))
		case a.DeclinedUnanswered(c.Course) != nil:
			fact.Value = a.answered(r, a.DeclinedUnanswered(c.Course))
		case a.Status == admitto.Submitted || a.Status == admitto.Reopened && c.Submitted != 0:
			fact.Value = r.T("my_view.no_answer")
		case c.Deadline.Until != 0 && c.Deadline.Until <= r.Now() && a.isOpen():
			fact.Value = r.T("my_view.was_until", "Time", r.Clock(c.Deadline.Until-1))
		case c.Deadline.Until != 0 && a.isOpen():
			fact.Value = r.T("my_view.until", "Time", r.Clock(c.Deadline.Until-1))
		default:
			fact.Value, fact.Lang = c.In.Name, a.langs[c.In.Name]
		}
		if c.Late {
			fact.Value += ", " + r.T("my_view.late")
		}
		if a.isGone(c) {
			box.Parts = append(box.Parts, ui.Notice{Tone: ui.Warn, Text: r.T("my_view.gone", "Course", c.Named.Name),
				Link: a.help(r, "deadline")})
		}
		list.Facts = append(list.Facts, fact)
	}
	box.Parts = append(box.Parts, list)
	return box
}

// answered is what an applicant has answered to an offer, in the words of screens.md 4.1.
func (a *own) answered(r *site.Request, o *query.OwnOffer) string {
	switch {
	case o.ByStaff && o.Decision == admitto.DecisionFinal:
		return r.T("my_offer.accepted_staff", "Day", r.Day(o.Decided))
	case o.ByStaff:
		return r.T("my_offer.declined_staff", "Day", r.Day(o.Decided))
	case o.Decision == admitto.DecisionFinal:
		return r.T("my_offer.accepted", "Day", r.Day(o.Decided))
	case o.Decision == admitto.DecisionNone && (!o.Type.Decide || a.Status == admitto.Withdrawn ||
		a.Status == admitto.Closed):
		return r.T("my_offer.no_answer_needed")
	case o.Decision == admitto.DecisionNone && (a.Expired || isTooLate(r, o)):
		return r.T("my_offer.not_in_time")
	case o.Decision == admitto.DecisionNone && isOver(r, o):
		return r.T("my_offer.answer_was_by", "Day", day(r, o.Letter.Deadline))
	case o.Decision == admitto.DecisionNone && !o.Letter.Deadline.IsZero():
		return r.T("my_offer.answer_by", "Day", day(r, o.Letter.Deadline))
	case o.Decision == admitto.DecisionNone:
		return r.T("my_offer.answer")
	}
	switch o.Origin {
	case admitto.OtherAccepted:
		if at := slices.IndexFunc(a.Offers, func(other query.OwnOffer) bool {
			return other.ID != o.ID && other.Decision == admitto.DecisionFinal
		}); at >= 0 {
			return r.T("my_offer.declined_for", "Course", a.Offers[at].Named.Name)
		}
		return r.T("my_offer.declined_other")
	case admitto.WithWithdrawal:
		return r.T("my_offer.declined_withdrawn")
	case admitto.CourseWasGone:
		return r.T("my_offer.declined_course")
	case admitto.DeadlinePassed:
		if !o.Letter.Deadline.IsZero() {
			return r.T("my_offer.declined_by", "Day", day(r, o.Letter.Deadline))
		}
		return r.T("my_offer.declined_deadline")
	}
	return r.T("my_offer.declined", "Day", r.Day(o.Decided))
}

// sectionBox are the sections of the form, each with how far it is.
func (a *own) sectionBox(r *site.Request) ui.Component {
	list := ui.KeyValues{}
	for _, part := range a.parts() {
		tag := ui.Tag{Text: part.state(r), Tone: part.tone(), Icon: "circle"}
		switch tag.Tone {
		case ui.OK:
			tag.Icon = "check"
		case ui.Warn:
			tag.Icon = "triangle-alert"
		}
		list.Facts = append(list.Facts, ui.KeyValue{Key: formpage.SectionName(r, part.Section),
			KeyHref: r.At("my-section", a.ID, part.Key), Tags: []ui.Tag{tag}})
	}
	return ui.Box{Title: r.T("my_view.sections"), Parts: []ui.Component{list}}
}

// papers are documents, tasks, invoices and receipts of the application.
func (a *own) papers(r *site.Request) (parts []ui.Component) {
	list := ui.KeyValues{}
	for i := range a.Documents {
		d := &a.Documents[i]
		list.Facts = append(list.Facts, ui.KeyValue{Key: d.Name, KeyHref: r.At("my-document", a.ID, d.ID),
			Value: r.Clock(d.Uploaded)})
	}
	papers := ui.Box{Title: r.T("my_view.documents"), Parts: []ui.Component{list}}
	if list.Facts == nil {
		papers.Parts = []ui.Component{ui.Words{Text: r.T("my_document.none_text"), Muted: true}}
	}
	if a.mayUpload() {
		papers.Actions = []ui.Button{{Text: r.T("my_document.add"), Small: true, Href: r.At("my-documents", a.ID)}}
	}
	if list.Facts != nil || a.mayUpload() { // else none comes any more
		parts = append(parts, papers)
	}
	list = ui.KeyValues{}
	for i := range a.Tasks {
		t := &a.Tasks[i]
		list.Facts = append(list.Facts, ui.KeyValue{Key: t.Template.Title, Value: r.TaskStatus(t.StatusTitle()),
			Href: r.At("my-task", t.ID)})
	}
	if list.Facts != nil {
		parts = append(parts, ui.Box{Title: r.T("my_view.tasks"), Parts: []ui.Component{list}})
	}
	list = ui.KeyValues{}
	for i := range a.Invoices {
		in := &a.Invoices[i]
		list.Facts = append(list.Facts, ui.KeyValue{Key: in.Number, Value: r.Money(int64(in.Total), in.Currency),
			Href: r.At("my-invoice", in.ID), Tags: []ui.Tag{invoiceState(r, in)}})
	}
	if list.Facts != nil {
		parts = append(parts, ui.Box{Title: r.T("my_view.invoices"), Parts: []ui.Component{list}})
	}
	list = ui.KeyValues{}
	for i := range a.Receipts {
		receipt := &a.Receipts[i]
		tag := ui.Tag{Text: r.T("my_receipt.accepted"), Icon: "check", Tone: ui.OK}
		if !receipt.Accepted {
			tag = ui.Tag{Text: r.T("my_receipt.refused"), Icon: "x", Tone: ui.Bad}
		}
		list.Facts = append(list.Facts, ui.KeyValue{Key: r.T("my_receipt.of", "Number", receipt.NumberText()),
			KeyHref: r.At("my-receipt", a.ID, receipt.Number), Value: r.Clock(receipt.Made), Tags: []ui.Tag{tag}})
	}
	if n := len(a.Receipts); n > 0 {
		box := ui.Box{Title: r.T("my_view.receipts"), Parts: []ui.Component{list}}
		if !a.Receipts[n-1].Accepted { // no attempt has succeeded since
			box.Parts = append(box.Parts, ui.Links{Links: []ui.Link{*a.help(r, aboutRefused(&a.Receipts[n-1]))}})
		}
		parts = append(parts, box)
	}
	return parts
}
