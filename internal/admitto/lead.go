package admitto

import "github.com/admitto/admitto/internal/message"

// LeadImportState is how far an import of leads is (screens.md A36).
type LeadImportState string

// The states of an import. While it is checking, running or undoing, the service works on it by itself.
const (
	ImportUploaded LeadImportState = "uploaded" // what its columns are is to be said
	ImportChecking LeadImportState = "checking"
	ImportReady    LeadImportState = "ready" // what comes of each row is known
	ImportRunning  LeadImportState = "running"
	ImportStopped  LeadImportState = "stopped"
	ImportFinished LeadImportState = "finished"
	ImportUndoing  LeadImportState = "undoing"
	ImportUndone   LeadImportState = "undone"
)

// AtWork reports whether the service works on the import by itself.
func (s LeadImportState) AtWork() bool {
	return s == ImportChecking || s == ImportRunning || s == ImportUndoing
}

// LeadRowState is what comes of a row of an import, or what became of it.
type LeadRowState string

// The states of a row.
const (
	LeadUnchecked LeadRowState = "unchecked"
	LeadNew       LeadRowState = "new"
	LeadKnown     LeadRowState = "known" // somebody has the address
	LeadWrong     LeadRowState = "wrong"
	LeadCreated   LeadRowState = "created"
	LeadMatched   LeadRowState = "matched"    // somebody had the address, and has the trackers now
	LeadFailed    LeadRowState = "failed"     // a fault of ours, or somebody is creating the address
	LeadTakenBack LeadRowState = "taken-back" // created, and deleted by the undoing
	LeadKept      LeadRowState = "kept"       // created, and left as it is by the undoing
)

// LeadRowStates are all of them but unchecked, in the order in which pages show them.
func LeadRowStates() []LeadRowState {
	return []LeadRowState{LeadNew, LeadKnown, LeadWrong, LeadCreated, LeadMatched, LeadFailed, LeadTakenBack, LeadKept}
}

// LeadField is what a column of an import is.
type LeadField string

// The fields. A column that is none of them is left out.
const (
	LeadEmail       LeadField = "email"
	LeadGiven       LeadField = "given"
	LeadFamily      LeadField = "family"
	LeadName        LeadField = "name" // given and family name, split at the last space
	LeadPhone       LeadField = "phone"
	LeadCitizenship LeadField = "citizenship"
	LeadNote        LeadField = "note"
)

// LeadFields are all of them.
func LeadFields() []LeadField {
	return []LeadField{LeadEmail, LeadGiven, LeadFamily, LeadName, LeadPhone, LeadCitizenship, LeadNote}
}

// LeadConsent is a consent that the people of an import gave elsewhere, to a version of its text.
type LeadConsent struct{ Consent, Version int64 }

// LeadOptions are what staff say about an import.
type LeadOptions struct {
	Columns  []LeadField // of the file, in its order; "" for one that is left out
	Trackers []int64
	Consents []LeadConsent // by ID
	Basis    string        // why these people may be kept and written to
	Welcome  bool          // send the welcome mail
}

// LeadImport is an import of leads.
type LeadImport struct {
	ID         int64
	State      LeadImportState
	Why        []message.Text // why it was stopped
	Uploaded   Time
	UploadedBy int64
	Name       string   // of the file; "" for pasted text
	Encoding   string   // that was found
	Separator  string   // that was found
	Heads      []string // of the columns
	Rows       int64
	Options    LeadOptions
	Counts     map[LeadRowState]int64 // of the rows, also when these are removed
	Line       int64                  // up to which the current work is done
	WorkBegun  Time                   // when somebody last began to work on it
	WorkFrom   int64                  // how many rows were done then
	Started    Time
	StartedBy  int64
	Ended      Time // also when it was stopped
	Undone     Time
	UndoneBy   int64
	RowVersion int64
}

// Done is how many rows are done of the current work, and of how many.
func (i *LeadImport) Done() (done, of int64) {
	n := i.Counts
	switch i.State {
	case ImportChecking:
		return i.Rows - n[LeadUnchecked], i.Rows
	case ImportUndoing, ImportUndone:
		done = n[LeadTakenBack] + n[LeadKept]
		return done, done + n[LeadCreated]
	case ImportUploaded, ImportReady, ImportRunning, ImportStopped, ImportFinished:
	}
	done = n[LeadCreated] + n[LeadMatched] + n[LeadFailed]
	return done, done + n[LeadNew] + n[LeadKnown]
}

// LeadRow is a row of an import.
type LeadRow struct {
	Line      int64 // of the file
	Cells     []string
	State     LeadRowState
	EmailKey  string // normal form of the address, once it is checked
	Applicant int64  // who has the address, or was created; 0 for nobody
}
