package demo

import (
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
)

func (ap *application) career(content *form.Content) {
	c, p := ap.chance, ap.p
	likely := [...]int{120, 550, 100, 750, 150, 200}[p.level]
	year := ap.row.Created.Std().Year()
	for range ap.when(likely, c.between(1, 2)) {
		from := max(year-c.between(1, 5), p.born+16)
		row := form.Object{"employer": pick(c, employers),
			"company": pick(c, []string{"PRI", "PRI", "PUB", "NGO", "EDU", "SELF"}),
			"type":    pick(c, []string{"FT", "PT", "TEMP", "INTERN", "VOL"}), "position": pick(c, positions),
			"country": p.Citizenship, "weekly": pick(c, []string{"10", "20", "40"}), "period/from": c.month(from, 1, 12)}
		if c.per(650) {
			row["period/to"] = fmt.Sprint(min(from+1, year))
		}
		content.AddRow("career", row)
	}
}

func (ap *application) activities(content *form.Content) {
	c := ap.chance
	for range ap.when(160, c.between(1, 2)) {
		year := ap.row.Created.Std().Year() - c.between(1, 3)
		content.AddRow("activities", form.Object{
			"organization": pick(c, []string{"Student council", "Chess club", "City choir", "Red Cross youth", "Robotics team"}),
			"type":         pick(c, []string{"STU", "SPO", "CUL", "NGO", "PRO"}),
			"nature":       pick(c, []string{"Member", "Treasurer", "Trainer", "Volunteer"}),
			"period/from":  fmt.Sprint(year)})
	}
}

func (ap *application) residences(content *form.Content) {
	c := ap.chance
	for range ap.when(90, 1) {
		from := c.date(ap.row.Created.Std().Year() - c.between(1, 4))
		content.AddRow("residences", form.Object{"country": pick(c, []string{"DE", "GB", "US", "TR", "AE", "FR"}),
			"purpose":     pick(c, []string{"School exchange", "Work of the parents", "Language course", "Internship"}),
			"period/from": from.String(), "period/to": c.month(int(from.Year)+1, 1, 8)})
	}
}

func (ap *application) visa(content *form.Content) {
	c := ap.chance
	needed := !strings.Contains("EU EEA HU", ap.in.deadline(ap.p.Citizenship).Territory)
	if !needed {
		if !c.per(600) {
			content.Put("visa", form.Object{"required": false, "type": "NONE"})
		}
		return
	}
	content.Put("visa", form.Object{"required": true, "type": "STU", "country": ap.p.Citizenship,
		"plan": pick(c, []string{"LEAVE", "STUDY", "WORK", "BUSINESS", "UND", "UND"})})
	if c.per(60) {
		content.Put("visa", form.Object{"type": "RP", "number": c.digits(8),
			"expiry": c.date(ap.ends.Std().Year() + 2).String()})
	}
}

func (ap *application) misc(content *form.Content) {
	c := ap.chance
	if !c.per(120) {
		return
	}
	content.Put("misc", form.Object{
		"medical": c.optional(300, []string{"Allergy to nuts", "Asthma, own medicine", "None"}),
		"additional": c.optional(300, []string{"I will arrive with my family.", "My documents come by post.",
			"I can be reached in the evening."}),
	})
	if c.per(300) {
		content.Put("misc", form.Object{"needs": []string{pick(c, []string{"MOB", "SLD", "VIS", "HEA", "CHR", "NOS"})}})
	}
	if c.per(300) {
		content.Put("misc", form.Object{"background": []string{pick(c, []string{"FIRST", "LOW", "REF", "RURAL", "CARE"})}})
	}
}

// extras answers some of the questions, in their order.
func (ap *application) extras() (list []admitto.Extra) {
	c := ap.chance
	for _, q := range questions {
		likely := [...]int{600, 500, 120, 100, 150, 350, 250, 120, 400, 150, 100, 60}[q.ID-1]
		if !c.per(likely) {
			continue
		}
		e := admitto.Extra{ID: q.ID, Name: q.Name, Type: q.Type}
		switch q.Type {
		case admitto.ExtraChoice:
			e.Text = pick(c, accommodations)
		case admitto.ExtraChoices:
			e.Choices = []string{pick(c, sources[:3])}
			if c.per(300) {
				e.Choices = append(e.Choices, pick(c, sources[3:]))
			}
		case admitto.ExtraLongText:
			e.Text = pick(c, plans)
		case admitto.ExtraNumber:
			e.Number = fmt.Sprint(c.IntN(5))
		case admitto.ExtraDate:
			e.Text = dayOf(ap.row.Created + admitto.Time(c.between(10, 60))*admitto.Day).String()
		case admitto.ExtraCountry:
			e.Text = ap.p.Citizenship
		case admitto.ExtraLanguage:
			e.Text = pick(c, []string{"en", "en", "fr", "ar", "ru", "hu"})
		case admitto.ExtraText:
			e.Text = pick(c, []string{"Football", "Piano", "Swimming", "Violin", "Chess", "Running"})
		case admitto.ExtraYesNo:
			yes := c.per(550)
			e.YesNo = &yes
		case admitto.ExtraMoney:
			e.Money = &admitto.Money{Amount: admitto.Hundredths(c.between(30, 200) * 10000),
				Currency: pick(c, []string{"EUR", "EUR", "HUF", "USD"})}
		case admitto.ExtraFile:
			if e.Document = ap.extra.ID; e.Document == 0 {
				continue
			}
		case admitto.ExtraSection:
			yes := c.per(800)
			e.Entries = []admitto.Extra{
				{ID: 101, Name: "Name of the referee", Type: admitto.ExtraText, Text: ap.relative()},
				{ID: 102, Name: "Known since", Type: admitto.ExtraNumber, Number: fmt.Sprint(ap.begins.Std().Year() - c.between(0,
					9))},
				{ID: 103, Name: "May we call?", Type: admitto.ExtraYesNo, YesNo: &yes},
				{ID: 104, Name: "Country of the referee", Type: admitto.ExtraCountry, Text: ap.p.Citizenship},
			}
		}
		list = append(list, e)
	}
	return list
}

// motivation is what people write when they are asked for it.
func motivation(c chance, course string) string {
	return pick(c, []string{"I want to study " + course + " because I have been interested in it since school.",
		"My teachers told me that " + course + " fits me.", course + " is what I want to work in one day.",
		"After some years of work I want to learn more about " + course + "."}) + "\n\n" +
		pick(c, []string{"Your university has good laboratories and small groups.",
			"A friend of mine studies with you and is happy.",
			"I visited the open day and liked the campus.", "The programme in English is what I was looking for."}) + " " +
		pick(c, plans)
}

var (
	cities = []string{"Newbridge", "Oldtown", "Riverside", "Northgate", "Lakeside", "Hillview", "Eastport", "Westfield",
		"Stonehaven", "Greenvale",
		"Fairmont", "Kingsbury", "Ashford", "Millbrook", "Sunnydale", "Harbourton"}
	streets = []string{"Main Street", "Station Road", "Church Lane", "Garden Street", "River Road", "School Street",
		"Park Avenue", "Mill Lane",
		"Hill Street", "Market Square"}
	studies = []string{"Computer Science", "Economics", "Mechanical Engineering", "Biology", "Business Administration",
		"Law", "Psychology",
		"Electrical Engineering", "International Relations", "Chemistry", "Mathematics"}
	employers = []string{"Riverside Software", "Oldtown Hospital", "Northgate Bank", "Lakeside Hotel", "City Library",
		"Hillview School", "Eastport Shipping"}
	positions = []string{"Assistant", "Developer", "Trainee", "Nurse", "Teacher", "Analyst", "Waiter", "Engineer"}
	subjects  = []string{"Mathematics", "Physics", "Biology", "Chemistry", "English", "History", "Informatics",
		"Literature"}
	grades = [][2]string{{"P5", "4"}, {"P5", "5"}, {"PCT", "84"}, {"PCT", "71"}, {"GPA4", "3.4"}, {"GER", "1.7"},
		{"ECTS", "B"}, {"IB", "34"}, {"P20", "15"}, {"PF", "Pass"}}
	plans = []string{"Then I want to work in my country.", "I plan to go on with a doctorate.",
		"One day I want to found a company.",
		"I would like to do research.", "I hope to find work in Europe.", "I do not know yet what comes after it."}
	nativeLanguages = map[string]string{"HU": "hu", "IN": "hi", "CN": "zh", "NG": "en", "PK": "ur", "TR": "tr", "IR": "fa",
		"DE": "de", "VN": "vi", "KZ": "kk",
		"UA": "uk", "RO": "ro", "BD": "bn", "JO": "ar", "EG": "ar", "AZ": "az", "SY": "ar", "GH": "en", "RS": "sr",
		"SK": "sk", "IL": "he", "MA": "ar", "KE": "sw",
		"ET": "am", "UZ": "uz", "RU": "ru", "FR": "fr", "IT": "it", "ES": "es", "US": "en", "PL": "pl", "GR": "el",
		"KR": "ko", "BR": "pt", "ID": "id", "TN": "ar",
		"GE": "ka", "LK": "si", "NP": "ne", "GB": "en", "IQ": "ar", "MX": "es", "CO": "es", "NO": "no", "JP": "ja",
		"AT": "de", "CZ": "cs", "BG": "bg", "HR": "hr",
		"FI": "fi", "SE": "sv", "NL": "nl", "PT": "pt", "IE": "en", "AU": "en", "CA": "en"}
)
