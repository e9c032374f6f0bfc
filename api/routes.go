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
	serve        func(*API, *call) error // nil: not built yet
}

// span is the range of versions that have a row, and how it stands there.
type span struct {
	first, last  version
	isDeprecated bool   // answered with a Deprecation link
	isOpen       bool   // needs no key
	successor    string // what replaces it after the last version
}

// always is every version.
var always = span{first: 1, last: latest}

// since and before are the versions from a change of the history on, and those before it.
func since(c *change) span  { return span{first: c.from, last: latest} }
func before(c *change) span { return span{first: 1, last: c.from - 1} }

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
	{"GET", "/applicants/{id}/photo", resource, always, "getApplicantPhoto", "Photo, image/jpeg", nil},
	{"GET", "/applicants/{id}/consents", collection, always, "listApplicantConsents", "Consents associated with the applicant", nil},
	{"GET", "/applicants/{id}/consents/{id}", association, always, "getApplicantConsent", "One consent association", nil},
	{"GET", "/applicants/{id}/emails", collection, always, "listApplicantEmails", "Emails sent to the applicant", nil},
	{"GET", "/applicants/{id}/emails/{id}", association, always, "getApplicantEmail", "One email", nil},
	{"GET", "/applicants/{id}/emails/{id}/attachments", collection, always, "listApplicantEmailAttachments", "Attachments of an email", nil},
	{"GET", "/applicants/{id}/emails/{id}/attachments/{id}", association, always, "getApplicantEmailAttachment", "One attachment, binary", nil},
	{"GET", "/applicants/{id}/trackers", collection, always, "listApplicantTrackers", "Tracker associations of the applicant", (*API).listApplicantTrackers},
	{"GET", "/applicants/{id}/trackers/{id}", association, always, "getApplicantTracker", "One tracker association", (*API).getApplicantTracker},
	{"PUT", "/applicants/{id}/trackers/{id}", association, always, "setApplicantTracker", "Set the tracker on the applicant", (*API).setApplicantTracker},
	{"DELETE", "/applicants/{id}/trackers/{id}", association, always, "deleteApplicantTracker", "Remove the tracker from the applicant", (*API).deleteApplicantTracker},
	{"GET", "/applicants/{id}/invoices", collection, always, "listApplicantInvoices", "Invoices of the applicant", nil},
	{"GET", "/applicants/{id}/invoices/{id}", resource, always, "getApplicantInvoice", "One invoice", nil},
	{"GET", "/applicants/{id}/wishes", collection, always, "listApplicantWishes", "Wishlist of the applicant", nil},
	{"GET", "/applicants/{id}/wishes/{id}", resource, always, "getApplicantWish", "One wishlist item", nil},
	{"GET", "/applicants/{id}/applications", collection, always, "listApplicantApplications", "Applications of the applicant", nil},
	{"GET", "/applicants/{id}/applications/{id}", resource, always, "getApplicantApplication", "One application of the applicant", nil},
	{"GET", "/applicants/{id}/reference", resource, always, "getApplicantReference", "Read the reference code", (*API).getApplicantReference},
	{"PUT", "/applicants/{id}/reference", resource, always, "setApplicantReference", "Set the reference code", (*API).setApplicantReference},
	{"GET", "/applicants/{id}/matriculation", resource, always, "getApplicantMatriculation", "Read the matriculation number", (*API).getApplicantMatriculation},
	{"PUT", "/applicants/{id}/matriculation", resource, always, "setApplicantMatriculation", "Set the matriculation number", (*API).setApplicantMatriculation},
	{"GET", "/applicants/{id}/notes", resource, always, "listApplicantNotes", "Read notes", nil},
	{"POST", "/applicants/{id}/notes", resource, since(notesCollection), "createApplicantNote", "Create a note", nil},
	{"PUT", "/applicants/{id}/notes", resource, before(notesCollection).replacedBy("POST on the same path"), "replaceApplicantNotes", "Replace all notes by one", nil},
	{"PATCH", "/applicants/{id}/notes", resource, before(notesCollection).replacedBy("POST on the same path"), "addApplicantNoteText", "Add a note", nil},
	{"PATCH", "/applicants/{id}/notes", resource, since(notesCollection).deprecated(), "addApplicantNote", "Add a note (deprecated; use POST)", nil},
	{"GET", "/applicants/{id}/documents", collection, before(noApplicantFiles).replacedBy("/applications/{id}/documents"), "listApplicantDocuments", "Documents of the applicant, over all applications", nil},
	{"GET", "/applicants/{id}/documents/{id}", resource, before(noApplicantFiles).replacedBy("/applications/{id}/documents/{id}"), "getApplicantDocument", "One document, binary", nil},
	{"GET", "/applicants/{id}/studyplans", collection, before(emptyOmitted), "listApplicantStudyPlans", "Study plans of the applicant", nil},
	{"GET", "/applicants/{id}/studyplans/{id}", resource, before(emptyOmitted), "getApplicantStudyPlan", "One study plan", nil},
	{"GET", "/applicants/consents", collection, always, "listApplicantsConsents", "All consents", nil},
	{"GET", "/applicants/consents/{id}", resource, always, "getApplicantsConsent", "One consent", nil},
	{"GET", "/applicants/trackers", collection, always, "listApplicantsTrackers", "List all trackers", (*API).listApplicantsTrackers},
	{"POST", "/applicants/trackers", collection, always, "createApplicantsTracker", "Create a tracker", (*API).createApplicantsTracker},
	{"GET", "/applicants/trackers/{id}", resource, always, "getApplicantsTracker", "One tracker", (*API).getApplicantsTracker},
	{"DELETE", "/applicants/trackers/{id}", resource, always, "deleteApplicantsTracker", "Delete a tracker and remove it from all applicants", (*API).deleteApplicantsTracker},

	// Applications
	{"GET", "/applications", collection, always, "listApplications", "Applications matching filters", nil},
	{"GET", "/applications/{id}", resource, always, "getApplication", "Application contents", nil},
	{"GET", "/applications/{id}/courses", collection, always, "listApplicationCourses", "Courses added to the application", nil},
	{"GET", "/applications/{id}/courses/{id}", association, always, "getApplicationCourse", "One course association", nil},
	{"GET", "/applications/{id}/flags", collection, always, "listApplicationFlags", "Flags set on the application", nil},
	{"GET", "/applications/{id}/flags/{id}", association, always, "getApplicationFlag", "One flag association", nil},
	{"PUT", "/applications/{id}/flags/{id}", association, always, "setApplicationFlag", "Set the flag on the application", nil},
	{"DELETE", "/applications/{id}/flags/{id}", association, always, "deleteApplicationFlag", "Remove the flag from the application", nil},
	{"GET", "/applications/{id}/offers", collection, always, "listApplicationOffers", "Offers of the application", nil},
	{"GET", "/applications/{id}/offers/{id}", resource, always, "getApplicationOffer", "One offer", nil},
	{"GET", "/applications/{id}/offers/{id}/type", resource, always, "getApplicationOfferType", "Read the offer type", nil},
	{"PUT", "/applications/{id}/offers/{id}/type", resource, always, "setApplicationOfferType", "Set the offer type", nil},
	{"GET", "/applications/{id}/offers/{id}/subject", resource, always, "getApplicationOfferSubject", "Read the subject line", nil},
	{"PUT", "/applications/{id}/offers/{id}/subject", resource, always, "setApplicationOfferSubject", "Set the subject line", nil},
	{"GET", "/applications/{id}/offers/{id}/comments", resource, always, "getApplicationOfferComments", "Read the offer letter text", nil},
	{"PUT", "/applications/{id}/offers/{id}/comments", resource, always, "setApplicationOfferComments", "Set the offer letter text", nil},
	{"GET", "/applications/{id}/offers/{id}/attachments", resource, always, "listApplicationOfferAttachments", "Offer attachments", nil},
	{"GET", "/applications/{id}/offers/{id}/attachments/{id}", resource, always, "getApplicationOfferAttachment", "One offer attachment", nil},
	{"GET", "/applications/{id}/offers/{id}/attachments/{id}/download", resource, always, "getApplicationOfferAttachmentDownload", "Attachment binary", nil},
	{"GET", "/applications/{id}/offers/{id}/letters", resource, always, "listApplicationOfferLetters", "Offer letters", nil},
	{"GET", "/applications/{id}/offers/{id}/letters/{id}", resource, always, "getApplicationOfferLetter", "One offer letter", nil},
	{"POST", "/applications/{id}/offers/{id}/confirm", resource, always, "confirmOffer", "Confirm the offer", nil},
	{"GET", "/applications/{id}/offers/{id}/decision", resource, always, "getApplicationOfferDecision", "Read the decision", nil},
	{"PUT", "/applications/{id}/offers/{id}/decision", resource, always, "setApplicationOfferDecision", "Set the decision", nil},
	{"GET", "/applications/{id}/offers/{id}/notes", resource, always, "listApplicationOfferNotes", "Read notes", nil},
	{"POST", "/applications/{id}/offers/{id}/notes", resource, since(notesCollection), "createApplicationOfferNote", "Create a note", nil},
	{"PUT", "/applications/{id}/offers/{id}/notes", resource, before(notesCollection).replacedBy("POST on the same path"), "replaceApplicationOfferNotes", "Replace all notes by one", nil},
	{"PATCH", "/applications/{id}/offers/{id}/notes", resource, before(notesCollection).replacedBy("POST on the same path"), "addApplicationOfferNoteText", "Add a note", nil},
	{"PATCH", "/applications/{id}/offers/{id}/notes", resource, since(notesCollection).deprecated(), "addApplicationOfferNote", "Add a note (deprecated; use POST)", nil},
	{"GET", "/applications/{id}/offers/{id}/score/extra", resource, always, "getApplicationOfferScoreExtra", "Read the extra score", nil},
	{"PUT", "/applications/{id}/offers/{id}/score/extra", resource, always, "setApplicationOfferScoreExtra", "Set the extra score", nil},
	{"DELETE", "/applications/{id}/offers/{id}/score/extra", resource, always, "deleteApplicationOfferScoreExtra", "Clear the extra score", nil},
	{"GET", "/applications/{id}/tasks", collection, always, "listApplicationTasks", "Tasks of the application", nil},
	{"GET", "/applications/{id}/tasks/{id}", resource, always, "getApplicationTask", "One task", nil},
	{"GET", "/applications/{id}/tasks/{id}/status", resource, always, "getApplicationTaskStatus", "Read the task status", nil},
	{"PUT", "/applications/{id}/tasks/{id}/status", resource, always, "setApplicationTaskStatus", "Set the task status", nil},
	{"GET", "/applications/{id}/exports", collection, always, "listApplicationExports", "Exports generated from the application", nil},
	{"GET", "/applications/{id}/exports/{id}", resource, always, "getApplicationExport", "One export", nil},
	{"GET", "/applications/{id}/exports/{id}/blobs", collection, always, "listApplicationExportBlobs", "Downloadable files of the export", nil},
	{"GET", "/applications/{id}/exports/{id}/blobs/{blob}", resource, always, "getApplicationExportBlob", "One downloadable file", nil},
	{"GET", "/applications/{id}/documents", collection, always, "listApplicationDocuments", "Documents attached to the application", nil},
	{"GET", "/applications/{id}/documents/{id}", resource, always, "getApplicationDocument", "One document, binary", nil},
	{"GET", "/applications/{id}/scores", collection, always, "listApplicationScores", "Scores of the application", nil},
	{"GET", "/applications/{id}/pdf", collection, always, "getApplicationPdf", "PDF printout of the application", nil},
	{"GET", "/applications/{id}/invoices", collection, always, "listApplicationInvoices", "List invoices", nil},
	{"POST", "/applications/{id}/invoices", collection, always, "createApplicationInvoice", "Create an invoice for the application", nil},
	{"GET", "/applications/{id}/invoices/{id}", resource, always, "getApplicationInvoice", "One application invoice", nil},
	{"GET", "/applications/{id}/studyplans", collection, before(emptyOmitted), "listApplicationStudyPlans", "Study plans of the application", nil},
	{"GET", "/applications/{id}/studyplans/{id}", resource, before(emptyOmitted), "getApplicationStudyPlan", "One study plan", nil},
	{"GET", "/applications/flags", collection, always, "listApplicationsFlags", "List all flags", nil},
	{"POST", "/applications/flags", collection, always, "createApplicationsFlag", "Create a flag", nil},
	{"GET", "/applications/flags/{id}", resource, always, "getApplicationsFlag", "One flag", nil},
	{"DELETE", "/applications/flags/{id}", resource, always, "deleteApplicationsFlag", "Delete a flag and remove it from all applications", nil},
	{"GET", "/applications/statuses", resource, always, "getApplicationsStatuses", "All application statuses", nil},
	{"GET", "/applications/offers/types", resource, always, "listApplicationsOffersTypes", "All offer types (keyed by ID from version 4)", nil},
	{"GET", "/applications/offers/types/{id}", resource, since(offerTypesByID), "getApplicationsOffersType", "One offer type", nil},

	// Reference data, finance, scoring, reporting
	{"GET", "/institutions", collection, always, "listInstitutions", "Institutions by filters", nil},
	{"GET", "/institutions/{id}", resource, always, "getInstitution", "One institution", nil},
	{"GET", "/institutions/{id}/departments", collection, always, "listInstitutionDepartments", "Departments of the institution", nil},
	{"GET", "/institutions/{id}/departments/{id}", resource, always, "getInstitutionDepartment", "One department", nil},
	{"GET", "/courses", collection, always, "listCourses", "List courses by filters", nil},
	{"POST", "/courses", collection, always, "createCourse", "Create a blank course", nil},
	{"GET", "/courses/{id}", resource, always, "getCourse", "One course", nil},
	{"GET", "/intakes", resource, always, "listIntakes", "Configured intakes", nil},
	{"GET", "/intakes/{id}", resource, always, "getIntake", "One intake", nil},
	{"GET", "/invoices", collection, always, "listInvoices", "All issued invoices", nil},
	{"GET", "/invoices/{id}", resource, always, "getInvoice", "One invoice", nil},
	{"DELETE", "/invoices/{id}", resource, always, "deleteInvoice", "Delete an invoice", nil},
	{"GET", "/invoices/{id}/transactions", collection, always, "listInvoiceTransactions", "List transactions of the invoice", nil},
	{"POST", "/invoices/{id}/transactions", collection, always, "createInvoiceTransaction", "Create a transaction (collect the invoice)", nil},
	{"GET", "/invoices/{id}/transactions/{id}", resource, always, "getInvoiceTransaction", "One transaction", nil},
	{"GET", "/invoices/series", resource, always, "getInvoicesSeries", "Invoice series", nil},
	{"GET", "/invoices/transactions", collection, always, "listInvoicesTransactions", "All transactions", nil},
	{"GET", "/invoices/transactions/{id}", resource, always, "getInvoicesTransaction", "One transaction", nil},
	{"GET", "/academic-terms", resource, always, "listAcademicTerms", "All academic terms", nil},
	{"GET", "/academic-terms/{id}", resource, always, "getAcademicTerm", "One academic term", nil},
	{"GET", "/academic-terms/types", resource, always, "listAcademicTermsTypes", "All academic term types", nil},
	{"GET", "/academic-terms/types/{id}", resource, always, "getAcademicTermsType", "One term type", nil},
	{"GET", "/academic-years", resource, always, "listAcademicYears", "All academic years", nil},
	{"GET", "/academic-years/{year}", resource, always, "getAcademicYear", "One academic year", nil},
	{"GET", "/classificators", resource, always, "getClassificators", "System classificators", nil},
	{"GET", "/reports", collection, always, "listReports", "Available reports", nil},
	{"GET", "/reports/{report_name}", resource, always, "getReport", "Data of one report", nil},
	{"GET", "/scoresheets", collection, always, "listScoresheets", "All scoresheets", nil},
	{"GET", "/scoresheets/{id}", resource, always, "getScoresheet", "One scoresheet", nil},
	{"GET", "/scoresheets/{id}/scores", collection, always, "listScoresheetScores", "List scores", nil},
	{"POST", "/scoresheets/{id}/scores", collection, always, "createScoresheetScore", "Append an application for scoring", nil},
	{"GET", "/scoresheets/{id}/scores/{id}", resource, always, "getScoresheetScore", "One score", nil},
	{"GET", "/scoresheets/{id}/scores/{id}/points", resource, always, "getScoresheetScorePoints", "Read the points", nil},
	{"PUT", "/scoresheets/{id}/scores/{id}/points", resource, always, "setScoresheetScorePoints", "Set the points", nil},
	{"DELETE", "/scoresheets/{id}/scores/{id}/points", resource, always, "deleteScoresheetScorePoints", "Clear the points", nil},
	{"GET", "/scoresheets/{id}/scores/{id}/comments", resource, always, "getScoresheetScoreComments", "Read the comments", nil},
	{"PUT", "/scoresheets/{id}/scores/{id}/comments", resource, always, "setScoresheetScoreComments", "Set the comments", nil},
	{"DELETE", "/scoresheets/{id}/scores/{id}/comments", resource, always, "deleteScoresheetScoreComments", "Clear the comments", nil},
	{"GET", "/tableviews", collection, always, "listTableviews", "Tableviews created in the admin interface", nil},
	{"GET", "/tableviews/{id}", resource, always, "getTableview", "One tableview", nil},
	{"GET", "/tableviews/{id}/tabledata", resource, always, "getTableviewTabledata", "CSV data of the tableview", nil},
	{"GET", "/administrators", resource, always, "listAdministrators", "All administrators", nil},
	{"GET", "/administrators/{id}", resource, always, "getAdministrator", "One administrator", nil},

	// Rankings
	{"GET", "/rankings", collection, since(rankingsAdded), "listRankings", "Rankings by filters", nil},
	{"GET", "/rankings/{id}", resource, since(rankingsAdded), "getRanking", "One ranking", nil},
	{"GET", "/rankings/{id}/entries", collection, since(rankingsAdded), "listRankingEntries", "Entries of the ranking", nil},
}
