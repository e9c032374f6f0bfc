package api

import (
	"encoding/json"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
)

// applicationWire is the header part of an application (resources.md 5.2).
type applicationWire struct {
	ID           int64        `wire:"id"`
	Created      admitto.Time `wire:"created"`
	Revised      admitto.Time `wire:"revised"`
	Submitted    admitto.Time `wire:"submitted"`
	Status       string       `wire:"status"`
	Frozen       admitto.Time `wire:"frozen"`
	AcademicTerm link         `wire:"academic_term"`
	Applicant    expandable   `wire:"applicant" right:"/applicants/{id}"`
	Flags        expandable   `wire:"flags" right:"/applications/{id}/flags"`
	Courses      expandable   `wire:"courses" right:"/applications/{id}/courses"`
	Offers       expandable   `wire:"offers" right:"/applications/{id}/offers"`
	Exports      link         `wire:"exports"`
	Documents    expandable   `wire:"documents" right:"/applications/{id}/documents"`
	Studyplans   link         `wire:"studyplans" until:"7"`
	Scores       expandable   `wire:"scores" right:"/applications/{id}/scores"`
	Tasks        expandable   `wire:"tasks" right:"/applications/{id}/tasks"`
	Invoices     link         `wire:"invoices"`
	PDF          link         `wire:"pdf"`
}

// set fills the header from an application; what is expanded is the caller's.
func (w *applicationWire) set(a *admitto.Application) {
	id := a.ID
	*w = applicationWire{
		ID: id, Created: a.Created, Revised: a.Revised, Submitted: a.Submitted, Status: string(a.Status), Frozen: a.Frozen,
		AcademicTerm: linkTo("/academic-terms/{}", a.Term),
		Applicant:    expandable{link: linkTo("/applicants/{}", a.Applicant)},
		Flags:        expandable{link: linkTo("/applications/{}/flags", id)},
		Courses:      expandable{link: linkTo("/applications/{}/courses", id)},
		Offers:       expandable{link: linkTo("/applications/{}/offers", id)},
		Exports:      linkTo("/applications/{}/exports", id),
		Documents:    expandable{link: linkTo("/applications/{}/documents", id)},
		Studyplans:   linkTo("/applications/{}/studyplans", id),
		Scores:       expandable{link: linkTo("/applications/{}/scores", id)},
		Tasks:        expandable{link: linkTo("/applications/{}/tasks", id)},
		Invoices:     linkTo("/applications/{}/invoices", id),
		PDF:          linkTo("/applications/{}/pdf", id),
	}
}

type moneyWire struct {
	Amount   admitto.Hundredths `wire:"amount"`
	Currency string             `wire:"currency"`
}

// contentRecord makes the content part of an application.
func contentRecord(c *call, application int64, content *form.Content) any {
	return &contentWire{*content, extraRecords(c, application, content.Extras)}
}

func extraRecords(c *call, application int64, extras []admitto.Extra) []extraWire {
	list := make([]extraWire, len(extras))
	for i := range extras {
		e := &extras[i]
		list[i] = extraWire{e.ID, e.Name, string(e.Type), c.extraValue(application, e)}
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
		l := linkTo("/applications/{}/documents/{}", application, e.Document)
		return c.encode(nil, &l)
	case admitto.ExtraSection:
		entries := extraRecords(c, application, e.Entries)
		return c.encode(nil, &entries)
	}
	v := nullable(e.Text)
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
	ID        int64        `wire:"id"`
	Priority  int          `wire:"priority"`
	Submitted admitto.Time `wire:"submitted"`
	Modifier  nullable     `wire:"modifier"`
	Course    link         `wire:"course"`
	Intake    link         `wire:"intake"`
}

func courseAssociation(a *admitto.ApplicationCourse) any {
	return &courseAssociationWire{a.Course, a.Priority, a.Submitted, nullable(a.Modifier),
		linkTo("/courses/{}", a.Course), linkTo("/intakes/{}", a.Intake)}
}

func courseOf(a *admitto.ApplicationCourse) int64 { return a.Course }

// flagAssociationWire says that an application carries a flag (resources.md 5.4).
type flagAssociationWire struct {
	ID       int64        `wire:"id"`
	Assigned admitto.Time `wire:"assigned"`
	Flag     link         `wire:"flag"`
}

func flagAssociation(a *admitto.FlagAssociation) any {
	return &flagAssociationWire{a.Flag, a.Assigned, linkTo("/applications/flags/{}", a.Flag)}
}

func flagOf(a *admitto.FlagAssociation) int64 { return a.Flag }
