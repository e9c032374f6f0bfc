package admitto

import (
	"slices"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/message"
)

// OfferType is what an offer says (lifecycle.md 4.1).
type OfferType struct {
	ID                                       int64
	Archived                                 bool
	Position                                 int64 // in the lists of staff, from 1
	Title, Colour                            string
	PublicTitle                              string // that applicants read
	Ranking                                  Ranked
	BCC                                      []string
	Confirm, Freeze, Decide                  bool
	Decline, StrictDeclined, Reopen, Silence bool
	Subject, Comments                        string
	Reasons                                  []OfferReason
	Versions                                 Versions // of public_title, subject and comments
}

// PublicTitleIn is the title that applicants read in a language.
func (t *OfferType) PublicTitleIn(lang string) (title string, fallback bool) {
	return t.Versions.In(lang, "public_title", t.PublicTitle)
}

// In is the type with its texts in a language, as far as it has versions of them (lifecycle.md R11).
func (t *OfferType) In(lang string) OfferType {
	said := *t
	said.PublicTitle, _ = t.PublicTitleIn(lang)
	said.Subject, _ = t.Versions.In(lang, "subject", t.Subject)
	said.Comments, _ = t.Versions.In(lang, "comments", t.Comments)
	return said
}

// LetterLanguage is the language in which a letter of the type is to applicants who read one: days are written as the
// text around them is. It began with the version for them, unless there is none, or it is the first one, of which the
// copy was taken before; what else staff type is in the first language.
func (t *OfferType) LetterLanguage(body, reads, first string) string {
	if _, none := t.Versions.In(reads, "comments", ""); !none && body != t.Comments {
		return reads
	}
	return first
}

// hasLetter reports whether subject and text are those of the type, in whichever language.
func (t *OfferType) hasLetter(subject, comments string) bool {
	is := func(lang string) bool {
		said := t.In(lang)
		return said.Subject == subject && said.Comments == comments
	}
	if is("") {
		return true
	}
	for lang := range t.Versions {
		if is(lang) {
			return true
		}
	}
	return false
}

// InitialOfferType is the ID of the type that every new offer has.
const InitialOfferType int64 = 1

// Ranked says how offers of a type stand in rankings.
type Ranked string

// The ranking words of offer types.
const (
	RankedPending    Ranked = "Pending"
	RankedInQuota    Ranked = "In quota"
	RankedEliminated Ranked = "Eliminated"
)

// OfferReason is a predefined reason of an offer type.
type OfferReason struct {
	ID     int64
	Reason string
}

// Decision is the answer to an offer.
type Decision string

// The decisions.
const (
	DecisionNone     Decision = "None"
	DecisionFinal    Decision = "Final"
	DecisionDeclined Decision = "Declined"
)

// Offer is what the institution says about one course of an application. IDs and times that are 0 are unset.
type Offer struct {
	ID, Application, Applicant, Course, Intake  int64
	Institution                                 int64 // of the course
	RowVersion                                  int64
	Priority                                    int
	Inserted, Saved, Confirmed, Decided, Scored Time
	Type, TypeConfirmed                         int64
	Subject, Comments, CommentsConfirmed        string
	Decision                                    Decision
	DecisionPolicy                              string
	DecisionDeadline                            Date
	ScoreAuto, ScoreExtra                       *Hundredths
	Reason                                      OfferReason
	Declining                                   Declining
}

// Declining is why an applicant declined an offer, or withdrew the application with it: a code of the class
// DeclineReasons, own words, both or neither (lifecycle.md D3, T10). It belongs to the decision.
type Declining struct{ Class, Words string }

// Say is both: the title of the class, and the own words after a colon.
func (d Declining) Say(title string) string {
	if title != "" && d.Words != "" {
		return title + ": " + d.Words
	}
	return title + d.Words
}

// DeclineReasons is the class of the reasons why applicants decline (resources.md 18).
const DeclineReasons = "Decline reason"

// OfferCase is an offer with what only its lifecycle asks about (lifecycle.md 4); SetOfferDecision writes it back, so
// that it is no row of a list.
type OfferCase struct {
	Offer
	DecisionBefore Decision // what undoing a withdrawal brings back; "": nothing
	DecidedBefore  Time
	Origin         DecisionOrigin // what set the decision, when nobody took it by hand
	Late           bool           // answered after an advisory deadline
	DeadlineTyped  bool           // by staff, so that confirming does not compute another
}

// DecisionOrigin says what set a decision that nobody took by hand.
type DecisionOrigin string

// The origins of decisions.
const (
	ByHand         DecisionOrigin = ""
	CourseWasGone  DecisionOrigin = "course_removed"
	OtherAccepted  DecisionOrigin = "other_accepted"
	DeadlinePassed DecisionOrigin = "deadline"
	WithWithdrawal DecisionOrigin = "withdrawn"
)

// Links names what a journal event about the offer concerns.
func (o *Offer) Links() Links {
	return Links{Applicant: o.Applicant, Application: o.Application, Course: o.Course, Institution: o.Institution,
		Offer: o.ID}
}

// Letter is a rendered offer letter.
type Letter struct {
	ID, Offer, Letterhead, Administrator, Attachment int64
	Rendered                                         Time
}

// Confirmation is a letter that was sent, never changed (lifecycle.md 4.2). Body has its markers filled in; Source is
// the working copy it was made from.
type Confirmation struct {
	ID, Offer, Type, Email int64 // Email 0: the stored copy is gone
	Confirmed              Time
	Subject, Body, HTML    string
	Attachments            []File
	Policy                 string
	Deadline               Date
	Reason, Source         string
}

// Letterhead is the paper of letters: its lines at the head and at the foot, and the kind of its picture (png, jpg, or
// "" without one). The name is for staff and stands on no letter.
type Letterhead struct {
	ID                   int64
	Name                 string
	Created, Modified    Time
	Head, Foot, LogoKind string
}

// The decision policies of intakes and offers (lifecycle.md 4.4).
const (
	PolicyNone     = "None"
	PolicyAdvisory = "Advisory"
	PolicyRequired = "Required"
)

// ParseDecision reads one of the three decisions; false for anything else.
func ParseDecision(s string) (Decision, bool) {
	d := Decision(s)
	return d, d == DecisionNone || d == DecisionFinal || d == DecisionDeclined
}

// DecisionEvent is what may happen to the decision of an offer (lifecycle.md 4.4).
type DecisionEvent string

// The events of decisions.
const (
	SetDecision  DecisionEvent = "set"          // D1: to any value, without cross-checks
	AcceptOffer  DecisionEvent = "accept"       // D2
	DeclineOffer DecisionEvent = "decline"      // D3
	MissDeadline DecisionEvent = "not answered" // D4
)

// DecisionGuard is a condition of a step of a decision.
type DecisionGuard string

// The guards of decisions.
const (
	GuardConfirmed     DecisionGuard = "confirmed"       // a letter was sent, and its type asks for an answer
	GuardOpen          DecisionGuard = "open"            // G9
	GuardInTime        DecisionGuard = "in time"         // the deadline rule of the policy
	GuardNotStrict     DecisionGuard = "not strict"      // from Declined: the confirmed type has not strict_declined
	GuardBinding       DecisionGuard = "binding"         // B1
	GuardDeadlineIsOut DecisionGuard = "deadline is out" // Required, and the deadline with its buffer is over
	GuardNamed         DecisionGuard = "named"           // the letter said the deadline
)

// DecisionTransition is one row of lifecycle.md 4.4. To is "" for the value that is asked for.
type DecisionTransition struct {
	No     string
	Event  DecisionEvent
	From   []Decision
	To     Decision
	By     []ActorKind
	Guards []DecisionGuard
}

// DecisionTransitions lists the steps of decisions. Nothing else decides on them but undoing what a withdrawal
// (T10) or a removed course (O2) did.
func DecisionTransitions() []DecisionTransition {
	return []DecisionTransition{
		{"D1", SetDecision, []Decision{DecisionNone, DecisionFinal, DecisionDeclined}, "",
			[]ActorKind{ByKey, ByAdministrator}, nil},
		{"D2", AcceptOffer, []Decision{DecisionNone, DecisionDeclined}, DecisionFinal, []ActorKind{ByApplicant},
			[]DecisionGuard{GuardConfirmed, GuardOpen, GuardInTime, GuardNotStrict, GuardBinding}},
		{"D3", DeclineOffer, []Decision{DecisionNone, DecisionFinal}, DecisionDeclined, []ActorKind{ByApplicant},
			[]DecisionGuard{GuardConfirmed, GuardOpen, GuardInTime}},
		{"D4", MissDeadline, []Decision{DecisionNone}, DecisionDeclined, []ActorKind{BySystem},
			[]DecisionGuard{GuardConfirmed, GuardOpen, GuardDeadlineIsOut, GuardNamed}},
	}
}

// DecisionStep finds the step of an event from a decision. Refused as not-allowed-now: for an actor who may not do it
// at all with the code decision-not-yours, from a decision that the event does not start from with decision- and the
// decision in lower case.
func DecisionStep(event DecisionEvent, from Decision, by ActorKind) (DecisionTransition, error) {
	refuse := func(code string, text message.Text) (DecisionTransition, error) {
		return DecisionTransition{}, &Error{Kind: NotAllowedNow, Text: text, Faults: []Fault{{Code: code, Text: text}}}
	}
	for _, t := range DecisionTransitions() {
		if t.Event != event {
			continue
		}
		if !slices.Contains(t.By, by) {
			break
		}
		if slices.Contains(t.From, from) {
			return t, nil
		}
		return refuse("decision-"+strings.ToLower(string(from)), message.Of("decided-already", from))
	}
	return refuse("decision-not-yours", message.Of("decision-not-yours"))
}

// LetterTexts returns subject and text of the letter of an offer: those of the working copy, else those of its type
// (lifecycle.md O5).
func (o *Offer) LetterTexts(t *OfferType) (subject, text string) {
	subject, text = o.Subject, o.Comments
	if subject == "" {
		subject = t.Subject
	}
	if text == "" {
		text = t.Comments
	}
	return subject, text
}

// ConfirmFaults returns what the type and the texts of an offer have against sending its letter (lifecycle.md O5), all
// of it.
func (o *Offer) ConfirmFaults(t *OfferType) (faults []Fault) {
	add := func(code string, text message.Text) { faults = append(faults, Fault{Code: code, Text: text}) }
	if t.ID == InitialOfferType {
		add("offer-unreplied", message.Of("offer-unreplied", t.Title))
	}
	if t.ID != InitialOfferType && !t.Confirm {
		add("type-without-letter", message.Of("type-without-letter", t.Title))
	}
	return append(faults, o.letterFaults(t)...)
}

// letterFaults reports whether the letter of an offer has a subject and a text.
func (o *Offer) letterFaults(t *OfferType) []Fault {
	missing := "subject and no text"
	switch subject, text := o.LetterTexts(t); {
	case subject != "" && text != "":
		return nil
	case subject != "":
		missing = "text"
	case text != "":
		missing = "subject"
	}
	return []Fault{{Code: "letter-empty", Text: message.Of("letter-empty",
		message.Word{Group: "letter_part", Text: missing})}}
}

// LetterFaults returns what the texts of an offer have against making a letter of them (resources.md 24.10).
func (o *Offer) LetterFaults(t *OfferType) []Fault { return o.letterFaults(t) }

// TakeType gives the working copy another type. Subject and text become those of the type in the language of the
// applicant when both are empty, or when both are still those of the former type; what somebody typed is never
// replaced (lifecycle.md O4).
func (o *Offer) TakeType(former, next *OfferType, lang string) {
	if o.Subject == "" && o.Comments == "" || former.hasLetter(o.Subject, o.Comments) {
		said := next.In(lang)
		o.Subject, o.Comments = said.Subject, said.Comments
	}
	o.Type = next.ID
}

// Reason finds a reason among those of the type, by its text; free text has no ID (lifecycle.md O11).
func (t *OfferType) Reason(text string) OfferReason {
	for _, r := range t.Reasons {
		if r.Reason == text && text != "" {
			return r
		}
	}
	return OfferReason{Reason: text}
}

// DecisionDays are the settings offers.decision_days_default and offers.decision_days_min.
type DecisionDays struct{ Default, Min int }

// DeadlineRule says where the deadline of an answer comes from: a day that somebody typed, the day or the days of the
// intake, the days of the settings, or the fewest days that people get. The zero rule is no deadline.
type DeadlineRule struct {
	Typed, OfIntake bool
	OnDay           bool // of the intake
	Days            int  // after confirming
	Fewest          bool // the other rules leave less time
}

// DecisionDeadline computes the deadline of an offer that is confirmed on a day, and says by which rule (lifecycle.md
// O8); the intake is nil for an offer without one.
func DecisionDeadline(intake *Intake, confirmed Date, days DecisionDays) (Date, DeadlineRule) {
	deadline, rule := intake.answerBy(confirmed)
	if deadline.IsZero() {
		deadline, rule = confirmed.AddDays(days.Default), DeadlineRule{Days: days.Default}
	}
	if soonest := confirmed.AddDays(days.Min); deadline.Before(soonest) {
		return soonest, DeadlineRule{Days: days.Min, Fewest: true}
	}
	return deadline, rule
}

// answerBy is the day by which the intake wants offers of a day to be answered; unset when it says none, or is nil.
func (i *Intake) answerBy(day Date) (Date, DeadlineRule) {
	switch {
	case i == nil:
	case !i.DecisionDate.IsZero():
		return i.DecisionDate, DeadlineRule{OfIntake: true, OnDay: true}
	case i.DecisionDays != nil:
		days := int(*i.DecisionDays)
		return day.AddDays(days), DeadlineRule{OfIntake: true, Days: days}
	}
	return Date{}, DeadlineRule{}
}

// ProposedDeadline is what a new offer of a day starts with: what the intake says, if anything (lifecycle.md O1).
func ProposedDeadline(intake *Intake, day Date) (policy string, deadline Date) {
	if intake == nil || intake.DecisionPolicy == "" || intake.DecisionPolicy == PolicyNone {
		return PolicyNone, Date{}
	}
	deadline, _ = intake.answerBy(day)
	return intake.DecisionPolicy, deadline
}

// DeadlineOver reports whether the deadline day of an offer, and the hours behind it, are over (lifecycle.md R4, 4.4);
// never without a deadline.
func (o *Offer) DeadlineOver(now Time, zone *time.Location, hours int) bool {
	return deadlineOver(o.DecisionDeadline, now, zone, hours)
}

// DeadlineOver is that of the offer as its letter says it: what staff have saved since then binds nobody (O3).
func (c *Confirmation) DeadlineOver(now Time, zone *time.Location, hours int) bool {
	return deadlineOver(c.Deadline, now, zone, hours)
}

func deadlineOver(day Date, now Time, zone *time.Location, hours int) bool {
	return !day.IsZero() && now >= day.End(zone)+Time(hours)*Hour
}
