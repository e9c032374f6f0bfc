package admitto

import (
	"slices"
	"strings"
)

// ApplicantType tells persons, children (with a parent's name) and legal persons apart.
type ApplicantType string

// The types of applicants (resources.md 3.2).
const (
	Natural ApplicantType = "Natural"
	Child   ApplicantType = "Child"
	Legal   ApplicantType = "Legal"
)

// ApplicantState is the state of the account (lifecycle.md 2.1).
type ApplicantState string

// The account states. Only live and blocked applicants are visible to the API.
const (
	ApplicantPending  ApplicantState = "pending"
	ApplicantLive     ApplicantState = "live"
	ApplicantBlocked  ApplicantState = "blocked"
	ApplicantRecovery ApplicantState = "recovery"
)

// Applicant is one account. Texts that are unset are "".
type Applicant struct {
	ID            int64
	Type          ApplicantType
	State         ApplicantState
	Lead          bool // never signed in
	Registered    Time
	Name          Name
	Email         string
	Phone         string
	Skype         string
	Reference     string
	Matriculation string
	Citizenship   string // ISO 3166-1 alpha-2
	Address       string
	VATIN         string
}

// Name holds the parts of an applicant's name.
type Name struct {
	Given, Middle, Family string
	Parent                string // of a Child
	Legal                 string // of a Legal applicant
}

// Full joins given, middle and family name by single spaces, leaving empty parts out.
func (n Name) Full() string {
	parts := slices.DeleteFunc([]string{n.Given, n.Middle, n.Family}, func(s string) bool { return s == "" })
	return strings.Join(parts, " ")
}

// SplitName divides a full name at its last space into given and family name; one word is a family name
// (lifecycle.md 2.2).
func SplitName(full string) Name {
	if i := strings.LastIndexByte(full, ' '); i >= 0 {
		return Name{Given: strings.TrimRight(full[:i], " "), Family: full[i+1:]}
	}
	return Name{Family: full}
}

// Tracker marks where applicants came from; it may carry a fee reduction (resources.md 4).
type Tracker struct {
	ID        int64
	Created   Time
	Code      string
	Notes     string
	Reduction *Reduction
}

// Reduction lowers a fee by a percentage or by an amount.
type Reduction struct {
	Percent  Hundredths // set for a percentage
	Amount   Hundredths // set for an amount, with Currency
	Currency string
}

// ByAmount tells an amount from a percentage.
func (r *Reduction) ByAmount() bool { return r.Currency != "" }

// TrackerAssociation says that and since when an applicant carries a tracker.
type TrackerAssociation struct {
	Applicant, Tracker int64
	Assigned           Time
}

// Colour of a note.
type Colour string

// Colours lists the colours of notes, the default first (resources.md 0.6).
var Colours = [...]Colour{"Yellow", "Orange", "Salmon", "Green", "Blue", "Violet"}

// Note is a staff note on an applicant or an offer.
type Note struct {
	ID        int64
	Created   Time
	Removed   Time
	Colour    Colour
	Pinned    bool
	Collapsed bool
	Text      string
}

// Email is the stored copy of a mail to an applicant, its secrets replaced.
type Email struct {
	ID                                  int64
	Applicant                           int64
	Application                         int64 // that it is about; 0: none, or that is not known
	Inserted, Delivered, Failed, Opened Time
	FromName, FromEmail                 string
	Recipient                           string // the address; "": not known
	Template                            string // its code; "": not known
	Subject, Message                    string
	HTML                                string // the HTML form, where it shows more than Message does
	HasAttachments                      bool
	Read                                Time // by the applicant, in the portal
	Tries                               int64
	Tried                               Time   // the last time
	Reply                               string // what the mail server said then; "" when it took the mail
}

// SecretRemoved stands in stored mails in the place of a secret.
const SecretRemoved = "(secret removed)"

// IsGivenUp reports whether the mail reached nobody and is not tried any more. What failed although it was delivered
// are blind copies.
func (e *Email) IsGivenUp() bool { return e.Failed != 0 && e.Delivered == 0 }

// MailsSeen says which mails to others somebody may read: what a mail is about needs the permission that shows the same
// elsewhere (lifecycle.md 12.1). General ones are about nothing but their applicant.
type MailsSeen struct{ General, Applications, Offers, Invoices bool }

// EveryMail is what applicants see of theirs, and what keys of the API do, which have scopes.
func EveryMail() MailsSeen { return MailsSeen{true, true, true, true} }

// Mails are those to others that the caller may read.
func (c Caller) Mails() MailsSeen {
	if c.Actor.Kind != ByAdministrator {
		return EveryMail()
	}
	applications := c.Has(ApplicationsView)
	return MailsSeen{c.Has(ApplicantsView), applications, applications && c.Has(OffersView), c.Has(AccountingView)}
}

// Beginnings of the codes of mails that are about something else than their applicant.
const (
	MailsOfApplications = "application-"
	MailsOfTasks        = "task-"
	MailsOfOffers       = "offer-"
	MailsOfInvoices     = "invoice-"
)

// Has reports whether a mail is among them.
func (m MailsSeen) Has(e *Email) bool {
	begins := func(with string) bool { return strings.HasPrefix(e.Template, with) }
	switch {
	case begins(MailsOfInvoices):
		return m.Invoices
	case begins(MailsOfOffers):
		return m.Offers
	case e.Application != 0, begins(MailsOfApplications), begins(MailsOfTasks):
		return m.Applications
	}
	return m.General
}

// ApplicantQuery selects applicants. Conditions are joined by AND, the items of one list by OR; a nil list
// is no condition, an empty one matches nobody. IDs and times are inclusive.
type ApplicantQuery struct {
	FromID, ToID   int64 // ToID 0: no end
	FromTime       Time
	ToTime         Time
	Citizenships   []string
	EmailKeys      []string // normal forms of text.EmailKey
	TrackerIDs     []int64
	TrackerCodeIDs []int64 // what byTrackerCodes resolved to
	ApplicantFilter
	After int64 // only IDs above; does not change the count
	Limit int
}
