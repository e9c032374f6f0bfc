package admin

import (
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// columns are those that the list may show. With all terms the term is one of them.
func (b *browsing) columns() []column[query.ApplicationRow] {
	type row = query.ApplicationRow
	r := b.r
	said := func(value func(*row) string) func(*row) ui.Cell {
		return func(a *row) ui.Cell { return ui.Cell{Text: value(a)} }
	}
	list := []column[row]{
		{name: "id", title: "browse.nr", sort: string(admitto.ByID), place: "meta", muted: true, fixed: true, cell: b.id,
			text: func(a *row) string { return number(a.ID) }},
		{name: "applicant", title: "browse.applicant", sort: string(admitto.ByName), place: "main", fixed: true, cell: b.who,
			text: func(a *row) string { return a.Name.Full() }},
		{name: "applicant_id", title: "browse.applicant_id", off: true, place: "label",
			cell: said(func(a *row) string { return number(a.Applicant) })},
		{name: "citizenship", title: "browse.citizenship", note: "applicant",
			cell: said(func(a *row) string { return a.Citizenship })},
		{name: "status", title: "browse.status", sort: string(admitto.ByStatus), cell: b.state,
			text: func(a *row) string { return show.Status(r, a.Status).Text }},
		{name: "courses", title: "browse.courses", cell: func(a *row) ui.Cell { return ui.Cell{Choices: b.choices(a)} },
			text: b.coursesText},
		{name: "created", title: "browse.created_on", off: true, place: "label",
			cell: said(func(a *row) string { return b.day(a.Created) })},
		{name: "revised", title: "browse.revised_on", sort: string(admitto.ByRevised), off: true, place: "label",
			cell: said(func(a *row) string { return b.day(a.Revised) })},
		{name: "submitted", title: "browse.submitted_on", sort: string(admitto.BySubmitted), place: "label",
			cell: said(func(a *row) string { return b.day(a.Submitted) })},
		{name: "flags", title: "browse.flag", cell: b.flagTags,
			text: func(a *row) string { return strings.Join(b.flagNames(a.Flags), "; ") }},
		{name: "officer", title: "browse.officer", off: true, place: "label",
			cell: said(func(a *row) string { return a.OfficerName })},
		{name: "tasks", title: "browse.tasks", num: true, place: "label", cell: said(func(a *row) string {
			if a.OpenTasks == 0 {
				return ""
			}
			return r.Number(int(a.OpenTasks))
		}), text: func(a *row) string { return number(a.OpenTasks) }},
	}
	if b.term == 0 {
		list = append(list, column[row]{name: "term", title: "browse.term", note: "applicant", below: true,
			fixed: true,
			cell:  said(func(a *row) string { return b.termName(a.Term) })})
	}
	return list
}

// table is the list itself.
func (b *browsing) table(page *query.ApplicationPage) ui.Table {
	rows := page.Rows
	shown := shownColumns(b.view, b.columns())
	t := ui.Table{Caption: b.r.Title(), Columns: tableColumns(b.r, b.view, shown), Pick: true, Bulk: b.bulk(page),
		Action: withNext(b.r.At("applications-at-once"), b.r.URL.RequestURI())}
	for i := range rows {
		a := &rows[i]
		b.row = b.view.Row(i)
		t.Rows = append(t.Rows, ui.Row{ID: number(a.ID), Label: b.r.T("browse.row", "ID", number(a.ID)),
			Cells: tableCells(b.r, a, shown)})
	}
	return t
}

func (b *browsing) id(a *query.ApplicationRow) ui.Cell {
	cell := ui.Cell{Text: number(a.ID)}
	if b.r.May("application") {
		cell.Href = b.r.At("application", a.ID) + site.ListPlace{Query: b.view.Query(), Row: b.row}.Address()
	}
	return cell
}

func (b *browsing) who(a *query.ApplicationRow) ui.Cell {
	cell := ui.Cell{Text: a.Name.Full()}
	if cell.Text == "" {
		cell.Text = number(a.Applicant)
	}
	if b.r.May("applicant") {
		cell.Href = b.r.At("applicant", a.Applicant)
	}
	return cell
}

func (b *browsing) state(a *query.ApplicationRow) ui.Cell {
	cell := ui.Cell{Tags: []ui.Tag{show.Status(b.r, a.Status)}}
	switch {
	case a.Frozen != 0 && a.Expired:
		cell.Note = b.r.T("browse.frozen_expired")
	case a.Frozen != 0:
		cell.Note = b.r.T("browse.frozen")
	case a.Expired:
		cell.Note = b.r.T("browse.expired")
	}
	return cell
}

func (b *browsing) flagTags(a *query.ApplicationRow) (cell ui.Cell) {
	for _, name := range b.flagNames(a.Flags) {
		cell.Tags = append(cell.Tags, ui.Tag{Text: name})
	}
	return cell
}

// coursesText are the courses with their offers in a file.
func (b *browsing) coursesText(a *query.ApplicationRow) string {
	var courses []string
	for _, c := range b.choices(a) {
		courses = append(courses, strings.Join(strings.Fields(c.Course+" "+c.Offer+" "+c.Note), " "))
	}
	return strings.Join(courses, "; ")
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
			var notes []string
			switch o.Decision {
			case admitto.DecisionFinal:
				notes = append(notes, b.r.T("browse.offer_final"))
			case admitto.DecisionDeclined:
				notes = append(notes, b.r.T("browse.offer_declined"))
			case admitto.DecisionNone:
			}
			if o.Confirmed != o.Type && o.Type != admitto.InitialOfferType {
				notes = append(notes, b.r.T("browse.offer_unconfirmed"))
			}
			choice.Note = b.r.Listed(notes...)
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
