// Package usecase is what every use case starts from: who calls, under which condition, and what is done in the same
// transaction. It knows nothing of the interfaces. It may import admitto and store.
package usecase

import (
	"errors"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// Caller is who asks for a change, and under which conditions.
type Caller struct {
	admitto.Caller
	// Version, when not 0, is the row version of what the caller has seen (lifecycle.md R8). It is compared once what is
	// changed is locked.
	Version int64
	// Hook is what the caller's interface does in the transaction of the change; nil does nothing.
	Hook Hook
	// Checks says that the call refuses what it always refuses, and changes nothing: it ends with ErrChecked where
	// nothing speaks against it. Only use cases that call Checked take it.
	Checks bool
	// Whole says that a refusal tells all that is wrong, where Together is asked; without it the first refusal alone.
	Whole bool
}

// ErrChecked ends a call that only checks, and its transaction.
var ErrChecked = errors.New("only checked")

// Checked ends a call that only checks; use cases call it when they have checked everything, before they change
// anything.
func (by *Caller) Checked() error {
	if by.Checks {
		return ErrChecked
	}
	return nil
}

// Together is the first of refusals, nil where there is none. A caller who wants the whole is told the faults of the
// others with it, and before all that somebody else has saved meanwhile. What is about no fault goes alone.
func (by *Caller) Together(refusals ...error) error {
	refusals = slices.DeleteFunc(refusals, func(err error) bool { return err == nil })
	switch {
	case len(refusals) == 0:
		return nil
	case len(refusals) == 1 || !by.Whole:
		return refusals[0]
	}
	var whole admitto.Error
	for _, err := range refusals {
		refused, is := errors.AsType[*admitto.Error](err)
		changed := is && refused.Kind == admitto.ChangedMeanwhile
		if !is || len(refused.Faults) == 0 && !changed {
			return err
		}
		if changed || whole.Kind == "" {
			whole.Kind, whole.Text = refused.Kind, refused.Text
		}
		whole.Faults = append(whole.Faults, refused.Faults...)
	}
	return &whole
}

// Hook is what an interface does in the transaction of a call. An error undoes the transaction.
type Hook interface {
	// Made is called with the ID of what the call made.
	Made(tx *store.Tx, id int64) error
	// Found is called with the ID of what the call found instead of making it.
	Found(tx *store.Tx, id int64) error
	// Done is called when the call did what has nothing to show.
	Done(tx *store.Tx) error
	// Waits is called before the call waits for something outside of the transaction. Another process may go on with the
	// call then, with the hook that is made from what Waits returns.
	Waits(tx *store.Tx) (kept []byte, err error)
}

// Made calls the caller's hook, if there is one.
func (by *Caller) Made(tx *store.Tx, id int64) error {
	if by.Hook == nil {
		return nil
	}
	return by.Hook.Made(tx, id)
}

// Found calls the caller's hook, if there is one.
func (by *Caller) Found(tx *store.Tx, id int64) error {
	if by.Hook == nil {
		return nil
	}
	return by.Hook.Found(tx, id)
}

// Done calls the caller's hook, if there is one.
func (by *Caller) Done(tx *store.Tx) error {
	if by.Hook == nil {
		return nil
	}
	return by.Hook.Done(tx)
}

// Waits calls the caller's hook, if there is one.
func (by *Caller) Waits(tx *store.Tx) (kept []byte, err error) {
	if by.Hook == nil {
		return nil, nil
	}
	return by.Hook.Waits(tx)
}

// Sees refuses with changed-meanwhile unless the current row version is the one that the caller has seen.
func (by *Caller) Sees(current int64) error {
	if by.Version != 0 && by.Version != current {
		return admitto.Refused(admitto.ChangedMeanwhile, message.Of("changed-since-shown"))
	}
	return nil
}

// SeesRow is Sees of a row that this transaction keeps others from changing.
func (by *Caller) SeesRow(tx *store.Tx, row admitto.Row) error {
	if by.Version == 0 {
		return nil
	}
	current, err := tx.RowVersion(row)
	if err != nil {
		return err
	}
	return by.Sees(current)
}
