package admitto

import "slices"

// Pattern is the name of a journal event, with ? in the place of its value (lifecycle.md 10.2).
type Pattern string

// The events that use cases name; eventKinds lists all there can be.
const (
	// Applicants
	ApplicantRegistered        Pattern = "Applicant registered"
	ApplicantWasCollected      Pattern = "Applicant was collected"
	ApplicantCreationAbandoned Pattern = "Applicant creation was abandoned"
	LeadActivated              Pattern = "Lead was activated"
	ApplicantEdited            Pattern = "Applicant was edited"
	ApplicantEmailChanged      Pattern = "Applicant e-mail was changed"
	ApplicantPasswordChanged   Pattern = "Applicant password was changed"
	PhotoSaved                 Pattern = "Applicant photo was saved"
	PhotoRemoved               Pattern = "Applicant photo was removed"
	ApplicantWasBlocked        Pattern = "Applicant was blocked"
	ApplicantWasUnblocked      Pattern = "Applicant was unblocked"
	ApplicantReferenceSet      Pattern = "Applicant reference was set"
	ApplicantReferenceCleared  Pattern = "Applicant reference was cleared"
	ApplicantMatriculationSet  Pattern = "Applicant matriculation was set"
	ApplicantMatriculationGone Pattern = "Applicant matriculation was cleared"
	ApplicantDeleted           Pattern = "Applicant was deleted"
	ApplicantRestored          Pattern = "Applicant was restored"
	ApplicantErased            Pattern = "Applicant was erased"
	ApplicantDataExported      Pattern = "Applicant data was exported"
	ForgetAsked                Pattern = "Applicant asked to be forgotten"
	ForgetTakenBack            Pattern = "Request to be forgotten was withdrawn"
	ForgetRecorded             Pattern = "Request to be forgotten was recorded"
	ForgetRefused              Pattern = "Request to be forgotten was refused"
	ForgetGranted              Pattern = "Request to be forgotten was granted"
	DataRequestRecorded        Pattern = "Request about personal data was recorded: ?"
	DataRequestRefused         Pattern = "Request about personal data was refused: ?"
	DataRequestGranted         Pattern = "Request about personal data was granted: ?"
	ConsentAccepted            Pattern = "Consent was accepted: ?"
	ConsentRejected            Pattern = "Consent was rejected: ?"
	WishAdded                  Pattern = "Wish was added"
	WishRemoved                Pattern = "Wish was removed"
	NoteAddedToApplicant       Pattern = "Note was added to applicant"
	NoteOnApplicantEdited      Pattern = "Note on applicant was edited"
	NoteOnApplicantRemoved     Pattern = "Note on applicant was removed"
	NoteOnApplicantRestored    Pattern = "Note on applicant was restored"
	NoteAddedToOffer           Pattern = "Note was added to offer"
	NoteOnOfferEdited          Pattern = "Note on offer was edited"
	NoteOnOfferRemoved         Pattern = "Note on offer was removed"
	NoteOnOfferRestored        Pattern = "Note on offer was restored"
	TrackerCreated             Pattern = "Tracker was created"
	TrackerDeleted             Pattern = "Tracker was deleted"
	TrackerAssigned            Pattern = "Tracker was assigned"
	TrackerUnassigned          Pattern = "Tracker was unassigned"

	// Applications
	FlagCreated                   Pattern = "Flag was created"
	FlagDeleted                   Pattern = "Flag was deleted"
	ApplicationFlagged            Pattern = "Application was flagged"
	ApplicationUnflagged          Pattern = "Application was un-flagged"
	ApplicationCreated            Pattern = "Application was created"
	ApplicationCloned             Pattern = "Application was created by cloning"
	ApplicationEdited             Pattern = "Application was edited"
	ApplicationStatusChanged      Pattern = "Application status was changed: ?"
	ApplicationSubmitted          Pattern = "Application was submitted"
	ApplicationResubmitted        Pattern = "Application was re-submitted"
	ApplicationReopened           Pattern = "Application was reopened"
	ApplicationRefused            Pattern = "Application submission was refused: ?"
	ApplicationWithdrawn          Pattern = "Application was withdrawn"
	ApplicationWithdrawalReverted Pattern = "Application withdrawal was reverted"
	ApplicationClosed             Pattern = "Application was closed"
	ApplicationClosingReverted    Pattern = "Application closing was reverted"
	ApplicationFrozen             Pattern = "Application was frozen"
	ApplicationDefrosted          Pattern = "Application was defrosted"
	ApplicationExpired            Pattern = "Application has expired"
	ApplicationExpiryLifted       Pattern = "Application expiry was lifted"
	ApplicationSilenced           Pattern = "Application was silenced"
	ApplicationSilenceLifted      Pattern = "Application silence was lifted"
	ApplicationOfficerSet         Pattern = "Application officer was set: ?"
	ApplicationDeadlineExtended   Pattern = "Application deadline was extended: ?"
	CourseAdded                   Pattern = "Course was added to application"
	CourseRemoved                 Pattern = "Course was removed from application"
	CoursePrioritiesChanged       Pattern = "Course priorities were changed"
	DocumentUploaded              Pattern = "Document was uploaded"
	DocumentRemoved               Pattern = "Document was removed"
	DocumentUploadedToTask        Pattern = "Document was uploaded to a task"
	DocumentRemovedFromTask       Pattern = "Document was removed from a task"

	// Offers, tasks and scores
	OfferCreated           Pattern = "Offer was created"
	OfferEdited            Pattern = "Offer was edited: ?"
	OfferConfirmed         Pattern = "Offer was confirmed: ?"
	OfferLetterSentAgain   Pattern = "Offer letter was sent again: ?"
	ApplicantDecision      Pattern = "Applicant decision: ?"
	OfferDecisionSet       Pattern = "Offer decision was set: ?"
	OfferExtraScoreSet     Pattern = "Offer extra score was set"
	OfferExtraScoreCleared Pattern = "Offer extra score was cleared"
	OfferScoreCalculated   Pattern = "Offer automatic score was calculated"
	OfferLetterGenerated   Pattern = "Offer letter was generated"
	OfferAttachmentAdded   Pattern = "Offer attachment was added"
	OfferAttachmentRemoved Pattern = "Offer attachment was removed"
	TaskCreated            Pattern = "Task was created"
	TaskSaved              Pattern = "Task was saved"
	TaskCommented          Pattern = "Task was commented"
	TaskResolved           Pattern = "Task was resolved"
	TaskTrashed            Pattern = "Task was sent to trash"
	TaskRestored           Pattern = "Task was restored from trash"
	TaskDeleted            Pattern = "Task was deleted"
	TaskStatusSet          Pattern = "Task status was set: ?"
	TaskReminded           Pattern = "Task was reminded"
	ScoreAdded             Pattern = "Score was added"
	ScoreRemoved           Pattern = "Score was removed"
	ScorePointsSet         Pattern = "Score points were set"
	ScorePointsCleared     Pattern = "Score points were cleared"
	ScoreCommentsSet       Pattern = "Score comments were set"
	ScoreCommentsCleared   Pattern = "Score comments were cleared"
	ScoreDetailsSet        Pattern = "Score details were set"
	CriteriaChanged        Pattern = "Scoring criteria were changed"

	// Finance
	InvoiceIssued          Pattern = "Invoice was issued"
	InvoiceDelivered       Pattern = "Invoice was delivered"
	InvoiceReminded        Pattern = "Invoice was reminded"
	InvoicePartlyCollected Pattern = "Invoice was partly collected"
	InvoiceCollected       Pattern = "Invoice was collected"
	InvoiceLapsed          Pattern = "Invoice was lapsed"
	InvoiceRevived         Pattern = "Invoice was revived"
	InvoiceEdited          Pattern = "Invoice was edited"
	InvoiceDetached        Pattern = "Invoice was detached"
	InvoiceDeleted         Pattern = "Invoice was deleted"
	TransactionAdded       Pattern = "Transaction was added: ?"

	InvoiceCollectionReverted Pattern = "Invoice collection was reverted"
	FeeCreated                Pattern = "Fee was created: ?"
	FeeEdited                 Pattern = "Fee was edited: ?"

	// Access of staff
	InstanceSetUp            Pattern = "Instance was set up"
	StaffCreated             Pattern = "Administrator was created: ?"
	StaffEdited              Pattern = "Administrator was edited: ?"
	StaffDisabled            Pattern = "Administrator was disabled: ?"
	StaffEnabled             Pattern = "Administrator was enabled: ?"
	StaffRolesChanged        Pattern = "Administrator roles were changed: ?"
	StaffPasswordChanged     Pattern = "Administrator password was changed: ?"
	StaffSecondFactorChanged Pattern = "Administrator two-step sign-in was changed: ?"
	RoleCreated              Pattern = "Role was created: ?"
	RoleEdited               Pattern = "Role was edited: ?"
	RoleDeleted              Pattern = "Role was deleted: ?"

	TrackerEdited      Pattern = "Tracker was edited"
	FlagEdited         Pattern = "Flag was edited"
	OfferTypeCreated   Pattern = "Offer type was created: ?"
	OfferTypeEdited    Pattern = "Offer type was edited: ?"
	OfferTypeArchived  Pattern = "Offer type was archived: ?"
	KeptConsentCreated Pattern = "Consent was created: ?"
	KeptConsentEdited  Pattern = "Consent was edited: ?"
	TemplateCreated    Pattern = "Task template was created: ?"
	TemplateEdited     Pattern = "Task template was edited: ?"
	TemplateDeleted    Pattern = "Task template was deleted: ?"
	MailTextEdited     Pattern = "E-mail template was edited: ?"
	LetterheadCreated  Pattern = "Letterhead was created: ?"
	LetterheadEdited   Pattern = "Letterhead was edited: ?"
	SeriesCreated      Pattern = "Invoice series was created: ?"
	SeriesEdited       Pattern = "Invoice series was edited: ?"

	ScoresheetCreated   Pattern = "Scoresheet was created: ?"
	ScoresheetConfirmed Pattern = "Scoresheet was confirmed: ?"
	ScoresheetDeleted   Pattern = "Scoresheet was deleted: ?"
	RankingCreated      Pattern = "Ranking was created: ?"
	RankingEdited       Pattern = "Ranking was edited: ?"
	RankingDeleted      Pattern = "Ranking was deleted: ?"
	TableviewCreated    Pattern = "Tableview was created: ?"
	TableviewEdited     Pattern = "Tableview was edited: ?"
	TableviewDeleted    Pattern = "Tableview was deleted: ?"

	// Reference data
	InstitutionCreated Pattern = "Institution was created"
	InstitutionEdited  Pattern = "Institution was edited"
	DepartmentCreated  Pattern = "Department was created: ?"
	DepartmentEdited   Pattern = "Department was edited: ?"
	CourseEdited       Pattern = "Course was edited"
	CourseStatusSet    Pattern = "Course status was set: ?"
	IntakeCreated      Pattern = "Intake was created: ?"
	IntakeEdited       Pattern = "Intake was edited: ?"
	TermCreated        Pattern = "Academic term was created: ?"
	TermEdited         Pattern = "Academic term was edited: ?"
	TermTypeCreated    Pattern = "Academic term type was created: ?"
	TermTypeEdited     Pattern = "Academic term type was edited: ?"
	YearCreated        Pattern = "Academic year was created: ?"
	YearEdited         Pattern = "Academic year was edited: ?"
	RegionEdited       Pattern = "Region was edited: ?"
	ClassEdited        Pattern = "Classificator was edited: ?"

	// The rest
	ScoresheetEdited Pattern = "Scoresheet was edited: ?"
	CourseCreated    Pattern = "Course was created"
	EmailSent        Pattern = "E-mail was sent: ?"
	EmailFailed      Pattern = "E-mail failed: ?"
	EmailLeftOut     Pattern = "E-mail was not sent: ?"
	KeyCreated       Pattern = "API key was created: ?"
	KeyEdited        Pattern = "API key was edited: ?"
	KeyRevoked       Pattern = "API key was revoked: ?"
	KeyExpired       Pattern = "API key has expired: ?"
	SettingChanged   Pattern = "Setting was changed: ?"

	BatchPreparedEvent  Pattern = "Batch was prepared: ?"
	BatchReleasedEvent  Pattern = "Batch was released: ?"
	BatchDiscardedEvent Pattern = "Batch was discarded: ?"
	BatchPassedEvent    Pattern = "Batch was taken over: ?"
	BatchStoppedEvent   Pattern = "Batch was stopped: ?"
	BatchResumedEvent   Pattern = "Batch was resumed: ?"
	BatchFinishedEvent  Pattern = "Batch was finished: ?"
	BatchUndoneEvent    Pattern = "Batch was undone: ?"
)

// EventKind is a row of the catalogue of events (lifecycle.md 10.2).
type EventKind struct {
	Group   string // what it is about
	Pattern Pattern
	Binds   string // what stands for the ?, "" where the pattern has none
	Since   string // the release from which on it is recorded, "" as long as nothing records it
}

// offerTypeValue is what stands for the ? of events about an offer and its type. Versions of the API that know no IDs
// of offer types have the title there; events about offer types themselves have the ID in every version.
const offerTypeValue = "ID of the type that the offer has"

// InvoiceEvents are the events that an invoice may have.
func InvoiceEvents() []Pattern {
	return []Pattern{InvoiceIssued, InvoiceEdited, InvoiceDelivered, InvoiceReminded, InvoicePartlyCollected,
		InvoiceCollected, InvoiceCollectionReverted, InvoiceLapsed, InvoiceRevived, InvoiceDetached, TransactionAdded}
}

// EventKinds returns the catalogue: every event there can be, in the order of lifecycle.md 10.2. The filter of
// the journal and the page about events are made from it.
func EventKinds() []EventKind { return slices.Clone(eventKinds) }

// firstRelease is the release that events were recorded in from the beginning.
const firstRelease = "1.0"

// eventKinds is the one list of events. It is never written to.
var eventKinds = []EventKind{
	// Applicant
	{"Applicant", ApplicantRegistered, "", firstRelease},
	{"Applicant", ApplicantWasCollected, "", firstRelease},
	{"Applicant", ApplicantCreationAbandoned, "", firstRelease},
	{"Applicant", LeadActivated, "", firstRelease},
	{"Applicant", ApplicantEdited, "", firstRelease},
	{"Applicant", ApplicantEmailChanged, "", firstRelease},
	{"Applicant", ApplicantPasswordChanged, "", firstRelease},
	{"Applicant", ApplicantReferenceSet, "", firstRelease},
	{"Applicant", ApplicantReferenceCleared, "", firstRelease},
	{"Applicant", ApplicantMatriculationSet, "", firstRelease},
	{"Applicant", ApplicantMatriculationGone, "", firstRelease},
	{"Applicant", PhotoSaved, "", firstRelease},
	{"Applicant", PhotoRemoved, "", firstRelease},
	{"Applicant", ApplicantWasBlocked, "", firstRelease},
	{"Applicant", ApplicantWasUnblocked, "", firstRelease},
	{"Applicant", ApplicantDeleted, "", firstRelease},
	{"Applicant", ApplicantRestored, "", firstRelease},
	{"Applicant", ApplicantErased, "", firstRelease},
	{"Applicant", "Applicant was merged: ?", "ID of the applicant that was merged into this one", ""},

	// Privacy
	{"Privacy", ForgetAsked, "", firstRelease},
	{"Privacy", ForgetTakenBack, "", firstRelease},
	{"Privacy", ForgetRecorded, "", firstRelease},
	{"Privacy", ForgetRefused, "", firstRelease},
	{"Privacy", ForgetGranted, "", firstRelease},
	{"Privacy", DataRequestRecorded, "access, correct", firstRelease},
	{"Privacy", DataRequestRefused, "access, correct", firstRelease},
	{"Privacy", DataRequestGranted, "access, correct", firstRelease},
	{"Privacy", ApplicantDataExported, "", firstRelease},
	{"Privacy", ConsentAccepted, "ID of the consent", firstRelease},
	{"Privacy", ConsentRejected, "ID of the consent", firstRelease},

	// Wishes
	{"Wishes", WishAdded, "", firstRelease},
	{"Wishes", "Wish was edited", "", ""},
	{"Wishes", WishRemoved, "", firstRelease},

	// Notes
	{"Notes", NoteAddedToApplicant, "", firstRelease},
	{"Notes", NoteOnApplicantEdited, "", firstRelease},
	{"Notes", NoteOnApplicantRemoved, "", firstRelease},
	{"Notes", NoteOnApplicantRestored, "", firstRelease},
	{"Notes", NoteAddedToOffer, "", firstRelease},
	{"Notes", NoteOnOfferEdited, "", firstRelease},
	{"Notes", NoteOnOfferRemoved, "", firstRelease},
	{"Notes", NoteOnOfferRestored, "", firstRelease},

	// Trackers
	{"Trackers", TrackerCreated, "", firstRelease},
	{"Trackers", TrackerEdited, "", firstRelease},
	{"Trackers", TrackerDeleted, "", firstRelease},
	{"Trackers", TrackerAssigned, "", firstRelease},
	{"Trackers", TrackerUnassigned, "", firstRelease},

	// Flags
	{"Flags", FlagCreated, "", firstRelease},
	{"Flags", FlagEdited, "", firstRelease},
	{"Flags", FlagDeleted, "", firstRelease},
	{"Flags", ApplicationFlagged, "", firstRelease},
	{"Flags", ApplicationUnflagged, "", firstRelease},

	// Application
	{"Application", ApplicationCreated, "", firstRelease},
	{"Application", ApplicationEdited, "", firstRelease},
	{"Application", ApplicationCloned, "", firstRelease},
	{"Application", ApplicationStatusChanged, "the new status", firstRelease},
	{"Application", ApplicationSubmitted, "", firstRelease},
	{"Application", ApplicationResubmitted, "", firstRelease},
	{"Application", ApplicationReopened, "", firstRelease},
	{"Application", ApplicationRefused, "codes of what was missing, joined by +", firstRelease},
	{"Application", ApplicationWithdrawn, "", firstRelease},
	{"Application", ApplicationWithdrawalReverted, "", firstRelease},
	{"Application", ApplicationClosed, "", firstRelease},
	{"Application", ApplicationClosingReverted, "", firstRelease},
	{"Application", ApplicationFrozen, "", firstRelease},
	{"Application", ApplicationDefrosted, "", firstRelease},
	{"Application", ApplicationExpired, "", firstRelease},
	{"Application", ApplicationExpiryLifted, "", firstRelease},
	{"Application", ApplicationDeadlineExtended, "ID of the intake", firstRelease},
	{"Application", ApplicationSilenced, "", firstRelease},
	{"Application", ApplicationSilenceLifted, "", firstRelease},
	{"Application", ApplicationOfficerSet, "ID of the administrator, or none", firstRelease},
	{"Application", "Application was moved to term: ?", "ID of the academic term", ""},
	{"Application", "Application was deleted", "", ""},
	{"Application", CourseAdded, "", firstRelease},
	{"Application", CourseRemoved, "", firstRelease},
	{"Application", CoursePrioritiesChanged, "", firstRelease},

	// Documents
	{"Documents", DocumentUploaded, "", firstRelease},
	{"Documents", DocumentRemoved, "", firstRelease},
	{"Documents", DocumentUploadedToTask, "", firstRelease},
	{"Documents", DocumentRemovedFromTask, "", firstRelease},

	// Offers
	{"Offers", OfferCreated, "", firstRelease},
	{"Offers", OfferEdited, offerTypeValue, firstRelease},
	{"Offers", OfferConfirmed, offerTypeValue, firstRelease},
	{"Offers", OfferLetterSentAgain, offerTypeValue, firstRelease},
	{"Offers", ApplicantDecision, "Final or Declined", firstRelease},
	{"Offers", OfferDecisionSet, "None, Final or Declined", firstRelease},
	{"Offers", OfferExtraScoreSet, "", firstRelease},
	{"Offers", OfferExtraScoreCleared, "", firstRelease},
	{"Offers", OfferScoreCalculated, "", firstRelease},
	{"Offers", OfferLetterGenerated, "", firstRelease},
	{"Offers", OfferAttachmentAdded, "", firstRelease},
	{"Offers", OfferAttachmentRemoved, "", firstRelease},

	// Tasks
	{"Tasks", TaskCreated, "", firstRelease},
	{"Tasks", TaskSaved, "", firstRelease},
	{"Tasks", TaskCommented, "", firstRelease},
	{"Tasks", TaskResolved, "", firstRelease},
	{"Tasks", TaskTrashed, "", firstRelease},
	{"Tasks", TaskRestored, "", firstRelease},
	{"Tasks", TaskDeleted, "", firstRelease},
	{"Tasks", TaskStatusSet, "name of the status if the template has it, else other", firstRelease},
	{"Tasks", TaskReminded, "", firstRelease},

	// Scores
	{"Scores", ScoreAdded, "", firstRelease},
	{"Scores", ScoreRemoved, "", firstRelease},
	{"Scores", ScorePointsSet, "", firstRelease},
	{"Scores", ScorePointsCleared, "", firstRelease},
	{"Scores", ScoreCommentsSet, "", firstRelease},
	{"Scores", ScoreCommentsCleared, "", firstRelease},
	{"Scores", ScoreDetailsSet, "", firstRelease},
	{"Scores", ScoresheetCreated, "ID of the scoresheet", firstRelease},
	{"Scores", ScoresheetEdited, "ID of the scoresheet", firstRelease},
	{"Scores", ScoresheetConfirmed, "ID of the scoresheet", firstRelease},
	{"Scores", ScoresheetDeleted, "ID of the scoresheet", firstRelease},
	{"Scores", "Scores were imported: ?", "ID of the scoresheet", ""},
	{"Scores", CriteriaChanged, "", firstRelease},

	// Rankings
	{"Rankings", RankingCreated, "ID of the ranking", firstRelease},
	{"Rankings", RankingEdited, "ID of the ranking", firstRelease},
	{"Rankings", RankingDeleted, "ID of the ranking", firstRelease},
	{"Rankings", "Ranking was calculated: ?", "ID of the ranking", ""},

	// Finance
	{"Finance", InvoiceIssued, "", firstRelease},
	{"Finance", InvoiceEdited, "", firstRelease},
	{"Finance", InvoiceDelivered, "", firstRelease},
	{"Finance", InvoiceReminded, "", firstRelease},
	{"Finance", InvoicePartlyCollected, "", firstRelease},
	{"Finance", InvoiceCollected, "", firstRelease},
	{"Finance", InvoiceCollectionReverted, "", firstRelease},
	{"Finance", InvoiceLapsed, "", firstRelease},
	{"Finance", InvoiceRevived, "", firstRelease},
	{"Finance", InvoiceDetached, "", firstRelease},
	{"Finance", InvoiceDeleted, "", firstRelease},
	{"Finance", TransactionAdded, "ID of the transaction", firstRelease},
	{"Finance", SeriesCreated, "ID of the series", firstRelease},
	{"Finance", SeriesEdited, "ID of the series", firstRelease},
	{"Finance", "Invoice series was deleted: ?", "ID of the series", ""},
	{"Finance", FeeCreated, "ID of the fee", firstRelease},
	{"Finance", FeeEdited, "ID of the fee", firstRelease},
	{"Finance", "Fee was deleted: ?", "ID of the fee", ""},

	// E-mail
	{"E-mail", EmailSent, "code of the template", firstRelease},
	{"E-mail", EmailFailed, "code of the template", firstRelease},
	{"E-mail", EmailLeftOut, "code of the template, which staff have silenced", firstRelease},

	// Exports
	{"Exports", "Export was created", "", ""},
	{"Exports", "Export was processed", "", ""},
	{"Exports", "Export was cancelled", "", ""},

	// Reference
	{"Reference", InstitutionCreated, "", firstRelease},
	{"Reference", InstitutionEdited, "", firstRelease},
	{"Reference", "Institution was deleted", "", ""},
	{"Reference", DepartmentCreated, "ID of the department", firstRelease},
	{"Reference", DepartmentEdited, "ID of the department", firstRelease},
	{"Reference", "Department was deleted: ?", "ID of the department", ""},
	{"Reference", CourseCreated, "", firstRelease},
	{"Reference", CourseEdited, "", firstRelease},
	{"Reference", CourseStatusSet, "the new status", firstRelease},
	{"Reference", IntakeCreated, "ID of the intake", firstRelease},
	{"Reference", IntakeEdited, "ID of the intake", firstRelease},
	{"Reference", "Intake was deleted: ?", "ID of the intake", ""},
	{"Reference", TermCreated, "ID of the academic term", firstRelease},
	{"Reference", TermEdited, "ID of the academic term", firstRelease},
	{"Reference", "Academic term was deleted: ?", "ID of the academic term", ""},
	{"Reference", TermTypeCreated, "ID of the academic term type", firstRelease},
	{"Reference", TermTypeEdited, "ID of the academic term type", firstRelease},
	{"Reference", YearCreated, "the year", firstRelease},
	{"Reference", YearEdited, "the year", firstRelease},
	{"Reference", RegionEdited, "code of the region", firstRelease},
	{"Reference", ClassEdited, "code of the class", firstRelease},

	// Configuration
	{"Configuration", OfferTypeCreated, "ID of the offer type", firstRelease},
	{"Configuration", OfferTypeEdited, "ID of the offer type", firstRelease},
	{"Configuration", OfferTypeArchived, "ID of the offer type", firstRelease},
	{"Configuration", TemplateCreated, "ID of the task template", firstRelease},
	{"Configuration", TemplateEdited, "ID of the task template", firstRelease},
	{"Configuration", TemplateDeleted, "ID of the task template", firstRelease},
	{"Configuration", MailTextEdited, "code of the template", firstRelease},
	{"Configuration", LetterheadCreated, "ID of the letterhead", firstRelease},
	{"Configuration", LetterheadEdited, "ID of the letterhead", firstRelease},
	{"Configuration", TableviewCreated, "ID of the tableview", firstRelease},
	{"Configuration", TableviewEdited, "ID of the tableview", firstRelease},
	{"Configuration", TableviewDeleted, "ID of the tableview", firstRelease},
	{"Configuration", KeptConsentCreated, "ID of the consent", firstRelease},
	{"Configuration", KeptConsentEdited, "ID of the consent", firstRelease},
	{"Configuration", "Time rule was changed: ?", "name of the rule", ""},
	{"Configuration", SettingChanged, "name of the setting", firstRelease},

	// Access
	{"Access", InstanceSetUp, "", firstRelease},
	{"Access", StaffCreated, "ID of the administrator", firstRelease},
	{"Access", StaffEdited, "ID of the administrator", firstRelease},
	{"Access", StaffDisabled, "ID of the administrator", firstRelease},
	{"Access", StaffEnabled, "ID of the administrator", firstRelease},
	{"Access", StaffRolesChanged, "ID of the administrator", firstRelease},
	{"Access", StaffPasswordChanged, "ID of the administrator", firstRelease},
	{"Access", StaffSecondFactorChanged, "ID of the administrator", firstRelease},
	{"Access", RoleCreated, "ID of the role", firstRelease},
	{"Access", RoleEdited, "ID of the role", firstRelease},
	{"Access", RoleDeleted, "ID of the role", firstRelease},
	{"Access", KeyCreated, "ID of the key", firstRelease},
	{"Access", KeyEdited, "ID of the key", firstRelease},
	{"Access", KeyRevoked, "ID of the key", firstRelease},
	{"Access", KeyExpired, "ID of the key", firstRelease},
	{"Access", "Webhook was created: ?", "ID of the webhook", ""},
	{"Access", "Webhook was edited: ?", "ID of the webhook", ""},
	{"Access", "Webhook was paused: ?", "ID of the webhook", ""},
	{"Access", "Webhook was resumed: ?", "ID of the webhook", ""},
	{"Access", "Webhook was rewound: ?", "ID of the webhook", ""},
	{"Access", "Webhook was deleted: ?", "ID of the webhook", ""},
	{"Access", "Webhook failed: ?", "ID of the webhook", ""},

	// Batches
	{"Batches", BatchPreparedEvent, "ID of the batch", firstRelease},
	{"Batches", BatchReleasedEvent, "ID of the batch", firstRelease},
	{"Batches", BatchDiscardedEvent, "ID of the batch", firstRelease},
	{"Batches", BatchPassedEvent, "ID of the batch", firstRelease},
	{"Batches", BatchStoppedEvent, "ID of the batch", firstRelease},
	{"Batches", BatchResumedEvent, "ID of the batch", firstRelease},
	{"Batches", BatchFinishedEvent, "ID of the batch", firstRelease},
	{"Batches", BatchUndoneEvent, "ID of the batch", firstRelease},

	// Purge
	{"Purge", "Data purge was scheduled: ?", "ID of the purge", ""},
	{"Purge", "Data purge was cancelled: ?", "ID of the purge", ""},
	{"Purge", "Data purge was done: ?", "ID of the purge", ""},
}

// catalogue has the rows of EventKinds by pattern.
var catalogue = func() map[Pattern]EventKind {
	known := map[Pattern]EventKind{}
	for _, k := range eventKinds {
		known[k.Pattern] = k
	}
	return known
}()

// Catalogued reports whether the pattern is in the catalogue of lifecycle.md 10.2.
func Catalogued(p Pattern) bool {
	_, known := catalogue[p]
	return known
}

// BindsOfferType reports whether the value of the pattern is the ID of an offer type.
func BindsOfferType(p Pattern) bool { return catalogue[p].Binds == offerTypeValue }
