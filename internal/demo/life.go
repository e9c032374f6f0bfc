package demo

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/load"
)

// Events that the service does not record yet, and so has no names for; they are in the catalogue.
const (
	applicantRegistered admitto.Pattern = "Applicant registered"
	applicantEdited     admitto.Pattern = "Applicant was edited"
	leadActivated       admitto.Pattern = "Lead was activated"
	noteRemoved         admitto.Pattern = "Note on applicant was removed"
	emailFailed         admitto.Pattern = "E-mail failed: ?"
	keyExpired          admitto.Pattern = "API key has expired: ?"
)

// life is one applicant on the way through the two years: what happens to them is planned, and what is left
// of it at the end is in the row.
type life struct {
	*world
	a        *load.ApplicantRow
	trackers []admitto.TrackerAssociation // set so far
	active   admitto.Time                 // when they signed in first
}

// live makes an applicant with the ID who comes at the time, and plans everything that happens to them.
func (w *world) live(id int64, registered admitto.Time) *load.ApplicantRow {
	c := w.chance
	collected := c.per(550) || id == firstApplicant
	a := w.identity(id, registered, collected)
	l := &life{world: w, a: a}
	var arrived bool
	if collected {
		l.collect()
		arrived = c.per(550) || id == firstApplicant
	} else {
		failed := c.per(15)
		l.register(failed)
		arrived = !failed && c.per(880)
	}
	if arrived {
		l.signIn(collected)
	}
	if a.Lead && (!collected || c.per(150)) {
		a.Citizenship = "" // it is asked for at the first sign-in
	}
	l.laterReference(collected)
	l.laterTrackers(collected)
	l.laterNotes()
	if !a.Lead {
		l.inPortal()
	}
	return a
}

// record plans a journal record about the applicant.
func (l *life) record(at admitto.Time, by admitto.Actor, event admitto.Event) {
	event.Links.Applicant = l.a.ID
	l.plan(happening{at: at, actor: by, event: event})
}

// request is a call of one of the API keys.
func (w *world) request(key int64) admitto.Actor {
	return admitto.Actor{Kind: admitto.ByKey, ID: key, RequestID: w.chance.hex(16)}
}

// self is the applicant in the portal.
func (l *life) self() admitto.Actor {
	return admitto.Actor{Kind: admitto.ByApplicant, ID: l.a.ID, RequestID: l.chance.hex(16)}
}

// afterwards is the system, going on with what a request began.
func afterwards(request admitto.Actor) admitto.Actor {
	return admitto.Actor{Kind: admitto.BySystem, RequestID: request.RequestID}
}

// collect is a creation through the API (lifecycle.md 8.2): the row is there first, everything is recorded
// when the mail server has taken the welcome mail.
func (l *life) collect() {
	c, at := l.chance, l.a.Registered
	by := l.request(crmKey)
	delivered := c.seconds(at, 1, 9)
	l.record(delivered, by, admitto.Event{Pattern: admitto.ApplicantWasCollected})
	if c.per(430) {
		l.setTracker(at, delivered, by)
	}
	if c.per(80) {
		l.plan(happening{at: at, note: &load.NoteRow{Applicant: l.a.ID,
			Note: admitto.Note{Created: at, Colour: admitto.Colours[0], Text: pick(c, noteTexts)}}})
		l.record(delivered, by, admitto.Event{Pattern: admitto.NoteAddedToApplicant})
	}
	if c.per(680) {
		l.a.Reference = l.nextReference()
	}
	mail := &mail{Email: welcomeMail(welcomeAPI, &l.a.Applicant, at)}
	mail.Delivered, mail.Tried = delivered, delivered
	l.plan(happening{at: delivered, email: mail, actor: afterwards(by),
		event: admitto.Event{Pattern: admitto.EmailSent, Bind: []string{welcomeAPI},
			Links: admitto.Links{Applicant: l.a.ID}}})
}

// register is an applicant who comes alone, perhaps by the link of a tracker; the mail is sent afterwards.
func (l *life) register(failed bool) {
	c, at := l.chance, l.a.Registered
	by := l.self()
	l.record(at, by, admitto.Event{Pattern: applicantRegistered})
	if c.per(190) {
		l.setTracker(at, at, by)
	}
	mail := &mail{Email: welcomeMail(welcomeRegister, &l.a.Applicant, at)}
	sent := admitto.Event{Pattern: admitto.EmailSent, Bind: []string{welcomeRegister},
		Links: admitto.Links{Applicant: l.a.ID}}
	left := c.seconds(at, 2, 15)
	mail.Tried = left
	if mail.Delivered = left; failed {
		sent.Pattern, mail.Delivered, mail.Failed, mail.Reply = emailFailed, 0, left, noMailbox
	}
	l.plan(happening{at: left, email: mail, actor: afterwards(by), event: sent})
}

// signIn is the first sign-in, after which the applicant is no lead; citizenship is asked for when it is
// missing (lifecycle.md 2.3), as it always is after registering.
func (l *life) signIn(collected bool) {
	c := l.chance
	spans := [...]int{600, 7200, 36 * 3600, 13 * 86400} // within minutes, hours, a day, the life of the link
	at := c.seconds(l.a.Registered, 60, spans[c.IntN(len(spans))])
	if at > l.ends-10*admitto.Minute {
		return
	}
	l.a.Lead, l.active = false, at
	by := l.self()
	l.record(at, by, admitto.Event{Pattern: leadActivated})
	if !collected || c.per(200) {
		l.record(c.seconds(at, 30, 300), l.self(), admitto.Event{Pattern: applicantEdited,
			Details: []admitto.Detail{{Path: "citizenship", Old: "", New: l.a.Citizenship}}})
	}
}

// nextReference returns a code in one of two forms, as if an old system had been replaced.
func (w *world) nextReference() string {
	w.reference += int64(w.chance.between(1, 3))
	if w.chance.per(300) {
		return fmt.Sprintf("APP/%08d", w.reference)
	}
	return fmt.Sprintf("CRM-%d", 20000+w.reference)
}

// laterReference is a code that the other system sets once it knows the applicant.
func (l *life) laterReference(collected bool) {
	c := l.chance
	at := l.a.Registered + c.seconds(0, 3600, 5*86400)
	likely := 430
	if collected {
		likely = 180
	}
	if l.a.Reference != "" || !c.per(likely) || at > l.ends {
		return
	}
	l.a.Reference = l.nextReference()
	l.record(at, l.request(crmKey), admitto.Event{Pattern: admitto.ApplicantReferenceSet,
		Details: []admitto.Detail{{Path: "reference", Old: "", New: l.a.Reference}}})
}

// setTracker sets a tracker that exists and is not set yet; it may be recorded later than it was set.
func (l *life) setTracker(at, recorded admitto.Time, by admitto.Actor) {
	tracker := l.tracker(at)
	for _, t := range l.trackers {
		if t.Tracker == tracker {
			return
		}
	}
	set := admitto.TrackerAssociation{Applicant: l.a.ID, Tracker: tracker, Assigned: at}
	l.trackers = append(l.trackers, set)
	l.plan(happening{at: at, association: &set})
	l.record(recorded, by, admitto.Event{Pattern: admitto.TrackerAssigned, Links: admitto.Links{Tracker: tracker}})
}

// laterTrackers come from the other system, when somebody visits a fair or names an agent.
func (l *life) laterTrackers(collected bool) {
	c := l.chance
	likely := 60
	if len(l.trackers) > 0 {
		likely = 130
	}
	for ; c.per(likely); likely /= 3 {
		if at := c.inOffice(l.a.Registered, c.between(1, 90)); at <= l.ends {
			l.setTracker(at, at, l.request(crmKey))
		}
	}
}

// laterNotes are written while somebody is dealt with; some are taken off the card when they are done.
func (l *life) laterNotes() {
	c := l.chance
	if !c.per(175) {
		return
	}
	for more := 1000; c.per(more); more = more * 2 / 5 {
		at := c.inOffice(l.a.Registered, c.between(1, 150))
		if at > l.ends {
			return
		}
		n := &load.NoteRow{Applicant: l.a.ID, Note: admitto.Note{Created: at, Colour: pick(c, noteColours),
			Pinned: c.per(90), Collapsed: c.per(60), Text: pick(c, noteTexts)}}
		l.plan(happening{at: at, note: n, actor: l.request(crmKey),
			event: admitto.Event{Pattern: admitto.NoteAddedToApplicant, Links: admitto.Links{Applicant: l.a.ID}}})
		if removed := c.inOffice(at, c.between(1, 60)); c.per(160) && removed <= l.ends {
			n.Removed = removed
			l.record(removed, l.request(crmKey), admitto.Event{Pattern: noteRemoved})
		}
	}
}
