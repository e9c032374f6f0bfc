package admitto

import "strings"

// Pattern is the name of a journal event, with ? in the place of its value (lifecycle.md 10.2).
type Pattern string

// The events that the service records so far; Catalogue lists all there can be.
const (
	ApplicantWasCollected      Pattern = "Applicant was collected"
	ApplicantCreationAbandoned Pattern = "Applicant creation was abandoned"
	ApplicantReferenceSet      Pattern = "Applicant reference was set"
	ApplicantReferenceCleared  Pattern = "Applicant reference was cleared"
	ApplicantMatriculationSet  Pattern = "Applicant matriculation was set"
	ApplicantMatriculationGone Pattern = "Applicant matriculation was cleared"
	NoteAddedToApplicant       Pattern = "Note was added to applicant"
	TrackerCreated             Pattern = "Tracker was created"
	TrackerDeleted             Pattern = "Tracker was deleted"
	TrackerAssigned            Pattern = "Tracker was assigned"
	TrackerUnassigned          Pattern = "Tracker was unassigned"
	EmailSent                  Pattern = "E-mail was sent: ?"
	KeyCreated                 Pattern = "API key was created: ?"
	KeyRevoked                 Pattern = "API key was revoked: ?"
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

// Event is what a use case wants recorded: pattern, the values for its ?, and the objects concerned.
type Event struct {
	Pattern Pattern
	Bind    []string
	Links   Links
}

// Record is an event as it stands in the journal.
type Record struct {
	ID     int64
	Logged Time
	Event
	Actor    Actor
	PrevHash string
	Hash     string
}

// Filled gives the pattern with the values in place of the ?.
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
	if catalogue[Pattern(item)] {
		return Pattern(item), nil, true
	}
	if i := strings.LastIndex(item, ": "); i >= 0 {
		pattern = Pattern(item[:i] + ": ?")
		if value := item[i+2:]; value != "" && catalogue[pattern] {
			return pattern, []string{value}, true
		}
	}
	return "", nil, false
}
