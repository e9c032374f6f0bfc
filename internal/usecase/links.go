package usecase

// Links are the addresses that mails name, each of what it is called after. They are known where everything is wired.
type Links interface {
	Home() string
	SignIn(token, next string) string
	EmailChange(token string) string
	Portal() string // of applicants
	Application(id int64) string
	Invoice(id int64) string
	Offer(id int64) string
	Task(id int64) string
	OwnData() string             // of the applicant who opens it
	InvoiceCard(id int64) string // for staff
	Batch(id int64) string       // for staff
	Scoring(sheet int64) string  // where staff enter points
	Setup(token string) string
	StaffInvitation(token string) string
	StaffReset(token string) string
	StaffEmail(token string) string // confirms an address
}
