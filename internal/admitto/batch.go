package admitto

import "github.com/admitto/admitto/internal/message"

// AutoDecline is the name of the rule that declines offers which nobody answered by a Required deadline (lifecycle.md
// D4), of its job, and of the action of the batches that it prepares.
const AutoDecline = "auto-decline"

// BatchState is how far a batch is (lifecycle.md 11.3).
type BatchState string

// The states of a batch. While it is preparing its list is being sealed, while it is undoing values are put back.
const (
	BatchPreparing BatchState = "preparing"
	BatchPrepared  BatchState = "prepared"
	BatchWaiting   BatchState = "waiting"
	BatchRunning   BatchState = "running"
	BatchStopped   BatchState = "stopped"
	BatchFinished  BatchState = "finished"
	BatchUndoing   BatchState = "undoing"
	BatchUndone    BatchState = "undone"
	BatchDiscarded BatchState = "discarded"
)

// BatchStates are all of them in the order of a batch's life.
func BatchStates() []BatchState {
	return []BatchState{BatchPreparing, BatchPrepared, BatchWaiting, BatchRunning, BatchStopped, BatchFinished,
		BatchUndoing, BatchUndone, BatchDiscarded}
}

// AtWork reports whether the service works on the batch by itself.
func (s BatchState) AtWork() bool {
	return s == BatchPreparing || s == BatchRunning || s == BatchUndoing
}

// BatchSource says what the records of a batch are.
type BatchSource string

// The sources of batches.
const (
	OfApplications BatchSource = "applications"
	OfApplicants   BatchSource = "applicants"
	OfTasks        BatchSource = "tasks"
	OfOffers       BatchSource = "offers"
)

// BatchParams are the own fields of an action; those that it does not have are unset.
type BatchParams struct {
	Flag    int64  `json:"flag,omitempty"`
	Officer int64  `json:"officer,omitempty"` // 0: nobody
	Tracker int64  `json:"tracker,omitempty"`
	Course  int64  `json:"course,omitempty"`
	Type    int64  `json:"type,omitempty"` // of offers
	Intake  int64  `json:"intake,omitempty"`
	Until   Date   `json:"until,omitzero"`
	Reason  string `json:"reason,omitempty"`
	Tell    bool   `json:"tell,omitempty"`
	Subject string `json:"subject,omitempty"`
	Text    string `json:"text,omitempty"`
	Consent int64  `json:"consent,omitempty"` // that the message needs as news; 0: it is no news
	Task    int64  `json:"task,omitempty"`    // template
	Status  string `json:"status,omitempty"`  // of tasks
	Sheet   int64  `json:"sheet,omitempty"`
}

// Batch is something that is done with many records at once: its list is sealed before anything changes.
type Batch struct {
	ID          int64
	Action      string
	Source      BatchSource
	State       BatchState
	Params      BatchParams
	RuleVersion int64 // of the rule that prepared it; 0: an administrator did
	Prepared    Time
	PreparedBy  int64 // in whose name it runs; 0: a time rule
	SealedBy    int64 // who prepared it before somebody else took it over; 0: nobody else has
	Counted     Time  // when the only administrator who may release it typed the count; 0: not
	Released    Time
	ReleasedBy  int64
	Alone       bool // no second person released it, for there was none
	Ended       Time // when it was stopped or finished
	Undone      Time
	UndoneBy    int64
	Why         []message.Text // why it stopped by itself

	Size, Excluded, Done, Skipped, Failed int64
	PutBack, LeftAsIs                     int64 // by undoing
	NotBefore                             Time  // when the next wave begins
}

// IsOf reports whether an administrator prepared the batch or has taken it over, and so is no second person for it.
func (b *Batch) IsOf(administrator int64) bool {
	return administrator != 0 && (administrator == b.PreparedBy || administrator == b.SealedBy)
}

// BatchRecordState is what became of a record of a batch.
type BatchRecordState string

// The states of a record of a batch.
const (
	RecordSealed   BatchRecordState = "sealed"
	RecordExcluded BatchRecordState = "excluded" // it was never in the list
	RecordDone     BatchRecordState = "done"
	RecordSkipped  BatchRecordState = "skipped" // it was changed since the list was sealed
	RecordFailed   BatchRecordState = "failed"
	RecordPutBack  BatchRecordState = "put-back"
	RecordLeft     BatchRecordState = "left" // it was changed since, so undoing leaves it
)

// BatchRecordStates are all of them, in the order of a page.
func BatchRecordStates() []BatchRecordState {
	return []BatchRecordState{RecordSealed, RecordDone, RecordSkipped, RecordFailed, RecordPutBack, RecordLeft,
		RecordExcluded}
}

// BatchRecord is one line of a batch.
type BatchRecord struct {
	Place     int64
	Record    int64 // the ID of the application or applicant
	Applicant int64 // 0: there is none any more
	State     BatchRecordState
	Version   int64  // row version of the record when the list was sealed
	Was       string // what is to be changed, as the action writes it
	Becomes   string
	Recipient string // address that a mail goes to; "" where none goes
	Subject   string
	Body      string
	Reasons   []message.Text // why it was excluded, skipped, left, or failed
}

// SameChange reports whether two lines say the same about the record: nothing has changed since.
func (r *BatchRecord) SameChange(other *BatchRecord) bool {
	return r.Record == other.Record && r.Applicant == other.Applicant && r.Version == other.Version &&
		r.Was == other.Was && r.Becomes == other.Becomes && r.Recipient == other.Recipient &&
		r.Subject == other.Subject && r.Body == other.Body
}

// BatchSelection is what a batch is prepared of: the IDs, or all that a query finds, or the records that another batch
// has done, also where it was undone since, or what a time rule finds.
type BatchSelection struct {
	IDs          []int64           `json:"ids,omitempty"`
	Applications *ApplicationQuery `json:"applications,omitempty"`
	Applicants   *ApplicantQuery   `json:"applicants,omitempty"`
	Tasks        *TaskQuery        `json:"tasks,omitempty"`
	DoneIn       int64             `json:"done_in,omitempty"`
	Unanswered   bool              `json:"unanswered,omitempty"` // offers that nobody answered in time
}

// BatchQuery selects batches for a list, newest first.
type BatchQuery struct {
	PreparedBy int64 // 0: everybody
	States     []BatchState
	Before     int64 // ID; 0: from the newest
	Rows       int
}
