package demo

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
)

// The scoresheets of the data.
const (
	sheetIELTS int64 = iota + 1
	sheetCEFR
	sheetExam
	sheetAverage
	sheetInterview
	sheetPortfolio
	sheetTOEFL
	sheetGRE
)

const point admitto.Points = 10_000

func maps(labels ...string) (list []admitto.ScoreMap) {
	for i, l := range labels {
		list = append(list, admitto.ScoreMap{Label: l, Value: admitto.Points(i+1) * point})
	}
	return list
}

// planScoresheets returns the sheets, made before the first course is applied to.
func planScoresheets(over span) []admitto.Scoresheet {
	sheet := func(id int64, name, kind string, min, max int, scale int, details string) admitto.Scoresheet {
		word := map[byte]string{'-': "None", 'o': "Optional", 'r': "Required"}
		return admitto.Scoresheet{ID: id, Created: over.begins - admitto.Time(140-id)*admitto.Day + 9*admitto.Hour,
			Name: name, Type: kind,
			Min: admitto.Points(min) * point, Max: admitto.Points(max) * point, Scale: scale,
			Date: word[details[0]], Reference: word[details[1]], Subject: word[details[2]], Language: word[details[3]]}
	}
	list := []admitto.Scoresheet{
		sheet(sheetIELTS, "IELTS", "IELTS", 0, 9, 1, "oo--"),
		sheet(sheetCEFR, "Language level", "CEFR", 1, 6, 0, "---r"),
		sheet(sheetExam, "Entrance examination", "Number", 0, 100, 2, "r-o-"),
		sheet(sheetAverage, "Average of former studies", "Percent", 0, 100, 2, "----"),
		sheet(sheetInterview, "Interview", "Number", 0, 10, 1, "o---"),
		sheet(sheetPortfolio, "Portfolio", "Mapped", 1, 5, 0, "----"),
		sheet(sheetTOEFL, "TOEFL iBT", "TOEFL", 0, 120, 0, "oo--"),
		sheet(sheetGRE, fmt.Sprintf("GRE (until %d)", over.begins.Std().Year()), "GRE", 260, 340, 0, "oo--"),
	}
	for i := range list {
		s := &list[i]
		switch s.ID {
		case sheetIELTS, sheetCEFR, sheetTOEFL:
			s.GroupID, s.GroupName = 1, "Languages"
		case sheetExam, sheetInterview, sheetPortfolio:
			s.GroupID, s.GroupName = 2, "Entrance"
		}
		s.ByOffer = s.ID == sheetInterview || s.ID == sheetPortfolio
	}
	list[sheetCEFR-1].Maps = maps("A1", "A2", "B1", "B2", "C1", "C2")
	list[sheetPortfolio-1].Maps = maps("Weak", "Fair", "Good", "Very good", "Outstanding")
	list[sheetExam-1].Instructions = "Written examination of two hours.\nThe faculty enters the points within ten days."
	list[sheetInterview-1].Instructions = "Half an hour, two interviewers."
	list[sheetGRE-1].Confirmed = over.begins - 20*admitto.Day
	return list
}

// criteriaSet is when the criteria of the courses were decided, in the morning, one after the other.
func (s span) criteriaSet() admitto.Time { return s.begins - 120*admitto.Day + 10*admitto.Hour }

// planCriteria returns the criteria of the courses that are applied to: the marks of former studies and the
// examination, and where there is one the interview or the portfolio. Summer schools take the one who comes first.
func planCriteria(courses []*course, sheets []admitto.Scoresheet) map[int64][]admitto.Criterion {
	line := func(sheet int64, tenths admitto.Weight, percent, required bool) admitto.Criterion {
		return admitto.Criterion{Sheet: sheets[sheet-1], Weight: tenths * point / 10, Percent: percent, Required: required}
	}
	byCourse := map[int64][]admitto.Criterion{}
	for _, c := range courses {
		average, exam := line(sheetAverage, 4, false, true), line(sheetExam, 6, false, true)
		switch {
		case c.weight == 0 || c.level == summer:
		case c.level == medicine:
			exam.Weight = 4 * point / 10
			byCourse[c.ID] = []admitto.Criterion{average, exam, line(sheetInterview, 2, true, false)}
		case c.Code == "ARCH-BSC" || c.Institution == musicInstitution:
			exam.Weight = 3 * point / 10
			byCourse[c.ID] = []admitto.Criterion{average, exam, line(sheetPortfolio, 3, true, false)}
		default:
			byCourse[c.ID] = []admitto.Criterion{average, exam}
		}
	}
	return byCourse
}

// planRankings returns one for each course with many applicants and each autumn, and a few others.
func planRankings(over span, terms []*term, courses []*course, intakes []intake) (list []admitto.Ranking) {
	add := func(name string, t *term, created admitto.Time) *admitto.Ranking {
		list = append(list, admitto.Ranking{ID: int64(len(list) + 1), Name: name, Created: created, Modified: created,
			Filters: admitto.RankingFilters{Intakes: []int64{}, Citizenships: []string{}, Flags: []int64{},
				Statuses: []string{}}})
		r := &list[len(list)-1]
		if t != nil {
			r.Term = t.ID
		}
		return r
	}
	for _, t := range terms {
		created := startOf(t.Start) - 150*admitto.Day + 10*admitto.Hour
		if !t.autumn || created < over.begins || created > over.ends-15*admitto.Day {
			continue
		}
		for _, c := range courses {
			if c.weight < 30 || c.level > medicine || c.Quota == nil {
				continue
			}
			r := add(fmt.Sprintf("%s, autumn %d", c.Name, t.Start.Year), t, created)
			r.Courses, r.Quota = []int64{c.ID}, c.Quota
			if c.level == medicine {
				r.Modified = created + 9*admitto.Day
				for i := range intakes {
					if intakes[i].term == t && intakes[i].level == medicine {
						r.Filters.Intakes = append(r.Filters.Intakes, intakes[i].ID)
					}
				}
			}
			created += 7 * admitto.Minute
		}
	}
	engineering := add("Engineering, all", nil, over.begins+200*admitto.Day)
	home := add("Citizens of Hungary, computing", nil, over.begins+201*admitto.Day)
	waiting := add("Submitted with interview", nil, over.begins+202*admitto.Day)
	for _, c := range courses {
		switch c.Code {
		case "MECH-BSC", "ELEC-BSC", "CIV-BSC", "MECH-MSC", "ENV-MSC":
			engineering.Courses = append(engineering.Courses, c.ID)
		case "CS-BSC", "INF-BSC":
			home.Courses = append(home.Courses, c.ID)
		}
	}
	home.Filters.Citizenships = []string{"HU"}
	waiting.Filters.Flags, waiting.Filters.Statuses = []int64{flagInterview}, []string{"Submitted"}
	return list
}
