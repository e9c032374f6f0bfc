package admitto

// DataExport is a file with all that is kept about a person, or the wish for one (lifecycle.md 13).
type DataExport struct {
	ID, Applicant int64
	Administrator int64 // who asked for it; 0: the applicant
	Own           bool  // the applicant asked for it, and it has what the portal shows
	Asked         Time
	Lease         int64 // the number of the lease: how often somebody began to make it
	Finished      Time  // 0 while it waits or is being made
	Failed        bool  // it could not be made
	Expires       Time  // when it is removed, or the wish forgotten
	Size          int64
	Hash          string
}

// Running reports whether it waits or is being made.
func (e *DataExport) Running() bool { return e.Finished == 0 }

// Ready reports whether it can be downloaded at a time.
func (e *DataExport) Ready(now Time) bool { return e.Finished != 0 && !e.Failed && now < e.Expires }
