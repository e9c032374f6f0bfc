package admitto

// Institution offers courses (Internal) or is a partner (External) (resources.md 14).
type Institution struct {
	ID                               int64
	Status, Mode, Type, Name         string
	Country, Location, WWW, Erasmus  string
	Address, VAT, IBAN, Registration string
}

// Department belongs to an institution.
type Department struct {
	ID, Institution              int64
	Name, Country, Location, WWW string
}

// InstitutionQuery and CourseQuery select reference data; a nil list is no condition.
type InstitutionQuery struct {
	Statuses, Modes, Countries []string
}

// Consent is something applicants agree to (resources.md 4).
type Consent struct {
	ID               int64
	Type, Text, Link string
}

// AskedConsent is a consent that applicants are asked about, with what one of them has decided about its current text.
type AskedConsent struct {
	Consent
	Version  int64
	Decision string   // "Accept", "Reject", or "" for none
	Versions Versions // of text
}

// KeptConsent is a consent as staff keep it.
type KeptConsent struct {
	Consent
	Active   bool
	Version  int64    // of the text
	Versions Versions // of text, in other languages
	// How many applicants decided about this version, and how many there are.
	Accepted, Rejected, Applicants int64
}

// IsOther reports whether those who decided about the text of before have to read this one.
func (c *KeptConsent) IsOther(before *KeptConsent) bool {
	return c.Text != before.Text || c.Link != before.Link || c.Versions.AreOther(before.Versions, "text")
}

// Undecided is how many applicants have not decided about this version.
func (c *KeptConsent) Undecided() int64 { return c.Applicants - c.Accepted - c.Rejected }

// IsMandatory reports whether courses can be added and applications submitted with the consent only.
func (c *AskedConsent) IsMandatory() bool { return c.Type == "Mandatory" }

// ConsentDecision is the latest decision of an applicant on a consent.
type ConsentDecision struct {
	Applicant, Consent int64
	Decided            Time
	Accepted           bool
}

// ConsentChange is one of the decisions of an applicant on a consent, with its current text.
type ConsentChange struct {
	Consent, Version int64
	Decided          Time
	Accepted         bool
	Text             string
	Versions         Versions // of it
}

// Wish is a course on an applicant's wishlist.
type Wish struct {
	ID, Applicant, Course, Intake int64
	Wished                        Time
	Notes                         string
}

// Administrator is a member of staff (resources.md 22).
type Administrator struct {
	ID                         int64
	Name, Email                string
	OutgoingName, OutgoingMail string
	Phone, Function            string
	Roles                      []Role
}

// Classificator is one class of codes with titles, in order (resources.md 18).
type Classificator struct {
	Number int64 // its place among the classes
	Class  string
	Codes  []ClassificatorCode
}

// IsComputed reports whether its codes stand for the institutions of the catalogue.
func (c *Classificator) IsComputed() bool {
	return c.Number == HomeInstitutions || c.Number == HostInstitutions
}

// The numbers of the classes that are computed from the institutions (resources.md 18).
const (
	HomeInstitutions = 27
	HostInstitutions = 28
)

// ClassificatorCode is one value of a class. One that is off stays on records that have it, and new ones do not take
// it.
type ClassificatorCode struct {
	Code, Title string
	Off         bool
}
