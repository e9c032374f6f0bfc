package demo

import (
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/load"
)

// inPortal is what somebody does who has signed in: consents, photo, wishes, applications.
func (l *life) inPortal() {
	c := l.chance
	p := &person{ApplicantRow: l.a, trackers: l.trackers, merit: c.between(0, 99),
		left: [...]int{0, 1, 1, 1, 1, 2, 2, 2, 3, 4}[c.IntN(10)]}
	p.level = [...]level{bachelor, bachelor, bachelor, bachelor, bachelor, master, master, master, medicine,
		medicine}[c.IntN(10)]
	switch n := c.IntN(100); {
	case n < 6 && l.a.Citizenship != "VN":
		p.level = doctoral
	case n < 14 && (slices.Contains(eeaCountries, l.a.Citizenship) && l.a.Citizenship != "HU" ||
		l.a.Citizenship == "TR" || l.a.Citizenship == "JP"):
		p.level = exchange
	case n >= 97:
		p.level = summer
	}
	age := [...]int{18, 23, 19, 27, 21, 20}[p.level] + [...]int{0, 0, 0, 1, 1, 2, 3, 5, 9}[c.IntN(9)]
	p.born = l.a.Registered.Std().Year() - age
	if l.a.Type == admitto.Child {
		p.born, p.level = l.a.Registered.Std().Year()-c.between(16, 17), bachelor
	}
	at := c.seconds(l.active, 40, 400)
	for id := int64(1); id <= 2; id++ {
		if id == 2 && c.per(120) {
			continue
		}
		l.consent(p, id, at, id == 1 || c.per(480))
	}
	if c.per(428) { // thirty in a hundred of all applicants
		l.photo(p, c.seconds(l.active, 300, 20*86400))
	}
	if c.per(170) {
		l.wish(p)
	}
	if p.ID == firstApplicant && l.assure(p, at+admitto.Hour) {
		return
	}
	if l.a.Type != admitto.Legal {
		l.comes(p, c.seconds(at, 200, [...]int{3000, 40000, 10 * 86400, 40 * 86400}[c.IntN(4)]))
	}
}

func (l *life) consent(p *person, id int64, at admitto.Time, accepted bool) {
	pattern := admitto.Pattern("Consent was rejected: ?")
	if accepted {
		pattern = "Consent was accepted: ?"
	}
	l.later(happening{at: at, actor: l.self(), about: p, event: admitto.Event{Pattern: pattern,
		Bind: []string{decimal(id)}}, rows: func() {
		l.batch.consents = append(l.batch.consents, admitto.ConsentDecision{Applicant: p.ID, Consent: id, Decided: at,
			Accepted: accepted})
	}})
}

func (l *life) photo(p *person, at admitto.Time) {
	l.later(happening{at: at, actor: l.self(), about: p, event: admitto.Event{Pattern: "Applicant photo was saved"},
		rows: func() {
			f := l.file(filePhoto, "")
			f.Owner, f.Uploaded = p.ID, at
			l.batch.photos = append(l.batch.photos, f)
		}})
}

// wished is a course that somebody likes.
type wished struct {
	*person
	course *course
}

func (w wished) links() admitto.Links {
	return admitto.Links{Applicant: w.ID, Course: w.course.ID}
}

var wishNotes = []string{"", "", "", "Ask about the language of tuition", "Scholarship?", "My second plan",
	"Together with my sister", "Fee?"}

// wish puts one to three courses on the list.
func (l *life) wish(p *person) {
	c := l.chance
	var seen []*course
	for range c.between(1, 3) {
		x := pick(c, l.catalogue.courses[:30])
		at := c.seconds(l.active, 60, 30*86400)
		if slices.Contains(seen, x) {
			continue
		}
		seen = append(seen, x)
		row := admitto.Wish{Applicant: p.ID, Course: x.ID, Wished: at, Notes: pick(c, wishNotes)}
		if c.per(300) && len(x.Intakes) > 0 {
			row.Intake = pick(c, x.Intakes)
		}
		l.later(happening{at: at, actor: l.self(), about: wished{p, x}, event: admitto.Event{Pattern: "Wish was added"},
			rows: func() {
				row.ID = l.last.wish.next()
				l.batch.wishes = append(l.batch.wishes, row)
			}})
	}
}

// matriculate sets and returns the number of somebody, the next one of the student information system.
func (w *world) matriculate(p *person, at admitto.Time) string {
	w.matriculation++
	number := fmt.Sprintf("%d-%06d", at.Std().Year(), w.matriculation)
	w.batch.matriculated = append(w.batch.matriculated, load.MatriculationRow{Applicant: p.ID, Number: number})
	return number
}
