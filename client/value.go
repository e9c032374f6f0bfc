package client

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// The values of the interface. Where they are unset they are null in JSON and the zero value here, and go back as null,
// so that what was read can be sent again.

// Text is a text that may be unset.
type Text string

// MarshalJSON writes null for nothing.
func (t Text) MarshalJSON() ([]byte, error) { return quoteOrNull(string(t)) }

// Link is the path of a resource; Follow and Open read what is behind it.
type Link string

// MarshalJSON writes null for nothing.
func (l Link) MarshalJSON() ([]byte, error) { return quoteOrNull(string(l)) }

// ID is the number at the end of the path, 0 when there is none.
func (l Link) ID() int64 {
	n, err := strconv.ParseInt(string(l[strings.LastIndexByte(string(l), '/')+1:]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Day is a calendar day such as 2026-03-01.
type Day string

// MarshalJSON writes null for nothing.
func (d Day) MarshalJSON() ([]byte, error) { return quoteOrNull(string(d)) }

// Time is midnight of the day in the zone; an error for what is no day.
func (d Day) Time(zone *time.Location) (time.Time, error) {
	return time.ParseInLocation(time.DateOnly, string(d), zone)
}

// Decimal is a number such as 12.50, as text so that nothing is rounded.
type Decimal string

// MarshalJSON writes null for nothing.
func (d Decimal) MarshalJSON() ([]byte, error) { return quoteOrNull(string(d)) }

// UnmarshalJSON takes a number as well as a text.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && (data[0] == '-' || data[0] >= '0' && data[0] <= '9') {
		*d = Decimal(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(d))
}

// Moment is a point in time, in whole seconds; IsZero when unset.
type Moment struct{ time.Time }

// MarshalJSON writes null for nothing.
func (m Moment) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(m.UTC().Format("2006-01-02T15:04:05+00:00"))
}

// UnmarshalJSON reads null as nothing.
func (m *Moment) UnmarshalJSON(data []byte) (err error) {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	m.Time = time.Time{}
	if text != "" {
		m.Time, err = time.Parse(time.RFC3339, text)
	}
	return err
}

func quoteOrNull(text string) ([]byte, error) {
	if text == "" {
		return []byte("null"), nil
	}
	return json.Marshal(text)
}

// Field is a member of a change: left alone (the zero value), Set to a value, or Cleared.
type Field[T any] struct {
	given bool
	value *T
}

// Set sets the value of a member.
func Set[T any](value T) Field[T] { return Field[T]{given: true, value: &value} }

// Clear unsets a member.
func Clear[T any]() Field[T] { return Field[T]{given: true} }

// IsZero reports whether the member is left alone; encoding/json asks it for omitzero.
func (f Field[T]) IsZero() bool { return !f.given }

// MarshalJSON writes the value, null for a cleared one.
func (f Field[T]) MarshalJSON() ([]byte, error) { return json.Marshal(f.value) }

// Linked is a link or, where the call has asked for it with Expand, what is behind it.
type Linked[T any] struct {
	Link  Link
	Value *T // nil unless expanded
}

// MarshalJSON writes what is there.
func (l Linked[T]) MarshalJSON() ([]byte, error) {
	if l.Value != nil {
		return json.Marshal(l.Value)
	}
	return json.Marshal(l.Link)
}

// UnmarshalJSON reads either form.
func (l *Linked[T]) UnmarshalJSON(data []byte) error {
	*l = Linked[T]{}
	if len(data) > 0 && (data[0] == '"' || data[0] == 'n') {
		return json.Unmarshal(data, &l.Link)
	}
	l.Value = new(T)
	return json.Unmarshal(data, l.Value)
}

// Bound is where an incremental reading begins or ends, inclusive: an ID or a time. The zero value is no bound.
type Bound string

// FromID is the bound at a record; 0 is before the first.
func FromID(id int64) Bound { return Bound(strconv.FormatInt(id, 10)) }

// At is the bound at a time, in whole seconds.
func At(t time.Time) Bound { return Bound(t.UTC().Format(time.RFC3339)) }
