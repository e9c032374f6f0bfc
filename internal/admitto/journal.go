package admitto

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
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
	Batch     int64 // that the change is a part of; 0: none
}

// System is the actor of jobs.
func System() Actor { return Actor{Kind: BySystem} }

// Links names the objects an event concerns; 0 is none.
type Links struct {
	Administrator, Applicant, Application, Course, Institution int64
	Invoice, Offer, Document, Flag, Tracker                    int64
	Task, Scoresheet, Score, Note, Email                       int64 // which the API does not show (lifecycle.md 10.1)
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
		Batch         *int64    `json:"batch,omitempty"` // records without one keep the hashes of before there were batches
		Bind          []string  `json:"bind"`
		Course        *int64    `json:"course"`
		DetailHash    string    `json:"detail_hash"`
		Document      *int64    `json:"document"`
		Email         *int64    `json:"email,omitempty"` // as for a batch, and so are the note, the score, the sheet and the task
		Flag          *int64    `json:"flag"`
		ID            int64     `json:"id"`
		Institution   *int64    `json:"institution"`
		Invoice       *int64    `json:"invoice"`
		Logged        int64     `json:"logged"`
		Note          *int64    `json:"note,omitempty"`
		Offer         *int64    `json:"offer"`
		Pattern       Pattern   `json:"pattern"`
		RequestID     string    `json:"request_id"`
		Score         *int64    `json:"score,omitempty"`
		Scoresheet    *int64    `json:"scoresheet,omitempty"`
		Task          *int64    `json:"task,omitempty"`
		Tracker       *int64    `json:"tracker"`
	}{r.Actor.Kind, id(r.Actor.ID), id(l.Administrator), id(l.Applicant), id(l.Application),
		id(r.Actor.Batch), append([]string{},
			r.Bind...), id(l.Course),
		r.DetailHash, id(l.Document), id(l.Email), id(l.Flag), r.ID, id(l.Institution), id(l.Invoice), int64(r.Logged),
		id(l.Note), id(l.Offer), r.Pattern, r.Actor.RequestID, id(l.Score), id(l.Scoresheet), id(l.Task), id(l.Tracker)}
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
	ActorKind      ActorKind // "": everybody
	ActorID        int64     // of an administrator or a key; 0: all of the kind
	NewestFirst    bool
	After          int64 // drops everything up to this ID in the order asked for
	Limit          int
}

// LooksThrough reports whether records are looked through one by one within the bounds: no index leads to what the
// query selects, or to few more. Who calls bounds the query then.
func (q *JournalQuery) LooksThrough() bool {
	switch {
	case q.ApplicationIDs != nil || q.ApplicantIDs != nil:
		return false
	case q.TermIDs != nil || q.Years != nil:
		return true
	}
	return q.ActorKind != "" && (!q.byActor() || q.Events != nil)
}

// byActor reports whether an index leads to what the actor did.
func (q *JournalQuery) byActor() bool {
	return q.ActorID != 0 && (q.ActorKind == ByAdministrator || q.ActorKind == ByKey)
}

// LedByActor reports whether the query walks the index of what its actor did.
func (q *JournalQuery) LedByActor() bool {
	return q.byActor() && q.ApplicationIDs == nil && q.ApplicantIDs == nil
}

// What a check of the chain can find.
const (
	RecordMissing    = "the record is missing"
	RecordChanged    = "its hash does not fit its content and the record before it"
	DetailsChanged   = "its details were changed"
	DetailsMissing   = "its details are missing, and its applicant was not erased"
	HeadNamesAnother = "the head of the chain names another hash"
	HeadEndsBefore   = "the head of the chain ends at %d, before this record"
)

// JournalCheck is how far the chain was checked, and the check that somebody asked for last, or the nightly one that
// found more than that.
type JournalCheck struct {
	Verified   int64 // all records up to this one fitted
	VerifiedAt Time
	From, To   int64 // of the check asked for; To 0: none was
	Asked      Time
	Reached    int64 // the record that it is at
	Finished   Time  // 0 while it runs
	Broken     int64 // the first record that does not fit, 0: all do
	Reason     string
}

// Never reports whether no record is known to fit: nothing was verified, or the first one is broken.
func (c *JournalCheck) Never() bool { return c.Verified == 0 }

// Running reports whether a check is asked for or under way.
func (c *JournalCheck) Running() bool { return c.To != 0 && c.Finished == 0 }

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
