package demo

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store/load"
)

// The flags of the data.
const (
	flagInterview int64 = iota + 1
	flagScholarship
	flagVIP
	flagIncomplete
	flagCheckDiploma
	flagDormitory
	flagDuplicate
	flagVisa
)

var flagNames = [...]string{"Interview", "Scholarship candidate", "VIP", "Incomplete", "Check the diploma", "Dormitory",
	"Possible duplicate", "Visa risk"}

func planFlags(over span) (list []admitto.Flag) {
	for i, name := range flagNames {
		list = append(list, admitto.Flag{ID: int64(i + 1), Name: name,
			Created: over.begins - admitto.Time(100-2*i)*admitto.Day + 11*admitto.Hour})
	}
	return list
}

// The questions behind the extras of applications, one of each type.
const (
	askAccommodation int64 = iota + 1
	askLearned
	askPlans
	askSiblings
	askAvailable
	askFormerCountry
	askTeaching
	askInterests
	askDormitory
	askFunds
	askPortfolio
	askReferees
)

var (
	accommodations = []string{"Dormitory", "Rented flat", "With family", "Not decided"}
	sources        = []string{"Website", "Friends", "Education fair", "Agent", "Social media", "School"}
)

var questions = []admitto.Question{
	{ID: askAccommodation, Name: "Accommodation preference", Type: admitto.ExtraChoice, Options: accommodations},
	{ID: askLearned, Name: "How did you learn about us?", Type: admitto.ExtraChoices, Options: sources},
	{ID: askPlans, Name: "What do you want to do after graduation?", Type: admitto.ExtraLongText},
	{ID: askSiblings, Name: "How many brothers and sisters study?", Type: admitto.ExtraNumber},
	{ID: askAvailable, Name: "From when are you available for an interview?", Type: admitto.ExtraDate},
	{ID: askFormerCountry, Name: "In which country did you finish school?", Type: admitto.ExtraCountry},
	{ID: askTeaching, Name: "In which language were you taught?", Type: admitto.ExtraLanguage},
	{ID: askInterests, Name: "Sport or instrument", Type: admitto.ExtraText},
	{ID: askDormitory, Name: "Do you need a place in the dormitory?", Type: admitto.ExtraYesNo},
	{ID: askFunds, Name: "Funds per year", Type: admitto.ExtraMoney},
	{ID: askPortfolio, Name: "Portfolio or certificate", Type: admitto.ExtraFile},
	{ID: askReferees, Name: "Referees", Type: admitto.ExtraSection, Fields: []admitto.Question{
		{ID: 101, Name: "Name of the referee", Type: admitto.ExtraText},
		{ID: 102, Name: "Known since", Type: admitto.ExtraNumber},
		{ID: 103, Name: "May we call?", Type: admitto.ExtraYesNo},
		{ID: 104, Name: "Country of the referee", Type: admitto.ExtraCountry},
	}},
}

// courseForms are the forms of the courses: all ask where somebody wants to live, those of exchange students and the
// doctoral schools ask more, and summer schools ask for less.
func courseForms(courses []*course) (list []load.CourseForm) {
	ask := func(ids ...int64) (asks []form.Ask) {
		for _, id := range ids {
			asks = append(asks, form.Ask{ID: id})
		}
		return asks
	}
	for i := range courses {
		f := load.CourseForm{Course: courses[i].ID}
		switch courses[i].level {
		case doctoral:
			f.Settings.Questions = ask(askReferees, askPortfolio, askFunds)
		case exchange:
			f.Settings.Sections = map[string]form.Show{"home": form.Shown}
			f.Settings.Questions = ask(askAccommodation, askDormitory)
		case summer:
			f.Settings.Sections = map[string]form.Show{"career": form.Hidden, "activities": form.Hidden,
				"residences": form.Hidden}
			f.Settings.Questions = ask(askInterests, askDormitory)
		default:
			f.Settings.Questions = ask(askAccommodation, askLearned, askPlans)
		}
		list = append(list, f)
	}
	return list
}

// The series of invoices; the first is seeded.
const (
	seriesGeneral int64 = 1
	seriesFee     int64 = 2
	seriesTuition int64 = 3
)

var series = []admitto.Series{
	{ID: seriesFee, Name: "Application fee", Format: "%yearLong%-%incYearly%", Blocking: true,
		Instructions: howToPay, Versions: howToPaySaid},
	{ID: seriesTuition, Name: "Tuition", Format: "T%yearShort%%month%-%incMonthly:4%", Permanent: true,
		Instructions: howToPay, Versions: howToPaySaid},
}

// reasons are the predefined ones, by offer type; IDs go on through all types.
var reasons = []struct {
	offerType int64
	reasons   []string
}{
	{12, []string{"All places were given to applicants with more points"}},
	{15, []string{"Diploma to be handed in before enrolment", "Language certificate to be handed in"}},
	{19, []string{"Entrance examination not passed", "Did not come to the interview"}},
	{23, []string{"Former studies do not qualify", "Language skills are not sufficient", "Subjects are missing"}},
}

// activeTemplates are the task templates in use, by the IDs of resources.md 25.4.
var activeTemplates = []int64{templateDocuments, templateIdentity, templateTranscript, templateDiploma,
	templateLanguage, templateInterview,
	templateDeposit, templateVisa}

const (
	templateDocuments  int64 = 1
	templateIdentity   int64 = 2
	templateTranscript int64 = 3
	templateDiploma    int64 = 4
	templateLanguage   int64 = 5
	templateInterview  int64 = 9
	templateDeposit    int64 = 10
	templateVisa       int64 = 11
)

// planTableviews returns the tableviews after the seeded one.
func planTableviews(over span) []admitto.Tableview {
	table := func(title string, byOffer bool, days int, filters string, columns ...string) admitto.Tableview {
		created := over.begins - admitto.Time(days)*admitto.Day + 13*admitto.Hour
		v := admitto.Tableview{Title: title, ByOffer: byOffer, Filters: filters, Created: created,
			Modified: created + 30*admitto.Day}
		for _, c := range columns {
			v.Columns = append(v.Columns, admitto.TableColumn{Source: c, Title: c})
		}
		return v
	}
	list := []admitto.Tableview{
		table("Submitted", false, 80, `{"statuses":["Submitted"]}`, "Application", "Applicant", "Status", "Academic term",
			"Academic year", "Submitted date",
			"Name", "E-mail", "Phone", "Citizenship", "Course 1", "Course 1: Code", "Course 1: Institution", "Course 1: Intake",
			"Course 2",
			"Course 3", "Flags", "Trackers"),
		table("Offers and decisions", true, 79, `{}`, "Offer", "Application", "Applicant", "Name", "Citizenship", "Course",
			"Course: Code",
			"Course: Institution", "Course: Intake", "Priority", "Offer type", "Offer type (confirmed)",
			"Offer date (confirmed)", "Decision",
			"Decision date", "Decision deadline", "Score (automatic)", "Score (extra)", "Score (total)", "Rank"),
		table("For the student information system", false, 78, `{}`, "Applicant", "Matriculation number", "Reference",
			"Salutation", "Gender",
			"Given name(s)", "Middle name(s)", "Family name(s)", "Date of birth", "Place of birth", "Country of birth",
			"Nationality",
			"Marital status", "Passport: Number", "Passport: Expiry", "Passport: Country", "ID code", "Social security number",
			"Mother: Given name(s)", "Mother: Family name(s)",
			"Father: Given name(s)", "Father: Family name(s)", "Address: Street", "Address: House number", "Address: Apartment",
			"Address: Municipality", "Address: City",
			"Address: Region", "Address: Postal code", "Address: Country", "Telephone: Mobile", "Education: Level",
			"Education: Institution",
			"Education: Country", "Education: Enrolment", "Education: Graduation"),
		table("Languages and scores", false, 60, `{}`, "Application", "Name", "Language 1", "Language 1: Proficiency",
			"Language 2",
			"Language 2: Proficiency", "Language 3", "Language 3: Proficiency", "Score: IELTS", "Score: Language level",
			"Score: Entrance examination", "Score: Average of former studies", "Created date", "Revised date", "Frozen date",
			"Registered date"),
		table("Fees, tasks and questions", false, 50, `{}`, "Application", "Status", "Name", "Invoices due", "Invoices paid",
			"Task: Transcript of records", "Task: Proof of language skills", "Extra question: Accommodation preference",
			"Extra question: How did you learn about us?", "Extra question: In which country did you finish school?",
			"Extra question: Do you need a place in the dormitory?", "Extra question: Funds per year"),
	}
	for i := range list {
		list[i].ID = int64(i + 2)
	}
	list[0].Columns[1].Title, list[0].Columns[10].Title = "No.", "First choice" // as renamed by the author
	return list
}
