package demo

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/admitto/admitto/internal/text"
)

// The administrators of the data, by what they do.
const (
	adminHead     int64 = 1
	adminOfficer  int64 = 2
	adminOfficer2 int64 = 3
	adminDean     int64 = 4
	adminCourses  int64 = 8
	adminMoney    int64 = 9
)

// staff are the administrators: name, function, roles, and what is special.
var staff = [...]struct {
	name, function string
	roles          []int64
}{
	{"Margit Vadász", "Head of admissions", []int64{1, 2}},
	{"Peter Castellan", "Admissions officer", []int64{2}},
	{"Ilona Fenyvesi", "Admissions officer", []int64{2}},
	{"Prof. Henrik Dalgaard", "Dean, Faculty of Engineering", []int64{3}},
	{"Dr. Amara Nwosu-Kelen", "Dean, Faculty of Medicine", []int64{3}},
	{"Dr. Teodor Marinescu", "Academic consultant, economics", []int64{4}},
	{"Saskia van Rietveld", "Marketing", []int64{5}},
	{"Jan Kolářík", "Study programmes", []int64{7}},
	{"Réka Pénzes", "Accounting", []int64{8}},
	{"Oliver Brandt", "Web editor", []int64{6}},
	{"Nilüfer Aydemir", "International office", []int64{2, 101}},
	{"Kofi Amponsah", "International office", []int64{101}},
	{"Lili Homoki", "Student assistant", []int64{4}},
	{"Former Colleague", "Admissions officer until 2024", []int64{2}},
}

// customRole is one that this institution added.
var customRole = admitto.Role{ID: 101, Name: "International office"}

func administrators() []load.AdministratorRow {
	list := make([]load.AdministratorRow, len(staff))
	for i, s := range staff {
		words := strings.Fields(strings.NewReplacer("Prof. ", "", "Dr. ", "").Replace(s.name))
		a := &list[i]
		a.ID, a.Name, a.Function = int64(i+1), s.name, s.function
		a.Email = fold(words[0]) + "." + fold(strings.Join(words[1:], "")) + "@example.edu"
		if i%3 != 2 {
			a.Phone = "+36 1 555 01" + string([]byte{byte('0' + i/10), byte('0' + i%10)})
		}
		if i < 3 {
			a.OutgoingName, a.OutgoingMail = fromName, fromEmail
		}
		for _, r := range s.roles {
			a.Roles = append(a.Roles, admitto.Role{ID: r})
		}
		a.EmailKey = text.EmailKey(a.Email)
		a.Suspended, a.Removed = i == len(staff)-2, i == len(staff)-1
	}
	return list
}

// partners are the other institutions: country, code of the type, town, Erasmus code, name. All are invented. The
// first two are internal.
var partners = [...]string{
	"HU|COL|Szeged||Example University College of Health",
	"HU|ACA|Pécs||Example Academy of Music",
	"DE|UNI|Neustadt|D NEUSTAD09|Nordmark University",
	"FR|UNI|Belleville|F BELLEVI77|Université de Belleville-les-Eaux",
	"ES|UNI|Villanueva|E VILLANU03|Universidad de Villanueva del Río",
	"IT|UNI|Montechiaro|I MONTECH05|Università di Montechiaro",
	"PL|UAS|Nowogród|PL NOWOGRO02|Nowogród University of Applied Sciences",
	"CZ|UNI|Horní Lhota|CZ HORNILH01|Horní Lhota University",
	"FI|UAS|Järvenkylä|SF JARVENK04|Järvenkylä University of Applied Sciences",
	"NL|UAS|Waterland|NL WATERLA06|Waterland Hogeschool",
	"AT|UNI|Seewinkel|A SEEWINK03|Seewinkel University",
	"RO|UNI|Valea Mare|RO VALEAMA11|Universitatea din Valea Mare",
	"PT|UNI|Ribeira|P RIBEIRA08|Universidade da Ribeira Alta",
	"TR|UNI|Yeşilova|TR YESILOV12|Yeşilova University",
	"JP|UNI|Midorigawa||Midorigawa University",
	"US|COL|Fairhaven||Fairhaven Lakes College",
	"IN|RES|Nadipur||Nadipur Institute of Technology Research",
}

// Institutions of the data: the seeded one has ID 1.
const (
	mainInstitution   int64 = 1
	healthInstitution int64 = 2
	musicInstitution  int64 = 3
)

func institutions() (list []admitto.Institution, departments []admitto.Department) {
	list = []admitto.Institution{{ID: mainInstitution, Status: "Online", Mode: "Internal", Type: "UNI", Name: institution,
		Country:  "HU",
		Location: "Budapest", WWW: "https://www.example.edu", Erasmus: "HU BUDAPES99",
		Address: "1 Example Square\n1055 Budapest\nHungary",
		VAT:     "HU12345678", IBAN: "HU42117730161111101800000000", Registration: "FI99999"}}
	for i, row := range partners {
		p := strings.Split(row, "|")
		n := admitto.Institution{ID: int64(i + 2), Status: "Online", Mode: "External", Country: p[0], Type: p[1],
			Location: p[2], Erasmus: p[3],
			Name: p[4], WWW: "https://" + strings.ReplaceAll(fold(p[2]), " ", "-") + ".example.edu"}
		if i < 2 {
			n.Mode, n.Address, n.Registration = "Internal", "12 Campus Road\n"+p[2]+"\nHungary", "FI9999"+string(rune('1'+i))
		}
		if i == len(partners)-1 {
			n.Status = "Draft"
		}
		list = append(list, n)
	}
	add := func(institution int64, country, location string, names ...string) {
		for _, name := range names {
			departments = append(departments, admitto.Department{ID: int64(len(departments) + 1), Institution: institution,
				Name:    name,
				Country: country, Location: location})
		}
	}
	add(mainInstitution, "HU", "Budapest", "Faculty of Engineering", "Faculty of Economics", "Faculty of Humanities",
		"Faculty of Medicine",
		"Faculty of Natural Sciences", "Faculty of Law", "Doctoral School", "International Office")
	departments[0].WWW, departments[3].WWW = "https://eng.example.edu", "https://med.example.edu"
	add(healthInstitution, "HU", "Szeged", "Department of Nursing", "Department of Physiotherapy")
	add(musicInstitution, "HU", "Pécs", "Department of Strings", "Department of Composition")
	for i := 3; i < len(list)-1; i++ {
		add(list[i].ID, list[i].Country, list[i].Location, "International Relations Office")
		if i%2 == 0 {
			add(list[i].ID, list[i].Country, list[i].Location, "Faculty of Engineering")
		} else {
			add(list[i].ID, list[i].Country, list[i].Location, "School of Business")
		}
	}
	return list, departments
}
