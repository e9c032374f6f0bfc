package usecase

import (
	"context"
	"iter"

	"github.com/admitto/admitto/internal/store"
)

// List is a long list, read in one snapshot. Exactly one of All and Count is called, once; what the list has next to
// its items is known after it.
type List[T any] struct {
	Total int64 // how many match, those left out included
	More  bool  // matches are left out behind the page
	Last  int64 // the ID that the page ends with when matches are left out, after Count

	ctx  context.Context // of the request; a list does not outlive it
	core *Core
	open func(*store.Tx) (Source[T], error)
}

// Source is how a list is read in a transaction.
type Source[T any] struct {
	After, Limit int64 // what the page begins behind, and how long it is at most
	Each         func(each func(*T) error) (more bool,
		err error) // calls each for the items of the page; what it is given is its own until it returns
	Count func() (int64, error) // how many match, by a statement
	// the last ID of the page, 0 when nothing is left out, by a statement that reads no records
	End func() (int64, error)
}

// ListOf makes a list of what open finds.
func ListOf[T any](ctx context.Context, c *Core, open func(*store.Tx) (Source[T], error)) *List[T] {
	return &List[T]{ctx: ctx, core: c, open: open}
}

// All reads the items of the page in their order. An error is the last that it yields. An item may be used until the
// next one.
func (l *List[T]) All() iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		stopped := false
		err := l.run(func(item *T) error {
			if stopped = !yield(item, nil); stopped {
				return context.Canceled // ends the reading
			}
			return nil
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// Count counts what matches and finds where the page ends, without reading the items.
func (l *List[T]) Count() error { return l.run(nil) }

// run reads the page, or counts only when each is nil. A list from its beginning that leaves nothing out has counted
// its matches itself; otherwise a statement does.
func (l *List[T]) run(each func(*T) error) error {
	return l.core.Read(l.ctx, func(tx *store.Tx) error {
		source, err := l.open(tx)
		if err != nil {
			return err
		}
		var total, last int64
		var more bool
		if each != nil {
			more, err = source.Each(func(item *T) error {
				total++
				return each(item)
			})
			if err != nil {
				return err
			}
		}
		if each == nil || more || source.After != 0 {
			if total, err = source.Count(); err != nil {
				return err
			}
		}
		if each == nil && source.Limit > 0 && total > source.Limit {
			if last, err = source.End(); err != nil {
				return err
			}
			more = last != 0
		}
		l.Total, l.More, l.Last = total, more, last
		return nil
	})
}
