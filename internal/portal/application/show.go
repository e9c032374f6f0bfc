package application

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

func number(n int64) string { return strconv.FormatInt(n, 10) }

// day says a day, "" for none.
func day(r *site.Request, d admitto.Date) string {
	if d.IsZero() {
		return ""
	}
	return r.Date(d.In(time.UTC))
}

// shown is what stands in a section.
func (a *own) shown(r *site.Request, s *form.Section) (parts []ui.Component) {
	c := &a.Form.Content
	switch {
	case s.Key == form.Questions:
		var facts []ui.KeyValue
		for i := range a.Form.Questions {
			if fact, ok := a.answer(r, &a.Form.Questions[i]); ok {
				facts = append(facts, fact)
			}
		}
		if facts == nil {
			return nil
		}
		return []ui.Component{ui.KeyValues{Facts: facts}}
	case s.Rows:
		for n, row := range c.Rows(s.Key) {
			parts = append(parts, ui.Heading{Title: formpage.RowName(r, s, row, n, a.words)})
			parts = append(parts, a.facts(r, s, s.Key+"/"+strconv.Itoa(n), row)...)
		}
		return parts
	}
	return a.facts(r, s, s.Key, c.Section(s.Key))
}

// answer is a question with its answer; ok is false where it has none, and needs none.
func (a *own) answer(r *site.Request, q *admitto.Question) (fact ui.KeyValue, ok bool) {
	fact.Key = formpage.QuestionName(r, q)
	for i := range a.Form.Content.Extras {
		if e := &a.Form.Content.Extras[i]; e.ID == q.ID {
			fact.Value = formpage.AnswerIn(r, q, e)
		}
	}
	path := form.Questions + "/" + number(q.ID)
	var wrong []ui.Component
	if raw, is := a.Form.Content.Attention[path]; is {
		wrong = []ui.Component{ui.Words{Text: raw}}
	}
	for _, inner := range q.In(r.Lang).Fields {
		if raw, is := a.Form.Content.Attention[path+"/"+number(inner.ID)]; is {
			wrong = append(wrong, ui.Words{Text: inner.Name + ": " + raw})
		}
	}
	if wrong != nil {
		if fact.Value != "" { // the other answers of a group
			fact.Parts = []ui.Component{ui.Words{Text: fact.Value}}
		}
		fact.Parts = append(append(fact.Parts, ui.Tag{Text: r.T("my_part.check"), Icon: "triangle-alert", Tone: ui.Warn}),
			wrong...)
	} else if a.isMissing(form.Questions, path) {
		fact.Parts = []ui.Component{ui.Tag{Text: r.T("my_part.is_missing"), Icon: "triangle-alert", Tone: ui.Warn}}
	}
	return fact, fact.Value != "" || fact.Parts != nil
}

// faultText is what a refusal names in a section: a question in the language of the reader.
func (a *own) faultText(r *site.Request, f *admitto.Fault) string {
	s, below := formpage.MissingField(f)
	if s != nil && s.Key == form.Questions {
		for i := range a.Form.Questions {
			if q := &a.Form.Questions[i]; number(q.ID) == below {
				return formpage.QuestionName(r, q)
			}
		}
	}
	text := formpage.FaultText(r, f)
	if s != nil && a.isWrong(s, below) {
		return r.T("my_check.unfit", "Field", text)
	}
	if s != nil && a.isKnown(r, s, below) {
		return r.T("my_check.known", "Field", text)
	}
	return text
}

// facts are the fields that are filled in, that are required, or that need attention.
func (a *own) facts(r *site.Request, s *form.Section, at string, o form.Object) []ui.Component {
	var facts []ui.KeyValue
	for _, field := range s.AsWritten() {
		path := at + "/" + field.Below()
		fact := ui.KeyValue{Key: r.Label(field.Label), Value: formpage.Value(r, field, form.At(o, field.Below()), a.words)}
		raw, wrong := a.Form.Content.Attention[path]
		switch {
		case wrong:
			fact.Parts = []ui.Component{ui.Tag{Text: r.T("my_part.check"), Icon: "triangle-alert", Tone: ui.Warn},
				ui.Words{Text: formpage.AsTyped(field, raw)}}
		case a.isMissing(s.Key, path) && a.isKnown(r, s, field.Below()):
			fact.Parts = []ui.Component{ui.Tag{Text: r.T("my_part.known"), Icon: "info", Tone: ui.Info}}
		case a.isMissing(s.Key, path):
			fact.Parts = []ui.Component{ui.Tag{Text: r.T("my_part.is_missing"), Icon: "triangle-alert", Tone: ui.Warn}}
		case fact.Value == "":
			continue
		}
		facts = append(facts, fact)
	}
	if facts == nil {
		return nil
	}
	return []ui.Component{ui.KeyValues{Facts: facts}}
}

// about leads on from what stands in the way: the text, and where it is mended.
func (a *own) about(r *site.Request, f *admitto.Fault) ui.Link {
	link := ui.Link{Text: a.faultText(r, f)}
	if s, _ := formpage.MissingField(f); s != nil {
		return ui.Link{Text: r.T("my_check.field", "Section", formpage.SectionName(r, s), "Field", link.Text),
			Href: r.At("my-section", a.ID, s.Key)}
	}
	switch f.Code {
	case admitto.CodeCitizenshipMissing, admitto.CodeConsentMissing:
		if f.Code == admitto.CodeConsentMissing {
			link.Text = r.T("my_check.consent")
		}
		link.Href = r.At("welcome") + "?next=" + r.At("my-application", a.ID)
	case admitto.CodeTaskBlocks:
		for i := range a.Tasks {
			if t := &a.Tasks[i]; t.Blocks() && len(f.Text.Args) > 0 && f.Text.Args[0] == t.ID {
				if t.IsHandedIn() {
					link.Text = r.T("my_check.handed_in", "Title", t.Template.Title)
				} else {
					link.Text = t.Template.Title
				}
				link.Href = r.At("my-task", t.ID)
				return link
			}
		}
		link.Href = r.At("tasks")
	case admitto.CodeInvoiceUnpaid:
		for i := range a.Invoices {
			if in := &a.Invoices[i]; len(f.Text.Args) > 0 && f.Text.Args[0] == in.Number {
				return ui.Link{Text: r.T("my_check.pay", "Number", in.Number, "Amount", r.Money(int64(in.Due()), in.Currency)),
					Href: r.At("my-invoice", in.ID)}
			}
		}
		link.Href = r.At("invoices")
	case admitto.CodeDeadlinePassed:
		if c := a.lateCourse(f); c != nil {
			link.Text = r.T("my_check.late", "Course", c.Named.Name, "Time", r.Clock(c.Deadline.Until-1))
		}
		link.Href = r.At("my-courses", a.ID)
	case admitto.CodeTerritoryBarred:
		var names []string
		for i := range a.Courses {
			if a.Courses[i].Deadline.Barred {
				names = append(names, a.Courses[i].Named.Name)
			}
		}
		link.Text = r.T("my_check.barred", "Country", r.Country(a.Person.Citizenship), "Courses", r.Listed(names...))
		link.Href = r.At("my-courses", a.ID)
	case admitto.CodeNoCourse:
		link.Href = r.At("my-courses", a.ID)
	default:
		link.Href = a.help(r, "submit").Href
	}
	return link
}

// waitsForUs reports whether nothing stands in the way of submitting but tasks that the applicant has handed in.
func (a *own) waitsForUs() bool {
	faults, known := a.against(admitto.Submit)
	return known && len(faults) > 0 && !slices.ContainsFunc(faults, func(f admitto.Fault) bool {
		return f.Code != admitto.CodeTaskBlocks || !slices.ContainsFunc(a.Tasks, func(t query.CardTask) bool {
			return len(f.Text.Args) > 0 && f.Text.Args[0] == t.ID && t.IsHandedIn()
		})
	})
}

// help leads to the people who can be asked, with what it is about.
func (a *own) help(r *site.Request, about string) *ui.Link {
	return &ui.Link{Text: r.T("title.help"), Href: r.At("help") + "?about=" + about + "&application=" + number(a.ID)}
}

// lateCourse is the course whose deadline a refusal is about; nil for others.
func (a *own) lateCourse(f *admitto.Fault) *query.CardCourse {
	for i := range a.Courses {
		if c := &a.Courses[i]; f.Code == admitto.CodeDeadlinePassed && len(f.Text.Args) > 0 && f.Text.Args[0] == c.Course &&
			c.Deadline.Until != 0 {
			return c
		}
	}
	return nil
}

// onlyLate reports whether nothing but deadlines that are over stands in the way.
func onlyLate(faults []admitto.Fault) bool {
	return len(faults) > 0 && !slices.ContainsFunc(faults, func(f admitto.Fault) bool {
		return f.Code != admitto.CodeDeadlinePassed
	})
}

// lateNext says what can still be done after a deadline: submit the other courses, or choose another one.
func (a *own) lateNext(r *site.Request, faults []admitto.Fault) string {
	late := 0
	for i := range faults {
		if a.lateCourse(&faults[i]) != nil {
			late++
		}
	}
	if late < len(a.Courses) {
		return r.T("my_check.late_some")
	}
	return r.T("my_check.late_all")
}

// obstacles are what keeps the application from being submitted, under what they are: missing, or over.
func (a *own) obstacles(r *site.Request, faults []admitto.Fault, first ...ui.Component) ui.Box {
	if onlyLate(faults) {
		return ui.Box{Title: r.T("my_check.too_late"), Parts: []ui.Component{a.inTheWay(r, faults),
			ui.Words{Text: a.lateNext(r, faults)}, ui.Links{Links: []ui.Link{*a.help(r, "deadline")}}}}
	}
	return ui.Box{Title: r.T("my_check.in_the_way"), Parts: append(first, a.inTheWay(r, faults))}
}

// inTheWay is what stands in the way of submitting, fields of a section together.
func (a *own) inTheWay(r *site.Request, faults []admitto.Fault) ui.Component {
	list := ui.KeyValues{}
	at := map[string]int{}
	faults = inOrder(faults)
	barred := false
	for i := range faults {
		f := &faults[i]
		if f.Code == admitto.CodeTerritoryBarred { // one sentence for all courses
			if barred {
				continue
			}
			barred = true
		}
		link := a.about(r, f)
		key := r.T("my_check.further")
		if s, _ := formpage.MissingField(f); s != nil {
			key, link.Text = formpage.SectionName(r, s), a.faultText(r, f)
		}
		switch f.Code {
		case admitto.CodeTaskBlocks:
			key = r.T("my_view.tasks")
		case admitto.CodeDeadlinePassed:
			key = r.T("my_view.deadline")
		case admitto.CodeInvoiceUnpaid:
			key = r.T("my_view.invoices")
		}
		n, known := at[key]
		if !known {
			n = len(list.Facts)
			at[key] = n
			list.Facts = append(list.Facts, ui.KeyValue{Key: key, Parts: []ui.Component{ui.Links{}}})
		}
		links := list.Facts[n].Parts[0].(ui.Links)
		list.Facts[n].Parts[0] = ui.Links{Links: append(links.Links, link)}
	}
	return list
}

// inOrder are faults with those of sections in the order of the form, after all before the first of them.
func inOrder(faults []admitto.Fault) []admitto.Fault {
	first := slices.IndexFunc(faults, func(f admitto.Fault) bool { return f.Code == admitto.CodeSectionIncomplete })
	if first < 0 {
		return faults
	}
	sorted := slices.Clone(faults)
	slices.SortStableFunc(sorted[first:], func(a, b admitto.Fault) int {
		return slices.Compare(placeOfFault(&a), placeOfFault(&b))
	})
	return sorted
}

// placeOfFault is where in the form a fault is: the section, the row, and the field.
func placeOfFault(f *admitto.Fault) []int {
	s, below := formpage.MissingField(f)
	if s == nil {
		return []int{len(form.Sections())}
	}
	row, rest, found := strings.Cut(below, "/")
	n, err := strconv.Atoi(row)
	if err != nil || !found || !s.Rows {
		n, rest = 0, below
	}
	field := slices.IndexFunc(s.AsWritten(), func(f *form.Field) bool { return f.Below() == rest })
	return []int{slices.Index(form.Sections(), s), n, field}
}

// deadline is until when a course of the application can be submitted, in words.
func (a *own) deadline(r *site.Request) (words string, until admitto.Time) {
	for i := range a.Courses {
		if d := a.Courses[i].Deadline.Until; d != 0 && (until == 0 || d < until) {
			until = d
		}
	}
	if asked := a.again.Until; !asked.IsZero() { // what staff said counts for the reader, and is the last day without it
		last := until
		switch until = asked.End(r.Zone()); {
		case last == 0:
			return r.T("my_check.asked_for", "Day", day(r, asked)), until
		case until < last:
			return r.T("my_check.asked_for_until", "Day", day(r, asked), "Time", r.Clock(last-1)), until
		}
	}
	if until == 0 {
		return r.T("my_check.no_deadline"), 0
	}
	words = untilWords(r, until)
	faults, _ := a.against(admitto.Submit)
	if late := func(f admitto.Fault) bool { return f.Code == admitto.CodeDeadlinePassed }; until <= r.Now() &&
		!slices.ContainsFunc(faults, late) { // the policy takes what comes later, too
		words += " " + r.T("my_view.over_open")
	}
	return words, until
}

// untilWords are the time until which something can be done, with the days that are left, or that it is over.
func untilWords(r *site.Request, until admitto.Time) string {
	words := r.Clock(until-1) + ". "
	if until <= r.Now() {
		return words + r.T("my_view.over")
	}
	return words + leftWords(r, daysLeft(r, admitto.DateOf((until-1).Std().In(r.Zone()))))
}

// daysLeft is how many days there are until a day, below 0 when it is over.
func daysLeft(r *site.Request, last admitto.Date) int {
	return int(last.In(time.UTC).Sub(admitto.DateOf(r.Now().Std().In(r.Zone())).In(time.UTC)).Hours() / 24)
}

func leftWords(r *site.Request, days int) string {
	if days == 0 {
		return r.T("catalogue.last_day")
	}
	return r.Plural("catalogue.left", days)
}
