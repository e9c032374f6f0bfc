package admitto

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/message"
)

// ApplicationStatus is the stored status of an application (lifecycle.md 3.1).
type ApplicationStatus string

// The statuses, in the order of resources.md 6.2.
const (
	Blank     ApplicationStatus = "Blank"
	Draft     ApplicationStatus = "Draft"
	Inactive  ApplicationStatus = "Inactive"
	Reopened  ApplicationStatus = "Reopened"
	Submitted ApplicationStatus = "Submitted"
	Withdrawn ApplicationStatus = "Withdrawn"
	Closed    ApplicationStatus = "Closed"
)

// ApplicationStatuses lists the statuses in the order of resources.md 6.2.
func ApplicationStatuses() []ApplicationStatus {
	return []ApplicationStatus{Blank, Draft, Inactive, Reopened, Submitted, Withdrawn, Closed}
}

// What an application reads as in the versions in which the outcome of its offers counts, next to the statuses
// (resources.md 6.2). Accepted is Submitted with an offer decided Final; Rejected is Submitted or Closed with offers
// that are all confirmed with a type that eliminates, and is not Accepted.
const (
	Accepted ApplicationStatus = "Accepted"
	Rejected ApplicationStatus = "Rejected"
)

// Outcomes lists what an application with the status may read as where the outcome of its offers counts.
func (s ApplicationStatus) Outcomes() []ApplicationStatus {
	switch s {
	case Submitted:
		return []ApplicationStatus{Submitted, Accepted, Rejected}
	case Closed:
		return []ApplicationStatus{Closed, Rejected}
	}
	return []ApplicationStatus{s}
}

// Application is the header of an application.
type Application struct {
	ID, Applicant, Term int64
	Status              ApplicationStatus
	Created, Revised    Time
	Submitted, Frozen   Time
}

// ApplicationCase is an application with what only its lifecycle asks about (lifecycle.md 3); SaveApplication writes it
// back, so that it is no row of a list.
type ApplicationCase struct {
	Application
	StatusBefore  ApplicationStatus // what undoing a withdrawal or a closing brings back
	Withdrawn     Time
	Resubmitted   Time
	Reopened      Time
	Silenced      bool // by staff
	GraceOverride Time // until when the grace day of the term does not end it; 0: not at all
	RowVersion    int64
}

// ApplicationCourse ties an application to a course.
type ApplicationCourse struct {
	Application, Course, Intake, Institution int64 // Intake 0: none
	Priority                                 int
	Added, Submitted                         Time
	Modifier                                 string // code(Course entry)
}

// FlagAssociation says that and since when an application carries a flag.
type FlagAssociation struct {
	Application, Flag int64
	Assigned          Time
}

// Flag marks applications.
type Flag struct {
	ID      int64
	Created Time
	Name    string
}

// StatusText is how an application status is shown.
type StatusText struct {
	Name                   ApplicationStatus
	Title, Colour, Verbose string
	Versions               Versions // of title
}

// TitleIn is what the status is called in a language.
func (s *StatusText) TitleIn(lang string) (title string, fallback bool) {
	return s.Versions.In(lang, "title", s.Title)
}

// ApplicationQuery selects applications. Conditions are joined by AND, the items of one list by OR; a nil
// list is no condition, an empty one matches nothing. IDs and times are inclusive. The conditions on courses
// must be met by one course, those on offers by one offer.
type ApplicationQuery struct {
	FromID, ToID                  int64 // ToID 0: no end
	FromTime, ToTime              Time  // of creation
	TermIDs, Years, Applicants    []int64
	Statuses                      []string
	ByOutcome                     bool // statuses, asked for and read, are those of Outcomes
	CreatedSince, RevisedSince    Time
	SubmittedSince                Time
	Courses, CourseIntakes        []int64
	CourseInstitutions            []int64
	CourseTypes                   []string
	OfferTypes, OfferInstitutions []int64
	OfferDecisions                []string
	OfferConfirmed                *bool
	Flags                         []int64
	BrowseFilter
	After int64 // only IDs above; does not change the count
	Limit int
}

// AsksOffers reports whether the query has a condition that one of the offers must meet.
func (q *ApplicationQuery) AsksOffers() bool {
	return q.OfferTypes != nil || q.OfferInstitutions != nil || q.OfferDecisions != nil || q.OfferConfirmed != nil &&
		*q.OfferConfirmed || q.OfferAsConfirmed != nil || q.DecidedSince != 0
}

// StudyPlan is a plan of subjects, kept for versions 1 to 7 (resources.md 12).
type StudyPlan struct {
	ID, Application, Applicant, Course int64
	Created, Revised                   Time
	Status                             string
	Subjects                           []Subject
}

// Subject is one entry of a study plan.
type Subject struct {
	Code     string `json:"code"`
	Type     string `json:"type"` // code(Subject type)
	Name     string `json:"name"`
	Credits  string `json:"credits"`
	TermType int64  `json:"term_type"`
}

// Export is a package of an application for another system.
type Export struct {
	ID, Application, Offer         int64
	Exported, Processed, Cancelled Time
	Profile                        ExportProfile
}

// ExportProfile says what is exported and how.
type ExportProfile struct {
	Code, Name, Adapter string
	Fields              map[string]string
}

// Receipt is what an applicant is given for an attempt to submit (lifecycle.md 3.7). Text is what was signed with
// Ed25519; Signature is in base64.
type Receipt struct {
	Number, Application int64
	Made                Time
	Accepted            bool
	Text, Signature     string
}

// NumberText is the number of the receipt as mails tell it.
func (r *Receipt) NumberText() string { return strconv.FormatInt(r.Number, 10) }

// Whole is the receipt with its signature, as the applicant keeps it.
func (r *Receipt) Whole() string { return r.Text + ReceiptSignature + r.Signature + "\n" }

// line is what stands behind a word at the beginning of a line of the text.
func (r *Receipt) line(word string) string {
	for line := range strings.Lines(r.Text) {
		if rest, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), word+" "); found {
			return rest
		}
	}
	return ""
}

// Fingerprint is that of what was submitted.
func (r *Receipt) Fingerprint() string { return r.line("Content SHA-256") }

// Refused are the codes of what stood in the way; none when it was accepted.
func (r *Receipt) Refused() []string {
	codes, _ := strings.CutPrefix(r.line("Result"), ReceiptRefused)
	if r.Accepted {
		return nil
	}
	return strings.Fields(codes)
}

// Courses are the IDs of the courses, in their order.
func (r *Receipt) Courses() (ids []int64) {
	for course := range strings.SplitSeq(r.line("Courses"), ", ") {
		_, id, _ := strings.Cut(course, " course ")
		if id, err := strconv.ParseInt(id, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// ReceiptRefused begins the result of an attempt that was refused; the codes of what stood in the way follow.
const ReceiptRefused = "refused: "

// ReceiptSignature begins the last line of a receipt.
const ReceiptSignature = "Signature Ed25519 "

// ApplicationEvent is something that may happen to an application (lifecycle.md 3.4).
type ApplicationEvent string

// The events. Applying is the only one that has no application before it; its status before is "".
const (
	Apply          ApplicationEvent = "apply to a course"
	AddCourse      ApplicationEvent = "add a course"
	RemoveCourse   ApplicationEvent = "remove a course"
	ReorderCourses ApplicationEvent = "change priorities"
	ContentSaved   ApplicationEvent = "content saved"
	BecomeInactive ApplicationEvent = "become inactive"
	Submit         ApplicationEvent = "submit"
	Reopen         ApplicationEvent = "reopen"
	Withdraw       ApplicationEvent = "withdraw"
	UndoWithdrawal ApplicationEvent = "undo withdrawal"
	// OpenContentSaved is ContentSaved for what stays open to the applicant after the submission: contact data, and
	// documents that are added.
	OpenContentSaved ApplicationEvent = "open content saved"
	Close            ApplicationEvent = "close"
	UndoClosing      ApplicationEvent = "undo closing"
	Expire           ApplicationEvent = "expire"
	LiftExpiry       ApplicationEvent = "lift expiry"
	ChangeFreeze     ApplicationEvent = "freeze or unfreeze"
	ChangeSilence    ApplicationEvent = "silence or lift the silence"
	ExtendDeadline   ApplicationEvent = "extend deadline"
)

// Guard is a condition of a transition next to the status (lifecycle.md 3.2). What it asks is asked in package
// admissions; which transition asks for it stands in the table below.
type Guard string

// The guards.
const (
	CitizenshipKnown Guard = "G1"
	TerritoryOpen    Guard = "G2"
	AddDeadline      Guard = "G3"
	SubmitDeadline   Guard = "G4"
	HasCourse        Guard = "G5"
	SectionsComplete Guard = "G6"
	TasksDone        Guard = "G7"
	InvoicesPaid     Guard = "G8"
	StillOpen        Guard = "G9"
	ConsentsGiven    Guard = "G10"
	OnePerTerm       Guard = "G11"
	CourseOpen       Guard = "G12"
	NotFrozen        Guard = "G13"
	RoomForCourse    Guard = "G14"

	// Those without a number, by the words of the transitions that ask for them.
	NotExpired     Guard = "not expired"            // the expiry part of G9
	HasExpired     Guard = "expired"                // T15
	OffersReopen   Guard = "confirmed types reopen" // T8: of confirmed offers, or of the setting until the deadline
	UndoTime       Guard = "undo time"              // T11: within withdrawal.undo_minutes
	CourseStays    Guard = "a course stays"         // T18: last-course
	NoConfirmation Guard = "no confirmed offer"     // T19: offer-confirmed
)

// The codes of guards, which tell a client why something is not allowed now (lifecycle.md 3.2).
const (
	CodeCitizenshipMissing   = "citizenship-missing"
	CodeTerritoryBarred      = "territory-barred"
	CodeDeadlinePassed       = "deadline-passed"
	CodeNoCourse             = "no-course"
	CodeSectionIncomplete    = "section-incomplete"
	CodeTaskBlocks           = "task-blocks"
	CodeInvoiceUnpaid        = "invoice-unpaid"
	CodeApplicationClosed    = "application-closed"
	CodeApplicationWithdrawn = "application-withdrawn"
	CodeApplicationExpired   = "application-expired"
	CodeConsentMissing       = "consent-missing"
	CodeApplicationExists    = "application-exists"
	CodeCourseNotOpen        = "course-not-open"
	CodeFrozen               = "frozen"
	CodeTooManyCourses       = "too-many-courses"
	CodeLastCourse           = "last-course"
	CodeOfferConfirmed       = "offer-confirmed"
	CodeReopenNotOffered     = "reopen-not-offered"
	CodeUndoTimeOver         = "undo-time-over"
	CodeNotExpired           = "application-not-expired"
)

// Transition is one row of the table of transitions: what an event does to an application in one of the statuses
// From, for the actors that may cause it, when the guards hold.
type Transition struct {
	No              string // of lifecycle.md 3.4
	Event           ApplicationEvent
	From            []ApplicationStatus // "" is no application yet
	To              ApplicationStatus   // "": the status before; see ApplicationStep for how it is answered
	Actors          []ActorKind
	Guards          []Guard // for every actor
	ApplicantGuards []Guard // for the applicant only
	Override        []Guard // an administrator may set them aside with a reason
	NeedsReason     bool    // an administrator must give a reason
	remembered      bool    // To is the status that was kept when the application left it
}

// AllGuards returns the guards that hold for the actor.
func (t *Transition) AllGuards(by ActorKind) []Guard {
	if by != ByApplicant {
		return t.Guards
	}
	return slices.Concat(t.Guards, t.ApplicantGuards)
}

// ApplicationTransitions is the table of lifecycle.md 3.4, T1 to T22. Everything that is not in it is refused. The
// move to another term (T17) belongs to the second build.
func ApplicationTransitions() []Transition {
	var (
		unsubmitted = []ApplicationStatus{Blank, Draft, Inactive}
		editable    = []ApplicationStatus{Blank, Draft, Inactive, Reopened}
		undecided   = []ApplicationStatus{Blank, Draft, Inactive, Reopened, Submitted}
		notClosed   = []ApplicationStatus{Blank, Draft, Inactive, Reopened, Submitted, Withdrawn}
		everyStatus = ApplicationStatuses()

		everyone   = []ActorKind{ByApplicant, ByAdministrator, ByKey}
		people     = []ActorKind{ByApplicant, ByAdministrator}
		staff      = []ActorKind{ByAdministrator}
		service    = []ActorKind{BySystem}
		staffOrKey = []ActorKind{ByAdministrator, ByKey}

		// G1 to G9 without G3, which is about adding now; what a late addition means for submitting is part of G4.
		toSubmit = []Guard{CitizenshipKnown, TerritoryOpen, SubmitDeadline, HasCourse, SectionsComplete, TasksDone,
			InvoicesPaid, StillOpen}
		aside    = []Guard{SubmitDeadline, SectionsComplete, TasksDone, InvoicesPaid}
		consents = []Guard{ConsentsGiven}
		editing  = []Guard{StillOpen, NotFrozen}
		adding   = []Guard{CitizenshipKnown, TerritoryOpen, AddDeadline, StillOpen, CourseOpen, RoomForCourse}
	)
	return []Transition{
		{No: "T1", Event: Apply, From: []ApplicationStatus{""}, To: Blank, Actors: everyone, ApplicantGuards: consents,
			Override: []Guard{AddDeadline},
			Guards:   []Guard{CitizenshipKnown, TerritoryOpen, AddDeadline, OnePerTerm, CourseOpen}},
		{No: "T2", Event: AddCourse, From: editable, Actors: everyone, ApplicantGuards: consents,
			Override: []Guard{AddDeadline}, Guards: adding},
		{No: "T3", Event: ContentSaved, From: []ApplicationStatus{Blank}, To: Draft, Actors: everyone,
			ApplicantGuards: editing},
		{No: "T4", Event: ContentSaved, From: []ApplicationStatus{Draft, Reopened}, Actors: everyone,
			ApplicantGuards: editing},
		{No: "T4", Event: ContentSaved, From: []ApplicationStatus{Submitted}, Actors: staffOrKey},
		{No: "T5", Event: BecomeInactive, From: []ApplicationStatus{Draft}, To: Inactive, Actors: service,
			Guards: []Guard{StillOpen}},
		{No: "T6", Event: ContentSaved, From: []ApplicationStatus{Inactive}, To: Draft, Actors: everyone,
			ApplicantGuards: editing},
		{No: "T7", Event: Submit, From: unsubmitted, To: Submitted, Actors: people, Guards: toSubmit,
			ApplicantGuards: consents, Override: aside},
		{No: "T8", Event: Reopen, From: []ApplicationStatus{Submitted}, To: Reopened, Actors: people,
			Guards:          []Guard{NotExpired},
			ApplicantGuards: []Guard{OffersReopen}},
		{No: "T9", Event: Submit, From: []ApplicationStatus{Reopened}, To: Submitted, Actors: people, Guards: toSubmit,
			ApplicantGuards: consents, Override: aside},
		{No: "T10", Event: Withdraw, From: undecided, To: Withdrawn, Actors: staff, Guards: []Guard{StillOpen},
			NeedsReason: true},
		{No: "T10", Event: Withdraw, From: []ApplicationStatus{Reopened, Submitted}, To: Withdrawn,
			Actors: []ActorKind{ByApplicant}, Guards: []Guard{StillOpen}},
		{No: "T11", Event: UndoWithdrawal, From: []ApplicationStatus{Withdrawn}, remembered: true, Actors: people,
			Guards:          []Guard{NotExpired},
			ApplicantGuards: []Guard{UndoTime}},
		{No: "T12", Event: Close, From: notClosed, To: Closed, Actors: staffOrKey},
		{No: "T22", Event: Close, From: unsubmitted, To: Closed, Actors: []ActorKind{ByApplicant},
			Guards: []Guard{NotExpired}},
		{No: "T13", Event: UndoClosing, From: []ApplicationStatus{Closed}, remembered: true, Actors: people,
			Guards: []Guard{OnePerTerm}, ApplicantGuards: []Guard{UndoTime}, NeedsReason: true},
		{No: "T14", Event: Expire, From: notClosed, Actors: service},
		{No: "T15", Event: LiftExpiry, From: everyStatus, Actors: staff, Guards: []Guard{HasExpired}, NeedsReason: true},
		{No: "T16", Event: ChangeFreeze, From: everyStatus, Actors: []ActorKind{ByAdministrator, ByKey, BySystem}},
		{No: "T18", Event: RemoveCourse, From: unsubmitted, Actors: everyone, Guards: []Guard{CourseStays},
			ApplicantGuards: editing},
		{No: "T18", Event: ReorderCourses, From: unsubmitted, Actors: everyone, ApplicantGuards: editing},
		{No: "T19", Event: RemoveCourse, From: []ApplicationStatus{Reopened}, Actors: everyone,
			Guards:          []Guard{CourseStays, NoConfirmation},
			ApplicantGuards: editing},
		{No: "T19", Event: ReorderCourses, From: []ApplicationStatus{Reopened}, Actors: everyone, ApplicantGuards: editing},
		{No: "T20", Event: AddCourse, From: []ApplicationStatus{Submitted}, Actors: staff,
			Override: []Guard{AddDeadline}, Guards: adding},
		{No: "T21", Event: OpenContentSaved, From: []ApplicationStatus{Submitted}, Actors: []ActorKind{ByApplicant},
			ApplicantGuards: []Guard{StillOpen}},
		{No: "3.1", Event: ChangeSilence, From: everyStatus, Actors: staff},
		{No: "3.3", Event: ExtendDeadline, From: undecided, Actors: staff, NeedsReason: true},
	}
}

// ApplicationStep finds what an event by an actor does to an application in a status. To of the answer is always
// the status that follows, except for undoing a withdrawal or a closing: there it is "", and the status that the
// application remembers follows. The error is NotAllowedNow with the code application-<status>.
func ApplicationStep(event ApplicationEvent, from ApplicationStatus, by ActorKind) (Transition, error) {
	for _, t := range ApplicationTransitions() {
		if t.Event == event && slices.Contains(t.From, from) && slices.Contains(t.Actors, by) {
			if t.To == "" && !t.remembered {
				t.To = from
			}
			return t, nil
		}
	}
	return Transition{}, statusForbids(event, from)
}

// statusForbids refuses an event because of the status alone.
func statusForbids(event ApplicationEvent, status ApplicationStatus) error {
	return &Error{Kind: NotAllowedNow, Faults: []Fault{{Code: "application-" + strings.ToLower(string(status)),
		Text: message.Of("event-not-allowed", status, event)}}}
}
