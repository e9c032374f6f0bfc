package tasks

import (
	"cmp"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// list is screens.md A23. An address without a term gets the reader's, so that the address is the whole view.
func (p *pages) list(r *site.Request) error {
	if whole, ok := p.whole(r); !ok {
		return r.Redirect(whole)
	}
	l, err := p.read(r, r.View(false, sorts()...))
	if err != nil {
		return err
	}
	page, err := p.Query.BrowseTasks(r.Context(), r.Reader(), l.query, admitto.BrowsePage{Sort: admitto.ByDeadline,
		Descending: l.view.Desc, Rows: l.view.Size, Skip: int64(l.view.Offset())})
	if err != nil {
		return err
	}
	if last, beyond := l.view.Beyond(len(page.Rows), int(page.Total)); beyond {
		return r.Redirect(last)
	}
	list := site.ListPage{Filters: l.pane(), Head: l.head(&page), Table: l.table(&page),
		Pager: l.view.PagerOver(int(page.Total), page.TotalMore)}
	if matrix := l.matrix(); matrix != nil {
		list.Above = append(list.Above, matrix)
	}
	for _, c := range l.chips() {
		list.Chips.Chips = append(list.Chips.Chips, c.Chip)
	}
	list.Chips.Clear = l.cleared()
	if len(page.Rows) == 0 {
		if list.Table.Empty, err = p.nothingFound(l); err != nil {
			return err
		}
	}
	return list.Show(r)
}

// sorts are the orders of the list.
func sorts() (names []string) {
	for _, s := range admitto.TaskSorts() {
		names = append(names, string(s))
	}
	return names
}

// head says how many there are.
func (l *listing) head(page *query.TaskPage) ui.ListHead {
	head := ui.ListHead{Title: l.r.Title(), FilterDrawer: "filters", Strong: l.r.Plural("tasks.count", int(page.Total))}
	if page.TotalMore {
		head.Strong = l.r.Plural("tasks.count_more", int(page.Total))
	}
	var all int64
	for _, c := range l.counts {
		all += c.N
	}
	of := l.r.Number(int(all))
	if l.view.Get("term") == allTerms {
		head.Count = l.r.T("browse.of_all", "Of", of)
	} else if name := l.termName(l.term); name != "" {
		head.Count = l.r.T("browse.of_term", "Of", of, "Term", name)
	}
	return head
}

// table is the list itself.
func (l *listing) table(page *query.TaskPage) ui.Table {
	r := l.r
	due := l.view.Column(r.T("tasks.deadline"), string(admitto.ByDeadline))
	due.Place = "label"
	bulk := l.bulk(page)
	t := ui.Table{Caption: r.Title(), Pick: bulk != nil, Bulk: bulk,
		Action: site.Add(r.At("tasks-at-once"), "next", r.URL.RequestURI()),
		Columns: []ui.Column{{Title: r.T("tasks.applicant"), Place: "main"}, {Title: r.T("tasks.task")},
			{Title: r.T("tasks.status"), Place: "meta"}, due, {Title: r.T("tasks.course"), Muted: true, Place: "label"},
			{Title: r.T("tasks.done")}}}
	for i := range page.Rows {
		task := &page.Rows[i]
		place := site.ListPlace{List: "tasks", Query: l.view.Query(), Row: l.view.Row(i), Record: task.ID}
		t.Rows = append(t.Rows, l.row(task, place.Address()))
	}
	return t
}

// row is one task; place is what the addresses of its application end with.
func (l *listing) row(t *query.TaskRow, place string) ui.Row {
	r := l.r
	who := ui.Cell{Text: t.Name.Full()}
	if who.Text == "" {
		who.Text = number(t.Applicant)
	}
	if r.May("application") {
		who.Href = r.At("application", t.Application) + place
	}
	below := ui.Links{Links: []ui.Link{{Text: r.T("tasks.application", "ID", number(t.Application))}}}
	if l.view.Get("term") == allTerms {
		below.Links = append(below.Links, ui.Link{Text: l.termName(t.Term)})
	}
	who.Parts = []ui.Component{below}
	what := ui.Cell{Text: t.Title}
	if r.May("application-task") {
		what.Href = r.At("application-task", t.Application, t.ID) + place
	}
	due := ui.Cell{Text: show.Date(r, t.Deadline)}
	if l.late(t) {
		due.Tags = []ui.Tag{{Text: due.Text, Icon: "triangle-alert", Tone: ui.Warn}}
	}
	return ui.Row{ID: number(t.ID), Label: r.T("tasks.row", "Task", t.Title, "ID", number(t.Application)),
		Cells: []ui.Cell{who, what,
			{Tags: []ui.Tag{statusTag(r, t)}}, due, l.courseCell(t), l.done(t)}}
}

// statusTag shows the status of a task as its card does.
func statusTag(r *site.Request, t *query.TaskRow) ui.Tag {
	return show.Task(r, cmp.Or(t.StatusTitle, t.Status), &t.Task, t.Tells)
}

// courseCell is the course of a task, or the first of its application and how many follow.
func (l *listing) courseCell(t *query.TaskRow) (cell ui.Cell) {
	if len(t.Courses) == 0 {
		return cell
	}
	if cell.Text = t.Courses[0].Code; cell.Text == "" {
		cell.Note = t.Courses[0].Name // a code stays in one line, a name does not
	}
	if more := len(t.Courses) - 1; more > 0 {
		cell.Below = l.r.T("tasks.more_courses", "Count", l.r.Number(more))
	}
	return cell
}

// late reports whether a task is overdue.
func (l *listing) late(t *query.TaskRow) bool {
	return !t.Deadline.IsZero() && t.Resolved == 0 && t.Deadline.Before(l.today)
}

// done says when a task was resolved, or else when it was handed in, and whether it is overdue.
func (l *listing) done(t *query.TaskRow) (cell ui.Cell) {
	switch {
	case t.Resolved != 0:
		cell.Text = l.r.T("tasks.resolved_on", "Day", l.r.Day(t.Resolved))
	case t.Committed != 0:
		cell.Text = l.r.T("tasks.handed_in_on", "Day", l.r.Day(t.Committed))
	}
	if l.late(t) {
		cell.Note = l.r.T("tasks.late")
	}
	return cell
}

// nothingFound says why a list is empty, and what each filter that is taken out would leave.
func (p *pages) nothingFound(l *listing) (empty ui.Empty, err error) {
	r := l.r
	chips := l.chips()
	count := func(key, href string, q admitto.TaskQuery, args ...any) error {
		n, more, err := p.Query.CountTasks(r.Context(), r.Reader(), q)
		shown := r.Number(int(n))
		if more {
			shown += "+"
		}
		empty.Actions = append(empty.Actions, ui.Button{Text: r.T(key, append(args, "Count", shown)...), Href: href,
			Small: true})
		return err
	}
	if len(chips) == 0 {
		n, _, err := p.Query.CountTasks(r.Context(), r.Reader(), admitto.TaskQuery{})
		if err != nil {
			return empty, err
		}
		if n == 0 {
			empty = ui.Empty{Icon: "list-checks", Title: r.T("tasks.none"), Text: r.T("tasks.none_text")}
			if link, ok := r.Link("task-templates"); ok {
				empty.Actions = []ui.Button{{Text: link.Text, Href: link.Href, Small: true}}
			} else if link, ok := r.Link("browse"); ok {
				empty.Actions = []ui.Button{{Text: link.Text, Href: link.Href, Small: true}}
			}
			return empty, nil
		}
	}
	empty = ui.Empty{Icon: "inbox", Title: r.T("tasks.no_match"), Text: r.T("browse.no_match_text")}
	for _, c := range chips {
		if c.name == "term" {
			continue // all terms are offered below
		}
		q := l.filtered(l.view.Dropped(c.name, c.value), map[string]bool{})
		if err := count("browse.without", c.Remove, q, "Name", c.Name, "Value", c.Value); err != nil {
			return empty, err
		}
		empty.Actions[len(empty.Actions)-1].Icon = "x"
	}
	if all := l.query; all.TermIDs != nil && len(l.wrong) == 0 {
		all.TermIDs = nil
		err = count("browse.in_all", l.view.With("term", allTerms), all)
	}
	return empty, err
}
