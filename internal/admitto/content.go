package admitto

// Content is the content part of an application (resources.md 5.2): what the applicant filled in, section by
// section. It is stored as one JSON document. A section that is nil, and a list that is empty, was not filled
// in; inside a section an empty text or a nil pointer is unset.
//
// The tag rule says which values a field takes, beside its type: code:CLASS, country, language, date, words:A B,
// lines:MAX (a text of several lines) or int:MIN-MAX. A text without one is a line of at most 255 characters.
type Content struct {
	Profile    *Profile    `json:"profile,omitempty"`
	Legal      *LegalBody  `json:"legal,omitempty"`
	Contact    *Contact    `json:"contact,omitempty"`
	Home       *Exchange   `json:"home,omitempty"`
	Host       *Exchange   `json:"host,omitempty"`
	Education  []Education `json:"education,omitempty"`
	Grades     []Grade     `json:"grades,omitempty"`
	Languages  []Language  `json:"languages,omitempty"`
	Career     []Job       `json:"career,omitempty"`
	Activities []Activity  `json:"activities,omitempty"`
	Residences []Residence `json:"residences,omitempty"`
	Motivation *Motivation `json:"motivation,omitempty"`
	Visa       *Visa       `json:"visa,omitempty"`
	Misc       *Misc       `json:"misc,omitempty"`
	Extras     []Extra     `json:"extras,omitempty"`
}

// WithoutSensitive is the content without what needs applications-sensitive to be seen (lifecycle.md 12.1).
func (c Content) WithoutSensitive() Content {
	if c.Misc != nil {
		c.Misc = &Misc{Additional: c.Misc.Additional}
	}
	return c
}

// Optional is a text that is null in the API when it is empty. Codes, countries and dates of the content are
// kept in their form on the wire.
type Optional string

// PartialDate is a date of unknown precision: 2025, 2025-12 or 2025-12-05 (word ym of resources.md 0.1).
type PartialDate string

// Profile says who the applicant is.
type Profile struct {
	Name           *PersonName       `json:"name"`
	Salutation     Optional          `json:"salutation" rule:"code:Salutation"`
	Gender         Optional          `json:"gender" rule:"code:Gender"`
	Birth          *Birth            `json:"birth"`
	Nationality    Optional          `json:"nationality" rule:"country"`
	Citizenship    Optional          `json:"citizenship" rule:"country"`
	Marital        Optional          `json:"marital" rule:"code:Marital status"`
	IDCode         Optional          `json:"idcode"`
	Passport       *Passport         `json:"passport"`
	IDCard         *IDCard           `json:"idcard"`
	NationalIDCode map[string]string `json:"nationalidcode"` // scheme → code
	Family         *Family           `json:"family"`
}

// PersonName is the name as in the documents of the applicant.
type PersonName struct {
	Given  Optional `json:"given"`
	Middle Optional `json:"middle"`
	Family Optional `json:"family"`
}

// Birth says when and where the applicant was born.
type Birth struct {
	Date    Optional `json:"date" rule:"date"`
	Place   Optional `json:"place"`
	Country Optional `json:"country" rule:"country"`
}

// Passport of the applicant.
type Passport struct {
	Number  Optional `json:"number"`
	Series  Optional `json:"series"`
	Issue   Optional `json:"issue" rule:"date"`
	Expiry  Optional `json:"expiry" rule:"date"`
	Country Optional `json:"country" rule:"country"`
	Issuer  Optional `json:"issuer"`
}

// IDCard of the applicant.
type IDCard struct {
	Number  Optional `json:"number"`
	Expiry  Optional `json:"expiry" rule:"date"`
	Country Optional `json:"country" rule:"country"`
}

// Family names relatives of the applicant.
type Family struct {
	Mother   Optional `json:"mother"`
	Father   Optional `json:"father"`
	Guardian Optional `json:"guardian"`
}

// LegalBody describes an applicant who is a legal person.
type LegalBody struct {
	Name           Optional `json:"name"`
	Registration   Optional `json:"registration"`
	VATIN          Optional `json:"vatin"`
	Country        Optional `json:"country" rule:"country"`
	Address        Optional `json:"address" rule:"lines:255"`
	Representative Optional `json:"representative"`
	Type           Optional `json:"type" rule:"code:Organization type"`
}

// Contact says how to reach the applicant.
type Contact struct {
	Email     Optional        `json:"email"`
	Telephone *Telephone      `json:"telephone"`
	Address   *ContactAddress `json:"address"`
	Emergency *Emergency      `json:"emergency"`
}

// Telephone numbers of the applicant.
type Telephone struct {
	Day     Optional `json:"day"`
	Evening Optional `json:"evening"`
	Mobile  Optional `json:"mobile"`
	Fax     Optional `json:"fax"`
}

// ContactAddress is where the applicant lives, and where letters go when that is elsewhere.
type ContactAddress struct {
	Type           Optional       `json:"type" rule:"words:C R"` // C town, R rural
	Street         Optional       `json:"street" rule:"lines:255"`
	House          Optional       `json:"house"`
	Apartment      Optional       `json:"apartment"`
	City           Optional       `json:"city"`
	Municipality   Optional       `json:"municipality"`
	Region         Optional       `json:"region"`
	PostalCode     Optional       `json:"postalcode"`
	PostOffice     Optional       `json:"postoffice"`
	Country        Optional       `json:"country" rule:"country"`
	Correspondence *PostalAddress `json:"correspondence"`
}

// PostalAddress is where letters go.
type PostalAddress struct {
	Street       Optional `json:"street" rule:"lines:255"`
	House        Optional `json:"house"`
	Apartment    Optional `json:"apartment"`
	City         Optional `json:"city"`
	Municipality Optional `json:"municipality"`
	Region       Optional `json:"region"`
	PostalCode   Optional `json:"postalcode"`
	PostOffice   Optional `json:"postoffice"`
	Country      Optional `json:"country" rule:"country"`
}

// Emergency is whom to call.
type Emergency struct {
	Name      Optional `json:"name"`
	Telephone Optional `json:"telephone"`
}

// Exchange describes the home or the host side of an exchange.
type Exchange struct {
	Institution *ExchangeInstitution `json:"institution"`
	Course      *ExchangeCourse      `json:"course"`
	Contact     *ExchangeContact     `json:"contact"`
}

// ExchangeInstitution is the institution of one side.
type ExchangeInstitution struct {
	Name         Optional            `json:"name"`
	NameDropdown Optional            `json:"name-dropdown" rule:"code:Home institution"`
	Erasmus      Optional            `json:"erasmus"`
	Country      Optional            `json:"country" rule:"country"`
	Address      Optional            `json:"address"`
	Department   *ExchangeDepartment `json:"department"`
}

// ExchangeDepartment is the department of one side.
type ExchangeDepartment struct {
	Name Optional `json:"name"`
}

// ExchangeCourse is what is studied there.
type ExchangeCourse struct {
	Level Optional `json:"level" rule:"code:Education level"`
	Name  Optional `json:"name"`
	Term  Optional `json:"term" rule:"code:Education term"`
}

// ExchangeContact is the coordinator of one side.
type ExchangeContact struct {
	Name      Optional        `json:"name"`
	Email     Optional        `json:"email"`
	Telephone *FixedTelephone `json:"telephone"`
}

// FixedTelephone is an office telephone.
type FixedTelephone struct {
	Fixed Optional `json:"fixed"`
}

// Education is one entry of the applicant's education.
type Education struct {
	Level       Optional    `json:"level" rule:"code:Education level"`
	Institution Optional    `json:"institution"`
	Type        Optional    `json:"type" rule:"code:Education institution"`
	Course      Optional    `json:"course"`
	Mode        Optional    `json:"mode" rule:"code:Education mode"`
	Country     Optional    `json:"country" rule:"country"`
	Location    Optional    `json:"location"`
	City        Optional    `json:"city"`
	Enrolment   PartialDate `json:"enrolment"`
	Graduation  PartialDate `json:"graduation"`
	Suspension  PartialDate `json:"suspension"`
	Status      Optional    `json:"status" rule:"code:Education status"`
	Honor       Optional    `json:"honor" rule:"code:Education honor"`
	Finance     Optional    `json:"finance" rule:"code:Education finance"`
	Diploma     *Diploma    `json:"diploma"`
}

// Diploma of an education.
type Diploma struct {
	Number Optional      `json:"number"`
	Issue  *DiplomaIssue `json:"issue"`
}

// DiplomaIssue says when a diploma was issued.
type DiplomaIssue struct {
	Date Optional `json:"date" rule:"date"`
}

// Grade is a grade in a subject.
type Grade struct {
	Type    Optional `json:"type" rule:"code:Grade type"`
	Subject Optional `json:"subject"`
	Grade   Optional `json:"grade"`
	Year    *int     `json:"year" rule:"int:1900-2100"`
}

// Language is a language the applicant knows.
type Language struct {
	Name        Optional `json:"name" rule:"language"`
	Native      *bool    `json:"native"`
	Proficiency Optional `json:"proficiency" rule:"code:Language proficiency"`
	Experience  *int     `json:"experience" rule:"int:0-100"` // years
	Information Optional `json:"information" rule:"lines:2048"`
}

// Job is one entry of the applicant's career.
type Job struct {
	Employer Optional `json:"employer"`
	Company  Optional `json:"company" rule:"code:Employment company"`
	Type     Optional `json:"type" rule:"code:Employment type"`
	Position Optional `json:"position"`
	Country  Optional `json:"country" rule:"country"`
	Weekly   Optional `json:"weekly"` // hours
	Period   *Period  `json:"period"`
}

// Period is from one date to another.
type Period struct {
	From PartialDate `json:"from"`
	To   PartialDate `json:"to"`
}

// Activity is one entry of the applicant's activities.
type Activity struct {
	Organization Optional `json:"organization"`
	Type         Optional `json:"type" rule:"code:Organization type"`
	Nature       Optional `json:"nature"`
	Period       *Period  `json:"period"`
}

// Residence is a stay in another country.
type Residence struct {
	Country Optional `json:"country" rule:"country"`
	Purpose Optional `json:"purpose"`
	Period  *Period  `json:"period"`
}

// Motivation is the letter of motivation.
type Motivation struct {
	General Optional `json:"general" rule:"lines:4000"`
}

// Visa says whether a visa is needed, and which there is.
type Visa struct {
	Required *bool    `json:"required"`
	Type     Optional `json:"type" rule:"code:Visa type"`
	Number   Optional `json:"number"`
	Expiry   Optional `json:"expiry" rule:"date"`
	Country  Optional `json:"country" rule:"country"`
	Plan     Optional `json:"plan" rule:"code:Visa graduation plan"`
}

// Misc holds what has no section of its own.
type Misc struct {
	Medical    Optional `json:"medical" rule:"lines:4096"`
	Needs      []string `json:"needs" rule:"code:Special needs"`
	Background []string `json:"background" rule:"code:Disadvantaged background"`
	Additional Optional `json:"additional" rule:"lines:4096"`
}

// ExtraType says what kind of value the answer to a question is.
type ExtraType string

// The types of extras (resources.md 5.2).
const (
	ExtraText     ExtraType = "text"
	ExtraLongText ExtraType = "longtext"
	ExtraNumber   ExtraType = "number"
	ExtraDate     ExtraType = "date"
	ExtraCountry  ExtraType = "country"
	ExtraLanguage ExtraType = "language"
	ExtraChoice   ExtraType = "choice"
	ExtraChoices  ExtraType = "choices"
	ExtraYesNo    ExtraType = "yesno"
	ExtraMoney    ExtraType = "money"
	ExtraFile     ExtraType = "file"
	ExtraSection  ExtraType = "section"
)

// Extra is the answer to a question. Which field holds the value follows from Type: Number for number, YesNo
// for yesno, Choices for choices, Money for money, Document for file, Entries for section, Text for the rest.
type Extra struct {
	ID       int64     `json:"id"` // of the question
	Name     string    `json:"name"`
	Type     ExtraType `json:"type"`
	Text     string    `json:"text,omitempty"`
	Number   string    `json:"number,omitempty"` // decimal, as given
	YesNo    *bool     `json:"yesno,omitempty"`
	Choices  []string  `json:"choices,omitempty"`
	Money    *Money    `json:"money,omitempty"`
	Document int64     `json:"document,omitempty"`
	Entries  []Extra   `json:"entries,omitempty"`
}

// Money is an amount in a currency.
type Money struct {
	Amount   Hundredths `json:"amount"`
	Currency string     `json:"currency"`
}
