package api

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/openapi"
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
	shape        shape // what it reads and answers, for the OpenAPI documents
}

type shape = openapi.Shape

// The spans of rows, under short names.
var always, since, before = version.Always, version.Since, version.Before

// needs is the permissions that the use cases of a row ask for (lifecycle.md 12.1); a test compares.
func needs(list ...admitto.Permission) admitto.Permissions { return admitto.PermissionsOf(list...) }

// signedIn is what a row needs that any key may call: it holds nothing about a person.
const signedIn admitto.Permissions = 0

// routes is THE table: everything the API answers, in the order of its documents. Every GET answers HEAD too. A literal
// segment is looked for before {id}.
var routes = slices.Concat(serviceRoutes(), applicantRoutes(), applicationRoutes(), otherRoutes(), extensionRoutes())

// serviceRoutes are the rows of the service itself.
func serviceRoutes() []route {
	return []route{
		{"GET", "/version", resource, always.Open(), signedIn, "getVersion", "Current API version", (*API).getVersion,
			shape{Answer: openapi.Object(versionsSchema, "ETag")}},
		{"GET", "/ping", resource, always, signedIn, "getPing", "Dummy call for testing authentication", (*API).getPing,
			shape{Answer: openapi.One[pingWire]()}},
		{"GET", "/journal", collection, always, needs(admitto.JournalView), "listJournal", "List journal events",
			(*API).listJournal,
			shape{Query: openapi.Query[journalInput](), Limit: maxRecords, Capped: true,
				Answer: openapi.Pages[recordWire]()}},
	}
}

// otherRoutes are the rows of reference data, finance, scoring and reporting.
func otherRoutes() []route {
	return []route{
		{"GET", "/institutions", collection, always, signedIn, "listInstitutions", "Institutions by filters",
			(*API).listInstitutions,
			shape{Query: openapi.Query[institutionsInput](), Answer: openapi.Many[institutionWire]()}},
		{"GET", "/institutions/{id}", resource, always, signedIn, "getInstitution", "One institution", (*API).getInstitution,
			shape{Answer: openapi.One[institutionWire]()}},
		{"GET", "/institutions/{id}/departments", collection, always, signedIn, "listInstitutionDepartments",
			"Departments of the institution", (*API).listInstitutionDepartments,
			shape{Answer: openapi.Many[departmentWire]()}},
		{"GET", "/institutions/{id}/departments/{id}", resource, always, signedIn, "getInstitutionDepartment",
			"One department", (*API).getInstitutionDepartment, shape{Answer: openapi.One[departmentWire]()}},
		{"GET", "/courses", collection, always, signedIn, "listCourses", "List courses by filters", (*API).listCourses,
			shape{Query: openapi.Query[coursesInput](), Answer: openapi.Many[courseWire]()}},
		{"POST", "/courses", collection, always, needs(admitto.CoursesEdit), "createCourse", "Create a blank course",
			(*API).createCourse,
			shape{Body: openapi.Parameters[newCourseInput](), Answer: openapi.Created[courseWire]()}},
		{"GET", "/courses/{id}", resource, always, signedIn, "getCourse", "One course", (*API).getCourse,
			shape{Answer: openapi.One[courseWire]()}},
		{"GET", "/intakes", resource, always, signedIn, "listIntakes", "Configured intakes", (*API).listIntakes,
			shape{Answer: openapi.Many[intakeWire]()}},
		{"GET", "/intakes/{id}", resource, always, signedIn, "getIntake", "One intake", (*API).getIntake,
			shape{Answer: openapi.One[intakeWire]()}},
		{"GET", "/invoices", collection, always, needs(admitto.AccountingView), "listInvoices", "All issued invoices",
			(*API).listInvoices,
			shape{Query: openapi.Query[invoicesInput](), Limit: maxInvoices, Answer: openapi.Pages[invoiceWire]()}},
		{"GET", "/invoices/{id}", resource, always, needs(admitto.AccountingView), "getInvoice", "One invoice",
			(*API).getInvoice, shape{Answer: openapi.One[invoiceWire]()}},
		{"DELETE", "/invoices/{id}", resource, always, needs(admitto.AccountingView, admitto.AccountingEdit), "deleteInvoice",
			"Delete an invoice", (*API).deleteInvoice, shape{Answer: openapi.Nothing(), Refuses: byState()}},
		{"GET", "/invoices/{id}/transactions", collection, always, needs(admitto.AccountingView), "listInvoiceTransactions",
			"List transactions of the invoice", (*API).listInvoiceTransactions,
			shape{Answer: openapi.Many[transactionWire]()}},
		{"POST", "/invoices/{id}/transactions", collection, always, needs(admitto.AccountingView, admitto.AccountingEdit),
			"createInvoiceTransaction", "Create a transaction (collect the invoice)", (*API).createInvoiceTransaction,
			shape{Body: openapi.Parameters[newTransactionInput](), Answer: openapi.Created[transactionWire](),
				Refuses: byState()}},
		{"GET", "/invoices/{id}/transactions/{id}", resource, always, needs(admitto.AccountingView), "getInvoiceTransaction",
			"One transaction", (*API).getInvoiceTransaction, shape{Answer: openapi.One[transactionWire]()}},
		{"GET", "/invoices/series", resource, always, needs(admitto.AccountingView), "getInvoicesSeries", "Invoice series",
			(*API).getInvoicesSeries, shape{Answer: openapi.Many[seriesWire]()}},
		{"GET", "/invoices/transactions", collection, always, needs(admitto.AccountingView), "listInvoicesTransactions",
			"All transactions", (*API).listInvoicesTransactions,
			shape{Query: openapi.Query[transactionsInput](), Limit: maxInvoices,
				Answer: openapi.Pages[transactionWire]()}},
		{"GET", "/invoices/transactions/{id}", resource, always, needs(admitto.AccountingView), "getInvoicesTransaction",
			"One transaction", (*API).getInvoicesTransaction, shape{Answer: openapi.One[transactionWire]()}},
		{"GET", "/academic-terms", resource, always, signedIn, "listAcademicTerms", "All academic terms",
			(*API).listAcademicTerms, shape{Answer: openapi.Many[termWire]()}},
		{"GET", "/academic-terms/{id}", resource, always, signedIn, "getAcademicTerm", "One academic term",
			(*API).getAcademicTerm, shape{Answer: openapi.One[termWire]()}},
		{"GET", "/academic-terms/types", resource, always, signedIn, "listAcademicTermsTypes", "All academic term types",
			(*API).listAcademicTermsTypes, shape{Answer: openapi.Many[termTypeWire]()}},
		{"GET", "/academic-terms/types/{id}", resource, always, signedIn, "getAcademicTermsType", "One term type",
			(*API).getAcademicTermsType, shape{Answer: openapi.One[termTypeWire]()}},
		{"GET", "/academic-years", resource, always, signedIn, "listAcademicYears", "All academic years",
			(*API).listAcademicYears, shape{Answer: openapi.Many[yearWire]()}},
		{"GET", "/academic-years/{year}", resource, always, signedIn, "getAcademicYear", "One academic year",
			(*API).getAcademicYear, shape{Answer: openapi.One[yearWire]()}},
		{"GET", "/classificators", resource, always, signedIn, "getClassificators", "System classificators",
			(*API).getClassificators, shape{Answer: openapi.Object(classificatorsSchema, "ETag", "X-Count")}},
		{"GET", "/reports", collection, always, signedIn, "listReports", "Available reports", (*API).listReports,
			shape{Answer: openapi.Keyed[reportWire]()}},
		{"GET", "/reports/{report_name}", resource, always, needs(admitto.ReportsView, admitto.ApplicantsView,
			admitto.AccountingView), "getReport", "Data of one report", (*API).getReport,
			shape{Query: openapi.Query[reportInput](), Answer: reportAnswer}},
		{"GET", "/scoresheets", collection, always, needs(admitto.ApplicationsScore), "listScoresheets", "All scoresheets",
			(*API).listScoresheets, shape{Answer: openapi.Many[scoresheetWire]()}},
		{"GET", "/scoresheets/{id}", resource, always, needs(admitto.ApplicationsScore), "getScoresheet", "One scoresheet",
			(*API).getScoresheet, shape{Answer: openapi.One[scoresheetWire]()}},
		{"GET", "/scoresheets/{id}/scores", collection, always, needs(admitto.ApplicationsScore), "listScoresheetScores",
			"List scores", (*API).listScoresheetScores,
			shape{Query: openapi.Query[scoresInput](), Limit: maxScores, Answer: openapi.Pages[scoreWire]()}},
		{"POST", "/scoresheets/{id}/scores", collection, always, needs(admitto.ApplicationsScore), "createScoresheetScore",
			"Append an application for scoring", (*API).createScoresheetScore,
			shape{Body: openapi.Parameters[newScoreInput](), Answer: openapi.Created[scoreWire](), Refuses: byState()}},
		{"GET", "/scoresheets/{id}/scores/{id}", resource, always, needs(admitto.ApplicationsScore), "getScoresheetScore",
			"One score", (*API).getScoresheetScore, shape{Answer: openapi.One[scoreWire]()}},
		{"GET", "/scoresheets/{id}/scores/{id}/points", resource, always, needs(admitto.ApplicationsScore),
			"getScoresheetScorePoints", "Read the points", (*API).getScoresheetScorePoints,
			shape{Answer: openapi.Scalar()}},
		{"PUT", "/scoresheets/{id}/scores/{id}/points", resource, always, needs(admitto.ApplicationsScore),
			"setScoresheetScorePoints", "Set the points", (*API).setScoresheetScorePoints,
			shape{Body: openapi.Values(openapi.FieldOf[scoreInput]("points")), Answer: openapi.Nothing(),
				Refuses: byState()}},
		{"DELETE", "/scoresheets/{id}/scores/{id}/points", resource, always, needs(admitto.ApplicationsScore),
			"deleteScoresheetScorePoints", "Clear the points", (*API).deleteScoresheetScorePoints,
			shape{Answer: openapi.Nothing(), Refuses: byState()}},
		{"GET", "/scoresheets/{id}/scores/{id}/comments", resource, always, needs(admitto.ApplicationsScore),
			"getScoresheetScoreComments", "Read the comments", (*API).getScoresheetScoreComments,
			shape{Answer: openapi.Scalar()}},
		{"PUT", "/scoresheets/{id}/scores/{id}/comments", resource, always, needs(admitto.ApplicationsScore),
			"setScoresheetScoreComments", "Set the comments", (*API).setScoresheetScoreComments,
			shape{Body: openapi.Values(openapi.FieldOf[scoreInput]("comments")), Answer: openapi.Nothing(),
				Refuses: byState()}},
		{"DELETE", "/scoresheets/{id}/scores/{id}/comments", resource, always, needs(admitto.ApplicationsScore),
			"deleteScoresheetScoreComments", "Clear the comments", (*API).deleteScoresheetScoreComments,
			shape{Answer: openapi.Nothing(), Refuses: byState()}},
		{"GET", "/tableviews", collection, always, needs(admitto.TableviewsUse), "listTableviews",
			"Tableviews created in the admin interface", (*API).listTableviews,
			shape{Answer: openapi.Many[tableviewWire]()}},
		{"GET", "/tableviews/{id}", resource, always, needs(admitto.TableviewsUse), "getTableview", "One tableview",
			(*API).getTableview, shape{Answer: openapi.One[tableviewWire]()}},
		{"GET", "/tableviews/{id}/tabledata", resource, always, needs(admitto.TableviewsUse), "getTableviewTabledata",
			"CSV data of the tableview", (*API).getTableviewTabledata, shape{Answer: openapi.CSV()}},
		{"GET", "/administrators", resource, always, signedIn, "listAdministrators", "All administrators",
			(*API).listAdministrators, shape{Answer: openapi.Many[administratorWire]()}},
		{"GET", "/administrators/{id}", resource, always, signedIn, "getAdministrator", "One administrator",
			(*API).getAdministrator, shape{Answer: openapi.One[administratorWire]()}},

		// Rankings
		{"GET", "/rankings", collection, since(version.RankingsAdded), needs(admitto.OffersView), "listRankings",
			"Rankings by filters", (*API).listRankings,
			shape{Query: openapi.Query[rankingsInput](), Answer: openapi.Many[rankingWire]()}},
		{"GET", "/rankings/{id}", resource, since(version.RankingsAdded), needs(admitto.OffersView), "getRanking",
			"One ranking", (*API).getRanking, shape{Answer: openapi.One[rankingWire]()}},
		{"GET", "/rankings/{id}/entries", collection, since(version.RankingsAdded), needs(admitto.OffersView),
			"listRankingEntries", "Entries of the ranking", (*API).listRankingEntries,
			shape{Query: openapi.Query[rankingEntriesInput](), Answer: openapi.Many[rankingEntryWire]()}},
	}
}
