package admin

import (
	"iter"
	"net/url"
	"slices"

	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// column is a column that a list may show, by its name in the address.
type column[T any] struct {
	name  string
	title string // message
	sort  string // order of the list that its head leads to, "" for none
	place string // as in ui.Column
	num   bool
	muted bool
	fixed bool   // it is always shown
	off   bool   // it is shown only when it is asked for
	note  string // column whose cells have it as one of their notes, in the table; files have it on its own
	below bool   // the note stands on a line of its own
	cell  func(*T) ui.Cell
	text  func(*T) string // in files; nil: the text of the cell
}

// columnName is the name of the parameter with the columns.
const columnName = "column"

// shownColumns are the columns that an address asks for, in their order: the usual ones where it names none.
func shownColumns[T any](v *site.View, all []column[T]) (list []column[T]) {
	asked := v.All(columnName)
	names := func(c column[T]) bool { return !c.fixed && slices.Contains(asked, c.name) }
	usual := !slices.ContainsFunc(all, names)
	for _, c := range all {
		if c.fixed || usual && !c.off || names(c) {
			list = append(list, c)
		}
	}
	return list
}

// fileColumns are those of a file with amounts: their currency is one of its own there, chosen or not (screens.md U13).
func fileColumns[T any](v *site.View, all []column[T]) []column[T] {
	list := shownColumns(v, all)
	named := func(c column[T]) bool { return c.name == "currency" }
	if at := slices.IndexFunc(all, named); at >= 0 && !slices.ContainsFunc(list, named) {
		list = append(list, all[at])
	}
	return list
}

// chooseColumns is the form in which columns are chosen.
func chooseColumns[T any](r *site.Request, v *site.View, all []column[T]) *ui.ColumnChooser {
	choices := &ui.ColumnChooser{Name: columnName, Action: r.URL.Path, Hidden: v.HiddenBut(columnName)}
	shown := shownColumns(v, all)
	for _, c := range all {
		if !c.fixed {
			choices.Columns = append(choices.Columns, ui.Option{Value: c.name, Text: r.T(c.title),
				Selected: slices.ContainsFunc(shown, func(s column[T]) bool { return s.name == c.name })})
		}
	}
	return choices
}

// withoutUsual takes the columns out of an address that are the usual ones, and what is empty; changed says that there
// was any.
func withoutUsual[T any](query url.Values, all []column[T]) (short url.Values, changed bool) {
	short = url.Values{}
	for name, values := range query {
		kept := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
		changed = changed || len(kept) != len(values)
		if len(kept) > 0 {
			short[name] = kept
		}
	}
	var usual []string
	for _, c := range all {
		if !c.fixed && !c.off {
			usual = append(usual, c.name)
		}
	}
	if slices.Equal(short[columnName], usual) {
		delete(short, columnName)
		changed = true
	}
	return short, changed
}

// listCSV answers with a list as a file of the name: its rows, all pages of them, with the columns that are shown.
func listCSV[T any](r *site.Request, name string, shown []column[T], rows iter.Seq2[*T, error]) error {
	return r.CSV(name, heads(r, shown), func(row func(...string) error) error {
		for a, err := range rows {
			if err != nil {
				return err
			}
			if err := row(cells(a, shown)...); err != nil {
				return err
			}
		}
		return nil
	})
}

// heads are the titles of columns in a file.
func heads[T any](r *site.Request, shown []column[T]) (titles []string) {
	for _, c := range shown {
		titles = append(titles, r.T(c.title))
	}
	return titles
}

// cells are the texts of a row in a file.
func cells[T any](row *T, shown []column[T]) (texts []string) {
	for _, c := range shown {
		if c.text != nil {
			texts = append(texts, c.text(row))
		} else {
			texts = append(texts, c.cell(row).Text)
		}
	}
	return texts
}

// tableColumns are the heads of the columns in the table.
func tableColumns[T any](r *site.Request, v *site.View, shown []column[T]) (list []ui.Column) {
	for _, c := range shown {
		if c.note != "" {
			continue
		}
		head := ui.Column{Title: r.T(c.title)}
		if c.sort != "" {
			head = v.Column(r.T(c.title), c.sort)
		}
		head.Place, head.Num, head.Muted = c.place, c.num, c.muted
		list = append(list, head)
	}
	return list
}

// tableCells are the cells of a row in the table.
func tableCells[T any](r *site.Request, row *T, shown []column[T]) (list []ui.Cell) {
	for _, c := range shown {
		if c.note != "" {
			continue
		}
		cell := c.cell(row)
		for _, n := range shown {
			if n.note != c.name {
				continue
			}
			to := &cell.Note
			if n.below {
				to = &cell.Below
			}
			if said := n.cell(row).Text; *to == "" {
				*to = said
			} else if said != "" {
				*to = r.Isolated(*to) + " · " + r.Isolated(said)
			}
		}
		list = append(list, cell)
	}
	return list
}
