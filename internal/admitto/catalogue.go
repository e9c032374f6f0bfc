package admitto

// EventKind is a row of the catalogue of events (lifecycle.md 10.2).
type EventKind struct {
	Group   string // what it is about
	Pattern Pattern
	Binds   string // what stands for the ?, "" where the pattern has none
	Since   string // the release from which on it is recorded, "" as long as nothing records it
}

// offerTypeValue is what stands for the ? of events about an offer and its type. Versions of the API that know no IDs of offer
// types have the title there; events about offer types themselves have the ID in every version.
const offerTypeValue = "ID of the type that the offer has"

// EventKinds is the catalogue: every event there can be, in the order of lifecycle.md 10.2. The filter of
// the journal and the page about events are made from it.
func EventKinds() []EventKind {
	const first = "1.0"
	return []EventKind{
		// Applicant
		{"Applicant", ApplicantRegistered, "", ""},
		{"Applicant", ApplicantWasCollected, "", first},
		{"Applicant", ApplicantCreationAbandoned, "", first},
		{"Applicant", LeadActivated, "", first},
		{"Applicant", "Applicant was edited", "", ""},
		{"Applicant", "Applicant e-mail was changed", "", ""},
		{"Applicant", "Applicant password was changed", "", ""},
		{"Applicant", ApplicantReferenceSet, "", first},
		{"Applicant", ApplicantReferenceCleared, "", first},
		{"Applicant", ApplicantMatriculationSet, "", first},
		{"Applicant", ApplicantMatriculationGone, "", first},
		{"Applicant", "Applicant photo was saved", "", ""},
		{"Applicant", "Applicant photo was removed", "", ""},
		{"Applicant", "Applicant was blocked", "", ""},
		{"Applicant", "Applicant was unblocked", "", ""},
		{"Applicant", ApplicantDeleted, "", first},
		{"Applicant", ApplicantRestored, "", first},
		{"Applicant", ApplicantErased, "", first},
		{"Applicant", "Applicant was merged: ?", "ID of the applicant that was merged into this one", ""},

		// Privacy
		{"Privacy", "Applicant asked to be forgotten", "", ""},
		{"Privacy", "Request to be forgotten was withdrawn", "", ""},
		{"Privacy", "Request to be forgotten was recorded", "", ""},
		{"Privacy", "Request to be forgotten was refused", "", ""},
		{"Privacy", "Request to be forgotten was granted", "", ""},
		{"Privacy", "Applicant data was exported", "", ""},
		{"Privacy", ConsentAccepted, "ID of the consent", first},
		{"Privacy", ConsentRejected, "ID of the consent", first},

		// Wishes
		{"Wishes", WishAdded, "", first},
		{"Wishes", "Wish was edited", "", ""},
		{"Wishes", WishRemoved, "", first},

		// Notes
		{"Notes", NoteAddedToApplicant, "", first},
		{"Notes", NoteOnApplicantEdited, "", first},
		{"Notes", NoteOnApplicantRemoved, "", first},
		{"Notes", "Note on applicant was restored", "", ""},
		{"Notes", NoteAddedToOffer, "", first},
		{"Notes", NoteOnOfferEdited, "", first},
		{"Notes", NoteOnOfferRemoved, "", first},
		{"Notes", "Note on offer was restored", "", ""},

		// Trackers
		{"Trackers", TrackerCreated, "", first},
		{"Trackers", "Tracker was edited", "", ""},
		{"Trackers", TrackerDeleted, "", first},
		{"Trackers", TrackerAssigned, "", first},
		{"Trackers", TrackerUnassigned, "", first},

		// Flags
		{"Flags", FlagCreated, "", first},
		{"Flags", "Flag was edited", "", ""},
		{"Flags", FlagDeleted, "", first},
		{"Flags", ApplicationFlagged, "", first},
		{"Flags", ApplicationUnflagged, "", first},

		// Application
		{"Application", ApplicationCreated, "", first},
		{"Application", ApplicationEdited, "", first},
		{"Application", "Application was created by cloning", "", ""},
		{"Application", ApplicationStatusChanged, "the new status", first},
		{"Application", ApplicationSubmitted, "", first},
		{"Application", ApplicationResubmitted, "", first},
		{"Application", ApplicationReopened, "", first},
		{"Application", ApplicationRefused, "codes of what was missing, joined by +", first},
		{"Application", ApplicationWithdrawn, "", first},
		{"Application", ApplicationWithdrawalReverted, "", first},
		{"Application", ApplicationClosed, "", first},
		{"Application", ApplicationClosingReverted, "", first},
		{"Application", ApplicationFrozen, "", first},
		{"Application", ApplicationDefrosted, "", first},
		{"Application", ApplicationExpired, "", first},
		{"Application", ApplicationExpiryLifted, "", first},
		{"Application", ApplicationDeadlineExtended, "ID of the intake", first},
		{"Application", "Application was silenced", "", ""},
		{"Application", "Application silence was lifted", "", ""},
		{"Application", "Application officer was set: ?", "ID of the administrator, or none", ""},
		{"Application", "Application was moved to term: ?", "ID of the academic term", ""},
		{"Application", "Application was deleted", "", ""},
		{"Application", CourseAdded, "", first},
		{"Application", CourseRemoved, "", first},
		{"Application", CoursePrioritiesChanged, "", first},

		// Documents
		{"Documents", DocumentUploaded, "", first},
		{"Documents", DocumentRemoved, "", first},
		{"Documents", DocumentUploadedToTask, "", first},
		{"Documents", DocumentRemovedFromTask, "", first},

		// Offers
		{"Offers", OfferCreated, "", first},
		{"Offers", OfferEdited, offerTypeValue, first},
		{"Offers", OfferConfirmed, offerTypeValue, first},
		{"Offers", OfferLetterSentAgain, offerTypeValue, first},
		{"Offers", ApplicantDecision, "Final or Declined", first},
		{"Offers", OfferDecisionSet, "None, Final or Declined", first},
		{"Offers", OfferExtraScoreSet, "", first},
		{"Offers", OfferExtraScoreCleared, "", first},
		{"Offers", OfferScoreCalculated, "", first},
		{"Offers", OfferLetterGenerated, "", first},
		{"Offers", OfferAttachmentAdded, "", first},
		{"Offers", OfferAttachmentRemoved, "", ""},

		// Tasks
		{"Tasks", TaskCreated, "", first},
		{"Tasks", TaskSaved, "", first},
		{"Tasks", TaskCommented, "", first},
		{"Tasks", TaskResolved, "", first},
		{"Tasks", TaskTrashed, "", first},
		{"Tasks", TaskRestored, "", first},
		{"Tasks", TaskDeleted, "", first},
		{"Tasks", TaskStatusSet, "name of the status if the template has it, else other", first},
		{"Tasks", TaskReminded, "", first},

		// Scores
		{"Scores", ScoreAdded, "", first},
		{"Scores", ScoreRemoved, "", ""},
		{"Scores", ScorePointsSet, "", first},
		{"Scores", ScorePointsCleared, "", first},
		{"Scores", ScoreCommentsSet, "", first},
		{"Scores", ScoreCommentsCleared, "", first},
		{"Scores", ScoreDetailsSet, "", first},
		{"Scores", "Scoresheet was created: ?", "ID of the scoresheet", ""},
		{"Scores", "Scoresheet was edited: ?", "ID of the scoresheet", ""},
		{"Scores", "Scoresheet was confirmed: ?", "ID of the scoresheet", ""},
		{"Scores", "Scoresheet was deleted: ?", "ID of the scoresheet", ""},
		{"Scores", "Scores were imported: ?", "ID of the scoresheet", ""},
		{"Scores", CriteriaChanged, "", first},

		// Rankings
		{"Rankings", "Ranking was created: ?", "ID of the ranking", ""},
		{"Rankings", "Ranking was edited: ?", "ID of the ranking", ""},
		{"Rankings", "Ranking was deleted: ?", "ID of the ranking", ""},
		{"Rankings", "Ranking was calculated: ?", "ID of the ranking", ""},

		// Finance
		{"Finance", InvoiceIssued, "", first},
		{"Finance", "Invoice was edited", "", ""},
		{"Finance", InvoiceDelivered, "", first},
		{"Finance", InvoiceReminded, "", first},
		{"Finance", InvoicePartlyCollected, "", first},
		{"Finance", InvoiceCollected, "", first},
		{"Finance", "Invoice collection was reverted", "", ""},
		{"Finance", InvoiceLapsed, "", first},
		{"Finance", InvoiceRevived, "", first},
		{"Finance", InvoiceDetached, "", first},
		{"Finance", InvoiceDeleted, "", first},
		{"Finance", TransactionAdded, "ID of the transaction", first},
		{"Finance", "Invoice series was created: ?", "ID of the series", ""},
		{"Finance", "Invoice series was edited: ?", "ID of the series", ""},
		{"Finance", "Invoice series was deleted: ?", "ID of the series", ""},
		{"Finance", "Fee was created: ?", "ID of the fee", ""},
		{"Finance", "Fee was edited: ?", "ID of the fee", ""},
		{"Finance", "Fee was deleted: ?", "ID of the fee", ""},

		// E-mail
		{"E-mail", EmailSent, "code of the template", first},
		{"E-mail", EmailFailed, "code of the template", first},

		// Exports
		{"Exports", "Export was created", "", ""},
		{"Exports", "Export was processed", "", ""},
		{"Exports", "Export was cancelled", "", ""},

		// Reference
		{"Reference", "Institution was created", "", ""},
		{"Reference", "Institution was edited", "", ""},
		{"Reference", "Institution was deleted", "", ""},
		{"Reference", "Department was created: ?", "ID of the department", ""},
		{"Reference", "Department was edited: ?", "ID of the department", ""},
		{"Reference", "Department was deleted: ?", "ID of the department", ""},
		{"Reference", CourseCreated, "", first},
		{"Reference", "Course was edited", "", ""},
		{"Reference", "Course status was set: ?", "the new status", ""},
		{"Reference", "Intake was created: ?", "ID of the intake", ""},
		{"Reference", "Intake was edited: ?", "ID of the intake", ""},
		{"Reference", "Intake was deleted: ?", "ID of the intake", ""},
		{"Reference", "Academic term was created: ?", "ID of the academic term", ""},
		{"Reference", "Academic term was edited: ?", "ID of the academic term", ""},
		{"Reference", "Academic term was deleted: ?", "ID of the academic term", ""},
		{"Reference", "Academic term type was created: ?", "ID of the academic term type", ""},
		{"Reference", "Academic term type was edited: ?", "ID of the academic term type", ""},
		{"Reference", "Academic year was created: ?", "the year", ""},
		{"Reference", "Academic year was edited: ?", "the year", ""},
		{"Reference", "Region was edited: ?", "code of the region", ""},
		{"Reference", "Classificator was edited: ?", "code of the class", ""},

		// Configuration
		{"Configuration", "Offer type was created: ?", "ID of the offer type", ""},
		{"Configuration", "Offer type was edited: ?", "ID of the offer type", ""},
		{"Configuration", "Offer type was archived: ?", "ID of the offer type", ""},
		{"Configuration", "Task template was created: ?", "ID of the task template", ""},
		{"Configuration", "Task template was edited: ?", "ID of the task template", ""},
		{"Configuration", "Task template was deleted: ?", "ID of the task template", ""},
		{"Configuration", "E-mail template was edited: ?", "code of the template", ""},
		{"Configuration", "Letterhead was created: ?", "ID of the letterhead", ""},
		{"Configuration", "Letterhead was edited: ?", "ID of the letterhead", ""},
		{"Configuration", "Tableview was created: ?", "ID of the tableview", ""},
		{"Configuration", "Tableview was edited: ?", "ID of the tableview", ""},
		{"Configuration", "Tableview was deleted: ?", "ID of the tableview", ""},
		{"Configuration", "Consent was created: ?", "ID of the consent", ""},
		{"Configuration", "Consent was edited: ?", "ID of the consent", ""},
		{"Configuration", "Time rule was changed: ?", "name of the rule", ""},
		{"Configuration", SettingChanged, "name of the setting", first},

		// Access
		{"Access", "Instance was set up", "", ""},
		{"Access", "Administrator was created: ?", "ID of the administrator", ""},
		{"Access", "Administrator was edited: ?", "ID of the administrator", ""},
		{"Access", "Administrator was disabled: ?", "ID of the administrator", ""},
		{"Access", "Administrator was enabled: ?", "ID of the administrator", ""},
		{"Access", "Administrator roles were changed: ?", "ID of the administrator", ""},
		{"Access", "Administrator password was changed: ?", "ID of the administrator", ""},
		{"Access", "Administrator two-step sign-in was changed: ?", "ID of the administrator", ""},
		{"Access", "Role was created: ?", "ID of the role", ""},
		{"Access", "Role was edited: ?", "ID of the role", ""},
		{"Access", "Role was deleted: ?", "ID of the role", ""},
		{"Access", KeyCreated, "ID of the key", first},
		{"Access", "API key was edited: ?", "ID of the key", ""},
		{"Access", KeyRevoked, "ID of the key", first},
		{"Access", KeyExpired, "ID of the key", first},
		{"Access", "Webhook was created: ?", "ID of the webhook", ""},
		{"Access", "Webhook was edited: ?", "ID of the webhook", ""},
		{"Access", "Webhook was paused: ?", "ID of the webhook", ""},
		{"Access", "Webhook was resumed: ?", "ID of the webhook", ""},
		{"Access", "Webhook was rewound: ?", "ID of the webhook", ""},
		{"Access", "Webhook was deleted: ?", "ID of the webhook", ""},
		{"Access", "Webhook failed: ?", "ID of the webhook", ""},

		// Batches
		{"Batches", "Batch was prepared: ?", "ID of the batch", ""},
		{"Batches", "Batch was released: ?", "ID of the batch", ""},
		{"Batches", "Batch was discarded: ?", "ID of the batch", ""},
		{"Batches", "Batch was stopped: ?", "ID of the batch", ""},
		{"Batches", "Batch was resumed: ?", "ID of the batch", ""},
		{"Batches", "Batch was finished: ?", "ID of the batch", ""},
		{"Batches", "Batch was undone: ?", "ID of the batch", ""},

		// Purge
		{"Purge", "Data purge was scheduled: ?", "ID of the purge", ""},
		{"Purge", "Data purge was cancelled: ?", "ID of the purge", ""},
		{"Purge", "Data purge was done: ?", "ID of the purge", ""},
	}
}

// catalogue has the rows of EventKinds by pattern.
var catalogue = func() map[Pattern]EventKind {
	known := map[Pattern]EventKind{}
	for _, k := range EventKinds() {
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
