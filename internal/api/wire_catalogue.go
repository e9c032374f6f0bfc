package api

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// institutionWire is an institution (resources.md 14).
type institutionWire struct {
	ID           int64         `wire:"id"`
	Status       string        `wire:"status"`
	Mode         string        `wire:"mode"`
	Type         wire.Nullable `wire:"type"`
	Name         string        `wire:"name"`
	Country      wire.Nullable `wire:"country"`
	Location     wire.Nullable `wire:"location"`
	WWW          wire.Nullable `wire:"www"`
	Erasmus      wire.Nullable `wire:"erasmus"`
	Address      wire.Nullable `wire:"address"`
	VAT          wire.Nullable `wire:"vat"`
	IBAN         wire.Nullable `wire:"iban"`
	Registration wire.Nullable `wire:"registration"`
	Departments  wire.Link     `wire:"departments"`
}

func institutionRecord(i *admitto.Institution) any {
	return &institutionWire{ID: i.ID, Status: i.Status, Mode: i.Mode, Type: wire.Nullable(i.Type), Name: i.Name,
		Country:  wire.Nullable(i.Country),
		Location: wire.Nullable(i.Location), WWW: wire.Nullable(i.WWW), Erasmus: wire.Nullable(i.Erasmus),
		Address: wire.Nullable(i.Address),
		VAT:     wire.Nullable(i.VAT), IBAN: wire.Nullable(i.IBAN), Registration: wire.Nullable(i.Registration),
		Departments: wire.LinkTo("/institutions/{}/departments", i.ID)}
}

// departmentWire is a department of an institution (resources.md 14).
type departmentWire struct {
	ID       int64         `wire:"id"`
	Name     string        `wire:"name"`
	Country  wire.Nullable `wire:"country"`
	Location wire.Nullable `wire:"location"`
	WWW      wire.Nullable `wire:"www"`
}

func departmentRecord(d *admitto.Department) any {
	return &departmentWire{d.ID, d.Name, wire.Nullable(d.Country), wire.Nullable(d.Location), wire.Nullable(d.WWW)}
}

// courseWire is a course (resources.md 15).
type courseWire struct {
	ID            int64         `wire:"id"`
	Status        string        `wire:"status"`
	Updated       admitto.Time  `wire:"updated"`
	Institution   wire.Link     `wire:"institution"`
	Intakes       wire.LinkMap  `wire:"intakes"`
	Featured      bool          `wire:"featured"`
	Type          wire.Nullable `wire:"type"`
	Awards        []awardWire   `wire:"awards"`
	Name          string        `wire:"name"`
	Mode          wire.Nullable `wire:"mode"`
	Duration      wire.Nullable `wire:"duration"`
	Credits       wire.Nullable `wire:"credits"`
	Language      wire.Nullable `wire:"language"`
	Country       wire.Nullable `wire:"country"`
	Location      wire.Nullable `wire:"location"`
	Code          wire.Nullable `wire:"code"`
	CodeInternal  wire.Nullable `wire:"code_internal"`
	Accreditation wire.Nullable `wire:"accreditation"`
	Quota         *int64        `wire:"quota"`
	Prospect      prospectWire  `wire:"prospect"`
}

type awardWire struct {
	Abbr wire.Nullable `wire:"abbr"`
	Full wire.Nullable `wire:"full"`
}

type prospectWire struct {
	URI wire.Nullable `wire:"uri"`
}

func courseRecord(c *admitto.Course) any {
	w := &courseWire{ID: c.ID, Status: c.Status, Updated: c.Updated, Institution: wire.LinkTo("/institutions/{}",
		c.Institution),
		Intakes: wire.LinkMap{Form: "/intakes/{}",
			IDs: c.Intakes}, Featured: c.Featured, Type: wire.Nullable(c.Type), Name: c.Name, Mode: wire.Nullable(c.Mode),
		Duration: wire.Nullable(c.Duration), Credits: wire.Nullable(c.Credits), Language: wire.Nullable(c.Language),
		Country:  wire.Nullable(c.Country),
		Location: wire.Nullable(c.Location), Code: wire.Nullable(c.Code), CodeInternal: wire.Nullable(c.CodeInternal),
		Accreditation: wire.Nullable(c.Accreditation), Quota: c.Quota, Prospect: prospectWire{wire.Nullable(c.ProspectURI)}}
	for _, a := range c.Awards {
		w.Awards = append(w.Awards, awardWire{wire.Nullable(a.Abbr), wire.Nullable(a.Full)})
	}
	return w
}

// intakeWire is an intake (resources.md 16).
type intakeWire struct {
	ID        int64                   `wire:"id"`
	Name      string                  `wire:"name"`
	Start     admitto.Date            `wire:"start"`
	Pre       preWire                 `wire:"pre"`
	Policy    string                  `wire:"policy"`
	Deadlines json.RawMessage         `wire:"deadlines"` // territory → deadlineWire
	Decision  decisionWire            `wire:"decision"`
	Arrival   admitto.Date            `wire:"arrival"`
	Commence  admitto.Date            `wire:"commence"`
	Term      wire.Embedded[termWire] `wire:"academic-term" right:"/academic-terms/{id}"`
}

type preWire struct {
	Deadline admitto.Date  `wire:"deadline"`
	Info     wire.Nullable `wire:"info"`
	Mask     bool          `wire:"mask"`
}

type deadlineWire struct {
	Deadline admitto.Date  `wire:"deadline"`
	Info     wire.Nullable `wire:"info"`
	Barred   bool          `wire:"barred"`
}

type decisionWire struct {
	Policy string       `wire:"policy"`
	Days   *int64       `wire:"days"`
	Date   admitto.Date `wire:"date"`
}

// intakeRecord makes the record of an intake; territories come in ascending order of their codes.
func (c *call) intakeRecord(i *admitto.Intake) any {
	return &intakeWire{ID: i.ID, Name: i.Name, Start: i.Start, Pre: preWire{i.PreDeadline, wire.Nullable(i.PreInfo),
		i.PreMask}, Policy: i.Policy,
		Deadlines: appendNamed(c, nil, i.Deadlines, func(d *admitto.Deadline) string { return d.Territory }, deadlineRecord),
		Decision:  decisionWire{i.DecisionPolicy, i.DecisionDays, i.DecisionDate}, Arrival: i.Arrival, Commence: i.Commence,
		Term: wire.Embedded[termWire]{Link: wire.LinkTo("/academic-terms/{}", i.Term.ID), Value: *newTermWire(&i.Term)}}
}

func deadlineRecord(d *admitto.Deadline) any {
	return &deadlineWire{d.Day, wire.Nullable(d.Info), d.Barred}
}

// termWire is an academic term (resources.md 17).
type termWire struct {
	ID     int64        `wire:"id"`
	Year   wire.Link    `wire:"year"`
	Name   string       `wire:"name"`
	Type   wire.Link    `wire:"type"`
	Start  admitto.Date `wire:"start"`
	Grace  admitto.Date `wire:"grace"`
	Finish admitto.Date `wire:"finish"`
}

func newTermWire(t *admitto.Term) *termWire {
	return &termWire{ID: t.ID, Year: wire.LinkTo("/academic-years/{}", t.Year), Name: t.Name,
		Type:  wire.LinkTo("/academic-terms/types/{}", t.Type),
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
