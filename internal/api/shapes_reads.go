package api

import (
	"net/http"
	"reflect"

	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
)

// The parameters of handlers that name theirs in place. A test compares them with what the handlers know.
type (
	expandInput struct {
		Expand params.Expansion `name:"expand"`
	}
	applicantApplicationsInput struct {
		Limit  params.Limit     `name:"limit"`
		Expand params.Expansion `name:"expand"`
		After  afterID          `name:"after"`
	}
	rankingsInput struct {
		Courses params.IDList `name:"byCourseIDs"`
		Terms   params.IDList `name:"byAcademicTermID"`
	}
)

// notesAnswer is a collection, before it one text (resources.md 0.6).
func notesAnswer() func(*apiDocument) answers {
	return changed(version.NotesCollection, object(plain(schema.Schema{Type: "string"}), "ETag"), many[noteWire]())
}

// wholeApplication is the record of one application: header and content.
func wholeApplication(d *apiDocument) *schema.Schema {
	return d.joined("WholeApplication", reflect.TypeFor[applicationWire](), reflect.TypeFor[wire.Content]())
}

// applicantReads are the shapes of what is read below /applicants.
func applicantReads() map[string]shape {
	application := shape{query: readsQuery[expandInput](), expands: applicationExpansions, answer: object(wholeApplication, "ETag")}
	return map[string]shape{
		"listApplicants":    {query: readsQuery[applicantsInput](), expands: applicantExpansions, answer: pages[applicantWire]()},
		"getApplicant":      {query: readsQuery[expandInput](), expands: applicantExpansions, answer: one[applicantWire]()},
		"getApplicantPhoto": {answer: file("image/jpeg")},

		"listApplicantConsents":         {answer: many[consentAssociationWire]()},
		"getApplicantConsent":           {answer: one[consentAssociationWire]()},
		"listApplicantEmails":           {answer: many[emailWire]()},
		"getApplicantEmail":             {answer: one[emailWire]()},
		"listApplicantEmailAttachments": {answer: many[fileWire]()},
		"getApplicantEmailAttachment":   {answer: file(anyFile)},
		"listApplicantTrackers":         {answer: many[trackerAssociationWire]()},
		"getApplicantTracker":           {answer: one[trackerAssociationWire]()},
		"listApplicantInvoices":         {answer: many[invoiceWire]()},
		"getApplicantInvoice":           {answer: one[invoiceWire]()},
		"listApplicantWishes":           {answer: many[wishWire]()},
		"getApplicantWish":              {answer: one[wishWire]()},
		"listApplicantApplications": {query: readsQuery[applicantApplicationsInput](), expands: applicationExpansions,
			answer: pages[applicationWire]()},
		"getApplicantApplication":   application,
		"getApplicantReference":     {answer: scalar()},
		"getApplicantMatriculation": {answer: scalar()},
		"listApplicantNotes":        {answer: notesAnswer()},
		"getApplicantNote":          {answer: one[noteWire]()},
		"listApplicantDocuments":    {answer: many[applicantDocumentWire]()},
		"getApplicantDocument":      {answer: file(anyFile)},
		"listApplicantStudyPlans":   {answer: many[studyPlanWire]()},
		"getApplicantStudyPlan":     {answer: one[studyPlanWire]()},

		"listApplicantsConsents": {answer: many[consentWire]()},
		"getApplicantsConsent":   {answer: one[consentWire]()},
		"listApplicantsTrackers": {answer: many[trackerWire]()},
		"getApplicantsTracker":   {answer: one[trackerWire]()},
	}
}

// applicationReads are the shapes of what is read below /applications.
func applicationReads() map[string]shape {
	return map[string]shape{
		"listApplications": {query: readsQuery[applicationsInput](), expands: applicationExpansions, answer: pages[applicationWire]()},
		"getApplication":   {query: readsQuery[expandInput](), expands: applicationExpansions, answer: object(wholeApplication, "ETag")},

		"listApplicationCourses":                {answer: many[courseAssociationWire]()},
		"getApplicationCourse":                  {answer: one[courseAssociationWire]()},
		"getApplicationCoursePriority":          {answer: object(plain(schema.Schema{Type: "integer", Minimum: new(int64(1))}), "ETag")},
		"listApplicationFlags":                  {answer: many[flagAssociationWire]()},
		"getApplicationFlag":                    {answer: one[flagAssociationWire]()},
		"listApplicationOffers":                 {answer: many[offerWire]()},
		"getApplicationOffer":                   {answer: one[offerWire]()},
		"getApplicationOfferType":               {answer: changed(version.OfferTypesByID, scalar(), one[offerTypeOfOffer]())},
		"getApplicationOfferSubject":            {answer: scalar()},
		"getApplicationOfferComments":           {answer: scalar()},
		"listApplicationOfferAttachments":       {answer: many[offerAttachmentWire]()},
		"getApplicationOfferAttachment":         {answer: one[offerAttachmentWire]()},
		"getApplicationOfferAttachmentDownload": {answer: file(anyFile)},
		"listApplicationOfferLetters":           {answer: many[letterWire]()},
		"getApplicationOfferLetter":             {answer: one[letterWire]()},
		"getApplicationOfferDecision":           {answer: scalar()},
		"listApplicationOfferNotes":             {answer: notesAnswer()},
		"getApplicationOfferNote":               {answer: one[noteWire]()},
		"getApplicationOfferReason":             {answer: scalar()},
		"getApplicationOfferScoreExtra":         {answer: scalar()},
		"listApplicationTasks":                  {answer: many[taskWire]()},
		"getApplicationTask":                    {answer: one[taskWire]()},
		"getApplicationTaskStatus":              {answer: scalar()},
		"listApplicationTaskDocuments":          {answer: many[fileWire]()},
		"getApplicationTaskDocument":            {answer: file(anyFile)},
		"getApplicationTaskDocumentsZip":        {query: readsQuery[zipInput](), answer: stream("application/zip")},
		"getApplicationDocumentsZip":            {query: readsQuery[zipInput](), answer: stream("application/zip")},
		"listApplicationExports":                {answer: many[exportWire]()},
		"getApplicationExport":                  {answer: one[exportWire]()},
		"listApplicationExportBlobs":            {answer: keyed[blobWire]()},
		"getApplicationExportBlob":              {answer: file(anyFile)},
		"listApplicationDocuments":              {answer: many[fileWire]()},
		"getApplicationDocument":                {answer: file(anyFile)},
		"listApplicationScores":                 {answer: many[scoreWire]()},
		"getApplicationPdf":                     {answer: file("application/pdf")},
		"listApplicationInvoices":               {answer: many[invoiceWire]()},
		"getApplicationInvoice":                 {answer: one[invoiceWire]()},
		"listApplicationStudyPlans":             {answer: many[studyPlanWire]()},
		"getApplicationStudyPlan":               {answer: one[studyPlanWire]()},

		"listApplicationsFlags":       {answer: many[flagWire]()},
		"getApplicationsFlag":         {answer: one[flagWire]()},
		"getApplicationsStatuses":     {answer: keyed[statusTextWire]()},
		"listApplicationsOffersTypes": {answer: changed(version.OfferTypesByID, keyed[offerTypeWire](), many[offerTypeWire]())},
		"getApplicationsOffersType":   {answer: one[offerTypeWire]()},
	}
}

// otherReads are the shapes of the service, reference data, finance, scoring and reporting.
func otherReads() map[string]shape {
	return map[string]shape{
		"getVersion":  {answer: object(versionsSchema, "ETag")},
		"getPing":     {answer: one[pingWire]()},
		"listJournal": {query: readsQuery[journalInput](), limit: maxRecords, capped: true, answer: pages[recordWire]()},

		"listInstitutions":            {query: readsQuery[institutionsInput](), answer: many[institutionWire]()},
		"getInstitution":              {answer: one[institutionWire]()},
		"listInstitutionDepartments":  {answer: many[departmentWire]()},
		"getInstitutionDepartment":    {answer: one[departmentWire]()},
		"listCourses":                 {query: readsQuery[coursesInput](), answer: many[courseWire]()},
		"getCourse":                   {answer: one[courseWire]()},
		"listIntakes":                 {answer: many[intakeWire]()},
		"getIntake":                   {answer: one[intakeWire]()},
		"listInvoices":                {query: readsQuery[invoicesInput](), limit: maxInvoices, answer: pages[invoiceWire]()},
		"getInvoice":                  {answer: one[invoiceWire]()},
		"listInvoiceTransactions":     {answer: many[transactionWire]()},
		"getInvoiceTransaction":       {answer: one[transactionWire]()},
		"getInvoicesSeries":           {answer: many[seriesWire]()},
		"listInvoicesTransactions":    {query: readsQuery[transactionsInput](), limit: maxInvoices, answer: pages[transactionWire]()},
		"getInvoicesTransaction":      {answer: one[transactionWire]()},
		"listAcademicTerms":           {answer: many[termWire]()},
		"getAcademicTerm":             {answer: one[termWire]()},
		"listAcademicTermsTypes":      {answer: many[termTypeWire]()},
		"getAcademicTermsType":        {answer: one[termTypeWire]()},
		"listAcademicYears":           {answer: many[yearWire]()},
		"getAcademicYear":             {answer: one[yearWire]()},
		"getClassificators":           {answer: object(classificatorsSchema, "ETag", "X-Count")},
		"listReports":                 {answer: keyed[reportWire]()},
		"getReport":                   {query: readsQuery[reportInput](), answer: reportAnswer},
		"listScoresheets":             {answer: many[scoresheetWire]()},
		"getScoresheet":               {answer: one[scoresheetWire]()},
		"listScoresheetScores":        {query: readsQuery[scoresInput](), limit: maxScores, answer: pages[scoreWire]()},
		"getScoresheetScore":          {answer: one[scoreWire]()},
		"getScoresheetScorePoints":    {answer: scalar()},
		"getScoresheetScoreComments":  {answer: scalar()},
		"getScoresheetScoreDate":      {answer: scalar()},
		"getScoresheetScoreReference": {answer: scalar()},
		"getScoresheetScoreSubject":   {answer: scalar()},
		"getScoresheetScoreLanguage":  {answer: scalar()},
		"listTableviews":              {answer: many[tableviewWire]()},
		"getTableview":                {answer: one[tableviewWire]()},
		"getTableviewTabledata":       {answer: csv()},
		"listAdministrators":          {answer: many[administratorWire]()},
		"getAdministrator":            {answer: one[administratorWire]()},
		"listRankings":                {query: readsQuery[rankingsInput](), answer: many[rankingWire]()},
		"getRanking":                  {answer: one[rankingWire]()},
		"listRankingEntries":          {query: readsQuery[rankingEntriesInput](), answer: many[rankingEntryWire]()},
		"listLetterheads":             {answer: many[letterheadWire]()},
		"getLetterhead":               {answer: one[letterheadWire]()},
		"listFees":                    {answer: many[feeWire]()},
		"getFee":                      {answer: one[feeWire]()},
		"listFeeAmounts":              {answer: keyed[feeAmountWire]()},
		"getFeeAmount":                {answer: one[feeAmountWire]()},
		"listPurgedResources":         {query: readsQuery[pagedInput](), answer: paged[purgedWire]()},
		"listLogins":                  {query: readsQuery[pagedInput](), answer: paged[loginWire]()},
	}
}

// versionsSchema is the answer of /version.
func versionsSchema(d *apiDocument) *schema.Schema {
	return d.named("Versions", &schema.Schema{Type: "object", Required: []string{"version", "default", "versions"},
		Properties: schema.Members{{Name: "version", Value: &schema.Schema{Type: "integer", Description: "The newest version."}},
			{Name: "default", Value: &schema.Schema{Type: "integer", Description: "The version of requests without one."}},
			{Name: "versions", Value: schema.KeyedByName(d.component(reflect.TypeFor[versionWire]()))}}})
}

// classificatorsSchema is every class with its codes and their titles.
func classificatorsSchema(*apiDocument) *schema.Schema {
	return schema.KeyedByName(schema.KeyedByName(schema.Text()))
}

// reportAnswer is CSV, or JSON where Accept prefers it.
func reportAnswer(d *apiDocument) answers {
	report := d.named("ReportData", &schema.Schema{Type: "object",
		Required: []string{"name", "title", "generated", "parameters", "columns", "rows"}, Properties: schema.Members{
			{Name: "name", Value: schema.Text()}, {Name: "title", Value: schema.Text()}, {Name: "generated", Value: d.schemaOf(wire.TimeType)},
			{Name: "parameters", Value: d.component(reflect.TypeFor[givenParameters]())}, {Name: "columns", Value: schema.ListOf(schema.Text())},
			{Name: "rows", Value: schema.ListOf(schema.KeyedByName(&schema.Schema{Type: []string{"string", "integer", "null"}}))}}})
	return answers{status: http.StatusOK, content: schema.Members{{Name: "text/csv", Value: schema.Text()}, {Name: jsonType, Value: report}},
		headers: []string{"Content-Disposition", "Last-Modified", "Expires"},
		meaning: "The table; JSON where Accept prefers it. Each report takes some of the parameters; GET /reports says which."}
}
