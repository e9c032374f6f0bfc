package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
)

// content fills in the sections; it is asked for when the last save comes about.
func (ap *application) content() string {
	c := ap.chance
	content := &form.Content{}
	ap.profile(content)
	ap.contact(content)
	ap.education(content)
	ap.languages(content)
	if ap.p.Type == admitto.Child {
		ap.legal(content)
	}
	if ap.p.level == exchange {
		ap.exchangeSides(content)
	}
	for range ap.when(250, c.between(1, 4)) {
		year := ap.p.born + c.between(17, 22)
		g := pick(c, grades)
		content.AddRow("grades", form.Object{"type": g[0], "grade": g[1], "subject": pick(c, subjects), "year": year})
	}
	ap.career(content)
	ap.activities(content)
	ap.residences(content)
	if ap.row.Submitted != 0 || c.per(300) {
		content.Put("motivation", form.Object{"general": motivation(c, ap.choices[0].course.Name)})
	}
	ap.visa(content)
	ap.misc(content)
	content.Extras = ap.extras()
	b, err := json.Marshal(content)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return string(b)
}

// when returns n with a likelihood in a thousand, else 0.
func (c chance) when(likely, n int) int {
	if c.per(likely) {
		return n
	}
	return 0
}

// when is that of chance, for short.
func (ap *application) when(likely, n int) int { return ap.chance.when(likely, n) }

// optional returns one of the texts with a likelihood in a thousand.
func (c chance) optional(likely int, list []string) string {
	if c.per(likely) {
		return pick(c, list)
	}
	return ""
}

func (c chance) date(year int) admitto.Date {
	return day(year, time.Month(c.between(1, 12)), c.between(1, 28))
}

func (c chance) month(year, from, to int) string {
	return fmt.Sprintf("%d-%02d", year, c.between(from, to))
}

func (ap *application) profile(content *form.Content) {
	c, p := ap.chance, ap.p
	country := p.Citizenship
	gender := [...]string{"M", "F", "M", "F", "M", "F", "M", "F", "M", "F", "X"}[c.IntN(11)]
	salutation := map[string]string{"M": "MR", "F": "MS", "X": "MX"}[gender]
	born := c.date(p.born)
	content.Put("profile", form.Object{
		"name/given": p.Name.Given, "name/middle": p.Name.Middle, "name/family": p.Name.Family,
		"salutation": salutation, "gender": gender,
		"birth/date": born.String(), "birth/place": pick(c, cities), "birth/country": country,
		"nationality": country, "citizenship": country, "marital": pick(c, []string{"S", "S", "S", "S", "S", "M", "P", "N"}),
	})
	if !strings.Contains("EU EEA HU", ap.in.deadline(p.Citizenship).Territory) || c.per(300) {
		issued := c.date(ap.row.Created.Std().Year() - c.between(1, 6))
		expiry := issued
		expiry.Year += 10
		content.Put("profile", form.Object{"passport/number": strings.ToUpper(p.Citizenship) + c.digits(7),
			"passport/issue": issued.String(), "passport/expiry": expiry.String(), "passport/country": country})
		if c.per(200) {
			content.Put("profile", form.Object{"passport/series": c.digits(2), "passport/issuer": "Ministry of the Interior"})
		}
	} else {
		content.Put("profile", form.Object{"idcard/number": c.digits(6) + "SA",
			"idcard/expiry": c.date(ap.ends.Std().Year() + 1 + c.IntN(6)).String(), "idcard/country": country})
	}
	switch p.Citizenship {
	case "PL":
		content.Put("profile", form.Object{"nationalidcode": map[string]string{"polish": c.digits(11)}})
	case "HU":
		content.Put("profile", form.Object{"idcode": "7" + c.digits(10)})
	}
	if c.per(250) {
		content.Put("profile", form.Object{"family/mother": ap.parent(mothers), "family/father": ap.parent(fathers)})
		if p.Type == admitto.Child {
			content.Put("profile", form.Object{"family/guardian": p.Name.Parent})
		}
	}
}

// mothers and fathers are the given names of parents.
var (
	mothers = words(`Abigail Alice Amelia Anna Caroline Catherine Charlotte Diana Dorothy Eleanor Elizabeth Emily Emma Frances Freya Grace Hannah
		Helen Isabella Jane Jessica Judith Julia Laura Lily Lucy Margaret Maria Martha Mary Megan Nina Olivia Patricia Rebecca Rose Ruth Sarah
		Sophie Susan Theresa Victoria Zoe`)
	fathers = words(`Adam Albert Alexander Andrew Anthony Benjamin Charles Christopher Daniel David Edward Ethan Francis Frederick George Harry Henry
		Hugh Jack Jacob James John Joseph Joshua Leonard Liam Martin Michael Nicholas Noah Oliver Oscar Patrick Paul Peter Philip Richard Robert
		Samuel Simon Stephen Thomas Victor William`)
)

// parent returns the name of a parent, who has the family name of the applicant.
func (ap *application) parent(given []string) string {
	return pick(ap.chance, given) + " " + ap.p.Name.Family
}

// relative returns a name like that of the applicant.
func (ap *application) relative() string {
	return pick(ap.chance, ap.groups["english"].given) + " " + ap.p.Name.Family
}

func (ap *application) legal(content *form.Content) {
	c := ap.chance
	content.Put("legal", form.Object{
		"name": pick(c, []string{"Family Scholarship Foundation", "Municipality of Newbridge",
			"Northgate School Trust"}),
		"registration": c.digits(8), "vatin": ap.p.Citizenship + c.digits(8), "country": ap.p.Citizenship,
		"address":        c.digits(2) + " Main Street\n" + pick(c, cities),
		"representative": ap.p.Name.Parent, "type": pick(c, []string{"NGO", "GOV", "COM"}),
	})
}

func (ap *application) contact(content *form.Content) {
	c, p := ap.chance, ap.p
	put := func(values form.Object) { content.Put("contact", values) }
	put(form.Object{"email": p.Email,
		"address/type": pick(c, []string{"C", "C", "C", "R"}), "address/street": pick(c, streets),
		"address/house": c.digits(c.between(1, 2)),
		"address/city":  pick(c, cities), "address/postalcode": c.digits(c.between(4, 6)), "address/country": p.Citizenship})
	if c.per(400) {
		put(form.Object{"address/apartment": c.digits(1)})
	}
	isRural := content.Text("contact/address/type") == "R"
	if isRural || c.per(150) {
		put(form.Object{"address/municipality": pick(c, cities) + " district"})
	}
	if isRural {
		put(form.Object{"address/postoffice": pick(c, cities) + " " + c.digits(1)})
	}
	put(form.Object{"address/region": c.optional(200, []string{"North", "South", "Central", "West", "East"})})
	if p.Phone != "" {
		put(form.Object{"telephone/mobile": p.Phone})
		if c.per(60) {
			put(form.Object{"telephone/day": p.Phone})
		}
		if c.per(120) {
			put(form.Object{"telephone/evening": "+36 1 555 " + c.digits(4)})
		}
	}
	if c.per(70) {
		const to = "address/correspondence/"
		put(form.Object{to + "street": pick(c, streets), to + "house": c.digits(2), to + "city": pick(c, cities),
			to + "postalcode": c.digits(5), to + "country": p.Citizenship})
	}
	if c.per(350) {
		put(form.Object{"emergency/name": ap.relative(), "emergency/telephone": "+36 1 555 " + c.digits(4)})
	}
}

// exchangeSides are the partner that somebody comes from and this institution.
func (ap *application) exchangeSides(content *form.Content) {
	c := ap.chance
	var at []int
	for i, n := range ap.catalogue.institutions {
		if n.Mode == "External" && n.Status == "Online" && n.Erasmus != "" && (n.Country == ap.p.Citizenship || i%3 == 0) {
			at = append(at, i)
		}
	}
	n := &ap.catalogue.institutions[pick(c, at)]
	term := "SPRING"
	if ap.in.term.autumn {
		term = "FALL"
	}
	content.Put("home", form.Object{
		"institution/name": n.Name, "institution/name-dropdown": n.Erasmus, "institution/erasmus": n.Erasmus,
		"institution/country": n.Country, "institution/department/name": "International Relations Office",
		"course/level": pick(c, []string{"BA", "BA", "MA"}), "course/name": pick(c, studies), "course/term": term,
		"contact/name": "Exchange Coordinator", "contact/email": "exchange@example.org",
		"contact/telephone/fixed": "+36 1 555 " + c.digits(4),
	})
	own := &ap.catalogue.institutions[0]
	content.Put("host", form.Object{
		"institution/name": own.Name, "institution/erasmus": own.Erasmus, "institution/country": "HU",
		"course/name": ap.choices[0].course.Name, "course/term": term,
	})
}

// education lists the school and the studies before; levels are SE, BA, MA and PD.
func (ap *application) education(content *form.Content) {
	c, p := ap.chance, ap.p
	country := p.Citizenship
	left := p.born + 18
	status := "GRADUATED"
	if left >= ap.row.Created.Std().Year() {
		status = "ONGOING"
	}
	school := form.Object{"level": "SE",
		"institution": pick(c, cities) + " " + pick(c, []string{"Gymnasium", "High School", "Secondary School", "Lyceum"}),
		"type":        "SS", "mode": "FT", "country": country, "city": pick(c, cities),
		"enrolment": c.month(left-4, 8, 9), "graduation": c.month(left, 5, 7), "status": status}
	if status == "GRADUATED" && c.per(600) {
		school["diploma/number"] = "D-" + c.digits(5)
		school["diploma/issue/date"] = day(left, 6, c.between(10, 28)).String()
	}
	content.AddRow("education", school)
	study := func(level string, from, years int, status string) {
		row := form.Object{"level": level, "institution": "University of " + pick(c, cities), "type": "UN",
			"course": pick(c, studies),
			"mode":   pick(c, []string{"FT", "FT", "FT", "PT"}), "country": country, "city": pick(c, cities),
			"enrolment": c.month(from, 9, 10), "graduation": c.month(from+years, 5, 7), "status": status,
			"honor":   c.optional(350, []string{"NONE", "HO", "DI", "CL"}),
			"finance": c.optional(400, []string{"SELF", "FAMILY", "STATE", "SCHOLARSHIP", "LOAN"})}
		if status == "SUSPENDED" {
			row["graduation"], row["suspension"] = "", fmt.Sprint(from+1)
		}
		content.AddRow("education", row)
	}
	switch p.level {
	case master:
		study("BA", left, 3, "GRADUATED")
	case doctoral:
		study("BA", left, 3, "GRADUATED")
		study("MA", left+3, 2, "GRADUATED")
		if c.per(40) {
			study("PD", left+6, 3, "ONGOING")
		}
	case exchange:
		study("BA", left, 3, "ONGOING")
	case medicine, bachelor:
		if c.per(60) {
			study("BA", left, 3, pick(c, []string{"SUSPENDED", "DISCONTINUED", "ONGOING"}))
		}
	}
}

func (ap *application) languages(content *form.Content) {
	c := ap.chance
	native := nativeLanguages[ap.p.Citizenship]
	if native != "" {
		content.AddRow("languages", form.Object{"name": native, "native": true, "proficiency": "N"})
	}
	if native != "en" {
		years := c.between(2, 12)
		content.AddRow("languages", form.Object{"name": "en", "native": false,
			"proficiency": pick(c, []string{"B1", "B2", "B2", "C1", "C1", "C2"}), "experience": years})
	}
	if c.per(280) {
		other := pick(c, []string{"de", "fr", "es", "ru", "it", "hu", "ar", "ja"})
		if other != native {
			content.AddRow("languages", form.Object{"name": other, "native": false,
				"proficiency": pick(c, []string{"A1", "A2", "B1", "B2"}),
				"information": c.optional(200, []string{"Learned at school", "One year abroad", "Learning since last year"})})
		}
	}
}
