package demo

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// level is the kind of course that somebody looks for; each has intakes of its own.
type level int

const (
	bachelor level = iota
	master
	medicine
	doctoral
	exchange
	summer
	levels int = iota
)

// course is a course that is applied to.
type course struct {
	admitto.Course
	level  level
	weight int
	full   string // name with the award, as letters say it
}

// courseTable has a course a line: level, status, weight, institution, code, language, credits, quota, award, its full
// name, name. Courses with weight 0 are not applied to.
const courseTable = `
b|Online|90|1|CS-BSC|en|180|120|BSc|Bachelor of Science|Computer Science
b|Online|70|1|ECO-BSC|en|180|100|BSc|Bachelor of Science|Economics and Finance
b|Online|66|1|BUS-BA|en|180|110|BA|Bachelor of Arts|Business Administration
b|Online|45|1|PSY-BA|en|180|60|BA|Bachelor of Arts|Psychology
b|Online|38|1|MECH-BSC|en|210|80|BSc|Bachelor of Science|Mechanical Engineering
b|Online|33|1|ELEC-BSC|en|210|80|BSc|Bachelor of Science|Electrical Engineering
b|Online|30|1|IR-BA|en|180|50|BA|Bachelor of Arts|International Relations
b|Online|22|1|BIO-BSC|en|180|45|BSc|Bachelor of Science|Biology
b|Online|18|1|CIV-BSC|en|240|60|BSc|Bachelor of Science|Civil Engineering
b|Online|16|1|ENG-BA|en|180|40|BA|Bachelor of Arts|English and American Studies
b|Online|14|1|ARCH-BSC|en|300|30|BSc|Bachelor of Science|Architecture
b|Online|12|1|INF-BSC|hu|180|150|BSc|Bachelor of Science|Informatikus
b|Online|20|2|NUR-BSC|en|240|60|BSc|Bachelor of Science|Nursing
b|Online|17|2|PHY-BSC|en|240|50|BSc|Bachelor of Science|Physiotherapy
b|Online|6|3|MUS-BA|en|180|15|BA|Bachelor of Arts|Music Performance
b|Private|4|1|FND-STEM|en|60|40|||Foundation Year in Science and Engineering
m|Online|72|1|DS-MSC|en|120|70|MSc|Master of Science|Data Science
m|Online|60|1|MBA|en|120|50|MBA|Master of Business Administration|Business Administration
m|Online|40|1|FIN-MSC|en|120|40|MSc|Master of Science|Finance
m|Online|36|1|MECH-MSC|en|120|40|MSc|Master of Science|Mechanical Engineering
m|Online|34|1|CSE-MSC|en|120|60|MSc|Master of Science|Computer Science Engineering
m|Online|24|1|IR-MA|en|120|35|MA|Master of Arts|International Relations
m|Online|20|1|ENV-MSC|en|120|30|MSc|Master of Science|Environmental Engineering
m|Online|18|1|LLM-EU|en|60|30|LLM|Master of Laws|European and International Business Law
m|Online|14|1|BIO-MSC|en|120|25|MSc|Master of Science|Molecular Biology
m|Online|12|1|PSY-MA|en|120|20|MA|Master of Arts|Psychology
m|Online|10|2|PH-MSC|en|120|25|MSc|Master of Science|Public Health
m|Online|4|3|COMP-MA|en|120|8|MA|Master of Arts|Composition
i|Online|60|1|MED-MD|en|360|90|MD|Doctor of Medicine|General Medicine
i|Online|30|1|DENT-DMD|en|300|40|DMD|Doctor of Dental Medicine|Dentistry
i|Online|16|1|PHARM|en|300|35|PharmD|Doctor of Pharmacy|Pharmacy
d|Online|20|1|ENG-PHD|en|240|15|PhD|Doctor of Philosophy|Doctoral School of Engineering
d|Online|16|1|BIO-PHD|en|240|12|PhD|Doctor of Philosophy|Doctoral School of Life Sciences
d|Online|12|1|ECO-PHD|en|240|10|PhD|Doctor of Philosophy|Doctoral School of Economics
e|Online|40|1|EXC|en|30|200|||Exchange semester
e|Online|10|1|EXC-ENG|en|30|60|||Exchange semester in engineering
s|Online|30|1|SUM-HU|en|6|80|||Summer School of Hungarian Language and Culture
s|Online|24|1|SUM-AI|en|4|60|||Summer School on Machine Learning
b|Standby|0|1|ROB-BSC|en|210|||Bachelor of Science|Robotics
m|Draft|0|1|||||||Quantum Engineering
m|Archived|0|1|OLD-MSC|en|120||MSc|Master of Science|Information Society Studies
b|Closed|0|1|AGR-BSC|en|210||BSc|Bachelor of Science|Agricultural Engineering
m|Template|0|1||en|120||MSc|Master of Science|Master course (template)
m|Online|0|1|GREEN-MIC|en|10||||Micro-credential in Green Energy`

var levelOf = map[string]level{"b": bachelor, "m": master, "i": medicine, "d": doctoral, "e": exchange, "s": summer}

var (
	courseTypes = [...]string{"UG", "PG", "INT", "PHD", "EXC", "SUM"}
	durations   = [...]string{"6 semesters", "4 semesters", "10 semesters", "8 semesters", "1 semester", "2 weeks"}
	towns       = map[int64]string{1: "Budapest", 2: "Szeged", 3: "Pécs"}
)

// planCourses returns the courses with the intakes that they are tied to, last changed before the data begin.
func planCourses(over span, intakes []intake) (list []*course) {
	for line := range strings.Lines(strings.TrimSpace(courseTable)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		c := &course{level: levelOf[f[0]]}
		c.ID, c.Status = int64(len(list)+1), f[1]
		c.weight, _ = strconv.Atoi(f[2])
		c.Institution, _ = strconv.ParseInt(f[3], 10, 64)
		c.Type, c.Mode, c.Duration = courseTypes[c.level], "FT", durations[c.level]
		c.Code, c.Language, c.Name = f[4], f[5], f[10]
		c.Country, c.Location = "HU", towns[c.Institution]
		if c.Credits = f[6]; c.Credits != "" {
			c.Credits += " ECTS"
			years, _ := strconv.Atoi(f[6])
			if c.level == bachelor {
				c.Duration = strconv.Itoa(years/30) + " semesters"
			}
		}
		if quota, err := strconv.ParseInt(f[7], 10, 64); err == nil {
			c.Quota = &quota
		}
		if c.full = c.Name; f[9] != "" {
			c.Awards = []admitto.Award{{Abbr: f[8], Full: f[9]}}
			c.full = c.Name + " (" + f[9] + ")"
		}
		switch {
		case strings.HasPrefix(c.Code, "FND"):
			c.Type, c.Duration = "FND", "2 semesters"
		case strings.HasSuffix(c.Code, "-MIC"):
			c.Type, c.Mode, c.Duration = "MIC", "DL", "10 weeks"
		case c.Code == "MBA":
			c.Mode = "BL"
		}
		if c.Code == "MED-MD" { // two ways to the same diploma
			c.Awards = append(c.Awards, admitto.Award{Abbr: "dr. med.", Full: "doctor medicinae"})
		}
		if c.Code != "" {
			c.CodeInternal, c.ProspectURI = "K"+strconv.Itoa(1000+len(list)*7),
				"https://www.example.edu/courses/"+strings.ToLower(c.Code)
			c.Accreditation = "OH-FHF/" + strconv.Itoa(200+len(list)) + "/2021"
		}
		c.Featured = c.weight >= 60
		c.Updated = over.begins - admitto.Time(90+3*len(list))*admitto.Day + admitto.Time(9+len(list)%7)*admitto.Hour
		for i := range intakes {
			if c.weight > 0 && intakes[i].level == c.level {
				c.Intakes = append(c.Intakes, intakes[i].ID)
			}
		}
		sayCourse(&c.Course)
		list = append(list, c)
	}
	return list
}

// course draws one of the level by weight that is not in the list yet; nil when there is no other.
func (w *world) course(l level, chosen []*choice) *course {
	sum := 0
	for _, c := range w.catalogue.courses {
		if c.level == l {
			sum += c.weight
		}
	}
	n := w.chance.IntN(sum)
	for _, c := range w.catalogue.courses {
		if c.level != l {
			continue
		}
		if n -= c.weight; n < 0 {
			for _, other := range chosen {
				if other.course == c {
					return nil
				}
			}
			return c
		}
	}
	return nil // not reached: the weights sum up to sum
}
