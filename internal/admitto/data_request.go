package admitto

// DataRequestKind is what somebody asks about the data that are kept about them (lifecycle.md 13).
type DataRequestKind string

// The kinds of requests.
const (
	RequestErase   DataRequestKind = "erase"
	RequestAccess  DataRequestKind = "access"
	RequestCorrect DataRequestKind = "correct"
)

// DataRequestKinds lists the kinds.
func DataRequestKinds() []DataRequestKind {
	return []DataRequestKind{RequestErase, RequestAccess, RequestCorrect}
}

// DataRequestOutcome is how a request ended.
type DataRequestOutcome string

// The outcomes; "" is that the answer is due.
const (
	RequestGranted   DataRequestOutcome = "granted"
	RequestRefused   DataRequestOutcome = "refused"
	RequestWithdrawn DataRequestOutcome = "withdrawn"
)

// DataRequest is a request about one's data. Administrator is who recorded one that came otherwise, 0 for the portal.
type DataRequest struct {
	ID, Applicant int64
	Kind          DataRequestKind
	Reason        string
	Received      Date
	Recorded      Time
	Administrator int64
	Answered      Time // 0: open
	AnsweredBy    int64
	Outcome       DataRequestOutcome
	Answer        string
}

// Due is the day by which a request is answered: a month after it came (screens.md A56).
func (r *DataRequest) Due() Date { return r.Received.AddMonths(1) }
