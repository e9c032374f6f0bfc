package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
)

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
	in           version.Span // the versions it exists in
	needs        admitto.Permissions
	name         string // operation name, for metrics and OpenAPI
	summary      string
	serve        func(*API, *call) error
}

// The spans of rows, under short names.
var always, since, before = version.Always, version.Since, version.Before

// needs is the permissions that the use cases of a row ask for (lifecycle.md 12.1); a test compares.
func needs(list ...admitto.Permission) admitto.Permissions { return admitto.PermissionsOf(list...) }

// signedIn is what a row needs that any key may call: it holds nothing about a person.
const signedIn admitto.Permissions = 0

// routes is THE table: everything the API answers. Every GET answers HEAD too. A literal segment is looked
// for before {id}.
var routes = []route{
	// Service and journal
	{"GET", "/version", resource, always.Open(), signedIn, "getVersion", "Current API version", (*API).getVersion},
	{"GET", "/ping", resource, always, signedIn, "getPing", "Dummy call for testing authentication", (*API).getPing},
	{"GET", "/journal", collection, always, needs(admitto.JournalView), "listJournal", "List journal events", (*API).listJournal},

	// Applicants
	{"GET", "/applicants", collection, always, needs(admitto.ApplicantsView), "listApplicants", "List applicants by filters", (*API).listApplicants},
	{"POST", "/applicants", collection, always, needs(admitto.ApplicantsView, admitto.ApplicantsEdit), "createApplicant", "Create an applicant or lead and send a welcome email", (*API).createApplicant},
	{"GET", "/applicants/{id}", resource, always, needs(admitto.ApplicantsView), "getApplicant", "One applicant", (*API).getApplicant},
	{"GET", "/applicants/{id}/photo", resource, always, needs(admitto.ApplicantsView), "getApplicantPhoto", "Photo, image/jpeg", (*API).getApplicantPhoto},
	{"GET", "/applicants/{id}/consents", collection, always, needs(admitto.ApplicantsView), "listApplicantConsents", "Consents associated with the applicant", (*API).listApplicantConsents},
	{"GET", "/applicants/{id}/consents/{id}", association, always, needs(admitto.ApplicantsView), "getApplicantConsent", "One consent association", (*API).getApplicantConsent},
	{"GET", "/applicants/{id}/emails", collection, always, needs(admitto.ApplicantsView), "listApplicantEmails", "Emails sent to the applicant", (*API).listApplicantEmails},
	{"GET", "/applicants/{id}/emails/{id}", association, always, needs(admitto.ApplicantsView), "getApplicantEmail", "One email", (*API).getApplicantEmail},
	{"GET", "/applicants/{id}/emails/{id}/attachments", collection, always, needs(admitto.ApplicantsView), "listApplicantEmailAttachments", "Attachments of an email", (*API).listApplicantEmailAttachments},
	{"GET", "/applicants/{id}/emails/{id}/attachments/{id}", association, always, needs(admitto.ApplicantsView), "getApplicantEmailAttachment", "One attachment, binary", (*API).getApplicantEmailAttachment},
	{"GET", "/applicants/{id}/trackers", collection, always, needs(admitto.ApplicantsView), "listApplicantTrackers", "Tracker associations of the applicant", (*API).listApplicantTrackers},
	{"GET", "/applicants/{id}/trackers/{id}", association, always, needs(admitto.ApplicantsView), "getApplicantTracker", "One tracker association", (*API).getApplicantTracker},
	{"PUT", "/applicants/{id}/trackers/{id}", association, always, needs(admitto.ApplicantsView, admitto.TrackersEdit), "setApplicantTracker", "Set the tracker on the applicant", (*API).setApplicantTracker},
	{"DELETE", "/applicants/{id}/trackers/{id}", association, always, needs(admitto.ApplicantsView, admitto.TrackersEdit), "deleteApplicantTracker", "Remove the tracker from the applicant", (*API).deleteApplicantTracker},
	{"GET", "/applicants/{id}/invoices", collection, always, needs(admitto.AccountingView), "listApplicantInvoices", "Invoices of the applicant", (*API).listApplicantInvoices},
	{"GET", "/applicants/{id}/invoices/{id}", resource, always, needs(admitto.AccountingView), "getApplicantInvoice", "One invoice", (*API).getApplicantInvoice},
	{"GET", "/applicants/{id}/wishes", collection, always, needs(admitto.ApplicantsView), "listApplicantWishes", "Wishlist of the applicant", (*API).listApplicantWishes},
	{"GET", "/applicants/{id}/wishes/{id}", resource, always, needs(admitto.ApplicantsView), "getApplicantWish", "One wishlist item", (*API).getApplicantWish},
	{"GET", "/applicants/{id}/applications", collection, always, needs(admitto.ApplicantsView, admitto.ApplicationsView), "listApplicantApplications", "Applications of the applicant", (*API).listApplicantApplications},
	{"GET", "/applicants/{id}/applications/{id}", resource, always, needs(admitto.ApplicationsView, admitto.ApplicationsSensitive), "getApplicantApplication", "One application of the applicant", (*API).getApplicantApplication},
	{"GET", "/applicants/{id}/reference", resource, always, needs(admitto.ApplicantsView), "getApplicantReference", "Read the reference code", (*API).getApplicantReference},
	{"PUT", "/applicants/{id}/reference", resource, always, needs(admitto.ApplicantsView, admitto.ApplicantsEdit), "setApplicantReference", "Set the reference code", (*API).setApplicantReference},
	{"GET", "/applicants/{id}/matriculation", resource, always, needs(admitto.ApplicantsView), "getApplicantMatriculation", "Read the matriculation number", (*API).getApplicantMatriculation},
	{"PUT", "/applicants/{id}/matriculation", resource, always, needs(admitto.ApplicantsView, admitto.MatriculationEdit), "setApplicantMatriculation", "Set the matriculation number", (*API).setApplicantMatriculation},
	{"GET", "/applicants/{id}/notes", resource, always, needs(admitto.ApplicantsView), "listApplicantNotes", "Read notes", (*API).listApplicantNotes},
	{"POST", "/applicants/{id}/notes", resource, since(version.NotesCollection), needs(admitto.ApplicantsView, admitto.ApplicantsEdit), "createApplicantNote", "Create a note", (*API).createApplicantNote},
	{"PUT", "/applicants/{id}/notes", resource, before(version.NotesCollection).ReplacedBy("POST on the same path"), needs(admitto.ApplicantsView, admitto.ApplicantsEdit), "replaceApplicantNotes", "Replace all notes by one", (*API).replaceApplicantNotes},
	{"PATCH", "/applicants/{id}/notes", resource, before(version.NotesCollection).ReplacedBy("POST on the same path"), needs(admitto.ApplicantsView, admitto.ApplicantsEdit), "addApplicantNoteText", "Add a note", (*API).addApplicantNoteText},
	{"PATCH", "/applicants/{id}/notes", resource, since(version.NotesCollection).Deprecated().ReplacedBy("POST on the same path"), needs(admitto.ApplicantsView, admitto.ApplicantsEdit), "addApplicantNote", "Add a note (deprecated; use POST)", (*API).addApplicantNote},
	{"GET", "/applicants/{id}/documents", collection, before(version.NoApplicantFiles).ReplacedBy("/applications/{id}/documents"), needs(admitto.ApplicationsView), "listApplicantDocuments", "Documents of the applicant, over all applications", (*API).listApplicantDocuments},
	{"GET", "/applicants/{id}/documents/{id}", resource, before(version.NoApplicantFiles).ReplacedBy("/applications/{id}/documents/{id}"), needs(admitto.ApplicationsView), "getApplicantDocument", "One document, binary", (*API).getApplicantDocument},
	{"GET", "/applicants/{id}/studyplans", collection, before(version.EmptyOmitted), needs(admitto.ApplicationsView), "listApplicantStudyPlans", "Study plans of the applicant", (*API).listApplicantStudyPlans},
	{"GET", "/applicants/{id}/studyplans/{id}", resource, before(version.EmptyOmitted), needs(admitto.ApplicationsView), "getApplicantStudyPlan", "One study plan", (*API).getApplicantStudyPlan},
	{"GET", "/applicants/consents", collection, always, signedIn, "listApplicantsConsents", "All consents", (*API).listApplicantsConsents},
	{"GET", "/applicants/consents/{id}", resource, always, signedIn, "getApplicantsConsent", "One consent", (*API).getApplicantsConsent},
	{"GET", "/applicants/trackers", collection, always, signedIn, "listApplicantsTrackers", "List all trackers", (*API).listApplicantsTrackers},
	{"POST", "/applicants/trackers", collection, always, needs(admitto.TrackersEdit), "createApplicantsTracker", "Create a tracker", (*API).createApplicantsTracker},
	{"GET", "/applicants/trackers/{id}", resource, always, signedIn, "getApplicantsTracker", "One tracker", (*API).getApplicantsTracker},
	{"DELETE", "/applicants/trackers/{id}", resource, always, needs(admitto.TrackersEdit), "deleteApplicantsTracker", "Delete a tracker and remove it from all applicants", (*API).deleteApplicantsTracker},

	// Applications
	{"GET", "/applications", collection, always, needs(admitto.ApplicationsView), "listApplications", "Applications matching filters", (*API).listApplications},
	{"GET", "/applications/{id}", resource, always, needs(admitto.ApplicationsView, admitto.ApplicationsSensitive), "getApplication", "Application contents", (*API).getApplication},
	{"GET", "/applications/{id}/courses", collection, always, needs(admitto.ApplicationsView), "listApplicationCourses", "Courses added to the application", (*API).listApplicationCourses},
	{"GET", "/applications/{id}/courses/{id}", association, always, needs(admitto.ApplicationsView), "getApplicationCourse", "One course association", (*API).getApplicationCourse},
	{"GET", "/applications/{id}/flags", collection, always, needs(admitto.ApplicationsView), "listApplicationFlags", "Flags set on the application", (*API).listApplicationFlags},
	{"GET", "/applications/{id}/flags/{id}", association, always, needs(admitto.ApplicationsView), "getApplicationFlag", "One flag association", (*API).getApplicationFlag},
	{"PUT", "/applications/{id}/flags/{id}", association, always, needs(admitto.ApplicationsView, admitto.FlagsEdit), "setApplicationFlag", "Set the flag on the application", (*API).setApplicationFlag},
	{"DELETE", "/applications/{id}/flags/{id}", association, always, needs(admitto.ApplicationsView, admitto.FlagsEdit), "deleteApplicationFlag", "Remove the flag from the application", (*API).deleteApplicationFlag},
	{"GET", "/applications/{id}/offers", collection, always, needs(admitto.OffersView), "listApplicationOffers", "Offers of the application", (*API).listApplicationOffers},
	{"GET", "/applications/{id}/offers/{id}", resource, always, needs(admitto.OffersView), "getApplicationOffer", "One offer", (*API).getApplicationOffer},
	{"GET", "/applications/{id}/offers/{id}/type", resource, always, needs(admitto.OffersView), "getApplicationOfferType", "Read the offer type", (*API).getApplicationOfferType},
	{"PUT", "/applications/{id}/offers/{id}/type", resource, always, needs(admitto.OffersView, admitto.OffersEdit), "setApplicationOfferType", "Set the offer type", (*API).setApplicationOfferType},
	{"GET", "/applications/{id}/offers/{id}/subject", resource, always, needs(admitto.OffersView), "getApplicationOfferSubject", "Read the subject line", (*API).getApplicationOfferSubject},
	{"PUT", "/applications/{id}/offers/{id}/subject", resource, always, needs(admitto.OffersView, admitto.OffersEdit), "setApplicationOfferSubject", "Set the subject line", (*API).setApplicationOfferSubject},
	{"GET", "/applications/{id}/offers/{id}/comments", resource, always, needs(admitto.OffersView), "getApplicationOfferComments", "Read the offer letter text", (*API).getApplicationOfferComments},
	{"PUT", "/applications/{id}/offers/{id}/comments", resource, always, needs(admitto.OffersView, admitto.OffersEdit), "setApplicationOfferComments", "Set the offer letter text", (*API).setApplicationOfferComments},
	{"GET", "/applications/{id}/offers/{id}/attachments", resource, always, needs(admitto.OffersView), "listApplicationOfferAttachments", "Offer attachments", (*API).listApplicationOfferAttachments},
	{"GET", "/applications/{id}/offers/{id}/attachments/{id}", resource, always, needs(admitto.OffersView), "getApplicationOfferAttachment", "One offer attachment", (*API).getApplicationOfferAttachment},
	{"GET", "/applications/{id}/offers/{id}/attachments/{id}/download", resource, always, needs(admitto.OffersView), "getApplicationOfferAttachmentDownload", "Attachment binary", (*API).getApplicationOfferAttachmentDownload},
	{"GET", "/applications/{id}/offers/{id}/letters", resource, always, needs(admitto.OffersView), "listApplicationOfferLetters", "Offer letters", (*API).listApplicationOfferLetters},
	{"GET", "/applications/{id}/offers/{id}/letters/{id}", resource, always, needs(admitto.OffersView), "getApplicationOfferLetter", "One offer letter", (*API).getApplicationOfferLetter},
	{"POST", "/applications/{id}/offers/{id}/confirm", resource, always, needs(admitto.OffersView, admitto.OffersConfirm), "confirmOffer", "Confirm the offer", (*API).confirmOffer},
	{"GET", "/applications/{id}/offers/{id}/decision", resource, always, needs(admitto.OffersView), "getApplicationOfferDecision", "Read the decision", (*API).getApplicationOfferDecision},
	{"PUT", "/applications/{id}/offers/{id}/decision", resource, always, needs(admitto.OffersView, admitto.OffersEdit), "setApplicationOfferDecision", "Set the decision", (*API).setApplicationOfferDecision},
	{"GET", "/applications/{id}/offers/{id}/notes", resource, always, needs(admitto.OffersView), "listApplicationOfferNotes", "Read notes", (*API).listApplicationOfferNotes},
	{"POST", "/applications/{id}/offers/{id}/notes", resource, since(version.NotesCollection), needs(admitto.OffersView, admitto.OffersEdit), "createApplicationOfferNote", "Create a note", (*API).createApplicationOfferNote},
	{"PUT", "/applications/{id}/offers/{id}/notes", resource, before(version.NotesCollection).ReplacedBy("POST on the same path"), needs(admitto.OffersView, admitto.OffersEdit), "replaceApplicationOfferNotes", "Replace all notes by one", (*API).replaceApplicationOfferNotes},
	{"PATCH", "/applications/{id}/offers/{id}/notes", resource, before(version.NotesCollection).ReplacedBy("POST on the same path"), needs(admitto.OffersView, admitto.OffersEdit), "addApplicationOfferNoteText", "Add a note", (*API).addApplicationOfferNoteText},
	{"PATCH", "/applications/{id}/offers/{id}/notes", resource, since(version.NotesCollection).Deprecated().ReplacedBy("POST on the same path"), needs(admitto.OffersView, admitto.OffersEdit), "addApplicationOfferNote", "Add a note (deprecated; use POST)", (*API).addApplicationOfferNote},
	{"GET", "/applications/{id}/offers/{id}/score/extra", resource, always, needs(admitto.OffersView), "getApplicationOfferScoreExtra", "Read the extra score", (*API).getApplicationOfferScoreExtra},
	{"PUT", "/applications/{id}/offers/{id}/score/extra", resource, always, needs(admitto.OffersView, admitto.OffersEdit), "setApplicationOfferScoreExtra", "Set the extra score", (*API).setApplicationOfferScoreExtra},
	{"DELETE", "/applications/{id}/offers/{id}/score/extra", resource, always, needs(admitto.OffersView, admitto.OffersEdit), "deleteApplicationOfferScoreExtra", "Clear the extra score", (*API).deleteApplicationOfferScoreExtra},
	{"GET", "/applications/{id}/tasks", collection, always, needs(admitto.ApplicationsView), "listApplicationTasks", "Tasks of the application", (*API).listApplicationTasks},
	{"GET", "/applications/{id}/tasks/{id}", resource, always, needs(admitto.ApplicationsView), "getApplicationTask", "One task", (*API).getApplicationTask},
	{"GET", "/applications/{id}/tasks/{id}/status", resource, always, needs(admitto.ApplicationsView), "getApplicationTaskStatus", "Read the task status", (*API).getApplicationTaskStatus},
	{"PUT", "/applications/{id}/tasks/{id}/status", resource, always, needs(admitto.ApplicationsView, admitto.TasksEdit), "setApplicationTaskStatus", "Set the task status", (*API).setApplicationTaskStatus},
	{"GET", "/applications/{id}/exports", collection, always, needs(admitto.ApplicationsView), "listApplicationExports", "Exports generated from the application", (*API).listApplicationExports},
	{"GET", "/applications/{id}/exports/{id}", resource, always, needs(admitto.ApplicationsView), "getApplicationExport", "One export", (*API).getApplicationExport},
	{"GET", "/applications/{id}/exports/{id}/blobs", collection, always, needs(admitto.ApplicationsView), "listApplicationExportBlobs", "Downloadable files of the export", (*API).listApplicationExportBlobs},
	{"GET", "/applications/{id}/exports/{id}/blobs/{blob}", resource, always, needs(admitto.ApplicationsView), "getApplicationExportBlob", "One downloadable file", (*API).getApplicationExportBlob},
	{"GET", "/applications/{id}/documents", collection, always, needs(admitto.ApplicationsView), "listApplicationDocuments", "Documents attached to the application", (*API).listApplicationDocuments},
	{"GET", "/applications/{id}/documents/{id}", resource, always, needs(admitto.ApplicationsView), "getApplicationDocument", "One document, binary", (*API).getApplicationDocument},
	{"GET", "/applications/{id}/scores", collection, always, needs(admitto.ApplicationsView), "listApplicationScores", "Scores of the application", (*API).listApplicationScores},
	{"GET", "/applications/{id}/pdf", collection, always, needs(admitto.ApplicationsView, admitto.ApplicationsSensitive), "getApplicationPdf", "PDF printout of the application", (*API).getApplicationPdf},
	{"GET", "/applications/{id}/invoices", collection, always, needs(admitto.AccountingView), "listApplicationInvoices", "List invoices", (*API).listApplicationInvoices},
	{"POST", "/applications/{id}/invoices", collection, always, needs(admitto.AccountingEdit), "createApplicationInvoice", "Create an invoice for the application", (*API).createApplicationInvoice},
	{"GET", "/applications/{id}/invoices/{id}", resource, always, needs(admitto.AccountingView), "getApplicationInvoice", "One application invoice", (*API).getApplicationInvoice},
	{"GET", "/applications/{id}/studyplans", collection, before(version.EmptyOmitted), needs(admitto.ApplicationsView), "listApplicationStudyPlans", "Study plans of the application", (*API).listApplicationStudyPlans},
	{"GET", "/applications/{id}/studyplans/{id}", resource, before(version.EmptyOmitted), needs(admitto.ApplicationsView), "getApplicationStudyPlan", "One study plan", (*API).getApplicationStudyPlan},
	{"GET", "/applications/flags", collection, always, signedIn, "listApplicationsFlags", "List all flags", (*API).listApplicationsFlags},
	{"POST", "/applications/flags", collection, always, needs(admitto.FlagsEdit), "createApplicationsFlag", "Create a flag", (*API).createApplicationsFlag},
	{"GET", "/applications/flags/{id}", resource, always, signedIn, "getApplicationsFlag", "One flag", (*API).getApplicationsFlag},
	{"DELETE", "/applications/flags/{id}", resource, always, needs(admitto.FlagsEdit), "deleteApplicationsFlag", "Delete a flag and remove it from all applications", (*API).deleteApplicationsFlag},
	{"GET", "/applications/statuses", resource, always, signedIn, "getApplicationsStatuses", "All application statuses", (*API).getApplicationsStatuses},
	{"GET", "/applications/offers/types", resource, always, signedIn, "listApplicationsOffersTypes", "All offer types (keyed by ID from version 4)", (*API).listApplicationsOffersTypes},
	{"GET", "/applications/offers/types/{id}", resource, since(version.OfferTypesByID), signedIn, "getApplicationsOffersType", "One offer type", (*API).getApplicationsOffersType},

	// Reference data, finance, scoring, reporting
	{"GET", "/institutions", collection, always, signedIn, "listInstitutions", "Institutions by filters", (*API).listInstitutions},
	{"GET", "/institutions/{id}", resource, always, signedIn, "getInstitution", "One institution", (*API).getInstitution},
	{"GET", "/institutions/{id}/departments", collection, always, signedIn, "listInstitutionDepartments", "Departments of the institution", (*API).listInstitutionDepartments},
	{"GET", "/institutions/{id}/departments/{id}", resource, always, signedIn, "getInstitutionDepartment", "One department", (*API).getInstitutionDepartment},
	{"GET", "/courses", collection, always, signedIn, "listCourses", "List courses by filters", (*API).listCourses},
	{"POST", "/courses", collection, always, needs(admitto.CoursesEdit), "createCourse", "Create a blank course", (*API).createCourse},
	{"GET", "/courses/{id}", resource, always, signedIn, "getCourse", "One course", (*API).getCourse},
	{"GET", "/intakes", resource, always, signedIn, "listIntakes", "Configured intakes", (*API).listIntakes},
	{"GET", "/intakes/{id}", resource, always, signedIn, "getIntake", "One intake", (*API).getIntake},
	{"GET", "/invoices", collection, always, needs(admitto.AccountingView), "listInvoices", "All issued invoices", (*API).listInvoices},
	{"GET", "/invoices/{id}", resource, always, needs(admitto.AccountingView), "getInvoice", "One invoice", (*API).getInvoice},
	{"DELETE", "/invoices/{id}", resource, always, needs(admitto.AccountingView, admitto.AccountingEdit), "deleteInvoice", "Delete an invoice", (*API).deleteInvoice},
	{"GET", "/invoices/{id}/transactions", collection, always, needs(admitto.AccountingView), "listInvoiceTransactions", "List transactions of the invoice", (*API).listInvoiceTransactions},
	{"POST", "/invoices/{id}/transactions", collection, always, needs(admitto.AccountingView, admitto.AccountingEdit), "createInvoiceTransaction", "Create a transaction (collect the invoice)", (*API).createInvoiceTransaction},
	{"GET", "/invoices/{id}/transactions/{id}", resource, always, needs(admitto.AccountingView), "getInvoiceTransaction", "One transaction", (*API).getInvoiceTransaction},
	{"GET", "/invoices/series", resource, always, needs(admitto.AccountingView), "getInvoicesSeries", "Invoice series", (*API).getInvoicesSeries},
	{"GET", "/invoices/transactions", collection, always, needs(admitto.AccountingView), "listInvoicesTransactions", "All transactions", (*API).listInvoicesTransactions},
	{"GET", "/invoices/transactions/{id}", resource, always, needs(admitto.AccountingView), "getInvoicesTransaction", "One transaction", (*API).getInvoicesTransaction},
	{"GET", "/academic-terms", resource, always, signedIn, "listAcademicTerms", "All academic terms", (*API).listAcademicTerms},
	{"GET", "/academic-terms/{id}", resource, always, signedIn, "getAcademicTerm", "One academic term", (*API).getAcademicTerm},
	{"GET", "/academic-terms/types", resource, always, signedIn, "listAcademicTermsTypes", "All academic term types", (*API).listAcademicTermsTypes},
	{"GET", "/academic-terms/types/{id}", resource, always, signedIn, "getAcademicTermsType", "One term type", (*API).getAcademicTermsType},
	{"GET", "/academic-years", resource, always, signedIn, "listAcademicYears", "All academic years", (*API).listAcademicYears},
	{"GET", "/academic-years/{year}", resource, always, signedIn, "getAcademicYear", "One academic year", (*API).getAcademicYear},
	{"GET", "/classificators", resource, always, signedIn, "getClassificators", "System classificators", (*API).getClassificators},
	{"GET", "/reports", collection, always, signedIn, "listReports", "Available reports", (*API).listReports},
	{"GET", "/reports/{report_name}", resource, always, needs(admitto.ReportsView, admitto.ApplicantsView, admitto.AccountingView), "getReport", "Data of one report", (*API).getReport},
	{"GET", "/scoresheets", collection, always, needs(admitto.ApplicationsScore), "listScoresheets", "All scoresheets", (*API).listScoresheets},
	{"GET", "/scoresheets/{id}", resource, always, needs(admitto.ApplicationsScore), "getScoresheet", "One scoresheet", (*API).getScoresheet},
	{"GET", "/scoresheets/{id}/scores", collection, always, needs(admitto.ApplicationsScore), "listScoresheetScores", "List scores", (*API).listScoresheetScores},
	{"POST", "/scoresheets/{id}/scores", collection, always, needs(admitto.ApplicationsScore), "createScoresheetScore", "Append an application for scoring", (*API).createScoresheetScore},
	{"GET", "/scoresheets/{id}/scores/{id}", resource, always, needs(admitto.ApplicationsScore), "getScoresheetScore", "One score", (*API).getScoresheetScore},
	{"GET", "/scoresheets/{id}/scores/{id}/points", resource, always, needs(admitto.ApplicationsScore), "getScoresheetScorePoints", "Read the points", (*API).getScoresheetScorePoints},
	{"PUT", "/scoresheets/{id}/scores/{id}/points", resource, always, needs(admitto.ApplicationsScore), "setScoresheetScorePoints", "Set the points", (*API).setScoresheetScorePoints},
	{"DELETE", "/scoresheets/{id}/scores/{id}/points", resource, always, needs(admitto.ApplicationsScore), "deleteScoresheetScorePoints", "Clear the points", (*API).deleteScoresheetScorePoints},
	{"GET", "/scoresheets/{id}/scores/{id}/comments", resource, always, needs(admitto.ApplicationsScore), "getScoresheetScoreComments", "Read the comments", (*API).getScoresheetScoreComments},
	{"PUT", "/scoresheets/{id}/scores/{id}/comments", resource, always, needs(admitto.ApplicationsScore), "setScoresheetScoreComments", "Set the comments", (*API).setScoresheetScoreComments},
	{"DELETE", "/scoresheets/{id}/scores/{id}/comments", resource, always, needs(admitto.ApplicationsScore), "deleteScoresheetScoreComments", "Clear the comments", (*API).deleteScoresheetScoreComments},
	{"GET", "/tableviews", collection, always, needs(admitto.TableviewsUse), "listTableviews", "Tableviews created in the admin interface", (*API).listTableviews},
	{"GET", "/tableviews/{id}", resource, always, needs(admitto.TableviewsUse), "getTableview", "One tableview", (*API).getTableview},
	{"GET", "/tableviews/{id}/tabledata", resource, always, needs(admitto.TableviewsUse), "getTableviewTabledata", "CSV data of the tableview", (*API).getTableviewTabledata},
	{"GET", "/administrators", resource, always, signedIn, "listAdministrators", "All administrators", (*API).listAdministrators},
	{"GET", "/administrators/{id}", resource, always, signedIn, "getAdministrator", "One administrator", (*API).getAdministrator},

	// Rankings
	{"GET", "/rankings", collection, since(version.RankingsAdded), needs(admitto.OffersView), "listRankings", "Rankings by filters", (*API).listRankings},
	{"GET", "/rankings/{id}", resource, since(version.RankingsAdded), needs(admitto.OffersView), "getRanking", "One ranking", (*API).getRanking},
	{"GET", "/rankings/{id}/entries", collection, since(version.RankingsAdded), needs(admitto.OffersView), "listRankingEntries", "Entries of the ranking", (*API).listRankingEntries},

	// Extensions that records link to
	{"GET", "/applications/{id}/tasks/{id}/documents", collection, since(version.ExtensionsAdded), needs(admitto.ApplicationsView), "listApplicationTaskDocuments", "Documents of the task", (*API).listApplicationTaskDocuments},
	{"GET", "/applications/{id}/tasks/{id}/documents/{id}", resource, since(version.ExtensionsAdded), needs(admitto.ApplicationsView), "getApplicationTaskDocument", "One document, binary", (*API).getApplicationTaskDocument},
	{"POST", "/applications", collection, since(version.ExtensionsAdded), needs(admitto.ApplicationsView, admitto.ApplicationsEdit, admitto.ApplicationsSensitive), "createApplication", "Create an application, or add a course to the one of the term", (*API).createApplication},
	{"POST", "/applicants/{id}/applications", collection, since(version.ExtensionsAdded), needs(admitto.ApplicantsView, admitto.ApplicationsView, admitto.ApplicationsEdit, admitto.ApplicationsSensitive), "createApplicantApplication", "Create an application of the applicant, or add a course to the one of the term", (*API).createApplicantApplication},
	{"POST", "/applications/{id}/freeze", resource, always, needs(admitto.ApplicationsView, admitto.ApplicationsFreeze), "freezeApplication", "Keep the applicant from changing what is there", (*API).freezeApplication},
	{"POST", "/applications/{id}/unfreeze", resource, always, needs(admitto.ApplicationsView, admitto.ApplicationsFreeze), "unfreezeApplication", "Let the applicant change everything again", (*API).unfreezeApplication},
	{"POST", "/applications/{id}/close", resource, always, needs(admitto.ApplicationsView, admitto.ApplicationsClose), "closeApplication", "Close the application", (*API).closeApplication},
	{"POST", "/applications/{id}/courses", collection, since(version.ExtensionsAdded), needs(admitto.ApplicationsView, admitto.ApplicationsEdit), "createApplicationCourse", "Add a course to the application", (*API).createApplicationCourse},
	{"DELETE", "/applications/{id}/courses/{id}", association, since(version.ExtensionsAdded), needs(admitto.ApplicationsView, admitto.ApplicationsEdit), "deleteApplicationCourse", "Remove the course from the application", (*API).deleteApplicationCourse},
	{"GET", "/applications/{id}/courses/{id}/priority", resource, since(version.ExtensionsAdded), needs(admitto.ApplicationsView), "getApplicationCoursePriority", "Read the priority", (*API).getApplicationCoursePriority},
	{"PUT", "/applications/{id}/courses/{id}/priority", resource, since(version.ExtensionsAdded), needs(admitto.ApplicationsView, admitto.ApplicationsEdit), "setApplicationCoursePriority", "Set the priority", (*API).setApplicationCoursePriority},
	{"GET", "/letterheads", collection, always, signedIn, "listLetterheads", "All letterheads", (*API).listLetterheads},
	{"GET", "/letterheads/{id}", resource, always, signedIn, "getLetterhead", "One letterhead", (*API).getLetterhead},
	{"GET", "/purged-resources", collection, since(version.ExtensionsAdded), needs(admitto.DataProtection), "listPurgedResources", "Objects erased for good", (*API).listPurgedResources},
	{"GET", "/logins", collection, always, needs(admitto.JournalView), "listLogins", "Sign-ins of administrators", (*API).listLogins},
	{"GET", "/fees", collection, always, needs(admitto.AccountingView), "listFees", "All fees", (*API).listFees},
	{"GET", "/fees/{id}", resource, always, needs(admitto.AccountingView), "getFee", "One fee", (*API).getFee},
	{"GET", "/fees/{id}/amounts", collection, always, needs(admitto.AccountingView), "listFeeAmounts", "Amounts of the fee by territory", (*API).listFeeAmounts},
	{"GET", "/fees/{id}/amounts/{territory}", resource, always, needs(admitto.AccountingView), "getFeeAmount", "The amount for a territory", (*API).getFeeAmount},
	{"PATCH", "/applications/{id}", resource, since(version.ExtensionsAdded), needs(admitto.ApplicationsView, admitto.ApplicationsEdit), "patchApplication", "Change the content of the application (JSON merge patch)", (*API).patchApplication},
	{"POST", "/applications/{id}/documents", collection, since(version.ExtensionsAdded), needs(admitto.ApplicationsView, admitto.ApplicationsEdit), "createApplicationDocument", "Upload a document", (*API).createApplicationDocument},
	{"GET", "/applications/{id}/documents/zip", resource, always, needs(admitto.ApplicationsView), "getApplicationDocumentsZip", "All documents, application/zip", (*API).getApplicationDocumentsZip},
	{"POST", "/applications/{id}/tasks/{id}/documents", collection, since(version.ExtensionsAdded), needs(admitto.ApplicationsView, admitto.ApplicationsEdit), "createApplicationTaskDocument", "Upload a document for the task", (*API).createApplicationTaskDocument},
	{"GET", "/applications/{id}/tasks/{id}/documents/zip", resource, since(version.ExtensionsAdded), needs(admitto.ApplicationsView), "getApplicationTaskDocumentsZip", "All documents of the task, application/zip", (*API).getApplicationTaskDocumentsZip},
	{"POST", "/applications/{id}/offers/{id}/letters", resource, always, needs(admitto.OffersView, admitto.OffersEdit), "createApplicationOfferLetter", "Make a letter of the offer", (*API).createApplicationOfferLetter},
	{"GET", "/applications/{id}/offers/{id}/reason/reason", resource, always, needs(admitto.OffersView), "getApplicationOfferReason", "Read the reason", (*API).getApplicationOfferReason},
	{"PUT", "/applications/{id}/offers/{id}/reason/reason", resource, always, needs(admitto.OffersView, admitto.OffersEdit), "setApplicationOfferReason", "Set the reason", (*API).setApplicationOfferReason},
	{"PUT", "/scoresheets/{id}/scores/{id}", resource, since(version.ExtensionsAdded), needs(admitto.ApplicationsScore), "setScoresheetScore", "Set all fields of the score", (*API).setScoresheetScore},
	{"PATCH", "/scoresheets/{id}/scores/{id}", resource, since(version.ExtensionsAdded), needs(admitto.ApplicationsScore), "updateScoresheetScore", "Set some fields of the score", (*API).updateScoresheetScore},
	{"GET", "/scoresheets/{id}/scores/{id}/date", resource, always, needs(admitto.ApplicationsScore), "getScoresheetScoreDate", "Read the date", (*API).getScoresheetScoreDate},
	{"PUT", "/scoresheets/{id}/scores/{id}/date", resource, always, needs(admitto.ApplicationsScore), "setScoresheetScoreDate", "Set the date", (*API).setScoresheetScoreDate},
	{"DELETE", "/scoresheets/{id}/scores/{id}/date", resource, always, needs(admitto.ApplicationsScore), "deleteScoresheetScoreDate", "Clear the date", (*API).deleteScoresheetScoreDate},
	{"GET", "/scoresheets/{id}/scores/{id}/reference", resource, always, needs(admitto.ApplicationsScore), "getScoresheetScoreReference", "Read the reference", (*API).getScoresheetScoreReference},
	{"PUT", "/scoresheets/{id}/scores/{id}/reference", resource, always, needs(admitto.ApplicationsScore), "setScoresheetScoreReference", "Set the reference", (*API).setScoresheetScoreReference},
	{"DELETE", "/scoresheets/{id}/scores/{id}/reference", resource, always, needs(admitto.ApplicationsScore), "deleteScoresheetScoreReference", "Clear the reference", (*API).deleteScoresheetScoreReference},
	{"GET", "/scoresheets/{id}/scores/{id}/subject", resource, always, needs(admitto.ApplicationsScore), "getScoresheetScoreSubject", "Read the subject", (*API).getScoresheetScoreSubject},
	{"PUT", "/scoresheets/{id}/scores/{id}/subject", resource, always, needs(admitto.ApplicationsScore), "setScoresheetScoreSubject", "Set the subject", (*API).setScoresheetScoreSubject},
	{"DELETE", "/scoresheets/{id}/scores/{id}/subject", resource, always, needs(admitto.ApplicationsScore), "deleteScoresheetScoreSubject", "Clear the subject", (*API).deleteScoresheetScoreSubject},
	{"GET", "/scoresheets/{id}/scores/{id}/language", resource, always, needs(admitto.ApplicationsScore), "getScoresheetScoreLanguage", "Read the language", (*API).getScoresheetScoreLanguage},
	{"PUT", "/scoresheets/{id}/scores/{id}/language", resource, always, needs(admitto.ApplicationsScore), "setScoresheetScoreLanguage", "Set the language", (*API).setScoresheetScoreLanguage},
	{"DELETE", "/scoresheets/{id}/scores/{id}/language", resource, always, needs(admitto.ApplicationsScore), "deleteScoresheetScoreLanguage", "Clear the language", (*API).deleteScoresheetScoreLanguage},
	{"DELETE", "/applicants/{id}/notes", resource, always, needs(admitto.ApplicantsView, admitto.ApplicantsEdit), "deleteApplicantNotes", "Remove all notes", (*API).deleteApplicantNotes},
	{"GET", "/applicants/{id}/notes/{id}", resource, since(version.NotesCollection), needs(admitto.ApplicantsView), "getApplicantNote", "One note", (*API).getApplicantNote},
	{"PUT", "/applicants/{id}/notes/{id}", resource, since(version.NotesCollection), needs(admitto.ApplicantsView, admitto.ApplicantsEdit), "setApplicantNote", "Replace the text of a note", (*API).setApplicantNote},
	{"DELETE", "/applications/{id}/offers/{id}/notes", resource, always, needs(admitto.OffersView, admitto.OffersEdit), "deleteApplicationOfferNotes", "Remove all notes", (*API).deleteApplicationOfferNotes},
	{"GET", "/applications/{id}/offers/{id}/notes/{id}", resource, since(version.NotesCollection), needs(admitto.OffersView), "getApplicationOfferNote", "One note", (*API).getApplicationOfferNote},
	{"PUT", "/applications/{id}/offers/{id}/notes/{id}", resource, since(version.NotesCollection), needs(admitto.OffersView, admitto.OffersEdit), "setApplicationOfferNote", "Replace the text of a note", (*API).setApplicationOfferNote},
	{"DELETE", "/applications/{id}/tasks/{id}", resource, since(version.ExtensionsAdded), needs(admitto.TasksEdit), "deleteApplicationTask", "Delete a task", (*API).deleteApplicationTask},
	{"POST", "/applicants/{id}/invoices", collection, always, needs(admitto.AccountingEdit), "createApplicantInvoice", "Create an invoice for the applicant", (*API).createApplicantInvoice},
	{"POST", "/applicants/{id}/emails", collection, always, needs(admitto.ApplicantsView, admitto.MessagesSend), "createApplicantEmail", "Send a message to the applicant", (*API).createApplicantEmail},
}
