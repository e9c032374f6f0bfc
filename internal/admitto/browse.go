package admitto

// BrowseFilter is what applications are selected by next to the filters of the API. The conditions on tasks must be met
// by one task, those on offers by the offer that meets the others.
type BrowseFilter struct {
	Citizenships     []string // of the applicant
	Trackers         []int64  // of the applicant
	Officers         []int64
	NoOfficer        bool // or these Officers, where there are any
	TaskTemplates    []int64
	TaskStatuses     []string
	OpenTask         bool  // a task neither resolved nor closed
	Unpaid           bool  // an invoice of the application is to be paid
	SubmittedOnce    *bool // or not
	InQuota          bool  // a confirmed offer with a type that takes a place
	Matriculated     *bool // the applicant has a matriculation number, or not
	Expired, Frozen  *bool
	OfferAsConfirmed *bool // an offer is confirmed with its current type, or not
	DecidedSince     Time  // an offer
	ChangedSince     Time  // by the applicant, after the submission
	RefusedFrom      Time  // a submission was refused in this time
	RefusedTo        Time
	AnswerFrom       Date // a confirmed offer waits for an answer that is due in these days
	AnswerTo         Date
	Text             string
	Terms            []string // what Text looks for: each the beginning of a word of the applicant
	Now              Time     // what Expired means, with Today
	Today            Date
}

// AsksAnswer reports whether the filter asks for an offer that waits for its answer.
func (f *BrowseFilter) AsksAnswer() bool { return !f.AnswerFrom.IsZero() || !f.AnswerTo.IsZero() }

// BrowseSort is what a list of applications is sorted by; the ID decides between equals.
type BrowseSort string

// The orders of applications.
const (
	ByID        BrowseSort = "id"
	ByName      BrowseSort = "applicant"
	ByStatus    BrowseSort = "status"
	BySubmitted BrowseSort = "submitted"
	ByRevised   BrowseSort = "revised"
)

// The orders of applicants are ByID, ByName and these.
const (
	ByEmail      BrowseSort = "email"
	ByRegistered BrowseSort = "registered"
)

// ByDeadline is the order of tasks.
const ByDeadline BrowseSort = "deadline"

// TaskSorts are the orders of tasks, the first of which is the usual one.
func TaskSorts() []BrowseSort { return []BrowseSort{ByDeadline} }

// ApplicationSorts are the orders of applications, the first of which is the usual one.
func ApplicationSorts() []BrowseSort {
	return []BrowseSort{ByID, ByName, ByStatus, BySubmitted, ByRevised}
}

// ApplicantSorts are the orders of applicants, the first of which is the usual one.
func ApplicantSorts() []BrowseSort { return []BrowseSort{ByID, ByName, ByEmail, ByRegistered} }

// BrowsePage is which rows of a list are shown, in which order. At most one of Skip, After and Before is set: After and
// Before are the ID of the row that the page follows, or precedes, wherever it stands.
type BrowsePage struct {
	Sort          BrowseSort // "" is ByID
	Descending    bool
	Rows          int
	Skip          int64
	After, Before int64
}

// Browse is a page of applications as staff see them.
type Browse struct {
	ApplicationQuery
	Page BrowsePage
}

// ApplicantFilter is what applicants are selected by next to the filters of the API.
type ApplicantFilter struct {
	Text     string
	Terms    []string // what Text looks for: each the beginning of a word of the applicant
	Lead     *bool
	Blocked  *bool
	Consent  int64  // with Decision
	Decision string // on the consent; "" is none
	InTerm   int64  // has an application of the term
	Twin     bool   // a possible duplicate
}

// BrowseApplicants is a page of applicants as staff see them.
type BrowseApplicants struct {
	ApplicantQuery
	Page BrowsePage
}

// TaskQuery selects tasks of visible applications, without those in the trash (screens.md A23). A nil list asks
// nothing.
type TaskQuery struct {
	TermIDs                  []int64
	Templates                []int64
	Statuses                 []string
	DeadlineFrom, DeadlineTo Date
	Overdue                  bool    // the deadline was before Today, and the task is not resolved
	Courses                  []int64 // of the task, or without one of its application
	HandedIn, Resolved       *bool
	Today                    Date
}
