package api

import (
	"net/http"
	"reflect"

	"github.com/admitto/admitto/internal/api/openapi"
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
func notesAnswer() func(*openapi.Document) openapi.Answers {
	return openapi.Changed(version.NotesCollection, openapi.Object(openapi.Plain(schema.Schema{Type: "string"}), "ETag"),
		openapi.Many[noteWire]())
}

// wholeApplication is the record of one application: header and content.
func wholeApplication(d *openapi.Document) *schema.Schema {
	return d.Joined("WholeApplication", reflect.TypeFor[applicationWire](), reflect.TypeFor[wire.Content]())
}

// applicantReads are the shapes of what is read below /applicants.
func applicantReads() map[string]openapi.Shape {
	application := openapi.Shape{Query: openapi.Query[expandInput](), Expands: applicationExpansions,
		Answer: openapi.Object(wholeApplication, "ETag")}
	return map[string]openapi.Shape{
		"listApplicants": {Query: openapi.Query[applicantsInput](), Expands: applicantExpansions,
			Answer: openapi.Pages[applicantWire]()},
		"getApplicant": {Query: openapi.Query[expandInput](), Expands: applicantExpansions,
			Answer: openapi.One[applicantWire]()},
		"getApplicantPhoto": {Answer: openapi.File("image/jpeg")},

		"listApplicantConsents":         {Answer: openapi.Many[consentAssociationWire]()},
		"getApplicantConsent":           {Answer: openapi.One[consentAssociationWire]()},
		"listApplicantEmails":           {Answer: openapi.Many[emailWire]()},
		"getApplicantEmail":             {Answer: openapi.One[emailWire]()},
		"listApplicantEmailAttachments": {Answer: openapi.Many[fileWire]()},
		"getApplicantEmailAttachment":   {Answer: openapi.File(openapi.AnyFile)},
		"listApplicantTrackers":         {Answer: openapi.Many[trackerAssociationWire]()},
		"getApplicantTracker":           {Answer: openapi.One[trackerAssociationWire]()},
		"listApplicantInvoices":         {Answer: openapi.Many[invoiceWire]()},
		"getApplicantInvoice":           {Answer: openapi.One[invoiceWire]()},
		"listApplicantWishes":           {Answer: openapi.Many[wishWire]()},
		"getApplicantWish":              {Answer: openapi.One[wishWire]()},
		"listApplicantApplications": {Query: openapi.Query[applicantApplicationsInput](), Expands: applicationExpansions,
			Answer: openapi.Pages[applicationWire]()},
		"getApplicantApplication":   application,
		"getApplicantReference":     {Answer: openapi.Scalar()},
		"getApplicantMatriculation": {Answer: openapi.Scalar()},
		"listApplicantNotes":        {Answer: notesAnswer()},
		"getApplicantNote":          {Answer: openapi.One[noteWire]()},
		"listApplicantDocuments":    {Answer: openapi.Many[applicantDocumentWire]()},
		"getApplicantDocument":      {Answer: openapi.File(openapi.AnyFile)},
		"listApplicantStudyPlans":   {Answer: openapi.Many[studyPlanWire]()},
		"getApplicantStudyPlan":     {Answer: openapi.One[studyPlanWire]()},

		"listApplicantsConsents": {Answer: openapi.Many[consentWire]()},
		"getApplicantsConsent":   {Answer: openapi.One[consentWire]()},
		"listApplicantsTrackers": {Answer: openapi.Many[trackerWire]()},
		"getApplicantsTracker":   {Answer: openapi.One[trackerWire]()},
	}
}

// applicationReads are the shapes of what is read below /applications.
func applicationReads() map[string]openapi.Shape {
	return map[string]openapi.Shape{
		"listApplications": {Query: openapi.Query[applicationsInput](), Expands: applicationExpansions,
			Answer: openapi.Pages[applicationWire]()},
		"getApplication": {Query: openapi.Query[expandInput](), Expands: applicationExpansions,
			Answer: openapi.Object(wholeApplication, "ETag")},

		"listApplicationCourses": {Answer: openapi.Many[courseAssociationWire]()},
		"getApplicationCourse":   {Answer: openapi.One[courseAssociationWire]()},
		"getApplicationCoursePriority": {Answer: openapi.Object(openapi.Plain(schema.Schema{Type: "integer",
			Minimum: new(int64(1))}), "ETag")},
		"listApplicationFlags":  {Answer: openapi.Many[flagAssociationWire]()},
		"getApplicationFlag":    {Answer: openapi.One[flagAssociationWire]()},
		"listApplicationOffers": {Answer: openapi.Many[offerWire]()},
		"getApplicationOffer":   {Answer: openapi.One[offerWire]()},
		"getApplicationOfferType": {Answer: openapi.Changed(version.OfferTypesByID, openapi.Scalar(),
			openapi.One[offerTypeOfOffer]())},
		"getApplicationOfferSubject":            {Answer: openapi.Scalar()},
		"getApplicationOfferComments":           {Answer: openapi.Scalar()},
		"listApplicationOfferAttachments":       {Answer: openapi.Many[offerAttachmentWire]()},
		"getApplicationOfferAttachment":         {Answer: openapi.One[offerAttachmentWire]()},
		"getApplicationOfferAttachmentDownload": {Answer: openapi.File(openapi.AnyFile)},
		"listApplicationOfferLetters":           {Answer: openapi.Many[letterWire]()},
		"getApplicationOfferLetter":             {Answer: openapi.One[letterWire]()},
		"getApplicationOfferDecision":           {Answer: openapi.Scalar()},
		"listApplicationOfferNotes":             {Answer: notesAnswer()},
		"getApplicationOfferNote":               {Answer: openapi.One[noteWire]()},
		"getApplicationOfferReason":             {Answer: openapi.Scalar()},
		"getApplicationOfferScoreExtra":         {Answer: openapi.Scalar()},
		"listApplicationTasks":                  {Answer: openapi.Many[taskWire]()},
		"getApplicationTask":                    {Answer: openapi.One[taskWire]()},
		"getApplicationTaskStatus":              {Answer: openapi.Scalar()},
		"listApplicationTaskDocuments":          {Answer: openapi.Many[fileWire]()},
		"getApplicationTaskDocument":            {Answer: openapi.File(openapi.AnyFile)},
		"getApplicationTaskDocumentsZip": {Query: openapi.Query[zipInput](),
			Answer: openapi.Stream("application/zip")},
		"getApplicationDocumentsZip": {Query: openapi.Query[zipInput](),
			Answer: openapi.Stream("application/zip")},
		"listApplicationExports":     {Answer: openapi.Many[exportWire]()},
		"getApplicationExport":       {Answer: openapi.One[exportWire]()},
		"listApplicationExportBlobs": {Answer: openapi.Keyed[blobWire]()},
		"getApplicationExportBlob":   {Answer: openapi.File(openapi.AnyFile)},
		"listApplicationDocuments":   {Answer: openapi.Many[fileWire]()},
		"getApplicationDocument":     {Answer: openapi.File(openapi.AnyFile)},
		"listApplicationScores":      {Answer: openapi.Many[scoreWire]()},
		"getApplicationPdf":          {Answer: openapi.File("application/pdf")},
		"listApplicationInvoices":    {Answer: openapi.Many[invoiceWire]()},
		"getApplicationInvoice":      {Answer: openapi.One[invoiceWire]()},
		"listApplicationStudyPlans":  {Answer: openapi.Many[studyPlanWire]()},
		"getApplicationStudyPlan":    {Answer: openapi.One[studyPlanWire]()},

		"listApplicationsFlags":   {Answer: openapi.Many[flagWire]()},
		"getApplicationsFlag":     {Answer: openapi.One[flagWire]()},
		"getApplicationsStatuses": {Answer: openapi.Keyed[statusTextWire]()},
		"listApplicationsOffersTypes": {Answer: openapi.Changed(version.OfferTypesByID, openapi.Keyed[offerTypeWire](),
			openapi.Many[offerTypeWire]())},
		"getApplicationsOffersType": {Answer: openapi.One[offerTypeWire]()},
	}
}

// otherReads are the shapes of the service, reference data, finance, scoring and reporting.
func otherReads() map[string]openapi.Shape {
	return map[string]openapi.Shape{
		"getVersion": {Answer: openapi.Object(versionsSchema, "ETag")},
		"getPing":    {Answer: openapi.One[pingWire]()},
		"listJournal": {Query: openapi.Query[journalInput](), Limit: maxRecords, Capped: true,
			Answer: openapi.Pages[recordWire]()},

		"listInstitutions":           {Query: openapi.Query[institutionsInput](), Answer: openapi.Many[institutionWire]()},
		"getInstitution":             {Answer: openapi.One[institutionWire]()},
		"listInstitutionDepartments": {Answer: openapi.Many[departmentWire]()},
		"getInstitutionDepartment":   {Answer: openapi.One[departmentWire]()},
		"listCourses":                {Query: openapi.Query[coursesInput](), Answer: openapi.Many[courseWire]()},
		"getCourse":                  {Answer: openapi.One[courseWire]()},
		"listIntakes":                {Answer: openapi.Many[intakeWire]()},
		"getIntake":                  {Answer: openapi.One[intakeWire]()},
		"listInvoices": {Query: openapi.Query[invoicesInput](), Limit: maxInvoices,
			Answer: openapi.Pages[invoiceWire]()},
		"getInvoice":              {Answer: openapi.One[invoiceWire]()},
		"listInvoiceTransactions": {Answer: openapi.Many[transactionWire]()},
		"getInvoiceTransaction":   {Answer: openapi.One[transactionWire]()},
		"getInvoicesSeries":       {Answer: openapi.Many[seriesWire]()},
		"listInvoicesTransactions": {Query: openapi.Query[transactionsInput](), Limit: maxInvoices,
			Answer: openapi.Pages[transactionWire]()},
		"getInvoicesTransaction": {Answer: openapi.One[transactionWire]()},
		"listAcademicTerms":      {Answer: openapi.Many[termWire]()},
		"getAcademicTerm":        {Answer: openapi.One[termWire]()},
		"listAcademicTermsTypes": {Answer: openapi.Many[termTypeWire]()},
		"getAcademicTermsType":   {Answer: openapi.One[termTypeWire]()},
		"listAcademicYears":      {Answer: openapi.Many[yearWire]()},
		"getAcademicYear":        {Answer: openapi.One[yearWire]()},
		"getClassificators":      {Answer: openapi.Object(classificatorsSchema, "ETag", "X-Count")},
		"listReports":            {Answer: openapi.Keyed[reportWire]()},
		"getReport":              {Query: openapi.Query[reportInput](), Answer: reportAnswer},
		"listScoresheets":        {Answer: openapi.Many[scoresheetWire]()},
		"getScoresheet":          {Answer: openapi.One[scoresheetWire]()},
		"listScoresheetScores": {Query: openapi.Query[scoresInput](), Limit: maxScores,
			Answer: openapi.Pages[scoreWire]()},
		"getScoresheetScore":          {Answer: openapi.One[scoreWire]()},
		"getScoresheetScorePoints":    {Answer: openapi.Scalar()},
		"getScoresheetScoreComments":  {Answer: openapi.Scalar()},
		"getScoresheetScoreDate":      {Answer: openapi.Scalar()},
		"getScoresheetScoreReference": {Answer: openapi.Scalar()},
		"getScoresheetScoreSubject":   {Answer: openapi.Scalar()},
		"getScoresheetScoreLanguage":  {Answer: openapi.Scalar()},
		"listTableviews":              {Answer: openapi.Many[tableviewWire]()},
		"getTableview":                {Answer: openapi.One[tableviewWire]()},
		"getTableviewTabledata":       {Answer: openapi.CSV()},
		"listAdministrators":          {Answer: openapi.Many[administratorWire]()},
		"getAdministrator":            {Answer: openapi.One[administratorWire]()},
		"listRankings":                {Query: openapi.Query[rankingsInput](), Answer: openapi.Many[rankingWire]()},
		"getRanking":                  {Answer: openapi.One[rankingWire]()},
		"listRankingEntries": {Query: openapi.Query[rankingEntriesInput](),
			Answer: openapi.Many[rankingEntryWire]()},
		"listLetterheads":     {Answer: openapi.Many[letterheadWire]()},
		"getLetterhead":       {Answer: openapi.One[letterheadWire]()},
		"listFees":            {Answer: openapi.Many[feeWire]()},
		"getFee":              {Answer: openapi.One[feeWire]()},
		"listFeeAmounts":      {Answer: openapi.Keyed[feeAmountWire]()},
		"getFeeAmount":        {Answer: openapi.One[feeAmountWire]()},
		"listPurgedResources": {Query: openapi.Query[pagedInput](), Answer: paged[purgedWire]()},
		"listLogins":          {Query: openapi.Query[pagedInput](), Answer: paged[loginWire]()},
	}
}

// paged answers one page of a collection, which tells of the pages under a further key.
func paged[T any]() func(*openapi.Document) openapi.Answers {
	return func(d *openapi.Document) openapi.Answers {
		s := schema.KeyedByID(d.Component(reflect.TypeFor[T]()))
		s.Properties = schema.Members{{Name: "pages", Value: d.Component(reflect.TypeFor[pagesWire]())}}
		s.Required = []string{"pages"}
		return openapi.JSON(s, "ETag", "X-Count")
	}
}

// versionsSchema is the answer of /version.
func versionsSchema(d *openapi.Document) *schema.Schema {
	return d.Named("Versions", &schema.Schema{Type: "object", Required: []string{"version", "default", "versions"},
		Properties: schema.Members{{Name: "version", Value: &schema.Schema{Type: "integer",
			Description: "The newest version."}},
			{Name: "default", Value: &schema.Schema{Type: "integer", Description: "The version of requests without one."}},
			{Name: "versions", Value: schema.KeyedByName(d.Component(reflect.TypeFor[versionWire]()))}}})
}

// classificatorsSchema is every class with its codes and their titles.
func classificatorsSchema(*openapi.Document) *schema.Schema {
	return schema.KeyedByName(schema.KeyedByName(schema.Text()))
}

// reportAnswer is CSV, or JSON where Accept prefers it.
func reportAnswer(d *openapi.Document) openapi.Answers {
	report := d.Named("ReportData", &schema.Schema{Type: "object",
		Required: []string{"name", "title", "generated", "parameters", "columns", "rows"}, Properties: schema.Members{
			{Name: "name", Value: schema.Text()}, {Name: "title", Value: schema.Text()}, {Name: "generated",
				Value: d.SchemaOf(wire.TimeType)},
			{Name: "parameters", Value: d.Component(reflect.TypeFor[givenParameters]())}, {Name: "columns",
				Value: schema.ListOf(schema.Text())},
			{Name: "rows", Value: schema.ListOf(schema.KeyedByName(&schema.Schema{Type: []string{"string", "integer",
				"null"}}))}}})
	return openapi.Answers{Status: http.StatusOK, Content: schema.Members{{Name: "text/csv", Value: schema.Text()},
		{Name: jsonType, Value: report}},
		Headers: []string{"Content-Disposition", "Last-Modified", "Expires"},
		Meaning: "The table; JSON where Accept prefers it. Each report takes some of the parameters; GET /reports says which."}
}
