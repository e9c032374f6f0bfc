package tasks

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/ui"
)

// matrixColumns is how many statuses have a column of their own; the rest share one.
const matrixColumns = 12

// matrix shows how many tasks of the term are of each class in each status, whatever else is filtered. Each number
// leads to the list of these tasks.
func (l *listing) matrix() ui.Component {
	if len(l.counts) == 0 {
		return nil
	}
	shown, rest := l.matrixStatuses()
	heads := []ui.Column{{Title: l.r.T("tasks.class"), Place: "main"}}
	for _, name := range shown {
		heads = append(heads, ui.Column{Title: l.statusTitle(name), Num: true, Place: "label"})
	}
	if len(rest) > 0 {
		heads = append(heads, ui.Column{Title: l.r.T("tasks.other_statuses"), Num: true, Place: "label"})
	}
	heads = append(heads, ui.Column{Title: l.r.T("tasks.total"), Num: true, Place: "label"})
	table := ui.Table{Caption: l.r.T("tasks.matrix"), Columns: heads, Matrix: true}
	var classes []ui.Option
	for _, c := range l.counts {
		if n := number(c.Template); !slices.ContainsFunc(classes, func(o ui.Option) bool { return o.Value == n }) {
			classes = append(classes, ui.Option{Value: n, Text: l.classTitle(c.Template)})
		}
	}
	for _, class := range l.r.ByText(classes) {
		table.Rows = append(table.Rows, l.matrixRow(class.Text, shown, rest, func(c *query.TaskCount) bool {
			return number(c.Template) == class.Value
		}, "task", class.Value))
	}
	if len(classes) > 1 {
		table.Rows = append(table.Rows, l.matrixRow(l.r.T("tasks.total"), shown, rest,
			func(*query.TaskCount) bool { return true }))
	}
	return ui.Fold{Title: l.r.T("tasks.matrix"), Open: true, Parts: []ui.Component{table}}
}

// matrixStatuses are the statuses with columns, those of templates first and in their order, and the others.
func (l *listing) matrixStatuses() (shown, rest []string) {
	sums := map[string]int64{}
	for _, c := range l.counts {
		sums[c.Status] += c.N
	}
	var all []string
	add := func(name string) {
		if sums[name] > 0 && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	for i := range l.classes {
		for _, s := range l.classes[i].Statuses {
			add(s.Name)
		}
	}
	own := make([]string, 0, len(sums))
	for name := range sums {
		if !slices.Contains(all, name) {
			own = append(own, name)
		}
	}
	slices.SortFunc(own, func(a, b string) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a, b)) })
	all = append(all, own...)
	if len(all) <= matrixColumns {
		return all, nil
	}
	return all[:matrixColumns-1], all[matrixColumns-1:]
}

// matrixRow is the row of what belongs to it, with the filters of its lists.
func (l *listing) matrixRow(title string, shown, rest []string, of func(*query.TaskCount) bool,
	pairs ...string) ui.Row {
	sum := func(has func(status string) bool) (n int64) {
		for i := range l.counts {
			if c := &l.counts[i]; of(c) && has(c.Status) {
				n += c.N
			}
		}
		return n
	}
	cell := func(n int64, pairs ...string) ui.Cell {
		if n == 0 {
			return ui.Cell{}
		}
		return ui.Cell{Text: l.r.Number(int(n)), Href: l.address(pairs...)}
	}
	row := ui.Row{Label: title, Cells: []ui.Cell{{Text: title}}}
	for _, name := range shown {
		row.Cells = append(row.Cells, cell(sum(func(s string) bool { return s == name }),
			append(slices.Clone(pairs), "status", name)...))
	}
	if len(rest) > 0 {
		to := slices.Clone(pairs)
		for _, name := range rest {
			to = append(to, "status", name)
		}
		other := cell(sum(func(s string) bool { return slices.Contains(rest, s) }), to...)
		if len(rest) > mostInAddress {
			other.Href = "" // an address says so many only
		}
		row.Cells = append(row.Cells, other)
	}
	row.Cells = append(row.Cells, cell(sum(func(string) bool { return true }), pairs...))
	return row
}

// mostInAddress is how many values of a name an address may have.
const mostInAddress = 100
