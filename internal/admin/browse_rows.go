package admin

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/ui"
)

// table is the list itself.
func (b *browsing) table(rows []query.ApplicationRow) ui.Table {
	r, v := b.r, b.view
	column := func(sort admitto.BrowseSort, key string) ui.Column { return v.Column(r.T(key), string(sort)) }
	id := column(admitto.ByID, "browse.nr")
	id.Muted, id.Place = true, "meta"
	applicant := column(admitto.ByName, "browse.applicant")
	applicant.Place = "main"
	submitted := column(admitto.BySubmitted, "browse.submitted_on")
	submitted.Place = "label"
	t := ui.Table{Caption: r.Title(), Columns: []ui.Column{id, applicant, column(admitto.ByStatus, "browse.status"),
		{Title: r.T("browse.courses")}, submitted, {Title: r.T("browse.flag")}, {Title: r.T("browse.officer"), Place: "label"},
		{Title: r.T("browse.tasks"), Num: true, Place: "label"}}}
	if b.term == 0 {
		t.Columns = append(t.Columns, ui.Column{Title: r.T("browse.term"), Place: "label"})
	}
	for i := range rows {
		t.Rows = append(t.Rows, b.row(&rows[i]))
	}
	return t
}

func (b *browsing) row(a *query.ApplicationRow) ui.Row {
	r := b.r
	id := ui.Cell{Text: number(a.ID)}
	if r.May("application") {
		id.Href = r.At("application", a.ID)
	}
	who := ui.Cell{Text: a.Name.Full(), Note: a.Citizenship}
	if who.Text == "" {
		who.Text = number(a.Applicant)
	}
	if r.May("applicant") {
		who.Href = r.At("applicant", a.Applicant)
	}
	state := ui.Cell{Tags: []ui.Tag{statusTag(r, a.Status)}}
	switch {
	case a.Frozen != 0 && a.Expired:
		state.Note = r.T("browse.frozen_expired")
	case a.Frozen != 0:
		state.Note = r.T("browse.frozen")
	case a.Expired:
		state.Note = r.T("browse.expired")
	}
	flags := ui.Cell{}
	for _, name := range b.flagNames(a.Flags) {
		flags.Tags = append(flags.Tags, ui.Tag{Text: name})
	}
	tasks := ui.Cell{}
	if a.OpenTasks > 0 {
		tasks.Text = r.Number(int(a.OpenTasks))
	}
	row := ui.Row{ID: number(a.ID), Label: r.T("browse.row", "ID", number(a.ID)), Cells: []ui.Cell{id, who, state,
		{Choices: b.choices(a)}, {Text: b.day(a.Submitted)}, flags, {Text: a.OfficerName}, tasks}}
	if b.term == 0 {
		row.Cells = append(row.Cells, ui.Cell{Text: b.termName(a.Term)})
	}
	return row
}

// choices are the courses in the order of priorities, with their offers where the reader may see those.
func (b *browsing) choices(a *query.ApplicationRow) (list []ui.Choice) {
	for _, c := range a.Courses {
		choice := ui.Choice{Course: c.Code}
		if c.Code == "" {
			choice.Course = c.Name
		}
		if o := c.Offer; o != nil {
			for i := range b.offerTypes {
				if t := &b.offerTypes[i]; t.ID == o.Type {
					choice.Offer, choice.Colour = t.Title, t.Colour
				}
			}
			switch {
			case o.Decision == admitto.DecisionFinal:
				choice.Note = b.r.T("browse.offer_final")
			case o.Decision == admitto.DecisionDeclined:
				choice.Note = b.r.T("browse.offer_declined")
			case o.Confirmed != o.Type && o.Type != admitto.InitialOfferType:
				choice.Note = b.r.T("browse.offer_unconfirmed")
			}
		}
		list = append(list, choice)
	}
	return list
}

func (b *browsing) flagNames(flags []int64) (names []string) {
	for _, id := range flags {
		for i := range b.flags {
			if b.flags[i].ID == id {
				names = append(names, b.flags[i].Name)
			}
		}
	}
	return names
}

// day is the day of a time, as lists show it; "" for none.
func (b *browsing) day(t admitto.Time) string {
	if t == 0 {
		return ""
	}
	return admitto.DateOf(t.Std().In(b.r.Zone())).String()
}
