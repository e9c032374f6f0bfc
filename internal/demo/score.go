package demo

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
)

// score is a score of an application or of one of its offers.
type score struct {
	admitto.Score
	ap *application
	of *offer // nil: of the application
}

func (s *score) links() admitto.Links {
	l := s.ap.links()
	l.Score, l.Scoresheet = s.ID, s.Scoresheet
	if s.of != nil {
		l.Offer = s.of.ID
	}
	return l
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// score plans the points that an application gets after its submission.
func (ap *application) score(at admitto.Time) {
	c, merit := ap.chance, ap.p.merit
	result := func(spread int) int { return min(max(merit+c.between(-spread, spread), 0), 99) }
	if !slices.Contains(englishSpeaking, ap.p.Citizenship) && c.per(520) {
		switch n := c.IntN(10); {
		case n < 5:
			s := ap.points(sheetIELTS, nil, at, admitto.Points(8+result(25)/10)*point/2) // 4.0 to 8.5
			s.Date = dayOf(at - admitto.Time(c.between(30, 500))*admitto.Day)
			s.Reference = "TRF-" + c.digits(6)
		case n < 8:
			s := ap.points(sheetCEFR, nil, at, admitto.Points(3+min(result(20)/30, 3))*point)
			s.Language = "en"
			if c.per(150) {
				s.Language = "hu"
			}
		default:
			s := ap.points(sheetTOEFL, nil, at, admitto.Points(55+result(25)*65/100)*point)
			s.Reference = c.digits(10)
		}
	}
	if c.per(15) && at < ap.begins+300*admitto.Day {
		ap.points(sheetGRE, nil, at, admitto.Points(270+result(20)*7/10)*point)
	}
	if c.per(450) {
		ap.marks(at, result)
	}
	for _, ch := range ap.choices {
		switch {
		case ch.course.level == medicine && c.per(400), c.per(20):
			s := ap.points(sheetInterview, ch.offer, at, admitto.Points(result(30)/5)*point/2)
			if s.Points != nil {
				s.Date = dayOf(s.Scored)
			}
		case (ch.course.Code == "ARCH-BSC" || ch.course.Institution == musicInstitution) && c.per(700):
			ap.points(sheetPortfolio, ch.offer, at, admitto.Points(1+result(25)/20)*point)
		}
		if c.per(30) {
			ch.offer.extra(at)
		}
	}
	for _, ch := range ap.choices {
		ch.offer.auto()
	}
}

// marks are those of former studies and of the examination.
func (ap *application) marks(at admitto.Time, result func(int) int) {
	c := ap.chance
	ap.points(sheetAverage, nil, at, admitto.Points(40*100+result(20)*60+c.IntN(60))*point/100)
	if !c.per(800) {
		return
	}
	exam := ap.points(sheetExam, nil, at, admitto.Points(result(30)*100+c.IntN(100))*point/100)
	exam.Date = dayOf(max(exam.Scored, at))
	if c.per(400) {
		exam.Subject = pick(c, []string{"Mathematics", "Physics", "Biology and chemistry", "Economics"})
	}
}

// auto sets the automatic score that follows from the points by the criteria of the course, and plans a record each
// time that it changes.
func (o *offer) auto() {
	criteria := o.ap.catalogue.criteria[o.Course]
	if len(criteria) == 0 {
		return
	}
	o.CriteriaVersion = 1
	instants := []admitto.Time{o.Inserted}
	for _, s := range o.ap.scores {
		if s.Points != nil {
			instants = append(instants, s.Scored)
		}
	}
	slices.Sort(instants)
	for _, at := range slices.Compact(instants) {
		auto, explained := admitto.AutoScore(o.CriteriaVersion, criteria, func(sheet *admitto.Scoresheet) *admitto.Score {
			for _, s := range o.ap.scores {
				if s.Scoresheet == sheet.ID && s.Points != nil && s.Scored <= at && (s.of == nil || s.of == o) {
					return &s.Score
				}
			}
			return nil
		})
		o.ScoreExplained = explained.JSON()
		if auto == nil || o.ScoreAuto != nil && *auto == *o.ScoreAuto {
			continue // points are never taken back, so a score never goes
		}
		o.ScoreAuto, o.Scored = auto, max(o.Scored, at)
		o.ap.about(o, at, admitto.System(), "Offer automatic score was calculated")
	}
}

// points plans a score; a few are not given yet.
func (ap *application) points(sheet int64, of *offer, at admitto.Time, points admitto.Points) *score {
	c := ap.chance
	s := &score{ap: ap, of: of, Score: admitto.Score{Scoresheet: sheet, Application: ap.row.ID}}
	ap.scores = append(ap.scores, s)
	added := c.seconds(at, 60, 10*86400)
	by := ap.officer()
	if added >= ap.limit {
		added = at
	}
	ap.later(happening{at: added, actor: by, about: s, event: admitto.Event{Pattern: "Score was added"}, rows: func() {
		if s.ID = ap.last.score.next(); of != nil {
			s.Offer = of.ID
		}
		ap.batch.scores = append(ap.batch.scores, s.Score)
	}})
	if c.per(80) || added > ap.ends {
		return s
	}
	s.Points, s.Scored = &points, added
	ap.about(s, added, by, "Score points were set")
	if c.per(70) {
		s.Comments = pick(c, []string{"Checked with the test centre", "Second attempt", "Converted from another scale",
			"Very good oral part"})
	}
	return s
}

// extra is a score that staff add by hand.
func (o *offer) extra(at admitto.Time) {
	c := o.ap.chance
	when := c.inOffice(at, c.between(3, 40))
	if when >= o.ap.limit {
		return
	}
	value := admitto.Hundredths(c.between(-20, 60) * 25)
	o.ScoreExtra, o.Scored = &value, max(o.Scored, when)
	o.ap.about(o, when, o.ap.officer(), "Offer extra score was set")
}
