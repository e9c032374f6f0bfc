package api

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
)

// institutionWire is an institution (resources.md 14).
type institutionWire struct {
	ID           int64    `wire:"id"`
	Status       string   `wire:"status"`
	Mode         string   `wire:"mode"`
	Type         nullable `wire:"type"`
	Name         string   `wire:"name"`
	Country      nullable `wire:"country"`
	Location     nullable `wire:"location"`
	WWW          nullable `wire:"www"`
	Erasmus      nullable `wire:"erasmus"`
	Address      nullable `wire:"address"`
	VAT          nullable `wire:"vat"`
	IBAN         nullable `wire:"iban"`
	Registration nullable `wire:"registration"`
	Departments  link     `wire:"departments"`
}

func institutionRecord(i *admitto.Institution) any {
	return &institutionWire{ID: i.ID, Status: i.Status, Mode: i.Mode, Type: nullable(i.Type), Name: i.Name, Country: nullable(i.Country),
		Location: nullable(i.Location), WWW: nullable(i.WWW), Erasmus: nullable(i.Erasmus), Address: nullable(i.Address),
		VAT: nullable(i.VAT), IBAN: nullable(i.IBAN), Registration: nullable(i.Registration),
		Departments: linkTo("/institutions/{}/departments", i.ID)}
}

// departmentWire is a department of an institution (resources.md 14).
type departmentWire struct {
	ID       int64    `wire:"id"`
	Name     string   `wire:"name"`
	Country  nullable `wire:"country"`
	Location nullable `wire:"location"`
	WWW      nullable `wire:"www"`
}

func departmentRecord(d *admitto.Department) any {
	return &departmentWire{d.ID, d.Name, nullable(d.Country), nullable(d.Location), nullable(d.WWW)}
}

// courseWire is a course (resources.md 15).
type courseWire struct {
	ID            int64        `wire:"id"`
	Status        string       `wire:"status"`
	Updated       admitto.Time `wire:"updated"`
	Institution   link         `wire:"institution"`
	Intakes       linkMap      `wire:"intakes"`
	Featured      bool         `wire:"featured"`
	Type          nullable     `wire:"type"`
	Awards        []awardWire  `wire:"awards"`
	Name          string       `wire:"name"`
	Mode          nullable     `wire:"mode"`
	Duration      nullable     `wire:"duration"`
	Credits       nullable     `wire:"credits"`
	Language      nullable     `wire:"language"`
	Country       nullable     `wire:"country"`
	Location      nullable     `wire:"location"`
	Code          nullable     `wire:"code"`
	CodeInternal  nullable     `wire:"code_internal"`
	Accreditation nullable     `wire:"accreditation"`
	Quota         *int64       `wire:"quota"`
	Prospect      prospectWire `wire:"prospect"`
}

type awardWire struct {
	Abbr nullable `wire:"abbr"`
	Full nullable `wire:"full"`
}

type prospectWire struct {
	URI nullable `wire:"uri"`
}

func courseRecord(c *admitto.Course) any {
	w := &courseWire{ID: c.ID, Status: c.Status, Updated: c.Updated, Institution: linkTo("/institutions/{}", c.Institution),
		Intakes: linkMap{"/intakes/{}", c.Intakes}, Featured: c.Featured, Type: nullable(c.Type), Name: c.Name, Mode: nullable(c.Mode),
		Duration: nullable(c.Duration), Credits: nullable(c.Credits), Language: nullable(c.Language), Country: nullable(c.Country),
		Location: nullable(c.Location), Code: nullable(c.Code), CodeInternal: nullable(c.CodeInternal),
		Accreditation: nullable(c.Accreditation), Quota: c.Quota, Prospect: prospectWire{nullable(c.ProspectURI)}}
	for _, a := range c.Awards {
		w.Awards = append(w.Awards, awardWire{nullable(a.Abbr), nullable(a.Full)})
	}
	return w
}

// intakeWire is an intake (resources.md 16).
type intakeWire struct {
	ID        int64              `wire:"id"`
	Name      string             `wire:"name"`
	Start     admitto.Date       `wire:"start"`
	Pre       preWire            `wire:"pre"`
	Policy    string             `wire:"policy"`
	Deadlines json.RawMessage    `wire:"deadlines"` // territory → deadlineWire
	Decision  decisionWire       `wire:"decision"`
	Arrival   admitto.Date       `wire:"arrival"`
	Commence  admitto.Date       `wire:"commence"`
	Term      embedded[termWire] `wire:"academic-term" right:"/academic-terms/{id}"`
}

type preWire struct {
	Deadline admitto.Date `wire:"deadline"`
	Info     nullable     `wire:"info"`
	Mask     bool         `wire:"mask"`
}

type deadlineWire struct {
	Deadline admitto.Date `wire:"deadline"`
	Info     nullable     `wire:"info"`
	Barred   bool         `wire:"barred"`
}

type decisionWire struct {
	Policy string       `wire:"policy"`
	Days   *int64       `wire:"days"`
	Date   admitto.Date `wire:"date"`
}

// intakeRecord makes the record of an intake; territories come in ascending order of their codes.
func (c *call) intakeRecord(i *admitto.Intake) any {
	return &intakeWire{ID: i.ID, Name: i.Name, Start: i.Start, Pre: preWire{i.PreDeadline, nullable(i.PreInfo), i.PreMask}, Policy: i.Policy,
		Deadlines: appendNamed(c, nil, i.Deadlines, func(d *admitto.Deadline) string { return d.Territory }, deadlineRecord),
		Decision:  decisionWire{i.DecisionPolicy, i.DecisionDays, i.DecisionDate}, Arrival: i.Arrival, Commence: i.Commence,
		Term: embedded[termWire]{linkTo("/academic-terms/{}", i.Term.ID), *newTermWire(&i.Term)}}
}

func deadlineRecord(d *admitto.Deadline) any {
	return &deadlineWire{d.Day, nullable(d.Info), d.Barred}
}

// termWire is an academic term (resources.md 17).
type termWire struct {
	ID     int64        `wire:"id"`
	Year   link         `wire:"year"`
	Name   string       `wire:"name"`
	Type   link         `wire:"type"`
	Start  admitto.Date `wire:"start"`
	Grace  admitto.Date `wire:"grace"`
	Finish admitto.Date `wire:"finish"`
}

func newTermWire(t *admitto.Term) *termWire {
	return &termWire{ID: t.ID, Year: linkTo("/academic-years/{}", t.Year), Name: t.Name, Type: linkTo("/academic-terms/types/{}", t.Type),
		Start: t.Start, Grace: t.Grace, Finish: t.Finish}
}

func termRecord(t *admitto.Term) any { return newTermWire(t) }

// termTypeWire is a kind of academic terms (resources.md 17).
type termTypeWire struct {
	ID   int64  `wire:"id"`
	Name string `wire:"name"`
}

func termTypeRecord(t *admitto.TermType) any { return &termTypeWire{t.ID, t.Name} }

// yearWire is an academic year (resources.md 17).
type yearWire struct {
	ID    int64        `wire:"id"`
	Name  string       `wire:"name"`
	Start admitto.Date `wire:"start"`
}

func yearRecord(y *admitto.Year) any { return &yearWire{y.Year, y.Name, y.Start} }
