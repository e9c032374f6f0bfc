package admitto

import "slices"

// Term is an academic term (resources.md 17).
type Term struct {
	ID, Year, Type       int64
	Name                 string
	Start, Grace, Finish Date
	Versions             Versions // of name
}

// NameIn is what the term is called in a language.
func (t *Term) NameIn(lang string) (name string, fallback bool) {
	return t.Versions.In(lang, "name", t.Name)
}

// TermType names kinds of terms.
type TermType struct {
	ID   int64
	Name string
}

// Year is an academic year.
type Year struct {
	Year  int64
	Name  string
	Start Date
}

// Intake is when and until when courses of a term can be applied to (resources.md 16).
type Intake struct {
	ID                int64
	Name              string
	Start             Date
	PreDeadline       Date
	PreInfo           string
	PreMask           bool
	Policy            string
	Deadlines         []Deadline
	DecisionPolicy    string
	DecisionDays      *int64
	DecisionDate      Date
	Arrival, Commence Date
	Term              Term
	Versions          Versions // of name, pre_info, and what is said of deadlines
}

// DeadlineVersion is what the words about the deadline of a territory are called among the texts of an intake.
func DeadlineVersion(territory string) string { return "deadline " + territory }

// NameIn is what the intake is called in a language.
func (i *Intake) NameIn(lang string) (name string, fallback bool) {
	return i.Versions.In(lang, "name", i.Name)
}

// World is the territory that holds for everybody for whom no other one does.
const World = "001"

// Region is a territory between country and world.
type Region struct {
	Code, Name string
	Members    []string
}

// TerritoryOf returns the territory whose entry of the intake holds for a citizenship; "" when there is no entry.
func (i *Intake) TerritoryOf(citizenship string, regions []Region) string {
	return territoryOf(citizenship, regions, func(territory string) bool {
		return slices.ContainsFunc(i.Deadlines, func(d Deadline) bool { return d.Territory == territory })
	})
}

// EntryFor is the entry that holds for a citizenship; nil without one.
func (i *Intake) EntryFor(citizenship string, regions []Region) *Deadline {
	territory := i.TerritoryOf(citizenship, regions)
	for n := range i.Deadlines {
		if i.Deadlines[n].Territory == territory {
			return &i.Deadlines[n]
		}
	}
	return nil
}

// territoryOf returns the territory whose entry holds for a citizenship: the country, else the first region in order
// that has it as a member, else the world; "" when there is no entry (lifecycle.md 3.3).
func territoryOf(citizenship string, regions []Region, has func(territory string) bool) string {
	if citizenship != "" {
		if has(citizenship) {
			return citizenship
		}
		for _, r := range regions {
			if slices.Contains(r.Members, citizenship) && has(r.Code) {
				return r.Code
			}
		}
	}
	if has(World) {
		return World
	}
	return ""
}
