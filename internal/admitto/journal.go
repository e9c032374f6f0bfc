package admitto

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// Pattern is the name of a journal event, with ? in the place of its value (lifecycle.md 10.2).
type Pattern string

// The events that the service records so far; catalogue.go lists all there can be.
const (
	// Applicants
	ApplicantRegistered        Pattern = "Applicant registered"
	ApplicantWasCollected      Pattern = "Applicant was collected"
	ApplicantCreationAbandoned Pattern = "Applicant creation was abandoned"
	LeadActivated              Pattern = "Lead was activated"
	ApplicantReferenceSet      Pattern = "Applicant reference was set"
	ApplicantReferenceCleared  Pattern = "Applicant reference was cleared"
	ApplicantMatriculationSet  Pattern = "Applicant matriculation was set"
	ApplicantMatriculationGone Pattern = "Applicant matriculation was cleared"
	ApplicantDeleted           Pattern = "Applicant was deleted"
	ApplicantRestored          Pattern = "Applicant was restored"
	ApplicantErased            Pattern = "Applicant was erased"
	ConsentAccepted            Pattern = "Consent was accepted: ?"
	ConsentRejected            Pattern = "Consent was rejected: ?"
	WishAdded                  Pattern = "Wish was added"
	WishRemoved                Pattern = "Wish was removed"
	NoteAddedToApplicant       Pattern = "Note was added to applicant"
	NoteOnApplicantEdited      Pattern = "Note on applicant was edited"
	NoteOnApplicantRemoved     Pattern = "Note on applicant was removed"
	NoteAddedToOffer           Pattern = "Note was added to offer"
	NoteOnOfferEdited          Pattern = "Note on offer was edited"
	NoteOnOfferRemoved         Pattern = "Note on offer was removed"
	TrackerCreated             Pattern = "Tracker was created"
	TrackerDeleted             Pattern = "Tracker was deleted"
	TrackerAssigned            Pattern = "Tracker was assigned"
	TrackerUnassigned          Pattern = "Tracker was unassigned"

	// Applications
	FlagCreated                   Pattern = "Flag was created"
	FlagDeleted                   Pattern = "Flag was deleted"
	ApplicationFlagged            Pattern = "Application was flagged"
	ApplicationUnflagged          Pattern = "Application was un-flagged"
	ApplicationCreated            Pattern = "Application was created"
	ApplicationEdited             Pattern = "Application was edited"
	ApplicationStatusChanged      Pattern = "Application status was changed: ?"
	ApplicationSubmitted          Pattern = "Application was submitted"
	ApplicationResubmitted        Pattern = "Application was re-submitted"
	ApplicationReopened           Pattern = "Application was reopened"
	ApplicationRefused            Pattern = "Application submission was refused: ?"
	ApplicationWithdrawn          Pattern = "Application was withdrawn"
	ApplicationWithdrawalReverted Pattern = "Application withdrawal was reverted"
	ApplicationClosed             Pattern = "Application was closed"
	ApplicationClosingReverted    Pattern = "Application closing was reverted"
	ApplicationFrozen             Pattern = "Application was frozen"
	ApplicationDefrosted          Pattern = "Application was defrosted"
	ApplicationExpired            Pattern = "Application has expired"
	ApplicationExpiryLifted       Pattern = "Application expiry was lifted"
	ApplicationDeadlineExtended   Pattern = "Application deadline was extended: ?"
	CourseAdded                   Pattern = "Course was added to application"
	CourseRemoved                 Pattern = "Course was removed from application"
	CoursePrioritiesChanged       Pattern = "Course priorities were changed"
	DocumentUploaded              Pattern = "Document was uploaded"
	DocumentRemoved               Pattern = "Document was removed"
	DocumentUploadedToTask        Pattern = "Document was uploaded to a task"
	DocumentRemovedFromTask       Pattern = "Document was removed from a task"

	// Offers, tasks and scores
	OfferCreated           Pattern = "Offer was created"
	OfferEdited            Pattern = "Offer was edited: ?"
	OfferConfirmed         Pattern = "Offer was confirmed: ?"
	OfferLetterSentAgain   Pattern = "Offer letter was sent again: ?"
	ApplicantDecision      Pattern = "Applicant decision: ?"
	OfferDecisionSet       Pattern = "Offer decision was set: ?"
	OfferExtraScoreSet     Pattern = "Offer extra score was set"
	OfferExtraScoreCleared Pattern = "Offer extra score was cleared"
	OfferScoreCalculated   Pattern = "Offer automatic score was calculated"
	OfferLetterGenerated   Pattern = "Offer letter was generated"
	OfferAttachmentAdded   Pattern = "Offer attachment was added"
	OfferAttachmentRemoved Pattern = "Offer attachment was removed"
	TaskCreated            Pattern = "Task was created"
	TaskSaved              Pattern = "Task was saved"
	TaskCommented          Pattern = "Task was commented"
	TaskResolved           Pattern = "Task was resolved"
	TaskTrashed            Pattern = "Task was sent to trash"
	TaskRestored           Pattern = "Task was restored from trash"
	TaskDeleted            Pattern = "Task was deleted"
	TaskStatusSet          Pattern = "Task status was set: ?"
	TaskReminded           Pattern = "Task was reminded"
	ScoreAdded             Pattern = "Score was added"
	ScoreRemoved           Pattern = "Score was removed"
	ScorePointsSet         Pattern = "Score points were set"
	ScorePointsCleared     Pattern = "Score points were cleared"
	ScoreCommentsSet       Pattern = "Score comments were set"
	ScoreCommentsCleared   Pattern = "Score comments were cleared"
	ScoreDetailsSet        Pattern = "Score details were set"
	CriteriaChanged        Pattern = "Scoring criteria were changed"

	// Finance
	InvoiceIssued          Pattern = "Invoice was issued"
	InvoiceDelivered       Pattern = "Invoice was delivered"
	InvoiceReminded        Pattern = "Invoice was reminded"
	InvoicePartlyCollected Pattern = "Invoice was partly collected"
	InvoiceCollected       Pattern = "Invoice was collected"
	InvoiceLapsed          Pattern = "Invoice was lapsed"
	InvoiceRevived         Pattern = "Invoice was revived"
	InvoiceDetached        Pattern = "Invoice was detached"
	InvoiceDeleted         Pattern = "Invoice was deleted"
	TransactionAdded       Pattern = "Transaction was added: ?"

	// The rest
	CourseCreated  Pattern = "Course was created"
	EmailSent      Pattern = "E-mail was sent: ?"
	EmailFailed    Pattern = "E-mail failed: ?"
	KeyCreated     Pattern = "API key was created: ?"
	KeyRevoked     Pattern = "API key was revoked: ?"
	KeyExpired     Pattern = "API key has expired: ?"
	SettingChanged Pattern = "Setting was changed: ?"
)

// ActorKind says who changed something (lifecycle.md R10).
type ActorKind string

// The kinds of actors.
const (
	ByAdministrator ActorKind = "administrator"
	ByApplicant     ActorKind = "applicant"
	ByKey           ActorKind = "api_key"
	BySystem        ActorKind = "system"
)

// Actor is who changes something, and in which request.
type Actor struct {
	Kind      ActorKind
	ID        int64 // of the administrator, applicant or key; 0 for the system
	RequestID string
}

// System is the actor of jobs.
func System() Actor { return Actor{Kind: BySystem} }

// Links names the objects an event concerns; 0 is none.
type Links struct {
	Administrator, Applicant, Application, Course, Institution int64
	Invoice, Offer, Document, Flag, Tracker                    int64
}

// Event is what a use case wants recorded: pattern, the values for its ?, and the objects concerned. Bind
// holds no personal data; old and new values go to Details, which are kept apart and erased with the person.
type Event struct {
	Pattern Pattern
	Bind    []string
	Links   Links
	Details []Detail
}

// Detail is one changed value.
type Detail struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Record is an event as it stands in the journal, one link of the hash chain (lifecycle.md 10.1).
type Record struct {
	ID     int64
	Logged Time
	Event
	Actor      Actor
	DetailHash string // SHA-256 of salt and payload of the details; "" without
	PrevHash   string // hash of the record before; GenesisHash for the first
	Hash       string
}

// GenesisHash stands before the first record.
const GenesisHash = "0000000000000000000000000000000000000000000000000000000000000000"

// ComputeHash returns the hash the record must have: SHA-256 over the previous hash and the canonical JSON
// (sorted keys, no spaces, UTF-8) of all other fields and the hash of the details.
func (r *Record) ComputeHash() string {
	id := func(n int64) *int64 {
		if n == 0 {
			return nil
		}
		return &n
	}
	l := &r.Links
	fields := struct { // in the order of the keys
		Actor         ActorKind `json:"actor"`
		ActorID       *int64    `json:"actor_id"`
		Administrator *int64    `json:"administrator"`
		Applicant     *int64    `json:"applicant"`
		Application   *int64    `json:"application"`
		Bind          []string  `json:"bind"`
		Course        *int64    `json:"course"`
		DetailHash    string    `json:"detail_hash"`
		Document      *int64    `json:"document"`
		Flag          *int64    `json:"flag"`
		ID            int64     `json:"id"`
		Institution   *int64    `json:"institution"`
		Invoice       *int64    `json:"invoice"`
		Logged        int64     `json:"logged"`
		Offer         *int64    `json:"offer"`
		Pattern       Pattern   `json:"pattern"`
		RequestID     string    `json:"request_id"`
		Tracker       *int64    `json:"tracker"`
	}{r.Actor.Kind, id(r.Actor.ID), id(l.Administrator), id(l.Applicant), id(l.Application), append([]string{}, r.Bind...), id(l.Course),
		r.DetailHash, id(l.Document), id(l.Flag), r.ID, id(l.Institution), id(l.Invoice), int64(r.Logged), id(l.Offer), r.Pattern,
		r.Actor.RequestID, id(l.Tracker)}
	var canonical bytes.Buffer
	canonical.WriteString(r.PrevHash)
	enc := json.NewEncoder(&canonical)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(&fields); err != nil {
		panic(err) // strings and numbers always encode
	}
	canonical.Truncate(canonical.Len() - 1) // the line break that Encode adds
	sum := sha256.Sum256(canonical.Bytes())
	return hex.EncodeToString(sum[:])
}

// JournalQuery selects records; as in ApplicantQuery a nil list is no condition, an empty one matches none.
type JournalQuery struct {
	Events         []EventFilter
	OfferTitles    bool  // offer types go by their current titles, in Events and in the records
	FromID, ToID   int64 // ToID 0: no end
	FromTime       Time
	ToTime         Time
	Years          []int64
	TermIDs        []int64
	ApplicantIDs   []int64
	ApplicationIDs []int64
	NewestFirst    bool
	After          int64 // drops everything up to this ID in the order asked for
	Limit          int
}

// EventFilter is one item of byEvents: a pattern, with values (Bind) or for all values.
type EventFilter struct {
	Pattern Pattern
	Bind    []string
}

// Filled returns the pattern with the values in place of the ?.
func (e Event) Filled() string {
	text := string(e.Pattern)
	for _, v := range e.Bind {
		text = strings.Replace(text, "?", v, 1)
	}
	return text
}

// ParseEvent finds the pattern and the values of an item of the byEvents filter: the pattern itself, with
// no values, or a filled name. It answers ok = false for a name outside the catalogue.
func ParseEvent(item string) (pattern Pattern, bind []string, ok bool) {
	if Catalogued(Pattern(item)) {
		return Pattern(item), nil, true
	}
	// No pattern has a colon before its value, while the title of an offer type may have one.
	name, value, _ := strings.Cut(item, ": ")
	if pattern = Pattern(name + ": ?"); value != "" && Catalogued(pattern) {
		return pattern, []string{value}, true
	}
	return "", nil, false
}
