package application

import (
	"io"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// offerRoutes are the offers of an applicant (screens.md P16, P17).
func (p *pages) offerRoutes() []site.Route {
	const path = "/my/offers/{id}"
	return []site.Route{
		{Name: "my-offer", Path: path, Access: site.SignedIn(), Part: true, Parent: "my-application",
			Handle: p.onOffer(p.offer)},
		{Name: "my-answer", Path: path + "/answer/{answer}", Access: site.SignedIn(), Form: true, Part: true,
			Parent: "my-offer",
			Handle: p.onOffer(p.answer)},
		{Name: "my-offer-file", Path: path + "/files/{file}", Access: site.SignedIn(), Parent: "applications",
			Handle: p.onOffer(p.offerFile)},
		{Name: "my-letter", Path: path + "/letter", Access: site.SignedIn(), Parent: "applications", Handle: p.letter},
	}
}

// onOffer reads the offer that a page is about; there is none before a letter was sent.
func (p *pages) onOffer(handle func(*site.Request, *own, *query.OwnOffer) error) func(*site.Request) error {
	return func(r *site.Request) error {
		id, err := r.ID()
		if err != nil {
			return err
		}
		application, err := p.Query.ApplicationWith(r.Context(), r.Reader(), admitto.Row{Kind: admitto.OfferRow, ID: id})
		if err != nil {
			return err
		}
		a, err := p.read(r, application)
		if err != nil {
			return err
		}
		for i := range a.Offers {
			if a.Offers[i].ID == id {
				return handle(r, a, &a.Offers[i])
			}
		}
		return &admitto.Error{Kind: admitto.NotFound}
	}
}

// others are the other offers that accepting an offer declines.
func (a *own) others(o *query.OwnOffer) (names []string) {
	if !o.Type.Decline {
		return nil
	}
	for i := range a.Courses {
		c := &a.Courses[i]
		if c.Course == o.Course {
			continue
		}
		other := a.Offer(c.Course)
		if other == nil {
			other = a.DeclinedUnanswered(c.Course)
		}
		if other == nil || other.Decision != admitto.DecisionDeclined {
			names = append(names, c.Named.Name)
		}
	}
	for i := range a.Elsewhere {
		names = append(names, a.Elsewhere[i].Named.Name)
	}
	return names
}

// declinedFor are the offers that were declined when an offer was accepted. They stay so when that one is declined
// (lifecycle.md D3).
func (a *own) declinedFor(o *query.OwnOffer) (list []*query.OwnOffer) {
	if o.Decision != admitto.DecisionFinal || !o.Type.Decline {
		return nil
	}
	for _, offers := range [][]query.OwnOffer{a.Offers, a.Declined} {
		for i := range offers {
			if other := &offers[i]; other.ID != o.ID && other.Origin == admitto.OtherAccepted {
				list = append(list, other)
			}
		}
	}
	return list
}

// bound is another offer of the term that was accepted, and that is binding; nil for none.
func (a *own) bound(o *query.OwnOffer) *query.OwnOffer {
	for _, offers := range [][]query.OwnOffer{a.Offers, a.Elsewhere} {
		for i := range offers {
			if other := &offers[i]; other.ID != o.ID && other.Decision == admitto.DecisionFinal && other.Type.Decline {
				return other
			}
		}
	}
	return nil
}

// answers are the buttons with which an offer can be answered now.
func (a *own) answers(r *site.Request, o *query.OwnOffer) (buttons []ui.Button) {
	if !o.Type.Decide || a.Expired || a.Status == admitto.Withdrawn || a.Status == admitto.Closed {
		return nil
	}
	over := isTooLate(r, o)
	if a.mayAccept(o) && !over && a.bound(o) == nil {
		buttons = append(buttons, ui.Button{Text: r.T("my_offer.accept"), Primary: o.Decision == admitto.DecisionNone,
			Href: r.At("my-answer", o.ID, "accept")})
	}
	if o.Decision != admitto.DecisionDeclined && (!over || o.Decision == admitto.DecisionFinal) {
		buttons = append(buttons, ui.Button{Text: r.T("my_offer.decline"), Href: r.At("my-answer", o.ID, "decline")})
	}
	return buttons
}

// mayAccept reports whether an offer waits to be accepted, or was declined and can still be.
func (a *own) mayAccept(o *query.OwnOffer) bool {
	return o.Decision == admitto.DecisionNone || o.Decision == admitto.DecisionDeclined && !o.Type.StrictDeclined
}

// canAnswer reports whether one of the buttons of an offer gives an answer.
func (a *own) canAnswer(r *site.Request, o *query.OwnOffer, answer string) bool {
	href := r.At("my-answer", o.ID, answer)
	return slices.ContainsFunc(a.answers(r, o), func(b ui.Button) bool { return b.Href == href })
}

// binding says which other offer was accepted, so that this one cannot be (lifecycle.md B1); "" for none.
func (a *own) binding(r *site.Request, o *query.OwnOffer) string {
	other := a.bound(o)
	if other == nil || !o.Type.Decide || !a.mayAccept(o) || isTooLate(r, o) || a.isOver() {
		return ""
	}
	key := "my_answer.bound"
	if other.Application != a.ID { // there is one application in a term that is not closed
		key = "my_answer.bound_closed"
	}
	return r.T(key, "Course", a.courseAndStart(r, other), "Time", r.Clock(other.Decided))
}

// waysOut lead to the letter that was accepted, if one is binding, and to the people who can be asked.
func (a *own) waysOut(r *site.Request, o *query.OwnOffer) (ways ui.Acts) {
	if other := a.bound(o); other != nil {
		ways = append(ways, ui.Button{Text: r.T("my_answer.way_out", "Course", other.Named.Name),
			Href: r.At("my-offer", other.ID)})
	}
	return append(ways, ui.Button{Text: r.T("my_view.contact_us"), Href: a.help(r, "offer").Href})
}

// cannotAnswer is the page of an answer that cannot be given: why, and what to do instead.
func (a *own) cannotAnswer(r *site.Request, o *query.OwnOffer, f *site.Form) error {
	key := "my_answer.cannot_accept"
	if r.Part("answer") == "decline" {
		key = "my_answer.cannot_decline"
	}
	page := site.Sheet{Title: r.T(key, "Course", o.Named.Name),
		Buttons: []ui.Button{{Text: r.T("my_answer.back"), Href: r.At("my-offer", o.ID)}}}
	if errors := f.Summary(); errors != nil {
		page.Parts = append(page.Parts, *errors)
	} else {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Warn, Text: a.binding(r, o)})
	}
	if a.UndoUntil != 0 && a.Status == admitto.Withdrawn {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Info, Text: r.T("my_answer.undo_first", "Time",
			r.Clock(a.UndoUntil)), Link: &ui.Link{Text: r.T("my_form.to_overview"), Href: r.At("my-application", a.ID)}})
	}
	page.Parts = append(page.Parts, a.waysOut(r, o))
	return page.Show(r)
}

// acceptableUntil is until when an offer that is declined can still be accepted; 0 where that has no end.
func (a *own) acceptableUntil(r *site.Request, o *query.OwnOffer) (until admitto.Time) {
	until = a.InTerm.Ends(a.GraceOverride, r.Zone())
	if o.Letter.Policy == admitto.PolicyRequired && !o.Letter.Deadline.IsZero() {
		if end := o.Letter.Deadline.End(r.Zone()); until == 0 || end < until {
			until = end
		}
	}
	return until
}

// isOver reports whether the day is over by which an answer was asked for.
func isOver(r *site.Request, o *query.OwnOffer) bool {
	return o.Letter.DeadlineOver(r.Now(), r.Zone(), 0)
}

// isTooLate reports whether the day is over by which an offer had to be accepted.
func isTooLate(r *site.Request, o *query.OwnOffer) bool {
	return o.Letter.Policy == admitto.PolicyRequired && isOver(r, o)
}

// offer is screens.md P16.
func (p *pages) offer(r *site.Request, a *own, o *query.OwnOffer) error {
	a.offerCrumb(r)
	title, lang := offerTitle(o), a.langs[o.Named.Name]
	if lang != a.langs[o.Type.PublicTitle] {
		lang = ""
	}
	r.SetTitleIn(title, lang)
	buttons := a.answers(r, o)
	page := site.Sheet{Buttons: buttons}
	facts := []ui.KeyValue{{Key: r.T("my_offer.course"), Value: o.Named.Name, Lang: a.langs[o.Named.Name]},
		{Key: r.T("my_offer.state"), Value: a.answered(r, o)}}
	if !o.Letter.Deadline.IsZero() && o.Decision == admitto.DecisionNone && o.Type.Decide && !a.isOver() {
		facts = append(facts, ui.KeyValue{Key: r.T("my_view.deadline"),
			Value: untilWords(r, o.Letter.Deadline.End(r.Zone()))})
	}
	if o.Decision == admitto.DecisionFinal && !a.isOver() {
		facts = append(facts, a.comesNext(r))
	}
	canAccept := a.canAnswer(r, o, "accept")
	if until := a.acceptableUntil(r, o); canAccept && o.Decision == admitto.DecisionDeclined && until != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("my_offer.acceptable"), Value: untilWords(r, until)})
	}
	page.Parts = append(page.Parts, ui.KeyValues{Facts: facts})
	bound := a.binding(r, o)
	if bound != "" {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Warn, Text: bound}, a.waysOut(r, o))
	}
	if canAccept && o.Decision == admitto.DecisionNone && isOver(r, o) {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Warn, Text: r.T("my_offer.late_counts")})
	}
	if others := a.others(o); canAccept && len(others) > 0 {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Info, Text: r.Plural("my_offer.effect", len(others))})
	}
	gone := a.Status == admitto.Withdrawn || a.Status == admitto.Closed
	if len(buttons) == 0 && o.Type.Decide && o.Decision == admitto.DecisionNone && !gone {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Warn, Text: r.T("my_offer.too_late"), Link: a.help(r, "offer")})
	} else if bound == "" && (o.Decision == admitto.DecisionDeclined && (len(buttons) == 0 ||
		o.Origin != admitto.ByHand) || o.ByStaff) {
		page.Parts = append(page.Parts, ui.Links{Links: []ui.Link{{Text: r.T("my_view.contact_us"),
			Href: a.help(r, "offer").Href}}})
	}
	letter := ui.Box{Title: o.Letter.Subject, Lang: r.Foreign(ui.MailLang(o.Letter.HTML)), Parts: []ui.Component{
		ui.Words{Text: r.Clock(o.Letter.Confirmed), Muted: true},
		ui.Mail(o.Letter.Subject, o.Letter.HTML, o.Letter.Body),
		ui.Acts{{Text: r.T("action.my-letter"), Icon: "download", Href: r.At("my-letter", o.ID), Small: true}}}}
	page.Parts = append(page.Parts, letter)
	files := ui.KeyValues{}
	for n := range o.Letter.Attachments {
		f := &o.Letter.Attachments[n]
		files.Facts = append(files.Facts, ui.KeyValue{Key: f.Name, KeyHref: r.At("my-offer-file", o.ID, f.ID),
			Value: r.Size(f.Size)})
	}
	if files.Facts != nil {
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_offer.files"), Parts: []ui.Component{files}})
	}
	note, lang := r.Settings().Portal.Assessment.In(r.Lang, r.Settings().Instance.Languages)
	if note != "" {
		page.Parts = append(page.Parts, ui.Box{Title: r.T("help.assessment"), Parts: []ui.Component{ui.Prose{Text: note,
			Lang: r.Foreign(lang)}}})
	}
	return page.Show(r)
}

// answer asks before an offer is accepted or declined, and says what follows (screens.md P17).
func (p *pages) answer(r *site.Request, a *own, o *query.OwnOffer) error {
	decision, key := admitto.DecisionFinal, "my_answer.accept"
	switch r.Part("answer") {
	case "accept":
	case "decline":
		decision, key = admitto.DecisionDeclined, "my_answer.decline"
	default:
		return &admitto.Error{Kind: admitto.NotFound}
	}
	a.offerCrumb(r)
	r.LeadCrumb("my-offer", r.At("my-offer", o.ID))
	r.NameCrumb("my-offer", offerTitle(o))
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		err := p.Admissions.AnswerOffer(r.Context(), r.Caller(), a.ID, o.ID, decision, whyTyped(f))
		if admitto.KindOf(err) == admitto.NotAllowedNow {
			r.SetConflict()
		}
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			done := "my_answer.accepted"
			if decision == admitto.DecisionDeclined {
				done = "my_answer.declined"
			}
			r.Notify(ui.OK, r.T(done, "Course", o.Named.Name, "Time", r.Clock(r.Now())))
			return r.To("my-offer", o.ID)
		}
		if a, err = p.read(r, a.ID); err != nil { // what stands in the way may be new
			return err
		}
		if at := slices.IndexFunc(a.Offers, func(now query.OwnOffer) bool { return now.ID == o.ID }); at >= 0 {
			o = &a.Offers[at]
		}
		if !a.canAnswer(r, o, r.Part("answer")) {
			return a.cannotAnswer(r, o, f)
		}
	} else if !a.canAnswer(r, o, r.Part("answer")) {
		if decision == admitto.DecisionFinal && a.binding(r, o) != "" {
			return a.cannotAnswer(r, o, f)
		}
		return r.To("my-offer", o.ID)
	}
	ask := ui.Confirmation{Title: r.T(key, "Course", o.Named.Name), Fields: []ui.Component{f.Head()},
		Confirm: ui.Button{Text: r.T("my_answer.yes_accept"), Primary: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("my_answer.back"), Href: r.At("my-offer", o.ID)}}
	if decision == admitto.DecisionFinal {
		for _, name := range a.others(o) {
			ask.Effects = append(ask.Effects, ui.Effect{Icon: "x", Text: r.T("my_answer.declines", "Course", name)})
		}
		ask.Undo = r.T("my_answer.decline_later")
		if r.Posted() { // and was refused, which may name the office
			ask.Fields = append(ask.Fields, a.waysOut(r, o))
		}
		return r.Ask(ask)
	}
	for _, other := range a.declinedFor(o) {
		key := "my_answer.stays_declined"
		if !other.Type.Decide || other.Type.StrictDeclined || isTooLate(r, other) {
			key = "my_answer.stays_for_good"
		}
		ask.Effects = append(ask.Effects, ui.Effect{Icon: "info", Text: r.T(key, "Course", other.Named.Name)})
	}
	ask.Confirm = ui.Button{Text: r.T("my_answer.yes_decline"), Danger: true, Busy: r.T("form.saving")}
	fields := a.reasonFields(r, f)
	ask.Fields = append([]ui.Component{f.Head()}, fields...)
	switch {
	case o.Type.StrictDeclined || isTooLate(r, o):
		ask.Undo = r.T("my_answer.for_good")
	case a.acceptableUntil(r, o) != 0:
		ask.Undo = r.T("my_answer.accept_until", "Time", r.Clock(a.acceptableUntil(r, o)-1))
	default:
		ask.Undo = r.T("my_answer.accept_later")
	}
	return r.Ask(ask)
}

// offerTitle is the title of the page of an offer.
func offerTitle(o *query.OwnOffer) string { return o.Type.PublicTitle + ": " + o.Named.Name }

// courseAndStart names the course of an offer with its intake: it may be offered twice in a term.
func (a *own) courseAndStart(r *site.Request, o *query.OwnOffer) string {
	for i := range a.Courses {
		if c := &a.Courses[i]; c.Course == o.Course && c.In.Name != "" {
			return r.Listed(o.Named.Name, c.In.Name)
		}
	}
	return o.Named.Name
}

// offerCrumb leads back from an offer to its application.
func (a *own) offerCrumb(r *site.Request) {
	r.LeadCrumb("my-application", r.At("my-application", a.ID))
	a.crumb(r)
}

// offerFile answers with a file that went with the letter.
func (p *pages) offerFile(r *site.Request, _ *own, o *query.OwnOffer) error {
	id, err := r.IDAt("file")
	if err != nil {
		return err
	}
	for i := range o.Letter.Attachments {
		if f := &o.Letter.Attachments[i]; f.ID == id {
			return p.send(r, f)
		}
	}
	return &admitto.Error{Kind: admitto.NotFound}
}

// letter answers with the letter as PDF.
func (p *pages) letter(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	name, data, err := p.Admissions.OwnLetter(r.Context(), r.Reader(), id)
	return download(r, name, data, err)
}

// download answers with a PDF that was made now.
func download(r *site.Request, name string, data []byte, err error) error {
	if err != nil {
		return err
	}
	return r.Download(site.FileName(name), "application/pdf", func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// send answers with a file: what browsers show is shown, everything else is downloaded.
func (p *pages) send(r *site.Request, f *admitto.File) error {
	content, err := p.Files.OpenFile(r.Context(), r.Reader(), f)
	if err != nil {
		return err
	}
	if slices.Contains([]string{"application/pdf", "image/jpeg", "image/png", "image/webp"}, f.MIME) {
		return r.Inline(f.MIME, content)
	}
	return r.Download(site.FileName(f.Name), f.MIME, func(w io.Writer) error {
		defer content.Close() //nolint:errcheck // it was only read
		_, err := io.Copy(w, content)
		return err
	})
}
