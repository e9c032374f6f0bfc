package show

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
)

// Stored is what a form shows that somebody else has overtaken (screens.md U10): the values that are stored now, their
// row version, and the messages of the fields by name.
type Stored struct {
	Values  site.Values
	Version int64
	Labels  [][2]string
}

// mostLines are how many changed values are named above a form.
const mostLines = 6

// Overtaken says above a form who changed what meanwhile, and when, and lets the reader choose for each field. Last is
// the event; nil where it is not known any more.
func Overtaken(r *site.Request, q *query.Service, f *site.Form, last *admitto.Record, now Stored) error {
	who, when, what, err := said(r, q, last)
	if err != nil {
		return err
	}
	if last == nil {
		who, when = r.T("applicant.somebody"), r.Clock(r.Now())
	}
	f.Meanwhile(now.Values, now.Version, who, when, now.Labels...)
	f.Conflict().Tell(what)
	return nil
}

// said is who made an event, when, and what it changed; "" of nil.
func said(r *site.Request, q *query.Service, last *admitto.Record) (who, when, what string, err error) {
	if last == nil {
		return "", "", "", nil
	}
	words, err := ReadWords(r, q)
	if err != nil {
		return "", "", "", err
	}
	what = strings.Join(append([]string{words.Sentence(r, &last.Event)}, words.lines(r, last)...), "; ")
	return words.first(r, last), r.Clock(last.Logged), what, nil
}

// Since has a form that was typed before say what was changed since: the last event, as Overtaken does.
func Since(r *site.Request, q *query.Service, f *site.Form, last func() (*admitto.Record, error)) error {
	return f.Since(func() (who, when, what string, err error) {
		record, err := last()
		if err != nil {
			return "", "", "", err
		}
		return said(r, q, record)
	})
}

// SinceEdit is Since of the last event of a group that is about a record.
func SinceEdit(r *site.Request, q *query.Service, f *site.Form, group string, of func(*admitto.Record) bool) error {
	return f.Since(func() (who, when, what string, err error) {
		who, when, err = LastEdit(r, q, group, of)
		return who, when, "", err
	})
}

// first is who made an event, at the beginning of a sentence.
func (w *Words) first(r *site.Request, last *admitto.Record) string {
	who := w.Who(r, last)
	if letter, size := utf8.DecodeRuneInString(who); last.Actor.Kind == admitto.BySystem {
		who = string(unicode.ToUpper(letter)) + who[size:]
	}
	return who
}

// SaidOfLast is who changed what, in one sentence, for pages that only say it.
func SaidOfLast(r *site.Request, q *query.Service, last *admitto.Record) (who, when, what string, err error) {
	who, when = r.T("applicant.somebody"), r.Clock(r.Now())
	if last == nil {
		return who, when, r.T("card.something"), nil
	}
	words, err := ReadWords(r, q)
	return words.first(r, last), r.Clock(last.Logged), words.Sentence(r, &last.Event), err
}

// lines are the values that an event changed, as far as they are kept.
func (w *Words) lines(r *site.Request, record *admitto.Record) (list []string) {
	for _, d := range record.Details {
		if len(list) == mostLines {
			return append(list, "…")
		}
		list = append(list, w.Line(r, record, d))
	}
	return list
}

// LastEdit is who made the last event of a group that is about a record, and when, in words.
func LastEdit(r *site.Request, q *query.Service, group string, of func(*admitto.Record) bool) (who, when string,
	err error) {
	var events []admitto.EventFilter
	for _, kind := range admitto.EventKinds() {
		if kind.Group == group {
			events = append(events, admitto.EventFilter{Pattern: kind.Pattern})
		}
	}
	name, at, err := q.LastEdit(r.Context(), r.Reader(), events, of)
	if at == 0 {
		at = r.Now()
	}
	return cmp.Or(name, r.T("applicant.somebody")), r.Clock(at), err
}

// NewestOf is the newest of records, the newest first, that is about something; nil for none.
func NewestOf(records []admitto.Record, of func(*admitto.Record) bool) *admitto.Record {
	at := slices.IndexFunc(records, func(record admitto.Record) bool { return of(&record) })
	if at < 0 {
		return nil
	}
	return &records[at]
}
