package protection

import (
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/privacy"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// dueSoon is how many days before the answer is due a request stands out.
const dueSoon = 7

// requests lists what people have asked about their data, the one whose answer is due first on top.
func (p *pages) requests(r *site.Request) error {
	open, answered, err := p.Privacy.Requests(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	t := ui.Table{Cards: true, Caption: r.T("protection.open"), Columns: []ui.Column{
		{Title: r.T("protection.applicant"), Place: "main"}, {Title: r.T("protection.due"), Place: "meta"},
		{Title: r.T("protection.kind"), Place: "label"}, {Title: r.T("protection.came"), Place: "label"},
		{Title: r.T("protection.against"), Place: "mail"}, {Title: r.T("protection.actions")}},
		Empty: ui.Empty{Icon: "shield", Title: r.T("protection.none"), Text: r.T("protection.none_text"),
			Actions: r.Buttons(site.Do("data-request-new"))}}
	for i := range open {
		t.Rows = append(t.Rows, p.openRow(r, &open[i]))
	}
	parts := []ui.Component{t}
	if len(answered) > 0 {
		parts = append(parts, answeredBox(r, answered))
	}
	return p.show(r, "data-protection", "protection.requests_text", r.Buttons(site.Primary("data-request-new")),
		parts...)
}

func (p *pages) openRow(r *site.Request, c *privacy.Case) ui.Row {
	name := applicantCell(r, &c.Of, c.Deleted)
	against := ui.Cell{Parts: []ui.Component{ui.Words{Text: against(r, c)}}}
	if c.RecordedBy != "" {
		against.Parts = append(against.Parts, ui.Words{Text: r.T("protection.recorded_by", "Name", c.RecordedBy),
			Muted: true})
	}
	if c.Reason != "" {
		against.Parts = append(against.Parts, ui.Words{Text: r.T("protection.says", "Reason", c.Reason), Muted: true})
	}
	var acts ui.Acts
	for _, b := range r.Buttons(grantOf(r, c), site.Do("data-request-refuse", c.ID)) {
		b.Small, b.About = true, show.Name(r, &c.Of)
		acts = append(acts, b)
	}
	if c.Kind == admitto.RequestAccess && r.May("applicant-data") {
		acts = append(acts, ui.Button{Text: r.T("protection.make_file"), Href: r.At("applicant-data", c.Applicant),
			Small: true, About: show.Name(r, &c.Of)})
	}
	return ui.Row{ID: strconv.FormatInt(c.ID, 10), Label: show.Name(r, &c.Of), Cells: []ui.Cell{name,
		{Tags: []ui.Tag{dueTag(r, c.Due())}}, {Text: r.T("protection." + string(c.Kind))}, {Text: day(r, c.Received)},
		against,
		{Parts: []ui.Component{acts}}}}
}

// grantOf is the action that grants a request; one to be forgotten needs the permission to delete.
func grantOf(r *site.Request, c *privacy.Case) site.Action {
	if c.Kind == admitto.RequestErase && !r.Reader().Has(admitto.ApplicantsDelete) {
		return site.Action{}
	}
	return site.Do("data-request-grant", c.ID)
}

// applicantCell is the name of an applicant, with the link to the card for those who may open it.
func applicantCell(r *site.Request, a *admitto.Applicant, deleted bool) ui.Cell {
	cell := ui.Cell{Text: show.Name(r, a), Note: strconv.FormatInt(a.ID, 10)}
	if !deleted && r.May("applicant") {
		cell.Href = r.At("applicant", a.ID)
	}
	return cell
}

func day(r *site.Request, d admitto.Date) string { return r.Date(d.In(r.Zone())) }

// dueTag is when an answer is due, and whether that is soon or over.
func dueTag(r *site.Request, due admitto.Date) ui.Tag {
	today := admitto.DateOf(r.Now().Std().In(r.Zone()))
	tag := ui.Tag{Text: day(r, due), Icon: "clock"}
	switch {
	case due.Before(today):
		tag.Text, tag.Tone, tag.Icon = r.T("protection.late", "Day", day(r, due)), ui.Bad, ui.Bad.Icon()
	case due.Before(today.AddDays(dueSoon)):
		tag.Tone, tag.Icon = ui.Warn, ui.Warn.Icon()
	}
	return tag
}

// against says what speaks against granting a request.
func against(r *site.Request, c *privacy.Case) string {
	if c.Kind != admitto.RequestErase {
		return r.T("protection.against_other")
	}
	said := ""
	for _, part := range []struct {
		key string
		n   int64
	}{{"protection.against_open", c.Open}, {"protection.against_accepted", c.Accepted},
		{"protection.against_invoices", c.Invoices}} {
		if part.n > 0 {
			if said != "" {
				said += " · "
			}
			said += r.Plural(part.key, int(part.n))
		}
	}
	if said == "" {
		return r.T("protection.against_nothing")
	}
	return said
}

// answeredBox lists what was answered of late.
func answeredBox(r *site.Request, list []privacy.Case) ui.Component {
	t := ui.Table{Cards: true, Caption: r.T("protection.answered"), Columns: []ui.Column{
		{Title: r.T("protection.applicant"), Place: "main"}, {Title: r.T("protection.outcome"), Place: "meta"},
		{Title: r.T("protection.kind"), Place: "label"}, {Title: r.T("protection.came"), Place: "label"},
		{Title: r.T("protection.answered_at"), Place: "label"}, {Title: r.T("protection.answer"), Place: "mail"}}}
	for i := range list {
		c := &list[i]
		at := ui.Cell{Text: r.Clock(c.Answered)}
		if c.AnsweredName != "" {
			at.Note = c.AnsweredName
		}
		t.Rows = append(t.Rows, ui.Row{Label: show.Name(r, &c.Of), Cells: []ui.Cell{applicantCell(r, &c.Of, c.Deleted),
			{Tags: []ui.Tag{outcomeTag(r, c.Outcome)}}, {Text: r.T("protection." + string(c.Kind))},
			{Text: day(r, c.Received)}, at, {Text: c.Answer}}})
	}
	return ui.Box{ID: "answered", Title: r.T("protection.answered"), Parts: []ui.Component{t}}
}

func outcomeTag(r *site.Request, o admitto.DataRequestOutcome) ui.Tag {
	tag := ui.Tag{Text: r.T("protection." + "was_" + string(o)), Tone: ui.OK, Icon: ui.OK.Icon()}
	switch o {
	case admitto.RequestRefused:
		tag.Tone, tag.Icon = ui.Bad, "ban"
	case admitto.RequestWithdrawn:
		tag.Tone, tag.Icon = "", "undo-2"
	case admitto.RequestGranted:
	}
	return tag
}

// record keeps a request that came by letter, by telephone or in person.
func (p *pages) record(r *site.Request) error {
	initial := site.Values{"applicant": site.One(r.URL.Query().Get("applicant"))}
	initial.SetDay("received", admitto.DateOf(r.Now().Std().In(r.Zone())))
	f, err := r.Form(initial, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		received, _ := f.Day("received")
		applicant := f.Number("applicant", "protection.no_id")
		if applicant == 0 && !f.Wrong("applicant") {
			f.Fail("applicant", "protection.no_id")
		}
		refused, err := f.Refused(f.Store(func() error {
			return p.Privacy.RecordRequest(r.Context(), r.Caller(), privacy.NewRequest{Applicant: applicant,
				Kind: admitto.DataRequestKind(f.Get("kind")), Received: received, Reason: f.Get("reason")})
		}), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("protection.recorded"))
			return r.To("data-protection")
		}
	}
	applicant := f.Text("applicant", "protection.applicant_number")
	applicant.InputMode, applicant.Width = "numeric", "w10"
	options := []ui.Option{{Text: r.T("protection.choose")}}
	for _, kind := range admitto.DataRequestKinds() {
		options = append(options, ui.Option{Value: string(kind), Text: r.T("protection." + string(kind))})
	}
	reason := f.Long("reason", "protection.reason", 4, 2000)
	reason.Optional = true
	return site.Sheet{Intro: []string{r.T("protection.record_text")}, Parts: []ui.Component{f.Box([]ui.Button{
		r.Save("protection.record"), r.Cancel(r.At("data-protection"))}, applicant,
		f.Select("kind", "protection.kind", options...), f.Date("received", "protection.received"), reason)}}.Show(r)
}

// ofRequest reads the open request that a page is about.
func (p *pages) ofRequest(r *site.Request) (c privacy.Case, err error) {
	id, err := r.ID()
	if err != nil {
		return c, err
	}
	return p.Privacy.Request(r.Context(), r.Reader(), id)
}

// grant asks whether a request is to be granted, and does it.
func (p *pages) grant(r *site.Request) error {
	c, err := p.ofRequest(r)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.Privacy.GrantRequest(r.Context(), r.Caller(), c.ID), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("protection."+"granted_"+string(c.Kind)))
			return r.To("data-protection")
		}
	}
	name := show.Name(r, &c.Of)
	effects, undo := []ui.Effect{{Icon: "mail", Text: r.T("protection.grant_mail", "Email", c.Of.Email)}}, ""
	if c.Answered != 0 {
		effects = append(effects, ui.Effect{Icon: "info", Text: answeredBy(r, &c)})
	}
	if c.Kind == admitto.RequestErase {
		effects = append([]ui.Effect{{Icon: "user", Text: r.T("protection.grant_erase")},
			{Icon: "files", Text: against(r, &c)}}, effects...)
		undo = r.T("protection.grant_undo")
	} else {
		effects = append([]ui.Effect{{Icon: "check", Text: r.T("protection." + "grant_" + string(c.Kind))}}, effects...)
	}
	return r.Ask(ui.Confirmation{Title: r.T("protection."+"grant_title_"+string(c.Kind), "Name", name), Effects: effects,
		Undo: undo, Fields: []ui.Component{f.Head()}, Confirm: ui.Button{Text: r.T("action.data-request-grant"),
			Danger: c.Kind == admitto.RequestErase, Primary: c.Kind != admitto.RequestErase, Busy: r.T("form.saving")},
		Back: ui.Link{Text: r.T("dialog.cancel"), Href: r.At("data-protection")}})
}

// refuse says no to a request, with a reason that is mailed.
func (p *pages) refuse(r *site.Request) error {
	c, err := p.ofRequest(r)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.Privacy.RefuseRequest(r.Context(), r.Caller(), c.ID, f.Get("answer")), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("protection.refused"))
			return r.To("data-protection")
		}
	}
	r.SetTitle(r.T("protection.refuse_title", "Name", show.Name(r, &c.Of)))
	answer := f.Long("answer", "protection.why", 6, 2000)
	var parts []ui.Component
	if c.Answered != 0 {
		parts = append(parts, ui.Notice{Tone: ui.Warn, Text: answeredBy(r, &c)})
	}
	return site.Sheet{Intro: []string{r.T("protection.refuse_text", "Email", c.Of.Email)}, Parts: append(parts,
		ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("protection.kind"), Value: r.T("protection." + string(c.Kind))},
			{Key: r.T("protection.reason"), Value: c.Reason}, {Key: r.T("protection.against"), Value: against(r, &c)}}},
		f.Box([]ui.Button{r.Save("action.data-request-refuse"), r.Cancel(r.At("data-protection"))}, answer))}.Show(r)
}

// answeredBy says who has answered a request and when.
func answeredBy(r *site.Request, c *privacy.Case) string {
	name := c.AnsweredName
	if name == "" { // the applicant has taken it back
		name = show.Name(r, &c.Of)
	}
	return r.T("protection.answered_by", "Outcome", outcomeTag(r, c.Outcome).Text, "Name", name, "When",
		r.Clock(c.Answered))
}
