package store

// The defaults of a new instance (resources.md 18 and 25). IDs are fixed.

// seedOfferType is one of the types of 25.1; attributes are the letters of that table: C confirm, F freeze,
// D decide, L decline, R reopen, S silence.
type seedOfferType struct{ title, colour, ranking, attributes string }

// seedOfferTypes are numbered from 1.
var seedOfferTypes = [...]seedOfferType{
	{"Unreplied", "#9E9E9E", "Pending", ""},
	{"Feedback by sending", "#5C9DED", "Pending", "CR"},
	{"Sent to committee by sending", "#7E57C2", "Pending", "CF"},
	{"Rejected by sending", "#D9534F", "Eliminated", "CFS"},
	{"Nominated", "#26A69A", "Pending", "C"},
	{"Feedback", "#64B5F6", "Pending", "CR"},
	{"Positive feedback", "#4DB6AC", "Pending", "CR"},
	{"Ready for committee", "#9575CD", "Pending", "F"},
	{"Prerequisites", "#FFB300", "Pending", "CR"},
	{"Examinations", "#FFA000", "Pending", "CF"},
	{"In ranking", "#7986CB", "Pending", "F"},
	{"Outranked", "#BF8040", "Eliminated", "CFS"},
	{"Waitlisted", "#FFCA28", "Pending", "CF"},
	{"Provisionally accepted", "#AED581", "In quota", "CFD"},
	{"Conditionally accepted", "#9CCC65", "In quota", "CFDL"},
	{"Admission notification", "#81C784", "In quota", "CFDL"},
	{"Accepted", "#43A047", "In quota", "CFDL"},
	{"Scholarship", "#2E7D32", "In quota", "CFDL"},
	{"Failed", "#E57373", "Eliminated", "CFS"},
	{"Withdrawn", "#BDBDBD", "Eliminated", "CS"},
	{"Not considered", "#A1887F", "Eliminated", "CFS"},
	{"Late application", "#8D6E63", "Eliminated", "CS"},
	{"Not qualified", "#EF5350", "Eliminated", "CFS"},
	{"Other", "#90A4AE", "Pending", "C"},
	{"Enrolled", "#1B5E20", "In quota", "CFS"},
	{"Payments OK", "#00897B", "In quota", "CF"},
	{"Documents OK", "#00796B", "In quota", "CF"},
	{"Everything OK", "#00695C", "In quota", "CF"},
	{"Arrived", "#004D40", "In quota", "CFS"},
	{"Closed", "#757575", "Eliminated", "FS"},
}

// seedStatuses are the application statuses of 6.2: name, title, colour, verbose.
var seedStatuses = [...][4]string{
	{"Blank", "Blank", "#B7E356", "Started, nothing filled in yet"},
	{"Draft", "Draft", "#B7E356", "Being filled in by the applicant"},
	{"Inactive", "Inactive", "#B7E356", "Draft without changes for 15 days"},
	{"Reopened", "Reopened", "#B7E356", "Given back to the applicant for changes"},
	{"Submitted", "Submitted", "#FFD21F", "Handed in, waiting for decisions"},
	{"Withdrawn", "Withdrawn", "#AFAFAF", "Withdrawn by the applicant"},
	{"Closed", "Closed", "#AFAFAF", "Finished, no more changes"},
}

// seedTermTypes are the built-in term types of 17, numbered from 1; custom ones begin at 101.
var seedTermTypes = [...]string{
	"Fall semester",
	"Autumn semester",
	"Spring semester",
	"Semester 1",
	"Semester 2",
	"Trimester 1",
	"Trimester 2",
	"Trimester 3",
	"Quadmester 1",
	"Quadmester 2",
	"Quadmester 3",
	"Quadmester 4",
	"Legacy",
}

// seedTemplate is a task template of 25.4; blocks says that its default status stops submission.
type seedTemplate struct {
	class, title, trigger string
	blocks                bool
}

var seedTemplates = [...]seedTemplate{
	{"document-check", "Documents", "none", false},
	{"checklist-identity", "Copy of passport or identity card", "created", true},
	{"checklist-transcript", "Transcript of records", "submitted", false},
	{"checklist-diploma", "Diploma or certificate", "submitted", false},
	{"checklist-language", "Proof of language skills", "submitted", false},
	{"checklist-motivation", "Motivation letter", "none", false},
	{"checklist-references", "Reference letters", "none", false},
	{"checklist-fee", "Application fee receipt", "none", false},
	{"checklist-interview", "Interview", "none", false},
	{"checklist-deposit", "Tuition deposit", "none", false},
	{"checklist-visa", "Visa or residence permit", "none", false},
	{"checklist-arrival", "Arrival and registration", "none", false},
}

// seedTemplateStatus is a status of a task template; switches are letters: P public, D default, R resolves,
// C closes, F requires a document, T tells the applicant.
type seedTemplateStatus struct{ name, switches string }

var seedDocumentCheck = [...]seedTemplateStatus{{"Waiting", "D"}, {"Uploaded", "PF"}, {"Accepted", "RC"},
	{"Rejected", "T"}}

var seedChecklist = [...]seedTemplateStatus{{"Pending", "D"}, {"Submitted", "P"}, {"In review", ""}, {"Returned", "T"},
	{"Accepted", "RC"}, {"Rejected", "RCT"}, {"Not required", "RC"}}

// seedProfiles are the export profiles of 25.5: code and name; all have the adapter archive.
var seedProfiles = [...][2]string{{"json", "JSON package"}, {"xml", "XML package"}, {"csv", "CSV row"}}

// seedRegions are the territories of 16 in their default order.
var seedRegions = [...][2]string{
	{"EU", "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"},
	{"EEA", "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK"},
	{"002", "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW"},
	{"009", "AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS"},
	{"019", "AG AI AR AW BB BL BM BO BQ BR BS BV BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GS GT GY HN HT JM KN KY LC MF MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI"},
	{"142", "AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE"},
	{"150", "AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK"},
}
