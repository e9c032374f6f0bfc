package show

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// EventKey is the message that says an event: event.application_was_submitted.
func EventKey(p admitto.Pattern) string {
	words := strings.FieldsFunc(strings.ToLower(string(p)),
		func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	return "event." + strings.Join(words, "_")
}

// EnglishEvents are the messages of the events that are recorded, by their key, as far as the pattern says them well:
// "Batch was released: ?" is "Batch 12 was released". What reads better in other words has them in a file of messages.
func EnglishEvents() map[string]string {
	texts := map[string]string{}
	for _, kind := range admitto.EventKinds() {
		if kind.Since == "" {
			continue
		}
		text, binds := strings.CutSuffix(string(kind.Pattern), ": ?")
		if at := verb.FindStringIndex(text); binds && at != nil {
			text = text[:at[0]] + " {{.Value}}" + text[at[0]:]
		} else if binds {
			text += ": {{.Value}}"
		}
		texts[EventKey(kind.Pattern)] = text
	}
	return texts
}

// verb is where the subject of a pattern ends.
var verb = regexp.MustCompile(` (was|were|has|failed)\b`)

// Words are the names that sentences about events need, read once for a page of them.
type Words struct {
	FormWords
	staff      map[int64]string
	offerTypes map[int64]string
	intake     func(id int64) string // "" for one that is gone
	course     func(id int64) string
}

// ReadWords reads the names that sentences need.
func ReadWords(r *site.Request, q *query.Service) (w Words, err error) {
	staff, err := q.Administrators(r.Context(), r.Reader())
	if err != nil {
		return w, err
	}
	w.FormWords = ReadFormWords(r, q)
	w.staff, _ = usecase.Named(staff, nil, func(a *admitto.Administrator) (int64, string) { return a.ID, a.Name })
	w.intake = func(id int64) string {
		intake, err := q.Intake(r.Context(), r.Reader(), id)
		if err != nil {
			return ""
		}
		return intake.Name
	}
	w.course = func(id int64) string {
		course, err := q.Course(r.Context(), r.Reader(), id)
		if err != nil {
			return ""
		}
		return course.Name
	}
	types, err := q.OfferTypes(r.Context(), r.Reader())
	w.offerTypes, err = usecase.Named(types, err, func(t *admitto.OfferType) (int64, string) { return t.ID, t.Title })
	return w, err
}

// Events says what happened in plain sentences: who did it, when, and links to what it concerns but to what the page
// is about.
func Events(r *site.Request, q *query.Service, records []admitto.Record, about admitto.Links) ([]ui.Event, error) {
	if len(records) == 0 {
		return nil, nil
	}
	words, err := ReadWords(r, q)
	if err != nil {
		return nil, err
	}
	batches, err := q.OpenBatches(r.Context(), r.Reader(), records)
	if err != nil {
		return nil, err
	}
	names, err := q.EventNames(r.Context(), r.Reader(), records)
	if err != nil {
		return nil, err
	}
	events := make([]ui.Event, len(records))
	for i := range records {
		record := &records[i]
		e := ui.Event{Title: words.Sentence(r, &record.Event), Text: words.By(r, &record.Actor),
			Time: r.Clock(record.Logged), Machine: record.Logged.Std().UTC().Format(time.RFC3339)}
		for _, object := range ObjectsOf(&record.Links, &about) {
			text := r.T(object.Key, "ID", object.ID)
			switch object.Route {
			case "course":
				text = cmp.Or(names.Courses[object.ID], text)
			case "flag":
				text = cmp.Or(names.Flags[object.ID], text)
			}
			if r.May(object.Route) {
				e.Links = append(e.Links, ui.Link{Text: text, Href: r.At(object.Route, object.ID)})
			} else {
				e.Text += " · " + text
			}
		}
		for _, link := range PapersOf(r, &names, record) {
			if link.Href == "" {
				e.Text += " · " + link.Text
			} else {
				e.Links = append(e.Links, link)
			}
		}
		if link, is := Batch(r, record, batches); is && link.Href != "" {
			e.Links = append(e.Links, link)
		} else if is {
			e.Text += " · " + link.Text
		}
		for _, d := range record.Details {
			e.Lines = append(e.Lines, words.Line(r, record, d))
		}
		events[i] = e
	}
	return events, nil
}

// PapersOf are the task, the document, the scoresheet and the mail that an event is about, by name; those that their
// reader may open have an address.
func PapersOf(r *site.Request, names *query.EventNames, record *admitto.Record) (links []ui.Link) {
	l := &record.Links
	add := func(text, route, href string) {
		if !r.May(route) {
			href = ""
		}
		if text != "" {
			links = append(links, ui.Link{Text: text, Href: href})
		}
	}
	sees := r.Reader().Has(admitto.ApplicationsView)
	if l.Task != 0 && sees {
		title, href := names.Tasks[l.Task], ""
		if title != "" {
			href = r.At("application-task", l.Application, l.Task)
		}
		add(cmp.Or(title, r.T("history.task", "ID", l.Task)), "application-task", href)
	}
	if l.Document != 0 {
		href := ""
		if names.There[l.Document] {
			href = site.Add(r.At("application-documents", l.Application), "document", strconv.FormatInt(l.Document, 10))
		}
		add(names.Documents[l.Document], "application-documents", href)
	}
	if l.Scoresheet != 0 {
		add(names.Sheets[l.Scoresheet], "application-scores", r.At("application-scores", l.Application))
	}
	return append(links, mailsOf(r, record)...)
}

// Sentence says an event; one that nothing records any more is said as the journal names it.
func (w *Words) Sentence(r *site.Request, e *admitto.Event) string {
	key := EventKey(e.Pattern)
	if !r.Has(key) {
		return e.Filled()
	}
	value := strings.Join(e.Bind, ", ")
	if admitto.BindsOfferType(e.Pattern) {
		id, _ := strconv.ParseInt(value, 10, 64) // the journal holds IDs; anything else is shown as it is
		if title := w.offerTypes[id]; title != "" {
			value = title
		}
	}
	switch e.Pattern {
	case admitto.ApplicationStatusChanged:
		value = Status(r, admitto.ApplicationStatus(value)).Text
	case admitto.ApplicationOfficerSet:
		id, err := strconv.ParseInt(value, 10, 64) // else there is no officer any more
		if name := w.staff[id]; name != "" {
			value = name
		} else if err != nil {
			value = r.T("browse.nobody")
		}
	case admitto.ApplicationRefused:
		value = r.Listed(WhyRefused(r, strings.Split(value, "+"))...)
	case admitto.ApplicationDeadlineExtended:
		id, _ := strconv.ParseInt(value, 10, 64)
		value = cmp.Or(w.intake(id), value)
	case admitto.EmailSent, admitto.EmailFailed, admitto.EmailLeftOut, admitto.MailTextEdited:
		value = MailKind(r, value)
	case admitto.TaskStatusSet:
		value = r.TaskStatus(value)
	case admitto.ApplicantDecision, admitto.OfferDecisionSet:
		value = Decision(r, admitto.Decision(value))
	}
	return r.T(key, "Value", value)
}

// Decision returns a decision in the words of the reader; one that there is not as it stands.
func Decision(r *site.Request, d admitto.Decision) string {
	switch d {
	case admitto.DecisionFinal:
		return r.T("decision.final")
	case admitto.DecisionDeclined:
		return r.T("decision.declined")
	case admitto.DecisionNone:
		return r.T("decision.none")
	}
	return string(d)
}

// By says who did something: "by Mara Lind".
func (w *Words) By(r *site.Request, actor *admitto.Actor) string {
	id := actor.ID
	switch actor.Kind {
	case admitto.ByAdministrator:
		if name := w.staff[id]; name != "" {
			return r.T("history.by", "Name", name)
		}
		return r.T("history.by_staff", "ID", id)
	case admitto.ByApplicant:
		return r.T("history.by_applicant")
	case admitto.ByKey:
		return r.T("history.by_key", "ID", id)
	case admitto.BySystem:
	}
	return r.T("history.by_system")
}

// Object is something that an event concerns.
type Object struct {
	Key, Route string // of the message, and of its page
	ID         int64
}

// ObjectsOf are what an event concerns, without what the page is about.
func ObjectsOf(l, about *admitto.Links) (list []Object) {
	add := func(key, route string, id, same int64) {
		if id != 0 && id != same {
			list = append(list, Object{key, route, id})
		}
	}
	add("history.applicant", "applicant", l.Applicant, about.Applicant)
	add("history.application", "application", l.Application, about.Application)
	add("history.offer", "offer", l.Offer, about.Offer)
	add("history.invoice", "invoice", l.Invoice, about.Invoice)
	add("history.course", "course", l.Course, about.Course)
	if l.Course == 0 {
		add("history.institution", "institution", l.Institution, about.Institution)
	}
	add("history.tracker", "tracker", l.Tracker, about.Tracker)
	add("history.flag", "flag", l.Flag, about.Flag)
	return list
}

// Batch names the batch that an event is a part of, and leads to it where it is among those that are open to the
// reader.
func Batch(r *site.Request, record *admitto.Record, open map[int64]bool) (link ui.Link, is bool) {
	id := record.Actor.Batch
	if id == 0 {
		return link, false
	}
	link.Text = r.T("history.batch", "ID", id)
	if open[id] && r.May("batch") {
		link.Href = r.At("batch", id)
	}
	return link, true
}

// detail says one changed value.
func (w *Words) detail(r *site.Request, d admitto.Detail) string {
	value := func(text string) string { return cmp.Or(w.inWords(r, d.Path, text), r.T("value.none")) }
	given := false
	switch d.Path {
	case "/reason", "/deadline", "/grace_override": // which was given; nothing of its own was changed by it
		given = d.Old == ""
	}
	if given {
		return r.T("history.given", "Name", w.Name(r, d.Path), "Value", value(d.New))
	}
	return r.T("history.detail", "Name", w.Name(r, d.Path), "Old", value(d.Old), "New", value(d.New))
}

// inWords says what the form holds, a decision, a mark, a day and a time as people read them, and anything else as it
// is. What something ends at is its last minute.
func (w *Words) inWords(r *site.Request, path, value string) string {
	if path == "decision" && value != "" {
		return Decision(r, admitto.Decision(value))
	}
	if path == "citizenship" && value != "" {
		return Country(r, value)
	}
	if said, is := w.Value(r, path, value); is {
		return said
	}
	if marked(path) || path == "/reminder" {
		switch value {
		case "true":
			return r.T("formpage.yes")
		case "false":
			return r.T("formpage.no")
		}
	}
	if day, err := admitto.ParseDate(value); err == nil {
		return Date(r, day)
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return value
	}
	if path == "/deadline" || path == "/grace_override" {
		at = at.Add(-time.Second)
	}
	return r.Clock(admitto.TimeOf(at))
}

// Line says one changed value of what an event is about.
func (w *Words) Line(r *site.Request, record *admitto.Record, d admitto.Detail) string {
	if strings.HasPrefix(d.Path, overridden) {
		d.Old = w.setAside(r, d.Old)
		if slices.Contains(record.Details, admitto.Detail{Path: "/reason", New: d.New}) { // has a line of its own
			return r.T("history.given", "Name", DetailName(r, d.Path), "Value", d.Old)
		}
	}
	if record.Links.Offer != 0 {
		return w.saidOfOffer(r, d)
	}
	return w.detail(r, d)
}

// offerValues are the messages that name what changes of an offer, by the paths of details.
var offerValues = map[string]string{"type": "offer.type", "subject": "offer.subject", "comments": "offer.letter",
	"reason": "offer.reason", "decision-policy": "offer.policy", "decision-deadline": "offer.deadline",
	"attachments": "offer.file", "score/extra": "card.score_extra"}

// saidOfOffer says one changed value of an offer; types by their titles.
func (w *Words) saidOfOffer(r *site.Request, d admitto.Detail) string {
	key, known := offerValues[d.Path]
	if !known {
		return w.detail(r, d)
	}
	value := func(text string) string {
		if id, err := strconv.ParseInt(text, 10, 64); d.Path == "type" && err == nil && w.offerTypes[id] != "" {
			text = w.offerTypes[id]
		}
		if d.Path == "decision-policy" && text != "" {
			text = r.T(PolicyKey(text))
		}
		return cmp.Or(w.inWords(r, d.Path, text), r.T("value.none"))
	}
	return r.T("history.detail", "Name", r.T(key), "Old", value(d.Old), "New", value(d.New))
}

// DetailName is what a value that changed is called; the path itself where no message names it.
func DetailName(r *site.Request, path string) string {
	if key := "applicant." + path; r.Has(key) {
		return r.T(key)
	}
	switch {
	case path == "/reason":
		return r.T("history.reason")
	case strings.HasSuffix(path, "/priority"):
		return r.T("history.priority")
	case path == "points", path == "comments", path == "details":
		return r.T("history." + path)
	case path == "/instructions", path == "/smallprint", path == "/reminder":
		return r.T("invoice." + path[1:])
	case path == "/deadline":
		return r.T("applicant.deadline")
	case path == "/grace_override":
		return r.T("card.grace_override")
	case path == "/until":
		return r.T("card.reopen_day")
	case path == "/text":
		return r.T("card.told_text")
	case strings.HasPrefix(path, overridden):
		return r.T("history.overridden")
	}
	if name := fieldName(r, path); name != "" {
		return name
	}
	switch {
	case path == "notes/administrator":
		return r.T("card.comment")
	case path == "notes/applicant":
		return r.T("card.note_of_applicant")
	case marked(path):
		return r.T("note." + path[strings.LastIndexByte(path, '/')+1:])
	case strings.HasPrefix(path, "notes/"):
		return r.T("note.text")
	}
	return path
}

// marked reports whether a path is that of a mark of a note: that it is pinned, or collapsed.
func marked(path string) bool {
	return strings.HasPrefix(path, "notes/") && (strings.HasSuffix(path, "/pinned") || strings.HasSuffix(path,
		"/collapsed"))
}

// fieldName is what a value of the application form is called, by its pointer: with the number of its row where it is
// in one, and said to be as it was typed where it needs attention. It is "" for anything else.
func fieldName(r *site.Request, pointer string) string {
	path, ok := strings.CutPrefix(pointer, "/")
	if !ok {
		return ""
	}
	raw, typed := strings.CutPrefix(path, "attention/")
	if typed {
		path = strings.NewReplacer("~1", "/", "~0", "~").Replace(raw)
	}
	names := strings.Split(path, "/")
	section := form.SectionOf(names[0])
	if section == nil || len(names) < 2 {
		return ""
	}
	name := r.Label(section.Title)
	row, err := strconv.Atoi(names[1])
	if err == nil && section.Rows {
		name = r.T("history.row", "Section", name, "Row", r.Number(row+1))
	}
	if f := form.FieldOf(path); f != nil && f.Kind != form.Group {
		if name = r.Label(f.Label); err == nil && section.Rows {
			name = r.T("history.field", "Section", r.Label(section.Title), "Row", r.Number(row+1), "Field", name)
		}
	}
	if typed {
		name = r.T("history.typed", "Field", name)
	}
	return name
}

// Who did it, as a table says it.
func (w *Words) Who(r *site.Request, record *admitto.Record) string {
	id := strconv.FormatInt(record.Actor.ID, 10)
	switch record.Actor.Kind {
	case admitto.ByAdministrator:
		if name := w.staff[record.Actor.ID]; name != "" {
			return name
		}
		return r.T("journal.administrator", "ID", id)
	case admitto.ByApplicant:
		return r.T("journal.the_applicant")
	case admitto.ByKey:
		return r.T("journal.key", "ID", id)
	case admitto.BySystem:
	}
	return r.T("journal.system")
}
