package card

import (
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// showOffer shows the editor: the form, and next to it what the applicant will read, what confirming does, and the
// letters that were sent.
func (p *pages) showOffer(r *site.Request, c *onOffer, f *site.Form, v *admissions.OfferPreview) error {
	aside := ui.Stack{Parts: []ui.Component{p.previewBox(r, c, f, v), p.sentBox(r, c), p.notesBox(r, c)}}
	parts := []ui.Component{ui.Heading{Title: r.T("offer.heading", "Course", c.Course.Name)}}
	var above []ui.Button
	if confirmed := c.TypeOf(c.TypeConfirmed); accepted(&c.OfferCase, &confirmed) {
		above = show.Small(r.Buttons(site.Do("offer-matriculate", c.OfferCase.ID)))
	}
	if !r.Reader().Has(admitto.OffersEdit) {
		facts, err := p.workingFacts(r, c)
		if err != nil {
			return err
		}
		parts = append(parts, ui.KeyValues{Facts: facts})
		return p.showWith(r, c.head, "application-courses", above, append(parts, aside)...)
	}
	fields, below, err := p.offerFields(r, c, f, v)
	if err != nil {
		return err
	}
	buttons := []ui.Button{{Text: r.T("offer.save"), Name: "save", Value: "yes", Busy: r.T("form.saving")},
		{Text: r.T("offer.preview"), Name: "preview", Value: "yes", Plain: true}}
	kind := v.Type // the one that is typed: the button saves it first
	switch faults := c.ConfirmFaults(&kind); {
	case !r.May("offer-confirm"):
		buttons[0].Primary = true
	case kind.ID == admitto.InitialOfferType || !kind.Confirm: // an empty letter is said when the button is pressed
		buttons[0].Primary = true
		below = append([]ui.Component{ui.Words{Text: r.Say(faults[0].Text) + " " + r.T("offer.save_first"), Muted: true}},
			below...)
	default:
		buttons = append([]ui.Button{{Text: r.T("action.offer-confirm"), Name: "confirm", Value: "yes", Primary: true,
			Busy: r.T("form.saving")}}, buttons...)
	}
	box := f.Box(buttons, fields...)
	box.Live, box.After, box.Files = r.At("offer-preview", c.OfferCase.ID), below, true
	return p.showWith(r, c.head, "application-courses", above,
		append(parts, ui.Columns{Parts: []ui.Component{box, aside}})...)
}

// livePreview answers with the preview of what is being typed.
func (p *pages) livePreview(r *site.Request, c *onOffer) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	v, err := p.Admissions.PreviewOffer(r.Context(), r.Reader(), c.OfferCase.ID, c.typed(r, f))
	if admitto.KindOf(err) == admitto.InvalidParameter {
		v, err = p.Admissions.PreviewOffer(r.Context(), r.Reader(), c.OfferCase.ID, admissions.OfferEdit{})
	}
	if err != nil {
		return err
	}
	return r.Fragment(p.previewBox(r, c, f, &v))
}

// previewBox is the letter as the applicant will read it, and what confirming does.
func (p *pages) previewBox(r *site.Request, c *onOffer, f *site.Form, v *admissions.OfferPreview) ui.Box {
	box := ui.Box{ID: "preview", Title: r.T("offer.will_read", "Name", show.Name(r, &c.head.Person))}
	if len(v.Letter) > 0 || len(v.Subject) > 0 {
		preview := show.Letter(r.T("offer.letter"), v.Subject, v.Letter)
		preview.Lang, preview.Plain = v.Language, v.Text
		box.Parts = append(box.Parts, preview)
	}
	if len(v.Faults) > 0 {
		for i := range v.Faults {
			box.Parts = append(box.Parts, ui.Notice{Tone: ui.Bad, Text: r.Say(v.Faults[i].Text)})
		}
		return box
	}
	if v.Same {
		box.Parts = append(box.Parts, ui.Notice{Tone: ui.Info, Text: r.T("offer.same")})
		return box
	}
	box.Parts = append(box.Parts, ui.Heading{Title: r.T("offer.does")}, p.offerEffects(r, v, f.Has("again")))
	if words := oddSubject(r, c, v); words != "" {
		box.Parts = append(box.Parts, ui.Notice{Tone: ui.Warn, Text: words})
	}
	if v.Quota > 0 && v.Place > v.Quota {
		box.Parts = append(box.Parts, ui.Notice{Tone: ui.Warn,
			Text: r.T("offer.above_quota", "Place", v.Place, "Quota", v.Quota)})
	}
	return box
}

// oddSubject warns of a letter with the subject of another type, "" when there is nothing to warn of.
func oddSubject(r *site.Request, c *onOffer, v *admissions.OfferPreview) string {
	subject, _ := v.Offer.LetterTexts(&v.Type)
	for i := range c.Types {
		t := &c.Types[i]
		if subject != "" && subject == t.Subject && subject != v.Type.Subject {
			return r.T("offer.odd_subject", "Type", t.Title)
		}
	}
	return ""
}

// offerEffects say what confirming does; again says that the applicant is to decide again.
func (p *pages) offerEffects(r *site.Request, v *admissions.OfferPreview, again bool) (list ui.Effects) {
	add := func(icon, text string) { list = append(list, ui.Effect{Icon: icon, Text: text}) }
	name := show.Name(r, &v.Person)
	add("mail", r.T("offer.goes_to", "Email", v.Person.Email))
	if n := len(v.Type.BCC); n > 0 {
		add("copy", r.Plural("offer.copies", n))
	}
	var files []string
	for i := range v.Files {
		files = append(files, v.Files[i].Name)
	}
	if len(files) > 0 {
		add("file", r.T("offer.with_files", "Files", r.Listed(files...)))
	}
	if v.Type.Freeze && !v.Frozen {
		add("snowflake", r.T("offer.freezes"))
	}
	switch answer := v.Offer.Decision; {
	case !v.Type.Decide:
	case answer != admitto.DecisionNone && !again:
		add("check", r.T("offer.answer_stays", "Answer", show.Decision(r, answer)))
	default:
		key := "offer.may_answer"
		if !v.Offer.DecisionDeadline.IsZero() && v.Offer.DecisionPolicy != admitto.PolicyNone {
			key = "offer.asked_by"
			if v.Offer.DecisionPolicy == admitto.PolicyRequired {
				key = "offer.required_by"
			}
		}
		add("clock", r.T(key, "Name", name, "Day", show.Date(r, v.Offer.DecisionDeadline)))
		if key != "offer.may_answer" && v.Offer.DeadlineOver(r.Now(), r.Zone(), 0) {
			add("triangle-alert", r.T("offer.deadline_over", "Name", name, "Day", show.Date(r, v.Offer.DecisionDeadline)))
		}
		if v.Type.Decline {
			add("lock", r.T("offer.binds"))
		}
	}
	if v.Type.Reopen {
		add("rotate-ccw", r.T("offer.reopens", "Name", name))
	}
	if v.Type.Silence {
		add("bell", r.T("offer.silences"))
	}
	if len(v.Tasks) > 0 {
		add("list-checks", r.T("offer.makes_tasks", "Tasks", r.Listed(v.Tasks...)))
	}
	if v.Place > 0 && v.Place <= v.Quota {
		add("users", r.T("offer.place", "Place", v.Place, "Quota", v.Quota))
	}
	return list
}

// workingFacts are the working copy for those who may only read it.
func (p *pages) workingFacts(r *site.Request, c *onOffer) ([]ui.KeyValue, error) {
	types := map[int64]admitto.OfferType{}
	for _, t := range c.Types {
		types[t.ID] = t
	}
	why, err := p.declining(r, &c.OfferCase)
	if err != nil {
		return nil, err
	}
	who, err := p.byHand(r, c.DecidedBy)
	return offerFacts(r, &c.OfferCase, types, why, who), err
}

// sentBox are the letters that were sent, the newest first, with what became of their mails.
func (p *pages) sentBox(r *site.Request, c *onOffer) ui.Component {
	box := ui.Box{Title: r.T("offer.former")}
	if len(c.Sent) == 0 {
		text := r.T("offer.none_sent")
		if c.Confirmed != 0 {
			text = r.T("offer.not_kept", "Time", r.Clock(c.Confirmed))
		}
		box.Parts = []ui.Component{ui.Words{Text: text, Muted: true}}
		return box
	}
	box.Actions = show.Small(r.Buttons(site.Do("offer-again", c.OfferCase.ID)))
	for i := range c.Sent {
		sent := &c.Sent[i]
		facts := []ui.KeyValue{{Key: r.T("offer.subject"), Value: sent.Subject}}
		if sent.Email.ID != 0 {
			facts = append(facts, ui.KeyValue{Key: r.T("offer.mail"), Tags: []ui.Tag{show.Mail(r, &sent.Email)}})
		}
		if sent.Reason != "" {
			facts = append(facts, ui.KeyValue{Key: r.T("offer.reason"), Value: sent.Reason})
		}
		if !sent.Deadline.IsZero() {
			facts = append(facts, ui.KeyValue{Key: r.T("card.answer_by"), Value: show.Date(r, sent.Deadline)})
		}
		for _, file := range sent.Attachments {
			facts = append(facts, ui.KeyValue{Key: r.T("offer.file"), Value: file.Name,
				Href: r.At("offer-file", c.OfferCase.ID, file.ID)})
		}
		box.Parts = append(box.Parts, ui.Fold{Title: sentTitle(r, c, i), Parts: []ui.Component{ui.KeyValues{Facts: facts},
			ui.Prose{Text: sent.Body}}})
	}
	return box
}

// notesBox are the notes of staff on the offer.
func (p *pages) notesBox(r *site.Request, c *onOffer) ui.Component {
	box := ui.Box{Title: r.T("offer.notes"), Actions: show.Small(r.Buttons(site.Do("offer-note", c.OfferCase.ID)))}
	if len(c.Notes) == 0 {
		box.Parts = []ui.Component{ui.Words{Text: r.T("offer.no_notes"), Muted: true}}
	}
	for i := len(c.Notes) - 1; i >= 0; i-- {
		n := &c.Notes[i]
		note := show.Note(r, n)
		if r.Reader().Has(admitto.OffersEdit) && r.May("application-note-edit") {
			note.Actions = []ui.Button{{Text: r.T("note.edit"), Icon: "pencil", Small: true, About: n.Text,
				Href: r.At("application-note-edit", c.Application, c.OfferCase.ID, n.ID)}}
		}
		box.Parts = append(box.Parts, note)
	}
	return box
}

// confirmOffer asks with recipient, type, subject and first words, and then sends the letter.
func (p *pages) confirmOffer(r *site.Request, c *onOffer) error {
	back, id := r.Within("offer", c.OfferCase.ID), c.OfferCase.ID
	v, err := p.Admissions.PreviewOffer(r.Context(), r.Reader(), id, admissions.OfferEdit{})
	if err != nil {
		return err
	}
	f, err := r.Form(site.Values{"again": r.URL.Query()["again"]}, c.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() {
		err := p.Admissions.ConfirmOffer(r.Context(), r.Caller(), c.Application, id, f.Has("again"))
		if site.Changed(err) {
			last, err := p.lastOfOffer(r, c)
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
			if v.Same {
				r.Notify(ui.Info, r.T("offer.was_same"))
			} else {
				r.Notify(ui.OK, r.T("offer.sent", "Name", show.Name(r, &v.Person)))
			}
			return r.Redirect(back)
		}
	}
	if !r.Posted() && len(v.Faults) > 0 {
		return p.cannot(r, v.Faults, back)
	}
	fields := []ui.Component{f.Head(), ui.KeyValues{Facts: letterFacts(r, &v)}}
	if c.Confirmed != 0 && c.Decision != admitto.DecisionNone {
		fields = append(fields, f.Tick("again", "offer.decision", "offer.ask_again"))
	}
	effects := p.offerEffects(r, &v, f.Has("again"))
	if words := oddSubject(r, c, &v); words != "" {
		effects = append(effects, ui.Effect{Icon: "triangle-alert", Text: words})
	}
	if v.Same {
		effects = ui.Effects{{Icon: "info", Text: r.T("offer.same")}}
	}
	if v.Quota > 0 && v.Place > v.Quota {
		effects = append(effects, ui.Effect{Icon: "triangle-alert",
			Text: r.T("offer.above_quota", "Place", v.Place, "Quota", v.Quota)})
	}
	return r.Ask(ui.Confirmation{Title: r.T("offer.confirm_title"), Effects: effects, Undo: r.T("offer.confirm_undo"),
		Fields: fields, Confirm: ui.Button{Text: r.T("action.offer-confirm"), Primary: true, Busy: r.T("form.saving")},
		Back: ui.Link{Text: r.T("dialog.cancel"), Href: back}})
}

// letterFacts say what goes to whom.
func letterFacts(r *site.Request, v *admissions.OfferPreview) []ui.KeyValue {
	return []ui.KeyValue{{Key: r.T("offer.recipient"), Value: r.Listed(show.Name(r, &v.Person), v.Person.Email)},
		{Key: r.T("offer.type"), Parts: []ui.Component{ui.Dot{Text: v.Type.Title, Colour: v.Type.Colour}}},
		{Key: r.T("offer.subject"), Value: wordsOf(v.Subject)}, {Key: r.T("offer.begins"), Value: beginning(v.Text)}}
}

// cannot says why something is not possible now, and leads back.
func (p *pages) cannot(r *site.Request, faults []admitto.Fault, back string) error {
	var said []string
	for i := range faults {
		said = append(said, r.Say(faults[i].Text))
		if faults[i].Path == "page.answer-day" {
			back += "#f-deadline-day"
		}
	}
	return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Warn, Text: strings.Join(said, " "), Link: &ui.Link{
		Text: r.T("offer.back"), Href: back}}}}.Show(r)
}

// wordsOf is the text of pieces.
func wordsOf(pieces []mail.Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// beginning is the first words of a letter.
func beginning(text string) string {
	const most = 200
	words := []rune(strings.Join(strings.Fields(text), " "))
	if len(words) <= most {
		return string(words)
	}
	return string(words[:most]) + " …"
}

// sendAgain sends the last letter once more, as it was.
func (p *pages) sendAgain(r *site.Request, c *onOffer) error {
	back := r.Within("offer", c.OfferCase.ID)
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		err := p.Admissions.SendLetterAgain(r.Context(), r.Caller(), c.Application, c.OfferCase.ID)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("offer.sent", "Name", show.Name(r, &c.head.Person)))
			return r.Redirect(back)
		}
	} else if len(c.Sent) == 0 {
		return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Warn, Text: r.T("offer.none_sent"), Link: &ui.Link{
			Text: r.T("offer.back"), Href: back}}}}.Show(r)
	}
	facts := []ui.KeyValue{{Key: r.T("offer.recipient"),
		Value: r.Listed(show.Name(r, &c.head.Person), c.head.Person.Email)}}
	if len(c.Sent) > 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("offer.subject"), Value: c.Sent[0].Subject},
			ui.KeyValue{Key: r.T("offer.begins"), Value: beginning(c.Sent[0].Body)})
	}
	return r.Ask(ui.Confirmation{Title: r.T("offer.again_title"),
		Effects: ui.Effects{{Icon: "mail", Text: r.T("offer.again_effect")}},
		Fields:  []ui.Component{f.Head(), ui.KeyValues{Facts: facts}},
		Confirm: ui.Button{Text: r.T("action.offer-again"), Primary: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: back}})
}
