package formpage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Fields that a form of a row carries besides baseField, to know the row again: the marks of all rows that there were,
// and that of the heading of its own.
const (
	rowsField    = "rows"
	headingField = "heading"
)

// shortMark is how many characters of a mark stand for a row among others.
const shortMark = 16

// withRow is the same section with another of its rows.
func (s *Section) withRow(row int) *Section {
	other := *s
	other.Row = row
	return &other
}

// rows are the rows that there are.
func (s *Section) rows() []form.Object { return s.Content.Rows(s.Key) }

// marks are short marks of all rows, in their order.
func (s *Section) marks() (list []string) {
	for n := range s.rows() {
		list = append(list, s.withRow(n).Base()[:shortMark])
	}
	return list
}

// heading is the mark of what names the row; "" where nothing does.
func (s *Section) heading() string {
	text := form.TextAt(s.object(), s.Heading)
	if text == "" {
		return ""
	}
	return markOf(strings.ToLower(strings.TrimSpace(text)))[:shortMark]
}

// Carried are the fields by which a form is known again as that of what is filled in.
func (s *Section) Carried() []ui.Option {
	list := []ui.Option{{Text: baseField, Value: s.Base()}}
	if s.Rows {
		list = append(list, ui.Option{Text: rowsField, Value: strings.Join(s.marks(), ".")},
			ui.Option{Text: headingField, Value: s.heading()})
	}
	return list
}

// carriedAgain are the fields of Carried as a form that was kept has them: what has changed since is asked about when
// it is saved.
func carriedAgain(f *site.Form) (list []ui.Option) {
	for _, name := range []string{baseField, rowsField, headingField} {
		if f.Has(name) {
			list = append(list, ui.Option{Text: name, Value: f.Get(name)})
		}
	}
	return list
}

// Find goes to the row that the form was made from: where it is now, with what somebody else has changed of it. It is
// gone where there is none that it can be; then the row of the form is one that is added, so that nothing is written
// over another one.
func (s *Section) Find(f *site.Form) (gone bool) {
	base, rows := f.Get(baseField), len(s.rows())
	if !s.Rows || base == "" || s.IsShown(f) {
		s.Row = min(s.Row, rows)
		return s.Gone
	}
	for n := range rows {
		if s.withRow(n).IsShown(f) {
			s.Row = n
			return false
		}
	}
	at, known, heading := s.Row, strings.Split(f.Get(rowsField), "."), f.Get(headingField)
	found := -1
	for n, mark := range s.marks() {
		other := s.withRow(n)
		switch {
		case slices.Contains(known, mark): // it was another one then
		case heading == "" && (n != at || rows != len(known)), heading != other.heading() && heading != "":
		case found < 0 || distance(n, at) < distance(found, at):
			found = n
		}
	}
	s.Gone = found < 0
	if s.Row = found; s.Gone {
		s.Row = rows
	}
	return s.Gone
}

func distance(a, b int) int { return max(a, b) - min(a, b) }

// RowAt is the number from 0 of the row in an address, as many as there are for one that is added; ok is false for
// none. A row that there is no more stays one where its form may come back: see Came.
func (s *Section) RowAt(address string) (row int, ok bool) {
	if address == NewRow {
		return len(s.rows()), true
	}
	n, err := strconv.Atoi(address)
	return n - 1, err == nil && n > 0 && strconv.Itoa(n) == address
}

// NewRow stands in an address for a row that is added.
const NewRow = "new"

// Came goes to the row of a form that is shown, and reports whether there is one: a form that was kept is that of the
// row that it was made from, or of one that is added where that is gone.
func (s *Section) Came(r *site.Request, f *site.Form) bool {
	at := s.Row
	switch {
	case !f.Restored:
	case s.Find(f):
		f.Attend("", r.T("formpage.row_gone"))
		f.Based(nil)
	case s.Row != at:
		f.Based(s.Values())
	}
	return f.Restored || r.Posted() || !s.Rows || r.Part("row") == NewRow || s.Row < len(s.rows())
}

// Head is the beginning of a form that asks about the row: it is known again as Box says.
func (s *Section) Head(f *site.Form) ui.FormHead {
	head := f.Head()
	head.Hidden = append(head.Hidden, s.Carried()...)
	return head
}

// Remove takes the row of the form out; false where that was refused. One that is another row by now, or that somebody
// has changed since it was shown, stays.
func (s *Section) Remove(r *site.Request, f *site.Form, remove func() error) (removed bool, err error) {
	if s.Find(f) {
		f.Fail("", "formpage.row_removed_already")
		return false, nil
	}
	if !s.IsShown(f) {
		f.Fail("", "formpage.row_changed")
		return false, nil
	}
	refused, err := f.Refused(remove(), nil)
	return err == nil && !refused, err
}
