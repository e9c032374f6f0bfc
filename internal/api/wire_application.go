package api

import (
	"encoding/json"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/form"
)

// applicationWire is the header part of an application (resources.md 5.2).
type applicationWire struct {
	ID           int64           `wire:"id"`
	Created      admitto.Time    `wire:"created"`
	Revised      admitto.Time    `wire:"revised"`
	Submitted    admitto.Time    `wire:"submitted"`
	Status       string          `wire:"status"`
	Frozen       admitto.Time    `wire:"frozen"`
	AcademicTerm wire.Link       `wire:"academic_term"`
	Applicant    wire.Expandable `wire:"applicant" right:"/applicants/{id}"`
	Flags        wire.Expandable `wire:"flags" right:"/applications/{id}/flags"`
	Courses      wire.Expandable `wire:"courses" right:"/applications/{id}/courses"`
	Offers       wire.Expandable `wire:"offers" right:"/applications/{id}/offers"`
	Exports      wire.Link       `wire:"exports"`
	Documents    wire.Expandable `wire:"documents" right:"/applications/{id}/documents"`
	Studyplans   wire.Link       `wire:"studyplans" until:"7"`
	Scores       wire.Expandable `wire:"scores" right:"/applications/{id}/scores"`
	Tasks        wire.Expandable `wire:"tasks" right:"/applications/{id}/tasks"`
	Invoices     wire.Link       `wire:"invoices"`
	PDF          wire.Link       `wire:"pdf"`
}

// set fills the header from an application; what is expanded is the caller's.
func (w *applicationWire) set(a *admitto.Application) {
	id := a.ID
	*w = applicationWire{
		ID: id, Created: a.Created, Revised: a.Revised, Submitted: a.Submitted, Status: string(a.Status), Frozen: a.Frozen,
		AcademicTerm: wire.LinkTo("/academic-terms/{}", a.Term),
		Applicant:    wire.Expandable{Link: wire.LinkTo("/applicants/{}", a.Applicant)},
		Flags:        wire.Expandable{Link: wire.LinkTo("/applications/{}/flags", id)},
		Courses:      wire.Expandable{Link: wire.LinkTo("/applications/{}/courses", id)},
		Offers:       wire.Expandable{Link: wire.LinkTo("/applications/{}/offers", id)},
		Exports:      wire.LinkTo("/applications/{}/exports", id),
		Documents:    wire.Expandable{Link: wire.LinkTo("/applications/{}/documents", id)},
		Studyplans:   wire.LinkTo("/applications/{}/studyplans", id),
		Scores:       wire.Expandable{Link: wire.LinkTo("/applications/{}/scores", id)},
		Tasks:        wire.Expandable{Link: wire.LinkTo("/applications/{}/tasks", id)},
		Invoices:     wire.LinkTo("/applications/{}/invoices", id),
		PDF:          wire.LinkTo("/applications/{}/pdf", id),
	}
}

type moneyWire struct {
	Amount   admitto.Hundredths `wire:"amount"`
	Currency string             `wire:"currency"`
}

// contentRecord makes the content part of an application.
func contentRecord(c *call, application int64, content *form.Content) any {
	return &wire.Content{Content: *content, Extras: extraRecords(c, application, content.Extras)}
}

func extraRecords(c *call, application int64, extras []admitto.Extra) []wire.Extra {
	list := make([]wire.Extra, len(extras))
	for i := range extras {
		e := &extras[i]
		list[i] = wire.Extra{ID: e.ID, Name: e.Name, Type: string(e.Type), Value: c.extraValue(application, e)}
	}
	return list
}

// extraValue returns the JSON of an answer by the type of the question; nil is null.
func (c *call) extraValue(application int64, e *admitto.Extra) []byte {
	switch e.Type {
	case admitto.ExtraNumber:
		return jsonNumber(e.Number)
	case admitto.ExtraYesNo:
		if e.YesNo == nil {
			return nil
		}
		return c.encode(nil, e.YesNo)
	case admitto.ExtraChoices:
		return c.encode(nil, &e.Choices)
	case admitto.ExtraMoney:
		if e.Money == nil {
			return nil
		}
		return c.encode(nil, &moneyWire{e.Money.Amount, e.Money.Currency})
	case admitto.ExtraFile:
		if e.Document == 0 {
			return nil
		}
		l := wire.LinkTo("/applications/{}/documents/{}", application, e.Document)
		return c.encode(nil, &l)
	case admitto.ExtraSection:
		entries := extraRecords(c, application, e.Entries)
		return c.encode(nil, &entries)
	}
	v := wire.Nullable(e.Text)
	return c.encode(nil, &v)
}

// jsonNumber returns a decimal as a JSON number, which has no zeros in front; nil is null.
func jsonNumber(decimal string) []byte {
	digits, negative := strings.CutPrefix(decimal, "-")
	if digits = strings.TrimLeft(digits, "0"); digits == "" || digits[0] == '.' {
		digits = "0" + digits
	}
	if negative {
		digits = "-" + digits
	}
	if decimal == "" || !json.Valid([]byte(digits)) {
		return nil
	}
	return []byte(digits)
}

// courseAssociationWire says that an application holds a course (resources.md 5.4).
type courseAssociationWire struct {
	ID        int64         `wire:"id"`
	Priority  int           `wire:"priority"`
	Submitted admitto.Time  `wire:"submitted"`
	Modifier  wire.Nullable `wire:"modifier"`
	Course    wire.Link     `wire:"course"`
	Intake    wire.Link     `wire:"intake"`
}

func courseAssociation(a *admitto.ApplicationCourse) any {
	return &courseAssociationWire{a.Course, a.Priority, a.Submitted, wire.Nullable(a.Modifier),
		wire.LinkTo("/courses/{}", a.Course), wire.LinkTo("/intakes/{}", a.Intake)}
}

func courseOf(a *admitto.ApplicationCourse) int64 { return a.Course }

// flagAssociationWire says that an application carries a flag (resources.md 5.4).
type flagAssociationWire struct {
	ID       int64        `wire:"id"`
	Assigned admitto.Time `wire:"assigned"`
	Flag     wire.Link    `wire:"flag"`
}

func flagAssociation(a *admitto.FlagAssociation) any {
	return &flagAssociationWire{a.Flag, a.Assigned, wire.LinkTo("/applications/flags/{}", a.Flag)}
}

func flagOf(a *admitto.FlagAssociation) int64 { return a.Flag }
