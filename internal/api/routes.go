package api

// kind is the specification's word for what an endpoint stands for.
type kind byte

// The kinds of the specification's tables: C, R and A.
const (
	collection  kind = 'C'
	resource    kind = 'R'
	association kind = 'A'
)

// route is one row of THE table.
type route struct {
	method, path string // path without prefix and version
	kind         kind
	in           span   // the versions it exists in
	name         string // operation name, for permissions, metrics and OpenAPI
	summary      string
	serve        func(*API, *call) error
}

// span is the range of versions that have a row, and how it stands there.
type span struct {
	first, last  version
	isDeprecated bool   // answered with a Deprecation link
	isOpen       bool   // needs no key
	successor    string // what replaces it after the last version
}

// always is every version.
var always = span{first: oldest, last: latest}

// since and before are the versions from a change of the history on, and those before it.
func since(c *change) span  { return span{first: c.from, last: latest} }
func before(c *change) span { return span{first: oldest, last: c.from - 1} }

func (s span) deprecated() span            { s.isDeprecated = true; return s }
func (s span) open() span                  { s.isOpen = true; return s }
func (s span) replacedBy(what string) span { s.successor = what; return s }
func (s span) has(v version) bool          { return s.first <= v && v <= s.last }

// routes is THE table: everything the API answers. Every GET answers HEAD too. A literal segment is looked
// for before {id}.
var routes = []route{
	// Service and journal
	{"GET", "/version", resource, always.open(), "getVersion", "Current API version", (*API).getVersion},
	{"GET", "/ping", resource, always, "getPing", "Dummy call for testing authentication", (*API).getPing},
	{"GET", "/journal", collection, always, "listJournal", "List journal events", (*API).listJournal},

	// Applicants
	{"GET", "/applicants", collection, always, "listApplicants", "List applicants by filters", (*API).listApplicants},
	{"POST", "/applicants", collection, always, "createApplicant", "Create an applicant or lead and send a welcome email", (*API).createApplicant},
	{"GET", "/applicants/{id}", resource, always, "getApplicant", "One applicant", (*API).getApplicant},
	{"GET", "/applicants/{id}/photo", resource, always, "getApplicantPhoto", "Photo, image/jpeg", (*API).getApplicantPhoto},
	{"GET", "/applicants/{id}/consents", collection, always, "listApplicantConsents", "Consents associated with the applicant", (*API).listApplicantConsents},
	{"GET", "/applicants/{id}/consents/{id}", association, always, "getApplicantConsent", "One consent association", (*API).getApplicantConsent},
	{"GET", "/applicants/{id}/emails", collection, always, "listApplicantEmails", "Emails sent to the applicant", (*API).listApplicantEmails},
	{"GET", "/applicants/{id}/emails/{id}", association, always, "getApplicantEmail", "One email", (*API).getApplicantEmail},
	{"GET", "/applicants/{id}/emails/{id}/attachments", collection, always, "listApplicantEmailAttachments", "Attachments of an email", (*API).listApplicantEmailAttachments},
	{"GET", "/applicants/{id}/emails/{id}/attachments/{id}", association, always, "getApplicantEmailAttachment", "One attachment, binary", (*API).getApplicantEmailAttachment},
	{"GET", "/applicants/{id}/trackers", collection, always, "listApplicantTrackers", "Tracker associations of the applicant", (*API).listApplicantTrackers},
	{"GET", "/applicants/{id}/trackers/{id}", association, always, "getApplicantTracker", "One tracker association", (*API).getApplicantTracker},
	{"PUT", "/applicants/{id}/trackers/{id}", association, always, "setApplicantTracker", "Set the tracker on the applicant", (*API).setApplicantTracker},
	{"DELETE", "/applicants/{id}/trackers/{id}", association, always, "deleteApplicantTracker", "Remove the tracker from the applicant", (*API).deleteApplicantTracker},
	{"GET", "/applicants/{id}/invoices", collection, always, "listApplicantInvoices", "Invoices of the applicant", (*API).listApplicantInvoices},
	{"GET", "/applicants/{id}/invoices/{id}", resource, always, "getApplicantInvoice", "One invoice", (*API).getApplicantInvoice},
	{"GET", "/applicants/{id}/wishes", collection, always, "listApplicantWishes", "Wishlist of the applicant", (*API).listApplicantWishes},
	{"GET", "/applicants/{id}/wishes/{id}", resource, always, "getApplicantWish", "One wishlist item", (*API).getApplicantWish},
	{"GET", "/applicants/{id}/applications", collection, always, "listApplicantApplications", "Applications of the applicant", (*API).listApplicantApplications},
	{"GET", "/applicants/{id}/applications/{id}", resource, always, "getApplicantApplication", "One application of the applicant", (*API).getApplicantApplication},
	{"GET", "/applicants/{id}/reference", resource, always, "getApplicantReference", "Read the reference code", (*API).getApplicantReference},
	{"PUT", "/applicants/{id}/reference", resource, always, "setApplicantReference", "Set the reference code", (*API).setApplicantReference},
	{"GET", "/applicants/{id}/matriculation", resource, always, "getApplicantMatriculation", "Read the matriculation number", (*API).getApplicantMatriculation},
	{"PUT", "/applicants/{id}/matriculation", resource, always, "setApplicantMatriculation", "Set the matriculation number", (*API).setApplicantMatriculation},
	{"GET", "/applicants/{id}/notes", resource, always, "listApplicantNotes", "Read notes", (*API).listApplicantNotes},
	{"POST", "/applicants/{id}/notes", resource, since(notesCollection), "createApplicantNote", "Create a note", (*API).createApplicantNote},
	{"PUT", "/applicants/{id}/notes", resource, before(notesCollection).replacedBy("POST on the same path"), "replaceApplicantNotes", "Replace all notes by one", (*API).replaceApplicantNotes},
	{"PATCH", "/applicants/{id}/notes", resource, before(notesCollection).replacedBy("POST on the same path"), "addApplicantNoteText", "Add a note", (*API).addApplicantNoteText},
	{"PATCH", "/applicants/{id}/notes", resource, since(notesCollection).deprecated().replacedBy("POST on the same path"), "addApplicantNote", "Add a note (deprecated; use POST)", (*API).addApplicantNote},
	{"GET", "/applicants/{id}/documents", collection, before(noApplicantFiles).replacedBy("/applications/{id}/documents"), "listApplicantDocuments", "Documents of the applicant, over all applications", (*API).listApplicantDocuments},
	{"GET", "/applicants/{id}/documents/{id}", resource, before(noApplicantFiles).replacedBy("/applications/{id}/documents/{id}"), "getApplicantDocument", "One document, binary", (*API).getApplicantDocument},
	{"GET", "/applicants/{id}/studyplans", collection, before(emptyOmitted), "listApplicantStudyPlans", "Study plans of the applicant", (*API).listApplicantStudyPlans},
	{"GET", "/applicants/{id}/studyplans/{id}", resource, before(emptyOmitted), "getApplicantStudyPlan", "One study plan", (*API).getApplicantStudyPlan},
	{"GET", "/applicants/consents", collection, always, "listApplicantsConsents", "All consents", (*API).listApplicantsConsents},
	{"GET", "/applicants/consents/{id}", resource, always, "getApplicantsConsent", "One consent", (*API).getApplicantsConsent},
	{"GET", "/applicants/trackers", collection, always, "listApplicantsTrackers", "List all trackers", (*API).listApplicantsTrackers},
	{"POST", "/applicants/trackers", collection, always, "createApplicantsTracker", "Create a tracker", (*API).createApplicantsTracker},
	{"GET", "/applicants/trackers/{id}", resource, always, "getApplicantsTracker", "One tracker", (*API).getApplicantsTracker},
	{"DELETE", "/applicants/trackers/{id}", resource, always, "deleteApplicantsTracker", "Delete a tracker and remove it from all applicants", (*API).deleteApplicantsTracker},

	// Applications
	{"GET", "/applications", collection, always, "listApplications", "Applications matching filters", (*API).listApplications},
	{"GET", "/applications/{id}", resource, always, "getApplication", "Application contents", (*API).getApplication},
	{"GET", "/applications/{id}/courses", collection, always, "listApplicationCourses", "Courses added to the application", (*API).listApplicationCourses},
	{"GET", "/applications/{id}/courses/{id}", association, always, "getApplicationCourse", "One course association", (*API).getApplicationCourse},
	{"GET", "/applications/{id}/flags", collection, always, "listApplicationFlags", "Flags set on the application", (*API).listApplicationFlags},
	{"GET", "/applications/{id}/flags/{id}", association, always, "getApplicationFlag", "One flag association", (*API).getApplicationFlag},
	{"PUT", "/applications/{id}/flags/{id}", association, always, "setApplicationFlag", "Set the flag on the application", (*API).setApplicationFlag},
	{"DELETE", "/applications/{id}/flags/{id}", association, always, "deleteApplicationFlag", "Remove the flag from the application", (*API).deleteApplicationFlag},
	{"GET", "/applications/{id}/offers", collection, always, "listApplicationOffers", "Offers of the application", (*API).listApplicationOffers},
	{"GET", "/applications/{id}/offers/{id}", resource, always, "getApplicationOffer", "One offer", (*API).getApplicationOffer},
	{"GET", "/applications/{id}/offers/{id}/type", resource, always, "getApplicationOfferType", "Read the offer type", (*API).getApplicationOfferType},
	{"PUT", "/applications/{id}/offers/{id}/type", resource, always, "setApplicationOfferType", "Set the offer type", (*API).setApplicationOfferType},
	{"GET", "/applications/{id}/offers/{id}/subject", resource, always, "getApplicationOfferSubject", "Read the subject line", (*API).getApplicationOfferSubject},
	{"PUT", "/applications/{id}/offers/{id}/subject", resource, always, "setApplicationOfferSubject", "Set the subject line", (*API).setApplicationOfferSubject},
	{"GET", "/applications/{id}/offers/{id}/comments", resource, always, "getApplicationOfferComments", "Read the offer letter text", (*API).getApplicationOfferComments},
	{"PUT", "/applications/{id}/offers/{id}/comments", resource, always, "setApplicationOfferComments", "Set the offer letter text", (*API).setApplicationOfferComments},
	{"GET", "/applications/{id}/offers/{id}/attachments", resource, always, "listApplicationOfferAttachments", "Offer attachments", (*API).listApplicationOfferAttachments},
	{"GET", "/applications/{id}/offers/{id}/attachments/{id}", resource, always, "getApplicationOfferAttachment", "One offer attachment", (*API).getApplicationOfferAttachment},
	{"GET", "/applications/{id}/offers/{id}/attachments/{id}/download", resource, always, "getApplicationOfferAttachmentDownload", "Attachment binary", (*API).getApplicationOfferAttachmentDownload},
	{"GET", "/applications/{id}/offers/{id}/letters", resource, always, "listApplicationOfferLetters", "Offer letters", (*API).listApplicationOfferLetters},
	{"GET", "/applications/{id}/offers/{id}/letters/{id}", resource, always, "getApplicationOfferLetter", "One offer letter", (*API).getApplicationOfferLetter},
	{"POST", "/applications/{id}/offers/{id}/confirm", resource, always, "confirmOffer", "Confirm the offer", (*API).confirmOffer},
	{"GET", "/applications/{id}/offers/{id}/decision", resource, always, "getApplicationOfferDecision", "Read the decision", (*API).getApplicationOfferDecision},
	{"PUT", "/applications/{id}/offers/{id}/decision", resource, always, "setApplicationOfferDecision", "Set the decision", (*API).setApplicationOfferDecision},
	{"GET", "/applications/{id}/offers/{id}/notes", resource, always, "listApplicationOfferNotes", "Read notes", (*API).listApplicationOfferNotes},
	{"POST", "/applications/{id}/offers/{id}/notes", resource, since(notesCollection), "createApplicationOfferNote", "Create a note", (*API).createApplicationOfferNote},
	{"PUT", "/applications/{id}/offers/{id}/notes", resource, before(notesCollection).replacedBy("POST on the same path"), "replaceApplicationOfferNotes", "Replace all notes by one", (*API).replaceApplicationOfferNotes},
	{"PATCH", "/applications/{id}/offers/{id}/notes", resource, before(notesCollection).replacedBy("POST on the same path"), "addApplicationOfferNoteText", "Add a note", (*API).addApplicationOfferNoteText},
	{"PATCH", "/applications/{id}/offers/{id}/notes", resource, since(notesCollection).deprecated().replacedBy("POST on the same path"), "addApplicationOfferNote", "Add a note (deprecated; use POST)", (*API).addApplicationOfferNote},
	{"GET", "/applications/{id}/offers/{id}/score/extra", resource, always, "getApplicationOfferScoreExtra", "Read the extra score", (*API).getApplicationOfferScoreExtra},
	{"PUT", "/applications/{id}/offers/{id}/score/extra", resource, always, "setApplicationOfferScoreExtra", "Set the extra score", (*API).setApplicationOfferScoreExtra},
	{"DELETE", "/applications/{id}/offers/{id}/score/extra", resource, always, "deleteApplicationOfferScoreExtra", "Clear the extra score", (*API).deleteApplicationOfferScoreExtra},
	{"GET", "/applications/{id}/tasks", collection, always, "listApplicationTasks", "Tasks of the application", (*API).listApplicationTasks},
	{"GET", "/applications/{id}/tasks/{id}", resource, always, "getApplicationTask", "One task", (*API).getApplicationTask},
	{"GET", "/applications/{id}/tasks/{id}/status", resource, always, "getApplicationTaskStatus", "Read the task status", (*API).getApplicationTaskStatus},
	{"PUT", "/applications/{id}/tasks/{id}/status", resource, always, "setApplicationTaskStatus", "Set the task status", (*API).setApplicationTaskStatus},
	{"GET", "/applications/{id}/exports", collection, always, "listApplicationExports", "Exports generated from the application", (*API).listApplicationExports},
	{"GET", "/applications/{id}/exports/{id}", resource, always, "getApplicationExport", "One export", (*API).getApplicationExport},
	{"GET", "/applications/{id}/exports/{id}/blobs", collection, always, "listApplicationExportBlobs", "Downloadable files of the export", (*API).listApplicationExportBlobs},
	{"GET", "/applications/{id}/exports/{id}/blobs/{blob}", resource, always, "getApplicationExportBlob", "One downloadable file", (*API).getApplicationExportBlob},
	{"GET", "/applications/{id}/documents", collection, always, "listApplicationDocuments", "Documents attached to the application", (*API).listApplicationDocuments},
	{"GET", "/applications/{id}/documents/{id}", resource, always, "getApplicationDocument", "One document, binary", (*API).getApplicationDocument},
	{"GET", "/applications/{id}/scores", collection, always, "listApplicationScores", "Scores of the application", (*API).listApplicationScores},
	{"GET", "/applications/{id}/pdf", collection, always, "getApplicationPdf", "PDF printout of the application", (*API).getApplicationPdf},
	{"GET", "/applications/{id}/invoices", collection, always, "listApplicationInvoices", "List invoices", (*API).listApplicationInvoices},
	{"POST", "/applications/{id}/invoices", collection, always, "createApplicationInvoice", "Create an invoice for the application", (*API).createApplicationInvoice},
	{"GET", "/applications/{id}/invoices/{id}", resource, always, "getApplicationInvoice", "One application invoice", (*API).getApplicationInvoice},
	{"GET", "/applications/{id}/studyplans", collection, before(emptyOmitted), "listApplicationStudyPlans", "Study plans of the application", (*API).listApplicationStudyPlans},
	{"GET", "/applications/{id}/studyplans/{id}", resource, before(emptyOmitted), "getApplicationStudyPlan", "One study plan", (*API).getApplicationStudyPlan},
	{"GET", "/applications/flags", collection, always, "listApplicationsFlags", "List all flags", (*API).listApplicationsFlags},
	{"POST", "/applications/flags", collection, always, "createApplicationsFlag", "Create a flag", (*API).createApplicationsFlag},
	{"GET", "/applications/flags/{id}", resource, always, "getApplicationsFlag", "One flag", (*API).getApplicationsFlag},
	{"DELETE", "/applications/flags/{id}", resource, always, "deleteApplicationsFlag", "Delete a flag and remove it from all applications", (*API).deleteApplicationsFlag},
	{"GET", "/applications/statuses", resource, always, "getApplicationsStatuses", "All application statuses", (*API).getApplicationsStatuses},
	{"GET", "/applications/offers/types", resource, always, "listApplicationsOffersTypes", "All offer types (keyed by ID from version 4)", (*API).listApplicationsOffersTypes},
	{"GET", "/applications/offers/types/{id}", resource, since(offerTypesByID), "getApplicationsOffersType", "One offer type", (*API).getApplicationsOffersType},

	// Reference data, finance, scoring, reporting
	{"GET", "/institutions", collection, always, "listInstitutions", "Institutions by filters", (*API).listInstitutions},
	{"GET", "/institutions/{id}", resource, always, "getInstitution", "One institution", (*API).getInstitution},
	{"GET", "/institutions/{id}/departments", collection, always, "listInstitutionDepartments", "Departments of the institution", (*API).listInstitutionDepartments},
	{"GET", "/institutions/{id}/departments/{id}", resource, always, "getInstitutionDepartment", "One department", (*API).getInstitutionDepartment},
	{"GET", "/courses", collection, always, "listCourses", "List courses by filters", (*API).listCourses},
	{"POST", "/courses", collection, always, "createCourse", "Create a blank course", (*API).createCourse},
	{"GET", "/courses/{id}", resource, always, "getCourse", "One course", (*API).getCourse},
	{"GET", "/intakes", resource, always, "listIntakes", "Configured intakes", (*API).listIntakes},
	{"GET", "/intakes/{id}", resource, always, "getIntake", "One intake", (*API).getIntake},
	{"GET", "/invoices", collection, always, "listInvoices", "All issued invoices", (*API).listInvoices},
	{"GET", "/invoices/{id}", resource, always, "getInvoice", "One invoice", (*API).getInvoice},
	{"DELETE", "/invoices/{id}", resource, always, "deleteInvoice", "Delete an invoice", (*API).deleteInvoice},
	{"GET", "/invoices/{id}/transactions", collection, always, "listInvoiceTransactions", "List transactions of the invoice", (*API).listInvoiceTransactions},
	{"POST", "/invoices/{id}/transactions", collection, always, "createInvoiceTransaction", "Create a transaction (collect the invoice)", (*API).createInvoiceTransaction},
	{"GET", "/invoices/{id}/transactions/{id}", resource, always, "getInvoiceTransaction", "One transaction", (*API).getInvoiceTransaction},
	{"GET", "/invoices/series", resource, always, "getInvoicesSeries", "Invoice series", (*API).getInvoicesSeries},
	{"GET", "/invoices/transactions", collection, always, "listInvoicesTransactions", "All transactions", (*API).listInvoicesTransactions},
	{"GET", "/invoices/transactions/{id}", resource, always, "getInvoicesTransaction", "One transaction", (*API).getInvoicesTransaction},
	{"GET", "/academic-terms", resource, always, "listAcademicTerms", "All academic terms", (*API).listAcademicTerms},
	{"GET", "/academic-terms/{id}", resource, always, "getAcademicTerm", "One academic term", (*API).getAcademicTerm},
	{"GET", "/academic-terms/types", resource, always, "listAcademicTermsTypes", "All academic term types", (*API).listAcademicTermsTypes},
	{"GET", "/academic-terms/types/{id}", resource, always, "getAcademicTermsType", "One term type", (*API).getAcademicTermsType},
	{"GET", "/academic-years", resource, always, "listAcademicYears", "All academic years", (*API).listAcademicYears},
	{"GET", "/academic-years/{year}", resource, always, "getAcademicYear", "One academic year", (*API).getAcademicYear},
	{"GET", "/classificators", resource, always, "getClassificators", "System classificators", (*API).getClassificators},
	{"GET", "/reports", collection, always, "listReports", "Available reports", (*API).listReports},
	{"GET", "/reports/{report_name}", resource, always, "getReport", "Data of one report", (*API).getReport},
	{"GET", "/scoresheets", collection, always, "listScoresheets", "All scoresheets", (*API).listScoresheets},
	{"GET", "/scoresheets/{id}", resource, always, "getScoresheet", "One scoresheet", (*API).getScoresheet},
	{"GET", "/scoresheets/{id}/scores", collection, always, "listScoresheetScores", "List scores", (*API).listScoresheetScores},
	{"POST", "/scoresheets/{id}/scores", collection, always, "createScoresheetScore", "Append an application for scoring", (*API).createScoresheetScore},
	{"GET", "/scoresheets/{id}/scores/{id}", resource, always, "getScoresheetScore", "One score", (*API).getScoresheetScore},
	{"GET", "/scoresheets/{id}/scores/{id}/points", resource, always, "getScoresheetScorePoints", "Read the points", (*API).getScoresheetScorePoints},
	{"PUT", "/scoresheets/{id}/scores/{id}/points", resource, always, "setScoresheetScorePoints", "Set the points", (*API).setScoresheetScorePoints},
	{"DELETE", "/scoresheets/{id}/scores/{id}/points", resource, always, "deleteScoresheetScorePoints", "Clear the points", (*API).deleteScoresheetScorePoints},
	{"GET", "/scoresheets/{id}/scores/{id}/comments", resource, always, "getScoresheetScoreComments", "Read the comments", (*API).getScoresheetScoreComments},
	{"PUT", "/scoresheets/{id}/scores/{id}/comments", resource, always, "setScoresheetScoreComments", "Set the comments", (*API).setScoresheetScoreComments},
	{"DELETE", "/scoresheets/{id}/scores/{id}/comments", resource, always, "deleteScoresheetScoreComments", "Clear the comments", (*API).deleteScoresheetScoreComments},
	{"GET", "/tableviews", collection, always, "listTableviews", "Tableviews created in the admin interface", (*API).listTableviews},
	{"GET", "/tableviews/{id}", resource, always, "getTableview", "One tableview", (*API).getTableview},
	{"GET", "/tableviews/{id}/tabledata", resource, always, "getTableviewTabledata", "CSV data of the tableview", (*API).getTableviewTabledata},
	{"GET", "/administrators", resource, always, "listAdministrators", "All administrators", (*API).listAdministrators},
	{"GET", "/administrators/{id}", resource, always, "getAdministrator", "One administrator", (*API).getAdministrator},

	// Rankings
	{"GET", "/rankings", collection, since(rankingsAdded), "listRankings", "Rankings by filters", (*API).listRankings},
	{"GET", "/rankings/{id}", resource, since(rankingsAdded), "getRanking", "One ranking", (*API).getRanking},
	{"GET", "/rankings/{id}/entries", collection, since(rankingsAdded), "listRankingEntries", "Entries of the ranking", (*API).listRankingEntries},

	// Extensions that records link to
	{"GET", "/applications/{id}/tasks/{id}/documents", collection, since(extensionsAdded), "listApplicationTaskDocuments", "Documents of the task", (*API).listApplicationTaskDocuments},
	{"GET", "/applications/{id}/tasks/{id}/documents/{id}", resource, since(extensionsAdded), "getApplicationTaskDocument", "One document, binary", (*API).getApplicationTaskDocument},
	{"POST", "/applications", collection, since(extensionsAdded), "createApplication", "Create an application, or add a course to the one of the term", (*API).createApplication},
	{"POST", "/applicants/{id}/applications", collection, since(extensionsAdded), "createApplicantApplication", "Create an application of the applicant, or add a course to the one of the term", (*API).createApplicantApplication},
	{"POST", "/applications/{id}/freeze", resource, always, "freezeApplication", "Keep the applicant from changing what is there", (*API).freezeApplication},
	{"POST", "/applications/{id}/unfreeze", resource, always, "unfreezeApplication", "Let the applicant change everything again", (*API).unfreezeApplication},
	{"POST", "/applications/{id}/close", resource, always, "closeApplication", "Close the application", (*API).closeApplication},
	{"POST", "/applications/{id}/courses", collection, since(extensionsAdded), "createApplicationCourse", "Add a course to the application", (*API).createApplicationCourse},
	{"DELETE", "/applications/{id}/courses/{id}", association, since(extensionsAdded), "deleteApplicationCourse", "Remove the course from the application", (*API).deleteApplicationCourse},
	{"GET", "/applications/{id}/courses/{id}/priority", resource, since(extensionsAdded), "getApplicationCoursePriority", "Read the priority", (*API).getApplicationCoursePriority},
	{"PUT", "/applications/{id}/courses/{id}/priority", resource, since(extensionsAdded), "setApplicationCoursePriority", "Set the priority", (*API).setApplicationCoursePriority},
	{"GET", "/letterheads", collection, always, "listLetterheads", "All letterheads", (*API).listLetterheads},
	{"GET", "/letterheads/{id}", resource, always, "getLetterhead", "One letterhead", (*API).getLetterhead},
	{"GET", "/purged-resources", collection, since(extensionsAdded), "listPurgedResources", "Objects erased for good", (*API).listPurgedResources},
	{"GET", "/logins", collection, always, "listLogins", "Sign-ins of administrators", (*API).listLogins},
	{"GET", "/fees", collection, always, "listFees", "All fees", (*API).listFees},
	{"GET", "/fees/{id}", resource, always, "getFee", "One fee", (*API).getFee},
	{"GET", "/fees/{id}/amounts", collection, always, "listFeeAmounts", "Amounts of the fee by territory", (*API).listFeeAmounts},
	{"GET", "/fees/{id}/amounts/{territory}", resource, always, "getFeeAmount", "The amount for a territory", (*API).getFeeAmount},
	{"PATCH", "/applications/{id}", resource, since(extensionsAdded), "patchApplication", "Change the content of the application (JSON merge patch)", (*API).patchApplication},
	{"POST", "/applications/{id}/documents", collection, since(extensionsAdded), "createApplicationDocument", "Upload a document", (*API).createApplicationDocument},
	{"GET", "/applications/{id}/documents/zip", resource, always, "getApplicationDocumentsZip", "All documents, application/zip", (*API).getApplicationDocumentsZip},
	{"POST", "/applications/{id}/tasks/{id}/documents", collection, since(extensionsAdded), "createApplicationTaskDocument", "Upload a document for the task", (*API).createApplicationTaskDocument},
	{"GET", "/applications/{id}/tasks/{id}/documents/zip", resource, since(extensionsAdded), "getApplicationTaskDocumentsZip", "All documents of the task, application/zip", (*API).getApplicationTaskDocumentsZip},
	{"POST", "/applications/{id}/offers/{id}/letters", resource, always, "createApplicationOfferLetter", "Make a letter of the offer", (*API).createApplicationOfferLetter},
	{"GET", "/applications/{id}/offers/{id}/reason/reason", resource, always, "getApplicationOfferReason", "Read the reason", (*API).getApplicationOfferReason},
	{"PUT", "/applications/{id}/offers/{id}/reason/reason", resource, always, "setApplicationOfferReason", "Set the reason", (*API).setApplicationOfferReason},
	{"PUT", "/scoresheets/{id}/scores/{id}", resource, since(extensionsAdded), "setScoresheetScore", "Set all fields of the score", (*API).setScoresheetScore},
	{"PATCH", "/scoresheets/{id}/scores/{id}", resource, since(extensionsAdded), "updateScoresheetScore", "Set some fields of the score", (*API).updateScoresheetScore},
	{"GET", "/scoresheets/{id}/scores/{id}/date", resource, always, "getScoresheetScoreDate", "Read the date", (*API).getScoresheetScoreDate},
	{"PUT", "/scoresheets/{id}/scores/{id}/date", resource, always, "setScoresheetScoreDate", "Set the date", (*API).setScoresheetScoreDate},
	{"DELETE", "/scoresheets/{id}/scores/{id}/date", resource, always, "deleteScoresheetScoreDate", "Clear the date", (*API).deleteScoresheetScoreDate},
	{"GET", "/scoresheets/{id}/scores/{id}/reference", resource, always, "getScoresheetScoreReference", "Read the reference", (*API).getScoresheetScoreReference},
	{"PUT", "/scoresheets/{id}/scores/{id}/reference", resource, always, "setScoresheetScoreReference", "Set the reference", (*API).setScoresheetScoreReference},
	{"DELETE", "/scoresheets/{id}/scores/{id}/reference", resource, always, "deleteScoresheetScoreReference", "Clear the reference", (*API).deleteScoresheetScoreReference},
	{"GET", "/scoresheets/{id}/scores/{id}/subject", resource, always, "getScoresheetScoreSubject", "Read the subject", (*API).getScoresheetScoreSubject},
	{"PUT", "/scoresheets/{id}/scores/{id}/subject", resource, always, "setScoresheetScoreSubject", "Set the subject", (*API).setScoresheetScoreSubject},
	{"DELETE", "/scoresheets/{id}/scores/{id}/subject", resource, always, "deleteScoresheetScoreSubject", "Clear the subject", (*API).deleteScoresheetScoreSubject},
	{"GET", "/scoresheets/{id}/scores/{id}/language", resource, always, "getScoresheetScoreLanguage", "Read the language", (*API).getScoresheetScoreLanguage},
	{"PUT", "/scoresheets/{id}/scores/{id}/language", resource, always, "setScoresheetScoreLanguage", "Set the language", (*API).setScoresheetScoreLanguage},
	{"DELETE", "/scoresheets/{id}/scores/{id}/language", resource, always, "deleteScoresheetScoreLanguage", "Clear the language", (*API).deleteScoresheetScoreLanguage},
	{"DELETE", "/applicants/{id}/notes", resource, always, "deleteApplicantNotes", "Remove all notes", (*API).deleteApplicantNotes},
	{"GET", "/applicants/{id}/notes/{id}", resource, since(notesCollection), "getApplicantNote", "One note", (*API).getApplicantNote},
	{"PUT", "/applicants/{id}/notes/{id}", resource, since(notesCollection), "setApplicantNote", "Replace the text of a note", (*API).setApplicantNote},
	{"DELETE", "/applications/{id}/offers/{id}/notes", resource, always, "deleteApplicationOfferNotes", "Remove all notes", (*API).deleteApplicationOfferNotes},
	{"GET", "/applications/{id}/offers/{id}/notes/{id}", resource, since(notesCollection), "getApplicationOfferNote", "One note", (*API).getApplicationOfferNote},
	{"PUT", "/applications/{id}/offers/{id}/notes/{id}", resource, since(notesCollection), "setApplicationOfferNote", "Replace the text of a note", (*API).setApplicationOfferNote},
	{"DELETE", "/applications/{id}/tasks/{id}", resource, since(extensionsAdded), "deleteApplicationTask", "Delete a task", (*API).deleteApplicationTask},
	{"POST", "/applicants/{id}/invoices", collection, always, "createApplicantInvoice", "Create an invoice for the applicant", (*API).createApplicantInvoice},
	{"POST", "/applicants/{id}/emails", collection, always, "createApplicantEmail", "Send a message to the applicant", (*API).createApplicantEmail},
}
