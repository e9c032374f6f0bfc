package admitto

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
}

// Query returns the conditions on applications.
func (f *TableFilters) Query() ApplicationQuery {
	return ApplicationQuery{
		Statuses: someOf(f.Statuses), TermIDs: someOf(f.Terms), Years: someOf(f.Years), Applicants: someOf(f.Applicants),
		Courses: someOf(f.Courses), CourseIntakes: someOf(f.Intakes), CourseInstitutions: someOf(f.CourseInstitutions),
		CourseTypes: someOf(f.CourseTypes), OfferTypes: someOf(f.OfferTypes), OfferDecisions: someOf(f.OfferDecisions),
		OfferInstitutions: someOf(f.OfferInstitutions), OfferConfirmed: f.OfferConfirmed, Flags: someOf(f.Flags),
		CreatedSince: f.CreatedSince, RevisedSince: f.RevisedSince, SubmittedSince: f.SubmittedSince,
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
	Filters           string // JSON
}

// TableColumn is one column: where its cells come from, and the title the author gave it.
type TableColumn struct {
	Source string `json:"source"`
	Title  string `json:"title"`
}
