package catalogue

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

// checks collects what is wrong with a record that staff want to store.
type checks struct {
	tx     *store.Tx
	faults []admitto.Fault
	err    error            // of the database
	places []admitto.Region // read once
	known  map[string]error // answers of the database that many records ask for; nil: each asks for itself
	terms  map[int64]admitto.Term
}

func (c *checks) fault(path admitto.Path, text message.Text) {
	c.faults = append(c.faults, admitto.Fault{Path: path, Text: text})
}

// wrong reports whether anything is wrong with one of the values.
func (c *checks) wrong(paths ...admitto.Path) bool {
	return slices.ContainsFunc(c.faults, func(f admitto.Fault) bool { return slices.Contains(paths, f.Path) })
}

// by applies a rule to a value; an empty one stays so.
func (c *checks) by(rule func(string) (string, error), path admitto.Path, value *string) {
	if *value == "" {
		return
	}
	kept, err := rule(*value)
	if err != nil {
		c.fault(path, message.From(err))
		return
	}
	*value = kept
}

// line checks a text of one line.
func (c *checks) line(path admitto.Path, value *string, least, most int) {
	kept, err := text.Line(*value, least, most)
	if err != nil {
		c.fault(path, message.From(err))
		return
	}
	*value = kept
}

// lines checks a text of several lines.
func (c *checks) lines(path admitto.Path, value *string, most int) {
	c.by(func(s string) (string, error) { return text.Multiline(s, 0, most) }, path, value)
}

// among refuses what is none of the words.
func (c *checks) among(path admitto.Path, value string, words ...string) {
	for _, w := range words {
		if value == w {
			return
		}
	}
	c.fault(path, message.Of("choose-one"))
}

// code refuses what is no code of a class that is in use; none is right, and so is the one that is stored.
func (c *checks) code(path admitto.Path, class, code, stored string) {
	if code == "" || code == stored || c.err != nil {
		return
	}
	err := c.once("code "+class+" "+code, func() error {
		known, err := c.tx.HasCode(class, code)
		if err == nil && !known {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
	if admitto.KindOf(err) == admitto.NotFound {
		c.fault(path, message.Of("no-code-of-class", text.Quote(code), class))
	} else {
		c.err = err
	}
}

// there refuses an ID that a read does not find.
func (c *checks) there(path admitto.Path, err error) {
	if admitto.KindOf(err) == admitto.NotFound {
		c.fault(path, message.Of("choose-one"))
	} else if c.err == nil {
		c.err = err
	}
}

// refusal is what the checks found.
func (c *checks) refusal() error {
	if c.err == nil && c.faults != nil {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: c.faults}
	}
	return c.err
}

// saving is how a record is stored.
type saving struct {
	row      admitto.Row              // without an ID: a new one
	ordered  bool                     // others change the row under the order of commits
	lock     func(tx *store.Tx) error // what is locked before the row, nil for nothing
	check    func(c *checks)
	save     func(tx *store.Tx) ([]admitto.Detail, error) // stores it, and puts the ID of a new one into row
	recorded func(made bool) admitto.Event
}

// keep stores a record in one transaction: nobody else changes it meanwhile, it is as the caller has seen it, it is
// right, and the journal says what changed. A record that stays as it was is not recorded.
func (s *Service) keep(ctx context.Context, by usecase.Caller, edit saving) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if edit.lock != nil {
			if err := edit.lock(tx); err != nil {
				return err
			}
		}
		naming, err := namingOf(tx, edit.row)
		if err != nil {
			return err
		}
		if edit.ordered {
			if err := tx.LockOrder(); err != nil {
				return err
			}
		}
		var seen error
		if edit.row.ID != 0 {
			lock := tx.LockReference
			if edit.ordered {
				lock = tx.HasRow
			}
			if err := lock(edit.row); err != nil {
				return err
			}
			seen = by.SeesRow(tx, edit.row)
		}
		c := &checks{tx: tx}
		edit.check(c)
		if err := by.Together(seen, c.refusal()); err != nil {
			return err
		}
		if err := by.Checked(); err != nil {
			return err
		}
		changes, err := edit.save(tx)
		if err != nil {
			return err
		}
		if made := edit.row.ID == 0; made || len(changes) > 0 {
			event := edit.recorded(made)
			if !made {
				event.Details = changes
			}
			tx.Record(by.Actor, event)
		}
		return naming.follow(tx, by)
	})
}

// about is an event whose value is an ID, or a year.
func about(pattern admitto.Pattern, id int64) admitto.Event {
	return admitto.Event{Pattern: pattern, Bind: []string{strconv.FormatInt(id, 10)}}
}

// made is the first pattern for a new record, the second for another one.
func either(isNew bool, made, edited admitto.Pattern) admitto.Pattern {
	if isNew {
		return made
	}
	return edited
}

// once reads what is asked for under a key, and remembers the answer where many records are checked.
func (c *checks) once(key string, read func() error) error {
	if c.known == nil {
		return read()
	}
	err, known := c.known[key]
	if !known {
		err = read()
		c.known[key] = err
	}
	return err
}

// term reads a term, once.
func (c *checks) term(id int64) (admitto.Term, error) {
	if t, read := c.terms[id]; read {
		return t, nil
	}
	err := c.once(fmt.Sprint("term ", id), func() error {
		t, err := c.tx.Term(id)
		if err == nil {
			if c.terms == nil {
				c.terms = map[int64]admitto.Term{}
			}
			c.terms[id] = t
		}
		return err
	})
	return c.terms[id], err
}

// regionList reads the regions.
func (c *checks) regionList() []admitto.Region {
	if c.places == nil && c.err == nil {
		c.places, c.err = c.tx.Regions()
	}
	return c.places
}
