package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of tableviews: the columns of one, and the characters of a title.
const (
	mostTableColumns = 200
	longestTitle     = 120
	longestSource    = 500
)

// ChangeableTableview reports whether the caller may change a tableview: an own one, one that is nobody's, or, for
// those who manage administrators, any that is shared, for its owner may have left.
func ChangeableTableview(by admitto.Caller, v *admitto.Tableview) bool {
	return v.Owner == by.Actor.ID || v.Owner == 0 || !v.Private && by.Has(admitto.AdministratorsEdit)
}

// SaveTableview changes a tableview, or makes one of the caller's where its ID is 0, and returns its ID (screens.md
// A47). Columns and filters that are new in it need what shows their data elsewhere. Errors: invalid-parameter,
// not-found, changed-meanwhile.
func (s *Service) SaveTableview(ctx context.Context, by usecase.Caller, v admitto.Tableview) (int64, error) {
	if err := by.Needs(admitto.TableviewsUse); err != nil {
		return 0, err
	}
	given := v
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		v = given
		v.Columns = slices.Clone(given.Columns)
		// Who renames what columns are called by finds this tableview, or has done so before it is looked at.
		if err := tx.LockTableviews(); err != nil {
			return err
		}
		was, err := lockTableview(tx, by, v.ID)
		if err != nil && admitto.KindOf(err) != admitto.ChangedMeanwhile {
			return err
		}
		overtaken := err
		if v.ID == 0 {
			was.Created, was.Modified, was.Owner = tx.Now(), tx.Now(), by.Actor.ID
		}
		v.Created, v.Modified, v.Owner = was.Created, was.Modified, was.Owner
		if err := by.Together(overtaken, checkTableview(by, &was, &v)); err != nil {
			return err
		}
		if err := by.Checked(); err != nil {
			return err
		}
		pattern := admitto.TableviewCreated
		var changes []admitto.Detail
		if v.ID != 0 {
			pattern = admitto.TableviewEdited
			if changes, err = tx.SaveTableview(&v); err != nil || len(changes) == 0 {
				return err
			}
			v.Modified = tx.Now()
		}
		if _, err = tx.SaveTableview(&v); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: pattern, Bind: []string{strconv.FormatInt(v.ID, 10)}, Details: changes})
		return nil
	})
	return v.ID, err
}

// lockTableview returns a tableview that the caller may change, which nobody else changes meanwhile; an empty one for
// the ID 0.
func lockTableview(tx *store.Tx, by usecase.Caller, id int64) (was admitto.Tableview, err error) {
	if id == 0 {
		return was, nil
	}
	row := admitto.Row{Kind: admitto.TableviewRow, ID: id}
	if err := tx.LockReference(row); err != nil {
		return was, err
	}
	if was, err = tx.Tableview(id); err != nil {
		return was, err
	}
	if !sees(by.Caller, &was) {
		return was, &admitto.Error{Kind: admitto.NotFound}
	}
	if !ChangeableTableview(by.Caller, &was) {
		return was, admitto.Refused(admitto.NotPermitted, message.Of("tableview-of-others"))
	}
	return was, by.SeesRow(tx, row)
}

// checkTableview refuses what a tableview cannot be, and what the caller may not make it.
func checkTableview(by usecase.Caller, was, v *admitto.Tableview) (err error) {
	var faults []admitto.Fault
	fault := func(path admitto.Path, text message.Text) {
		faults = append(faults, admitto.Fault{Path: path, Text: text})
	}
	if v.Title, err = text.Line(v.Title, 1, longestTitle); err != nil {
		fault("page.table.title", message.From(err))
	}
	switch {
	case len(v.Columns) == 0:
		fault("page.table.pick", message.Of("table-without-columns"))
	case len(v.Columns) > mostTableColumns:
		fault("page.table.pick", message.Of("too-many-entries", len(v.Columns), mostTableColumns))
	}
	for i := range v.Columns {
		c := &v.Columns[i]
		if slices.ContainsFunc(v.Columns[:i], func(o admitto.TableColumn) bool { return o.Source == c.Source }) ||
			len(c.Source) > longestSource || c.Source == "" {
			fault("page.table.pick", message.Of("choose-one"))
			break
		}
		if c.Title, err = text.Line(c.Title, 1, longestTitle); err != nil {
			fault(HeaderPath(c.Source), message.From(err))
		}
		// A reader of the file finds a column by its header. Those that were the same before stay until one is changed.
		if slices.ContainsFunc(v.Columns[:i], func(o admitto.TableColumn) bool { return o.Title == c.Title }) &&
			!slices.Equal(v.Columns, was.Columns) {
			fault(HeaderPath(c.Source), message.Of("header-twice", c.Title))
		}
		had := slices.ContainsFunc(was.Columns, func(o admitto.TableColumn) bool { return o.Source == c.Source })
		if err := MayColumn(by.Caller, c.Source); err != nil && !had {
			return err
		}
	}
	if faults != nil {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	filters, err := admitto.ReadTableFilters(v.Filters)
	if err != nil {
		return fmt.Errorf("filters of a tableview: %w", err)
	}
	if v.Filters != was.Filters {
		if err := mayFilter(by.Caller, &filters); err != nil {
			return err
		}
	}
	if v.ByOffer && !was.ByOffer {
		return by.Needs(admitto.OffersView)
	}
	return nil
}

// HeaderPath is the path of faults with the header of a column.
func HeaderPath(source string) admitto.Path { return "page.table.header/" + admitto.Path(source) }

// DeleteTableview removes a tableview. Errors: not-found, changed-meanwhile.
func (s *Service) DeleteTableview(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.TableviewsUse); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := lockTableview(tx, by, id); err != nil {
			return err
		}
		if err := tx.DeleteTableview(id); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.TableviewDeleted, Bind: []string{strconv.FormatInt(id, 10)}})
		return nil
	})
}
