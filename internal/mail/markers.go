package mail

import (
	"cmp"
	"maps"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
)

// Marker is a place in a template that a value is put into, "%offer-Link%". Only those below exist: a new one is
// declared here, its name goes into the rows of the templates that may use it, and a use case puts its value into
// Values.
type Marker struct {
	name   string
	secret bool // the stored copy of a mail does not show its value
}

// String returns the marker as it stands in templates.
func (m Marker) String() string { return "%" + m.name + "%" }

// The markers (lifecycle.md 8.3). None of these variables is ever written to.
var (
	ApplicantID         = Marker{name: "applicant-ID"}
	ApplicantName       = Marker{name: "applicant-Name"}
	ApplicantGivenName  = Marker{name: "applicant-GivenName"}
	ApplicantFamilyName = Marker{name: "applicant-FamilyName"}
	ApplicantEmail      = Marker{name: "applicant-Email"}
	ApplicantLogin      = Marker{name: "applicant-Login"}
	ApplicantReference  = Marker{name: "applicant-Reference"}

	InstanceName    = Marker{name: "instance-Name"}
	InstanceLink    = Marker{name: "instance-Link"}
	InstitutionName = Marker{name: "institution-Name"}
	InstitutionWWW  = Marker{name: "institution-WWW"}
	DateToday       = Marker{name: "date-Today"}

	ApplicationID      = Marker{name: "application-ID"}
	ApplicationLink    = Marker{name: "application-Link"}
	ApplicationStatus  = Marker{name: "application-Status"}
	ApplicationMissing = Marker{name: "application-Missing"}
	TermName           = Marker{name: "term-Name"}
	CourseFullName     = Marker{name: "course-FullName"}
	CourseList         = Marker{name: "course-List"}
	CourseAward        = Marker{name: "course-Award"}
	IntakeCommence     = Marker{name: "intake-Commence"}
	IntakeArrival      = Marker{name: "intake-Arrival"}

	ApplicantBirthDate     = Marker{name: "applicant-BirthDate"}
	ApplicantCitizenship   = Marker{name: "applicant-Citizenship"}
	ApplicantPassport      = Marker{name: "applicant-Passport"}
	ApplicantAddress       = Marker{name: "applicant-Address"}
	ApplicantMatriculation = Marker{name: "applicant-Matriculation"}

	OfferType             = Marker{name: "offer-Type"}
	OfferLink             = Marker{name: "offer-Link"}
	OfferReason           = Marker{name: "offer-Reason"}
	OfferDecisionDeadline = Marker{name: "offer-DecisionDeadline"}
	IntakeName            = Marker{name: "intake-Name"}
	OfferDecision         = Marker{name: "offer-Decision"}
	DeadlineMeaning       = Marker{name: "deadline-Meaning"}

	InvoiceNumber   = Marker{name: "invoice-Number"}
	InvoiceTotal    = Marker{name: "invoice-Total"}
	InvoiceRest     = Marker{name: "invoice-Rest"}
	InvoiceDeadline = Marker{name: "invoice-Deadline"}
	InvoiceLink     = Marker{name: "invoice-Link"}

	TaskTitle        = Marker{name: "task-Title"}
	TaskInstructions = Marker{name: "task-Instructions"}
	TaskDeadline     = Marker{name: "task-Deadline"}
	TaskLink         = Marker{name: "task-Link"}
	TaskStatus       = Marker{name: "task-Status"}
	TaskComment      = Marker{name: "task-Comment"}

	ApplicantSigninLink    = Marker{name: "applicant-SigninLink", secret: true}
	ApplicantSigninExpires = Marker{name: "applicant-SigninExpires"}
	ApplicantPassword      = Marker{name: "applicant-Password", secret: true}
	ApplicantEmailLink     = Marker{name: "applicant-EmailLink", secret: true}
	ReceiptNumber          = Marker{name: "receipt-Number"}
	ReceiptTime            = Marker{name: "receipt-Time"}
	WithdrawalUndoUntil    = Marker{name: "withdrawal-UndoUntil"}
	IntakeDeadline         = Marker{name: "intake-Deadline"}
	StaffText              = Marker{name: "staff-Text"}
	ReopenUntil            = Marker{name: "reopen-Until"}
	PrivacyLink            = Marker{name: "privacy-Link"}
	RequestAnswer          = Marker{name: "request-Answer"}
	AdminName              = Marker{name: "admin-Name"}
	AdminLink              = Marker{name: "admin-Link"}
	KeyLabel               = Marker{name: "key-Label"}
	KeyExpires             = Marker{name: "key-Expires"}
	BatchID                = Marker{name: "batch-ID"}
	BatchTitle             = Marker{name: "batch-Title"}
	BatchSize              = Marker{name: "batch-Size"}
	BatchLink              = Marker{name: "batch-Link"}
	SheetName              = Marker{name: "sheet-Name"}
	SheetLeft              = Marker{name: "sheet-Left"}
	SheetDue               = Marker{name: "sheet-Due"}
	SheetLink              = Marker{name: "sheet-Link"}
)

// The sets of markers that lifecycle.md 8.3 names by one letter.
var (
	ofApplicant = []Marker{ApplicantID, ApplicantName, ApplicantGivenName, ApplicantFamilyName, ApplicantEmail,
		ApplicantLogin, ApplicantReference} // a
	ofInstance = []Marker{InstanceName, InstanceLink, InstitutionName, InstitutionWWW,
		DateToday} // z
	ofApplication = []Marker{ApplicationID, ApplicationLink, ApplicationStatus, ApplicationMissing, TermName,
		CourseFullName, CourseList, IntakeCommence, IntakeArrival, CourseAward, ApplicantBirthDate,
		ApplicantCitizenship,
		ApplicantPassport, ApplicantAddress, ApplicantMatriculation} // p
	ofOffer = []Marker{OfferType, OfferLink, OfferReason, OfferDecisionDeadline,
		IntakeName} // o
	ofInvoice = []Marker{InvoiceNumber, InvoiceTotal, InvoiceRest, InvoiceDeadline,
		InvoiceLink} // i
	ofTask = []Marker{TaskTitle, TaskInstructions, TaskDeadline,
		TaskLink} // t
)

// Kind is a kind of mail, each of which has a template (lifecycle.md 8.3). Only those below exist.
type Kind struct{ code string }

// isOfAccounts reports whether a mail lets somebody in.
func (k Kind) isOfAccounts() bool {
	switch k {
	case KindApplicantWelcomeRegister, KindApplicantWelcomeImports, KindApplicantSigninLink, KindApplicantEmailChange,
		KindApplicantPasswordChanged, KindAdminInvite, KindAdminPasswordReset, KindAdminEmailChange:
		return true
	}
	return false
}

// Code returns the name under which the database and the journal know the template.
func (k Kind) Code() string { return k.code }

// The kinds of mail. None of these variables is ever written to.
var (
	KindApplicantWelcomeRegister      = Kind{"applicant-welcome-register"}
	KindApplicantWelcomeImports       = Kind{"applicant-welcome-imports"}
	KindApplicantWelcomeAPI           = Kind{"applicant-welcome-api"}
	KindApplicantSigninLink           = Kind{"applicant-signin-link"}
	KindApplicantEmailChange          = Kind{"applicant-email-change"}
	KindApplicantPasswordChanged      = Kind{"applicant-password-changed"}
	KindApplicantMessage              = Kind{"applicant-message"}
	KindApplicationSubmitted          = Kind{"application-submitted"}
	KindApplicationResubmitted        = Kind{"application-resubmitted"}
	KindApplicationReopened           = Kind{"application-reopened"}
	KindApplicationDeadlineExtended   = Kind{"application-deadline-extended"}
	KindApplicationWithdrawn          = Kind{"application-withdrawn"}
	KindApplicationWithdrawalReverted = Kind{"application-withdrawal-reverted"}
	KindApplicationClosed             = Kind{"application-closed"}
	KindApplicationDraftReminder      = Kind{"application-draft-reminder"}
	KindApplicationInactiveReminder   = Kind{"application-inactive-reminder"}
	KindApplicationReopenedReminder   = Kind{"application-reopened-reminder"}
	KindOfferLetter                   = Kind{"offer-letter"}
	KindOfferDecisionReminder         = Kind{"offer-decision-reminder"}
	KindOfferDecisionConfirmation     = Kind{"offer-decision-confirmation"}
	KindInvoiceDelivery               = Kind{"invoice-delivery"}
	KindInvoiceReminder               = Kind{"invoice-reminder"}
	KindInvoiceCollected              = Kind{"invoice-collected"}
	KindTaskCreated                   = Kind{"task-created"}
	KindTaskReminder                  = Kind{"task-reminder"}
	KindTaskStatus                    = Kind{"task-status"}
	KindPrivacyRequestReceived        = Kind{"privacy-request-received"}
	KindPrivacyRequestDone            = Kind{"privacy-request-done"}
	KindPrivacyDataReady              = Kind{"privacy-data-ready"}
	KindPrivacyRequestRefused         = Kind{"privacy-request-refused"}
	KindAdminInvite                   = Kind{"admin-invite"}
	KindAdminPasswordReset            = Kind{"admin-password-reset"}
	KindAdminEmailChange              = Kind{"admin-email-change"}
	KindAdminKeyExpiring              = Kind{"admin-key-expiring"}
	KindAdminKeyUsage                 = Kind{"admin-key-usage"}
	KindAdminReleaseWaiting           = Kind{"admin-release-waiting"}
	KindAdminScoringWaiting           = Kind{"admin-scoring-waiting"}
)

// kinds lists which template may use which markers (lifecycle.md 8.3).
var kinds = []struct {
	kind Kind
	may  [][]Marker
}{
	{KindApplicantWelcomeRegister, [][]Marker{ofApplicant, ofInstance, {ApplicantSigninLink, ApplicantSigninExpires}}},
	{KindApplicantWelcomeImports, [][]Marker{ofApplicant, ofInstance, {ApplicantSigninLink, ApplicantSigninExpires,
		ApplicantPassword}}},
	{KindApplicantWelcomeAPI, [][]Marker{ofApplicant, ofInstance, {ApplicantSigninLink, ApplicantSigninExpires,
		ApplicantPassword}}},
	{KindApplicantSigninLink, [][]Marker{ofApplicant, ofInstance, {ApplicantSigninLink, ApplicantSigninExpires}}},
	{KindApplicantEmailChange, [][]Marker{ofApplicant, ofInstance, {ApplicantEmailLink}}},
	{KindApplicantPasswordChanged, [][]Marker{ofApplicant, ofInstance}},
	{KindApplicantMessage, [][]Marker{ofApplicant, ofInstance, ofApplication}},
	{KindApplicationSubmitted, [][]Marker{ofApplicant, ofInstance, ofApplication, {ReceiptNumber, ReceiptTime}}},
	{KindApplicationResubmitted, [][]Marker{ofApplicant, ofInstance, ofApplication, {ReceiptNumber, ReceiptTime}}},
	{KindApplicationReopened, [][]Marker{ofApplicant, ofInstance, ofApplication, {StaffText, ReopenUntil}}},
	{KindApplicationDeadlineExtended, [][]Marker{ofApplicant, ofInstance, ofApplication,
		{IntakeDeadline, DeadlineMeaning, StaffText}}},
	{KindApplicationWithdrawn, [][]Marker{ofApplicant, ofInstance, ofApplication, {WithdrawalUndoUntil}}},
	{KindApplicationWithdrawalReverted, [][]Marker{ofApplicant, ofInstance, ofApplication}},
	{KindApplicationClosed, [][]Marker{ofApplicant, ofInstance, ofApplication}},
	{KindApplicationDraftReminder, [][]Marker{ofApplicant, ofInstance, ofApplication, {IntakeDeadline}}},
	{KindApplicationInactiveReminder, [][]Marker{ofApplicant, ofInstance, ofApplication}},
	{KindApplicationReopenedReminder, [][]Marker{ofApplicant, ofInstance, ofApplication}},
	{KindOfferLetter, [][]Marker{ofApplicant, ofInstance, ofApplication, ofOffer}},
	{KindOfferDecisionReminder, [][]Marker{ofApplicant, ofInstance, ofApplication, ofOffer}},
	{KindOfferDecisionConfirmation, [][]Marker{ofApplicant, ofInstance, ofApplication, ofOffer, {OfferDecision}}},
	{KindInvoiceDelivery, [][]Marker{ofApplicant, ofInstance, ofInvoice}},
	{KindInvoiceReminder, [][]Marker{ofApplicant, ofInstance, ofInvoice}},
	{KindInvoiceCollected, [][]Marker{ofApplicant, ofInstance, ofInvoice}},
	{KindTaskCreated, [][]Marker{ofApplicant, ofInstance, ofApplication, ofTask}},
	{KindTaskReminder, [][]Marker{ofApplicant, ofInstance, ofApplication, ofTask}},
	{KindTaskStatus, [][]Marker{ofApplicant, ofInstance, ofApplication, ofTask, {TaskStatus, TaskComment}}},
	{KindPrivacyRequestReceived, [][]Marker{ofApplicant, ofInstance, {PrivacyLink}}},
	{KindPrivacyRequestDone, [][]Marker{ofApplicant, ofInstance, {PrivacyLink}}},
	{KindPrivacyDataReady, [][]Marker{ofApplicant, ofInstance, {PrivacyLink}}},
	{KindPrivacyRequestRefused, [][]Marker{ofApplicant, ofInstance, {RequestAnswer}}},
	{KindAdminInvite, [][]Marker{{AdminName, AdminLink}, ofInstance}},
	{KindAdminPasswordReset, [][]Marker{{AdminName, AdminLink}, ofInstance}},
	{KindAdminEmailChange, [][]Marker{{AdminName, AdminLink}, ofInstance}},
	{KindAdminKeyExpiring, [][]Marker{{KeyLabel, KeyExpires}, ofInstance}},
	{KindAdminKeyUsage, [][]Marker{{KeyLabel}, ofInstance}},
	{KindAdminReleaseWaiting, [][]Marker{{BatchID, BatchTitle, BatchSize, BatchLink}, ofInstance}},
	{KindAdminScoringWaiting, [][]Marker{{SheetName, SheetLeft, SheetDue, SheetLink}, ofInstance}},
}

// Kinds returns all kinds of mail, in the order of their codes.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i := range kinds {
		all[i] = kinds[i].kind
	}
	slices.SortFunc(all, func(a, b Kind) int { return cmp.Compare(a.code, b.code) })
	return all
}

// KindOf returns the kind of mail with a code.
func KindOf(code string) (k Kind, known bool) {
	for i := range kinds {
		if kinds[i].kind.code == code {
			return kinds[i].kind, true
		}
	}
	return Kind{}, false
}

// Markers returns the markers that the template of the kind may use; nil for a kind that is not in the table.
func (k Kind) Markers() []Marker {
	for i := range kinds {
		if kinds[i].kind == k {
			return slices.Concat(kinds[i].may...)
		}
	}
	return nil
}

// Values are what is put in for markers: a string stands as it is; an admitto.Date, a ZonedTime, a Country, and a
// message.Text are written in the language of the mail, and of several in Lines each in a line. An empty value is a
// value.
type Values map[Marker]any

// DropEmpty takes out the empty values but those that may be so: then a text of staff that asks for one has a marker
// without a value, and is not sent with a gap in it. Not everybody has both a given name and a family name.
func (v Values) DropEmpty(mayBe ...Marker) {
	mayBe = append(mayBe, ApplicantGivenName, ApplicantFamilyName)
	maps.DeleteFunc(v, func(m Marker, value any) bool { return value == "" && !slices.Contains(mayBe, m) })
}

// WithoutSecrets returns the values that the stored copy of a mail shows, and whether any differ.
func (v Values) WithoutSecrets() (shown Values, differ bool) {
	shown = make(Values, len(v))
	for m, value := range v {
		if m.secret {
			value, differ = admitto.SecretRemoved, true
		}
		shown[m] = value
	}
	return shown, differ
}

// named returns values by the names of their markers, in the language of the template and cleaned.
func (t Template) named(values Values) map[string]string {
	known := make(map[string]string, len(values))
	for m, value := range values {
		known[m.name] = cleanValue(t.write(value))
	}
	return known
}
