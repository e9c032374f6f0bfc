package admitto

import (
	"encoding/json"
	"slices"
	"strings"
)

// TableFilters restrict the rows of a tableview, by the filters of GET /applications (resources.md 5.3) in their
// decoded form. What is empty is no restriction. Of an Offer row the course and the offer itself must meet the
// conditions on courses and offers.
type TableFilters struct {
	Statuses           []string `json:"statuses,omitempty"`
	Terms              []int64  `json:"terms,omitempty"`
	Years              []int64  `json:"years,omitempty"`
	Applicants         []int64  `json:"applicants,omitempty"`
	Courses            []int64  `json:"courses,omitempty"`
	Intakes            []int64  `json:"intakes,omitempty"`
	CourseInstitutions []int64  `json:"course_institutions,omitempty"`
	CourseTypes        []string `json:"course_types,omitempty"`
	OfferTypes         []int64  `json:"offer_types,omitempty"`
	OfferDecisions     []string `json:"offer_decisions,omitempty"`
	OfferInstitutions  []int64  `json:"offer_institutions,omitempty"`
	OfferConfirmed     *bool    `json:"offer_confirmed,omitempty"`
	Flags              []int64  `json:"flags,omitempty"`
	CreatedSince       Time     `json:"created_since,omitempty"` // microseconds, as all times that are stored
	RevisedSince       Time     `json:"revised_since,omitempty"`
	SubmittedSince     Time     `json:"submitted_since,omitempty"`

	Citizenships     []string `json:"citizenships,omitempty"` // those of BrowseFilter
	Trackers         []int64  `json:"trackers,omitempty"`
	Officers         []int64  `json:"officers,omitempty"`
	NoOfficer        bool     `json:"no_officer,omitempty"`
	TaskTemplates    []int64  `json:"task_templates,omitempty"`
	TaskStatuses     []string `json:"task_statuses,omitempty"`
	Unpaid           bool     `json:"unpaid,omitempty"`
	SubmittedOnce    *bool    `json:"submitted_once,omitempty"`
	InQuota          bool     `json:"in_quota,omitempty"`
	Matriculated     *bool    `json:"matriculated,omitempty"`
	Expired          *bool    `json:"expired,omitempty"`
	Frozen           *bool    `json:"frozen,omitempty"`
	OfferAsConfirmed *bool    `json:"offer_as_confirmed,omitempty"`
	DecidedSince     Time     `json:"decided_since,omitempty"`
	ChangedSince     Time     `json:"changed_since,omitempty"`
	RefusedFrom      Time     `json:"refused_from,omitempty"`
	RefusedTo        Time     `json:"refused_to,omitempty"`
	AnswerFrom       Date     `json:"answer_from,omitzero"`
	AnswerTo         Date     `json:"answer_to,omitzero"`
	Text             string   `json:"text,omitempty"`
}

// TableFiltersOf are the conditions of a query on applications that a tableview can keep: all but those that page
// through a list.
func TableFiltersOf(q *ApplicationQuery) TableFilters {
	return TableFilters{
		Statuses: q.Statuses, Terms: q.TermIDs, Years: q.Years, Applicants: q.Applicants, Courses: q.Courses,
		Intakes: q.CourseIntakes, CourseInstitutions: q.CourseInstitutions, CourseTypes: q.CourseTypes,
		OfferTypes: q.OfferTypes, OfferDecisions: q.OfferDecisions, OfferInstitutions: q.OfferInstitutions,
		OfferConfirmed: q.OfferConfirmed, Flags: q.Flags, CreatedSince: q.CreatedSince, RevisedSince: q.RevisedSince,
		SubmittedSince: q.SubmittedSince, Citizenships: q.Citizenships, Trackers: q.Trackers, Officers: q.Officers,
		NoOfficer: q.NoOfficer, TaskTemplates: q.TaskTemplates, TaskStatuses: q.TaskStatuses, Unpaid: q.Unpaid,
		SubmittedOnce: q.SubmittedOnce, InQuota: q.InQuota, Matriculated: q.Matriculated, Expired: q.Expired,
		Frozen: q.Frozen, OfferAsConfirmed: q.OfferAsConfirmed, DecidedSince: q.DecidedSince, ChangedSince: q.ChangedSince,
		RefusedFrom: q.RefusedFrom, RefusedTo: q.RefusedTo, AnswerFrom: q.AnswerFrom, AnswerTo: q.AnswerTo, Text: q.Text,
	}
}

// ReadTableFilters reads the filters of a tableview. What it does not know is refused: to ignore a filter would be to
// list everybody.
func ReadTableFilters(stored string) (f TableFilters, err error) {
	decoder := json.NewDecoder(strings.NewReader(stored))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&f)
	return f, err
}

// Shows are the permissions that show the data that the conditions ask for, as they are shown elsewhere: of offers, of
// applicants, of invoices.
func (q *ApplicationQuery) Shows() (needs []Permission) {
	if q.AsksOffers() || q.OfferConfirmed != nil || q.InQuota || q.AsksAnswer() {
		needs = append(needs, OffersView)
	}
	if q.Trackers != nil || q.Matriculated != nil {
		needs = append(needs, ApplicantsView)
	}
	if q.Unpaid {
		needs = append(needs, AccountingView)
	}
	return needs
}

// Query returns the conditions on applications.
func (f *TableFilters) Query() ApplicationQuery {
	return ApplicationQuery{
		Statuses: someOf(f.Statuses), TermIDs: someOf(f.Terms), Years: someOf(f.Years), Applicants: someOf(f.Applicants),
		Courses: someOf(f.Courses), CourseIntakes: someOf(f.Intakes), CourseInstitutions: someOf(f.CourseInstitutions),
		CourseTypes: someOf(f.CourseTypes), OfferTypes: someOf(f.OfferTypes), OfferDecisions: someOf(f.OfferDecisions),
		OfferInstitutions: someOf(f.OfferInstitutions), OfferConfirmed: f.OfferConfirmed, Flags: someOf(f.Flags),
		CreatedSince: f.CreatedSince, RevisedSince: f.RevisedSince, SubmittedSince: f.SubmittedSince,
		BrowseFilter: BrowseFilter{
			Citizenships: someOf(f.Citizenships), Trackers: someOf(f.Trackers), Officers: someOf(f.Officers),
			NoOfficer: f.NoOfficer, TaskTemplates: someOf(f.TaskTemplates), TaskStatuses: someOf(f.TaskStatuses),
			Unpaid: f.Unpaid, SubmittedOnce: f.SubmittedOnce, InQuota: f.InQuota, Matriculated: f.Matriculated,
			Expired: f.Expired, Frozen: f.Frozen, OfferAsConfirmed: f.OfferAsConfirmed, DecidedSince: f.DecidedSince,
			ChangedSince: f.ChangedSince, RefusedFrom: f.RefusedFrom, RefusedTo: f.RefusedTo, AnswerFrom: f.AnswerFrom,
			AnswerTo: f.AnswerTo, Text: f.Text,
		},
	}
}

// someOf is the list, nil when it is empty: in a query an empty list would match nothing.
func someOf[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// Balance is what the invoices of an application come to in one currency.
type Balance struct {
	Currency  string
	Due, Paid Hundredths
}

// Tableview is a table that an administrator put together (resources.md 21).
type Tableview struct {
	ID                int64
	Created, Modified Time
	Title             string
	ByOffer           bool // one row per offer, else per application
	Columns           []TableColumn
	Filters           string // JSON of TableFilters
	Private           bool   // staff other than the owner do not see it
	Owner             int64  // an administrator, 0: none
}

// The columns that are called by records begin with these: the name of a scoresheet, the title of a task template, the
// text of a question follows.
const (
	ScoreColumn    = "Score: "
	TaskColumn     = "Task: "
	QuestionColumn = "Extra question: "
)

// Rename lets the columns of a record go on under its new name, and reports whether one has changed. A header that
// nobody wrote is called so, too. Where other records have the old name (shared), its column stays theirs, and the
// new name gets one behind the last.
func (v *Tableview) Rename(was, now string, shared bool) (changed bool) {
	at := func(source string) int {
		return slices.IndexFunc(v.Columns, func(c TableColumn) bool { return c.Source == source })
	}
	n := at(was)
	if n < 0 || shared && at(now) >= 0 {
		return false
	}
	v.Columns = slices.Clone(v.Columns)
	if shared {
		v.Columns = append(v.Columns, TableColumn{Source: now, Title: now})
		return true
	}
	c := &v.Columns[n]
	if c.Source = now; c.Title == was {
		c.Title = now
	}
	return true
}

// TableColumn is one column: where its cells come from, and the title the author gave it.
type TableColumn struct {
	Source string `json:"source"`
	Title  string `json:"title"`
}
