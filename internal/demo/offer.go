package demo

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/load"
)

// The offer types that the story knows by name (resources.md 25.1).
const (
	typeAccepted  int64 = 17
	typeWithdrawn int64 = 20
	typeEnrolled  int64 = 25
	typePayments  int64 = 26
	typeArrived   int64 = 29
	typeClosed    int64 = 30
)

// offer is what becomes of a choice.
type offer struct {
	load.OfferRow
	ap     *application
	choice *choice
	steps  []step
	latest admitto.Time // of the steps
	// When the applicant accepted it, also when it was declined by a withdrawal later; 0: never.
	accepted admitto.Time
}

// step is a change of the type, with the letter that follows, if any.
type step struct {
	offerType         int64
	edited, sent      admitto.Time
	by                admitto.Actor
	freezes, attached bool
}

func (o *offer) links() admitto.Links {
	l := o.choice.links()
	l.Offer = o.ID
	return l
}

// first are the types that come before a decision, last those that decide, by merit.
var (
	firstTypes  = weighted(2, 2, 3, 2, 5, 4, 6, 6, 7, 6, 8, 12, 9, 8, 10, 9, 11, 14, 24, 2)
	goodTypes   = weighted(14, 10, 15, 24, 16, 12, 17, 60, 18, 8, 13, 6, 12, 4)
	middleTypes = weighted(13, 16, 12, 14, 15, 18, 17, 16, 14, 8, 16, 4, 19, 6, 21, 4, 22, 2, 23, 6)
	poorTypes   = weighted(4, 8, 12, 12, 19, 24, 21, 10, 22, 5, 23, 40, 13, 5)
)

// weighted makes a list to draw from of pairs of a value and how often it is in it.
func weighted(pairs ...int64) (list []int64) {
	for i := 0; i < len(pairs); i += 2 {
		for range pairs[i+1] {
			list = append(list, pairs[i])
		}
	}
	return list
}

// newOffer makes the offer of a choice that was just submitted.
func (ap *application) newOffer(ch *choice) *offer {
	o := &offer{ap: ap, choice: ch}
	o.Application, o.Applicant, o.Course, o.Institution, o.Intake = ap.row.ID, ap.p.ID, ch.course.ID,
		ch.course.Institution, ch.Intake
	o.Priority, o.Inserted, o.Type, o.Decision = ch.Priority, ch.Submitted, admitto.InitialOfferType, admitto.DecisionNone
	o.DecisionPolicy, o.DecisionDeadline = ap.in.DecisionPolicy, ap.in.DecisionDate
	if o.DecisionPolicy != "None" && o.DecisionDeadline.IsZero() {
		o.DecisionDeadline = dayOf(ch.Submitted + admitto.Time(*ap.in.DecisionDays)*admitto.Day)
	}
	ap.later(happening{at: o.Inserted, actor: admitto.System(), about: o,
		event: admitto.Event{Pattern: "Offer was created"}, rows: func() {
			o.ID = ap.last.offer.next()
			ap.batch.offers = append(ap.batch.offers, o.OfferRow)
		}})
	return o
}

// reply decides what all offers of the application get and what the applicant says to it.
func (ap *application) reply(at admitto.Time) {
	if ap.assured {
		ap.replyAssured(at)
		return
	}
	c := ap.chance
	for _, ch := range ap.choices {
		o := ch.offer
		when := c.inOffice(at, c.between(6, 45))
		if c.per(200) {
			o.step(pick(c, firstTypes), when)
			if c.per(300) {
				continue
			}
			when = c.inOffice(when, c.between(5, 40))
		}
		types := middleTypes
		switch n := ap.p.merit + c.between(-22, 22); {
		case n >= 57:
			types = goodTypes
		case n < 33:
			types = poorTypes
		}
		o.step(pick(c, types), when)
	}
	ap.answer()
	ap.takenBack()
	if ap.closed != 0 && ap.closed <= ap.ends {
		for _, ch := range ap.choices {
			if o := ch.offer; o.Type == admitto.InitialOfferType && ap.withdrawn == 0 && c.per(500) {
				o.step(typeClosed, ap.closed-5*admitto.Minute)
			}
		}
	}
}

// takenBack lets some offers of a withdrawn application have the type for it; no letter says so.
func (ap *application) takenBack() {
	c := ap.chance
	if ap.withdrawn == 0 || !c.per(500) {
		return
	}
	at := c.inOffice(ap.withdrawn, c.between(1, 4))
	if at > ap.ends || ap.closed != 0 && at >= ap.closed {
		return
	}
	t := &ap.types[typeWithdrawn-1]
	for _, ch := range ap.choices {
		o := ch.offer
		o.Type, o.Saved, o.Subject, o.Comments, o.Reason = t.ID, at, t.Subject, t.Comments, admitto.OfferReason{}
		o.steps = append(o.steps, step{offerType: t.ID, edited: at, by: ap.officer()})
	}
}

// edit lets the offer have a type from a time on, without a letter; nil: it would come about after the limit, and does
// not.
func (o *offer) edit(offerType int64, at admitto.Time) *step {
	ap := o.ap
	at = max(at, o.latest+admitto.Minute)
	if at >= ap.limit {
		return nil
	}
	t := &ap.types[offerType-1]
	o.steps = append(o.steps, step{offerType: offerType, edited: at, by: ap.officer()})
	o.Type, o.Saved, o.latest = offerType, at, at
	o.Subject, o.Comments = t.Subject, t.Comments
	o.because(offerType)
	return &o.steps[len(o.steps)-1]
}

// step is an edit that a letter tells the applicant, if the type has one.
func (o *offer) step(offerType int64, at admitto.Time) {
	ap, c := o.ap, o.ap.chance
	s := o.edit(offerType, at)
	if s == nil {
		return
	}
	t := &ap.types[offerType-1]
	if sent := c.seconds(s.edited, 120, 2*86400); t.Confirm && sent < ap.limit && c.per(930) {
		s.sent, o.latest = sent, sent
		o.Confirmed, o.TypeConfirmed = sent, offerType
		o.CommentsConfirmed = o.rendered(t.Comments)
		if t.Decide {
			o.fix(sent)
		}
		if t.Freeze && ap.row.Frozen == 0 {
			ap.row.Frozen, s.freezes = sent, true
		}
		s.attached = t.Ranking == admitto.RankedInQuota && c.per(300)
	}
}

// fix sets the deadline for the answer at the confirmation (lifecycle.md O8).
func (o *offer) fix(sent admitto.Time) {
	in := o.ap.in
	if o.DecisionPolicy = in.DecisionPolicy; o.DecisionPolicy == "None" {
		o.DecisionDeadline = admitto.Date{}
		return
	}
	last := startOf(dayOf(sent)) + 3*admitto.Day
	if in.DecisionDays != nil {
		last = max(last, startOf(dayOf(sent))+admitto.Time(*in.DecisionDays)*admitto.Day)
	}
	if !in.DecisionDate.IsZero() {
		last = max(last, startOf(in.DecisionDate))
	}
	o.DecisionDeadline = dayOf(last)
}

// rendered puts values in the place of the markers of a letter.
func (o *offer) rendered(template string) string {
	ap := o.ap
	return strings.NewReplacer("%applicant-Name%", ap.p.Name.Full(), "%course-FullName%", o.choice.course.full,
		"%institution-Name%", ap.catalogue.institutions[o.choice.course.Institution-1].Name).Replace(template)
}

// because sets the reason of refusals and conditions.
func (o *offer) because(offerType int64) {
	c := o.ap.chance
	o.Reason = admitto.OfferReason{}
	id := int64(0)
	for _, r := range reasons {
		if r.offerType == offerType && c.per(600) {
			n := c.IntN(len(r.reasons))
			o.Reason = admitto.OfferReason{ID: id + int64(n) + 1, Reason: r.reasons[n]}
		}
		id += int64(len(r.reasons))
	}
	if offerType == 21 && c.per(400) {
		o.Reason.Reason = "Course was not started for lack of applicants"
	}
}

// answer is the decision of the applicant: at most one acceptance, which declines the others when it binds.
func (ap *application) answer() {
	c := ap.chance
	var accepted *offer
	for _, ch := range ap.choices {
		o := ch.offer
		if o.Confirmed == 0 || !ap.types[o.TypeConfirmed-1].Decide {
			continue
		}
		last := ap.limit
		if o.DecisionPolicy == "Required" {
			last = min(last, endOf(o.DecisionDeadline)+admitto.Day)
		}
		at := c.seconds(o.Confirmed, 1800, c.between(1, 20)*86400)
		switch n := c.IntN(100); {
		case at >= last:
		case n < 56 && accepted == nil:
			o.Decision, o.Decided, o.accepted = admitto.DecisionFinal, at, at
			accepted = o
		case n < 74:
			o.Decision, o.Decided = admitto.DecisionDeclined, at
		}
	}
	if accepted == nil {
		return
	}
	if ap.types[accepted.TypeConfirmed-1].Decline {
		for _, ch := range ap.choices {
			if o := ch.offer; o != accepted && (o.Decision != admitto.DecisionDeclined || o.Decided > accepted.Decided) {
				o.Decision, o.Decided = admitto.DecisionDeclined, accepted.Decided
			}
		}
	}
	ap.enrol(accepted)
}

// enrol is what follows an acceptance: payment, enrolment, arrival.
func (ap *application) enrol(o *offer) {
	c := ap.chance
	ap.deposit(o)
	if c.per(350) {
		o.step(typePayments+int64(c.IntN(3)), c.inOffice(o.Decided, c.between(5, 40)))
	}
	at := c.inOffice(startOf(ap.in.term.Start), c.between(1, 26))
	if ap.p.matriculated || ap.withdrawn != 0 || ap.in.level >= exchange || ap.p.Type == admitto.Legal ||
		at <= o.Decided || at >= ap.limit ||
		!c.per(640) { // who withdraws later is not matriculated
		return
	}
	ap.p.matriculated = true
	var number string
	ap.later(happening{at: at, actor: ap.request(sisKey), about: o,
		event:    admitto.Event{Pattern: admitto.ApplicantMatriculationSet},
		rows:     func() { number = ap.matriculate(ap.p, at) },
		complete: func(e *admitto.Event) { e.Details = []admitto.Detail{{Path: "matriculation", Old: "", New: number}} }})
	if c.per(800) {
		o.step(pick(c, []int64{typeEnrolled, typeEnrolled, typeEnrolled, typeArrived}),
			at+admitto.Time(c.between(60, 90000))*admitto.Second)
	}
}

// plan puts the steps and decisions in the queue.
func (o *offer) plan() {
	ap := o.ap
	if w := ap.withdrawn; w != 0 && o.Decision != admitto.DecisionDeclined {
		ap.about(o, w, ap.self(), "Offer decision was set: ?", string(admitto.DecisionDeclined))
		if o.Decision == admitto.DecisionFinal {
			ap.about(o, o.Decided, ap.self(), "Applicant decision: ?", string(admitto.DecisionFinal))
		}
		o.Decision, o.Decided = admitto.DecisionDeclined, w
	} else if o.Decision != admitto.DecisionNone {
		pattern := admitto.Pattern("Applicant decision: ?")
		for _, ch := range ap.choices {
			if other := ch.offer; other != o && other.accepted == o.Decided {
				pattern = "Offer decision was set: ?"
			}
		}
		ap.about(o, o.Decided, ap.self(), pattern, string(o.Decision))
	}
	for _, s := range o.steps {
		o.planStep(s)
	}
	if ap.chance.per(60) {
		at := ap.chance.inOffice(o.Inserted, ap.chance.between(2, 50))
		if at < ap.limit {
			n := &load.NoteRow{Note: admitto.Note{Created: at, Colour: pick(ap.chance, noteColours),
				Text: pick(ap.chance, offerNotes)}}
			ap.later(happening{at: at, actor: ap.officer(), about: o, event: admitto.Event{Pattern: "Note was added to offer"},
				note: n,
				rows: func() { ap.noteOn(o.ID) }})
		}
	}
}

// noteOn puts the note that was just added on the offer, whose ID was not known before.
func (w *world) noteOn(offer int64) { w.batch.notes[len(w.batch.notes)-1].Offer = offer }

// planStep puts a step in the queue, with letter, mail and freeze.
func (o *offer) planStep(s step) {
	ap, t := o.ap, &o.ap.types[s.offerType-1]
	bind := decimal(s.offerType)
	ap.about(o, s.edited, s.by, "Offer was edited: ?", bind)
	if s.sent == 0 {
		return
	}
	if s.attached {
		o.letter(s)
	}
	ap.about(o, s.sent, s.by, "Offer was confirmed: ?", bind)
	if s.freezes {
		ap.about(ap, s.sent, s.by, "Application was frozen")
	}
	text := o.CommentsConfirmed
	if s.offerType != o.TypeConfirmed {
		text = o.rendered(t.Comments)
	}
	ap.mail(s.sent, "offer-letter", t.Subject, text, nil)
}

// letter is a PDF that is made and attached before the letter leaves.
func (o *offer) letter(s step) {
	ap := o.ap
	at := s.edited + (s.sent-s.edited)/2
	rendered := happening{at: at, actor: s.by, about: o, event: admitto.Event{Pattern: "Offer letter was generated"},
		rows: func() {
			f := ap.file(fileLetter, ap.p.Name.Full())
			l := admitto.Letter{ID: ap.last.letter.next(), Offer: o.ID, Letterhead: 1, Administrator: s.by.ID, Rendered: at}
			f.ID, f.Owner, f.Uploaded, f.Name = ap.last.offerFile.next(), o.ID, at, "Letter-"+decimal(l.ID)+".pdf"
			l.Attachment = f.ID
			ap.batch.offerFiles = append(ap.batch.offerFiles, f)
			ap.batch.letters = append(ap.batch.letters, l)
		}}
	ap.later(rendered)
	ap.about(o, at, s.by, "Offer attachment was added")
	if slices.Contains([]int64{16, 17, 18}, s.offerType) {
		ap.export(o, s.sent)
	}
}

var offerNotes = []string{
	"Strong in mathematics",
	"Committee wants to see the portfolio again",
	"Scholarship possible when the budget is decided",
	"Asked to be moved to the other programme",
	"Second opinion of the faculty: yes",
	"Interview went well",
	"Recognition of one semester possible",
	"Waiting for the final certificate",
}
