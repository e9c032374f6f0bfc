package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// content fills in the sections; it is asked for when the last save comes about.
func (ap *application) content() string {
	c := ap.chance
	content := admitto.Content{Profile: ap.profile(), Contact: ap.contact(), Education: ap.education(), Languages: ap.languages()}
	if ap.p.Type == admitto.Child {
		content.Legal = ap.legal()
	}
	if ap.p.level == exchange {
		content.Home, content.Host = ap.exchangeSides()
	}
	for range ap.when(250, c.between(1, 4)) {
		year := ap.p.born + c.between(17, 22)
		g := pick(c, grades)
		content.Grades = append(content.Grades, admitto.Grade{Type: admitto.Optional(g[0]), Grade: admitto.Optional(g[1]),
			Subject: admitto.Optional(pick(c, subjects)), Year: &year})
	}
	content.Career, content.Activities, content.Residences = ap.career(), ap.activities(), ap.residences()
	if ap.row.Submitted != 0 || c.per(300) {
		content.Motivation = &admitto.Motivation{General: admitto.Optional(motivation(c, ap.choices[0].course.Name))}
	}
	content.Visa, content.Misc = ap.visa(), ap.misc()
	content.Extras = ap.extras()
	b, err := json.Marshal(&content)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return string(b)
}

// when gives n with a likelihood in a thousand, else 0.
func (c chance) when(likely, n int) int {
	if c.per(likely) {
		return n
	}
	return 0
}

// when is that of chance, for short.
func (ap *application) when(likely, n int) int { return ap.chance.when(likely, n) }

// optional gives one of the texts with a likelihood in a thousand.
func (c chance) optional(likely int, list []string) admitto.Optional {
	if c.per(likely) {
		return admitto.Optional(pick(c, list))
	}
	return ""
}

func (c chance) date(year int) admitto.Date {
	return day(year, time.Month(c.between(1, 12)), c.between(1, 28))
}

func (c chance) month(year, from, to int) admitto.PartialDate {
	return admitto.PartialDate(fmt.Sprintf("%d-%02d", year, c.between(from, to)))
}

func (ap *application) profile() *admitto.Profile {
	c, p := ap.chance, ap.p
	country := admitto.Optional(p.Citizenship)
	gender := [...]string{"M", "F", "M", "F", "M", "F", "M", "F", "M", "F", "X"}[c.IntN(11)]
	salutation := map[string]string{"M": "MR", "F": "MS", "X": "MX"}[gender]
	born := c.date(p.born)
	pr := &admitto.Profile{
		Name:       &admitto.PersonName{Given: admitto.Optional(p.Name.Given), Middle: admitto.Optional(p.Name.Middle), Family: admitto.Optional(p.Name.Family)},
		Salutation: admitto.Optional(salutation), Gender: admitto.Optional(gender),
		Birth:       &admitto.Birth{Date: admitto.Optional(born.String()), Place: admitto.Optional(pick(c, cities)), Country: country},
		Nationality: country, Citizenship: country, Marital: admitto.Optional(pick(c, []string{"S", "S", "S", "S", "S", "M", "P", "N"})),
	}
	if !strings.Contains("EU EEA HU", ap.in.deadline(p.Citizenship).Territory) || c.per(300) {
		issued := c.date(ap.row.Created.Std().Year() - c.between(1, 6))
		expiry := issued
		expiry.Year += 10
		pr.Passport = &admitto.Passport{Number: admitto.Optional(strings.ToUpper(p.Citizenship) + c.digits(7)), Issue: admitto.Optional(issued.String()),
			Expiry: admitto.Optional(expiry.String()), Country: country}
		if c.per(200) {
			pr.Passport.Series, pr.Passport.Issuer = admitto.Optional(c.digits(2)), "Ministry of the Interior"
		}
	} else {
		pr.IDCard = &admitto.IDCard{Number: admitto.Optional(c.digits(6) + "SA"), Expiry: admitto.Optional(c.date(ap.ends.Std().Year() + 1 + c.IntN(6)).String()), Country: country}
	}
	switch p.Citizenship {
	case "PL":
		pr.NationalIDCode = map[string]string{"polish": c.digits(11)}
	case "HU":
		pr.IDCode = admitto.Optional("7" + c.digits(10))
	}
	if c.per(250) {
		pr.Family = &admitto.Family{Mother: ap.parent(mothers), Father: ap.parent(fathers)}
		if p.Type == admitto.Child {
			pr.Family.Guardian = admitto.Optional(p.Name.Parent)
		}
	}
	return pr
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

// parent gives the name of a parent, who has the family name of the applicant.
func (ap *application) parent(given []string) admitto.Optional {
	return admitto.Optional(pick(ap.chance, given) + " " + ap.p.Name.Family)
}

// relative gives a name like that of the applicant.
func (ap *application) relative() admitto.Optional {
	return admitto.Optional(pick(ap.chance, ap.groups["english"].given) + " " + ap.p.Name.Family)
}

func (ap *application) legal() *admitto.LegalBody {
	c := ap.chance
	return &admitto.LegalBody{Name: admitto.Optional(pick(c, []string{"Family Scholarship Foundation", "Municipality of Newbridge", "Northgate School Trust"})),
		Registration: admitto.Optional(c.digits(8)), VATIN: admitto.Optional(ap.p.Citizenship + c.digits(8)), Country: admitto.Optional(ap.p.Citizenship),
		Address:        admitto.Optional(c.digits(2) + " Main Street\n" + pick(c, cities)),
		Representative: admitto.Optional(ap.p.Name.Parent), Type: admitto.Optional(pick(c, []string{"NGO", "GOV", "COM"}))}
}

func (ap *application) contact() *admitto.Contact {
	c, p := ap.chance, ap.p
	ct := &admitto.Contact{Email: admitto.Optional(p.Email), Address: &admitto.ContactAddress{
		Type: admitto.Optional(pick(c, []string{"C", "C", "C", "R"})), Street: admitto.Optional(pick(c, streets)), House: admitto.Optional(c.digits(c.between(1, 2))),
		City: admitto.Optional(pick(c, cities)), PostalCode: admitto.Optional(c.digits(c.between(4, 6))), Country: admitto.Optional(p.Citizenship)}}
	if c.per(400) {
		ct.Address.Apartment = admitto.Optional(c.digits(1))
	}
	if ct.Address.Type == "R" || c.per(150) {
		ct.Address.Municipality = admitto.Optional(pick(c, cities) + " district")
	}
	if ct.Address.Type == "R" {
		ct.Address.PostOffice = admitto.Optional(pick(c, cities) + " " + c.digits(1))
	}
	ct.Address.Region = c.optional(200, []string{"North", "South", "Central", "West", "East"})
	if p.Phone != "" {
		ct.Telephone = &admitto.Telephone{Mobile: admitto.Optional(p.Phone)}
		if c.per(60) {
			ct.Telephone.Day = admitto.Optional(p.Phone)
		}
		if c.per(120) {
			ct.Telephone.Evening = admitto.Optional("+36 1 555 " + c.digits(4))
		}
	}
	if c.per(70) {
		ct.Address.Correspondence = &admitto.PostalAddress{Street: admitto.Optional(pick(c, streets)), House: admitto.Optional(c.digits(2)),
			City: admitto.Optional(pick(c, cities)), PostalCode: admitto.Optional(c.digits(5)), Country: admitto.Optional(p.Citizenship)}
	}
	if c.per(350) {
		ct.Emergency = &admitto.Emergency{Name: ap.relative(), Telephone: admitto.Optional("+36 1 555 " + c.digits(4))}
	}
	return ct
}

// exchangeSides are the partner that somebody comes from and this institution.
func (ap *application) exchangeSides() (home, host *admitto.Exchange) {
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
	home = &admitto.Exchange{
		Institution: &admitto.ExchangeInstitution{Name: admitto.Optional(n.Name), NameDropdown: admitto.Optional(n.Erasmus), Erasmus: admitto.Optional(n.Erasmus),
			Country: admitto.Optional(n.Country), Department: &admitto.ExchangeDepartment{Name: "International Relations Office"}},
		Course:  &admitto.ExchangeCourse{Level: admitto.Optional(pick(c, []string{"BA", "BA", "MA"})), Name: admitto.Optional(pick(c, studies)), Term: admitto.Optional(term)},
		Contact: &admitto.ExchangeContact{Name: "Exchange Coordinator", Email: "exchange@example.org", Telephone: &admitto.FixedTelephone{Fixed: admitto.Optional("+36 1 555 " + c.digits(4))}},
	}
	own := &ap.catalogue.institutions[0]
	host = &admitto.Exchange{
		Institution: &admitto.ExchangeInstitution{Name: admitto.Optional(own.Name), Erasmus: admitto.Optional(own.Erasmus), Country: "HU"},
		Course:      &admitto.ExchangeCourse{Name: admitto.Optional(ap.choices[0].course.Name), Term: admitto.Optional(term)},
	}
	return home, host
}

// education lists the school and the studies before; levels are SE, BA, MA and PD.
func (ap *application) education() []admitto.Education {
	c, p := ap.chance, ap.p
	country := admitto.Optional(p.Citizenship)
	left := p.born + 18
	status := "GRADUATED"
	if left >= ap.row.Created.Std().Year() {
		status = "ONGOING"
	}
	list := []admitto.Education{{Level: "SE", Institution: admitto.Optional(pick(c, cities) + " " + pick(c, []string{"Gymnasium", "High School", "Secondary School", "Lyceum"})),
		Type: "SS", Mode: "FT", Country: country, City: admitto.Optional(pick(c, cities)), Enrolment: c.month(left-4, 8, 9), Graduation: c.month(left, 5, 7), Status: admitto.Optional(status)}}
	if status == "GRADUATED" && c.per(600) {
		list[0].Diploma = &admitto.Diploma{Number: admitto.Optional("D-" + c.digits(5)), Issue: &admitto.DiplomaIssue{Date: admitto.Optional(day(left, 6, c.between(10, 28)).String())}}
	}
	study := func(level string, from, years int, status string) {
		e := admitto.Education{Level: admitto.Optional(level), Institution: admitto.Optional("University of " + pick(c, cities)), Type: "UN", Course: admitto.Optional(pick(c, studies)),
			Mode: admitto.Optional(pick(c, []string{"FT", "FT", "FT", "PT"})), Country: country, City: admitto.Optional(pick(c, cities)), Enrolment: c.month(from, 9, 10),
			Graduation: c.month(from+years, 5, 7), Status: admitto.Optional(status), Honor: c.optional(350, []string{"NONE", "HO", "DI", "CL"}),
			Finance: c.optional(400, []string{"SELF", "FAMILY", "STATE", "SCHOLARSHIP", "LOAN"})}
		if status == "SUSPENDED" {
			e.Graduation, e.Suspension = "", admitto.PartialDate(fmt.Sprint(from+1))
		}
		list = append(list, e)
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
	return list
}

func (ap *application) languages() []admitto.Language {
	c := ap.chance
	native := nativeLanguages[ap.p.Citizenship]
	yes, no := true, false
	var list []admitto.Language
	if native != "" {
		list = append(list, admitto.Language{Name: admitto.Optional(native), Native: &yes, Proficiency: "N"})
	}
	if native != "en" {
		years := c.between(2, 12)
		list = append(list, admitto.Language{Name: "en", Native: &no, Proficiency: admitto.Optional(pick(c, []string{"B1", "B2", "B2", "C1", "C1", "C2"})), Experience: &years})
	}
	if c.per(280) {
		other := pick(c, []string{"de", "fr", "es", "ru", "it", "hu", "ar", "ja"})
		if other != native {
			list = append(list, admitto.Language{Name: admitto.Optional(other), Native: &no, Proficiency: admitto.Optional(pick(c, []string{"A1", "A2", "B1", "B2"})),
				Information: c.optional(200, []string{"Learned at school", "One year abroad", "Learning since last year"})})
		}
	}
	return list
}
