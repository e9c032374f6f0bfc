package pdf

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// Names gives the codes of the content the names that people read; what is "" there is shown as the code.
type Names struct {
	Title             func(class, code string) string // of a classificator, by the name of its class
	Country, Language func(code string) string
	Document          func(id int64) string // the file name
}

// Content gives the sections of what the applicant filled in (resources.md 5.2): those with something in them,
// and in those the fields with something in them. Of an empty content it gives the whole form, every field empty.
func Content(c *admitto.Content, names Names) []Section {
	b := &builder{names: names, blank: isBlank(c)}
	b.profile(or(c.Profile))
	b.legal(or(c.Legal))
	b.contact(or(c.Contact))
	b.exchange("Home institution", or(c.Home))
	b.exchange("Host institution", or(c.Host))
	b.education(c.Education)
	b.grades(c.Grades)
	b.languages(c.Languages)
	b.career(c.Career)
	b.activities(c.Activities)
	b.residences(c.Residences)
	b.begin("Motivation")
	b.text("Motivation", or(c.Motivation).General)
	b.visa(or(c.Visa))
	b.misc(or(c.Misc))
	b.begin("Further questions")
	b.extras(c.Extras)
	return slices.DeleteFunc(b.sections, func(s Section) bool { return len(s.Fields)+len(s.Entries) == 0 })
}

func isBlank(c *admitto.Content) bool {
	return c.Profile == nil && c.Legal == nil && c.Contact == nil && c.Home == nil && c.Host == nil && c.Motivation == nil &&
		c.Visa == nil && c.Misc == nil && len(c.Education)+len(c.Grades)+len(c.Languages)+len(c.Career)+len(c.Activities)+
		len(c.Residences)+len(c.Extras) == 0
}

// or gives what p points to, and something empty when that is nothing.
func or[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

// builder collects sections. What is empty is left out, except in the form of an application that is blank.
type builder struct {
	names    Names
	blank    bool
	sections []Section
}

// begin starts a section.
func (b *builder) begin(title string) { b.sections = append(b.sections, Section{Title: title}) }

// entry starts an entry of the present section.
func (b *builder) entry(title string) {
	s := &b.sections[len(b.sections)-1]
	s.Entries = append(s.Entries, Entry{Title: title})
}

// add puts a field into the present entry, or into the section as long as that has none.
func (b *builder) add(label, text string) {
	if text == "" && !b.blank {
		return
	}
	s := &b.sections[len(b.sections)-1]
	fields := &s.Fields
	if len(s.Entries) > 0 {
		fields = &s.Entries[len(s.Entries)-1].Fields
	}
	*fields = append(*fields, Field{label, text})
}

func (b *builder) text(label string, text admitto.Optional) { b.add(label, string(text)) }

// named gives a code the name that it has.
func named(name, code string) string {
	if name == "" {
		return code
	}
	return name
}

func (b *builder) code(label, class string, code admitto.Optional) {
	b.add(label, named(b.names.Title(class, string(code)), string(code)))
}

func (b *builder) codes(label, class string, codes []string) {
	titles := make([]string, len(codes))
	for i, code := range codes {
		titles[i] = named(b.names.Title(class, code), code)
	}
	b.add(label, strings.Join(titles, "\n"))
}

func (b *builder) country(label string, code admitto.Optional) {
	b.add(label, b.countryName(string(code)))
}

func (b *builder) countryName(code string) string { return named(b.names.Country(code), code) }

func (b *builder) languageName(code string) string { return named(b.names.Language(code), code) }

func (b *builder) yesNo(label string, v *bool) { b.add(label, yesNo(v)) }

func yesNo(v *bool) string {
	switch {
	case v == nil:
		return ""
	case *v:
		return "Yes"
	}
	return "No"
}

func (b *builder) number(label string, v *int) {
	text := ""
	if v != nil {
		text = strconv.Itoa(*v)
	}
	b.add(label, text)
}

func (b *builder) period(p *admitto.Period) {
	b.add("From", string(or(p).From))
	b.add("To", string(or(p).To))
}

// entriesOf starts a section and calls each for every entry, once for an empty one in the form of a blank
// application. The title says which entry it is.
func entriesOf[T any](b *builder, section string, list []T, title func(*T) string, each func(*T)) {
	b.begin(section)
	if b.blank {
		list = make([]T, 1)
	}
	for i := range list {
		name := title(&list[i])
		if name == "" {
			name = "Entry"
		}
		b.entry(fmt.Sprintf("%d. %s", i+1, name))
		each(&list[i])
	}
}

func (b *builder) profile(p *admitto.Profile) {
	b.begin("Personal data")
	name, birth, passport, card, family := or(p.Name), or(p.Birth), or(p.Passport), or(p.IDCard), or(p.Family)
	b.code("Salutation", "Salutation", p.Salutation)
	b.text("Given name", name.Given)
	b.text("Middle name", name.Middle)
	b.text("Family name", name.Family)
	b.code("Gender", "Gender", p.Gender)
	b.text("Date of birth", birth.Date)
	b.text("Place of birth", birth.Place)
	b.country("Country of birth", birth.Country)
	b.country("Nationality", p.Nationality)
	b.country("Citizenship", p.Citizenship)
	b.code("Marital status", "Marital status", p.Marital)
	b.text("Identification code", p.IDCode)
	for _, scheme := range slices.Sorted(maps.Keys(p.NationalIDCode)) {
		b.add("National code ("+scheme+")", p.NationalIDCode[scheme])
	}
	b.text("Passport number", passport.Number)
	b.text("Passport series", passport.Series)
	b.text("Passport issued", passport.Issue)
	b.text("Passport expires", passport.Expiry)
	b.country("Passport of", passport.Country)
	b.text("Passport issuer", passport.Issuer)
	b.text("Identity card number", card.Number)
	b.text("Identity card expires", card.Expiry)
	b.country("Identity card of", card.Country)
	b.text("Mother", family.Mother)
	b.text("Father", family.Father)
	b.text("Guardian", family.Guardian)
}

func (b *builder) legal(l *admitto.LegalBody) {
	b.begin("Legal person")
	b.text("Name", l.Name)
	b.text("Registration number", l.Registration)
	b.text("VAT number", l.VATIN)
	b.country("Country", l.Country)
	b.text("Address", l.Address)
	b.text("Representative", l.Representative)
	b.code("Type of organisation", "Organization type", l.Type)
}

func (b *builder) contact(c *admitto.Contact) {
	b.begin("Contact")
	phone, address := or(c.Telephone), or(c.Address)
	b.text("E-mail", c.Email)
	b.text("Telephone by day", phone.Day)
	b.text("Telephone in the evening", phone.Evening)
	b.text("Mobile telephone", phone.Mobile)
	b.text("Fax", phone.Fax)
	b.add("Type of address", map[admitto.Optional]string{"C": "Town", "R": "Rural"}[address.Type])
	b.address("", &admitto.PostalAddress{Street: address.Street, House: address.House, Apartment: address.Apartment, City: address.City,
		Municipality: address.Municipality, Region: address.Region, PostalCode: address.PostalCode, PostOffice: address.PostOffice,
		Country: address.Country})
	b.address("Letters to: ", or(address.Correspondence))
	b.text("Emergency contact", or(c.Emergency).Name)
	b.text("Emergency telephone", or(c.Emergency).Telephone)
}

func (b *builder) address(prefix string, a *admitto.PostalAddress) {
	b.text(prefix+"Street", a.Street)
	b.text(prefix+"House", a.House)
	b.text(prefix+"Apartment", a.Apartment)
	b.text(prefix+"City", a.City)
	b.text(prefix+"Municipality", a.Municipality)
	b.text(prefix+"Region", a.Region)
	b.text(prefix+"Postal code", a.PostalCode)
	b.text(prefix+"Post office", a.PostOffice)
	b.country(prefix+"Country", a.Country)
}

// exchange is the home or the host side; the name of the section is that of the class too.
func (b *builder) exchange(title string, e *admitto.Exchange) {
	b.begin(title)
	institution, course, contact := or(e.Institution), or(e.Course), or(e.Contact)
	b.text("Institution", institution.Name)
	b.code("Chosen institution", title, institution.NameDropdown)
	b.text("Erasmus code", institution.Erasmus)
	b.country("Country", institution.Country)
	b.text("Address", institution.Address)
	b.text("Department", or(institution.Department).Name)
	b.code("Level of studies", "Education level", course.Level)
	b.text("Course", course.Name)
	b.code("Term", "Education term", course.Term)
	b.text("Coordinator", contact.Name)
	b.text("Coordinator's e-mail", contact.Email)
	b.text("Coordinator's telephone", or(contact.Telephone).Fixed)
}

func (b *builder) education(list []admitto.Education) {
	entriesOf(b, "Education", list, func(e *admitto.Education) string { return string(e.Institution) }, func(e *admitto.Education) {
		diploma := or(e.Diploma)
		b.text("Institution", e.Institution)
		b.code("Level", "Education level", e.Level)
		b.code("Type of institution", "Education institution", e.Type)
		b.text("Course", e.Course)
		b.code("Mode", "Education mode", e.Mode)
		b.country("Country", e.Country)
		b.text("Location", e.Location)
		b.text("City", e.City)
		b.add("Enrolment", string(e.Enrolment))
		b.add("Graduation", string(e.Graduation))
		b.add("Suspension", string(e.Suspension))
		b.code("Status", "Education status", e.Status)
		b.code("Honours", "Education honor", e.Honor)
		b.code("Financed by", "Education finance", e.Finance)
		b.text("Diploma number", diploma.Number)
		b.text("Diploma issued", or(diploma.Issue).Date)
	})
}

func (b *builder) grades(list []admitto.Grade) {
	entriesOf(b, "Grades", list, func(g *admitto.Grade) string { return string(g.Subject) }, func(g *admitto.Grade) {
		b.text("Subject", g.Subject)
		b.text("Grade", g.Grade)
		b.code("Scale", "Grade type", g.Type)
		b.number("Year", g.Year)
	})
}

func (b *builder) languages(list []admitto.Language) {
	entriesOf(b, "Languages", list, func(l *admitto.Language) string { return b.languageName(string(l.Name)) }, func(l *admitto.Language) {
		b.add("Language", b.languageName(string(l.Name)))
		b.yesNo("Native language", l.Native)
		b.code("Proficiency", "Language proficiency", l.Proficiency)
		b.number("Years of experience", l.Experience)
		b.text("Information", l.Information)
	})
}

func (b *builder) career(list []admitto.Job) {
	entriesOf(b, "Career", list, func(j *admitto.Job) string { return string(j.Employer) }, func(j *admitto.Job) {
		b.text("Employer", j.Employer)
		b.code("Type of company", "Employment company", j.Company)
		b.code("Type of employment", "Employment type", j.Type)
		b.text("Position", j.Position)
		b.country("Country", j.Country)
		b.text("Hours a week", j.Weekly)
		b.period(j.Period)
	})
}

func (b *builder) activities(list []admitto.Activity) {
	entriesOf(b, "Activities", list, func(a *admitto.Activity) string { return string(a.Organization) }, func(a *admitto.Activity) {
		b.text("Organisation", a.Organization)
		b.code("Type of organisation", "Organization type", a.Type)
		b.text("Nature", a.Nature)
		b.period(a.Period)
	})
}

func (b *builder) residences(list []admitto.Residence) {
	entriesOf(b, "Stays abroad", list, func(r *admitto.Residence) string { return b.countryName(string(r.Country)) }, func(r *admitto.Residence) {
		b.country("Country", r.Country)
		b.text("Purpose", r.Purpose)
		b.period(r.Period)
	})
}

func (b *builder) visa(v *admitto.Visa) {
	b.begin("Visa")
	b.yesNo("Visa required", v.Required)
	b.code("Type of visa", "Visa type", v.Type)
	b.text("Visa number", v.Number)
	b.text("Visa expires", v.Expiry)
	b.country("Applied in", v.Country)
	b.code("Plan after graduation", "Visa graduation plan", v.Plan)
}

func (b *builder) misc(m *admitto.Misc) {
	b.begin("Further information")
	b.text("Medical information", m.Medical)
	b.codes("Special needs", "Special needs", m.Needs)
	b.codes("Background", "Disadvantaged background", m.Background)
	b.text("Additional information", m.Additional)
}

// extras adds the answers to questions; a custom section becomes an entry.
func (b *builder) extras(list []admitto.Extra) {
	s := len(b.sections) - 1
	var groups []*admitto.Extra
	for i := range list {
		if list[i].Type == admitto.ExtraSection {
			groups = append(groups, &list[i])
			continue
		}
		b.add(list[i].Name, b.answer(&list[i]))
	}
	for _, group := range groups {
		b.entry(group.Name)
		for i := range group.Entries {
			b.add(group.Entries[i].Name, b.answer(&group.Entries[i]))
		}
		if entries := b.sections[s].Entries; len(entries[len(entries)-1].Fields) == 0 {
			b.sections[s].Entries = entries[:len(entries)-1]
		}
	}
}

// answer gives the text of an answer by the type of its question.
func (b *builder) answer(e *admitto.Extra) string {
	switch e.Type {
	case admitto.ExtraNumber:
		return e.Number
	case admitto.ExtraYesNo:
		return yesNo(e.YesNo)
	case admitto.ExtraCountry:
		return b.countryName(e.Text)
	case admitto.ExtraLanguage:
		return b.languageName(e.Text)
	case admitto.ExtraChoices:
		return strings.Join(e.Choices, "\n")
	case admitto.ExtraMoney:
		if e.Money == nil {
			return ""
		}
		return e.Money.Amount.String() + " " + e.Money.Currency
	case admitto.ExtraFile:
		if e.Document == 0 {
			return ""
		}
		return named(b.names.Document(e.Document), "document "+strconv.FormatInt(e.Document, 10))
	}
	return e.Text
}
