package report

import (
	"context"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of kept views: how many of a list somebody keeps and everybody sees, and how long names and addresses are.
const (
	mostKeptViews   = 50
	mostSharedViews = 100
	longestViewName = 60
	longestView     = 4000
)

// keptLists are the lists whose views can be kept, with what one must be permitted to see them.
var keptLists = map[string]admitto.Permission{"applications": admitto.ApplicationsView,
	"applicants": admitto.ApplicantsView, "invoices": admitto.AccountingView, "transactions": admitto.AccountingView}

// KeptView is a view of a list under a name: the query of its address, which the interface reads.
type KeptView struct {
	ID          int64
	List        string
	Name, Query string
	Shared      bool // everybody who may see the list sees the view
	Own         bool
	Changeable  bool // the caller may call it something else, and remove it
	Version     int64
}

// KeptViews returns the views of a list that the caller sees, by name: the own ones first, then those of others.
func (s *Service) KeptViews(ctx context.Context, by admitto.Caller, list string) (views []KeptView, err error) {
	if err := by.NeedsAny(admitto.ApplicationsView, admitto.ApplicantsView, admitto.AccountingView); err != nil {
		return nil, err
	}
	if err := seesList(by, list); err != nil {
		return nil, err
	}
	owner := by.Actor.ID
	rows, err := usecase.Get(ctx, s.core, func(tx *store.Tx) ([]store.KeptView,
		error) {
		return tx.KeptViews(owner, list)
	})
	for i := range rows {
		views = append(views, keptView(&rows[i], by))
	}
	slices.SortStableFunc(views, func(a, b KeptView) int {
		if a.Own != b.Own {
			return map[bool]int{true: -1, false: 1}[a.Own]
		}
		return strings.Compare(text.EmailKey(a.Name), text.EmailKey(b.Name))
	})
	return views, err
}

func keptView(v *store.KeptView, by admitto.Caller) KeptView {
	own := v.Owner == by.Actor.ID
	return KeptView{ID: v.ID, List: v.List, Name: v.Name, Query: v.Query, Shared: v.Shared, Own: own,
		Changeable: own || v.Shared && by.Has(admitto.AdministratorsEdit), Version: v.Version}
}

// seesList refuses a list that there is not, and callers who may not see it.
func seesList(by admitto.Caller, list string) error {
	needed, ok := keptLists[list]
	if err := by.AdministratorOnly(); err != nil {
		return err
	} else if !ok {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	return by.Needs(needed)
}

// KeepView keeps a view of the caller under a name. The name is none that another own view of the list has.
func (s *Service) KeepView(ctx context.Context, by usecase.Caller, v KeptView) (id int64, err error) {
	if err := by.NeedsAny(admitto.ApplicationsView, admitto.ApplicantsView, admitto.AccountingView); err != nil {
		return 0, err
	}
	if err := seesList(by.Caller, v.List); err != nil {
		return 0, err
	}
	row := store.KeptView{Owner: by.Actor.ID, List: v.List, Shared: v.Shared}
	var faults []admitto.Fault
	if row.Name, err = text.Line(v.Name, 1, longestViewName); err != nil {
		faults = append(faults, admitto.Fault{Path: "view.name", Text: message.From(err)})
	}
	if row.Query, err = text.Line(v.Query, 0, longestView); err != nil {
		faults = append(faults, admitto.Fault{Path: "view.query", Text: message.From(err)})
	}
	if len(faults) > 0 {
		return 0, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if err := roomForView(tx, &row); err != nil {
			return err
		}
		id, err = tx.InsertKeptView(&row)
		return err
	})
	return id, err
}

// roomForView refuses a name that another own view of the list has, and more views than are kept.
func roomForView(tx *store.Tx, v *store.KeptView) error {
	if err := tx.LockStaffAddresses(); err != nil { // the first role stands for all
		return err
	}
	views, err := tx.KeptViews(v.Owner, v.List)
	if err != nil {
		return err
	}
	own, shared := 0, 0
	for i := range views {
		o := &views[i]
		if o.Shared && o.ID != v.ID {
			shared++
		}
		if o.Owner == v.Owner && o.ID != v.ID {
			if own++; text.EmailKey(o.Name) == text.EmailKey(v.Name) {
				return admitto.Refuse(admitto.InvalidParameter, "view.name", "", message.Of("view-exists"))
			}
		}
	}
	if own >= mostKeptViews {
		return admitto.Refuse(admitto.InvalidParameter, "view.name", "", message.Of("views-full", mostKeptViews))
	}
	if v.Shared && shared >= mostSharedViews {
		return admitto.Refuse(admitto.InvalidParameter, "view.shared", "",
			message.Of("shared-views-full", mostSharedViews))
	}
	return nil
}

// changeableView finds a view that the caller may change: an own one, or, for those who manage administrators, one of
// everybody's, for its owner may have left.
func changeableView(tx *store.Tx, by admitto.Caller, list string, id int64) (v store.KeptView, err error) {
	if v, err = tx.KeptView(id); err == nil && (v.List != list || !keptView(&v, by).Changeable) {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	return v, err
}

// ChangeableView returns a view of a list that the caller may change.
func (s *Service) ChangeableView(ctx context.Context, by admitto.Caller, list string, id int64) (KeptView, error) {
	if err := by.NeedsAny(admitto.ApplicationsView, admitto.ApplicantsView, admitto.AccountingView); err != nil {
		return KeptView{}, err
	}
	if err := seesList(by, list); err != nil {
		return KeptView{}, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (KeptView, error) {
		v, err := changeableView(tx, by, list, id)
		return keptView(&v, by), err
	})
}

// RenameView calls a view something else, and says who sees it.
func (s *Service) RenameView(ctx context.Context, by usecase.Caller, list string, id int64, name string,
	shared bool) error {
	if err := by.NeedsAny(admitto.ApplicationsView, admitto.ApplicantsView, admitto.AccountingView); err != nil {
		return err
	}
	if err := seesList(by.Caller, list); err != nil {
		return err
	}
	name, wrong := text.Line(name, 1, longestViewName)
	if wrong != nil {
		wrong = admitto.Refuse(admitto.InvalidParameter, "view.name", "", message.From(wrong))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockStaffAddresses(); err != nil { // as roomForView
			return err
		}
		v, err := changeableView(tx, by.Caller, list, id)
		if err != nil {
			return err
		}
		if err := by.Together(by.SeesRow(tx, admitto.Row{Kind: admitto.KeptViewRow, ID: id}), wrong); err != nil {
			return err
		}
		v.Name, v.Shared = name, shared
		if err := roomForView(tx, &v); err != nil {
			return err
		}
		return tx.UpdateKeptView(&v)
	})
}

// RemoveView removes a view. One that is not there any more is no error.
func (s *Service) RemoveView(ctx context.Context, by usecase.Caller, list string, id int64) error {
	if err := by.NeedsAny(admitto.ApplicationsView, admitto.ApplicantsView, admitto.AccountingView); err != nil {
		return err
	}
	if err := seesList(by.Caller, list); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := changeableView(tx, by.Caller, list, id); admitto.KindOf(err) == admitto.NotFound {
			return nil
		} else if err != nil {
			return err
		}
		return tx.DeleteKeptView(id)
	})
}
