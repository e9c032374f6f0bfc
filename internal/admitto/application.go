package admitto

import "strconv"

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

// ApplicationCase is an application with what only its lifecycle asks about (lifecycle.md 3).
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
	After                         int64 // only IDs above; does not change the count
	Limit                         int
}

// AsksOffers reports whether the query has a condition that one of the offers must meet.
func (q *ApplicationQuery) AsksOffers() bool {
	return q.OfferTypes != nil || q.OfferInstitutions != nil || q.OfferDecisions != nil || q.OfferConfirmed != nil && *q.OfferConfirmed
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

// Task asks an applicant for something.
type Task struct {
	ID, Application                        int64
	Created, Reminded, Committed, Resolved Time
	Class, Title, Status                   string
	NotesApplicant, NotesAdministrator     string
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

// Blob is a downloadable file of an export. The ID of the file is its number in the export, from 1; the owner
// is the export.
type Blob struct {
	File
	Token string // 16 hexadecimal digits
}

// Key is the name of a blob in its export, 1-5f3c9a2be1d04477 (resources.md 9).
func (b *Blob) Key() string { return strconv.FormatInt(b.ID, 10) + "-" + b.Token }
