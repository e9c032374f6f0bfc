package admitto

import (
	"cmp"
	"strings"
)

// Course can be applied to (resources.md 15).
type Course struct {
	ID, Institution                     int64
	Status                              string
	Updated                             Time
	Intakes                             []int64
	Featured                            bool
	Type, Name, Mode, Duration, Credits string
	Awards                              []Award
	Language, Country, Location         string
	Code, CodeInternal, Accreditation   string
	Quota                               *int64
	ProspectURI                         string
	Summary, About, Requirements        string   // what the portal says (screens.md A38); the last two in several lines
	Versions                            Versions // of name, awards, duration, location, and these three
}

// NameIn is what the course is called in a language.
func (c *Course) NameIn(lang string) (name string, fallback bool) {
	return c.Versions.In(lang, "name", c.Name)
}

// NamedIn is a text that ends with the name of the course, with that in a language.
func (c *Course) NamedIn(lang, text string) string {
	name, _ := c.NameIn(lang)
	if before, ends := strings.CutSuffix(text, c.Name); ends && c.Name != "" {
		return before + name
	}
	return text
}

// AwardsIn is what the course leads to in a language, with something between one and the next.
func (c *Course) AwardsIn(lang, between string) (awards string, fallback bool) {
	var first []string
	for _, a := range c.Awards {
		if words := cmp.Or(a.Full, a.Abbr); words != "" {
			first = append(first, words)
		}
	}
	return c.Versions.In(lang, "awards", strings.Join(first, between))
}

// Award is what a course leads to.
type Award struct {
	Abbr string `json:"abbr"`
	Full string `json:"full"`
}

// CourseQuery selects courses; a nil list is no condition.
type CourseQuery struct {
	Institutions                  []int64
	Statuses, Types, Modes, Codes []string
}
