package card

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// overview is the first tab (screens.md A12).
func (p *pages) overview(r *site.Request, h *query.ApplicationHead) error {
	ctx, by := r.Context(), r.Reader()
	o, err := p.Query.ApplicationOverview(ctx, by, h.ID)
	if err != nil {
		return err
	}
	all, err := p.Query.OfferTypes(ctx, by)
	types, err := usecase.Named(all, err, func(t *admitto.OfferType) (int64, admitto.OfferType) { return t.ID, *t })
	if err != nil {
		return err
	}
	able, err := p.Admissions.Chances(ctx, r.Caller(), h.ID)
	if err != nil {
		return err
	}
	facts, err := p.facts(r, h, &o, types)
	if err != nil {
		return err
	}
	var left, right []ui.Component
	left = append(left, ui.Box{Title: r.T("card.facts"), Parts: []ui.Component{facts}})
	for _, n := range o.Pinned {
		left = append(left, show.Note(r, &n))
	}
	if missing := missingBox(r, h, o.Courses, able); missing != nil {
		right = append(right, *missing)
	}
	if len(o.Courses) > 0 {
		right = append(right, ui.Box{Title: r.T("card.deadlines"), Parts: []ui.Component{deadlines(r, h, o.Courses)}})
	}
	right = append(right, ui.Box{Title: r.T("card.timeline"), Parts: []ui.Component{timeline(r, h, &o, types)}})
	if len(o.Receipts) > 0 {
		right = append(right, ui.Box{Title: r.T("card.receipts"), Parts: []ui.Component{receipts(r, o.Receipts)}})
	}
	buttons, seldom, refused := offered(r, h, able)
	if len(refused) > 0 {
		left = append(left, ui.Fold{Title: r.T("card.not_now"), Parts: []ui.Component{ui.KeyValues{Facts: refused}}})
	}
	return p.showWithMore(r, h, "application", buttons, seldom,
		ui.Columns{Parts: []ui.Component{ui.Stack{Parts: left}, ui.Stack{Parts: right}}})
}

// facts are the key facts.
func (p *pages) facts(r *site.Request, h *query.ApplicationHead, o *query.ApplicationOverview,
	types map[int64]admitto.OfferType) (ui.KeyValues, error) {
	words, err := r.Classes(p.Query.Classificators(r.Context(), r.Reader()))
	if err != nil {
		return ui.KeyValues{}, err
	}
	facts := []ui.KeyValue{{Key: r.T("card.citizenship"), Value: show.Country(r, h.Person.Citizenship)},
		{Key: r.T("card.birth"), Value: birth(r, &o.Content)},
		{Key: r.T("card.education"), Value: education(r, &o.Content, words)},
		{Key: r.T("card.languages"), Value: languages(r, &o.Content, words)}}
	if number := h.Person.Matriculation; number != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("applicant.matriculation"), Value: number})
	}
	courses := ui.KeyValue{Key: r.T("card.courses")}
	for i := range o.Courses {
		c := &o.Courses[i]
		line := []ui.Component{ui.Words{Text: r.T("card.course", "Priority", c.Priority, "Course", courseName(c))}}
		if c.Offer != nil {
			line = append(line, typeDots(r, c.Offer, types)...)
			if c.Offer.Decision != admitto.DecisionNone {
				line = append(line, ui.Words{Text: r.T("card.answered", "Answer", show.Decision(r, c.Offer.Decision)), Muted: true})
			}
		}
		courses.Parts = append(courses.Parts, line...)
	}
	tasks := ui.KeyValue{Key: r.T("card.open_tasks")}
	for i := range o.Tasks {
		t := &o.Tasks[i]
		tasks.Parts = append(tasks.Parts, ui.Links{Links: []ui.Link{{Href: taskAddress(r, h, t.ID), Text: taskLine(r, t)}}})
	}
	for _, list := range []ui.KeyValue{courses, tasks} {
		if len(list.Parts) > 0 {
			facts = append(facts, list)
		}
	}
	documents := []ui.Component{ui.Links{Links: []ui.Link{{Text: r.Plural("card.document_count", int(h.Counts.Documents)),
		Href: r.Within("application-documents", h.ID)}}}}
	if h.Counts.Unread > 0 {
		documents = append(documents, ui.Tag{Text: r.T("card.documents_unread", "Count", r.Number(int(h.Counts.Unread))),
			Icon: "inbox", Tone: ui.Info})
	}
	facts = append(facts, ui.KeyValue{Key: r.T("card.documents"), Parts: documents})
	if h.Status == admitto.Reopened {
		told, err := p.Admissions.Reopened(r.Context(), r.Caller(), h.ID)
		if err != nil {
			return ui.KeyValues{}, err
		}
		if told.Text != "" {
			facts = append(facts, ui.KeyValue{Key: r.T("card.reopen_told"), Value: told.Text})
		}
		facts = append(facts, ui.KeyValue{Key: r.T("card.reopen_by"), Value: show.Date(r, told.Until)})
	}
	return ui.KeyValues{Facts: facts}, nil
}

func courseName(c *query.CardCourse) string {
	return show.Course(c.Named.Code, c.Named.Name)
}

func birth(r *site.Request, c *form.Content) string {
	text := c.Text("profile/birth/date")
	if d, err := admitto.ParseDate(text); err == nil {
		return r.Date(d.In(time.UTC))
	}
	return text
}

// education is the latest: by the year and month of graduation, and of enrolment.
func education(r *site.Request, c *form.Content, words []admitto.Classificator) string {
	rows := c.Rows("education")
	if len(rows) == 0 {
		return ""
	}
	last := slices.MaxFunc(rows, func(a, b form.Object) int {
		return cmp.Or(cmp.Compare(form.TextAt(a, "graduation"), form.TextAt(b, "graduation")),
			cmp.Compare(form.TextAt(a, "enrolment"), form.TextAt(b, "enrolment")))
	})
	return r.Listed(formpage.Value(r, form.FieldAt("education/level"), form.At(last, "level"), words),
		form.TextAt(last, "institution"), show.Country(r, form.TextAt(last, "country")),
		formpage.Value(r, form.FieldAt("education/graduation"), form.At(last, "graduation"), words))
}

func languages(r *site.Request, c *form.Content, words []admitto.Classificator) string {
	var list []string
	for _, row := range c.Rows("languages") {
		name := formpage.Value(r, form.FieldAt("languages/name"), form.At(row, "name"), words)
		level := formpage.Value(r, form.FieldAt("languages/proficiency"), form.At(row, "proficiency"), words)
		list = append(list, joined(" ", name, level))
	}
	return r.Listed(list...)
}

// missingBox says what stands in the way of submitting, with links to where it is mended; nil once it is submitted, or
// when nothing does.
func missingBox(r *site.Request, h *query.ApplicationHead, courses []query.CardCourse,
	able []admissions.Chance) *ui.Box {
	at := slices.IndexFunc(able, func(c admissions.Chance) bool { return c.Event == admitto.Submit })
	if at < 0 || h.Status == admitto.Submitted || h.Status == admitto.Withdrawn || h.Status == admitto.Closed {
		return nil
	}
	box := &ui.Box{Title: r.T("card.missing")}
	if len(able[at].Faults) == 0 {
		box.Parts = []ui.Component{ui.Words{Text: r.T("card.nothing_missing")}}
		return box
	}
	var facts []ui.KeyValue
	for _, f := range able[at].Faults {
		link := faultLink(r, h, courses, &f)
		key := kindOf(r, &f)
		if n := len(facts); n > 0 && facts[n-1].Key == key {
			last := facts[n-1].Parts[0].(ui.Links)
			facts[n-1].Parts[0] = ui.Links{Links: append(last.Links, link)}
			continue
		}
		facts = append(facts, ui.KeyValue{Key: key, Parts: []ui.Component{ui.Links{Links: []ui.Link{link}}}})
	}
	box.Parts = []ui.Component{ui.KeyValues{Facts: facts}}
	return box
}

// deadlines are until when the applicant may apply, and why just until then.
func deadlines(r *site.Request, h *query.ApplicationHead, courses []query.CardCourse) ui.KeyValues {
	var facts []ui.KeyValue
	seen := map[int64]bool{}
	for i := range courses {
		c := &courses[i]
		if c.Intake == 0 || seen[c.Intake] {
			continue
		}
		seen[c.Intake] = true
		facts = append(facts, ui.KeyValue{Key: c.In.Name, Value: deadline(r, c)})
	}
	if !h.InTerm.Grace.IsZero() {
		facts = append(facts, ui.KeyValue{Key: r.T("card.grace"), Value: show.Date(r, h.InTerm.Grace)})
	}
	if h.GraceOverride != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("card.grace_override"), Value: r.Clock(h.GraceOverride)})
	}
	return ui.KeyValues{Facts: facts}
}

// world is the territory of everybody (lifecycle.md 3.3).
const world = admitto.World

// deadline says until when, and from where that comes.
func deadline(r *site.Request, c *query.CardCourse) string {
	source := r.T("card.source_country", "Country", show.Country(r, c.Territory))
	switch {
	case c.Deadline.Extended:
		source = r.T("card.source_extension")
	case c.Territory == "":
		return r.T("card.no_deadline")
	case c.Territory == world:
		source = r.T("card.source_world")
	case c.Region != "":
		source = r.T("card.source_region", "Region", c.Region)
	}
	if c.Deadline.Barred && !c.Deadline.Extended {
		return r.T("card.barred", "Source", source)
	}
	if c.Deadline.Until == 0 {
		return r.T("card.deadline_none", "Source", source)
	}
	return r.T("card.deadline", "Time", r.Clock(c.Deadline.Until-1), "Source", source)
}

// turnKeys are the messages of what mattered most, and their tones.
var turnKeys = map[admitto.Pattern]struct {
	name string
	tone ui.Tone
}{
	admitto.ApplicationSubmitted:          {"card.was_submitted", ui.OK},
	admitto.ApplicationResubmitted:        {"card.was_resubmitted", ui.OK},
	admitto.ApplicationReopened:           {"card.was_reopened", ui.Info},
	admitto.ApplicationWithdrawn:          {"card.was_withdrawn", ui.Warn},
	admitto.ApplicationWithdrawalReverted: {"card.was_withdrawal_undone", ui.Info},
	admitto.ApplicationClosed:             {"card.was_closed", ui.Warn},
	admitto.ApplicationClosingReverted:    {"card.was_closing_undone", ui.Info},
	admitto.ApplicationFrozen:             {"card.was_frozen", ui.Info},
	admitto.ApplicationDefrosted:          {"card.was_unfrozen", ui.Info},
	admitto.ApplicationExpired:            {"card.was_expired", ui.Warn},
	admitto.ApplicationExpiryLifted:       {"card.was_expiry_lifted", ui.Info},
	admitto.ApplicationDeadlineExtended:   {"card.was_extended", ui.Info},
	admitto.OfferConfirmed:                {"card.was_confirmed", ui.Info},
	admitto.OfferDecisionSet:              {"card.was_decided", ui.Info},
	admitto.ApplicantDecision:             {"card.was_decided", ui.Info},
}

// timeline is what mattered most, the newest first.
func timeline(r *site.Request, h *query.ApplicationHead, o *query.ApplicationOverview,
	types map[int64]admitto.OfferType) ui.Timeline {
	type turn struct {
		at    admitto.Time
		title string
		tone  ui.Tone
	}
	var list []turn
	add := func(at admitto.Time, tone ui.Tone, key string, args ...any) {
		if at != 0 {
			list = append(list, turn{at, r.T(key, args...), tone})
		}
	}
	add(h.Created, "", "card.was_created")
	add(h.Revised, "", "card.was_revised")
	courses := map[int64]string{}
	for i := range o.Courses {
		courses[o.Courses[i].Course] = courseName(&o.Courses[i])
	}
	for i := range o.Turns {
		record := &o.Turns[i]
		value := strings.Join(record.Bind, ", ")
		course := cmp.Or(courses[record.Links.Course], r.T("history.offer", "ID", record.Links.Offer))
		switch key := turnKeys[record.Pattern]; record.Pattern {
		case admitto.OfferConfirmed:
			id, _ := strconv.ParseInt(value, 10, 64)
			add(record.Logged, ui.Info, key.name, "Course", course, "Type", cmp.Or(types[id].Title, value))
		case admitto.OfferDecisionSet, admitto.ApplicantDecision:
			add(record.Logged, ui.Info, key.name, "Course", course, "Decision",
				show.Decision(r, admitto.Decision(value)))
		default:
			add(record.Logged, key.tone, key.name)
		}
	}
	for i := range o.Receipts {
		if !o.Receipts[i].Accepted {
			add(o.Receipts[i].Made, ui.Warn, "card.was_refused")
		}
	}
	slices.SortStableFunc(list, func(a, b turn) int { return cmp.Compare(b.at, a.at) })
	var t ui.Timeline
	for _, m := range list {
		t.Events = append(t.Events, ui.Event{Title: m.title, Tone: m.tone, Time: r.Clock(m.at),
			Machine: m.at.Std().UTC().Format(time.RFC3339)})
	}
	return t
}

// receipts are those of all attempts to submit, the newest first: why one was refused, and the text that the applicant
// has of it.
func receipts(r *site.Request, list []admitto.Receipt) ui.KeyValues {
	var facts []ui.KeyValue
	for i := range slices.Backward(list) {
		receipt := &list[i]
		tag := ui.Tag{Text: r.T("card.accepted"), Icon: "check", Tone: ui.OK}
		if !receipt.Accepted {
			tag = ui.Tag{Text: r.T("card.refused"), Icon: "x", Tone: ui.Warn}
		}
		parts := []ui.Component{tag, ui.Words{Text: r.ExactClock(receipt.Made)}}
		if codes := receipt.Refused(); len(codes) > 0 {
			parts = append(parts, ui.Words{Text: r.T("card.receipt_why", "Why", r.Listed(show.WhyRefused(r, codes)...))})
		}
		whole := ui.Secret{ID: "receipt-" + receipt.NumberText(), Lang: r.Foreign("en"),
			Label: r.T("card.receipt_text"), Code: receipt.Whole()}
		parts = append(parts, ui.Fold{Title: r.T("card.receipt_text"), Parts: []ui.Component{whole}})
		facts = append(facts, ui.KeyValue{Key: r.T("card.receipt", "Number", receipt.NumberText()), Parts: parts})
	}
	return ui.KeyValues{Facts: facts}
}
