package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Tableviews lists all tableviews by ascending ID, private ones too (resources.md 21); to administrators those private
// ones only that are theirs.
func (s *Service) Tableviews(ctx context.Context, by admitto.Caller) (list []admitto.Tableview, err error) {
	if err := by.Needs(admitto.TableviewsUse); err != nil {
		return list, err
	}
	list, err = usecase.Get(ctx, s.core, (*store.Tx).Tableviews)
	return slices.DeleteFunc(list, func(v admitto.Tableview) bool { return !sees(by, &v) }), err
}

// sees reports whether a tableview is there for the caller: the private ones of others are not for administrators.
func sees(by admitto.Caller, v *admitto.Tableview) bool {
	return by.Actor.Kind != admitto.ByAdministrator || !v.Private || v.Owner == by.Actor.ID
}

// Tableview reads one tableview, or answers NotFound.
func (s *Service) Tableview(ctx context.Context, by admitto.Caller, id int64) (v admitto.Tableview, err error) {
	if err := by.Needs(admitto.TableviewsUse); err != nil {
		return v, err
	}
	v, err = usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Tableview, error) { return tx.Tableview(id) })
	if err == nil && !sees(by, &v) {
		return admitto.Tableview{}, &admitto.Error{Kind: admitto.NotFound}
	}
	return v, err
}

// TableForm says how cells are written.
type TableForm struct {
	Time              func(admitto.Time) string                // writes a datetime; nil: as RFC 3339 does
	Country, Language func(code string) string                 // write what has the code; nil: the code
	Document          func(application, document int64) string // the link to a document; nil: links are left out
}

// Table is the data of a tableview on its way out, page by page. It belongs to one goroutine, and no
// transaction is open between two calls of Next, however slowly the rows are sent.
type Table struct {
	View admitto.Tableview
	Rows int64        // when it was opened
	At   admitto.Time // when it was opened
	// Hidden are the places of the columns that are empty because the reader does not see their data elsewhere.
	Hidden []int

	reader    *store.Reader
	form      TableForm
	query     admitto.ApplicationQuery
	columns   []tableColumn
	needs     need
	texts     []string // what the columns need of the content
	lists     []string
	catalogue *tableCatalogue // read with the first page
	most      int             // rows, 0: all of them
	ended     bool
}

// pageRows is how many rows are read at once.
const pageRows = 512

// OpenTable prepares the data of a tableview, or answers NotFound. What is made afterwards is not among its rows. They
// may come from a replica (cli.md: database.replica) that has what the reader has changed. An administrator finds the
// columns empty whose data they do not see elsewhere; Hidden names them. Keys have scopes in place of that.
func (s *Service) OpenTable(ctx context.Context, by admitto.Caller, id int64, form TableForm) (*Table, error) {
	if err := by.Needs(admitto.TableviewsUse); err != nil {
		return nil, err
	}
	return s.openTable(ctx, by, form, func(tx *store.Tx) (admitto.Tableview, error) {
		v, err := tx.Tableview(id)
		if err == nil && !sees(by, &v) {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return v, err
	})
}

// TryTable is OpenTable for a tableview that is still being put together.
func (s *Service) TryTable(ctx context.Context, by admitto.Caller, v admitto.Tableview, form TableForm) (*Table,
	error) {
	if err := by.Needs(admitto.TableviewsUse); err != nil {
		return nil, err
	}
	return s.openTable(ctx, by, form, func(*store.Tx) (admitto.Tableview, error) { return v, nil })
}

func (s *Service) openTable(ctx context.Context, by admitto.Caller, form TableForm,
	read func(tx *store.Tx) (admitto.Tableview, error)) (*Table, error) {
	t := &Table{reader: s.core.Reader(by.Actor), form: form}
	err := t.reader.Read(ctx, func(tx *store.Tx) (err error) {
		if t.View, err = read(tx); err != nil {
			return err
		}
		if err := MayRows(by, &t.View); err != nil {
			return err
		}
		filters, err := admitto.ReadTableFilters(t.View.Filters)
		if err != nil {
			return fmt.Errorf("filters of tableview %d: %w", t.View.ID, err)
		}
		t.query, t.At = filters.Query(), tx.Now()
		t.query.Now, t.query.Today = t.At, s.core.Today(tx)
		if t.query.Text != "" {
			if t.query.BrowseFilter.Terms = text.Terms(t.query.Text); len(t.query.BrowseFilter.Terms) == 0 {
				return nil // what has no letter finds nobody
			}
		}
		if t.View.ByOffer {
			if t.Rows, err = tx.CountOfferRows(t.query); err == nil {
				t.query.ToID, err = tx.HighestOffer()
			}
		} else {
			if t.Rows, err = tx.CountApplications(t.query); err == nil {
				t.query.ToID, err = tx.HighestApplication()
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	t.query.Limit = pageRows
	t.ended = t.Rows == 0
	t.prepare(by)
	return t, nil
}

// prepare finds the columns and what must be read for them.
func (t *Table) prepare(by admitto.Caller) {
	for i, c := range t.View.Columns {
		var column tableColumn
		if err := MayColumn(by, c.Source); err == nil {
			column = columnOf(c.Source)
		} else {
			t.Hidden = append(t.Hidden, i)
		}
		t.needs |= column.needs
		if column.list != "" {
			t.lists = append(t.lists, column.list)
		}
		if column.text != "" {
			if column.at = slices.Index(t.texts, column.text); column.at < 0 {
				column.at = len(t.texts)
				t.texts = append(t.texts, column.text)
			}
		}
		t.columns = append(t.columns, column)
	}
	if t.texts != nil || t.lists != nil {
		t.needs |= needContent
	}
}

// Titles returns the header row.
func (t *Table) Titles() []string {
	titles := make([]string, len(t.View.Columns))
	for i, c := range t.View.Columns {
		titles[i] = c.Title
	}
	return titles
}

// Next reads the next page of rows, in one snapshot and with a number of statements that does not depend on
// the rows; nil after the last one.
func (t *Table) Next(ctx context.Context) (rows [][]string, err error) {
	if t.ended {
		return nil, nil
	}
	limit := pageRows
	if t.most > 0 {
		limit = t.most
	}
	t.query.Limit = limit
	var page []tableRow
	err = t.reader.Read(ctx, func(tx *store.Tx) (err error) {
		if t.catalogue == nil {
			if t.catalogue, err = readTableCatalogue(tx, t); err != nil {
				return err
			}
		}
		if page, err = t.readPage(tx); err != nil {
			return err
		}
		return t.fill(tx, page)
	})
	if err != nil {
		return nil, err
	}
	// Only now the page is sure: the database stands in for a replica that fails on the way.
	if t.ended = len(page) < pageRows || t.most > 0; len(page) > 0 {
		t.query.After = page[len(page)-1].id(t.View.ByOffer)
	}
	rows = make([][]string, len(page))
	cells := make([]string, len(page)*len(t.columns))
	for i := range page {
		rows[i], cells = cells[:len(t.columns):len(t.columns)], cells[len(t.columns):]
		t.write(rows[i], &page[i])
	}
	return rows, nil
}

// write fills the cells of one row.
func (t *Table) write(cells []string, r *tableRow) {
	for i := range t.columns {
		switch c := &t.columns[i]; {
		case c.cell != nil:
			cells[i] = c.cell(t, r)
		case c.form != nil && r.values.Texts != nil:
			cells[i] = c.form(t, r.values.Texts[c.at])
		}
	}
}

// readPage reads what the next rows are about: applications, or offers with their applications.
func (t *Table) readPage(tx *store.Tx) (page []tableRow, err error) {
	if !t.View.ByOffer {
		applications := make([]admitto.Application, 0, pageRows) // long enough, so that none of them moves
		page = make([]tableRow, 0, pageRows)
		_, err = tx.EachApplication(t.query, func(a *admitto.Application) error {
			applications = append(applications, *a)
			page = append(page, tableRow{app: &applications[len(applications)-1]})
			return nil
		})
		return page, err
	}
	offers, err := tx.OfferRows(t.query)
	if err != nil || offers == nil {
		return nil, err
	}
	ids := make([]int64, len(offers))
	for i := range offers {
		page = append(page, tableRow{offer: &offers[i]})
		ids[i] = offers[i].Application
	}
	applications, err := tx.ApplicationsByID(ids)
	for i := range page {
		page[i].app = applications[page[i].offer.Application]
	}
	return page, err
}

// Only narrows the rows to the first ones, before they are read.
func (t *Table) Only(rows int) { t.most = rows }
